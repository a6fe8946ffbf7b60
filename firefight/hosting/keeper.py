"""Keeps the server running: starts it again when it ends without being asked to.

The server takes workers that die soon after each other as a sign of a defect in the app, and ends. But one request that
brings down a worker must not end everybody else's game, so here it starts again, after a growing pause.

``python -m firefight.hosting.keeper COMMAND ...`` is all there is: it knows nothing about the app, and takes little
memory.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress

KEEPER = "VOLGA_KEEPER"  # tells the server's workers who keeps it, so that they end with it
AT_LEAST, MOST_STARTS = 2.0, 3  # seconds that a server must run to count as started; how many starts may fail at first
IN_ORDER = 60.0  # seconds after which it counts as well again
PAUSE, LONGEST_PAUSE = 1.0, 30.0  # seconds before it is started again


class Keeper:
    """One server that is kept running."""

    def __init__(self, command: Sequence[str]) -> None:
        self.command = command
        self.server: subprocess.Popen[bytes] | None = None
        self.asked = threading.Event()

    def keep(self) -> int:
        """Run the server until it is asked to end, or cannot be started at all; returns its exit code."""
        pause, ended, has_served = PAUSE, 0, False
        while True:
            started = time.monotonic()
            code = self.run_once()
            lasted = time.monotonic() - started
            ended, has_served = ended + 1, has_served or lasted >= AT_LEAST
            if self.asked.is_set() or not code or (ended == MOST_STARTS and not has_served):
                return code
            pause = PAUSE if lasted >= IN_ORDER else pause
            print(f"The server has ended by itself (exit code {code}). It starts again in {pause:.0f} s.", flush=True)
            if self.asked.wait(pause):
                return code
            pause = min(pause * 2, LONGEST_PAUSE)

    def run_once(self) -> int:
        """Run the server to its end; returns its exit code."""
        self.server = subprocess.Popen(self.command, env={**os.environ, KEEPER: str(os.getpid())})
        if self.asked.is_set():  # meanwhile
            self.server.terminate()
        return self.server.wait()

    def pass_on(self, number: int, frame: object) -> None:
        """Pass a signal on to the server. All signals ask it to end, except the one for reloading its settings."""
        if number != getattr(signal, "SIGHUP", None):
            self.asked.set()
        if self.server:
            with suppress(OSError):
                self.server.send_signal(number)


def main(command: Sequence[str]) -> None:
    """Keep the server of this command."""
    keeper = Keeper(command)
    for name in ("SIGTERM", "SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), keeper.pass_on)
    code = keeper.keep()
    sys.exit(code if code >= 0 else 128 - code)


if __name__ == "__main__":
    main(sys.argv[1:])
