import os
from functools import partial
from types import SimpleNamespace

import pytest
import segno

from tests.campaign import players
from tests.firefight.conftest import CODE


@pytest.fixture
def quick_codes(monkeypatch):
    """Draw the same QR code for every link: a true one takes longer than all else in a new campaign."""
    monkeypatch.setattr(segno, "make", lambda *_, **__: CODE)


@pytest.fixture(scope="session")
def frozen_tables(tmp_path_factory):
    """Where the processes of this run keep tables for each other."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "frozen"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture
def frozen(db, quick_codes, frozen_tables):
    """Put a table of players back that was built before, or build it."""
    return partial(players.frozen, frozen_tables)


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
