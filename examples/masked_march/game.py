"""Masked March as the frame knows it."""

from firefight.kit import Gallery, Game, PageWords

from .counters import COUNTERS
from .pictures import PAINTS, describe_block, draw_block
from .rules import COURSE, RECORD, SIDES

GAME = Game(
    slug="masked-march",
    title="Masked March",
    sides=SIDES,
    course=COURSE,
    counters=COUNTERS,
    gallery=Gallery(draw_block, describe_block, PAINTS),
    record=RECORD,
    words=PageWords(pools={"reserve": "the reserve"}),
)
