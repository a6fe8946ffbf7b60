"""What must be right before the app is served. Each problem is put in words, with an exit code of its own."""

import getpass
import hashlib
import os
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import IntEnum
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.files import locks
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader

OPEN_FILES = 20_000  # what a server may need when somebody opens thousands of connections to it


class ExitCode(IntEnum):
    """Exit codes, for whatever starts the app: docs/running.md lists them."""

    SETTING = 1
    PORT = 3
    DAMAGED = 4
    NEWER = 5
    LOCKED = 6
    DISK = 7
    DATABASE = 8


class CannotStart(Exception):
    """Why the app is not served, and what to do."""

    def __init__(self, code: ExitCode, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


ASIDE = "See “If it fails” in docs/running.md. Nothing was changed."
OUTDATED = (
    ExitCode.DATABASE,
    "{name} does not have the tables of this version ({error}). Set VOLGA_DATA or DATABASE_URL as for the app, or run "
    "`manage.py migrate` first.",
)
DISTURBED = {
    "malformed": (
        ExitCode.DAMAGED,
        "The database {name} is damaged ({error}). Keep it, and restore a backup. " + ASIDE,
    ),
    "not a database": (ExitCode.DAMAGED, "{name} is not a database, or it is damaged ({error}). " + ASIDE),
    "is locked": (ExitCode.LOCKED, "Another program holds the database {name}. End it, then start again."),
    "disk is full": (ExitCode.DISK, "The disk that holds {name} is full. Make room, then start again."),
    "readonly": (ExitCode.DISK, "{name} may not be written to. Let this user write to it and to its folder."),
    "unable to open": (ExitCode.DISK, "{name} cannot be opened. Let this user read and write it and its folder."),
    "disk I/O": (ExitCode.DISK, "The disk that holds {name} does not answer as it should ({error}). " + ASIDE),
    **dict.fromkeys(("no such table", "no such column", "relation ", "column "), OUTDATED),
}


def explain(error: DatabaseError) -> CannotStart:
    """What a database error means, at the start or in a command."""
    name, text = connection.settings_dict["NAME"], " ".join(str(error).split())
    for words, (code, sentence) in DISTURBED.items():
        if words in text:
            return CannotStart(code, sentence.format(name=name, error=text))
    return CannotStart(ExitCode.DATABASE, f"The database {name} does not answer ({text}). Nothing was changed.")


@contextmanager
def taking_turns(folder: Path) -> Iterator[None]:
    """Let one start at a time prepare the data of this folder; the next finds it done."""
    with open(folder / "start.lock", "w") as file:
        locks.lock(file, locks.LOCK_EX)  # ends with the file, however this process ends
        yield


def claim_port(port: int) -> None:
    """Keep other starts from this port, for as long as this process and those that replace it live.

    Between checking that a port is free and listening on it, a second start would find it free too, and Linux lets both
    listen if the same user has started them, whatever data each serves. Raises CannotStart.
    """
    claim = _claim_name(port) if sys.platform == "linux" else _claim_file(port)
    if claim is None:
        raise CannotStart(ExitCode.PORT, f"Port {port} is busy: the app is starting or running there already.")
    os.set_inheritable(claim, True)


def _claim_name(port: int) -> int | None:
    """A name that only one process on the machine can have, and which ends with it; None if another one has it."""
    claim = socket.socket(socket.AF_UNIX)
    try:
        claim.bind(f"\0volga-ledger-{os.getuid()}-{port}")
    except OSError:
        claim.close()
        return None
    return claim.detach()


def _claim_file(port: int) -> int | None:
    """The same with a locked file, on systems without such sockets."""
    path = Path(tempfile.gettempdir()) / f"volga-ledger-{getpass.getuser()}-{port}.lock"
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    if locks.LOCK_EX and not locks.lock(file, locks.LOCK_EX | locks.LOCK_NB):
        os.close(file)
        return None
    return file


def remember_address(folder: Path, address: str) -> None:
    """Remember where this start serves, for a second double click and for commands that print links."""
    (folder / "address").write_text(address, encoding="ascii")


def last_address(folder: Path) -> str:
    """Where the last start served, or "" if there was none."""
    with suppress(OSError, UnicodeDecodeError):
        return (folder / "address").read_text(encoding="ascii").strip()
    return ""


def link_beginning(beginning: str = "") -> str:
    """What the links that a command prints begin with: as given, as set, or where the app was last started."""
    address = beginning or settings.PUBLIC_ADDRESS or last_address(settings.DATA_DIR) or "http://127.0.0.1:8000"
    return address.rstrip("/")


def forget_figures(folder: Path) -> None:
    """Remove what the workers of earlier starts have counted: one file for each, which nothing else would delete."""
    for file in (folder / "metrics").glob("*.db"):
        file.unlink(missing_ok=True)


def check_database() -> None:
    """Raise CannotStart if the database is damaged, locked, missing, or written by a newer version."""
    try:
        if connection.vendor == "sqlite":
            with connection.cursor() as cursor:
                cursor.execute("PRAGMA quick_check(1)")
                (verdict,) = cursor.fetchone()
            if verdict != "ok":
                raise DatabaseError(f"malformed: {verdict}")
        check_tables()
    except DatabaseError as error:
        raise explain(error) from error


def check_tables() -> None:
    """Raise CannotStart if a newer version has changed the tables. Other errors of the database pass through."""
    if unknown := newer_migrations():
        raise CannotStart(
            ExitCode.NEWER,
            "A newer version of the app has written this data "
            f"({', '.join(unknown)}). Start that version, or restore a backup of this one. Nothing was changed.",
        )


def newer_migrations() -> list[str]:
    """The migrations already applied that this version does not know."""
    loader = MigrationLoader(connection)
    newest: dict[str, str] = {}
    for app, name in loader.disk_migrations:
        newest[app] = max(name, newest.get(app, ""))
    own_apps = {config.label for config in apps.get_app_configs()}
    applied = [(app, name) for app, name in loader.applied_migrations if app in own_apps]
    return sorted(f"{app} {name}" for app, name in applied if name > newest.get(app, ""))


def lay_out_static_files() -> None:
    """Collect what pages load, compressed and under names with a hash of the content, unless that has been done.

    Only one process may do it at a time: see `taking_turns`.
    """
    root, stamp = Path(settings.STATIC_ROOT), Path(settings.DATA_DIR) / "static.sha256"
    digest = _digest_static_files()
    if (root / "staticfiles.json").exists() and stamp.exists() and stamp.read_text(encoding="ascii") == digest:
        return
    call_command("collectstatic", interactive=False, verbosity=0)
    stamp.write_text(digest, encoding="ascii")


def _digest_static_files() -> str:
    digest = hashlib.sha256()
    for finder in get_finders():
        for name, storage in sorted(finder.list([]), key=lambda name_and_storage: name_and_storage[0]):
            digest.update(f"\0{name}\0".encode())
            digest.update(Path(storage.path(name)).read_bytes())
    return digest.hexdigest()


def allow_connections() -> None:
    """Allow as many open files as the system lets a process ask for: each connection is one."""
    with suppress(ImportError, OSError, ValueError):  # Windows has no such limit
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        limit = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
        if soft != resource.RLIM_INFINITY and soft < limit:
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, hard))
