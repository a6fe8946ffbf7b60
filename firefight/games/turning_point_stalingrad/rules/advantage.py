"""The Advantage: who may use it, for what, and whose it is afterwards (9.1 to 9.5, 20.3)."""

from dataclasses import replace

from firefight.engine.charts.book import Book
from firefight.engine.labels import Labelled
from firefight.engine.rolls.answers import allow_or_refuse
from firefight.engine.rolls.result import FollowUp, Result
from firefight.engine.values import Values

from .dates import is_fixed_day
from .sides import Side, Time
from .track import ResetReading, reset_box

RULES = ("9.1 Overview", "9.2 Combat", "9.3 Prolonging Daylight", "9.4 Other Uses", "9.5 Limit")


class Purpose(Labelled):
    """What the Advantage is used for."""

    REROLL = "reroll", "roll again"
    PROLONG = "prolong", "prolong day or night"


def find_reasons(
    user: Side, holder: Side, holder_at_dawn: Side, used_today: bool, purpose: Purpose, date: str, time: Time
) -> list[str]:
    """What speaks against a use (9.1, 9.5, 20.3)."""
    reasons = []
    if user is not holder:
        reasons.append(f"9.1: the {holder.word} has the Advantage.")
    if used_today:
        reasons.append("9.5: the Advantage has been used on this date.")
    elif user is not holder_at_dawn:
        reasons.append(f"9.5: the {holder_at_dawn.word} had it when this date began; who receives it waits a day.")
    if purpose is Purpose.PROLONG and is_fixed_day(date, time):
        reasons.append("20.3: it does not prolong the daylight of 13 September.")
    return reasons


def may_prolong(advantage_state: Values, date: str, time: Time) -> bool:
    """Whether the Advantage of a record may prevent a flip that is due (9.3, 9.5, 20.3)."""
    holder, at_dawn = Side(advantage_state["holder"]), Side(advantage_state["holder_at_dawn"])
    return not find_reasons(holder, holder, at_dawn, advantage_state["used_today"], Purpose.PROLONG, date, time)


def advantage(
    *,
    charts: Book,
    user: Side,
    holder: Side,
    holder_at_dawn: Side,
    used_today: bool,
    purpose: Purpose,
    date: str,
    time: Time,
    reading: ResetReading = ResetReading.LITERAL,
    of_impulse: bool = False,
    again: str = "",
) -> Result:
    """Whether a side may use the Advantage now, and what comes of it (9.1 to 9.5, 20.3).

    again: the roll of the log that is made once more; all that came of it is undone (9.2, 9.4). of_impulse: what is
    rolled again is the attack whose roll decided the German impulse, where no log has it.
    """
    reasons = find_reasons(user, holder, holder_at_dawn, used_today, purpose, date, time)
    box = reset_box(date, time, reading, charts) if purpose is Purpose.PROLONG and not reasons else None
    after = holder if reasons else user.other
    details = {"holder": after.value, "reset_box": box, "why": " ".join(reasons)}
    result = allow_or_refuse(f"The Advantage, to {purpose.word}", reasons, (*RULES, "20.3 Advantage"), details)
    return result if reasons else _use(result, purpose, after, box, of_impulse, again)


def _use(result: Result, purpose: Purpose, after: Side, box: int | None, of_impulse: bool, again: str) -> Result:
    effects = [f"It goes to the {after.word}, who may use it from the next date on."]
    if purpose is Purpose.PROLONG:
        effects.append(f"The marker goes to box {box} instead of flipping. Only a flip that is due can be prevented.")
    else:
        effects.append("The first roll counts for nothing; of an attack both sides roll again, before anything else.")
    if of_impulse:
        effects.append("The impulse roll is that of the new attack.")
    steps = (_roll_again(again),) if again and purpose is Purpose.REROLL else ()
    return replace(result, effects=tuple(effects), follow_ups=steps)


def _roll_again(roll_name: str) -> FollowUp:
    """The roll that is made once more: "12-attack" is the one of line 12."""
    number, _, helper = roll_name.partition("-")
    title = "Roll that attack again" if helper == "attack" else f"Roll № {number} again"
    return FollowUp(helper, title, {}, anew=int(number))
