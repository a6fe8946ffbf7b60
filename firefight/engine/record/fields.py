"""What a match keeps besides its log, by itself: numbers, words, days, places; their bounds, and how they change."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from firefight.engine.board.places import BadPlace, Places
from firefight.engine.dates import BadDay, day_words, read_day
from firefight.engine.errors import RuleError

_BLANK = ("", "none", "nothing")  # the words for there being nothing


class BadValue(RuleError):
    """A value that a field of the record cannot have, or a change that does not fit it; ``flaws`` says all of them."""

    def __init__(self, *flaws: str):
        super().__init__(" ".join(flaws))
        self.flaws = flaws


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptField(ABC):
    """Something that a match keeps.

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
        """A typed value, or one sent as JSON, as the record keeps it. Raises BadValue."""

    @abstractmethod
    def describe(self, value: Any) -> str:
        """A value in words."""

    def change(self, old: Any, change: Any) -> Any:
        """What becomes of an old value. Raises BadValue."""
        return self.read(change)

    def describe_change(self, change: Any) -> Iterator[str]:
        """A change in sentences."""
        yield f"{self.title}: {self.describe_or_blank(change)}."

    def tell(self, value: Any) -> str:
        """A value within a sentence about what it belongs to: "men 3"."""
        return f"{self.title} {self.describe_or_blank(value)}"

    def tell_setting(self, old: Any, new: object) -> str:
        """That a player has set it, as players would say it: "men set to 3; it was 2"."""
        words, before = self.describe_or_blank(new), self.describe_or_blank(old)
        set_to = f"{self.title} cleared" if words in _BLANK else f"{self.title} set to {words}"
        return set_to if before in _BLANK else f"{set_to}; it was {before}"

    def describe_or_blank(self, value: object) -> str:
        """``describe``, for a field that may be blank too."""
        return "nothing" if value is None else self.describe(value)

    def apply(self, old: object, change: object) -> object:
        """``change``, for a field that may be blank too."""
        return None if self.optional and change in (None, "") else self.change(old, change)

    def read_or_blank(self, value: object) -> object:
        """``read``, for a field that may be blank too."""
        return None if self.optional and value in (None, "") else self.read(value)

    def hide(self, value: Any, sees: Sequence[str]) -> Any:
        """A value as somebody who may see these sides' secrets gets it: None where it is hidden."""
        return value if self.is_open_to(sees) else self.count(value)

    def count(self, value: Any) -> int | None:
        """What everybody may know of a hidden value: how many entries it has, None unless it is a list."""
        return None

    def is_open_to(self, sees: Sequence[str]) -> bool:
        """Whether somebody who may see these sides' secrets may see this."""
        return not self.known_to or self.known_to in sees

    def secret_of(self, change: Any) -> set[str]:
        """The sides that alone may know of a change."""
        return {self.known_to} - {""}

    def strip(self, value: Any, sees: Sequence[str]) -> Any:
        """A value as somebody may export it: what is hidden stands at its default."""
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
    zero: str = ""  # what 0 is called

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
        return self.zero if self.zero and not value else str(value)

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
    """One of some words, each with how players say it; the first unless told otherwise."""

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
    """Yes or no; no unless told otherwise. ``otherwise``: how a sentence denies it, "not" with the title if blank."""

    start: bool = False
    otherwise: str = ""

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

    def tell(self, value: Any) -> str:
        return self.title if value else self.otherwise or f"not {self.title}"

    def tell_setting(self, old: Any, new: object) -> str:
        return self.tell(new)

    def describe_change(self, change: Any) -> Iterator[str]:
        yield f"{self.tell(change)}."


_YES, _NO = ("true", "1", "on", "yes"), ("false", "0", "off", "no", "")


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptText(KeptField):
    """Some words; at first none. ``words``: how players say those that the app writes itself."""

    longest: int = 60
    words: Mapping[str, str] = field(default_factory=dict)

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
        return self.words.get(value, value) or "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptDay(KeptField):
    """A date from the first to the last day of a game, as 1942-09-27; the first unless told otherwise."""

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
            raise self.flaw(f"{day} is not a day from {self.first} to {self.last}.")
        return day

    def describe(self, value: Any) -> str:
        return day_words(value)


def is_called_so(places: Places[object], text: str) -> bool:
    """Whether a place is called exactly that, letter by letter."""
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
