"""What a campaign is told once, as it happens: divisions that come and go, AF that is saved, dates of the cards.

Divisions: 3.5 to 3.7, 21.54. Saving: 14.75. Dates: 21.2, 21.51.
"""

from collections.abc import Iterator

from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput
from firefight.engine.labels import Labelled
from firefight.engine.rolls.answers import IsShown
from firefight.engine.rolls.result import FollowUp, Outcome, Result
from firefight.engine.values import Values

from .data import from_text, read_lists
from .dates import say_date
from .terms import Side
from .victory import DIVISIONS, Division

YES, NO = "yes", "no"


class Formation(Labelled):
    """Divisions of which the campaign counts whether they came, or when they left."""

    JAEGER_100 = Division.JAEGER_100.value, Division.JAEGER_100.word
    INFANTRY_305 = Division.INFANTRY_305.value, Division.INFANTRY_305.word
    INFANTRY_79 = Division.INFANTRY_79.value, Division.INFANTRY_79.word
    PANZER_14 = Division.PANZER_14.value, Division.PANZER_14.word
    MOTORIZED_29 = "29", "29th Motorized, but its artillery"
    ARTILLERY_29 = "29art", "the artillery of the 29th Motorized"

    @property
    def comes(self) -> bool:
        """Whether it may come; the 29th goes."""
        return self.value in DIVISIONS


LEAVES = {Formation.MOTORIZED_29: "div29_out", Formation.ARTILLERY_29: "div29_artillery_out"}  # fields of the record


class Arrival(Outcome):
    """What happens to a division on a day."""

    OPEN = "open", "not said yet"
    COMES = "comes"
    LEAVES = "leaves"
    WAITS = "waits", "not today"


def list_answers(which: Formation, date: str) -> dict[str, str]:
    """What may be said of a division on a day, with its words: from 10 October on the 29th has to go (21.54)."""
    if which.comes:
        return {YES: "A unit of it comes", NO: "None today"}
    must = date >= read_lists("calendar")["div29"]["last"]
    return {YES: "Its last unit leaves", **({} if must else {NO: "Not today"})}


def division(*, charts: Book, which: Formation, date: str, choice: str = "") -> Result:
    """Whether a division comes or goes on a day (3.5 to 3.7, 21.54). Raises BadInput for what may not be said."""
    answers, rules = list_answers(which, date), ("3.6",) if which.comes else ("3.5", "3.7", "21.54")
    if not choice:
        return Result(f"{ask_words(which)} {say_date(date)}.", Arrival.OPEN, rules=rules)
    if choice not in answers:
        raise BadInput({"choice": f"{which.word}: it has to leave by 10 October (21.54)."})
    outcome = Arrival.WAITS if choice == NO else Arrival.COMES if which.comes else Arrival.LEAVES
    return Result(
        f"{which.word[0].upper()}{which.word[1:]}: {outcome.word.lower()}, {say_date(date)}.",
        outcome,
        details={"choice": choice},
        effects=("No points for a division that stays away any more (3.6).",) if outcome is Arrival.COMES else (),
        rules=rules,
        provenance=from_text("calendar"),
    )


def ask_words(which: Formation) -> str:
    """What is asked about a division, also the title of its roll."""
    return f"{'Comes' if which.comes else 'Leaves'}: {which.word}?"


def list_asked(phase: int, date: str, record: Values) -> Iterator[tuple[FollowUp, str]]:
    """What a day asks about divisions that have not come or left yet, with its rule if there has to be an answer."""
    list_name = {1: "leaves", 3: "comes"}.get(phase)
    for row in read_lists("calendar")[list_name] if list_name else ():
        which = Formation(row["division"])
        is_answered = which.value in record["divisions_used"] if which.comes else record[LEAVES[which]] is not None
        if row["date"] == date and not is_answered:
            inputs = {"which": which.value, "date": date, "side": Side.GERMAN.value}
            yield FollowUp("division", ask_words(which), inputs), "" if NO in list_answers(which, date) else "21.54"


# Ammunition


class Saving(Outcome):
    """AF is saved."""

    SAVED = "saved"


def save_ammunition(*, charts: Book, side: Side, points: int) -> Result:
    """AF of guns on the map that did not fire in this turn is kept for a later shortage (14.75; S49)."""
    return Result(
        f"{side.word}: {points} AF saved.",
        Saving.SAVED,
        details={"saved": points},
        effects=("Guns on the map alone, and not what a shortage bars this turn (14.75; S49).",),
        rules=("14.75",),
    )


# Dates of the cards


class Dated(Labelled):
    """What a card or the Turn Column has on a day."""

    LEAVES = "leaves", "leaves (21.51)"
    COMES = "comes", "may come (21.2)"

    def find_phase(self, side: Side) -> int:
        """The phase: the first for withdrawals, the side's Movement Phase for arrivals (21.2, 21.51)."""
        return 1 if self is Dated.LEAVES else 3 if side is Side.GERMAN else 10


def schedule(*, charts: Book, side: Side, unit: str, what: Dated, date: str) -> Result:
    """A date that the owner's cards give: it comes up by itself on its day (21.2, 21.51). Raises BadInput."""
    if not unit:
        raise BadInput({"unit": "Which unit, and how many of it?"})
    if what is Dated.LEAVES and side is Side.SOVIET:
        raise BadInput({"side": "Withdrawals are German (21.51)."})
    return Result(
        f"{unit}: {what.word}, {say_date(date)}, phase {what.find_phase(side)}.",
        IsShown.SHOWN,
        details={"phase": what.find_phase(side)},
        rules=("21.2", "21.51"),
    )
