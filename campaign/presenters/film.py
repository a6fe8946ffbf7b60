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

Thing = TypeVar("Thing")

MOST_FRAMES = 40


@dataclass(frozen=True, slots=True)
class GroundRow:
    """What was known of a hex. ``is_new``: not so in the chapter before."""

    place: str
    words: str
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class Frame:
    """The map at the beginning of a chapter. ``changes``: what is not as in the frame before, in sentences."""

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
        """The same, also without the words below it."""
        return sector_map(self.ledger.content.sector_map.drawing, self.spots, self.chapter.title, legend)


def sees_then(match: Match, sees: tuple[str, ...]) -> tuple[str, ...]:
    """Whose secrets may be on a remembered map: everybody's once the match has ended for good."""
    return tuple(side.value for side in Side) if match.ended else sees


def film_of(
    match: Match, sees: tuple[str, ...], first: int | None = None, last: int | None = None, most: int = MOST_FRAMES
) -> list[Frame]:
    """The frames of a match's film, or of the stretch of its log between two lines; each shows something new.

    ``sees``: the sides whose secrets may be in it (``sees_then``); ``most``: as many frames as there may be. Of more
    than twice as many chapters some are not looked at, so that no request takes long.
    """
    chapters = [
        chapter for chapter in list_chapters(match) if (first or 0) <= chapter.number <= (last or match.last_number)
    ]
    frames = read_frames(match, thin_out(chapters, 2 * most), sees)
    told = [frame for place, frame in enumerate(frames) if not place or frame.changes]
    # What has changed is said from frame to frame of those that are left.
    return _link(thin_out(told, most)) if len(told) > most else told


def thin_out(things: Sequence[Thing], most: int) -> list[Thing]:
    """At most so many of some things, evenly, the first and the last among them; the last alone if it is one."""
    if len(things) <= most:
        return list(things)
    if most == 1:
        return [things[-1]]
    step = (len(things) - 1) / (most - 1)
    return [things[round(place * step)] for place in range(most)]


def read_frames(match: Match, chapters: Sequence[MapChapter], sees: tuple[str, ...]) -> list[Frame]:
    """The frames of some chapters, each with what is not as in the one before."""
    return _link(
        Frame(chapter, ledger, tuple(list_spots(ledger)), tuple(_list_ground(ledger, sees)))
        for chapter, ledger in recall(match, chapters, sees)
    )


def _list_ground(ledger: Ledger, sees: tuple[str, ...]) -> Iterable[GroundRow]:
    """What was known of hexes."""
    rules = registry.games()[ledger.match.game].keeping
    if rules is None:
        return ()
    here = record_rules.situation_of(ledger.match, sees, with_counters=False)
    cards = [card for card in rules.present("ground", here) if not card.is_over]
    return (GroundRow(card.place, " · ".join(card.lines)) for card in cards)


# What has changed


def _link(frames: Iterable[Frame]) -> list[Frame]:
    """Frames with what is not as in the frame before."""
    found: list[Frame] = []
    for frame in frames:
        found.append(mark_changes(found[-1], frame) if found else frame)
    return found


def mark_changes(before: Frame, frame: Frame) -> Frame:
    """A frame with what is not as it was in another."""
    if before.ledger.content.sector_map is not frame.ledger.content.sector_map:
        return replace(frame, changes=("The campaign went on to other content.",))
    was = {spot.number: spot for spot in before.spots}
    told = {spot.number: _describe_change(was[spot.number], spot) for spot in frame.spots}
    spots = tuple(replace(spot, changed=bool(told[spot.number])) for spot in frame.spots)
    known = {(row.place, row.words) for row in before.ground}
    ground = tuple(replace(row, is_new=(row.place, row.words) not in known) for row in frame.ground)
    sentences = [f"Sector {number}: {words}." for number, words in told.items() if words]
    gone = {row.place for row in before.ground} - {row.place for row in frame.ground}
    sentences += [f"Hex {row.place}: {row.words}." for row in ground if row.is_new]
    sentences += [f"Hex {place}: nothing is noted there any more." for place in sorted(gone)]
    return replace(frame, spots=spots, ground=ground, changes=tuple(sentences))


def _describe_change(was: Spot, now: Spot) -> str:
    """What has become of a sector, "" if nothing has."""
    parts = []
    if was.holding is not now.holding:
        parts.append(f"{now.holding.word}, was {was.holding.word}")
    was_cut_off, is_cut_off = (bool(spot.line and spot.line.is_isolated) for spot in (was, now))
    if was_cut_off != is_cut_off:
        parts.append("isolated" if is_cut_off else "isolated no more")
    for side in Side:
        if was.units[side] != now.units[side]:
            parts.append(f"{side.word} {now.units[side]}, was {was.units[side]}")
    return "; ".join(parts)


# Pages


def present_film(table: Table) -> dict[str, object]:
    """The page of the strip. ``left_out``: how many chapters show nothing new, or too many for one page."""
    match = table.match
    frames = film_of(match, sees_then(match, table.sees))
    return {"frames": frames, "left_out": len(list_chapters(match)) - len(frames), "unsealed": bool(match.ended)}


def find_frame(match: Match, place: int, sees: tuple[str, ...]) -> Frame | None:
    """The frame of a chapter by its place, with what is not as in the one before; None if there is no such chapter."""
    return _find_frame(match, list_chapters(match), place, sees)


def _find_frame(match: Match, chapters: Sequence[MapChapter], place: int, sees: tuple[str, ...]) -> Frame | None:
    wanted = [chapter for chapter in chapters if chapter.place in (place - 1, place)]
    frames = read_frames(match, wanted, sees)
    return frames[-1] if frames and frames[-1].chapter.place == place else None


def present_then(table: Table, now: Ledger, place: int, sector: int | None) -> dict[str, object] | None:
    """The page of the map at a chapter by its place; None if there is no such chapter.

    ``now``: the campaign as it stands; ``sector``: the one that is open.
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
    is_same = frame.ledger.content.sector_map is now.content.sector_map
    return {
        "then": frame,
        "map": frame.ledger.content.sector_map,
        **show_spots(frame.ledger, spots, match, "" if is_same else f"?chapter={place}"),
        **list_trouble(spots),
        "chosen": next((spot for spot in spots if spot.chosen), None),
        "here": list_units(frame.ledger, sector),
        "unsealed": bool(match.ended),
        "reel": present_reel(chapters, place),
    }
