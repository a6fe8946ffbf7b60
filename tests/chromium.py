"""Find a browser for the tests, and install one where apt can: python -m tests.chromium

The headless shell is preferred: the same engine without windows, for two thirds of the processor. CHROMIUM=/path/to/it
decides which one.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

SHELL = "chromium-headless-shell"
NAMES = (
    SHELL,
    "chromium",
    "chromium-browser",
    "google-chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
)

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--in-process-gpu",  # what draws without one need not be a process of its own
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # No page lives long enough for optimizing its scripts, or clearing up beside them, to pay.
    "--js-flags=--no-turbofan --no-maglev --single-threaded",
]


def find_chromium():
    """The path of a Chromium or Chrome on this machine, or None."""
    chosen = os.environ.get("CHROMIUM")
    return next((path for path in map(shutil.which, (chosen,) if chosen else NAMES) if path), None)


def install(*packages):
    """Let apt install Debian packages, if it exists and is allowed to."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    apt = ["apt-get"] if is_root else ["sudo", "-n", "apt-get"]
    if not shutil.which("apt-get") or not shutil.which(apt[0]):
        return
    print(f"Installing {', '.join(packages)} for the browser tests ...", flush=True)
    subprocess.run([*apt, "update", "-qq"], check=False)
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run([*apt, "install", "-y", "-qq", "--no-install-recommends", *packages], check=False, env=quiet)


def is_disposable():
    """Whether this is nobody's own machine: one more browser harms nobody there."""
    return "CI" in os.environ or Path("/.dockerenv").exists()


def main():
    if not os.environ.get("CHROMIUM"):
        if not shutil.which(SHELL) and (is_disposable() or not find_chromium()):
            install(SHELL)
        if not find_chromium():
            install("chromium")
    if not find_chromium():
        sys.exit("The browser tests need Chromium or Chrome: install one, or set CHROMIUM to the path of its program.")


if __name__ == "__main__":
    main()
