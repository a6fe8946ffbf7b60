"""What happens in a hex that is hit: who is lost first, and who retreats under a P (9.81 to 9.884, 16.37)."""

from collections.abc import Iterable
from dataclasses import dataclass

from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput
from firefight.engine.labels import Labelled
from firefight.engine.rolls.answers import Counted
from firefight.engine.rolls.result import Outcome, Result
from firefight.engine.text import count_of
from firefight.engine.values import Json

from .crt import Hit, count_eliminated, has_p
from .terms import Terrain


class Cause(Labelled):
    """The fire that hits a hex."""

    ATTACK = "attack"
    DEFENSIVE = "defensive", "Defensive fire"
    OPPORTUNITY = "opportunity", "Opportunity fire"
    BOMBARD = "bombard", "Bombardment"


class Retreat(Labelled):
    """Whether units under a P retreat."""

    MUST = "must"
    CHOICE = "choice"
    NO = "no"


class Pinned(Outcome):
    """What units under a P do."""

    STAYS = "stays", "nobody retreats"
    MUST_RETREAT = "must_retreat", "all retreat"
    MAY_RETREAT = "may_retreat", "all retreat, or one is lost"


@dataclass(frozen=True, slots=True)
class Struck:
    """A hex under a P. ``adjacent_infantry``: an unpinned infantry-type unit next to it was in the attack.

    ``nkvd``: its units are NKVD; ``leader``: a leader is with them. ``strong_point``: as agreed (ruling A22).
    """

    terrain: Terrain
    cause: Cause
    adjacent_infantry: bool = False
    fortification: bool = False
    nkvd: bool = False
    leader: bool = False
    strong_point: str = "stays"

    def plain(self) -> Json:
        """As the helper takes it."""
        flags = ("adjacent_infantry", "fortification", "nkvd", "leader")
        fields = {"terrain": self.terrain.value, "fire": self.cause.value, "strong_point": self.strong_point}
        return {**fields, **{name: True for name in flags if getattr(self, name)}}


TO_BOX = "Back to the East Bank box at once, still pinned (8.70); a flotilla unit until the next turn (16.57)."
P_CHOICES = {"": "—", "retreat": "All retreat one hex", "stay": "One unit is lost, the rest stay"}


def find_retreat(struck: Struck) -> Retreat:
    """Whether units under a P must, may or need not retreat (9.87 to 9.884; rulings A22, S45)."""
    if struck.cause is not Cause.ATTACK or not struck.adjacent_infantry or struck.terrain is Terrain.VOLGA:
        return Retreat.NO
    if struck.nkvd:
        return Retreat.CHOICE if struck.leader and not struck.terrain.is_clear else Retreat.MUST
    if struck.terrain.is_clear:
        return Retreat.CHOICE if struck.fortification else Retreat.MUST
    is_as_forest = struck.terrain is Terrain.STRONG_POINT and struck.strong_point == "choice"
    return Retreat.CHOICE if struck.terrain.is_cover or is_as_forest else Retreat.NO


def p_result(
    *,
    charts: Book,
    terrain: Terrain,
    fire: Cause,
    adjacent_infantry: bool = False,
    fortification: bool = False,
    nkvd: bool = False,
    leader: bool = False,
    strong_point: str = "stays",
    side: str = "",
    choice: str = "",
) -> Result:
    """The marker and the retreat of units under a P (9.84, 9.87 to 9.884).

    side: whose units; choice: what their owner chooses, where there is something to choose. Raises BadInput.
    """
    struck = Struck(terrain, fire, adjacent_infantry, fortification, nkvd, leader, strong_point)
    retreat = find_retreat(struck)
    outcome = {
        Retreat.NO: Pinned.STAYS,
        Retreat.MUST: Pinned.MUST_RETREAT,
        Retreat.CHOICE: Pinned.MAY_RETREAT,
    }[retreat]
    if choice and retreat is not Retreat.CHOICE:
        raise BadInput({"choice": f"There is nothing to choose: {outcome.word}."})
    marker = "spent" if terrain.is_built_up else "pinned"
    details: Json = {"marker": marker, "retreat": retreat.value, "to_box": terrain is Terrain.VOLGA}
    details |= {"choice": choice} if choice else {}
    return Result(
        f"P on {terrain.word}: {marker}, {P_CHOICES[choice].lower() if choice else outcome.word}.",
        outcome,
        details=details,
        effects=tuple(_say_p(struck, retreat, choice)),
        rules=("9.84", "9.87 Retreat After Combat", "9.88", "9.883", "9.884"),
    )


def _say_p(struck: Struck, retreat: Retreat, choice: str) -> Iterable[str]:
    if struck.terrain is Terrain.VOLGA:
        yield TO_BOX
    if retreat is Retreat.NO and struck.cause is Cause.ATTACK and not struck.adjacent_infantry:
        yield "No retreat: no unpinned infantry-type unit next to the hex took part (9.883)."
    elif retreat is Retreat.NO and struck.cause is not Cause.ATTACK:
        yield "No retreat: only attacks make units retreat (9.883)."
    elif retreat is Retreat.CHOICE and not choice:
        yield _say_choice(struck)
    if retreat is Retreat.MUST or choice == "retreat":
        yield "One hex: not into an enemy ZOC, an attacked or bombarded hex, or a full one. Who cannot is lost (9.87)."
    if retreat is not Retreat.NO and choice != "stay":
        yield "Minefields and bridges stay; a fortification goes if all its defenders retreat (9.881)."
    yield "Immobilized tanks are lost under any P (9.882, 16.37)."


def _say_choice(struck: Struck) -> str:
    if struck.nkvd:
        return "All retreat one hex, or one NKVD unit is lost and the rest stay (9.884)."
    return "All retreat one hex, or one combat unit, no immobilized tank, is lost and the rest stay (9.88, 9.882)."


def losses(
    *,
    charts: Book,
    result: str,
    combat_units: int = 0,
    immobilized: int = 0,
    observers: int = 0,
    fire: Cause = Cause.ATTACK,
    engineers: bool = False,
    armor: bool = False,
) -> Result:
    """How many are lost, and who goes first (9.58, 9.81, 9.82, 16.37).

    combat_units: without immobilized tanks. engineers: engineers or flame-throwers attack with their modifier
    declared. armor: armour attacks, and a defender has its AF underlined.
    """
    hit = Hit(result, combat_units, immobilized)
    eliminated, is_p = count_eliminated(result), has_p(result)
    words = "none" if not eliminated and not hit.lost else f"{count_of(hit.lost, 'combat unit')} lost"
    if eliminated and not hit.is_counted:
        words = "all lost" if eliminated == "all" else f"{count_of(int(eliminated), 'combat unit')} lost"
    return Result(
        f"Losses, {'no effect' if result == '-' else result}: {words}.",
        Counted.COUNTED,
        details={"eliminated": eliminated, "p": is_p, "lost": hit.lost, "observers": observers if hit.empties else 0},
        effects=tuple(_say_order(fire, engineers, armor, hit) if eliminated or hit.lost else ()),
        rules=("9.81 Combat Results", "9.82", "16.37"),
    )


def _say_order(fire: Cause, engineers: bool, armor: bool, hit: Hit) -> Iterable[str]:
    """Who is lost before whom (9.58, 9.82, 14.81; ruling S48)."""
    if has_p(hit.result) and hit.immobilized:
        yield f"{count_of(hit.immobilized, 'immobilized tank')} by the P, before other losses (16.37)."
    if fire is Cause.BOMBARD:
        yield "Minefields first, then bridges, combat units, armour, snipers (14.81)."
    elif fire is Cause.DEFENSIVE:
        yield "Only units that attack are lost (9.58)."
        if engineers and armor:
            yield "Engineers, flame-throwers or armour go first: the attacker says which (9.82)."
        elif engineers:
            yield "Engineers or flame-throwers whose modifier was declared go first (9.58)."
        elif armor:
            yield "Armour goes first: a defender has its AF underlined (9.82)."
        else:
            yield "The attacker says which of those that take part (9.58)."
    elif fire is Cause.OPPORTUNITY:
        yield "Who moves says which; armour that AT guns fire at goes first (11.9)."
    else:
        yield "The owner says which, snipers last; a minefield may go instead of one (9.82)."
    if hit.empties:
        yield "Observers and fortifications go with the last combat unit (9.82)."
