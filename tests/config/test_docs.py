"""The docs tell of this tree: what they name is there, what they say to type can be typed."""

import re

import pytest
from django.core.management import get_commands

from config import arrivals, front, lane
from firefight.hosting import listening
from firefight.table.story import photos, sent_pictures
from firefight.web import uploads
from tests.config.test_imports import ROOT

DOCS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
ORACLES = ROOT / "tests" / "oracles"
ROOMS = ("", "campaign", "firefight", "firefight/engine", "firefight/table", "firefight/games/combat_stalingrad")
# A path with a folder of ours, in backticks or the target of a link; what has a gap in it is not a path.
PATH = re.compile(r"`([\w.-]+(?:/[\w.-]+)+/?)`|\]\(([\w./-]+)\)|\b((?:docs|tests|scripts)/[\w./-]+\w)")
OTHERS = {"K7/1", "files/", "@fontsource/barlow-condensed"}  # hexes, what the app writes, somebody else's


def missing_paths(page, text):
    """The paths that a page names and that lead nowhere, from the root, from the page, or from a room."""
    paths = {next(filter(None, groups)) for groups in PATH.findall(text)} - OTHERS
    starts = [page.parent, *(ROOT / room for room in ROOMS)]
    return sorted(path for path in paths if not any((start / path).exists() for start in starts))


@pytest.mark.parametrize("page", DOCS, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_path_that_a_page_names_is_there(page):
    assert missing_paths(page, page.read_text(encoding="utf-8")) == []


def test_a_path_that_leads_nowhere_is_found():
    assert missing_paths(DOCS[0], "See `firefight/nowhere.py`, [it](docs/running.md), docs/no.md.") == [
        "docs/no.md",
        "firefight/nowhere.py",
    ]


def test_the_house_is_told_in_few_words():
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert 1000 < len(page.split()) <= 1500


def test_every_room_has_its_line():
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    firefight, match, campaign = (
        re.findall(r"^\| (`.+?`(?:, `.+?`)*) \|", part.partition("\n#")[0], re.MULTILINE)
        for part in re.split(r"^## Rooms of .+$", page, flags=re.MULTILINE)[1:]
    )
    for folder, rows in (("firefight", firefight), ("firefight/table", match), ("campaign", campaign)):
        listed = {name.partition("/")[0] for row in rows for name in re.findall(r"`(.+?)`", row)}
        rooms = {path.parent.name for path in (ROOT / folder).glob("*/__init__.py")} - {"migrations", "management"}
        assert listed == rooms - {"table"}, folder


def test_every_command_that_a_page_names_can_be_typed():
    text = "\n".join(page.read_text(encoding="utf-8") for page in DOCS)
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    typed = set(re.findall(r"(?:^ {4}|`)(?:[A-Z]+=\S+ )*make ([a-z-]+)", text, re.MULTILINE))
    assert {"run", "test", "bench"} <= typed <= targets
    managed = set(re.findall(r"manage\.py ([a-z_]+)", text))
    assert {"play", "backup"} <= managed <= set(get_commands())
    modules = set(re.findall(r"python3? -m (tests[\w.]*)", text))
    ends = (".py", "/__main__.py")
    assert all(any((ROOT / f"{name.replace('.', '/')}{end}").exists() for end in ends) for name in modules)


def test_every_oracle_is_told_of():
    table = (ORACLES / "README.md").read_text(encoding="utf-8")
    modules = {path.name for path in ORACLES.glob("*.py")} - {"__init__.py"}
    assert sorted(name for name in modules if f"| `{name}` |" not in table) == []


def test_the_bounds_that_a_host_reads_of_are_those_of_the_code():
    section = (
        (ROOT / "docs" / "running.md").read_text(encoding="utf-8").split("## How much it bears")[1].split("\n## ")[0]
    )
    mega = 1_000_000
    for words in (
        f"| its size | {uploads.LARGEST // mega} MB,",
        f"| {arrivals.ROOM // mega} MB together, {arrivals.ROOM_OF_ONE // mega} MB from one network;",
        f"above {arrivals.SMALL // 1_000} KB",
        f"| {front.PATIENCE:.0f} s, and 1 s more for every {front.SLOWEST // 1_000} KB",
        f"| {front.SILENCE:.0f} s, then 408 |",
        f"| {front.PAGES} that read, {front.ACTS} that change something |",
        f"| one at a time, {lane.WORK:.0f} s of a processor, {lane.PATIENCE:.0f} s of the clock and "
        f"{lane.MEMORY / 1e9} GB of addresses each; {lane.MOST} may wait, "
        f"{lane.MOST_OF_ONE} from one network",
        f"| {photos.LARGEST_SENT // mega} MB; {photos.MOST_PIXELS['JPEG'] // mega} megapixels as JPEG, "
        f"{photos.MOST_PIXELS['PNG'] // mega} as PNG or WebP;",
        f"{sent_pictures.MOST_SCANNED // mega} million samples in all and {sent_pictures.MOST_KEPT // mega} million in",
        f"| {listening.CONNECTIONS:,} |",
    ):
        assert words in section, words
    assert photos.MOST_PIXELS["WEBP"] == photos.MOST_PIXELS["PNG"]
