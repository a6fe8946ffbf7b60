import pytest

from firefight.games import registry
from firefight.table.seats import sitting_down
from tests.firefight import players


@pytest.fixture
def table(frozen):
    """A match with a browser for each side and one for an observer."""
    return frozen("table", players.seated)


@pytest.fixture
def hot_seat(frozen):
    """One browser that holds both sides and acts as German."""
    return frozen("hot seat", lambda: players.begin(hot_seat=True)[0])


@pytest.fixture
def match(db):
    """A match of two players, as a row; nobody has a browser."""
    return sitting_down.new_match(registry.games()[players.GAME], "Friday", hot_seat=False)[0]
