"""Nights of counters at a table: Infiltration, the ferries both ways, a Refit (8.29, 15.34, 18.3 to 18.7)."""

import pytest

from tests.filling import Reader

from .units_in_play import LINKS, add, begin, put_out, set_out, shown, take_map

pytestmark = pytest.mark.django_db
RIVER = {**LINKS, "34": "25,31,35", "31": "34,62", "62": "31,63", "63": "62"}


def begin_at_night():
    player = begin()
    take_map(player, german="24,25,6,C", links=RIVER)
    for field, value in (("date", "1942-09-14"), ("time", "night"), ("side", "russian")):
        player.do("record/", field=field, value=value)
    return player


@pytest.fixture
def night(frozen):
    return frozen("turning point at night", begin_at_night)


def open_roll(player, slug, *ids):
    """The page of a roll with these counters tapped."""
    query = "&".join(f"chosen={id}" for id in ids)
    return Reader(player.client).open(f"/match/{player.match_id}/roll/{slug}/?{query}")


def offers(page):
    return [node.text() for node in page.find("#offers button")]


def test_15_34_a_refit_is_the_whole_impulse(night):
    unit, *_ = set_out(night, russian_34="1/10 NKVD").values()
    assert "artillery in this Area is ready" in refit(night, 1).words("#desk")
    guns = {"field": "russian_artillery", "thing": "1"}
    night.do("record/", **guns, **{"part-area": "65", "part-state": "refit"})
    refit(night, 6)
    assert night.match.state.position.side == "german", "it may be tried again in another impulse"
    assert "all that the Russian does in an impulse" in refit(night, 1).words("#desk")
    night.do("record/", field="side", value="russian")
    open_roll(night, "move", unit).form("#desk-form").fill(goal="35").press()
    assert "all that the Russian does in an impulse" in refit(night, 1).words("#desk")


def refit(player, die):
    page = open_roll(player, "refit")
    page.form("#desk-form").fill(area="65", die=die).press("Resolve")
    return page


# Infiltration


def infiltrate(player, unit, die, area="25"):
    page = open_roll(player, "infiltration", unit).press(f"Into Area {area}")
    assert "Look again" not in page.words("#desk"), "the press knows the TEM"
    return page.form("#desk-form").fill(die=die).press("Resolve")


def spend(player, unit, place="25"):
    put_out(player, unit, place, "d2")


def test_8_29_who_infiltrates_is_asked_where_goes_in_below_its_tem_and_is_d1(night):
    unit, enemy = set_out(night, russian_34="1/10 NKVD", german_25="I/295").values()
    assert "Into Area 25" not in offers(open_roll(night, "infiltration", unit)), "Fresh Germans are there"
    spend(night, enemy)
    page = open_roll(night, "infiltration", unit)
    assert offers(page) == ["Into Area 25"] and "into which Area?" in page.words("#desk")
    infiltrate(night, unit, 1)
    assert shown(night)[unit] == ("25", ["d1"]), "below its TEM of 2"
    page = Reader(night.client).open(f"/match/{night.match_id}/").press("Impulse done", within="#due")
    assert "attacked nobody" not in page.words("body"), "it slipped in"


def test_8_29_all_who_fail_attack_there_together(night):
    *units, enemy = set_out(night, russian_34="2 1/10 NKVD", german_25="I/295").values()
    units = [id for id, (place, _) in shown(night).items() if place == "34"]
    enemy = next(id for id, (place, _) in shown(night).items() if place == "25")
    spend(night, enemy)
    for unit in units:
        infiltrate(night, unit, 6)
        assert shown(night)[unit] == ("25", ["acting"])
    page = Reader(night.client).open(f"/match/{night.match_id}/")
    assert "Nothing more is due" in page.words("#desk"), "not an attack for each of them"
    assert "The Spent Group in Area 25" in page.press("Lead me through this impulse").words("#guide")
    page = page.open(f"/match/{night.match_id}/").press("Impulse done", within="#due")
    assert "entered Area 25 among enemies and attacked nobody (8.34)" in page.words("body")


def test_8_29_who_may_not_infiltrate_is_told_why(night):
    mover, at, far, enemy = set_out(
        night, russian_35="1/10 NKVD, 398 AT", russian_36="1/10 NKVD", german_25="I/295"
    ).values()
    spend(night, enemy)
    page = open_roll(night, "infiltration", far).form("#desk-form").fill(area="25", die=1).press("Resolve")
    assert "Area 36 does not touch Area 25 (8.2)" in page.words("#desk")
    page = open_roll(night, "infiltration", at).form("#desk-form").fill(area="25", die=1).press("Resolve")
    assert "Only infantry" in page.words("#desk")
    open_roll(night, "move", mover).form("#desk-form").fill(goal="34").press()
    page = open_roll(night, "infiltration", mover).form("#desk-form").fill(area="25", die=1).press("Resolve")
    assert "begins its impulse beside the Area" in page.words("#desk")
    assert shown(night)[mover] == ("34", ["acting"])


def test_8_29_who_may_infiltrate_has_just_landed(night):
    (enemy,) = set_out(night, german_62="I/295").values()
    put_out(night, enemy, "62", "d2")
    (unit,) = add(night, "Russian: 1/10 NKVD")
    cross(ferry(night, unit), 5)
    assert offers(open_roll(night, "infiltration", unit)) == ["Into Area 62"]
    infiltrate(night, unit, 1, area="62")
    assert shown(night)[unit] == ("62", ["d1"])


# The ferries


def ferry(player, *ids, landing="62"):
    """Tap units and press Resolve on the ferry; its page then."""
    page = open_roll(player, "ferry", *ids)
    page.form("#desk-form").fill(landing=landing).press()
    return page


def test_18_3_landings_that_are_not_german_are_offered_and_the_ferry_says_what_the_chart_knows_of_the_bank(night):
    set_out(night, german_6="I/295")
    (unit,) = add(night, "Russian: 1/10 NKVD")
    take_map(night, german="24,63", links=RIVER)
    page = open_roll(night, "ferry", unit)
    assert offers(page)[:3] == ["At Area 31", "At Area 62", "At Area 64"]
    page.press("At Area 62")
    assert "Interdiction Points at 62" in page.words("#desk-form")
    assert "The chart marks no River Bank Areas" in page.words("#desk") and "At 1/10 NKVD" not in page.words("#desk")
    take_map(night, german="24", links=RIVER, banks={"62", "63"})
    page = open_roll(night, "ferry", unit).press("At Area 64")
    assert "By the chart the River Bank is 62 and 63:" in page.words("#desk")
    assert "does not know all that touches Area 64" in page.words("#desk")


def cross(page, *sums, **points):
    """From there through the Interdiction Points, and the dice of each that crosses."""
    page.form("#desk-form").fill(**points).press("Resolve")
    dice = [node.attributes["name"] for node in page.find("#desk input.die")]
    page.form("#desk-form").fill(**dict(zip(dice, sums, strict=True))).press("Resolve")
    return page


def test_18_3_three_units_cross_in_an_impulse_however_many_ferries_are_asked_for(night):
    set_out(night, german_6="I/295")
    first, second, third, fourth = add(night, "Russian: 4 1/10 NKVD")
    cross(ferry(night, first, second), 12, 5)
    assert "units cross in an impulse; with these it is 4 (18.3)" in ferry(night, third, fourth).words("#desk")
    assert "units of Area 62 have acted already (18.3)" in ferry(night, third, landing="31").words("#desk")
    assert "on the East bank until Fresh" not in ferry(night, third).words("#desk")
    page = Reader(night.client).open(f"/match/{night.match_id}/")
    cross(page, 5)
    assert shown(night)[third] == ("62", ["acting"]) and shown(night)[fourth] == ("", [])
    page.press("Lead me through this impulse", within="#due")
    assert "1/10 NKVD #1" not in page.words("#guide"), "disrupted on its way, it ends its move there (18.51)"


def test_18_3_a_german_landing_and_spent_units_are_refused(night):
    set_out(night, german_6="I/295")
    (unit,) = add(night, "Russian: 1/10 NKVD")
    put_out(night, unit, "", "d1")
    assert "1/10 NKVD #1: on the East bank until Fresh (18.7)" in ferry(night, unit).words("#desk")
    take_map(night, german="6,C,62", links=RIVER)
    assert "By the record Area 62 is German (18.3)" in ferry(night, unit).words("#desk")


def test_18_7_a_unit_goes_back_east_and_comes_off_the_map(night):
    unit, away = set_out(night, russian_62="1/10 NKVD", russian_34="1/10 NKVD").values()
    page = open_roll(night, "ferry", unit)
    assert page.form("#desk-form").value("landing") == "62"
    cross(page.press("Resolve"), 7)
    assert shown(night)[unit] == ("", ["d1"])
    assert "This impulse is about the units of Area 62" in ferry(night, away, landing="34").words("#desk")
    night.do("take-back/")
    assert shown(night)[unit] == ("62", [])


def test_18_7_a_spent_unit_goes_back_only_from_where_it_began_the_impulse(night):
    moved, stayed = set_out(night, russian_31="1/10 NKVD", russian_62="1/10 NKVD").values()
    put_out(night, moved, "31", "d1")
    put_out(night, stayed, "62", "d1")
    open_roll(night, "move", moved).form("#desk-form").fill(goal="62").press()
    assert shown(night)[moved][0] == "62"
    assert "is Spent, and has not begun the impulse there (18.7)" in ferry(night, moved).words("#desk")


def test_18_4_the_chart_knows_who_holds_the_bank(night):
    take_map(night, german="6,C,31", links=RIVER, banks=("31", "62", "63"))
    (unit, *_) = set_out(night, russian_62="1/10 NKVD", german_63="I/295").values()
    page = ferry(night, unit)
    form = page.form("#desk-form")
    assert [form.value(name) for name in ("bank", "adjacent_one", "adjacent_two")] == ["control", "control", "contest"]


def test_the_guide_offers_those_on_the_east_bank_and_the_way_back(night):
    set_out(night, russian_62="1/10 NKVD", russian_34="1/10 NKVD")
    add(night, "Russian: 4 1/10 NKVD")
    page = Reader(night.client).open(f"/match/{night.match_id}/").press("Lead me through this impulse", within="#due")
    page.press("1/10 NKVD #3, 1/10 NKVD #4 and 1/10 NKVD #5", within="#guide")
    assert page.form("#desk-form").value("crossing_units") == "3"
    page.open(f"/match/{night.match_id}/").press("Area 62", within="#guide")
    cross(page.press("1/10 NKVD #1", within="#guide details:last-of-type").press("Resolve"), 7)
    guide = page.open(f"/match/{night.match_id}/").words("#guide")
    assert "Nobody of Area 62 can do more" in guide, "the impulse is about that Area (8.1)"
