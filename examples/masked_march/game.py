"""Masked March as the frame knows it."""

from firefight.kit import Gallery, Game, PageWords

from .counters import COUNTERS
from .guide import TurnGuide
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
    guide=TurnGuide(),
    words=PageWords(pools={"reserve": "the reserve"}),
)
