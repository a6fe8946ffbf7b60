"""The charts that the rules ask for, and what each may hold."""

from firefight.engine.charts.kinds import Bands, Lookup, Matrix, Numbers
from firefight.engine.charts.spec import ChartSpec

NO_EFFECT, NOT_APPLICABLE = "-", "NA"
RESULTS = (*(str(number) for number in range(9, 0, -1)), NO_EFFECT)
_COSTS, _REACH = ("½", "1", "2", "4", "+1"), ("yes", "no")
_EFFECTS = ("×2", "×3", "-1", "×½", "×¼", "0", "+1", "+2", "+3", "14.41", NOT_APPLICABLE)

SPECS: tuple[ChartSpec, ...] = (
    ChartSpec("crt", Lookup, codes=frozenset(RESULTS), ranks=RESULTS),
    ChartSpec("terrain", Matrix, codes=frozenset((*_COSTS, *_REACH, *_EFFECTS))),
    ChartSpec(
        "special_structures", Numbers, keys=frozenset({"die_addition"}), names={"die_addition": "addition to the die"}
    ),
    ChartSpec("attack_types", Bands, sides=6, lowest=0),
    ChartSpec("deployment", Matrix),
)
