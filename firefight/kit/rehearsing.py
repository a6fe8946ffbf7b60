"""A whole game without a table, as its conductor goes on by itself: a policy decides, a seed throws. All of it is pure.

What a match would store whenever players are asked is checked as the match would check it.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Protocol

from firefight.engine.course.conducting import Answer, Ask, Standing, StepTaken, Throw, Told
from firefight.engine.course.course import Course
from firefight.engine.course.keeping import TableState
from firefight.engine.record import BadValue
from firefight.engine.rolls.changes import merge_changes
from firefight.engine.rolls.dice import DieSpec, Face
from firefight.engine.values import Values

from .conductor import Conductor
from .rehearsal import Broken, BrokenRehearsal, Played, SeededChance, Terms

MOST_STEPS = 200_000  # of one game, which might otherwise never end
ENDLESS = "does not end"


@dataclass(frozen=True, slots=True)
class PolicyAsk:
    """A decision, as a policy is asked for it. ``chance``: to draw lots with, the same for the same seed."""

    ask: Ask
    standing: Standing
    situation: TableState
    chance: Random


Policy = Callable[[PolicyAsk], str]  # the slug of the choice


def choose_any(question: PolicyAsk) -> str:
    """Any legal choice, all equally likely."""
    return question.chance.choice(question.ask.choices).slug


def _nowhere(situation: TableState) -> Values | None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class ConductedRehearsal:
    """How a game with a conductor plays itself.

    ``policies``: those who may decide, by name. ``agreed``: the options, unless somebody says otherwise.

    ``find_outcome``: how a game has ended, in a word; "" while it goes on. ``lead_on``: what is changed in place and
    record where no procedure is under way and none begins, as players would; None where nothing is left to do.
    ``invariants``: what must hold after every step, by name: each says what is wrong, "" for nothing. ``measures``:
    numbers of a game that has ended, such as its turns. ``sketch``: the state in a line, which a golden game has at
    every question; it shows what no sentence tells.
    """

    policies: Mapping[str, Policy]
    find_outcome: Callable[[Standing | None, TableState], str]
    agreed: Mapping[str, str] = field(default_factory=dict)
    terms: Mapping[str, Sequence[str]] = field(default_factory=dict)
    lead_on: Callable[[TableState], Values | None] = _nowhere
    invariants: Mapping[str, Callable[[Standing | None, TableState], str]] = field(default_factory=dict)
    measures: Mapping[str, Callable[[Standing | None, TableState], int]] = field(default_factory=dict)
    sketch: Callable[[Standing | None, TableState], str] | None = None

    def play(self, policy: str, seed: int, terms: Terms, listener: "Listener | None" = None) -> Played:
        """One game. ``listener``: hears of all that happens. Raises BrokenRehearsal, which names the seed."""
        stage = Playing(self, terms, listener)
        try:
            outcome = stage.play(Seeded(self.policies[policy], seed))
        except BrokenRehearsal as error:
            raise BrokenRehearsal(f"Seed {seed}, {error}") from error
        measures = {name: measure(stage.standing, stage.situation) for name, measure in self.measures.items()}
        return Played(seed, outcome, stage.steps, stage.choices, stage.throws, measures, tuple(stage.flaws))


class Deciding(Protocol):
    """Whoever decides and throws."""

    def choose(self, question: Ask, standing: Standing, situation: TableState) -> str:
        """The slug of a choice."""

    def throw(self, spec: DieSpec) -> Face:
        """What the dice show."""


class Listener(Protocol):
    """Whoever hears of all that happens."""

    def stand(self, facts: Values) -> None:
        """The match has come to another place in its course."""

    def ask(self, question: Ask, choice: str, sketch: str) -> None:
        """A side has decided."""

    def fall(self, throw: Throw, face: Face) -> None:
        """Dice have been thrown."""

    def tell(self, event: Told) -> None:
        """Something has happened."""


class Seeded:
    """A policy that decides, and the dice of a seed."""

    def __init__(self, policy: Policy, seed: int):
        self.policy, self.chance = policy, SeededChance(seed)

    def choose(self, question: Ask, standing: Standing, situation: TableState) -> str:
        return self.policy(PolicyAsk(question, standing, situation, self.chance.lots))

    def throw(self, spec: DieSpec) -> Face:
        return self.chance.throw(spec)


@dataclass
class Playing:
    """A game under way. ``standing``: where its procedure stands, None where none is under way."""

    rehearsal: ConductedRehearsal
    terms: Terms
    listener: Listener | None = None
    standing: Standing | None = None
    steps: int = 0
    choices: int = 0
    throws: int = 0
    flaws: list[Broken] = field(default_factory=list)

    def __post_init__(self) -> None:
        game, options = self.terms.game, self.terms.options
        self.course: Course = game.find_course(options)
        self.situation = TableState(self.course.begin(), game.record.defaults, self.terms.charts, options=options)
        if game.conductor is None:
            raise BrokenRehearsal(f"{game.title} has no procedure that goes on by itself.")
        self.rules: Conductor = game.conductor

    @property
    def outcome(self) -> str:
        """How the game has ended, "" while it goes on."""
        return self.rehearsal.find_outcome(self.standing, self.situation)

    def play(self, by: Deciding) -> str:
        """Play to the end; returns the outcome. Raises BrokenRehearsal."""
        self._tell_place()
        while not (outcome := self.outcome):
            if self.steps >= MOST_STEPS:
                return ENDLESS
            try:
                if not self._go_on(by):
                    return "nothing left to do"
            except Exception as error:
                words = f"after step {self.steps}, at {json.dumps(self.standing, default=str)[:300]}: {error!r}"
                raise BrokenRehearsal(words) from error
        return outcome

    def _go_on(self, by: Deciding) -> bool:
        """One step. Returns whether there was one."""
        if self.standing is None:
            self.standing = self.rules.begin(self.situation)
        if self.standing is None:
            change = self.rehearsal.lead_on(self.situation)
            if change is not None:
                self._change(change)
            return change is not None
        answer = self._find_answer(self.standing, by)
        step: StepTaken = self.rules.go_on(self.standing, self.situation, answer)
        self.steps += 1
        self.standing = step.standing
        for event in step.told:
            if self.listener:
                self.listener.tell(event)
            self._change(merge_changes(event.changes))
        if self.terms.is_checked:
            self.flaws += (Broken(self.steps, invariant, words) for invariant, words in self._find_broken())
        return True

    def _find_answer(self, standing: Standing, by: Deciding) -> Answer:
        awaited = self.rules.find_wanted(standing, self.situation)
        if isinstance(awaited, Throw):
            face = by.throw(awaited.spec)
            self.throws += 1
            if self.listener:
                self.listener.fall(awaited, face)
            return face
        if not isinstance(awaited, Ask):
            return None
        if self.terms.is_checked:
            self.flaws += (Broken(self.steps, "kept", words) for words in self._find_unkept(standing))
        choice = by.choose(awaited, standing, self.situation)
        if awaited.find(choice) is None:
            raise BadValue(f"“{choice}” is not one of the choices of: {awaited.question}")
        self.choices += 1
        if self.listener:
            sketch = self.rehearsal.sketch(standing, self.situation) if self.rehearsal.sketch else ""
            self.listener.ask(awaited, choice, sketch)
        return choice

    def _find_unkept(self, standing: Standing) -> Iterator[str]:
        """Why a match could not keep where the game stands, and get it back from a file."""
        if json.loads(json.dumps(standing)) != standing:
            yield "is not the same once it was written as JSON."
        yield from self.terms.game.record.flaws({**self.situation.record, self.rules.field: standing})

    def _find_broken(self) -> Iterator[tuple[str, str]]:
        for name, find_flaw in self.rehearsal.invariants.items():
            if words := find_flaw(self.standing, self.situation):
                yield name, words

    def _change(self, changes: Values) -> None:
        """Make changes of place and record. Raises BadValue, BadMove."""
        if not changes:
            return
        place = {name: value for name, value in changes.items() if name in self.course.allowed()}
        record_values = {name: value for name, value in changes.items() if name not in place}
        if record_values:
            self.situation = replace(
                self.situation, record=self.terms.game.record.apply(self.situation.record, record_values)
            )
        if place:
            position = self.course.change(self.situation.position, place)
            self.situation = replace(self.situation, position=position)
            self._tell_place()

    def _tell_place(self) -> None:
        if self.listener:
            self.listener.stand(self.course.facts(self.situation.position))
