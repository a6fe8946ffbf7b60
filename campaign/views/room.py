"""The content room: the shelf, content and its parts, a part to type into, files, links, comparison."""

import uuid
from collections.abc import Sequence
from typing import Any, cast

from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from campaign.ledger import drafts
from campaign.ledger.content import BadContent, name_version
from campaign.ledger.drafts import ContentVolume
from campaign.models import Campaign, ContentDraft
from campaign.presenters import room
from campaign.rules.typed.whole import CARDS, COUNTERS, MAP, PARTS
from firefight.chartroom import shelf
from firefight.chartroom.cards import differing_sheets, draw_check, draw_grid
from firefight.chartroom.shelf import Full, NoBook, Unready
from firefight.chartroom.typing import BadPost
from firefight.chartroom.views.volumes import (
    MOST_TOLD,
    VolumePage,
    list_problems,
    remove_of,
    rename,
    send_file,
    serve_part,
    serve_shelf,
    serve_volume,
    shelved,
)
from firefight.drawing.shapes import Drawing
from firefight.engine.charts import tables
from firefight.engine.charts.records import RecordsLayout
from firefight.engine.values import Json
from firefight.games.combat_stalingrad.pictures.counters import COUNTER as COUNTER_SIZE
from firefight.games.combat_stalingrad.pictures.counters import draw_counter
from firefight.games.combat_stalingrad.pictures.paints import PAINTS
from firefight.hosting.allowance import A_BOOK, counting_visits, spend
from firefight.table.act.refusals import BadField, Refused
from firefight.table.act.table import Table
from firefight.table.consent import matters
from firefight.table.seats.seating import at_table
from firefight.table.views.seated import seated
from firefight.web.pictures import send_picture
from firefight.web.requests import htmx_of, number_in

# The shelf


@require_http_methods(["GET", "POST"])
@counting_visits
@shelved
def shelf_page(request: HttpRequest) -> HttpResponse:
    """The content that this browser may open. A posted file is taken in."""
    return serve_shelf(request, draw_shelf, _take_in, BadContent, lambda row: "campaign:room-content")


def _take_in(request: HttpRequest, sent: "UploadedFile[bytes]") -> ContentDraft:
    return drafts.take_in_content(request, *drafts.read_content_file(sent.read(drafts.MOST_BYTES + 1)))


def draw_shelf(request: HttpRequest, problems: Sequence[str] = (), status: int = 200) -> HttpResponse:
    """The shelf's page."""
    ctx = {
        "mine": drafts.list_contents(request),
        "house": drafts.HOUSE,
        "problems": problems,
        "most": drafts.MOST_BYTES // 1000,
    }
    return render(request, "campaign/room_shelf.html", ctx, status=status)


# Content


@require_http_methods(["GET", "POST"])
@counting_visits
@shelved
def content_page(request: HttpRequest, ref: str) -> HttpResponse:
    """Content as a whole: its parts, and what can be done with it."""
    return serve_volume(request, ref, CONTENT_PAGE)


def _make_usable(request: HttpRequest, volume: ContentVolume) -> None:
    spend(request, A_BOOK)
    try:
        drafts.store_version(volume, number_in(request, "revision") or 0)
    except BadContent as error:
        raise BadPost(" ".join(list_problems(error.problems))) from None


_ACTS = {"rename": rename, "usable": _make_usable, "remove": remove_of("Campaigns")}


def draw_content(request: HttpRequest, volume: ContentVolume, trouble: str = "", status: int = 200) -> HttpResponse:
    """The page of content."""
    parts = volume.whole.parts()
    flaws = [
        {
            "href": reverse("campaign:room-part", args=[volume.ref, part]),
            "title": checked.title,
            "cell": _where(checked, flaw),
            "message": flaw.message,
        }
        for part, checked in parts.items()
        for flaw in checked.flaws
    ]
    version = volume.own_draft.version_id if volume.draft else volume.base.pk
    latest = bool(version) and (not volume.draft or (not flaws and drafts.is_stored(volume)))
    ctx = {
        "volume": volume,
        "parts": room.list_content_parts(volume),
        "flaws": flaws[:MOST_TOLD],
        "flaw_count": sum(checked.to_mend for checked in parts.values()),
        "latest": latest,
        "begun_as": volume.base.pk if volume.draft else drafts.HOUSE,
        "playable": version,
        "link": request.build_absolute_uri(reverse("campaign:room-content", args=[version])) if version else "",
        "trouble": trouble,
        "most_name": shelf.MOST_NAME,
    }
    return render(request, "campaign/room_content.html", ctx, status=status)


def _where(checked: Any, flaw: Any) -> str:
    return tables.name_cell(checked.sheet, flaw.place) or flaw.cell


CONTENT_PAGE = VolumePage(
    drafts.find_content, draw_content, drafts.copy_content, _ACTS, "campaign:room-content", "campaign:room"
)


# A part


@require_http_methods(["GET", "POST"])
@shelved
def part_page(request: HttpRequest, ref: str, part: str) -> HttpResponse:
    """A part of content: to type into if the draft is the browser's own, otherwise to read."""
    volume = drafts.find_content(request, ref)
    if part not in PARTS:
        raise NoBook
    if request.method == "POST" and not volume.mine:
        raise NoBook
    return serve_part(
        request,
        volume.part(part),
        lambda volume, *trouble: draw_part(request, volume, part, *trouble),
        lambda: drafts.find_content(request, ref).to_change(),
        volume,
        reverse("campaign:room-part", args=[ref, part]),
    )


def draw_part(
    request: HttpRequest, volume: ContentVolume, part: str, trouble: str = "", status: int = 200
) -> HttpResponse:
    """The part with everything that was checked; for htmx only the result of the check."""
    typed = volume.part(part)
    checked, layout = typed.checked(), cast(RecordsLayout, typed.layout)
    ctx: Json = {
        "volume": volume,
        "revision": volume.draft.revision if volume.draft else 0,
        **draw_check(checked),
        "what": "part",
        "trouble": trouble,
        "pictures": room.picture_marks(checked.sheet) if part == COUNTERS else "",
        "map": room.map_rows(volume) if part == MAP else None,
    }
    if htmx_of(request):
        return render(request, "campaign/_room_check.html", ctx, status=status)
    following = PARTS[(PARTS.index(part) + 1) % len(PARTS)]
    ctx |= {
        **draw_grid(checked, layout),
        "part": part,
        "kind": part.partition("-")[0],
        "base_name": volume.base.name,
        "focus": request.GET.get("at", ""),
        "following": following,
        "following_title": volume.whole.part(following).title,
        "hints": room.list_hints(part, layout),
        "suggestions": room.list_suggestions(volume, part),
        "suggests": room.columns_that_suggest(layout),
        "form": room.card_form(checked, volume) if part in CARDS else None,
        "page": uuid.uuid4().hex,
    }
    for row, mark in zip(ctx["sheet"]["rows"], ctx["pictures"].split(), strict=False):
        row["picture"] = f"{reverse('campaign:room-counter', args=[volume.ref, row['number']])}?v={mark}"
    template = "room_read" if not volume.mine else "room_card" if part in CARDS else "room_sheet"
    return render(request, f"campaign/{template}.html", ctx, status=status)


@require_GET
@shelved
def counter_picture(request: HttpRequest, ref: str, row: int) -> HttpResponse:
    """The counter of a row as it is typed, as far as it can be read."""
    sheet = drafts.find_content(request, ref).part(COUNTERS).sheet()[0]
    if not 1 <= row <= len(sheet.rows):
        raise Http404("There is no such row.")
    owned = room.counter_of_row(sheet, row)
    # A row that does not say enough yet has a blank picture.
    drawing = draw_counter(owned[1], owned[0]) if owned else Drawing(COUNTER_SIZE, COUNTER_SIZE, (), "No counter yet")
    return send_picture(request, drawing, PAINTS, "svg", "no-store")


# The content of a campaign


@require_http_methods(["GET", "POST"])
@counting_visits
@seated
def of_campaign(request: HttpRequest, table: Table) -> HttpResponse:
    """The content that a campaign is played with. A player may propose another version, or copy it to their shelf."""
    campaign = Campaign.objects.filter(pk=table.match.pk).first()
    if campaign is None:
        raise Http404("This match has no campaign.")
    if request.method == "GET":
        return draw_of_campaign(request, table, campaign)
    try:
        if request.POST.get("do") == "copy":
            pinned = drafts.find_content(request, str(campaign.content_id))
            return redirect("campaign:room-content", drafts.copy_content(request, pinned).pk)
        book_digest = request.POST.get("content", "")
        row = drafts.usable_contents(request, book_digest).get(book_digest)
        if row is None:
            raise BadField("Choose content from your shelf.")
        version = number_in(request, "version") or 0
        label = f"“{name_version(row.pk, row.name)}”"
        matters.propose_content(table, request.POST.get("act", ""), version, row.pk, label)
    except Full as error:
        return draw_of_campaign(request, table, campaign, str(error), 422)
    except Refused as error:
        return draw_of_campaign(request, at_table(request, table.match.pk), campaign, str(error), error.status)
    return redirect("campaign:content", table.match.pk)


def draw_of_campaign(
    request: HttpRequest, table: Table, campaign: Campaign, trouble: str = "", status: int = 200
) -> HttpResponse:
    """The page of a campaign's content, compared with ``to`` in the address or with what is proposed."""
    campaign.refresh_from_db()
    match, pinned = table.match, drafts.find_content(request, str(campaign.content_id))
    newer = drafts.newer_contents(request, pinned.ref) if table.plays and not match.ended else {}
    pending = matters.describe_pending(table)
    digest = (pending.content if pending else "") or request.GET.get("to", "")
    other = drafts.find_content(request, digest) if digest in newer or (pending and digest) else None
    ctx = {
        "table": table,
        "match": match,
        "game": table.game,
        "version": match.version,
        "last_number": match.last_number,
        "volume": pinned,
        "parts": room.list_content_parts(pinned),
        "others": newer,
        "other": other,
        "is_proposed": bool(pending and pending.content),
        "charts": differing_sheets(pinned.whole.parts(), other.whole.parts(), PARTS) if other else [],
        "trouble": trouble,
    }
    return render(request, "campaign/room_campaign.html", ctx, status=status)


# Files, comparison


@require_GET
@shelved
def file(request: HttpRequest, ref: str, form: str) -> HttpResponse:
    """Content as one file, as it stands."""
    volume = drafts.find_content(request, ref)
    try:
        plain = drafts.file_of(volume)
    except Unready:
        return draw_content(request, volume, "It can be written to a file once nothing in it needs mending.", 409)
    return send_file(plain, form, f"content-{volume.ref[:12]}")


@require_GET
@shelved
def compare(request: HttpRequest) -> HttpResponse:
    """Two contents cell by cell."""
    names = {drafts.HOUSE: "House content"} | {volume.ref: volume.title for volume in drafts.list_contents(request)}
    refs = [request.GET.get(name) or default for name, default in (("a", drafts.HOUSE), ("b", [*names][-1]))]
    both = [drafts.find_content(request, ref) for ref in refs]
    sheets = differing_sheets(both[0].whole.parts(), both[1].whole.parts(), PARTS)
    choices = names | {volume.ref: volume.title for volume in both}
    ctx = {"both": both, "refs": refs, "choices": choices, "charts": sheets, "count": sum(s["count"] for s in sheets)}
    return render(request, "campaign/room_compare.html", ctx)
