"""Counters in play: what a match knows of each piece on its table, and what a roll makes of one.

A counter is known by its id, "red-7": its side, and a number within that side which is never given twice. What the
words of its ``state`` mean is the game's business (firefight/kit/counters.py, CounterRules).
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import Any, NamedTuple, Protocol, Self

from firefight.engine.errors import BadInput
from firefight.engine.rolls.result import Result, Source
from firefight.engine.values import Json, Values


class CounterFate(StrEnum):
    """Why a counter is not in play any more; blank while it is."""

    IN_PLAY = ""
    ELIMINATED = "eliminated"
    RETURNED = "returned"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class CounterInPlay:
    """One counter. ``counter`` is its key in the gallery, ``name`` what players call it.

    ``place``: a hex as the map prints it, "" for none; ``level``: "" on the ground, "1", "cellar". ``area``: the sector
    of a campaign, "" off the map. ``state``: words of the game. ``levels``: numbers that it has besides, by the game's
    names for them: steps left, dots. ``hidden``: its side alone knows where it is.
    ``closed``: others see that it is there, and not what it is; they know it by its ``alias`` then, a new id
    whenever closed pieces come together, so that nobody follows one of them through a stack.
    ``beside``: the id of the counter that it rides on, or is led by. ``note``: its side's own words, which nobody else
    is ever told.
    """

    id: str
    side: str
    counter: str
    name: str
    place: str = ""
    level: str = ""
    area: str = ""
    state: tuple[str, ...] = ()
    levels: Mapping[str, int] = field(default_factory=dict, hash=False)
    hidden: bool = False
    closed: bool = False
    alias: str = ""
    fate: str = ""
    beside: str = ""
    note: str = ""

    @classmethod
    def from_json(cls, plain: Values) -> Self:
        fields_known = {name: plain[name] for name in _NAMES if name in plain}
        return cls(**{"counter": ""} | fields_known | {"state": tuple(fields_known.get("state", ()))})

    def to_json(self) -> Json:
        """As plain values; what is blank is left out."""
        values = {name: value for name in _NAMES if (value := getattr(self, name))}
        return values | ({"state": list(self.state)} if self.state else {})

    @property
    def number(self) -> int:
        return number_of(self.id)

    @property
    def in_play(self) -> bool:
        """Whether it is not gone."""
        return not self.fate


_NAMES = tuple(counter_field.name for counter_field in fields(CounterInPlay))
# What can change in a counter, in the order in which a sentence says so.
CHANGING = ("state", "levels", "fate", "place", "level", "area", "hidden", "closed", "beside", "note")


class Hideable(Protocol):
    """What its side may hide: a counter, or the row of a unit."""

    @property
    def side(self) -> str: ...
    @property
    def hidden(self) -> bool: ...


def hides_from(counter: Hideable, sees: Collection[str]) -> bool:
    """Whether a counter is hidden from somebody who may see these sides' secrets."""
    return counter.hidden and counter.side not in sees


def closes_to(counter: CounterInPlay, sees: Collection[str]) -> bool:
    """Whether somebody who may see these sides' secrets sees a counter without knowing what it is."""
    return counter.closed and counter.side not in sees


def show_closed(counter: CounterInPlay, called: str) -> CounterInPlay:
    """What stands for a closed counter before others: where it is and whose. ``called``: as all such are."""
    known_as = counter.alias or counter.id
    position = {name: getattr(counter, name) for name in ("place", "level", "area", "hidden", "fate")}
    return CounterInPlay(known_as, counter.side, "", called, closed=True, **position)


def know_in_sight(counter: CounterInPlay, sees: Collection[str], hidden: Collection[str]) -> CounterInPlay:
    """A counter in sight as somebody who may see these sides' secrets knows it: without another side's note, and
    beside nobody who is ``hidden`` (ids)."""
    note = counter.note if counter.side in sees else ""
    beside = "" if counter.beside in hidden else counter.beside
    is_same = (note, beside) == (counter.note, counter.beside)
    return counter if is_same else replace(counter, note=note, beside=beside)


def list_known(counters: Iterable[CounterInPlay], sees: Collection[str], called: str = "") -> list[CounterInPlay]:
    """Those counters that somebody who may see these sides' secrets knows of, as they are known.

    ``called``: what a closed one is called by those who do not know it. Those come in the order of the ids by which
    they are known, among their side's.
    """
    everybody = list(counters)
    hidden = {counter.id for counter in everybody if hides_from(counter, sees)}
    closed = {counter.id for counter in everybody if closes_to(counter, sees)}
    in_sight = (counter for counter in everybody if counter.id not in hidden)
    known_counters = [
        show_closed(counter, called) if counter.id in closed else know_in_sight(counter, sees, hidden | closed)
        for counter in in_sight
    ]
    if not closed:
        return known_counters
    sides = list(dict.fromkeys(counter.side for counter in everybody))
    return sorted(known_counters, key=lambda counter: (sides.index(counter.side), counter.number))


def id_of(side: str, number: int) -> str:
    """The id of a side's counter."""
    return f"{side}-{number}"


def number_of(counter_id: str) -> int:
    """The number in a counter's id; 0 where there is none."""
    number = counter_id.rpartition("-")[2]
    return int(number) if number.isascii() and number.isdigit() else 0


def find_changes(before: CounterInPlay, after: CounterInPlay) -> dict[str, list[Any]]:
    """What differs between two states of a counter, as plain values: each field as it was and as it is."""
    return {
        name: [write_field(getattr(before, name)), write_field(getattr(after, name))]
        for name in CHANGING
        if getattr(before, name) != getattr(after, name)
    }


def write_field(value: object) -> object:
    """What a counter's field holds as plain values."""
    return list(value) if isinstance(value, tuple) else dict(value) if isinstance(value, Mapping) else value


# Levels


class LevelBounds(NamedTuple):
    """The bounds within which a number of a kind of counter stays, and the number that it begins with."""

    low: int
    high: int
    start: int


def set_level(
    counter: CounterInPlay, bounds: Mapping[str, LevelBounds], labels: Mapping[str, str], name: str, number: int
) -> CounterInPlay:
    """A counter with one of its numbers at another value. Raises BadInput for one that it cannot have."""
    label = labels.get(name, name)
    if name not in bounds:
        raise BadInput({name: f"{counter.name} has no {label}."})
    low, high, _ = bounds[name]
    if not low <= number <= high:
        raise BadInput({name: f"{counter.name}: {label} from {low} to {high}, not {number}."})
    return replace(counter, levels={**counter.levels, name: number})


def describe_levels(levels: Mapping[str, int], labels: Mapping[str, str]) -> list[str]:
    """Numbers of a counter in words: "Dots 2"."""
    return [f"{labels.get(name, name)} {number}" for name, number in levels.items()]


def name_level(name: str, number: int) -> str:
    """What happens to a counter whose number is set, as a word: "dots=2"."""
    return f"{name}={number}"


def read_set_level(word: str) -> tuple[str, int] | None:
    """The number that a word sets, and at which value; None for a word of another kind.

    >>> read_set_level("dots=2"), read_set_level("step=-1"), read_set_level("shaken")
    (('dots', 2), ('step', -1), None)
    """
    match = re.fullmatch(r"(\w+)=(-?\d{1,3})", word, re.ASCII)
    return (match[1], int(match[2])) if match else None


class Piece(NamedTuple):
    """A counter with what the gallery says about its kind. ``book``: the content that it belongs to, "" if shipped."""

    counter: CounterInPlay
    kind: Any
    book: str = ""


GOES_TO = "to:"  # how a word begins that says where a counter goes


def split_way(word: str) -> tuple[str, str]:
    """What happens to a counter, and the place to which it goes, "" for none.

    >>> split_way("dots=2 to:ford"), split_way("to:Old mill"), split_way("shaken")
    (('dots=2', 'ford'), ('', 'Old mill'), ('shaken', ''))
    """
    words, arrow, place = f" {word}".partition(f" {GOES_TO}")
    return words.strip(), place


@dataclass(frozen=True, slots=True)
class CounterChange:
    """What a roll makes of a counter: a ``Change`` of a Result (engine/rolls/changes.py).

    ``becomes``: one of the game's words for what happens to a counter, or several in their order, or with ``number``
    the name of a level that is set: CounterChange("red-7", "dots", 2). ``to``: the place to which it goes besides.
    ``sentence``: says so, "" where the result's own effects say it already.
    """

    id: str
    becomes: str = ""
    number: int | None = None
    to: str = ""
    sentence: str = ""
    known_to: str = ""

    @property
    def word(self) -> str:
        """What happens to it, as CounterRules take it."""
        word = self.becomes if self.number is None else name_level(self.becomes, self.number)
        return f"{word} {GOES_TO}{self.to}".strip() if self.to else word

    @property
    def values(self) -> Values:
        """What becomes of which counter, as plain values."""
        return {"counters": {self.id: self.word}}

    @property
    def sentences(self) -> tuple[str, ...]:
        """The same in words."""
        return (self.sentence,) if self.sentence else ()


VALUE = "value"  # how the names of fields for values of counters begin


@dataclass(frozen=True, slots=True)
class AskedValue:
    """Something that a roll needs and nobody knows yet. ``field``: what it is called when it is sent with the roll.

    ``low`` and ``high``: the bounds of a number, None for what is typed as a chart has it. ``choices``: what its
    numbers stand for, where they are names.
    ``side``, ``counter`` and ``value``: whose it is, where it belongs to a kind of counter and is kept for the match.
    ``told``: what was answered, as it was typed; "" while nobody has.
    """

    field: str
    label: str
    low: int | None = None
    high: int | None = None
    side: str = ""
    counter: str = ""
    value: str = ""
    told: str = ""
    choices: tuple[tuple[int, str], ...] = ()

    @classmethod
    def of(
        cls, piece: Piece, value: str, label: str, low: int, high: int, choices: tuple[tuple[int, str], ...] = ()
    ) -> Self:
        """The question for a value of a counter's kind. ``label``: what the value is called."""
        side, key = piece.counter.side, piece.kind.key
        field = value_field(side, key, value)
        return cls(field, f"{piece.kind.name}: {label}", low, high, side, key, value, choices=choices)


class LackingValues(BadInput):
    """A roll needs numbers that nobody has given yet: ``asked`` says which, each once, for a page to ask for them."""

    def __init__(self, values_lacking: Iterable[AskedValue]):
        self.asked = tuple({value.field: value for value in values_lacking}.values())
        super().__init__({value.field: f"{value.label}?" for value in self.asked})


class Way(NamedTuple):
    """A way to make a roll that its counters leave open: with their firepower, with a gun."""

    value: str
    label: str


WAY = "way"  # what a way is called when it is sent with a roll


@dataclass(frozen=True, slots=True)
class Account:
    """How the values that counters fill a form with come about: in words, and whose values they are.

    ``ways``: how the roll can be made with them; ``way``: the way that this is an account of. ``asked``: what players
    have to tell first; what depends on it is not filled in yet.
    """

    words: str = ""
    sources: tuple[Source, ...] = ()
    ways: tuple[Way, ...] = ()
    way: str = ""
    asked: tuple[AskedValue, ...] = ()

    @classmethod
    def from_json(cls, plain: Values) -> Self:
        """From plain values. Raises ValueError for anything else."""
        words, provenances = plain.get("words", ""), plain.get("provenance", ())
        if not isinstance(words, str) or not all(isinstance(provenance, str) for provenance in provenances):
            raise ValueError("An account of counters has words and provenances.")
        return cls(words, counter_sources(provenances))

    def to_json(self) -> Json:
        """As plain values; what is blank is left out."""
        values = {"words": self.words, "provenance": [source.provenance for source in self.sources]}
        return {name: value for name, value in values.items() if value}

    def add_to(self, result: Result) -> Result:
        """A result that says so, and names whose values of counters decided."""
        if not (self.words or self.sources):
            return result
        words = (f"{self.words}.",) if self.words else ()
        effects, provenance = (*words, *result.effects), (*result.provenance, *self.sources)
        return replace(result, effects=effects, provenance=provenance)


NO_ACCOUNT = Account()


def counter_sources(origins: Iterable[str]) -> tuple[Source, ...]:
    """Where values of counters come from, for a result that used them: owner's, house's or the text's, each once."""
    provenances = set(origins)
    return tuple(
        Source("counters", "Counters", provenance)
        for provenance in ("owner", "house", "text")
        if provenance in provenances
    )


def value_field(side: str, counter: str, value: str) -> str:
    """What the value of a kind of counter is called when it is sent with a roll."""
    return f"{VALUE}:{side}:{counter}:{value}"


SIDE = r"[a-z][a-z0-9_]{0,15}"  # how a game may call a side, so that an id says whose a counter is
COUNTER_ID = re.compile(rf"{SIDE}-[0-9]{{1,6}}", re.ASCII)
MENTIONED = rf"( {COUNTER_ID.pattern})+ "  # as ``write_mentions`` writes them


def ids_named(inputs: Values, role: str) -> tuple[str, ...]:
    """The ids of the counters that a roll names in a role; a form may keep rows or places under that name instead."""
    values = inputs.get(role)
    ids = [value for value in values if isinstance(value, str)] if isinstance(values, (list, tuple)) else []
    return tuple(filter(COUNTER_ID.fullmatch, ids))


def write_mentions(ids: Iterable[str]) -> str:
    """The ids of counters as a line of the log keeps them, to be found again: " red-7 blue-3 "."""
    listed = " ".join(dict.fromkeys(ids))
    return f" {listed} " if listed else ""
