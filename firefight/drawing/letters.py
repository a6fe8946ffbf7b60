"""The letters of printed sheets: read from their files once, for reading them costs more than a sheet does."""

from copy import copy
from functools import cache
from typing import Any

import font_roboto
from fpdf import FPDF
from fpdf.fonts import SubsetMap, TTFFont

FONT = "Roboto"
UNUSED = {"GSUB", "GPOS", "GDEF"}  # how letters grow together, which FPDF leaves alone and out of its files


def give_letters() -> dict[str, TTFFont]:
    """The plain and the bold letters for one document, by FPDF's names of them."""
    return {name: _as_read(font) for name, font in _read_fonts().items()}


@cache
def _read_fonts() -> dict[str, TTFFont]:
    """Both, with all that documents need of them; a document would change them by picking its letters."""
    document = FPDF()
    document.add_font(FONT, "", font_roboto.Roboto)
    document.add_font(FONT, "B", font_roboto.RobotoBold)
    found = {name: font for name, font in document.fonts.items() if isinstance(font, TTFFont)}
    for each in found.values():
        read = each.ttfont
        read.tables = {tag: read[tag] for tag in {*read.reader.keys()} - UNUSED}
        read.close()
        read.reader = None  # whatever is not read yet is not there
        read.recalcBBoxes = False  # each letter is as large as its font says: to measure it is to draw it anew
    return found


def _as_read(font: TTFFont) -> TTFFont:
    """A font of which no letter has been used yet. What a document changes of it is its own, the rest is shared."""
    found = copy(font)
    found.ttfont = copy(font.ttfont)
    found.subset, found.missing_glyphs, found.cw = SubsetMap(found), [], font.cw.copy()
    found.ttfont.tables = tables = {tag: copy(table) for tag, table in font.ttfont.tables.items()}
    tables["cmap"].tables = [copy(each) for each in tables["cmap"].tables]
    tables["glyf"].glyphs = _Outlines(tables["glyf"].glyphs)
    return found


class _Outlines(dict[str, Any]):
    """The outlines of a font's letters, each made anew of its bytes when a document first asks for it."""

    def __init__(self, shared: dict[str, Any]) -> None:
        super().__init__()
        self.shared = shared

    def __contains__(self, name: object) -> bool:
        return name in self.shared

    def __missing__(self, name: str) -> Any:
        shared = self.shared[name]
        self[name] = found = type(shared)(vars(shared).get("data", b""))
        return found
