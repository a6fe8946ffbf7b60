"""The charts that a book of Turning Point: Stalingrad holds, and what its text demands of them."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from firefight.engine.charts.kinds import Bands, Matrix, Numbers, Problem
from firefight.engine.charts.spec import ChartSpec, Constraint, TappedRows

from .areas import MOST_TEM, MOST_VP, check_areas
from .areas import NAMES as AREA_NAMES

CROSSED = ("landed", "landed_d1", "landed_d2", "returned_d1", "returned_d2", "returned_d3", "returned_d4", "eliminated")
INTERDICTION = (
    *("mamayev_contest", "mamayev_contest_artillery", "mamayev_control", "mamayev_control_artillery"),
    *("bank_contest", "bank_control", "near_contest", "near_control", "near_contest_control", "near_control_control"),
    "isolated",
)
CASUALTIES = (
    *("fresh_flip", "fresh_flip_retreat", "fresh_eliminate", "spent_retreat", "spent_eliminate"),
    "failed_retreat",
)
COSTS = (
    *("vacant", "vacant_zoc_day", "vacant_zoc_night", "fresh", "spent", "rubble"),
    *("attack_fresh", "attack_spent", "recrossing"),
)
THRESHOLDS = (
    *("rubble_setup", "rubble_creation", "rubble_tem", "rubble_entrance_1", "rubble_entrance_2"),
    *("refit", "attrition", "armour_replacement", "rout", "occupation"),
)


_ZONES = {name.lower(): name for name in AREA_NAMES if name.isalpha()}  # as lists of neighbours have them
NAMES: Mapping[str, Mapping[str, str]] = {
    "areas": {"tem": "TEM", "vp": "VP", "bank": "River Bank", "links": "neighbours", **_ZONES},
    "neighbours": {"known": "neighbours", **_ZONES},
    "boxes": {"day": "day begins in", "night": "night begins in"},
    "dated": {"luftwaffe": "aircraft", "russian_artillery": "Russian artillery", "dv_bonus": "Russian DV"},
    "weeks": {"low": "German loses below", "high": "German wins above"},
    "crossing": {
        "landed": "lands",
        "landed_d1": "lands, D1",
        "landed_d2": "lands, D2",
        "returned_d1": "returns, D1",
        "returned_d2": "returns, D2",
        "returned_d3": "returns, D3",
        "returned_d4": "returns, D4",
        "eliminated": "is eliminated",
    },
    "interdiction": {
        "mamayev_contest": "A. Mamayev Kurgan contested",
        "mamayev_contest_artillery": "A. Mamayev Kurgan contested, artillery there",
        "mamayev_control": "A. Mamayev Kurgan German",
        "mamayev_control_artillery": "A. Mamayev Kurgan German, artillery there",
        "bank_contest": "B. a River Bank Area contested",
        "bank_control": "B. a River Bank Area German",
        "near_contest": "C. beside the landing: one contested",
        "near_control": "C. beside the landing: one German",
        "near_contest_control": "C. beside the landing: one contested, one German",
        "near_control_control": "C. beside the landing: two German",
        "isolated": "more, where isolated units alone earn points",
    },
    "casualties": {
        "fresh_flip": "Fresh: flips",
        "fresh_flip_retreat": "Fresh: flips and retreats",
        "fresh_eliminate": "Fresh: is eliminated",
        "spent_retreat": "Spent: retreats",
        "spent_eliminate": "Spent: is eliminated",
        "failed_retreat": "is lost on its retreat",
    },
    "durations": {"german_artillery": "German artillery", "air": "aircraft", "russian_artillery": "Russian artillery"},
    "costs": {
        "vacant": "enter an Area without enemies",
        "vacant_zoc_day": "the same in an enemy ZOC, by day",
        "vacant_zoc_night": "the same in an enemy ZOC, at night",
        "fresh": "enter an Area with Fresh enemies",
        "spent": "enter an Area with Spent enemies alone",
        "rubble": "more for Rubble",
        "attack_fresh": "attack a Fresh Group",
        "attack_spent": "attack a Spent Group",
        "recrossing": "recross the Volga",
    },
    "thresholds": {
        "rubble_setup": "Rubble at set-up: die and TEM, at least",
        "rubble_creation": "Rubble by bombardment: roll and TEM, at least",
        "rubble_tem": "Rubble by bombardment: TEM, at least",
        "rubble_entrance_1": "entering Rubble 1: roll, at least",
        "rubble_entrance_2": "entering Rubble 2: roll, at least",
        "refit": "Refit: die, at most",
        "attrition": "Attrition: die, at most",
        "armour_replacement": "armour replacement: roll and Rubble, at most",
        "rout": "Rout: difference, at least",
        "occupation": "Combat units in an Area, at most",
    },
}


def whole_cells(chart: Matrix) -> Iterable[Problem]:
    """Every cell of these tables is a whole number."""
    for (row, column), text in chart.cells.items():
        if text is not None and not text.removeprefix("-").isdigit():
            yield Problem(chart.name, f"{row}, {column}", "should be a whole number")


def _matrix(name: str, *constraints: Constraint) -> ChartSpec:
    return ChartSpec(name, Matrix, constraints=constraints, names=NAMES.get(name, {}))


def _numbers(name: str, *keys: str) -> ChartSpec:
    return ChartSpec(name, Numbers, keys=frozenset(keys), names=NAMES[name])


def _bands(name: str, *codes: str, sides: int, lowest: int = 2) -> ChartSpec:
    return ChartSpec(name, Bands, codes=frozenset(codes), sides=sides, lowest=lowest, names=NAMES.get(name, {}))


TAPPED = TappedRows(
    {
        "tem": tuple(map(str, range(1, MOST_TEM + 1))),
        "vp": tuple(map(str, range(1, MOST_VP + 1))),
        "bank": ("yes", "no"),
    },
    "links",
    "neighbours",
)

SPECS: tuple[ChartSpec, ...] = (
    replace(_matrix("areas", check_areas), tapped=TAPPED),
    _matrix("neighbours", check_areas),
    _matrix("boxes", whole_cells),
    _matrix("dated", whole_cells),
    _matrix("weeks", whole_cells),
    _bands("crossing", *CROSSED, sides=21),
    _numbers("interdiction", *INTERDICTION),
    _bands("mistaken", sides=12),
    _numbers("casualties", *CASUALTIES),
    _matrix("durations"),
    _numbers("costs", *COSTS),
    _numbers("thresholds", *THRESHOLDS),
)
