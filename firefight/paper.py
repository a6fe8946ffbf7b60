"""Sheets to print: pages with margins that printers can reach, a footer on each, letters of many scripts."""

from datetime import datetime
from enum import StrEnum

import font_roboto
from fpdf import FPDF
from fpdf.enums import XPos, YPos

MARGIN = 12  # mm, which every common printer can reach
FOOT = 10  # mm above the margin, kept free for the footer
FONT = "Roboto"
INK, GREY = 0, 90  # levels of grey, dark enough for a poor printer


class Format(StrEnum):
    """A size of paper."""

    A4 = "a4"
    LETTER = "letter"

    @property
    def word(self) -> str:
        """The size's name."""
        return "A4" if self is Format.A4 else "Letter"


class Paper(FPDF):
    """A document whose pages say at their foot what they are, when they were printed, and page n of m.

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
        self.add_font(FONT, "", font_roboto.Roboto)
        self.add_font(FONT, "B", font_roboto.RobotoBold)
        self.set_font(FONT, size=9)
        self.set_creation_date(printed)

    def footer(self) -> None:
        """The line at the foot of every page; FPDF calls it."""
        self.set_y(-MARGIN - 4)
        self.set_font(FONT, size=7)
        self.set_text_color(GREY)
        half = self.epw / 2
        self.cell(half + 20, 4, f"{self.subject} · printed {self.printed:%Y-%m-%d %H:%M} (UTC)")
        self.cell(half - 20, 4, f"page {self.page_no()} of {{nb}}", align="R")
        self.set_text_color(INK)

    @property
    def bottom(self) -> float:
        """Where the part of the page that may be drawn on ends."""
        return self.h - MARGIN - FOOT

    def make_room(self, height: float) -> bool:
        """Begin a new page unless a block of this height still fits on this one; says whether it did."""
        if self.y + height <= self.bottom:
            return False
        self.add_page()
        return True

    def heading(self, text: str, size: float = 14) -> None:
        """A line in bold letters; ``size`` in points."""
        self.set_font(FONT, "B", size)
        self.cell(self.epw, size * 0.5, text, new_x=XPos.LMARGIN, new_y=YPos.NEXT)
        self.set_font(FONT, size=9)

    def bytes(self) -> bytes:
        """The finished file."""
        return bytes(self.output())
