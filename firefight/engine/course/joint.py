"""Rolls that both sides make together once each has declared its part: what a page shows, and what comes of it.

All of it is plain. What is declared and what is rolled then is the game's business (firefight/kit/joint.py,
JointRules).
"""

from collections.abc import Mapping
from dataclasses import dataclass

from firefight.engine.board.counters import CounterChange
from firefight.engine.record import RecordChange
from firefight.engine.rolls.result import FollowUp


@dataclass(frozen=True, slots=True)
class JointPlace:
    """A place where something is to be declared. ``words``: whose declaration it waits for; ``about``: its counters."""

    id: str
    title: str
    words: str = ""
    about: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class JointField:
    """Something that a side may choose: one of several, or with no ``choices`` to tick."""

    name: str
    label: str
    value: str = ""
    choices: Mapping[str, str] | None = None


@dataclass(frozen=True, slots=True)
class JointRoll:
    """A roll as it is declared or proposed: who against whom, at what odds, and what may come of it.

    ``about``: the counters of both, by id, those who attack first.
    """

    who: str
    odds: str
    about: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class JointSide:
    """What one side has declared, or may. ``is_open``: whoever looks may declare for it now."""

    side: str
    name: str
    rolls: tuple[JointRoll, ...]
    fields: tuple[JointField, ...] = ()
    is_declared: bool = False
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class JointSheet:
    """The sheet of one place. ``notes``: what speaks against declaring, or has to be known for it.

    ``fields``: what holds for both sides. ``may_wait``: whether whoever looks may have the other side declare first.
    """

    place: JointPlace
    sides: tuple[JointSide, ...]
    fields: tuple[JointField, ...] = ()
    notes: tuple[str, ...] = ()
    may_wait: bool = False

    @property
    def is_open(self) -> bool:
        """Whether there is something to declare here."""
        return any(side.is_open for side in self.sides)


@dataclass(frozen=True, slots=True)
class Declared:
    """What a declaration comes to: what is written down and, once all have declared, what is rolled.

    ``changes``: what becomes of counters before that. ``about``: the counters that it is about, by id.
    """

    change: RecordChange
    due: tuple[FollowUp, ...] = ()
    changes: tuple[CounterChange, ...] = ()
    about: tuple[str, ...] = ()
