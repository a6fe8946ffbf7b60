"""How a game is played many times without a table: by whom, what comes of it, and what must hold meanwhile.

A game that has a module ``rehearsal`` has a ``REHEARSAL`` in it. One with a conductor declares how the app goes on by
itself (``ConductedRehearsal``); any other plays in its own way.
"""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Protocol

from firefight.engine.charts.book import Book
from firefight.engine.rolls.dice import DieSpec, Face, rolled_face

from .game import Game


class BrokenRehearsal(Exception):
    """A game could not be played to its end: where it stood, and why."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What a game is rehearsed with. ``options``: what was agreed. ``is_checked``: whether everything is checked."""

    game: Game
    charts: Book
    options: Mapping[str, str]
    is_checked: bool = True


@dataclass(frozen=True, slots=True)
class Broken:
    """Something that must not be. ``step``: the step of the game after which it was. ``what``: the broken invariant."""

    step: int
    what: str
    words: str


@dataclass(frozen=True, slots=True)
class Played:
    """A game that has been played. ``seed``: of its dice. ``measures``: its numbers, such as its turns."""

    seed: int
    outcome: str
    steps: int
    choices: int
    throws: int
    measures: Mapping[str, int]
    flaws: tuple[Broken, ...]


class Rehearsal(Protocol):
    """A game that plays itself. What a seed leads to is the same whenever and wherever it is played."""

    @property
    def policies(self) -> Collection[str]:
        """Those who may decide, by name; the first one, unless somebody says otherwise."""

    @property
    def terms(self) -> Mapping[str, Sequence[str]]:
        """What can be agreed besides the game's options, by name; the first choice is the usual one."""

    @property
    def agreed(self) -> Mapping[str, str]:
        """The game's options as agreed, unless somebody says otherwise."""

    def play(self, policy: str, seed: int, terms: Terms) -> Played:
        """One game. Raises BrokenRehearsal, which names the seed."""


class SeededChance:
    """What a seed gives: ``lots`` for whoever decides, and dice drawn as a match draws its own."""

    def __init__(self, seed: int):
        self.lots = Random(f"policy {seed}")
        self._seed, self._number = hashlib.sha256(f"rehearsal {seed}".encode()).digest(), 0

    def throw(self, spec: DieSpec) -> Face:
        """The next numbers."""
        faces = tuple(self.roll(spec.sides) for _ in range(spec.number))
        return faces if spec.is_pool else sum(faces)

    def roll(self, sides: int) -> int:
        """The next number of one die."""
        self._number += 1
        return rolled_face(self._seed, self._number, sides)
