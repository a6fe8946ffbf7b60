"""Charts from data: every number is in them, in words too; nothing runs out of the frame."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firefight.drawing import charts, svg
from firefight.drawing.charts import ColumnChart, LineChart, Plotted, RangeChart, RangeRow, draw_chart
from firefight.drawing.shapes import Ellipse, Label, Line, Polygon

LABELS = ("Dawn", "AM", "PM")


def chart(kind=LineChart, german=(24, 7, 0), russian=(14, None, 11)):
    return kind("Campaign Points", LABELS, (Plotted("German", 1, german), Plotted("Russian", 2, russian)))


def points_of(drawing):
    for shape in drawing.shapes:
        match shape:
            case Polygon() | Line():
                yield from shape.points
            case Ellipse():
                yield from ((shape.x - shape.rx, shape.y - shape.ry), (shape.x + shape.rx, shape.y + shape.ry))
            case Label():
                yield shape.x, shape.y


@pytest.mark.parametrize("kind", [LineChart, ColumnChart])
def test_every_number_stands_at_its_label_and_in_the_words(kind):
    drawing = draw_chart(chart(kind))
    numbers = [shape.text for shape in drawing.shapes if isinstance(shape, Label) and shape.role == "chart-word"]
    assert sorted(numbers, key=int) == ["0", "7", "11", "14", "24"]
    assert drawing.told == ("Campaign Points. German: Dawn 24, AM 7, PM 0. Russian: Dawn 14, AM unknown, PM 11.")


def test_what_is_higher_is_drawn_higher_and_columns_are_as_high_as_their_numbers():
    bars = [shape for shape in draw_chart(chart(ColumnChart)).shapes if getattr(shape, "role", "") == "bar-1"][1:]
    heights = [max(y for _, y in bar.points) - min(y for _, y in bar.points) for bar in bars]
    assert heights[0] / heights[1] == pytest.approx(24 / 7)


@settings(max_examples=20)
@given(
    st.sampled_from([LineChart, ColumnChart]),
    st.lists(st.tuples(st.integers(0, 10_000), st.none() | st.integers(0, 10_000)), min_size=1, max_size=12),
)
def test_nothing_runs_out_of_the_frame(kind, values):
    german, russian = zip(*values, strict=True)
    labels = tuple(f"A long label {place}" for place in range(len(values)))
    drawing = draw_chart(kind("t" * 90, labels, (Plotted("German", 1, german), Plotted("Russian", 2, russian))))
    for x, y in points_of(drawing):
        assert 0 <= x <= drawing.width and 0 <= y <= drawing.height
    assert {shape.role for shape in drawing.shapes} <= set(charts.PAINTS)


def test_a_value_stands_where_it_lies_in_its_range():
    row = RangeRow("d10, 40 rolls", 4.6, 6.4, 6.9, 1, 10)
    drawing = draw_chart(RangeChart("Dice", (row,)))
    (block,) = [shape for shape in drawing.shapes if getattr(shape, "role", "") == "chart-range"]
    (mark,) = [shape for shape in drawing.shapes if getattr(shape, "role", "") == "chart-value"]
    assert min(x for x, _ in mark.points) + 4 > max(x for x, _ in block.points)
    assert drawing.told == "Dice. d10, 40 rolls: 6.90, expected 4.60 to 6.40."


def test_a_figure_of_a_page_has_roles_for_classes_and_its_words_for_those_who_cannot_see():
    markup = svg.draw_figure(draw_chart(chart()), "chart")
    assert markup.startswith('<svg class="chart" viewBox="0 0 360 180" role="img" aria-label="Campaign Points. German')
    assert 'class="line-2"' in markup and "style=" not in markup
