import pytest

from tests.chromium import find_chromium

from .install import find_firefox, find_webkit
from .players import Chromium, Firefox, WebKit

ENGINES = {"chromium": (Chromium, find_chromium), "firefox": (Firefox, find_firefox), "webkit": (WebKit, find_webkit)}


@pytest.fixture(params=ENGINES)
def player(request, live_server):
    """A player at the live server, in each engine. A page that complains fails its test."""
    make, find = ENGINES[request.param]
    path = find() or pytest.fail(f"No {request.param} found: python -m tests.engines.install")
    player = make(live_server.url, path)
    yield player
    player.close()
    assert not player.complaints, "errors in the page"
