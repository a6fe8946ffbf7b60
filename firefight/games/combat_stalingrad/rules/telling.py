"""What a roll of Combat! Stalingrad adds to the sentence of what happened: who fired at whom, and what became of them.

The sentence names hexes, FF, calibers and results as players say them; sums and sources stand behind it.
"""

from collections.abc import Callable, Mapping
from functools import partial

from firefight.engine.rolls.telling import Clause, RollFacts, tell_in_short
from firefight.engine.text import join_words

from .accuracy import AccuracyOutcome
from .barrage import FirepowerOutcome
from .close_combat import CloseCombatOutcome
from .contact import ContactOutcome
from .fire import FireOutcome, Weapon
from .morale import CasualtiesOutcome, MoraleOutcome
from .units import State

MOST_NAMED = 3  # of those who attack; the others are counted

# What a Morale Check and Casualties come to, for whoever takes them; "" where another roll tells it.
_CHECKED = {
    MoraleOutcome.NO_EFFECT.value: "held",
    MoraleOutcome.PINNED.value: "Pinned Down",
    MoraleOutcome.DISRUPTED.value: "Disrupted",
    MoraleOutcome.WIA.value: "WIA",
    MoraleOutcome.CASUALTIES.value: "",
    MoraleOutcome.ELIMINATED.value: "eliminated",
    MoraleOutcome.SUPPRESSED.value: "Suppressed",
}
_LOST = {
    CasualtiesOutcome.HALF_SQUAD.value: "halved",
    CasualtiesOutcome.WOUNDED_LEADER.value: "wounded",
    CasualtiesOutcome.ELIMINATED.value: "eliminated",
    CasualtiesOutcome.M_KILLED.value: "M-KILLED",
    CasualtiesOutcome.NOT_COVERED.value: "",
}
_RESULTS, _MELEE = (
    {outcome.value: "no effect" if outcome.value == "none" else outcome.word for outcome in outcomes}
    for outcomes in (FireOutcome, CloseCombatOutcome)
)


def tell_firefight_roll(facts: RollFacts) -> Clause:
    """What a roll adds to the sentence of its chain."""
    tell = _TOLD.get(facts.helper)
    return tell(facts) if tell else tell_in_short(facts)


def _tell_fire(facts: RollFacts) -> Clause:
    """ "K7 fired 18 FF at L7: C/M"; of artillery and aircraft, "105 mm at K7: M+2"."""
    result = _RESULTS.get(facts.outcome, facts.outcome)
    place = facts.scene.get("targets") or facts.text("place") or facts.text("hex")
    target = f" at {place.partition('/')[0]}" if place else _at_units(facts)
    firers = facts.scene.get("firers", "")
    weapon = _name_fire(facts)
    # A chain of artillery has named its battery before; a unit that stays in an FFE is fired at without one.
    if not firers and facts.inputs.get("artillery") and not facts.inputs.get("mission"):
        firers = "Artillery"
    head = f"{firers} fired {weapon}{target}" if firers else f"{weapon}{target}"
    return Clause(f"{head}: {result}")


def _at_units(facts: RollFacts) -> str:
    names = _shorten(facts.names("units"))
    return f" at {names}" if names else ""


def _name_fire(facts: RollFacts) -> str:
    """What was fired with: "18 FF", "105 mm", "a flamethrower"."""
    weapon, caliber = facts.text("weapon"), facts.text("caliber")
    if caliber and (weapon == Weapon.CALIBER.value or facts.inputs.get("ff") is None and weapon not in _ITEMS):
        return f"{caliber} mm"
    if weapon in _ITEMS:
        return _ITEMS[weapon]
    ff = facts.inputs.get("ff")
    ff = ff // 2 if isinstance(ff, int) and facts.text("state") == State.PINNED.value else ff
    return f"{ff} FF from the air" if weapon == Weapon.AIR.value else f"{ff} FF"


_ITEMS = {
    Weapon.FLAMETHROWER.value: "a flamethrower",
    Weapon.DEMO_CHARGE.value: "a demo charge",
    Weapon.MINES.value: "mines",
    Weapon.MOLOTOV.value: "a Molotov cocktail",
}


def _tell_melee(facts: RollFacts) -> Clause:
    attackers = _shorten(facts.names("attack")) or facts.scene.get("firers", "")
    defenders = _shorten(facts.names("defence")) or _shorten(facts.names("defense"))
    location = facts.scene.get("targets") or facts.text("place").partition("/")[0]
    result = _MELEE.get(facts.outcome, facts.outcome)
    place = f" in {location}" if location else ""
    if not attackers:
        return Clause(f"Close Combat{place}: {result}")
    return Clause(f"{attackers} attacked{f' {defenders}' if defenders else ''}{place}: {result}")


def _shorten(names: list[str]) -> str:
    unnamed = len(names) - MOST_NAMED
    return join_words(names if unnamed < 1 else [*names[:MOST_NAMED], f"{unnamed} more"])


def _tell_fate(words: Mapping[str, str], facts: RollFacts) -> Clause:
    name, fate = facts.text("name").removesuffix(" (half)"), words.get(facts.outcome)
    if fate is None or not name:  # its headline alone would not say what was rolled for
        return Clause(facts.words)
    return Clause(fates={name: fate} if fate else {})


def _tell_contact(facts: RollFacts) -> Clause:
    """Contact that is made is told by where the fire falls."""
    if facts.outcome == ContactOutcome.CONTACT.value:
        return Clause(f"{_name_battery(facts)}{_say_aim(facts)}: contact", passing=True)
    return Clause(f"{_name_battery(facts)}{_say_aim(facts)}: {_after_colon(facts.headline)}")


def _tell_accuracy(facts: RollFacts) -> Clause:
    if facts.outcome == AccuracyOutcome.ON_TARGET.value:
        return Clause(f"{_name_battery(facts)}{_say_aim(facts)}: on target")
    return Clause(f"{_name_battery(facts)}{_say_aim(facts)} {facts.headline.removeprefix('It ')}")


def _tell_conversion(facts: RollFacts) -> Clause:
    """ "105 mm on K13: it remains an FFE"."""
    hex = facts.text("impact")
    return Clause(f"{_name_battery(facts)}{f' on {hex}' if hex else ''}: {_after_colon(facts.headline)}")


def _tell_firepower(facts: RollFacts) -> Clause:
    """The firepower of a marker is told by what is fired with it."""
    return Clause(facts.headline, passing=facts.outcome == FirepowerOutcome.FF.value)


def _name_battery(facts: RollFacts) -> str:
    caliber = facts.text("caliber")
    return f"{caliber} mm" if caliber else "The battery"


def _say_aim(facts: RollFacts) -> str:
    aim = facts.text("aim")
    return f" on {aim}" if aim else ""


def _after_colon(words: str) -> str:
    head, colon, tail = words.partition(": ")
    head = f"{head[:1].lower()}{head[1:]}" if head[1:2].islower() or head[1:2] == " " else head
    return f"{head}, {tail}" if colon else head


def _tell_of(subject: str, facts: RollFacts) -> Clause:
    return Clause(f"{subject}: {_after_colon(facts.headline)}")


def _tell_hits(facts: RollFacts) -> Clause:
    return Clause(facts.headline, passing=True)


_TOLD: Mapping[str, Callable[[RollFacts], Clause]] = {
    "fire": _tell_fire,
    "close-combat": _tell_melee,
    "morale": partial(_tell_fate, _CHECKED),
    "casualties": partial(_tell_fate, _LOST),
    "who-is-hit": _tell_hits,
    "contact": _tell_contact,
    "accuracy": _tell_accuracy,
    "conversion": _tell_conversion,
    "firepower": _tell_firepower,
    "air-arrival": partial(_tell_of, "Aircraft"),
    "air-attack": partial(_tell_of, "Aircraft"),
    "anti-aircraft": partial(_tell_of, "Anti-aircraft fire"),
}
