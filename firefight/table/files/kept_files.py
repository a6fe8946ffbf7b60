"""Files of matches that the app writes by itself on a host, one at each stage, so that a match outlives its database.

``attend`` writes them after the fact; no act waits for a file. Both sides' secrets are in them, so they are for the
host alone: players see only when they were written, and go back to one when all sides agree.
"""

import json
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from firefight.games import registry
from firefight.hosting.packed import writing_whole
from firefight.models import Device, Match, Seat, Snapshot

from . import archive, making, saving
from .making import Loaded
from .packing import unpack
from .shape import LARGEST

LOOKED_BACK = timedelta(days=2)  # for stages that have no file yet
MOST_AT_ONCE = 50  # files that one round writes
_NAME = re.compile(r"(\d{8}-\d{6})-(\d{1,6})\.json\.gz")


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file of a match as it stood after line ``number`` of its log, when a stage began ``at`` this time."""

    path: Path
    at: datetime
    number: int

    @property
    def name(self) -> str:
        """The name that a page and the command use for it."""
        return self.path.name


def folder_of(match_id: str) -> Path:
    return Path(settings.FILES_DIR) / match_id


def list_files(match_id: str) -> list[KeptFile]:
    """The files of a match, the newest first."""
    try:
        names = os.listdir(folder_of(match_id))
    except OSError:
        return []
    files = [_read_name(folder_of(match_id) / name) for name in names]
    return sorted((file for file in files if file), key=lambda file: file.number, reverse=True)


def _read_name(path: Path) -> KeptFile | None:
    match = _NAME.fullmatch(path.name)
    if match is None:
        return None
    return KeptFile(path, datetime.strptime(match[1], "%Y%m%d-%H%M%S").replace(tzinfo=UTC), int(match[2]))


def find_file(match_id: str, name: str) -> KeptFile | None:
    return next((file for file in list_files(match_id) if file.name == name), None)


def list_matches() -> Iterator[str]:
    """The ids of all matches of which files are kept."""
    root = Path(settings.FILES_DIR)
    yield from sorted(folder.name for folder in root.iterdir() if folder.is_dir()) if root.is_dir() else ()


# Writing


def write_new_files() -> int:
    """Write a file of every match that has come to a new stage; returns how many. The newest of each are kept."""
    if not settings.KEEP_FILES:
        return 0
    recent = Snapshot.objects.filter(state__isnull=False, at__gte=timezone.now() - LOOKED_BACK)
    newest: dict[str, int] = {}
    for match_id, number in recent.order_by("number").values_list("match", "number"):
        newest[match_id] = number
    due = [pair for pair in newest.items() if not any(file.number >= pair[1] for file in list_files(pair[0]))]
    return sum(_write_file(match_id, number) for match_id, number in due[:MOST_AT_ONCE])


def _write_file(match_id: str, number: int) -> bool:
    """Write one file, whole or not at all; returns whether the match is still there."""
    snapshot = Snapshot.objects.select_related("match").filter(match=match_id, number=number).first()
    if snapshot is None:
        return False
    sides = tuple(registry.games()[snapshot.match.game].sides)
    plain = saving.dump_match(snapshot.match, sides, snapshot)
    folder = folder_of(match_id)
    for path in (folder.parent, folder):
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    with writing_whole(folder / f"{snapshot.at.astimezone(UTC):%Y%m%d-%H%M%S}-{number}.json.gz") as stream:
        json.dump(plain, stream, ensure_ascii=False, separators=(",", ":"))
    for surplus in list_files(match_id)[settings.KEEP_FILES :]:
        surplus.path.unlink(missing_ok=True)
    return True


def forget_files(match_id: str) -> None:
    """Delete all files of a match that is deleted for good, once that is settled."""
    if re.fullmatch(r"[-a-zA-Z0-9_]+", match_id):
        transaction.on_commit(lambda: shutil.rmtree(folder_of(match_id), ignore_errors=True))


# Going back


def restore_file(file: KeptFile, hot_seat: bool) -> Loaded:
    """Make a match that goes on from a file, with seats of its own. Raises BadArchive, OSError."""
    with file.path.open("rb") as stream:
        return making.make_match(archive.read_archive(unpack(stream.read(LARGEST + 1))), hot_seat)


def restore_for_players(file: KeptFile, match: Match) -> Match:
    """The same, for those who play a match: the devices that hold its seats hold those of the new one, too."""
    loaded = restore_file(file, match.hot_seat)
    number = loaded.match.last_number
    new_seats = {seat.side: seat for seat in loaded.match.seats.all()}
    for seat in match.seats.filter(claimed__isnull=False).prefetch_related("devices"):
        new_seat = new_seats[seat.side]
        Seat.objects.filter(pk=new_seat.pk).update(claimed=timezone.now(), token_hash="", pin=seat.pin)
        Device.objects.bulk_create(
            Device(key=device.key, seat=new_seat, name=device.name, read=number, visit=number, arrived=number)
            for device in seat.devices.all()
        )
    return loaded.match
