"""Statements that are sent so often that composing their SQL each time would cost more than running them."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import QuerySet
from django.db.models.sql.compiler import SQLCompiler


class Composed:
    """A query whose SQL is composed once, and which is then run with other values.

    ``build`` makes it of as many values as ``rows`` is called with: a ``values_list`` that compares columns with them
    for equality, in this order. ``alike``: columns that all rows share; only the first row has them as Python's values.
    """

    def __init__(self, build: Callable[..., QuerySet[Any, Any]], *names: str, alike: range = range(0)) -> None:
        self.build = build
        self.names = names
        self.alike = alike

    @cached_property
    def composed(self) -> tuple[str, SQLCompiler, dict[int, object]]:
        """The text with a place for each value, and how what the database gives becomes Python's."""
        compiler = self.build(*self.names).query.get_compiler(DEFAULT_DB_ALIAS)
        text, values = compiler.as_sql()
        if tuple(values) != self.names:
            raise ValueError(f"The query compares {values}, not {self.names}.")
        return text, compiler, compiler.get_converters([column for column, *_ in compiler.select])

    def rows(self, *values: Any) -> list[tuple[Any, ...]]:
        """Run it with these values."""
        text, compiler, converters = self.composed
        with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
            cursor.execute(text, values)
            rows = cursor.fetchall()
        if not rows:
            return []
        later_converters = {place: converter for place, converter in converters.items() if place not in self.alike}
        return [_convert(rows[0], converters), *(_convert(row, later_converters) for row in rows[1:])]


def _convert(row: Sequence[object], converters: Mapping[int, Any]) -> tuple[object, ...]:
    """A row with Python's values. NULL is None in every column of ours, so no converter is called for it."""
    values = list(row)
    for place, (steps, expression) in converters.items():
        if values[place] is not None:
            for convert in steps:
                values[place] = convert(values[place], expression, connection)
    return tuple(values)
