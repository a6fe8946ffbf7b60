from django.urls import include, path

from .styles import style

urlpatterns = [
    path("style/<slug:subjects>-<slug:theme>.<slug:digest>.css", style, name="style"),
    path("", include("firefight.urls")),
    path("", include("campaign.urls")),
]
