"""What kinds of units can do, by the Unit Capabilities Summary (3.23), and what happens to militia."""

from collections.abc import Iterator

from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Bands
from firefight.engine.labels import Labelled
from firefight.engine.rolls.modifiers import Modifier
from firefight.engine.rolls.result import Outcome, Result, sources

from .terrain import GERMAN, SIDES, SOVIET, Terrain

NO_ZOC_STRENGTH = 2  # printed, of Soviet infantry that is not Guards
MOST_ANTI_AIR = 1  # hexes for Soviet flak


class Unit(Labelled):
    """The kinds of units, as the summary and the boxes of the display tell them apart."""

    INFANTRY = "infantry"
    MECHANIZED_INFANTRY = "mechanized_infantry"
    MOTORIZED_INFANTRY = "motorized_infantry"
    ENGINEER = "engineer"
    ARMORED_ENGINEER = "armored_engineer"
    ARMOR = "armor"
    ANTI_TANK = "anti_tank", "Anti-tank"
    RECONNAISSANCE = "reconnaissance"
    ARTILLERY = "artillery"
    SELF_PROPELLED_ARTILLERY = "self_propelled_artillery", "Self-propelled artillery"
    FLAK = "flak"
    MILITIA = "militia"
    WORKER = "worker"


class Action(Labelled):
    """What a unit with two Fire Strengths does."""

    GROUND_ATTACK = "ground_attack"
    INSTANT_COUNTERATTACK = "instant_counterattack"


class UnitOutcome(Outcome):
    """A card is shown, nothing is rolled."""

    SHOWN = "shown"


INFANTRY = (Unit.INFANTRY, Unit.MECHANIZED_INFANTRY, Unit.MOTORIZED_INFANTRY)
ENGINEERS = (Unit.ENGINEER, Unit.ARMORED_ENGINEER)
TANKS = (Unit.ARMOR, Unit.ANTI_TANK)
FOOT = (*INFANTRY, *ENGINEERS, Unit.RECONNAISSANCE, Unit.WORKER)  # beside whom armor fires with its first strength
GUNS = (Unit.ARTILLERY, Unit.SELF_PROPELLED_ARTILLERY)
MAY_OVERRUN = (
    *(Unit.MECHANIZED_INFANTRY, Unit.MOTORIZED_INFANTRY, Unit.ARMORED_ENGINEER, Unit.ARMOR),
    *(Unit.RECONNAISSANCE, Unit.SELF_PROPELLED_ARTILLERY),
)
OVERRUN_DEFENCE = {Unit.ARMOR: 2, Unit.ANTI_TANK: 3, Unit.FLAK: 2}  # of Soviets, on the first Fire Strength


def show_unit(
    *,
    charts: Book,
    side: str = GERMAN,
    unit: Unit = Unit.INFANTRY,
    guards: bool = False,
    printed_strength: int | None = None,
    action: Action = Action.GROUND_ATTACK,
    terrain: Terrain = Terrain.CLEAR,
    foot_in_stack: bool = False,
) -> Result:
    """What such a unit can do (3.23 Unit Capabilities Summary). ``terrain``: what it fires into."""
    zoc = has_zoc(side, unit, guards, printed_strength)
    may_overrun = side == GERMAN and unit in MAY_OVERRUN
    may_start = may_start_counterattack(side, unit)
    strength = choose_strength(side, unit, action, terrain, foot_in_stack)
    factor = OVERRUN_DEFENCE.get(unit, 1) if side == SOVIET else 1
    is_soviet_flak = unit is Unit.FLAK and side == SOVIET
    start = {True: "It may start", False: "It may not start", None: "The sheet does not say whether it may start"}
    effects = (
        "It has a zone of control." if zoc else "It has no zone of control.",
        f"It may {'' if may_overrun else 'not '}overrun."
        if side == GERMAN
        else "Of Soviet overruns the sheet is silent.",
        f"{start[may_start]} an instant counterattack.",
        f"It fires with its {strength} Fire Strength, if it has two." if unit in (*INFANTRY, *TANKS) else "",
        f"Overrun by Germans it fires with {factor} times its first Fire Strength." if factor > 1 else "",
        *_list_notes(side, unit),
    )
    return Result(
        headline=f"{SIDES[side]} {unit.word.lower()}.",
        outcome=UnitOutcome.SHOWN,
        details={
            "has_zoc": zoc,
            "may_overrun": may_overrun,
            "may_start_counterattack": may_start,
            "fire_strength": strength,
            "overrun_defence_factor": factor,
            "anti_air_hexes": MOST_ANTI_AIR if is_soviet_flak else None,
        },
        effects=tuple(filter(None, effects)),
        rules=(f"3.23 {_head(unit)}",),
    )


def has_zoc(side: str, unit: Unit, guards: bool, printed_strength: int | None) -> bool:
    """Militia has none, nor weak Soviet infantry that is not Guards (3.23 Infantry, Militia)."""
    is_weak = side == SOVIET and unit in INFANTRY and not guards and printed_strength == NO_ZOC_STRENGTH
    return unit is not Unit.MILITIA and not is_weak


def may_start_counterattack(side: str, unit: Unit) -> bool | None:
    """Whether it may start an instant counterattack; None where the sheet says nothing (3.23 Anti-Tank, Artillery,
    Militia)."""
    if unit in (Unit.ANTI_TANK, Unit.MILITIA):
        return False
    return unit is Unit.SELF_PROPELLED_ARTILLERY if side == GERMAN and unit in GUNS else None


def choose_strength(side: str, unit: Unit, action: Action, terrain: Terrain, foot_in_stack: bool) -> str:
    """Which of two Fire Strengths it uses (3.23 Infantry, Armor, Anti-Tank; the second is what remains, B-A08)."""
    if unit in TANKS:
        always = unit is Unit.ARMOR and action is Action.INSTANT_COUNTERATTACK
        return "first" if always or terrain is Terrain.CLEAR or foot_in_stack else "second"
    is_second = side == GERMAN and unit in INFANTRY and terrain in (Terrain.HEAVY, Terrain.FORTIFIED)
    return "second" if is_second else "first"


def _head(unit: Unit) -> str:
    """The summary's heading for a kind of unit."""
    heads = {INFANTRY: "Infantry", ENGINEERS: "Engineer", GUNS: "Artillery"}
    heading = next((head for kinds, head in heads.items() if unit in kinds), unit.word)
    return {"Anti-tank": "Anti-Tank", "Worker": "Notes"}.get(heading, heading)


def _list_notes(side: str, unit: Unit) -> Iterator[str]:
    """What else the summary says about it."""
    if unit in (*INFANTRY, *ENGINEERS):
        yield "Dive Bombers that attack it suffer from terrain, columns 4 and 5 (Case 5.43)."
    if unit in ENGINEERS:
        yield "Taking part in a ground attack it takes terrain's addition off the attacker's die."
    if unit in TANKS:
        yield "In a ground attack its first Fire Strength counts into clear terrain, or beside foot units that fire."
    if unit in TANKS and side == GERMAN:
        yield "Its second Fire Strength also sets the chance of its replacement."
    if unit in GUNS:
        yield from _list_notes_of_guns(side, unit)
    if unit is Unit.FLAK:
        yield from _list_notes_of_flak(side)
    if unit is Unit.MILITIA:
        yield "It moves only with another kind of unit all the way, and never by strategic withdrawal."
        yield "It starts no ground attack without another kind of unit, and is no first condition of Case 6.21."
    if unit is Unit.WORKER:
        yield "The summary leaves worker brigades to Case 12.2."


def _list_notes_of_guns(side: str, unit: Unit) -> Iterator[str]:
    yield "In a hex that Level Bombers attack it is the first loss."
    yield "It never fires indirectly in overruns and instant counterattacks, nor for the defender in a surprise attack."
    yield "It takes no part in a breakthrough that its attack has earned."
    if side == GERMAN:
        yield "It may deploy after its move and before attacks, and is not replaced."
        if unit is Unit.SELF_PROPELLED_ARTILLERY:
            yield "Of all artillery it alone may start an overrun."
    else:
        yield "Guns add up only if they are stacked or adjacent, and bombard only as Case 6.2 allows."
        yield "Indirectly it fires only at Germans under fire of adjacent Soviets."
        yield "While Ammo Depot 2289 is out of play it has half its strength."


def _list_notes_of_flak(side: str) -> Iterator[str]:
    if side == SOVIET:
        yield "It fires at Air Points in one hex only, and not while it is face down."
    else:
        yield "It fires at Air Points as often as you like."
    yield "Its strength is doubled where the Air Points attack its own hex; it also fires at those of a ground attack."
    yield "It bombards if it has a printed range."


class Event(Labelled):
    """What may happen to militia."""

    OVERRUN = "overrun"
    OUT_OF_SUPPLY = "out_of_supply"
    COLLAPSE = "collapse"
    GROUND_ATTACK = "ground_attack", "Ground attack on it"


class MilitiaOutcome(Outcome):
    """What happens to it."""

    ELIMINATED = "eliminated"
    STAYS = "stays"
    NOT_AUTOMATIC = "not_automatic"
    MODIFIER = "modifier"


ALONE = Modifier("Militia defends alone", -1, "3.23 Militia, Ground Attack")


def militia(
    *, charts: Book, event: Event = Event.OVERRUN, with_non_militia: bool = False, sole: bool = False
) -> Result:
    """What an event does to militia (3.23 Militia). ``sole``: nothing else stands in the hex."""
    types: Bands = charts["attack_types"]
    drm = 0
    effects: tuple[str, ...] = ()
    match event:
        case Event.OVERRUN if sole:
            outcome, headline = MilitiaOutcome.ELIMINATED, "Militia alone in an overrun hex is eliminated."
        case Event.OVERRUN:
            outcome, headline = MilitiaOutcome.NOT_AUTOMATIC, "Militia among others: the overrun is resolved."
        case Event.OUT_OF_SUPPLY if with_non_militia:
            outcome, headline = (
                MilitiaOutcome.STAYS,
                "Out of supply, militia stays with the unit that it is stacked with.",
            )
        case Event.OUT_OF_SUPPLY:
            outcome, headline = MilitiaOutcome.ELIMINATED, "Militia out of supply, by itself, is eliminated."
        case Event.COLLAPSE:
            outcome, headline = MilitiaOutcome.ELIMINATED, "All militia is eliminated: collapse is in effect."
        case Event.GROUND_ATTACK:
            outcome, drm = MilitiaOutcome.MODIFIER, ALONE.value if sole else 0
            change = f"{drm} on" if sole else "nothing changes"
            headline = f"Militia under attack: {change} the attack-type die."
            effects = tuple(_list_types(types)) if sole else ()
    return Result(
        headline=headline,
        outcome=outcome,
        modifiers=(ALONE,) if drm else (),
        details={"attack_type_drm": drm},
        effects=effects,
        rules=("3.23 Militia",),
        provenance=sources((types,)) if effects else (),
    )


def _list_types(types: Bands) -> Iterator[str]:
    """The attack type by each die that is thrown, if the owner has typed in the table: the sheet does not have it."""
    for face in range(1, 7):
        band = next((band for band in types.bands if band.low <= face + ALONE.value <= band.high), None)
        if band and band.value:
            yield f"On a {face}: {band.value.replace('_', ' ')}."
