"""Motorized units on foot and mounted again (8.7), and who fires in defence of others (9.601, 9.602)."""

import pytest

from firefight.engine.board.counters import CounterInPlay
from firefight.engine.errors import BadInput
from firefight.games.streets_of_stalingrad.rules import becoming
from firefight.games.streets_of_stalingrad.rules.units import Arm, Unit
from tests.games.test_sheets import lay

from . import ask
from .test_answering import answer, around
from .test_battle_devices import bring, how, tap
from .test_filling import HERE, NEXT, UNITS, fill, german, piece  # noqa: F401 (a fixture)
from .test_sheets import HEAD
from .test_table import put

pytestmark = pytest.mark.django_db
MOUNTED = {"arm": Arm.INFANTRY, "mp": 24}
DOWN = {"change": "down", "unit": "infantry", "mp": 24, "terrain": "clear"}
UP = {**DOWN, "change": "up", "is_dismounted": True}


def reasons(**fields):
    return " ".join(ask("dismount", **fields).effects)


# 8.71 to 8.74


@pytest.mark.parametrize(
    "fields, why",
    [
        ({"unit": "at_gun"}, "8.71: only motorized"),
        ({"unit": "leader"}, "8.71: only motorized"),
        ({"mp": 8}, "8.71: 8 MP are no motorized unit's"),
        ({"mp": 15}, "8.71: 15 MP are no motorized unit's"),
        ({"is_dismounted": True}, "on foot already"),
        ({"has_moved": True}, "have moved in this phase already"),
    ],
)
def test_who_does_not_get_down(fields, why):
    result = ask("dismount", **{**DOWN, **fields})
    assert result.outcome == "refused" and why in " ".join(result.effects)
    assert result.changes == ()


@pytest.mark.parametrize("unit", ["infantry", "engineer", "mortar", "armored"])
@pytest.mark.parametrize("mp", [21, 24, 28, None])
def test_who_gets_down_has_8_mp(unit, mp):
    result = ask("dismount", **{**DOWN, "unit": unit, "mp": mp})
    assert result.outcome == "allowed" and result.details["mp"] == 8


@pytest.mark.parametrize(
    "fields, why",
    [
        ({"is_dismounted": False}, "have not got down"),
        ({"terrain": "balka"}, "balka without a road or bridge"),
        ({"terrain": "cliff"}, "cliff without a road or bridge"),
        ({"has_no_way": True}, "find no way"),
        ({"isolated": True}, "isolated"),
        ({"has_moved": True}, "have moved"),
    ],
)
def test_who_does_not_mount_again(fields, why):
    assert why in reasons(**{**UP, **fields}).casefold()


def test_who_mounts_again_has_the_printed_mp():
    for fields in ({}, {"terrain": "balka", "has_road": True}, {"terrain": "forest"}):
        result = ask("dismount", **{**UP, **fields})
        assert result.outcome == "allowed" and result.details["mp"] == 24


def test_isolation_and_ways_do_not_keep_anybody_mounted():
    assert ask("dismount", **{**DOWN, "isolated": True, "has_no_way": True, "terrain": "balka"}).outcome == "allowed"


# On counters


def test_the_marker_is_for_those_alone_who_have_vehicles_to_leave():
    kinds = {
        "infantry": (Arm.INFANTRY, 24, True),
        "engineer": (Arm.ENGINEER, 28, True),
        "mortar": (Arm.MORTAR, 21, True),
        "armoured infantry": (Arm.ARMORED, 28, True),
        "on foot": (Arm.INFANTRY, 8, False),
        "towed": (Arm.MORTAR, 12, False),
        "unknown": (Arm.INFANTRY, None, False),
        "tank": (Arm.TANK, 28, False),
        "gun": (Arm.AT_GUN, 24, False),
    }
    for name, (arm, mp, may) in kinds.items():
        kind = Unit("own", name, arm, mp=mp)
        assert ("dismounted" in becoming.may_carry(kind)) is may, name
        if not may:
            with pytest.raises(BadInput, match="cannot be Dismounted"):
                becoming.become(CounterInPlay("german-1", "german", "own", name), kind, "dismounted")


def test_on_foot_it_is_no_vehicle_and_has_8_mp():
    for state, mp, is_vehicle in (((), 28, True), (("dismounted",), 8, False)):
        one = piece(1, arm=Arm.ARMORED, mp=28, state=state)
        assert fill("movement", [one])[0]["printed"] == mp
        assert fill("permissions", [one])[0]["mp"] == mp
        moving = fill("passage", [one])[0]
        assert (moving["is_vehicle"], moving["target_armored"]) == (is_vehicle, is_vehicle)
        assert moving["at"][0]["sort"] == ("armored" if is_vehicle else "infantry")
        assert answer("step", around([one]), targets=["german-1"])["mp"] == mp
        may = answer("opportunity", around([one, piece(9, "soviet", HERE)], terrain={NEXT: "balka"}),
                     firers=["soviet-9"], targets=["german-1"])  # fmt: skip
        assert bool(may.get("under_cover")) is not is_vehicle


def test_the_marker_outlasts_good_order_and_phases():
    kind = Unit("own", "II/Rgt", Arm.INFANTRY, mp=24)
    on_foot = CounterInPlay("german-1", "german", "own", "II/Rgt", state=("pinned", "dismounted"))
    assert becoming.become(on_foot, kind, "good_order").state == ("dismounted",)
    assert becoming.become(on_foot, kind, "no_dismounted").state == ("pinned",)


def test_a_sheet_filled_by_taps_puts_the_marker_on_and_takes_it_off(german):  # noqa: F811
    row = {"name": "II/64", "side": "German", "arm": "infantry", "af": "4", "df": "5", "mp": "24", "count": "2"}
    sheet = "\n".join((HEAD, "\t".join(row.get(name, "") for name in HEAD.split("\t"))))
    assert lay(german, sheet, "II/64").status == 200
    (mounted,) = bring(german, ("II/64", NEXT))
    german.do("record/", field="phase", value="3")
    reader = tap(german, mounted).press("Getting down and mounting", "#rolls")
    form = reader.form("#desk-form")
    assert (form.value("change"), form.value("unit"), form.value("mp")) == ("down", "infantry", "24")
    form.press("Resolve")
    assert "allowed" in reader.words("#desk") and how(german, mounted) == [["dismounted"]]
    assert german.last.sentence == "II/64 #3: Dismounted; was Good Order."
    reader = tap(german, mounted).press("Getting down and mounting", "#rolls")
    form = reader.form("#desk-form")
    assert form.value("change") == "up"
    form.fill(has_no_way=True).press("Resolve")
    assert "refused" in reader.words("#desk") and how(german, mounted) == [["dismounted"]]
    reader = tap(german, mounted).press("Getting down and mounting", "#rolls")
    reader.form("#desk-form").press("Resolve")
    assert how(german, mounted) == [[]]
    german.do("take-back/")
    assert how(german, mounted) == [["dismounted"]]


# 9.601, 9.602


@pytest.mark.parametrize("terrain", ["clear", "forest", "city", "balka", "volga"])
@pytest.mark.parametrize("kind", ["defensive", "opportunity"])
def test_units_that_nobody_attacks_fire_at_attackers_in_clear_hexes_alone(terrain, kind):
    fields = {"kind": kind, "firer": "soviet", "points": 12, "terrain": terrain, "die": 5}
    assert ask("defensive-fire", **fields).outcome
    if kind == "defensive" and terrain != "clear":
        with pytest.raises(BadInput, match=r"9\.601"):
            ask("defensive-fire", **fields, bystanders=True)
    else:
        assert ask("defensive-fire", **fields, bystanders=True).outcome


def fire_beside(player, terrain, place="1743"):
    """Two Germans attack HERE, and a Soviet unit of another hex fires at them."""
    german_units = ("german-1", "german-2", "soviet-1")
    reader = tap(player, *german_units).press("Attack, step by step", "#rolls")
    reader.form("#desk-form").fill(terrain="forest", terrain_drm=0, integrity=0).press("Declare")
    reader.press("Defensive fire", "#desk")
    player.do("counters/", id="soviet-2", place=place)
    player.do("lift/", side="soviet")
    reader = tap(player, "soviet-2").press("Defensive and opportunity fire", "#rolls")
    reader.form("#desk-form").fill(terrain=terrain, points=20, die=6, integrity=0).press("Resolve")
    return reader


def test_who_stands_beside_does_not_fire_into_a_forest(german):  # noqa: F811
    assert "9.601" in fire_beside(german, "forest").words("#desk")
    assert not any(line.helper == "defensive-fire" for line in german.log)


def test_who_is_attacked_fires_into_a_forest(german):  # noqa: F811
    reader = fire_beside(german, "forest", place=HERE)
    assert reader.status == 200, reader.words("#desk")
    assert any(line.helper == "defensive-fire" for line in german.log)


def test_who_stands_beside_helps_in_the_open(german):  # noqa: F811
    reader = fire_beside(german, "clear")
    assert reader.status == 200, reader.words("#desk")
    assert how(german, "german-1", "german-2") == [["pinned"], ["pinned"]]


def test_under_an_attack_marker_nobody_defends_others(german):  # noqa: F811
    put(german, "markers", [{"hex": "1743", "marker": "attack", "under_attack": False}])
    assert "under an attack marker" in fire_beside(german, "clear").words("#desk")
    assert not any(line.helper == "defensive-fire" for line in german.log)
