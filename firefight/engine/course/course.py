"""What every course decides: where a match stands, what comes next, who acts, and what belongs to that step."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar

from firefight.engine.rolls.result import FollowUp
from firefight.engine.values import Json, Values

MOST_TURNS = 999
# The values that a fact of a position may have: whole numbers, or words.
Allowed = range | tuple[str, ...]


class BadMove(ValueError):
    """A course does not go that way from here, or has no such position; the message says why."""


class NoTurnLeft(BadMove):
    """The way leads out of the last turn."""


@dataclass(frozen=True, slots=True)
class Position:
    """Where a match stands in its course. What a course does not use stays as it is here.

    ``side``: who has the impulse or the turn. ``impulse``: its number in this turn. ``box``: of the track.
    ``passes``: how many sides have passed in a row.
    """

    turn: int = 1
    phase: str = ""
    side: str = ""
    impulse: int = 0
    box: int = 0
    passes: int = 0


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that has a name of its own, such as "15 September, night".

    ``facts``: what forms and files know of it, {"date": "1942-09-15", "time": "night"}. ``step``: what its reminders
    and helpers are listed under, where the time of day decides that. ``end``: the words on the button that ends it.
    """

    title: str
    facts: Mapping[str, str] = field(default_factory=dict)
    step: str = ""
    end: str = "Next turn"


@dataclass(frozen=True, slots=True)
class Button:
    """One way on from a position, and the words that say so. ``side``: whose it is to press, "" if it is anybody's."""

    slug: str
    title: str
    side: str = ""


@dataclass(frozen=True, slots=True)
class Move:
    """Where a button leads, and the sentence that the log gets."""

    position: Position
    sentence: str


Due = Callable[[Position, Values], Iterable[FollowUp]]
NOTHING_KEPT: Mapping[str, object] = MappingProxyType({})


def nothing_due(position: Position, record: Mapping[str, object]) -> Iterable[FollowUp]:
    """The rule of a game in which no roll is due by itself."""
    return ()


@dataclass(frozen=True, kw_only=True, eq=False)  # a game has one, by which what follows from it is kept
class Course(ABC):
    """The course of a game's turn.

    ``sides``: those who act in it, by slug, in order. ``turns``: all turns to the last, of a game that names them.
    ``first_turn``: where a match begins. ``last_turn``: of a game that counts them, 0 while nothing limits them.
    ``numbers_turns``: whether a turn's number is one of the facts. ``due``: which rolls are due where a match arrives,
    by its position and its record. ``shows_ways``: whether players go on so often that the ways on stand on the page
    itself, not in a menu alone.
    """

    shows_ways: ClassVar[bool] = False

    sides: Mapping[str, str] = field(default_factory=dict)
    turns: tuple[Turn, ...] = ()
    first_turn: int = 1
    last_turn: int = 0
    numbers_turns: bool = True
    due: Due = nothing_due

    # What a kind of course decides

    @abstractmethod
    def begin(self) -> Position:
        """Where a match begins."""

    @abstractmethod
    def buttons(self, position: Position, record: Mapping[str, object] = NOTHING_KEPT) -> tuple[Button, ...]:
        """The ways on, in the order of their buttons; the last one is the main way. ``record``: what a match keeps."""

    @abstractmethod
    def press(self, position: Position, slug: str, record: Values = NOTHING_KEPT) -> Move:
        """Follow a button. Raises BadMove where it does not stand."""

    @abstractmethod
    def headings(self, position: Position) -> tuple[str, ...]:
        """The position in words, the turn first: "Turn 2", "Melee Phase"."""

    @property
    @abstractmethod
    def steps(self) -> Mapping[str, str]:
        """The steps that reminders and helpers may belong to, with their titles."""

    @abstractmethod
    def step(self, position: Position) -> str:
        """The step of a position, "" where the course has no steps."""

    @abstractmethod
    def actor(self, position: Position) -> str:
        """The side that acts, "" where all do."""

    @abstractmethod
    def _own_facts(self) -> Mapping[str, tuple[str, Allowed]]:
        """The facts besides the turn: the field of Position that holds each, and the values that it may have."""

    # What follows from that

    @cached_property
    def _kept(self) -> Mapping[str, tuple[str, Allowed]]:
        """``_own_facts``, listed once, since every answer of a match asks for them."""
        return self._own_facts()

    def find_main_way(self, position: Position, record: Mapping[str, object]) -> str:
        """The button to press to just go on, "" where there is none."""
        return next((button.slug for button in reversed(self.buttons(position, record))), "")

    def leaves_step(self, before: Position, after: Position) -> bool:
        """Whether a match that goes from one position to another has done with its step, or its turn."""
        return after.turn != before.turn or self.step(after) != self.step(before)

    @property
    def end_of_turns(self) -> int:
        """The number of the last turn, 0 without one."""
        return len(self.turns) or self.last_turn

    @property
    def track(self) -> int:
        """How many boxes its track has, 0 without one."""
        return 0

    def turn_title(self, number: int) -> str:
        """A turn's name, or "Turn 3"."""
        return self.turns[number - 1].title if self.turns else f"Turn {number}"

    def allowed(self) -> dict[str, Allowed]:
        """Every fact of a position with the values that it may have, as forms and files name them."""
        own = {name: values for name, (_, values) in self._kept.items()}
        return {**self._turn_facts(), **own}

    def facts(self, position: Position) -> dict[str, object]:
        """A position as forms and files know it."""
        turn = {**({"turn": position.turn} if self.numbers_turns else {}), **self._named(position.turn)}
        return turn | {
            name: self._say_fact(name, getattr(position, field_name)) for name, (field_name, _) in self._kept.items()
        }

    def change(self, position: Position, changes: Values) -> Position:
        """A position with some of its facts changed. Raises BadMove, with all that is wrong with them."""
        allowed = self.allowed()
        flaws = [
            f"{name}: {_say_allowed(allowed[name])}" if name in allowed else f"{name}: this course has no such value."
            for name, value in changes.items()
            if name not in allowed or not _is_in(value, allowed[name])
        ]
        if flaws:
            raise BadMove(" ".join(flaws))
        own: Json = {
            field_name: self._read_fact(name, changes[name])
            for name, (field_name, _) in self._kept.items()
            if name in changes
        }
        return replace(position, turn=self._find_turn(position, changes), **own)

    def flaws(self, position: Position) -> list[str]:
        """What is wrong with a position from outside; nothing in one that this course has led to."""
        if self.turns and not self.first_turn <= position.turn <= len(self.turns):
            return [f"turn: {_say_allowed(range(self.first_turn, len(self.turns) + 1))}"]
        facts, allowed = self.facts(position), self.allowed()
        wrong = [f"{name}: {_say_allowed(allowed[name])}" for name in facts if not _is_in(facts[name], allowed[name])]
        fields_used = {field_name for field_name, _ in self._kept.values()}
        fields_used |= {"turn"} if self._turn_facts() else set()
        blank = Position()
        unknown = [name for name in Position.__slots__ if name not in fields_used]
        return wrong + [
            f"{name}: this course has no such value."
            for name in unknown
            if getattr(position, name) != getattr(blank, name)
        ]

    # For the kinds of courses

    def _say_fact(self, name: str, value: object) -> object:
        """A fact as forms and files have it, from the value that a position keeps."""
        return value

    def _read_fact(self, name: str, value: Any) -> object:
        """The value that a position keeps, from what forms and files say."""
        return value

    def _turn_facts(self) -> dict[str, Allowed]:
        """The facts of the turn alone."""
        turns_ahead = self.turns[self.first_turn - 1 :]
        names = dict.fromkeys(name for turn in turns_ahead for name in turn.facts)
        facts_of_turns: dict[str, Allowed] = {
            name: tuple(dict.fromkeys(turn.facts[name] for turn in turns_ahead if name in turn.facts)) for name in names
        }
        numbers = range(self.first_turn, (self.end_of_turns or MOST_TURNS) + 1)
        return ({"turn": numbers} if self.numbers_turns else {}) | facts_of_turns

    def _named(self, number: int) -> Mapping[str, str]:
        return self.turns[number - 1].facts if self.turns else {}

    def _find_turn(self, position: Position, changes: Values) -> int:
        """The turn that changed facts point to: a date finds its turn."""
        number: int = changes.get("turn", position.turn)
        turn_facts = {name: value for name, value in changes.items() if name in self._turn_facts() and name != "turn"}
        if not turn_facts:
            return number
        facts = {**self._named(number), **turn_facts}
        numbers = [place for place, turn in enumerate(self.turns, 1) if turn.facts == facts]
        if not numbers or ("turn" in changes and number not in numbers):
            raise BadMove(f"There is no such turn: {', '.join(map(str, facts.values()))}.")
        return numbers[0]

    def _next_turn(self, position: Position) -> int:
        """The number of the next turn. Raises NoTurnLeft after the last one."""
        if position.turn >= (self.end_of_turns or MOST_TURNS):
            title = self.turn_title(position.turn)
            raise NoTurnLeft(f"{title} is the last: end the match when you are done.")
        return position.turn + 1

    def _next_side(self, side: str) -> str:
        order = list(self.sides)
        return order[(order.index(side) + 1) % len(order)]

    def _no_such_button(self, position: Position) -> BadMove:
        titles = " or ".join(f"“{button.title}”" for button in self.buttons(position))
        return BadMove(f"The course goes on with {titles} here." if titles else "This game has no course.")


def _is_in(value: object, allowed: Allowed) -> bool:
    if isinstance(allowed, range):
        return type(value) is int and value in allowed
    return isinstance(value, str) and value in allowed


def _say_allowed(allowed: Allowed) -> str:
    if isinstance(allowed, range):
        return f"should be a whole number from {allowed.start} to {allowed.stop - 1}."
    most = 20
    listed: Sequence[str] = allowed[:most]
    return f"should be one of: {', '.join(listed)}{' …' if len(allowed) > most else ''}."
