"""The two sides."""

from enum import StrEnum


class Side(StrEnum):
    """The two nationalities."""

    GERMAN = "german"
    RUSSIAN = "russian"

    @property
    def other(self) -> "Side":
        """The enemy."""
        return Side.RUSSIAN if self is Side.GERMAN else Side.GERMAN

    @property
    def label(self) -> str:
        """The side's name."""
        return {Side.GERMAN: "German", Side.RUSSIAN: "Russian"}[self]
