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
_ALWAYS, _NARROW, _LEAST = 3, 360, 40  # every page zooms this far; pixels of a phone, and of a sector to be tapped
_LETTER = {Side.GERMAN: "w", Side.RUSSIAN: "e"}
_STRIP = 22  # wide, for the edges beside the picture
_STEP = 12  # of a sector that is moved by a button, in 360ths of the map's width


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
    """The drawing of a draft: the markup around the sectors, of each sector with its row, and on top of them all."""

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
    address = _Address(tuple(changes), zoom)
    spots = list(_list_spots(draft, before, chosen, address))
    zooms = list_zooms(draft.drawing)
    picture = _draw_draft(draft.drawing, spots)
    return {
        "draft": draft,
        "map": base,
        "picture": picture,
        "view_box": f"-{_STRIP + 4} 0 {picture.width + 2 * (_STRIP + 4):g} {picture.height:g}",
        "size": (draft.drawing.width, draft.drawing.height),
        "spots": spots,
        "chosen": chosen,
        "edges": [_describe_edge(draft, picture, side, chosen, address) for side in Side],
        "moves": _list_moves(draft, chosen, address) if chosen else [],
        "changes": ".".join(changes),
        "undo": address.at(changes[:-1]) if changes else "",
        "anew": address.at([*changes, ANEW]),
        "over": address.at([]),
        "bigger": address.zoomed(bigger[0]) if (bigger := [size for size in zooms if size > zoom]) else "",
        "smaller": address.zoomed(smaller[-1]) if (smaller := [size for size in zooms if size < zoom]) else "",
        "zoom": zoom,
        "problem": problem,
        "doubts": draft.doubts(),
        "differences": _tell_differences(before, draft),
        "is_full": len(changes) >= MOST_CHANGES,
    }


def _draw_draft(drawing: MapOutlines, spots: Sequence[DraftSpot]) -> DraftPicture:
    """In markup, since the drawing differs after every change and its sectors can be dragged."""
    parts = map_parts(drawing, spots)
    return DraftPicture(
        parts.width,
        parts.height,
        mark_safe(f"<defs>{svg.defs(MAP)}</defs>{svg.write_shapes(parts.around)}"),
        [(spot, mark_safe(svg.write_shapes(parts.sectors[spot.number]))) for spot in spots],
        mark_safe(svg.write_shapes(parts.outlines)),
    )


def list_zooms(drawing: MapOutlines) -> list[int]:
    """How large a drawing can be made: at least until a finger on a phone fits into every sector."""
    spans = [
        max(coordinates) - min(coordinates)
        for cell in drawing.cells.values()
        for coordinates in zip(*cell, strict=True)
    ]
    needed = _LEAST * drawing.width / (_NARROW * min(spans, default=drawing.width))
    largest = next((zoom for zoom in ZOOMS if zoom >= max(needed, _ALWAYS)), max(ZOOMS))
    return [zoom for zoom in ZOOMS if zoom <= largest]


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


def _list_spots(draft: MapDraft, before: MapDraft, chosen: int | None, address: _Address) -> Iterator[DraftSpot]:
    for number in sorted(draft.neighbours):
        neighbours = draft.neighbours[number]
        touched = [side for side in Side if number in draft.edges[side]]
        same_edges = all((number in draft.edges[side]) == (number in before.edges[side]) for side in Side)
        if chosen is None:
            action, href = "Choose it", address.at(address.changes, number)
        elif chosen == number:
            action, href = "Choose none", address.at(address.changes)
        else:
            does = "Break the border" if chosen in neighbours else "Make a border"
            action, href = f"{does} between {chosen} and {number}", address.after(f"{chosen}-{number}")
        at_edge = "".join(f", at the {EDGE_NAMES[side]} edge" for side in touched)
        yield DraftSpot(
            number=number,
            holding=Holding(touched[0]) if len(touched) == 1 else Holding.THREATENED if touched else Holding.NOBODY,
            sentence=f"Sector {number}{at_edge}: borders {join_numbers(sorted(neighbours)) or 'nobody'}. {action}",
            href=href,
            chosen=number == chosen,
            changed=neighbours != before.neighbours.get(number) or not same_edges,
            borders=join_numbers(sorted(neighbours)),
        )


def _describe_edge(
    draft: MapDraft, picture: DraftPicture, side: Side, chosen: int | None, address: _Address
) -> dict[str, object]:
    """An edge with its strip beside the map, and what a tap on it does once a sector is chosen."""
    name = EDGE_NAMES[side]
    west = -_STRIP - 2 if side is Side.GERMAN else picture.width + 2
    east, foot = west + _STRIP, picture.height - 4
    strip = " ".join(f"{x:g},{y:g}" for x, y in ((west, 24), (east, 24), (east, foot), (west, foot)))
    if chosen is None:
        label, href = "", ""  # a sector comes first
    else:
        is_there = chosen in draft.edges[side]
        label = f"Take {chosen} off the {name} edge" if is_there else f"Put {chosen} at the {name} edge"
        href = address.after(f"{chosen}-{_LETTER[side]}")
    sectors = sorted(draft.edges[side])
    fixed = {"name": name, "letter": _LETTER[side], "side": side, "strip": strip}
    return {**fixed, "label": label, "href": href, "sectors": sectors}


def _list_moves(draft: MapDraft, chosen: int, address: _Address) -> list[tuple[str, str, str]]:
    """A button for each way in which the chosen sector can be nudged: its sign, its words, its address."""
    x, y = draft.drawing.labels[chosen]
    step = max(draft.drawing.width * _STEP // 360, 1)
    ways = (("←", "west", -step, 0), ("→", "east", step, 0), ("↑", "north", 0, -step), ("↓", "south", 0, step))
    return [
        (sign, f"Move {chosen} to the {way}", address.after(f"{chosen}~{max(x + dx, 0)}~{max(y + dy, 0)}", chosen))
        for sign, way, dx, dy in ways
    ]


def _tell_differences(before: MapDraft, draft: MapDraft) -> list[str]:
    borders_before, borders_now = set(list_borders(before.neighbours)), set(list_borders(draft.neighbours))
    sentences = [
        _name_all("New borders", sorted(borders_now - borders_before)),
        _name_all("Broken borders", sorted(borders_before - borders_now)),
    ]
    edges: Mapping[Side, Any] = draft.edges
    sentences += [
        f"At the {EDGE_NAMES[side]} edge: {join_numbers(sorted(edges[side])) or 'nobody'}."
        for side in Side
        if edges[side] != before.edges[side]
    ]
    return [sentence for sentence in sentences if sentence]


def _name_all(heading: str, borders: Sequence[tuple[int, int]]) -> str:
    return f"{heading}: {', '.join(f'{first}–{second}' for first, second in borders)}." if borders else ""
