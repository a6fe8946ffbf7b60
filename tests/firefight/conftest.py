from types import SimpleNamespace

import pytest

from tests.firefight import players


@pytest.fixture
def table(db):
    """A match with a browser for each side and one for an observer."""
    german, links = players.begin()
    seated = {side: players.sit(link, german.match_id) for side, link in links.items()}
    return SimpleNamespace(german=german, **seated)


@pytest.fixture
def hot_seat(db):
    """One browser that holds both sides and acts as German."""
    return players.begin(hot_seat=True)[0]
