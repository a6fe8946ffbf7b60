"""Drawings as SVG: whole, escaped, and without inline style."""

from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firefight.drawing import svg
from firefight.drawing.shapes import Drawing, Ellipse, Label, Line, Paint, Pattern, box

PAINTS = {
    "area": Paint("#ffffff", "#000000", 2, Pattern.HATCHED, "#777777", 6),
    "round": Paint("#ff0000"),
    "way": Paint("", "#00ff00", 3, dash=4),
    "word": Paint("#111111", "#ffffff", 2),
}
SVG = "{http://www.w3.org/2000/svg}"


def drawing(text="A & B", description="A <told> thing"):
    shapes = (
        box(1, 1, 20, 10.126, "area"),
        Ellipse(5, 6, 3, 2, "round"),
        Line(((1, 2), (3, 4)), "way"),
        Label(10, 12, text, 8, "word", anchor="end", bold=True, length=30),
    )
    return Drawing(40, 30, shapes, description)


def elements(markup):
    return list(ElementTree.fromstring(markup).iter())


def test_a_page_gets_roles_as_classes_and_no_looks():
    markup = svg.write_shapes(drawing().shapes)
    _, area, ball, way, word = elements(f"<svg>{markup}</svg>")
    assert area.attrib == {"class": "area", "points": "1,1 21,1 21,11.13 1,11.13"}
    assert ball.attrib == {"class": "round", "cx": "5", "cy": "6", "rx": "3", "ry": "2"}
    assert (way.tag, way.attrib) == ("polyline", {"class": "way", "points": "1,2 3,4"})
    assert (word.get("class"), word.text) == ("word", "A & B")
    assert (word.get("text-anchor"), word.get("textLength")) == ("end", "30")
    assert not [name for name in ("fill", "stroke", "font-weight", "style") if f"{name}=" in markup]


def test_a_file_brings_its_paints_and_its_words():
    root, title, defs, pattern, ground, strokes, area, ball, way, word = elements(svg.document(drawing(), PAINTS))
    assert root.tag == f"{SVG}svg"
    assert (root.get("width"), root.get("height")) == ("40", "30")
    assert (title.tag, title.text, root.get("aria-label")) == (f"{SVG}title", "A <told> thing", "A <told> thing")
    assert pattern.get("id") == "of-area"
    assert (ground.get("fill"), strokes.get("stroke")) == ("#ffffff", "#777777")
    assert (area.get("fill"), area.get("stroke"), area.get("stroke-width")) == ("url(#of-area)", "#000000", "2")
    assert (ball.get("fill"), ball.get("stroke")) == ("#ff0000", None)
    assert (way.get("fill"), way.get("stroke-dasharray")) == ("none", "4 2")
    assert (word.get("paint-order"), word.get("font-weight")) == ("stroke", "700")
    assert not [element for element in root.iter() if "class" in element.attrib]


def test_a_role_without_paint_is_an_error():
    with pytest.raises(KeyError, match="way"):
        svg.document(drawing(), {role: paint for role, paint in PAINTS.items() if role != "way"})


def test_patterns_for_a_page_leave_the_colours_to_its_style_sheet():
    markup = svg.defs({**PAINTS, "dots": Paint(pattern=Pattern.DOTTED), "net": Paint(pattern=Pattern.CROSSED)})
    svg_elements = elements(f"<defs>{markup}</defs>")
    assert [element.get("id") for element in svg_elements if element.tag == "pattern"] == [
        "of-area",
        "of-dots",
        "of-net",
    ]
    assert len([element for element in svg_elements if element.tag == "circle"]) == 2
    assert not [element for element in svg_elements if "fill" in element.attrib or "stroke" in element.attrib]


@settings(max_examples=60)
@given(st.text(max_size=60), st.text(max_size=60))
def test_whatever_is_written_stays_text(text, description):
    for markup in (
        f"<svg>{svg.write_shapes(drawing(text, description).shapes)}</svg>",
        svg.document(drawing(text, description), PAINTS),
    ):
        svg_elements = elements(markup)
        assert {element.tag.replace(SVG, "") for element in svg_elements} <= {
            *("svg", "title", "defs", "pattern", "rect", "path"),
            *("polygon", "ellipse", "polyline", "text"),
        }
        assert not [element for element in svg_elements if "style" in element.attrib]


@pytest.mark.parametrize("text", ['<script>alert("1")</script>', "' onload='x", "]]>", "Взвод №1 <б>", "&amp;"])
def test_markup_in_a_word_is_a_word(text):
    root, title, *_, word = elements(svg.document(drawing(text, text), PAINTS))
    assert root.get("aria-label") == title.text == word.text == text
    *_, word = elements(f"<svg>{svg.write_shapes(drawing(text).shapes)}</svg>")
    assert word.text == text
