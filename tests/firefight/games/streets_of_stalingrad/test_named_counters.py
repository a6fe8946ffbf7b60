"""Rolls that take counters off the table: infiltration, a mine dog, a P under which one is lost, lack of supply; and
rolls that count what is tapped: fire at Stukas, interdiction."""

import json

import pytest

from firefight.engine.errors import BadInput
from firefight.games.streets_of_stalingrad.rules.units import Arm
from tests.filling import Reader
from tests.games.test_sheets import lay

from .test_around import bring
from .test_battle_devices import how, tap
from .test_filling import HERE, NEXT, fill, german, piece, target  # noqa: F401 (a fixture)
from .test_sheets import HEAD
from .test_table import answer_due

pytestmark = pytest.mark.django_db


def go(player, phase, turn=14):
    """To a phase of a day; 26 September by itself."""
    for field, value in (("turn", turn), ("phase", phase)):
        player.do("record/", field=field, value=str(value))


def pass_to_soviet(player):
    """The one device changes hands."""
    player.send("cover/", {})
    Reader(player.client).open(f"/match/{player.match_id}/").press("I am Soviet")


def infiltrate(player, **faces):
    """Herman and 1/39 at 2/I/274, which shares its hex with 1/I/274."""
    bring(player, "soviet", "Herman", HERE)
    pass_to_soviet(player)
    reader = tap(player, "soviet-4", "soviet-1", "german-2").press("Herman's infiltration", "#rolls")
    return reader.form("#desk-form").fill(faces).press("Resolve")


@pytest.mark.parametrize(
    "faces, lost",
    [
        ({"attack_die": 1}, ["german-2"]),
        ({"attack_die": 10, "defence_die": 1}, ["soviet-1", "soviet-4"]),
        ({"attack_die": 10, "defence_die": 10}, []),
    ],
)
def test_13_3_the_one_unit_that_herman_attacks_is_lost_or_he_is_with_his_infantry(german, faces, lost):  # noqa: F811
    go(german, 15)
    bring(german, "german", "Leader", NEXT)
    infiltrate(german, **faces)
    rows = {row["id"]: row["fate"] for row in german.get("counters.json").json()}
    assert [id for id, fate in sorted(rows.items()) if fate] == lost
    # A leader beside whom a unit is lost rolls for survival (18.33).
    assert [step.helper for step in german.match.state.queue] == ["leader-survival"] * (lost == ["german-2"])


@pytest.mark.parametrize("phase", [5, 12])
def test_13_1_he_infiltrates_in_the_soviet_exploit_attack_phase_alone(german, phase):  # noqa: F811
    go(german, phase)
    reader = infiltrate(german, attack_die=1)
    assert f"phase 15 alone (13.1): this is phase {phase}" in reader.words("#desk")
    assert german.last.helper != "infiltration"


@pytest.mark.parametrize("die, lost", [(2, [["eliminated"]] * 2), (3, [["eliminated"], []])])
def test_16_23_a_mine_dog_is_lost_and_the_armour_beside_it_with_a_2(german, die, lost):  # noqa: F811
    bring(german, "soviet", "Mine dog", HERE)
    armour = lay_tank(german)
    pass_to_soviet(german)
    reader = tap(german, "soviet-4", armour).press("Mine dog", "#rolls")
    reader.form("#desk-form").fill(die=die).press("Resolve")
    assert how(german, "soviet-4", armour) == lost


def test_a_mine_dogs_die_is_corrected_in_a_phase_in_which_none_attacks(german):  # noqa: F811
    german.roll("mine-dog", die="2", dice="table")
    number = german.last.number
    go(german, 6)
    assert german.roll("mine-dog", die="3", dice="table").status_code == 422
    assert german.roll("mine-dog", die="3", dice="table", corrects=str(number)).status_code == 302


def test_16_22_a_mine_dog_reaches_german_armour_in_the_next_hex(german):  # noqa: F811
    bring(german, "soviet", "Mine dog", HERE)
    armour = lay_tank(german)
    german.do("counters/", id=armour, place="1850")
    pass_to_soviet(german)
    for wrong in ("german-1", armour):
        reader = tap(german, "soviet-4", wrong).press("Mine dog", "#rolls")
        assert "(16.22)" in reader.words("#desk")


def lay_tank(player):
    """A German tank next to the Soviets' hex."""
    assert lay(player, f"{HEAD}\nA/129\tGerman\t\t\t129\tTank\t9\t7\t2\t21\tyes", "Tanks").status == 200
    bring(player, "german", "A/129", NEXT)
    return "german-3"


def hold_under_p(player, other_drm=-2):
    """A P on those in the forest, one of whom is to be lost."""
    go(player, 5, turn=1)
    reader = tap(player, "german-1", "german-2", "soviet-1").press("Attack, step by step", "#rolls")
    reader.form("#desk-form").fill(terrain="forest", terrain_drm=0, integrity=0, other_drm=other_drm).press("Declare")
    reader.press("All stay, no fire", "#desk")
    reader.form("#desk-form").fill(die=3).press("Resolve")
    assert "One unit is lost, the rest stay" in reader.words("#desk")
    return reader.press("One unit is lost, the rest stay", "#desk")


def test_9_88_its_owner_says_who_is_lost_for_the_rest_to_stay(german):  # noqa: F811
    reader = hold_under_p(german)
    reader.press("Lost: 2/39", "#desk")
    assert how(german, "soviet-1", "soviet-2") == [["pinned"], ["eliminated"]]
    assert [step.title for step in german.match.state.queue] == ["Commissar #3: survival"]  # 18.33
    german.do("take-back/")
    assert how(german, "soviet-2") == [["pinned"]]


def test_9_88_a_hex_whose_only_unit_is_lost_is_open(german):  # noqa: F811
    german.do("counters/", id=["soviet-2", "soviet-3"], place="1841")
    hold_under_p(german, other_drm=-1)
    assert how(german, "soviet-1") == [["eliminated"]]
    assert [step.title for step in german.match.state.queue] == ["Advance"]


def test_9_88_those_whom_the_same_result_has_taken_choose_no_more(german):  # noqa: F811
    """A D1P takes one of three before the rest decides."""
    bring(german, "soviet", "1/39", HERE)
    german.do("counters/", id="soviet-3", place="1841")  # no leader, so that a 3 is a D1P
    reader = tap(german, "german-1", "german-2", "soviet-1").press("Attack, step by step", "#rolls")
    reader.form("#desk-form").fill(terrain="forest", terrain_drm=0, integrity=0, other_drm=-2).press("Declare")
    reader.press("All stay, no fire", "#desk")
    reader.form("#desk-form").fill(die=3).press("Resolve")
    reader.press("Lost: 2/39", "#desk").press("One unit is lost, the rest stay", "#desk")
    assert "Lost: 2/39" not in reader.words("#desk")
    reader.press("Lost: 1/39", "#desk")
    assert how(german, "soviet-1", "soviet-2", "soviet-4") == [["eliminated"], ["eliminated"], ["pinned"]]


def cut_off(player, marker, **row):
    """1/39 of the Guards, or another unit, at the beginning of a day without supply."""
    rows = [{"name": "1/39", "side": "soviet", "marker": marker, **row}]
    player.do("record/", field="isolated", value=json.dumps(rows))
    player.do("record/", field="turn", value="3")
    player.do("record/", field="phase", value="15")
    Reader(player.client).open(f"/match/{player.match_id}/").press("Next phase")


@pytest.mark.parametrize("marker, fate", [(1, []), (3, ["eliminated"])])
def test_19_1_guards_go_after_the_fourth_phase_without_supply(german, marker, fate):  # noqa: F811
    cut_off(german, marker)
    answer_due(german)
    assert how(german, "soviet-1") == [fate]
    german.do("take-back/")
    assert how(german, "soviet-1") == [[]]


def test_19_1_a_hidden_unit_is_left_to_its_player(german):  # noqa: F811
    pass_to_soviet(german)
    german.do("counters/", id="soviet-1", hidden="on")
    cut_off(german, 3)
    answer_due(german)
    states = {row["id"]: row["fate"] for row in german.get("counters.json").json()}
    assert not states.get("soviet-1")


def test_16_85_an_isolated_nkvd_unit_that_is_removed_is_gone(german):  # noqa: F811
    lay_nkvd(german)
    cut_off(german, 0, name="1/272", nkvd=True)
    answer_due(german)
    while german.match.state.queue[0].helper != "nkvd":
        step = german.match.state.queue[0]
        answer_due(german, die="1", stuka_die="1", multiplier="10")
        assert german.match.state.queue[0] != step
    answer_due(german, die="9")
    assert how(german, "soviet-4") == [["eliminated"]]


def lay_nkvd(player):
    """A unit of the NKVD with the Guards."""
    row = "1/272\tSoviet\t10 NKVD\t272\t1\tNKVD\t2\t3\t1\t8"
    assert lay(player, f"{HEAD}\n{row}", "NKVD").status == 200
    bring(player, "soviet", "1/272", "1841")


def test_15_45_tapped_guns_fire_at_stukas_with_their_circled_af():
    guns = [piece(1, "soviet", arm=Arm.AT_GUN, af=6), piece(2, "soviet", arm=Arm.AT_GUN, af=4)]
    assert fill("anti-aircraft", guns, [])[0]["points"] == 10
    with pytest.raises(BadInput, match="15.42"):
        fill("anti-aircraft", [piece(1, arm=Arm.AT_GUN)], [])


def test_14_84_tapped_guns_and_stukas_interdict():
    guns = [piece(1, arm=Arm.IF_GUN, af=6), piece(2, arm=Arm.STUKA, af=4)]
    filled = fill("interdiction", guns, [])[0]
    assert (filled["points"], filled["flying"], filled["gun_names"]) == (10, 1, ["Unit_1"])
    with pytest.raises(BadInput, match="only guns and Stukas"):
        fill("interdiction", [piece(1)], [target()])


# Leaders


def lose_all(player, die, formation="13", hidden=()):
    """Both Guards of the hex are lost; their leader, of a formation, rolls for survival. Others stand elsewhere."""
    row = f"Yelin\tSoviet\t{formation}\t\t\tLeader"
    assert lay(player, f"{HEAD}\n{row}", "Leaders").status == 200
    for name, place in (("Yelin", HERE), ("1/39", "1741"), ("Sniper", "1840")):
        bring(player, "soviet", name, place)
    player.do("counters/", id="soviet-3", place="1741")
    if hidden:
        player.do("counters/", id=hidden, hidden="on")
    reader = tap(player, "german-1", "german-2", "soviet-1").press("Attack, step by step", "#rolls")
    reader.form("#desk-form").fill(terrain="forest", terrain_drm=0, integrity=0, other_drm=-9).press("Declare")
    reader.press("All stay, no fire", "#desk")
    form = reader.form("#desk-form")
    form.fill(points=60, die=1).press("Resolve")
    return reader.form("#desk-form").fill(die=die).press("Resolve")


def test_18_34_a_leader_who_is_left_alone_may_go_to_a_unit_of_his_command(german):  # noqa: F811
    reader = lose_all(german, 10)
    assert how(german, "soviet-1", "soviet-2", "soviet-4") == [["eliminated"], ["eliminated"], []]
    reader.open(f"/match/{german.match_id}/").press("Nobody advances", "#desk").press("To 1741", "#desk")
    places = {row["id"]: row["place"] for row in german.get("counters.json").json()}
    assert places["soviet-4"] == "1741"


def test_18_34_nobody_of_his_command_nobody_asks(german):  # noqa: F811
    lose_all(german, 10, formation="42")
    assert all(step.inputs.get("question") != "home" for step in german.match.state.queue)


def test_18_34_where_units_of_his_command_are_hidden_nobody_is_told(german):  # noqa: F811
    lose_all(german, 10, hidden=["soviet-3", "soviet-5"])
    assert all(german.match.state.counters[id]["hidden"] for id in ("soviet-3", "soviet-5"))
    assert all(step.inputs.get("question") != "home" for step in german.match.state.queue)


def test_18_33_a_wounded_leader_goes_nowhere(german):  # noqa: F811
    lose_all(german, 6)
    assert all(step.inputs.get("question") != "home" for step in german.match.state.queue)


# NKVD (16.83)


def attack_nkvd(player, *beside):
    """Germans attack a hex with a unit of an untested regiment of the NKVD, and others beside it."""
    lay_nkvd(player)
    for id in ("soviet-1", "soviet-2", "soviet-3", "soviet-4"):
        player.do("counters/", id=id, place=HERE if id in ("soviet-4", *beside) else "1840")
    reader = tap(player, "german-1", "german-2", "soviet-4").press("Attack, step by step", "#rolls")
    form = reader.form("#desk-form")
    assert (form.value("nkvd_units"), form.value("regiment")) == ("1", "272")
    form.fill(terrain="forest", terrain_drm=0, integrity=0).press("Declare")
    reader.press("All stay", "#desk")
    return reader


@pytest.mark.parametrize("die, fate, units", [(7, [], 2), (8, ["eliminated"], 1)])
def test_16_83_who_melts_away_is_no_target(german, die, fate, units):  # noqa: F811
    reader = attack_nkvd(german, "soviet-1")
    reader.form("#desk-form").fill(die=die).press("Resolve")
    reader.press("No fire", "#desk")
    assert how(german, "soviet-4") == [fate]
    (step,) = german.match.state.queue
    assert (step.helper, step.inputs["combat_units"], len(step.inputs["at"])) == ("attack", units, units)


def test_16_83_a_hex_that_all_have_left_is_open(german):  # noqa: F811
    attack_nkvd(german).form("#desk-form").fill(die=10).press("Resolve")
    assert [step.title for step in german.match.state.queue] == ["Advance"]


def test_16_83_beside_a_leader_nobody_rolls(german):  # noqa: F811
    attack_nkvd(german, "soviet-3")
    assert [line.result.outcome for line in german.log if line.helper == "nkvd"] == ["no_roll"]


def test_16_83_a_tapped_unit_says_its_regiment(german):  # noqa: F811
    lay_nkvd(german)
    pass_to_soviet(german)
    reader = tap(german, "soviet-4").press("NKVD rolls", "#rolls")
    assert reader.form("#desk-form").value("regiment") == "272"
    reader.form("#desk-form").fill(die=9).press("Resolve")
    assert how(german, "soviet-4") == [["eliminated"]]


# What the bar's rolls about losses take off


def test_9_81_tapped_units_of_a_hex_are_those_of_whom_somebody_is_lost(german):  # noqa: F811
    bring(german, "german", "Leader", NEXT)
    reader = tap(german, "german-3", "german-1", "german-2").press("Losses", "#rolls")
    assert "Lost: Leader" not in reader.words("#desk")
    reader.press("Lost: 1/I/274", "#desk")
    assert how(german, "german-1", "german-2", "german-3") == [["eliminated"], [], []]


def test_14_81_a_bombardment_takes_tapped_units_in_its_order(german):  # noqa: F811
    bring(german, "german", "Minefield", NEXT)
    reader = tap(german, "german-1", "german-2", "german-3").press("Losses of a bombardment", "#rolls")
    reader.form("#desk-form").fill(number=1).press("Resolve")
    assert how(german, "german-1", "german-2", "german-3") == [[], [], ["eliminated"]]


def test_18_33_a_tapped_leader_is_the_one_who_rolls(german):  # noqa: F811
    bring(german, "german", "Leader", NEXT)
    reader = tap(german, "german-3").press("Leader survival", "#rolls")
    reader.form("#desk-form").fill(die=2).press("Resolve")
    assert how(german, "german-3") == [["eliminated"]]


def test_16_31_a_tapped_tank_is_the_one_that_is_lost(german):  # noqa: F811
    assert lay(german, f"{HEAD}\nT 90\tSoviet\t\t\t90\tTank\t5\t4\t2\t18\tyes", "T").status == 200
    bring(german, "soviet", "T 90", HERE)
    pass_to_soviet(german)
    reader = tap(german, "soviet-4").press("Soviet tanks", "#rolls")
    reader.form("#desk-form").fill(event="eliminated", terrain="city")
    reader.form("#desk-form").press("Resolve")
    reader.form("#desk-form").fill(die=10).press("Resolve")
    assert how(german, "soviet-4") == [["eliminated"]]


def test_who_is_no_leader_and_no_soviet_tank_does_not_make_their_rolls():
    for slug, unfit, words in (
        ("leader-survival", piece(1), "leader"),
        ("tank", piece(1, arm=Arm.TANK), "16.31"),
        ("tank", piece(1, "soviet"), "16.31"),
    ):
        with pytest.raises(BadInput, match=words):
            fill(slug, [unfit], [])
    assert fill("p-result", [], [target(arm=Arm.NKVD), target(8, arm=Arm.COMMISSAR)])[0]["leader"] is True
