"""Reads tables again only where they may have changed: most of what tests try is refused, and then nothing was written.

SQLite tells how many rows a connection has written, and whether another one has. It does not tell what is rolled back:
that happens at the end of a test, and of a ``trial`` in one.
"""

import os
from contextlib import contextmanager
from functools import wraps

from django.db import connection, transaction

trials = 0  # those that had written something


@contextmanager
def trial():
    """Whatever is done inside is undone afterwards."""
    global trials  # noqa: PLW0603 - as long as the connection
    before = rows_written()
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    trials += before != rows_written()


def rows_written():
    """How many rows this connection has written; None where the database does not tell."""
    connection.ensure_connection()
    return connection.connection.total_changes if connection.vendor == "sqlite" else None


def stand_of_the_rows():
    """A value that changes as soon as any row may have; None where the database does not tell."""
    if (written := rows_written()) is None:
        return None
    link = connection.connection
    return os.environ["PYTEST_CURRENT_TEST"], link, written, link.execute("PRAGMA data_version").fetchone(), trials


def read_if_changed(read):
    """Make a function that reads the tables answer as before while nothing has changed, whoever asks."""
    last = (None, None)

    @wraps(read)
    def answer():
        nonlocal last
        stand = stand_of_the_rows()
        if stand is None or stand != last[0]:
            last = (stand, read())
        return last[1]

    return answer
