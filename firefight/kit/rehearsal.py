"""How a game with a conductor is played many times without a table: by which policies, and what must hold meanwhile.

A game declares it as ``REHEARSAL`` in a module ``rehearsal`` of its folder, where the frame finds it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random

from firefight.engine.course.conducting import Ask, Standing
from firefight.engine.course.keeping import TableState
from firefight.engine.values import Values


@dataclass(frozen=True, slots=True)
class PolicyAsk:
    """A decision, as a policy is asked for it. ``chance``: what it may draw lots with, the same for the same seed."""

    ask: Ask
    standing: Standing
    situation: TableState
    chance: Random


Policy = Callable[[PolicyAsk], str]  # the slug of the choice


def choose_any(question: PolicyAsk) -> str:
    """Any legal choice, each as likely."""
    return question.chance.choice(question.ask.choices).slug


def _nowhere(situation: TableState) -> Values | None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Rehearsal:
    """``policies``: who decides, by name. ``agreed``: the options, unless somebody says otherwise.

    ``find_outcome``: how a game has ended, in a word; "" while it goes on. ``lead_on``: what is changed of place and
    record where no procedure is under way and none begins, as players would; None where nothing is left to do.
    ``invariants``: what must hold after every step, by name: each says what is wrong, "" for nothing. ``measures``:
    numbers of a game that has ended, such as its turns. ``sketch``: the state in a line, which a golden game has at
    every question; it shows what no sentence tells.
    """

    policies: Mapping[str, Policy]
    find_outcome: Callable[[Standing | None, TableState], str]
    agreed: Mapping[str, str] = field(default_factory=dict)
    lead_on: Callable[[TableState], Values | None] = _nowhere
    invariants: Mapping[str, Callable[[Standing | None, TableState], str]] = field(default_factory=dict)
    measures: Mapping[str, Callable[[Standing | None, TableState], int]] = field(default_factory=dict)
    sketch: Callable[[Standing | None, TableState], str] | None = None
