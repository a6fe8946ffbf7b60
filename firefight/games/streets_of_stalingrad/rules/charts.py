"""The charts that a book of Streets of Stalingrad holds, and what its text requires of them."""

from collections.abc import Iterable, Mapping
from itertools import pairwise

from firefight.engine.charts.kinds import Bands, Lookup, Matrix, Numbers, Problem
from firefight.engine.charts.spec import ChartSpec

from .dates import TURNS, date_of, say_turn
from .hexes import read_place
from .terms import CAMPAIGN, LEVELS, RESULTS, SCENARIOS, Side, Terrain
from .volga import ARROWS

BOMBARDED = ("D2", "D1", "D1P", "P", "-")
SPOTTING = (
    *("op_in_command", "op_out_of_command", "near_in_command", "far_in_command"),
    *("near_out_of_command", "far_out_of_command", "named_leader"),
)

NAMES: Mapping[str, Mapping[str, str]] = {
    "terrain": {terrain.value: terrain.word for terrain in Terrain},
    "spotting": {
        "op_in_command": "observer, guns of its command",
        "op_out_of_command": "observer, other guns",
        "near_in_command": "other unit next to the target, guns of its command",
        "far_in_command": "other unit farther off, guns of its command",
        "near_out_of_command": "other unit next to the target, other guns",
        "far_out_of_command": "other unit farther off, other guns",
        "named_leader": "West Bank Table: more for a named leader next to the target",
    },
    "survival_modifiers": {
        "1": "1 combat unit lost in the hex",
        "2": "2 combat units lost",
        "3": "3 combat units lost",
        "4": "4 or more combat units lost",
        "alone": "alone through a ZOC",
    },
    "leader_survival": {"eliminated": "eliminated", "wounded": "wounded", "survives": "survives"},
    "counter_attack": {
        "attacker_lost": "a counter-attacker is lost, the hex is held",
        "defender_lost": "a defender is lost, the hex is held",
        "defenders_retreat": "a defender is lost, the others retreat 2 hexes",
    },
    "mine_dog": {"both_lost": "armoured unit and dog are lost", "dog_lost": "the dog is lost"},
    "immobilized_tank": {"immobilized": "becomes an immobilized tank", "nothing": "nothing remains"},
    "arrows": {str(arrow): f"landing arrow {arrow}: the hex it points at" for arrow in range(1, ARROWS + 1)},
    "stukas": {
        str(scenario): f"scenario {scenario}{', turn 1' if scenario == CAMPAIGN else ''}"
        for scenario in range(1, SCENARIOS + 1)
    },
    "nkvd": {"reliability": "reliability: the last face that stays", "isolated": "isolated: the last face that stays"},
}

_AMMUNITION = {
    f"{date_of(turn)}, {side.value}": f"{say_turn(turn)}, {side.word}" for turn in range(1, TURNS + 1) for side in Side
}
_COSTS = {
    f"{row}, {column}": f"{word}, {mover}"
    for row, word in {**NAMES["terrain"], "along_road": "along a road"}.items()
    for column, mover in {"foot": "on foot", "vehicle": "MP of 12 or more"}.items()
}
_LEVELS = {
    f"{scenario}, {level}": f"scenario {scenario}, {level.replace('_', ' ').capitalize()} from points"
    for scenario in range(1, SCENARIOS + 1)
    for level in LEVELS
}


def _whole_or_none(chart: Matrix) -> Iterable[Problem]:
    """Every cell of these tables is a whole number, or a dash where nothing is rolled."""
    for (row, column), text in chart.cells.items():
        if text not in (None, "-") and not text.removeprefix("-").isdigit():
            yield Problem(chart.name, f"{row}, {column}", "should be a whole number")


def _may_be_multipliers(chart: Matrix) -> Iterable[Problem]:
    """The die is multiplied by 10 to 50 (14.72)."""
    for (row, column), text in chart.cells.items():
        if text not in (None, "-") and not (text.isdigit() and 10 <= int(text) <= 50):
            yield Problem(chart.name, f"{row}, {column}", "should lie between 10 and 50")


def _levels_rise(chart: Matrix) -> Iterable[Problem]:
    """Each better level needs more points (3.3)."""
    for row in chart.rows:
        bounds = [text for column in chart.columns if (text := chart.cells[row, column]) and text.isdigit()]
        if any(int(better) <= int(worse) for worse, better in pairwise(bounds)):
            yield Problem(chart.name, f"{row}, {chart.columns[-1]}", "each level should need more points than the last")


def _are_hexes(chart: Numbers) -> Iterable[Problem]:
    """An arrow points at a hex of the map, and no two at one (3.4)."""
    values = [value for value in chart.values.values() if value is not None]
    for key, value in chart.values.items():
        if value is not None and (not read_place(f"{value:04d}") or values.count(value) > 1):
            yield Problem(chart.name, key, "should be a hex of the map, another one for each arrow")


def _lookup(name: str, *results: str) -> ChartSpec:
    return ChartSpec(name, Lookup, codes=frozenset(results), ranks=results)


def _numbers(name: str, *keys: str) -> ChartSpec:
    return ChartSpec(name, Numbers, keys=frozenset(keys), names=NAMES[name])


def _bands(name: str, *codes: str) -> ChartSpec:
    return ChartSpec(name, Bands, codes=frozenset(codes), sides=10, names=NAMES[name])


SPECS: tuple[ChartSpec, ...] = (
    _lookup("crt", *RESULTS),
    _lookup("wbbt", *BOMBARDED),
    ChartSpec("ebbt_pinned", Lookup, constraints=(_whole_or_none,)),
    ChartSpec("ebbt_eliminated", Lookup, constraints=(_whole_or_none,)),
    ChartSpec("ebbt_dates", Matrix, constraints=(_whole_or_none,)),
    _bands("counter_attack", "attacker_lost", "defender_lost", "defenders_retreat"),
    _bands("leader_survival", "eliminated", "wounded", "survives"),
    _numbers("survival_modifiers", "1", "2", "3", "4", "alone"),
    _bands("mine_dog", "both_lost", "dog_lost"),
    _bands("immobilized_tank", "immobilized", "nothing"),
    _numbers("nkvd", "reliability", "isolated"),
    _numbers("spotting", *SPOTTING),
    _numbers("terrain", *Terrain),
    ChartSpec("move_costs", Matrix, constraints=(_whole_or_none,), names=_COSTS),
    ChartSpec("arrows", Numbers, keys=frozenset(NAMES["arrows"]), constraints=(_are_hexes,), names=NAMES["arrows"]),
    _numbers("stukas", *NAMES["stukas"]),
    ChartSpec("ammunition", Matrix, constraints=(_may_be_multipliers,), names=_AMMUNITION),
    ChartSpec("levels", Matrix, constraints=(_whole_or_none, _levels_rise), names=_LEVELS),
)
