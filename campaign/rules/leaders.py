"""Leaders that come with a Reinforcement Group (20.9.1)."""

from firefight.engine.charts.book import Book
from firefight.engine.rolls.dice import DieSpec, check_face
from firefight.engine.rolls.result import Outcome, Result, sources, waiting
from firefight.games.combat_stalingrad.rules.sides import Side


class LeaderOutcome(Outcome):
    """Results of 20.9.1 Leader Rolls."""

    NONE = "none", "No leader"
    NCO = "nco", "An NCO"
    OFFICER = "officer", "An Officer"
    NCO_OFFICER = "nco_officer", "An NCO and an Officer"
    NCO_COMMISSAR = "nco_commissar", "An NCO and a Commissar"


def leaders_brought(outcome: LeaderOutcome) -> tuple[str, ...]:
    """The counters that a leader roll brings, by key (20.9.1)."""
    return _BROUGHT[outcome]


_BROUGHT: dict[LeaderOutcome, tuple[str, ...]] = {
    LeaderOutcome.NONE: (),
    LeaderOutcome.NCO: ("nco",),
    LeaderOutcome.OFFICER: ("officer",),
    LeaderOutcome.NCO_OFFICER: ("nco", "officer"),
    LeaderOutcome.NCO_COMMISSAR: ("nco", "commissar"),
}


def leader_dice(side: Side) -> list[DieSpec]:
    """The dice that a side's leader roll may ask for: a second one on a Russian 6 (20.9.1)."""
    second = [DieSpec("second_die", 10, "Second d10, on a Russian 6")] if side is Side.RUSSIAN else []
    return [DieSpec("die", 10, "Leader d10"), *second]


def leader(*, charts: Book, side: Side, die: int | None = None, second_die: int | None = None) -> Result:
    """Roll for the leader of a group when it is bought (20.9.1 Leader Rolls).

    die: d10, 0 as 10. second_die: d10, asked for on a Russian roll that brings two leaders: it
    decides between an Officer and a Commissar (A-34).
    """
    if die is None:
        return waiting("One d10 for the group's leader.", "die")
    table, second = charts["leaders"], charts["leaders_russian_six"]
    outcome = LeaderOutcome(table.look_up(check_face(die, table.sides)))
    dice, used = {"die": die}, [table]
    if outcome is LeaderOutcome.NCO_OFFICER and side is Side.RUSSIAN:
        if second_die is None:
            return waiting(
                "An NCO, and one leader more: roll the second die for an Officer or a Commissar.",
                "second_die",
                dice=dice,
            )
        outcome = LeaderOutcome(second.look_up(check_face(second_die, second.sides, "second_die")))
        dice, used = {**dice, "second_die": second_die}, [table, second]
    return Result(
        headline=f"{outcome.word}.",
        outcome=outcome,
        dice=dice,
        modified=die,
        effects=()
        if outcome is LeaderOutcome.NONE
        else (f"The group receives {outcome.word[0].lower()}{outcome.word[1:]}.",),
        rules=("20.9.1 Leader Rolls",),
        provenance=sources(used),
    )
