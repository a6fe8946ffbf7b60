"""The marks of a counter: which it can carry, and what Casualties do to it (18.1, 18.2)."""

from collections.abc import Collection, Iterable

from firefight.engine.labels import Labelled

from .counters import CounterKind
from .units import Kind


class Mark(Labelled):
    """A state or marker of a unit. Some last from one firefight into the next, the others come off between.

    EXITED: left by its own edge in this firefight; HELD: did so in an earlier one, and may come back (20.11.1).
    HE_USED: of an aircraft, in this firefight; MG_USED: in this turn (17.6.3). MOVE_SIDE: of an SW team or a crew,
    which fights with that side in close combat whichever is up (19.3.1).
    """

    REDUCED = "reduced", "reduced"
    WOUNDED = "wounded", "wounded"
    M_KILLED = "m_killed", "M-KILLED"
    F_KILLED = "f_killed", "F-KILLED"
    PINNED = "pinned", "Pinned Down"
    SUPPRESSED = "suppressed", "Suppressed"
    DISRUPTED = "disrupted", "Disrupted"
    WIA = "wia", "WIA"
    ENFILADED = "enfiladed", "under Enfilade"
    IN_SEWER = "in_sewer", "in a sewer"
    CLOSE_COMBAT = "close_combat", "in close combat"
    EXITED = "exited", "left the map"
    HELD = "held", "held off the map"
    HE_USED = "he_used", "HE used"
    MG_USED = "mg_used", "MG used this turn"
    MOVE_SIDE = "move_side", "on the 1-2 side"


# Each of these takes the place of the others: a unit is in one state of 18.2.
ORDERLY = (Mark.PINNED, Mark.DISRUPTED, Mark.WIA)
_OF_VEHICLES = frozenset({Mark.M_KILLED, Mark.F_KILLED, Mark.SUPPRESSED})
_OF_INFANTRY = frozenset({Mark.PINNED, Mark.DISRUPTED, Mark.WIA, Mark.IN_SEWER})
_OF_CREWS = frozenset({Mark.MOVE_SIDE})
_OF_AIRCRAFT = frozenset({Mark.HE_USED, Mark.MG_USED})
# Marks that a kind of counter cannot carry.
_BARRED = {
    CounterKind.SQUAD: _OF_VEHICLES | _OF_CREWS | {Mark.WOUNDED},
    CounterKind.LEADER: _OF_VEHICLES | _OF_CREWS | {Mark.REDUCED},
    CounterKind.SW_TEAM: _OF_VEHICLES | {Mark.WOUNDED, Mark.REDUCED},
    CounterKind.GUN: _OF_VEHICLES | {Mark.WOUNDED, Mark.REDUCED},
    CounterKind.VEHICLE: _OF_INFANTRY | _OF_CREWS | {Mark.WOUNDED, Mark.REDUCED},
}
# What stands or moves on the map as a unit; the rest are markers, or fly.
UNIT_KINDS = frozenset(_BARRED)
# What stands on the map and is not a unit: mines, trenches, nest markers (20.6.2).
MARKERS = frozenset({CounterKind.FORTIFICATION, CounterKind.MARKER})
_KINDS = {
    CounterKind.SQUAD: Kind.SQUAD,
    CounterKind.LEADER: Kind.LEADER,
    CounterKind.SW_TEAM: Kind.SW_TEAM,
    CounterKind.GUN: Kind.CREW,
    CounterKind.VEHICLE: Kind.VEHICLE,
}


def may_carry(kind: CounterKind) -> frozenset[Mark]:
    """The marks that counters of a kind can have."""
    if kind is CounterKind.AIRCRAFT:
        return _OF_AIRCRAFT
    return frozenset(Mark) - _BARRED[kind] - _OF_AIRCRAFT if kind in _BARRED else frozenset()


def flip_marks(marks: Iterable[str], mark: Mark) -> list[str]:
    """The marks of a unit that Casualties flip: it sheds Pinned Down, Disrupted and WIA (18.1.4)."""
    return [*(carried for carried in marks if carried not in ORDERLY), mark.value]


def mark_casualty(kind: CounterKind, marks: Collection[str]) -> Mark | None:
    """What Casualties do to a unit: the mark that it gets, or None if it is eliminated (18.1.2, 18.2.2, A-38).

    Vehicles have no Casualties: do not ask about them.
    """
    mark = {CounterKind.SQUAD: Mark.REDUCED, CounterKind.LEADER: Mark.WOUNDED}.get(kind)
    return None if mark is None or mark in marks else mark


def marks_after_casualties(kind: CounterKind, marks: Collection[str]) -> list[str] | None:
    """The marks of a unit that takes Casualties, None if that is its end (18.1.2, 18.1.4, 18.2.2)."""
    mark = mark_casualty(kind, marks)
    return None if mark is None else flip_marks(marks, mark)


def is_unit(kind: CounterKind) -> bool:
    """Whether a counter is a unit that fights, moves and counts for control; mines and markers do not (20.6.2)."""
    return kind in UNIT_KINDS


def kind_in_combat(kind: CounterKind, marks: Collection[str]) -> Kind:
    """What a unit is in a firefight: a reduced squad is a half-squad, a leader may be wounded (18.1.2)."""
    if kind is CounterKind.SQUAD and Mark.REDUCED in marks:
        return Kind.HALF_SQUAD
    if kind is CounterKind.LEADER and Mark.WOUNDED in marks:
        return Kind.WOUNDED_LEADER
    return _KINDS[kind]
