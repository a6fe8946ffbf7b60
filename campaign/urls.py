"""Addresses of the campaign."""

from django.urls import path

from .views import begin, content, drafting, ledger, pictures, reorganization, room, sheets

app_name = "campaign"

FORMS = ("svg", "css")  # of the board of a sector map: its drawing, and where its sectors lie
# /campaign/<id>/
CAMPAIGN = "campaign/<slug:match_id>"

urlpatterns = [
    path("campaign/", content.cards, name="cards"),
    path("campaign/map/", content.content_map, name="map"),
    *(
        path(f"campaign/map/<slug:digest>.{form}", pictures.shipped_board_file, {"form": form}, f"shipped-board-{form}")
        for form in FORMS
    ),
    path("campaign/map/change/", drafting.change_page, name="change-map"),
    path("campaign/map/change.toml", drafting.changed_file, name="changed-map"),
    path("campaign/content/", room.shelf_page, name="room"),
    path("campaign/content/compare/", room.compare, name="room-compare"),
    path("campaign/content/<slug:ref>.toml", room.file, {"form": "toml"}, name="room-toml"),
    path("campaign/content/<slug:ref>.json", room.file, {"form": "json"}, name="room-json"),
    path("campaign/content/<slug:ref>/", room.content_page, name="room-content"),
    path("campaign/content/<slug:ref>/counters/<int:row>.svg", room.counter_picture, name="room-counter"),
    path("campaign/content/<slug:ref>/map/draw/", drafting.draw_page, name="room-draw"),
    path("campaign/content/<slug:ref>/<slug:part>/", room.part_page, name="room-part"),
    path("campaign/new/", begin.new_campaign, name="new"),
    path("campaign/demo/", begin.open_demo, name="demo"),
    path("campaign/counters/", pictures.gallery, name="counters"),
    path("campaign/rosters/<slug:side>/", content.content_roster, name="content-roster"),
    path("campaign/sheets/<slug:name>.pdf", sheets.blank_sheet, name="blank-sheet"),
    path(f"{CAMPAIGN}/", ledger.overview, name="campaign"),
    path(f"{CAMPAIGN}/content/", room.of_campaign, name="content"),
    path(f"{CAMPAIGN}/live/", ledger.live, name="live"),
    path(f"{CAMPAIGN}/map/", ledger.sector_map, name="sectors"),
    *(
        path(f"{CAMPAIGN}/map/<slug:digest>.{form}", pictures.board_file, {"form": form}, f"board-{form}")
        for form in FORMS
    ),
    path(f"{CAMPAIGN}/map.svg", pictures.map_picture, {"kind": "svg"}, name="map-svg"),
    path(f"{CAMPAIGN}/map.png", pictures.map_picture, {"kind": "png"}, name="map-png"),
    path(f"{CAMPAIGN}/film/", ledger.film, name="film"),
    path(f"{CAMPAIGN}/film.gif", pictures.film_picture, name="film-gif"),
    path(f"{CAMPAIGN}/verdict/", ledger.verdict, name="verdict"),
    path(f"{CAMPAIGN}/verdict.png", ledger.verdict_picture, name="verdict-png"),
    path(f"{CAMPAIGN}/roster/<slug:side>/", ledger.roster, name="roster"),
    path(f"{CAMPAIGN}/firefight/", ledger.firefight, name="firefight"),
    path(f"{CAMPAIGN}/reorganization/", reorganization.reorganization, name="reorganization"),
    path(f"{CAMPAIGN}/outlook/", reorganization.outlook, name="outlook"),
    path(f"{CAMPAIGN}/sealed/", ledger.sealed, name="sealed"),
    path(f"{CAMPAIGN}/paper/", sheets.paper, name="paper"),
    path(f"{CAMPAIGN}/sheets/<slug:name>.pdf", sheets.sheet, name="sheet"),
]
