"""Addresses of the campaign."""

from django.urls import path

from . import views

app_name = "campaign"

urlpatterns = [
    path("campaign/", views.cards, name="cards"),
    path("campaign/map/", views.sector_map, name="map"),
    path("campaign/rosters/<slug:side>/", views.roster, name="roster"),
]
