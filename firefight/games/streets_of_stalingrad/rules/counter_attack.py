"""Instant counter-attacks: what the die comes to, and who may make one (12.1 to 12.9)."""

from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Bands
from firefight.engine.labels import Labelled
from firefight.engine.rolls.answers import allow_or_refuse
from firefight.engine.rolls.dice import check_face
from firefight.engine.rolls.modifiers import Modifier, total, without_zeroes
from firefight.engine.rolls.result import FollowUp, Outcome, Result, sources, waiting

from .terms import NOBODY, Side

RULES = ("12.6", "ICA Table")


class CounterAttack(Outcome):
    """Results of the Instant Counter-Attack Table."""

    ATTACKER_LOST = "attacker_lost", "a counter-attacker is lost"
    DEFENDER_LOST = "defender_lost", "a defender is lost"
    DEFENDERS_RETREAT = "defenders_retreat", "a defender is lost, the others retreat"
    NOBODY = "nobody", "nobody counter-attacks"


def counter_attack(
    *, charts: Book, af: int, df: int, defenders: int | None = None, after_all: str = "", die: int | None = None
) -> Result:
    """An instant counter-attack (12.6, ICA Table): the die, plus all AF, less all DF in the hex.

    defenders: combat units in the hex, None where nobody counts them; the last one lost leaves the hex empty.
    after_all: NOBODY, though it was said that somebody strikes back.
    """
    if after_all == NOBODY:
        nobody = CounterAttack.NOBODY
        return Result(f"Instant counter-attack: {nobody.word}.", nobody, details={"hex_held": True}, rules=("12.1",))
    modifiers = without_zeroes(
        Modifier("AF of the counter-attackers", af, "12.6"), Modifier("DF in the hex", -df, "12.6")
    )
    if die is None:
        return waiting(f"{af} AF against {df} DF: roll a d10.", "die", modifiers=modifiers, rules=RULES)
    modified = check_face(die, 10) + total(modifiers)
    table = charts["counter_attack"]
    assert isinstance(table, Bands)
    outcome = CounterAttack(table.look_up(modified))
    is_emptied = outcome is not CounterAttack.ATTACKER_LOST and defenders == 1
    is_held = outcome is not CounterAttack.DEFENDERS_RETREAT and not is_emptied
    return Result(
        f"Instant counter-attack, {af} AF against {df} DF: {outcome.word}.",
        outcome,
        dice={"die": die},
        modified=modified,
        modifiers=modifiers,
        details={"hex_held": is_held},
        effects=tuple(_tell(outcome, is_held)),
        rules=RULES,
        provenance=sources([table]),
    )


def _tell(outcome: CounterAttack, is_held: bool) -> list[str]:
    """What the players do on the map."""
    losses = {
        CounterAttack.ATTACKER_LOST: "One counter-attacking unit is eliminated, its owner says which (12.8).",
        CounterAttack.DEFENDER_LOST: "One defending unit is eliminated, its owner says which (12.8).",
        CounterAttack.DEFENDERS_RETREAT: "One defending unit is eliminated, all others retreat 2 hexes (12.6).",
    }
    hex_effects = ["The enemy keeps the hex."] if is_held else ["The counter-attackers may move into the empty hex."]
    return [losses[outcome], *hex_effects, "All who counter-attacked are spent (12.6)."]


class CounterAttacker(Labelled):
    """Who would counter-attack."""

    INFANTRY = "infantry"
    ENGINEER = "engineer", "Engineer or flame-thrower"
    ARMORED = "armored", "Armoured"
    ARTILLERY = "artillery", "Artillery of any kind"
    SNIPER = "sniper"
    MINE_DOG = "mine_dog", "Mine dog"
    LEADER = "leader", "A leader alone"


NAMED = {
    Side.GERMAN: (CounterAttacker.INFANTRY, CounterAttacker.ENGINEER, CounterAttacker.ARMORED),
    Side.SOVIET: (CounterAttacker.INFANTRY, CounterAttacker.ARMORED),
}


def may_counter_attack(
    *,
    charts: Book,
    side: Side,
    unit: CounterAttacker,
    guards_or_marine: bool,
    with_leader: bool,
    pinned: bool,
    spent: bool,
    af: int,
    not_adjacent: bool,
) -> Result:
    """Whether a unit may take part in an instant counter-attack (12.3, 12.5; ruling S43)."""
    reasons = []
    if unit not in NAMED[side]:
        reasons.append(f"{unit.word}: {_NAMED_WORDS[side]} alone (12.5).")
    elif side is Side.SOVIET and not (guards_or_marine or with_leader):
        reasons.append("Soviets need to be Guards or Marines, or have a leader in the hex (12.5).")
    if pinned or spent:
        reasons.append(f"{'Pinned' if pinned else 'Spent'} units do not counter-attack (12.5).")
    if not af:
        reasons.append("The unit has no AF (12.5).")
    if not_adjacent:
        reasons.append("The unit is not next to the hex (12.3).")
    next_step = FollowUp("counter-attack", "Counter-attack", {"af": af})
    return allow_or_refuse(
        "Instant counter-attack", reasons, ("12.3", "12.5"), follow_ups=() if reasons else (next_step,)
    )


_NAMED_WORDS = {
    Side.GERMAN: "infantry, engineers and armour",
    Side.SOVIET: "infantry and armour",
}
