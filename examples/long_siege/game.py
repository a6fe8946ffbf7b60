"""Long Siege as the frame knows it."""

from firefight.kit import Game

from . import rules
from .keeping import Keeping

GAME = Game(
    slug="long-siege",
    title="Long Siege",
    sides=rules.SIDES,
    course=rules.WHOLE,
    courses=rules.choose_course,
    record=rules.RECORD,
    keeping=Keeping(),
    options=rules.OPTIONS,
)
