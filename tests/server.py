"""The app as `play` starts it: real processes, a real port, data of its own."""

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from contextlib import suppress
from dataclasses import dataclass

from django.conf import settings

# What the app reads, and what the browser tests set in the process that runs them.
OURS = ("DATABASE_URL", "DEBUG", "HTTPS", "BEHIND_PROXY", "ALLOWED_HOSTS", "SECRET_KEY", "LAN", "PUBLIC_ADDRESS")
OURS += ("VOLGA_DATA", "DJANGO_ALLOW_ASYNC_UNSAFE", "LISTEN", "LAN_ADDRESS")
LONG = 120  # seconds: nothing here may depend on how fast the machine is


def free_port():
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def environment_with(**variables):
    """The environment of another process: these variables and none of ours."""
    return {name: value for name, value in os.environ.items() if name not in OURS} | variables


def run_manage(*arguments, **environment):
    """Start a command of manage.py, with these variables and none of ours. Its words go to one pipe."""
    return subprocess.Popen(
        [sys.executable, "manage.py", *arguments],
        cwd=settings.BASE_DIR,
        env=environment_with(**environment),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,  # so that it can be ended with its workers
    )


def end(process):
    """End a command with all its workers, whatever they do."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()


@dataclass
class Served:
    """One start of the app. ``process`` is what keeps the server running, from which its workers come."""

    folder: str
    port: int
    process: subprocess.Popen

    def ask(self, path="/assist/", method="GET", body=None, headers=None, host="127.0.0.1"):
        """(status, headers, body) of one request over a connection of its own."""
        link = http.client.HTTPConnection(host, self.port, timeout=LONG)
        try:
            link.request(method, path, body, headers or {})
            answer = link.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            link.close()

    def wait_until_it_answers(self):
        """Return once it does; say why it does not if it has ended."""
        deadline = time.monotonic() + LONG
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise AssertionError(f"It has ended: {self.process.stdout.read()}")
            with suppress(OSError):
                self.ask()
                return self
            time.sleep(0.1)
        raise AssertionError("The server does not start.")


def start(folder, port=None, **more):
    """Start the app on this data, and wait until it answers."""
    return begin(folder, port, **more).wait_until_it_answers()


def begin(folder, port=None, **more):
    """Start the app on this data, with more variables."""
    port = port or free_port()
    return Served(str(folder), port, run_manage("play", VOLGA_DATA=str(folder), PORT=str(port), **more))


def sit_down_at(served):
    """Begin a match as the Germans at this machine; returns what posts to its seats page."""
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())

    def press(page, address, **fields):
        with browser.open(page) as response:
            token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', response.read().decode())[1]
        form = urllib.parse.urlencode({**fields, "csrfmiddlewaretoken": token}).encode()
        with browser.open(address, form) as answer:
            return answer.url

    begin = f"http://127.0.0.1:{served.port}/match/new/combat-stalingrad/"
    seats = press(begin, begin, name="Friday", side="german")
    return lambda do: press(seats, f"{seats}network/", **{"as": "german", "do": do})
