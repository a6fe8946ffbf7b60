"""What one Fire Strength comes to: terrain, armour, the lost depot, Air Points over their own hex (3.21, 3.23)."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from firefight.engine.charts.book import Book
from firefight.engine.labels import Labelled
from firefight.engine.rolls.result import FollowUp, Outcome, Result, sources
from firefight.engine.text import join_words

from .fractions import HALF, WHOLE, as_number, write_factor, write_fraction
from .terrain import GERMAN, SIDES, SOVIET, Terrain, find_die_addition, find_fire_factor, say_terrain

QUARTER, DOUBLE = Fraction(1, 4), Fraction(2)


class Arm(Labelled):
    """Who fires."""

    DIRECT = "direct", "Units next to it"
    ARTILLERY = "artillery", "Artillery, bombarding or indirect"
    AIR = "air", "Air Points"
    FLAK = "flak", "Flak at Air Points"


class Target(Labelled):
    """Whether armour stands in the hex fired into."""

    NONE = "none", "No armor"
    MIXED = "mixed", "Armor among others"
    ONLY = "only", "Armor alone"


class StrengthOutcome(Outcome):
    """Whether a strength comes to a whole number; the factors alone where none was given."""

    WHOLE = "whole"
    FRACTION = "fraction"
    FACTORS = "factors"


OF_ARMOR = {Target.NONE: WHOLE, Target.MIXED: HALF, Target.ONLY: QUARTER}
_KINDS = {Arm.ARTILLERY: "bombardment", Arm.AIR: "air_attack", Arm.FLAK: "anti_air"}


def fire_strength(
    *,
    charts: Book,
    side: str = GERMAN,
    arm: Arm = Arm.DIRECT,
    strength: int | None = None,
    terrain: Terrain = Terrain.CLEAR,
    occupant: str = SOVIET,
    adjacent: bool = False,
    target: Target = Target.NONE,
    depot_lost: bool = False,
    air_on_own_hex: bool = False,
) -> Result:
    """One Fire Strength with every factor of the sheet, exact (3.21 column 4; 3.23 Armor, Artillery, Flak)."""
    is_guns = arm is Arm.ARTILLERY
    into_terrain = arm is Arm.AIR or (is_guns and not adjacent)
    by_terrain = find_fire_factor(charts, terrain, occupant) if into_terrain else WHOLE
    by_armor = OF_ARMOR[target] if is_guns else WHOLE
    by_depot = HALF if is_guns and side == SOVIET and depot_lost else WHOLE
    by_flak = DOUBLE if arm is Arm.FLAK and air_on_own_hex else WHOLE
    factors = {
        say_terrain(terrain, occupant): by_terrain,
        target.word.lower(): by_armor,
        "Ammo Depot 2289 out of play": by_depot,
        "Air Points over its own hex": by_flak,
    }
    changing = {name: factor for name, factor in factors.items() if factor != WHOLE}
    factor = by_terrain * by_armor * by_depot * by_flak
    exact = None if strength is None else strength * factor
    outcome = _tell_outcome(exact)
    words = ", ".join(f"{write_factor(changed)} ({name})" for name, changed in changing.items()) or "full strength"
    doubtful = by_terrain != WHOLE and by_armor != WHOLE
    other_factors = by_depot * (strength or 1)
    readings = {"terrain": by_terrain * other_factors, "armor": by_armor * other_factors} if doubtful else {}
    effects = [
        f"{strength} {words}: {write_fraction(exact)}." if changing and exact is not None else "",
        _say_readings(readings, strength is None),
        "Add the fraction to what else fires; how a total is rounded you say in combat."
        if outcome is StrengthOutcome.FRACTION
        else "",
        *_say_arm(side, arm, terrain, adjacent),
    ]
    is_shot = outcome is StrengthOutcome.WHOLE and exact is not None
    return Result(
        headline=f"{arm.word}: {words}." if exact is None else f"{arm.word}: Fire Strength {write_fraction(exact)}.",
        outcome=outcome,
        details={
            "terrain_factor": as_number(by_terrain),
            "armor_factor": as_number(by_armor),
            "depot_factor": as_number(by_depot),
            "flak_factor": as_number(by_flak),
            "factor": as_number(factor),
            "strength": None if exact is None else as_number(exact),
            "readings": [{"only": name, "strength": as_number(reading)} for name, reading in readings.items()],
        },
        effects=tuple(filter(None, effects)),
        follow_ups=(_hand_on(charts, arm, terrain, occupant, adjacent, int(exact)),) if is_shot and exact else (),
        rules=("3.21 Terrain Effects Chart", "3.23 Unit Capabilities Summary"),
        provenance=sources([charts["terrain"]]) if into_terrain else (),
    )


def _tell_outcome(exact: Fraction | None) -> StrengthOutcome:
    if exact is None:
        return StrengthOutcome.FACTORS
    return StrengthOutcome.WHOLE if exact.denominator == 1 else StrengthOutcome.FRACTION


def _say_readings(readings: Mapping[str, Fraction], are_factors: bool) -> str:
    """What the strength is if the players let only one of two factors count (B-A03); "" where only one is there."""
    words = [
        f"{write_factor(reading) if are_factors else write_fraction(reading)} by {name} alone"
        for name, reading in readings.items()
    ]
    return f"Whether both count is not on the sheet (Cases 6.45, 6.46): {join_words(words, 'or')}." if words else ""


def _hand_on(charts: Book, arm: Arm, terrain: Terrain, occupant: str, adjacent: bool, strength: int) -> FollowUp:
    """The combat with that strength. Its factors are counted, so only what terrain adds to the die goes along."""
    combat_inputs: dict[str, object] = {"strength": strength}
    if arm is Arm.DIRECT:
        combat_inputs |= {"terrain": terrain.value, "occupant": occupant} if terrain is not Terrain.CLEAR else {}
    else:
        combat_inputs["kind"] = _KINDS[arm]
        is_spared = arm is Arm.FLAK or (arm is Arm.ARTILLERY and adjacent)
        addition = 0 if is_spared or terrain is Terrain.SPECIAL else find_die_addition(charts, terrain, occupant)
        combat_inputs |= {"drm": addition} if addition else {}
    return FollowUp("combat", f"Combat with {strength}", combat_inputs)


def _say_arm(side: str, arm: Arm, terrain: Terrain, adjacent: bool) -> Iterator[str]:
    """What the sheet says about such fire besides its factors."""
    is_strong = terrain in (Terrain.HEAVY, Terrain.FORTIFIED)
    if arm is Arm.DIRECT and side == GERMAN and is_strong:
        yield "German infantry fires into it with its second Fire Strength."
    if arm is Arm.DIRECT:
        yield "Terrain changes no strength of direct fire; what it adds to the die you see in combat."
    if arm is Arm.ARTILLERY and adjacent:
        yield "Next to the hex, terrain takes nothing from artillery; of mortars see Case 6.5."
    if arm is Arm.ARTILLERY and side == SOVIET:
        yield "Soviet guns add up only if they are stacked or adjacent, and bombard only as Case 6.2 allows."
        yield "Indirectly they fire only at Germans under fire of adjacent Soviets."
    if arm is Arm.AIR and terrain is not Terrain.CLEAR:
        yield "Terrain protects infantry and engineers from Dive Bombers; for others see Case 5.43."
    if arm is Arm.FLAK:
        often = "in one hex only, and not face down" if side == SOVIET else "as often as you like"
        yield f"{SIDES[side]} flak fires at Air Points {often}, also at those of a ground attack."
    if terrain is Terrain.SPECIAL and (arm is Arm.AIR or (arm is Arm.ARTILLERY and not adjacent)):
        yield "What Case 14.41 adds to the die you give in combat."
