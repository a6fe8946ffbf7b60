"""Where the app listens: its server's command, whether a port is free, which address other devices can reach."""

import errno
import os
import socket
import sys

from django.conf import settings
from django.http.request import validate_host

from .starting import CannotStart, ExitCode

HEADERS = 10_000  # milliseconds for the headers of a request; also how long a connection may idle
CONNECTIONS = 8_192  # for one worker; most of them may be silent
WAITING = 2_048  # connections that the system holds until a worker takes them


def server_command(host: str, port: int, workers: int = 2) -> tuple[str, ...]:
    """How the server is started: several workers that share the port, each with the app behind its front."""
    words = (
        *(sys.executable, "-m", "granian", "--interface", "asgi", "--http", "1", "--no-ws"),
        *("--host", host, "--port", port, "--workers", workers),
        *("--http1-header-read-timeout", HEADERS, "--backpressure", CONNECTIONS, "--backlog", WAITING),
        *("--respawn-failed-workers", "--workers-kill-timeout", 5, "--log-level", "warning"),
        *("--working-dir", settings.BASE_DIR, "config.asgi:application"),
    )
    return tuple(str(word) for word in words)


def check_free(host: str, port: int) -> None:
    """Refuse a busy port. The workers would not: they share theirs with any server that listens there already.

    Raises CannotStart.
    """
    with socket.socket() as probe:
        if os.name != "nt":  # there it would mean something else
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            busy = error.errno == errno.EADDRINUSE
            trouble = "is busy: something listens there" if busy else f"cannot be used ({error.strerror})"
            sentence = f"Port {port} {trouble}. Choose another one, such as PORT=8123."
            raise CannotStart(ExitCode.PORT, sentence) from None


def find_home(host: str, port: int) -> str:
    """Where this machine's browser opens an app that listens at a host: at the machine itself, or, where the settings
    for hosting refuse that, under the name by which players know it."""
    own = "127.0.0.1" if host == "0.0.0.0" else host
    is_secure = bool(settings.SECURE_SSL_REDIRECT)
    if validate_host(own, settings.ALLOWED_HOSTS) and not is_secure:
        return f"http://{own}:{port}/"
    if settings.PUBLIC_ADDRESS:
        return f"{settings.PUBLIC_ADDRESS}/"
    name = settings.ALLOWED_HOSTS[0].lstrip(".") if settings.ALLOWED_HOSTS else own
    return f"{'https' if is_secure else 'http'}://{name}{'' if settings.BEHIND_PROXY else f':{port}'}/"


def lan_address() -> str:
    """This machine's address on the local network (LAN_ADDRESS if the host names one), or else its name."""
    if address := os.environ.get("LAN_ADDRESS"):
        return address
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: with UDP this only chooses the way out
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()
