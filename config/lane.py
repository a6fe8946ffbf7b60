"""A separate process for what takes long: files that visitors send, and long logs that they ask for.

Each worker has one, from the first such request until nobody has needed it for a while. It does one thing at a time,
while the worker's threads go on with everything else; and it can be ended: whatever takes more processor time than
WORK, longer than PATIENCE or more memory than MEMORY is given up, and the next request gets a new process.

``python -m config.lane`` is that process: it reads requests from its input, and writes the app's answers.
"""

import asyncio
import pickle
import re
import signal
import struct
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import IO, Any

from firefight.engine.values import Json

from .arrivals import SMALL
from .wire import Answer, Unread, run_application

WORK = 20.0  # seconds of processor time for one request
PATIENCE = 120.0  # seconds on the clock, since a busy machine takes its time
MEMORY = 1_500_000_000  # bytes of address space, of which a process uses a part
IDLE = 120.0  # seconds after which an unused process is ended
MOST, MOST_OF_ONE = 8, 2  # requests that wait or are worked on: in all, and from one network

BUSY = "Too many files are being read at once. Nothing was done: try again in a minute.\n"
GIVEN_UP = "That took too long, or too much memory, so it was given up. Nothing was done.\n"

# Requests that write out, tell or copy the whole log of a match.
LONG = re.compile(
    r"/match/[^/]+/(branch/|archive\.json|log\.json|dice/|report\.md|report/all/|honours/)|/story/[^/]+/all/"
)
OPENING = "/match/import/"  # takes a compressed file, whose size says little about its content
COMMAND = (sys.executable, "-m", "config.lane")
ROOT = Path(__file__).resolve().parent.parent


def takes_long(path: str, size: int) -> bool:
    """Whether a request for this path, with a body of ``size`` bytes, belongs here."""
    return size > SMALL or LONG.fullmatch(path) is not None or (size > 0 and path == OPENING)


class Lane:
    """One process for one request at a time. ``command``: what starts it."""

    def __init__(self, command: tuple[str, ...] = COMMAND) -> None:
        self.command = command
        self.thread = ThreadPoolExecutor(1, "lane")
        self.process: subprocess.Popen[bytes] | None = None
        self.waiting: Counter[str] = Counter()
        self.idle: asyncio.TimerHandle | None = None

    async def answer(self, network: str, environ: dict[str, object], body: bytes) -> Answer:
        """The app's answer. Raises Unread if too many requests wait already, or if this one was given up."""
        if self.waiting[network] >= MOST_OF_ONE or self.waiting.total() >= MOST:
            raise Unread(HTTPStatus.SERVICE_UNAVAILABLE, BUSY)
        self.waiting[network] += 1
        if self.idle:
            self.idle.cancel()
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self.thread, self._ask, environ, body)
        finally:
            self.waiting -= Counter({network: 1})  # forgets networks without waiting requests
            self.idle = loop.call_later(IDLE, self.thread.submit, self.end_process)

    def _ask(self, environ: Json, body: bytes) -> Answer:
        process = self.process
        if process is None or process.poll() is not None:
            process = self.process = self._start()
        guard = threading.Timer(PATIENCE, process.kill)
        guard.start()
        try:
            write_message(_pipe(process.stdin), (environ, body))
            answer: Answer = read_message(_pipe(process.stdout))
            return answer
        except (OSError, EOFError):
            self.end_process()
            raise Unread(HTTPStatus.SERVICE_UNAVAILABLE, GIVEN_UP) from None
        finally:
            guard.cancel()

    def _start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT)

    def end_process(self) -> None:
        """End the process, whatever it is doing; the next request starts another."""
        process, self.process = self.process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):  # nobody reads any more what is not written yet
                _pipe(pipe).close()

    def close(self) -> None:
        """Start nothing more, and end the process: the worker is ending."""
        if self.idle:
            self.idle.cancel()
        self.thread.shutdown(wait=False, cancel_futures=True)
        self.end_process()


def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise EOFError
    return pipe


# Between the two processes


_LENGTH = struct.Struct(">Q")


def write_message(pipe: IO[bytes], values: Any) -> None:
    """Send plain values to our own process at the other end."""
    message = pickle.dumps(values)
    pipe.write(_LENGTH.pack(len(message)))
    pipe.write(message)
    pipe.flush()


def read_message(pipe: IO[bytes]) -> Any:
    """Read what the process at the other end has sent. Raises EOFError once that has ended."""
    (length,) = _LENGTH.unpack(_read(pipe, _LENGTH.size))
    return pickle.loads(_read(pipe, length))


def _read(pipe: IO[bytes], length: int) -> bytes:
    data = pipe.read(length)
    if len(data) < length:
        raise EOFError
    return data


# In the process itself


def serve(application: Callable[..., Any], requests: IO[bytes], answers: IO[bytes]) -> None:
    """Answer one request after another until no more are sent."""
    with suppress(EOFError, BrokenPipeError):
        while True:
            environ, body = read_message(requests)
            bound_process()
            write_message(answers, run_application(application, environ, body))


def bound_process() -> None:
    """Bound the time and memory of the next request, even if the worker has gone."""
    with suppress(ImportError, OSError, ValueError):  # Windows has no such limits
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        seconds = int(used.ru_utime + used.ru_stime + WORK) + 1
        for limit, most in ((resource.RLIMIT_CPU, seconds), (resource.RLIMIT_AS, MEMORY)):
            _, hard = resource.getrlimit(limit)
            is_bounded = hard != resource.RLIM_INFINITY
            resource.setrlimit(limit, (min(most, hard) if is_bounded else most, hard))


def main() -> None:
    """Serve the app through standard input and output; anything printed goes to the log instead."""
    from .wsgi import application

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the worker ends it
    answers, sys.stdout = sys.stdout.buffer, sys.stderr
    serve(application, sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
