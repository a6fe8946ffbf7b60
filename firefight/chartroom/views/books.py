"""The chart room: the shelf, a book as play-aid cards, a chart as a sheet to type into, files, comparison."""

import uuid
from collections.abc import Sequence

from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET, require_http_methods

from firefight.chartroom import drafts, files, sheets, shelf
from firefight.chartroom import paper as chartpaper
from firefight.chartroom.cards import before_and_after, cards, draw_check, draw_grid, draw_heat, list_differing
from firefight.chartroom.drafts import Volume
from firefight.chartroom.files import BadFile
from firefight.chartroom.shelf import Moved, NoBook, ShelfItem, Unready
from firefight.chartroom.tapping import TapTable
from firefight.chartroom.typing import BadPost
from firefight.drawing.paper import Format
from firefight.engine.charts.heat import strips_of
from firefight.engine.charts.kinds import Problem
from firefight.engine.charts.notation import word_of
from firefight.engine.charts.spec import ChartSpec
from firefight.engine.charts.tables import BadSheet
from firefight.engine.values import Json
from firefight.games import chartbooks, registry
from firefight.games.chartbooks import BadBook
from firefight.hosting.allowance import A_BOOK, counting_visits, spend
from firefight.kit.game import Game
from firefight.models import Draft, OnShelf, OwnSheet
from firefight.web import answers
from firefight.web.requests import htmx_of, number_in

from .volumes import (
    LENDING,
    MOST_TOLD,
    STALE,
    VolumePage,
    find_new_link,
    list_problems,
    remove_of,
    rename,
    send_file,
    serve_part,
    serve_shelf,
    serve_volume,
    shelved,
)

# The shelf


@require_http_methods(["GET", "POST"])
@counting_visits
@shelved
def shelf_page(request: HttpRequest) -> HttpResponse:
    """What this browser has brought of every game, and the books that it may open. A posted file is taken in."""
    return serve_shelf(request, draw_shelf, _take_in, BadBook, _name_page)


def _name_page(row: OnShelf) -> str:
    return "firefight:own-sheet" if isinstance(row, OwnSheet) else "firefight:chart-book"


def _take_in(request: HttpRequest, sent: "UploadedFile[bytes]") -> OnShelf:
    """A chart book, or a sheet: a file says which it is."""
    data = sent.read(drafts.MOST_BYTES + 1)
    try:
        plain = files.read_file(data, drafts.MOST_BYTES)
        if isinstance(plain, dict) and "sheet" in plain:
            return sheets.take_in_sheet(request, plain)
    except BadFile as error:
        raise BadBook([Problem("the file", "", str(error))]) from None
    return drafts.take_in(request, drafts.read_book_file(data))


def draw_shelf(request: HttpRequest, problems: Sequence[str] = (), status: int = 200) -> HttpResponse:
    volumes, owned = drafts.find_shelf(request), list_owned(request)
    ctx = {
        "shelves": [
            {
                "game": game,
                "items": [item for item in owned if item.game == slug],
                "shipped": chartbooks.shipped(slug).name,
                "hosts": [volume for volume in volumes if not volume.mine and volume.game is game],
                "tapped": list_tapped(game),
                "rooms": [room for room in shelf.ROOMS if room.game == slug],
            }
            for slug, game in registry.games().items()
        ],
        "problems": problems,
        "most": drafts.MOST_BYTES // 1000,
    }
    return render(request, "firefight/charts_shelf.html", ctx, status=status)


def list_tapped(game: Game) -> list[tuple[str, str]]:
    """The charts of a game that are tapped row by row, by name and title."""
    house = chartbooks.shipped(game.slug)
    return [(spec.name, house[spec.name].title) for spec in game.chart_specs if spec.tapped]


def list_owned(request: HttpRequest) -> list[ShelfItem]:
    """What this browser has brought: chart books, sheets, and what rooms of single games keep."""
    books = [
        ShelfItem(
            volume.game.slug,
            "Charts",
            volume.title,
            reverse("firefight:chart-book", args=[volume.ref]),
            volume.version,
            volume.own_draft.changed,
        )
        for volume in drafts.find_shelf(request)
        if volume.mine
    ]
    typed = [
        ShelfItem(
            volume.game.slug,
            volume.declared.title,
            volume.name,
            reverse("firefight:own-sheet", args=[volume.ref]),
            volume.version,
            volume.draft.changed,
        )
        for volume in sheets.list_own_sheets(request)
    ]
    return [*books, *typed, *(item for room in shelf.ROOMS for item in room.list_items(request))]


@require_GET
@shelved
def open_shared(request: HttpRequest, token: str) -> HttpResponse:
    """A read-only link: the token goes into the session and leaves the address bar."""
    return redirect("firefight:chart-book", shelf.open_shared(request, Draft, token).pk)


# A book


@require_GET
@shelved
def house(request: HttpRequest, game: str) -> HttpResponse:
    """The shipped book of a game."""
    return draw_book(request, drafts.find_shipped(game))


@require_http_methods(["GET", "POST"])
@counting_visits
@shelved
def book(request: HttpRequest, ref: str) -> HttpResponse:
    """A whole book as play-aid cards, and what its owner can do with it."""
    return serve_volume(request, ref, BOOK_PAGE)


def _make_usable(request: HttpRequest, volume: Volume) -> None:
    spend(request, A_BOOK)
    try:
        drafts.make_usable(volume, number_in(request, "revision") or 0)
    except BadBook as error:
        raise BadPost(" ".join(list_problems(error.problems))) from None


_ACTS = {**LENDING, "rename": rename, "usable": _make_usable, "remove": remove_of("Matches")}


def _rank(game: Game, chart: str) -> int:
    """The place of a chart on its book's page: the leading ones first; sorting leaves all others in their order."""
    leading = game.leading_charts
    return leading.index(chart) if chart in leading else len(leading)


def _explain_codes(game: Game) -> dict[str, str]:
    """What a chart's codes mean, as its rolls say it."""
    explained = (helper.meanings for helper in registry.helpers(game.slug).values())
    return {code: words for meanings in explained for code, words in meanings.items()}


def draw_book(request: HttpRequest, volume: Volume, trouble: str = "", status: int = 200) -> HttpResponse:
    checked = volume.all_checked()
    flaws = [(name, chart, flaw) for name, chart in checked.items() for flaw in chart.flaws]
    plain = volume.plain(checked) if volume.draft and not flaws else None
    shown_cards = cards(volume.game, checked, volume.draft.data["charts"] if volume.draft else ())
    ctx = {
        "volume": volume,
        "game": volume.game,
        "cards": sorted(shown_cards, key=lambda card: _rank(volume.game, card["name"])),
        "codes": _explain_codes(volume.game),
        "flaws": [
            {
                "href": reverse("firefight:chart-edit", args=[volume.ref, name]),
                "title": chart.raw["title"],
                "cell": word_of(flaw.cell),
                "message": flaw.message,
            }
            for name, chart, flaw in flaws[:MOST_TOLD]
        ],
        "flaw_count": sum(chart.to_mend for chart in checked.values()),
        "latest": plain is not None and drafts.is_latest(volume, plain),
        "whole": plain is not None or not volume.draft,
        "tapped": list_tapped(volume.game),
        "link": find_new_link(request, volume, "firefight:charts-shared"),
        "trouble": trouble,
        "most_name": shelf.MOST_NAME,
    }
    return render(request, "firefight/charts_book.html", ctx, status=status)


BOOK_PAGE = VolumePage(
    drafts.find_volume, draw_book, drafts.copy_volume, _ACTS, "firefight:chart-book", "firefight:shelf"
)


# A chart


@require_http_methods(["GET", "POST"])
@shelved
def chart(request: HttpRequest, ref: str, name: str) -> HttpResponse:
    """A chart of an own book as a sheet to type into."""
    volume = drafts.find_mine(request, ref)
    drafts.spec_of(volume.game, name)
    return serve_part(
        request,
        volume.part(name),
        lambda volume, *trouble: draw_chart(request, volume, name, *trouble),
        lambda: drafts.find_mine(request, ref),
        volume,
        reverse("firefight:chart-edit", args=[ref, name]),
    )


def draw_chart(request: HttpRequest, volume: Volume, name: str, trouble: str = "", status: int = 200) -> HttpResponse:
    """The sheet with all that is known about it; for htmx only what is known."""
    part, checked = volume.part(name), volume.checked(name)
    ctx = {
        "volume": volume,
        "revision": volume.own_draft.revision,
        **draw_check(checked),
        "heat": draw_heat(strips_of(checked.chart, part.spec.ranks)),
        "odds": before_and_after(volume, checked.chart),
        "trouble": trouble,
    }
    if htmx_of(request):
        return render(request, "firefight/_check.html", ctx, status=status)
    following = following_name(volume.game, name)
    ctx |= {
        **draw_grid(checked, part.layout),
        "raw": checked.raw,
        "kind": checked.raw["kind"],
        "base_name": volume.own_draft.based_on.name,
        "focus": request.GET.get("at", ""),
        "following": following,
        "following_title": volume.base[following].title,
        "tapped": part.spec.tapped,
        "name": name,
        "hints": hints_for(checked.raw, sorted(part.spec.codes)),
        "page": uuid.uuid4().hex,
    }
    return render(request, "firefight/charts_edit.html", ctx, status=status)


# A row that is tapped


@require_http_methods(["GET", "POST"])
@shelved
def tapped_row(request: HttpRequest, ref: str, name: str, row: int) -> HttpResponse:
    """A row of a chart of an own book: what is printed there, and what it touches, a tap each."""
    volume = drafts.find_mine(request, ref)
    spec = drafts.spec_of(volume.game, name)
    if spec.tapped is None or not 1 <= row <= len(volume.part(name).sheet()[0].rows):
        raise NoBook
    if request.method == "GET":
        return draw_tapped(request, volume, spec, row)
    try:
        _tap(request, volume, spec, row)
    except Moved:
        return draw_tapped(request, drafts.find_mine(request, ref), spec, row, STALE, 409)
    except BadSheet as error:
        return draw_tapped(request, volume, spec, row, str(error), 422)
    number = len(volume.part(name).sheet()[0].rows)
    following = row % number + 1 if request.POST.get("do") == "next" else row
    return redirect("firefight:chart-tap", ref, name, following)


def open_tapped(volume: Volume, spec: ChartSpec) -> TapTable:
    """A chart to be tapped, with what another one of the book knows about it."""
    assert spec.tapped is not None
    link_sheets = [volume.part(spec.tapped.known).sheet()[0]] if spec.tapped.known else []
    return TapTable(volume.part(spec.name).sheet()[0], spec, link_sheets)


def _tap(request: HttpRequest, volume: Volume, spec: ChartSpec, row: int) -> None:
    assert spec.tapped is not None
    posted, part = request.POST, volume.part(spec.name)
    values = {name: posted[f"v-{name}"] for name in spec.tapped.choices if f"v-{name}" in posted}
    tapped = open_tapped(volume, spec).tap(row, values, posted.getlist("touches"), posted.get("whole") == "on")
    before = part.sheet()
    if tapped != before[0]:
        part.type_in(number_in(request, "revision") or 0, tapped, before[1])


def draw_tapped(
    request: HttpRequest, volume: Volume, spec: ChartSpec, row: int, trouble: str = "", status: int = 200
) -> HttpResponse:
    assert spec.tapped is not None
    table = open_tapped(volume, spec)
    tapped, names = table.read_row(row), table.names
    ctx = {
        "volume": volume,
        "spec": spec,
        "title": volume.base[spec.name].title,
        "row": row,
        "shown": tapped,
        # A value that is not among the choices is offered as one more.
        "choices": [
            (name, spec.names.get(name, name), list(dict.fromkeys((*offered, *filter(None, [tapped.values[name]])))))
            for name, offered in spec.tapped.choices.items()
            if name in tapped.values
        ],
        "links_title": spec.names.get(spec.tapped.links, spec.tapped.links),
        "names": list(enumerate(names, 1)),
        "following": names[row % len(names)],
        "whole_rows": table.list_whole(),
        "revision": volume.own_draft.revision,
        "trouble": trouble,
    }
    return render(request, "firefight/charts_tap.html", ctx, status=status)


# How a cell is written, by the kind of its chart.
_WAYS = {
    "grid": "A cell is the highest roll that gives its row, or a band such as 06-12; – for never",
    "bands": "Faces such as 7, 1-5, ≤5 or 96+",
    "lookup": "Rows and columns are bands of totals such as ≤-4, 4-5 or 10+",
    "choices": "Rules know a modifier by its key; a new one may leave it blank",
}


def hints_for(raw: Json, codes: list[str]) -> list[str]:
    """What stands above a chart that is typed: its rule, the results that it may hold, and how a cell is written."""
    results = f"Results: {', '.join(codes)}" if codes else ""
    return [hint for hint in (raw["rule"], results, _WAYS.get(raw["kind"], "")) if hint]


def following_name(game: Game, name: str) -> str:
    """The chart behind this one; the first behind the last."""
    names = [spec.name for spec in game.chart_specs]
    return names[(names.index(name) + 1) % len(names)]


# Files and paper


@require_GET
@shelved
def file(request: HttpRequest, ref: str, form: str) -> HttpResponse:
    """A book as one file, as it stands."""
    volume = drafts.find_volume(request, ref)
    try:
        plain = volume.plain()
    except Unready:
        return draw_book(request, volume, "A book can be written to a file once nothing in it needs mending.", 409)
    return send_file(plain, form, f"charts-{volume.ref}")


@require_GET
@shelved
def paper(request: HttpRequest, ref: str) -> HttpResponse:
    """A book as pages of play-aid cards."""
    volume = drafts.find_volume(request, ref)
    size = request.GET.get("paper", Format.A4.value)
    if size not in set(Format):
        raise Http404("There is no such paper.")
    book_cards = cards(volume.game, volume.all_checked())
    sent = chartpaper.draw_book(book_cards, volume.title, volume.game.title, Format(size), timezone.now())
    return answers.send_file(sent, "application/pdf", f"charts-{volume.ref}-{size}.pdf")


# Two books


@require_GET
@shelved
def compare(request: HttpRequest) -> HttpResponse:
    """Two books of a game cell by cell: those that are asked for, or the shipped one and what lies on the shelf."""
    shelf = drafts.find_shelf(request)
    query = {name: request.GET.get(name, "") for name in ("a", "b")}
    chosen = {name: drafts.find_volume(request, ref) for name, ref in query.items() if ref}
    last = shelf[-1:] if not chosen else ()
    game = next((volume.game for volume in (*reversed(chosen.values()), *last)), next(iter(registry.games().values())))
    of_game = [game.slug, *(volume.ref for volume in shelf if volume.game == game)]
    if "a" in chosen and chosen["a"].game != game:
        query["a"] = ""  # two games have no cell in common
    refs = [query["a"] or of_game[0], query["b"] or of_game[-1]]
    both = [drafts.find_volume(request, ref) for ref in refs]
    choices = {slug: _name_book(slug, chartbooks.shipped(slug).name) for slug in registry.games()}
    choices |= {volume.ref: _name_book(volume.game.slug, volume.title) for volume in (*shelf, *both)}
    charts = list_differing(both[0].game, *(volume.all_checked() for volume in both))
    ctx = {"both": both, "refs": refs, "choices": choices, "charts": charts, "count": sum(c["count"] for c in charts)}
    return render(request, "firefight/charts_compare.html", ctx)


def _name_book(game: str, title: str) -> str:
    return f"{registry.games()[game].title}: {title}" if len(registry.games()) > 1 else title
