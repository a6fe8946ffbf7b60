"""What owners enter for a blank cell of their charts: asked once, where a roll needs it, and kept with the match."""

from collections.abc import Mapping
from dataclasses import replace

from firefight.columns import RowKey, Undo
from firefight.engine.charts.book import CELL, MOST_ASKED, Book, cell_field
from firefight.engine.charts.checks import check_sheet, fixed_values
from firefight.engine.charts.kinds import Chart
from firefight.engine.charts.layouts import LAYOUTS, sheet_of
from firefight.engine.charts.tables import BadSheet, lay_block
from firefight.engine.errors import BadInput
from firefight.engine.values import Json
from firefight.games import chartbooks, registry
from firefight.models import ChartBook, LogEntry, Match
from firefight.table.act.act import MatchAct

Blank = tuple[str, str]  # a chart and a cell of it, by their names


def read_blanks(sent: Mapping[str, object]) -> dict[Blank, str]:
    """The cells among what was sent with a form; a blank says nothing."""
    texts = {name: str(typed).strip() for name, typed in sent.items() if name.startswith(f"{CELL}:")}
    keys = {name: name.split(":", 2) for name in texts}
    return {(key[1], key[2]): texts[name] for name, key in keys.items() if len(key) == 3 and texts[name]}


def fill_cells(act: MatchAct, cells: Mapping[Blank, str]) -> None:
    """Go on with charts in which these cells are filled in; whatever else stands there stays.

    Raises BadInput with everything that is wrong.
    """
    if len(cells) > MOST_ASKED:
        words = f"{MOST_ASKED} blank cells can be filled in with a roll; these are {len(cells)}. Nothing was rolled."
        raise BadInput({cell_field(*next(iter(cells))): words})
    match = act.match
    charts, filled = _fill_all(match, cells)
    data = ChartBook.objects.get(pk=match.book_id).data
    take_book(act, chartbooks.store(match.game, {**data, "charts": {**data["charts"], **filled}}))
    words = "; ".join(
        f"{charts[name].title}, {charts[name].names.get(cell, cell)}: {cells[name, cell]}" for name, cell in cells
    )
    act.tell(LogEntry.Kind.BOOK, f"From now on, as an owner has it: {words}.", inputs={"book": match.book_id})


def try_cells(match: Match, cells: Mapping[Blank, str]) -> Book:
    """The charts of a match as these cells would make them, for the odds; as they are where one does not fit."""
    book = chartbooks.of_match(match)
    try:
        return replace(book, charts=_fill_all(match, cells)[0]) if cells else book
    except BadInput:
        return book


def _fill_all(match: Match, cells: Mapping[Blank, str]) -> tuple[dict[str, Chart], dict[str, Json]]:
    """A match's charts with these cells, and the plain values of those that change. Raises BadInput."""
    charts, filled, problems = dict(chartbooks.of_match(match).charts), dict[str, Json](), dict[str, str]()
    for (name, cell), text in cells.items():
        try:
            charts[name], filled[name] = _fill(match.game, charts.get(name), cell, text)
        except BadSheet as error:
            problems[cell_field(name, cell)] = str(error)
    if problems:
        raise BadInput(problems)
    return charts, filled


def _fill(game: str, chart: Chart | None, cell: str, text: str) -> tuple[Chart, Json]:
    """A chart with one blank cell filled in by its owner, and its plain values. Raises BadSheet."""
    if chart is None or not chart.is_blank(cell):
        raise BadSheet("This cell is not blank.")
    spec = next(spec for spec in registry.games()[game].chart_specs if spec.name == chart.name)
    sheet = sheet_of(chart)
    place = LAYOUTS[spec.shape].read(sheet, spec).cells[cell]
    fixed = fixed_values(chartbooks.shipped(game)[chart.name])
    checked = check_sheet(lay_block(sheet, ((text,),), place), spec, chart.title, chart.rule, chart.confirmed, fixed)
    wrong = [flaw.message for flaw in checked.flaws if flaw.place == place]
    if wrong or checked.chart is None or checked.chart.named_values().get(cell) is None:
        raise BadSheet(" ".join(wrong) or "This does not fit the chart.")
    return checked.chart, checked.raw


def take_book(act: MatchAct, book: ChartBook) -> None:
    """Go on with another book of charts. The act notes how to undo it, and the caller tells it."""
    match = act.match
    act.row.undo = Undo(was={RowKey(Match._meta.label, match.pk): {"book_id": match.book_id}})
    match.book = book
    Match.objects.filter(pk=match.pk).update(book=book)
