"""The addresses that the project answers, as its tests go through them."""

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


def list_places() -> set[str]:
    """What follows the address of a match in the routes below it."""
    return {route.removeprefix(MATCH) for route in list_routes() if route.startswith(MATCH)}
