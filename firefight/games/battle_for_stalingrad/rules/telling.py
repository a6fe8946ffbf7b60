"""What a roll of Battle for Stalingrad adds to the sentence of what happened: who fired at which hex, and with what."""

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
    head, colon, losses = facts.headline.partition(": ")
    if facts.helper == "deployment":
        return Clause(f"German deployment, {facts.headline}")
    if facts.helper != "combat" or not colon:
        return tell_in_short(facts)
    hex, names = facts.text("hex"), facts.names("firers")
    hex_suffix = f", hex {hex}"
    at_hex = f" {_AT.get(facts.text('kind'), 'on')} hex {hex}" if hex else ""
    fire, _, strength = head.rpartition(", ")
    by = f" by {join_words(names)}" if names else f" with {strength}"
    return Clause(f"{fire.removesuffix(hex_suffix) if hex else fire}{at_hex}{by}: {losses}")
