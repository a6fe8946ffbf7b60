"""Counters in play at the table: rolls fill themselves from them, and what rolls say becomes of them."""

import json

import pytest

from firefight.table.rolling import replay
from tests.filling import Reader
from tests.firefight import players

from .units_in_play import add, begin, put_out, set_out, shown, take_map

pytestmark = pytest.mark.django_db


def attack(player, firers, targets, **fields):
    """Attack as the page does it: counters chosen, the form as it was drawn, dice of the table."""
    reader = Reader(player.client).open(
        f"/match/{player.match_id}/roll/attack/?" + "&".join(f"chosen={id}" for id in (*firers, *targets))
    )
    dice = {"attack_dr": fields.pop("attack_dr", "9"), "defence_dr": fields.pop("defence_dr", "8")}
    form = reader.form("#desk-form")
    form.fill(**dice, **fields).press("Resolve")
    return reader


def win_by_two(player, field):
    """An attack on the Fresh Russians of ``field`` that costs them two Casualty Points."""
    attack(player, [field["Pi 295"], field["I/295 #2"]], [field["1/10 NKVD #1"]], tem="1")


def last(player, helper):
    return next(line for line in reversed(player.log) if line.helper == helper)


def due(player):
    return [step.helper for step in player.match.state.queue]


def step_of(player, helper):
    return next(step for step in player.match.state.queue if step.helper == helper)


@pytest.fixture
def german(frozen):
    return frozen("turning point with counters", begin)


@pytest.fixture
def field(german):
    """A regiment beside three Russians of Area 25, one of them Spent."""
    ids = set_out(german, german_24="Pi 295, 2 I/295", russian_25="3 1/10 NKVD")
    put_out(german, ids["1/10 NKVD #3"], "25", "d2")
    return ids


def test_tapped_units_fill_an_attack_and_one_tap_takes_the_whole_group(german, field):
    attack(german, [field["Pi 295"], field["I/295 #2"]], [field["1/10 NKVD #1"]], tem="2")
    roll = last(german, "attack")
    assert [row["name"] for row in roll.inputs["attackers"]] == ["Pi 295", "I/295 #2"]
    assert [row["df"] for row in roll.inputs["defenders"]] == [3, 3]
    inputs = {name: roll.inputs[name] for name in ("kind", "group", "area", "start", "attacker")}
    assert inputs == {"kind": "ranged", "group": "fresh", "area": "25", "start": "24", "attacker": "german"}
    assert roll.result.details["ov"] == 5 + 1 + 1 and roll.result.details["dv"] == 3 + 3 * 2


def test_an_attack_puts_dots_on_who_made_it_and_undo_takes_them_off(german, field):
    before = shown(german)
    attack(german, [field["Pi 295"]], [field["1/10 NKVD #3"]], tem="1", attack_dr="5", defence_dr="9")
    assert last(german, "attack").result.outcome == "lost"
    assert shown(german)[field["Pi 295"]] == ("24", ["d3"])
    german.do("take-back/")
    assert shown(german) == before


def test_a_payment_names_its_units_and_flips_them(german, field):
    win_by_two(german, field)
    assert last(german, "attack").result.details["cp"] == 2
    assert shown(german)[field["Pi 295"]] == ("24", ["d1"])
    step = step_of(german, "payment")
    page = Reader(german.client).open(f"/match/{german.match_id}/")
    offers = [json.loads(node.attributes["value"])["actions"] for node in page.find("#desk-form [name=offer]")]
    assert offers[0] == "flip,flip" and "1/10 NKVD #1 (3)" in page.words("#desk-form")
    german.roll("payment", step=step.id, chained="1", offer=json.dumps({"actions": "flip_retreat,none"}))
    assert shown(german)[field["1/10 NKVD #1"]] == ("25", ["d4"])
    assert shown(german)[field["1/10 NKVD #2"]] == ("25", [])
    assert [row["id"] for row in step_of(german, "retreat").inputs["who"]] == [field["1/10 NKVD #1"]]


def test_who_retreats_goes_there_and_correction_of_the_attack_brings_all_back(german, field):
    win_by_two(german, field)
    german.roll(
        "payment", step=step_of(german, "payment").id, chained="1", offer=json.dumps({"actions": "flip_retreat,none"})
    )
    step = step_of(german, "retreat")
    areas = json.dumps([{"area": "34", "friendly": True}, {"area": "35", "friendly": True}])
    page = Reader(german.client).open(f"/match/{german.match_id}/roll/retreat/?step={step.id}")
    assert "Into Area 34" not in page.words(), "nobody has said which Areas there are"
    who = json.dumps(step.inputs["who"])
    answer = german.roll("retreat", step=step.id, chained="1", start="25", areas=areas, goal="36", who=who)
    assert "They may go into Area 34 or Area 35" in players.words_of(answer)
    german.roll("retreat", step=step.id, chained="1", start="25", areas=areas, goal="35", who=who)
    assert shown(german)[field["1/10 NKVD #1"]] == ("35", ["d4"])
    number = last(german, "attack").number
    correct = Reader(german.client).open(f"/match/{german.match_id}/roll/attack/?corrects={number}")
    correct.form("#desk-form").fill(attack_dr="5", defence_dr="9").press("Resolve")
    after = shown(german)
    assert after[field["1/10 NKVD #1"]] == ("25", []), players.words_of(german.get("log/"))
    assert after[field["Pi 295"]] == ("24", ["d3"])


def test_a_contested_retreat_is_rolled_by_name_and_loses_who_fails(german, field):
    who = [{"name": "1/10 NKVD #3", "id": field["1/10 NKVD #3"]}]
    areas = json.dumps([{"area": "24", "friendly": True, "enemy_units": 3, "friends": 1}])
    german.roll("retreat", start="25", areas=areas, who=json.dumps(who), dice="table")
    step = step_of(german, "contested-retreat")
    assert step.title == "1/10 NKVD #3 into Area 24"
    german.roll("contested-retreat", step=step.id, chained="1", roll="3", dice="table")
    assert field["1/10 NKVD #3"] not in shown(german)
    german.do("take-back/")
    assert shown(german)[field["1/10 NKVD #3"]] == ("25", ["d2"])


def test_an_overrun_eliminates_the_group_and_its_attackers_may_go_on(german, field):
    for name in ("Pi 295", "I/295 #2", "I/295 #3"):
        put_out(german, field[name], "25")
    attackers = [field[name] for name in ("Pi 295", "I/295 #2", "I/295 #3")]
    attack(german, attackers, [field["1/10 NKVD #3"]], tem="1", attack_dr="12", defence_dr="2")
    assert last(german, "attack").result.outcome == "overrun"
    assert field["1/10 NKVD #3"] not in shown(german)
    assert {shown(german)[id][1][0] for id in attackers} == {"acting"}
    attack(german, attackers, [field["1/10 NKVD #1"]], tem="1", attack_dr="2", defence_dr="12")
    assert last(german, "attack").result.outcome == "lost"
    assert {shown(german)[id][1][0] for id in attackers} == {"d4"}


def test_who_overran_and_rests_is_spent_when_the_impulse_is_over(german, field):
    put_out(german, field["Pi 295"], "25")
    attack(german, [field["Pi 295"]], [field["1/10 NKVD #3"]], tem="1", attack_dr="12", defence_dr="2")
    german.do("drop/", step="all")
    german.do("advance/", button="impulse")
    assert shown(german)[field["Pi 295"]] == ("25", ["d1"])


@pytest.mark.parametrize(
    ("firers", "targets", "why"),
    [
        (["I/295 #2", "far"], ["1/10 NKVD #1"], "stand in several Areas: choose those of one"),
        (["spent"], ["1/10 NKVD #1"], "Spent, and so no attack (4.2, 8.13)"),
        (["Flak 5"], ["1/10 NKVD #1"], "do not lead an attack"),
        (["guns", "I/295 #2"], ["1/10 NKVD #1"], "artillery and aircraft attack alone"),
    ],
)
def test_who_cannot_attack_is_told_and_nothing_is_rolled(german, field, firers, targets, why):
    more = {"far": ("I/295 #3", "6"), "spent": ("I/295 #3", "24", "d1")}
    ids = {**field, **set_out_more(german)}
    for name in firers:
        if name in more:
            put_out(german, ids[more[name][0]], *more[name][1:])
            ids[name] = ids[more[name][0]]
    chosen = "&".join(f"chosen={ids[name]}" for name in (*firers, *targets))
    page = Reader(german.client).open(f"/match/{german.match_id}/roll/attack/?{chosen}")
    assert why in page.words(), page.words("#desk")
    assert not [line for line in german.log if line.helper == "attack"]


def set_out_more(player):
    """Flak and artillery of Area 24."""
    ids = {}
    for name, called in (("Flak 5", "Flak 5"), ("guns", "Artillery")):
        (ids[name],) = add(player, f"German: {called}")
        put_out(player, ids[name], "24")
    return ids


def test_a_factor_that_nobody_has_told_is_asked_once(german, field):
    chosen = f"chosen={field['Pi 295']}&chosen={field['1/10 NKVD #1']}"
    assert "Defense Factor when Spent" not in Reader(german.client).open(
        f"/match/{german.match_id}/roll/attack/?{chosen}"
    ).words("#desk")
    (blank,) = add(german, "Russian: Infantry 1-2-4")
    put_out(german, blank, "36", "d1")
    page = Reader(german.client).open(f"/match/{german.match_id}/roll/attack/?chosen={field['Pi 295']}&chosen={blank}")
    assert "Infantry 1-2-4: Defense Factor when Spent" in page.words("#desk")


def test_8_1_an_impulse_is_about_the_units_of_one_area(german, field):
    put_out(german, field["I/295 #3"], "6")
    attack(german, [field["Pi 295"]], [field["1/10 NKVD #1"]], tem="1", attack_dr="5", defence_dr="9")
    reader = attack(german, [field["I/295 #3"]], [field["1/10 NKVD #3"]], tem="1")
    assert "This impulse is about the units of Area 24 (8.1)" in reader.words("#desk")
    assert len([line for line in german.log if line.helper == "attack"]) == 1


# Dawn


def dawn_comes(player):
    for field, value in (("date", "1942-09-14"), ("time", "night"), ("box", "12"), ("track", "flips")):
        player.do("record/", field=field, value=value)
    player.do("advance/", button="turn")
    return step_of(player, "dawn")


def test_dawn_takes_a_dot_off_everybody_and_asks_the_isolated_for_their_dice_at_once(german, field):
    for name, words in (
        ("Pi 295", ("d3",)),
        ("I/295 #2", ("d1",)),
        ("I/295 #3", ("isolated_1", "d1")),
        ("1/10 NKVD #1", ("d4", "isolated_2")),
        ("1/10 NKVD #2", ("isolated_2",)),
    ):
        put_out(german, field[name], shown(german)[field[name]][0], *words)
    dawn_comes(german)
    before = shown(german)
    reader = Reader(german.client).open(f"/match/{german.match_id}/roll/dawn/?step={step_of(german, 'dawn').id}")
    reader.form("#desk-form").press("Resolve")
    states = {name: shown(german)[id][1] for name, id in field.items()}
    assert states["Pi 295"] == ["d2"] and states["I/295 #2"] == [] and states["1/10 NKVD #3"] == ["d1"]
    assert states["I/295 #3"] == ["d1", "isolated_2"], "an isolated unit keeps its last dot"
    assert states["1/10 NKVD #1"] == ["d4", "isolated_2"], "Attrition comes first"
    assert due(german).count("dawn") == 2
    rolls = {step.title: step.id for step in german.match.state.queue if step.helper == "dawn"}
    german.roll("dawn", step=rolls["1/10 NKVD #1, D4: Attrition"], chained="1", die="2", dice="table")
    german.roll("dawn", step=rolls["1/10 NKVD #2, Fresh: Attrition"], chained="1", die="1", dice="table")
    assert field["1/10 NKVD #1"] not in shown(german)
    assert shown(german)[field["1/10 NKVD #2"]][1] == ["d3", "isolated_2"]
    for _ in range(3):
        german.do("take-back/")
    assert shown(german) == before


def test_who_can_trace_supply_again_at_dawn_loses_the_marker(german, field):
    put_out(german, field["Pi 295"], "24", "d2", "isolated_1")
    units = [{"duration": 2, "marker": 1, "in_supply": True, "name": "Pi 295", "id": field["Pi 295"]}]
    step = dawn_comes(german)
    german.roll("dawn", step=step.id, chained="1", units=json.dumps(units), others="on")
    assert shown(german)[field["Pi 295"]][1] == ["d1"]
    assert shown(german)[field["1/10 NKVD #3"]][1] == ["d1"]


def test_a_retreat_whose_areas_the_counters_list_is_not_entered_otherwise_than_asked_for(german):
    take_map(german, german="24,6,C")
    field = set_out(german, german_24="Pi 295, 2 I/295", russian_25="2 1/10 NKVD", russian_34="398 AT")
    win_by_two(german, field)
    german.roll(
        "payment", step=step_of(german, "payment").id, chained="1", offer=json.dumps({"actions": "flip_retreat,none"})
    )
    page = Reader(german.client).open(f"/match/{german.match_id}/roll/retreat/?step={step_of(german, 'retreat').id}")
    page.form("#desk-form").press("Into Area 32")
    line = last(german, "retreat")
    assert [row["area"] for row in line.inputs["areas"]] == ["24", "34"], "as the counters stand"
    assert shown(german)[field["1/10 NKVD #1"]] == ("32", ["d4"]) and "otherwise" not in line.sentence
    problems = replay.examine_log(german.get("log.json").json())["problems"]
    assert not [problem for problem in problems if "asked for" in problem]  # others tell of the map, taken in mid-match
