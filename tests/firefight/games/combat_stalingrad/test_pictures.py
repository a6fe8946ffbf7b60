"""Counters as drawings: every one whole, within its frame, readable, and told in words."""

from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import ImageStat

from firefight.drawing import png, svg
from firefight.drawing.shapes import Label
from firefight.engine.errors import BadInput
from firefight.games.combat_stalingrad.pictures import symbols
from firefight.games.combat_stalingrad.pictures.counters import COUNTER, describe_counter, draw_counter, shown_values
from firefight.games.combat_stalingrad.pictures.paints import PAINTS
from firefight.games.combat_stalingrad.rules.counters import Counter, CounterKind
from firefight.games.combat_stalingrad.rules.marks import Mark, may_carry
from firefight.games.combat_stalingrad.rules.reading import FileProvenance
from firefight.games.combat_stalingrad.rules.sides import Side
from tests.firefight.drawing.looks import beyond, clashes, words

from .gallery import COUNTERS

EVERY = [(side, kind) for side in Side for kind in COUNTERS[side].values()]
NAMES = [f"{side}-{kind.key}" for side, kind in EVERY]
GERMAN, RUSSIAN = Side


def plain_counter(name="Rifle squad", kind=CounterKind.SQUAD, ff=5, half_ff=3, ccv=6, tq=6):
    """A counter that is in no box."""
    half_ff = half_ff if kind is CounterKind.SQUAD else None
    return Counter("made", name, kind, 1, ff, half_ff, ccv, tq, FileProvenance("house", {}))


@pytest.mark.parametrize(("side", "kind"), EVERY, ids=NAMES)
def test_every_counter_is_whole_in_every_state(side, kind):
    marks = may_carry(kind.kind)
    for state in [(), *([mark] for mark in marks), marks]:
        drawing = draw_counter(kind, side, state)
        assert beyond(drawing, PAINTS) == []
        assert clashes(drawing, PAINTS) == []
        assert {shape.role for shape in drawing.shapes} <= {*PAINTS}
        assert "…" not in "".join(words(drawing))
        root = ElementTree.fromstring(svg.document(drawing, PAINTS))
        assert root.get("aria-label") == drawing.told
    picture = png.paint_image(draw_counter(kind, side), PAINTS)
    assert picture.size == (COUNTER, COUNTER)
    assert len(picture.getcolors(COUNTER**2)) > 5


@pytest.mark.parametrize(("side", "kind"), EVERY, ids=NAMES)
def test_the_letters_of_every_counter_can_be_read(side, kind):
    # 14 mm on paper: a unit is 0.62 points, and a letter of 5.2 units has 3.2 of them, or 4 on a screen of 48 points.
    sizes = {shape.text: shape.size for shape in draw_counter(kind, side).shapes if isinstance(shape, Label)}
    assert min(sizes.values()) >= 5.8
    assert all(size >= 10 for word, size in sizes.items() if word.isdigit())


def test_no_two_counters_of_a_side_look_alike():
    for side in Side:
        looks = {}
        for kind in COUNTERS[side].values():
            looks.setdefault(png.paint_image(draw_counter(kind, side), PAINTS).tobytes(), []).append(kind.key)
        assert [keys for keys in looks.values() if len(keys) > 1] == []


def test_arms_are_told_apart_by_their_signs_alone():
    signs = {kind.key: symbols.find_sign(kind) for kind in COUNTERS[GERMAN].values()}
    arms = ("pioneer_squad", "officer", "nco", "heavy_mg_34", "grw_34", "pak_38", "pz_iv_f2", "ju_87", "mine_factor")
    assert len({signs[key] for key in arms}) == len(arms)
    assert signs["pz_iv_f1"] != signs["pz_iv_f2"]


@pytest.mark.parametrize("kind", CounterKind)
def test_a_counter_that_is_not_known_gets_the_sign_of_its_kind(kind):
    drawing = draw_counter(plain_counter("Something else", kind), RUSSIAN)
    assert beyond(drawing, PAINTS) == clashes(drawing, PAINTS) == []
    assert len(drawing.shapes) > 6


def test_what_a_counter_says():
    assert words(draw_counter(plain_counter(), RUSSIAN)) == ["Rifle", "5", "/3", "6", "6"]
    assert words(draw_counter(plain_counter(), RUSSIAN, [Mark.REDUCED])) == ["Rifle", "REDUCED", "3", "4", "6"]
    assert words(draw_counter(plain_counter("Po-2", CounterKind.AIRCRAFT, None, None, None, None), RUSSIAN)) == ["Po-2"]
    mortar = plain_counter("GrW 36 light mortar", CounterKind.SW_TEAM, None)
    assert words(draw_counter(mortar, GERMAN)) == ["GrW 36", "light mortar", "6", "6"]
    tank = plain_counter("Pz IV", CounterKind.VEHICLE, None, None, 8, 8)
    assert words(draw_counter(tank, GERMAN, [Mark.SUPPRESSED, Mark.M_KILLED])) == ["Pz IV", "M-K SUP", "8", "8"]
    marks = [Mark.PINNED, Mark.DISRUPTED, Mark.WIA, Mark.ENFILADED]
    assert words(draw_counter(plain_counter(), RUSSIAN, marks))[1] == "PIN DIS +2"


def test_a_counter_in_words():
    assert describe_counter(plain_counter(), RUSSIAN) == "Rifle squad, Russian squad: FF 5, half-squad 3; CCV 6; TQ 6."
    assert describe_counter(plain_counter(), RUSSIAN, [Mark.PINNED, Mark.REDUCED]) == (
        "Rifle squad, Russian squad: FF 3; CCV 4; TQ 6. Reduced, Pinned Down."
    )
    assert (
        describe_counter(plain_counter("Ju 87", CounterKind.AIRCRAFT, None, None, None, None), GERMAN)
        == "Ju 87, German aircraft."
    )
    assert describe_counter(
        plain_counter("Pz III", CounterKind.VEHICLE, None, None, 8, 8), GERMAN, [Mark.M_KILLED]
    ) == ("Pz III, German vehicle: CCV 8; TQ 8. M-KILLED.")


def test_a_reduced_squad_shows_its_smaller_side():
    assert shown_values(plain_counter(), [Mark.REDUCED]) == (3, None, 4)
    assert shown_values(plain_counter(half_ff=None), [Mark.REDUCED]) == (None, None, None)
    assert shown_values(plain_counter(kind=CounterKind.VEHICLE), [Mark.M_KILLED]) == (5, None, 6)


def test_a_team_on_its_1_2_side_shows_the_fire_of_that_side():
    assert shown_values(plain_counter("Maxim", CounterKind.SW_TEAM, 6, None, 2, 6), [Mark.MOVE_SIDE]) == (1, None, 2)


def test_sides_differ_without_their_colours():
    german, russian = (draw_counter(plain_counter(), side) for side in Side)
    assert german.shapes[0].points != russian.shapes[0].points
    assert PAINTS["german-counter"].pattern is not PAINTS["russian-counter"].pattern
    heads = [png.paint_image(drawing, PAINTS).convert("L").crop((8, 3, 56, 6)) for drawing in (german, russian)]
    dark, light = (ImageStat.Stat(head).mean[0] for head in heads)
    assert dark < 80 and light > 220


@settings(max_examples=60, deadline=None)
@given(
    name=st.one_of(st.text(min_size=1, max_size=40), st.text("WШ<&>\"' ", min_size=1, max_size=40)),
    kind=st.sampled_from(CounterKind),
    numbers=st.tuples(*[st.none() | st.integers(1, most) for most in (200, 200, 50, 10)]),
    side=st.sampled_from(Side),
    data=st.data(),
)
def test_whatever_a_counter_is_called_it_keeps_to_its_frame(name, kind, numbers, side, data):
    marks = data.draw(st.sets(st.sampled_from(sorted(may_carry(kind)))) if may_carry(kind) else st.just(()))
    drawing = draw_counter(plain_counter(name, kind, *numbers), side, marks)
    assert beyond(drawing, PAINTS) == clashes(drawing, PAINTS) == []
    root = ElementTree.fromstring(svg.document(drawing, PAINTS))
    assert not [element for element in root.iter() if "style" in element.attrib]
    png.paint_image(drawing, PAINTS, 0.5)


@pytest.mark.parametrize("mark", Mark)
def test_every_mark_is_drawn_alone_and_beside_another(mark):
    side, bearer = next((side, kind) for side, kind in EVERY if mark in may_carry(kind.kind))
    for marks in ([mark], [mark, *[other for other in may_carry(bearer.kind) if other is not mark][:1]]):
        assert beyond(draw_counter(bearer, side, marks), PAINTS) == []


def test_a_mark_that_a_counter_never_carries_is_refused():
    with pytest.raises(BadInput, match=r"A counter such as Rifle squad does not carry these marks\."):
        draw_counter(plain_counter(), RUSSIAN, [Mark.M_KILLED])
    with pytest.raises(BadInput):
        draw_counter(plain_counter(), RUSSIAN, ["<b>"])
