"""Two Bridges as the frame knows it."""

from firefight.kit import Game

from .counters import COUNTERS
from .rules import COURSE, SIDES

GAME = Game(slug="two-bridges", title="Two Bridges", sides=SIDES, course=COURSE, counters=COUNTERS)
