"""The tick "The app rolls my dice at once", from the page: what it rolls, where it is kept, what it leaves alone."""

import pytest

from firefight.games.inferno_on_the_volga.solo.play import to_do
from firefight.models import Match
from tests.filling import Reader
from tests.firefight import players

from .by_page import LIT, STEP
from .solo_games import set_position

pytestmark = pytest.mark.django_db
SLUG = "inferno-on-the-volga"
TICK = f"{STEP} input[type=checkbox][name=rolls]"
STANDING = {"20": {"g191": 4}}, {"21": {"i45": 4}, "5": {"i62": 4}, "40": {"i87": 4}}


def put_before(match, *tasks, mode="solo"):
    """A German Stack in 20, next to Soviets in 21 and 5; both fire at once, without Rubble."""
    match.state.record["solo"] = set_position(*STANDING, mode=mode).state | {"todo": [to_do("judge"), *tasks]}
    match.save()


@pytest.fixture
def german(frozen):
    return frozen("inferno before a hasty attack", begin)


def begin():
    """A solo game before a Hasty Attack, of which the target is asked."""
    german, german.links = players.begin("german", game=SLUG)
    put_before(german.match, to_do("hasty_target", hex="20"))
    return german


@pytest.fixture
def reader(german):
    return open_page(german)


def open_page(player):
    return Reader(player.client).open(f"/match/{player.match_id}/")


def is_ticked(reader):
    return "checked" in reader.find(TICK)[0].attributes


def tick(reader, is_on=True):
    reader.form(STEP).fill(rolls=["at-once"] if is_on else [])
    return reader


def attack(reader, hex="21"):
    """The target is chosen on the map."""
    return reader.press(f"choice=hex-{hex}", LIT)


def asks_for_dice(reader):
    return reader.has(f"{STEP} [name=dice][value=app]")


def dice_of_fire(match):
    """Each die of the German fire that the log has: its face, and who threw it."""
    lines = match.log.order_by("number")
    return [(roll.face, roll.source) for line in lines for roll in line.rolls if roll.label.startswith("German fire")]


def test_without_the_tick_dice_are_asked_for(german, reader):
    assert not is_ticked(reader)
    attack(reader)
    assert asks_for_dice(reader) and dice_of_fire(german.match) == []
    reader.press("dice=app", STEP)
    assert len(dice_of_fire(german.match)) >= 4


def test_a_tick_is_sent_with_a_choice_on_the_map_whose_dice_fall_with_it(german, reader):
    attack(tick(reader))
    assert not asks_for_dice(reader)
    assert [source for _, source in dice_of_fire(german.match)][:4] == ["app"] * 4
    assert "German fire" in reader.words(f"{STEP} .told") and is_ticked(reader)


def test_so_it_is_with_a_choice_of_the_list_and_without_script(german):
    reader = Reader(german.client, script=False).open(f"/match/{german.match_id}/")
    tick(reader).press("choice=hex-21", STEP)
    assert dice_of_fire(german.match) and not asks_for_dice(reader)


def test_a_tick_taken_off_has_dice_asked_for_again(german, reader):
    attack(tick(reader))
    put_before(german.match, to_do("hasty_target", hex="20"))
    reader.open(reader.address)
    before = dice_of_fire(german.match)
    attack(tick(reader, False), "5")
    assert asks_for_dice(reader) and not is_ticked(reader) and dice_of_fire(german.match) == before


def test_a_reload_keeps_it(german, reader):
    attack(tick(reader))
    assert is_ticked(reader.open(reader.address))
    put_before(german.match, to_do("hasty_target", hex="20"))
    before = len(dice_of_fire(german.match))
    attack(reader.open(reader.address), "5")
    assert len(dice_of_fire(german.match)) > before, "What was ticked is sent with the next choice, too."


def test_another_device_of_the_same_player_is_asked(german, reader):
    phone = players.sit(players.way_back_in(german.issue("german")), german.match_id, "keep")
    attack(tick(reader.open(reader.address)))
    put_before(german.match, to_do("hasty_target", hex="20"))
    other = open_page(phone)
    assert not is_ticked(other)
    before = dice_of_fire(german.match)
    attack(other, "5")
    assert asks_for_dice(other) and dice_of_fire(german.match) == before
    assert is_ticked(open_page(german))


def test_dice_that_are_typed_are_those_that_count(german, reader):
    attack(reader)
    reader.form(STEP).fill(rolls=["at-once"], fire="6 5 1 1").press("dice=table")
    assert dice_of_fire(german.match)[:4] == [(6, "table"), (5, "table"), (1, "table"), (1, "table")]
    assert is_ticked(reader)


def test_a_die_that_is_none_is_refused_and_no_other_is_thrown_for_it(german, reader):
    attack(reader)
    version = german.match.version
    reader.form(STEP).fill(rolls=["at-once"], fire="6 5 1 9").press("dice=table")
    assert german.match.version == version and dice_of_fire(german.match) == []
    assert reader.status == 422 and is_ticked(reader), "What was ticked beside it stays ticked."


def test_how_many_dice_in_which_order_and_what_hits_is_said_before_they_are_typed(german, reader):
    attack(reader)
    assert "dice" in reader.words(f"{STEP} .own-dice label") and " hits " in reader.words(f"{STEP} .own-dice label")
    assert " hits " in reader.words(f"{STEP} .question")


def test_dice_that_are_refused_stay_typed(german, reader):
    attack(reader)
    reader.form(STEP).fill(fire="66").press("Resolve")
    assert reader.status == 422 and "dice, not 2" in reader.words()
    assert reader.form(STEP).value("fire") == "66"
    assert reader.has(f"{STEP} .own-dice[open]")


def test_taking_back_takes_choice_and_dice_and_leaves_the_tick(german, reader):
    before = german.match.state.record["solo"]
    attack(tick(reader))
    rolls = german.match.next_roll
    reader.press_node(reader.find("#do-take-back")[0])
    assert german.match.state.record["solo"] == before and is_ticked(reader.open(reader.address))
    attack(reader, "5")
    numbers = [roll.number for line in german.match.log.order_by("number") for roll in line.rolls if roll.number]
    assert len(numbers) == len({*numbers}) and max(numbers) >= rolls, "Dice that were used stay used."


def test_after_dice_that_were_taken_back_and_after_a_note_the_page_still_says_whose_they_are(german, reader):
    attack(reader)
    assert "Showdown at 21" in reader.words(f"{STEP} .told")
    reader.press("dice=app", STEP)
    reader.press_node(reader.find("#do-take-back")[0])
    reader.open(reader.address)
    assert asks_for_dice(reader) and "Showdown at 21" in reader.words(f"{STEP} .told")
    german.note("Now or never.")
    assert "Showdown at 21" in open_page(german).words(f"{STEP} .told")


def test_an_observer_has_no_tick_and_throws_nothing(german, reader):
    bench = players.sit(german.links["observer"], german.match_id)
    assert not open_page(bench).has(f"{STEP} [name=rolls]")
    before = german.match.version
    for fields in ({"choice": "hex-21", "rolls": "at-once"}, {"dice": "app"}):
        assert bench.do("step/", **fields).status_code == 403
    attack(reader)
    assert bench.do("step/", rolls="at-once").status_code == 403
    assert german.match.version == before + 1 and dice_of_fire(german.match) == []


def test_nobody_rolls_the_dice_of_another_player():
    """A Soviet player has ticked it, and lays no card: the fire of the Germans is still theirs."""
    german, links = players.begin("german", game=SLUG, **{"option-mode": "one_v_one", "option-board": "app"})
    soviet = players.sit(links["soviet"], german.match_id)
    match = Match.objects.get()
    put_before(match, to_do("hasty_target", hex="20"), mode="one_v_one")
    match.state.record["solo"]["hands"]["soviet"] = ["sniper"]
    match.save()
    attack(tick(open_page(german)))
    page = tick(open_page(soviet)).press("choice=none", STEP)
    assert not page.has(TICK), "Whoever waits for others has none."
    assert dice_of_fire(match) == [] and asks_for_dice(open_page(german))
