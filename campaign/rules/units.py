"""What only a campaign decides about its units: what lasts from one firefight into the next, what isolation does."""

from collections.abc import Collection

from firefight.games.combat_stalingrad.rules.counters import CounterKind
from firefight.games.combat_stalingrad.rules.marks import MARKERS, UNIT_KINDS, Mark

# What a unit takes with it into the next firefight (20.7.1); the rest comes off (20.6.4 step 6).
LASTING = frozenset({Mark.REDUCED, Mark.WOUNDED, Mark.M_KILLED, Mark.F_KILLED, Mark.HELD})
# What makes a re-deployment harder (20.12.1).
IMPAIRING = frozenset({Mark.DISRUPTED, Mark.WIA, Mark.SUPPRESSED, Mark.ENFILADED})
# Markers never move, and are taken off rather than eliminated (20.6.4 step 6).
FIXED_KINDS = MARKERS


# The levels of a building's hex by what is written behind it, from below; the ground has none.
LEVELS = {"cellar": -1, **{str(number): number for number in range(1, 10)}, "roof": 10}


def isolation_mark(kind: CounterKind) -> Mark | None:
    """What a unit that begins a firefight in an isolated sector is marked with (20.10.1); None for mere markers."""
    if kind not in UNIT_KINDS:
        return None
    return Mark.SUPPRESSED if kind is CounterKind.VEHICLE else Mark.PINNED


def is_set_up(kind: CounterKind) -> bool:
    """Whether a counter is ever placed on the map; aircraft are not (17.6.1)."""
    return kind is not CounterKind.AIRCRAFT


def keeps_hex(kind: CounterKind, marks: Collection[str]) -> bool:
    """Whether a counter keeps its hex from one firefight into the next: M-KILLED, or a marker (20.7.1)."""
    return kind in FIXED_KINDS or Mark.M_KILLED in marks


def marks_after_firefight(marks: Collection[str]) -> list[str]:
    """What a unit carries once the last turn is over: one that left by its own edge is held back (20.11.1).

    The machine-guns of an aircraft fire in no further turn, so the marker that they did comes off (17.6.3).
    """
    return [Mark.HELD.value if mark == Mark.EXITED else mark for mark in marks if mark != Mark.MG_USED]


def marks_on_map(marks: Collection[str]) -> list[str]:
    """What a unit is marked with once it is on the map for all to see: no longer held back (20.11.1)."""
    return [mark for mark in marks if mark != Mark.HELD]


def marks_in_close_combat(marks: Collection[str]) -> list[str]:
    """What a unit is marked with whose hex holds an enemy (19.1.6, 20.6.4 step 2)."""
    return [*marks, *({Mark.CLOSE_COMBAT.value} - set(marks))]


def marks_after_close_combat(marks: Collection[str]) -> list[str]:
    """What a unit is marked with once no hex of its sector holds both sides (20.6.4 step 1)."""
    return [mark for mark in marks if mark != Mark.CLOSE_COMBAT]


def marks_that_last(marks: Collection[str]) -> list[str]:
    """What a survivor takes into the next firefight; the rest comes off (20.6.4 step 6, 20.7.1)."""
    return [mark for mark in marks if mark in LASTING]
