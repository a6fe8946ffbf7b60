"""The page on which a sector map is changed: the drawing with its links, what was done, what no longer holds."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from campaign.pictures.figures import map_parts
from campaign.pictures.paints import MAP
from campaign.rules.drafting import ANEW, MOST_CHANGES, MapDraft, change_map
from campaign.rules.maps import EDGE_NAMES, SectorMap
from campaign.rules.sectors import Holding, LineToEdge
from firefight.drawing import svg
from firefight.drawing.layout.frame import MapOutlines, list_borders
from firefight.engine.text import join_numbers
from firefight.games.combat_stalingrad.rules.sides import Side

ZOOMS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48)  # as static/css/campaign.css has them
_ALWAYS, _NARROW, _LEAST = 3, 360, 40  # a page goes on to there; pixels of a phone, and of a sector to be tapped
_LETTER = {Side.GERMAN: "w", Side.RUSSIAN: "e"}
_STRIP = 22  # wide, for the edges beside the picture
_STEP = 12  # of a sector that is moved by a button, by the width of the map in steps of which there are 360


@dataclass(frozen=True, slots=True)
class DraftSpot:
    """A sector of the draft, as the drawing shows it (see pictures.Sector): edges by pattern, changes marked."""

    number: int
    holding: Holding
    sentence: str
    href: str
    chosen: bool
    changed: bool
    borders: str
    mark: str = ""
    line: LineToEdge | None = None


@dataclass(frozen=True, slots=True)
class DraftPicture:
    """The drawing of a draft: the markup around the sectors, of each with its row, and above them all."""

    width: float
    height: float
    around: SafeString
    cells: list[tuple[DraftSpot, SafeString]]
    outlines: SafeString


def present_draft(
    base: SectorMap, changes: Sequence[str], chosen: int | None, zoom: int = 1, problem: str = ""
) -> dict[str, object]:
    """The page. ``changes``: what was done to ``base`` so far; ``chosen``: the sector that was tapped first."""
    before = MapDraft.of_map(base)
    draft = change_map(before, changes)
    chosen = chosen if chosen in draft.neighbours else None
    here = _Address(tuple(changes), zoom)
    spots = list(_list_spots(draft, before, chosen, here))
    offered = list_zooms(draft.drawing)
    picture = _draw_draft(draft.drawing, spots)
    return {
        "draft": draft,
        "map": base,
        "picture": picture,
        "view_box": f"-{_STRIP + 4} 0 {picture.width + 2 * (_STRIP + 4):g} {picture.height:g}",
        "size": (draft.drawing.width, draft.drawing.height),
        "spots": spots,
        "chosen": chosen,
        "edges": [_describe_edge(draft, picture, side, chosen, here) for side in Side],
        "moves": _list_moves(draft, chosen, here) if chosen else [],
        "changes": ".".join(changes),
        "undo": here.at(changes[:-1]) if changes else "",
        "anew": here.at([*changes, ANEW]),
        "over": here.at([]),
        "bigger": here.zoomed(bigger[0]) if (bigger := [each for each in offered if each > zoom]) else "",
        "smaller": here.zoomed(smaller[-1]) if (smaller := [each for each in offered if each < zoom]) else "",
        "zoom": zoom,
        "problem": problem,
        "doubts": draft.doubts(),
        "differences": _tell_differences(before, draft),
        "is_full": len(changes) >= MOST_CHANGES,
    }


def _draw_draft(drawing: MapOutlines, spots: Sequence[DraftSpot]) -> DraftPicture:
    """In markup, since it is another one after every change, and its sectors are dragged."""
    parts = map_parts(drawing, spots)
    return DraftPicture(
        parts.width,
        parts.height,
        mark_safe(f"<defs>{svg.defs(MAP)}</defs>{svg.write_shapes(parts.around)}"),
        [(spot, mark_safe(svg.write_shapes(parts.sectors[spot.number]))) for spot in spots],
        mark_safe(svg.write_shapes(parts.outlines)),
    )


def list_zooms(drawing: MapOutlines) -> list[int]:
    """How large a drawing can be made: at least until every sector is as wide and as high as a finger on a phone."""
    spans = [max(each) - min(each) for cell in drawing.cells.values() for each in zip(*cell, strict=True)]
    needed = _LEAST * drawing.width / (_NARROW * min(spans, default=drawing.width))
    last = next((zoom for zoom in ZOOMS if zoom >= max(needed, _ALWAYS)), max(ZOOMS))
    return [zoom for zoom in ZOOMS if zoom <= last]


@dataclass(frozen=True, slots=True)
class _Address:
    """Where the page stands, and the addresses that lead on from there."""

    changes: tuple[str, ...]
    zoom: int

    def at(self, changes: Sequence[str], chosen: int | None = None) -> str:
        """The page after other changes."""
        parts = [f"changes={'.'.join(changes)}"] if changes else []
        parts += [f"one={chosen}"] if chosen else []
        parts += [f"zoom={self.zoom}"] if self.zoom != 1 else []
        return f"?{'&'.join(parts)}"

    def after(self, change: str, chosen: int | None = None) -> str:
        """The page after one more change."""
        return self.at([*self.changes, change], chosen)

    def zoomed(self, zoom: int) -> str:
        """The same at another size."""
        return _Address(self.changes, zoom).at(self.changes)


def _list_spots(draft: MapDraft, before: MapDraft, chosen: int | None, here: _Address) -> Iterator[DraftSpot]:
    for number in sorted(draft.neighbours):
        others = draft.neighbours[number]
        touched = [side for side in Side if number in draft.edges[side]]
        same_edges = all((number in draft.edges[side]) == (number in before.edges[side]) for side in Side)
        if chosen is None:
            told, href = "Choose it", here.at(here.changes, number)
        elif chosen == number:
            told, href = "Choose none", here.at(here.changes)
        else:
            does = "Break the border" if chosen in others else "Make a border"
            told, href = f"{does} between {chosen} and {number}", here.after(f"{chosen}-{number}")
        at_edge = "".join(f", at the {EDGE_NAMES[side]} edge" for side in touched)
        yield DraftSpot(
            number=number,
            holding=Holding(touched[0]) if len(touched) == 1 else Holding.THREATENED if touched else Holding.NOBODY,
            sentence=f"Sector {number}{at_edge}: borders {join_numbers(sorted(others)) or 'nobody'}. {told}",
            href=href,
            chosen=number == chosen,
            changed=others != before.neighbours.get(number) or not same_edges,
            borders=join_numbers(sorted(others)),
        )


def _describe_edge(
    draft: MapDraft, picture: DraftPicture, side: Side, chosen: int | None, here: _Address
) -> dict[str, object]:
    """An edge with its strip beside the map, and what a tap on it does once a sector is chosen."""
    name = EDGE_NAMES[side]
    left = -_STRIP - 2 if side is Side.GERMAN else picture.width + 2
    right, foot = left + _STRIP, picture.height - 4
    strip = " ".join(f"{x:g},{y:g}" for x, y in ((left, 24), (right, 24), (right, foot), (left, foot)))
    if chosen is None:
        told, href = "", ""  # a sector comes first
    else:
        is_there = chosen in draft.edges[side]
        told = f"Take {chosen} off the {name} edge" if is_there else f"Put {chosen} at the {name} edge"
        href = here.after(f"{chosen}-{_LETTER[side]}")
    sectors = sorted(draft.edges[side])
    shown = {"name": name, "letter": _LETTER[side], "side": side, "strip": strip}
    return {**shown, "told": told, "href": href, "sectors": sectors}


def _list_moves(draft: MapDraft, chosen: int, here: _Address) -> list[tuple[str, str, str]]:
    """A button for each way in which the chosen sector can be nudged: its sign, its words, its address."""
    x, y = draft.drawing.labels[chosen]
    step = max(draft.drawing.width * _STEP // 360, 1)
    ways = (("←", "west", -step, 0), ("→", "east", step, 0), ("↑", "north", 0, -step), ("↓", "south", 0, step))
    return [
        (sign, f"Move {chosen} to the {way}", here.after(f"{chosen}~{max(x + dx, 0)}~{max(y + dy, 0)}", chosen))
        for sign, way, dx, dy in ways
    ]


def _tell_differences(before: MapDraft, draft: MapDraft) -> list[str]:
    was, now = set(list_borders(before.neighbours)), set(list_borders(draft.neighbours))
    found = [_name_all("New borders", sorted(now - was)), _name_all("Broken borders", sorted(was - now))]
    edges: Mapping[Side, Any] = draft.edges
    found += [
        f"At the {EDGE_NAMES[side]} edge: {join_numbers(sorted(edges[side])) or 'nobody'}."
        for side in Side
        if edges[side] != before.edges[side]
    ]
    return [sentence for sentence in found if sentence]


def _name_all(what: str, borders: Sequence[tuple[int, int]]) -> str:
    return f"{what}: {', '.join(f'{one}–{other}' for one, other in borders)}." if borders else ""
