"""What rows keep as JSON: each column is read into a frozen class and written from it, here and nowhere else.

The names in the JSON are those of docs/archive.md: files and databases of earlier versions hold them.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple, Self

from django.db import models
from django.db.models.fields.json import KeyTransform

from firefight.engine.values import Json, Values

from .engine.course.course import Position
from .engine.rolls.dice import DieSpec, Face
from .engine.rolls.modifiers import Modifier
from .engine.rolls.result import FollowUp, Result, Source


class TypedColumn(models.JSONField):
    """A column of JSON that Python sees as one type only: ``read`` makes it from plain values, ``write`` undoes that.

    A default is given as plain values, too. Migrations know nothing about the type: to them the column is JSON.
    """

    def __init__(self, read: Callable[[Any], Any], write: Callable[[Any], object], **options: Any):
        super().__init__(**options)
        self.read, self.write = read, write

    def deconstruct(self) -> tuple[str, str, Sequence[Any], Json]:
        name, _, args, options = super().deconstruct()
        return name, "django.db.models.JSONField", args, options

    def clone(self) -> Any:
        return models.JSONField(**self.deconstruct()[3])

    def get_default(self) -> object:
        return self.to_python(super().get_default())

    def to_python(self, value: Any) -> Any:
        return None if value is None else self.read(value)

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> Any:
        plain = super().from_db_value(value, expression, connection)
        return plain if isinstance(expression, KeyTransform) else self.to_python(plain)

    def to_json(self, value: Any) -> Any:
        """The value as JSON holds it."""
        return None if value is None else self.write(value)

    def get_prep_value(self, value: object) -> object:
        return super().get_prep_value(self.to_json(value))

    def value_to_string(self, obj: models.Model) -> Any:
        return self.to_json(self.value_from_object(obj))


@dataclass(frozen=True, slots=True)
class DueRoll:
    """A roll that another line has asked for. ``id``: which step of which line asks, "12-0".

    ``known_to``: the side that alone knows of it, since what asked is its secret; "" for all. ``read_by``: the side
    that reads it, since it is about its counters; "" for anybody. ``anew``: the line whose roll is made again by a rule
    and which it replaces; mostly None. ``compulsory``: the rule by which the course waits for it, "" for none.
    """

    id: str
    helper: str
    title: str
    inputs: Values
    known_to: str = ""
    read_by: str = ""
    anew: int | None = None
    compulsory: str = ""

    @classmethod
    def from_json(cls, plain: Values) -> Self:
        """From plain values."""
        sides = {name: plain[name] for name in ("known_to", "read_by", "compulsory") if name in plain}
        return cls(plain["id"], plain["helper"], plain["title"], plain["inputs"], **sides, anew=plain.get("anew"))

    def to_json(self) -> Json:
        """As plain values; what is blank is left out."""
        more: Json = {name: word for name in ("known_to", "read_by", "compulsory") if (word := getattr(self, name))}
        more |= {} if self.anew is None else {"anew": self.anew}
        return {"id": self.id, "helper": self.helper, "title": self.title, "inputs": self.inputs, **more}


@dataclass(frozen=True, slots=True)
class ProposedChange:
    """What a roll would do to a counter, until the players have it written down or leave it.

    ``number``: the line of the roll; ``becomes``: the game's word; ``known_to``: the side that alone knows of it.
    """

    number: int
    id: str
    becomes: str
    known_to: str = ""

    @property
    def key(self) -> str:
        """Its name in a form."""
        return f"{self.number}.{self.id}"

    @classmethod
    def from_json(cls, plain: Values) -> Self:
        """From plain values."""
        return cls(plain["number"], plain["id"], plain["becomes"], plain.get("known_to", ""))

    def to_json(self) -> Json:
        """As plain values."""
        owner = {"known_to": self.known_to} if self.known_to else {}
        return {"number": self.number, "id": self.id, "becomes": self.becomes, **owner}


_position_of = lru_cache(maxsize=500)(Position)  # everything that is drawn or done asks where the match stands

# What some courses count besides the turn.
COURSE_NUMBERS = ("impulse_number", "box", "passes")


@dataclass(frozen=True, slots=True)
class MatchState:
    """What acts change in a match besides its log, and what taking them back restores.

    Where the match stands in its course comes first (``position``); ``impulse`` is the side whose impulse it is.
    ``record``: what the game's record holds (engine/record/), empty for a game without one. ``ledger``: the
    address of the ledger that leads the match and keeps its turns; "" without one. ``options``: what was agreed when
    the match began, by the option's slug. ``counters``: the counters in play by id, as plain values
    (table/board/counters.py); those of a ledger are its own. ``values``: what owners entered for kinds of counters
    (table/board/values.py). ``sheets``: the units that they copied from their counters, a text for each sheet
    (table/board/sheets.py). ``content``: the sheets of what is printed on the board that they play on, by slug, none
    for the house's (table/board/content.py). ``proposed``: what rolls would do to counters, in their order.
    ``over``: the side that has said "Over to you", until another one acts, and ``over_line``: its message; "" for none.
    """

    turn: int = 1
    phase: str = ""
    impulse: str = ""
    queue: tuple[DueRoll, ...] = ()
    record: Values = field(default_factory=dict)
    ledger: str = ""
    impulse_number: int = 0
    box: int = 0
    passes: int = 0
    options: Mapping[str, str] = field(default_factory=dict)
    counters: Mapping[str, Values] = field(default_factory=dict)
    values: Mapping[str, int] = field(default_factory=dict)
    sheets: Mapping[str, str] = field(default_factory=dict)
    content: Mapping[str, str] = field(default_factory=dict)
    proposed: tuple[ProposedChange, ...] = ()
    over: str = ""
    over_line: str = ""

    @property
    def position(self) -> Position:
        """Where the match stands, as its course sees it."""
        return _position_of(self.turn, self.phase, self.impulse, self.impulse_number, self.box, self.passes)

    def at(self, position: Position) -> Self:
        """The same state at another position."""
        return replace(
            self,
            turn=position.turn,
            phase=position.phase,
            impulse=position.side,
            impulse_number=position.impulse,
            box=position.box,
            passes=position.passes,
        )

    def queue_for(self, sees: Collection[str]) -> tuple[DueRoll, ...]:
        """The rolls that are due, as far as somebody who may see these sides' secrets knows of them."""
        return tuple(step for step in self.queue if not step.known_to or step.known_to in sees)

    def proposed_for(self, sees: Collection[str]) -> tuple[ProposedChange, ...]:
        """The proposed changes, as far as somebody who may see these sides' secrets knows of them."""
        return tuple(proposal for proposal in self.proposed if not proposal.known_to or proposal.known_to in sees)

    def without(self, step: DueRoll) -> Self:
        """The same state without one of its due rolls."""
        return replace(self, queue=tuple(due_roll for due_roll in self.queue if due_roll is not step))

    @classmethod
    def from_json(cls, plain: Values) -> Self:
        """From plain values."""
        return cls(
            turn=plain.get("turn", 1),
            phase=plain.get("phase", ""),
            impulse=plain.get("impulse", ""),
            queue=tuple(DueRoll.from_json(step) for step in plain.get("queue", ())),
            record=plain.get("record", {}),
            ledger=plain.get("ledger", ""),
            options=plain.get("options", {}),
            counters=plain.get("counters", {}),
            values=plain.get("values", {}),
            sheets=plain.get("sheets", {}),
            content=plain.get("content", {}),
            proposed=tuple(ProposedChange.from_json(proposal) for proposal in plain.get("proposed", ())),
            over=plain.get("over", ""),
            over_line=plain.get("over_line", ""),
            **{name: plain[name] for name in COURSE_NUMBERS if name in plain},
        )

    def to_json(self) -> Json:
        """As plain values; what earlier versions do not know is left out where it is blank."""
        queue = [step.to_json() for step in self.queue]
        always = {"turn": self.turn, "phase": self.phase, "impulse": self.impulse, "queue": queue}
        more: Json = {"record": dict(self.record), "ledger": self.ledger, "options": dict(self.options)}
        more |= {"counters": dict(self.counters), "values": dict(self.values), "sheets": dict(self.sheets)}
        more |= {"content": dict(self.content)}
        more |= {"proposed": [proposal.to_json() for proposal in self.proposed]}
        more |= {"over": self.over, "over_line": self.over_line}
        more |= {name: getattr(self, name) for name in COURSE_NUMBERS}
        return always | {name: value for name, value in more.items() if value}


@dataclass(frozen=True, slots=True)
class Rolled:
    """A die as it fell: where, and with which number if the app rolled it for a match.

    ``side``: whose die it is, where that is not the acting side. ``of``: the line in which it was thrown, where it
    stands again after a correction. ``dice``: how many dice its face adds up, which only players do: the app's fall one
    by one. ``is_card``: it draws a card. ``is_unseen``: it fell under seal, so that its face belongs to its line's
    sealed words.
    """

    die: str
    label: str
    sides: int
    face: int
    source: str
    number: int | None = None
    side: str = ""
    of: int | None = None
    dice: int = 1
    is_card: bool = False
    is_unseen: bool = False

    @classmethod
    def from_spec(cls, spec: DieSpec, face: int, source: str, number: int | None = None, dice: int = 1) -> Self:
        """A die of a throw."""
        return cls(spec.name, spec.label, spec.sides, face, source, number, dice=dice, is_card=bool(spec.names))

    @classmethod
    def from_json(cls, plain: Values) -> Self:
        """From plain values."""
        face_of_die = (plain["die"], plain["label"], plain["sides"], plain["face"], plain["source"])
        return cls(
            *face_of_die,
            number=plain.get("number"),
            side=plain.get("side", ""),
            of=plain.get("of"),
            dice=plain.get("dice", 1),
            is_card=plain.get("card", False),
            is_unseen=plain.get("unseen", False),
        )

    def to_json(self) -> Json:
        """As plain values; what is blank is left out."""
        always = {"die": self.die, "label": self.label, "sides": self.sides, "face": self.face, "source": self.source}
        more = {"number": self.number, "side": self.side or None, "of": self.of}
        more |= {"dice": self.dice if self.dice > 1 else None, "card": self.is_card or None}
        more |= {"unseen": self.is_unseen or None}
        return always | {name: value for name, value in more.items() if value is not None}


@dataclass(frozen=True, slots=True)
class LoggedResult:
    """A rule's Result as page, log and JSON all have it: with its helper, and its outcome as a word."""

    helper: str
    headline: str
    dice: Mapping[str, Face] = field(default_factory=dict)
    modified: int | None = None
    modifiers: tuple[Modifier, ...] = ()
    outcome: str | None = None
    details: Values = field(default_factory=dict)
    effects: tuple[str, ...] = ()
    follow_ups: tuple[FollowUp, ...] = ()
    rules: tuple[str, ...] = ()
    provenance: tuple[Source, ...] = ()
    ends: bool = False

    @classmethod
    def of(cls, helper: str, result: Result, carry: Values) -> Self:
        """The result of a helper's rule; ``carry``: inputs that are passed on to each roll that it asks for."""
        return cls(
            helper=helper,
            headline=result.headline,
            dice=result.dice,
            modified=result.modified,
            modifiers=result.modifiers,
            outcome=result.outcome and result.outcome.value,
            details=result.all_details,
            effects=result.all_effects,
            follow_ups=tuple(
                replace(step, inputs={**carry, **step.inputs}) if carry else step for step in result.follow_ups
            ),
            rules=result.rules,
            provenance=result.provenance,
            ends=result.ends,
        )

    @classmethod
    def from_json(cls, plain: Values) -> Self:
        """From plain values."""
        return cls(
            helper=plain["helper"],
            headline=plain["headline"],
            dice={name: tuple(face) if isinstance(face, list) else face for name, face in plain["dice"].items()},
            modified=plain["modified"],
            modifiers=tuple(
                Modifier(modifier["name"], modifier["value"], modifier["rule"]) for modifier in plain["modifiers"]
            ),
            outcome=plain["outcome"],
            details=plain["details"],
            effects=tuple(plain["effects"]),
            follow_ups=tuple(
                FollowUp(step["helper"], step["title"], step["inputs"], step.get("anew"))
                for step in plain["follow_ups"]
            ),
            rules=tuple(plain["rules"]),
            provenance=tuple(
                Source(source["chart"], source["title"], source["provenance"]) for source in plain["provenance"]
            ),
            ends=plain.get("ends", False),
        )

    def to_json(self) -> Json:
        """As plain values, under the keys of the machine-readable contract (docs/json.md)."""
        return {
            "helper": self.helper,
            "headline": self.headline,
            "dice": {name: list(face) if isinstance(face, tuple) else face for name, face in self.dice.items()},
            "modified": self.modified,
            "modifiers": [{"name": m.name, "value": m.value, "rule": m.rule} for m in self.modifiers],
            "outcome": self.outcome,
            "details": dict(self.details),
            "effects": list(self.effects),
            "follow_ups": [step.as_json() for step in self.follow_ups],
            "rules": list(self.rules),
            "provenance": [{"chart": s.chart, "title": s.title, "provenance": s.provenance} for s in self.provenance],
            **({"ends": True} if self.ends else {}),
        }


Rolls = tuple[Rolled, ...]


def read_rolls(plain: Iterable[Values]) -> Rolls:
    """The dice of a line from plain values."""
    return tuple(map(Rolled.from_json, plain))


def write_rolls(rolls: Rolls) -> list[Json]:
    """The dice of a line as plain values."""
    return [die.to_json() for die in rolls]


@dataclass(frozen=True, slots=True)
class EarlierSeal:
    """The seal of the rolls that a match took over from another one: all of that one's dice up to number ``to``.

    ``match``: the other match. ``commitment``: what was published of its seed. ``seed``: None while it is secret.
    """

    match: str
    to: int
    commitment: str
    seed: str | None

    @classmethod
    def from_json(cls, plain: Values) -> Self:
        """From plain values."""
        return cls(plain["match"], plain["to"], plain["commitment"], plain["seed"])

    def to_json(self) -> Json:
        """As plain values."""
        return {"match": self.match, "to": self.to, "commitment": self.commitment, "seed": self.seed}


EarlierSeals = tuple[EarlierSeal, ...]


def read_earlier_seals(plain: Iterable[Values]) -> EarlierSeals:
    """The seals of earlier rolls from plain values."""
    return tuple(map(EarlierSeal.from_json, plain))


def write_earlier_seals(seals: EarlierSeals) -> list[Json]:
    """The seals of earlier rolls as plain values."""
    return [seal.to_json() for seal in seals]


class Matter(StrEnum):
    """What a side cannot do alone."""

    TAKE_BACK = "take_back"
    END = "end"
    BOOK = "book"
    COUNTERS = "counters"
    FILE = "file"
    CONTENT = "content"
    VALUE = "value"
    DROP = "drop"
    POINTS = "points"
    SHEET = "sheet"


@dataclass(frozen=True, slots=True)
class Proposal:
    """What one side has proposed and the other has not answered yet.

    ``by``: the side that asks. ``book``, ``label``: the chart book, the content or the kept file that it asks for.
    ``lines``: those that it wants to take back; None where it does not ask for that, or they are not known yet.
    ``agreed``: sides that agree, while others are asked. ``counters``: by id, what each counter is to become;
    ``undoes``: the line whose change of a counter is to be undone. ``wanted``: whatever else its matter asks for.
    """

    matter: Matter
    by: str
    book: str = ""
    label: str = ""
    lines: tuple[int, ...] | None = None
    agreed: tuple[str, ...] = ()
    counters: Mapping[str, Values] = field(default_factory=dict)
    undoes: int | None = None
    wanted: Values = field(default_factory=dict)

    @classmethod
    def from_json(cls, plain: Values) -> Self:
        """From plain values."""
        terms = plain["what"]
        lines = tuple(terms["lines"]) if "lines" in terms else None
        required = (Matter(plain["matter"]), plain["by"], terms.get("book", ""), terms.get("label", ""), lines)
        more = {"counters": terms.get("counters", {}), "undoes": terms.get("undoes"), "wanted": terms.get("wanted", {})}
        if "sheet" in more["wanted"]:  # earlier versions asked for a single sheet of units
            more["wanted"] = {"sheets": {more["wanted"]["sheet"]: more["wanted"]["text"]}}
        return cls(*required, agreed=tuple(plain.get("agreed", ())), **more)

    def to_json(self) -> Json:
        """As plain values."""
        terms: Json = {"book": self.book, "label": self.label} if self.book else {}
        if self.lines is not None:
            terms["lines"] = list(self.lines)
        terms |= {"counters": dict(self.counters)} if self.counters else {}
        terms |= {"undoes": self.undoes} if self.undoes is not None else {}
        terms |= {"wanted": dict(self.wanted)} if self.wanted else {}
        agreed = {"agreed": list(self.agreed)} if self.agreed else {}
        return {"matter": self.matter.value, "by": self.by, "what": terms, **agreed}


@dataclass(frozen=True, slots=True)
class LessonState:
    """The lesson that a match is (assistant/lessons.py), and what no log says about it.

    ``opened``: the hints that a page has reported as done. ``is_over``: its players want no more of them.
    """

    slug: str
    opened: tuple[str, ...] = ()
    is_over: bool = False

    @classmethod
    def from_json(cls, plain: Values) -> Self:
        """From plain values."""
        return cls(plain["slug"], tuple(plain.get("opened", ())), plain.get("over", False))

    def to_json(self) -> Json:
        """As plain values."""
        return {"slug": self.slug, "opened": list(self.opened), "over": self.is_over}


class RowKey(NamedTuple):
    """A row by its model's label and its primary key."""

    model: str
    pk: Any


@dataclass(frozen=True, slots=True)
class Undo:
    """What taking an act back restores in rows besides the match's own.

    ``made``: rows to delete. ``was``: what columns held. ``parts``: how large columns differ
    (table/act/differences.py).
    """

    made: tuple[RowKey, ...] = ()
    was: Mapping[RowKey, Values] = field(default_factory=dict)
    parts: Mapping[RowKey, Values] = field(default_factory=dict)

    @classmethod
    def from_json(cls, plain: Values) -> Self:
        """From plain values."""
        return cls(
            made=tuple(RowKey(model, pk) for model, pk in plain["made"]),
            was={RowKey(model, pk): values for model, pk, values in plain["was"]},
            parts={RowKey(model, pk): differences for model, pk, differences in plain.get("parts", ())},
        )

    def to_json(self) -> Json:
        """As plain values."""
        plain: Json = {
            "made": [list(key) for key in self.made],
            "was": [[*key, values] for key, values in self.was.items()],
        }
        return plain | (
            {"parts": [[*key, differences] for key, differences in self.parts.items()]} if self.parts else {}
        )
