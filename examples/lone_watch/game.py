"""Lone Watch as the frame knows it."""

from firefight.kit import Game, PageWords

from . import rules
from .night import Night

GAME = Game(
    slug="lone-watch",
    title="Lone Watch",
    sides=rules.SIDES,
    course=rules.COURSE,
    record=rules.RECORD,
    modes=rules.MODES,
    options=rules.OPTIONS,
    conductor=Night(),
    words=PageWords(match="watch", example="A winter's night", opening="Keep watch first."),
)
