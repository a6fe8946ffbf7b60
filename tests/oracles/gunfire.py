"""Firepower of counters by range, the slow and obvious way: from the file alone, hex by hex, sharing no code.

What the text says is written down again here: the DShK 38's line of errata 2, the 1-2 side of errata 1, the MG of
4 to 8 hexes of 23.2, halves rounded down of 18.2.3.
"""

import tomllib
from pathlib import Path

FILE = Path(__file__).resolve().parents[2] / "firefight/games/combat_stalingrad/data/counters.toml"
SIDES = ("german", "russian")
GALLERY = {side: tomllib.loads(FILE.read_text(encoding="utf-8"))[side] for side in SIDES}
FURTHEST = 40
DSHK = (8, 7, 7, 7, 7, 7, 7, 7, 6, 6, 5, 5, 4, 4, 3, 3)  # errata 2, at 1 to 16 hexes
SILENT = {"disrupted", "wia", "close_combat", "f_killed", "exited"}
NO_UNITS = {"aircraft", "fortification", "marker"}


def table_of(bands):
    """FF at 1 to 40 hexes."""
    by_range = {}
    for hexes, ff in (bands or {}).items():
        low, _, high = hexes.partition("-")
        for distance in range(int(low), int(high or low) + 1):
            assert distance not in by_range
            by_range[distance] = ff
    return [by_range.get(distance, 0) for distance in range(1, FURTHEST + 1)]


def own_ff(side, key, state, hexes):
    """Its FF without MGs that fire apart."""
    line = GALLERY[side][key]
    if "move_side" in state:
        full = 2 if hexes == 1 else 1 if hexes == 2 else 0
    else:
        bands = line.get("half_fire") if line["kind"] == "squad" and "reduced" in state else line.get("fire")
        full = table_of(bands)[hexes - 1]
    return full // 2 if "pinned" in state else full


def mg_ff(side, key, state, hexes):
    """The FF of its MGs that fire apart."""
    line = GALLERY[side][key]
    has_none = "reduced" in state or "move_side" in state
    full = 4 * line.get("mgs", 0) if hexes <= 8 and not has_none else 0
    return full // 2 if "pinned" in state else full


def sum_of(stack, hexes):
    """What a stack of (side, key, state) fires with: own FF, or else MGs; None if one of them cannot fire."""
    total = 0
    for side, key, state in stack:
        rested = set(state) - {"pinned"}
        reach = own_ff(side, key, rested, hexes) or mg_ff(side, key, rested, hexes)
        if SILENT & set(state) or GALLERY[side][key]["kind"] in NO_UNITS or not reach:
            return None
        total += own_ff(side, key, state, hexes) or mg_ff(side, key, state, hexes)
    return total
