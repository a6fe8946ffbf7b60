"""The chart room: books that owners type in, a shelf for each browser, and the versions that matches may use.

A browser's shelf hangs on a random key in its signed session; the rows hold the key's hash. A draft takes texts
as they are typed. Once nothing stands against it, it is stored as a version of a chart book, which is never edited.
"""

import json
import re
import secrets
import tomllib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import chain, count
from typing import Any

import tomli_w
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from firefight.assistant import chartbooks, registry
from firefight.assistant.chartbooks import BadBook
from firefight.assistant.fields import read_json
from firefight.engine.charts import tables
from firefight.engine.charts.book import Book, read_book
from firefight.engine.charts.checks import Checked, check, fixed_values
from firefight.engine.charts.kinds import Chart, Problem
from firefight.engine.charts.layouts import LAYOUTS, complete, is_line, sheet_of
from firefight.engine.charts.spec import ChartSpec
from firefight.engine.charts.tables import BadSheet, Place, Sheet
from firefight.hosting.allowance import A_BOOK, spend
from firefight.models import ChartBook, Draft
from firefight.tokens import hash_token

HOST = "host"  # the owner of books that everybody may use
MOST_BYTES = 200_000  # of a file
MOST_DOTS = 200  # on one line of a TOML file: each may be a table in a table, and tomllib is slow at those
MOST_DRAFTS = 40  # on one shelf
MOST_SHARED = 8  # links that one browser remembers; the oldest fall out
MOST_NAME = 80


class NoBook(Exception):
    """There is no such book for this browser."""


class Moved(Exception):
    """The draft was saved from another page since this one was drawn; nothing was changed."""


class Unready(Exception):
    """The draft is no complete book yet; nothing was changed."""


class Full(Exception):
    """There is no room on the shelf."""


@dataclass(frozen=True, slots=True)
class Volume:
    """A book as one browser meets it: the shipped one of a game, or a draft, which may be its own."""

    ref: str
    game: registry.Game
    draft: Draft | None = None
    mine: bool = False

    @property
    def own_draft(self) -> Draft:
        """The draft of a book that is no shipped one."""
        assert self.draft is not None
        return self.draft

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
        """What it began as."""
        if self.draft:
            return chartbooks.of_version(self.draft.based_on_id, self.game.slug)
        return chartbooks.shipped(self.game.slug)

    def sheet(self, name: str) -> tuple[Sheet, tuple[str, ...]]:
        """A chart as it stands, and what its owner has confirmed of it."""
        typed = self.draft.data["charts"].get(name) if self.draft else None
        if typed:
            # A draft may be older than a number that the game has come to ask for.
            return complete(tables.from_plain(typed), spec_of(self.game, name)), tuple(typed["confirmed"])
        return self.original(name)

    def original(self, name: str) -> tuple[Sheet, tuple[str, ...]]:
        """A chart as it is in the book that this one comes from."""
        chart = self.base[name]
        return sheet_of(chart), tuple(chart.confirmed)

    def checked(self, name: str) -> Checked:
        """A chart with everything that stands against it."""
        chart: Chart = self.base[name]
        return checked(self.game, name, *self.sheet(name), title=chart.title, rule=chart.rule)

    def all_checked(self) -> dict[str, Checked]:
        """Every chart of the book, in the game's order."""
        return {spec.name: self.checked(spec.name) for spec in self.game.chart_specs}

    def plain(self, found: Mapping[str, Checked] | None = None) -> dict[str, Any]:
        """Its plain values, a chart that is as it was in the words of the book it comes from. Raises Unready."""
        found = found or self.all_checked()
        if any(chart.flaws for chart in found.values()):
            raise Unready
        if not self.draft:
            return chartbooks.shipped_data(self.game.slug)
        before = self.draft.based_on.data["charts"]
        typed = self.draft.data["charts"]
        charts = {name: found[name].raw if name in typed else before[name] for name in found}
        return {"game": self.game.slug, "name": self.name, "charts": charts}

    @property
    def version(self) -> int:
        """How many versions matches could use so far."""
        return len(self.draft.versions) if self.draft else 1


def checked(game: registry.Game, name: str, sheet: Sheet, confirmed: Iterable[str], title: str, rule: str) -> Checked:
    """A sheet as a chart of a game, held against what the rulebook's text gives."""
    return check(sheet, spec_of(game, name), title, rule, confirmed, fixed(game.slug)[name])


def spec_of(game: registry.Game, name: str) -> ChartSpec:
    """What a game asks of a chart. Raises NoBook for a chart that it does not know."""
    for spec in game.chart_specs:
        if spec.name == name:
            return spec
    raise NoBook


@cache
def fixed(game: str) -> dict[str, dict[str, str]]:
    """What the rulebook's text gives, by chart and cell."""
    return {name: fixed_values(chart) for name, chart in chartbooks.shipped(game).charts.items()}


def checked_book(game: registry.Game, book: Book) -> dict[str, Checked]:
    """Every chart of a parsed book, to be shown."""
    return {
        name: checked(game, name, sheet_of(chart), chart.confirmed, title=chart.title, rule=chart.rule)
        for name, chart in book.charts.items()
    }


# The shelf


def shelf_of(request: HttpRequest) -> str:
    """By what the books of this browser are known; "" while it has none."""
    key = request.session.get("shelf", "")
    return hash_token(key) if key else ""


def find_shelf(request: HttpRequest) -> list[Volume]:
    """The books that this browser may open: its own, newest change first, then the host's. One query."""
    owner = shelf_of(request)
    found = Draft.objects.filter(owner__in=[HOST, owner] if owner else [HOST]).defer("data")
    rows = sorted(found, key=lambda row: (row.owner == HOST, -row.changed.timestamp()))
    games = registry.games()
    return [Volume(row.pk, games[row.game], row, row.owner == owner) for row in rows if row.game in games]


def find_volume(request: HttpRequest, ref: str) -> Volume:
    """The book at an address: a game's shipped one, or a draft that this browser may see. Raises NoBook."""
    if ref in registry.games():
        return find_shipped(ref)
    is_name = re.fullmatch(r"[\w-]{1,12}", ref, re.ASCII)  # databases differ in what else they would take
    draft = Draft.objects.select_related("based_on").filter(pk=ref).first() if is_name else None
    if draft is None or draft.game not in registry.games():
        raise NoBook
    mine = draft.owner == shelf_of(request)
    shared = request.session.get("shared", {}).get(ref)
    if not (mine or draft.owner == HOST or (draft.share and draft.share[:16] == shared)):
        raise NoBook
    return Volume(ref, registry.games()[draft.game], draft, mine)


def find_shipped(game: str) -> Volume:
    """The shipped book of a game. Raises NoBook."""
    if game not in registry.games():
        raise NoBook
    return Volume(game, registry.games()[game])


def find_mine(request: HttpRequest, ref: str) -> Volume:
    """A draft of this browser, which it may change. Raises NoBook."""
    volume = find_volume(request, ref)
    if not volume.mine:
        raise NoBook
    return volume


def usable(request: HttpRequest, game: str) -> dict[str, str]:
    """The versions that this browser may play with, by digest, as lists show them: shipped, the host's, its own."""
    found = {chartbooks.shipped_digest(game): chartbooks.shipped(game).name}
    for volume in sorted(find_shelf(request), key=lambda volume: volume.mine):
        version = volume.own_draft.version_id
        if volume.game.slug == game and version:
            found.setdefault(version, label(volume.own_draft))
    return found


def chosen(request: HttpRequest, game: str, wanted: str) -> str:
    """The version that a form asks for, the shipped one when it does not say; "" for one not on the shelf."""
    wanted = wanted or chartbooks.shipped_digest(game)
    return wanted if wanted in usable(request, game) else ""


def row_of(game: str, digest: str) -> ChartBook:
    """A version that ``chosen`` let through; the shipped one is stored on first use."""
    if digest == chartbooks.shipped_digest(game):
        return chartbooks.shipped_row(game)
    return ChartBook.objects.defer("data").get(pk=digest)


def label(draft: Draft) -> str:
    """The newest version of a draft, as a list shows it."""
    return f"{chartbooks.own_name(draft.game, draft.name)}, version {len(draft.versions)}"


def newer_than(request: HttpRequest, game: str, pinned: str) -> dict[str, str]:
    """The versions that a match could take instead of the pinned one, later ones of the same book first."""
    same = {
        volume.own_draft.version_id
        for volume in find_shelf(request)
        if pinned in volume.own_draft.versions and volume.own_draft.version_id != pinned
    }
    others = {digest: told for digest, told in usable(request, game).items() if digest != pinned}
    others |= {digest: f"{others[digest]}, newer than the one in use" for digest in set(others) if digest in same}
    return dict(sorted(others.items(), key=lambda item: item[0] not in same))


def put_on_shelf(request: HttpRequest, name: str, based_on: ChartBook, charts: Mapping | None = None) -> Draft:
    """A new draft of this browser. Raises Full, or TooMuch."""
    key = request.session.get("shelf") or secrets.token_urlsafe(32)
    owner = hash_token(key)
    if Draft.objects.filter(owner=owner).count() >= MOST_DRAFTS:
        raise Full(f"A shelf holds {MOST_DRAFTS} books. Remove one that is not needed any more.")
    spend(request, A_BOOK)
    request.session["shelf"] = key
    return Draft.objects.create(
        game=based_on.game, name=name[:MOST_NAME], owner=owner, data={"charts": charts or {}}, based_on=based_on
    )


def copy_volume(request: HttpRequest, volume: Volume) -> Draft:
    """A copy of a book on this browser's shelf, its typed charts as they stand. Raises Full."""
    base = volume.draft.based_on if volume.draft else chartbooks.shipped_row(volume.game.slug)
    charts = volume.draft.data["charts"] if volume.draft else {}
    return put_on_shelf(request, _copy_name(request, volume.name), base, charts)


def copy_version(request: HttpRequest, row: ChartBook) -> Draft:
    """A copy of a stored version on this browser's shelf. Raises Full."""
    return put_on_shelf(request, _copy_name(request, row.name), row)


def _copy_name(request: HttpRequest, name: str) -> str:
    """What a copy is called: as no other book on this browser's shelf is."""
    taken = set(Draft.objects.filter(owner=shelf_of(request)).values_list("name", flat=True))
    name = (name if name.startswith("Copy of ") else f"Copy of {name}")[: MOST_NAME - 4]
    return next(each for each in chain([name], (f"{name} {n}" for n in count(2))) if each not in taken)


# Typing


def save_draft(draft: Draft, revision: int, **values: Any) -> None:
    """Save a draft unless it has moved on since this revision. Raises Moved."""
    values |= {"revision": revision + 1, "changed": timezone.now()}
    if not Draft.objects.filter(pk=draft.pk, revision=revision).update(**values):
        raise Moved
    for name, value in values.items():
        setattr(draft, name, value)


def type_in(
    volume: Volume, name: str, revision: int, sheet: Sheet, confirmed: Iterable[str], page: tuple[str, int] = ("", 0)
) -> None:
    """Keep a chart as it was typed. One that is again as in the book it comes from is not kept. Raises Moved.

    page: the id of the page that it was typed on, and how often something had been typed there.
    """
    charts = {key: value for key, value in volume.own_draft.data["charts"].items() if key != name}
    before = volume.original(name)
    if (sheet, set(confirmed)) != (before[0], set(before[1])):
        charts[name] = {**sheet.plain(), "confirmed": sorted(set(confirmed))}
    save_draft(volume.own_draft, revision, data={"charts": charts, **({"typed_on": list(page)} if page[0] else {})})


def was_typed_on(draft: Draft, page: str, typed: int) -> bool:
    """Whether the last thing typed into a draft came from this page, and no later than its change ``typed``.

    Such a page has only missed the answer to its own save.
    """
    last_page, last_typed = draft.data.get("typed_on", ("", 0))
    return page != "" and page == last_page and typed >= last_typed


def changed(volume: Volume, name: str, texts: Mapping[Place, str]) -> Sheet:
    """The sheet of a chart with texts typed into it; the names of its columns stay where the chart has its own.

    Raises BadSheet.
    """
    layout = LAYOUTS[spec_of(volume.game, name).shape]
    sheet = volume.sheet(name)[0]
    return tables.put(sheet, {place: text for place, text in texts.items() if not layout.is_locked(place)})


def make_usable(volume: Volume, revision: int) -> ChartBook:
    """Store a draft as a version that matches can use. Raises Unready, Moved, BadBook."""
    if volume.own_draft.revision != revision:
        raise Moved
    row = chartbooks.store(volume.game.slug, volume.plain())
    versions = [digest for digest in volume.own_draft.versions if digest != row.pk]
    save_draft(volume.own_draft, revision, version=row, versions=[*versions, row.pk])
    return row


def is_latest(volume: Volume, plain: Mapping[str, Any]) -> bool:
    """Whether the newest version holds a draft just as it stands."""
    return volume.own_draft.version_id == chartbooks.digest(plain)


def share(draft: Draft) -> str:
    """A new read-only link's token, which is not kept; an older link opens nothing any more."""
    token = secrets.token_urlsafe(32)
    Draft.objects.filter(pk=draft.pk).update(share=hash_token(token))
    return token


def unshare(draft: Draft) -> None:
    """The read-only link opens nothing any more, and whoever used it is shut out."""
    Draft.objects.filter(pk=draft.pk).update(share="")


def open_shared(request: HttpRequest, token: str) -> Draft:
    """Let this browser read the book of a link. Raises NoBook."""
    draft = Draft.objects.filter(share=hash_token(token)).defer("data").first()
    if draft is None:
        raise NoBook
    known = {ref: part for ref, part in request.session.get("shared", {}).items() if ref != draft.pk}
    request.session["shared"] = {**dict(list(known.items())[1 - MOST_SHARED :]), draft.pk: draft.share[:16]}
    return draft


# Files


def as_toml(data: Mapping[str, Any]) -> str:
    """A book as TOML, its grids laid out."""
    return tomli_w.dumps(data, multiline_strings=True)


def as_json(data: Mapping[str, Any]) -> str:
    """A book as JSON."""
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def read_book_file(sent: bytes) -> dict[str, Any]:
    """A book out of a TOML or JSON file, sound in every respect. Raises BadBook with everything that is wrong."""
    if len(sent) > MOST_BYTES:
        raise _broken(f"is larger than {MOST_BYTES // 1000} KB")
    try:
        text = sent.decode("utf-8-sig")
        data = json.loads(text) if text.lstrip().startswith("{") else _read_toml(text)
        data = read_json(json.dumps(data))  # what cannot be kept: dates, numbers without end, deep nesting ...
    except (ValueError, TypeError, RecursionError) as error:
        raise _broken(f"cannot be read as TOML or JSON: {str(error)[:120]}") from None
    game = registry.games().get(str(data.get("game", ""))) if isinstance(data, dict) else None
    if game is None:
        raise BadBook([Problem("game", "", f"should be one of {', '.join(registry.games())}")])
    if problems := list(book_flaws(data, game)):
        raise BadBook(problems)
    return data


def book_flaws(data: Mapping[str, Any], game: registry.Game) -> Iterable[Problem]:
    """Everything that keeps a book from outside, as plain values, from any page, sheet and file of ours."""
    if any(tables.has_controls(text) for text in _strings(data)):
        yield Problem("the file", "", "holds characters that cannot be seen")
    else:
        yield from _strangers(data, game)
        yield from _unsound(data, game)


def _read_toml(text: str) -> dict[str, Any]:
    if max(line.count(".") for line in text.split("\n")) > MOST_DOTS:
        raise ValueError(f"a line has at most {MOST_DOTS} dots")
    return tomllib.loads(text)


def _broken(message: str) -> BadBook:
    return BadBook([Problem("the file", "", message)])


def _strangers(data: Mapping[str, Any], game: registry.Game) -> Iterable[Problem]:
    """Whatever stands in a file without belonging there, and a name that cannot be shown."""
    for key in set(data) - {"game", "name", "charts"}:
        yield Problem(tables.clean(key)[:40], "", "is not known here")
    name = data.get("name")
    if not isinstance(name, str) or not 0 < len(name) <= MOST_NAME or name != tables.clean(name):
        yield Problem("name", "", f"should be a text of 1 to {MOST_NAME} characters on one line")
    charts = data.get("charts")
    if not isinstance(charts, dict):
        return
    for spec in game.chart_specs:
        raw = charts.get(spec.name)
        known = {"title", "rule", "kind", "provenance", "confirmed", *LAYOUTS[spec.shape].keys}
        for key in sorted(set(raw) - known) if isinstance(raw, dict) else ():
            yield Problem(spec.name, tables.clean(key)[:40], "is not known here")
        for key in ("title", "rule"):
            if isinstance(raw, dict) and not is_line(raw.get(key)):
                yield Problem(spec.name, key, "should be a text of 1 to 80 characters on one line")


def _strings(value: Any) -> Iterable[str]:
    """Every text in plain values, names of tables included."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)
    elif isinstance(value, str):
        yield value


def _unsound(data: Mapping[str, Any], game: registry.Game) -> Iterable[Problem]:
    """What is wrong with the values: as a book, as sheets, and in what they claim of the rulebook's text."""
    book, problems = read_book(data, game.chart_specs)
    yield from problems
    told = {(problem.chart, problem.message) for problem in problems}
    for name, chart in book.charts.items():
        try:
            found = checked(game, name, sheet_of(chart), chart.confirmed, title=chart.title, rule=chart.rule)
        except BadSheet as error:
            yield Problem(name, "", str(error))
            continue
        for flaw in found.flaws:
            if (name, flaw.message) not in told:
                yield Problem(name, flaw.cell, flaw.message)
    yield from false_claims(book, game)


def false_claims(book: Book, game: registry.Game) -> Iterable[Problem]:
    """Cells that are marked as the rulebook's text gives them, and are not."""
    for name, chart in book.charts.items():
        with suppress(BadSheet):
            found = checked(game, name, sheet_of(chart), chart.confirmed, title=chart.title, rule=chart.rule)
            for cell, (row, column) in found.cells.items():
                if chart.origins.get(cell) == "text" and found.marks[row - 1][column] != "t":
                    yield Problem(name, cell, "is marked text, but is not what the rulebook's text gives")


def take_in(request: HttpRequest, data: dict[str, Any]) -> Draft:
    """Put a book that ``read_file`` found sound on this browser's shelf, ready to be used. Raises Full."""
    with transaction.atomic():
        row = chartbooks.store(data["game"], data)
        draft = put_on_shelf(request, data["name"], row)
        draft.version, draft.versions = row, [row.pk]
        draft.save(update_fields=["version", "versions"])
    return draft


def offer_to_all(data: dict[str, Any]) -> Draft:
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
