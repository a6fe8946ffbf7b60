"""The two sides."""

from firefight.engine.labels import Labelled


class Side(Labelled):
    """The two nationalities."""

    GERMAN = "german"
    RUSSIAN = "russian"

    @property
    def other(self) -> "Side":
        """The enemy."""
        return Side.RUSSIAN if self is Side.GERMAN else Side.GERMAN
