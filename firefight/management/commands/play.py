"""Get everything ready and serve it: what `make run` ends in."""

import contextlib
import errno
import io
import os
import re
import socket
import subprocess
import sys

import segno
from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command
from django.db import DatabaseError

from bootstrap import hand_over
from firefight.hosting import starting
from firefight.hosting.starting import CannotStart, ExitCode
from firefight.table import subscriptions

HEADERS = 10_000  # milliseconds for the headers of a request; also how long a connection may idle
CONNECTIONS = 8_192  # of one worker, most of which may say nothing
ROUND = 30  # seconds between two rounds of the attendant
WAITING = 2_048  # connections that the system keeps until a worker takes them


def chosen_port(text):
    if not re.fullmatch(r"[0-9]{1,5}", text) or not 1 <= int(text) <= 65535:
        raise CommandError(f"PORT={text} is not a port. Give a number from 1 to 65535, such as PORT=8123.")
    return int(text)


def check_free(host, port):
    """Refuse a busy port. The workers would not: they share theirs with whoever listens there already."""
    with socket.socket() as probe:
        if os.name != "nt":  # there it would mean something else
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            busy = error.errno == errno.EADDRINUSE
            trouble = "is busy: something listens there" if busy else f"cannot be used ({error.strerror})"
            sentence = f"Port {port} {trouble}. Choose another one, such as PORT=8123."
            raise CommandError(sentence, returncode=ExitCode.PORT) from None


def lan_address():
    """This machine's address on the local network, or else its name."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: with UDP this only chooses the way out
            return probe.getsockname()[0]
        except OSError:
            return socket.gethostname()


def qr_code(address):
    drawing = io.StringIO()
    segno.make(address).terminal(out=drawing, compact=True)
    return drawing.getvalue()


def server_command(host, port, workers=2):
    """How the server is started: several workers that share the port, each with the app behind its front."""
    return (
        *(sys.executable, "-m", "granian", "--interface", "asgi", "--http", "1", "--no-ws"),
        *("--host", host, "--port", port, "--workers", workers),
        *("--http1-header-read-timeout", HEADERS, "--backpressure", CONNECTIONS, "--backlog", WAITING),
        *("--respawn-failed-workers", "--workers-kill-timeout", 5, "--log-level", "warning"),
        *("--working-dir", settings.BASE_DIR, "config.asgi:application"),
    )


def prepare_data():
    """Bring the data up to this version, load what is shipped, and lay out the static files."""
    starting.check_database()
    try:
        call_command("migrate", interactive=False, verbosity=0)
        for command in settings.LOADING_COMMANDS:
            call_command(command)
    except DatabaseError as error:
        raise starting.explain(error) from error
    starting.lay_out_static_files()


def start_attendant():
    """Start what calls players and keeps files, beside the server, if the host asks for either. It ends with it."""
    if settings.KEEP_FILES or subscriptions.offers_chats() or subscriptions.offers_mail():
        words = (sys.executable, str(settings.BASE_DIR / "manage.py"), "attend", "--every", str(ROUND), "--with-parent")
        subprocess.Popen(words, stdin=subprocess.DEVNULL)


class Command(BaseCommand):
    help = "Migrate, load the shipped data, and serve. PORT=8123 chooses the port, LAN=1 the whole network."

    def handle(self, **options):
        on_lan = os.environ.get("LAN") == "1"
        host = "0.0.0.0" if on_lan else "127.0.0.1"
        port = chosen_port(os.environ.get("PORT") or "8000")
        check_free(host, port)
        try:
            starting.claim_port(settings.DATA_DIR, port)
            with starting.taking_turns(settings.DATA_DIR):
                prepare_data()
        except CannotStart as error:
            raise CommandError(str(error), returncode=error.code) from error
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}.", returncode=ExitCode.DISK) from error

        self.stdout.write(f"Volga Ledger: http://127.0.0.1:{port}/ (ctrl-C ends it)")
        if on_lan:
            self.open_to_the_network(port)
        starting.allow_connections()
        start_attendant()
        # A fresh process, so that no worker inherits this one's settings or database connection.
        # Windows cannot share a port between workers.
        hand_over(*server_command(host, port, workers=1 if os.name == "nt" else 2))

    def open_to_the_network(self, port):
        address = lan_address()
        os.environ["ALLOWED_HOSTS"] = ",".join([*settings.ALLOWED_HOSTS, address])
        url = f"http://{address}:{port}/"
        os.environ["PUBLIC_ADDRESS"] = url
        self.stdout.write(f"On the local network: {url}")
        with contextlib.suppress(UnicodeEncodeError):  # a console that cannot draw it has the address
            self.stdout.write(qr_code(url))
