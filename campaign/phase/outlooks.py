"""The odds of holding a sector, worked out once for each position and kept in this process.

No request works on them for longer than a moment: a page asks again until they are there. Keeping them only saves
work: another process finds the same odds, since the position alone decides them (campaign.rules.combat.forecast).
"""

from collections import OrderedDict
from dataclasses import dataclass, replace
from random import Random
from threading import Lock
from time import monotonic
from typing import TypeVar

from campaign.ledger.ledger import Ledger
from campaign.rules.combat.battle import is_over
from campaign.rules.combat.forecast import Forecast, Outlook, seed_of
from campaign.rules.steps import Step
from firefight.engine.charts.book import Book
from firefight.games.chartbooks import of_match
from firefight.games.combat_stalingrad.rules.melee.fighters import Battle

from . import battles, lookups

LONGEST_WORK = 0.15  # of one request, in seconds
MOST_KEPT, MOST_UNDER_WAY = 200, 8

_Key = tuple[Book, Battle]
_Value = TypeVar("_Value")
_kept: OrderedDict[_Key, Outlook] = OrderedDict()
_under_way: OrderedDict[_Key, Forecast] = OrderedDict()
# One request works at a time; another does not wait for it.
_at_work = Lock()


@dataclass(frozen=True, slots=True)
class Progress:
    """The odds of a position, or how far the work on them is: ``percent``, of this many ``games``, 0 if exact."""

    outlook: Outlook | None
    percent: int
    games: int


def position_of(ledger: Ledger) -> Battle | None:
    """The battle whose odds the page shows: the sector as it stands between two rounds. None if it is settled.

    While units may still leave, it is as if everybody stayed.
    """
    if ledger.sector_fought_out is None:
        return None
    battle = replace(battles.battle_of(ledger), fought=frozenset())
    if lookups.step(ledger) is not Step.EXISTING:
        fighters = tuple(replace(unit, in_cc=False, rider=False) for unit in battle.fighters)
        battle = replace(battle, fighters=fighters, existing=False)
        return None if is_over(battle) else battle
    sides = {unit.side for unit in battle.fighters}
    return battle if len(sides) > 1 else None


def find_outlook(ledger: Ledger) -> Outlook | None:
    """The odds for the present position, if they have been worked out already."""
    battle = position_of(ledger)
    return _kept.get((of_match(ledger.match), battle)) if battle else None


def work_out(ledger: Ledger, seconds: float = LONGEST_WORK) -> Progress | None:
    """Work on the odds for the present position for this long at most; None if nothing is fought out.

    Raises MissingChart where the charts have no value that they need.
    """
    battle = position_of(ledger)
    if battle is None:
        return None
    key = of_match(ledger.match), battle
    if key in _kept:
        return Progress(_kept[key], 100, _kept[key].games)
    if not _at_work.acquire(blocking=False):
        return _progress(_under_way.get(key))
    try:
        return _progress(_work_on(key, seconds))
    finally:
        _at_work.release()


def _work_on(key: _Key, seconds: float) -> Forecast:
    """Go on with a forecast for this long at most. It stays where other requests find it until its odds are kept."""
    book, battle = key
    forecast = _under_way.get(key) or Forecast(battle, book, Random(seed_of(battle)).random)
    _store(_under_way, key, forecast, MOST_UNDER_WAY)
    deadline = monotonic() + seconds
    while forecast.outlook is None and monotonic() < deadline:
        forecast.work_on()
    if forecast.outlook is not None:
        _store(_kept, key, forecast.outlook, MOST_KEPT)
        _under_way.pop(key)
    return forecast


def _store(store: OrderedDict[_Key, _Value], key: _Key, value: _Value, most: int) -> None:
    """Keep a value; the one stored longest ago makes way."""
    store[key] = value
    store.move_to_end(key)
    while len(store) > most:
        store.popitem(last=False)


def _progress(forecast: Forecast | None) -> Progress:
    if forecast is None:
        return Progress(None, 0, 0)
    return Progress(forecast.outlook, round(100 * forecast.done), forecast.games)
