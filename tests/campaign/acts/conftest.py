import pytest

from .game import Game


@pytest.fixture
def cg1(db):
    """Into the Inferno: the German attacks, the Russian defends, and nobody pays for it."""
    return Game.begin("cg1")


@pytest.fixture
def cg2(db):
    """To the Volga!: both sides choose."""
    return Game.begin("cg2")
