"""One attack with all its steps, from the page, by both sides: who is asked what, when, and what comes of it."""

import json

import pytest

from firefight.engine.errors import BadInput
from firefight.table.rolling import replay
from tests.filling import NotOffered, Reader
from tests.firefight import players
from tests.firefight.players import text_of
from tests.firefight.table.test_archive import save, send

from . import SLUG, ask
from .test_table import begin

pytestmark = pytest.mark.django_db
HEX = "1842"


class Side:
    """A side at its page: it declares, presses what it is offered, throws."""

    def __init__(self, player):
        self.player, self.reader = player, Reader(player.client)

    def open(self, slug=""):
        """The desk as it now is, or a roll that nothing has asked for."""
        self.reader.open(f"/match/{self.player.match_id}/{f'roll/{slug}/' if slug else ''}")
        return self

    def declare(self, **changes):
        """Declare an attack."""
        fields = {"hex": HEX, "points": 12, "terrain": "forest", "terrain_drm": 0, **changes}
        self.open("battle").reader.form("#desk-form").fill(**fields).press("Declare")
        return self

    def press(self, button):
        """Press what stands on the desk."""
        self.open().reader.press(button, "#desk")
        return self

    def throw(self, die, verb="Resolve", **fields):
        """Type a die into what is due."""
        self.open().reader.form("#desk-form").fill(**fields)
        self.reader.form("#desk-form").fill(die=die).press(verb)
        return self

    @property
    def desk(self):
        """What stands on the desk."""
        return self.open().reader.words("#desk")


@pytest.fixture
def sides(frozen):
    """A match in the Germans' first attack phase, with a browser for each side."""
    german, soviet = map(Side, frozen("streets on two devices", begin))
    german.player.do("record/", field="phase", value="5")
    return german, soviet


def due(side):
    return [(step.helper, step.title) for step in side.player.match.state.queue]


def rolls_of(side):
    """The rolls that stand, by helper, with their results."""
    return [(line.helper, line.result) for line in side.player.log if line.helper and line.voided_by is None]


def result_of(side, helper):
    return next(result for slug, result in reversed(rolls_of(side)) if slug == helper)


def test_where_nobody_shoots_back_the_attack_comes_after_one_word_of_the_defender(sides):
    german, soviet = sides
    german.declare()
    assert due(german) == [("decide", "Retreat or fire")]
    assert "Soviet decides" in german.desk and "All stay, no fire" in soviet.desk
    with pytest.raises(NotOffered):
        german.press("All stay, no fire")
    soviet.press("All stay, no fire")
    assert due(soviet) == [("attack", "German attack")]
    with pytest.raises(NotOffered):
        soviet.throw(9)
    german.throw(9)
    assert due(german) == []
    assert [slug for slug, _ in rolls_of(german)] == ["battle", "decide", "attack"]
    sentences = [line.sentence for line in german.player.log if line.helper]
    assert sentences[1] == "Retreat or fire. Soviet: all stay, no fire."
    record = german.player.match.state.record
    assert record["attacked"] == [HEX] and record["hex_values"][HEX]["terrain"] == "forest"


def test_a_hex_is_attacked_once_a_phase(sides):
    german, soviet = sides
    german.declare()
    soviet.press("All stay, no fire")
    german.throw(9)
    assert "attacked in this phase already" in german.declare().reader.words("#desk")
    assert due(german) == []


def test_who_retreats_leaves_the_rest_to_be_attacked(sides):
    german, soviet = sides
    german.declare()
    soviet.press("Some leave, one unit stays")
    assert due(german) == [("decide", "Opportunity fire at who leaves")]
    german.press("Yes")
    with pytest.raises(NotOffered):
        soviet.throw(6, points=20)
    german.throw(6, points=20)
    assert result_of(german, "defensive-fire").details["marker"] == "pinned"
    assert due(german) == [("decide", "Opportunity fire at who leaves")]  # another hex fires for itself (11.8)
    german.press("No more fire")
    assert due(german) == [("decide", "Fire in defence")]
    soviet.press("No fire")
    assert due(german) == [("attack", "German attack")]


def test_german_armour_that_leaves_altogether_lets_the_attack_fall_away(sides):
    german, soviet = sides
    german.player.do("record/", field="phase", value="12")
    soviet.declare(firer="soviet")
    german.press("All leave: armour alone, attacked by none")
    soviet.press("No")
    assert due(german) == [("decide", "Advance")]
    soviet.press("Nobody advances")
    assert due(german) == [] and "attack" not in [slug for slug, _ in rolls_of(german)]


def test_defensive_fire_that_pins_one_hex_of_two_takes_its_points_away(sides):
    german, soviet = sides
    german.declare(points=12, more_hexes="8")
    soviet.press("Fire at hex 1: 12 AF")
    soviet.throw(6, points=20)
    assert result_of(german, "defensive-fire").details["marker"] == "pinned"
    assert due(german) == [("decide", "Fire in defence")]
    assert "Fire at hex 2: 8 AF" in soviet.desk and "Fire at hex 1" not in soviet.desk.partition("All values")[0]
    soviet.press("No more fire")
    german.throw(9)
    assert german.player.last.inputs["points"] == 8
    assert "only_indirect_left" not in german.player.last.inputs or not german.player.last.inputs["only_indirect_left"]


def test_where_all_are_pinned_guns_attack_alone_and_without_guns_nobody(sides):
    german, soviet = sides
    german.declare(guns=9, adjacent_infantry="on", spotting=-1)
    soviet.press("Defensive fire")
    soviet.throw(6, points=20)
    assert due(german) == [("attack", "German attack")]
    german.throw(9)
    inputs = german.player.last.inputs
    assert (inputs["points"], inputs["only_indirect_left"]) == (9, True)
    german.declare(hex="1843")
    soviet.press("Defensive fire")
    soviet.throw(6, points=20)
    assert due(german) == [] and german.player.last.helper == "fall-away"
    assert "German attack: nobody is left to make it" in german.player.last.sentence
    assert german.player.match.state.record["attacked"] == [HEX, "1843"]  # an attack that falls away was one


def test_a_d1p_with_a_leader_is_settled_before_the_attack(sides):
    german, soviet = sides
    german.declare(leaders=1, guns=5)
    soviet.press("Defensive fire")
    soviet.throw(3, points=20)  # one more for the leader in the hex
    assert result_of(german, "defensive-fire").details["result"] == "D1P"
    assert due(german) == [("leader-survival", "German leader in the hex")]
    german.throw(1)
    assert result_of(german, "leader-survival").outcome == "eliminated"
    german.throw(9)
    assert german.player.last.inputs["leaders"] == 0 and german.player.last.inputs["points"] == 5


def test_a_loss_alone_lets_the_attacker_add_up_anew(sides):
    german, soviet = sides
    german.declare()
    soviet.press("Defensive fire")
    soviet.throw(1, points=20)
    assert result_of(german, "defensive-fire").details["result"] == "D1"
    assert german.throw(9).reader.status == 422 and due(german) == [("attack", "German attack")]
    german.throw(9, points=7)
    assert german.player.last.inputs["points"] == 7


def test_a_p_in_cover_is_its_owners_choice_and_an_empty_hex_is_open(sides):
    german, soviet = sides
    german.declare(points=20, adjacent_infantry="on")
    soviet.press("All stay, no fire")
    german.throw(6)
    assert due(german) == [("p-result", "Soviet units under the P")]
    assert "Soviet decides" in german.desk
    soviet.press("All retreat one hex")
    assert due(german) == [("decide", "Advance")]
    german.press("Nobody advances")
    assert due(german) == []


def test_who_stays_under_a_p_loses_one_and_keeps_the_hex(sides):
    german, soviet = sides
    german.declare(points=20, adjacent_infantry="on")
    soviet.press("All stay, no fire")
    german.throw(6)
    soviet.press("One unit is lost, the rest stay")
    assert due(german) == []


def test_de_advance_and_a_counter_attack_that_takes_the_hex_back(sides):
    german, soviet = sides
    german.declare(points=60, combat_units=2)
    soviet.press("All stay, no fire")
    german.throw(1)
    assert result_of(german, "attack").details["lost"] == 2
    german.press("Advance")
    assert due(german) == [("decide", "Counter-attack")]
    soviet.press("Yes")
    soviet.throw(9, af=9, df=2)
    assert result_of(german, "counter-attack").details["hex_held"] is False and due(german) == []


def test_nkvd_is_rolled_for_before_it_is_fired_at_and_once_a_game(sides):
    german, soviet = sides
    fields = {"target_nkvd": "on", "nkvd_units": 2, "regiment": "271"}
    german.declare(**fields)
    assert due(german) == [("decide", "Retreat before combat")]
    soviet.press("All stay")
    for face in (9, 3):
        assert due(german)[0][0] == "nkvd"
        soviet.throw(face)
    assert [result.outcome for slug, result in rolls_of(german) if slug == "nkvd"] == ["removed", "stays"]
    assert due(german) == [("decide", "Fire in defence")]
    soviet.player.do("drop/", step="all")
    german.player.do("answer/", agrees="yes")
    assert due(german) == []
    german.declare(**fields)
    soviet.press("All stay")
    assert due(german) == [("decide", "Fire in defence")]


def test_stukas_that_are_sent_home_bring_no_points(sides):
    german, soviet = sides
    german.declare(stukas=2, stuka_af=7)
    soviet.press("All stay")
    soviet.press("Yes")
    soviet.throw(1, points=10)  # one press: the card asks for points and die together
    assert result_of(german, "anti-aircraft").details["aborted"] >= 1
    soviet.press("No fire")
    german.throw(9)
    left = max(0, 2 - result_of(german, "anti-aircraft").details["aborted"])
    assert german.player.last.inputs["points"] == 12 + 7 * left


def test_a_mine_dog_goes_before_the_fire(sides):
    german, soviet = sides
    german.declare(dogs="on")
    soviet.press("All stay")
    soviet.press("Yes")
    soviet.throw(1)
    assert result_of(german, "mine-dog").details["armored_unit_lost"]
    soviet.press("Defensive fire")  # at those who are left
    soviet.throw(10, points=5)
    assert german.throw(9).reader.status == 422  # points are to be added up again


def test_a_breakthrough_has_no_retreat_and_leaves_its_marker(sides):
    german, soviet = sides
    german.player.do("record/", field="phase", value="3")
    german.declare(breakthrough="on", points=60, combat_units=1)
    assert due(german) == [("decide", "Fire in defence")]
    soviet.press("No fire")
    german.throw(1)
    german.press("Advance")
    record = german.player.match.state.record
    assert record["breakthroughs"] == [HEX] and record["attacked"] == []
    assert [(row["hex"], row["marker"]) for row in record["markers"]] == [(HEX, "breakthru")]
    soviet.press("Yes")
    soviet.throw(10, af=20, df=0)
    assert german.player.match.state.record["markers"] == []
    assert "clear, forest, suburb" in german.declare(hex="1843", breakthrough="on", terrain="city").reader.words()


def test_guns_alone_ask_the_defender_nothing(sides):
    german, _ = sides
    german.declare(only_indirect_left="on")
    assert due(german) == [("attack", "German attack")]


def test_the_chain_is_taken_back_step_by_step(sides):
    german, soviet = sides
    before = german.player.match.state
    german.declare()
    soviet.press("All stay, no fire")
    german.throw(9)
    steps = [due(german)]
    for side in (german, soviet, german):
        side.player.do("take-back/")
        if side.player.match.proposal:
            (soviet if side is german else german).player.do("answer/", agrees="yes")
        steps.append(due(german))
    assert [step[0][0] if step else "" for step in steps] == ["", "attack", "decide", ""]
    assert german.player.match.state.record == before.record


def test_a_corrected_die_strikes_and_asks_again_what_followed(sides):
    german, soviet = sides
    german.declare(leaders=1, guns=5)
    soviet.press("Defensive fire")
    soviet.throw(10, points=20)  # no effect
    german.throw(9)
    assert german.player.last.inputs["points"] == 17
    shot = next(line for line in soviet.player.log if line.helper == "defensive-fire")
    page = soviet.reader.open(f"/match/{soviet.player.match_id}/roll/defensive-fire/?corrects={shot.number}")
    page.form("#desk-form").fill(die=3).press("Resolve")
    assert due(german) == [("leader-survival", "German leader in the hex")]
    assert [slug for slug, _ in rolls_of(german)][-2:] == ["defensive-fire", "losses"]
    german.throw(9)
    german.throw(9)
    assert german.player.last.inputs["points"] == 5


def test_dice_of_what_is_asked_for_again_stand(sides):
    german, soviet = sides
    german.declare(points=12, more_hexes="8")
    soviet.press("Fire at hex 1: 12 AF")
    soviet.throw(10, points=20)
    soviet.press("No more fire")
    german.throw(9)
    shot = next(line for line in soviet.player.log if line.helper == "defensive-fire")
    page = soviet.reader.open(f"/match/{soviet.player.match_id}/roll/defensive-fire/?corrects={shot.number}")
    page.form("#desk-form").fill(die=6).press("Resolve")
    standing = [(line.helper, line.inputs.get("points")) for line in german.player.log if line.voided_by is None]
    assert due(german) == [] and standing[-3:-1] == [("decide", None), ("attack", 8)]
    assert [die.of for die in german.player.log[-2].rolls] == [
        next(n.number for n in german.player.log if n.voided_by and n.helper == "attack")
    ]


def test_what_is_due_survives_another_device_and_a_cover(sides):
    player, _ = players.begin("german", hot_seat=True, game=SLUG)
    both = Side(player)
    player.do("record/", field="phase", value="5")
    both.declare()
    both.press("All stay, no fire")
    assert "German attack" in both.desk
    both.throw(9)
    assert due(both) == []


def test_the_dice_check_works_a_whole_attack_out_again(sides):
    german, soviet = sides
    german.declare(leaders=1, guns=5, combat_units=2, points=60)
    soviet.press("Defensive fire")
    soviet.throw(10, points=20)
    german.throw(1)
    german.press("Advance")
    soviet.press("No")
    report = replay.work_out_results(exported(german))
    assert report.problems == () and report.same >= 5


def exported(side):
    return json.loads(text_of(side.player.get("log.json")))


def test_an_odd_carry_is_no_attack(sides):
    german, _ = sides
    for odd in ('{"battle": 3}', '{"battle": {"then": [["who", "x", {}]]}}', '{"battle": {"side": "german"}}'):
        answer = german.player.roll("attack", points=9, terrain="forest", terrain_drm=0, die=9, dice="table", carry=odd)
        assert answer.status_code == 302
        assert due(german) == []


def test_only_what_is_offered_may_be_chosen_and_only_germans_fly():
    for wrong, fields in (
        ("choice", {"slug": "decide", "question": "advance", "choice": "all_leave"}),
        ("choice", {"slug": "decide", "question": "retreat", "side": "soviet", "choice": "all_leave"}),
        ("choice", {"slug": "decide", "question": "fire", "hexes": "0,8", "choice": "fire_1"}),
        ("choice", {"slug": "p-result", "terrain": "city", "choice": "retreat"}),
        ("stukas", {"slug": "battle", "points": 9, "firer": "soviet", "stukas": 1}),
        ("points", {"slug": "battle"}),
    ):
        with pytest.raises(BadInput) as error:
            ask(fields.pop("slug"), **fields)
        assert list(error.value.problems) == [wrong]
    assert ask("decide", question="retreat", side="german", choice="all_leave").outcome == "chosen"
    assert ask("decide", question="fire", hexes="0,8", choice="fire_2").headline == "German: fire at hex 2: 8 AF."
    assert ask("decide", question="counter").outcome == "open"


def test_nothing_is_decided_without_a_choice(sides):
    german, soviet = sides
    german.declare()
    step = due(german)[0]
    soviet.player.roll("decide", step=german.player.match.state.queue[0].id, dice="table")
    assert due(german) == [step]


def test_no_step_sends_more_than_the_budget(sides):
    german, soviet = sides
    sent = [len(german.player.get("roll/battle/", htmx=True).content)]
    german.declare(more_hexes="8, 9, 10", guns=9, leaders=2)
    step = soviet.player.match.state.queue[0]
    fields = {"step": step.id, "offer": '{"choice":"fire_1"}', "chained": "1", "dice": "table"}
    sent.append(len(soviet.player.roll("decide", htmx=True, **step.inputs, **fields).content))
    assert due(german) == [("defensive-fire", "Soviet defensive fire at hex 1")]
    assert max(sent) <= 16_000, sent


def test_a_file_made_in_the_middle_goes_on_there(sides):
    german, soviet = sides
    german.declare(points=12, more_hexes="8")
    soviet.press("Fire at hex 1: 12 AF")
    soviet.throw(6, points=20)
    branch, _ = send(save(german.player), hot_seat="on")
    both = Side(branch)
    assert due(both) == due(german) == [("decide", "Fire in defence")]
    both.press("No more fire")
    both.throw(9)
    assert due(both) == [] and both.player.last.inputs["points"] == 8
    assert due(german) == [("decide", "Fire in defence")]
