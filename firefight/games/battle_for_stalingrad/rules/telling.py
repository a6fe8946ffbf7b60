"""What a roll of The Battle for Stalingrad adds to the sentence of what happened: who fired at which hex with what."""

from firefight.engine.rolls.telling import Clause, RollFacts, tell_in_short
from firefight.engine.text import join_words

from .combat import Kind

_AT = {
    Kind.OVERRUN.value: "of",
    Kind.BOMBARDMENT.value: "of",
    Kind.ANTI_AIR.value: "over",
}


def tell_battle_roll(facts: RollFacts) -> Clause:
    """What a roll adds to the sentence of its chain: "Bombardment of hex 1726 by 103: 2 enemy units eliminated"."""
    head, colon, lost = facts.headline.partition(": ")
    if facts.helper == "deployment":
        return Clause(f"German deployment, {facts.headline}")
    if facts.helper != "combat" or not colon:
        return tell_in_short(facts)
    hex, names = facts.text("hex"), facts.names("firers")
    of = f", hex {hex}"
    where = f" {_AT.get(facts.text('kind'), 'on')} hex {hex}" if hex else ""
    what, _, strength = head.rpartition(", ")
    by = f" by {join_words(names)}" if names else f" with {strength}"
    return Clause(f"{what.removesuffix(of) if hex else what}{where}{by}: {lost}")
