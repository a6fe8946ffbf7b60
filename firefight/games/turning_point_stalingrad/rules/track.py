"""What ends a day or a night: the German impulse roll, or two passes in a row; and what Dawn asks for.

6.1 Overview, 6.4 Sunset, 6.41 Dawn, 6.5 End of Week, 8.1 Impulses, 8.14 Pass, 9.3 Prolonging Daylight, 20.2 Impulses.
"""

from dataclasses import dataclass

from firefight.engine.charts.book import Book
from firefight.engine.dates import day_words
from firefight.engine.errors import BadInput
from firefight.engine.rolls.dice import check_sum
from firefight.engine.rolls.result import FollowUp, Outcome, Result, sources, waiting
from firefight.engine.values import Json

from . import dates
from .sides import Side, Time

IMPULSE_RULES = ("6.1 Overview", "6.4 Sunset", "6.41 Dawn", "8.1 Impulses")
FIXED_RULES = ("20.2 Impulses",)


class ImpulseOutcome(Outcome):
    """What a German impulse makes of the track."""

    GOES_ON = "goes_on"
    SUNSET = "sunset"
    DAWN = "dawn"
    PROLONGED = "prolonged"
    END_OF_GAME = "end_of_game", "The game ends"


class PassOutcome(Outcome):
    """What two passes in a row make of the track."""

    SUNSET = "sunset"
    DAWN = "dawn"
    UNDETERMINED = "undetermined"
    END_OF_GAME = "end_of_game", "The game ends"


class ResetReading(Outcome):
    """Where the Advantage puts the marker (A11)."""

    LITERAL = "literal", "Box 1 by day, 3 at night"
    MARKER = "marker", "Where days and nights begin by date"


@dataclass(frozen=True, slots=True)
class MarkerPlace:
    """A place on the track: None everywhere after the last night."""

    date: str | None
    time: Time | None
    box: int | None

    def details(self, week_end: bool) -> Json:
        """Under the keys of the JSON."""
        time = self.time.value if self.time else None
        return {"date": self.date, "time": time, "box": self.box, "week_end": week_end}


def flip(date: str, time: Time, charts: Book) -> MarkerPlace:
    """Where the marker is once it has flipped (6.4, 6.41, 21.2)."""
    after = date if time is Time.DAY else dates.next_date(date)
    if after is None:
        return MarkerPlace(None, None, None)
    return MarkerPlace(after, time.other, dates.first_box(after, time.other, charts))


def reset_box(date: str, time: Time, reading: ResetReading, charts: Book) -> int:
    """The box that the Advantage puts the marker into (9.3; A11)."""
    if reading is ResetReading.MARKER:
        return dates.first_box(date, time, charts)
    return 1 if time is Time.DAY else 3


def impulse(
    *,
    charts: Book,
    date: str,
    time: Time,
    box: int,
    advantage: bool = False,
    reading: ResetReading = ResetReading.LITERAL,
    rolled: int | None = None,
    track: str = "",
    dr: int | None = None,
) -> Result:
    """Whether day or night goes on after a German impulse (6.1, 6.4, 6.41, 8.1; 20.2 on 13 September).

    advantage: its owner prevents a flip. rolled: the natural attack roll that counts, where the German has attacked.
    track: how a match stands, whose course asks for what is due at Dawn itself; "" without one.
    """
    if dates.is_fixed_day(date, time):
        return _fixed(date, time, box, advantage, track, charts)
    roll = dr if rolled is None else rolled
    if roll is None:
        ways = dates.flip_ways(box)
        return waiting(f"Roll 2d6: {box} or less flips the marker, {ways} of 36.", "dr", rules=IMPULSE_RULES)
    natural, ways = check_sum(roll, 2, 6, "dr"), dates.flip_ways(box)
    head = f"{natural} against box {box}"
    if natural > box:
        return _goes_on(f"{head}: the {time.value} goes on", date, time, box + 1, natural, ways)
    if advantage:
        reset = reset_box(date, time, reading, charts)
        return Result(
            f"{head}: the Advantage prolongs the {time.value}, box {reset}.",
            ImpulseOutcome.PROLONGED,
            dice={"dr": natural},
            details={**MarkerPlace(date, time, reset).details(False), "flip_ways": ways},
            effects=("The Advantage goes to the other side; nobody uses it again on this date.",),
            rules=(*IMPULSE_RULES, "9.3 Prolonging Daylight", "9.5 Limit"),
        )
    return _flips(head, date, time, natural, ways, track, charts)


def _fixed(date: str, time: Time, box: int, advantage: bool, track: str, charts: Book) -> Result:
    """By day on 13 September no roll counts: the twelfth German impulse is the last one (20.2)."""
    if advantage:
        raise BadInput({"advantage": "20.3: the Advantage cannot prolong daylight on 13 September."})
    if box < dates.FIXED_IMPULSES:
        head = f"Impulse {box} of the twelve German ones of 13 September"
        return _goes_on(head, date, time, box + 1, None, 0)
    return _flips("The twelfth German impulse of 13 September", date, time, None, 36, track, charts)


def _goes_on(head: str, date: str, time: Time, box: int, natural: int | None, ways: int) -> Result:
    return Result(
        f"{head}; the marker moves to box {box}.",
        ImpulseOutcome.GOES_ON,
        dice={} if natural is None else {"dr": natural},
        details={**MarkerPlace(date, time, box).details(False), "flip_ways": ways},
        rules=FIXED_RULES if natural is None else IMPULSE_RULES,
    )


def _flips(head: str, date: str, time: Time, natural: int | None, ways: int, track: str, charts: Book) -> Result:
    after, week_end = flip(date, time, charts), time is Time.NIGHT and dates.is_week_end(date)
    outcome = ImpulseOutcome.SUNSET if time is Time.DAY else ImpulseOutcome.DAWN
    outcome = outcome if after.date else ImpulseOutcome.END_OF_GAME
    return Result(
        f"{head}: {_say_flip(after)}",
        outcome,
        dice={} if natural is None else {"dr": natural},
        details={**after.details(week_end), "flip_ways": ways},
        effects=tell_flip(date, time, charts),
        follow_ups=() if track else list_due(date, time),
        rules=FIXED_RULES if natural is None else IMPULSE_RULES,
        provenance=sources([charts["boxes"]]),
    )


def _say_flip(after: MarkerPlace) -> str:
    if after.date is None:
        return "the last night ends, and with it the game."
    event = "night falls" if after.time is Time.NIGHT else f"{day_words(after.date)} dawns"
    return f"{event} at the end of this impulse, box {after.box}; the Russian has the next one."


def both_pass(*, charts: Book, date: str, time: Time) -> Result:
    """Two passes in a row flip the marker at once (8.14; A12 for 13 September by day)."""
    rules = ("8.14 Pass", "6.4 Sunset", "6.41 Dawn")
    if dates.is_fixed_day(date, time):
        return Result(
            "13 September has its twelve and eleven impulses by day: the text does not say whether passes shorten it.",
            PassOutcome.UNDETERMINED,
            details={**MarkerPlace(None, None, None).details(False), "readings": ["guaranteed", "flips"]},
            effects=("20.2 is the special rule, so a match goes on to the next impulse.",),
            rules=(*rules, *FIXED_RULES),
        )
    after, week_end = flip(date, time, charts), time is Time.NIGHT and dates.is_week_end(date)
    outcome = PassOutcome.SUNSET if time is Time.DAY else PassOutcome.DAWN
    return Result(
        f"Both pass: {_say_flip(after)}",
        outcome if after.date else PassOutcome.END_OF_GAME,
        details=after.details(week_end),
        effects=tell_flip(date, time, charts),
        follow_ups=list_due(date, time),
        rules=rules,
        provenance=sources([charts["boxes"]]),
    )


# Dawn


def tell_flip(date: str, time: Time, charts: Book) -> tuple[str, ...]:
    """What is done on the board as the marker flips, in its order (6.41)."""
    if time is Time.DAY:
        return ("Russian units move 1 MF farther, Spent units may Regroup, aircraft stay on the ground.",)
    after = dates.next_date(date)
    if after is None:
        return ("Count the Victory Points.",)
    steps = [
        "Take Isolation off units that can trace supply again.",
        "Each isolated unit that stands at -2 already makes an Attrition roll.",
        "Mark new isolation -1, and turn -1 to -2.",
        "Every Spent unit loses a dot; one dot becomes Fresh, but not while isolated.",
        "Silenced Russian artillery turns to its Refit side.",
        f"If {day_words(after)} is marked G or R, reinforcements come; if GW, Germans withdraw.",
    ]
    old, new = (dates.dated("russian_artillery", day, charts) for day in (date, after))
    if old != new:
        steps.append(f"Exchange Russian artillery: it counts {new} from now on.")
    return tuple(steps)


def list_due(date: str, time: Time) -> tuple[FollowUp, ...]:
    """The rolls and questions that Dawn asks for; none at Sunset (6.41, 6.5, 13.2, 21.1).

    They have their helpers' titles: a log that is checked knows no others for what the course asks for.
    """
    if time is Time.DAY:
        return ()
    after = dates.next_date(date)
    points = FollowUp("victory", "Weekly victory check", {"date": date})
    week_end = (points,) if dates.is_week_end(date) else ()
    if after is None:
        return week_end
    return (
        *week_end,
        FollowUp("withdrawal", "Withdrawals", {"date": after, "side": Side.GERMAN.value}),
        FollowUp("dawn", "Units at Dawn", {"date": after}),
        FollowUp("armour-replacement", "Armour replacement", {"date": after}),
        FollowUp("entry", "Entry of reinforcements", {"date": after, "side": Side.GERMAN.value}),
    )
