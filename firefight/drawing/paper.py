"""Sheets to print: pages with margins that printers can reach, a footer on each, letters of many scripts."""

from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from enum import StrEnum

from fpdf import FPDF
from fpdf.fonts import TTFFont

from .letters import FONT, give_letters

MARGIN = 12  # mm, which every common printer can reach
FOOT = 10  # mm above the margin, kept free for the footer
INK, GREY = 0, 90  # levels of grey, dark enough for a poor printer
POINT = 25.4 / 72  # mm
LEADING = 1.22  # heights of a letter from one line to the next
UNKNOWN = "?"  # for what the letters lack
ANCHORS = {"start": 0, "middle": 0.5, "end": 1}  # the share of a line that stands before its x


class Format(StrEnum):
    """A size of paper."""

    A4 = "a4"
    LETTER = "letter"

    @property
    def word(self) -> str:
        """The size's name."""
        return "A4" if self is Format.A4 else "Letter"


class _Letters(dict[int, str]):
    """What is printed for each letter, looked up once: itself, or UNKNOWN where the font lacks it."""

    def __init__(self, available: Container[int]):
        super().__init__()
        self.available = available

    def __missing__(self, code: int) -> str:
        self[code] = letter = chr(code) if code in self.available else UNKNOWN
        return letter


class _Widths(dict[str, float]):
    """How wide each letter of a font is, in thousandths of its size, looked up once."""

    def __init__(self, font: TTFFont):
        super().__init__()
        self.font = font

    def __missing__(self, letter: str) -> float:
        self[letter] = width = self.font.get_text_width(letter, 1_000, None)[1]
        return width


class Paper(FPDF):
    """A document whose pages say at their foot what they are, when they were printed, and "page n of m".

    ``subject``: the match and the side, for the footer. All lengths are millimetres. Nothing breaks across pages by
    itself: whoever draws a block asks ``make_room`` first.
    """

    def __init__(self, title: str, subject: str, size: Format, printed: datetime, landscape: bool = False):
        super().__init__(orientation="landscape" if landscape else "portrait", unit="mm", format=size.value)
        self.subject, self.printed = subject, printed
        self.set_title(title)
        self.set_author("Volga Ledger")
        self.set_lang("en")
        self.set_margin(MARGIN)
        self.set_auto_page_break(False)
        # All pages use the same letters, and nothing on them is transparent.
        self.single_resources_object, self.allow_images_transparency = True, False
        letters = give_letters()
        self.fonts.update(letters)
        self.set_font(FONT, size=9)
        self.set_creation_date(printed)
        # The bold letters are the same ones.
        self._fonts = {bold: letters[f"{FONT.lower()}{'B' if bold else ''}"] for bold in (False, True)}
        self._letters = _Letters(self._fonts[False].cmap)
        self._widths = {bold: _Widths(font) for bold, font in self._fonts.items()}
        self._wrapped: dict[tuple[str, float, float, bool], list[str]] = {}  # a block is measured more than once

    def footer(self) -> None:
        """The line at the foot of every page; FPDF calls it."""
        y, size = self.h - MARGIN - 1, 7
        printed, number = f" · printed {self.printed:%Y-%m-%d %H:%M} (UTC)", f"page {self.page_no()} of {{nb}}"
        room = self.epw - self.length(f"{printed}   {number}", size)
        self.put(self.l_margin, y, self.fitted(self.subject, room, size) + printed, size, ink=GREY)
        # FPDF measures the letters {nb}: the length that two figures do not need hangs over.
        over = self.c_margin + self.length("{nb}", size) - self.length("00", size)
        self.set_xy(self.l_margin, y - 3)
        self.cell(self.epw + over, 4, number, align="R")
        self.set_text_color(INK)

    def normalize_text(self, text: str) -> str:
        """The text as FPDF asks for it, with a question mark in place of each letter that the font lacks."""
        return super().normalize_text(text).translate(self._letters)

    @property
    def bottom(self) -> float:
        """Where the part of the page for drawing ends."""
        return self.h - MARGIN - FOOT

    def make_room(self, height: float) -> bool:
        """Begin a new page unless a block of this height still fits on this one; says whether it did."""
        if self.y + height <= self.bottom:
            return False
        self.add_page()
        return True

    def heading(self, text: str, size: float = 14) -> None:
        """A line in bold letters; ``size`` in points."""
        words = self.fitted(text, self.epw, size, bold=True)
        self.put(self.l_margin, self.y + size * POINT, words, size, bold=True)
        self.set_xy(self.l_margin, self.y + size * 0.5)
        self.set_font(FONT, size=9)

    def put(
        self,
        x: float,
        y: float,
        text: str,
        size: float = 9,
        *,
        bold: bool = False,
        ink: int = INK,
        anchor: str = "start",
    ) -> None:
        """One line of words at its baseline. ``anchor``: which end of it stands at ``x``: start, middle or end."""
        self.set_font(FONT, "B" if bold else "", size)
        self.set_text_color(ink)
        self.text(x - ANCHORS[anchor] * self.length(text, size, bold), y, text)

    def put_rows(self, rows: Iterable[tuple[float, float, str]], size: float) -> None:
        """Many lines of words in one ink, each with its x and its baseline.

        Each is placed from the one before, which makes the file of a long text a fifth smaller.
        """
        self.set_font(FONT, "", size)
        font, at_x, at_y, written = self._fonts[False], 0.0, 0.0, []
        for x, y, text in rows:
            to_x, to_y = round(x * self.k, 2), round((self.h - y) * self.k, 2)
            letters = font.encode_text(self.normalize_text(text))
            written.append(f"{to_x - at_x:.2f} {to_y - at_y:.2f} Td {letters}")
            at_x, at_y = to_x, to_y
        if written:
            self._out(f"{self._set_font_for_page(font, size)} q {INK} g BT {' '.join(written)} ET Q")

    @contextmanager
    def moved_by(self, x: float, y: float, scale: float = 1) -> Iterator[None]:
        """Whatever is drawn inside lies that much further right and down, and is that much larger."""
        right, up = x * self.k, (self.h * (1 - scale) - y) * self.k
        with self.local_context():
            self._out(f"{scale:.4g} 0 0 {scale:.4g} {right:.2f} {up:.2f} cm")
            yield

    @contextmanager
    def clipped_to(self, points: Iterable[tuple[float, float]]) -> Iterator[None]:
        """Whatever is drawn inside is visible only within a polygon."""
        corners = [f"{x * self.k:.2f} {(self.h - y) * self.k:.2f}" for x, y in points]
        with self.local_context():
            self._out(f"{corners[0]} m {' l '.join(corners[1:])} l h W n")
            yield

    def length(self, text: str, size: float, bold: bool = False) -> float:
        """How long a line is: what FPDF measures once the letters are set, only quicker."""
        return self._units(text, bold) * size * 0.001 / self.k

    def _units(self, text: str, bold: bool) -> float:
        """The same in thousandths of the letters' size, which can be added up."""
        return sum(map(self._widths[bold].__getitem__, text.translate(self._letters)))

    def wrapped(self, text: str, width: float, size: float = 9, bold: bool = False) -> list[str]:
        """The lines that a text takes. A word that is too long for a line is broken; runs of blanks become one."""
        key = (text, width, size, bold)
        if key not in self._wrapped:
            self._wrapped[key] = self._broken(text, width, size, bold)
        return self._wrapped[key]

    def _broken(self, text: str, width: float, size: float, bold: bool) -> list[str]:
        """Each word and letter is measured once, since a note may be long and a report has many."""
        room, blank = width * self.k / (size * 0.001), self._units(" ", bold)
        lines, used = [""], 0.0
        for word in text.split():
            units = self._units(word, bold)
            longer = used + blank + units if lines[-1] else units
            if longer <= room:
                lines[-1], used = f"{lines[-1]} {word}" if lines[-1] else word, longer
                continue
            pieces = self._pieces(word, room, bold)
            lines[-1:] = [*filter(None, lines[-1:]), *pieces]
            used = self._units(pieces[-1], bold)
        return lines if lines[0] else []

    def _pieces(self, word: str, room: float, bold: bool) -> list[str]:
        """A word in as many pieces as it needs."""
        pieces, used = [""], 0.0
        for letter in word:
            units = self._units(letter, bold)
            if pieces[-1] and used + units > room:
                pieces.append("")
                used = 0.0
            pieces[-1] += letter
            used += units
        return pieces

    def fitted(self, text: str, width: float, size: float, bold: bool = False) -> str:
        """A line shortened until it fits."""
        if self.length(text, size, bold) <= width:
            return text
        while text and self.length(f"{text}…", size, bold) > width:
            text = text[:-1]
        return f"{text.rstrip()}…"

    def bytes(self) -> bytes:
        return bytes(self.output())
