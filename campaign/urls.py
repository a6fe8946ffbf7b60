"""Addresses of the campaign."""

from django.urls import path

from .views import begin, content, ledger, reorganization

app_name = "campaign"

# /campaign/<id>/
CAMPAIGN = "campaign/<slug:match_id>"

urlpatterns = [
    path("campaign/", content.cards, name="cards"),
    path("campaign/map/", content.sector_map, name="map"),
    path("campaign/new/", begin.new_campaign, name="new"),
    path("campaign/demo/", begin.open_demo, name="demo"),
    path("campaign/rosters/<slug:side>/", content.roster, name="content-roster"),
    path(f"{CAMPAIGN}/", ledger.overview, name="campaign"),
    path(f"{CAMPAIGN}/live/", ledger.live, name="live"),
    path(f"{CAMPAIGN}/map/", ledger.sector_map, name="sectors"),
    path(f"{CAMPAIGN}/roster/<slug:side>/", ledger.roster, name="roster"),
    path(f"{CAMPAIGN}/firefight/", ledger.firefight, name="firefight"),
    path(f"{CAMPAIGN}/reorganization/", reorganization.reorganization, name="reorganization"),
    path(f"{CAMPAIGN}/sealed/", ledger.sealed, name="sealed"),
]
