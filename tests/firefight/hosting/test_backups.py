"""Backup and restore: everything, of one moment, into either database; a broken file changes nothing."""

import gzip
import json
import os
import stat
import threading
import uuid
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from campaign.acts.beginning import begin
from firefight.hosting import backups
from firefight.hosting.backups import kept_models
from firefight.models import Act, LogEntry, Match
from firefight.table.act.table import Table
from firefight.table.log import notes

pytestmark = pytest.mark.django_db(transaction=True)


def everything():
    """Every row of every table, by table."""
    return {model._meta.label: list(model._base_manager.order_by("pk").values()) for model in kept_models()}


def run(command, *arguments, **options):
    """What a command of manage.py says."""
    out = StringIO()
    call_command(command, *map(str, arguments), stdout=out, **options)
    return out.getvalue()


def written(path, change=None):
    """The lines of a backup; ``change`` rewrites them."""
    with gzip.open(path, "rt", encoding="utf-8") as stream:
        lines = stream.read().split("\n")[:-1]
    if change:
        with gzip.open(path, "wt", encoding="utf-8") as stream:
            stream.write("\n".join(change(lines)) + "\n")
    return lines


def table_of(match, side="german"):
    """A side's table, without a browser."""
    return Table(Match.objects.get(pk=match.pk), side, (side,), tuple(match.seats.all()))


@pytest.fixture
def match():
    """A campaign with acts and a note that would break a careless line-based file."""
    match, _ = begin("cg2", "Kept «safe» — Волга", hot_seat=False)
    notes.note(table_of(match), str(uuid.uuid4()), None, 'one\u2028two\x85three \\ "four"', sealed=True)
    notes.note(table_of(match, "russian"), str(uuid.uuid4()), None, "a note")
    return match


@pytest.fixture
def file(match, tmp_path):
    """A backup of it."""
    path = tmp_path / "volga.gz"
    run("backup", path)
    return path


@pytest.mark.usefixtures("match")
def test_what_is_restored_is_what_was_there(file):
    before = everything()
    assert sum(map(len, before.values())) == len(written(file)) - 2
    notes.note(table_of(Match.objects.get()), str(uuid.uuid4()), None, "later")
    assert everything() != before
    assert "rows restored" in run("restore", file, replace=True)
    assert everything() == before


def test_play_goes_on_after_a_restore_with_keys_of_its_own(file, match):
    run("restore", file, replace=True)
    notes.note(table_of(match), str(uuid.uuid4()), None, "after the restore")
    begin("cg1", "Another", hot_seat=True)
    assert LogEntry.objects.filter(match=match).latest("number").sentence == "after the restore"


def test_a_file_is_for_its_owner_alone_and_not_replaced_by_accident(file):
    assert stat.S_IMODE(os.stat(file).st_mode) == 0o600
    before = file.read_bytes()
    with pytest.raises(CommandError, match="is there already"):
        run("backup", file)
    assert file.read_bytes() == before
    run("backup", file, force=True)
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    with pytest.raises(CommandError, match="cannot be written"):
        run("backup", file.parent / "nowhere" / "volga.gz")


def test_a_database_that_holds_matches_is_not_overwritten_by_accident(file):
    before = everything()
    with pytest.raises(CommandError, match="--replace"):
        run("restore", file)
    assert everything() == before


def test_it_goes_into_an_empty_database(file):
    before = everything()
    for model in reversed(kept_models()):
        model._base_manager.all().delete()
    run("load_shipped")
    run("restore", file)
    assert everything() == before


def without(key):
    return lambda lines: [json.dumps({k: v for k, v in json.loads(lines[0]).items() if k != key}), *lines[1:]]


def headed(**values):
    return lambda lines: [json.dumps({**json.loads(lines[0]), **values}), *lines[1:]]


BROKEN = {
    "no head": lambda lines: lines[1:],
    "no format": without("format"),
    "another format": headed(format="recipe"),
    "a newer schema": headed(schema=2),
    "other tables": headed(tables=["firefight.0099_future"]),
    "a row left out": lambda lines: [*lines[:5], *lines[6:]],
    "no end": lambda lines: lines[:-1],
    "a row twice": lambda lines: [*lines[:-2], lines[-3], lines[-1]],
    "a row of nonsense": lambda lines: [*lines[:-2], '{"model": "firefight.match"', lines[-1]],
    "a row of no table": lambda lines: [*lines[:-2], '{"model": "auth.user", "pk": 1, "fields": {}}', lines[-1]],
    "a row of another table": lambda lines: [*lines[:-2], '{"model": "sessions.session", "pk": 1}', lines[-1]],
    "a row that points nowhere": lambda lines: [line.replace('"match": "', '"match": "x') for line in lines],
    "a field that there is not": lambda lines: [line.replace('"sentence"', '"verdict"') for line in lines],
    "a number in words": lambda lines: [line.replace('"number": 2', '"number": "two"') for line in lines],
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_changes_nothing(file, name):
    written(file, BROKEN[name])
    before = everything()
    with pytest.raises(CommandError) as refusal:
        run("restore", file, replace=True)
    assert str(refusal.value)
    assert everything() == before


def test_a_truncated_file_or_another_one_changes_nothing(file, tmp_path):
    before, body = everything(), file.read_bytes()
    other = tmp_path / "other.gz"
    for content in (body[:-1], body[: len(body) // 2], body[:5], b"", b"nonsense", gzip.compress(b"\xff\xfe")):
        other.write_bytes(content)
        with pytest.raises(CommandError):
            run("restore", other, replace=True)
    with pytest.raises(CommandError, match="cannot be read"):
        run("restore", tmp_path / "missing.gz", replace=True)
    assert everything() == before


def test_a_backup_is_of_one_moment_while_both_sides_write(match, tmp_path):
    """Two writers go on without waiting; every backup taken meanwhile is restored to a whole match."""
    stop, failures, done = threading.Event(), [], {"german": 0, "russian": 0}

    def write(side):
        try:
            while not stop.is_set():
                notes.note(table_of(match, side), str(uuid.uuid4()), None, f"{side} {done[side]}")
                done[side] += 1
        except Exception as error:
            failures.append(error)
        finally:
            connection.close()

    writers = [threading.Thread(target=write, args=[side]) for side in done]
    for writer in writers:
        writer.start()
    try:
        for number in range(4):
            run("backup", tmp_path / f"{number}.gz")
    finally:
        stop.set()
        for writer in writers:
            writer.join(timeout=60)
    assert not failures
    assert min(done.values())
    sizes = []
    for number in range(4):
        run("restore", tmp_path / f"{number}.gz", replace=True)
        restored = Match.objects.get()
        numbers = list(LogEntry.objects.order_by("number").values_list("number", flat=True))
        assert numbers == list(range(1, restored.last_number + 1))
        assert Act.objects.count() == restored.version - 1
        sizes.append(restored.version)
    assert sizes == sorted(sizes)


def test_a_backup_that_fails_leaves_no_file(match, tmp_path, monkeypatch):
    def broken(*_, **__):
        raise RuntimeError

    monkeypatch.setattr(backups.serializers, "serialize", broken)
    with pytest.raises(RuntimeError):
        backups.write_backup(tmp_path / "volga.gz")
    assert not any(tmp_path.iterdir())
    assert match
