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


# How far a browser has read: an answer that refuses shows the log, too.
SHOWN = ("read", "visit", "arrived")


@read_if_changed
def every_row():
    """Every row of every table of ours, to see that nothing has changed but what browsers were shown."""
    of_devices = ", ".join(f'"{field.column}"' for field in Device._meta.fields if field.name not in SHOWN)
    return read_tables({Device._meta.db_table: of_devices})


def read_tables(columns=()):
    """Every row of every table of ours: of some tables certain columns."""
    found, columns = {}, dict(columns)
    with connection.cursor() as cursor:
        for table in TABLES:
            cursor.execute(f'SELECT {columns.get(table, "*")} FROM "{table}" ORDER BY 1')
            found[table] = cursor.fetchall()
    return found


def put_back(rows):
    """Fill empty tables with rows as they were read."""
    with connection.cursor() as cursor:
        for table, found in rows.items():
            if found:
                marks = ", ".join(["%s"] * len(found[0]))
                cursor.executemany(f'INSERT INTO "{table}" VALUES ({marks})', found)
        for statement in connection.ops.sequence_reset_sql(no_style(), MODELS):
            cursor.execute(statement)


def frozen(folder, name, build):
    """A table of players as ``build`` makes it: played once, and put back for every later test that wants it.

    It is kept in a folder that all processes of a run share.
    """
    if Match.objects.exists() or ChartBook.objects.exists():
        return build()  # among what another fixture has made
    kept = folder / f"{name}.pickle"
    if kept.exists():
        table, rows = read_kept(kept)
        put_back(rows)
        _look_now()
        return pickle.loads(table)  # each test has players of its own
    table = build()
    being_written = folder / f"{name}.{os.getpid()}"
    being_written.write_bytes(pickle.dumps((pickle.dumps(table), read_tables())))
    being_written.replace(kept)  # whole, whoever else builds the same
    return table


def _look_now():
    """Let browsers have looked just now where the run has taken long: after a while away a new visit would begin."""
    now = timezone.now()
    Device.objects.filter(seen__lt=now - SEEN_EVERY / 3).update(seen=now)


@cache
def read_kept(kept):
    """What a file keeps, which never changes."""
    return pickle.loads(kept.read_bytes())
