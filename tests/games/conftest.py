"""The toys stand beside the real games: each is one room in the settings."""

import pytest
import segno

from firefight.assistant import chartbooks, registry, reminders
from tests.firefight.conftest import CODE

TOYS = ["tests.games.three_banners", "tests.games.lone_watch"]
CACHES = [
    value
    for module in (registry, chartbooks, reminders)
    for value in vars(module).values()
    if hasattr(value, "cache_clear")
]


@pytest.fixture(autouse=True)
def toys(settings, monkeypatch):
    """Play the toys, too."""
    monkeypatch.setattr(segno, "make", lambda *_, **__: CODE)
    settings.ASSIST_GAMES = [*settings.ASSIST_GAMES, *TOYS]
    for cached in CACHES:
        cached.cache_clear()
    yield
    for cached in CACHES:
        cached.cache_clear()
