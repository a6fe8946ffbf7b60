"""Masked March as the frame knows it."""

from firefight.kit import Game

from .counters import COUNTERS
from .rules import COURSE, RECORD, SIDES

GAME = Game(slug="masked-march", title="Masked March", sides=SIDES, course=COURSE, counters=COUNTERS, record=RECORD)
