"""What a host's commands say where they cannot do what was asked: words, never a traceback."""

import os
from io import StringIO

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db import OperationalError, ProgrammingError

import manage
from firefight.hosting.starting import ExitCode
from firefight.management.commands import matches


def refuse(*words):
    """What a command says as it is refused."""
    with pytest.raises(CommandError) as caught:
        call_command(*words, stdout=StringIO())
    return str(caught.value)


def test_a_reader_who_has_seen_enough_of_a_list_ends_it_quietly(monkeypatch, capsys):
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as closed_pipe:
        monkeypatch.setattr("sys.stdout", closed_pipe)
        monkeypatch.setattr(matches.Command, "handle", lambda command, **options: command.stdout.write("A match"))
        with pytest.raises(SystemExit) as caught:
            manage.main(["matches"])
    assert caught.value.code == 1 and capsys.readouterr().err == ""


@pytest.mark.parametrize(
    "error",
    [
        OperationalError("no such table: firefight_match"),
        OperationalError("no such column: firefight_match.locked"),
        ProgrammingError('relation "firefight_match" does not exist\nLINE 1: SELECT'),
        ProgrammingError("column firefight_match.locked does not exist\nLINE 1: SELECT"),
    ],
)
def test_a_database_without_the_tables_of_this_version_is_told_apart(monkeypatch, capsys, error):
    def fail(command, **options):
        raise error

    monkeypatch.setattr(matches.Command, "handle", fail)
    with pytest.raises(SystemExit) as caught:
        manage.main(["matches"])
    complaint = capsys.readouterr().err
    assert caught.value.code == ExitCode.DATABASE
    assert "does not have the tables of this version" in complaint and "manage.py migrate" in complaint
    with pytest.raises(type(error)):
        manage.main(["matches", "--traceback"])


def test_a_side_or_a_file_without_a_match_is_asked_for_its_match(db):
    assert "Say which match" in refuse("seats", "--free", "german")
    assert "Say which match" in refuse("seats", "--way-back", "german")
    assert "Say which match" in refuse("kept_files", "--restore", "x")
    assert refuse("kept_files", "0123456789ab") == "No files are kept of a match 0123456789ab."


def test_a_port_that_is_none_is_refused_by_its_name(monkeypatch):
    monkeypatch.setenv("PORT", "http")
    assert refuse("healthy").startswith("PORT=http is not a port.")


def test_a_golden_game_that_cannot_be_written_says_why():
    words = refuse("rehearse", "inferno-on-the-volga", "--seeds", "1", "--quick", "--write", "/nowhere/golden.txt")
    assert words == "/nowhere/golden.txt cannot be written: No such file or directory."


def test_a_setting_that_cannot_be_read_is_named_without_a_traceback(monkeypatch):
    def fail(words):
        raise ImproperlyConfigured("SEAT_HOURS=x is not a number of hours.")

    monkeypatch.setattr("django.core.management.execute_from_command_line", fail)
    with pytest.raises(SystemExit, match="SEAT_HOURS=x is not a number of hours."):
        manage.main(["seats"])
