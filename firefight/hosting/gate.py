"""Letting in phones while the app runs: a second server on this machine's network address, for this start only.

`play` listens at 127.0.0.1 unless told otherwise. The owner, who sits at that very machine, can have the same app and
data served at the network address too, and stop that again. It is a second server, not a relay in front of the first
one, so that every request still shows where it really comes from. A file says that the gate is open, so that every
worker knows; the second server ends when the file is gone or belongs to another opening.
"""

import os
import secrets
import subprocess
import threading
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest

from . import listening, starting
from .addresses import is_local, is_this_machine
from .starting import CannotStart

PORT = "VOLGA_GATE_PORT"  # which port the owner may open to the network; `play` sets it
OPENING = "VOLGA_GATE_OPENING"  # which opening a server belongs to: both end together
# Settings of those who host for others: they have already decided who gets in, and may run a proxy before the app.
HOSTING = ("ALLOWED_HOSTS", "BEHIND_PROXY", "HTTPS", "LISTEN", "PUBLIC_ADDRESS")
FORWARDED = ("HTTP_FORWARDED", "HTTP_VIA", "HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_HOST", "HTTP_X_REAL_IP")

NO_NETWORK = (
    "This machine has no address on a network that a phone could reach. Connect it to the network that the phone is "
    "on, then press again."
)


class NotOpened(Exception):
    """Why no phone is let in; the message says what to do."""


def offer_gate(port: int) -> None:
    """Let the owner of this start open it to the network later. Nobody is let in yet, whatever an earlier start did."""
    _file().unlink(missing_ok=True)
    if not any(os.environ.get(name, "0") not in ("", "0") for name in HOSTING):
        os.environ[PORT] = str(port)


def may_open_gate(request: HttpRequest) -> bool:
    """Whether a request comes from the machine itself, addressed as such, in a start for its owner only."""
    if PORT not in os.environ or any(name in request.META for name in FORWARDED):
        return False
    return is_this_machine(request.META.get("REMOTE_ADDR", "")) and is_local(request.build_absolute_uri())


def gate_address() -> str:
    """Where phones get in, such as http://192.168.1.5:8000, or "" while none is let in."""
    if not {PORT, OPENING}.intersection(os.environ):
        return ""  # whatever an earlier start has left behind
    return _read_opening().partition(" ")[0]


def is_closed() -> bool:
    """Whether this process serves an opening that is over."""
    return os.environ.get(OPENING, "") not in ("", _read_opening())


def open_gate() -> None:
    """Serve the app at the machine's network address too, until `close_gate` or the end of this start.

    Raises NotOpened.
    """
    with starting.taking_turns(settings.DATA_DIR):
        if gate_address():
            return
        host, port = listening.lan_address(), int(os.environ[PORT])
        try:
            if ip_address(host).is_unspecified or host == "127.0.0.1":
                raise NotOpened(NO_NETWORK)
            listening.check_free(host, port)
        except ValueError:
            raise NotOpened(NO_NETWORK) from None
        except CannotStart as error:
            raise NotOpened(f"No phone was let in. {error}") from None
        address = f"http://{host}:{port}"
        opening = f"{address} {secrets.token_hex(8)}"
        _file().write_text(opening, encoding="ascii")
        _serve(host, port, {OPENING: opening, "ALLOWED_HOSTS": host, "PUBLIC_ADDRESS": address})


def _serve(host: str, port: int, changed: dict[str, str]) -> None:
    environment = {name: value for name, value in os.environ.items() if name != PORT} | changed
    server = subprocess.Popen(
        listening.server_command(host, port, workers=1), stdin=subprocess.DEVNULL, env=environment
    )
    threading.Thread(target=_see_it_end, args=(server, changed[OPENING]), name="gate", daemon=True).start()


def _see_it_end(server: subprocess.Popen[bytes], opening: str) -> None:
    """Close the gate when its server ends by itself."""
    server.wait()
    if _read_opening() == opening:
        close_gate()


def close_gate() -> None:
    """Stop letting in phones."""
    _file().unlink(missing_ok=True)


def _file() -> Path:
    return Path(settings.DATA_DIR) / "network"


def _read_opening() -> str:
    with suppress(OSError, UnicodeDecodeError):
        return _file().read_text(encoding="ascii")
    return ""
