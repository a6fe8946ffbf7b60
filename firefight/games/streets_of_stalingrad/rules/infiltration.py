"""Herman's infiltration: two units attack behind the lines, and what comes back (13.1 to 13.8)."""

from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput
from firefight.engine.rolls.dice import check_face
from firefight.engine.rolls.modifiers import Modifier
from firefight.engine.rolls.result import Outcome, Result, sources, waiting
from firefight.engine.values import Json

from .crt import find_column, find_table, read_result
from .dates import INFILTRATION_FROM
from .terms import NO_EFFECT

RULES = ("13.1", "13.4", "13.5", "13.6", "13.7")
ATTACK, DEFENCE = (
    Modifier("Herman attacks", -1, "13.5"),
    Modifier("At Herman", 1, "13.5"),
)


class Infiltration(Outcome):
    """What an infiltration comes to."""

    REFUSED = "refused"
    TARGET_LOST = "target_lost", "the German unit is lost"
    THROWN_BACK = "thrown_back", "Herman and the infantry are lost"
    BOTH_STAND = "both_stand", "nobody is lost"


def infiltration(
    *,
    charts: Book,
    date: str,
    attack_af: int | None,
    defence_df: int,
    attack_die: int | None = None,
    defence_die: int | None = None,
) -> Result:
    """Herman and an infantry unit attack one German unit (13.3 to 13.7); any result but a dash eliminates (13.6).

    defence_df: of the target and its hex-mates, who fire back only if it stands (ruling A33); 0 for no fire.
    """
    if date < INFILTRATION_FROM:
        reason = "There is no infiltration before 26 September (13.1)."
        return Result(
            "Infiltration: refused.", Infiltration.REFUSED, details=_tell(False), effects=(reason,), rules=RULES
        )
    if attack_af is None:
        raise BadInput({"attack_af": "Give the AF of the infantry unit, at least 1."})
    if attack_die is None:
        return waiting("Roll a d10 for the attack.", "attack_die", modifiers=(ATTACK,), rules=RULES)
    table = find_table(charts, "crt")
    attack = read_result(table, check_face(attack_die, 10) + ATTACK.value, find_column(table, attack_af))
    dice = {"attack_die": attack_die}
    modified, modifiers, defence = attack_die + ATTACK.value, (ATTACK,), None
    if attack == NO_EFFECT and defence_df:
        if defence_die is None:
            words = "The German unit stands: roll a d10 for its fire."
            return waiting(words, "defence_die", dice=dice, modifiers=(DEFENCE,), rules=RULES)
        dice["defence_die"] = defence_die
        modified, modifiers = check_face(defence_die, 10) + DEFENCE.value, (DEFENCE,)
        defence = read_result(table, modified, find_column(table, defence_df))
    outcome = Infiltration.BOTH_STAND
    if attack != NO_EFFECT:
        outcome = Infiltration.TARGET_LOST
    elif defence not in (None, NO_EFFECT):
        outcome = Infiltration.THROWN_BACK
    home = "They go home at once, at most 4 hexes (13.8)."
    return Result(
        f"Infiltration: {outcome.word}.",
        outcome,
        dice=dice,
        modified=modified,
        modifiers=modifiers,
        details=_tell(True, attack, defence),
        effects=() if outcome is Infiltration.THROWN_BACK else (home,),
        rules=RULES,
        provenance=sources([table]),
    )


def _tell(allowed: bool, attack: str | None = None, defence: str | None = None) -> Json:
    is_back = defence not in (None, NO_EFFECT)
    return {
        "allowed": allowed,
        "attack": attack,
        "defence": defence,
        "german_unit_lost": attack not in (None, NO_EFFECT),
        "soviet_unit_lost": is_back,
        "herman_lost": is_back,
    }
