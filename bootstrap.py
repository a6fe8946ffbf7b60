"""Set the project up and start it, with nothing installed but Python.

    python3 bootstrap.py run         install, then serve (the same as `python3 manage.py play`)
    python3 bootstrap.py start       install, serve, open the browser: what start.bat and start.command do
    python3 bootstrap.py test        install, every test on SQLite, lint beside, then on PostgreSQL what it could change
    python3 bootstrap.py test-quick  install, then the tests that need no database, and one walk in the browser
    python3 bootstrap.py test-browsers  install, then what players do most in Chromium, Firefox and WebKit
    python3 bootstrap.py soak        install, then the long tests in full length, and everything on PostgreSQL
    python3 bootstrap.py bench       install, then measure
    python3 bootstrap.py lint        install, then lint
    python3 bootstrap.py lock        resolve what pyproject.toml names into requirements*.txt, with hashes
    python3 bootstrap.py wheel       build the package that pip, pipx and uvx install, into dist/
    python3 bootstrap.py sbom        write sbom.json, the list of everything that the app is made of (CycloneDX)

Installing happens once: a stamp in .venv remembers what was installed.
"""

from __future__ import annotations  # so that an older Python gets far enough to be told that it is too old

import contextlib
import hashlib
import os
import re
import secrets
import subprocess
import sys
import time
import venv
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"

# One worker more than there are processors: workers that wait for a browser or a server leave theirs idle.
PYTEST = ("-q", f"--numprocesses={(os.cpu_count() or 1) + 1}", "--dist=worksteal")

# The lock files: each holds all that it needs, transitively. The tests' also has everything in the app's.
RUN, TEST = "requirements.txt", "requirements-dev.txt"
# The exit code of a stage that cannot run here and has said why. It does not count as a failure.
SKIPPED = 77
SBOM_MAKER = "cyclonedx-bom==7.5.0"


def ensure(lock: str = RUN) -> Path:
    """Make sure of a virtual environment with what a lock file names, and return its Python."""
    if sys.version_info < (3, 11):  # noqa: UP036 (the very Python that must be told)
        sys.exit(f"Volga Ledger needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
    python: Path = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if python.exists() and is_stamped(lock):
        return python

    print(f"Setting up {VENV.name} from {lock} (only when it changes).", flush=True)
    started = time.monotonic()
    if not runs(python, "-m", "pip", "--version"):
        print("Step 1 of 2: making a Python of the app's own ...", flush=True)
        create_venv(clear=not python.exists())
    print("Step 2 of 2: fetching what the app needs ...", flush=True)
    if output := install(python, ROOT / lock):
        sys.exit(explain(output, lock))
    for installed in {lock, RUN}:  # the tests' lock holds the app's
        stamp_of(installed).write_text(fingerprint(installed))
    print(f"Ready after {time.monotonic() - started:.0f} seconds.", flush=True)
    return python


def create_venv(clear: bool) -> None:
    try:
        venv.create(VENV, clear=clear, with_pip=True)
    except OSError:
        sys.exit(f"{ROOT} may not be written to. Move the folder to a place of your own, such as your documents.")
    except (ImportError, subprocess.CalledProcessError):
        sys.exit("This Python has no working venv module (on Debian or Ubuntu: apt install python3-venv).")


def install(python: Path, lock: Path) -> str:
    """Install what a lock file names, and tell how far that is. Returns nothing, or what pip said if it failed.

    Nothing is compiled here: Python compiles what it imports, at its first import, which is far less.
    """
    command = ("-m", "pip", "install", "--disable-pip-version-check", "--progress-bar=off", "--retries=1")
    words = [str(part) for part in (python, *command, "--no-compile", "--require-hashes", "-r", lock)]
    packages = len(re.findall(r"^[\w.-]+(\[\w+\])?==", lock.read_text(), re.M))
    output: list[str] = []
    started, number = time.monotonic(), 0
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as pip:
        for line in pip.stdout or ():
            output.append(line)
            if line.startswith("Collecting "):  # pip starts on a package
                number += 1
                tell_progress(f"{number} of {packages} after {time.monotonic() - started:.0f} s")
            elif line.startswith("Installing "):
                tell_progress("all fetched, unpacking ...")
    tell_progress("")
    return "".join(output) if pip.returncode else ""


def tell_progress(words: str) -> None:
    """Show progress in a line that the next one overwrites; not in a file or a pipe."""
    if sys.stdout.isatty():
        print(f"\r    {words:<40}", end="" if words else "\r", flush=True)


UNREACHED = ("NewConnectionError", "NameResolutionError", "ConnectTimeout", "ProxyError", "No matching distribution")


def explain(output: str, lock: str) -> str:
    """Why pip could not install, in a sentence, after the last lines that it printed."""
    end = "".join(f"    {line}\n" for line in output.splitlines()[-8:])
    if any(word in output for word in UNREACHED):
        return (
            f"{end}The first start fetches what the app needs: connect this machine to the internet, and start again."
        )
    return f"{end}Could not install {lock}; pip says why above. Run the same command to try again."


def fingerprint(lock: str) -> str:
    return hashlib.sha256((ROOT / lock).read_bytes()).hexdigest()


def stamp_of(lock: str) -> Path:
    return VENV / f".installed-{lock}"


def is_stamped(lock: str) -> bool:
    stamp = stamp_of(lock)
    return stamp.exists() and stamp.read_text() == fingerprint(lock)


def inside() -> bool:
    """Is this very Python the project's own?"""
    return Path(sys.prefix).resolve() == VENV.resolve()


def hand_over(*command: object) -> NoReturn:
    """Continue as another program. Windows has no real exec, so there we wait for the child instead."""
    words = [str(part) for part in command]
    sys.stdout.flush()
    if os.name != "nt":
        os.execv(words[0], words)
    with subprocess.Popen(words) as child:
        while True:
            with contextlib.suppress(KeyboardInterrupt):  # the child got it too, and ends by itself
                sys.exit(child.wait())


def call(*command: object, **environment: str | None) -> int:
    """Run a command in the project and return its exit code. A value of None unsets a variable."""
    merged = {name: value for name, value in {**os.environ, **environment}.items() if value is not None}
    return subprocess.run([str(part) for part in command], cwd=ROOT, env=merged, check=False).returncode


def listen(*command: object) -> tuple[int, str]:
    """Run a command in the project; returns its exit code and its output."""
    words, pipe = [str(part) for part in command], subprocess.PIPE
    done = subprocess.run(words, cwd=ROOT, stdout=pipe, stderr=subprocess.STDOUT, check=False)
    return done.returncode, done.stdout.decode(errors="replace")


def runs(*command: object) -> bool:
    try:
        words = [str(part) for part in command]
        done = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        return done.returncode == 0
    except OSError:
        return False


def run() -> None:
    hand_over(ensure(), ROOT / "manage.py", "play")


def start() -> None:
    hand_over(ensure(), ROOT / "manage.py", "play", "--open")


def wheel() -> None:
    sys.exit(call(ensure(TEST), "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", ROOT / "dist", ROOT))


def lint() -> None:
    sys.exit(run_stages(lint_stages(ensure(TEST))))


def bench() -> None:
    hand_over(ensure(TEST), ROOT / "bench" / "run.py")


def test() -> None:
    python = ensure(TEST)
    package = partial(call, python, "-m", "tests.package")
    checks = begin_beside({**lint_stages(python), "package": package})
    chosen = ("--stage=database", "@tests/on_postgres.txt")  # not beside, which takes half a minute more
    stages = {
        "browser": find_browser(python),
        **read_tests(python),
        "tests on SQLite": run_pytest(python),
        **checks,
        "tests on PostgreSQL": run_pytest(python, *chosen, runner="tests.postgres"),
    }
    sys.exit(run_stages(stages))


def test_quick() -> None:
    python = ensure(TEST)
    sys.exit(run_stages({"browser": find_browser(python), "quick tests": run_pytest(python, "--stage=quick")}))


def test_browsers() -> None:
    python = ensure(TEST)
    engines = partial(call, python, "-m", "tests.engines.install")
    # One browser at a time: each has processes enough of its own.
    jobs = run_pytest(python, "--stage=browsers", "--numprocesses=0", "tests/engines")
    sys.exit(run_stages({"browser": find_browser(python), "engines": engines, "jobs in each engine": jobs}))


def soak() -> None:
    python, seed = ensure(TEST), os.environ.get("VOLGA_SEED") or str(secrets.randbelow(10**6))
    print(f"VOLGA_SEED={seed} make soak plays this very soak again.", flush=True)
    full_length = {"VOLGA_SOAK": "1", "VOLGA_SEED": seed, "VOLGA_HYPOTHESIS": "search"}
    stages = {
        "long tests on SQLite": run_pytest(python, "--stage=soak", f"--hypothesis-seed={seed}", **full_length),
        "everything on PostgreSQL": run_pytest(python, "--stage=database", runner="tests.postgres"),
    }
    sys.exit(run_stages(stages))


COMPILED = ROOT / "tests" / "config" / "__pycache__"


def read_tests(python: Path) -> dict[str, partial[int]]:
    """The stage that compiles the tests if nobody has run them yet: otherwise each worker would do it for itself."""
    if COMPILED.exists():
        return {}
    words = (python, "-m", "pytest", "--collect-only", "-p", "no:terminal")
    return {"reading the tests": partial(call, *words, PYTHONDONTWRITEBYTECODE=None)}


def find_browser(python: Path) -> partial[int]:
    """The stage that finds a browser for the tests, or says what to do."""
    return partial(call, python, "-m", "tests.chromium")


def run_pytest(python: Path, *options: str, runner: str = "pytest", **environment: str) -> partial[int]:
    """A stage of tests. The runner for PostgreSQL decides about DATABASE_URL itself.

    Compiled modules are kept, whatever the environment says: otherwise each worker and server would compile them again.
    """
    unset: dict[str, str | None] = {
        "PYTHONDONTWRITEBYTECODE": None,
        **({"DATABASE_URL": None} if runner == "pytest" else {}),
    }
    return partial(call, python, "-m", runner, *PYTEST, *options, **unset, **environment)


def lint_stages(python: Path) -> dict[str, partial[int]]:
    tools: dict[str, tuple[object, ...]] = {
        "ruff": (python, "-m", "ruff", "check", "."),
        "format": (python, "-m", "ruff", "format", "--check", "."),
        "mypy": (python, "-m", "mypy"),
        "templates": (Path(python).with_name("djangofmt"), "--check", "templates"),
        "stylesheets": (python, "scripts/check_css.py"),
    }
    return {name: partial(call, *words) for name, words in tools.items()}


def begin_beside(stages: dict[str, partial[int]]) -> dict[str, partial[int]]:
    """Run stages one after the other beside whatever runs next, since each keeps one processor busy.

    Returns stages that wait for that work and print its output, so that no output is mixed.
    """
    worker = ThreadPoolExecutor(1)
    return {name: partial(tell, worker.submit(listen, *stage.args)) for name, stage in stages.items()}


def tell(work: Future[tuple[int, str]]) -> int:
    """Print a command's output, once it has ended, and return its exit code."""
    code, words = work.result()
    print(words, end="", flush=True)
    return code


def run_stages(stages: dict[str, partial[int]]) -> int:
    """Run every stage, whatever happened to those before it; say at the end what failed, passed and was skipped.

    Returns the exit code.
    """
    codes = {name: stage() for name, stage in stages.items()}
    failed = [name for name, code in codes.items() if code not in (0, SKIPPED)]
    passed = [name for name, code in codes.items() if code == 0]
    skipped = [name for name, code in codes.items() if code == SKIPPED]
    summary = [f"Failed: {', '.join(failed)}." if failed else f"All stages passed: {', '.join(passed)}."]
    summary += [f"Skipped: {', '.join(skipped)}."] if skipped else []
    print(*summary, flush=True)
    return 1 if failed else 0


def lock() -> None:
    python = ensure(TEST)
    options = ("--quiet", "--universal", "--python-version", "3.11", "--generate-hashes", "--no-emit-index-url")
    command = ("--custom-compile-command", "make lock")
    for name, more in ((RUN, ()), (TEST, ("--group", "test"))):
        if call(python, "-m", "uv", "pip", "compile", *options, *command, "pyproject.toml", *more, "-o", name):
            sys.exit(f"Could not resolve {name}; uv says why above.")


def sbom() -> None:
    maker = (ensure(TEST), "-m", "uv", "tool", "run", "--quiet", "--from", SBOM_MAKER, "cyclonedx-py")
    sys.exit(call(*maker, "requirements", "--pyproject", "pyproject.toml", "-o", "sbom.json", RUN))


if __name__ == "__main__":
    jobs = (run, start, wheel, test, test_quick, test_browsers, soak, bench, lint, lock, sbom)
    chosen_job = {job.__name__.replace("_", "-"): job for job in jobs}.get(" ".join(sys.argv[1:]))
    if chosen_job is None:
        sys.exit(__doc__)
    chosen_job()
