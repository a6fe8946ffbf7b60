"""Fanatic Resistance Nests: where they may be and when they end (20.9.2, 20.9.3)."""

import re
from collections.abc import Collection, Iterable

from firefight.engine.text import count_of
from firefight.games.combat_stalingrad.rules.marks import Mark
from firefight.games.combat_stalingrad.rules.objections import Objection
from firefight.games.combat_stalingrad.rules.sides import Side

from .sectors import Control, Holding

MOST_HEXES = 4
_HEX = re.compile(r"[A-Z]{1,2}\d{1,2}", re.ASCII)


def against_building(hexes: int) -> Objection | None:
    """What speaks against a building of this many hexes (20.9.2)."""
    if 1 <= hexes <= MOST_HEXES:
        return None
    return Objection(f"A nest is one building of 1 to {MOST_HEXES} hexes, not of {hexes}.", "20.9.2")


def against_unnamed_building(building: str, sectors: Iterable[int | None]) -> Objection | None:
    """What speaks against a set-up with a nest: one that stands on the map is in a building with a name (20.9.2).

    ``sectors``: where its counters are, None off the map.
    """
    if building or not any(sectors):
        return None
    return Objection("Name the building of the Fanatic Resistance Nest first.", "20.9.2")


def list_hexes(text: str) -> list[str]:
    """The hexes that a text names, each once; none if it says anything else.

    >>> list_hexes("k7, K8 k7"), list_hexes("Schoolhouse K7")
    (['K7', 'K8'], [])
    """
    parts = [part for part in re.split(r"[\s,;+]+", text.upper()) if part]
    return list(dict.fromkeys(parts)) if all(map(_HEX.fullmatch, parts)) else []


def write_building(name: str, hexes: int) -> str:
    """A building as a nest's record has it."""
    return f"{name} ({count_of(hexes, 'hex', 'hexes')})"


def is_held(commissars: Iterable[Collection[str]]) -> bool:
    """Whether a side's nests may hold out: while one of its Commissars in play is not Disrupted (20.9.3).

    WIA counts as Disrupted (18.2.5). ``commissars``: the marks of each.
    """
    return any({Mark.DISRUPTED, Mark.WIA}.isdisjoint(marks) for marks in commissars)


def may_stay(side: Side, sectors: Iterable[int], control: Control, commissars: Iterable[Collection[str]]) -> bool:
    """Whether a nest stays: only in sectors of its side, while a Commissar may hold it (20.7.1 step 6, 20.9.3).

    ``sectors``: where its counters are; ``commissars``: the marks of each.
    """
    return is_held(commissars) and all(control[sector] is Holding(side) for sector in sectors)
