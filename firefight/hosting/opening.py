"""Show the app in this machine's browser, for players who have started it with a double click.

As a program (``python -m firefight.hosting.opening http://127.0.0.1:8000/``) it waits until the app answers there.
"""

import json
import sys
import time
import urllib.error
import urllib.request
import webbrowser
from contextlib import suppress

APP = "volga-ledger"
PATIENCE = 60  # seconds within which the server must begin to answer
TROUBLE = (OSError, ValueError)  # nothing listens there, or something else does


def runs_at(address: str) -> bool:
    """Whether this app answers at an address such as http://127.0.0.1:8000/, healthy or not."""
    with suppress(*TROUBLE):
        request = urllib.request.Request(address + "health/", headers={"Accept": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=8) as answer:  # a busy machine answers late
                plain = json.load(answer)
        except urllib.error.HTTPError as error:
            plain = json.load(error)
        return isinstance(plain, dict) and plain.get("app") == APP
    return False


def open_when_ready(address: str) -> None:
    """Open an address in the browser as soon as the app answers there."""
    end = time.monotonic() + PATIENCE
    while not runs_at(address) and time.monotonic() < end:
        time.sleep(0.2)
    webbrowser.open(address)


if __name__ == "__main__":
    open_when_ready(sys.argv[1])
