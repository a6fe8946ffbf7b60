from django.urls import include, path

urlpatterns = [
    path("", include("firefight.urls")),
    path("", include("campaign.urls")),
]
