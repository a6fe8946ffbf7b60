"""Addresses of views, worked out once: a page asks for some ninety, mostly those of the page before."""

from functools import lru_cache

from django.urls import reverse


@lru_cache(maxsize=20_000)
def address_of(name: str, *parts: str | int) -> str:
    """The address of a view, by its name and the parts that stand in it."""
    return reverse(name, args=parts)


def address_of_number(name: str, match_id: str, number: int) -> str:
    """The address of one of a match's many things that a number at its end tells apart: worked out once for all."""
    return f"{address_of(name, match_id, 0).removesuffix('0/')}{number}/"
