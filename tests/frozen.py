"""Tables of players that are built once and put back for every test: rows are written in a hundredth of the time."""

import os
import pickle
from functools import cache

from django.apps import apps
from django.core.management.color import no_style
from django.db import connection
from django.utils import timezone

from firefight.models import ChartBook, Device, Match
from firefight.table.seats.devices import SEEN_EVERY
from tests.reading import read_if_changed

MODELS = [model for label in ("firefight", "campaign") for model in apps.get_app_config(label).get_models()]
TABLES = [model._meta.db_table for model in MODELS]


# How far a browser has read: an answer that refuses also shows the log.
SHOWN = ("read", "visit", "arrived")


@read_if_changed
def every_row():
    """Every row of all our tables, to see that nothing has changed except what browsers were shown."""
    of_devices = ", ".join(f'"{field.column}"' for field in Device._meta.fields if field.name not in SHOWN)
    return read_tables({Device._meta.db_table: of_devices})


def read_tables(columns=()):
    """Every row of all our tables, with only certain columns of some."""
    rows_by_table, columns = {}, dict(columns)
    with connection.cursor() as cursor:
        for table in TABLES:
            cursor.execute(f'SELECT {columns.get(table, "*")} FROM "{table}" ORDER BY 1')
            rows_by_table[table] = cursor.fetchall()
    return rows_by_table


def put_back(rows):
    """Fill empty tables with rows as they were read."""
    with connection.cursor() as cursor:
        for table, rows_of_table in rows.items():
            if rows_of_table:
                marks = ", ".join(["%s"] * len(rows_of_table[0]))
                cursor.executemany(f'INSERT INTO "{table}" VALUES ({marks})', rows_of_table)
        for statement in connection.ops.sequence_reset_sql(no_style(), MODELS):
            cursor.execute(statement)


def frozen(folder, name, build):
    """A table of players as ``build`` makes it: played once, and put back for every later test that wants it.

    It is kept in a folder that all processes of a run share.
    """
    if Match.objects.exists() or ChartBook.objects.exists():
        return build()  # beside what another fixture has made
    file = folder / f"{name}.pickle"
    if file.exists():
        table, rows = read_kept(file)
        put_back(rows)
        _look_now()
        return pickle.loads(table)  # each test has players of its own
    table = build()
    being_written = folder / f"{name}.{os.getpid()}"
    being_written.write_bytes(pickle.dumps((pickle.dumps(table), read_tables())))
    being_written.replace(file)  # whole, even if another process builds the same
    return table


def _look_now():
    """Have browsers seen just now, since in a long run a new visit would begin after a while away."""
    moment = timezone.now()
    Device.objects.filter(seen__lt=moment - SEEN_EVERY / 3).update(seen=moment)


@cache
def read_kept(file):
    """What a file keeps, which never changes."""
    return pickle.loads(file.read_bytes())
