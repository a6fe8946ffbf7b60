"""What a match keeps besides its log: the fields that a game declares, their bounds, and what changes them.

Values are plain, as JSON has them, so that they can be stored, exported and compared. A change is plain too: a mapping
from a field's name to its new value, or to what is done with the old one (``add``, ``clamp``, ``take`` ...). The same
mapping stands in a roll's result, in its log line and in JSON.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from firefight.engine.board.places import BadPlace, Places
from firefight.engine.dates import BadDay, day_words, read_day
from firefight.engine.errors import RuleError

Values = Mapping[str, Any]


class BadValue(RuleError):
    """A value that a field of the record cannot have, or a change that does not fit it; ``flaws`` says all of them."""

    def __init__(self, *flaws: str):
        super().__init__(" ".join(flaws))
        self.flaws = flaws


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptField(ABC):
    """One thing that a match keeps.

    ``known_to``: the side that alone may see it, "" for all. ``by_hand``: whether players may set it themselves.
    ``optional``: it may be blank, which is None.
    """

    name: str = ""
    title: str = ""
    rule: str = ""
    known_to: str = ""
    by_hand: bool = True
    optional: bool = False

    @property
    @abstractmethod
    def default(self) -> Any:
        """What it is when a match begins."""

    @abstractmethod
    def read(self, value: Any) -> Any:
        """The value that was typed, or sent as JSON, as the record keeps it. Raises BadValue."""

    @abstractmethod
    def describe(self, value: Any) -> str:
        """A value in words."""

    def change(self, old: Any, change: Any) -> Any:
        """What becomes of an old value. Raises BadValue."""
        return self.read(change)

    def describe_change(self, change: Any) -> Iterator[str]:
        """A change in sentences."""
        yield f"{self.title}: {self.describe_or_blank(change)}."

    def describe_or_blank(self, value: Any) -> str:
        """``describe``, for a field that may be blank too."""
        return "nothing" if value is None else self.describe(value)

    def apply(self, old: Any, change: Any) -> Any:
        """``change``, for a field that may be blank too."""
        return None if self.optional and change in (None, "") else self.change(old, change)

    def read_or_blank(self, value: Any) -> Any:
        """``read``, for a field that may be blank too."""
        return None if self.optional and value in (None, "") else self.read(value)

    def hide(self, value: Any, sees: Sequence[str]) -> Any:
        """A value as somebody who may see these sides' secrets gets it: None where it is hidden."""
        return value if self.is_open_to(sees) else self.count(value)

    def count(self, value: Any) -> int | None:
        """What everybody may know of a hidden value: how many things it holds, None where it holds one."""
        return None

    def is_open_to(self, sees: Sequence[str]) -> bool:
        """Whether somebody who may see these sides' secrets may see this."""
        return not self.known_to or self.known_to in sees

    def secret_of(self, change: Any) -> set[str]:
        """The sides that alone may know of a change."""
        return {self.known_to} - {""}

    def strip(self, value: Any, sees: Sequence[str]) -> Any:
        """A value as somebody may take it along: what is hidden stands at its default."""
        return value if self.is_open_to(sees) else self.default

    def flaw(self, message: str) -> BadValue:
        """What is wrong with a value of this field."""
        return BadValue(f"{self.title}: {message}")


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptNumber(KeptField):
    """A whole number between two bounds."""

    low: int = 0
    high: int
    start: int | None = None

    @property
    def default(self) -> int | None:
        return None if self.optional else self.low if self.start is None else self.start

    def read(self, value: Any) -> int:
        if isinstance(value, str) and value.isascii() and value.strip().removeprefix("-").isdigit():
            value = int(value[:20])
        if type(value) is not int:
            raise self.flaw(f"give a whole number from {self.low} to {self.high}.")
        if not self.low <= value <= self.high:
            raise self.flaw(f"{value} is out of its bounds, {self.low} to {self.high}.")
        return value

    def describe(self, value: Any) -> str:
        return str(value)

    def change(self, old: Any, change: Any) -> int:
        match change:
            case {"add": int(more), **rest} if not rest:
                return self.read((old or 0) + more)
            case {"clamp": int(more), **rest} if not rest:
                return max(self.low, min(self.high, (old or 0) + more))
        return self.read(change)

    def describe_change(self, change: Any) -> Iterator[str]:
        match change:
            case {"add": int(more)}:
                yield f"{self.title}: {_more(more)}."
            case {"clamp": int(more)}:
                yield f"{self.title}: {_more(more)}, at {'most' if more > 0 else 'least'} " + (
                    f"{self.high if more > 0 else self.low} in all."
                )
            case _:
                yield f"{self.title}: {self.describe_or_blank(change)}."


def _more(number: int) -> str:
    return f"{abs(number)} {'fewer' if number < 0 else 'more'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptChoice(KeptField):
    """One of some words, each with how players say it; the first unless told."""

    choices: Mapping[str, str]
    start: str | None = None

    @property
    def default(self) -> str | None:
        return None if self.optional else next(iter(self.choices)) if self.start is None else self.start

    def read(self, value: Any) -> str:
        if not isinstance(value, str) or value not in self.choices:
            raise self.flaw(f"choose one of: {', '.join(self.choices)}.")
        return value

    def describe(self, value: Any) -> str:
        return self.choices.get(value, str(value))


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptFlag(KeptField):
    """Yes or no; no unless told."""

    start: bool = False

    @property
    def default(self) -> bool:
        return self.start

    def read(self, value: Any) -> bool:
        word = str(value).lower()
        if word not in (*_YES, *_NO):
            raise self.flaw("say yes or no.")
        return word in _YES

    def describe(self, value: Any) -> str:
        return "yes" if value else "no"


_YES, _NO = ("true", "1", "on", "yes"), ("false", "0", "off", "no", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptText(KeptField):
    """Some words; none unless told."""

    longest: int = 60

    @property
    def default(self) -> str | None:
        return None if self.optional else ""

    def read(self, value: Any) -> str:
        if not isinstance(value, str) or not value.isprintable():
            raise self.flaw("give words in one line.")
        words = " ".join(value.split())
        if len(words) > self.longest:
            raise self.flaw(f"at most {self.longest} characters.")
        return words

    def describe(self, value: Any) -> str:
        return value or "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptDay(KeptField):
    """A date from the first to the last day of a game, as 1942-09-27; the first unless told."""

    first: str
    last: str
    start: str | None = None

    @property
    def default(self) -> str | None:
        return None if self.optional else self.start or self.first

    def read(self, value: Any) -> str:
        try:
            day = read_day(value if isinstance(value, str) else "")
        except BadDay:
            raise self.flaw(f"give a date such as {self.first}.") from None
        if not self.first <= day <= self.last:
            raise self.flaw(f"{day} is no day from {self.first} to {self.last}.")
        return day

    def describe(self, value: Any) -> str:
        return day_words(value)


def is_called_so(places: Places[Any], text: str) -> bool:
    """Whether a place is called so, letter by letter."""
    try:
        return str(places.parse(text)) == text
    except BadPlace:
        return False


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptPlace(KeptField):
    """Where something is: one of a game's places."""

    places: Places[Any]
    start: str = ""

    @property
    def default(self) -> str | None:
        return None if self.optional else self.start

    def read(self, value: Any) -> str:
        try:
            return str(self.places.parse(value if isinstance(value, str) else ""))
        except BadPlace as error:
            raise self.flaw(str(error)) from None

    def describe(self, value: Any) -> str:
        return str(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptList(KeptField):
    """A list of like things, in the order in which they came: words, places, rows of what is due.

    Players type words with commas between them.
    """

    item: KeptField
    most: int = 60
    is_set: bool = False  # nothing stands in it twice
    start: tuple[Any, ...] = ()

    @property
    def default(self) -> list[Any]:
        return list(self.start)

    def read(self, value: Any) -> list[Any]:
        if isinstance(value, str):
            value = [part.strip() for part in value.split(",") if part.strip()]
        if not isinstance(value, (list, tuple)):
            raise self.flaw("give a list.")
        things = [self._item(each) for each in value]
        if len(things) > self.most:
            raise self.flaw(f"{len(things)} do not fit: at most {self.most}.")
        twice = [each for place, each in enumerate(things) if each in things[:place]]
        if self.is_set and twice:
            raise self.flaw(f"{self.item.describe(twice[0])} stands in it already.")
        return things

    def _item(self, value: Any) -> Any:
        try:
            return self.item.read(value)
        except BadValue as error:
            raise BadValue(*(f"{self.title}: {flaw.removeprefix(': ')}" for flaw in error.flaws)) from None

    def describe(self, value: Any) -> str:
        return ", ".join(self.item.describe(each) for each in value) or "nothing"

    def change(self, old: Any, change: Any) -> list[Any]:
        if not isinstance(change, Mapping):
            return self.read(change)
        if not change.keys() <= {"strike", "add", "push"}:
            raise self.flaw("things are struck and added.")
        struck, added, pushed = (_list_in(self, change, how) for how in ("strike", "add", "push"))
        left = list(old)
        for each in map(self._item, struck):
            if each not in left:
                raise self.flaw(f"{self.item.describe(each)} is not in it.")
            left.remove(each)
        for each in map(self._item, pushed):
            left = [*(other for other in left if other != each), each][-self.most :]
        return self.read([*left, *added])

    def describe_change(self, change: Any) -> Iterator[str]:
        if not isinstance(change, Mapping):
            yield from KeptField.describe_change(self, change)
            return
        for each in change.get("strike", ()):
            yield f"{self.title}: removed {self.item.describe(each)}."
        for each in (*change.get("push", ()), *change.get("add", ())):
            yield f"{self.title}: added {self.item.describe(each)}."

    def count(self, value: Any) -> int | None:
        return len(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptParts(KeptField):
    """Several fields under one name: the parts of a thing, or the columns of a row."""

    fields: tuple[KeptField, ...]

    @property
    def default(self) -> dict[str, Any]:
        return {each.name: each.default for each in self.fields}

    def read(self, value: Any) -> dict[str, Any]:
        # A part that is left out has to be one that may begin as it does: a place, say, does not.
        whole = {**self.default, **value} if isinstance(value, Mapping) else value
        return self._build(self.default, whole, lambda part, _, given: part.read_or_blank(given))

    def describe(self, value: Any) -> str:
        told = ((each, value.get(each.name)) for each in self.fields)
        return ", ".join(f"{each.title} {each.describe_or_blank(its)}" for each, its in told if its not in (None, ""))

    def change(self, old: Any, change: Any) -> dict[str, Any]:
        return self._build(old, change, lambda part, was, given: part.apply(was, given))

    def _build(self, old: Any, change: Any, make: Callable[[KeptField, Any, Any], Any]) -> dict[str, Any]:
        if not isinstance(change, Mapping):
            raise self.flaw("give a value for each of its parts by name.")
        known = {each.name: each for each in self.fields}
        flaws = [f"{self.title}: there is no “{name}” in it." for name in change if name not in known]
        new = dict(old)
        for name in change.keys() & known.keys():
            try:
                new[name] = make(known[name], old.get(name, known[name].default), change[name])
            except BadValue as error:
                flaws += [f"{self.title}, {flaw}" if self.title else flaw for flaw in error.flaws]
        if flaws:
            raise BadValue(*sorted(flaws))
        return new

    def describe_change(self, change: Any) -> Iterator[str]:
        for each in self.fields:
            if each.name in change:
                head = f"{self.title}, " if self.title else ""
                yield from (head + sentence for sentence in each.describe_change(change[each.name]))

    def hide(self, value: Any, sees: Sequence[str]) -> Any:
        if not self.is_open_to(sees):
            return None
        return {each.name: each.hide(value[each.name], sees) for each in self.fields}

    def secret_of(self, change: Any) -> set[str]:
        parts = (each.secret_of(change[each.name]) for each in self.fields if each.name in change)
        return KeptField.secret_of(self, change).union(*parts)

    def strip(self, value: Any, sees: Sequence[str]) -> Any:
        if not self.is_open_to(sees):
            return self.default
        return {each.name: each.strip(value[each.name], sees) for each in self.fields}


def _rank_id(id: str) -> list[Any]:
    """Where an id comes among others: red-2 before red-10."""
    return [int(part) if place % 2 else part for place, part in enumerate(re.split(r"([0-9]+)", id))]


ROW_ID = re.compile(r"[A-Za-z0-9]+([-:/][A-Za-z0-9]+)*")
LONGEST_ID = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptRows(KeptField):
    """Things of one kind by their ids, each with the same declared parts. A row holds what differs from the defaults.

    ``owner``: the part that names the side which alone knows a row, "" in it for all: nobody else hears that there is
    one. The id of such a row begins with the side, and only that side writes to such ids, so that nobody finds out by
    trying. ``label``: the part by which a sentence calls a row. ``places``: whose names the ids are, if they are any's.
    """

    parts: tuple[KeptField, ...]
    owner: str = ""
    label: str = ""
    most: int = 60
    places: Places[Any] | None = None

    @property
    def row(self) -> KeptParts:
        """What every row is made of."""
        return KeptParts(fields=self.parts)

    @property
    def default(self) -> dict[str, Any]:
        return {}

    def complete(self, row: Values) -> dict[str, Any]:
        """All parts of a row."""
        return {**self.row.default, **row}

    def owner_of(self, row: Values) -> str:
        """The side that alone knows a row, "" for all."""
        return self.known_to or (row.get(self.owner, "") if self.owner else "")

    def read(self, value: Any) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise self.flaw("give its rows by their ids.")
        return self.change({}, {"add": value})

    def describe(self, value: Any) -> str:
        return "; ".join(self._describe_row(id, row) for id, row in value.items()) or "nothing"

    def call(self, id: str, row: Values) -> str:
        """What a sentence calls a row."""
        return str(row.get(self.label) or id) if self.label else id

    def _describe_row(self, id: str, row: Values) -> str:
        plain = {name: value for name, value in row.items() if name not in (self.label, self.owner)}
        return ": ".join(filter(None, (self.call(id, row), self.row.describe(plain))))

    def change(self, old: Any, change: Any) -> dict[str, Any]:
        if not isinstance(change, Mapping) or not change.keys() <= {"add", "change", "strike"}:
            raise self.flaw("rows are added, changed and struck.")
        rows, flaws = dict(old or {}), []
        for id in _list_in(self, change, "strike"):
            if not isinstance(id, str) or rows.pop(id, None) is None:
                flaws.append(f"{self.title}: there is no “{id}”.")
        for how in ("add", "change"):
            for id, parts in _table_in(self, change, how).items():
                try:
                    rows[id] = self._change_row(rows.get(id), id, parts, is_new=how == "add")
                except BadValue as error:
                    flaws += error.flaws
        if len(rows) > self.most:
            flaws.append(f"{self.title}: {len(rows)} do not fit: at most {self.most}.")
        if flaws:
            raise BadValue(*flaws)
        return rows

    def _change_row(self, old: Values | None, id: str, parts: Any, is_new: bool) -> dict[str, Any]:
        if len(id) > LONGEST_ID or not ROW_ID.fullmatch(id):
            raise self.flaw(f"“{id[:LONGEST_ID]}” is no id of a row.")
        if self.places and not is_called_so(self.places, id):
            raise self.flaw(f"“{id}” is no place of its map.")
        if is_new and old is not None:
            raise self.flaw(f"there is a “{id}” already.")
        if not is_new and old is None:
            raise self.flaw(f"there is no “{id}”.")
        try:
            row = self.row.change(self.complete(old or {}), parts)
        except BadValue as error:
            raise BadValue(*(f"{self.title} {id}: {flaw.removeprefix(': ')}" for flaw in error.flaws)) from None
        if not id.startswith(self.owner_of(row)):
            raise self.flaw(f"what the {self.owner_of(row)} side alone knows has an id that begins so, not “{id}”.")
        fresh = self.row.default
        return {name: value for name, value in row.items() if value != fresh[name]}

    def describe_change(self, change: Any) -> Iterator[str]:
        """Which rows are added, changed and removed. Whose row it is need not be said."""
        for id, parts in change.get("add", {}).items():
            yield f"{self.title}: added {self._describe_row(id, parts)}."
        for id, parts in change.get("change", {}).items():
            told = {name: part for name, part in parts.items() if name != self.owner}
            yield from (f"{self.title} {id}, {sentence}" for sentence in self.row.describe_change(told))
        for id in change.get("strike", ()):
            yield f"{self.title}: removed {id}."

    def hide(self, value: Any, sees: Sequence[str]) -> Any:
        """The rows that somebody may know of, by their ids; the others are not there.

        Neither a database nor taking back keeps the order in which they came.
        """
        if not self.is_open_to(sees):
            return {}
        return {id: value[id] for id in sorted(value, key=_rank_id) if self.owner_of(value[id]) in ("", *sees)}

    def strip(self, value: Any, sees: Sequence[str]) -> Any:
        return self.hide(value, sees)

    def secret_of(self, change: Any) -> set[str]:
        """Whose secret a change is, as far as it says so itself: a rule that changes a sealed row says whose it is."""
        named = (self.owner_of(row) for how in ("add", "change") for row in change.get(how, {}).values())
        return KeptField.secret_of(self, change).union(named) - {""}

    def find_owners(self, value: Values, change: Any) -> set[str]:
        """The sides that alone know the rows which a change is about, as they stand or as they become."""
        if not isinstance(change, Mapping):
            return set()
        tables = [table for how in ("add", "change") if isinstance(table := change.get(how), Mapping)]
        stand = [self.owner_of(value[id]) for id in self._find_ids(change) if id in value]
        become = [self.owner_of(row) for table in tables for row in table.values() if isinstance(row, Mapping)]
        return {side for side in (*stand, *become) if isinstance(side, str)} - {""}

    def find_writers(self, change: Any) -> set[str]:
        """The sides whose ids a change names."""
        owner = next((part for part in self.parts if part.name == self.owner), None)
        sides = set(owner.choices) - {""} if isinstance(owner, KeptChoice) else set()
        ids = self._find_ids(change)
        return {side for side in sides if any(re.match(f"{side}[-:/]", id) for id in ids)}

    def _find_ids(self, change: Any) -> list[str]:
        tables = [change.get(how) for how in ("add", "change", "strike")] if isinstance(change, Mapping) else []
        return [id for table in tables if isinstance(table, (Mapping, list)) for id in table if isinstance(id, str)]

    def settle_change(self, change: Values, after: Values) -> dict[str, Any]:
        """A change that was made, with each part as it has become: what was typed may have been written otherwise."""
        settled = {
            how: {id: {name: self.complete(after[id])[name] for name in parts} for id, parts in change[how].items()}
            for how in ("add", "change")
            if how in change
        }
        return {**change, **settled}


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptDeck(KeptField):
    """Cards: those that are left to draw, and the discard. ``cards``: how many there are of each, ``words``: its names.

    A drawn card leaves the deck; where it goes is another field's business. Which of the cards that are left is drawn
    says a die over them, in the order in which ``left`` has them.
    """

    cards: Mapping[str, int]
    words: Mapping[str, str] = field(default_factory=dict)

    @property
    def default(self) -> dict[str, list[str]]:
        return {"left": [card for card, number in self.cards.items() for _ in range(number)], "discard": []}

    def read(self, value: Any) -> dict[str, list[str]]:
        if isinstance(value, str):
            value = [part.strip() for part in value.split(",") if part.strip()]
        if isinstance(value, (list, tuple)):  # the cards that are left, and no discard
            value = {"left": value, "discard": []}
        if not isinstance(value, Mapping) or not value.keys() <= {"left", "discard"}:
            raise self.flaw("give the cards that are “left” and those in the “discard”.")
        piles = {pile: value.get(pile, []) for pile in ("left", "discard")}
        for pile in piles.values():
            if not isinstance(pile, (list, tuple)) or not all(isinstance(card, str) for card in pile):
                raise self.flaw("give the cards as lists of their names.")
        self._check_number([*piles["left"], *piles["discard"]])
        return {pile: self._sort(cards) for pile, cards in piles.items()}

    def _check_number(self, cards: Sequence[str]) -> None:
        flaws = []
        for card, number in Counter(cards).items():
            if card not in self.cards:
                flaws.append(f"{self.title}: there is no card “{card}”; there are: {', '.join(self.cards)}.")
            elif number > self.cards[card]:
                flaws.append(f"{self.title}: there are {self.cards[card]} of {self.word(card)}, not {number}.")
        if flaws:
            raise BadValue(*flaws)

    def _sort(self, cards: Sequence[str]) -> list[str]:
        order = list(self.cards)
        return sorted(cards, key=order.index)

    def word(self, card: str) -> str:
        """What players call a card."""
        return self.words.get(card, card.replace("_", " "))

    def describe(self, value: Any) -> str:
        left = [f"{number} × {self.word(card)}" for card, number in Counter(value["left"]).items()]
        gone = [self.word(card) for card in value["discard"]]
        return f"{', '.join(left) or 'no cards'} left" + (f"; discarded {', '.join(gone)}" if gone else "")

    def change(self, old: Any, change: Any) -> dict[str, list[str]]:
        if not isinstance(change, Mapping) or not change.keys() & {"put_back", "take", "discard_of"}:
            return self.read(change)
        returned, drawn, discarded = (_list_in(self, change, how) for how in ("put_back", "take", "discard_of"))
        left, discard = list(old["left"]), list(old["discard"])
        for card in returned:
            self._move(card, discard, "is not in the discard")
            left.append(card)
        for card in drawn:
            self._move(card, left, "is not left in it")
        return self.read({"left": left, "discard": [*discard, *discarded]})

    def _move(self, card: Any, pile: list[str], message: str) -> None:
        if card not in pile:
            raise self.flaw(f"{self.word(str(card))} {message}.")
        pile.remove(card)

    def describe_change(self, change: Any) -> Iterator[str]:
        if not isinstance(change, Mapping) or not change.keys() & {"put_back", "take", "discard_of"}:
            yield from KeptField.describe_change(self, self.read(change))
            return
        verbs = {"put_back": "goes back into it", "take": "is drawn", "discard_of": "is discarded"}
        for how, verb in verbs.items():
            yield from (f"{self.title}: {self.word(card)} {verb}." for card in change.get(how, ()))

    def count(self, value: Any) -> int | None:
        return len(value["left"])


def _list_in(of: KeptField, change: Mapping[str, Any], how: str) -> Sequence[Any]:
    found = change.get(how, ())
    if not isinstance(found, (list, tuple)):
        raise of.flaw("give a list.")
    return found


def _table_in(of: KeptField, change: Mapping[str, Any], how: str) -> Mapping[str, Any]:
    found = change.get(how, {})
    if not isinstance(found, Mapping):
        raise of.flaw("give rows by their ids.")
    return found


# What can be done with an old value, beside giving a new one


def add(number: int) -> dict[str, int]:
    """So many more, or fewer; what leaves the bounds is refused."""
    return {"add": number}


def clamp(number: int) -> dict[str, int]:
    """So many more, or fewer, as far as the bounds go."""
    return {"clamp": number}


def put_in(*things: Any) -> dict[str, list[Any]]:
    """Things come to a list, at its end."""
    return {"add": list(things)}


def strike(*things: Any) -> dict[str, list[Any]]:
    """Things go off a list."""
    return {"strike": list(things)}


def push(*things: Any) -> dict[str, list[Any]]:
    """Things come to the end of a list, each once, and where there is no room the first of it go."""
    return {"push": list(things)}


def draw_cards(*cards: str) -> dict[str, list[str]]:
    """Cards are drawn from a deck."""
    return {"take": list(cards)}


def discard_cards(*cards: str) -> dict[str, list[str]]:
    """Cards that were drawn come to the discard."""
    return {"discard_of": list(cards)}


def shuffle_in(*cards: str) -> dict[str, list[str]]:
    """Cards go from the discard back into the deck."""
    return {"put_back": list(cards)}


def enter_row(id: str, **parts: Any) -> dict[str, Any]:
    """A row comes, with what differs from the defaults."""
    return {"add": {id: parts}}


def change_row(id: str, **parts: Any) -> dict[str, Any]:
    """Some parts of a row become something else."""
    return {"change": {id: parts}}


def strike_rows(*ids: str) -> dict[str, Any]:
    """Rows go."""
    return {"strike": list(ids)}


@dataclass(frozen=True, slots=True)
class RecordChange:
    """What a roll makes of a record: plain values, the sentences made from them, and whose secret it is."""

    values: Values
    sentences: tuple[str, ...]
    known_to: str = ""


def move_to(**facts: Any) -> RecordChange:
    """A roll leads the match to another place in its course, by the names of the course's facts.

    >>> move_to(turn=4, side="red").sentences
    ('Turn: 4.', 'Side: red.')
    """
    sentences = (f"{name.replace('_', ' ').capitalize()}: {value}." for name, value in facts.items())
    return RecordChange(facts, tuple(sentences))


@dataclass(frozen=True, slots=True)
class Record:
    """All that a game keeps of a match. ``place``: names of those fields that say where the course of a game stands."""

    fields: tuple[KeptField, ...] = ()
    place: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.fields)

    @property
    def _table(self) -> KeptParts:
        return KeptParts(fields=self.fields)

    @property
    def defaults(self) -> dict[str, Any]:
        """What a match begins with."""
        return self._table.default

    def find(self, path: str) -> KeptField | None:
        """A field by its name, or by its path: advantage.holder."""
        inside: KeptField | None = self._table
        for name in path.split("."):
            inside = _find_inside(inside, name)
        return inside

    def complete(self, values: Values) -> dict[str, Any]:
        """Values with the defaults of those that are missing."""
        return {each.name: values.get(each.name, each.default) for each in self.fields}

    def flaws(self, values: Values) -> tuple[str, ...]:
        """What is wrong with values from outside, in sentences."""
        try:
            self._table.read(values)
        except BadValue as error:
            return error.flaws
        return ()

    def change(self, values: Mapping[str, Any], *, openly: bool = False, known_to: str = "") -> RecordChange:
        """What a roll makes of the record. ``openly``: everybody may know, even where a field is hidden.

        ``known_to``: the side that alone may know of it, where the change is about a row that is sealed already.

        Raises ValueError for a field that the record does not have: a mistake in a rule.
        """
        unknown = values.keys() - {each.name for each in self.fields}
        if unknown:
            raise ValueError(f"The record has no {', '.join(sorted(unknown))}.")
        sides = set() if openly else self._table.secret_of(values) | ({known_to} - {""})
        if len(sides) > 1:
            raise ValueError("One roll cannot change what two sides hide from each other.")
        return RecordChange(values, tuple(self._table.describe_change(values)), next(iter(sides), ""))

    def apply(self, values: Values, change: Values) -> dict[str, Any]:
        """The values after a change. Raises BadValue with everything that is wrong, and then nothing has changed."""
        return self._table.change(self.complete(values), change)

    def hide(self, values: Values, sees: Sequence[str]) -> dict[str, Any]:
        """The values as somebody who may see these sides' secrets gets them: a number, or None, for what is hidden."""
        known: dict[str, Any] = self._table.hide(self.complete(values), sees)
        return known

    def strip(self, values: Values, sees: Sequence[str]) -> dict[str, Any]:
        """The values that somebody may take along: what is hidden stands at its default."""
        stripped: dict[str, Any] = self._table.strip(self.complete(values), sees)
        return stripped

    def value(self, values: Values, path: str) -> Any:
        """The value at a path."""
        inside: Any = self.complete(values)
        of: KeptField | None = self._table
        for name in path.split("."):
            inside = of.complete(inside.get(name, {})) if isinstance(of, KeptRows) else inside[name]
            of = _find_inside(of, name)
        return inside

    def owner(self, path: str, values: Values | None = None) -> str:
        """The side that alone may see what is at a path, "" for all. ``values``: to ask for a row, too."""
        inside: KeptField | None = self._table
        at: Any = self.complete(values or {})
        for name in path.split("."):
            above, inside = inside, _find_inside(inside, name)
            at = at.get(name, {}) if isinstance(at, Mapping) else {}
            if isinstance(above, KeptRows) and (owner := above.owner_of(at)):
                return owner
            if inside is None or inside.known_to:
                break
        return inside.known_to if inside else ""

    def setting(self, path: str, value: Any) -> dict[str, Any]:
        """The change that sets the field at a path."""
        *above, last = path.split(".")
        change: Any = {last: value}
        for place in range(len(above) - 1, -1, -1):
            if isinstance(self.find(".".join(above[: place + 1])), KeptRows):
                change = {"change": change}
            change = {above[place]: change}
        return dict(change)


def _find_inside(of: KeptField | None, name: str) -> KeptField | None:
    """A part of a field by its name; of rows, any row by its id."""
    if isinstance(of, KeptRows):
        return of.row
    parts = of.fields if isinstance(of, KeptParts) else ()
    return next((each for each in parts if each.name == name), None)
