from django.urls import include, path

from . import views
from .styles import style

urlpatterns = [
    path("style/<slug:subjects>-<slug:theme>.<slug:digest>.css", style, name="style"),
    path("health/", views.health, name="health"),
    path("", include("firefight.urls")),
    path("", include("campaign.urls")),
]
