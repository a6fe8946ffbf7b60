"""The close-assault bonus: one column higher, for both (9.67)."""

from collections.abc import Iterable

from firefight.engine.charts.book import Book
from firefight.engine.rolls.answers import allow_or_refuse
from firefight.engine.rolls.result import FollowUp, Result
from firefight.engine.values import Json

from .crt import find_column, find_table

RULES = ("9.67 Close Assault Bonus",)


def close_assault(
    *,
    charts: Book,
    attack_points: int,
    defence_points: int,
    eligible_before: bool,
    eligible_after: bool,
) -> Result:
    """Whether the bonus may be announced, and both columns (9.67; ruling A05).

    eligible_before, eligible_after: an unpinned, unspent infantry or combat engineer unit that attacks stands next to
    the target, before and after defensive fire. Without DF nobody fires back.
    """
    table = find_table(charts, "crt")
    details: Json = {"defence_column": None, "attack_column": None}
    if not eligible_before:
        reason = "No unpinned, unspent infantry or combat engineer that attacks is next to the target (9.67)."
        return allow_or_refuse("Close assault", [reason], RULES, details)
    defence = find_column(table, defence_points, shift=True) if defence_points else None
    onslaught = find_column(table, attack_points, shift=eligible_after)
    defence_words = f"the defender fires first in column {defence}" if defence else "the defender has no fire"
    no_shift = "" if eligible_after else ", not shifted, since nobody is left to close in"
    return allow_or_refuse(
        f"Close assault, {defence_words}, then the attack in column {onslaught}{no_shift}",
        (),
        RULES,
        {"defence_column": defence, "attack_column": onslaught},
        follow_ups=tuple(_follow(attack_points, defence_points, eligible_after)),
    )


def _follow(attack_points: int, defence_points: int, is_shifted: bool) -> Iterable[FollowUp]:
    if defence_points:
        inputs: Json = {"points": defence_points, "close_assault": True}
        yield FollowUp("defensive-fire", "Defensive fire first", inputs)
    yield FollowUp("attack", "Then the attack", {"points": attack_points, "close_assault": is_shifted})
