"""Every colour of the tokens can be read on every ground that it stands on, in both themes and for four sides."""

import re
from itertools import product

import pytest
from django.conf import settings

from firefight.drawing.board import PAINTS
from firefight.engine.board.board import Look

CSS = settings.BASE_DIR / "static" / "css"
GROUNDS = ("ground", "card", "raised")
TEXTS = ("ink", "soft", "link", "good", "bad", "side-1", "side-2", "side-3", "side-4")
SIGNS = ("edge", "accent", "bar")  # edges of controls, bars, what frames a selection
TEXT, SIGN = 4.5, 3.0


def read_colours(*files):
    """The colours of the tokens by name; a later file wins."""
    css = "".join((CSS / file).read_text("utf-8") for file in files)
    return dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6});", css))


def brightness(colour):
    """Relative luminance of "#rgb" or "#rrggbb", as WCAG counts it."""
    digits = colour[1:] if len(colour) == 7 else "".join(digit * 2 for digit in colour[1:])
    shares = (int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4))
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    light, dark = sorted((brightness(one), brightness(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_counted_as_wcag_does():
    assert contrast("#000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#fff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("files", [("tokens.css",), ("tokens.css", "light.css")], ids=["dark", "light"])
def test_colours_can_be_read(files):
    colours = read_colours(*files)
    needed = {(text, ground): TEXT for text, ground in product(TEXTS, GROUNDS)}
    needed |= {(sign, ground): SIGN for sign, ground in product(SIGNS, GROUNDS)}
    needed["accent-ink", "accent"] = TEXT
    weak = {
        pair: round(contrast(*(colours[name] for name in pair)), 2)
        for pair, least in needed.items()
        if contrast(*(colours[name] for name in pair)) < least
    }
    assert not weak


def test_both_themes_name_the_same_colours():
    dark, light = read_colours("tokens.css"), read_colours("light.css")
    assert dark.keys() == light.keys()


@pytest.mark.parametrize(("token", "paint"), [("place", Look.OPEN), ("gap", "gap")])
def test_signs_stand_on_the_colours_of_the_drawn_map(token, paint):
    """In the dark a map is turned round by a filter, its key by the token alone."""
    dark, light = read_colours("tokens.css"), read_colours("light.css")
    assert light[token] == PAINTS[paint].fill
    assert dark[token] == turned_round(PAINTS[paint].fill)


def turned_round(colour):
    """A colour after invert(.9) and hue-rotate(180deg), as Filter Effects counts them."""
    parts = [0.9 - 0.8 * int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    grey = 0.213 * parts[0] + 0.715 * parts[1] + 0.072 * parts[2]
    return "#" + "".join(f"{round(255 * (2 * grey - part)):02x}" for part in parts)
