"""Addresses of views, worked out once: a page asks for some ninety, mostly those of the page before."""

from functools import lru_cache

from django.urls import reverse


@lru_cache(maxsize=20_000)
def address_of(name: str, *parts: str | int) -> str:
    """The address of a view, by its name and the parts that stand in it."""
    return reverse(name, args=parts)
