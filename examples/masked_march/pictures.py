"""How the blocks of Masked March look: a letter for what they are, or the blank back of a closed one."""

from collections.abc import Iterable
from typing import Protocol

from firefight.drawing.shapes import Drawing, Label, Paint, box

PAINTS = {"block": Paint(fill="#5b6b45"), "letter": Paint(fill="#ffffff")}


class Printed(Protocol):
    """What a picture reads of a kind."""

    @property
    def key(self) -> str: ...

    @property
    def name(self) -> str: ...


def draw_block(kind: Printed, side: str, state: Iterable[str]) -> Drawing:
    """A block from its printed side, or from its back."""
    letter = () if kind.key == "block" else (Label(24, 34, kind.name[0], 28, "letter"),)
    return Drawing(48, 48, (box(2, 2, 44, 44, "block"), *letter), kind.name)


def describe_block(kind: Printed, side: str, state: Iterable[str]) -> str:
    """What it is."""
    return kind.name
