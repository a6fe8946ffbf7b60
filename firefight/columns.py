"""What rows keep as JSON: each column is read into one frozen class and written from it, here and nowhere else.

The names in the JSON are those of docs/archive.md: files and databases of earlier versions hold them.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, NamedTuple, Self

from django.db import models
from django.db.models.fields.json import KeyTransform

from .engine.rolls.modifiers import Modifier
from .engine.rolls.result import FollowUp, Result, Source


class TypedColumn(models.JSONField):
    """A column of JSON that Python knows as one type only: ``read`` makes it of plain values, ``write`` undoes that.

    A default is given as plain values, too. Migrations know nothing of the type: to them the column is JSON.
    """

    def __init__(self, read: Callable[[Any], Any], write: Callable[[Any], Any], **options: Any):
        super().__init__(**options)
        self.read, self.write = read, write

    def deconstruct(self) -> tuple[str, str, Sequence[Any], dict[str, Any]]:
        name, _, args, options = super().deconstruct()
        return name, "django.db.models.JSONField", args, options

    def clone(self) -> Any:
        return models.JSONField(**self.deconstruct()[3])

    def get_default(self) -> Any:
        return self.to_python(super().get_default())

    def to_python(self, value: Any) -> Any:
        return None if value is None else self.read(value)

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> Any:
        plain = super().from_db_value(value, expression, connection)
        return plain if isinstance(expression, KeyTransform) else self.to_python(plain)

    def to_json(self, value: Any) -> Any:
        """The value as JSON holds it."""
        return None if value is None else self.write(value)

    def get_prep_value(self, value: Any) -> Any:
        return super().get_prep_value(self.to_json(value))

    def value_to_string(self, obj: models.Model) -> Any:
        return self.to_json(self.value_from_object(obj))


@dataclass(frozen=True, slots=True)
class DueRoll:
    """A roll that another has asked for. ``id``: which step of which line asks, "12-0"."""

    id: str
    helper: str
    title: str
    inputs: Mapping[str, Any]

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Self:
        """From plain values."""
        return cls(plain["id"], plain["helper"], plain["title"], plain["inputs"])

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return {"id": self.id, "helper": self.helper, "title": self.title, "inputs": self.inputs}


@dataclass(frozen=True, slots=True)
class MatchState:
    """What acts change of a match besides its log, and what taking them back restores.

    ``ledger``: the address of the ledger that leads the match and keeps its turns; "" without one.
    """

    turn: int = 1
    phase: str = ""
    impulse: str = ""
    queue: tuple[DueRoll, ...] = ()
    ledger: str = ""

    def without(self, step: DueRoll) -> Self:
        """The same with one roll less that is due."""
        return replace(self, queue=tuple(each for each in self.queue if each is not step))

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Self:
        """From plain values."""
        return cls(
            turn=plain.get("turn", 1),
            phase=plain.get("phase", ""),
            impulse=plain.get("impulse", ""),
            queue=tuple(DueRoll.from_json(step) for step in plain.get("queue", ())),
            ledger=plain.get("ledger", ""),
        )

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        led = {"ledger": self.ledger} if self.ledger else {}
        queue = [step.to_json() for step in self.queue]
        return {"turn": self.turn, "phase": self.phase, "impulse": self.impulse, "queue": queue, **led}


@dataclass(frozen=True, slots=True)
class Rolled:
    """A die as it fell: where, and with which number if the app rolled it for a match.

    ``side``: whose die it is, where that is not who acts. ``of``: the line in which it was thrown, where it stands
    again after a correction.
    """

    die: str
    label: str
    sides: int
    face: int
    source: str
    number: int | None = None
    side: str = ""
    of: int | None = None

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Self:
        """From plain values."""
        shown = (plain["die"], plain["label"], plain["sides"], plain["face"], plain["source"])
        return cls(*shown, number=plain.get("number"), side=plain.get("side", ""), of=plain.get("of"))

    def to_json(self) -> dict[str, Any]:
        """As plain values; what is blank is left out."""
        found = {"die": self.die, "label": self.label, "sides": self.sides, "face": self.face, "source": self.source}
        more = {"number": self.number, "side": self.side or None, "of": self.of}
        return found | {name: value for name, value in more.items() if value is not None}


@dataclass(frozen=True, slots=True)
class LoggedResult:
    """A rule's Result as page, log and JSON all have it: with its helper, and its outcome as a word."""

    helper: str
    headline: str
    dice: Mapping[str, int] = field(default_factory=dict)
    modified: int | None = None
    modifiers: tuple[Modifier, ...] = ()
    outcome: str | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    effects: tuple[str, ...] = ()
    follow_ups: tuple[FollowUp, ...] = ()
    rules: tuple[str, ...] = ()
    provenance: tuple[Source, ...] = ()

    @classmethod
    def of(cls, helper: str, result: Result, carry: Mapping[str, Any]) -> Self:
        """What a helper's rule came to; ``carry``: inputs that go along to each roll that it asks for."""
        return cls(
            helper=helper,
            headline=result.headline,
            dice=result.dice,
            modified=result.modified,
            modifiers=result.modifiers,
            outcome=result.outcome and result.outcome.value,
            details=result.details,
            effects=result.effects,
            follow_ups=tuple(replace(step, inputs={**carry, **step.inputs}) for step in result.follow_ups),
            rules=result.rules,
            provenance=result.provenance,
        )

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Self:
        """From plain values."""
        return cls(
            helper=plain["helper"],
            headline=plain["headline"],
            dice=plain["dice"],
            modified=plain["modified"],
            modifiers=tuple(Modifier(each["name"], each["value"], each["rule"]) for each in plain["modifiers"]),
            outcome=plain["outcome"],
            details=plain["details"],
            effects=tuple(plain["effects"]),
            follow_ups=tuple(FollowUp(each["helper"], each["title"], each["inputs"]) for each in plain["follow_ups"]),
            rules=tuple(plain["rules"]),
            provenance=tuple(Source(each["chart"], each["title"], each["provenance"]) for each in plain["provenance"]),
        )

    def to_json(self) -> dict[str, Any]:
        """As plain values, under the keys of the machine-readable contract (docs/json.md)."""
        return {
            "helper": self.helper,
            "headline": self.headline,
            "dice": dict(self.dice),
            "modified": self.modified,
            "modifiers": [{"name": m.name, "value": m.value, "rule": m.rule} for m in self.modifiers],
            "outcome": self.outcome,
            "details": dict(self.details),
            "effects": list(self.effects),
            "follow_ups": [{"helper": f.helper, "title": f.title, "inputs": dict(f.inputs)} for f in self.follow_ups],
            "rules": list(self.rules),
            "provenance": [{"chart": s.chart, "title": s.title, "provenance": s.provenance} for s in self.provenance],
        }


Rolls = tuple[Rolled, ...]


def read_rolls(plain: Iterable[Mapping[str, Any]]) -> Rolls:
    """The dice of a line from plain values."""
    return tuple(map(Rolled.from_json, plain))


def write_rolls(rolls: Rolls) -> list[dict[str, Any]]:
    """The dice of a line as plain values."""
    return [die.to_json() for die in rolls]


class Matter(StrEnum):
    """What a side cannot do alone."""

    TAKE_BACK = "take_back"
    END = "end"
    BOOK = "book"


@dataclass(frozen=True, slots=True)
class Proposal:
    """What one side has proposed and the other has not answered yet.

    ``by``: the side that asks. ``book``, ``label``: the chart book that it asks for. ``lines``: those that it wants to
    take back; None where that is not asked, or not known yet.
    """

    matter: Matter
    by: str
    book: str = ""
    label: str = ""
    lines: tuple[int, ...] | None = None

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Self:
        """From plain values."""
        what = plain["what"]
        lines = tuple(what["lines"]) if "lines" in what else None
        return cls(Matter(plain["matter"]), plain["by"], what.get("book", ""), what.get("label", ""), lines)

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        what: dict[str, Any] = {"book": self.book, "label": self.label} if self.book else {}
        if self.lines is not None:
            what["lines"] = list(self.lines)
        return {"matter": self.matter.value, "by": self.by, "what": what}


class RowKey(NamedTuple):
    """A row by its model's label and its primary key."""

    model: str
    pk: Any


@dataclass(frozen=True, slots=True)
class Undo:
    """What taking an act back restores of rows beside the match's own.

    ``made``: rows to take away. ``was``: what columns held. ``parts``: how large columns differ (table/differences.py).
    """

    made: tuple[RowKey, ...] = ()
    was: Mapping[RowKey, Mapping[str, Any]] = field(default_factory=dict)
    parts: Mapping[RowKey, Mapping[str, Any]] = field(default_factory=dict)

    @classmethod
    def from_json(cls, plain: Mapping[str, Any]) -> Self:
        """From plain values."""
        return cls(
            made=tuple(RowKey(model, pk) for model, pk in plain["made"]),
            was={RowKey(model, pk): values for model, pk, values in plain["was"]},
            parts={RowKey(model, pk): differences for model, pk, differences in plain.get("parts", ())},
        )

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        found: dict[str, Any] = {
            "made": [list(key) for key in self.made],
            "was": [[*key, values] for key, values in self.was.items()],
        }
        return found | (
            {"parts": [[*key, differences] for key, differences in self.parts.items()]} if self.parts else {}
        )
