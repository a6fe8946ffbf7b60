"""The letters of printed sheets: read from their files once, since reading them costs more than a sheet does."""

from copy import copy
from functools import cache
from typing import Any

import font_roboto
from fpdf import FPDF
from fpdf.fonts import SubsetMap, TTFFont

FONT = "Roboto"
UNUSED = {"GSUB", "GPOS", "GDEF"}  # how letters are joined, which FPDF ignores and leaves out of its files


def give_letters() -> dict[str, TTFFont]:
    """The plain and the bold letters for one document, by FPDF's names of them."""
    return {name: _as_read(font) for name, font in _read_fonts().items()}


@cache
def _read_fonts() -> dict[str, TTFFont]:
    """Both, with all that documents need; a document would change them by picking its letters."""
    document = FPDF()
    document.add_font(FONT, "", font_roboto.Roboto)
    document.add_font(FONT, "B", font_roboto.RobotoBold)
    fonts = {name: font for name, font in document.fonts.items() if isinstance(font, TTFFont)}
    for typeface in fonts.values():
        read = typeface.ttfont
        read.tables = {tag: read[tag] for tag in {*read.reader.keys()} - UNUSED}
        read.close()
        read.reader = None  # whatever has not been read yet is missing
        read.recalcBBoxes = False  # each letter is as large as its font says: measuring it would draw it again
    return fonts


def _as_read(font: TTFFont) -> TTFFont:
    """A font with no letter used yet. What a document changes in it is its own, the rest is shared."""
    fresh = copy(font)
    fresh.ttfont = copy(font.ttfont)
    fresh.subset, fresh.missing_glyphs, fresh.cw = SubsetMap(fresh), [], font.cw.copy()
    fresh.ttfont.tables = tables = {tag: copy(table) for tag, table in font.ttfont.tables.items()}
    tables["cmap"].tables = [copy(table) for table in tables["cmap"].tables]
    tables["glyf"].glyphs = _Outlines(tables["glyf"].glyphs)
    return fresh


class _Outlines(dict[str, Any]):
    """The outlines of a font's letters, each made from its bytes when a document first asks for it."""

    def __init__(self, shared: dict[str, Any]) -> None:
        super().__init__()
        self.shared = shared

    def __contains__(self, name: object) -> bool:
        return name in self.shared

    def __missing__(self, name: str) -> Any:
        shared = self.shared[name]
        self[name] = outline = type(shared)(vars(shared).get("data", b""))
        return outline
