"""The two sides, and day and night."""

from firefight.engine.labels import Labelled

SLUG = "turning-point-stalingrad"


class Side(Labelled):
    """Who plays."""

    GERMAN = "german", "German"
    RUSSIAN = "russian", "Russian"

    @property
    def other(self) -> "Side":
        """The opponent."""
        return Side.RUSSIAN if self is Side.GERMAN else Side.GERMAN


class Time(Labelled):
    """The face of the impulse marker."""

    DAY = "day"
    NIGHT = "night"

    @property
    def other(self) -> "Time":
        """What follows."""
        return Time.NIGHT if self is Time.DAY else Time.DAY


SIDES = {side.value: side.word for side in Side}
