"""A whole game of Inferno with a thumb, in each engine: on the map, to its end, within the taps."""

import pytest

from firefight.games.inferno_on_the_volga.solo.play import Play
from firefight.games.inferno_on_the_volga.solo.policies import POLICIES
from firefight.games.inferno_on_the_volga.solo.turn import find_next_want
from firefight.models import Match
from tests.conftest import seed_by
from tests.firefight.games.inferno_on_the_volga.solo_games import HOUSE

pytestmark = pytest.mark.engines
AHEAD = POLICIES["look-ahead"]
STEP, ALL = "#step-form", "#step-form [name=way]"
MOST_TAPS = 130


@pytest.mark.parametrize(
    ("name", "level", "words"), [("bank 12", "standard", "Soviet"), ("bank 15", "easy_german", "German")]
)
def test_a_whole_game(player, monkeypatch, name, level, words):
    seed_by(name, monkeypatch)
    player.go("/match/new/inferno-on-the-volga/")
    player.evaluate(f"document.querySelector('select[name=option-level]').value = '{level}'")
    player.tap("form.card:not(.lessons) button.main")
    player.wait("location.pathname !== '/match/new/inferno-on-the-volga/'")
    match = Match.objects.get()
    player.go(f"/match/{match.pk}/")
    tap_on(player, f"{STEP} .actions .main")
    player.tap(f"{STEP} [name=rolls][type=checkbox]")
    taps = 2
    while (selector := find_tap(player, match)) and taps < MOST_TAPS:
        tap_on(player, selector)
        taps += 1
    player.see(f"The game is over: {words} Decisive Victory")
    assert taps <= MOST_TAPS


def find_tap(player, match):
    """What the policy taps next, on the map where it is lit there; "" once the game is over."""
    match.refresh_from_db()
    play = Play(match.state.record["solo"], HOUSE)
    if play.state["over"]:
        return ""
    if player.evaluate(f"document.querySelector('{ALL}') !== null"):
        return ALL
    choice = AHEAD(find_next_want(play), play)
    lit = f"#board-over .lit [value='{choice}']"
    return lit if player.evaluate(f'document.querySelector("{lit}") !== null') else f"{STEP} [value='{choice}']"


def tap_on(player, selector):
    """Tap, and wait for what comes of it."""
    before = player.evaluate("document.querySelector('#live').dataset.version")
    player.tap(selector)
    player.wait(f"(document.querySelector('#live')?.dataset.version ?? '{before}') !== '{before}'", selector)
    player.wait("document.readyState === 'complete' && document.querySelector('#step-form') !== null", selector)
