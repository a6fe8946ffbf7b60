"""The page on which a sector map is changed, and the resulting map as a file. The address holds the changes."""

import tomli_w
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from campaign.ledger import drafts
from campaign.ledger.content import shipped, shipped_data
from campaign.presenters.drafting import ZOOMS, present_draft
from campaign.rules.drafting import BadChange, MapDraft, change_map, read_changes, write_map
from campaign.rules.maps import SectorMap
from firefight.chartroom.views.volumes import shelved
from firefight.engine.values import Json
from firefight.web.answers import refuse_address, send_file
from firefight.web.requests import number_in


@require_GET
def change_page(request: HttpRequest) -> HttpResponse:
    """The shipped map with the changes so far."""
    return _draw_page(request, shipped().sector_map, {"file": reverse("campaign:changed-map")})


@require_GET
@shelved
def draw_page(request: HttpRequest, ref: str) -> HttpResponse:
    """The map of content on a shelf. A form takes what is changed on its drawing over into its sheet."""
    volume = drafts.find_content(request, ref)
    part = {"volume": volume, "revision": volume.draft.revision if volume.draft and volume.mine else None}
    return _draw_page(request, volume.whole.sector_map, part)


def _draw_page(request: HttpRequest, base: SectorMap, more: Json) -> HttpResponse:
    """The page. Two sectors chosen in its form make one more change."""
    text, status = request.GET.get("changes", "")[:2_000], 200
    first, second = number_in(request, "one"), request.GET.get("other", "")[:2]
    zoom = number_in(request, "zoom")
    zoom = zoom if zoom in ZOOMS else 1
    try:
        changes = read_changes(text)
        if first is not None and second:
            joined = ".".join([*changes, *read_changes(f"{first}-{second}")])
            return redirect(f"{request.path}?changes={joined}" + (f"&zoom={zoom}" * (zoom > 1)))
        page = present_draft(base, changes, first, zoom)
    except BadChange as error:
        page, status = present_draft(base, [], None, zoom, str(error)), 400
    return render(request, "campaign/change_map.html", {**page, **more}, status=status)


@require_GET
def changed_file(request: HttpRequest) -> HttpResponse:
    """The changed map as a TOML file, as a folder of content holds it."""
    try:
        draft = change_map(MapDraft.of_map(shipped().sector_map), read_changes(request.GET.get("changes", "")[:2_000]))
    except BadChange as error:
        return refuse_address(request, str(error))
    if draft.troubles:
        return refuse_address(request, " ".join(draft.troubles))
    written = tomli_w.dumps(write_map(shipped_data()["map"], draft))
    return send_file(written, "application/toml; charset=utf-8", "map.toml", is_kept=True)
