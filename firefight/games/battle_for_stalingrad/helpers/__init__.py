"""What the assistant offers for Battle for Stalingrad."""

from . import cards, fire

HELPERS = (*fire.HELPERS, *cards.HELPERS)
