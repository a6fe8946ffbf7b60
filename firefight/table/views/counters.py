"""The counters of a match: as JSON, set by hand, undone, and for a single firefight the gallery that they come from."""

from collections import Counter as Tally
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from firefight.chartroom.sheets import list_usable_sheets, shelve_text
from firefight.chartroom.shelf import Full
from firefight.engine.board.counters import CounterInPlay
from firefight.engine.text import fold
from firefight.engine.values import Json
from firefight.games.gallery import find_picture
from firefight.hosting.allowance import counting_visits
from firefight.kit.sheets import ContentSheet
from firefight.table import forms
from firefight.table.act import bounds
from firefight.table.act.act import Done
from firefight.table.act.ports import ledger_of
from firefight.table.act.refusals import Refused
from firefight.table.act.table import Table
from firefight.table.board import counters, record_rules, sheets
from firefight.table.consent import adding, content_acts, matters
from firefight.table.presenters import describe_table
from firefight.web.addresses import address_of
from firefight.web.requests import wants_json

from .acts import act_view
from .hand_sheet import show_again
from .home import find_own_of_game
from .page import show_after_act
from .seated import seated

set_pips = act_view(forms.SetPips)
undo = act_view(forms.UndoChange)
settle_proposed = act_view(forms.SettleProposed)
choose_option = act_view(forms.ChooseOption)
keep_value = act_view(forms.KeepValue)


@dataclass(frozen=True, slots=True)
class GalleryRow:
    """A kind of counter in the gallery. ``in_play``: how many, as far as is known; ``last``: the id of the newest."""

    key: str
    name: str
    src: str
    in_play: int
    last: str


@require_http_methods(["GET", "POST"])
@seated
def counters_page(request: HttpRequest, table: Table) -> HttpResponse:
    """The gallery that counters come from; posted, counters are set by hand."""
    return post(request, table, forms.SetCounters) if request.method == "POST" else show_gallery(request, table)


@require_http_methods(["POST"])
@seated
def add(request: HttpRequest, table: Table) -> HttpResponse:
    """Bring counters into a single firefight."""
    return post(request, table, forms.AddCounters)


def post(request: HttpRequest, table: Table, form: Callable[..., forms.ActForm]) -> HttpResponse:
    """Do what was posted, and go back to where it was posted from: the gallery, or the page of the match."""
    is_gallery = "gallery" in request.POST
    try:
        done: Done = form(request.POST).perform(table)
    except Refused as error:
        if is_gallery and table.game.has_counters:
            return show_gallery(request, table, error)
        if "sheet" in request.POST and not wants_json(request):
            return show_again(request, table, error)
        raise
    if is_gallery:
        return redirect(f"{address_of('firefight:counters', table.match.pk)}?side={request.POST['gallery'][:16]}")
    return show_after_act(request, table, done)


def show_gallery(request: HttpRequest, table: Table, error: Refused | None = None) -> HttpResponse:
    """Every kind of counter of a side, with how many are in play; lists and cards for both sides."""
    match = table.match
    if not table.game.has_counters or ledger_of(match).leads:
        raise Http404("This match takes no counters from a gallery.")
    asked_side = request.POST.get("gallery") or request.GET.get("side")
    default_side = table.side if table.plays else next(iter(table.game.sides))
    side = asked_side if asked_side and asked_side in table.game.sides else default_side
    searched = request.GET.get("q", "")[:40]
    known_counters = [counter for counter in counters.store_of(match).known(table.sees) if counter.in_play]
    in_play = Tally(counter.side for counter in known_counters)
    ctx: Json = {
        **describe_table(table),
        "side": side,
        "searched": searched,
        "rows": list_gallery(table, side, searched, [counter for counter in known_counters if counter.side == side]),
        "in_play": [(name, in_play[slug]) for slug, name in table.game.sides.items()],
        "cards": adding.cards_of(table.game),
        "typed": request.POST.get("list", "")[: bounds.LONGEST_LIST],
        "reasons": error.reasons if error else (),
        "may_add": table.plays and not match.ended,
        "may_hide": table.game.counters.hideable,
    }
    return render(request, "firefight/counters.html", ctx, status=error.status if error else 200)


def list_gallery(table: Table, side: str, searched: str, known_counters: Sequence[CounterInPlay]) -> list[GalleryRow]:
    """The kinds of a side whose names contain the searched words; ``known_counters``: the side's counters in play."""
    kinds = counters.store_of(table.match).kinds(side)
    in_play = Tally(counter.counter for counter in known_counters)
    newest_ids = {counter.counter: counter.id for counter in known_counters}
    return [
        GalleryRow(key, kind.name, find_picture(table.game, side, kind), in_play[key], newest_ids.get(key, ""))
        for key, kind in kinds.items()
        if fold(searched) in fold(kind.name)
    ]


@require_http_methods(["GET", "POST"])
@counting_visits
@seated
def sheets_page(request: HttpRequest, table: Table) -> HttpResponse:
    """The sheets of owners' units: a list, and one sheet to paste, correct or copy."""
    rules, match = table.game.counters, table.match
    if rules.sheet is None or ledger_of(match).leads:
        raise Http404("This match takes no sheets of units.")
    error: Refused | None = None
    on_shelf = find_on_shelf(request, table)
    elsewhere = [*on_shelf.new, *find_sheets_elsewhere(request, table)]
    if request.method == "POST":
        try:
            if shelved := match.state.sheets.get(request.POST.get("shelve", "")):
                return put_on_own_shelf(request, table, rules.sheet, request.POST["shelve"], shelved)
            if source := request.POST.get("take", ""):
                sheets = next((offer.sheets for offer in elsewhere if offer.match_id == source), {})
                content_acts.take_sheets(table, *forms.read_head(request.POST), sheets)
            else:
                forms.LaySheet(request.POST).perform(table)
            return redirect(address_of("firefight:sheets", match.pk))
        except Refused as refused:
            error = refused
    title = (request.POST.get("title") or request.GET.get("sheet", ""))[: bounds.NAME_LENGTH]
    text = match.state.sheets.get(title, "")
    offered = on_shelf.changed.get(title, text) if request.GET.get("from") == SHELF else text
    ctx: Json = {
        **describe_table(table),
        "columns": rules.sheet.titles,
        "hint": rules.sheet.hint,
        "sheets": {name: len(rules.sheet.read(sheet).keys) for name, sheet in match.state.sheets.items()},
        "elsewhere": elsewhere,
        "title": title,
        "is_kept": bool(text),
        "newer": on_shelf.changed,
        "typed": request.POST.get("text", offered)[: bounds.LONGEST_SHEET],
        "most": bounds.LONGEST_SHEET,
        "reasons": error.reasons if error else (),
        "may_add": table.plays and not match.ended,
        "pending": matters.describe_pending(table),
    }
    return render(request, "firefight/sheets.html", ctx, status=error.status if error else 200)


SHELF = "shelf"


@dataclass(frozen=True, slots=True)
class OnOwnShelf:
    """What a browser's shelf has for a match's units: ``new`` sheets, and those that differ from the match's."""

    new: "tuple[SheetsElsewhere, ...]" = ()
    changed: Mapping[str, str] = field(default_factory=dict)


def find_on_shelf(request: HttpRequest, table: Table) -> OnOwnShelf:
    """The newest version of each sheet of units on this browser's shelf, by its name there."""
    if not table.plays or table.match.ended:
        return OnOwnShelf()
    usable = list_usable_sheets(request, table.game, ["units"])
    texts_by_name = {shelf_sheet.name[: bounds.NAME_LENGTH]: shelf_sheet.newest for shelf_sheet in reversed(usable)}
    fresh = sheets.list_new(table.match, texts_by_name)
    changed = {name: text for name, text in texts_by_name.items() if table.match.state.sheets.get(name, text) != text}
    return OnOwnShelf((SheetsElsewhere(SHELF, "Your shelf", fresh),) if fresh else (), changed)


def put_on_own_shelf(request: HttpRequest, table: Table, declared: ContentSheet, name: str, text: str) -> HttpResponse:
    """Put a sheet of a match on this browser's shelf, and go to its page. Raises Refused where the shelf is full."""
    try:
        row = shelve_text(request, table.game, declared, name, text)
    except Full as error:
        raise Refused(str(error)) from None
    return redirect("firefight:own-sheet", row.pk)


MOST_OFFERED = 3  # matches whose sheets may be taken over


@dataclass(frozen=True, slots=True)
class SheetsElsewhere:
    """Sheets of units that another match of this browser has and this one lacks."""

    match_id: str
    match_name: str
    sheets: Mapping[str, str]


def find_sheets_elsewhere(request: HttpRequest, table: Table) -> list[SheetsElsewhere]:
    """What may be taken over: sheets of other matches of this game that this browser sits in, each set once."""
    offers: list[SheetsElsewhere] = []
    for match in find_own_of_game(request, table):
        fresh = sheets.list_new(table.match, match.state.sheets)
        if fresh and all(offer.sheets != fresh for offer in offers):
            offers.append(SheetsElsewhere(match.pk, match.name, fresh))
    return offers[:MOST_OFFERED]


@require_GET
@seated
def counters_json(request: HttpRequest, table: Table) -> JsonResponse:
    """The counters that this browser may know of."""
    known_counters, pips = counters.store_of(table.match).known(table.sees), record_rules.count_pips(table.match)
    rows = [
        describe_json(counter) | ({"pips": pips[counter.id]} if pips[counter.id] else {}) for counter in known_counters
    ]
    return JsonResponse(rows, safe=False)


def describe_json(counter: CounterInPlay) -> dict[str, object]:
    """A counter as other programs read it (docs/json.md)."""
    plain = {name: getattr(counter, name) for name in _ALWAYS} | {"state": list(counter.state)}
    return plain | {name: value for name in _WHERE_FILLED if (value := getattr(counter, name))}


_ALWAYS = ("id", "side", "counter", "name", "place", "level", "state", "hidden", "fate")
_WHERE_FILLED = ("levels", "closed", "area", "beside", "note")
