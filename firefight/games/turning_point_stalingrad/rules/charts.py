"""The charts that a book of Turning Point: Stalingrad holds, and what its text demands of them."""

from collections.abc import Iterable, Mapping

from firefight.engine.charts.kinds import Bands, Matrix, Numbers, Problem
from firefight.engine.charts.spec import ChartSpec, Constraint

from .areas import check_areas

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


def whole_cells(chart: Matrix) -> Iterable[Problem]:
    """Every cell of these tables is a whole number."""
    for (row, column), text in chart.cells.items():
        if text is not None and not text.removeprefix("-").isdigit():
            yield Problem(chart.name, f"{row}, {column}", "should be a whole number")


def _matrix(name: str, *constraints: Constraint) -> ChartSpec:
    return ChartSpec(name, Matrix, constraints=constraints)


def _numbers(name: str, *keys: str, names: Mapping[str, str] | None = None) -> ChartSpec:
    return ChartSpec(name, Numbers, keys=frozenset(keys), names=names or {})


def _bands(name: str, *codes: str, sides: int, lowest: int = 2) -> ChartSpec:
    return ChartSpec(name, Bands, codes=frozenset(codes), sides=sides, lowest=lowest)


SPECS: tuple[ChartSpec, ...] = (
    _matrix("areas", check_areas),
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
