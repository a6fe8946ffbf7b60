"""The board on paper: a line for each thing, with a box to tick as it is put back."""

from collections.abc import Sequence
from datetime import datetime

from firefight.drawing.paper import GREY, INK, LEADING, POINT, Format, Paper

from .pack import PackPlace, PackRow, PackSheet, describe_whole

_SIZE = 9.5  # points
_LINE = _SIZE * POINT * LEADING  # mm from one line to the next
_GAP = 1.3  # mm between two rows
_BOX = 3.2
_HEAD = 7.5  # mm that the head of a place takes
_NAME, _SIDE = 58, 24  # mm; how it is takes the rest
_CONTINUED = ", continued"


def draw_sheet(sheet: PackSheet, match: str, headings: Sequence[str], size: Format, printed: datetime) -> Paper:
    """One sheet as a document; ``headings``: where the match stands."""
    paper = Paper(sheet.title, f"{match} · {sheet.title}", size, printed)
    paper.add_page()
    _paragraph(paper, sheet.title, 14, bold=True)
    _paragraph(paper, " · ".join((match, *headings)), _SIZE, ink=GREY)
    _paragraph(paper, describe_whole(sheet), _SIZE, ink=GREY)
    for place in sheet.places:
        _draw_place(paper, place)
    return paper


def _draw_place(paper: Paper, place: PackPlace) -> None:
    """A place's head stays with its first row, and stands again where its rows go on."""
    title = place.title[:1].upper() + place.title[1:]
    for number, row in enumerate(place.rows):
        cells = _wrap(paper, row)
        height = max(map(len, cells)) * _LINE + _GAP
        if number == 0:
            paper.make_room(_HEAD + height)
            _head(paper, title)
        elif paper.make_room(height):
            _head(paper, title + _CONTINUED)
        _draw_row(paper, cells, height)


def _head(paper: Paper, title: str) -> None:
    paper.put(paper.l_margin, paper.y + _HEAD - 2, title, 11, bold=True)
    paper.set_xy(paper.l_margin, paper.y + _HEAD)


def _columns(paper: Paper) -> tuple[tuple[float, float], ...]:
    """Where each column begins, and how wide it is: the name, the side, how it is."""
    left, blank = paper.l_margin + _BOX + 2, 2
    rest = paper.l_margin + paper.epw - left - _NAME - _SIDE
    return (left, _NAME - blank), (left + _NAME, _SIDE - blank), (left + _NAME + _SIDE, rest)


def _wrap(paper: Paper, row: PackRow) -> list[list[str]]:
    texts = zip((row.name, row.side, row.words), _columns(paper), strict=True)
    return [paper.wrapped(text, width, _SIZE) for text, (_, width) in texts]


def _draw_row(paper: Paper, cells: list[list[str]], height: float) -> None:
    top = paper.y
    paper.set_draw_color(INK)
    paper.set_line_width(0.2)
    paper.rect(paper.l_margin + 0.2, top + 0.4, _BOX, _BOX)
    for lines, (left, _) in zip(cells, _columns(paper), strict=True):
        for number, line in enumerate(lines):
            paper.put(left, top + 3.3 + number * _LINE, line, _SIZE)
    paper.set_xy(paper.l_margin, top + height)


def _paragraph(paper: Paper, text: str, size: float, bold: bool = False, ink: int = INK) -> None:
    step = size * POINT * LEADING
    for line in paper.wrapped(text, paper.epw, size, bold):
        paper.put(paper.l_margin, paper.y + size * POINT, line, size, bold=bold, ink=ink)
        paper.set_xy(paper.l_margin, paper.y + step)
