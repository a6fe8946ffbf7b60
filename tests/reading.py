"""Reads tables again only where they may have changed: most of what tests try is refused, and then nothing was written.

SQLite tells how many rows a connection has written, and whether another one has. What is rolled back it does not tell,
so that is counted here, unless nothing was written since the savepoint.
"""

from functools import wraps

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

rollbacks = 0
written_before: dict[str, int] = {}  # each savepoint


def count_rows(database):
    """How many rows a connection has written; None where the database does not tell."""
    return database.connection.total_changes if database.vendor == "sqlite" else None


def before(wrapped, do_first):
    """The same, once something else is done."""

    @wraps(wrapped)
    def doing(*args):
        do_first(*args)
        return wrapped(*args)

    return doing


def note_savepoint(database, sid):
    written_before[sid] = count_rows(database)


def count_rollback(database, sid=""):
    global rollbacks  # noqa: PLW0603 - one count for all connections
    written = count_rows(database)
    rollbacks += not sid or written is None or written_before.get(sid) != written


BaseDatabaseWrapper._savepoint = before(BaseDatabaseWrapper._savepoint, note_savepoint)
BaseDatabaseWrapper._rollback = before(BaseDatabaseWrapper._rollback, count_rollback)
BaseDatabaseWrapper._savepoint_rollback = before(BaseDatabaseWrapper._savepoint_rollback, count_rollback)


def stand_of_the_rows():
    """What is different as soon as any row may be; None where the database does not tell."""
    if connection.vendor != "sqlite":
        return None
    connection.ensure_connection()
    link = connection.connection
    return link, link.total_changes, link.execute("PRAGMA data_version").fetchone(), rollbacks


def read_if_changed(read):
    """Have a function that reads the tables answer as before while nothing has changed. Who asks changes no answer."""
    last = (None, None)

    @wraps(read)
    def answer():
        nonlocal last
        stand = stand_of_the_rows()
        if stand is None or stand != last[0]:
            last = (stand, read())
        return last[1]

    return answer
