"""Whether this copy of the app can serve: for monitors, containers, and a second start that looks for the first."""

import shutil
from dataclasses import dataclass

from django.conf import settings
from django.db import DatabaseError, connection

from .opening import APP

LEAST_ROOM = 50_000_000  # bytes; SQLite's log of changes and a large upload need some of it


@dataclass(frozen=True)
class Health:
    """The state of this copy. ``database`` and ``disk`` say "ok", or what is wrong, without naming a path."""

    database: str
    disk: str

    @property
    def is_well(self) -> bool:
        return self.database == self.disk == "ok"

    def plain(self) -> dict[str, str]:
        return {"app": APP, "version": settings.VERSION, "database": self.database, "disk": self.disk}


def check_health() -> Health:
    """Query the database and look for room on the disk."""
    return Health(_look_at_database(), _look_at_disk())


def _look_at_database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        return "ok"
    except DatabaseError:
        return "does not answer"


def _look_at_disk() -> str:
    try:
        free = shutil.disk_usage(settings.DATA_DIR).free
    except OSError:
        return "cannot be read"
    return "ok" if free >= LEAST_ROOM else f"nearly full: {free // 1_000_000} MB are left"
