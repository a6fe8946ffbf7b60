"""Statements that are sent so often that composing their SQL anew would cost more than what they do."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import cache, cached_property, lru_cache
from typing import Any, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import (
    AutoField,
    BooleanField,
    CharField,
    ForeignKey,
    JSONField,
    Model,
    PositiveIntegerField,
    QuerySet,
    TextField,
)
from django.db.models.base import ModelState
from django.db.models.sql.compiler import SQLCompiler

M = TypeVar("M", bound=Model)


class Composed:
    """A query whose SQL is composed once, and which is then asked with other values.

    ``build`` makes it of as many values as ``rows`` is called with: a ``values_list`` that compares columns with them
    for equality, in this order. ``alike``: columns that all rows share; only the first row has them as Python's values.
    """

    def __init__(self, build: Callable[..., QuerySet], *names: str, alike: range = range(0)) -> None:
        self.build = build
        self.names = names
        self.alike = alike

    @cached_property
    def composed(self) -> tuple[str, SQLCompiler, dict[int, Any]]:
        """The text with a place for each value, and how what the database gives becomes Python's."""
        compiler = self.build(*self.names).query.get_compiler(DEFAULT_DB_ALIAS)
        text, values = compiler.as_sql()
        if tuple(values) != self.names:
            raise ValueError(f"The query compares {values}, not {self.names}.")
        return text, compiler, compiler.get_converters([column for column, *_ in compiler.select])

    def rows(self, *values: Any) -> list[tuple[Any, ...]]:
        """Ask it with these values."""
        text, compiler, converters = self.composed
        with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
            cursor.execute(text, values)
            found = cursor.fetchall()
        if not found:
            return []
        others = {place: each for place, each in converters.items() if place not in self.alike}
        return [_convert(found[0], converters), *(_convert(row, others) for row in found[1:])]


def _convert(row: Sequence[Any], converters: Mapping[int, Any]) -> tuple[Any, ...]:
    """A row with Python's values. Nothing is nothing in every column of ours, so nobody is asked about that."""
    values = list(row)
    for place, (convert, expression) in converters.items():
        if values[place] is not None:
            for each in convert:
                values[place] = each(values[place], expression, connection)
    return tuple(values)


def find_rows(model: type[Model], **where: Any) -> list[Any]:
    """The rows with these values, in the order of their model."""
    reading, names = _reading(model, tuple(where))
    return [model.from_db(DEFAULT_DB_ALIAS, names, values) for values in reading.rows(*where.values())]


@cache
def _reading(model: type[Model], where: tuple[str, ...]) -> tuple[Composed, list[str]]:
    names = [field.attname for field in model._meta.concrete_fields]

    def build(*values: str) -> QuerySet:
        return model._default_manager.filter(**dict(zip(where, values, strict=True))).values_list(*names)

    return Composed(build, *where), names


def make_row(model: type[M], names: Iterable[str], values: Iterable[Any]) -> M:
    """A row that stands in the database, with these columns of it; Django would ask each column how it begins."""
    row = model.__new__(model)
    row._state = ModelState()
    row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS
    row.__dict__.update(zip(names, values, strict=True))
    return row


def new_row(model: type[M], **values: Any) -> M:
    """A row that is not written yet, by the names of its columns; each that is not named has what it begins with."""
    row = model.__new__(model)
    row._state = ModelState()
    held = row.__dict__
    for name, begins in _beginnings(model):
        held[name] = values.pop(name) if name in values else begins() if callable(begins) else begins
    for name, value in values.items():  # what is pointed to rather than its key
        point_to(row, name, value)
    return row


def point_to(row: Model, name: str, other: Model | None) -> None:
    """Let a row point to another one of the same database, which nobody need be asked about."""
    row.__dict__[f"{name}_id"] = other and other.pk
    row._state.fields_cache[name] = other


@cache
def _beginnings(model: type[Model]) -> list[tuple[str, Any]]:
    """What each column of a new row holds, or what gives it."""
    return [
        (field.attname, field.default if field.has_default() else field.get_default())
        for field in model._meta.concrete_fields
    ]


_MOST_AT_ONCE = 40  # rows in one statement: SQLite takes few values


def insert_rows(rows: Sequence[Model], changed: tuple[str, ...] = ()) -> None:
    """Write new rows of one table, in this order. Nothing listens for them; a row has its key, or gets one.

    ``changed``: of rows that are there already, write these columns instead.
    """
    write_batches(prepare_batches(rows, changed))


Batch = tuple[Sequence[Model], str, list[Any]]


def prepare_batches(rows: Sequence[Model], changed: tuple[str, ...] = ()) -> Iterator[Batch]:
    """Rows as they are written by `write_batches`. Most of the work lies here, and holds no writer up."""
    database = connections[DEFAULT_DB_ALIAS]  # the proxy for it takes longer than most values
    for begin in range(0, len(rows), _MOST_AT_ONCE):
        batch = rows[begin : begin + _MOST_AT_ONCE]
        text, columns = _insertion(type(batch[0]), len(batch), changed)
        for column in (each for each in columns if each.sets_itself):
            for row in batch:
                column.field.pre_save(row, add=True)
        yield batch, text, [column.read(row, database) for row in batch for column in columns]


def write_batches(batches: Iterable[Batch]) -> None:
    """Write rows that were prepared."""
    for batch, text, values in batches:
        with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
            cursor.execute(text, values)
            keys = cursor.fetchall()
        for row, (key,) in zip(batch, keys, strict=True):
            row.pk = key if row.pk is None else row.pk
            row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS


@lru_cache(maxsize=500)
def _insertion(model: type[Model], rows: int, changed: tuple[str, ...]) -> tuple[str, list["_Written"]]:
    fields = [field for field in model._meta.local_concrete_fields if changed or not isinstance(field, AutoField)]
    columns, places = ", ".join(_quote(model, field.name) for field in fields), ", ".join(["%s"] * len(fields))
    table, key = connection.ops.quote_name(model._meta.db_table), _quote(model, model._meta.pk.name)
    text = f"INSERT INTO {table} ({columns}) VALUES {', '.join([f'({places})'] * rows)}"
    if changed:
        values = ", ".join(f"{name} = EXCLUDED.{name}" for name in (_quote(model, each) for each in changed))
        text += f" ON CONFLICT ({key}) DO UPDATE SET {values}"
    return f"{text} RETURNING {key}", [_Written(field) for field in fields]


# Of these kinds the database takes words, whole numbers and nothing as they are.
_PLAIN_FIELDS = {CharField, TextField, PositiveIntegerField, BooleanField, ForeignKey}
_PLAIN_VALUES = {str, int, bool, type(None)}


class _Written:
    """A column that is written: what Django would ask its field with every row is asked once.

    ``sets_itself``: with the time at which a row is made.
    """

    def __init__(self, field: Any) -> None:
        self.field, self.name = field, field.attname
        self.is_plain = type(getattr(field, "target_field", field)) in _PLAIN_FIELDS
        self.is_json = isinstance(field, JSONField) and field.encoder is None
        self.to_plain = getattr(field, "to_json", None)  # of a column that Python knows as one type
        self.sets_itself = getattr(field, "auto_now", False) or getattr(field, "auto_now_add", False)

    def read(self, row: Model, database: Any) -> Any:
        """A row's value as the database takes it."""
        value = getattr(row, self.name)
        if self.is_plain and type(value) in _PLAIN_VALUES:
            return value
        if self.is_json and value is not None:
            if database.vendor == "sqlite" and (text := getattr(row, "texts", {}).get(self.name)):
                return text  # which is how SQLite keeps it
            return database.ops.adapt_json_value(self.to_plain(value) if self.to_plain else value, None)
        if type(value) is datetime:
            return database.ops.adapt_datetimefield_value(value)
        return self.field.get_db_prep_save(value, database)


def _quote(model: type[Model], name: str) -> str:
    """A field's column, as SQL names it."""
    return connection.ops.quote_name(str(getattr(model._meta.get_field(name), "column", name)))


def update_row(row: Model, names: tuple[str, ...], **standing: Any) -> bool:
    """Write these columns of a row, unless it stands otherwise by now than ``standing`` says: False then."""
    database = connections[DEFAULT_DB_ALIAS]
    text, columns = _updating(type(row), names, tuple(standing))
    values = [column.read(row, database) for column in columns]
    with database.cursor() as cursor:
        cursor.execute(text, [*values, row.pk, *standing.values()])
        return cursor.rowcount == 1


@cache
def _updating(model: type[Model], names: tuple[str, ...], standing: tuple[str, ...]) -> tuple[str, list[_Written]]:
    changes = ", ".join(f"{_quote(model, name)} = %s" for name in names)
    where = " AND ".join(f"{_quote(model, name)} = %s" for name in (model._meta.pk.name, *standing))
    table = connection.ops.quote_name(model._meta.db_table)
    written = [_Written(model._meta.get_field(name)) for name in names]
    return f"UPDATE {table} SET {changes} WHERE {where}", written
