from django.urls import include, path

from . import views
from .styles import style

handler400 = "config.views.refuse_request"

urlpatterns = [
    path("style/<slug:subjects>-<slug:theme>.<slug:digest>.css", style, name="style"),
    path("word/", views.word, name="word"),
    path("health/", views.health, name="health"),
    path("metrics/", views.metrics, name="metrics"),
    path("robots.txt", views.robots, name="robots"),
    path("favicon.ico", views.favicon, name="favicon"),
    path("manifest.webmanifest", views.manifest, name="manifest"),
    path(".well-known/security.txt", views.security, name="security"),
    path("", include("firefight.urls")),
    path("", include("campaign.urls")),
]
