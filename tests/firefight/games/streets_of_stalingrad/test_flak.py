"""German 88s: directly once a phase, as guns once a turn, and never both in one phase (14.03)."""

import pytest

from firefight.games.streets_of_stalingrad.rules.units import Arm
from tests.firefight import players
from tests.firefight.players import words_of

from .test_filling import FAR, GAME, NEXT, fill, piece, target
from .test_table import put

AN_88 = {"arm": Arm.FLAK_88, "af": 8, "df": 4, "range": 4, "indirect_range": 16}
FIRE = {"kind": "defensive", "firer": "german", "points": 8, "die": "10", "dice": "table"}
ATTACK = {"points": 8, "terrain": "clear", "terrain_drm": 0, "die": "10", "dice": "table"}
BOMBARD = {"table": "wbbt", "points": 8, "die": "10", "dice": "table"}


@pytest.mark.parametrize("slug", ["attack", "battle", "defensive-fire"])
def test_near_it_fires_directly_and_far_away_as_a_gun(slug):
    for place, names in ((NEXT, ([], ["Unit_1"])), ("1846", ([], ["Unit_1"])), (FAR, (["Unit_1"], []))):
        filled = fill(slug, [piece(place=place, **AN_88)], [target()], terrain="clear")[0]
        assert (filled["gun_names"], filled["flak_names"]) == names, place
    assert fill(slug, [piece()], [target()], terrain="clear")[0]["flak_names"] == []


@pytest.fixture
def german(db):
    player = players.begin("german", hot_seat=True, game=GAME)[0]
    put(player, "phase", "5")
    return player


def is_refused(player, slug, **fields):
    """Whether a roll is refused since an 88 has fired."""
    lines = len(player.log)
    answer = player.roll(slug, **fields)
    if answer.status_code == 302:
        return False
    assert "(14.03)" in words_of(answer) and len(player.log) == lines
    return True


def test_directly_it_fires_once_a_phase_in_any_number_of_phases(german):
    assert not is_refused(german, "attack", **ATTACK, hex="1842", flak_names="88_A 88_B")
    assert is_refused(german, "defensive-fire", **FIRE, flak_names="88_A")
    assert not is_refused(german, "defensive-fire", **FIRE, flak_names="88_C")
    put(german, "phase", "8")
    assert not is_refused(german, "attack", **ATTACK, hex="1842", flak_names="88_A")
    shots = german.match.state.record["fired_directly"]
    assert [(row["unit"], row["phase"]) for row in shots] == [("88_A", 5), ("88_B", 5), ("88_C", 5), ("88_A", 8)]
    put(german, "turn", "2")
    assert not german.match.state.record.get("fired_directly")


def test_as_a_gun_it_fires_once_a_turn_and_in_no_phase_in_which_it_fires_directly(german):
    assert not is_refused(german, "bombardment", **BOMBARD, hex="1842", gun_names="88_A")
    assert is_refused(german, "attack", **ATTACK, hex="1843", flak_names="88_A")
    assert not is_refused(german, "attack", **ATTACK, hex="1843", flak_names="88_B")
    assert is_refused(german, "bombardment", **BOMBARD, hex="1842", gun_names="88_B")
    put(german, "phase", "6")
    answer = german.roll("bombardment", **BOMBARD, hex="1842", gun_names="88_A")
    assert answer.status_code == 422 and "88_A has fired (14.02" in words_of(answer)
    put(german, "phase", "8")
    assert not is_refused(german, "attack", **ATTACK, hex="1843", flak_names="88_A")


def test_what_an_88_has_fired_is_taken_back_with_its_roll(german):
    german.roll("attack", **ATTACK, hex="1842", flak_names="88_A")
    german.do("take-back/")
    assert not german.match.state.record.get("fired_directly")
    assert not is_refused(german, "attack", **ATTACK, hex="1842", flak_names="88_A")
