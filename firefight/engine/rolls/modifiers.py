"""Die roll modifiers (DRM): named, signed, and citing the rule that grants them."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Modifier:
    """One DRM that counts towards a roll."""

    name: str
    value: int
    rule: str = ""


def total(modifiers: Iterable[Modifier]) -> int:
    return sum(modifier.value for modifier in modifiers)


def without_zeroes(*modifiers: Modifier | Literal[False] | None) -> tuple[Modifier, ...]:
    """Only the modifiers that change something, in the order given; None, False and zero are left out."""
    return tuple(modifier for modifier in modifiers if modifier and modifier.value)


def other(value: int) -> Modifier:
    """A DRM that the players know of and the app does not."""
    return Modifier("Other DRM", value, "as the players say")
