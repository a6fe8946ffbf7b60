"""Rubble: what the terror bombing left, what bombardment makes, and who gets in (5.5 Rubble Set Up, chapter 14)."""

from firefight.engine.board.counters import CounterChange
from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Numbers
from firefight.engine.labels import Labelled
from firefight.engine.rolls.modifiers import Modifier, total, without_zeroes
from firefight.engine.rolls.result import Outcome, Result, sources, waiting

from .areas import MAMAYEV_KURGAN, say_area
from .becoming import ELIMINATED, REMOVED, word_dots
from .record import MOST_RUBBLE
from .terms import Kind


class SetUp(Outcome):
    """What becomes of a marker at set-up."""

    STAYS = "stays"
    REMOVED = "removed"


class Bombarded(Outcome):
    """What a bombardment does."""

    CREATED = "created"
    RAISED = "raised"
    UNCHANGED = "unchanged"


class Entrance(Outcome):
    """Whether a Mechanized unit gets in."""

    ENTERS = "enters"
    FAILS = "fails"


class BombardedBy(Labelled):
    """What bombards (14.2 Rubble Creation)."""

    AIR = "air", "Aircraft"
    RANGED = "ranged", "Ranged Attack"
    GERMAN_ARTILLERY = "german_artillery", "German artillery"
    RUSSIAN_ARTILLERY = "russian_artillery", "Russian artillery"
    INSIDE = "inside", "Attack inside the Area"


class Situation(Labelled):
    """On what occasion a unit enters."""

    MOVE = "move", "Moving"
    REGROUP = "regroup", "Regrouping"
    RETREAT = "retreat", "Retreating"
    LANDING = "landing", "Landing from the Volga"


ON_FAILURE = {
    Situation.MOVE: ("d1_in_the_area_it_came_from", "It is D1, back in the Area that it came from (14.41)."),
    Situation.REGROUP: ("stays_this_impulse", "It stays where it is for this impulse (14.41)."),
    Situation.RETREAT: ("eliminated", "It is eliminated, which counts one Casualty Point (14.5)."),
    Situation.LANDING: ("east_bank", "It goes back to the East bank (18.5)."),
}

OF_FAILURE = {
    Situation.MOVE: "14.41 Failure",
    Situation.REGROUP: "14.41 Failure",
    Situation.RETREAT: "14.5 Retreat",
    Situation.LANDING: "18.5 Crossing",
}


def rubble_setup(*, charts: Book, tem: int, area: str = "", die: int | None = None) -> Result:
    """Whether a printed Rubble marker stays at the start: die and TEM of 7 or more (5.5 Rubble Set Up)."""
    thresholds: Numbers = charts["thresholds"]
    need, modifiers, rules = thresholds.get("rubble_setup"), (Modifier("TEM", tem, "5.5"),), ("5.5 Rubble Set Up",)
    if die is None:
        words = f"Roll a die: {need - tem} or more keeps the marker."
        return waiting(words, "die", modifiers=modifiers, rules=rules)
    stays = die + tem >= need
    return Result(
        say_area(area, f"{die + tem} of {need}, the Rubble {'stays' if stays else 'is removed'}."),
        SetUp.STAYS if stays else SetUp.REMOVED,
        dice={"die": die},
        modified=die + tem,
        modifiers=modifiers,
        details={"stays": stays},
        rules=rules,
        provenance=sources([thresholds]),
    )


def find_obstacle(charts: Book, area: str, tem: int, level: int, source: str) -> str:
    """Why no roll makes Rubble here; "" where one can (14.2 Rubble Creation, 15.3)."""
    least = charts["thresholds"].get("rubble_tem")
    if source not in (Kind.RANGED, Kind.GERMAN_ARTILLERY, Kind.AIR):
        return "Only Ranged Attacks, German artillery and aircraft make Rubble."
    if area == MAMAYEV_KURGAN:
        return "There is never Rubble on Mamayev Kurgan, Area 56."
    if tem < least:
        return f"Rubble needs a TEM of {least} or more."
    return f"Level {MOST_RUBBLE} is the most." if level >= MOST_RUBBLE else ""


def find_needed(charts: Book, area: str, tem: int, level: int, source: str) -> int | None:
    """The least attack DR that makes Rubble, None where none does (14.2)."""
    if find_obstacle(charts, area, tem, level, source):
        return None
    needed: int = charts["thresholds"].get("rubble_creation") - tem
    return needed


def raise_rubble(charts: Book, area: str, tem: int, level: int, source: str, attack_dr: int) -> int:
    """The level of Rubble after a bombardment (14.2). Rubble itself is not TEM (14.7)."""
    needed = find_needed(charts, area, tem, level, source)
    return level + 1 if needed is not None and attack_dr >= needed else level


def rubble(
    *, charts: Book, area: str, tem: int, level: int, source: BombardedBy, attack_dr: int | None = None
) -> Result:
    """Whether a bombardment makes Rubble or more of it: TEM and attack DR of 13 or more (14.2 Rubble Creation)."""
    obstacle, needed = (find(charts, area, tem, level, source.value) for find in (find_obstacle, find_needed))
    details = {"level": level, "needed": needed}
    rules, provenance = ("14.2 Rubble Creation", "14.7 TEM"), sources([charts["thresholds"]])
    if needed is None:
        dice = {} if attack_dr is None else {"attack_dr": attack_dr}
        return Result(
            "Nothing changes: no Rubble can come of it.",
            Bombarded.UNCHANGED,
            dice=dice,
            modified=attack_dr,
            details=details,
            effects=(str(obstacle),),
            rules=rules,
            provenance=provenance,
        )
    modifiers = (Modifier("TEM", tem, "14.2"),)
    if attack_dr is None:
        words = f"An attack DR of {needed} or more makes Rubble {level + 1}."
        return waiting(words, "attack_dr", modifiers=modifiers, details=details, rules=rules)
    after = raise_rubble(charts, area, tem, level, source.value, attack_dr)
    outcome = Bombarded.UNCHANGED if after == level else Bombarded.RAISED if level else Bombarded.CREATED
    return Result(
        say_area(area, f"{attack_dr} and TEM {tem}, {'no change' if after == level else f'Rubble {after}'}."),
        outcome,
        dice={"attack_dr": attack_dr},
        modified=attack_dr + tem,
        modifiers=modifiers,
        details={**details, "level": after},
        rules=rules,
        provenance=provenance,
    )


def rubble_entrance(
    *,
    charts: Book,
    level: int,
    friendly_controlled: bool,
    fresh_enemy: bool,
    any_enemy: bool,
    situation: Situation,
    area: str = "",
    start: str = "",
    name: str = "",
    id: str = "",
    dr: int | None = None,
) -> Result:
    """Whether a Mechanized unit enters Rubble: 7 or more at level 1, 9 at level 2 (14.3, 14.41 Failure, 14.5, 18.5).

    area: the one that it enters; start: the one that it leaves; name, id: its counter.
    """
    thresholds: Numbers = charts["thresholds"]
    need = thresholds.get(f"rubble_entrance_{level}")
    modifiers = without_zeroes(
        friendly_controlled and Modifier("Friendly-controlled", 1, "14.3"),
        not fresh_enemy and Modifier("No Fresh enemy", 1, "14.3"),
        not (any_enemy or fresh_enemy) and Modifier("No enemy", 1, "14.3"),
    )
    drm = total(modifiers)
    word, effect = ON_FAILURE[situation]
    details = {"drm": drm, "need": need, "enters": None, "on_failure": word}
    rules = ("14.3 Rubble Entrance DR", OF_FAILURE[situation])
    if dr is None:
        words = f"Roll two dice: {need - drm} or more gets in."
        return waiting(words, "dr", modifiers=modifiers, details=details, rules=rules)
    enters = dr + drm >= need
    return Result(
        say_area(area, f"{dr + drm} of {need}: {name or 'it'} {'gets in' if enters else 'does not get in'}."),
        Entrance.ENTERS if enters else Entrance.FAILS,
        dice={"dr": dr},
        modified=dr + drm,
        modifiers=modifiers,
        details={**details, "enters": enters},
        effects=() if enters else (effect,),
        rules=rules,
        provenance=sources([thresholds]),
        changes=() if enters or not id else (_send_back(id, situation, start),),
    )


def _send_back(id: str, situation: Situation, start: str) -> CounterChange:
    """What becomes of the counter of a unit that does not get in (14.41, 14.5, 18.5)."""
    match situation:
        case Situation.RETREAT:
            return CounterChange(id, ELIMINATED)
        case Situation.LANDING:
            return CounterChange(id, f"{word_dots(1)} {REMOVED}")
        case Situation.REGROUP:
            return CounterChange(id, to=start)
    return CounterChange(id, word_dots(1), to=start)
