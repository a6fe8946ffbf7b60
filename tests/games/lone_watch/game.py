"""Lone Watch as the frame knows it."""

from pathlib import Path

from firefight.kit import Game, PageWords

from . import rules

GAME = Game(
    slug="lone-watch",
    title="Lone Watch",
    sides=rules.SIDES,
    chart_specs=(),
    house_book=str(Path(__file__).parent / "charts.toml"),
    course=rules.COURSE,
    record=rules.RECORD,
    modes=rules.MODES,
    options=rules.OPTIONS,
    words=PageWords(match="watch", example="A winter's night", opening="Keep watch first."),
)
