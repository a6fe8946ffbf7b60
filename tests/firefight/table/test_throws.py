"""Throws in a match: typed in one box, thrown die by die by the app, logged, checked, corrected, kept in a file."""

import copy
import json

import pytest

from firefight.columns import write_rolls
from firefight.engine import chain
from firefight.engine.rolls.cards import card_throw, take_card
from firefight.engine.rolls.dice import DieSpec, ReadAs, check_sum, rolled_face
from firefight.engine.rolls.result import FollowUp, Outcome, Result, waiting
from firefight.games import registry
from firefight.kit.fields.forms import HelperForm
from firefight.kit.fields.numbers import NumberField
from firefight.kit.helper import Helper
from firefight.table.files import archive, making, saving
from firefight.table.log import fairness, reading
from firefight.table.rolling import replay
from tests.firefight.players import GAME, begin, end, headline_of, json_of, odds_of, page_of, text_of, words_of

pytestmark = pytest.mark.django_db

DECK = ("sniper", "chuikov", "sniper")


class ToyOutcome(Outcome):
    WON = "won"
    LOST = "lost"
    HITS = "hits"
    NONE = "none"
    DRAWN = "drawn"


class AttackForm(HelperForm):
    ip = NumberField("IP", -9, 9)


class HitsForm(HelperForm):
    number = NumberField("Dice", 0, 16)


def attack(*, charts, ip, attack_dr=None, defence_dr=None):
    """2d6 against 2d6; who wins rolls three dice."""
    if attack_dr is None or defence_dr is None:
        return waiting("Roll 2d6 each.", *(["attack_dr"] if attack_dr is None else ["defence_dr"]))
    margin = check_sum(attack_dr, 2, 6, "attack_dr") + ip - check_sum(defence_dr, 2, 6, "defence_dr")
    steps = (FollowUp("toy-hits", "Hits of the winner", {"number": 3}),) if margin > 0 else ()
    outcome = ToyOutcome.WON if margin > 0 else ToyOutcome.LOST
    dice = {"attack_dr": attack_dr, "defence_dr": defence_dr}
    return Result(f"By {margin}.", outcome, dice=dice, modified=attack_dr + ip, follow_ups=steps)


def hits(*, charts, number, faces=None):
    """Every 5 and 6 hits."""
    if faces is None:
        return waiting("Roll the dice.", "faces")
    scored = sum(face >= 5 for face in faces)
    outcome = ToyOutcome.HITS if scored else ToyOutcome.NONE
    return Result(f"{scored} hits.", outcome, dice={"faces": faces}, details={"hits": scored})


def hit_dice(inputs):
    alike = ((1, 2, 3, 4), (5, 6))
    number = inputs["number"]
    free = {} if number else {"least": 0, "most": 16}
    return (DieSpec("faces", 6, "Dice, d6 each", number=number, read=ReadAs.EACH, alike=alike, **free),)


def draw(*, charts, card=None):
    if card is None:
        return waiting("Draw a card.", "card")
    name, left = take_card(DECK, card)
    return Result(f"{name} is drawn.", ToyOutcome.DRAWN, label=name, dice={"card": card}, details={"left": list(left)})


def helper(slug, form, rule, dice):
    words = tuple(outcome.value for outcome in ToyOutcome)
    return Helper(
        GAME,
        slug,
        title=f"Toy {slug}",
        group="Toys",
        purpose="A toy.",
        rules=("1 Toys",),
        form=form,
        rule=rule,
        outcomes=words,
        dice=dice,
    )


def dr(name, label):
    return DieSpec(name, 6, label, number=2)


TOYS = [
    helper("toy-attack", AttackForm, attack, (dr("attack_dr", "Attack, 2d6"), dr("defence_dr", "Defence, 2d6"))),
    helper("toy-hits", HitsForm, hits, hit_dice),
    helper("toy-card", HelperForm, draw, (card_throw("Card", DECK),)),
]


@pytest.fixture(autouse=True)
def toys(monkeypatch):
    for toy in TOYS:
        monkeypatch.setitem(registry.helpers(GAME), toy.slug, toy)


@pytest.fixture
def player(frozen):
    return frozen("a German alone", lambda: begin()[0])


def faces(entry, *names):
    return [tuple(die.to_json().get(name) for name in names) for die in entry.rolls]


# Rolling


def test_a_sum_is_typed_as_one_number_and_logged_as_one(player):
    player.roll("toy-attack", attack_dr="9", defence_dr="4", dice="table")
    assert faces(player.last, "die", "sides", "face", "dice", "source") == [
        ("attack_dr", 6, 9, 2, "table"),
        ("defence_dr", 6, 4, 2, "table"),
    ]
    assert player.last.result.to_json()["dice"] == {"attack_dr": 9, "defence_dr": 4}
    assert "Attack, 2d6: 9 (on the table)" in player.see("log/")


def test_a_pool_is_typed_die_by_die_and_logged_die_by_die(player):
    player.roll("toy-hits", number="4", faces="6514", dice="table")
    assert faces(player.last, "die", "face", "dice") == [("faces", face, None) for face in (6, 5, 1, 4)]
    assert player.last.result.to_json()["dice"] == {"faces": [6, 5, 1, 4]}
    assert player.last.result.details == {"hits": 2}


def test_the_app_throws_die_by_die_and_numbers_each(player):
    player.roll("toy-attack", dice="app")
    seed = bytes.fromhex(player.match.seed)
    expected = [rolled_face(seed, number, 6) for number in (1, 2, 3, 4)]
    assert faces(player.last, "number", "face", "dice") == [(n, face, None) for n, face in enumerate(expected, 1)]
    assert player.last.result.to_json()["dice"] == {"attack_dr": sum(expected[:2]), "defence_dr": sum(expected[2:])}
    player.do("drop/", step="all")
    player.roll("toy-hits", number="5", dice="app")
    assert faces(player.last, "number", "face") == [(n, rolled_face(seed, n, 6)) for n in range(5, 10)]


def test_a_pool_without_dice_needs_none_and_one_of_a_free_number_takes_what_is_typed(player):
    player.roll("toy-hits", number="0", dice="app")
    assert (player.last.rolls, player.last.result.to_json()["dice"]) == ((), {"faces": []})
    player.roll("toy-hits", number="0", faces="6 6 1", dice="table")
    assert player.last.result.to_json()["dice"] == {"faces": [6, 6, 1]}
    assert replay.work_out_results(export(player)).problems == ()


def test_a_card_is_drawn_by_its_name_or_by_the_app(player):
    player.roll("toy-card", card="Chuikov", dice="table")
    assert player.last.sentence == "Toy toy-card. chuikov is drawn."
    assert faces(player.last, "sides", "face", "card") == [(3, 2, True)]
    player.roll("toy-card", dice="app")
    face = rolled_face(bytes.fromhex(player.match.seed), 1, 3)
    assert player.last.result.details == {"left": [*take_card(DECK, face)[1]]}


@pytest.mark.parametrize(
    ("slug", "fields", "message"),
    [
        ("toy-attack", {"attack_dr": "13", "defence_dr": "4"}, "2d6 add up to 2 to 12, not 13."),
        ("toy-attack", {"attack_dr": "9"}, "Type these dice."),
        ("toy-hits", {"number": "4", "faces": "651"}, "4 dice, not 3."),
        ("toy-hits", {"number": "4", "faces": "6517"}, "7 is not on it."),
        ("toy-hits", {"number": "4"}, "Type these dice."),
        ("toy-card", {}, "Type this card."),
        ("toy-card", {"card": "paulus"}, "That is not one of the cards that are left: sniper and chuikov."),
    ],
)
def test_a_slip_is_told_beside_the_box_and_logs_nothing(player, slug, fields, message):
    before = len(player.log)
    response = player.roll(slug, **fields, dice="table")
    assert response.status_code in (200, 422)
    assert message in words_of(response)
    assert len(player.log) == before


def test_a_form_has_one_box_for_a_throw_and_the_box_has_room_for_it(client):
    page = text_of(client.get(page_of("toy-hits"), {"number": "16"}))
    assert page.count('name="faces"') == 1 and 'maxlength="32"' in page
    assert text_of(client.get(page_of("toy-attack"))).count('class="die"') == 2


def test_without_a_match_throws_are_typed_and_thrown_too(client):
    page = client.post(page_of("toy-attack"), {"attack_dr": "9", "defence_dr": "4", "dice": "table"})
    assert headline_of(page) == "By 5."
    page = client.post(page_of("toy-hits"), {"number": "3", "dice": "app"})
    assert headline_of(page)[1:] == " hits."
    assert text_of(page).count("rolled here") == 3


# Asking


def test_the_json_takes_throws_and_says_what_they_are(client):
    answer = client.get(json_of("toy-attack"), {"attack_dr": "9", "defence_dr": "4"}).json()
    assert (answer["dice"], answer["outcome"]) == ({"attack_dr": 9, "defence_dr": 4}, "won")
    answer = client.get(json_of("toy-hits"), {"number": "4", "faces": "6,5,1,4"}).json()
    assert answer["dice"] == {"faces": [6, 5, 1, 4]}
    assert client.get(json_of("toy-attack")).json()["dice"] == [
        {"name": "attack_dr", "sides": 6, "label": "Attack, 2d6", "number": 2, "read": "sum"},
        {"name": "defence_dr", "sides": 6, "label": "Defence, 2d6", "number": 2, "read": "sum"},
    ]
    [pool] = client.get(json_of("toy-hits")).json()["dice"]
    assert (pool["read"], pool["least"], pool["most"]) == ("each", 0, 16)
    errors = client.get(json_of("toy-hits"), {"number": "4", "faces": "6,5,1,9"}).json()["errors"]
    assert errors == {"faces": ["A d6 shows 1 to 6; 9 is not on it."]}
    odds = client.get(odds_of("toy-attack"), {"ip": "0"}).json()
    assert (odds["total"], {row["outcome"]: row["weight"] for row in odds["outcomes"]}) == (
        1296,
        {"lost": 721, "won": 575},
    )


# Checking


def export(player):
    return json.loads(json.dumps(reading.export_log(player.match, ("german", "russian"))))


def throw_everything():
    player = begin()[0]
    player.roll("toy-attack", attack_dr="9", defence_dr="4", dice="table")
    player.do("drop/", step="all")
    player.roll("toy-attack", dice="app")
    player.do("drop/", step="all")
    player.roll("toy-hits", number="4", faces="6514", dice="table")
    player.roll("toy-hits", number="4", dice="app")
    player.roll("toy-card", card="sniper", dice="table")
    player.roll("toy-card", dice="app")
    end(player)
    return export(player)


@pytest.fixture
def ended(frozen):
    """The log of an ended match with throws of every kind from both sources."""
    return frozen("throws of every kind", throw_everything)


def rewritten(exported):
    """The log with digests that fit what it says now."""
    digest = ""
    for line in exported["entries"]:
        digest = line["digest"] = chain.line_digest(digest, line)
    return {**exported, "digest": digest}


def test_a_log_with_throws_is_sound(ended, script):
    report = fairness.check_log(ended)
    assert (report.problems, report.checked, report.is_complete) == ((), 9, True)
    assert script(ended)["problems"] == []
    again = replay.work_out_results(ended)
    assert (again.same, again.problems) == (6, ())


def dice_in(exported):
    return [(place, number) for place, line in enumerate(exported["entries"]) for number in range(len(line["rolls"]))]


def changed_faces(roll):
    lowest = roll.get("dice", 1)
    return [face for face in range(lowest, lowest * roll["sides"] + 1) if face != roll["face"]]


def test_another_face_of_any_single_die_is_found(ended, script):
    """Every die, every other face that it has, with digests that fit the change: seeds tell, or the rules do."""
    tried = 0
    for place, number in dice_in(ended):
        for face in changed_faces(ended["entries"][place]["rolls"][number]):
            forged = copy.deepcopy(ended)
            roll = forged["entries"][place]["rolls"][number]
            roll["face"] = face
            assert fairness.check_log(forged).problems == tuple(script(forged)["problems"]) != ()
            forged = rewritten(forged)
            by_seed = fairness.check_log(forged).problems
            assert bool(by_seed) == (roll["source"] == "app") == bool(script(forged)["problems"])
            if not by_seed:
                assert replay.work_out_results(forged).problems
            tried += 1
    assert tried == 84


def spoil(roll, **values):
    roll |= {name: value for name, value in values.items() if value is not None}
    for name, value in values.items():
        if value is None:
            roll.pop(name, None)


@pytest.mark.parametrize(
    ("entry", "values"),
    [
        ("typed sum", {"dice": 3}),
        ("typed sum", {"dice": None, "face": 5}),
        ("typed sum", {"dice": 1}),
        ("typed sum", {"dice": 101}),
        ("typed sum", {"dice": "2"}),
        ("typed sum", {"dice": True}),
        ("typed sum", {"face": 13}),
        ("typed sum", {"face": 1}),
        ("typed sum", {"card": True}),
        ("typed sum", {"source": "app", "number": 1}),
        ("thrown sum", {"dice": 2}),
        ("thrown sum", {"die": "defence_dr"}),
        ("thrown sum", {"sides": 8}),
        ("typed pool", {"die": "other"}),
        ("typed pool", {"dice": 2}),
        ("typed card", {"card": False}),
        ("typed card", {"card": None}),
        ("typed card", {"sides": 2, "face": 1}),
        ("thrown card", {"card": None}),
    ],
)
def test_a_throw_of_another_shape_is_found(ended, script, entry, values):
    places = dict(zip(("typed sum", "thrown sum", "typed pool", "thrown pool", "typed card", "thrown card"), [
        place for place, line in enumerate(ended["entries"]) if line["kind"] == "roll"
    ], strict=True))  # fmt: skip
    spoil(ended["entries"][places[entry]]["rolls"][0], **values)
    forged = rewritten(ended)
    report = fairness.check_log(forged)
    assert report.problems == tuple(script(forged)["problems"])
    assert report.problems or replay.work_out_results(forged).problems


@pytest.mark.parametrize("change", ["drop", "repeat", "swap"])
def test_a_die_of_a_pool_that_is_left_out_repeated_or_moved_is_found(ended, script, change):
    line = [line for line in ended["entries"] if line["helper" if "helper" in line else "kind"] == "toy-hits"][1]
    rolls = line["rolls"]
    if change == "drop":
        del rolls[1]
    elif change == "repeat":
        rolls.insert(1, dict(rolls[0]))
    else:
        rolls[0], rolls[1] = rolls[1], rolls[0]
    forged = rewritten(ended)
    report = fairness.check_log(forged)
    assert report.problems == tuple(script(forged)["problems"]) != ()


def test_the_last_card_of_a_deck_is_drawn_and_checked_like_any(player, monkeypatch, script):
    last = helper("toy-card", HelperForm, lambda *, charts, card=None: _last(card), (card_throw("Card", "x"),))
    monkeypatch.setitem(registry.helpers(GAME), "toy-card", last)
    player.roll("toy-card", dice="app")
    end(player)
    exported = export(player)
    assert fairness.check_log(exported).problems == () == tuple(script(exported)["problems"])
    forged = copy.deepcopy(exported)
    del next(line for line in forged["entries"] if line["rolls"])["rolls"][0]["card"]
    assert "there is no die with 1 sides." in fairness.check_log(rewritten(forged)).problems[0]


def _last(card):
    return waiting("", "card") if card is None else Result("x is drawn.", ToyOutcome.DRAWN, dice={"card": card})


# Correcting, and files


def test_a_typed_throw_is_corrected_and_the_winners_dice_stand_again(player, script):
    player.roll("toy-attack", attack_dr="9", defence_dr="4", dice="table")
    attack_line = player.last
    page = player.get(f"roll/toy-attack/?corrects={attack_line.number}")
    assert "The old dice showed 9, 4." in words_of(page)
    step = player.match.state.queue[0].id
    player.roll("toy-hits", number="3", dice="app", step=step, chained="1")
    thrown = player.last
    player.roll("toy-attack", attack_dr="8", defence_dr="4", dice="table", corrects=str(attack_line.number))
    again = next(entry for entry in player.log if entry.helper == "toy-hits" and entry.number > thrown.number)
    assert [die.face for die in again.rolls] == [die.face for die in thrown.rolls]
    assert {die.of for die in again.rolls} == {thrown.number}
    end(player)
    exported = export(player)
    assert fairness.check_log(exported).problems == () == tuple(script(exported)["problems"])
    assert replay.work_out_results(exported).problems == ()
    # A throw that stands again stands as it fell: no die of it twice, none left out, none in another order.
    for change in (lambda rolls: rolls.pop(), lambda rolls: rolls.reverse(), lambda rolls: rolls.append(rolls[0])):
        forged = copy.deepcopy(exported)
        rolls = next(line for line in forged["entries"] if any("of" in roll for roll in line["rolls"]))["rolls"]
        before = list(rolls)
        change(rolls)
        if rolls == before:
            continue
        forged = rewritten(forged)
        problems = fairness.check_log(forged).problems
        assert problems == tuple(script(forged)["problems"])
        assert problems or replay.work_out_results(forged).problems


def test_throws_are_kept_in_the_matchs_file(player):
    player.roll("toy-attack", attack_dr="9", defence_dr="4", dice="table")
    player.do("drop/", step="all")
    player.roll("toy-hits", number="4", dice="app")
    player.roll("toy-card", dice="app")
    saved = player.get("archive.json").json()
    opened = making.make_match(archive.read_archive(json.dumps(saved).encode()), hot_seat=True).match
    again = saving.dump_match(opened, ("german", "russian"))["log"]
    assert [line.get("rolls", []) for line in again[:-1]] == [write_rolls(entry.rolls) for entry in player.log]
    for values in ({"dice": 1}, {"dice": 3}, {"face": 13}, {"card": True}, {"card": False}):
        forged = copy.deepcopy(saved)
        typed = next(line for line in forged["log"] if line.get("rolls"))["rolls"][0]
        typed |= values
        with pytest.raises(archive.BadArchive):
            archive.read_archive(json.dumps(forged).encode())


# Counting


def test_dice_of_any_size_stand_in_every_form_of_the_report(player):
    player.roll("toy-attack", attack_dr="9", defence_dr="4", dice="table")
    player.do("drop/", step="all")
    player.roll("toy-hits", number="4", faces="6514", dice="table")
    player.roll("toy-card", card="sniper", dice="table")
    words = words_of(player.get("report/"))
    assert "German, 2d6, on the table as chance has it 2 6.50 7.0" in words
    assert "German, d6, on the table as chance has it 4 4.00 3.5" in words
    assert "Below each number stands how often it comes up in 95 of 100 fair series of 2." in words
    assert ", d3, " not in words
    for form in ("report.md", "report.pdf"):
        assert "German, 2d6, on the table" in text_of(player.get(form)).replace("\n", " ")
