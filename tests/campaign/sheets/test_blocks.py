"""Columns that keep every block whole, and the parts that sheets are built from."""

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import ImageOps

from campaign.sheets import blocks
from campaign.sheets.blocks import (
    GAP,
    Heading,
    Paragraph,
    Space,
    Stack,
    TableRow,
    TickChoices,
    Ticks,
    boxes,
    flow,
    split_into_columns,
)
from firefight.drawing.paper import Format
from tests.firefight.drawing.test_paper import paper
from tests.pdf import pages_of

HEIGHTS = st.lists(st.floats(5, 100), min_size=1, max_size=60)


@given(HEIGHTS, st.floats(50, 250), st.integers(1, 4))
def test_columns_take_blocks_in_order_as_far_as_they_have_room(heights, room, columns):
    filled = split_into_columns(heights, room, columns)
    if not filled:
        assert heights[0] > room
        return
    assert len(filled) == columns
    done = 0
    for many in filled:
        column = heights[done : done + many]
        assert sum(column) + GAP * (len(column) - 1) <= room + 1e-6 or not column
        done += many
    if done < len(heights):
        assert sum(heights[done - filled[-1] : done + 1]) + GAP * filled[-1] > room


@given(st.lists(st.floats(10, 30), min_size=3, max_size=12))
def test_columns_that_hold_all_are_about_as_high_as_each_other(heights):
    filled = split_into_columns(heights, 1000, 3)
    assert sum(filled) == len(heights)
    starts = [0, filled[0], filled[0] + filled[1]]
    tallest = max(sum(heights[start : start + many]) + GAP * many for start, many in zip(starts, filled, strict=True))
    assert tallest <= (sum(heights) + GAP * len(heights)) / 3 + max(heights) + GAP + 2


@dataclass
class Brick:
    """A block that notes where it was drawn."""

    high: float
    drawn: list = field(default_factory=list)

    def height(self, page, width):
        return self.high * 58 / width if self.high > 200 else self.high

    def draw(self, page, x, y, width):
        self.drawn.append((page.page_no(), y, x, y + self.height(page, width), x + width))


@given(st.lists(st.floats(5, 600), min_size=1, max_size=60), st.sampled_from(list(Format)), st.integers(1, 3))
def test_every_block_is_drawn_once_on_one_page_and_none_over_another(heights, size, columns):
    if columns == 1:
        heights = [min(high, 200) for high in heights]
    sheet, bricks = SHEETS[size], [Brick(high) for high in heights]
    sheet.add_page()
    sheet.set_y(sheet.t_margin + 20)
    flow(sheet, bricks, columns)
    places = []
    for brick in bricks:
        ((page, top, left, bottom, right),) = brick.drawn
        assert top >= sheet.t_margin
        assert left >= sheet.l_margin
        assert bottom <= sheet.bottom + 1e-6
        assert right <= sheet.w - sheet.r_margin + 1e-6
        places.append((page, top, left, bottom, right))
    for number, one in enumerate(places):
        for other in places[number + 1 :]:
            is_beside = one[0] != other[0] or one[3] <= other[1] + 1e-6 or other[3] <= one[1] + 1e-6
            assert is_beside or one[4] <= other[2] + 1e-6 or other[4] <= one[2] + 1e-6
    assert [place[0] for place in places] == sorted(place[0] for place in places)


SHEETS = {size: paper(size=size) for size in Format}
PARTS = [
    Paragraph("Some words that go on for a while, so that they need more than a line of it", 7),
    Paragraph("One with a mark and some more words to wrap around it", mark="•"),
    Heading("I1", "A name that is far too long for the line that it has", "12 CP"),
    Heading("", "A name", "goes on", light=True),
    Ticks("CG I", 20, 5),
    TickChoices(("German", "Russian", "threatened", "isolated")),
    TableRow(("word", True, "some more words", False), (2, 1, 2, 1)),
    Space(6, 3),
    Stack((Paragraph("inside"), Ticks("CG II", 3))),
]


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("width", [35, 58, 186])
def test_a_part_is_as_high_as_it_says_and_no_wider(part, width):
    sheet = paper("")
    part.draw(sheet, 12, 30, width)
    high = part.height(sheet, width)
    left, top, right, bottom = _ink(sheet)
    assert left >= 11.8
    assert top >= 29.8
    assert right <= 12.3 + width
    assert bottom <= 30 + high + 0.3


def _ink(sheet):
    """The ink above the foot of the page."""
    (page,) = pages_of(sheet.bytes())
    picture = page.picture.crop((0, 0, page.picture.width, round(page.picture.height * 0.9)))
    box = ImageOps.invert(picture).getbbox()
    return tuple(at / 3 * 25.4 / 72 for at in box)


def test_a_long_list_goes_on_in_another_box():
    sheet = paper()
    parts = [Paragraph(f"Line {number}") for number in range(150)]
    drawn = list(boxes(sheet, Heading("7", "German"), parts, 3))
    assert len(drawn) > 3
    assert [part for box in drawn for part in box.parts[1:]] == parts
    assert [box.parts[0].right for box in drawn] == ["", *["goes on"] * (len(drawn) - 1)]
    assert all(box.height(sheet, 58) < blocks.MOST + 15 for box in drawn)
