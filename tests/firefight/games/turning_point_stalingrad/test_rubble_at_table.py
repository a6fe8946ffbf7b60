"""Rubble at a table: kept by Area, counted by all that it concerns, entered by Mechanized units (5.5, chapter 14)."""

import pytest

from tests.filling import Reader

from .units_in_play import begin, begin_on_map, put_out, set_out, shown

pytestmark = pytest.mark.django_db


@pytest.fixture
def on_map(frozen):
    """The German's impulse of the second day, on an owner's map."""

    def begin():
        player = begin_on_map()
        for field, value in (("date", "1942-09-14"), ("side", "german")):
            player.do("record/", field=field, value=value)
        return player

    return frozen("turning point with rubble", begin)


def put_rubble(player, area, level):
    answer = player.do("record/", field="rubble_levels", thing="new", **{"part-area": area, "part-level": level})
    assert answer.status_code == 302


def rubble_of(player):
    return {row["area"]: row["level"] for row in player.match.state.record["rubble_levels"]}


def open_roll(player, slug, *ids, **about):
    query = "&".join([*(f"chosen={id}" for id in ids), *(f"{name}={value}" for name, value in about.items())])
    return Reader(player.client).open(f"/match/{player.match_id}/roll/{slug}/?{query}")


def value_of(page, name):
    return page.find(f"#desk-form [name={name}]")[0].attributes["value"]


def last_attack(player):
    return [line.number for line in player.log if line.helper == "attack"][-1]


def home(player):
    return Reader(player.client).open(f"/match/{player.match_id}/")


def test_14_2_what_a_bombardment_makes_counts_in_the_next_attack(on_map):
    page = open_roll(on_map, "attack").form("#desk-form")
    page.fill(kind="air", area="36", tem=4, dv=9, attack_dr=9, defence_dr=12).press("Resolve")
    assert rubble_of(on_map) == {"36": 1}
    on_map.do("advance/", button="impulse")
    assert value_of(open_roll(on_map, "attack", area="36"), "rubble") == "1"
    assert value_of(open_roll(on_map, "rubble", area="36"), "level") == "1"
    assert value_of(open_roll(on_map, "entry-cost", area="36"), "rubble") == "1"
    assert value_of(open_roll(on_map, "attack", area="25"), "rubble") == "0"
    assert "36 (1)" in home(on_map).words("#board-strip")


def test_14_2_an_attack_that_is_rolled_again_forgets_the_rubble_of_its_first_roll(on_map):
    page = open_roll(on_map, "attack").form("#desk-form")
    page.fill(kind="air", area="36", tem=4, dv=9, attack_dr=9, defence_dr=12).press("Resolve")
    for dr, level in ((8, {}), (9, {"36": 1})):
        page = open_roll(on_map, "attack", corrects=last_attack(on_map)).form("#desk-form")
        page.fill(attack_dr=dr, defence_dr=12).press("Resolve")
        assert rubble_of(on_map) == level
    open_roll(on_map, "advantage").form("#desk-form").fill(again=f"{last_attack(on_map)}-attack").press("Resolve")
    home(on_map).form("#desk-form").fill(attack_dr=9, defence_dr=12).press("Resolve")
    assert rubble_of(on_map) == {"36": 1}, "not 2: the first roll made none (9.2)"


def test_5_5_at_set_up_printed_rubble_stays_or_goes(on_map):
    for area, die in (("62", 6), ("63", 1)):
        open_roll(on_map, "rubble-setup", area=area).form("#desk-form").fill(tem=4, die=die).press("Resolve")
    assert rubble_of(on_map) == {"62": 1, "63": 0}
    assert "62 (1)" in home(on_map).words("#board-strip") and "63" not in home(on_map).words("#strip")


def test_5_5_the_first_impulse_leads_through_the_printed_rubble():
    player = begin()
    page = home(player).press("Lead me through this impulse").press("Area 33")
    page.form("#desk-form").fill(tem=3, die=1).press("Resolve")
    guide = home(player).words("#guide")
    assert "Area 59" in guide and "Area 33" not in guide
    player.do("advance/", button="impulse")
    assert "Area 59" not in home(player).words("#guide")


def test_13_2_rubble_in_area_70_counts_against_new_tanks(on_map):
    put_rubble(on_map, "70", 2)
    assert value_of(open_roll(on_map, "armour-replacement"), "rubble") == "2"


def test_8_24_rubble_costs_an_mf_more_and_motorized_units_do_not_double(on_map):
    flak, infantry = set_out(on_map, german_6="Flak 5, I/295").values()
    put_rubble(on_map, "7", 1)
    page = open_roll(on_map, "move", infantry)
    assert "Into Area 7, 2 MF" in page.words("#offers")
    page = open_roll(on_map, "move", flak).press("Into Area 7, 2 MF")
    assert "4 MF left" in page.words("#desk"), "6, not doubled (8.27)"


def test_14_3_a_mechanized_unit_that_fails_is_back_where_it_came_from(on_map):
    tank, infantry = set_out(on_map, german_24="A/24, I/295").values()
    put_rubble(on_map, "7", 1)
    open_roll(on_map, "move", tank, infantry).press("Into Area 7, 2 MF")
    page = home(on_map)
    assert page.words("#desk").count("A/24 into the Rubble of Area 7") == 1 and "I/295 into" not in page.words("#desk")
    page.form("#desk-form").fill(dr=2).press("Resolve")
    assert shown(on_map)[tank] == ("24", ["d1"]) and shown(on_map)[infantry] == ("7", ["acting"])


def test_14_3_who_gets_in_goes_on(on_map):
    (tank,) = set_out(on_map, german_24="A/24").values()
    put_rubble(on_map, "7", 2)
    open_roll(on_map, "move", tank).press("Into Area 7, 2 MF")
    home(on_map).form("#desk-form").fill(dr=7).press("Resolve")
    assert shown(on_map)[tank] == ("7", ["acting"]), "7, no enemy and no Fresh one there: 9 of 9"
    assert "Nothing more is due" in home(on_map).words("#desk")


def test_14_5_a_mechanized_unit_that_retreats_into_rubble_may_be_lost(on_map):
    (tank,) = set_out(on_map, german_24="A/24").values()
    put_out(on_map, tank, "24", "d4")
    put_rubble(on_map, "6", 1)
    on_map.do("record/", field="side", value="russian")
    open_roll(on_map, "retreat", tank).press("Into Area 6")
    assert shown(on_map)[tank] == ("6", ["d4"])
    home(on_map).form("#desk-form").fill(dr=2).press("Resolve")
    assert tank not in shown(on_map)


def test_who_is_put_into_rubble_by_hand_at_set_up_rolls_for_nothing(on_map):
    put_rubble(on_map, "24", 1)
    set_out(on_map, german_24="A/24")
    assert "Rubble of" not in home(on_map).words("#desk")
