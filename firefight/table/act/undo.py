"""Rows beside the match's own that acts change, and that taking back an act restores exactly.

A ledger, such as a campaign's, loads its rows, changes them in memory and hands all of them to ``keep``,
which writes what is new or different and notes on the act what stood there before.
"""

from collections.abc import Iterable
from copy import deepcopy
from functools import cache
from itertools import groupby
from operator import itemgetter
from typing import Any, ClassVar, Self, cast

from django.apps import apps
from django.db import models

from firefight.columns import RowKey, TypedColumn, Undo
from firefight.engine.values import Json, Values
from firefight.models import Act

from .differences import apply_difference, find_difference

LARGE = 300  # characters of a list or a table


class Kept(models.Model):
    """A row that knows what it held when it was read. ``is_shared``: it belongs to both sides alike."""

    is_shared: ClassVar[bool] = False
    as_read: dict[str, object]

    class Meta:
        abstract = True

    @classmethod
    def from_db(cls, db: str | None, field_names: Any, values: Any, **options: Any) -> Self:
        row = super().from_db(db, field_names, values, **options)
        # Deferred columns are not in the row's own dictionary, and asking for one would fetch it.
        attributes = row.__dict__
        # What cannot change in place need not be copied, which takes longer than reading it.
        row.as_read = {
            name: deepcopy(attributes[name]) if isinstance(attributes[name], (list, dict)) else attributes[name]
            for name in cls.columns()
            if name in attributes
        }
        return row

    @classmethod
    @cache
    def columns(cls) -> tuple[str, ...]:
        """The columns of the table, its key left out."""
        return tuple(field.attname for field in cls._meta.concrete_fields if not field.primary_key)

    def plain(self) -> Json:
        """The row's values by column."""
        return {name: getattr(self, name) for name in self.columns()}

    def changed(self) -> Json:
        """What the columns that differ held when the row was read."""
        return {name: value for name, value in self.as_read.items() if getattr(self, name) != value}


def keep_rows(act: Act, rows: Iterable[Kept]) -> None:
    """Write new and changed rows, grouped by model in the order given, and note on the act how to undo it.

    Rows that others point to come first; an old row cannot be made to point to a new one. The caller saves the act.
    What the act has noted before stays, so that several may keep rows of their own.
    """
    new_keys: list[RowKey] = []
    old_values: dict[RowKey, Json] = {}
    differences: dict[RowKey, Json] = {}
    for kind, of_kind in groupby(rows, type):
        model, group = cast(type[Kept], kind), list(of_kind)
        fresh = [row for row in group if row._state.adding]
        edited = [(row, values) for row in group if not row._state.adding and (values := row.changed())]
        _write_rows(model, fresh, edited)
        new_keys += [RowKey(model._meta.label, row.pk) for row in fresh]
        for row, values in edited:
            key = RowKey(model._meta.label, row.pk)
            old_values[key], parts = _compare(model, row, values)
            differences |= {key: parts} if parts else {}
    before = act.undo or Undo()
    old_values = {key: {**old_values.get(key, {}), **before.was.get(key, {})} for key in (*before.was, *old_values)}
    act.undo = Undo((*before.made, *new_keys), old_values, {**differences, **before.parts})


def _write_rows(model: type[Kept], fresh: list[Kept], edited: list[tuple[Kept, Json]]) -> None:
    """Write rows of one model; ``edited``: each with what its changed columns held."""
    model._default_manager.bulk_create(fresh)
    if edited:
        # One upsert of whole rows: a CASE for each row and column, as bulk_update has it, takes many times as long.
        columns = sorted({name for _, values in edited for name in values})
        manager: Any = model._default_manager  # mypy's plugin gives up at the columns of an abstract model
        manager.bulk_create(
            [row for row, _ in edited], update_conflicts=True, update_fields=columns, unique_fields=["pk"]
        )


def _compare(model: type[Kept], row: Kept, values: Json) -> tuple[Json, Json]:
    """What the changed columns of a row held, as JSON; of large ones instead how they differ."""
    plain = to_json(model, values)
    large = [name for name, value in plain.items() if _is_large(value)]
    after = to_json(model, {name: getattr(row, name) for name in large})
    small = {name: value for name, value in plain.items() if name not in large}
    return small, {name: find_difference(plain[name], after[name]) for name in large}


def to_json(model: type[models.Model], values: Values) -> Json:
    """Values of some columns as JSON holds them."""
    plain = {}
    for name, value in values.items():
        column = model._meta.get_field(name)
        plain[name] = column.to_json(value) if isinstance(column, TypedColumn) else value
    return plain


def from_json(model: type[models.Model], plain: Values) -> Json:
    """Values of some columns as Python knows them, out of JSON."""
    converted = {}
    for name, value in plain.items():
        column = model._meta.get_field(name)
        converted[name] = column.to_python(value) if isinstance(column, TypedColumn) else value
    return converted


def _is_large(value: object) -> bool:
    """Whether to note how a value differs rather than what it was."""
    return isinstance(value, (list, dict)) and len(value) > 0 and len(str(value)) > LARGE


def find_touched_rows(undo: Undo | None) -> set[RowKey]:
    """The rows that an act made or changed."""
    return {*undo.made, *undo.was, *undo.parts} if undo else set()


def is_shared(row: RowKey) -> bool:
    """Whether a row that an act touched belongs to both sides alike: to a ledger as a whole, or to the match."""
    return getattr(apps.get_model(row.model), "is_shared", True)


def put_rows_back(undo: Undo | None) -> None:
    """Put back what the rows held before an act, and take away those that it made. Raises BadDifference."""
    if not undo:
        return
    for label, keys in groupby(reversed(undo.made), itemgetter(0)):
        apps.get_model(label).objects.filter(pk__in=[key.pk for key in keys]).delete()
    for key, values in undo.was.items():
        if values:
            model = apps.get_model(key.model)
            model.objects.filter(pk=key.pk).update(**from_json(model, values))
    for key, differences in undo.parts.items():
        model = apps.get_model(key.model)
        row = model.objects.filter(pk=key.pk)
        after = to_json(model, row.values(*differences).get())
        before = {name: apply_difference(after[name], difference) for name, difference in differences.items()}
        row.update(**from_json(model, before))
