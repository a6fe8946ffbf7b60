"""Sheets for tests, and what stands on them."""

from dataclasses import replace
from datetime import datetime

from campaign.ledger.content import shipped
from campaign.rules.rosters import Group, GroupType, Roster
from campaign.sheets.blocks import BOX, GAP, THIN
from campaign.sheets.printing import Printing
from firefight.drawing.paper import Format
from firefight.games.combat_stalingrad.rules.reading import FileProvenance
from firefight.games.combat_stalingrad.rules.sides import Side
from tests.pdf import MARGIN, SIZES, pages_of

PRINTED = datetime(2026, 11, 21, 15, 30)
NEAR = 0.6  # mm


def printing(size=Format.A4, content=None, **more):
    """An order for a blank sheet of the shipped content, unless told otherwise."""
    return Printing(**{"content": content or shipped(), "subject": "A game", "size": size, "printed": PRINTED, **more})


def group(number, unit, contents=None, notes=(), boxes=(2, 3), **more):
    """A Reinforcement Group of the German infantry, or whatever else is given."""
    values = {"type": GroupType.INFANTRY, "mix": None, "cp": 3, "leader": False, "plotted": False, **more}
    left_out = dict.fromkeys(("caliber", "arrival", "bonus_cp"))
    return Group(
        id=f"I{number}",
        unit=unit,
        contents=contents or {},
        boxes=dict(zip(("cg1", "cg2"), boxes, strict=True)),
        times=(),
        notes=tuple(notes),
        origin=FileProvenance("house", {}),
        **{**left_out, **values},
    )


def content_with(groups):
    """The shipped content with these groups for the German roster."""
    roster = Roster("A roster", Side.GERMAN, {group.id: group for group in groups})
    cards = {
        key: replace(card, forces={**card.forces, Side.GERMAN: replace(card.forces[Side.GERMAN], groups={})})
        for key, card in shipped().cards.items()
    }
    return replace(shipped(), rosters={**shipped().rosters, Side.GERMAN: roster}, cards=cards)


def frames(page, columns=3):
    """The boxes of a page: the frames as wide as a column, or as the page."""
    room = page.size[0] - 2 * MARGIN
    widths = [(room - GAP * (number - 1)) / number for number in {1, columns}]
    return [
        (left, top, right, bottom)
        for left, top, right, bottom in page.rectangles
        if bottom - top > 6 and any(abs(right - left - width) < NEAR for width in widths)
    ]


def all_frames(pages, columns=3):
    """The words in every box of a file."""
    return [page.words_in(box) for page in pages for box in frames(page, columns)]


def ticks(page, frame):
    """The check boxes in a frame, row by row: whether each is ticked."""
    rows = {}
    for left, top, right, bottom in page.rectangles:
        is_box = all(abs(side - BOX - 2 * THIN) < 0.01 for side in (right - left, bottom - top))
        if is_box and frame[0] < left and right < frame[2] and frame[1] < top and bottom < frame[3]:
            rows.setdefault(round(top), []).append((left, page.grey_at((left + right) / 2, (top + bottom) / 2) < 100))
    return [[ticked for _, ticked in sorted(row)] for _, row in sorted(rows.items())]


def check_pages(data, size, printed="2026-11-21 15:30"):
    """What every sheet must be: pages of the size, all within the margins, each with its foot. Returns the pages."""
    pages = pages_of(data)
    width, height = SIZES[size]
    for page in pages:
        assert page.size == (width, height)
        left, top, right, bottom = page.ink
        assert left >= MARGIN - 0.3
        assert top >= MARGIN - 0.3
        assert right <= width - MARGIN + 0.3
        assert bottom <= height - MARGIN + 0.3
        assert f"printed {printed} (UTC)" in page.words
        assert f"page {page.number + 1} of {len(pages)}" in page.words
    return pages
