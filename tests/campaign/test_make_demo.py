"""The demo is what its script plays: played again by the pages, it comes to the very file that is shipped."""

import json

import pytest
from django.conf import settings
from django.db import connection

from campaign.acts import demo
from firefight.table.files.archive import read_archive
from scripts import make_demo

pytestmark = pytest.mark.django_db


def test_the_script_played_anew_writes_the_file_that_is_shipped(monkeypatch):
    """Whatever changes a rule, a chart or a sentence of it is followed by ``python scripts/make_demo.py``."""
    shipped = demo.FILE.read_text(encoding="utf-8")
    monkeypatch.setattr(settings, "VERSION", json.loads(shipped)["file"]["app"])
    written = make_demo.write(make_demo.keep(make_demo.play_all()))
    assert json.loads(written) == json.loads(shipped), "Run python scripts/make_demo.py and look at what has changed."
    # The dates of what was played depend on nothing, nor does anything else. PostgreSQL orders keys by itself.
    assert connection.vendor == "postgresql" or written == shipped


def test_the_file_is_as_sound_as_any_that_somebody_opens():
    saved = demo.read_demo()["file"]
    whole = {**saved, "match": {**saved["match"], "seed": None}}  # a file of a match that goes on holds no seed
    archive = read_archive(json.dumps(whole).encode())
    assert archive.data["sees"] == ["german", "russian"]
    assert archive.lines > 250
