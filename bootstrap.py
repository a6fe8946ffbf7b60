"""Set the project up and start it, with nothing installed but Python.

    python3 bootstrap.py run      install, then serve (the same as `python3 manage.py play`)
    python3 bootstrap.py test     install, lint, then every test on SQLite and on PostgreSQL
    python3 bootstrap.py bench    install, then measure
    python3 bootstrap.py lint     install, then lint

Installing happens once: a stamp in .venv remembers what was installed.
"""

import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"

BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
)


PYTEST = ("-q", "--numprocesses=auto", "--dist=worksteal")


def ensure(requirements="requirements.txt"):
    """Have a virtual environment with these requirements, and return its Python."""
    if sys.version_info < (3, 11):  # noqa: UP036 (the very Python that must be told)
        sys.exit(f"Volga Ledger needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
    python = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    files = reached_from(ROOT / requirements)
    if python.exists() and all(is_stamped(file) for file in files):
        return python

    print(f"Setting up {VENV.name} from {requirements} (only when it changes) ...", flush=True)
    if not runs(python, "-m", "pip", "--version"):
        create_venv(clear=not python.exists())
    if call(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", files[0]):
        sys.exit(f"Could not install {requirements}; pip says why above. Run the same command to try again.")
    for file in files:
        stamp_of(file).write_text(fingerprint(file))
    return python


def create_venv(clear):
    try:
        venv.create(VENV, clear=clear, with_pip=True)
    except (ImportError, subprocess.CalledProcessError):
        sys.exit("This Python has no working venv module (on Debian or Ubuntu: apt install python3-venv).")


def reached_from(requirements):
    """The file and those that it includes with -r."""
    files = [requirements]
    for line in requirements.read_text(encoding="utf-8").splitlines():
        if line.startswith("-r "):
            files += reached_from(requirements.parent / line[3:].strip())
    return files


def fingerprint(requirements):
    content = b"".join(file.read_bytes() for file in reached_from(requirements))
    return hashlib.sha256(content).hexdigest()


def stamp_of(requirements):
    return VENV / f".installed-{requirements.name}"


def is_stamped(requirements):
    stamp = stamp_of(requirements)
    return stamp.exists() and stamp.read_text() == fingerprint(requirements)


def inside():
    """Is this very Python the project's own?"""
    return Path(sys.prefix).resolve() == VENV.resolve()


def hand_over(*command):
    """Go on as another program. Windows has no real exec, so there we wait for the child instead."""
    command = [str(part) for part in command]
    sys.stdout.flush()
    if os.name != "nt":
        os.execv(command[0], command)
    with subprocess.Popen(command) as child:
        while True:
            with contextlib.suppress(KeyboardInterrupt):  # the child got it too, and ends by itself
                sys.exit(child.wait())


def call(*command, **environment):
    """Run a command in the project and return its exit code. A value of None unsets a variable."""
    merged = {name: value for name, value in {**os.environ, **environment}.items() if value is not None}
    return subprocess.run([str(part) for part in command], cwd=ROOT, env=merged, check=False).returncode


def runs(*command):
    try:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.run([str(part) for part in command], **quiet, check=False).returncode == 0
    except OSError:
        return False


def find_chromium():
    """The path of a Chromium or Chrome on this machine, or None. CHROMIUM=/path/to/it decides."""
    wanted = os.environ.get("CHROMIUM")
    names = (wanted,) if wanted else BROWSERS
    return next((path for path in map(shutil.which, names) if path), None)


def ensure_chromium():
    """Find a browser for the tests, installing one where apt can."""
    if not find_chromium() and not os.environ.get("CHROMIUM") and shutil.which("apt-get"):
        is_root = hasattr(os, "geteuid") and os.geteuid() == 0
        if is_root or runs("sudo", "-n", "true"):
            apt = ["apt-get"] if is_root else ["sudo", "-n", "apt-get"]
            print("Installing Chromium for the browser tests ...", flush=True)
            call(*apt, "update", "-qq")
            call(*apt, "install", "-y", "-qq", "chromium", DEBIAN_FRONTEND="noninteractive")
    return find_chromium() or sys.exit(
        "The browser tests need Chromium or Chrome: install one, or set CHROMIUM to the path of its program."
    )


def run():
    hand_over(ensure(), ROOT / "manage.py", "play")


def lint():
    sys.exit(call(ensure("requirements-dev.txt"), "-m", "ruff", "check", "."))


def bench():
    hand_over(ensure(), ROOT / "bench" / "run.py")


def test():
    python = ensure("requirements-dev.txt")
    chromium = ensure_chromium()
    sys.exit(
        call(python, "-m", "ruff", "check", ".")
        or call(python, "-m", "pytest", *PYTEST, CHROMIUM=chromium, DATABASE_URL=None)
        or call(python, "-m", "tests.postgres", *PYTEST, "--only-db", CHROMIUM=chromium)
    )


if __name__ == "__main__":
    jobs = {"run": run, "test": test, "bench": bench, "lint": lint}
    if len(sys.argv) != 2 or sys.argv[1] not in jobs:
        sys.exit(__doc__)
    jobs[sys.argv[1]]()
