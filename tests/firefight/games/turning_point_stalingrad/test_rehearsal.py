"""Weeks that play themselves: by the game's own buttons and rolls, and without a database, which these tests lack."""

import pytest

from firefight.engine.errors import BadInput
from firefight.games import chartbooks, registry, tallying
from firefight.games.turning_point_stalingrad import rehearsal
from firefight.games.turning_point_stalingrad.counters import AreaCounters
from firefight.games.turning_point_stalingrad.rules.areas import read_areas
from firefight.kit import Terms
from tests.soak import length

GAME = "turning-point-stalingrad"
GAMES = 250
# How many of them, played to the end, the German wins (docs/notebook.md).
WON = {"careful": 148, "bold": 130}


def tally(policy, games, weeks="1"):
    options = {"weeks": weeks}
    return tallying.count_played(tallying.rehearse(GAME, policy, range(1, games + 1), options))


def begin(policy="bold", seed=1, weeks="1"):
    terms = Terms(registry.games()[GAME], chartbooks.shipped(GAME), {"weeks": weeks})
    return rehearsal.begin_weeks(rehearsal.POLICIES[policy], seed, terms)


@pytest.mark.slow
@pytest.mark.soak
@pytest.mark.parametrize(("policy", "wins"), WON.items())
def test_many_games_come_to_the_shares_of_the_notebook(policy, wins):
    games, share = length(1, GAMES), wins / GAMES
    report = tally(policy, games, weeks=length("1", "9"))
    assert report["flaws"] == {"number": 0, "first": []}
    won = sum(outcome["games"] for name, outcome in report["outcomes"].items() if name.startswith("german_wins"))
    assert abs(won - games * share) <= 4 * max(games * share * (1 - share), 1) ** 0.5


@pytest.mark.slow
def test_a_week_has_all_that_a_week_can_have():
    playing = begin("careful", seed=2)
    while not playing.is_over:
        playing.play_impulse()
    expected = {"attack", "payment", "retreat", "impulse", "dawn", "supply", "victory", "move"}
    assert expected <= set(playing.table.counts), expected - set(playing.table.counts)
    assert playing.table.flaws == []
    assert playing.table.record["points"] is not None


@pytest.mark.slow
def test_8_355_who_finds_no_room_in_a_retreat_goes_on():
    playing = begin("careful", seed=433, weeks="9")
    while not playing.is_over:
        playing.play_impulse()
    assert playing.table.flaws == []


def test_the_invented_map_has_what_the_text_names():
    areas, shipped = (read_areas(book) for book in (rehearsal.read_setting()[0], chartbooks.shipped(GAME)))
    for area, near in shipped.links.items():
        if area in areas.tem:
            assert near.names <= areas.neighbours(area).names, area
    assert {area: areas.tem[area] for area in shipped.tem if area in areas.tem}.items() <= shipped.tem.items()


def test_a_seed_is_one_week():
    one, again = (tallying.rehearse(GAME, "careful", [5], {"weeks": "1"})[0] for _ in range(2))
    assert one == again and one.steps > 0 and one.throws > 0


def test_what_does_not_hold_is_told(monkeypatch):
    """Those who have acted are not Spent when the impulse is over (8.13)."""
    monkeypatch.setattr(AreaCounters, "tidy", lambda *arguments: ())
    playing = begin()
    for _ in range(12):
        playing.play_impulse()
    assert "acting" in {flaw.what for flaw in playing.table.flaws}


def test_the_table_refuses_what_a_match_refuses():
    """Spent units attack nobody (4.2); nothing has changed then."""
    table = begin().table
    first = next(name for name in table.pieces if name.startswith("german"))
    enemy = next(name for name in table.pieces if name.startswith("russian"))
    table.change_counter(rehearsal.CounterChange(first, "d2"))
    before = table.look()
    with pytest.raises(BadInput, match="Spent, and so no attack"):
        table.roll("attack", firers=[first], targets=[enemy])
    assert table.look() == before and table.steps == 0
