"""What sheets are built from: parts that know how high they are, and columns that keep each of them whole.

A sheet is a list of such parts, plain values that can be tested without a page. All lengths are millimetres, sizes
of letters are points.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby
from typing import Protocol

import segno

from campaign.pictures.paints import MAP
from firefight.drawing.paper import GREY, INK, LEADING, POINT, Paper
from firefight.drawing.pdf import paint
from firefight.drawing.shapes import Drawing
from firefight.games.combat_stalingrad.pictures.paints import PAINTS as COUNTERS

# A map is larger on paper than on a screen: its patterns may be finer.
PAINTS = {**COUNTERS, **{role: replace(look, grain=look.grain * 0.6) for role, look in MAP.items()}}
GAP = 2.4  # between two blocks
THIN, THICK = 0.2, 0.45  # lines
SMALL, PLAIN = 9, 9.5  # letters: no text is smaller
PALE = 190  # grey of lines to write on
BOX = 3.2  # a check box
WRITING = 5.8  # of a line for the pencil
MOST = 110  # of a list in a box, before it goes on in another box
WIDE = 0.55  # of the page: a block that would be higher in a column gets the whole width


class Block(Protocol):
    """A part of a sheet."""

    def height(self, paper: Paper, width: float) -> float:
        """How high it is at this width."""

    def draw(self, paper: Paper, x: float, y: float, width: float) -> None:
        """Draw it with its top left corner there."""


def leading(size: float) -> float:
    """From one line to the next."""
    return size * POINT * LEADING


def baseline(size: float) -> float:
    """From the top of a line to where its letters stand."""
    return size * POINT * 0.95


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph, set in from a ``mark`` if it has one."""

    text: str
    size: float = SMALL
    bold: bool = False
    ink: int = INK
    mark: str = ""

    @property
    def _indent(self) -> float:
        return self.size * POINT * len(self.mark)

    def _lines(self, paper: Paper, width: float) -> list[str]:
        return paper.wrapped(self.text, width - self._indent, self.size, self.bold)

    def height(self, paper: Paper, width: float) -> float:
        return len(self._lines(paper, width)) * leading(self.size)

    def draw(self, paper: Paper, x: float, y: float, width: float) -> None:
        y += baseline(self.size)
        paper.put(x, y, self.mark, self.size, ink=self.ink)
        for number, line in enumerate(self._lines(paper, width)):
            left, base = x + self._indent, y + number * leading(self.size)
            paper.put(left, base, line, self.size, bold=self.bold, ink=self.ink)


@dataclass(frozen=True, slots=True)
class Code:
    """A QR code with the white rim that it needs."""

    text: str

    _SIDE, _RIM = 30, 4  # mm, and squares

    def height(self, paper: Paper, width: float) -> float:
        return self._SIDE

    def draw(self, paper: Paper, x: float, y: float, width: float) -> None:
        rows = [list(row) for row in segno.make(self.text, error="m").matrix_iter(border=self._RIM)]
        step = self._SIDE / len(rows)
        paper.set_fill_color(INK)
        for down, row in enumerate(rows):
            # A rectangle for each run of dark squares: single ones would leave hairlines between them.
            for is_dark, run in groupby(enumerate(row), key=lambda square: bool(square[1])):
                places = [place for place, _ in run]
                if is_dark:
                    paper.rect(x + places[0] * step, y + down * step, len(places) * step, step, style="F")


@dataclass(frozen=True, slots=True)
class Heading:
    """A line in bold letters, or in ``light`` ones; ``mark`` stands before it, large, and ``right`` at its end."""

    mark: str
    text: str
    right: str = ""
    light: bool = False

    _MARK, _TEXT = 12, 10

    @property
    def _size(self) -> float:
        return SMALL if self.light else self._TEXT

    def _lines(self, paper: Paper, width: float) -> tuple[float, list[str]]:
        indent = self._width(paper, self.mark, self._MARK)
        rest = width - indent - self._width(paper, self.right, self._TEXT + 1)
        return indent, paper.wrapped(self.text, rest, self._size, bold=not self.light)

    @staticmethod
    def _width(paper: Paper, text: str, size: float) -> float:
        return paper.length(text, size, bold=True) + 1.8 if text else 0

    def height(self, paper: Paper, width: float) -> float:
        _, lines = self._lines(paper, width)
        return max(leading(self._MARK) if self.mark else 0, len(lines) * leading(self._size) + 0.8)

    def draw(self, paper: Paper, x: float, y: float, width: float) -> None:
        indent, lines = self._lines(paper, width)
        base = y + baseline(self._MARK if self.mark else self._TEXT)
        paper.put(x, base, self.mark, self._MARK, bold=True)
        paper.put(x + width, base, self.right, self._TEXT + 1, bold=True, anchor="end")
        for number, line in enumerate(lines):
            paper.put(x + indent, base + number * leading(self._size), line, self._size, bold=not self.light)


@dataclass(frozen=True, slots=True)
class Ticks:
    """Check boxes after a label, the first of them ticked; in as many rows as needed."""

    label: str
    number: int
    ticked: int = 0
    strong: bool = True

    _STEP, _LINE, _INDENT = 3.75, 4.6, 10

    def _in_row(self, width: float) -> int:
        return max(1, int((width - self._INDENT + self._STEP - BOX) / self._STEP))

    def height(self, paper: Paper, width: float) -> float:
        return self._LINE * max(1, -(-self.number // self._in_row(width)))

    def draw(self, paper: Paper, x: float, y: float, width: float) -> None:
        ink = INK if self.strong else GREY
        paper.put(x, y + 2.8, self.label, SMALL, bold=self.strong, ink=ink)
        if not self.number:
            paper.put(x + self._INDENT, y + 2.8, "none", SMALL, ink=GREY)
        for place in range(self.number):
            row, column = divmod(place, self._in_row(width))
            check_box(paper, x + self._INDENT + column * self._STEP, y + row * self._LINE, place < self.ticked, ink)


def check_box(paper: Paper, x: float, y: float, ticked: bool, ink: int = INK) -> None:
    """A box to tick, crossed out once it is."""
    paper.set_draw_color(ink)
    paper.set_line_width(THIN)
    paper.rect(x, y, BOX, BOX)
    if ticked:
        paper.set_line_width(THICK * 1.3)
        paper.line(x + 0.5, y + 0.5, x + BOX - 0.5, y + BOX - 0.5)
        paper.line(x + 0.5, y + BOX - 0.5, x + BOX - 0.5, y + 0.5)


Piece = tuple[Drawing, str, str]  # a drawing, and two lines of words


@dataclass(frozen=True, slots=True)
class Pieces:
    """Drawings side by side, with words under each; in as many rows as needed."""

    items: tuple[Piece, ...]
    side: float = 19  # so that the smallest letters of a counter are 6 points high

    _WORDS, _BETWEEN = 25, 1.6  # the longest word under one, and from it to the next

    @property
    def _width(self) -> float:
        """Of one, with its words if it has any."""
        has_words = any(first or second for _, first, second in self.items)
        return (self._WORDS if has_words else self.side) + self._BETWEEN

    @property
    def length(self) -> float:
        """How long they are in one row."""
        return len(self.items) * self._width

    def _rows(self, width: float) -> list[tuple[Piece, ...]]:
        in_row = max(1, int((width + self._BETWEEN) / self._width))
        return [self.items[start : start + in_row] for start in range(0, len(self.items), in_row)]

    def _row_height(self, paper: Paper, row: Iterable[Piece]) -> float:
        words = [sum(part.height(paper, self._WORDS) for part in _captions(piece)) for piece in row]
        return self.side + max(words) + 1

    def height(self, paper: Paper, width: float) -> float:
        return sum(self._row_height(paper, row) for row in self._rows(width))

    def draw(self, paper: Paper, x: float, y: float, width: float) -> None:
        for row in self._rows(width):
            for place, piece in enumerate(row):
                left = x + place * self._width
                paint(paper, piece[0], left, y, self.side, PAINTS)
                _stack_parts(paper, _captions(piece), left, y + self.side + 0.3, self._WORDS)
            y += self._row_height(paper, row)


def _captions(piece: Piece) -> tuple[Paragraph, Paragraph]:
    """What stands under a drawing."""
    _, first, second = piece
    return Paragraph(first, PLAIN, bold=True), Paragraph(second)


@dataclass(frozen=True, slots=True)
class Beside:
    """Pieces with parts to their right, as many as there is room for; the others go below."""

    pieces: Pieces
    parts: tuple[Block, ...]

    _LEAST = 18  # room that is worth using

    def _split(self, paper: Paper, width: float) -> tuple[float, int]:
        """The room to the right, and how many parts go there."""
        room, high = width - self.pieces.length, self.pieces.height(paper, width)
        if room < self._LEAST:
            return 0, 0
        heights = accumulate(part.height(paper, room) for part in self.parts)
        return room, sum(below <= high for below in heights)

    def height(self, paper: Paper, width: float) -> float:
        _, count = self._split(paper, width)
        return self.pieces.height(paper, width) + sum(part.height(paper, width) for part in self.parts[count:])

    def draw(self, paper: Paper, x: float, y: float, width: float) -> None:
        room, count = self._split(paper, width)
        self.pieces.draw(paper, x, y, width)
        _stack_parts(paper, self.parts[:count], x + width - room, y, room)
        _stack_parts(paper, self.parts[count:], x, y + self.pieces.height(paper, width), width)


def _stack_parts(paper: Paper, parts: Iterable[Block], x: float, y: float, width: float) -> None:
    """Draw parts one under the other."""
    for part in parts:
        part.draw(paper, x, y, width)
        y += part.height(paper, width)


@dataclass(frozen=True, slots=True)
class TickChoices:
    """Boxes to tick, each followed by its word, in as many rows as needed."""

    words: tuple[str, ...]

    _LINE, _SIZE = 4.8, SMALL

    def _places(self, paper: Paper, width: float) -> Iterator[tuple[str, float, int]]:
        """Each word with how far to the right it stands, and in which row."""
        left, row = 0.0, 0
        for word in self.words:
            length = BOX + 0.8 + paper.length(word, self._SIZE)
            if left and left + length > width:
                left, row = 0.0, row + 1
            yield word, left, row
            left += length + 1.4

    def height(self, paper: Paper, width: float) -> float:
        return self._LINE * (max((row for *_, row in self._places(paper, width)), default=-1) + 1)

    def draw(self, paper: Paper, x: float, y: float, width: float) -> None:
        for word, left, row in self._places(paper, width):
            check_box(paper, x + left, y + row * self._LINE, False)
            paper.put(x + left + BOX + 0.8, y + row * self._LINE + 2.8, word, self._SIZE)


@dataclass(frozen=True, slots=True)
class Space:
    """Nothing, or lines to write on."""

    high: float
    lines: int = 0

    def height(self, paper: Paper, width: float) -> float:
        return self.high * max(1, self.lines)

    def draw(self, paper: Paper, x: float, y: float, width: float) -> None:
        paper.set_draw_color(PALE)
        paper.set_line_width(THIN)
        for number in range(1, self.lines + 1):
            paper.line(x, y + number * self.high, x + width, y + number * self.high)


@dataclass(frozen=True, slots=True)
class Stack:
    """Parts one under the other, in a frame if ``framed``."""

    parts: tuple[Block, ...]
    framed: bool = True

    _PAD = 1.5

    def height(self, paper: Paper, width: float) -> float:
        pad = self._PAD if self.framed else 0
        return sum(part.height(paper, width - 2 * pad) for part in self.parts) + 2 * pad

    def draw(self, paper: Paper, x: float, y: float, width: float) -> None:
        pad = self._PAD if self.framed else 0
        if self.framed:
            paper.set_draw_color(INK)
            paper.set_line_width(THICK)
            inset = THICK / 2
            paper.rect(x + inset, y + inset, width - THICK, self.height(paper, width) - THICK)
        _stack_parts(paper, self.parts, x + pad, y + pad, width - 2 * pad)


Cell = str | bool  # words, or a box to tick


@dataclass(frozen=True, slots=True)
class TableRow:
    """Cells side by side, as wide as ``shares`` says; a rule under it."""

    cells: tuple[Cell, ...]
    shares: tuple[float, ...]
    bold: bool = False
    size: float = SMALL
    least: float = 4.6

    def _cells(self, paper: Paper, width: float) -> Iterator[tuple[float, bool | list[str]]]:
        """How far to the right each cell begins, and what is in it: a box, or lines."""
        left, unit = 0.0, width / sum(self.shares)
        for cell, share in zip(self.cells, self.shares, strict=True):
            room = share * unit - 1
            yield left, cell if isinstance(cell, bool) else paper.wrapped(cell, room, self.size, self.bold)
            left += share * unit

    def height(self, paper: Paper, width: float) -> float:
        most = max(
            (len(content) for _, content in self._cells(paper, width) if not isinstance(content, bool)), default=1
        )
        return max(self.least, most * leading(self.size) + 1.2)

    def draw(self, paper: Paper, x: float, y: float, width: float) -> None:
        high = self.height(paper, width)
        for left, content in self._cells(paper, width):
            if isinstance(content, bool):
                check_box(paper, x + left, y + (high - BOX) / 2, content)
                continue
            top = y + (high - len(content) * leading(self.size)) / 2 + baseline(self.size)
            for number, line in enumerate(content):
                paper.put(x + left, top + number * leading(self.size), line, self.size, bold=self.bold)
        bottom = y + high
        paper.set_draw_color(INK if self.bold else PALE)
        paper.set_line_width(THIN)
        paper.line(x, bottom, x + width, bottom)


def boxes(paper: Paper, head: Heading, parts: Iterable[Block], columns: int) -> Iterator[Stack]:
    """Parts under a heading in a box, or in several if they are many."""
    parts_held: list[Block] = []
    high, width = 0.0, column(paper, columns) - 4
    for part in parts:
        if parts_held and high + part.height(paper, width) > MOST:
            yield Stack((head, *parts_held))
            head, parts_held, high = replace(head, right="goes on"), [], 0.0
        parts_held.append(part)
        high += part.height(paper, width)
    yield Stack((head, *parts_held))


# On the page


def column(paper: Paper, columns: int) -> float:
    """How wide each of some columns is."""
    return (paper.epw - (columns - 1) * GAP) / columns


def flow(paper: Paper, blocks: Sequence[Block], columns: int, gap: float = GAP) -> None:
    """Draw blocks from the top of the page's free part, down each column, then on to the next.

    None is cut: a block that would be too high in a column gets the whole width, and begins a page if needed.
    The columns of the last page end at about the same height.
    """
    width = column(paper, columns)
    page = paper.bottom - paper.t_margin
    for is_wide, run in groupby(blocks, lambda block: columns > 1 and block.height(paper, width) > WIDE * page):
        if not is_wide:
            _flow_in_columns(paper, list(run), columns, width, gap)
            continue
        for block in run:
            high = block.height(paper, paper.epw)
            paper.make_room(high)
            block.draw(paper, paper.l_margin, paper.y, paper.epw)
            paper.set_y(paper.y + high + gap)


def _flow_in_columns(paper: Paper, blocks: list[Block], columns: int, width: float, gap: float) -> None:
    heights = [block.height(paper, width) for block in blocks]
    done = 0
    while done < len(blocks):
        filled = split_into_columns(heights[done:], paper.bottom - paper.y, columns, gap)
        if not filled:
            paper.add_page()
            continue
        top = lowest = paper.y
        for number, count in enumerate(filled):
            y = top
            for block, high in zip(blocks[done : done + count], heights[done : done + count], strict=True):
                block.draw(paper, paper.l_margin + number * (width + GAP), y, width)
                y += high + gap
            done += count
            lowest = max(lowest, y)
        paper.set_y(lowest)


def split_into_columns(heights: Sequence[float], room: float, columns: int, gap: float = GAP) -> list[int]:
    """How many blocks, in their order, go into each column of a page; an empty list if not even one fits.

    If all of them fit, they are spread so that the columns are about equally high.
    """
    best = _fill_columns(heights, room, columns, gap)
    if sum(best) < len(heights):
        return best if sum(best) else []
    low, high = sum(heights) / columns / 2, room
    while high - low > 1:
        middle = (low + high) / 2
        tried = _fill_columns(heights, middle, columns, gap)
        if sum(tried) == len(heights):
            best, high = tried, middle
        else:
            low = middle
    return best


def _fill_columns(heights: Sequence[float], room: float, columns: int, gap: float) -> list[int]:
    """Each column filled as far as it goes, to the left first."""
    filled, done = [], 0
    for _ in range(columns):
        count, used = 0, 0.0
        while done < len(heights) and used + heights[done] <= room:
            used += heights[done] + gap
            count, done = count + 1, done + 1
        filled.append(count)
    return filled
