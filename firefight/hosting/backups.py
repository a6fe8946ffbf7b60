"""Everything that the host keeps, as one compressed file that can be restored to SQLite and to PostgreSQL.

The first line says what the file is, the last how many rows it has; each line between is one row, as Django
serializes it. All rows are from one moment, however busily the app writes meanwhile.
"""

import gzip
import io
import json
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from django.apps import apps
from django.conf import settings
from django.core import serializers
from django.core.exceptions import FieldDoesNotExist
from django.core.management.color import no_style
from django.core.serializers.base import DeserializationError
from django.core.serializers.json import DjangoJSONEncoder
from django.db import DatabaseError, connection, models, transaction
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from firefight.models import Match

from .moments import one_moment
from .packed import writing_whole

FORMAT, SCHEMA = "volga-ledger backup", 1
ROOMS = ("firefight", "campaign")


class BadBackup(ValueError):
    """A file that cannot be restored, or a database that it must not be restored to; the message says why."""


def kept_models() -> list[type[models.Model]]:
    """All our tables; those that others point to come first."""
    unordered = [model for room in ROOMS for model in apps.get_app_config(room).get_models()]
    ordered: list[type[models.Model]] = []
    while unordered:
        free = [model for model in unordered if not _points_to(model) & {*unordered} - {model}]
        ordered += free
        unordered = [model for model in unordered if model not in free]
    return ordered


def _points_to(model: type[models.Model]) -> set[object]:
    return {field.related_model for field in model._meta.concrete_fields if field.is_relation}


def list_tables() -> list[str]:
    """The newest migration of each room, which says what the tables look like."""
    leaves = MigrationLoader(connection).graph.leaf_nodes()
    return sorted(f"{room}.{name}" for room, name in leaves if room in ROOMS)


# Writing


class Exact(DjangoJSONEncoder):
    """Times to the microsecond; Django's own encoder keeps milliseconds."""

    def default(self, o: Any) -> Any:
        return o.isoformat() if isinstance(o, datetime) else super().default(o)


def write_backup(path: Path, force: bool = False) -> int:
    """Write all rows to a file that only its owner can read; returns how many. Raises BadBackup, FileExistsError.

    An existing file is replaced only with ``force``, and only once the new one is complete.
    """
    if path.exists() and not force:
        raise FileExistsError(path)
    with writing_whole(path) as stream:
        return _write_rows(stream)


def _write_rows(stream: IO[str]) -> int:
    head = {"format": FORMAT, "schema": SCHEMA, "app": settings.VERSION, "tables": list_tables()}
    stream.write(json.dumps({**head, "written": timezone.now().isoformat()}) + "\n")
    number = 0
    with one_moment():
        for model in kept_models():
            for row in model._base_manager.order_by("pk").iterator(chunk_size=500):
                serializers.serialize("jsonl", [row], stream=stream, ensure_ascii=False, cls=Exact)
                number += 1
    stream.write(json.dumps({"rows": number}) + "\n")
    return number


# Reading


def restore_backup(path: Path, replace: bool = False) -> int:
    """Fill the database from a backup; returns how many rows. Raises BadBackup or OSError; then nothing has changed.

    ``replace``: delete what the database holds; otherwise it must not hold a match.
    """
    lines = _read_rows(path)
    with transaction.atomic():
        if not replace and Match._base_manager.exists():
            raise BadBackup("The database holds matches. Give --replace to put the backup in their place.")
        for model in reversed(kept_models()):
            model._base_manager.all()._raw_delete("default")
        try:
            _store(lines)
            connection.check_constraints()
        except (DeserializationError, FieldDoesNotExist, DatabaseError, ValueError, TypeError) as error:
            raise BadBackup(f"The file is damaged, and nothing was changed: {str(error)[:200]}") from None
        with connection.cursor() as cursor:
            for sql in connection.ops.sequence_reset_sql(no_style(), kept_models()):
                cursor.execute(sql)
    return len(lines)


def _read_rows(path: Path) -> list[str]:
    """The lines with rows, of a file that is complete and fits this version of the app."""
    try:
        with gzip.open(path, "rt", encoding="utf-8") as stream:
            lines = stream.read().rstrip("\n").split("\n")
        head, tail = json.loads(lines[0]), json.loads(lines[-1])
        if head["format"] != FORMAT or head["schema"] != SCHEMA:
            raise BadBackup("That is not a backup that this version of the app can read.")
        if head["tables"] != list_tables():
            versions = f"{', '.join(head['tables'])} of app {head['app']}, and here it is {', '.join(list_tables())}"
            raise BadBackup(f"The backup's tables are {versions}. Restore it with its own version, then update.")
        if tail["rows"] != len(lines) - 2:
            raise BadBackup("The file is not complete.")
    except (gzip.BadGzipFile, EOFError, UnicodeDecodeError, ValueError, LookupError, TypeError) as error:
        if isinstance(error, BadBackup):
            raise
        raise BadBackup("That is not a complete backup of this app.") from None
    return lines[1:-1]


def _store(lines: list[str]) -> None:
    """Store the rows exactly as they were, with times and keys."""
    allowed = set(kept_models())
    for row in serializers.deserialize("jsonl", io.StringIO("\n".join(lines))):
        if type(row.object) not in allowed:
            raise ValueError("a table that is not one of the app's")
        row.save(force_insert=True)
