"""Counters and the sector map as drawings: every one whole, within its frame, readable, and told in words."""

from itertools import combinations
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops, ImageStat

from campaign.pictures import symbols
from campaign.pictures.figures import COUNTER, Blank, blanks, counter, describe_counter, map_parts, sector_map, values
from campaign.pictures.paints import COUNTERS, MAP, PAINTS
from campaign.rules.counters import Counter, CounterKind
from campaign.rules.maps import MapOutlines as MapDrawing
from campaign.rules.reading import FileProvenance
from campaign.rules.sectors import Holding
from campaign.rules.sides import Side
from campaign.rules.units import Mark, may_carry
from config.settings import BASE_DIR
from firefight.drawing import png, svg
from firefight.drawing.fonts import length
from firefight.drawing.shapes import Ellipse, Label, Line, Pattern, Polygon
from tests.campaign.plain import CONTENT, GERMAN, RUSSIAN
from tests.references import FOLDER, painted, sectors

EVERY = [(side, each) for side in Side for each in CONTENT.counters[side].values()]
NAMES = [f"{side}-{each.key}" for side, each in EVERY]
MAP_DRAWING = CONTENT.sector_map.drawing


def made(name="Rifle squad", kind=CounterKind.SQUAD, ff=5, half_ff=3, ccv=6, tq=6):
    """A counter that is in no box."""
    half_ff = half_ff if kind is CounterKind.SQUAD else None
    return Counter("made", name, kind, 1, ff, half_ff, ccv, tq, FileProvenance("house", {}))


def reach(shape):
    """The box around a shape, its line and its letters included."""
    paint = PAINTS[shape.role]
    more = paint.width / 2 if paint.line else 0
    match shape:
        case Polygon() | Line():
            xs, ys = zip(*shape.points, strict=True)
        case Ellipse():
            xs, ys = (shape.x - shape.rx, shape.x + shape.rx), (shape.y - shape.ry, shape.y + shape.ry)
        case Label():
            long = length(shape.text, shape.size, shape.bold)
            start = shape.x - {"start": 0, "middle": long / 2, "end": long}[shape.anchor]
            xs, ys, more = (start, start + long), (shape.y - 0.74 * shape.size, shape.y + 0.22 * shape.size), 0
    return min(xs) - more, min(ys) - more, max(xs) + more, max(ys) + more


def beyond(drawing):
    """Shapes that leave the frame."""
    return [
        shape
        for shape in drawing.shapes
        for left, top, right, bottom in [reach(shape)]
        if left < 0 or top < 0 or right > drawing.width or bottom > drawing.height
    ]


def clashes(drawing):
    """Words that lie on one another."""
    words = [(shape.text, reach(shape)) for shape in drawing.shapes if isinstance(shape, Label)]
    return [
        (one, other)
        for (one, a), (other, b) in combinations(words, 2)
        if a[0] < b[2] and b[0] < a[2] and a[1] + 1.5 < b[3] and b[1] + 1.5 < a[3]
    ]


def words(drawing):
    """The words of a drawing."""
    return [shape.text for shape in drawing.shapes if isinstance(shape, Label)]


# Counters


@pytest.mark.parametrize(("side", "each"), EVERY, ids=NAMES)
def test_every_counter_is_whole_in_every_state(side, each):
    marks = may_carry(each.kind)
    for state in [(), *([mark] for mark in marks), marks]:
        drawing = counter(each, side, state)
        assert beyond(drawing) == []
        assert clashes(drawing) == []
        assert {shape.role for shape in drawing.shapes} <= {*COUNTERS}
        assert "…" not in "".join(words(drawing))
        root = ElementTree.fromstring(svg.document(drawing, PAINTS))
        assert root.get("aria-label") == drawing.told
    picture = png.image(counter(each, side), PAINTS)
    assert picture.size == (COUNTER, COUNTER)
    assert len(picture.getcolors(COUNTER**2)) > 5


@pytest.mark.parametrize(("side", "each"), EVERY, ids=NAMES)
def test_the_letters_of_every_counter_can_be_read(side, each):
    # 14 mm on paper: a unit is 0.62 points, and a letter of 5.2 units has 3.2 of them, or 4 on a screen of 48 points.
    sizes = {shape.text: shape.size for shape in counter(each, side).shapes if isinstance(shape, Label)}
    assert min(sizes.values()) >= 5.8
    assert all(size >= 10 for word, size in sizes.items() if word.isdigit())


def test_no_two_counters_of_a_side_look_alike():
    for side in Side:
        looks = {}
        for each in CONTENT.counters[side].values():
            looks.setdefault(png.image(counter(each, side), PAINTS).tobytes(), []).append(each.key)
        assert [keys for keys in looks.values() if len(keys) > 1] == []


def test_arms_are_told_apart_by_their_signs_alone():
    signs = {each.key: symbols.sign(each) for each in CONTENT.counters[GERMAN].values()}
    arms = ("pioneer_squad", "officer", "nco", "heavy_mg_34", "grw_34", "pak_38", "pz_iv_f2", "ju_87", "mine_factor")
    assert len({signs[key] for key in arms}) == len(arms)
    assert signs["pz_iv_f1"] != signs["pz_iv_f2"]


@pytest.mark.parametrize("kind", CounterKind)
def test_a_counter_that_is_not_known_gets_the_sign_of_its_kind(kind):
    drawing = counter(made("Something else", kind), RUSSIAN)
    assert beyond(drawing) == clashes(drawing) == []
    assert len(drawing.shapes) > 6


def test_what_a_counter_says():
    assert words(counter(made(), RUSSIAN)) == ["Rifle", "5", "/3", "6", "6"]
    assert words(counter(made(), RUSSIAN, [Mark.REDUCED])) == ["Rifle", "REDUCED", "3", "4", "6"]
    assert words(counter(made("Po-2", CounterKind.AIRCRAFT, None, None, None, None), RUSSIAN)) == ["Po-2"]
    mortar = made("GrW 36 light mortar", CounterKind.SW_TEAM, None)
    assert words(counter(mortar, GERMAN)) == ["GrW 36", "light mortar", "6", "6"]
    tank = made("Pz IV", CounterKind.VEHICLE, None, None, 8, 8)
    assert words(counter(tank, GERMAN, [Mark.SUPPRESSED, Mark.M_KILLED])) == ["Pz IV", "M-K SUP", "8", "8"]
    many = [Mark.PINNED, Mark.DISRUPTED, Mark.WIA, Mark.ENFILADED]
    assert words(counter(made(), RUSSIAN, many))[1] == "PIN DIS +2"


def test_a_counter_in_words():
    assert describe_counter(made(), RUSSIAN) == "Rifle squad, Russian squad: FF 5, half-squad 3; CCV 6; TQ 6."
    assert describe_counter(made(), RUSSIAN, [Mark.PINNED, Mark.REDUCED]) == (
        "Rifle squad, Russian squad: FF 3; CCV 4; TQ 6. Reduced, Pinned Down."
    )
    assert (
        describe_counter(made("Ju 87", CounterKind.AIRCRAFT, None, None, None, None), GERMAN)
        == "Ju 87, German aircraft."
    )
    assert describe_counter(made("Pz III", CounterKind.VEHICLE, None, None, 8, 8), GERMAN, [Mark.M_KILLED]) == (
        "Pz III, German vehicle: CCV 8; TQ 8. M-KILLED."
    )


def test_a_reduced_squad_shows_its_smaller_side():
    assert values(made(), [Mark.REDUCED]) == (3, None, 4)
    assert values(made(half_ff=None), [Mark.REDUCED]) == (None, None, None)
    assert values(made(kind=CounterKind.VEHICLE), [Mark.M_KILLED]) == (5, None, 6)


def test_sides_differ_without_their_colours():
    german, russian = (counter(made(), side) for side in Side)
    assert german.shapes[0].points != russian.shapes[0].points
    assert PAINTS["german-counter"].pattern is not PAINTS["russian-counter"].pattern
    heads = [png.image(each, PAINTS).convert("L").crop((8, 3, 56, 6)) for each in (german, russian)]
    dark, light = (ImageStat.Stat(head).mean[0] for head in heads)
    assert dark < 80 and light > 220


@settings(max_examples=60, deadline=None)
@given(
    name=st.one_of(st.text(min_size=1, max_size=40), st.text("WШ<&>\"' ", min_size=1, max_size=40)),
    kind=st.sampled_from(CounterKind),
    numbers=st.tuples(*[st.none() | st.integers(1, most) for most in (200, 200, 50, 10)]),
    side=st.sampled_from(Side),
    marks=st.sets(st.sampled_from(Mark)),
)
def test_whatever_a_counter_is_called_it_keeps_to_its_frame(name, kind, numbers, side, marks):
    drawing = counter(made(name, kind, *numbers), side, marks)
    assert beyond(drawing) == clashes(drawing) == []
    root = ElementTree.fromstring(svg.document(drawing, PAINTS))
    assert not [each for each in root.iter() if "style" in each.attrib]
    png.image(drawing, PAINTS, 0.5)


@pytest.mark.parametrize("mark", Mark)
def test_every_mark_is_drawn_alone_and_beside_another(mark):
    for marks in ([mark], [mark, Mark.HELD]):
        assert beyond(counter(made("Sturmovik", CounterKind.AIRCRAFT), Side.RUSSIAN, marks)) == []


# The map


def test_the_map_is_whole_and_has_every_sector_once():
    drawing = sector_map(MAP_DRAWING, sectors(), "CG II · firefight 2, AM")
    assert beyond(drawing) == []
    assert {shape.role for shape in drawing.shapes} <= {*MAP}
    found = words(drawing)
    assert sorted(int(word) for word in found if word.isdigit()) == [*range(1, 23)]
    assert {"CG II · firefight 2, AM", "West: German map edge", "East: Russian map edge", "G6 R14"} <= {*found}
    assert {"German", "Russian", "Threatened", "Nobody’s", "Isolated"} <= {*found}


def test_a_map_shows_control_isolation_and_the_chosen_sector():
    roles = {number: cell[0].role for number, cell in map_parts(MAP_DRAWING, sectors()).sectors.items()}
    assert {number for number, role in roles.items() if role == "german"} == {5, 6, 7, 12, 13, 14}
    assert (roles[20], roles[21], roles[11]) == ("nobody", "threatened", "russian")
    parts = map_parts(MAP_DRAWING, sectors())
    outlined = {shape.role: shape.points for shape in parts.outlines}
    assert outlined == {"chosen": parts.sectors[7][0].points, "cut-off": parts.sectors[11][0].points}
    assert parts.drawing.shapes[-2:] == parts.outlines


def test_holdings_differ_without_their_colours():
    assert len({PAINTS[holding.value].pattern for holding in Holding}) == len(Holding)
    assert PAINTS["nobody"].pattern is Pattern.PLAIN
    assert PAINTS["cut-off"].dash


def test_a_map_in_words():
    assert sector_map(MAP_DRAWING, sectors(), "CG II").told == (
        "CG II. German: 5, 6, 7, 12, 13 and 14. Russian: 1 to 4, 8 to 11, 15 to 19 and 22. Nobody's: 20. "
        "Threatened: 21. Isolated: 11. Units by sector: 5: G3; 7: G12; 11: R9; 13: G4; 19: R1; 21: G6 R14."
    )


def test_a_map_for_the_pencil_has_numbers_alone():
    drawing = sector_map(MAP_DRAWING, blanks(CONTENT.sector_map), legend=False)
    assert {shape.role for shape in drawing.shapes} == {"ground", "edge", "nobody", "number"}
    assert drawing.told.startswith("Sector map. Nobody's: 1 to 22.")


@pytest.mark.parametrize(("width", "height"), [(9_000, 3_000), (36, 43), (100, 10_000)])
def test_a_map_of_any_size_is_drawn_at_the_same_one(width, height):
    cell = ((0, 0), (width, 0), (width, height), (0, height))
    drawing = sector_map(MapDrawing(width, height, {1: cell}, {1: (width // 2, height // 2)}), [Blank(1)], legend=False)
    assert max(drawing.width / 368, drawing.height / 508) == pytest.approx(1)
    assert drawing.shapes[-2].points[2] == pytest.approx((drawing.width - 4, drawing.height - 4))


@settings(max_examples=20, deadline=None)
@given(st.text(max_size=30), st.text(max_size=80))
def test_whatever_a_map_says_keeps_to_its_frame(mark, heading):
    drawing = sector_map(MAP_DRAWING, [Blank(n, mark=mark) for n in MAP_DRAWING.cells], heading)
    assert [shape for shape in beyond(drawing) if shape.role in ("heading", "edge")] == []
    long = [length(shape.text, shape.size) for shape in drawing.shapes if shape.role == "mark"]
    assert max(long, default=0) <= 52 + 1e-6
    ElementTree.fromstring(svg.document(drawing, PAINTS))


def test_the_style_sheet_knows_what_pages_draw():
    css = (BASE_DIR / "static" / "css" / "campaign.css").read_text(encoding="utf-8")
    drawn = {shape.role for shape in map_parts(MAP_DRAWING, sectors()).drawing.shapes} - {"edge"}  # plain text
    assert {role for role in drawn if f".sector-map .{role} {{" not in css} == set()
    assert all(f"url(#of-{holding})" in css for holding in ("german", "russian", "threatened"))


# Against pictures that were looked at


@pytest.mark.parametrize("name", ["german-counters", "russian-counters", "states", "map", "blank-map"])
def test_pictures_look_as_they_did_when_they_were_reviewed(name, now):
    reviewed, found = Image.open(FOLDER / f"{name}.png").convert("RGB"), now[name]
    assert found.size == reviewed.size
    difference = ImageChops.difference(found, reviewed).convert("L")
    assert ImageStat.Stat(difference).mean[0] < 2, "see tests/references"
    changed = difference.point(lambda level: 255 * (level > 60))
    assert ImageStat.Stat(changed).mean[0] / 255 < 0.004, "see tests/references"


@pytest.fixture(scope="module")
def now():
    return painted()


def test_no_reviewed_picture_is_left_over(now):
    assert {file.stem for file in FOLDER.glob("*.png")} == {*now}


def test_twice_as_large_is_painted_anew():
    for drawing in (counter(made(), GERMAN), sector_map(MAP_DRAWING, sectors())):
        small, large = (png.image(drawing, PAINTS, scale) for scale in (1, 2))
        assert large.size == (2 * small.width, 2 * small.height)
        blurred = small.resize(large.size, Image.Resampling.BICUBIC)
        assert edges(large) > 1.3 * edges(blurred)
        assert ImageStat.Stat(ImageChops.difference(large.reduce(2), small).convert("L")).mean[0] < 8


def edges(picture):
    """How hard the edges of a picture are: the mean square of the steps between neighbouring points."""
    grey = picture.convert("L")
    return ImageStat.Stat(ImageChops.difference(grey, ImageChops.offset(grey, 1, 0))).rms[0] ** 2
