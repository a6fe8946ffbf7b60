"""Halves and quarters: exact, in words as players write them, and rounded only as players say."""

from fractions import Fraction
from math import ceil, floor

from firefight.engine.labels import Labelled

_PARTS = {Fraction(1, 4): "¼", Fraction(1, 2): "½", Fraction(3, 4): "¾", Fraction(1, 8): "⅛"}
_PARTS |= {Fraction(3, 8): "⅜", Fraction(5, 8): "⅝", Fraction(7, 8): "⅞"}
WHOLE, HALF = Fraction(1), Fraction(1, 2)


class Rounding(Labelled):
    """What the players do with a fraction: the text has no rule, so somebody has to say so."""

    ASK = "ask", "not agreed yet"
    DOWN = "down"
    UP = "up"
    NEAREST = "nearest", "nearest, halves up"


def round_as_agreed(exact: Fraction, rounding: Rounding) -> int | None:
    """A total as the players round it; None for a fraction that nobody has agreed how to round.

    >>> [round_as_agreed(Fraction(5, 2), each) for each in Rounding], round_as_agreed(Fraction(9, 4), Rounding.NEAREST)
    ([None, 2, 3, 3], 2)
    """
    if exact.denominator == 1:
        return int(exact)
    rounded = {Rounding.DOWN: floor(exact), Rounding.UP: ceil(exact), Rounding.NEAREST: floor(exact + Fraction(1, 2))}
    return rounded.get(rounding)


def write_fraction(number: Fraction) -> str:
    """A number as players write it.

    >>> [write_fraction(Fraction(eighths, 8)) for eighths in range(1, 9)]
    ['⅛', '¼', '⅜', '½', '⅝', '¾', '⅞', '1']
    >>> write_fraction(Fraction(5, 4)), write_fraction(Fraction(25, 16))
    ('1¼', '1 9/16')
    """
    whole, part = divmod(number, 1)
    if not part:
        return str(whole)
    if part in _PARTS:
        return f"{whole or ''}{_PARTS[part]}"
    return f"{whole} {part}" if whole else str(part)


def write_factor(factor: Fraction) -> str:
    """A factor: "× ½"."""
    return f"× {write_fraction(factor)}"


def as_number(number: Fraction) -> int | float:
    """A number as JSON has it: all numbers here are whole, or halves halved, which are exact."""
    return int(number) if number.denominator == 1 else float(number)
