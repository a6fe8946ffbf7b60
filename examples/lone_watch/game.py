"""Lone Watch as the frame knows it."""

from firefight.kit import Game, PageWords

from . import rules

GAME = Game(
    slug="lone-watch",
    title="Lone Watch",
    sides=rules.SIDES,
    course=rules.COURSE,
    record=rules.RECORD,
    modes=rules.MODES,
    options=rules.OPTIONS,
    words=PageWords(match="watch", example="A winter's night", opening="Keep watch first."),
)
