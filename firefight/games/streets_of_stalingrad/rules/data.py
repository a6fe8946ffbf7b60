"""What the text of the rules lists besides its charts, by name, and as a result's source."""

from firefight.engine.rolls.result import Source
from firefight.engine.values import Values

from ..lists.calendar import CALENDAR
from ..lists.hexes import HEXES
from ..lists.limits import LIMITS
from ..lists.phases import PHASES

LISTS: dict[str, Values] = {"calendar": CALENDAR, "hexes": HEXES, "limits": LIMITS, "phases": PHASES}
TITLES = {
    "calendar": "Dates of the rules",
    "hexes": "Appendices A and B, victory hexes",
    "limits": "Stacking, crossing and building limits",
    "phases": "Sequence of play",
}


def read_lists(name: str) -> Values:
    """One of the lists by its name."""
    return LISTS[name]


def from_text(*names: str) -> tuple[Source, ...]:
    """Lists as sources of a result: every value in them is the text's."""
    return tuple(Source(name, TITLES[name], "text") for name in names)
