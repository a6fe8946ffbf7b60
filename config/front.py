"""What stands between the server and the app: a request is taken in whole before a thread works on it.

Waiting for a slow sender costs no thread here, only memory, and that within bounds. So whoever opens connections and
says nothing, or loses the network in the middle of a form, holds nobody up. It is an ASGI application around a WSGI
one, and needs nothing of the server but ASGI.
"""

import asyncio
import io
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import Any

from firefight.hosting.uploads import LARGEST

PATIENCE = 20.0  # seconds for a request to begin with, then more as it keeps coming
SLOWEST = 20_000  # bytes a second: a phone with a poor connection
SILENCE = 15.0  # seconds between two pieces
SMALL = 64_000  # bytes; a request of this size is never turned away
ROOM = 64_000_000  # bytes of larger requests that are still coming in
PAGES = 4  # threads that read
ACTS = 4  # threads for what changes something; they take turns at the database
LAST_WORDS = 5.0  # seconds that a worker without a server takes to finish what it does

LATE = "What you sent did not arrive in time, so nothing was done. Check your connection and send it again.\n"
BROKEN_OFF = "What you sent broke off, so nothing was done. Check your connection and send it again.\n"
TOO_LARGE = f"That is too large: at most {LARGEST // 1_000_000} MB. Nothing was done.\n"
CROWDED = "Too many large files are arriving at once. Nothing was done: try again in a minute.\n"

Answer = tuple[int, list[tuple[str, str]], bytes]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


class Unread(Exception):
    """The request was not taken in: the status and the sentence that say so."""

    def __init__(self, status: HTTPStatus, sentence: str) -> None:
        super().__init__(sentence)
        self.answer: Answer = (
            status,
            [("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store"), ("Connection", "close")],
            sentence.encode(),
        )


class Front:
    """A WSGI application as an ASGI one whose threads never wait for the network."""

    def __init__(self, application: Callable[..., Any]) -> None:
        self.application = application
        self.pages = ThreadPoolExecutor(PAGES, "page")
        self.acts = ThreadPoolExecutor(ACTS, "act")
        self.arriving = 0  # bytes of large requests

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.live(receive, send)
        elif scope["type"] == "http":
            try:
                answer = await self.answer(scope, await self.read_body(scope, receive))
            except Unread as error:
                answer = error.answer
            await send_answer(send, answer)

    async def live(self, receive: Receive, send: Send) -> None:
        """Begin and end together with the server."""
        while True:
            event = (await receive())["type"]
            if event == "lifespan.startup":
                watch_server()
            else:
                self.pages.shutdown(cancel_futures=True)
                self.acts.shutdown(cancel_futures=True)
            await send({"type": f"{event}.complete"})
            if event == "lifespan.shutdown":
                return

    async def read_body(self, scope: dict[str, Any], receive: Receive) -> bytes:
        """All that a request brings. Raises Unread if it is late, too large or broken off."""
        announced = dict(scope["headers"]).get(b"content-length", b"")
        if announced.isdigit() and int(announced) > LARGEST:
            raise Unread(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, TOO_LARGE)
        body, begin, counted = bytearray(), time.monotonic(), 0
        try:
            while True:
                left = begin + PATIENCE + len(body) / SLOWEST - time.monotonic()
                async with asyncio.timeout(min(left, SILENCE)):
                    piece = await receive()
                if piece["type"] == "http.disconnect":
                    raise Unread(HTTPStatus.BAD_REQUEST, BROKEN_OFF)
                body += piece.get("body", b"")
                if len(body) > LARGEST:
                    raise Unread(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, TOO_LARGE)
                if not piece.get("more_body"):
                    return bytes(body)
                if len(body) > SMALL:
                    self.arriving += len(body) - counted
                    counted = len(body)
                if self.arriving > ROOM and counted:
                    raise Unread(HTTPStatus.SERVICE_UNAVAILABLE, CROWDED)
        except TimeoutError:
            raise Unread(HTTPStatus.REQUEST_TIMEOUT, LATE) from None
        finally:
            self.arriving -= counted

    async def answer(self, scope: dict[str, Any], body: bytes) -> Answer:
        """What the application answers, in a thread. Who only reads does not queue behind those who write."""
        pool = self.pages if scope["method"] in ("GET", "HEAD", "OPTIONS") else self.acts
        return await asyncio.get_running_loop().run_in_executor(pool, self.call, environ_of(scope, body))

    def call(self, environ: dict[str, Any]) -> Answer:
        """Run the application to its end."""
        begun: list[tuple[int, list[tuple[str, str]]]] = []

        def start_response(status: str, headers: list[tuple[str, str]], exc_info: Any = None) -> None:
            begun[:] = [(int(status[:3]), headers)]

        result = self.application(environ, start_response)
        try:
            content = b"".join(result)
        finally:
            if hasattr(result, "close"):
                result.close()
        return (*begun[0], content)


async def send_answer(send: Send, answer: Answer) -> None:
    """Send an answer off."""
    status, headers, content = answer
    encoded = [(name.lower().encode("latin-1"), value.strip().encode("latin-1")) for name, value in headers]
    await send({"type": "http.response.start", "status": int(status), "headers": encoded})
    await send({"type": "http.response.body", "body": content})


def environ_of(scope: dict[str, Any], body: bytes) -> dict[str, Any]:
    """A request as WSGI describes it (PEP 3333)."""
    host, port = scope.get("server") or ("localhost", 80)
    environ = {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": scope.get("root_path", ""),
        "PATH_INFO": scope["path"].encode().decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_NAME": host,
        "SERVER_PORT": str(port),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "REMOTE_ADDR": (scope.get("client") or ("",))[0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for raw_name, value in scope["headers"]:
        name = raw_name.decode("latin-1").upper()
        if "_" in name:
            continue  # X_Forwarded_Proto would pass for X-Forwarded-Proto, which a proxy has looked at
        key, text = "HTTP_" + name.replace("-", "_"), value.decode("latin-1")
        if key in environ:
            text = f"{environ[key]}{'; ' if name == 'COOKIE' else ','}{text}"
        environ[key] = text
    environ.pop("HTTP_CONTENT_LENGTH", None)
    environ["CONTENT_TYPE"] = environ.pop("HTTP_CONTENT_TYPE", "")
    environ["CONTENT_LENGTH"] = str(len(body))  # what came, whatever was announced
    return environ


def watch_server() -> None:
    """End this worker when the server that started it has died, so that nobody is left on its port."""
    server = multiprocessing.parent_process()
    if server is None:
        return

    def wait_and_end() -> None:
        server.join()
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(LAST_WORDS)
        os._exit(1)

    threading.Thread(target=wait_and_end, name="watch-server", daemon=True).start()
