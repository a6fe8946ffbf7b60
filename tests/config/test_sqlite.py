"""Those who write in one process take turns, and nobody keeps a turn that is over."""

import sqlite3
import threading
from contextlib import closing, suppress

import pytest
from django.db import IntegrityError, OperationalError, connection, transaction

from config.sqlite import base
from firefight.models import Match, Seat
from tests.threads import at_once

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif("connection.vendor != 'sqlite'", reason="about SQLite"),
]


@pytest.fixture
def impatient(monkeypatch):
    """Wait for a turn only briefly."""
    monkeypatch.setattr(base, "PATIENCE", 0.3)
    yield
    base._is_locked.clear()


@pytest.fixture
def other_program():
    """A connection of another program to the same database."""
    with closing(sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None, timeout=0)) as other:
        yield other


def write():
    with transaction.atomic():
        Match.objects.filter(pk="none").update(name="x")


def test_many_who_write_at_once_all_come_to_it():
    done = []

    def write_often():
        for _ in range(20):
            write()
            done.append(1)

    at_once(*[write_often] * 8)
    assert len(done) == 160


def test_who_waits_too_long_is_told_and_the_next_at_once(impatient, other_program):
    other_program.execute("BEGIN IMMEDIATE")
    for _ in range(2):
        with pytest.raises(OperationalError, match="locked"):
            write()
        assert base._is_locked.is_set()
    other_program.execute("ROLLBACK")
    write()
    assert not base._is_locked.is_set()


def test_a_writer_of_this_process_is_waited_for_no_longer(impatient):
    begun, over = threading.Event(), threading.Event()

    def hold():
        with transaction.atomic():
            begun.set()
            assert over.wait(60)

    def try_meanwhile():
        assert begun.wait(60)
        try:
            with pytest.raises(OperationalError, match="locked"):
                write()
        finally:
            over.set()

    at_once(hold, try_meanwhile)
    write()


def close_within():
    with transaction.atomic():
        connection.close()


def fail_within():
    with transaction.atomic():
        raise KeyError


def fail_at_the_end():
    with transaction.atomic():
        Seat.objects.create(match_id="nowhere", side="german")  # the commit finds that out


@pytest.mark.parametrize("job", [close_within, fail_within, fail_at_the_end])
def test_a_turn_ends_with_its_transaction_however_that_ends(job):
    with suppress(KeyError, IntegrityError):
        job()
    assert base._turn.acquire(timeout=0)
    base._turn.release()
    write()


def test_the_other_connections_wait_as_long_as_ever_afterwards():
    write()
    with connection.cursor() as cursor:
        assert cursor.execute("PRAGMA busy_timeout").fetchone() == (int(base.PATIENCE * 1000),)
