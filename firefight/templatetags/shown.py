"""Laying charts and dice out on a page."""

from django import template

from firefight.columns import Rolled
from firefight.engine.rolls.dice import face_text

register = template.Library()


@register.filter
def words(key):
    """A key of a chart in plain words: good_order is "good order"."""
    return "?" if key is None else str(key).replace("_", " ")


@register.filter
def face(die: Rolled) -> str:
    """The face of a logged die, as players say it."""
    return face_text(die.face, die.sides)
