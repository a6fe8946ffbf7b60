"""Helpers of the track: impulses, the Advantage, the calendar."""

from firefight.assistant.fields import HelperForm, NumberField

from ..rules import calendar
from ..rules.results import Shown
from . import shared


class CalendarForm(HelperForm):
    """Inputs of a look at the calendar."""

    date = shared.date()
    box = NumberField("Box", 1, 12, initial=None)
    duration = NumberField("Dots put on a unit now", 0, 4)


HELPERS = (
    shared.game_helper(
        "calendar",
        "Dates and weeks",
        "Track",
        "A date's week and spread, where its day and night begin, and what has changed by then.",
        ("2.0 Week", "6.5 End of Week", "21.2 Diminishing Daylight"),
        CalendarForm,
        calendar.calendar,
        Shown,
    ),
)
