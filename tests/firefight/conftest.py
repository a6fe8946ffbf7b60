from types import SimpleNamespace

import pytest
import segno

from tests.firefight import players

CODE = segno.make("http://testserver/")


@pytest.fixture
def quick_codes(monkeypatch):
    """Draw the same QR code for every link: a true one takes longer than all else in a new match."""
    monkeypatch.setattr(segno, "make", lambda *_, **__: CODE)


@pytest.fixture
def table(db, quick_codes):
    """A match with a browser for each side and one for an observer."""
    german, links = players.begin()
    seated = {side: players.sit(link, german.match_id) for side, link in links.items()}
    return SimpleNamespace(german=german, **seated)


@pytest.fixture
def hot_seat(db, quick_codes):
    """One browser that holds both sides and acts as German."""
    return players.begin(hot_seat=True)[0]
