"""Changes to units between firefights (20.7.1), and when a firefight ends (20.2.4)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from firefight.engine.charts.book import Book
from firefight.engine.labels import Labelled
from firefight.engine.rolls.dice import check_face
from firefight.engine.rolls.result import Outcome, Result, Source, sources, waiting
from firefight.engine.text import join_words
from firefight.games.combat_stalingrad.rules.marks import Mark
from firefight.games.combat_stalingrad.rules.turn import LAST_TURN

FIRST_CHECKED_TURN = 5


class Damage(Labelled):
    """What may mend between firefights, in the order of the rolls (20.7.1 steps 4, 5 and 7)."""

    M_KILLED = "m_killed", "M-KILLED vehicle"
    F_KILLED = "f_killed", "F-KILLED vehicle"
    WOUNDED_LEADER = "wounded_leader"


class RecoveryOutcome(Outcome):
    """Results of 20.7.1 steps 4, 5 and 7."""

    REPAIRED = "repaired"
    WRECKED = "wrecked"
    UNCHANGED = "unchanged"
    ELIMINATED = "eliminated"
    HEALED = "healed"


def recovery(*, charts: Book, what: Damage, die: int | None = None) -> Result:
    """Roll for an M-KILLED or F-KILLED vehicle or a wounded leader (20.7.1 steps 4, 5, 7). die: d10, 0 as 10."""
    if die is None:
        return waiting("A low roll repairs a vehicle, and kills a wounded leader.", "die")
    table = charts[f"recovery_{what.value}"]
    outcome = RecoveryOutcome(table.look_up(check_face(die, table.sides)))
    return Result(
        headline=f"{outcome.word}: {die}.",
        outcome=outcome,
        dice={"die": die},
        modified=die,
        effects=(_RECOVERY_EFFECTS[what, outcome],),
        rules=("20.7.1 (no heading)",),
        provenance=sources((table,)),
    )


_RECOVERY_EFFECTS = {
    (Damage.M_KILLED, RecoveryOutcome.REPAIRED): "Take the M-KILL marker off.",
    (Damage.M_KILLED, RecoveryOutcome.WRECKED): "Replace the vehicle with a wreck that does not burn.",
    (Damage.M_KILLED, RecoveryOutcome.UNCHANGED): "It stays M-KILLED in its hex; turn its turret at set-up if wanted.",
    (Damage.F_KILLED, RecoveryOutcome.REPAIRED): "Take the F-KILL marker off.",
    (Damage.F_KILLED, RecoveryOutcome.UNCHANGED): "It starts the next firefight F-KILLED.",
    (Damage.WOUNDED_LEADER, RecoveryOutcome.ELIMINATED): "Remove the leader.",
    (Damage.WOUNDED_LEADER, RecoveryOutcome.HEALED): "Turn the leader to the unwounded side.",
    (Damage.WOUNDED_LEADER, RecoveryOutcome.UNCHANGED): "The leader starts the next firefight wounded.",
}


_MARKS = {Damage.M_KILLED: Mark.M_KILLED, Damage.F_KILLED: Mark.F_KILLED, Damage.WOUNDED_LEADER: Mark.WOUNDED}


def mark_of(damage: Damage) -> Mark:
    """How a unit with such damage is marked."""
    return _MARKS[damage]


def marks_after_recovery(marks: Collection[str], damage: Damage, outcome: RecoveryOutcome) -> list[str] | None:
    """The marks of a unit after its roll, None if it is gone (20.7.1 steps 4, 5, 7)."""
    if outcome in (RecoveryOutcome.WRECKED, RecoveryOutcome.ELIMINATED):
        return None
    is_mended = outcome in (RecoveryOutcome.REPAIRED, RecoveryOutcome.HEALED)
    return [mark for mark in marks if not (is_mended and mark == mark_of(damage))]


class EndOutcome(Outcome):
    """Results of 20.2.4 Game Turns and End of Firefight DR."""

    CONTINUES = "continues"
    ENDS = "ends"


class EndNumbers(NamedTuple):
    """The End of Firefight numbers of a card by turn, and whose they are."""

    name: str
    by_turn: Mapping[int, int]
    provenance: str


def end_of_firefight(
    *, charts: Book, turn: int, number: int = 10, die: int | None = None, cards: Sequence[EndNumbers] = ()
) -> Result:
    """See whether the firefight goes on after a turn (20.2.4, read literally: A-24, R-11).

    turn: 1 to 7, just ended; number: the End of Firefight number of its box, 1 to 10. No roll
    before turn 5; turn 7 is always the last. die: d10, 0 as 10. cards: the shipped ones, to say whose the number is;
    without any, that is left out.
    """
    draft = Result("", details={"turn": turn, "number": number}, rules=("20.2.4 Game Turns and End of Firefight DR",))
    if turn < FIRST_CHECKED_TURN:
        return replace(
            draft, headline=f"No roll before turn {FIRST_CHECKED_TURN}: play goes on.", outcome=EndOutcome.CONTINUES
        )
    if turn >= LAST_TURN:
        return replace(
            draft, headline=f"Turn {turn} is the last: the firefight ends.", outcome=EndOutcome.ENDS, ends=True
        )
    of_cards = [card for card in cards if card.by_turn.get(turn) == number]
    if die is None:
        return replace(draft, headline=f"{number} or less: play goes on.{_say_whose(of_cards)}", needs=("die",))
    provenance = of_cards[0].provenance if of_cards else "owner"
    if cards:
        draft = replace(draft, provenance=(Source("cards", "End of Firefight number", provenance),))
    outcome = EndOutcome.CONTINUES if check_face(die, 10) <= number else EndOutcome.ENDS
    goes_on = outcome is EndOutcome.CONTINUES
    return replace(
        draft,
        headline=f"{die} against {number}: {f'turn {turn + 1} is played' if goes_on else 'the firefight ends now'}.",
        outcome=outcome,
        dice={"die": die},
        modified=die,
        ends=not goes_on,
    )


def _say_whose(cards: Sequence[EndNumbers]) -> str:
    """Whose a number is that cards have in the box of the turn."""
    if not cards:
        return ""
    names = join_words(f"“{card.name}”" for card in cards)
    return f" The {cards[0].provenance} value of {names}: give your own card's where it differs."
