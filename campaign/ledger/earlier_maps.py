"""The maps of earlier chapters as plain values: what a file carries of each chapter, and a match made from it keeps.

A snapshot holds a whole match, to branch off from. Of an earlier chapter a file carries only what its map shows: who
holds what, which units stand where, the ground. ``known_maps`` leaves out what a side must not know, and
``write_maps`` turns maps into what changes from each chapter to the next.
"""

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import Any

from campaign.models import Campaign, EarlierMap
from campaign.rules.content import Content
from campaign.rules.stages import Stage
from firefight.engine.values import Json, Values
from firefight.games import registry
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import Match, Snapshot

from .hiding import know_plain_units
from .ledger import Ledger
from .rows import build_ledger

OF_UNIT = ("counter", "group", "sector", "hidden", "marks", "fate")  # what a map shows of a unit
Rows = Values  # by number, or by the id of a hex


def _make_no_rows() -> dict[str, Rows]:
    return {side.value: {} for side in Side}


@dataclass(frozen=True, slots=True)
class PlainMap:
    """The map at one moment. ``control``: a letter a sector; ``groups``: their IDs; ``ground``: from the record."""

    control: str = ""
    turn: int = 1
    ground: Rows = field(default_factory=dict)
    units: Mapping[str, Rows] = field(default_factory=_make_no_rows)
    groups: Mapping[str, Rows] = field(default_factory=_make_no_rows)


Maps = Mapping[int, PlainMap]  # by the number of the line that the chapter begins after


# Out of a match


def gather_maps(match: Match, chapters: Iterable[Snapshot], pinned: str) -> dict[int, PlainMap]:
    """The maps of these chapters, with both sides' secrets: the match's own, and those that came with a file.

    ``pinned``: the content that a file of the match holds. Chapters played with other content are left out.
    """
    earlier, maps = read_stored_maps(match), {}
    for chapter in chapters:
        ledger = chapter.state and chapter.state.get("ledger")
        if chapter.state and ledger and ledger.get("content", pinned) == pinned:
            maps[chapter.number] = _read_chapter(chapter.state["state"], ledger)
        elif chapter.number in earlier:
            maps[chapter.number] = earlier[chapter.number]
    return maps


def _read_chapter(state: Values, ledger: Values) -> PlainMap:
    rows = ledger["rows"]
    return PlainMap(
        control=ledger["held"],
        turn=state.get("turn", 1),
        ground=state.get("record", {}).get("ground", {}),
        units={side: _by_number(_keep_shown(row) for row in rows[side]["units"]) for side in Side},
        groups={side: _by_number(row["rg"] for row in rows[side]["groups"]) for side in Side},
    )


def _keep_shown(row: Values) -> Json:
    return {name: row[name] for name in OF_UNIT if name in row}


def _by_number(rows: Iterable[Any]) -> Json:
    return {str(number): row for number, row in enumerate(rows, 1)}


def known_maps(match: Match, maps: Maps, sees: tuple[str, ...]) -> dict[int, PlainMap]:
    """The maps as somebody who may see these sides' secrets knew them then, as in ``Ledger.known``."""
    record = registry.games()[match.game].record
    return {
        number: replace(
            plain_map,
            ground=record.strip({"ground": plain_map.ground}, sees)["ground"] if plain_map.ground else {},
            units={side: rows if side in sees else know_plain_units(rows) for side, rows in plain_map.units.items()},
        )
        for number, plain_map in maps.items()
    }


# From one chapter to the next


def write_maps(maps: Maps) -> list[Json]:
    """Each map as changes to the one before, the first in full; of a table its new rows, null for one that is gone."""
    before, changes = PlainMap(), []
    for number, after in maps.items():
        change: Json = {"number": number, "held": after.control, "turn": after.turn}
        if ground := _find_changes(before.ground, after.ground):
            change["ground"] = ground
        for name in ("units", "groups"):
            rows_before, rows_now = getattr(before, name), getattr(after, name)
            sides = {side: rows for side in rows_now if (rows := _find_changes(rows_before[side], rows_now[side]))}
            if sides:
                change[name] = sides
        changes.append(change)
        before = after
    return changes


def _find_changes(before: Rows, after: Rows) -> dict[str, object]:
    changed = {name: row for name, row in after.items() if before.get(name) != row}
    return changed | {name: None for name in before if name not in after}


def read_maps(changes: Iterable[Values]) -> dict[int, PlainMap]:
    """The maps from what ``write_maps`` made of them."""
    before, maps = PlainMap(), {}
    for change in changes:
        units, groups = change.get("units", {}), change.get("groups", {})
        before = PlainMap(
            control=change["held"],
            turn=change["turn"],
            ground=_apply_changes(before.ground, change.get("ground", {})),
            units={side: _apply_changes(before.units[side], units.get(side, {})) for side in before.units},
            groups={side: _apply_changes(before.groups[side], groups.get(side, {})) for side in before.groups},
        )
        maps[change["number"]] = before
    return maps


def _apply_changes(before: Rows, changes: Rows) -> Rows:
    if not changes:
        return before
    return {name: row for name, row in {**before, **changes}.items() if row is not None}


# In a match that was made from a file


def store_maps(campaign: Campaign, changes: Sequence[Values]) -> None:
    """Keep the maps that came with a file, as they stand in it. One insert."""
    EarlierMap.objects.bulk_create(
        EarlierMap(campaign=campaign, number=change["number"], change=change) for change in changes
    )


def read_stored_maps(match: Match) -> dict[int, PlainMap]:
    """The maps that came with the file that a match was made from. One query."""
    rows = EarlierMap.objects.filter(campaign=match.pk).order_by("number")
    return read_maps(rows.values_list("change", flat=True))


def ledger_of_map(match: Match, plain: PlainMap, content: Content, digest: str) -> Ledger:
    """A map as the ledger that it is drawn from; what it does not show is missing."""
    match_then = copy(match)
    match_then.state = replace(match.state, turn=plain.turn, record={"ground": plain.ground})
    rows = {
        side: {
            "groups": [{"rg": rg} for rg in plain.groups[side].values()],
            "units": list(plain.units[side].values()),
            "seals": [],
            "lines": [],
        }
        for side in Side
    }
    return build_ledger(
        match_then, {"stage": Stage.FIREFIGHT.value, "held": plain.control, "rows": rows}, content, digest
    )
