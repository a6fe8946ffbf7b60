"""The sector map (20.3.4): which sectors share a border, which touch an edge, and how they are drawn."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from firefight.drawing.layout.frame import EAST, WEST, Edges, MapOutlines
from firefight.drawing.layout.polygons import Point, is_simple
from firefight.drawing.layout.soundness import find_drawing_flaws
from firefight.engine.board.board import Board, BoardPlace, Shape
from firefight.engine.charts.kinds import MODESTY, Problem
from firefight.engine.values import Values
from firefight.games.combat_stalingrad.rules.reading import FileReading, within
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.games.combat_stalingrad.rules.stacking import Stacking

from . import evidence
from .reading import read_numbered, read_sectors

# The friendly map edge of each side (20.3.4).
EDGE_NAMES = {Side.GERMAN: WEST, Side.RUSSIAN: EAST}
_MOST_CORNERS = 40  # of one cell of a drawing


@dataclass(frozen=True, slots=True)
class SectorMap:
    """The sectors: neighbours by number, the sectors on each side's edge, and their drawing.

    ``is_drawn``: the file draws it; otherwise the drawing is tiles that show no border. ``stacking``: what one hex
    holds. ``origins``: whose values these are, by part: adjacency, drawing, german and russian (the edges).
    """

    name: str
    neighbours: Mapping[int, tuple[int, ...]]
    edges: Mapping[Side, tuple[int, ...]]
    drawing: MapOutlines
    stacking: Stacking
    origins: Mapping[str, str]
    is_drawn: bool = True


MY_MAP = "my map"  # an owner's answer where an example does not hold on the map of their copy


def read_map(data: object) -> tuple[SectorMap | None, list[Problem]]:
    """Read a map and list every problem; with any problem there is no map.

    Besides the map's own order, what the rulebook's examples force on it is checked (G-1 to G-12); ``confirmed`` lists
    those that its owner has found not to hold. A map need not be drawn.
    """
    sector_map, problems = parse_map(data)
    return (None if problems else sector_map), problems


def parse_map(data: object) -> tuple[SectorMap, list[Problem]]:
    """A map as far as it can be read, and every problem."""
    reading = FileReading("map")
    raw = reading.head(data, "edges", "adjacency", "drawing", "stacking", "confirmed")
    name = reading.text(raw, "name", "", 80)
    adjacency = reading.table(raw.get("adjacency"), "adjacency")
    reading.only(adjacency, "adjacency", ("provenance", "neighbours", "text", "house", "owner"))
    neighbours = _read_neighbours(reading, adjacency.get("neighbours"))
    of_borders = reading.origin(adjacency, "adjacency", names=map(str, neighbours))
    claimed = {of_borders.provenance, *of_borders.others}
    edges = {}
    origins = {"adjacency": next((word for word in MODESTY if word in claimed), of_borders.provenance)}
    tables = reading.table(raw.get("edges"), "edges")
    reading.only(tables, "edges", Side)
    for side in Side:
        edge = reading.table(tables.get(side), within("edges", side))
        reading.only(edge, within("edges", side), ("provenance", "sectors"))
        edges[side] = read_sectors(reading, edge.get("sectors"), within("edges", side), neighbours)
        origins[side] = reading.origin(edge, within("edges", side)).provenance
    is_drawn = "drawing" in raw
    if is_drawn:
        table = reading.table(raw.get("drawing"), "drawing")
        origins["drawing"] = reading.origin(table, "drawing").provenance
        drawing = _read_drawing(reading, table, neighbours)
        for place, flaw in find_drawing_flaws(drawing, neighbours, name_edges(edges)):
            reading.flaw(place, flaw)
    else:
        origins["drawing"] = "house"
        drawing = draw_tiles(neighbours, edges)
    stacking = _read_stacking(reading, raw.get("stacking"))
    confirmed = reading.texts(raw, "confirmed", "")
    for cell, message in evidence.find_doubts(neighbours, edges[Side.RUSSIAN], of_borders.of("11")):
        doubt = Problem("map", cell, message, "" if cell == "sectors" else MY_MAP)
        if not (doubt.odd and doubt.confirmation in confirmed):
            reading.problems.append(doubt)
    return SectorMap(name, neighbours, edges, drawing, stacking, origins, is_drawn), reading.problems


def lay_sectors(sector_map: SectorMap) -> Board:
    """The map as a board of the frame: its sectors by number, as somebody has drawn them."""
    drawing = sector_map.drawing
    return Board(
        tuple(BoardPlace(str(number), drawing.labels[number], outline=cell) for number, cell in drawing.cells.items()),
        Shape.AREAS,
        title="Sector map",
    )


def name_edges(edges: Mapping[Side, Collection[int]]) -> Edges:
    """The sectors on each side's edge, by the side of the frame on which a drawing has them."""
    return {EDGE_NAMES[side]: sectors for side, sectors in edges.items()}


_WIDTH, _HEIGHT, _GAP = 360, 432, 4  # of a map of tiles, and half of what lies between two
_MOST_TILES = 10  # in a column, and columns: a map has at most 99 sectors


def draw_tiles(neighbours: Mapping[int, Collection[int]], edges: Mapping[Side, Collection[int]]) -> MapOutlines:
    """A map that nobody has drawn: a tile for each sector, the further from the west edge the further to the right.

    Tiles touch nothing, so that they say nothing about borders; those on an edge stand in its column, unless there are
    too many columns or too many tiles in one.
    """
    steps = evidence.count_steps(neighbours, edges.get(Side.GERMAN, ()), neighbours)
    last_column = max([1, *steps.values()])
    by_column: dict[int, list[int]] = {}
    for sector in sorted(neighbours):
        is_east = sector in edges.get(Side.RUSSIAN, ()) and steps.get(sector) != 0
        by_column.setdefault(last_column + 1 if is_east else steps.get(sector, last_column), []).append(sector)
    columns = [by_column[column] for column in sorted(by_column)]
    if max([len(columns), *map(len, columns)]) > _MOST_TILES:
        every = [sector for column in columns for sector in column]
        columns = [every[at : at + _MOST_TILES] for at in range(0, len(every), _MOST_TILES)]
    cells: dict[int, tuple[Point, ...]] = {}
    wide = _WIDTH // max(1, len(columns))
    for place, sectors in enumerate(columns):
        high = _HEIGHT // len(sectors)
        for row, sector in enumerate(sectors):
            left, top = place * wide + _GAP, row * high + _GAP
            right, bottom = (place + 1) * wide - _GAP, (row + 1) * high - _GAP
            cells[sector] = ((left, top), (right, top), (right, bottom), (left, bottom))
    labels = {
        sector: ((cell[0][0] + cell[1][0]) // 2, (cell[0][1] + cell[2][1]) // 2) for sector, cell in cells.items()
    }
    return MapOutlines(_WIDTH, _HEIGHT, dict(sorted(cells.items())), dict(sorted(labels.items())))


def _read_stacking(reading: FileReading, raw: object) -> Stacking:
    table = reading.table(raw, "stacking")
    reading.only(table, "stacking", ("provenance", "squads", "vehicles"))
    squads = reading.number(table.get("squads"), "stacking.squads", 1, 20)
    vehicles = reading.number(table.get("vehicles"), "stacking.vehicles", 1, 20)
    return Stacking(squads, vehicles, reading.origin(table, "stacking").provenance)


def _read_neighbours(reading: FileReading, raw: object) -> dict[int, tuple[int, ...]]:
    cell = "adjacency.neighbours"
    table = reading.table(raw, cell)
    entries = read_numbered(table)
    reading.only(table, cell, map(str, entries))
    neighbours = {
        number: read_sectors(reading, entry, f"sector {number}", entries) for number, entry in entries.items()
    }
    for number, listed in neighbours.items():
        if not listed:
            reading.flaw(f"sector {number}", "has no neighbour")
        for other in listed:
            if other == number:
                reading.flaw(f"sector {number}", "cannot be its own neighbour")
            elif number not in neighbours[other]:
                reading.flaw(f"sector {number}", f"names {other} as a neighbour, but {other} does not name {number}")
    return neighbours


def _read_drawing(reading: FileReading, raw: Values, neighbours: Mapping[int, object]) -> MapOutlines:
    """As much of the drawing as can be read: only simple cells with known corners, only labels that are points."""
    reading.only(raw, "drawing", ("provenance", "width", "height", "points", "cells", "labels"))
    width = reading.number(raw.get("width"), "drawing.width", 1, 10_000)
    height = reading.number(raw.get("height"), "drawing.height", 1, 10_000)
    points: dict[str, Point] = {}
    for key, entry in reading.table(raw.get("points"), "drawing.points").items():
        point = _read_point(reading, entry, f"point {key}", width, height)
        if point in points.values():
            reading.flaw(f"point {key}", "lies where another point lies")
        if point:
            points[key] = point
    cells: dict[int, tuple[Point, ...]] = {}
    for number, name, entry in _entries(reading, raw, "cells", neighbours):
        if polygon := _read_cell(reading, entry, name, points):
            cells[number] = polygon
    labels: dict[int, Point] = {}
    for number, name, entry in _entries(reading, raw, "labels", neighbours):
        if label := _read_point(reading, entry, name, width, height):
            labels[number] = label
    return MapOutlines(width, height, cells, labels)


def _entries(
    reading: FileReading, raw: Values, part: str, neighbours: Mapping[int, object]
) -> Iterator[tuple[int, str, object]]:
    """What a part of the drawing holds for each sector: its number, its name in flaws, and the entry."""
    table = reading.table(raw.get(part), f"drawing.{part}")
    entries = {number: entry for number, entry in read_numbered(table).items() if number in neighbours}
    reading.only(table, f"drawing.{part}", map(str, entries))
    for number in neighbours:
        name = f"{part}, sector {number}"
        if number in entries:
            yield number, name, entries[number]
        else:
            reading.flaw(name, "is missing")


def _read_point(reading: FileReading, entry: object, cell: str, width: int, height: int) -> Point | None:
    if not isinstance(entry, list) or len(entry) != 2:
        reading.flaw(cell, "a point is a pair of whole numbers: [right, down]")
        return None
    x = reading.maybe_number(entry[0], cell, 0, width)
    y = reading.maybe_number(entry[1], cell, 0, height)
    return None if x is None or y is None else (x, y)


def _read_cell(reading: FileReading, entry: object, cell: str, points: Mapping[str, Point]) -> tuple[Point, ...]:
    names = [str(name)[:20] for name in reading.rows(entry, cell, _MOST_CORNERS)]
    unknown = [name for name in names if name not in points]
    for name in unknown:
        reading.flaw(cell, f"names an unknown point: {name}")
    polygon = tuple(points[name] for name in names if name in points)
    if not unknown and not is_simple(polygon):
        reading.flaw(cell, "the outline needs three corners or more, and must not cut or touch itself")
    return polygon if is_simple(polygon) else ()
