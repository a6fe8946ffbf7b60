"""Get everything ready and serve it: what `make run` ends with."""

import contextlib
import io
import os
import re
import subprocess
import sys
import webbrowser
from collections.abc import Callable

import segno
from django.conf import settings
from django.core.management import BaseCommand, CommandError, CommandParser, call_command
from django.db import DatabaseError

from bootstrap import hand_over
from firefight.hosting import gate, keeper, opening, starting
from firefight.hosting.listening import check_free, find_home, lan_address, server_command
from firefight.hosting.starting import CannotStart, ExitCode
from firefight.table.seats import subscriptions

ROUND = 30  # seconds between two rounds of the attendant
TRIED = 20  # ports tried before a double click gives up


def chosen_port(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,5}", text) or not 1 <= int(text) <= 65535:
        raise CommandError(f"PORT={text} is not a port. Give a number from 1 to 65535, such as PORT=8123.")
    return int(text)


def find_free_port(host: str, lowest: int) -> int:
    """The first usable port from here on, for somebody who has chosen none and cannot be asked."""
    for port in range(lowest, min(lowest + TRIED, 65_536)):
        with contextlib.suppress(CannotStart):
            check_free(host, port)
            return port
    return lowest


def qr_code(address: str) -> str:
    drawing = io.StringIO()
    segno.make(address).terminal(out=drawing, compact=True)
    return drawing.getvalue()


def prepare_data(tell: Callable[[str], object]) -> None:
    """Bring the data up to this version, load what is shipped, and lay out the static files.

    ``tell`` is called as each step begins: the first start takes a while.
    """
    tell("Looking at the database ...")
    starting.check_database()
    try:
        tell("Bringing its tables up to date ...")
        call_command("migrate", interactive=False, verbosity=0)
        tell("Loading charts, counters and rosters ...")
        for command in settings.LOADING_COMMANDS:
            call_command(command, verbosity=0)
    except DatabaseError as error:
        raise starting.explain(error) from error
    tell("Laying out pages and pictures ...")
    starting.lay_out_static_files()


def start_attendant() -> None:
    """Start what notifies players and keeps files, if the host wants either. It ends with the server."""
    if settings.KEEP_FILES or subscriptions.offers_chats() or subscriptions.offers_mail():
        words = (sys.executable, str(settings.BASE_DIR / "manage.py"), "attend", "--every", str(ROUND), "--with-parent")
        subprocess.Popen(words, stdin=subprocess.DEVNULL)


class Command(BaseCommand):
    help = "Migrate, load the shipped data, and serve. PORT=8123 chooses the port, LAN=1 the whole network."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--open", action="store_true", help="show it in the browser, that which runs already too")

    def handle(self, **options: object) -> None:
        on_lan = os.environ.get("LAN") == "1"
        host = os.environ.get("LISTEN") or ("0.0.0.0" if on_lan else "127.0.0.1")
        port = chosen_port(os.environ.get("PORT") or "8000")
        if options["open"]:
            if self.shows_running_copy():
                return
            port = find_free_port(host, port)
        try:
            check_free(host, port)
            starting.claim_port(port)
            with starting.taking_turns(settings.DATA_DIR):
                prepare_data(self.stdout.write if options["open"] else lambda words: None)
        except CannotStart as error:
            raise CommandError(str(error), returncode=error.code) from error
        except OSError as error:
            raise CommandError(f"{error.filename}: {error.strerror}.", returncode=ExitCode.DISK) from error

        address = find_home(host, port)
        self.stdout.write(f"Open {address} in a browser. Ctrl-C here ends Volga Ledger; what was played is kept.")
        starting.remember_address(settings.DATA_DIR, address)
        if options["open"]:
            subprocess.Popen((sys.executable, "-m", "firefight.hosting.opening", address), cwd=settings.BASE_DIR)
        if on_lan:
            self.open_to_the_network(port)
        gate.offer_gate(port)
        starting.allow_connections()
        starting.forget_figures(settings.DATA_DIR)
        start_attendant()
        # A fresh process, so that no worker inherits this one's settings or database connection.
        # Windows cannot share a port between workers.
        hand_over(sys.executable, keeper.__file__, *server_command(host, port, workers=1 if os.name == "nt" else 2))

    def shows_running_copy(self) -> bool:
        """Open the page of a copy that already serves this very data, if there is one."""
        address = starting.last_address(settings.DATA_DIR)
        if not (address and opening.runs_at(address)):
            return False
        self.stdout.write(f"Volga Ledger runs already at {address}; its page opens in the browser.")
        webbrowser.open(address)
        return True

    def open_to_the_network(self, port: int) -> None:
        address = lan_address()
        os.environ["ALLOWED_HOSTS"] = ",".join([*settings.ALLOWED_HOSTS, address])
        url = f"http://{address}:{port}/"
        os.environ["PUBLIC_ADDRESS"] = url
        starting.remember_address(settings.DATA_DIR, url)
        self.stdout.write(f"On the local network: {url}")
        with contextlib.suppress(UnicodeEncodeError):  # a console that cannot draw it has the address
            self.stdout.write(qr_code(url))
