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
from firefight.kit.fields.counters import ASKED, NAMED, CounterField, CountersField
from firefight.kit.fields.forms import HelperForm
from firefight.kit.fields.rows import RowsField, plain_item
from firefight.kit.helper import Helper
from firefight.models import LogEntry

ASKS = "asks"  # in the inputs of a line that is not a roll: the rolls that it asks for
BLANK: tuple[object, ...] = (None, "", [], ())
COUNTED = ("weapon", "ff", "caliber", "tq")  # what an account of counters explains


@dataclass(frozen=True, slots=True)
class Asked:
    """Which step a line answers. ``now``: how its counters were by then, where that differs from what was asked for.

    ``typed``: what was entered differently, in words. Without a step: what the counters say in a roll that nothing has
    asked for, and what was entered differently from that.
    """

    step: str = ""
    now: Values = field(default_factory=dict)
    typed: tuple[str, ...] = ()

    @classmethod
    def from_json(cls, plain: Any) -> Self:
        """From plain values. Raises ValueError for anything else."""
        values = plain if isinstance(plain, dict) else {"step": None}
        step, by_then, typed = values.get("step", ""), values.get("now", {}), values.get("typed", [])
        if not (isinstance(step, str) and isinstance(by_then, dict) and isinstance(typed, list)):
            raise ValueError("What was asked for has a step, values and words.")
        return cls(step, by_then, tuple(map(str, typed)))

    def to_json(self) -> Json:
        """As plain values; what is blank is left out."""
        values = {"step": self.step, "now": dict(self.now), "typed": list(self.typed)}
        return {name: value for name, value in values.items() if value}

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


def read_asked(inputs: Values) -> Asked:
    """What a line answers, by its inputs; nothing where a line of a file says something else there."""
    try:
        return Asked.from_json(inputs.get(ASKED, {}))
    except ValueError:
        return NOT_ASKED


def list_ids(inputs: Mapping[str, object]) -> list[str]:
    """The counters that plain inputs are about, by id, each once."""
    row_ids = [row["id"] for _, row in _rows_in(inputs) if row.get("id")]
    single_id = inputs.get("id")
    return list(dict.fromkeys([*row_ids, *([single_id] if isinstance(single_id, str) and single_id else [])]))


def _rows_in(inputs: Mapping[str, object]) -> Iterable[tuple[str, Values]]:
    for name, rows in inputs.items():
        if isinstance(rows, (list, tuple)):
            yield from ((name, row) for row in rows if isinstance(row, Mapping))


def drop_rows(inputs: Values, ids: Collection[str]) -> dict[str, object] | None:
    """Plain inputs without these counters; None where they are about nobody else."""
    if inputs.get("id") in ids:
        return None
    inputs_left = dict(inputs)
    for name in dict.fromkeys(name for name, _ in _rows_in(inputs)):
        inputs_left[name] = [row for row in inputs[name] if not (isinstance(row, Mapping) and row.get("id") in ids)]
        if not inputs_left[name]:
            return None
    return inputs_left


def find_reader(helper: Helper, inputs: Mapping[str, object], asker: str) -> str:
    """The side that reads a due roll about counters: theirs, or the one that asked for it where they are of several.

    "" for a roll about no counters, which anybody reads, and for a decision, which its own side makes whoever asked.
    """
    if helper.find_decider(inputs):
        return ""
    chosen = inputs.get(helper.read_by) if helper.read_by else None
    ids = list_ids({"id": chosen}) if isinstance(chosen, str) else list_ids({"rows": chosen or ()})
    sides = {counter_id.rpartition("-")[0] for counter_id in ids}
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
    """Steps from the inputs of a line; none where something else stands there."""
    kinds = {"helper": str, "title": str, "inputs": dict}
    steps = plain if isinstance(plain, list) else []
    if not all(isinstance(step, dict) and all(isinstance(step.get(n), k) for n, k in kinds.items()) for step in steps):
        return []
    return [FollowUp(step["helper"], step["title"], step["inputs"]) for step in steps]


# What differs


def find_typed(helper: Helper, book: Book, inputs_asked: Values, form: HelperForm) -> tuple[str, ...]:
    """Where a sound form differs from what was asked for, in words.

    Which counters do it does not count where nobody has said that, nor do the modifiers of a chart: a line names each
    that counts. Raises BadInput for other counters, and where something was declared for another value of theirs.
    """
    is_chained = bool(form.ahead) and not any(name in form.fields for name in form.ahead)
    form_asked = helper.form.from_plain(inputs_asked, book=book, chained=is_chained)
    form_asked.is_valid()
    words: list[str] = []
    for name, form_field in form.fields.items():
        value_asked, value_entered = form_asked.plain_value(name), form.plain_value(name)
        if value_asked == value_entered or hasattr(form_field, "chart") or name not in form_asked.fields:
            continue
        if isinstance(form_field, CounterField):
            raise BadInput({name: f"This roll is about another counter: {value_asked or 'none'}."})
        if isinstance(form_field, RowsField):
            is_open = isinstance(form_field, CountersField) and form_field.role == NAMED[0] and name not in inputs_asked
            words += (
                []
                if is_open
                else _compare_rows(name, form_field, value_asked or [], value_entered or [], helper.simultaneous)
            )
        elif value_asked not in BLANK or name in inputs_asked:
            words.append(_say_difference(form_field, value_asked, value_entered))
    return tuple(words)


def find_entered(form: HelperForm, filled: Values) -> Asked:
    """Where a sound form differs from what its counters have filled in: in the values that they count with, and row by
    row. What a player adds to a row, such as its modifiers, is left out."""
    typed: list[str] = []
    by_counters: Json = {}
    for name in COUNTED:
        filled_value, entered = filled.get(name), form.plain_value(name)
        if name in form.fields and filled_value not in BLANK and filled_value != entered:
            typed.append(_say_difference(form.fields[name], filled_value, entered))
            by_counters[name] = filled_value
    for name, form_field in form.fields.items():
        if isinstance(form_field, RowsField) and isinstance(filled.get(name), (list, tuple)):
            typed += _say_rows(form_field, filled[name], form.plain_value(name) or [])
    return Asked(now=by_counters, typed=tuple(typed))


def _say_rows(rows: RowsField, filled: Sequence[Values], rows_entered: Iterable[Values]) -> list[str]:
    """How rows differ from those that counters fill in, as far as these are filled."""
    columns = {
        name: form_field for name, form_field in rows.row_form.base_fields.items() if not hasattr(form_field, "chart")
    }
    by_id, sentences = {row["id"]: row for row in rows_entered if row.get("id")}, []
    # Read as the form has read what was sent, so that both leave out the same.
    for filled_row, row in zip(filled, map(plain_item, rows.clean(list(filled))), strict=True):
        typed = by_id.get(row.get("id", ""))
        names = [name for name in columns if filled_row.get(name) not in BLANK and name not in ("id", "name")]
        words = [
            _say_difference(columns[name], row.get(name, columns[name].initial), typed.get(name, columns[name].initial))
            for name in names
            if typed is not None and typed.get(name) != row.get(name)
        ]
        sentences += [f"{row.get('name') or row['id']}: {', '.join(words)}"] if words else []
    return sentences


def _compare_rows(
    name: str, rows: RowsField, rows_asked: Sequence[Values], rows_entered: Sequence[Values], is_firm: bool
) -> list[str]:
    """How rows differ from those that were asked for, in words. Raises BadInput for others, and where they are firm."""
    known_asked, known_entered = ([row for row in row_list if row.get("id")] for row_list in (rows_asked, rows_entered))
    if sorted(row["id"] for row in known_asked) != sorted(row["id"] for row in known_entered):
        names = join_words(row.get("name") or row["id"] for row in known_asked) or "nobody whom the app knows"
        raise BadInput({name: f"This roll is about {names}, and nobody else."})
    by_id = {row["id"]: row for row in known_entered}
    sentences = [
        f"{row.get('name') or row['id']}: {words}"
        for row in known_asked
        if (words := _say_row(rows, row, by_id[row["id"]]))
    ]
    sentences += (
        [] if _others(rows_asked) == _others(rows_entered) else [f"{rows.label}: {_say_others(rows, rows_entered)}"]
    )
    if sentences and is_firm:
        raise BadInput({name: f"What was declared is what is fought. Not so: {'; '.join(sentences)}."})
    return sentences


def _say_row(rows: RowsField, row_asked: Values, row_entered: Values) -> str:
    fields = rows.row_form.base_fields.items()
    values = [
        (form_field, row_asked.get(name, form_field.initial), row_entered.get(name, form_field.initial))
        for name, form_field in fields
    ]
    return ", ".join(_say_difference(form_field, old, new) for form_field, old, new in values if old != new)


def _others(rows: Sequence[Values]) -> list[Values]:
    return [row for row in rows if not row.get("id")]


def _say_others(rows: RowsField, rows_entered: Sequence[Values]) -> str:
    more_rows = _others(rows_entered)
    return join_words(str(rows.build(row)) for row in more_rows) + " besides" if more_rows else "nobody besides"


def _say_difference(form_field: forms.Field, value_asked: Any, value_entered: Any) -> str:
    """A field as it was entered and as it was asked for: "TQ 7, not 6"."""
    return f"{form_field.label} {_word_of(form_field, value_entered)}, not {_word_of(form_field, value_asked)}"


def _word_of(form_field: forms.Field, value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value in BLANK:
        return "blank"
    words = dict(getattr(form_field, "choices", ())) or getattr(form_field, "words", {})
    if isinstance(value, list | tuple) and all(isinstance(choice, str) for choice in value):
        return join_words(str(words.get(choice, choice)) for choice in value)
    return str(words.get(str(value), value))
