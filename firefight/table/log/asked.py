"""What a due roll was asked for with: the counters that it is about come from the record, whatever a form says.

Other values may be entered, since the board knows best, and then the line says so. Whoever checks a log compares each
line with the one that asked for it.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from django import forms

from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput
from firefight.engine.rolls.result import FollowUp
from firefight.engine.text import join_words
from firefight.engine.values import Json, Values
from firefight.kit.fields.counters import NAMED, CounterField, CountersField
from firefight.kit.fields.forms import HelperForm
from firefight.kit.fields.rows import RowsField, plain_item
from firefight.kit.helper import Helper
from firefight.models import LogEntry

ASKS = "asks"  # in the inputs of a line that is no roll: the rolls that it asks for
BLANK: tuple[object, ...] = (None, "", [], ())


@dataclass(frozen=True, slots=True)
class Asked:
    """Which step a line answers. ``now``: how its counters were by then, where that differs from what was asked for.

    ``typed``: what was entered otherwise, in words. Without a step it is what the counters of a roll say that nothing
    has asked for, and what was entered otherwise than that.
    """

    step: str = ""
    now: Values = field(default_factory=dict)
    typed: tuple[str, ...] = ()

    @classmethod
    def from_json(cls, plain: Any) -> Self:
        """From plain values. Raises ValueError for what is none."""
        found = plain if isinstance(plain, dict) else {"step": None}
        step, now, typed = found.get("step", ""), found.get("now", {}), found.get("typed", [])
        if not (isinstance(step, str) and isinstance(now, dict) and isinstance(typed, list)):
            raise ValueError("What was asked for has a step, values and words.")
        return cls(step, now, tuple(map(str, typed)))

    def to_json(self) -> Json:
        """As plain values; what is blank is left out."""
        found = {"step": self.step, "now": dict(self.now), "typed": list(self.typed)}
        return {name: value for name, value in found.items() if value}

    @property
    def asking(self) -> tuple[int, str]:
        """The number of the line that asks for it, 0 for none, and which of its steps it is."""
        number, _, place = self.step.partition("-")
        return int(number) if number.isascii() and number.isdigit() and len(number) < 9 else 0, place

    @property
    def words(self) -> str:
        """What a line says after its result."""
        than = "asked for" if self.step else "the counters say"
        return f" Entered otherwise than {than}: {'; '.join(self.typed)}." if self.typed else ""


NOT_ASKED = Asked()


def list_ids(inputs: Mapping[str, object]) -> list[str]:
    """The counters that plain inputs are about, by id, each once."""
    found = [row["id"] for _, row in _rows_in(inputs) if row.get("id")]
    own = inputs.get("id")
    return list(dict.fromkeys([*found, *([own] if isinstance(own, str) and own else [])]))


def _rows_in(inputs: Mapping[str, object]) -> Iterable[tuple[str, Values]]:
    for name, rows in inputs.items():
        if isinstance(rows, (list, tuple)):
            yield from ((name, row) for row in rows if isinstance(row, Mapping))


def drop_rows(inputs: Values, gone: Collection[str]) -> dict[str, object] | None:
    """Plain inputs without these counters; None where they are about nobody else."""
    if inputs.get("id") in gone:
        return None
    left = dict(inputs)
    for name in dict.fromkeys(name for name, _ in _rows_in(inputs)):
        left[name] = [row for row in inputs[name] if not (isinstance(row, Mapping) and row.get("id") in gone)]
        if not left[name]:
            return None
    return left


def find_reader(helper: Helper, inputs: Mapping[str, object], asker: str) -> str:
    """The side that reads a due roll about counters: theirs, or where they are of several the one that asked for it.

    "" for a roll about no counters, which anybody reads, and for a decision, which its own side makes whoever asked.
    """
    if helper.find_decider(inputs):
        return ""
    named = inputs.get(helper.read_by) if helper.read_by else None
    ids = list_ids({"id": named}) if isinstance(named, str) else list_ids({"rows": named or ()})
    sides = {each.rpartition("-")[0] for each in ids}
    if len(sides) == 1:
        return sides.pop()
    return asker if list_ids(inputs) else ""


def pick_step(number_of_step: str, follow_ups: Sequence[FollowUp]) -> FollowUp | None:
    """The step of a line by its number there; None where there is none."""
    is_number = number_of_step.isascii() and number_of_step.isdigit() and len(number_of_step) < 5
    return follow_ups[int(number_of_step)] if is_number and int(number_of_step) < len(follow_ups) else None


def steps_of(line: LogEntry) -> Sequence[FollowUp]:
    """The rolls that a line asked for."""
    return line.result.follow_ups if line.result else read_asks(line.inputs.get(ASKS))


def write_asks(steps: Iterable[FollowUp]) -> list[dict[str, object]]:
    """Steps as the inputs of a line hold them."""
    return [{"helper": step.helper, "title": step.title, "inputs": dict(step.inputs)} for step in steps]


def read_asks(plain: Any) -> list[FollowUp]:
    """Steps from the inputs of a line; nothing for what is none."""
    kinds = {"helper": str, "title": str, "inputs": dict}
    steps = plain if isinstance(plain, list) else []
    if not all(isinstance(step, dict) and all(isinstance(step.get(n), k) for n, k in kinds.items()) for step in steps):
        return []
    return [FollowUp(step["helper"], step["title"], step["inputs"]) for step in steps]


# What differs


def find_typed(helper: Helper, book: Book, asked: Values, form: HelperForm) -> tuple[str, ...]:
    """What a sound form says otherwise than was asked for, in words.

    Who does it is no difference where nobody has said it.
    The modifiers of a chart are not among it: a line names each that counts. Raises BadInput for other counters, and
    where something was declared for another value of theirs.
    """
    is_chained = bool(form.ahead) and not any(name in form.fields for name in form.ahead)
    wanted = helper.form.from_plain(asked, book=book, chained=is_chained)
    wanted.is_valid()
    words: list[str] = []
    for name, each in form.fields.items():
        was, now = wanted.plain_value(name), form.plain_value(name)
        if was == now or hasattr(each, "chart") or name not in wanted.fields:
            continue
        if isinstance(each, CounterField):
            raise BadInput({name: f"This roll is about another counter: {was or 'none'}."})
        if isinstance(each, RowsField):
            is_open = isinstance(each, CountersField) and each.role == NAMED[0] and name not in asked
            words += [] if is_open else _compare_rows(name, each, was or [], now or [], helper.simultaneous)
        elif was not in BLANK or name in asked:
            words.append(_say_difference(each, was, now))
    return tuple(words)


def find_entered(form: HelperForm, filled: Values, counted: Iterable[str]) -> Asked:
    """What a sound form says otherwise than its counters have filled in: of the values that they count with, and row by
    row. What a player adds to a row, such as its modifiers, is not among it."""
    typed: list[str] = []
    now: Json = {}
    for name in counted:
        was, given = filled.get(name), form.plain_value(name)
        if name in form.fields and was not in BLANK and was != given:
            typed.append(_say_difference(form.fields[name], was, given))
            now[name] = was
    for name, each in form.fields.items():
        if isinstance(each, RowsField) and isinstance(filled.get(name), (list, tuple)):
            typed += _say_rows(each, filled[name], form.plain_value(name) or [])
    return Asked(now=now, typed=tuple(typed))


def _say_rows(rows: RowsField, filled: Sequence[Values], now: Iterable[Values]) -> list[str]:
    """How rows differ from those that counters fill, as far as these are filled."""
    columns = {name: each for name, each in rows.row_form.base_fields.items() if not hasattr(each, "chart")}
    by_id, told = {row["id"]: row for row in now if row.get("id")}, []
    # Read as the form has read what was sent, so that both leave out the same.
    for given, row in zip(filled, map(plain_item, rows.clean(list(filled))), strict=True):
        typed = by_id.get(row.get("id", ""))
        names = [name for name in columns if given.get(name) not in BLANK and name not in ("id", "name")]
        words = [
            _say_difference(columns[name], row.get(name, columns[name].initial), typed.get(name, columns[name].initial))
            for name in names
            if typed is not None and typed.get(name) != row.get(name)
        ]
        told += [f"{row.get('name') or row['id']}: {', '.join(words)}"] if words else []
    return told


def _compare_rows(name: str, rows: RowsField, was: Sequence[Values], now: Sequence[Values], is_firm: bool) -> list[str]:
    """How rows differ from those that were asked for, in words. Raises BadInput for others, and where they are firm."""
    wanted, found = ([row for row in part if row.get("id")] for part in (was, now))
    if sorted(row["id"] for row in wanted) != sorted(row["id"] for row in found):
        names = join_words(row.get("name") or row["id"] for row in wanted) or "nobody whom the app knows"
        raise BadInput({name: f"This roll is about {names}, and nobody else."})
    by_id = {row["id"]: row for row in found}
    told = [
        f"{row.get('name') or row['id']}: {words}" for row in wanted if (words := _say_row(rows, row, by_id[row["id"]]))
    ]
    told += [] if _others(was) == _others(now) else [f"{rows.label}: {_say_others(rows, now)}"]
    if told and is_firm:
        raise BadInput({name: f"What was declared is what is fought. Not so: {'; '.join(told)}."})
    return told


def _say_row(rows: RowsField, was: Values, now: Values) -> str:
    fields = rows.row_form.base_fields.items()
    values = [(each, was.get(name, each.initial), now.get(name, each.initial)) for name, each in fields]
    return ", ".join(_say_difference(each, old, new) for each, old, new in values if old != new)


def _others(rows: Sequence[Values]) -> list[Values]:
    return [row for row in rows if not row.get("id")]


def _say_others(rows: RowsField, now: Sequence[Values]) -> str:
    return join_words(str(rows.build(row)) for row in _others(now)) + " besides" if _others(now) else "nobody besides"


def _say_difference(asked_for: forms.Field, was: Any, now: Any) -> str:
    """A field as it was entered and as it was asked for: "TQ 7, not 6"."""
    return f"{asked_for.label} {_word_of(asked_for, now)}, not {_word_of(asked_for, was)}"


def _word_of(asked_for: forms.Field, value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value in BLANK:
        return "blank"
    words = dict(getattr(asked_for, "choices", ())) or getattr(asked_for, "words", {})
    if isinstance(value, list | tuple) and all(isinstance(each, str) for each in value):
        return join_words(str(words.get(each, each)) for each in value)
    return str(words.get(str(value), value))
