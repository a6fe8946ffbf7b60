"""Data of earlier versions open in this one, with the same log, secrets and dice."""

import gzip
import json
import subprocess
import sys

import pytest

from tests.books import ROOT
from tests.server import environment_with

pytestmark = pytest.mark.slow

VERSIONS = sorted(path for path in (ROOT / "tests" / "old").iterdir() if (path / "facts.json").exists())
KEY = "for-tests-of-old-versions-alone"


@pytest.fixture(scope="module", params=VERSIONS, ids=lambda path: path.name)
def old(request, tmp_path_factory):
    """What a version has stored, as it told it itself, and as this version finds it."""
    folder, data = request.param, tmp_path_factory.mktemp("old")
    (data / "volga.sqlite3").write_bytes(gzip.decompress((folder / "volga.sqlite3.gz").read_bytes()))
    files = [folder / "match.json", folder / "campaign.json"]
    command = [sys.executable, "-m", "tests.old.look", folder / "facts.json", *files]
    run = subprocess.run(
        [str(part) for part in command],
        env=environment_with(VOLGA_DATA=str(data), SECRET_KEY=KEY, ALLOWED_HOSTS="testserver"),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return json.loads((folder / "facts.json").read_text(encoding="utf-8")), json.loads(run.stdout)


def test_logs_secrets_and_dice_are_the_same(old):
    facts, answers = old
    assert answers["logs"] == facts["logs"]
    assert answers["seeds"] == facts["seeds"]


def test_browsers_keep_their_seats_and_read_their_own_secrets_alone(old):
    facts, answers = old
    lines = len(facts["logs"][facts["match"]])
    assert answers["pages"] == {"german": [200, True, False, lines], "russian": [200, False, True, lines]}


def test_the_lines_are_chained_and_fit(old):
    _, answers = old
    assert all(problems == [] for problems in answers["chains"].values())


def test_files_open_with_their_logs(old):
    facts, answers = old
    logs = [[row[3] for row in facts["logs"][facts[name]]] for name in ("match", "campaign")]
    assert answers["opened"] == logs
