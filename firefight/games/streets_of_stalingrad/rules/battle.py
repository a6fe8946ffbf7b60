"""An attack as it is declared (9.02c), and what stands of it while it is under way.

What stands travels with its steps, under KEY, as a roll hands on what later ones need: see sequence.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput
from firefight.engine.rolls.result import FollowUp, Outcome, Result
from firefight.engine.text import count_of
from firefight.engine.values import Json, Values

from .attack import Attack
from .hexes import is_next_to
from .limits import breakthrough
from .terms import Side, Terrain

KEY = "battle"  # under which the steps hand on what stands of the attack
RULES = ("9.02 Combat Sequencing", "9.42", "9.57", "9.85", "12.1")
BREAKTHROUGH_RULES = ("9.02 Combat Sequencing", "10.2", "10.3", "10.4", "10.5")
# What the attack itself is asked with, as it was declared.
OF_ATTACK = (
    *("terrain", "terrain_drm", "fortification", "target_armored", "target_all_armored", "leader_in_target"),
    *("pavlov_house_target", "adjacent_leader", "target_nkvd", "close_assault", "adjacent_infantry", "not_adjacent"),
    *("spotting", "integrity", "out_of_supply", "nkvd", "underlined_af", "assault_advantage", "engineers"),
    *("armor_with_infantry", "leaders", "pavlov_house_attacker", "if_with_direct", "only_indirect_left", "from_volga"),
    *("on_enemy_minefield", "other_drm", "combat_units", "immobilized", "date", "tanks_alone", "tank_note"),
    *("strong_point", "firer", "by", "at"),
)
# What fire at who moves is asked with, as they told it.
OF_MOVERS = (
    *("terrain", "target_armored", "leader_in_target", "pavlov_house_target", "target_on_minefield"),
    *("soviet_target_on_volga", "target_only_river_flotilla", "combat_units", "immobilized", "date", "at"),
)
# What of it the counters that are left say anew once some of them are gone (9.66).
RECOUNTED = (
    *("points", "integrity", "leaders", "engineers", "armor_with_infantry", "underlined_af", "nkvd"),
    *("adjacent_infantry", "if_with_direct", "assault_advantage"),
)
STEPS = (
    *("attack", "decide", "defensive-fire", "anti-aircraft", "nkvd", "mine-dog", "losses", "p-result"),
    *("leader-survival", "tank", "flotilla-return", "advance", "counter-attack"),
)


class BattleStage(Outcome):
    """What comes of declaring an attack."""

    DECLARED = "declared"


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeAttack(Attack):
    """An attack with all that comes before it. ``points``: the AF of the first hex; ``more_hexes``: of the others.
    ``places``: these hexes; ``by_hex``: how many of the counters that attack stand in each, as they are listed; ()
    where nobody knows.

    ``guns``: AF of guns that help; ``stukas``, ``stuka_af``: how many fly, and the AF of each. ``nkvd_units``: those in
    the target whose regiment was never fired at. ``dogs``: mine dogs stand next to German armour. Of a breakthrough
    attack alone: ``crosses_wall_or_balka``, ``interdicted`` (10.2).
    """

    more_hexes: tuple[int, ...] = ()
    places: tuple[str, ...] = ()
    by_hex: tuple[int, ...] = ()
    guns: int = 0
    stukas: int = 0
    stuka_af: int = 1
    nkvd_units: int = 0
    dogs: bool = False
    breakthrough: bool = False
    crosses_wall_or_balka: bool = False
    interdicted: bool = False


def declare_attack(*, charts: Book, **given: object) -> Result:
    """Declare an attack, or a breakthrough attack, with all that takes part (9.02c, 9.42). ``given``: WholeAttack.

    Raises BadInput for a hex that cannot be broken through, and for what has no points.
    """
    made = WholeAttack(**given)  # type: ignore[arg-type]
    side = "Soviet" if made.firer is Side.SOVIET else "German"
    if made.stukas and made.firer is Side.SOVIET:
        raise BadInput({"stukas": "Only Germans have Stukas (15.1)."})
    if made.breakthrough:
        _check_breakthrough(charts, made)
    total = sum((made.strength, *made.more_hexes, made.guns, made.stukas * made.stuka_af))
    kind = "breakthrough attack" if made.breakthrough else "attack"
    return Result(
        f"{side} {kind} on {made.terrain.word}, {count_of(total, 'point')}: declared.",
        BattleStage.DECLARED,
        details={"points": total, "hexes": 1 + len(made.more_hexes)},
        rules=BREAKTHROUGH_RULES if made.breakthrough else RULES,
    )


def _check_breakthrough(charts: Book, made: WholeAttack) -> None:
    barred = breakthrough(
        charts=charts,
        terrain=made.terrain,
        crosses_wall_or_balka=made.crosses_wall_or_balka,
        interdicted=made.interdicted,
        nobody_adjacent=made.not_adjacent or made.only_indirect_left,
        pinned_or_spent_in_attack=False,
        already_this_phase=False,
    )
    if barred.effects:
        raise BadInput({"breakthrough": " ".join(barred.effects)})


def declare_passage(*, charts: Book, side: Side, terrain: Terrain, is_vehicle: bool = False, **given: object) -> Result:
    """Units move where the enemy may fire at them (11.1, 11.4, 11.6). ``given``: OF_MOVERS, for the fire.

    is_vehicle: of 12 MP or more, for whom a balka is clear. Raises BadInput for a hex under cover.
    """
    if not is_in_the_open(terrain, is_vehicle):
        raise BadInput({"terrain": f"No opportunity fire at {terrain.word}: clear hexes and the Volga alone (11.4)."})
    return Result(
        f"{side.word} units move through {terrain.word}, where fire may reach them.",
        BattleStage.DECLARED,
        rules=("11.1", "11.4", "11.8", "11.10"),
    )


def is_in_the_open(terrain: Terrain, is_vehicle: bool) -> bool:
    """Whether opportunity fire reaches who is there: clear hexes and the Volga, for vehicles balkas (11.4, 11.6)."""
    return terrain.is_clear or terrain is Terrain.VOLGA or (terrain is Terrain.BALKA and is_vehicle)


# What stands of an attack


@dataclass(frozen=True, slots=True)
class Battle:
    """An attack under way. ``attack``: with what it is asked. ``points``: of each hex, 0 where nobody is left who
    attacks; ``is_anew``: they have to be added up anew. ``fired``: the hexes fired at, the last one last.
    ``places``: the hexes, () where nobody has said them; ``by_hex``: how many who attack stand in each; ``gone``: who
    of them attacks no more, by id. ``then``: what comes after the step that is due.
    """

    side: Side
    hex: str
    attack: Values
    points: tuple[int, ...]
    guns: int = 0
    stukas: int = 0
    stuka_af: int = 1
    is_breakthrough: bool = False
    is_anew: bool = False
    fired: tuple[int, ...] = ()
    places: tuple[str, ...] = ()
    by_hex: tuple[int, ...] = ()
    gone: tuple[str, ...] = ()
    then: tuple[FollowUp, ...] = field(default=())

    @property
    def defender(self) -> Side:
        """Whose hex it is."""
        return self.side.other

    @property
    def is_direct(self) -> bool:
        """Whether anybody is left who does not fire indirectly."""
        return not self.attack.get("only_indirect_left") and any(self.points)

    @property
    def is_manned(self) -> bool:
        """Whether anybody at all is left who attacks (9.66)."""
        return bool(self.is_direct or self.guns or self.stukas or self.attack.get("only_indirect_left"))

    @property
    def total(self) -> int | None:
        """All points that are left; None where they have to be added up anew."""
        return None if self.is_anew else sum(self.points) + self.guns + self.stukas * self.stuka_af

    def list_left(self) -> Sequence[Json]:
        """Who of the counters that attack is left, as rows of a form."""
        return [row for row in self.attack.get("by") or () if row.get("id") not in self.gone]

    def name_hex(self, at: int) -> str:
        """The hex from which a part of them attacks; "" where nobody has said it."""
        return self.places[at] if len(self.places) == len(self.points) else ""

    def list_hex(self, at: int) -> Sequence[Json]:
        """Who of them is left in a hex from which the attack comes; nobody where it is not known who stands there."""
        if len(self.by_hex) != len(self.points):
            return ()
        start = sum(self.by_hex[:at])
        there = (self.attack.get("by") or ())[start : start + self.by_hex[at]]
        return [row for row in there if row.get("id") not in self.gone]

    def list_beside(self) -> Sequence[Json]:
        """Who of them is left next to the hex that is attacked; nobody where that is not known (9.85)."""
        hexes = enumerate(self.places if self.hex else ())
        return [row for at, place in hexes if is_next_to(place, self.hex) for row in self.list_hex(at)]

    def plain(self) -> Json:
        """As a step hands it on."""
        return {
            "side": self.side.value,
            "hex": self.hex,
            "attack": dict(self.attack),
            "points": list(self.points),
            "guns": self.guns,
            "stukas": [self.stukas, self.stuka_af],
            "is_breakthrough": self.is_breakthrough,
            "is_anew": self.is_anew,
            "fired": list(self.fired),
            "places": list(self.places),
            "by_hex": list(self.by_hex),
            "gone": list(self.gone),
            "then": [[each.helper, each.title, dict(each.inputs)] for each in self.then],
        }


def read_battle(given: Values) -> Battle | None:
    """What stands of an attack, from all that a roll was made with; None where it is part of none."""
    plain = given.get(KEY)
    try:
        return _read(plain) if isinstance(plain, dict) else None
    except (AttributeError, KeyError, TypeError, ValueError):
        return None


def is_breakthrough(given: Values) -> bool:
    """Whether a roll declares a breakthrough attack, or is a step of one."""
    battle = read_battle(given)
    return battle.is_breakthrough if battle else bool(given.get("breakthrough"))


def _read(plain: Json) -> Battle:
    then = tuple(FollowUp(str(helper), str(title)[:80], dict(more)) for helper, title, more in plain["then"])
    if not all(each.helper in STEPS for each in then):
        raise ValueError("An attack has no such step.")
    if not all(isinstance(row, dict) for row in plain["attack"].get("by") or ()):
        raise ValueError("Who attacks is no list of counters.")
    stukas, stuka_af = map(int, plain["stukas"])
    return Battle(
        Side(plain["side"]),
        str(plain["hex"]),
        dict(plain["attack"]),
        tuple(map(int, plain["points"])),
        int(plain["guns"]),
        stukas,
        stuka_af,
        bool(plain["is_breakthrough"]),
        bool(plain["is_anew"]),
        tuple(map(int, plain["fired"])),
        tuple(map(str, plain.get("places") or ())),
        tuple(map(int, plain.get("by_hex") or ())),
        tuple(map(str, plain.get("gone") or ())),
        then,
    )
