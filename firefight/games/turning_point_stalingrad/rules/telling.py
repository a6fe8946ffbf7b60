"""What a roll of Turning Point adds to the sentence of what happened: who attacked which Group, what was paid, and who
retreated where. Sums and sources stand behind it.
"""

from firefight.engine.rolls.telling import Clause, RollFacts

from .areas import name_area
from .sides import SIDES
from .terms import Group, Kind

_BY_GUNS = {
    Kind.AIR.value: "Aircraft",
    Kind.GERMAN_ARTILLERY.value: "German artillery",
    Kind.RUSSIAN_ARTILLERY.value: "Russian artillery",
}
# What becomes of an attack names its Group itself.
_FOLLOWING = ("payment", "retreat", "contested-retreat", "disruption")


def tell_impulse_roll(facts: RollFacts) -> Clause:
    """What a roll adds to the sentence of its chain."""
    if facts.helper == "attack":
        return _tell_attack(facts)
    return Clause(facts.headline if facts.helper in _FOLLOWING else facts.words)


def _tell_attack(facts: RollFacts) -> Clause:
    """ "The German attacked the Fresh Group in Area 30: won, 5 Casualty Points"."""
    _, colon, told = facts.headline.partition(": ")
    who = _BY_GUNS.get(facts.text("kind")) or f"The {SIDES.get(facts.text('attacker'), 'attacker')}"
    groups = {each.value: each.word for each in Group}
    area, group = facts.text("area"), groups.get(facts.text("group"), "")
    where = f" in {name_area(area)}" if area else ""
    if not colon:
        return Clause(facts.words)
    # The last of it are the two sums: "12 against 7".
    return Clause(f"{who} attacked {f'the {group} Group' if group else 'a Group'}{where}: {told.rpartition(', ')[0]}")
