"""Pages of an owner's sheets: one is begun, typed, pasted, kept as versions, lent by a link, written to files."""

import uuid

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from firefight.chartroom import drafts, sheets, shelf
from firefight.chartroom.cards import MOST_SHOWN, describe_flaws, draw_check, draw_grid
from firefight.chartroom.sheets import SheetVolume
from firefight.chartroom.shelf import Full, NoBook, Unready
from firefight.chartroom.typing import BadPost
from firefight.engine.charts.tables import BadSheet
from firefight.engine.values import Json
from firefight.games import registry
from firefight.hosting.allowance import A_BOOK, counting_visits, spend
from firefight.kit.game import Game
from firefight.models import OwnSheet
from firefight.web import answers
from firefight.web.requests import htmx_of, number_in

from .books import draw_shelf
from .volumes import LENDING, VolumePage, find_new_link, remove_of, rename, send_file, serve_part, serve_volume, shelved

MOST_CELLS = 400  # that are typed on one page
LONGEST_SENT = 20_000  # characters of a text that is laid in a sheet's place


@require_POST
@counting_visits
@shelved
def begin_sheet(request: HttpRequest) -> HttpResponse:
    """A new sheet of a game, with all that nobody has to read off their box; a tapped chart begins with a book."""
    game = registry.games().get(request.POST.get("game", ""))
    if game is None:
        raise NoBook
    slug = request.POST.get("sheet", "")
    if slug in (spec.name for spec in game.chart_specs if spec.tapped):
        return _begin_tapping(request, game, slug)
    declared = sheets.find_declared(game, slug)
    names_taken = {volume.name for volume in sheets.list_own_sheets(request)}
    names = (declared.title, *(f"{declared.title} {number}" for number in range(2, shelf.MOST_DRAFTS + 2)))
    try:
        name = next((candidate for candidate in names if candidate not in names_taken), declared.title)
        row = sheets.put_sheet(request, game, declared, name, "")
    except Full as error:
        return draw_shelf(request, [str(error)], 422)
    return redirect("firefight:own-sheet", row.pk)


def _begin_tapping(request: HttpRequest, game: Game, chart: str) -> HttpResponse:
    """Tap a chart in the own book of a game that was changed last; without one, in a copy of the shipped one."""
    own_refs = (volume.ref for volume in drafts.find_shelf(request) if volume.mine and volume.game is game)
    try:
        ref = next(own_refs, None) or drafts.copy_volume(request, drafts.find_shipped(game.slug)).pk
    except Full as error:
        return draw_shelf(request, [str(error)], 422)
    return redirect("firefight:chart-tap", ref, chart, 1)


@require_GET
@shelved
def open_lent(request: HttpRequest, token: str) -> HttpResponse:
    """A read-only link: the token goes into the session and leaves the address bar."""
    return redirect("firefight:own-sheet", shelf.open_shared(request, OwnSheet, token).pk)


# A sheet


@require_http_methods(["GET", "POST"])
@counting_visits
@shelved
def sheet_page(request: HttpRequest, ref: str) -> HttpResponse:
    """A sheet as a text, with its versions, and what its owner can do with it."""
    return serve_volume(request, ref, SHEET_PAGE)


def _lay(request: HttpRequest, volume: SheetVolume) -> None:
    text = request.POST.get("text", "").replace("\r\n", "\n")
    if len(text) > LONGEST_SENT:
        raise BadPost(f"A sheet has at most {LONGEST_SENT:,} characters.")
    _put(request, volume, text)


def _take_up(request: HttpRequest, volume: SheetVolume) -> None:
    text = volume.draft.data[sheets.KEPT].get(request.POST.get("version", ""))
    if text is None:
        raise BadPost("That version is not kept any more.")
    _put(request, volume, text)


def _put(request: HttpRequest, volume: SheetVolume, text: str) -> None:
    try:
        sheets.lay_text(volume, number_in(request, "revision") or 0, text)
    except BadSheet as error:
        raise BadPost(str(error)) from None


def _keep(request: HttpRequest, volume: SheetVolume) -> None:
    spend(request, A_BOOK)
    sheets.keep_sheet_version(volume, number_in(request, "revision") or 0)


_ACTS = {**LENDING, "lay": _lay, "again": _take_up, "usable": _keep, "rename": rename, "remove": remove_of("Matches")}


def draw_own_sheet(request: HttpRequest, volume: SheetVolume, trouble: str = "", status: int = 200) -> HttpResponse:
    """The page of a sheet; with ``version`` in the address that one of its earlier versions."""
    checked = volume.part.checked()
    earlier = volume.list_earlier()
    looked_at = next(
        ((number, digest) for number, digest in earlier if str(number) == request.GET.get("version")), None
    )
    typed = request.POST.get("text", "")[:LONGEST_SENT] if trouble else ""
    ctx = {
        "volume": volume,
        "declared": volume.declared,
        "game": volume.game,
        "text": typed or volume.text,
        "rows": sum(map(any, checked.sheet.rows)),
        "flaws": [
            {
                **flaw,
                "href": f"{_address_of(volume, int(flaw['at'].partition('-')[0] or 1))}#c-{flaw['at']}",
            }
            for flaw in describe_flaws(checked)[:MOST_SHOWN]
        ],
        "flaw_count": checked.to_mend,
        "latest": volume.is_latest,
        "earlier": earlier,
        "looked_at": looked_at and {"number": looked_at[0], "text": volume.draft.data[sheets.KEPT][looked_at[1]]},
        "link": find_new_link(request, volume, "firefight:sheet-shared"),
        "trouble": trouble,
        "longest": LONGEST_SENT,
        "most_name": shelf.MOST_NAME,
    }
    return render(request, "firefight/own_sheet.html", ctx, status=status)


SHEET_PAGE = VolumePage(
    sheets.find_sheet, draw_own_sheet, sheets.copy_sheet, _ACTS, "firefight:own-sheet", "firefight:shelf"
)


# Its rows


def count_rows(volume: SheetVolume) -> int:
    """How many rows are typed on one page."""
    return max(5, MOST_CELLS // len(volume.declared.columns))


def _address_of(volume: SheetVolume, row: int) -> str:
    step = count_rows(volume)
    return reverse("firefight:own-sheet-rows", args=[volume.ref, (max(row, 1) - 1) // step * step + 1])


@require_http_methods(["GET", "POST"])
@shelved
def rows_page(request: HttpRequest, ref: str, first: int) -> HttpResponse:
    """Rows of an own sheet to type into, as many as one page holds, from ``first`` on."""
    volume = sheets.find_own_sheet(request, ref)
    row = request.GET.get("at", "").partition("-")[0]
    if (
        row.isdecimal()
        and len(row) < 4
        and _address_of(volume, int(row)) != reverse("firefight:own-sheet-rows", args=[ref, first])
    ):
        return redirect(f"{_address_of(volume, int(row))}?at={request.GET['at'][:8]}")
    return serve_part(
        request,
        volume.part,
        lambda volume, *trouble: draw_rows(request, volume, first, *trouble),
        lambda: sheets.find_own_sheet(request, ref),
        volume,
        reverse("firefight:own-sheet-rows", args=[ref, first]),
    )


def draw_rows(
    request: HttpRequest, volume: SheetVolume, first: int, trouble: str = "", status: int = 200
) -> HttpResponse:
    """The rows with all that is known about the sheet; for htmx only what is known."""
    part = volume.part
    checked, step = part.checked(), count_rows(volume)
    on_page = range(first, first + step)
    number = len(checked.sheet.rows)
    if not 1 <= first <= max(number, 1):
        raise Http404("The sheet has no such row.")
    ctx: Json = {"volume": volume, "revision": volume.draft.revision, **draw_check(checked), "trouble": trouble}
    ctx |= {"what": "sheet", "heat": None, "odds": None, "answered": ()}
    for flaw in ctx["flaws"]:
        if flaw["at"] and int(flaw["at"].partition("-")[0]) not in on_page:
            flaw["at"] = ""
    if htmx_of(request):
        return render(request, "firefight/_check.html", ctx, status=status)
    ctx |= draw_grid(checked, part.layout)
    ctx["sheet"]["rows"] = [row for row in ctx["sheet"]["rows"] if row["number"] in on_page]
    ctx |= {
        "kind": "records",
        "game": volume.game,
        "declared": volume.declared,
        "base_name": "at the beginning",
        "focus": request.GET.get("at", ""),
        "pages": [(at, min(at + step - 1, number)) for at in range(1, number + 1, step)] if number > step else [],
        "first": first,
        "page": uuid.uuid4().hex,
    }
    return render(request, "firefight/own_sheet_rows.html", ctx, status=status)


# Files


@require_GET
@shelved
def as_text(request: HttpRequest, ref: str) -> HttpResponse:
    """A sheet as a text for a spreadsheet, as it stands."""
    volume = sheets.find_sheet(request, ref)
    name = f"{volume.game.slug}-{volume.declared.slug}-{volume.ref}.txt"
    return answers.send_file(volume.text + "\n", "text/plain; charset=utf-8", name, is_kept=True)


@require_GET
@shelved
def sheet_file(request: HttpRequest, ref: str, form: str) -> HttpResponse:
    """A sheet as a file that another shelf takes in."""
    volume = sheets.find_sheet(request, ref)
    try:
        plain = sheets.plain_of(volume)
    except Unready:
        return draw_own_sheet(request, volume, "It can be written to a file once nothing in it needs mending.", 409)
    return send_file(plain, form, f"{volume.declared.slug}-{volume.ref}")
