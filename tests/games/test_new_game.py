"""A further game: the command writes one that runs, from the least example, whose size is counted."""

import importlib
import shutil

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

import firefight.games
from firefight.games import registry
from tests.filling import Reader
from tests.firefight import players

from .conftest import CACHES

EXAMPLE = settings.BASE_DIR / "examples" / "two_bridges"
NAME = "red-barricades"


@pytest.fixture
def checkout(tmp_path):
    """A checkout with nothing but what the command reads."""
    shutil.copytree(EXAMPLE, tmp_path / "examples" / "two_bridges", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "config").mkdir()
    shutil.copy(settings.BASE_DIR / "config" / "settings.py", tmp_path / "config" / "settings.py")
    return tmp_path


def files_in(root):
    return {str(path.relative_to(root)): path.read_text(encoding="utf-8") for path in root.rglob("*") if path.is_file()}


def test_a_game_with_counters_in_play_is_eight_files_and_120_lines_at_most():
    files = [path for path in EXAMPLE.iterdir() if path.is_file()]
    assert 5 < len(files) <= 8
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files) <= 120


@pytest.mark.django_db
def test_a_new_game_is_there_to_be_played(checkout, monkeypatch, settings):
    call_command("new_game", NAME, root=checkout, verbosity=0)
    text = (checkout / "config" / "settings.py").read_text(encoding="utf-8")
    names = {}
    exec(text[text.index("ASSIST_GAMES = [") : text.index("ASSIST_HELPERS")], names)
    assert names["ASSIST_GAMES"][-1] == "firefight.games.red_barricades"
    assert len(names["ASSIST_GAMES"]) == len({*names["ASSIST_GAMES"]}) >= 4
    monkeypatch.setattr(firefight.games, "__path__", [*firefight.games.__path__, str(checkout / "firefight" / "games")])
    importlib.invalidate_caches()
    settings.ASSIST_GAMES = names["ASSIST_GAMES"]
    for cached in CACHES:
        cached.cache_clear()
    assert registry.games()[NAME].title == "Red Barricades"

    north = players.begin("north", hot_seat=True, game=NAME)[0]
    north.do("counters/add/", list="North: 2 companies\nSouth: 1 company")
    reader = Reader(north.client).open(f"/match/{north.match_id}/roll/fire/?firers=north-1&targets=south-1")
    reader.form("#desk-form").fill(die=1).press("Resolve")
    assert "Fire: 1 hit." in reader.words("#desk")
    assert north.match.state.counters["south-1"]["state"] == ["shaken"]
    assert [step.helper for step in north.match.state.queue] == ["rally"]


def test_a_new_game_has_its_files_its_documents_and_nothing_of_the_example_name(checkout):
    before = files_in(checkout)
    call_command("new_game", NAME, root=checkout, verbosity=0)
    written = {path: text for path, text in files_in(checkout).items() if path not in before}
    room, documents = "firefight/games/red_barricades", f"docs/games/{NAME}"
    modules = ("__init__", "counters", "game", "helpers", "rules")
    assert set(written) == {
        *(f"{room}/{module}.py" for module in modules),
        *(f"{documents}/{page}.md" for page in ("rules-map", "rulings")),
    }
    assert not [path for path, text in written.items() if "bridges" in text.lower()]


@pytest.mark.parametrize("name", ["Red", "red_barricades", "1942", "red--x", "", "../x", "a" * 41, "éclair"])
def test_a_name_that_no_address_could_have_is_refused_and_nothing_is_written(checkout, name):
    before = files_in(checkout)
    with pytest.raises(CommandError, match="small letters"):
        call_command("new_game", name, root=checkout)
    assert files_in(checkout) == before


def test_a_game_that_is_there_is_left_alone(checkout):
    call_command("new_game", NAME, root=checkout, verbosity=0)
    before = files_in(checkout)
    with pytest.raises(CommandError, match="there already"):
        call_command("new_game", NAME, root=checkout)
    assert files_in(checkout) == before


def test_a_game_that_would_hide_a_module_of_the_frame_is_refused(checkout):
    (checkout / "firefight" / "games").mkdir(parents=True)
    (checkout / "firefight" / "games" / "gallery.py").touch()
    before = files_in(checkout)
    with pytest.raises(CommandError, match="gallery.py is there already"):
        call_command("new_game", "gallery", root=checkout)
    assert files_in(checkout) == before


def test_an_installed_app_without_the_example_says_so(tmp_path):
    with pytest.raises(CommandError, match="checkout"):
        call_command("new_game", NAME, root=tmp_path)
    assert files_in(tmp_path) == {}
