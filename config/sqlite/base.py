"""Django's SQLite backend, except that the writers of one process queue up.

SQLite lets in one writer at a time and has the others sleep and try again, longer each time they fail; so with several
writing threads in one process some wait very long. Here they wait for each other in the order of threading.Lock, and
only the first of each process asks SQLite.

A writer that waits longer than PATIENCE fails with "database is locked". From then on, until somebody can write again,
the others fail almost at once: a database that something else has locked stops nobody for long.
"""

import threading
import time
from functools import lru_cache
from typing import Any

from django.db.backends.sqlite3 import base
from django.db.utils import OperationalError

PATIENCE = 5.0  # seconds
IMPATIENCE = 0.2  # seconds, once somebody has failed

_turn = threading.Lock()
_is_locked = threading.Event()


class Cursor(base.SQLiteCursorWrapper):
    """A cursor that remembers how SQLite wants a statement written: most are used again and again."""

    def convert_query(self, query: str, *, param_names: object = None) -> str:
        """Turn Django's placeholders for values into SQLite's."""
        return _convert(query) if param_names is None else super().convert_query(query, param_names=param_names)


@lru_cache(maxsize=500)
def _convert(query: str) -> str:
    return base.FORMAT_QMARK_REGEX.sub("?", query).replace("%%", "%")


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection whose transactions wait for those of the process's other threads."""

    def create_cursor(self, name: object = None) -> Cursor:
        """A cursor of our own kind."""
        cursor: Cursor = self.connection.cursor(factory=Cursor)
        return cursor

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._has_turn = False

    def _start_transaction_under_autocommit(self) -> None:
        patience = IMPATIENCE if _is_locked.is_set() else PATIENCE
        deadline = time.monotonic() + patience
        if not _turn.acquire(timeout=patience):
            raise OperationalError("database is locked")
        self._has_turn = True
        try:
            self._wait_at_most(deadline - time.monotonic())
            super()._start_transaction_under_autocommit()  # type: ignore[misc]  # the stubs leave it out
        except BaseException as error:
            if "locked" in str(error):
                _is_locked.set()
            self._end_turn()
            raise
        finally:
            self._wait_at_most(PATIENCE)
        _is_locked.clear()

    def _wait_at_most(self, seconds: float) -> None:
        self.connection.execute(f"PRAGMA busy_timeout = {max(int(seconds * 1000), 1)}")

    def _commit(self) -> None:
        try:
            super()._commit()  # type: ignore[misc]  # the stubs leave it out
        finally:
            if self.connection is None or not self.connection.in_transaction:  # refused, it is rolled back next
                self._end_turn()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]  # the stubs leave it out
        finally:
            self._end_turn()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]  # the stubs leave it out
        finally:
            self._end_turn()

    def _end_turn(self) -> None:
        if self._has_turn:
            self._has_turn = False
            _turn.release()
