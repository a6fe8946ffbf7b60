"""The toys stand beside the real games: each is one room in the settings."""

import pytest

from firefight.assistant import reminders
from firefight.games import chartbooks, registry
from firefight.kit import helper, playing

TOYS = [
    "examples.three_banners",
    "examples.lone_watch",
    "examples.two_bridges",
    "examples.long_siege",
    "examples.fox_hunt",
    "examples.masked_march",
]
CACHES = [
    value
    for module in (registry, chartbooks, reminders, playing, helper)
    for value in vars(module).values()
    if hasattr(value, "cache_clear")
]


@pytest.fixture(autouse=True)
def toys(settings):
    """Play the toys, too."""
    settings.ASSIST_GAMES = [*settings.ASSIST_GAMES, *TOYS]
    for cached in CACHES:
        cached.cache_clear()
    yield
    for cached in CACHES:
        cached.cache_clear()
