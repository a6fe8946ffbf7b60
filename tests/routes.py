"""The addresses that the project answers, for tests that go through all of them."""

import re
from collections.abc import Iterator

from django.urls import URLResolver, get_resolver

MATCH = "match/<slug:match_id>/"


def list_routes(resolver: URLResolver | None = None, before: str = "") -> Iterator[str]:
    """Every route of the project."""
    for pattern in (resolver or get_resolver()).url_patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from list_routes(pattern, route)
        else:
            yield route


def route_of(place: str) -> str:
    """The route of a place of a match as tests ask for it, with or without what stands before it: roll/fire/?step=1."""
    place = re.sub(r"\?.*", "", place)
    place = re.sub(r"(^|/)log/(all/)?\d+/$", r"\1log/\2<int:number>/", place)
    place = re.sub(r"(^|/)photos/\d+\.jpg$", r"\1photos/<int:number>.jpg", place)
    place = re.sub(r"(^|/)board/\w+\.(svg|css)$", r"\1board/<slug:digest>.\2", place)
    place = re.sub(r"(^|/)content/\w+\.txt$", r"\1content/<slug:slug>.txt", place)
    place = re.sub(r"(^|/)roll/[a-z-]+/", r"\1roll/<slug:slug>/", place)
    place = re.sub(r"(^|/)rows/[a-z]+/[^/]+/$", r"\1rows/<slug:field>/<path:row>/", place)
    return re.sub(r"(^|/)rows/[a-z]+/$", r"\1rows/<slug:field>/", place)


def list_places() -> set[str]:
    """What follows the address of a match in the routes below it."""
    return {route.removeprefix(MATCH) for route in list_routes() if route.startswith(MATCH)}
