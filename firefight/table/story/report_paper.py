"""The after-action report on paper."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from io import BytesIO

from firefight.drawing import board, charts, pdf
from firefight.drawing.charts import Chart
from firefight.drawing.paper import GREY, Format, Paper
from firefight.drawing.shapes import Drawing, Paint
from firefight.models import Photo
from firefight.table.log.episodes import Episode

from . import report as stories
from .report import Series, Story, ToldChapter

_SIZE, _LEADING = 9, 3.9  # points, mm
_AFTER = 0.6  # mm between one line of the log and the next
_MOST_ROWS = 12  # of a line that goes to the next page as a whole
_NUMBER = 12  # mm for the number of a line
_GAP = 6  # mm between charts
_MAP, _MAP_GRAIN = 90, 2.4  # mm; how much coarser its patterns are than on a screen
_IN_STRIP, _STRIP_GAP = 3, 3  # small maps beside each other; mm between them
_PHOTO = 80  # mm, its longer side
_COLUMNS = (("Dice", 62), ("Rolls", 14), ("Mean", 16), ("Expected", 18), ("95 of 100 fair series", 34), ("", 42))
_LOSSES = (("Side", 40), ("By", 80), ("Fell", 20), ("Hurt", 20))


def draw_report(story: Story, subject: str, size: Format, printed: datetime, zone: tzinfo = UTC) -> Paper:
    """The report as a document. ``subject``: for the footer; ``zone``: whose clock tells the times."""
    paper = Paper(story.title, subject, size, printed)
    paper.add_page()
    paper.heading(story.title)
    stretch = f"lines {story.first} to {story.last} of the log; times: {stories.tell_zone(zone)}"
    _paragraph(paper, f"{story.match.name}: {stretch}.", ink=GREY)
    if story.agreed:
        _paragraph(paper, f"{'; '.join(story.agreed)}.", ink=GREY)
    _paragraph(paper, story.in_short)
    if drawn := story.draw_map():
        _map(paper, *drawn)
        _draw_small_maps(paper, story.game.words.part, *story.draw_strip())
    elif laid := story.draw_board():
        _map(paper, laid, board.PAINTS)
    _turning_points(paper, story)
    for chapter in story.chapters:
        _draw_chapter(paper, chapter)
    _charts(paper, story.charts)
    _losses(paper, story)
    pictures = _read_photos(story)
    for chapter in story.chapters:
        _draw_log(paper, chapter, story, pictures, zone)
    _chapter_head(paper, "The dice")
    _dice(paper, story.dice)
    _paragraph(paper, stories.sealed_as(story), ink=GREY)
    return paper


def _draw_chapter(paper: Paper, chapter: ToldChapter) -> None:
    _chapter_head(paper, chapter.chapter.title)
    if chapter.tale:
        _paragraph(paper, chapter.tale)
    _paragraph(paper, chapter.sentence, ink=GREY)


def _draw_log(paper: Paper, chapter: ToldChapter, story: Story, pictures: Mapping[int, Photo], zone: tzinfo) -> None:
    _chapter_head(paper, f"The log: {chapter.chapter.title}")
    day, column = "", _Column(paper)
    for episode in chapter.episodes:
        today = stories.tell_time(episode.first.at, zone).partition(",")[0]
        if today != day:
            column.write()
            _day(paper, today)
            day = today
        _line(column, episode, stories.name_owner(episode, story.game), zone)
        if photo := pictures.get(episode.number):
            column.write()
            _photo(paper, photo)
    column.write()


class _Column:
    """Lines of the log on a page, kept until they are written together."""

    def __init__(self, paper: Paper):
        self.paper = paper
        self.rows: list[tuple[float, float, str]] = []

    def make_room(self, height: float) -> None:
        """Begin a new page unless that much still fits on this one."""
        if self.paper.y + height > self.paper.bottom:
            self.write()
            self.paper.add_page()

    def put(self, indent: float, words: str) -> None:
        """Words on the line where the page stands."""
        self.rows.append((self.paper.l_margin + indent, self.paper.y + 3, words))

    def feed(self, height: float) -> None:
        self.paper.set_y(self.paper.y + height)

    def write(self) -> None:
        self.paper.put_rows(self.rows, _SIZE)
        self.rows = []


def _chapter_head(paper: Paper, title: str, follows: float = 16) -> None:
    # A head stays with what follows it, such as a few lines of its chapter.
    paper.make_room(10 + follows)
    paper.set_y(paper.y + 3)
    paper.heading(title, 11)


def _map(paper: Paper, drawn: Drawing, paints: Mapping[str, Paint]) -> None:
    paper.make_room(_MAP * drawn.height / drawn.width + 4)
    left = paper.l_margin + (paper.epw - _MAP) / 2
    top = paper.y + 2
    paper.set_y(top + pdf.paint(paper, drawn, left, top, _MAP, _coarsen(paints, _MAP_GRAIN)) + 2)


def _draw_small_maps(paper: Paper, part: str, drawn: Sequence[Drawing], paints: Mapping[str, Paint]) -> None:
    """Small maps, as many beside each other as can be read."""
    if not drawn:
        return
    width = (paper.epw - (_IN_STRIP - 1) * _STRIP_GAP) / _IN_STRIP
    height = max(drawing.height for drawing in drawn) * width / drawn[0].width
    _chapter_head(paper, f"The map as each {part} found it", height)
    for place, drawing in enumerate(drawn):
        column = place % _IN_STRIP
        if not column:
            paper.make_room(height + 2)
            top = paper.y + 2
            paper.set_y(top + height)
        # Drawn as large as the map above it, and made smaller: what is alike stands in the file once.
        with paper.moved_by(paper.l_margin + column * (width + _STRIP_GAP), top, width / _MAP):
            pdf.paint(paper, drawing, 0, 0, _MAP, _coarsen(paints, _MAP_GRAIN))
    _paragraph(paper, "A lozenge marks what has changed since the map before.", ink=GREY)


def _coarsen(paints: Mapping[str, Paint], factor: float) -> dict[str, Paint]:
    """The same with fewer strokes and dots, of which each is written down in the file."""
    return {role: replace(paint, grain=paint.grain * factor) for role, paint in paints.items()}


_PAINTS = _coarsen(charts.PAINTS, 1.5)


def _charts(paper: Paper, all_charts: Iterable[Chart]) -> None:
    """Two in a row, as high as the higher one."""
    drawn = [charts.draw_chart(chart) for chart in all_charts]
    width = (paper.epw - _GAP) / 2
    for pair in (drawn[place : place + 2] for place in range(0, len(drawn), 2)):
        height = max(drawing.height * width / drawing.width for drawing in pair)
        paper.make_room(height + 4)
        top = paper.y + 2
        for place, drawing in enumerate(pair):
            pdf.paint(paper, drawing, paper.l_margin + place * (width + _GAP), top, width, _PAINTS)
        paper.set_y(top + height + 2)


def _losses(paper: Paper, story: Story) -> None:
    if not story.losses:
        return
    _chapter_head(paper, "Losses")
    _row(paper, [title for title, _ in _LOSSES], _LOSSES, bold=True)
    for loss in story.losses:
        _row(paper, [story.game.name_of(loss.side), loss.label, str(loss.fell), str(loss.hurt)], _LOSSES)


def _turning_points(paper: Paper, story: Story) -> None:
    if not story.turning_points:
        return
    _chapter_head(paper, "Turning points")
    for place, point in enumerate(story.turning_points, 1):
        _paragraph(paper, f"{place}. {stories.tell_turning_point(story.game, point)}")
    _paragraph(paper, story.how_turning, ink=GREY)


def _read_photos(story: Story) -> dict[int, Photo]:
    """The photos of the lines that are printed, by their numbers."""
    numbers = [line.number for chapter in story.chapters for line in chapter.lines if line.has_photo]
    photos = story.match.photos.filter(number__in=numbers) if numbers else ()
    return {photo.number: photo for photo in photos}


def _photo(paper: Paper, photo: Photo) -> None:
    width = min(_PHOTO, _PHOTO * photo.width / photo.height)
    height = width * photo.height / photo.width
    paper.make_room(height + 2)
    paper.image(BytesIO(bytes(photo.data)), paper.l_margin + _NUMBER, paper.y, width, height)
    paper.set_y(paper.y + height + 2)


def _day(paper: Paper, words: str) -> None:
    paper.make_room(3 * _LEADING)
    paper.put(paper.l_margin + _NUMBER, paper.y + 3, words, _SIZE, bold=True, ink=GREY)
    paper.set_y(paper.y + _LEADING)


def _line(column: _Column, episode: Episode, owner: str, zone: tzinfo) -> None:
    clock, width = stories.tell_time(episode.first.at, zone).rpartition(" ")[2], column.paper.epw - _NUMBER
    sentences = [f"{clock} {owner}: {episode.sentence}" if owner else f"{clock} {episode.sentence}"]
    sentences += [f"Under seal: {secret}" for secret in episode.secrets]
    rows = [row for words in sentences for row in column.paper.wrapped(words, width, _SIZE)]
    # A note may be longer than a page.
    column.make_room(min(len(rows), _MOST_ROWS) * _LEADING)
    column.put(0, str(episode.number))
    for row in rows:
        column.make_room(_LEADING)
        column.put(_NUMBER, row)
        column.feed(_LEADING)
    column.feed(_AFTER)


def _paragraph(paper: Paper, text: str, ink: int = 0) -> None:
    for row in paper.wrapped(text, paper.epw, _SIZE):
        paper.make_room(_LEADING)
        paper.put(paper.l_margin, paper.y + 3, row, _SIZE, ink=ink)
        paper.set_y(paper.y + _LEADING)


def _dice(paper: Paper, dice: list[Series]) -> None:
    if not dice:
        _paragraph(paper, "No dice were rolled.")
        return
    _row(paper, [title for title, _ in _COLUMNS], _COLUMNS, bold=True)
    for series in dice:
        _row(paper, stories.list_cells(series), _COLUMNS)
    paper.make_room(4 * _LEADING)
    paper.set_y(paper.y + 2)
    _paragraph(paper, stories.CAVEAT, ink=GREY)


def _row(paper: Paper, cells: list[str], columns: tuple[tuple[str, int], ...], bold: bool = False) -> None:
    paper.make_room(_LEADING + 1)
    left = paper.l_margin
    for text, (_, width) in zip(cells, columns, strict=True):
        paper.put(left, paper.y + 3, paper.fitted(text, width - 1, _SIZE, bold), _SIZE, bold=bold)
        left += width
    paper.set_y(paper.y + _LEADING + 0.6)
