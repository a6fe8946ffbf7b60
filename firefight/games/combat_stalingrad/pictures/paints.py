"""The colours of counters where no style sheet gives them: PNG, SVG files, paper. They hold in black and white too."""

from firefight.drawing.shapes import Paint, Pattern

_INK, _PAPER = "#1b1b19", "#ffffff"

PAINTS = {
    "german-counter": Paint("#dde5ea", _INK, 1.4, Pattern.HATCHED, "#c3d0d9", 7),
    "german-band": Paint("#2c4a60", _INK, 1.4),
    "german-name": Paint(_PAPER),
    "russian-counter": Paint("#ecd3a0", _INK, 1.4, Pattern.DOTTED, "#d3b271", 7),
    "russian-band": Paint("#fbf1da", _INK, 1.4),
    "russian-name": Paint(_INK),
    "solid": Paint(_INK),
    "stroke": Paint("", _INK, 1.9),
    "barrel": Paint("", _INK, 2.6),
    "outline": Paint("", _INK, 1.9),
    "paper": Paint(_PAPER, _INK, 1.5),
    "gap": Paint(_PAPER, _PAPER, 1),
    "figure": Paint(_INK, "#f4f1e8", 2),
    "strip": Paint(_INK),
    "strip-word": Paint(_PAPER),
}
