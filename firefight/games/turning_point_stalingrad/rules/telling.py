"""What a roll of Turning Point adds to the sentence of what happened: who attacked which Group, what was paid, and who
retreated where. Sums and sources stand behind it.
"""

from firefight.engine.rolls.telling import Clause, RollFacts, tell_in_short

from .areas import name_area
from .sides import SIDES
from .terms import Group, Kind

_BY_GUNS = {
    Kind.AIR.value: "Aircraft",
    Kind.GERMAN_ARTILLERY.value: "German artillery",
    Kind.RUSSIAN_ARTILLERY.value: "Russian artillery",
}
_INTO = "Each unit that retreats into "  # so the title of a contested retreat names its Area


def tell_impulse_roll(facts: RollFacts) -> Clause:
    """What a roll adds to the sentence of its chain."""
    match facts.helper:
        case "attack":
            return _tell_attack(facts)
        case "payment" | "retreat" | "disruption":  # these name their Group themselves
            return Clause(facts.headline)
        case "contested-retreat":
            return _tell_arrival(facts)
        case "counter-battery":
            head, colon, verdict = facts.headline.partition(": ")
            place = f" in {head}" if head.startswith("Area") else ""
            return Clause(f"Counter-Battery{place}: {verdict if place else facts.headline}")
        case "advantage" if facts.outcome == "allowed":
            purpose = facts.headline.partition(", ")[2].partition(":")[0]
            return Clause(f"The Advantage was used {purpose}")
    return tell_in_short(facts)


def _tell_arrival(facts: RollFacts) -> Clause:
    """ "Into Area 1: 5 against 2 enemy units, the unit arrives"."""
    rolled, colon, ending = facts.headline.partition(": ")
    title = facts.words.partition(". ")[0]
    place = f"Into {title.removeprefix(_INTO)}: " if title.startswith(_INTO) else ""
    units = "enemy unit" if rolled.endswith(" 1") else "enemy units"
    return Clause(f"{place}{rolled} {units}, {ending}") if colon else tell_in_short(facts)


def _tell_attack(facts: RollFacts) -> Clause:
    """ "The German attacked the Fresh Group in Area 30: won, 5 Casualty Points"."""
    _, colon, ending = facts.headline.partition(": ")
    attacker = _BY_GUNS.get(facts.text("kind")) or f"The {SIDES.get(facts.text('attacker'), 'attacker')}"
    groups = {member.value: member.word for member in Group}
    area, group = facts.text("area"), groups.get(facts.text("group"), "")
    place = f" in {name_area(area)}" if area else ""
    if not colon:
        return Clause(facts.words)
    ending = ending.rpartition(", ")[0]  # the last of it are the two sums: "12 against 7"
    if ending.startswith("Overrun, "):
        ending = ending.replace(" against ", " to a Group that can take ")
    return Clause(f"{attacker} attacked {f'the {group} Group' if group else 'a Group'}{place}: {ending}")
