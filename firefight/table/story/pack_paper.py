"""The board on paper: a line for each thing, with a box to tick as it is put back."""

from collections.abc import Sequence
from datetime import datetime

from firefight.drawing.paper import GREY, INK, LEADING, POINT, Format, Paper
from firefight.engine.text import capitalize

from .pack import PackPlace, PackRow, PackSheet, describe_whole

_SIZE = 9.5  # points
_LINE = _SIZE * POINT * LEADING  # mm from one line to the next
_GAP = 1.3  # mm between two rows
_BOX = 3.2
_HEAD = 7.5  # mm that the head of a place takes
_GUTTER = 7  # mm between two columns
_CONTINUED = ", continued"
# Of a column: the shares of the name, the side, and how it is.
_SHARES = {1: (58, 24, 99), 2: (42, 18, 23)}


def draw_sheet(sheet: PackSheet, match: str, headings: Sequence[str], size: Format, printed: datetime) -> Paper:
    """One sheet as a document; ``headings``: where the match stands. What does not fit a page has two columns."""
    paper = Paper(sheet.title, f"{match} · {sheet.title}", size, printed)
    paper.add_page()
    _paragraph(paper, sheet.title, 14, bold=True)
    _paragraph(paper, " · ".join((match, *headings)), _SIZE, ink=GREY)
    _paragraph(paper, describe_whole(sheet), _SIZE, ink=GREY)
    columns = _Columns(paper, 1)
    if paper.y + sum(map(columns.measure, sheet.places)) > paper.bottom:
        columns = _Columns(paper, 2)
    for place in sheet.places:
        columns.draw(place)
    return paper


class _Columns:
    """The columns of a sheet, filled from the left, page by page; ``top``: where those of this page begin."""

    def __init__(self, paper: Paper, number: int):
        self.paper, self.number, self.column, self.top = paper, number, 0, paper.y
        self.width = (paper.epw - (number - 1) * _GUTTER) / number
        unit = (self.width - _BOX - 2) / sum(_SHARES[number])
        self.widths = [share * unit for share in _SHARES[number]]

    @property
    def left(self) -> float:
        return self.paper.l_margin + self.column * (self.width + _GUTTER)

    def measure(self, place: PackPlace) -> float:
        return _HEAD + sum(self._find_height(self._wrap(row)) for row in place.rows)

    def draw(self, place: PackPlace) -> None:
        """A place's head stays with its first row, and stands again where its rows go on."""
        title = capitalize(place.title)
        for number, row in enumerate(place.rows):
            cells = self._wrap(row)
            height = self._find_height(cells)
            has_moved = self._make_room(height if number else _HEAD + height)
            if has_moved or not number:
                self._draw_head(title + _CONTINUED if number else title)
            self._draw_row(cells, height)

    def _make_room(self, height: float) -> bool:
        """Go on in the next column, or on the next page, unless that much still fits here; returns whether it did."""
        if self.paper.y + height <= self.paper.bottom:
            return False
        self.column = (self.column + 1) % self.number
        if self.column == 0:
            self.paper.add_page()
            self.top = self.paper.y
        self.paper.set_y(self.top)
        return True

    def _wrap(self, row: PackRow) -> list[list[str]]:
        texts = zip((row.name, row.side, row.words), self.widths, strict=True)
        return [self.paper.wrapped(text, width - 2, _SIZE) for text, width in texts]

    def _find_height(self, cells: list[list[str]]) -> float:
        return max(map(len, cells)) * _LINE + _GAP

    def _draw_head(self, title: str) -> None:
        words = self.paper.fitted(title, self.width, 11, bold=True)
        self.paper.put(self.left, self.paper.y + _HEAD - 2, words, 11, bold=True)
        self.paper.set_y(self.paper.y + _HEAD)

    def _draw_row(self, cells: list[list[str]], height: float) -> None:
        paper, top, left = self.paper, self.paper.y, self.left + _BOX + 2
        paper.set_draw_color(INK)
        paper.set_line_width(0.2)
        paper.rect(self.left + 0.2, top + 0.4, _BOX, _BOX)
        for lines, width in zip(cells, self.widths, strict=True):
            for number, line in enumerate(lines):
                paper.put(left, top + 3.3 + number * _LINE, line, _SIZE)
            left += width
        paper.set_y(top + height)


def _paragraph(paper: Paper, text: str, size: float, bold: bool = False, ink: int = INK) -> None:
    step = size * POINT * LEADING
    for line in paper.wrapped(text, paper.epw, size, bold):
        paper.put(paper.l_margin, paper.y + size * POINT, line, size, bold=bold, ink=ink)
        paper.set_xy(paper.l_margin, paper.y + step)
