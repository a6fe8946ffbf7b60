"""What a campaign keeps of a unit: how it is, and what became of it."""

from collections.abc import Collection, Iterable
from enum import StrEnum

from firefight.games.combat_stalingrad.rules.units import Kind

from .counters import CounterKind


class Mark(StrEnum):
    """A state or marker of a unit. Some last from one firefight into the next, the others come off between.

    EXITED: left by the own edge in this firefight; HELD: did so in an earlier one, and may come back (20.11.1).
    HE_USED: of an aircraft, in this firefight; MG_USED: in this turn (17.6.3).
    """

    REDUCED = "reduced"
    WOUNDED = "wounded"
    M_KILLED = "m_killed"
    F_KILLED = "f_killed"
    PINNED = "pinned"
    SUPPRESSED = "suppressed"
    DISRUPTED = "disrupted"
    WIA = "wia"
    ENFILADED = "enfiladed"
    IN_SEWER = "in_sewer"
    CLOSE_COMBAT = "close_combat"
    EXITED = "exited"
    HELD = "held"
    HE_USED = "he_used"
    MG_USED = "mg_used"

    @property
    def word(self) -> str:
        """The mark in the players' words."""
        return _WORDS[self]


_WORDS = {
    Mark.REDUCED: "reduced",
    Mark.WOUNDED: "wounded",
    Mark.M_KILLED: "M-KILLED",
    Mark.F_KILLED: "F-KILLED",
    Mark.PINNED: "Pinned Down",
    Mark.SUPPRESSED: "Suppressed",
    Mark.DISRUPTED: "Disrupted",
    Mark.WIA: "WIA",
    Mark.ENFILADED: "under Enfilade",
    Mark.IN_SEWER: "in a sewer",
    Mark.CLOSE_COMBAT: "in close combat",
    Mark.EXITED: "left the map",
    Mark.HELD: "held off the map",
    Mark.HE_USED: "HE used",
    Mark.MG_USED: "MG used this turn",
}
# What a unit takes with it into the next firefight (20.7.1); the rest comes off (20.6.4 step 6).
LASTING = frozenset({Mark.REDUCED, Mark.WOUNDED, Mark.M_KILLED, Mark.F_KILLED, Mark.HELD})
# What makes a re-deployment harder (20.12.1).
IMPAIRING = frozenset({Mark.DISRUPTED, Mark.WIA, Mark.SUPPRESSED, Mark.ENFILADED})
_OF_VEHICLES = frozenset({Mark.M_KILLED, Mark.F_KILLED, Mark.SUPPRESSED})
_OF_INFANTRY = frozenset({Mark.PINNED, Mark.DISRUPTED, Mark.WIA, Mark.IN_SEWER})
_OF_AIRCRAFT = frozenset({Mark.HE_USED, Mark.MG_USED})
# Marks that a kind of counter cannot carry.
_BARRED = {
    CounterKind.SQUAD: _OF_VEHICLES | {Mark.WOUNDED},
    CounterKind.LEADER: _OF_VEHICLES | {Mark.REDUCED},
    CounterKind.SW_TEAM: _OF_VEHICLES | {Mark.WOUNDED, Mark.REDUCED},
    CounterKind.GUN: _OF_VEHICLES | {Mark.WOUNDED, Mark.REDUCED},
    CounterKind.VEHICLE: _OF_INFANTRY | {Mark.WOUNDED, Mark.REDUCED},
}
# What stands or moves on the map as a unit; the rest are markers, or fly.
UNIT_KINDS = frozenset(_BARRED)
_KINDS = {
    CounterKind.SQUAD: Kind.SQUAD,
    CounterKind.LEADER: Kind.LEADER,
    CounterKind.SW_TEAM: Kind.SW_TEAM,
    CounterKind.GUN: Kind.CREW,
    CounterKind.VEHICLE: Kind.VEHICLE,
}
# What stands on the map and is no unit: it never moves, and is taken off rather than eliminated (20.6.4 step 6).
FIXED_KINDS = frozenset({CounterKind.FORTIFICATION, CounterKind.MARKER})


def may_carry(kind: CounterKind) -> frozenset[Mark]:
    """The marks that counters of a kind can have."""
    if kind is CounterKind.AIRCRAFT:
        return _OF_AIRCRAFT
    return frozenset(Mark) - _BARRED[kind] - _OF_AIRCRAFT if kind in _BARRED else frozenset()


def isolation_mark(kind: CounterKind) -> Mark | None:
    """What a unit that begins a firefight in an isolated sector is marked with (20.10.1); None for mere markers."""
    if kind not in UNIT_KINDS:
        return None
    return Mark.SUPPRESSED if kind is CounterKind.VEHICLE else Mark.PINNED


def flipped(marks: Iterable[str], mark: Mark) -> list[str]:
    """The marks of a unit that Casualties flip: it sheds what Pinned Down, Disrupted and WIA say of it (18.1.4)."""
    return [*(held for held in marks if held not in (Mark.PINNED, Mark.DISRUPTED, Mark.WIA)), mark.value]


def casualty(kind: CounterKind, marks: Collection[str]) -> Mark | None:
    """What Casualties make of a unit: the mark that it gets, or None if it is eliminated (18.1.2, 18.2.2, A-38).

    Vehicles have no Casualties; ask no more of them.
    """
    mark = {CounterKind.SQUAD: Mark.REDUCED, CounterKind.LEADER: Mark.WOUNDED}.get(kind)
    return None if mark is None or mark in marks else mark


def marks_after_casualties(kind: CounterKind, marks: Collection[str]) -> list[str] | None:
    """The marks of a unit that Casualties befall, None if that is its end (18.1.2, 18.1.4, 18.2.2)."""
    mark = casualty(kind, marks)
    return None if mark is None else flipped(marks, mark)


def is_unit(kind: CounterKind) -> bool:
    """Whether a counter is a unit that fights, moves and counts for control; mines and markers do not (20.6.2)."""
    return kind in UNIT_KINDS


def is_set_up(kind: CounterKind) -> bool:
    """Whether a counter is ever placed on the map; aircraft are not (17.6.1)."""
    return kind is not CounterKind.AIRCRAFT


def keeps_hex(kind: CounterKind, marks: Collection[str]) -> bool:
    """Whether a counter keeps its hex from one firefight into the next: M-KILLED, or no unit (20.7.1)."""
    return kind in FIXED_KINDS or Mark.M_KILLED in marks


def marks_that_last(marks: Collection[str]) -> list[str]:
    """What a survivor takes into the next firefight; the rest comes off (20.6.4 step 6, 20.7.1)."""
    return [mark for mark in marks if mark in LASTING]


def kind_in_combat(kind: CounterKind, marks: Collection[str]) -> Kind:
    """What a unit is in a firefight: a reduced squad is a half-squad, a leader may be wounded (18.1.2)."""
    if kind is CounterKind.SQUAD and Mark.REDUCED in marks:
        return Kind.HALF_SQUAD
    if kind is CounterKind.LEADER and Mark.WOUNDED in marks:
        return Kind.WOUNDED_LEADER
    return _KINDS[kind]
