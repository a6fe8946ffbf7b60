"""The after-action report on paper."""

from datetime import datetime

from firefight.drawing.paper import GREY, Format, Paper

from . import report as stories
from .log import LogLine
from .report import Series, Story

_SIZE, _LEADING = 8.5, 3.9  # points, mm
_NUMBER = 12  # mm for the number of a line
_COLUMNS = (("Dice", 62), ("Rolls", 14), ("Mean", 16), ("Expected", 18), ("95 of 100 fair series", 34), ("", 42))


def draw_report(story: Story, subject: str, size: Format, printed: datetime) -> Paper:
    """The report as a document. ``subject``: for the footer."""
    paper = Paper(story.title, subject, size, printed)
    paper.add_page()
    paper.heading(story.title)
    _paragraph(paper, f"{story.match.name}: lines {story.first} to {story.last} of the log.", ink=GREY)
    if story.agreed:
        _paragraph(paper, f"{'; '.join(story.agreed)}.", ink=GREY)
    for told in story.chapters:
        _chapter_head(paper, told.chapter.title)
        for line in told.lines:
            _line(paper, line, stories.who(line, story.game))
    _chapter_head(paper, "The dice")
    _dice(paper, story.dice)
    _paragraph(paper, stories.sealed_as(story), ink=GREY)
    return paper


def _chapter_head(paper: Paper, title: str) -> None:
    # A head stays with a few lines of its chapter.
    paper.make_room(22)
    paper.set_y(paper.y + 3)
    paper.heading(title, 11)


def _line(paper: Paper, line: LogLine, who: str) -> None:
    width = paper.epw - _NUMBER
    rows = paper.wrapped(f"{who}: {line.sentence}" if who else line.sentence, width, _SIZE)
    sealed = paper.wrapped(f"Under seal: {line.secret}", width, _SIZE) if line.secret else []
    if paper.make_room((len(rows) + len(sealed)) * _LEADING):
        paper.set_y(paper.t_margin)
    left, top = paper.l_margin, paper.y
    paper.put(left, top + 3, str(line.number), 7, ink=GREY)
    for place, row in enumerate([*rows, *sealed]):
        # A note may be longer than what is left of the page.
        if top + _LEADING > paper.bottom:
            paper.add_page()
            top = paper.t_margin
        paper.put(left + _NUMBER, top + 3, row, _SIZE, ink=GREY if place >= len(rows) else 0)
        top += _LEADING
    paper.set_y(top + 0.8)


def _paragraph(paper: Paper, text: str, ink: int = 0) -> None:
    for row in paper.wrapped(text, paper.epw, _SIZE):
        paper.put(paper.l_margin, paper.y + 3, row, _SIZE, ink=ink)
        paper.set_y(paper.y + _LEADING)


def _dice(paper: Paper, dice: list[Series]) -> None:
    if not dice:
        _paragraph(paper, "No dice were rolled.")
        return
    _row(paper, [title for title, _ in _COLUMNS], bold=True)
    for series in dice:
        counted, within = series.tally, series.tally.mean_range
        means = [f"{counted.mean:.2f}", f"{counted.expected:.1f}", f"{within.low:.2f} to {within.high:.2f}"]
        _row(paper, [series.who, str(counted.number), *means, stories.describe_series(counted)])
    paper.make_room(4 * _LEADING)
    paper.set_y(paper.y + 2)
    _paragraph(paper, stories.CAVEAT, ink=GREY)


def _row(paper: Paper, cells: list[str], bold: bool = False) -> None:
    paper.make_room(_LEADING + 1)
    left = paper.l_margin
    for text, (_, width) in zip(cells, _COLUMNS, strict=True):
        paper.put(left, paper.y + 3, text, 8, bold=bold)
        left += width
    paper.set_y(paper.y + _LEADING + 0.6)
