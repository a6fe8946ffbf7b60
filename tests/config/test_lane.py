"""What takes long is done one at a time, in a process of its own that can be ended."""

import asyncio
import io
import os
import subprocess
import sys
from http import HTTPStatus

import pytest

from config import lane
from config.lane import Lane, read_message, serve, write_message
from config.wire import Unread
from tests.threads import run_coroutine

# Instead of the app: answers with what it was sent, dies, or never answers.
STAND_IN = """
import os, sys, time
from config.lane import serve
def application(environ, start_response):
    do = environ["do"]
    if do == "die":
        os._exit(9)
    while do == "hang":
        time.sleep(1)
    start_response("200 OK", [("pid", str(os.getpid()))])
    return [environ["wsgi.input"].read()]
serve(application, sys.stdin.buffer, sys.stdout.buffer)
"""


@pytest.fixture
def served():
    lane = Lane((sys.executable, "-c", STAND_IN))
    yield lane
    lane.close()


async def ask(served, *acts, network="192.0.2.7"):
    """Ask for some things at once; returns each answer, or the status of what was not done."""
    tasks = [served.answer(network, {"do": do}, f"{number}".encode()) for number, do in enumerate(acts)]
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    return [answer.status if isinstance(answer, Unread) else answer for answer in answers]


@pytest.mark.slow
def test_one_process_answers_one_after_the_other(served):
    first, second = run_coroutine(ask(served, "", ""))
    assert [first[2], second[2]] == [b"0", b"1"]
    assert first[1] == second[1]  # of the same process


@pytest.mark.slow
def test_a_process_that_dies_or_hangs_is_ended_and_the_next_request_has_a_new_one(served, monkeypatch):
    [before] = run_coroutine(ask(served, ""))
    for do, patience in (("die", 60), ("hang", 0.3)):
        monkeypatch.setattr(lane, "PATIENCE", patience)
        assert run_coroutine(ask(served, do)) == [HTTPStatus.SERVICE_UNAVAILABLE]
        assert served.process is None
    monkeypatch.setattr(lane, "PATIENCE", 60)
    [after] = run_coroutine(ask(served, ""))
    assert (after[0], after[2]) == (200, b"0") and after[1] != before[1]


@pytest.mark.slow
def test_a_process_that_nobody_needs_is_ended(served, monkeypatch):
    monkeypatch.setattr(lane, "IDLE", 0)

    async def ask_and_rest():
        answers = await ask(served, "")
        while served.process is not None:
            await asyncio.sleep(0.01)
        return answers

    assert run_coroutine(ask_and_rest())[0][0] == 200


def test_so_many_wait_and_of_one_network_fewer(served, monkeypatch):
    monkeypatch.setattr(served, "_ask", lambda environ, body: (200, [], b""))

    async def crowd():
        own = await ask(served, *[""] * (lane.MOST_OF_ONE + 1))
        networks = [ask(served, "", network=f"192.0.2.{number}") for number in range(lane.MOST + 1)]
        return own, await asyncio.gather(*networks), await ask(served, "")

    own, others, after = run_coroutine(crowd())
    done = (200, [], b"")
    assert own == [done] * lane.MOST_OF_ONE + [HTTPStatus.SERVICE_UNAVAILABLE]
    assert others == [[done]] * lane.MOST + [[HTTPStatus.SERVICE_UNAVAILABLE]]
    assert after == [done]
    assert not served.waiting


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="Windows has no such limits")
def test_a_request_has_so_much_work_and_memory(tmp_path):
    """Each time afresh: what earlier requests took does not count."""
    code = """
import resource
from config import lane
for _ in range(2):
    used = resource.getrusage(resource.RUSAGE_SELF)
    lane.bound_process()
    work, memory = (resource.getrlimit(name)[0] for name in (resource.RLIMIT_CPU, resource.RLIMIT_AS))
    assert 0 < work - (used.ru_utime + used.ru_stime) - lane.WORK <= 3, work
    assert memory == lane.MEMORY
    sum(range(9_000_000))
try:
    bytes(lane.MEMORY)
except MemoryError:
    print("bounded")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=lane.ROOT)
    assert done.stdout == "bounded\n"


def test_the_process_answers_until_nobody_asks(monkeypatch):
    monkeypatch.setattr(lane, "bound_process", lambda: None)
    requests, answers = io.BytesIO(), io.BytesIO()
    for body in (b"one", b"two"):
        write_message(requests, ({"REQUEST_METHOD": "POST"}, body))
    requests.seek(0)

    def application(environ, start_response):
        start_response("201 Created", [("a", "b")])
        return [environ["wsgi.input"].read(), environ["CONTENT_LENGTH"].encode()]

    serve(application, requests, answers)
    answers.seek(0)
    assert [read_message(answers) for _ in range(2)] == [(201, [("a", "b")], b"one3"), (201, [("a", "b")], b"two3")]
