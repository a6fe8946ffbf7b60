from types import SimpleNamespace

import pytest

from tests.campaign import players


@pytest.fixture
def volga(frozen):
    """To the Volga!, where both sides choose: a browser for each side and one for an observer."""
    return frozen("volga", players.seated)


@pytest.fixture
def volga_at(frozen):
    """The same, played on to a stage with nothing bought and nothing set up."""
    return lambda stage: frozen(f"volga, {stage}", lambda: players.play_to(players.seated(), stage))


@pytest.fixture
def inferno(frozen):
    """Into the Inferno, where the German attacks: a browser for each side and one for an observer."""
    return frozen("inferno", lambda: players.seated("cg1"))


@pytest.fixture
def one_device(frozen):
    """To the Volga! on one device that acts as German."""
    return frozen("one device", lambda: SimpleNamespace(player=players.begin(hot_seat=True)[0])).player
