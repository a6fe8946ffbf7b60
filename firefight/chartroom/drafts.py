"""Chart books that owners type in, and the versions that matches may use.

A draft takes texts as they are typed (typing.py). Once nothing is wrong with it, it is stored as a version of a chart
book, which is never edited.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

from django.db import transaction
from django.http import HttpRequest

from firefight.engine.charts import tables
from firefight.engine.charts.book import Book, read_book
from firefight.engine.charts.checks import Checked, check_sheet, fixed_values
from firefight.engine.charts.kinds import Chart, Problem
from firefight.engine.charts.layouts import LAYOUTS, Layout, complete_sheet, is_line, sheet_of
from firefight.engine.charts.spec import ChartSpec
from firefight.engine.charts.tables import BadSheet, Sheet
from firefight.engine.values import Json, Values
from firefight.games import chartbooks, registry
from firefight.games.chartbooks import BadBook
from firefight.kit.game import Game
from firefight.models import ChartBook, Draft

from . import shelf
from .files import BadFile, read_file, texts_in
from .shelf import HOST, MOST_NAME, Moved, NoBook, Unready
from .typing import TypedPart

MOST_BYTES = 200_000  # of a file


class TypedChart(TypedPart):
    """A chart of a volume as a sheet."""

    key = "charts"
    spec: ChartSpec

    def __init__(self, volume: "Volume", name: str):
        self.volume, self.spec = volume, spec_of(volume.game, name)
        super().__init__(volume.draft, name)

    @property
    def layout(self) -> Layout:
        return LAYOUTS[self.spec.shape]

    def original(self) -> tuple[Sheet, tuple[str, ...]]:
        """A chart as it is in the book that this one comes from."""
        chart = self.volume.base[self.name]
        return sheet_of(chart), tuple(chart.confirmed)

    def complete(self, sheet: Sheet) -> Sheet:
        """A draft may be older than a number that the game has come to ask for."""
        return complete_sheet(sheet, self.spec)

    def check(self, sheet: Sheet, confirmed: Iterable[str]) -> Checked:
        chart: Chart = self.volume.base[self.name]
        return check_chart(self.volume.game, self.name, sheet, confirmed, title=chart.title, rule=chart.rule)


@dataclass(frozen=True, slots=True)
class Volume(shelf.Shelved[Draft]):
    """A book as one browser meets it: the shipped one of a game, or a draft, which may be its own."""

    ref: str
    game: Game
    draft: Draft | None = None
    mine: bool = False

    @property
    def name(self) -> str:
        """What its owner calls it."""
        return self.draft.name if self.draft else chartbooks.shipped(self.game.slug).name

    @property
    def title(self) -> str:
        """The same as pages show it: told apart from the shipped one."""
        return chartbooks.own_name(self.draft.game, self.name) if self.draft else self.name

    @property
    def base(self) -> Book:
        if self.draft:
            return chartbooks.of_version(self.draft.based_on_id, self.game.slug)
        return chartbooks.shipped(self.game.slug)

    def part(self, name: str) -> TypedChart:
        """A chart to be typed into. Raises NoBook."""
        return TypedChart(self, name)

    def checked(self, name: str) -> Checked:
        """A chart with everything that is wrong with it."""
        part = self.part(name)
        return part.check(*part.sheet())

    def all_checked(self) -> dict[str, Checked]:
        """Every chart of the book, in the game's order."""
        return {spec.name: self.checked(spec.name) for spec in self.game.chart_specs}

    def plain(self, checked: Mapping[str, Checked] | None = None) -> Json:
        """Its plain values, an unchanged chart in the words of the book that it comes from. Raises Unready."""
        checked = checked or self.all_checked()
        if any(chart.flaws for chart in checked.values()):
            raise Unready
        if not self.draft:
            return chartbooks.shipped_data(self.game.slug)
        before = self.draft.based_on.data["charts"]
        typed = self.draft.data["charts"]
        charts = {name: checked[name].raw if name in typed else before[name] for name in checked}
        return {"game": self.game.slug, "name": self.name, "charts": charts}


def check_chart(game: Game, name: str, sheet: Sheet, confirmed: Iterable[str], title: str, rule: str) -> Checked:
    """A sheet as a chart of a game, checked against what the rulebook's text gives."""
    return check_sheet(sheet, spec_of(game, name), title, rule, confirmed, find_fixed(game.slug)[name])


def spec_of(game: Game, name: str) -> ChartSpec:
    """What a game asks of a chart. Raises NoBook for a chart that it does not know."""
    for spec in game.chart_specs:
        if spec.name == name:
            return spec
    raise NoBook


@cache
def find_fixed(game: str) -> dict[str, dict[str, str]]:
    """What the rulebook's text gives, by chart and cell."""
    return {name: fixed_values(chart) for name, chart in chartbooks.shipped(game).charts.items()}


def check_book(game: Game, book: Book) -> dict[str, Checked]:
    """Every chart of a parsed book, to be shown."""
    return {
        name: check_chart(game, name, sheet_of(chart), chart.confirmed, title=chart.title, rule=chart.rule)
        for name, chart in book.charts.items()
    }


# The shelf


def find_shelf(request: HttpRequest) -> list[Volume]:
    """The books that this browser may open: its own, newest change first, then the host's. One query."""
    games, owner = registry.games(), shelf.shelf_of(request)
    rows = [row for row in shelf.rows_of(request, Draft) if row.game in games]
    return [Volume(row.pk, games[row.game], row, row.owner == owner) for row in rows]


def find_volume(request: HttpRequest, ref: str) -> Volume:
    """The book at an address: a game's shipped one, or a draft that this browser may see. Raises NoBook."""
    if ref in registry.games():
        return find_shipped(ref)
    draft, mine = shelf.find_row(request, Draft, ref)
    if draft.game not in registry.games():
        raise NoBook
    return Volume(ref, registry.games()[draft.game], draft, mine)


def find_shipped(game: str) -> Volume:
    """The shipped book of a game. Raises NoBook."""
    if game not in registry.games():
        raise NoBook
    return Volume(game, registry.games()[game])


def find_mine(request: HttpRequest, ref: str) -> Volume:
    """A draft of this browser, which it may change. Raises NoBook."""
    return find_volume(request, ref).to_change()


def list_usable(request: HttpRequest, game: str) -> dict[str, str]:
    """The versions that this browser may play with, by digest, as lists show them: shipped, the host's, its own."""
    labels = {chartbooks.shipped_digest(game): chartbooks.shipped(game).name}
    for volume in sorted(find_shelf(request), key=lambda volume: volume.mine):
        version = volume.own_draft.version_id
        if volume.game.slug == game and version:
            labels.setdefault(version, label_version(volume.own_draft))
    return labels


def choose_version(request: HttpRequest, game: str, digest: str) -> str:
    """The version that a form asks for, the shipped one when it does not say; "" for one not on the shelf."""
    digest = digest or chartbooks.shipped_digest(game)
    return digest if digest in list_usable(request, game) else ""


def row_of(game: str, digest: str) -> ChartBook:
    """A version that ``choose_version`` let through; the shipped one is stored on first use."""
    if digest == chartbooks.shipped_digest(game):
        return chartbooks.shipped_row(game)
    return ChartBook.objects.defer("data").get(pk=digest)


def label_version(draft: Draft) -> str:
    """The newest version of a draft, as a list shows it."""
    return f"{chartbooks.own_name(draft.game, draft.name)}, version {len(draft.versions)}"


def newer_than(request: HttpRequest, game: str, pinned: str) -> dict[str, str]:
    """The versions that a match could take instead of the pinned one, later ones of the same book first."""
    same_book = {
        volume.own_draft.version_id
        for volume in find_shelf(request)
        if pinned in volume.own_draft.versions and volume.own_draft.version_id != pinned
    }
    labels = {digest: label for digest, label in list_usable(request, game).items() if digest != pinned}
    labels |= {digest: f"{labels[digest]}, newer than the one in use" for digest in set(labels) if digest in same_book}
    return dict(sorted(labels.items(), key=lambda item: item[0] not in same_book))


def put_on_shelf(request: HttpRequest, name: str, based_on: ChartBook, charts: Values | None = None) -> Draft:
    """A new draft of this browser. Raises Full, or TooMuch."""
    return shelf.add_draft(request, Draft, name, {"charts": charts or {}}, game=based_on.game, based_on=based_on)


def copy_volume(request: HttpRequest, volume: Volume) -> Draft:
    """A copy of a book on this browser's shelf, its typed charts as they stand. Raises Full."""
    base = volume.draft.based_on if volume.draft else chartbooks.shipped_row(volume.game.slug)
    charts = volume.draft.data["charts"] if volume.draft else {}
    return put_on_shelf(request, shelf.name_copy(request, Draft, volume.name), base, charts)


def copy_version(request: HttpRequest, row: ChartBook) -> Draft:
    """A copy of a stored version on this browser's shelf. Raises Full."""
    return put_on_shelf(request, shelf.name_copy(request, Draft, row.name), row)


def make_usable(volume: Volume, revision: int) -> ChartBook:
    """Store a draft as a version that matches can use. Raises Unready, Moved, BadBook."""
    if volume.own_draft.revision != revision:
        raise Moved
    row = chartbooks.store(volume.game.slug, volume.plain())
    shelf.keep_version(volume.own_draft, revision, row, row.pk)
    return row


def is_latest(volume: Volume, plain: Values) -> bool:
    """Whether the newest version holds a draft just as it stands."""
    return volume.own_draft.version_id == chartbooks.digest(plain)


# Files


def read_book_file(sent: bytes) -> Json:
    """A book out of a TOML or JSON file, sound in every respect. Raises BadBook with everything that is wrong."""
    try:
        data = read_file(sent, MOST_BYTES)
    except BadFile as error:
        raise BadBook([Problem("the file", "", str(error))]) from None
    game = registry.games().get(str(data.get("game", ""))) if isinstance(data, dict) else None
    if game is None:
        raise BadBook([Problem("game", "", f"should be one of {', '.join(registry.games())}")])
    if problems := list(book_flaws(data, game)):
        raise BadBook(problems)
    book: Json = data
    return book


def book_flaws(data: Values, game: Game) -> Iterable[Problem]:
    """Everything that keeps a book from outside, as plain values, from any page, sheet and file of ours."""
    if any(tables.has_controls(text) for text in texts_in(data)):
        yield Problem("the file", "", "holds characters that cannot be seen")
    else:
        yield from _find_strangers(data, game)
        yield from _find_unsound(data, game)


def _find_strangers(data: Mapping[str, object], game: Game) -> Iterable[Problem]:
    """Whatever stands in a file without belonging there, and a name that cannot be shown."""
    for key in set(data) - {"game", "name", "charts"}:
        yield Problem(tables.clean_text(key)[:40], "", "is not known here")
    name = data.get("name")
    if not isinstance(name, str) or not 0 < len(name) <= MOST_NAME or name != tables.clean_text(name):
        yield Problem("name", "", f"should be a text of 1 to {MOST_NAME} characters on one line")
    charts = data.get("charts")
    if not isinstance(charts, dict):
        return
    for spec in game.chart_specs:
        raw = charts.get(spec.name)
        known_keys = {"title", "rule", "kind", "provenance", "confirmed", *LAYOUTS[spec.shape].keys}
        for key in sorted(set(raw) - known_keys) if isinstance(raw, dict) else ():
            yield Problem(spec.name, tables.clean_text(key)[:40], "is not known here")
        for key in ("title", "rule"):
            if isinstance(raw, dict) and not is_line(raw.get(key)):
                yield Problem(spec.name, key, "should be a text of 1 to 80 characters on one line")


def _find_unsound(data: Mapping[str, object], game: Game) -> Iterable[Problem]:
    """What is wrong with the values: as a book, as sheets, and in what they claim about the rulebook's text."""
    book, problems = read_book(data, game.chart_specs)
    yield from problems
    reported = {(problem.chart, problem.message) for problem in problems}
    for name, chart in book.charts.items():
        try:
            checked = check_chart(game, name, sheet_of(chart), chart.confirmed, title=chart.title, rule=chart.rule)
        except BadSheet as error:
            yield Problem(name, "", str(error))
            continue
        for flaw in checked.flaws:
            if (name, flaw.message) not in reported:
                yield Problem(name, flaw.cell, flaw.message)
    yield from false_claims(book, game)


def false_claims(book: Book, game: Game) -> Iterable[Problem]:
    """Cells marked as given by the rulebook's text that are not; a blank one claims nothing."""
    for name, chart in book.charts.items():
        values = chart.named_values()
        with suppress(BadSheet):
            checked = check_chart(game, name, sheet_of(chart), chart.confirmed, title=chart.title, rule=chart.rule)
            for cell, (row, column) in checked.cells.items():
                is_claimed = chart.origins.get(cell) == "text" and values.get(cell) is not None
                if is_claimed and checked.marks[row - 1][column] != "t":
                    yield Problem(name, cell, "is marked text, but is not what the rulebook's text gives")


def take_in(request: HttpRequest, data: Json) -> Draft:
    """Put a book that ``read_book_file`` found sound on this browser's shelf, ready to be used. Raises Full."""
    with transaction.atomic():
        row = chartbooks.store(data["game"], data)
        draft = put_on_shelf(request, data["name"], row)
        draft.version, draft.versions = row, [row.pk]
        draft.save(update_fields=["version", "versions"])
    return draft


def offer_to_all(data: Json) -> Draft:
    """Put a sound book on the host's shelf; one of the same name is followed by a newer version."""
    row = chartbooks.store(data["game"], data)
    draft = Draft.objects.filter(owner=HOST, game=row.game, name=row.name).first() or Draft(
        owner=HOST, game=row.game, name=row.name
    )
    draft.data, draft.based_on, draft.version = {"charts": {}}, row, row
    draft.versions = [*(digest for digest in draft.versions if digest != row.pk), row.pk]
    draft.revision += 1
    draft.save()
    return draft
