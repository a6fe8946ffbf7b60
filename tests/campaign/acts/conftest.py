import pytest

from .game import Game


@pytest.fixture
def cg1(frozen):
    """Into the Inferno: the German attacks, the Russian defends, and nobody pays for it."""
    return frozen("game of cg1", lambda: Game.begin("cg1"))


@pytest.fixture
def cg2(frozen):
    """To the Volga!: both sides choose."""
    return frozen("game of cg2", lambda: Game.begin("cg2"))


@pytest.fixture
def cg2_at(frozen):
    """The same, played on to a stage with nothing bought and nothing set up."""
    return lambda stage: frozen(f"game of cg2, {stage}", lambda: Game.begin("cg2").through_to(stage))
