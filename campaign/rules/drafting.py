"""A sector map as somebody changes it: borders made and broken, edges touched, sectors dragged; the drawing follows.

Plain values of a map come in (the shape of campaign/data/map.toml) and go out again. Changes are short words in a
row, so that an address can hold them: "5-13" makes or breaks a border, "7-w" and "7-e" let a sector touch the west or
the east edge or not, "5~120~80" drags a sector's number there, "anew" lays the whole map out from scratch.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from firefight.drawing.layout.frame import EDGES, MapOutlines
from firefight.drawing.layout.laying_out import CannotDraw, lay_out_map, move_sector
from firefight.drawing.layout.polygons import Point
from firefight.engine.values import Json, Values
from firefight.games.combat_stalingrad.rules.sides import Side

from . import evidence
from .maps import EDGE_NAMES, SectorMap, name_edges, read_map

MOST_CHANGES, MOST_DRAGS = 60, 16
ANEW = "anew"
_CHANGE = re.compile(r"(\d{1,2})-(\d{1,2}|[we])|(\d{1,2})~(\d{1,4})~(\d{1,4})|anew")
_SIDES = {"w": Side.GERMAN, "e": Side.RUSSIAN}


class BadChange(ValueError):
    """A change that cannot be read, or of a sector that does not exist; the message says what would be right."""


@dataclass(frozen=True, slots=True)
class MapDraft:
    """The borders and edges of a map with the drawing that shows them.

    ``troubles``: why the drawing is older than the borders; none if it is not. ``message``: what the last change did.
    ``is_drawn``: whether the drawing is one; else it is tiles.
    """

    neighbours: Mapping[int, frozenset[int]]
    edges: Mapping[Side, frozenset[int]]
    drawing: MapOutlines
    troubles: tuple[str, ...] = ()
    message: str = ""
    is_drawn: bool = True

    @classmethod
    def of_map(cls, sector_map: SectorMap) -> "MapDraft":
        """A map as it stands."""
        listed = sector_map.neighbours
        # A border that only one of its sectors names, since somebody is still typing, counts.
        bordering = {
            number: {*listed[number], *(other for other in listed if number in listed[other])} for number in listed
        }
        neighbours = {number: frozenset(bordering[number] & set(listed) - {number}) for number in listed}
        edges = {side: frozenset(sector_map.edges.get(side, ())) for side in Side}
        draft = cls(neighbours, edges, sector_map.drawing, is_drawn=sector_map.is_drawn)
        return draft if draft.is_drawn else _draw(draft)

    def has_border(self, first: int, second: int) -> bool:
        """Whether two sectors share a border."""
        return second in self.neighbours[first]

    def doubts(self, provenance: str = "house") -> list[tuple[str, str]]:
        """The worked examples of the rulebook that do not hold on it, G-1 to G-12, each with what it says."""
        return list(evidence.find_doubts(self.neighbours, self.edges[Side.RUSSIAN], provenance))


def read_changes(text: str) -> list[str]:
    """The changes of an address. Raises BadChange."""
    changes = [word for word in text.split(".") if word]
    if len(changes) > MOST_CHANGES:
        raise BadChange(f"At most {MOST_CHANGES} changes at once: take the map over, then go on.")
    for word in changes:
        if not _CHANGE.fullmatch(word):
            raise BadChange("That address does not say what to change on the map.")
    return changes


def change_map(draft: MapDraft, changes: Sequence[str]) -> MapDraft:
    """A draft after some changes. Raises BadChange.

    It is drawn once, from its final borders: one that was made and broken again leaves no trace. Then sectors are
    dragged, each to where it was dragged last. Where the last border makes a drawing impossible, the one before it
    is shown.
    """
    after, before = draft, draft
    for change in changes:
        match = _CHANGE.fullmatch(change)
        if not match:
            raise BadChange("That is not a change of a map.")
        first, second, *_ = match.groups()
        if first:
            before, sector = after, _find_sector(draft, first)
            side = _SIDES.get(second)
            after = (
                _toggle_edge(after, sector, side)
                if side
                else _toggle_border(after, sector, _find_sector(draft, second))
            )
    new_draft = _draw(after, is_anew=ANEW in changes)
    if new_draft.troubles:
        earlier = _draw(before)
        return replace(new_draft, drawing=earlier.drawing, is_drawn=earlier.is_drawn)
    for sector, place in find_drags(changes).items():
        new_draft = _drag(new_draft, _find_sector(draft, str(sector)), place)
    words = {ANEW: "The map is laid out anew."}.get(changes[-1], "") if changes else ""
    is_drag = bool(changes) and "~" in changes[-1]
    return replace(new_draft, message=new_draft.message if is_drag else words or after.message)


def find_drags(changes: Sequence[str]) -> dict[int, Point]:
    """Where changes drag sectors to, each to where it was dragged last."""
    drags: dict[int, Point] = {}
    for change in changes:
        if (match := _CHANGE.fullmatch(change)) and match[3]:
            drags.pop(int(match[3]), None)
            drags[int(match[3])] = (int(match[4]), int(match[5]))
    return dict(list(drags.items())[-MOST_DRAGS:])


def _find_sector(draft: MapDraft, word: str) -> int:
    if int(word) not in draft.neighbours:
        raise BadChange(f"The map has no sector {word}.")
    return int(word)


def _toggle_border(draft: MapDraft, first: int, second: int) -> MapDraft:
    if first == second:
        raise BadChange("A border lies between two different sectors.")
    neighbours = dict(draft.neighbours)
    for sector, neighbour in ((first, second), (second, first)):
        neighbours[sector] = neighbours[sector] ^ {neighbour}
    words = "share no border any more" if draft.has_border(first, second) else "share a border now"
    return replace(draft, neighbours=neighbours, message=f"{first} and {second} {words}.")


def _toggle_edge(draft: MapDraft, sector: int, side: Side) -> MapDraft:
    edges = {**draft.edges, side: draft.edges[side] ^ {sector}}
    words = "touches" if sector in edges[side] else "does not touch"
    return replace(draft, edges=edges, message=f"{sector} {words} the {EDGE_NAMES[side]} edge now.")


def _drag(draft: MapDraft, sector: int, place: Point) -> MapDraft:
    drawing = move_sector(draft.drawing, draft.neighbours, name_edges(draft.edges), sector, place)
    words = "has moved" if drawing != draft.drawing else "cannot go there: a border would be lost"
    return replace(draft, drawing=drawing, message=f"Sector {sector} {words}.")


def _draw(draft: MapDraft, is_anew: bool = False) -> MapDraft:
    """The draft with a drawing of its borders; where there is none, with the old one and the reasons."""
    before = _Outlines.of_drawing(draft.drawing) if draft.is_drawn and not is_anew else None
    borders = tuple((number, tuple(sorted(neighbours))) for number, neighbours in sorted(draft.neighbours.items()))
    drawing, troubles = _lay_out(borders, tuple(tuple(sorted(draft.edges[side])) for side in Side), before)
    if drawing is None:
        return replace(draft, troubles=troubles)
    return replace(draft, drawing=drawing, troubles=(), is_drawn=True)


# Plain values


def write_map(data: Values, draft: MapDraft) -> dict[str, object]:
    """The plain values of a map with what a draft has changed; what was changed is its owner's."""
    old_map, _ = read_map(data)
    before = MapDraft.of_map(old_map) if old_map else None
    neighbours = {str(number): sorted(bordering) for number, bordering in sorted(draft.neighbours.items())}
    changed = {**data, "edges": dict(data.get("edges", {}))}
    if before is None or before.neighbours != draft.neighbours:
        changed["adjacency"] = {"provenance": "owner", "neighbours": neighbours}
    for side in Side:
        if before is None or before.edges[side] != draft.edges[side]:
            changed["edges"][side.value] = {"provenance": "owner", "sectors": sorted(draft.edges[side])}
    if before is None or before.drawing != draft.drawing:
        changed["drawing"] = {"provenance": "house", **write_drawing(draft.drawing)}
    return changed


def follow_borders(data: Mapping[str, object], before: Values | None) -> dict[str, object] | None:
    """The drawing, as a file has it, of plain borders and edges; None if there is none.

    ``before``: the drawing of a sound map; what need not change is kept.
    """
    drawing, _ = _follow(data, before)
    return {"provenance": "house", **write_drawing(drawing)} if drawing else None


def tell_why_undrawn(data: Mapping[str, object], before: Values | None) -> tuple[str, ...]:
    """Why there is no drawing of them, in sentences."""
    return _follow(data, before)[1]


def _follow(data: Values, before: Values | None) -> "_Drawn":
    borders = tuple(
        (int(n), tuple(sorted(neighbours))) for n, neighbours in sorted(data["adjacency"]["neighbours"].items())
    )
    edges = tuple(tuple(sorted(data["edges"][side.value]["sectors"])) for side in Side)
    return _lay_out(borders, edges, _read_drawing(before) if before else None)


_Drawn = tuple[MapOutlines | None, tuple[str, ...]]


@lru_cache(maxsize=64)
def _lay_out(
    borders: tuple[tuple[int, tuple[int, ...]], ...], edges: tuple[tuple[int, ...], ...], before: "_Outlines | None"
) -> _Drawn:
    """The drawing, or why there is none. Cached, so that it is worked out once while somebody types or taps."""
    try:
        edges_of = dict(zip(EDGES, edges, strict=True))
        return lay_out_map(dict(borders), edges_of, before.drawing if before else None), ()
    except CannotDraw as error:
        return None, error.list_reasons()


def drag_sectors(data: Values, drags: Mapping[int, Point]) -> Json:
    """The drawing of plain values of a map with sectors dragged, as far as no border is lost."""
    borders = tuple(
        (int(n), frozenset(neighbours)) for n, neighbours in sorted(data["adjacency"]["neighbours"].items())
    )
    edges = tuple(frozenset(data["edges"][side.value]["sectors"]) for side in Side)
    drawing = _drag_all(borders, edges, _read_drawing(data["drawing"]), tuple(drags.items()))
    return {**data["drawing"], **write_drawing(drawing)}


@lru_cache(maxsize=64)
def _drag_all(
    borders: tuple[tuple[int, frozenset[int]], ...],
    edges: tuple[frozenset[int], ...],
    before: "_Outlines",
    drags: tuple[tuple[int, Point], ...],
) -> MapOutlines:
    """Sectors dragged; cached, so that it is done once while somebody types."""
    draft = MapDraft(dict(borders), dict(zip(Side, edges, strict=True)), before.drawing)
    for sector, place in drags:
        draft = _drag(draft, sector, place)
    return draft.drawing


@dataclass(frozen=True, slots=True)
class _Outlines:
    """A drawing that can be hashed, as a key of the caches."""

    width: int
    height: int
    cells: tuple[tuple[int, tuple[Point, ...]], ...]
    labels: tuple[tuple[int, Point], ...]

    @classmethod
    def of_drawing(cls, drawing: MapOutlines) -> "_Outlines":
        """The same for a drawing."""
        return cls(drawing.width, drawing.height, tuple(drawing.cells.items()), tuple(drawing.labels.items()))

    @property
    def drawing(self) -> MapOutlines:
        """The drawing itself."""
        return MapOutlines(self.width, self.height, dict(self.cells), dict(self.labels))


def _read_drawing(raw: Values) -> _Outlines:
    points: dict[str, Point] = {name: (x, y) for name, (x, y) in raw["points"].items()}
    cells = ((int(number), tuple(points[name] for name in names)) for number, names in raw["cells"].items())
    labels: list[tuple[int, Point]] = [(int(number), (x, y)) for number, (x, y) in raw["labels"].items()]
    return _Outlines(raw["width"], raw["height"], tuple(cells), tuple(labels))


def write_drawing(drawing: MapOutlines) -> Json:
    """A drawing as a map's file holds it: its corners by name, from north to south."""
    corners = sorted(
        {point for cell in drawing.cells.values() for point in cell}, key=lambda point: (point[1], point[0])
    )
    names = {point: f"p{number:0{len(str(len(corners)))}}" for number, point in enumerate(corners, 1)}
    return {
        "width": drawing.width,
        "height": drawing.height,
        "points": {name: list(point) for point, name in names.items()},
        "cells": {str(number): [names[point] for point in cell] for number, cell in sorted(drawing.cells.items())},
        "labels": {str(number): list(label) for number, label in sorted(drawing.labels.items())},
    }
