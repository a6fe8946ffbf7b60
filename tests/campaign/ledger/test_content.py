import re
from copy import deepcopy

import pytest

from campaign.ledger import content
from firefight.engine.board.counters import CounterInPlay, LackingValues, Piece
from firefight.games import gallery
from firefight.games.combat_stalingrad.rules.firing import find_attacks
from firefight.games.combat_stalingrad.rules.reading import GAME
from firefight.games.combat_stalingrad.rules.sides import Side
from tests.campaign.plain import COUNTERS_FILE, FOLDER


@pytest.fixture
def spoilt(tmp_path, monkeypatch):
    """A folder with a copy of the shipped files, used instead of theirs."""
    for path in FOLDER.glob("*.toml"):
        (tmp_path / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(content, "FIXTURES", tmp_path)
    for cached in (content.shipped, content.shipped_data, content.digest_of_shipped):
        cached.cache_clear()
    yield tmp_path
    for cached in (content.shipped, content.shipped_data, content.digest_of_shipped):
        cached.cache_clear()


def test_counters_of_the_shipped_content_have_the_pictures_of_the_shipped_gallery():
    assert content.name_gallery(content.digest_of_shipped()) == ""
    assert content.name_gallery("0" * 64) == "0" * 64
    assert content.shipped_data()["counters"] == gallery.shipped_data(GAME)


def test_shipped_content_is_read_once():
    assert content.shipped() is content.shipped()
    assert content.shipped().cards["cg2"].name == "To the Volga!"


def test_every_shipped_file_is_read():
    used = {"counters", "map", "roster_german", "roster_russian", *content.CARDS.values()}
    assert set(content.FILES.values()) == used
    used = used - {"counters"} | {"demo"}  # a match, which campaign.acts.demo copies
    assert {path.stem for path in FOLDER.glob("*")} == used


def test_spoilt_files_are_refused_with_every_problem(spoilt):
    for name, old, new in (("map", "1 = [2, 6]", "1 = [6]"), ("roster_russian", "cp = 2", "cp = -2")):
        path = spoilt / f"{name}.toml"
        path.write_text(path.read_text(encoding="utf-8").replace(old, new, 1), encoding="utf-8")
    with pytest.raises(content.BadContent, match=r"I1\.cp") as refused:
        content.shipped()
    assert {problem.chart for problem in refused.value.problems} == {"map", "roster_russian"}


@pytest.mark.parametrize(
    "path",
    [COUNTERS_FILE if name == "counters" else FOLDER / f"{name}.toml" for name in content.FILES.values()],
    ids=lambda path: path.stem,
)
def test_every_file_says_what_provenance_means_and_keeps_its_lines_short(path):
    text = path.read_text(encoding="utf-8")
    assert re.search(r'provenance = "house"', text)
    assert all(word in text for word in ('"text"  :', '"house" :', '"owner" :'))
    assert max(map(len, text.splitlines())) <= 130


@pytest.mark.django_db
def test_a_campaign_of_older_content_opens_and_asks_for_what_firing_needs():
    """As version 0.1.0 stored it: counters without ranges, calibers and machine-guns."""
    data = deepcopy(content.shipped_data())
    for side in ("german", "russian"):
        for values in data["counters"][side].values():
            for name in ("fire", "half_fire", "caliber", "mgs", "weapon"):
                values.pop(name, None)
            values["text"] = [name for name in values.get("text", []) if name in values]
    book = content.store(data, "Of an older version")
    kind = content.read_pinned(book.digest).counters[Side.RUSSIAN]["rifle_squad"]
    assert (kind.ff, kind.fire) == (5, None)
    firer = Piece(CounterInPlay("russian-1", "russian", "rifle_squad", "Rifle squad #1"), kind)
    with pytest.raises(LackingValues, match="Rifle squad: FF at 2 hexes"):
        find_attacks([firer], [2])
