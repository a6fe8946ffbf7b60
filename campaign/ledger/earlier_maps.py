"""The maps of earlier chapters as plain values: what a file carries of each chapter, and a match made of it keeps.

A snapshot holds all of a match, to branch off from. Of an earlier chapter a file carries no more than its map shows:
who holds what, which units stand where, the ground. ``known_maps`` leaves out what a side must not know of it, and
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
    """The map at one moment. ``groups``: their IDs on the roster; ``ground``: rows of the record."""

    held: str = ""
    turn: int = 1
    ground: Rows = field(default_factory=dict)
    units: Mapping[str, Rows] = field(default_factory=_make_no_rows)
    groups: Mapping[str, Rows] = field(default_factory=_make_no_rows)


Maps = Mapping[int, PlainMap]  # by the number of the line that the chapter begins after


# Out of a match


def gather_maps(match: Match, chapters: Iterable[Snapshot], pinned: str) -> dict[int, PlainMap]:
    """The maps of these chapters, both sides' secrets among them: of its own, and of those that came with a file.

    ``pinned``: the content that a file of the match holds. What was played with other content is left out.
    """
    came, found = read_stored_maps(match), {}
    for chapter in chapters:
        ledger = chapter.state and chapter.state.get("ledger")
        if chapter.state and ledger and ledger.get("content", pinned) == pinned:
            found[chapter.number] = _read_chapter(chapter.state["state"], ledger)
        elif chapter.number in came:
            found[chapter.number] = came[chapter.number]
    return found


def _read_chapter(state: Values, ledger: Values) -> PlainMap:
    rows = ledger["rows"]
    return PlainMap(
        held=ledger["held"],
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
    """The maps as somebody who may see these sides' secrets knew them then, as ``Ledger.known`` has it."""
    record = registry.games()[match.game].record
    return {
        number: replace(
            each,
            ground=record.strip({"ground": each.ground}, sees)["ground"] if each.ground else {},
            units={side: rows if side in sees else know_plain_units(rows) for side, rows in each.units.items()},
        )
        for number, each in maps.items()
    }


# From one chapter to the next


def write_maps(maps: Maps) -> list[Json]:
    """Each map as changes to the one before, the first one in full; of a table its new rows, null for one that goes."""
    before, found = PlainMap(), []
    for number, now in maps.items():
        change: Json = {"number": number, "held": now.held, "turn": now.turn}
        if ground := _find_changes(before.ground, now.ground):
            change["ground"] = ground
        for name in ("units", "groups"):
            rows_before, rows_now = getattr(before, name), getattr(now, name)
            sides = {side: rows for side in rows_now if (rows := _find_changes(rows_before[side], rows_now[side]))}
            if sides:
                change[name] = sides
        found.append(change)
        before = now
    return found


def _find_changes(before: Rows, now: Rows) -> dict[str, object]:
    changed = {name: row for name, row in now.items() if before.get(name) != row}
    return changed | {name: None for name in before if name not in now}


def read_maps(changes: Iterable[Values]) -> dict[int, PlainMap]:
    """The maps out of what ``write_maps`` has made of them."""
    before, found = PlainMap(), {}
    for change in changes:
        units, groups = change.get("units", {}), change.get("groups", {})
        before = PlainMap(
            held=change["held"],
            turn=change["turn"],
            ground=_apply_changes(before.ground, change.get("ground", {})),
            units={side: _apply_changes(before.units[side], units.get(side, {})) for side in before.units},
            groups={side: _apply_changes(before.groups[side], groups.get(side, {})) for side in before.groups},
        )
        found[change["number"]] = before
    return found


def _apply_changes(before: Rows, changes: Rows) -> Rows:
    if not changes:
        return before
    return {name: row for name, row in {**before, **changes}.items() if row is not None}


# In a match that was made of a file


def store_maps(campaign: Campaign, changes: Sequence[Values]) -> None:
    """Keep the maps that came with a file, as they stand in it. One insert."""
    EarlierMap.objects.bulk_create(
        EarlierMap(campaign=campaign, number=change["number"], change=change) for change in changes
    )


def read_stored_maps(match: Match) -> dict[int, PlainMap]:
    """The maps that came with the file a match was made of. One query."""
    rows = EarlierMap.objects.filter(campaign=match.pk).order_by("number")
    return read_maps(rows.values_list("change", flat=True))


def ledger_of_map(match: Match, plain: PlainMap, content: Content, digest: str) -> Ledger:
    """A map as the ledger that it is drawn from: what it does not show is not there."""
    then = copy(match)
    then.state = replace(match.state, turn=plain.turn, record={"ground": plain.ground})
    rows = {
        side: {
            "groups": [{"rg": rg} for rg in plain.groups[side].values()],
            "units": list(plain.units[side].values()),
            "seals": [],
            "lines": [],
        }
        for side in Side
    }
    return build_ledger(then, {"stage": Stage.FIREFIGHT.value, "held": plain.held, "rows": rows}, content, digest)
