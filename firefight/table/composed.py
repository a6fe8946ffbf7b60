"""Queries that are asked so often that composing their SQL anew would cost more than asking it."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

from django.db import connection
from django.db.models import QuerySet


class Composed:
    """A query whose SQL is composed once, and which is then asked with other values.

    ``build`` makes it of as many values as ``rows`` is called with: a ``values_list`` that compares columns with them
    for equality, in this order. Rows come as the database gives them, so columns of text and numbers fit, not of JSON.
    """

    def __init__(self, build: Callable[..., QuerySet], *names: str) -> None:
        self.build = build
        self.names = names

    @cached_property
    def sql(self) -> str:
        """The text, with a place for each value."""
        text, values = self.build(*self.names).query.sql_with_params()
        if values != self.names:
            raise ValueError(f"The query compares {values}, not {self.names}.")
        return text

    def rows(self, *values: Any) -> list[tuple[Any, ...]]:
        """Ask it with these values."""
        with connection.cursor() as cursor:
            cursor.execute(self.sql, values)
            return cursor.fetchall()
