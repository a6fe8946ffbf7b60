"""The front takes a request in whole, within its bounds and deadlines, before a thread works on it."""

import asyncio
import threading
from http import HTTPStatus

import pytest

from config import arrivals, front
from config.front import Front
from tests.threads import run_coroutine

NEVER = object()


class App:
    """A WSGI application that remembers what it was asked, and waits for `gate` when it is to change something."""

    def __init__(self):
        self.asked = []
        self.gate = threading.Event()
        self.gate.set()
        self.closed = 0

    def __call__(self, environ, start_response):
        self.asked.append((environ, environ["wsgi.input"].read()))
        if environ["REQUEST_METHOD"] == "POST":
            assert self.gate.wait(30)
        start_response("200 OK", [("Content-Type", "text/plain"), ("Set-Cookie", " a=b")])
        return self

    def __iter__(self):
        return iter([b"a", b"b"])

    def close(self):
        self.closed += 1


@pytest.fixture
def app():
    return App()


async def send_to(served, *pieces, method="POST", path="/", headers=(), pause=0.0, client="192.0.2.7"):
    """Send a request in pieces; returns status, headers and body of the answer.

    After NEVER nothing more comes. None says that the sender has hung up.
    """
    left = list(pieces)

    async def receive():
        await asyncio.sleep(pause)
        if not left:
            return {"type": "http.request", "body": b"", "more_body": False}
        piece = left.pop(0)
        if piece is NEVER:
            await asyncio.Event().wait()
        if piece is None:
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": piece, "more_body": bool(left)}

    sent = []

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": method, "path": path, "query_string": b"x=1", "http_version": "1.1"}
    scope |= {"scheme": "http", "server": ("127.0.0.1", 80), "client": (client, 4711), "headers": list(headers)}
    await served(scope, receive, send)
    begin, body = sent
    return begin["status"], dict(begin["headers"]), body["body"]


def ask(app, *pieces, **more):
    return run_coroutine(send_to(Front(app), *pieces, **more))


def test_a_request_reaches_the_app_in_one_piece(app):
    cookies = [(b"cookie", b"a=1"), (b"cookie", b"b=2")]
    others = [(b"host", b"here"), (b"content-type", b"text/plain"), (b"accept", b"x"), (b"accept", b"y")]
    status, headers, body = ask(app, b"one ", b"two", path="/ü/", headers=cookies + others)
    assert (status, body) == (200, b"ab")
    assert headers == {b"content-type": b"text/plain", b"set-cookie": b"a=b"}
    [(environ, content)] = app.asked
    assert content == b"one two"
    assert environ["CONTENT_LENGTH"] == "7"
    assert environ["CONTENT_TYPE"] == "text/plain"
    assert environ["PATH_INFO"].encode("latin-1").decode() == "/ü/"
    assert (environ["QUERY_STRING"], environ["REMOTE_ADDR"]) == ("x=1", "192.0.2.7")
    assert (environ["HTTP_COOKIE"], environ["HTTP_ACCEPT"]) == ("a=1; b=2", "x,y")
    assert app.closed == 1


def test_a_header_that_passes_for_a_proxy_s_is_dropped(app):
    headers = [(b"x-forwarded-proto", b"http"), (b"x_forwarded_proto", b"https")]
    ask(app, b"", method="GET", headers=headers)
    [(environ, _)] = app.asked
    assert environ["HTTP_X_FORWARDED_PROTO"] == "http"


@pytest.mark.parametrize("pieces", [[NEVER], [b"begun", NEVER]])
def test_who_says_nothing_is_told_so_and_costs_no_thread(app, monkeypatch, pieces):
    monkeypatch.setattr(front, "SILENCE", 0.05)
    status, headers, body = ask(app, *pieces)
    assert status == HTTPStatus.REQUEST_TIMEOUT
    assert headers[b"connection"] == b"close"
    assert b"nothing was done" in body
    assert app.asked == []


def test_who_sends_drop_by_drop_runs_out_of_time(app, monkeypatch):
    monkeypatch.setattr(front, "PATIENCE", 0.2)
    status, _, _ = ask(app, *[b"x"] * 10_000, pause=0.01)
    assert status == HTTPStatus.REQUEST_TIMEOUT
    assert app.asked == []


def test_a_slow_phone_is_waited_for(app, monkeypatch):
    monkeypatch.setattr(front, "PATIENCE", 1.0)
    monkeypatch.setattr(front, "SLOWEST", 1_000)  # each piece of a thousand bytes gives another second
    status, _, _ = ask(app, *[b"x" * 1_000] * 60, pause=0.03)
    assert status == 200


def test_who_hangs_up_leaves_nothing_behind(app):
    status, _, body = ask(app, b"begun", None)  # said to nobody, or to whoever sent something malformed
    assert status == HTTPStatus.BAD_REQUEST
    assert b"broke off" in body
    assert app.asked == []


def test_what_is_too_large_is_refused_before_it_is_read(app):
    announced = [(b"content-length", str(front.LARGEST + 1).encode())]
    status, _, body = ask(app, NEVER, headers=announced)
    assert status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    assert f"at most {front.LARGEST // 1_000_000} MB".encode() in body
    status, _, _ = ask(app, *[b"x" * 1_000_000] * 10, NEVER)
    assert status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    assert app.asked == []


LARGE = b"x" * 400_000


async def hold(served, number, network, speed=1.0):
    """Requests from one network that never end, each as slow as told."""
    waiting = [asyncio.create_task(send_to(served, LARGE, NEVER, client=network)) for _ in range(number)]
    noticed = []
    while len(noticed) < number:  # until each has been noticed
        await asyncio.sleep(0)
        noticed = [arrival for arrival in served.arrivals.large if arrival.network == network]
    for arrival in noticed:
        arrival.begun -= 1_000 / speed
    return waiting


def test_twenty_slow_files_shut_nobody_out(app, monkeypatch):
    """From twenty networks: where there is no room for more, the slowest is refused, and not whoever comes last."""
    monkeypatch.setattr(arrivals, "ROOM", 20 * len(LARGE))

    async def crowd():
        served = Front(app, lane=FakeLane())
        slow = [(await hold(served, 1, f"192.0.2.{speed}", speed))[0] for speed in range(1, 21)]
        passed = await send_to(served, LARGE, b"y", client="198.51.100.7")
        done, waiting = await asyncio.wait(slow, timeout=0.1)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        return passed, [slow.index(task) for task in done], [task.result() for task in done], served.arrivals.large

    passed, refused, answers, left = run_coroutine(crowd())
    assert passed[0] == 200
    assert refused == [0]
    assert answers[0][0] == HTTPStatus.SERVICE_UNAVAILABLE and b"this one is slow" in answers[0][2]
    assert left == set()


def test_one_network_has_its_own_bound(app, monkeypatch):
    monkeypatch.setattr(arrivals, "ROOM_OF_ONE", 2 * len(LARGE))

    async def crowd():
        served = Front(app, lane=FakeLane())
        first = await hold(served, 2, "192.0.2.7")
        other = await hold(served, 2, "198.51.100.7")
        third = await send_to(served, LARGE, b"y", client="192.0.2.7")
        await asyncio.sleep(0.05)
        states = [task.done() for task in (*first, *other)]
        for task in (*first, *other):
            task.cancel()
        await asyncio.gather(*first, *other, return_exceptions=True)
        return third, states

    third, states = run_coroutine(crowd())
    assert third[0] == 200
    assert sorted(states[:2]) == [False, True] and states[2:] == [False, False]


def test_what_is_small_is_never_turned_away(app, monkeypatch):
    monkeypatch.setattr(arrivals, "ROOM", 0)
    monkeypatch.setattr(arrivals, "ROOM_OF_ONE", 0)
    status, _, _ = ask(app, b"x" * 1_000, b"y")
    assert status == 200


def test_behind_a_proxy_the_visitor_is_whom_it_names(app):
    headers = [(b"x-forwarded-for", b"10.0.0.1, 203.0.113.9")]
    for is_behind_proxy, network in ((True, "203.0.113.9"), (False, "192.0.2.7")):
        lane = FakeLane()
        served = Front(app, lane=lane, is_behind_proxy=is_behind_proxy)
        run_coroutine(send_to(served, LARGE, headers=headers))
        assert lane.networks == [network]


class FakeLane:
    """A lane that answers at once, and remembers for whom."""

    def __init__(self):
        self.networks = []

    async def answer(self, network, environ, body):
        self.networks.append(network)
        return 200, [], b""


@pytest.mark.parametrize(
    ("method", "path", "size", "is_long"),
    [
        ("POST", "/match/0123456789ab/photos/", 70_000, True),
        ("POST", "/match/0123456789ab/branch/", 10, True),
        ("GET", "/match/0123456789ab/log.json", 0, True),
        ("GET", "/match/0123456789ab/archive.json", 0, True),
        ("GET", "/match/0123456789ab/log/", 0, False),
        ("POST", "/match/0123456789ab/note/", 900, False),
        ("GET", "/dice/", 0, False),
    ],
)
def test_what_takes_long_has_a_process_of_its_own(app, method, path, size, is_long):
    lane = FakeLane()
    run_coroutine(send_to(Front(app, lane=lane), b"x" * size, method=method, path=path))
    assert (len(lane.networks), len(app.asked)) == ((1, 0) if is_long else (0, 1))


def test_who_reads_does_not_wait_for_those_who_write(app):
    async def mixed():
        served = Front(app)
        app.gate.clear()
        writers = [asyncio.create_task(send_to(served, b"x")) for _ in range(front.ACTS + 2)]
        while len(app.asked) < front.ACTS:
            await asyncio.sleep(0.01)
        async with asyncio.timeout(20):
            status, _, _ = await send_to(served, b"", method="GET")
        app.gate.set()
        return status, [answer[0] for answer in await asyncio.gather(*writers)]

    status, written = run_coroutine(mixed())
    assert status == 200
    assert written == [200] * (front.ACTS + 2)
