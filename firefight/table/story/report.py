"""The after-action report: what the log tells about a match in short, by charts, chapter by chapter, and its dice.

Drawn from the lines as one browser may see them, so that a report holds no secret of the other side.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo

from django.db.models.fields.json import KeyTextTransform

from firefight.drawing import board as boards
from firefight.drawing.charts import Chart
from firefight.drawing.shapes import Drawing, Paint
from firefight.engine import chain
from firefight.engine.rolls.tally import Tally, tally
from firefight.engine.text import count_of, join_words
from firefight.games import registry
from firefight.kit.game import Game
from firefight.models import LogEntry, Match
from firefight.table.act.ledger_values import JudgedRoll
from firefight.table.act.line_keys import BACK_TO, SHEET
from firefight.table.act.lines import LogLine
from firefight.table.act.memory import without_collecting
from firefight.table.act.ports import ledger_of, the_ledger
from firefight.table.board import record_rules
from firefight.table.log import reading
from firefight.table.log.episodes import Episode, first_episodes, gather_episodes, leave_results
from firefight.table.log.telling import tell_episode
from firefight.table.rolling import conducting

from . import figures
from .figures import Loss
from .history import FELL, STRIKES, Histories, leave_out_markers, tell_histories
from .turning_points import TEN, DecisiveRoll, judge_rolls, rank_turning_points

WITHOUT_CHAPTERS = "The match"
# Characters of a PDF, and how many of them the beginning of a line is worth in time.
PART_ROOM, PART_LINE = 500_000, 170
# Lines that are told at once: a longer match is told by its days, and in whole only where that keeps nobody waiting.
MOST_AT_ONCE, MOST_LISTED = 3_000, 100
MOST_TOLD = 3  # turning points that a chapter's paragraph tells
# What is not part of the story: who sat down, what was dropped, what was taken back.
_ASIDE = (LogEntry.Kind.SEAT, LogEntry.Kind.DROP, LogEntry.Kind.TAKE_BACK)
_SOURCES = {"app": "rolled here", "table": "on the table"}


class BadPart(ValueError):
    """An address names no part of the log; the message says what would be right."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """A stretch of the log between two snapshots, by the numbers of its first and its last line."""

    title: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class ToldChapter:
    """A chapter with those of its lines that belong to the story, oldest first.

    ``tale``: what turned it and what ground was won, in a paragraph, "" where nothing was; ``sentence``: it in numbers.
    """

    chapter: Chapter
    lines: list[LogLine]
    game: Game
    tale: str = ""
    sentence: str = ""

    @property
    def episodes(self) -> list[Episode]:
        """What happened in it, oldest first: a sentence for each act with all that followed from it there."""
        return gather_episodes(self.game, self.lines)[::-1]


@dataclass(frozen=True, slots=True)
class Series:
    """Equal dice of one side from one source: ``who`` in words, "German, d10, rolled here"."""

    who: str
    tally: Tally


@dataclass(frozen=True, slots=True)
class Story:
    """The lines from ``first`` to ``last``, in chapters, the dice of all of them, and the digest of the last one.

    ``outcome``: how the match has ended, "" while it goes on. ``charts``: what they tell together;
    ``judged``: their rolls with the odds before them; ``turned``: the same with all that followed from each, the one
    that changed most first. ``sees``: whose secrets are in it.
    """

    match: Match
    first: int
    last: int
    chapters: list[ToldChapter]
    dice: list[Series]
    digest: str
    sees: tuple[str, ...]
    histories: Histories
    judged: list[JudgedRoll]
    turned: list[DecisiveRoll]
    charts: list[Chart]
    outcome: str = ""

    @property
    def is_whole(self) -> bool:
        return self.first == 1 and self.last == self.match.last_number

    @property
    def units(self) -> list[str]:
        """The sheets of units off owners' counters, and whose each is: "94th: 14 kinds, laid down by German"."""
        sheets, layout = self.match.state.sheets, self.game.counters.sheet
        if not sheets or layout is None:
            return []
        notes = self.match.log.filter(kind=LogEntry.Kind.NOTE, inputs__has_key=SHEET, voided_by=None).order_by("number")
        laid = {line.inputs[SHEET]: self.game.name_of(line.side) for line in notes}
        return [
            f"{title}: {count_of(len(layout.read(text).keys), 'kind')}"
            f"{f', laid down by {laid[title]}' if title in laid else ''}"
            for title, text in sheets.items()
        ]

    @property
    def how_turning(self) -> str:
        """How turning points are ranked; by counters only where the app knows any."""
        if self.game.count_lost:
            return HOW_COSTLY
        return HOW_TURNING if any(_counts_losses(chapter) for chapter in self.chapters) else HOW_UNLIKELY

    @property
    def losses(self) -> list[Loss]:
        """What each side lost by each cause."""
        return figures.count_losses(self.histories)

    @property
    def turning_points(self) -> list[DecisiveRoll]:
        """The ten rolls that changed most, with all that followed from each, the greatest change first.

        Where none changed anything, the ten that were least likely.
        """
        return [point for point in self.turned if point.change > 0][:TEN] or self.turned[:TEN]

    def draw_map(self) -> tuple[Drawing, Mapping[str, Paint]] | None:
        """The map as it stands, with its paints; None for a match without one, and for a part of one."""
        return ledger_of(self.match).draw_map(self.match, self.sees) if self.is_whole else None

    def draw_board(self) -> Drawing | None:
        """The game's board with what lies on it; None for a match on the table alone, for a part of one, and before
        there is anything to tell."""
        if self.game.board is None or not self.is_whole or not self.chapters:
            return None
        board = self.game.board.lay_board(record_rules.situation_of(self.match, self.sees))
        if board is None:
            return None
        view = self.game.board.view_board(record_rules.situation_of(self.match), self.sees)
        return boards.draw_lying(board, view.places, self.game.sides)

    def draw_strip(self) -> tuple[list[Drawing], Mapping[str, Paint]]:
        """The map as each part of the match found it, with its paints; none where there is no map."""
        return ledger_of(self.match).draw_strip(self.match, self.sees) if self.is_whole else ([], {})

    @property
    def in_short(self) -> str:
        """All of it in a few sentences: how it ended, when it was played, what it cost."""
        return " ".join(filter(None, [self.outcome, self.in_numbers]))

    @property
    def in_numbers(self) -> str:
        """The same without how it ended."""
        return _tell_lines([line for chapter in self.chapters for line in chapter.lines], self.histories, self.game)

    @property
    def game(self) -> Game:
        return registry.games()[self.match.game]

    @property
    def agreed(self) -> list[str]:
        """What was agreed when the match began."""
        return self.game.describe_options(self.match.state.options)

    @property
    def title(self) -> str:
        """What the report is about: a chapter, or the match."""
        return self.match.name if self.is_whole or len(self.chapters) != 1 else self.chapters[0].chapter.title


def read_chapters(match: Match) -> list[Chapter]:
    """The chapters of a match, oldest first; a new one begins after each snapshot. One query."""
    marks = list(match.snapshots.order_by("number").values_list("number", "label")) or [(0, WITHOUT_CHAPTERS)]
    # What came before the first snapshot opens the first chapter.
    begins = [1, *(number + 1 for number, _ in marks[1:])]
    ends = [*(number for number, _ in marks[1:]), match.last_number]
    stretches = zip(marks, begins, ends, strict=True)
    return [Chapter(label, first, last) for (_, label), first, last in stretches if first <= last]


def list_stretches(match: Match) -> list[Chapter]:
    """The chapters of a long match, each short enough to be told at once, very many of them grouped. One query."""
    stretches: list[Chapter] = []
    chapters = read_chapters(match)
    together = -(-len(chapters) // MOST_LISTED)
    for place, chapter in enumerate(chapters):
        if place % together and chapter.last - stretches[-1].first < MOST_AT_ONCE:
            title = f"{stretches[-1].title.partition(' to ')[0]} to {chapter.title}"
            stretches[-1] = replace(stretches[-1], title=title, last=chapter.last)
        else:
            begins = range(chapter.first, chapter.last + 1, MOST_AT_ONCE)
            stretches += [replace(chapter, first=n, last=min(n + MOST_AT_ONCE - 1, chapter.last)) for n in begins]
    return stretches


def read_story(match: Match, sees: tuple[str, ...], first: int | None = None, last: int | None = None) -> Story:
    """The story of a stretch of the log, all of it unless given. A handful of queries, however long the log is.

    ``sees``: the sides whose secrets may be in it. Raises BadPart for a stretch that the log does not have.
    """
    begin, end = 1 if first is None else first, match.last_number if last is None else last
    if not 1 <= begin <= end <= match.last_number:
        raise BadPart(f"The log has lines 1 to {match.last_number}; a report begins and ends with one of them.")
    game, is_whole = registry.games()[match.game], (begin, end) == (1, match.last_number)
    entries = match.log.filter(number__range=(begin, end)).order_by("number")
    with without_collecting():
        lines = reading.visible(map(_without_result, leave_results(entries)), sees)
        outcomes = {line.number: line.outcome for line in lines if line.outcome}
        histories = leave_out_markers(tell_histories(lines, game), match)
        dice, chapters = dice_of(lines, game), read_chapters(match)
        judged = judge_rolls(match, lines, outcomes, histories)
        turned = rank_turning_points(judged, lines, histories)
        charts = list(_draw_up_charts(match, sees, game, histories, dice, chapters, is_whole))
        outcome = _tell_outcome(match) if is_whole else ""
        tale_chapters = _gather_chapters(match, chapters) if is_whole else chapters
        tales = _tell_chapters(match, lines, tale_chapters, histories, turned)
        return Story(match, begin, end, tales, dice, lines[-1].digest, sees, histories, judged, turned, charts, outcome)


def _tell_outcome(match: Match) -> str:
    """How a match has ended: by its ledger, its procedure, or the roll that ended it; "" while none says so."""
    outcome = ledger_of(match).tell_outcome(match) or conducting.find_ending(match)
    if outcome or not match.ended:
        return outcome
    rolls = match.log.filter(kind=LogEntry.Kind.ROLL, voided_by=None).annotate(ends=KeyTextTransform("ends", "result"))
    last = rolls.filter(ends__isnull=False).order_by("-number").values_list("sentence", flat=True).first()
    return last or ""


def _tell_chapters(
    match: Match,
    lines: Iterable[LogLine],
    chapters: Iterable[Chapter],
    histories: Histories,
    turned: Sequence[DecisiveRoll],
) -> list[ToldChapter]:
    """The chapters with what each tells; those with nothing to tell are joined to others."""
    game, ledger = registry.games()[match.game], ledger_of(match)
    divided = list(_divide(lines, chapters, game))
    ground = ledger.tell_sectors_won(lines)
    ground |= {line.number: line.sentence for line in lines if game.is_story(line.sentence)}
    harmed = {moment.line.number for _, moment in histories.harms}

    def tells(line: LogLine) -> bool:
        is_led = game.conductor is not None and count_rolls(line, game) > 0
        is_roll = line.kind == LogEntry.Kind.ROLL or is_led or STRIKES in line.inputs
        return is_roll or line.number in harmed or line.number in ground

    return [
        replace(
            chapter, tale=_tell_turns(chapter, turned, ground), sentence=_tell_lines(chapter.lines, histories, game)
        )
        for chapter in _join_empty(divided, tells, ledger.join_story_titles)
    ]


def _without_result(entry: LogEntry) -> LogEntry:
    entry.result = None  # so that asking for it fetches nothing
    return entry


def _draw_up_charts(
    match: Match,
    sees: tuple[str, ...],
    game: Game,
    histories: Histories,
    dice: Iterable[Series],
    chapters: Iterable[Chapter],
    is_whole: bool,
) -> Iterator[Chart]:
    """The charts of a story; those of a ledger for the whole of it alone."""
    ledger = ledger_of(match)
    stretches = ledger.list_story_parts([(chapter.title, chapter.first) for chapter in chapters])
    if is_whole:
        yield from ledger.chart_ledger(match, sees, stretches)
    charts = (
        figures.chart_losses_by_part(game, histories, stretches) if is_whole else None,
        figures.chart_losses_by_cause(game, histories),
        figures.chart_dice([(series.who, series.tally) for series in dice]),
    )
    yield from filter(None, charts)


def _tell_lines(lines: Sequence[LogLine], histories: Histories, game: Game) -> str:
    """Lines in a sentence or two: how many rolls in how long, and what they cost whom."""
    if not lines:
        return ""
    numbers = {line.number for line in lines}
    rolls = sum(count_rolls(line, game) for line in lines)
    count = count_of(rolls, "roll") if rolls else count_of(len(lines), "line")
    side_costs = []
    for side, name in game.sides.items():
        of_side = [
            moment
            for counter_id, moment in histories.harms
            if counter_id.startswith(f"{side}-") and moment.line.number in numbers
        ]
        fell = sum(moment.word == FELL for moment in of_side)
        cost = [f"{fell} fell" if fell else "", f"{len(of_side) - fell} hurt" if len(of_side) > fell else ""]
        if any(cost):
            side_costs.append(f"{name} {' and '.join(filter(None, cost))}")
    lost = f" Counters lost: {'; '.join(side_costs)}." if side_costs else ""
    return f"{count} {_tell_span(lines[-1].at - lines[0].at)}.{lost}"


def count_rolls(line: LogLine, game: Game) -> int:
    """How many rolls a line reports: a helper's is one, however many dice it takes; a ledger's one for each die."""
    return 1 if line.kind == LogEntry.Kind.ROLL else sum(die.die not in game.draws for die in line.rolls)


def _tell_span(span: timedelta) -> str:
    """How long something took, as players say it.

    >>> _tell_span(timedelta(minutes=95))
    'in 1 hour and 35 minutes'
    >>> _tell_span(timedelta(days=3, hours=2))
    'in 3 days'
    """
    minutes = int(span.total_seconds()) // 60
    days, hours = minutes // 1440, minutes % 1440 // 60
    units = [(days, "day"), (hours if days < 2 else 0, "hour"), (minutes % 60 if not days else 0, "minute")]
    phrases = [count_of(number, word) for number, word in units if number]
    return f"in {join_words(phrases)}" if phrases else "in less than a minute"


def _divide(lines: Iterable[LogLine], chapters: Iterable[Chapter], game: Game) -> Iterator[ToldChapter]:
    """The lines of each chapter, looked through once; a chapter with nothing to tell is left out."""
    lines_left = deque(line for line in lines if _stands(line))
    for chapter in chapters:
        of_chapter = []
        while lines_left and lines_left[0].number <= chapter.last:
            of_chapter.append(lines_left.popleft())
        if of_chapter:
            yield ToldChapter(chapter, of_chapter, game)


def _gather_chapters(match: Match, chapters: Sequence[Chapter]) -> list[Chapter]:
    """The chapters as a story has them: what a ledger divides finely, such as a battle's rounds, is told together."""
    titles = ledger_of(match).name_story_chapters([chapter.title for chapter in chapters])
    gathered: list[Chapter] = []
    for chapter, title in zip(chapters, titles, strict=True):
        if gathered and gathered[-1].title == title:
            gathered[-1] = replace(gathered[-1], last=chapter.last)
        else:
            gathered.append(replace(chapter, title=title))
    return gathered


def _join_empty(
    chapters: Iterable[ToldChapter], tells: Callable[[LogLine], bool], join: Callable[[str, str], str]
) -> list[ToldChapter]:
    """Chapters of which none is empty: one without a line that ``tells`` something opens the one after it, and the last
    one closes the one before it. ``join``: what two are called together, by their titles.
    """
    joined: list[ToldChapter] = []
    is_empty = False  # the last of them
    for chapter in chapters:
        joined[-1:] = [_join(joined[-1], chapter, join)] if is_empty else [*joined[-1:], chapter]
        is_empty = not any(map(tells, chapter.lines))
    if is_empty and len(joined) > 1:
        joined[-2:] = [_join(joined[-2], joined[-1], join)]
    return joined


def _join(first: ToldChapter, last: ToldChapter, join: Callable[[str, str], str]) -> ToldChapter:
    title = join(first.chapter.title, last.chapter.title)
    chapter = replace(first.chapter, title=title, last=last.chapter.last)
    return replace(first, chapter=chapter, lines=[*first.lines, *last.lines])


def _tell_turns(chapter: ToldChapter, turned: Iterable[DecisiveRoll], ground: Mapping[int, str]) -> str:
    """What turned a chapter, as it came about, and what ground was won in it, or else is told; "" where nothing was."""
    numbers, counts_losses = {line.number for line in chapter.lines}, _counts_losses(chapter)
    in_chapter = (point for point in turned if point.number in numbers)
    points = [point for point in in_chapter if point.change > 0 or not counts_losses][:MOST_TOLD]
    sentences = [tell_point(chapter.game, point) for point in sorted(points, key=lambda point: point.number)]
    won = [ground[line.number] for line in chapter.lines if line.number in ground]
    return " ".join([*sentences, *won])


def _counts_losses(chapter: ToldChapter) -> bool:
    """Whether the app knows what rolls cost in it: by their words, or because counters were in play."""
    in_play = any(line.kind == LogEntry.Kind.COUNTER for line in chapter.lines)
    return in_play or chapter.game.count_lost is not None


def _stands(line: LogLine) -> bool:
    is_back = line.kind == LogEntry.Kind.TAKE_BACK and line.sentence.startswith(BACK_TO)  # past a turn, perhaps
    return line.voided_by is None and (line.kind not in _ASIDE or is_back)


def divide_for_paper(story: Story) -> list[tuple[int, int]]:
    """The stretches in which a story goes on paper, each drawn in well under a second: first and last lines.

    One for nearly every match; the longest campaign does not fill two.
    """
    firsts, room = [story.first], PART_ROOM
    for line in (line for chapter in story.chapters for line in chapter.lines):
        size = PART_LINE + len(line.sentence) + len(line.secret)
        if size > room and line.number > story.first:
            firsts.append(line.number)
            room = PART_ROOM
        room -= size
    return list(zip(firsts, [*(first - 1 for first in firsts[1:]), story.last], strict=True))


def first_chapters(story: Story, room: int) -> tuple[list[ToldChapter], int | None]:
    """The chapters, with as much of the log behind them as fits into that many bytes of a page.

    One that does not fit has no lines, and its log is asked for by itself. There it is cut off, and the number of the
    first line left out is told, too.
    """
    episodes = [episode for chapter in story.chapters for episode in chapter.episodes]
    fitting = len(first_episodes(episodes, room))
    if fitting >= len(episodes):
        return story.chapters, None
    following = episodes[fitting].number
    if len(story.chapters) == 1:
        [chapter] = story.chapters
        return [replace(chapter, lines=[line for line in chapter.lines if line.begin < following])], following
    return [
        chapter if chapter.lines[-1].number < following else replace(chapter, lines=[]) for chapter in story.chapters
    ], None


def dice_of(lines: Iterable[LogLine], game: Game) -> list[Series]:
    """How the dice of some lines fell, by side, size and source; sides in the order of their game.

    What the app rolled counts even if it was taken back, since it was rolled; a typing error on the table does not.
    What is drawn blindly is left out: no two draws from a deck or a pool are of the same number.
    """
    faces_by_series: dict[tuple[int, str, int, int, str], list[int]] = {}
    for line in lines:
        for die in line.rolls:
            is_counted_there = die.source == "app" and die.of is not None
            is_rolled = line.voided_by is None or die.source == "app"
            is_drawn = die.is_card or die.die in game.draws
            if is_rolled and not is_counted_there and not is_drawn and die.face != chain.HIDDEN_FACE:
                side = die.side or line.side
                key = (game.rank_of(side), game.name_of(side), die.sides, die.dice, die.source)
                faces_by_series.setdefault(key, []).append(die.face)
    return [
        Series(f"{name}, {dice if dice > 1 else ''}d{sides}, {_SOURCES[source]}", tally(sides, faces, dice))
        for (_, name, sides, dice, source), faces in sorted(faces_by_series.items())
    ]


# In words


def sealed_as(story: Story) -> str:
    """The digest up to which the log is told here."""
    return f"Digest of the log up to line {story.last}: {story.digest}"


def name_owner(episode: Episode, game: Game) -> str:
    """Whose act it was, unless its sentence says so itself."""
    name = game.name_of(episode.first.side)
    return "" if episode.sentence.startswith(name) else name


def tell_time(at: datetime, zone: tzinfo) -> str:
    """When something was, by the clock of whoever reads: "3 Nov 2026, 19:02"."""
    local_time = at.astimezone(zone)
    return f"{local_time.day} {local_time:%b %Y, %H:%M}"


def tell_zone(zone: tzinfo) -> str:
    """Which clock that is."""
    return "UTC" if zone is UTC else str(zone).replace("_", " ")


def describe_series(counted: Tally) -> str:
    """What may be said about a series, and no more."""
    if counted.mean_range.holds(counted.mean):
        return "as chance has it"
    return f"{'lower' if counted.mean < counted.expected else 'higher'} than 39 of 40 fair series"


def list_cells(series: Series) -> list[str]:
    """A series of dice as a row of a table, with the mean, the expected one, the range and what that says."""
    counted, fair_range = series.tally, series.tally.mean_range
    means = (f"{counted.mean:.2f}", f"{counted.expected:.1f}", f"{fair_range.low:.2f} to {fair_range.high:.2f}")
    return [series.who, str(counted.number), *means, describe_series(counted)]


def write_markdown(story: Story, zone: tzinfo) -> Iterator[str]:
    """The report as lines of Markdown; times are of the zone."""
    yield f"# {_escaped(story.title)}"
    yield ""
    yield f"{_escaped(story.match.name)}: lines {story.first} to {story.last} of the log; times: {tell_zone(zone)}."
    if story.agreed:
        yield ""
        yield f"{_escaped('; '.join(story.agreed))}."
    yield ""
    yield _escaped(story.in_short)
    yield from _markdown_turning_points(story)
    for chapter in story.chapters:
        yield from ("", f"## {_escaped(chapter.chapter.title)}", "")
        if chapter.tale:
            yield from (_escaped(chapter.tale), "")
        yield _escaped(chapter.sentence)
    yield from _markdown_losses(story)
    for chapter in story.chapters:
        yield from ("", f"## The log: {_escaped(chapter.chapter.title)}", "")
        for episode in chapter.episodes:
            name = name_owner(episode, story.game)
            side = f"**{_escaped(name)}:** " if name else ""
            secret = "".join(f" *{_escaped(words)}*" for words in episode.secrets)
            when = tell_time(episode.first.at, zone)
            yield f"- {episode.number}. {side}{_escaped(episode.sentence)}{secret} ({when})"
    yield ""
    yield "## The dice"
    yield ""
    yield from _markdown_dice(story.dice)
    yield ""
    yield sealed_as(story)


def _markdown_losses(story: Story) -> Iterator[str]:
    if not story.losses:
        return
    yield from ("", "## Losses", "", "| Side | By | Fell | Hurt |", "|---|---|--:|--:|")
    for loss in story.losses:
        yield f"| {story.game.name_of(loss.side)} | {_escaped(loss.label)} | {loss.fell} | {loss.hurt} |"


def _markdown_turning_points(story: Story) -> Iterator[str]:
    points = story.turning_points
    if not points:
        return
    yield from ("", "## Turning points", "")
    for place, point in enumerate(points, 1):
        yield f"{place}. {_escaped(tell_turning_point(story.game, point))}"
    yield from ("", story.how_turning)


def tell_turning_point(game: Game, point: DecisiveRoll) -> str:
    """A turning point with the chance that it had."""
    cost = f"; {point.cost}" if point.cost else ""
    return f"{tell_point(game, point)} The chance of that was {point.chance}{cost} (№ {point.number})."


def tell_point(game: Game, point: DecisiveRoll) -> str:
    """A turning point in a sentence or two: the roll, and what it came to in the end."""
    if STRIKES in point.lines[0].inputs:
        return the_ledger().tell_bout(point.lines[0].sentence)
    return tell_episode(game, point.lines)


HOW_TURNING = (
    "Ranked by what each changed: the counters that it cost with all that followed from it, each less the chance that "
    "the odds had given it. What is hurt counts half of what fell."
)
HOW_COSTLY = (
    "Ranked by what each changed: the units that it eliminated, each less the chance that the odds had given it."
)
HOW_UNLIKELY = "Ranked by how unlikely each roll was by the odds shown before it."


def _markdown_dice(dice: Sequence[Series]) -> Iterator[str]:
    if not dice:
        yield "No dice were rolled."
        return
    yield "| Dice | Rolls | Mean | Expected | 95 of 100 fair series | |"
    yield "|---|--:|--:|--:|---|---|"
    for series in dice:
        yield f"| {' | '.join(map(_escaped, list_cells(series)))} |"
    yield ""
    yield CAVEAT


CAVEAT = (
    "Natural dice. Of many series one in twenty lies outside of its range by chance alone, so a single one proves "
    "nothing; which dice the rules ask for says nothing about luck either: low is good for some rolls, bad for others."
)


def _escaped(text: str) -> str:
    """A text in one line, with nothing in it that Markdown takes for its own."""
    return " ".join(text.translate(_MARKED).split())


_MARKED = {ord(letter): f"\\{letter}" for letter in "\\`*_{}[]<>#|~&!"}
