"""The server is kept running, whatever ends it, until somebody asks it to end."""

import signal

import pytest

from firefight.hosting import keeper
from firefight.hosting.keeper import IN_ORDER, LONGEST_PAUSE, MOST_STARTS, PAUSE, Keeper


class FakeServers:
    """Servers that end by themselves: each after some seconds, with an exit code. The last one runs until asked."""

    def __init__(self, *lives):
        self.lives, self.now, self.started, self.pauses, self.signals = list(lives), 0.0, 0, [], []

    def start(self, command, env):
        self.started += 1
        return self

    def wait(self):
        lasted, code = self.lives.pop(0)
        self.now += lasted
        return code() if callable(code) else code

    def send_signal(self, number):
        self.signals.append(number)

    def pause(self, seconds):
        self.pauses.append(seconds)
        self.now += seconds
        return False


@pytest.fixture
def start_keeper(monkeypatch):
    def make(*lives):
        servers, guard = FakeServers(*lives), Keeper(["serve"])
        monkeypatch.setattr(keeper.subprocess, "Popen", servers.start)
        monkeypatch.setattr(keeper.time, "monotonic", lambda: servers.now)
        monkeypatch.setattr(guard.asked, "wait", servers.pause)
        return guard, servers

    return make


def test_a_server_that_was_asked_to_end_is_not_started_again(start_keeper):
    guard, servers = start_keeper((100, lambda: guard.pass_on(signal.SIGTERM, None) or 1))
    assert (guard.keep(), servers.started, servers.signals) == (1, 1, [signal.SIGTERM])


def test_a_server_that_cannot_be_started_is_given_up(start_keeper):
    guard, servers = start_keeper(*[(1, 3)] * 5)
    assert (guard.keep(), servers.started) == (3, MOST_STARTS)


def test_a_server_that_has_served_is_never_given_up(start_keeper):
    """However soon after each start a request brings it down."""
    guard, servers = start_keeper((1, 3), (10, 1), *[(1, 1)] * 9, (1, 0))
    assert (guard.keep(), servers.started) == (0, 12)


def test_a_server_that_ends_well_is_left_alone(start_keeper):
    guard, servers = start_keeper((1, 0))
    assert (guard.keep(), servers.started) == (0, 1)


def test_a_server_that_ends_by_itself_begins_anew_after_a_pause_that_grows(start_keeper, capsys):
    lives = [(10, 1), (2, 1), (2, -9), *[(2, 1)] * 5, (IN_ORDER, 1), (10, 0)]
    guard, servers = start_keeper(*lives)
    assert (guard.keep(), servers.started) == (0, len(lives))
    assert servers.pauses == [PAUSE, 2, 4, 8, 16, LONGEST_PAUSE, LONGEST_PAUSE, LONGEST_PAUSE, PAUSE]
    assert "It starts again in 1 s." in capsys.readouterr().out


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="no such signal on this system")
def test_settings_that_are_read_anew_end_nothing(start_keeper):
    guard, servers = start_keeper((10, lambda: guard.pass_on(signal.SIGHUP, None) or 1), (10, 0))
    assert (guard.keep(), servers.started, servers.signals) == (0, 2, [signal.SIGHUP])
