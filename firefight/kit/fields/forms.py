"""The inputs of one helper.

A form reads the same names from a posted page, a query string and a follow-up's plain values.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any, ClassVar

from django.forms.utils import ErrorDict

from firefight.engine.charts.book import Book
from firefight.engine.errors import RuleError
from firefight.engine.plain_json import read_json
from firefight.engine.values import Json, Values
from firefight.kit.fields.base import BookForm
from firefight.kit.fields.counters import OF_ONE_ROLL, CounterField
from firefight.kit.fields.rows import plain_item

MAX_CARRY = 8_000  # characters of JSON


class HelperForm(BookForm):
    """The inputs of one helper.

    ``ahead`` names fields that this roll does not need but its follow-ups do. ``carry`` holds, as
    JSON, what an earlier roll of the chain handed on and this form does not ask for. ``filled_from`` says where a
    match's record holds what a field is filled with (advantage.holder); any other field is filled from its own name.
    ``sealed``: what the app fills in unseen; nobody is asked for it. ``seldom``: fields that players hardly ever
    change, which stand folded up below the others. ``beside``: fields that stand open beside the dice of a roll that is
    due, as long as what asked for it has left them blank; of these ``kept_open`` always do, since the table may know
    only a part of what they list. ``recalled``: by list, those that were used before and may be
    used again, each with the number of its line and in words; ``rolls``: likewise the log's rolls to choose from.
    ``narrowed``: fields that a match asks first, with the few values that it leaves to choose from, none where all are
    open. ``if_offered``: fields that are asked only where a match has values to choose from. ``only_with``: fields
    that matter only beside some choices of another one, such as a caliber beside a gun: that field's name, and those
    choices. ``remembered``: fields that a fresh form takes over from the last such roll of its match, where neither
    record nor place knows better. ``headings``: what fields stand under on a sheet, in the order in which players ask;
    those under none come first. ``buttons``: choices among many, each a tap, with those that come first; before
    them those used last, by field in ``recent``. ``own_names``: fields that are called as the frame calls the counters
    of a roll, "firers" or "targets": the counters are then sent as chosen, and the field is the form's own.
    """

    own_names: ClassVar[tuple[str, ...]] = ()
    ahead: ClassVar[tuple[str, ...]] = ()
    seldom: ClassVar[tuple[str, ...]] = ()
    beside: ClassVar[tuple[str, ...]] = ()
    kept_open: ClassVar[tuple[str, ...]] = ()
    remembered: ClassVar[tuple[str, ...]] = ()
    headings: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    buttons: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    recent: Mapping[str, Sequence[str]] = {}
    only_with: ClassVar[Mapping[str, tuple[str, Collection[str]]]] = {}
    recalled: Mapping[str, Sequence[tuple[int, str]]] = {}
    if_offered: ClassVar[tuple[str, ...]] = ()
    narrowed: Mapping[str, Mapping[str, str]] = {}
    rolls: Sequence[tuple[str, str]] = ()
    filled_from: ClassVar[Mapping[str, str]] = {}

    def __init__(
        self,
        data: Values,
        *,
        book: Book,
        chained: bool = False,
        quiet: bool = False,
        sealed: Values | None = None,
    ):
        super().__init__(data, book=book)
        self.quiet = quiet
        if chained:
            for name in self.ahead:
                del self.fields[name]
        self.sealed = {name: self.fields.pop(name).clean(value) for name, value in (sealed or {}).items()}

    @classmethod
    def from_plain(
        cls,
        values: Values,
        *,
        book: Book,
        chained: bool = False,
        sealed: Values | None = None,
    ) -> "HelperForm":
        """A form filled with plain values, quiet about what is still missing."""
        own = {
            name: values.get(name, field.initial)
            for name, field in cls.base_fields.items()
            if not (chained and name in cls.ahead)
        }
        form = cls(own, book=book, chained=chained, quiet=True, sealed=sealed)
        form.take_carry(values)
        return form

    def take_carry(self, values: Mapping[str, object]) -> None:
        """Hand on all of these values that the form does not ask for."""
        own = (*self.fields, *self.sealed, *OF_ONE_ROLL)
        self.carried = {key: value for key, value in values.items() if key not in own}

    def hush(self) -> None:
        """Forget the errors: nobody has pressed anything yet."""
        self._errors = ErrorDict()

    def add_rule_error(self, error: RuleError) -> None:
        """Put what a rule found wrong beside the inputs it names."""
        for name, messages in error.by_field.items():
            self.add_error(name if name in self.fields else None, messages)

    def inputs(self) -> Json:
        """The cleaned values that the rule takes."""
        return {name: value for name, value in self.cleaned_data.items() if name not in self.ahead} | self.sealed

    def carry(self) -> Json:
        """What the chain hands on: the fields ahead that were filled, over what was carried to here."""
        ahead = [name for name in self.ahead if name in self.fields and self.cleaned_data.get(name)]
        filled = {name: self.plain_value(name) for name in ahead}
        return {**self.carried, **filled}

    def plain_inputs(self) -> Json:
        """The rule's inputs as plain values for the log and for a correction's form, without counters that nobody
        named."""
        inputs = self.inputs()
        unnamed = {name for name, field in self.fields.items() if isinstance(field, CounterField) and not inputs[name]}
        return {name: self.plain_value(name) for name in inputs if name not in unnamed}

    def plain_value(self, name: str) -> Any:
        """An input as a plain value; None for a field that does not exist."""
        value = self.sealed[name] if name in self.sealed else self.cleaned_data.get(name)
        if isinstance(value, tuple):
            return [plain_item(item) for item in value]
        return value

    carried: Mapping[str, object] = {}

    def read_carry(self, text: str) -> None:
        """Take over the carry that a page sent back; anything unreadable is dropped with a message."""
        try:
            carried = read_json(text or "{}", whole=True) if len(text) <= MAX_CARRY else None
        except ValueError:
            carried = None
        if isinstance(carried, dict):
            self.carried = {key: value for key, value in carried.items() if key not in (*self.fields, *OF_ONE_ROLL)}
        else:
            self.add_error(
                None, "What was carried over from the roll before could not be read; start this roll afresh."
            )

    def carry_json(self) -> str:
        """The carry as the page sends it back."""
        return json.dumps(self.carried, separators=(",", ":"))
