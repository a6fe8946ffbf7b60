"""Nights of counters at a table: Infiltration, the ferries both ways, a Refit (8.29, 15.34, 18.3 to 18.7)."""

import pytest

from tests.filling import Reader

from .units_in_play import LINKS, begin, put_out, set_out, shown, take_map

pytestmark = pytest.mark.django_db
RIVER = {**LINKS, "34": "25,31,35", "31": "34,62", "62": "31,63"}


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


# Infiltration


def infiltrate(player, unit, die, area="25"):
    page = open_roll(player, "infiltration", unit)
    return page.press(f"Into Area {area}").form("#desk-form").fill(die=die).press("Resolve")


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
