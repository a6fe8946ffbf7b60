"""Motorized units that go on foot, and mount again (8.7 Dismounted Motorized Units, 9.96)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from firefight.engine.board.chosen import ChosenOfSort
from firefight.engine.board.counters import CounterChange
from firefight.engine.charts.book import Book
from firefight.engine.labels import Labelled
from firefight.engine.rolls.answers import allow_or_refuse
from firefight.engine.rolls.result import Result

from .becoming import COMES_OFF
from .kinds import UnitKind
from .terms import Terrain
from .units import DISMOUNTED, FOOT_MP, GET_DOWN, MOST_TOWED_MP


class Dismounting(Labelled):
    """What a unit does about its vehicles."""

    DOWN = "down", "Get down"
    UP = "up", "Mount again"


def dismount(
    *,
    charts: Book,
    change: Dismounting,
    unit: UnitKind,
    mp: int | None,
    has_moved: bool,
    is_dismounted: bool,
    terrain: Terrain,
    has_road: bool,
    has_no_way: bool,
    isolated: bool,
    who: Sequence[ChosenOfSort] = (),
) -> Result:
    """Whether units get down from their vehicles, or mount again, as a movement phase begins (8.71 to 8.74).

    mp: as printed, None where nobody knows; has_road: a road or a bridge in their hex; has_no_way: their vehicles
    find no way, free of enemy ZOC, to a friendly road hex. ``who``: counters, which carry the marker then.
    """
    is_down = change is Dismounting.DOWN
    bars = _bar_down(unit, mp, is_dismounted) if is_down else _bar_up(is_dismounted, terrain, has_road)
    reasons = ["8.71, 8.73: they have moved in this phase already."] if has_moved else []
    reasons += bars
    if not is_down:
        reasons += ["8.73: their vehicles find no way to a friendly road hex."] if has_no_way else []
        reasons += ["8.73: they are isolated."] if isolated else []
    result = allow_or_refuse(change.word, reasons, ("8.71", "8.72") if is_down else ("8.73", "8.74"))
    if reasons:
        return result
    word = DISMOUNTED if is_down else f"{COMES_OFF}{DISMOUNTED}"
    return replace(
        result,
        details={**result.details, "mp": FOOT_MP if is_down else mp},
        effects=tuple(_tell(is_down, unit, mp)),
        changes=tuple(CounterChange(counter.id, word) for counter in who if counter.id),
    )


def _bar_down(unit: UnitKind, mp: int | None, is_dismounted: bool) -> Iterator[str]:
    if unit not in GET_DOWN:
        yield "8.71: only motorized and armoured infantry, engineers and mortars get down."
    elif mp is not None and mp <= MOST_TOWED_MP:
        yield f"8.71: {mp} MP are no motorized unit's."
    if is_dismounted:
        yield "8.71: they are on foot already."


def _bar_up(is_dismounted: bool, terrain: Terrain, has_road: bool) -> Iterator[str]:
    if not is_dismounted:
        yield "8.73: they have not got down."
    if terrain in (Terrain.BALKA, Terrain.CLIFF) and not has_road:
        yield f"8.73: {terrain.word} without a road or bridge."


def _tell(is_down: bool, unit: UnitKind, mp: int | None) -> Iterator[str]:
    if not is_down:
        yield f"They go on with {'their own' if mp is None else mp} MP at once (8.74)."
        return
    yield f"{FOOT_MP} MP, on foot, for all of this phase (8.71, 8.72); to fire they are no vehicles (9.96)."
    if unit is UnitKind.ARMORED:
        yield "Armour that is no infantry or engineers stays mounted (8.71)."
