"""A field that the toys need and the frame has not."""

from django import forms
from django.core.exceptions import ValidationError


class CardsField(forms.CharField):
    """Cards, as a list or with commas between them."""

    def __init__(self, label, cards, **options):
        super().__init__(label=label, required=False, initial="", **options)
        self.cards = cards

    def clean(self, value):
        cards = value if isinstance(value, (list, tuple)) else [part.strip() for part in str(value or "").split(",")]
        unknown = [card for card in cards if card and card not in self.cards]
        if unknown:
            raise ValidationError(f"There is no card {unknown[0]}.")
        return tuple(card for card in cards if card)

    def prepare_value(self, value):
        return ",".join(value) if isinstance(value, (list, tuple)) else value
