"""The colours of the map where no style sheet gives them: PNG, SVG files, paper. They work in black and white too."""

from firefight.drawing.shapes import Paint, Pattern

_INK, _PAPER = "#1b1b19", "#ffffff"

MAP = {
    "german": Paint("#eef3f6", _INK, 1.5, Pattern.HATCHED, "#86a3b7", 9),
    "russian": Paint("#fdf4e3", _INK, 1.5, Pattern.DOTTED, "#b3873a", 9),
    "threatened": Paint("#fbece8", _INK, 1.5, Pattern.CROSSED, "#bf6a55", 9),
    "ground": Paint("#a9a698", _INK, 1.5),
    "nobody": Paint(_PAPER, _INK, 1.5),
    "cut-off": Paint("", "#a11c0a", 4, dash=5),
    "chosen": Paint("", "#a03a22", 6),
    "changed": Paint("", _INK, 4),
    "news": Paint(_INK, _PAPER, 1.5),
    "number": Paint(_INK, _PAPER, 5),
    "mark": Paint(_INK, _PAPER, 5),
    "edge": Paint("#44443d"),
    "heading": Paint(_INK),
}
