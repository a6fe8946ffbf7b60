"""Files that the app keeps by itself at each stage: written by the attendant, gone back to by consent or the host."""

import gzip
import json
import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from firefight.models import LogEntry, Match
from firefight.table.files import kept_files
from tests.firefight.players import seated, sit

pytestmark = pytest.mark.django_db

GERMAN, RUSSIAN = "Panzers by the tannery", "Snipers in the brickworks"


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    settings.FILES_DIR, settings.KEEP_FILES = tmp_path / "files", 3
    return settings.FILES_DIR


@pytest.fixture
def planted(frozen):
    return frozen("two turns with secrets", plant)


def plant():
    """Both sides have written something down, and a second turn has begun; something was noted in it."""
    table = seated()
    table.german.note(GERMAN, sealed="on")
    table.russian.note(RUSSIAN, sealed="on")
    next_turn(table.german)
    table.german.note("Later")
    return table


def next_turn(player):
    turn = player.match.state.turn
    for _ in range(12):
        if player.match.state.turn == turn:
            player.do("advance/")
    assert player.match.state.turn == turn + 1


def run(*words, **options):
    out = StringIO()
    call_command(*words, stdout=out, **options)
    return out.getvalue()


def secrets_of(match):
    return {entry.secret for entry in LogEntry.objects.filter(match=match)} - {""}


def test_a_file_is_written_once_at_each_stage_and_only_the_host_can_read_it(planted, folder):
    assert "1 files written" in run("attend")
    assert run("attend") == ""
    [file] = kept_files.list_files(planted.german.match_id)
    assert file.path.stat().st_mode & 0o777 == 0o600
    assert {path.stat().st_mode & 0o777 for path in (folder, file.path.parent)} == {0o700}
    data = json.loads(gzip.decompress(file.path.read_bytes()))
    assert len(data["log"]) == file.number < planted.german.match.last_number
    assert {GERMAN, RUSSIAN} <= {line.get("secret") for line in data["log"]}
    for _ in range(4):
        next_turn(planted.german)
        run("attend")
    numbers = [kept_file.number for kept_file in kept_files.list_files(planted.german.match_id)]
    assert len(numbers) == 3 and numbers == sorted(numbers, reverse=True) and file.number not in numbers


def test_nothing_is_kept_unless_the_host_says_so(planted, settings, folder):
    settings.KEEP_FILES = 0
    run("attend")
    assert not folder.exists()


def test_a_disk_that_is_full_leaves_no_half_a_file(planted, monkeypatch):
    def fail(*args, **options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(kept_files.json, "dump", fail)
    err = StringIO()
    call_command("attend", stderr=err)
    assert "No space left" in err.getvalue()
    assert list(kept_files.folder_of(planted.german.match_id).iterdir()) == []


def test_players_go_back_by_consent_on_the_devices_that_they_have(planted):
    run("attend")
    [file] = kept_files.list_files(planted.german.match_id)
    page = planted.german.see("files/")
    assert "Ask to go back to it" in page and file.name not in page
    assert RUSSIAN not in page
    planted.german.do("files/", name=file.name)
    assert Match.objects.count() == 1
    assert "German asks to go back to" in planted.russian.see()
    planted.russian.do("answer/", agrees="yes")
    copy = Match.objects.exclude(pk=planted.german.match_id).get()
    assert copy.pk in planted.german.see()
    assert secrets_of(copy) == {GERMAN, RUSSIAN} and not LogEntry.objects.filter(match=copy, sentence="Later").exists()
    for side in ("german", "russian"):
        player = getattr(planted, side)
        player.match_id = copy.pk
        own, other = (GERMAN, RUSSIAN) if side == "german" else (RUSSIAN, GERMAN)
        assert own in player.see("log/") and other not in player.see("log/")
        assert player.note("Here I am").status_code == 302


def test_nobody_goes_back_alone_and_to_no_file_that_is_not_there(planted, folder):
    run("attend")
    [file] = kept_files.list_files(planted.german.match_id)
    for name in ("../../etc/passwd", "", file.name + "x", "../" + file.name):
        assert planted.german.do("files/", name=name).status_code == 404
    assert planted.observer.get("files/").status_code == 403
    planted.german.do("files/", name=file.name)
    planted.german.do("answer/", agrees="yes")
    planted.russian.do("answer/", agrees="no")
    assert Match.objects.count() == 1
    planted.german.do("files/", name=file.name)
    file.path.write_bytes(b"no file")
    assert planted.russian.do("answer/", agrees="yes", htmx=True).status_code == 403
    assert Match.objects.count() == 1 and planted.german.match.proposal
    file.path.unlink()
    assert "Ask to go back" not in planted.german.see("files/")


def test_the_host_lists_files_and_makes_a_match_of_one(planted):
    run("attend")
    match = planted.german.match_id
    [file] = kept_files.list_files(match)
    assert f"{match}  1 files" in run("kept_files") and file.name in run("kept_files", match)
    Match.objects.all().delete()  # the database is lost
    out = run("kept_files", match, restore=file.name, address="https://ledger.example")
    copy = Match.objects.get()
    assert copy.pk in out and secrets_of(copy) == {GERMAN, RUSSIAN}
    link = re.search(r"German: https://ledger\.example(\S+)", out)[1]
    assert "You are German" in sit(link, copy.pk).see()
    with pytest.raises(CommandError, match="no file"):
        run("kept_files", match, restore="x")


def test_a_match_that_is_deleted_leaves_no_files(planted, django_capture_on_commit_callbacks):
    run("attend")
    for player in (planted.german, planted.russian):
        with django_capture_on_commit_callbacks(execute=True):
            player.do("delete/", wants="yes", sure="on")
    assert not Match.objects.exists() and list(kept_files.list_matches()) == []
