"""What a roll of Streets of Stalingrad adds to the sentence of what happened: besides its result, at which hex."""

from firefight.engine.rolls.telling import Clause, RollFacts, tell_in_short

_FIRES = ("attack", "battle", "bombardment", "defensive-fire")
_PASSAGE = "passage"


def tell_streets_roll(facts: RollFacts) -> Clause:
    """What a roll adds to the sentence of its chain: "German bombardment, 39 points at 1434 from 2240: no effect"."""
    clause = Clause(facts.headline) if facts.helper in _FIRES and ": " in facts.headline else tell_in_short(facts)
    struck, origin = facts.scene.get("targets", ""), facts.scene.get("firers", "")
    hex = facts.text("hex") or struck
    head, colon, result = clause.words.partition(": ")
    if not (hex and colon) or hex in head:
        return clause
    if facts.helper == _PASSAGE:
        return Clause(f"{head} in {hex}: {result}")
    if facts.helper not in _FIRES:
        return clause
    by = f" {'from' if origin[0].isdigit() else 'by'} {origin}" if origin and origin != hex else ""
    return Clause(f"{head} at {hex}{by}: {result}")
