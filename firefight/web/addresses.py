"""Addresses of views, worked out once: a page needs some ninety, mostly the same as the page before."""

from functools import lru_cache

from django.urls import reverse


@lru_cache(maxsize=20_000)
def address_of(name: str, *parts: str | int) -> str:
    """The address of a view, by its name and the parts in it."""
    return reverse(name, args=parts)


def address_of_number(name: str, match_id: str, number: int) -> str:
    """The address of one of many views of a match that differ only in a number at the end: worked out once for all."""
    return f"{address_of(name, match_id, 0).removesuffix('0/')}{number}/"
