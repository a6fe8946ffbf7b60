"""The server as `play` starts it, against silence, kills, locks and damaged data."""

import os
import re
import signal
import socket
import sqlite3
import stat
import sys
import time
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.core.files.storage import FileSystemStorage

from firefight.hosting import starting
from firefight.hosting.starting import ExitCode
from tests import pages, server

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork and no SIGKILL on this system"),
]

TOKEN = "k" * 32
FORM = {"Cookie": f"csrftoken={TOKEN}", "Content-Type": "application/x-www-form-urlencoded"}
SILENT, HALF_SENT = 200, 400


@pytest.fixture(scope="session")  # not of the module: what is long begins first, and the rest would start them again
def prepared(tmp_path_factory):
    """A folder with the data of a first start."""
    folder = tmp_path_factory.mktemp("prepared")
    served = server.start(folder)
    server.end(served.process)
    return folder


def copy_data(prepared, folder):
    for name in ("volga.sqlite3", "volga.sqlite3-wal", "secret_key"):
        if (prepared / name).exists():
            (folder / name).write_bytes((prepared / name).read_bytes())
    return folder


@pytest.fixture
def folder(prepared, tmp_path):
    """A copy of those data that a test may spoil."""
    return copy_data(prepared, tmp_path)


@pytest.fixture(scope="session")
def running(prepared, tmp_path_factory):
    """A server for tests that leave it as it was: to start one takes longer than what they do.

    Everybody could read its data before.
    """
    folder = copy_data(prepared, tmp_path_factory.mktemp("running"))
    os.chmod(folder, 0o755)
    os.chmod(folder / "volga.sqlite3", 0o644)
    served = server.start(folder)
    yield served
    server.end(served.process)


@pytest.fixture
def served(folder):
    served = server.start(folder)
    yield served
    server.end(served.process)


def refusal(process):
    """(exit code, words) of a start that comes to nothing."""
    words, _ = process.communicate(timeout=server.LONG)
    assert "Traceback" not in words
    return process.returncode, words


def post(served, path, **fields):
    body = "&".join(f"{name}={value}" for name, value in {**fields, "csrfmiddlewaretoken": TOKEN}.items())
    return served.ask(path, "POST", body, FORM)


# Connections that say nothing


@pytest.mark.long
def test_connections_that_say_nothing_stop_nobody(running):
    silent_post = (
        "POST /dice/ HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        f"Cookie: csrftoken={TOKEN}\r\nContent-Type: {FORM['Content-Type']}\r\nContent-Length: 900000\r\n\r\n"
    )
    half_sent = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Half: "
    with ExitStack() as connections:
        opened = []
        for text in [silent_post] * SILENT + [half_sent] * HALF_SENT:
            link = connections.enter_context(socket.create_connection(("127.0.0.1", running.port), server.LONG))
            link.sendall(text.encode())
            opened.append(link)
        for _ in range(5):
            assert running.ask("/assist/")[0] == 200
            assert post(running, "/theme/", theme="light")[0] == 302
        silent, half = opened[0], opened[-1]
        assert silent.recv(100).startswith(b"HTTP/1.1 408")  # and that is how long they were waited for
        assert half.recv(100) in (b"", b"HTTP/1.1 408 Request Timeout\r\n")


BROKEN = {
    "a body that breaks off": b"POST /theme/ HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc",
    "a malformed chunk": b"POST /theme/ HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    "two lengths": b"POST /theme/ HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    "a length below nothing": b"POST /theme/ HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
    "a length beyond all bounds": b"POST /theme/ HTTP/1.1\r\nHost: a\r\nContent-Length: 10000000\r\n\r\n",
    "an address that is no text": b"GET /%ff%00/?a=%ff HTTP/1.1\r\nHost: a\r\nCookie: \xff\xfe=\xff\r\n\r\n",
    "no address": b"OPTIONS * HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
    "no request": b"\x16\x03\x01 tls \r\n\r\n",
}


def test_what_is_broken_is_answered_with_a_4xx(running):
    for name, sent in BROKEN.items():
        with socket.create_connection(("127.0.0.1", running.port), server.LONG) as link:
            link.sendall(sent)
            link.shutdown(socket.SHUT_WR)
            assert re.match(rb"HTTP/1.1 4\d\d|$", link.recv(1000)), name
    assert running.ask()[0] == 200


def test_what_takes_long_is_answered_by_a_process_beside_the_worker(running):
    status, headers, body = running.ask("/match/0123456789ab/log.json")
    assert status == 403 and b"You hold no seat in this match" in body
    assert "content-security-policy" in headers
    large = "x" * 70_000
    assert b"That is not a JSON file" in post(running, "/dice/", text=large)[2]


# What is sent twice


def test_what_pages_load_is_kept_for_a_year_and_compressed(running):
    packed = {"Accept-Encoding": "gzip"}
    _, headers, _ = running.ask("/match/new/", headers=packed)
    assert headers["content-encoding"] == "gzip"
    _, _, page = running.ask("/")
    elements = pages.find(page.decode(), "[src^='/static/'], link[href]:not([rel=manifest])")
    loaded = [element.attributes.get("src") or element.attributes["href"] for element in elements]
    names = {path.split("/")[-1].split(".")[0] for path in loaded}
    assert names == {"icon", "demo-map", "volga", "htmx-2", "all-device"}
    for path in loaded:
        status, headers, _ = running.ask(path, headers=packed)
        assert (status, headers["content-encoding"]) == (200, "gzip"), path
        assert "immutable" in headers["cache-control"]
        assert int(re.search(r"max-age=(\d+)", headers["cache-control"])[1]) >= 365 * 24 * 3600


def test_static_files_are_laid_out_once_and_anew_when_they_change(tmp_path, monkeypatch):
    monkeypatch.setattr(settings, "DATA_DIR", tmp_path)
    done = []
    monkeypatch.setattr(starting, "call_command", lambda *names, **_: done.append(names[0]))
    starting.lay_out_static_files()
    starting.lay_out_static_files()
    assert done == ["collectstatic"]
    changed = tmp_path / "new"
    changed.mkdir()
    (changed / "more.css").write_text("p { }")
    monkeypatch.setattr(starting, "get_finders", lambda: [finders.FileSystemFinder(), Extra(changed)])
    starting.lay_out_static_files()
    assert done == ["collectstatic"] * 2


class Extra:
    """A finder of the files of one folder."""

    def __init__(self, folder):
        self.storage = FileSystemStorage(folder)

    def list(self, ignored):
        return [(name, self.storage) for name in self.storage.listdir("")[1]]


# Kills and second starts


@pytest.mark.long
def test_workers_end_when_their_server_is_killed(served):
    os.kill(served.process.pid, signal.SIGKILL)
    served.process.wait()
    deadline = time.monotonic() + server.LONG
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", served.port)):
                break
        time.sleep(0.05)
    again = server.start(served.folder, served.port)
    server.end(again.process)


def test_two_first_starts_at_once_both_play(tmp_path):
    first, second = server.begin(tmp_path), server.begin(tmp_path)
    try:
        for served in (first, second):
            assert served.wait_until_it_answers().ask("/match/new/")[0] == 200
    finally:
        server.end(first.process)
        server.end(second.process)


@pytest.mark.skipif(sys.platform != "linux", reason="127.0.0.2 stands for the address of a network")
@pytest.mark.long
def test_phones_come_in_after_a_press_alone_and_no_more_after_another(folder):
    served = server.start(folder, LAN_ADDRESS="127.0.0.2")
    try:
        press = server.sit_down_at(served)
        with pytest.raises(ConnectionRefusedError):
            served.ask(host="127.0.0.2")
        press("open")
        phone = wait_for(lambda: served.ask("/health/", host="127.0.0.2"), OSError)
        assert phone[0] == 200
        assert served.ask("/", host="127.0.0.2", headers={"Host": "127.0.0.1"})[0] == 400  # it knows its own name alone
        assert served.ask("/")[0] == 200
        press("close")
        wait_for(lambda: pytest.raises(ConnectionRefusedError, served.ask, host="127.0.0.2"), pytest.fail.Exception)
        assert served.ask("/")[0] == 200
        press("open")
        wait_for(lambda: served.ask("/health/", host="127.0.0.2"), OSError)
        served.process.kill()  # whoever keeps the server: nothing of it stays
        served.process.wait()
        wait_for(lambda: pytest.raises(ConnectionRefusedError, served.ask, host="127.0.0.2"), pytest.fail.Exception)
    finally:
        server.end(served.process)


def wait_for(ask, trouble):
    """What is answered once there is no such trouble any more."""
    deadline = time.monotonic() + server.LONG
    while True:
        try:
            return ask()
        except trouble:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)


@pytest.mark.skipif(not os.path.exists("/proc/self/task"), reason="no list of a process's children")
@pytest.mark.long
def test_a_worker_that_dies_again_and_again_ends_no_game(served):
    """Two deaths within seconds, as of one request that brings each worker down, and the server gives up."""
    [first] = children_of(served.process.pid)
    deadline = time.monotonic() + server.LONG
    while children_of(served.process.pid) in ([first], []) and time.monotonic() < deadline:
        for worker in children_of(first):
            with suppress(ProcessLookupError):
                os.kill(worker, signal.SIGKILL)
        time.sleep(0.2)
    [second] = children_of(served.process.pid)
    assert second != first
    served.wait_until_it_answers()
    os.kill(second, signal.SIGKILL)  # the server itself
    while children_of(served.process.pid) in ([second], []) and time.monotonic() < deadline:
        time.sleep(0.2)
    served.wait_until_it_answers()


def children_of(pid):
    """The processes that one has started and that still run."""
    with suppress(OSError), open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(child) for child in file.read().split()]
    return []


def test_two_starts_at_once_on_one_port_leave_one(prepared, tmp_path):
    """Each with data of its own: nothing but the port can tell them of each other."""
    port = server.free_port()
    folders = tmp_path / "first", tmp_path / "second"
    for folder in folders:
        folder.mkdir()
        copy_data(prepared, folder)
    both = [server.begin(folder, port) for folder in folders]
    try:
        deadline = time.monotonic() + server.LONG
        while all(served.process.poll() is None for served in both) and time.monotonic() < deadline:
            time.sleep(0.05)
        [loser] = [served for served in both if served.process.poll() is not None]
        [winner] = [served for served in both if served is not loser]
        code, words = refusal(loser.process)
        assert code == ExitCode.PORT
        assert f"Port {port} is busy" in words
        winner.wait_until_it_answers()
    finally:
        for served in both:
            server.end(served.process)


# Data that are not as they should be


def spoil_middle(path):
    content = bytearray(path.read_bytes())
    content[4096 * 3 : 4096 * 9] = bytes(4096 * 6)
    path.write_bytes(content)


@pytest.mark.parametrize(
    "spoil", [lambda path: path.write_text("no database " * 999), spoil_middle], ids=["not a database", "torn"]
)
def test_a_damaged_database_is_named_and_left_alone(folder, spoil):
    path = folder / "volga.sqlite3"
    spoil(path)
    before = path.read_bytes()
    code, words = refusal(server.begin(folder).process)
    assert code == ExitCode.DAMAGED
    assert str(path) in words
    assert "running.md" in words
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"\0" * 50, b"\xff\xfe\xfd"])
def test_a_damaged_key_is_named_and_left_alone(folder, content):
    path = folder / "secret_key"
    path.write_bytes(content)
    code, words = refusal(server.begin(folder).process)
    assert code == 1
    assert f"{path} is damaged" in words
    assert path.read_bytes() == content


def test_a_folder_that_is_none_is_named(tmp_path):
    path = tmp_path / "data"
    path.write_text("a file")
    code, words = refusal(server.begin(path).process)
    assert code == 1
    assert "Set VOLGA_DATA" in words


def test_data_of_a_newer_version_are_left_to_it(folder):
    with closing(sqlite3.connect(folder / "volga.sqlite3")) as database, database:
        database.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('firefight', '9999_more', '2031-01-01')"
        )
    code, words = refusal(server.begin(folder).process)
    assert code == ExitCode.NEWER
    assert "A newer version of the app has written this data (firefight 9999_more)" in words


@pytest.mark.long
def test_a_locked_database_at_the_start_is_named(folder):
    with closing(sqlite3.connect(folder / "volga.sqlite3", isolation_level=None)) as database:
        database.execute("PRAGMA locking_mode = EXCLUSIVE")
        database.execute("BEGIN EXCLUSIVE")
        code, words = refusal(server.begin(folder).process)
    assert code == ExitCode.LOCKED
    assert "Another program holds the database" in words


@pytest.mark.long
def test_a_locked_database_is_a_polite_503_and_pages_without_it_go_on(running):
    with closing(sqlite3.connect(f"{running.folder}/volga.sqlite3", isolation_level=None)) as database:
        database.execute("BEGIN IMMEDIATE")
        fields = {"game": "combat-stalingrad", "side": "german", "name": "Locked"}
        status, headers, body = post(running, "/match/new/", **fields)
        assert status == 503
        assert headers["retry-after"]
        assert "The database is busy with something else. Nothing was done." in body.decode()
        assert running.ask("/assist/")[0] == 200
        assert post(running, "/theme/", theme="light")[0] == 302
        database.execute("ROLLBACK")
    assert post(running, "/match/new/", **fields)[0] == 302


def test_a_database_that_others_could_read_is_closed_to_them(running):
    folder = Path(running.folder)
    assert post(running, "/match/new/", game="combat-stalingrad", side="german", name="x")[0] == 302
    for path in folder.glob("volga.sqlite3*"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path.name
    assert (folder / "volga.sqlite3-wal").exists()


def test_a_new_database_is_its_owner_s_alone(prepared):
    for name in ("volga.sqlite3", "secret_key"):
        assert stat.S_IMODE((prepared / name).stat().st_mode) == 0o600
