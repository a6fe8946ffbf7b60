"""What one side has proposed and the other has not answered yet, as ``Match.proposal`` keeps it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self


class Matter(StrEnum):
    """What a side cannot do alone."""

    TAKE_BACK = "take_back"
    END = "end"
    BOOK = "book"


@dataclass(frozen=True, slots=True)
class Proposal:
    """``by``: the side that asks. ``what``: plain values that its matter needs, such as a chart book's digest."""

    matter: Matter
    by: str
    what: dict[str, Any]

    @classmethod
    def read(cls, plain: dict[str, Any] | None) -> Self | None:
        """From the row's plain values; None when nothing is proposed."""
        return plain and cls(Matter(plain["matter"]), plain["by"], plain["what"])

    def plain(self) -> dict[str, Any]:
        """As the row keeps it."""
        return {"matter": self.matter.value, "by": self.by, "what": self.what}


def after_an_act(plain: dict[str, Any] | None) -> dict[str, Any] | None:
    """What is left of a proposal when either side goes on playing: who plays on does not ask for the last act back."""
    return None if plain and plain["matter"] == Matter.TAKE_BACK else plain
