"""Fox Hunt as the frame knows it."""

from firefight.kit import Game, PageWords

from . import rules
from .board import Wood
from .hunt import Hunt
from .sheets import CONTENT

GAME = Game(
    slug="fox-hunt",
    title="Fox Hunt",
    sides=rules.SIDES,
    course=rules.COURSE,
    record=rules.RECORD,
    modes=rules.MODES,
    conductor=Hunt(),
    board=Wood(),
    content=CONTENT,
    words=PageWords(match="hunt", example="Before breakfast", opening="The fox is caught."),
)
