"""A request and its answer as plain values, between a server that speaks ASGI and an application that speaks WSGI."""

import io
import sys
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Any

from firefight.engine.values import Json

Answer = tuple[int, list[tuple[str, str]], bytes]
Receive = Callable[[], Awaitable[Json]]
Send = Callable[[Json], Awaitable[None]]


# What a browser shows where the app, with its styles, was never asked.
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Not done · Volga Ledger</title>
<h1>Not done</h1>
<p>{}</p>
<p>Go back to the page that you came from, or <a href="/">to the start</a>.</p>
</html>
"""


class Unread(Exception):
    """Nothing was done with the request; holds the status and the sentence that say so."""

    def __init__(self, status: HTTPStatus, sentence: str) -> None:
        super().__init__(sentence)
        self.status, self.sentence = status, sentence

    def answer(self, scope: Json) -> Answer:
        """A page for a browser, the bare sentence for a program."""
        reads_pages = any(name == b"accept" and b"text/html" in accepted for name, accepted in scope["headers"])
        kind, text = ("html", PAGE.format(self.sentence.strip())) if reads_pages else ("plain", self.sentence)
        headers = [("Content-Type", f"text/{kind}; charset=utf-8"), ("Cache-Control", "no-store")]
        return self.status, [*headers, ("Connection", "close")], text.encode()


def environ_of(scope: Json) -> Json:
    """A request as WSGI describes it (PEP 3333), without its streams."""
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
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for raw_name, value in scope["headers"]:
        name = raw_name.decode("latin-1").upper()
        if "_" in name:
            continue  # X_Forwarded_Proto would pass for X-Forwarded-Proto, which a proxy has checked
        key, text = "HTTP_" + name.replace("-", "_"), value.decode("latin-1")
        if key in environ:
            text = f"{environ[key]}{'; ' if name == 'COOKIE' else ','}{text}"
        environ[key] = text
    environ.pop("HTTP_CONTENT_LENGTH", None)
    environ["CONTENT_TYPE"] = environ.pop("HTTP_CONTENT_TYPE", "")
    return environ


def run_application(application: Callable[..., Any], environ: Json, body: bytes) -> Answer:
    """Run a WSGI application to its end, with the body that came, whatever length was announced."""
    streams = {"wsgi.input": io.BytesIO(body), "wsgi.errors": sys.stderr, "CONTENT_LENGTH": str(len(body))}
    response_starts: list[tuple[int, list[tuple[str, str]]]] = []

    def start_response(status: str, headers: list[tuple[str, str]], exc_info: object = None) -> None:
        response_starts[:] = [(int(status[:3]), headers)]

    result = application({**environ, **streams}, start_response)
    try:
        content = b"".join(result)
    finally:
        if hasattr(result, "close"):
            result.close()
    return (*response_starts[0], content)


async def send_answer(send: Send, answer: Answer) -> None:
    """Send an answer."""
    status, headers, content = answer
    encoded = [(name.lower().encode("latin-1"), value.strip().encode("latin-1")) for name, value in headers]
    await send({"type": "http.response.start", "status": int(status), "headers": encoded})
    await send({"type": "http.response.body", "body": content})
