"""The sector map as a drawing: whole, within its frame, readable, and told in words; pictures as reviewed."""

from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageStat

from campaign.pictures.figures import EmptySector, list_empty_sectors, map_parts, sector_map
from campaign.pictures.paints import MAP
from campaign.rules.sectors import Holding
from config.settings import BASE_DIR
from firefight.drawing import png, svg
from firefight.drawing.fonts import measure_length
from firefight.drawing.layout.frame import MapOutlines as MapDrawing
from firefight.drawing.shapes import Pattern
from firefight.games.combat_stalingrad.pictures.counters import draw_counter
from firefight.games.combat_stalingrad.pictures.paints import PAINTS as COUNTERS
from tests.campaign.plain import CONTENT, GERMAN
from tests.firefight.drawing.looks import beyond, words
from tests.references import FOLDER, painted, sectors

MAP_DRAWING = CONTENT.sector_map.drawing


def test_the_map_is_whole_and_has_every_sector_once():
    drawing = sector_map(MAP_DRAWING, sectors(), "CG II · firefight 2, AM")
    assert beyond(drawing, MAP) == []
    assert {shape.role for shape in drawing.shapes} <= {*MAP}
    labels = words(drawing)
    assert sorted(int(word) for word in labels if word.isdigit()) == [*range(1, 23)]
    assert {"CG II · firefight 2, AM", "West: German map edge", "East: Russian map edge", "G6 R14"} <= {*labels}
    assert {"German", "Russian", "Threatened", "Nobody’s", "Isolated"} <= {*labels}


def test_a_map_shows_control_isolation_and_the_chosen_sector():
    roles = {number: cell[0].role for number, cell in map_parts(MAP_DRAWING, sectors()).sectors.items()}
    assert {number for number, role in roles.items() if role == "german"} == {5, 6, 7, 12, 13, 14}
    assert (roles[20], roles[21], roles[11]) == ("nobody", "threatened", "russian")
    parts = map_parts(MAP_DRAWING, sectors())
    outlined = {shape.role: shape.points for shape in parts.outlines}
    assert outlined == {"chosen": parts.sectors[7][0].points, "cut-off": parts.sectors[11][0].points}
    assert parts.drawing.shapes[-2:] == parts.outlines


def test_holdings_differ_without_their_colours():
    assert len({MAP[holding.value].pattern for holding in Holding}) == len(Holding)
    assert MAP["nobody"].pattern is Pattern.PLAIN
    assert MAP["cut-off"].dash


def test_a_map_in_words():
    assert sector_map(MAP_DRAWING, sectors(), "CG II").told == (
        "CG II. German: 5, 6, 7, 12, 13 and 14. Russian: 1 to 4, 8 to 11, 15 to 19 and 22. Nobody's: 20. "
        "Threatened: 21. Isolated: 11. Units by sector: 5: G3; 7: G12; 11: R9; 13: G4; 19: R1; 21: G6 R14."
    )


def test_a_map_for_the_pencil_has_numbers_alone():
    drawing = sector_map(MAP_DRAWING, list_empty_sectors(CONTENT.sector_map), legend=False)
    assert {shape.role for shape in drawing.shapes} == {"ground", "edge", "nobody", "number"}
    assert drawing.told.startswith("Sector map. Nobody's: 1 to 22.")


@pytest.mark.parametrize(("width", "height"), [(9_000, 3_000), (36, 43), (100, 10_000)])
def test_a_map_of_any_size_is_drawn_at_the_same_one(width, height):
    cell = ((0, 0), (width, 0), (width, height), (0, height))
    drawing = sector_map(
        MapDrawing(width, height, {1: cell}, {1: (width // 2, height // 2)}), [EmptySector(1)], legend=False
    )
    assert max(drawing.width / 368, drawing.height / 508) == pytest.approx(1)
    assert drawing.shapes[-2].points[2] == pytest.approx((drawing.width - 4, drawing.height - 4))


@settings(max_examples=20, deadline=None)
@given(st.text(max_size=30), st.text(max_size=80))
def test_whatever_a_map_says_keeps_to_its_frame(mark, heading):
    drawing = sector_map(MAP_DRAWING, [EmptySector(n, mark=mark) for n in MAP_DRAWING.cells], heading)
    assert [shape for shape in beyond(drawing, MAP) if shape.role in ("heading", "edge")] == []
    long = [measure_length(shape.text, shape.size) for shape in drawing.shapes if shape.role == "mark"]
    assert max(long, default=0) <= 52 + 1e-6
    ElementTree.fromstring(svg.document(drawing, MAP))


def test_the_style_sheet_knows_what_pages_draw():
    css = (BASE_DIR / "static" / "css" / "campaign.css").read_text(encoding="utf-8")
    drawn = {shape.role for shape in map_parts(MAP_DRAWING, sectors()).drawing.shapes} - {"edge"}  # plain text
    assert {role for role in drawn if f".sector-map .{role} {{" not in css} == set()
    assert all(f"url(#of-{holding})" in css for holding in ("german", "russian", "threatened"))


# Against pictures that were looked at


@pytest.mark.parametrize("name", ["german-counters", "russian-counters", "states", "map", "blank-map"])
def test_pictures_look_as_they_did_when_they_were_reviewed(name, pictures):
    reviewed, picture = Image.open(FOLDER / f"{name}.png").convert("RGB"), pictures[name]
    assert picture.size == reviewed.size
    difference = ImageChops.difference(picture, reviewed).convert("L")
    assert ImageStat.Stat(difference).mean[0] < 2, "see tests/references"
    changed = difference.point(lambda level: 255 * (level > 60))
    assert ImageStat.Stat(changed).mean[0] / 255 < 0.004, "see tests/references"


@pytest.fixture(scope="module")
def pictures():
    return painted()


def test_no_reviewed_picture_is_left_over(pictures):
    assert {file.stem for file in FOLDER.glob("*.png")} == {*pictures}


def test_twice_as_large_is_painted_anew():
    counter = draw_counter(CONTENT.counters[GERMAN]["nco"], GERMAN), COUNTERS
    for drawing, paints in (counter, (sector_map(MAP_DRAWING, sectors()), MAP)):
        small, large = (png.paint_image(drawing, paints, scale) for scale in (1, 2))
        assert large.size == (2 * small.width, 2 * small.height)
        blurred = small.resize(large.size, Image.Resampling.BICUBIC)
        assert edges(large) > 1.3 * edges(blurred)
        assert ImageStat.Stat(ImageChops.difference(large.reduce(2), small).convert("L")).mean[0] < 8


def edges(picture):
    """How hard the edges of a picture are: the mean square of the steps between neighbouring points."""
    grey = picture.convert("L")
    return ImageStat.Stat(ImageChops.difference(grey, ImageChops.offset(grey, 1, 0))).rms[0] ** 2
