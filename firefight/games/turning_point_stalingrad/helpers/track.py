"""Helpers of the track: impulses, passes, the Advantage, the calendar."""

from functools import partial

from firefight.engine.rolls.answers import Allowed, IsShown
from firefight.engine.rolls.dice import DieSpec
from firefight.kit import HelperForm, Inputs, NumberField, Pick, RollField, TickField

from ..rules import advantage, calendar, track
from ..rules.dates import is_fixed_day
from . import shared


class ImpulseForm(HelperForm):
    """Inputs of a German impulse roll."""

    filled_from = {"advantage": ""}  # the record's field of this name says who has it
    seldom = ("rolled", "reading")

    date = shared.date()
    time = shared.time()
    box = shared.track_box()
    rolled = NumberField("Attack roll of this impulse, if there was one", 2, 12, initial=None)
    advantage = TickField("The Advantage prevents a flip")
    reading = Pick.among("The Advantage resets to", track.ResetReading)
    track = shared.TrackField()


class BothPassForm(HelperForm):
    """Inputs of two passes in a row."""

    date = shared.date()
    time = shared.time()


class AdvantageForm(HelperForm):
    """Inputs of a use of the Advantage."""

    filled_from = {
        "user": "advantage.holder",
        "holder": "advantage.holder",
        "holder_at_dawn": "advantage.holder_at_dawn",
        "used_today": "advantage.used_today",
    }
    seldom = ("holder_at_dawn", "date", "time", "of_impulse", "reading")

    user = shared.side("Who wants to use it")
    holder = shared.side("Who has it")
    holder_at_dawn = shared.side("Who had it at Dawn")
    used_today = TickField("Used on this date already")
    purpose = Pick.among("To", advantage.Purpose)
    again = RollField("Which roll")
    of_impulse = TickField("It decided the impulse roll, and the log does not have it")
    date = shared.date()
    time = shared.time()
    reading = Pick.among("It resets to", track.ResetReading)


class CalendarForm(HelperForm):
    """Inputs of a look at the calendar."""

    date = shared.date()
    box = NumberField("Box", 1, 12, initial=None)
    duration = NumberField("Dots put on a unit now", 0, 4)


def impulse_dice(inputs: Inputs) -> tuple[DieSpec, ...]:
    """Two dice, unless an attack has shown them, or the impulses of the day are counted."""
    return () if inputs["rolled"] or is_fixed_day(inputs["date"], inputs["time"]) else (shared.DR,)


track_helper = partial(shared.game_helper, group="Track")

HELPERS = (
    track_helper(
        "impulse",
        title="German impulse roll",
        purpose="Whether the day or the night goes on. "
        "The first German attack roll of the impulse counts, if there was one.",
        rules=track.IMPULSE_RULES,
        form=ImpulseForm,
        rule=track.impulse,
        outcomes=track.ImpulseOutcome,
        dice=impulse_dice,
        dice_words="dr, 2d6, not by day on 13 September",
        spare_dice=("dr",),
    ),
    track_helper(
        "both-pass",
        title="Both sides pass",
        purpose="Two passes in a row flip the marker at once.",
        rules=("8.14 Pass",),
        form=BothPassForm,
        rule=track.both_pass,
        outcomes=track.PassOutcome,
    ),
    track_helper(
        "advantage",
        title="The Advantage",
        purpose="Who may use it now, for what, and whose it is then.",
        rules=advantage.RULES,
        form=AdvantageForm,
        rule=advantage.advantage,
        outcomes=Allowed,
        decided_by="user",
    ),
    track_helper(
        "calendar",
        title="Dates and weeks",
        purpose="A date's week and spread, where its day and night begin, and what has changed by then.",
        rules=("2.0 Week", "6.5 End of Week", "21.2 Diminishing Daylight"),
        form=CalendarForm,
        rule=calendar.calendar,
        outcomes=IsShown,
    ),
)
