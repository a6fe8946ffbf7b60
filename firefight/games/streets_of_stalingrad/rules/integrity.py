"""Unit integrity (9.73), and assault advantage (9.71)."""

from collections.abc import Collection

from firefight.engine.charts.book import Book
from firefight.engine.rolls.answers import Counted
from firefight.engine.rolls.modifiers import Modifier, total, without_zeroes
from firefight.engine.rolls.result import FollowUp, Outcome, Result

RULE = "9.73 Unit Integrity"


class Advantage(Outcome):
    """Whether attackers have the assault advantage."""

    YES = "yes"
    NO = "no"


def integrity(
    *,
    charts: Book,
    same_battalion: bool,
    mixed_battalions: bool,
    same_regiment: bool,
    mixed_regiments: bool,
    defenders_mixed: bool,
    mixed_divisions: bool,
    armor_battalion: bool,
    defenders_clear: bool,
    leader_of_formation: bool,
    armor_pair: bool,
) -> Result:
    """What formations add to an attack, and to defensive or opportunity fire (9.73).

    A leader in the hex, of a formation that takes part, wipes out the plus numbers only. Fire never pays for mixing.
    """
    counts_mixing = not leader_of_formation
    attack = without_zeroes(
        Modifier("Two or more of one battalion from one hex", -int(same_battalion), RULE),
        Modifier("A hex mixes battalions", int(mixed_battalions and counts_mixing), RULE),
        Modifier("Four or more of one regiment from two hexes", -int(same_regiment), RULE),
        Modifier("A hex mixes regiments", int(mixed_regiments and counts_mixing), RULE),
        Modifier("The defenders mix formations", -int(defenders_mixed), RULE),
        Modifier("A hex mixes brigades, divisions or corps", int(mixed_divisions and counts_mixing), RULE),
        Modifier("Three or more tanks or StuGs of one battalion", -int(armor_battalion and defenders_clear), RULE),
    )
    fire = -int(same_battalion) - int(armor_pair)
    mixings = (mixed_battalions, mixed_regiments, mixed_divisions)
    effects = []
    if leader_of_formation and any(mixings):
        effects.append("The leader wipes out the plus numbers; his own -1 counts in the attack besides (9.73).")
    if all(mixings):
        effects.append("An example of 9.73 counts two of these three lines; the list has all three (ruling A19).")
    if armor_battalion and not defenders_clear:
        effects.append("Armour of one battalion counts against a clear hex alone (9.73).")
    return Result(
        f"Unit integrity: attack {total(attack):+d}, defensive or opportunity fire {fire:+d}.",
        Counted.COUNTED,
        modified=total(attack),
        modifiers=attack,
        details={"attack": total(attack), "fire": fire},
        effects=tuple(effects),
        follow_ups=(
            FollowUp("attack", "Attack", {"integrity": total(attack)}),
            FollowUp("defensive-fire", "Defensive or opportunity fire", {"integrity": fire}),
        ),
        rules=(RULE,),
    )


def assault_advantage(*, charts: Book, attack_sides: tuple[int, ...], surrounded: bool) -> Result:
    """Whether the attack has its -1 (9.71): from three adjacent hexes, two of them opposite, and no way out.

    attack_sides: the hexsides, 0 to 5 around the target, from which adjacent units attack. surrounded: each of the six
    hexes holds an enemy of the target or an enemy ZOC (ruling A35).
    """
    lacks = list_lacking(attack_sides, surrounded)
    outcome = Advantage.NO if lacks else Advantage.YES
    return Result(
        f"Assault advantage: {'no' if lacks else 'yes, -1'}.",
        outcome,
        details={"advantage": not lacks},
        effects=tuple(lacks),
        follow_ups=(FollowUp("attack", "Attack", {"assault_advantage": not lacks}),),
        rules=("9.71 Attacker DRMs for CRT",),
    )


def list_lacking(attack_sides: Collection[int], surrounded: bool) -> list[str]:
    """What an attack from these hexsides lacks for the advantage."""
    sides = set(attack_sides)
    lacks = []
    if len(sides) < 3:
        lacks.append("Adjacent units attack from fewer than three hexes (9.71).")
    if not any((side + 3) % 6 in sides for side in sides):
        lacks.append("No two of these hexes are opposite each other (9.71).")
    if not surrounded:
        lacks.append("The target has a hex to escape to: an empty city or industrial hex is one (9.71).")
    return lacks
