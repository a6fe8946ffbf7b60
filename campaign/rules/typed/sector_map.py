"""The sector map as a sheet: a row a sector with its borders and its edge, and what one hex holds."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from firefight.drawing.layout.polygons import Point
from firefight.engine.charts.checks import CheckedSheet
from firefight.engine.charts.layouts import Flaw
from firefight.engine.charts.notation import fold_word, read_number
from firefight.engine.charts.records import Column, RecordsLayout, claim_least, write_origins
from firefight.engine.charts.tables import BadSheet, Place, Sheet, add_row, put_texts
from firefight.engine.values import Json, Values
from firefight.games.combat_stalingrad.rules.reading import GAME
from firefight.games.combat_stalingrad.rules.sides import Side

from ..drafting import (
    MOST_DRAGS,
    BadChange,
    MapDraft,
    change_map,
    drag_sectors,
    find_drags,
    follow_borders,
    read_changes,
)
from ..maps import EDGE_NAMES, SectorMap, parse_map
from .part import Cells, conclude, letters_of, origins_in
from .words import parse_sectors, parts_of, read_text, write_list

TITLE = "Sector map"
SIDE_OF = {edge: side for side, edge in EDGE_NAMES.items()}
STACKING = {"squads": "squads in a hex", "vehicles": "vehicles in a hex"}

DRAGGED = "dragged on the drawing"  # a row that a map need not have
_DRAG = re.compile(r"(\d{1,2}) to (\d{1,4})/(\d{1,4})")


def read_drags(text: str) -> dict[int, Point]:
    """Where sectors were dragged to, such as "5 to 120/80, 7 to 40/300". Raises ValueError."""
    drags: dict[int, Point] = {}
    for part in parts_of(text):
        match = _DRAG.fullmatch(part)
        if not match:
            raise ValueError(f"“{part[:20]}” should be written like 5 to 120/80")
        drags[int(match[1])] = (int(match[2]), int(match[3]))
    if len(drags) > MOST_DRAGS:
        raise ValueError(f"at most {MOST_DRAGS} sectors can be dragged")
    return drags


def write_drags(drags: Mapping[int, Point]) -> str:
    """The same as a cell holds it."""
    return write_list([f"{sector} to {x}/{y}" for sector, (x, y) in drags.items()])


def read_edges(text: str) -> list[str]:
    """The map edges that a sector touches: west, east. Raises ValueError."""
    edges = [part.casefold() for part in parts_of(text)]
    for part in edges:
        if part not in SIDE_OF:
            raise ValueError(f"“{part[:12]}” should be west or east")
    return [edge for edge in SIDE_OF if edge in edges]


COLUMNS = (
    Column("sector", "sector", read_text, is_value=False),
    Column("borders on", "borders", parse_sectors, write_list, also=("neighbours", "borders"), hint="2, 6"),
    Column("edge", "edge", read_edges, write_list, also=("map edge",), hint="west is German, east is Russian"),
)
LAYOUT = RecordsLayout(COLUMNS)


def write_map_sheet(raw: Values) -> Sheet:
    """The map of a file as a sheet."""
    adjacency, edges = raw["adjacency"], raw["edges"]
    of_borders = origins_in(adjacency, "house")
    tables = {edge: edges[side.value] for edge, side in SIDE_OF.items()}
    rows: list[tuple[tuple[str, str, str], str]] = []
    for number, neighbours in sorted((int(key), neighbours) for key, neighbours in adjacency["neighbours"].items()):
        touched = [edge for edge, table in tables.items() if number in table["sectors"]]
        letter = claim_least(tables[edge]["provenance"][0] for edge in touched)[0] if touched else "h"
        marks = f".{of_borders.of(str(number))[0]}{letter}"
        rows.append(((str(number), write_list(neighbours), write_list(touched)), marks))
    stacking = raw["stacking"]
    rows += [((title, str(stacking[name]), ""), f".{stacking['provenance'][0]}.") for name, title in STACKING.items()]
    return Sheet(LAYOUT.head, tuple(row for row, _ in rows), tuple(marks for _, marks in rows), LAYOUT.limits)


def check_map(
    sheet: Sheet, confirmed: Iterable[str], fixed: Mapping[str, str], name: str, base: Values
) -> tuple[CheckedSheet, SectorMap]:
    """A sheet as the sector map, and the map as far as it can be read. ``base``: the map that the sheet comes from.

    Its drawing stays while the sheet has the same borders and edges, and follows them otherwise.
    """
    cells = Cells()
    borders: dict[str, list[int]] = {}
    edges: dict[str, list[int]] = {edge: [] for edge in SIDE_OF}
    stacking: Json = {}
    drags: dict[int, Point] = {}
    titles = {fold_word(title): key for key, title in STACKING.items()}
    for row, (title, text, edge) in enumerate(sheet.rows, 1):
        if not (title or text or edge):
            continue
        if fold_word(title) in titles:
            key = titles[fold_word(title)]
            cells.note(f"stacking.{key}", (row, 1), COLUMNS[1], None)
            stacking[key] = _read_cell(cells, (row, 1), read_number, text)
            if stacking[key] is not None:
                cells.places[f"stacking.{key}"] = (row, 1)
                cells.texts[f"stacking.{key}"] = str(stacking[key])
            continue
        if fold_word(title) == fold_word(DRAGGED):
            drags = _read_cell(cells, (row, 1), read_drags, text) or {}
            cells.spots["drags"] = (row, 1)
            continue
        sector = title.casefold().removeprefix("sector").strip().lstrip("0")
        if not sector.isascii() or not sector.isdigit() or len(sector) > 2 or sector in borders:
            cells.flaw((row, 0), "stands here twice" if sector in borders else "should be the number of a sector")
            continue
        borders[sector] = _read_cell(cells, (row, 1), parse_sectors, text) or []
        cells.note(f"{sector}.borders", (row, 1), COLUMNS[1], borders[sector])
        cells.spots[f"sector {sector}"] = cells.spots["adjacency.neighbours"] = (row, 1)
        for touched in _read_cell(cells, (row, 2), read_edges, edge) or []:
            edges[touched].append(int(sector))
            cells.note(f"{sector}.edge", (row, 2), COLUMNS[2], read_edges(edge))
    if missing := [sector for sector in drags if str(sector) not in borders]:
        cells.flaws.append(Flaw(cells.spots["drags"], "", f"the map has no sector {missing[0]}"))
    letters, broken = letters_of(sheet, cells, fixed)
    raw = _write_map(name, borders, edges, stacking, letters, base)
    if drags and not missing and "drawing" in raw:
        raw["drawing"] = drag_sectors(raw, drags)
    confirmations = set(confirmed)
    if confirmations:
        raw["confirmed"] = sorted(confirmations)
    sector_map, problems = parse_map({**raw, "confirmed": []})
    return conclude(TITLE, sheet, cells, letters, broken, raw, problems, confirmations), sector_map


def _read_cell(cells: Cells, place: Place, read: Any, text: str) -> Any:
    try:
        return read(text) if text else None
    except ValueError as error:
        cells.flaws.append(Flaw(place, "", str(error)))
        return None


def _write_map(
    name: str,
    borders: Mapping[str, list[int]],
    edges: Mapping[str, list[int]],
    stacking: Values,
    letters: Mapping[str, str],
    base: Values,
) -> dict[str, object]:
    """The map as its file holds it."""
    origin_letters = {sector: letters.get(f"{sector}.borders", "o") for sector in borders}
    written: Json = {
        "game": GAME,
        "name": name,
        "stacking": {"provenance": claim_least(letters.get(f"stacking.{key}", "o") for key in STACKING), **stacking},
        "edges": {},
        "adjacency": {**write_origins(origin_letters), "neighbours": dict(borders)},
    }
    for edge, side in SIDE_OF.items():
        sectors = sorted(edges[edge])
        before = base["edges"][side.value]
        provenance = claim_least(letters.get(f"{sector}.edge", "o") for sector in sectors)
        if provenance == "text" and sectors != sorted(before["sectors"]):
            provenance = "owner"
        written["edges"][side.value] = {"provenance": provenance, "sectors": sectors}
    if "drawing" in base and _shape_of(written) == _shape_of(base):
        written["drawing"] = base["drawing"]
    elif drawing := follow_borders(written, base.get("drawing")):
        written["drawing"] = drawing
    return written


def _shape_of(raw: Values) -> object:
    """What the drawing of a map shows: borders and edges."""
    neighbours = {str(sector): sorted(bordering) for sector, bordering in raw["adjacency"]["neighbours"].items()}
    return neighbours, [sorted(raw["edges"][side.value]["sectors"]) for side in Side]


def turn_border(sheet: Sheet, first: int, second: int) -> Sheet:
    """The sheet with a border between two sectors made, or broken where there is one. Raises BadSheet."""
    rows = {row[0].strip(): number for number, row in enumerate(sheet.rows, 1)}
    if first == second or not {str(first), str(second)} <= set(rows):
        raise BadSheet("Choose two different sectors of the map.")
    try:
        borders = {sector: set(parse_sectors(sheet.at((rows[str(sector)], 1)))) for sector in (first, second)}
    except ValueError as error:
        raise BadSheet(f"Mend that first: {error}.") from None
    is_border = second in borders[first] or first in borders[second]
    texts = {}
    for sector, neighbour in ((first, second), (second, first)):
        borders[sector] = borders[sector] - {neighbour} if is_border else borders[sector] | {neighbour}
        texts[rows[str(sector)], 1] = write_list(sorted(borders[sector]))
    return put_texts(sheet, texts)


def take_over(sheet: Sheet, sector_map: SectorMap, changes: str) -> Sheet:
    """The sheet with borders, edges and dragged sectors as changes of a drawing (rules/drafting.py) leave them.

    ``sector_map``: what the sheet says now. Raises BadSheet.
    """
    try:
        change_words = read_changes(changes)
        draft = change_map(MapDraft.of_map(sector_map), change_words)
    except BadChange as error:
        raise BadSheet(str(error)) from None
    rows = {row[0].strip(): number for number, row in enumerate(sheet.rows, 1)}
    texts: dict[Place, str] = {}
    for sector, neighbours in draft.neighbours.items():
        touched = [edge for edge, side in SIDE_OF.items() if sector in draft.edges[side]]
        row = rows.get(str(sector))
        if row is not None:
            texts |= {(row, 1): write_list(sorted(neighbours)), (row, 2): write_list(touched)}
    sheet = put_texts(sheet, {place: text for place, text in texts.items() if sheet.at(place) != text})
    return _note_drags(sheet, find_drags(change_words))


def _note_drags(sheet: Sheet, drags: Mapping[int, Point]) -> Sheet:
    """The sheet with more sectors dragged, noted in a row of its own. Raises BadSheet."""
    if not drags:
        return sheet
    row = next((n for n, (title, *_) in enumerate(sheet.rows, 1) if fold_word(title) == fold_word(DRAGGED)), 0)
    if not row:
        sheet = add_row(sheet, row := len(sheet.rows))
        row += 1
    try:
        before = read_drags(sheet.at((row, 1)))
    except ValueError as error:
        raise BadSheet(f"Mend that first: {error}.") from None
    all_drags = {sector: place for sector, place in before.items() if sector not in drags} | dict(drags)
    text = write_drags(dict(list(all_drags.items())[-MOST_DRAGS:]))
    return put_texts(sheet, {(row, 0): DRAGGED, (row, 1): text})
