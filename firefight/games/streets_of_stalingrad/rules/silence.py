"""Which guns do not fire in a turn for want of ammunition, and who is exempt (14.72, 14.73, 14.74)."""

from collections.abc import Sequence

from firefight.engine.board.chosen import ChosenOfSort
from firefight.engine.charts.book import Book
from firefight.engine.course.keeping import TableState
from firefight.engine.errors import BadInput
from firefight.engine.record import RecordChange, put_in
from firefight.engine.rolls.answers import Counted
from firefight.engine.rolls.result import Result
from firefight.engine.text import join_words
from firefight.engine.values import Values

from .marking import is_sort
from .record import RECORD
from .terms import Side
from .units import Arm

GUNS = (Arm.IF_GUN, Arm.ROCKET, Arm.MORTAR)


def silence_guns(
    *, charts: Book, side: Side, barred: int, af: int, gun_names: tuple[str, ...], at: Sequence[ChosenOfSort] = ()
) -> Result:
    """Their owner names the guns that may not fire this turn, on either bank (14.72 to 14.74). ``af``: theirs in all.

    ``barred``: AF still to be named. ``at``: the guns that are counters here. Raises BadInput for those exempt.
    """
    if exempt := [why for counter in at if (why := _say_exempt(side, counter))]:
        raise BadInput({"at": " ".join(exempt)})
    af_left = max(0, barred - af)
    return Result(
        f"{side.word} guns without ammunition this turn: {join_words(gun_names) or 'none named'}, {af} AF.",
        Counted.COUNTED,
        details={"af": af, "left": af_left},
        effects=(f"{af_left} AF more may not fire (14.72): name other guns, too.",) if af_left else (),
        rules=("14.72", "14.73" if side is Side.SOVIET else "14.74"),
    )


def _say_exempt(side: Side, counter: ChosenOfSort) -> str:
    if side is Side.SOVIET and is_sort(counter, Arm.ROCKET):
        return f"{counter.name}: Katyushas are exempt (14.73)."
    if is_sort(counter, Arm.FLAK_88):
        return f"{counter.name}: 88s are exempt (14.74)."
    return (
        ""
        if not counter.sort or is_sort(counter, *GUNS)
        else f"{counter.name}: only guns that fire indirectly run short."
    )


def count_barred(side: str, record: Values) -> int:
    """AF of a side that may not fire this turn, and for which no guns have been named yet."""
    named_af: int = sum(row["af"] for row in record["silent"] if row["side"] == side)
    return max(0, int(record["barred"][side]) - named_af)


def fill_silence(about: Values, situation: TableState) -> Values:
    """How much the form's side still has to name."""
    return {"barred": count_barred(str(about.get("side") or Side.GERMAN.value), situation.record)}


def note_silence(inputs: Values, result: Result, situation: TableState) -> tuple[RecordChange, ...]:
    """Those guns do not fire again this turn; their AF in all is kept with the first of them."""
    names = list(inputs["gun_names"])
    rows = [{"side": inputs["side"], "unit": gun, "af": inputs["af"] * (index == 0)} for index, gun in enumerate(names)]
    return (RECORD.change({"silent": put_in(*rows)}),) if rows else ()


def list_silent(side: object, record: Values) -> set[str]:
    """A side's guns that may not fire this turn."""
    return {row["unit"] for row in record["silent"] if row["side"] == side}
