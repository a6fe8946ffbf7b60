"""Queries that are asked so often that composing their SQL anew would cost more than asking it."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import QuerySet
from django.db.models.sql.compiler import SQLCompiler


class Composed:
    """A query whose SQL is composed once, and which is then asked with other values.

    ``build`` makes it of as many values as ``rows`` is called with: a ``values_list`` that compares columns with them
    for equality, in this order.
    """

    def __init__(self, build: Callable[..., QuerySet], *names: str) -> None:
        self.build = build
        self.names = names

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
        with connection.cursor() as cursor:
            cursor.execute(text, values)
            found = cursor.fetchall()
        return [tuple(row) for row in compiler.apply_converters(found, converters)] if converters else found
