"""Counters on an owner's map: who stands where, Zones of Control, retreats, Dawn, crossings answered by themselves."""

import pytest

from tests.filling import Reader

from .units_in_play import begin_on_map, put_out, set_out, shown

pytestmark = pytest.mark.django_db


@pytest.fixture
def german(frozen):
    return frozen("turning point on a map", begin_on_map)


def step_of(player, helper):
    return next(step for step in player.match.state.queue if step.helper == helper)


def page_of(player, address):
    return Reader(player.client).open(f"/match/{player.match_id}/{address}")


def test_a_retreat_lists_its_neighbours_and_is_one_press(german):
    ids = set_out(german, german_24="Pi 295", russian_25="1/10 NKVD, 1/10 NKVD", german_35="I/295")
    beaten = next(id for name, id in ids.items() if name.startswith("1/10"))
    put_out(german, beaten, "25", "d4")
    page = page_of(german, f"roll/retreat/?chosen={beaten}")
    offers = [node.text() for node in page.find("#desk-form [name=offer]")]
    assert offers == ["Into Area 32", "Into Area 34"], page.words("#desk")
    page.form("#desk-form").press("Into Area 34")
    assert shown(german)[beaten] == ("34", ["d4"])
    german.do("take-back/")
    assert shown(german)[beaten] == ("25", ["d4"])


def test_dawn_finds_who_is_isolated_by_itself(german):
    ids = set_out(german, german_35="Pi 295", german_24="I/295", russian_25="1/10 NKVD")
    put_out(german, ids["Pi 295"], "35", "d2")
    inland = next(id for name, id in ids.items() if name.startswith("I/"))
    put_out(german, inland, "24", "d1")
    for field, value in (("date", "1942-09-14"), ("time", "night"), ("box", "12"), ("track", "flips")):
        german.do("record/", field=field, value=value)
    german.do("advance/", button="turn")
    page = page_of(german, f"roll/dawn/?step={step_of(german, 'dawn').id}")
    page.form("#desk-form").press("Resolve")
    states = {id: state for id, (_, state) in shown(german).items()}
    assert states[ids["Pi 295"]] == ["d1", "isolated_1"], "35 is Russian, and so is all about it"
    assert states[inland] == []
    assert not [step for step in german.match.state.queue if step.helper == "dawn"]


def test_entering_an_area_knows_who_is_there_and_whose_zone_it_is(german):
    set_out(german, german_24="Pi 295", russian_25="1/10 NKVD", russian_34="1/10 NKVD")

    def cost(area):
        reader = page_of(german, f"roll/entry-cost/?area={area}")
        reader.form("#desk-form").press("Resolve")
        return german.last.result.details["total"]

    assert cost("25") == 4, "Fresh enemies: 2 to enter and 2 to attack"
    assert cost("35") == 2, "beside Fresh enemies"
    assert cost("6") == 2 and cost("C") == 1, "no Zone of Control goes into a Zone"


def test_counter_battery_counts_guns_within_two_areas(german):
    set_out(german, german_24="Artillery, Artillery", german_C="Artillery")
    page = page_of(german, "roll/counter-battery/?area=32")
    assert page.find("#f-artillery_within_two")[0].attributes["value"] == "2"


def test_mamayev_kurgan_answers_for_itself(german):
    set_out(german, german_56="Pi 295, Artillery")
    page = page_of(german, "roll/interdiction/")
    page.form("#desk-form").press("Resolve")
    assert german.last.inputs["mamayev"] == "contest" and german.last.inputs["artillery_there"] is True


def test_more_than_ten_units_of_a_side_are_told_of_when_an_impulse_ends(german):
    set_out(german, russian_25="3 1/10 NKVD, 3 1/10 NKVD, 3 1/10 NKVD, 2 1/10 NKVD")
    german.do("advance/", button="impulse")
    sentences = " ".join(line.sentence for line in german.log[-3:])
    assert "Area 25 holds 11 Russian Combat units, 1 too many (7.1)." in sentences


def test_ranged_fire_reaches_the_next_area_alone(german):
    ids = set_out(german, german_24="Pi 295", russian_32="1/10 NKVD")
    page = page_of(german, "roll/attack/?" + "&".join(f"chosen={id}" for id in ids.values()))
    assert "Area 24 does not touch Area 32 (8.3)." in page.words("#desk")


def test_8_12_nobody_enters_an_area_that_this_impulse_has_attacked(german):
    ids = set_out(german, german_24="Pi 295, I/295", russian_25="1/10 NKVD")
    attackers, (target,) = [id for id in ids.values() if id.startswith("german")], [*ids.values()][-1:]
    page = page_of(german, f"roll/attack/?chosen={attackers[0]}&chosen={target}")
    page.form("#desk-form").fill(attack_dr="5", defence_dr="9").press("Resolve")
    closed = page_of(german, "roll/entry-cost/?area=25")
    closed.form("#desk-form").press("Resolve")
    assert "Area 25 has been attacked in this impulse" in closed.words("#desk")
    assert german.last.helper == "attack" or german.last.kind != "roll"
    page_of(german, "roll/entry-cost/?area=36").form("#desk-form").press("Resolve")
    assert german.last.helper == "entry-cost"


def test_17_21_aircraft_attack_anywhere_and_know_of_germans_there(german):
    ids = set_out(german, german_D="Aircraft", german_25="Pi 295", russian_25="1/10 NKVD")
    stukas, target = ids["Aircraft"], [*ids.values()][-1]
    page = page_of(german, f"roll/attack/?chosen={stukas}&chosen={target}")
    page.form("#desk-form").fill(attack_dr="7", defence_dr="7").press("Resolve")
    roll = next(line for line in reversed(german.log) if line.helper == "attack")
    assert (roll.inputs["kind"], roll.inputs["area"], roll.inputs["germans_present"]) == ("air", "25", True)
    assert roll.result.details["mistaken_cp"] == 1
    assert shown(german)[stukas] == ("D", []), "aircraft have no dots"


def attack_page(player, *ids, **fields):
    """The page after such an attack, and whether it was made."""
    lines = len(player.log)
    page = page_of(player, "roll/attack/?" + "&".join(f"chosen={id}" for id in ids))
    page.form("#desk-form").fill(attack_dr="7", defence_dr="7", **fields).press("Resolve")
    return page.words("#desk"), len(player.log) > lines


def test_15_21_guns_fire_where_map_and_counters_let_them(german):
    ids = set_out(german, german_24="I/AR 40, Pi 295", russian_25="1/10 NKVD", russian_35="1/10 NKVD")
    gun, pioneers, near, far = ids.values()
    words, was_made = attack_page(german, gun, far)
    assert "The guns reach 1, and it is farther (15.21)." in words and not was_made
    put_out(german, pioneers, "25")
    words, was_made = attack_page(german, gun, near)
    assert "No German unit of any kind may be in the Area that is fired at (15.21)." in words and not was_made
    put_out(german, pioneers, "24")
    assert attack_page(german, gun, near)[1]


def test_15_3_russian_guns_reach_two_areas_and_fire_alone_only_where_russians_are(german):
    ids = set_out(german, german_36="Pi 295, I/295", german_24="I/295", russian_25="1/10 NKVD", russian_35="1/10 NKVD")
    german.do("advance/", button="impulse")
    pioneers, infantry, other, near, far = ids.values()
    words, was_made = attack_page(german, far, pioneers, guns="32")
    assert "The guns reach 2, and it is farther (15.21)." in words and not was_made
    alone = {"kind": "russian_artillery", "attacker": "russian", "guns": "32"}
    words, was_made = attack_page(german, other, **alone)
    assert "Guns that fire alone need a Russian unit in the Area (15.3)." in words and not was_made
    assert attack_page(german, near, other, guns="32")[1]


def test_15_22_guns_left_alone_among_enemies_leave_the_map_as_an_impulse_ends_and_are_named_as_they_return(german):
    ids = set_out(german, german_25="I/AR 40, I/295", german_24="I/295", russian_25="1/10 NKVD")
    gun, infantry, *_ = ids.values()
    german.do("advance/", button="impulse")
    sentences = [line.sentence for line in german.log]
    assert "I/AR 40" not in sentences[-1]
    put_out(german, infantry, "24")
    german.do("advance/", button="impulse")
    sentences = " ".join(line.sentence for line in german.log[-3:])
    assert "I/AR 40 stands alone among enemies in Area 25: off the map until Dawn (8.3556, 15.22)." in sentences
    assert shown(german)[gun] == ("", [])
    for field, value in (
        ("date", "1942-09-14"),
        ("time", "night"),
        ("box", "12"),
        ("side", "german"),
        ("track", "flips"),
    ):
        german.do("record/", field=field, value=value)
    german.do("advance/", button="turn")
    assert "I/AR 40 returns" in [step.title for step in german.match.state.queue]
