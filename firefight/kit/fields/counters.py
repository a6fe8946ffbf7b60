"""Counters and rolls of a match that a form is about."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Literal

from django import forms
from django.core.exceptions import ValidationError

from firefight.engine.board.chosen import Chosen, ChosenOfSort
from firefight.engine.board.counters import COUNTER_ID, CounterInPlay
from firefight.engine.board.pools import write_pool
from firefight.engine.text import fold
from firefight.engine.values import Json, Values
from firefight.kit.counters import CounterRules

from .base import Shared
from .choices import Pick, TokensField
from .rows import RowForm, RowsField

NAMED = ("firers", "targets")  # the counters that a roll names; what follows from it names its own
ACCOUNT = "account"  # how its form was filled from them
TOLD = "told"  # what else players told for that, such as the range
ASKED = "asked"  # which due roll it is, and where the entry differs from what was asked
SCENE = "scene"  # where they stood, in words: the hex, or who it was
OF_ONE_ROLL = (*NAMED, ACCOUNT, TOLD, ASKED, SCENE)


class CounterField(Shared, forms.CharField):
    """Which counter in play a form or a row is about: a match fills it, nobody is asked; "" for none."""

    def __init__(self) -> None:
        super().__init__(label="Counter", max_length=32, required=False, widget=forms.HiddenInput())

    def clean(self, value: object) -> str:
        text = super().clean(value) if value else ""
        if text and not COUNTER_ID.fullmatch(text):
            raise ValidationError("There is no such counter.")
        return text


class SortField(Shared, forms.CharField):
    """What a counter of a row is, by a word of its game: a match fills it, nobody is asked; "" for none."""

    def __init__(self, words: Collection[str]) -> None:
        super().__init__(label="What it is", max_length=32, required=False, widget=forms.HiddenInput())
        self.sorts = frozenset(words)

    def clean(self, value: object) -> str:
        text = super().clean(value) if value else ""
        if text and text not in self.sorts:
            raise ValidationError("There is no such sort of counter.")
        return text


class LevelsField(Shared, forms.CharField):
    """The numbers of a counter by name: a match fills them, without one they are typed as "dots 2, steps 1"."""

    def __init__(self, names: Mapping[str, str]) -> None:
        super().__init__(label=", ".join(names.values()), max_length=60, required=False)
        self.names = {fold(word): name for name, label in names.items() for word in (name, label)}

    def prepare_value(self, value: object) -> object:
        return ", ".join(f"{name} {number}" for name, number in value.items()) if isinstance(value, Mapping) else value

    def clean(self, value: object) -> dict[str, int]:
        if isinstance(value, Mapping):
            pairs = [(str(name), str(number)) for name, number in value.items()]
        else:
            parts = filter(None, map(str.strip, super().clean(value).split(",")))
            pairs = [(name, number) for name, _, number in (part.rpartition(" ") for part in parts)]
        for name, number in pairs:
            if fold(name) not in self.names or not re.fullmatch(r"[-−]?\d{1,3}", number, re.ASCII):
                raise ValidationError(f"Type a name and a number, such as {next(iter(self.names))} 2.")
        return {self.names[fold(name)]: int(number.replace("−", "-")) for name, number in pairs}


class RollField(CounterField):
    """Which roll of the log is meant, as its line and its helper: "12-attack". A match offers some; "" for none."""

    def __init__(self, label: str) -> None:
        super().__init__()
        self.label = label

    def clean(self, value: object) -> str:
        text = str(value or "")
        if text and not re.fullmatch(r"\d{1,6}-[a-z-]{1,40}", text, re.ASCII):
            raise ValidationError("Choose one of the rolls.")
        return text


class PoolField(TokensField):
    """The pieces of a pool, by id; the rule gets a tuple. A match fills it unseen, and the app throws: whoever draws
    neither chooses nor sees the pieces. Without a match players type as many words as there are pieces.

    ``pool``: its name; ``side``: whose pieces, "" for those of the side that rolls.
    """

    def __init__(self, label: str, pool: str, *, side: str = "", **options: Any):
        super().__init__(label, **options)
        self.place, self.side = write_pool(pool), side


class KindPick(Pick):
    """A kind of counter: one of the gallery, or by its key one that its owner has typed."""

    def clean(self, value: object) -> Any:
        return value if type(value) is str and re.fullmatch(r"\w{1,40}", value) else super().clean(value)


class CountersField(RowsField):
    """The counters that a roll is about, each with its kind, name and state; the rule gets a tuple of ``Chosen``.

    A match fills it with those that are named in a ``role``: "firers" are of the side that rolls, "targets" those at
    which they fire. It refuses counters that are gone, unknown to whoever asks, or of the wrong side, asks before it
    shows a hidden one, and hands a due roll its counters as they are by then. Without a match players type them.

    ``most``: how many one roll is about. ``sorts``: the words for what they can
    be, where the rule has to know; the game fills it.
    """

    def __init__(
        self,
        label: str,
        counters: CounterRules,
        *,
        role: Literal["firers", "targets"],
        most: int = 12,
        sorts: Collection[str] = (),
        **options: Any,
    ):
        names = {key: kind.name for kinds in counters.kinds.values() for key, kind in kinds.items()}
        fields = {
            "kind": (KindPick if counters.sheet else Pick)(
                "Counter", {"": "—"} | names, required=not counters.closed_kind
            ),
            "name": forms.CharField(label="Name", max_length=60, required=False),
            "state": TokensField("State", counters.states),
            "id": CounterField(),
            **({"levels": LevelsField(counters.levels)} if counters.levels else {}),
            **({"sort": SortField(sorts)} if sorts else {}),
        }
        self.role = role
        build = build_sorted if sorts else build_chosen
        super().__init__(label, type("ChosenRow", (RowForm,), {"asks": "kind", **fields}), build, most, **options)


def build_chosen(row: Values) -> Chosen:
    """A counter by the values of its row."""
    return Chosen(**row)


def build_sorted(row: Values) -> ChosenOfSort:
    """The same, with the word for what it is."""
    return ChosenOfSort(**row)


def write_chosen(counters: Iterable[CounterInPlay]) -> list[Json]:
    """Counters in play as the rows of a CountersField."""
    return [
        Chosen(counter.counter, counter.name, counter.state, counter.id, counter.levels).plain() for counter in counters
    ]


def fields_by_role(form: type[forms.Form]) -> dict[str, str]:
    """The names of a form's CountersFields, each with its role."""
    return {name: field.role for name, field in form.base_fields.items() if isinstance(field, CountersField)}


def ids_by_role(form: type[forms.Form], inputs: Values) -> dict[str, list[str]]:
    """The counters that a form's CountersFields are about, by role and id; ``inputs``: plain values."""
    ids: dict[str, list[str]] = {}
    for name, role in fields_by_role(form).items():
        ids.setdefault(role, []).extend(row["id"] for row in inputs.get(name) or () if row.get("id"))
    return ids


def fill_roles(
    form: type[forms.Form], firers: Sequence[CounterInPlay], targets: Sequence[CounterInPlay]
) -> dict[str, list[Json]]:
    """What a form's CountersFields are filled with from the counters that a roll names; nothing for an empty role.

    Raises KeyError for a role that does not exist.
    """
    counters = {"firers": firers, "targets": targets}
    return {name: write_chosen(counters[role]) for name, role in fields_by_role(form).items() if counters[role]}


def renew_roles(
    form: type[forms.Form], inputs: Values, find: Callable[[str], CounterInPlay | None]
) -> dict[str, list[Any]]:
    """The rows of a form's CountersFields as their counters are by now; those that are gone are left out.

    ``inputs``: plain values; ``find``: a counter by its id, None for one unknown to whoever asks.
    """
    rows_by_field: dict[str, list[Any]] = {}
    for name in fields_by_role(form):
        if inputs.get(name):
            typed = [row for row in inputs[name] if not row.get("id")]
            pairs = ((row, find(row["id"])) for row in inputs[name] if row.get("id"))
            renewed = (_renew_row(row, counter) for row, counter in pairs if counter and counter.in_play)
            rows_by_field[name] = [*renewed, *typed]
    return rows_by_field


def _renew_row(row: Values, counter: CounterInPlay) -> Json:
    """A row as its counter is by now; its sort does not change."""
    return {**write_chosen([counter])[0], **({"sort": row["sort"]} if row.get("sort") else {})}
