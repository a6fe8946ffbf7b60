"""Reads tables again only where they may have changed: most of what tests try is refused, and then nothing was written.

SQLite tells how many rows a connection has written, and whether another one has. What is rolled back it does not tell,
so that is counted here.
"""

from functools import wraps

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

rollbacks = 0


def count(roll_back):
    """The same, counted."""

    @wraps(roll_back)
    def counted(*args):
        global rollbacks  # noqa: PLW0603 - one count for all connections
        rollbacks += 1
        return roll_back(*args)

    return counted


BaseDatabaseWrapper._rollback = count(BaseDatabaseWrapper._rollback)
BaseDatabaseWrapper._savepoint_rollback = count(BaseDatabaseWrapper._savepoint_rollback)


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
