"""What the presses and pages of a day cost the database: on the sixtieth day as on the first."""

import json

import pytest

from tests.firefight import players
from tests.firefight.table.test_long_matches import attack, lengthen
from tests.firefight.table.test_queries import MOST, queries

pytestmark = pytest.mark.django_db

GAME = "streets-of-stalingrad"
LATE, LINES = 60, 2_000
LYING = [{"hex": place, "marker": marker} for place in ("0509", "0510", "0611") for marker in ("pinned", "spent")]


def put(player, field, value):
    text = value if isinstance(value, str) else json.dumps(value)
    assert player.do("record/", field=field, value=text).status_code == 302, field


def count_day(player):
    """The queries of each press of the day that begins, and of the page after it."""
    put(player, "markers", LYING)
    put(player, "due", [{"what": "Zaitsev", "side": "soviet", "turn": player.match.state.turn, "phase": 10}])
    counted = {}
    for _ in range(14):
        fields = {"version": player.match.version, "after": player.match.last_number}
        press = queries(lambda fields=fields: player.do("advance/", button="phase", htmx=True, **fields))
        counted[player.match.state.phase] = press, queries(player.get)
    return counted


def test_every_phase_costs_as_many_queries_on_day_60_as_on_day_1():
    player = players.begin("german", hot_seat=True, game=GAME)[0]
    for _ in range(2):
        attack(player)
    player.get()  # the chart book is parsed once per process
    first = count_day(player)
    assert len(first) == 14 and max(press for press, _ in first.values()) <= MOST
    assert max(page for _, page in first.values()) <= 6
    lengthen(player.match_id, LINES)
    put(player, "turn", str(LATE))
    put(player, "phase", "1")
    late = count_day(player)
    press, page = first["10"]
    assert late == {**first, "10": (press + 1, page)}  # one line more: Soviet tanks are rolled for by then (16.33)


def test_what_is_due_on_a_late_morning_costs_few_queries():
    player = players.begin("german", hot_seat=True, game=GAME)[0]
    rows = [{"name": f"Unit {number}", "side": "soviet", "marker": 1} for number in range(12)]
    put(player, "turn", str(LATE - 1))
    put(player, "phase", "15")
    put(player, "isolated", rows)
    few = queries(lambda: player.do("advance/", button="phase"))
    assert len(player.match.state.queue) == 12 + 4
    assert few <= MOST + 4 and queries(player.get) <= 6
