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
            head, colon, told = facts.headline.partition(": ")
            where = f" in {head}" if head.startswith("Area") else ""
            return Clause(f"Counter-Battery{where}: {told if where else facts.headline}")
        case "advantage" if facts.outcome == "allowed":
            purpose = facts.headline.partition(", ")[2].partition(":")[0]
            return Clause(f"The Advantage was used {purpose}")
    return tell_in_short(facts)


def _tell_arrival(facts: RollFacts) -> Clause:
    """ "Into Area 1: 5 against 2 enemy units, the unit arrives"."""
    rolled, colon, told = facts.headline.partition(": ")
    title = facts.words.partition(". ")[0]
    where = f"Into {title.removeprefix(_INTO)}: " if title.startswith(_INTO) else ""
    units = "enemy unit" if rolled.endswith(" 1") else "enemy units"
    return Clause(f"{where}{rolled} {units}, {told}") if colon else tell_in_short(facts)


def _tell_attack(facts: RollFacts) -> Clause:
    """ "The German attacked the Fresh Group in Area 30: won, 5 Casualty Points"."""
    _, colon, told = facts.headline.partition(": ")
    who = _BY_GUNS.get(facts.text("kind")) or f"The {SIDES.get(facts.text('attacker'), 'attacker')}"
    groups = {each.value: each.word for each in Group}
    area, group = facts.text("area"), groups.get(facts.text("group"), "")
    where = f" in {name_area(area)}" if area else ""
    if not colon:
        return Clause(facts.words)
    told = told.rpartition(", ")[0]  # the last of it are the two sums: "12 against 7"
    if told.startswith("Overrun, "):
        told = told.replace(" against ", " to a Group that can take ")
    return Clause(f"{who} attacked {f'the {group} Group' if group else 'a Group'}{where}: {told}")
