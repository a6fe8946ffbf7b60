"""Drawings as PNG: the right points in the right places, smooth, and sharper where they are larger."""

from io import BytesIO

import pytest
from PIL import Image, ImageChops, ImageStat

from firefight.drawing.png import paint_image, png
from firefight.drawing.shapes import Drawing, Ellipse, Label, Line, Paint, Pattern, Polygon, box

WHITE, BLACK, RED = (255, 255, 255), (0, 0, 0), (255, 0, 0)
PAINTS = {
    "red": Paint("#ff0000"),
    "word": Paint("#000000"),
    "haloed": Paint("#000000", "#ff0000", 4),
    "way": Paint("", "#000000", 2),
    "broken": Paint("", "#000000", 2, dash=6),
    "ring": Paint("", "#000000", 2),
    "hatched": Paint("#ffffff", "", 1, Pattern.HATCHED),
    "dotted": Paint("#ffffff", "", 1, Pattern.DOTTED),
    "crossed": Paint("#ffffff", "", 1, Pattern.CROSSED),
}


def drawn(*shapes, scale=1, width=40, height=30):
    return paint_image(Drawing(width, height, shapes, "A picture"), PAINTS, scale)


def share_of(picture, colour):
    return dict(map(reversed, colours_of(picture))).get(colour, 0) / (picture.width * picture.height)


def colours_of(picture):
    return picture.getcolors(picture.width * picture.height)


def test_a_file_is_a_png_of_the_size_that_was_asked_for_and_says_what_it_shows():
    for scale in (1, 2, 3):
        file = Image.open(BytesIO(png(Drawing(40, 30, (box(0, 0, 5, 5, "red"),), "Ein № & <b>"), PAINTS, scale)))
        assert (file.format, file.size) == ("PNG", (40 * scale, 30 * scale))
        assert file.text["Description"] == "Ein № & <b>"
    assert png(Drawing(40, 30, (), "x"), PAINTS) == png(Drawing(40, 30, (), "x"), PAINTS)


def test_an_area_is_painted_where_it_lies():
    picture = drawn(box(10, 10, 10, 5, "red"), scale=2)
    assert picture.getpixel((20, 20)) == picture.getpixel((39, 29)) == RED
    assert picture.getpixel((18, 20)) == picture.getpixel((42, 29)) == WHITE


def test_slanted_edges_are_smooth():
    picture = drawn(Polygon(((0, 0), (40, 0), (0, 30)), "red"))
    assert len({colour for _, colour in colours_of(picture)} - {RED, WHITE}) > 3


def test_later_shapes_lie_above_earlier_ones():
    picture = drawn(box(0, 0, 40, 30, "red"), Line(((0, 15), (40, 15)), "way"))
    assert picture.getpixel((20, 15)) == BLACK
    assert picture.getpixel((20, 5)) == RED


def test_a_ring_lies_half_inside_of_its_radius_and_half_outside():
    picture = drawn(Ellipse(20, 15, 10, 10, "ring"), scale=2)
    assert picture.getpixel((40, 30)) == WHITE
    assert picture.getpixel((40 + 19, 30)) == picture.getpixel((40 + 21, 30)) == BLACK
    assert picture.getpixel((40 + 17, 30)) == picture.getpixel((40 + 23, 30)) == WHITE


def test_a_broken_line_has_gaps_around_its_corners_as_well():
    whole, broken = (share_of(drawn(box(5, 5, 30, 20, role), scale=2), BLACK) for role in ("way", "broken"))
    assert 0.5 < broken / whole < 0.8


@pytest.mark.parametrize(("role", "low", "high"), [("hatched", 0.2, 0.4), ("dotted", 0.1, 0.25), ("crossed", 0.4, 0.6)])
def test_a_pattern_fills_its_area_evenly_and_stays_inside(role, low, high):
    triangle = Polygon(((0, 0), (160, 0), (0, 160)), role)
    picture = paint_image(Drawing(160, 160, (triangle,), ""), PAINTS, 1).convert("L")
    inside = [picture.crop((x, y, x + 40, y + 40)) for x, y in ((0, 0), (40, 8), (8, 40), (38, 38))]
    inked = [1 - ImageStat.Stat(part).mean[0] / 255 for part in inside]
    assert low < min(inked) <= max(inked) < high
    assert max(inked) - min(inked) < 0.04
    assert picture.crop((100, 100, 160, 160)).getextrema() == (255, 255)


def test_patterns_of_neighbours_meet():
    whole = drawn(box(0, 0, 40, 30, "hatched"))
    divided = drawn(box(0, 0, 17, 30, "hatched"), box(17, 0, 23, 30, "hatched"))
    assert max(high for _, high in ImageChops.difference(whole, divided).getextrema()) < 140
    assert sum(ImageStat.Stat(ImageChops.difference(whole, divided)).mean) < 3


def test_a_word_stands_on_its_line_by_its_anchor():
    for anchor, (left, right) in {"start": (20, 40), "middle": (10, 30), "end": (0, 20)}.items():
        picture = drawn(Label(20, 20, "HH", 12, "word", anchor=anchor))
        x, y, until, bottom = ImageChops.invert(picture).getbbox()
        assert left <= x < until <= right
        assert 10 < y < 14 and bottom <= 21


def test_a_halo_runs_around_the_letters():
    picture = drawn(Label(20, 20, "H", 16, "haloed"), scale=2)
    assert share_of(picture, RED) > share_of(picture, BLACK) > 0


def test_twice_as_large_is_twice_as_sharp_and_the_same_picture():
    shapes = (box(3, 3, 30, 20, "hatched"), Label(20, 20, "Rifle 8", 9, "word"), Ellipse(30, 10, 5, 5, "ring"))
    small, large = drawn(*shapes), drawn(*shapes, scale=2)
    assert sum(ImageStat.Stat(ImageChops.difference(large.reduce(2), small)).mean) / 3 < 12
    blurred = small.resize(large.size, Image.Resampling.BICUBIC)
    assert edges(large) > 1.4 * edges(blurred)


def edges(picture):
    """How hard the edges of a picture are: the mean square of the steps between neighbouring points."""
    grey = picture.convert("L")
    step = ImageChops.difference(grey, ImageChops.offset(grey, 1, 0))
    return ImageStat.Stat(step).rms[0] ** 2


@pytest.mark.parametrize(("width", "height", "scale"), [(0, 10, 1), (40, 30, 0), (9_000, 9_000, 1), (10, 10, -1)])
def test_an_empty_or_enormous_picture_is_refused(width, height, scale):
    with pytest.raises(ValueError, match="cannot be painted"):
        paint_image(Drawing(width, height, (), ""), PAINTS, scale)


def test_a_role_without_paint_is_an_error():
    with pytest.raises(KeyError, match="gold"):
        drawn(box(0, 0, 5, 5, "gold"))
