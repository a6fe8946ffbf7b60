"""Build the package as deploy/Containerfile does, and play with what was installed: python -m tests.package

The steps of the container are carried out one by one in a clean folder, with the files that git tracks, so that
package, container and lock file are proved together. Nothing from the checkout can help: the app runs in
an empty folder, and keeps its data where the system keeps programs' data.
"""

import html
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tests import server

ROOT = Path(__file__).resolve().parent.parent
OURS = ("VIRTUAL_ENV", "PYTHONPATH", "DJANGO_SETTINGS_MODULE", *server.OURS)


def list_steps(recipe):
    """What a Containerfile's first stage runs, in order."""
    stage = re.split(r"^FROM .*$", recipe, flags=re.M)[1]
    return re.findall(r"^RUN (.*)$", stage, re.M)


def copy_tracked(folder):
    """Lay what git tracks, as it stands now, into a folder: what a fresh clone would have."""
    tracked = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in filter(None, tracked.decode().split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes((ROOT / name).read_bytes())


def clean_environment(**variables):
    return {name: value for name, value in os.environ.items() if name not in OURS} | variables


def install(folder):
    """Carry the container's steps out below a folder; returns the installed command."""
    source, app = folder / "src", folder / "app"
    source.mkdir()
    copy_tracked(source)
    for step in list_steps((source / "deploy/Containerfile").read_text()):
        words = re.sub(r"(^|\s)/app\b", rf"\1{app}", step).replace("python -m", f"{sys.executable} -m", 1).split()
        print("  " + step, flush=True)
        subprocess.run(words, cwd=source, env=clean_environment(), check=True, stdout=subprocess.DEVNULL)
    return app / "bin" / "volga-ledger"


def play(command, folder):
    """Start the installed app in an empty folder, roll once over HTTP, and end it."""
    empty, home = folder / "empty", folder / "home"
    empty.mkdir()
    home.mkdir()
    port = server.free_port()
    variables = {"HOME": str(home), "XDG_DATA_HOME": str(home / "data"), "PORT": str(port)}
    process = subprocess.Popen(
        [str(command), "play"],
        cwd=empty,
        env=clean_environment(**variables),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    served = server.Served(str(home), port, process)
    try:
        served.wait_until_it_answers()
        check_answers(served)
        healthy = subprocess.run([str(command), "healthy"], cwd=empty, env=clean_environment(**variables), check=False)
        assert healthy.returncode == 0
        assert (home / "data" / "volga-ledger" / "volga.sqlite3").exists()
        assert not list(empty.iterdir())
    finally:
        server.end(process)


def check_answers(served):
    """The home page with its style sheet, its scripts and a counter's picture, a campaign's page, and a roll."""
    status, _, page = served.ask("/")
    assert status == 200
    parts = re.findall(r'(?:href|src)="(/(?:style|static)/[^"]+\.(?:css|js)|/[^"]+\.svg[^"]*)"', page.decode())
    assert {re.search(r"\.(css|js|svg)", part)[1] for part in parts} == {"css", "js", "svg"}
    for part in parts:
        assert served.ask(html.unescape(part))[0] == 200, part
    assert served.ask("/campaign/new/")[0] == 200
    status, _, body = served.ask("/assist/combat-stalingrad/contact.json?device=phone&die=75")
    assert (status, json.loads(body)["outcome"]) == (200, "contact")


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        play(install(folder), folder)
    print("The package installs in a clean environment and plays.")


if __name__ == "__main__":
    main()
