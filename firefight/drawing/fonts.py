"""The letters of pictures: how long a word is, and how it is made to fit."""

from functools import lru_cache

import font_roboto
from PIL import ImageFont

from .shapes import Label

_MEASURED_AT = 200  # large enough for lengths that hold at every size


@lru_cache(maxsize=64)
def find_font(pixels: float, bold: bool) -> ImageFont.FreeTypeFont:
    """The letters at a size. The layout is the plain one, so that every machine sets them alike."""
    file = font_roboto.RobotoBold if bold else font_roboto.Roboto
    return ImageFont.truetype(file, pixels, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=2048)
def measure_length(text: str, size: float, bold: bool = False) -> float:
    """How long a word is at a size, in the unit of the size."""
    return find_font(_MEASURED_AT, bold).getlength(text) * size / _MEASURED_AT


def fit_word(text: str, room: float, size: float, least: float, bold: bool = False) -> tuple[str, float]:
    """A word and its size, at most ``size``, so that it is not longer than ``room``.

    It is made smaller as far as ``least``; after that its end gives way to an ellipsis.
    """
    fits = size * min(1, room / max(measure_length(text, size, bold), 0.01))
    if fits >= least:
        return text, fits
    while text and measure_length(f"{text}…", least, bold) > room:
        text = text[:-1].rstrip()
    return f"{text}…", least


def measure_word(x: float, y: float, text: str, size: float, role: str, bold: bool = False) -> Label:
    """A word of a drawing that knows how long it is."""
    return Label(x, y, text, size, role, bold=bold, length=measure_length(text, size, bold))


def halve_text(text: str, bold: bool = False) -> tuple[str, str]:
    """A text in two lines of about the same length, broken at a blank; the second is empty without one."""
    words = text.split()
    breaks = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
    return min(breaks, key=lambda two: max(measure_length(line, 1, bold) for line in two), default=(text, ""))


def printable(text: str) -> str:
    """A text without what has no letter: control characters and broken code points become blanks."""
    return "".join(char if char.isprintable() else " " for char in text)
