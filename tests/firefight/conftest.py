import pytest

from tests.firefight import players


@pytest.fixture
def table(frozen):
    """A match with a browser for each side and one for an observer."""
    return frozen("table", players.seated)


@pytest.fixture
def hot_seat(frozen):
    """One browser that holds both sides and acts as German."""
    return frozen("hot seat", lambda: players.begin(hot_seat=True)[0])
