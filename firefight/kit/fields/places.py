"""Places of a game."""

from functools import lru_cache
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from firefight.engine.board.hexes import HexMap
from firefight.engine.board.places import BadPlace, Places
from firefight.engine.charts.book import Book


class PlaceField(forms.CharField):
    """A place of the game, of any kind, as its map prints it; "" where none is given."""

    def __init__(self, label: str, places: Places[Any], length: int | None = None, **options: Any):
        self.places = places
        longest = length or places.longest
        attrs = {"autocapitalize": "characters", "autocomplete": "off", "size": longest}
        options.setdefault("required", False)
        super().__init__(label=label, max_length=longest, widget=forms.TextInput(attrs=attrs), **options)

    def clean(self, value: object) -> str:
        text = super().clean(value)
        try:
            return _print_place(self.places, text) if text else ""
        except BadPlace as error:
            raise ValidationError(str(error)) from None


@lru_cache(maxsize=5_000)
def _print_place(places: Places[object], text: str) -> str:
    """A place as its map prints it: a match names the same few in every roll. Raises BadPlace."""
    return str(places.parse(text))


class HexField(PlaceField):
    """A hex of the book's map, such as K7."""

    def __init__(self, label: str, **options: Any):
        super().__init__(label, HexMap(), length=4, **options)

    def use_book(self, book: Book) -> None:
        """Read hexes from this book's map."""
        self.places = book["map"].hexes
