"""The map as each side may know it at the beginning of every chapter, and what has changed from one to the next.

``film_of`` gives the frames of a strip or of an animated picture; ``present_then`` the page of one chapter.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from campaign.ledger.chapters import MapChapter, list_chapters, recall
from campaign.ledger.ledger import Ledger
from campaign.pictures.figures import sector_map
from firefight.drawing.shapes import Drawing
from firefight.games import registry
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import Match
from firefight.table.act.table import Table
from firefight.table.board import record_rules

from .sectors import Spot, list_spots, list_trouble, list_units, present_reel, show_spots

Item = TypeVar("Item")

MOST_FRAMES = 40


@dataclass(frozen=True, slots=True)
class GroundRow:
    """What was known about a hex. ``is_new``: not in the chapter before."""

    place: str
    words: str
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class Frame:
    """The map at the beginning of a chapter. ``changes``: since the frame before, in sentences."""

    chapter: MapChapter
    ledger: Ledger
    spots: tuple[Spot, ...]
    ground: tuple[GroundRow, ...]
    changes: tuple[str, ...] = ()

    @property
    def drawing(self) -> Drawing:
        """The map as a picture, with the chapter's title above it."""
        return self.draw()

    def draw(self, legend: bool = True) -> Drawing:
        """The same, with or without the words below it."""
        return sector_map(self.ledger.content.sector_map.drawing, self.spots, self.chapter.title, legend)


def sees_then(match: Match, sees: tuple[str, ...]) -> tuple[str, ...]:
    """Whose secrets may be on a remembered map: everybody's once the match has ended for good."""
    return tuple(side.value for side in Side) if match.ended else sees


def film_of(match: Match, sees: tuple[str, ...], most: int = MOST_FRAMES) -> list[Frame]:
    """The frames of a match's film; each shows something new.

    ``sees``: the sides whose secrets may be in it (``sees_then``); ``most``: how many frames there may be. With more
    than twice as many chapters, some are skipped, so that no request takes long.
    """
    frames = read_frames(match, thin_out(list_chapters(match), 2 * most), sees)
    frames_kept = [frame for place, frame in enumerate(frames) if not place or frame.changes]
    # Changes are told from one remaining frame to the next.
    return _link(thin_out(frames_kept, most)) if len(frames_kept) > most else frames_kept


def thin_out(items: Sequence[Item], most: int) -> list[Item]:
    """At most this many of some items, evenly spread, with the first and the last; only the last if it is one."""
    if len(items) <= most:
        return list(items)
    if most == 1:
        return [items[-1]]
    step = (len(items) - 1) / (most - 1)
    return [items[round(place * step)] for place in range(most)]


def read_frames(match: Match, chapters: Sequence[MapChapter], sees: tuple[str, ...]) -> list[Frame]:
    """The frames of some chapters, each with what has changed since the one before."""
    return _link(
        Frame(chapter, ledger, tuple(list_spots(ledger)), tuple(_list_ground(ledger, sees)))
        for chapter, ledger in recall(match, chapters, sees)
    )


def _list_ground(ledger: Ledger, sees: tuple[str, ...]) -> Iterable[GroundRow]:
    """What was known about hexes."""
    rules = registry.games()[ledger.match.game].keeping
    situation = record_rules.situation_of(ledger.match, sees, with_counters=False)
    cards = [card for card in rules.present("ground", situation) if not card.is_over]
    return (GroundRow(card.place, " · ".join(card.lines)) for card in cards)


# What has changed


def _link(frames: Iterable[Frame]) -> list[Frame]:
    """Frames with what has changed since the frame before."""
    linked: list[Frame] = []
    for frame in frames:
        linked.append(mark_changes(linked[-1], frame) if linked else frame)
    return linked


def mark_changes(before: Frame, frame: Frame) -> Frame:
    """A frame with what has changed since another."""
    if before.ledger.content.sector_map is not frame.ledger.content.sector_map:
        return replace(frame, changes=("The campaign went on to other content.",))
    spots_before = {spot.number: spot for spot in before.spots}
    changes = {spot.number: _describe_change(spots_before[spot.number], spot) for spot in frame.spots}
    spots = tuple(replace(spot, changed=bool(changes[spot.number])) for spot in frame.spots)
    rows_before = {(row.place, row.words) for row in before.ground}
    ground = tuple(replace(row, is_new=(row.place, row.words) not in rows_before) for row in frame.ground)
    sentences = [f"Sector {number}: {words}." for number, words in changes.items() if words]
    places_gone = {row.place for row in before.ground} - {row.place for row in frame.ground}
    sentences += [f"Hex {row.place}: {row.words}." for row in ground if row.is_new]
    sentences += [f"Hex {place}: nothing is noted there any more." for place in sorted(places_gone)]
    return replace(frame, spots=spots, ground=ground, changes=tuple(sentences))


def _describe_change(before: Spot, after: Spot) -> str:
    """What has changed in a sector, "" if nothing has."""
    parts = []
    if before.holding is not after.holding:
        parts.append(f"{after.holding.word}, was {before.holding.word}")
    was_cut_off, is_cut_off = (bool(spot.line and spot.line.is_isolated) for spot in (before, after))
    if was_cut_off != is_cut_off:
        parts.append("isolated" if is_cut_off else "isolated no more")
    for side in Side:
        if before.units[side] != after.units[side]:
            parts.append(f"{side.word} {after.units[side]}, was {before.units[side]}")
    return "; ".join(parts)


# Pages


def present_film(table: Table) -> dict[str, object]:
    """The page of the strip. ``left_out``: how many chapters show nothing new, or too many for one page."""
    match = table.match
    frames = film_of(match, sees_then(match, table.sees))
    return {"frames": frames, "left_out": len(list_chapters(match)) - len(frames), "unsealed": bool(match.ended)}


def find_frame(match: Match, place: int, sees: tuple[str, ...]) -> Frame | None:
    """The frame of a chapter by its place, with what has changed since the one before; None for an unknown chapter."""
    return _find_frame(match, list_chapters(match), place, sees)


def _find_frame(match: Match, chapters: Sequence[MapChapter], place: int, sees: tuple[str, ...]) -> Frame | None:
    pair = [chapter for chapter in chapters if chapter.place in (place - 1, place)]
    frames = read_frames(match, pair, sees)
    return frames[-1] if frames and frames[-1].chapter.place == place else None


def present_then(table: Table, ledger_now: Ledger, place: int, sector: int | None) -> dict[str, object] | None:
    """The page of the map at a chapter by its place; None if there is no such chapter.

    ``ledger_now``: the campaign as it stands; ``sector``: the one that is open.
    """
    match = table.match
    chapters = list_chapters(match)
    frame = _find_frame(match, chapters, place, sees_then(match, table.sees))
    if frame is None:
        return None
    sector = sector if sector in frame.ledger.content.sector_map.neighbours else None
    spots = [
        replace(spot, chosen=spot.number == sector, href=f"?chapter={place}&sector={spot.number}#here")
        for spot in frame.spots
    ]
    is_same = frame.ledger.content.sector_map is ledger_now.content.sector_map
    return {
        "then": frame,
        "map": frame.ledger.content.sector_map,
        **show_spots(frame.ledger, spots, match, "" if is_same else f"?chapter={place}"),
        **list_trouble(spots),
        "chosen": next((spot for spot in spots if spot.chosen), None),
        "units_by_side": list_units(frame.ledger, sector),
        "unsealed": bool(match.ended),
        "reel": present_reel(chapters, place),
    }
