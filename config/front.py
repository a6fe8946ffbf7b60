"""What stands between the server and the app: a request is read completely before a thread works on it.

Waiting for a slow sender costs no thread here, only memory, and that within bounds. So nobody is held up by somebody
who opens connections and says nothing, or loses the network in the middle of a form. It is an ASGI application around
a WSGI one, and needs nothing from the server but ASGI.
"""

import asyncio
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import Any

from firefight.engine.values import Json
from firefight.hosting import gate
from firefight.hosting.addresses import find_network
from firefight.hosting.keeper import KEEPER
from firefight.web.uploads import LARGEST

from .arrivals import Arrivals, IncomingRequest
from .lane import Lane, takes_long
from .wire import Answer, Receive, Send, Unread, environ_of, run_application, send_answer

PATIENCE = 20.0  # seconds for a request to begin with, then more as it keeps coming
SLOWEST = 20_000  # bytes a second: a phone with a poor connection
SILENCE = 15.0  # seconds between two pieces
PAGES = 4  # threads that read
ACTS = 4  # threads for requests that change something; they take turns at the database
LOOK = 1.0  # seconds between two looks at the processes that this one ends with
LAST_WORDS = 5.0  # seconds that a worker without a server has to finish what it is doing

LATE = "What you sent did not arrive in time, so nothing was done. Check your connection and send it again.\n"
BROKEN_OFF = "What you sent broke off, so nothing was done. Check your connection and send it again.\n"
TOO_LARGE = f"That is too large: at most {LARGEST // 1_000_000} MB. Nothing was done: choose a smaller file.\n"
CROWDED = "Too many large files are arriving at once, and this one is slow. Nothing was done: try again in a minute.\n"


class Front:
    """An ASGI application around a WSGI one, whose threads never wait for the network.

    ``is_behind_proxy``: a proxy of ours says in X-Forwarded-For where each request comes from.
    """

    def __init__(
        self, application: Callable[..., Any], lane: Lane | None = None, is_behind_proxy: bool = False
    ) -> None:
        self.application = application
        self.lane = lane or Lane()
        self.is_behind_proxy = is_behind_proxy
        self.pages = ThreadPoolExecutor(PAGES, "page")
        self.acts = ThreadPoolExecutor(ACTS, "act")
        self.arrivals = Arrivals()

    async def __call__(self, scope: Json, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.live(receive, send)
        elif scope["type"] == "http":
            try:
                answer = await self.answer(scope, receive)
            except Unread as error:
                answer = error.answer(scope)
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
                self.lane.close()
            await send({"type": f"{event}.complete"})
            if event == "lifespan.shutdown":
                return

    async def answer(self, scope: Json, receive: Receive) -> Answer:
        """The application's answer to a request, once all of it is here. Raises Unread."""
        environ = environ_of(scope)
        forwarded = environ.get("HTTP_X_FORWARDED_FOR", "") if self.is_behind_proxy else ""
        network = find_network(environ["REMOTE_ADDR"], forwarded)
        body = await self.read_body(scope, receive, IncomingRequest(network))
        if takes_long(scope["path"], len(body)):
            return await self.lane.answer(network, environ, body)
        # Requests that only read do not queue behind those that write.
        pool = self.pages if scope["method"] in ("GET", "HEAD", "OPTIONS") else self.acts
        return await asyncio.get_running_loop().run_in_executor(pool, run_application, self.application, environ, body)

    async def read_body(self, scope: Json, receive: Receive, arrival: IncomingRequest) -> bytes:
        """The whole body of a request. Raises Unread if it is late, too large, too slow in a crowd, or broken off."""
        announced = dict(scope["headers"]).get(b"content-length", b"")
        if announced.isdigit() and int(announced) > LARGEST:
            raise Unread(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, TOO_LARGE)
        body = bytearray()
        try:
            while True:
                patience_left = PATIENCE + len(body) / SLOWEST - arrival.age
                async with asyncio.timeout(min(patience_left, SILENCE)) as arrival.patience:
                    piece = await receive()
                if piece["type"] == "http.disconnect":
                    raise Unread(HTTPStatus.BAD_REQUEST, BROKEN_OFF)
                body += piece.get("body", b"")
                if len(body) > LARGEST:
                    raise Unread(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, TOO_LARGE)
                if not piece.get("more_body"):
                    return bytes(body)
                arrival.size, arrival.patience = len(body), None
                self.arrivals.note_growth(arrival)
                if arrival.is_refused:
                    raise Unread(HTTPStatus.SERVICE_UNAVAILABLE, CROWDED)
        except TimeoutError:
            if arrival.is_refused:
                raise Unread(HTTPStatus.SERVICE_UNAVAILABLE, CROWDED) from None
            raise Unread(HTTPStatus.REQUEST_TIMEOUT, LATE) from None
        finally:
            self.arrivals.end(arrival)


def watch_server() -> None:
    """End this worker when the server that started it has died, and the server when its keeper has.

    So nothing is left on the port. A server that lets in phones ends when its owner stops letting them in.
    """
    server = multiprocessing.parent_process()
    if server is None:
        return
    keeper = int(os.environ.get(KEEPER, "0")) if os.name != "nt" else 0  # on Windows asking for a process would end it

    def wait_and_end() -> None:
        while server.is_alive() and (not keeper or is_running(keeper)) and not gate.is_closed():
            server.join(LOOK)
        if server.is_alive() and server.pid:
            os.kill(server.pid, signal.SIGTERM)
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(LAST_WORDS)
        os._exit(1)

    threading.Thread(target=wait_and_end, name="watch-server", daemon=True).start()


def is_running(pid: int) -> bool:
    """Whether there is such a process."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
