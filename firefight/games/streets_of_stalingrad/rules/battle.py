"""An attack as it is declared (9.02c), and its state while it is under way.

The state travels with its steps, under KEY, as a roll hands on what later ones need: see sequence.py.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput
from firefight.engine.rolls.result import FollowUp, Outcome, Result
from firefight.engine.text import count_of
from firefight.engine.values import Json, Values

from .attack import Attack
from .hexes import find_distance
from .limits import breakthrough
from .terms import Side, Terrain

KEY = "battle"  # under which the steps hand on the state of the attack
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
# What fire at movers is asked with, as their player gave it.
OF_MOVERS = (
    *("terrain", "target_armored", "leader_in_target", "pavlov_house_target", "target_on_minefield"),
    *("soviet_target_on_volga", "target_only_river_flotilla", "combat_units", "immobilized", "date", "at"),
)
# What the counters that are left decide again once some of them are gone (9.66).
RECOUNTED = (
    *("points", "integrity", "leaders", "engineers", "armor_with_infantry", "underlined_af", "nkvd"),
    *("adjacent_infantry", "if_with_direct", "assault_advantage"),
)
STEPS = (
    *("attack", "decide", "defensive-fire", "anti-aircraft", "nkvd", "mine-dog", "losses", "p-result"),
    *("leader-survival", "tank", "flotilla-return", "advance", "counter-attack", "bombardment"),
)


class BattleStage(Outcome):
    """What comes of declaring an attack."""

    DECLARED = "declared"


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeAttack(Attack):
    """An attack with all that comes before it. ``points``: the AF of the first hex; ``more_hexes``: of the others.
    ``places``: these hexes; ``by_hex``: how many of the counters that attack stand in each, as they are listed; ()
    where nobody has said.

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


def declare_attack(charts: Book, attack: WholeAttack) -> Result:
    """Declare an attack, or a breakthrough attack, with all that takes part (9.02c, 9.42).

    Raises BadInput for a hex that cannot be broken through, and for an attack without points.
    """
    side = "Soviet" if attack.firer is Side.SOVIET else "German"
    if attack.stukas and attack.firer is Side.SOVIET:
        raise BadInput({"stukas": "Only Germans have Stukas (15.1)."})
    if attack.breakthrough:
        _check_breakthrough(charts, attack)
    total = sum((attack.strength, *attack.more_hexes, attack.guns, attack.stukas * attack.stuka_af))
    kind = "breakthrough attack" if attack.breakthrough else "attack"
    return Result(
        f"{side} {kind} on {attack.terrain.word}, {count_of(total, 'point')}: declared.",
        BattleStage.DECLARED,
        details={"points": total, "hexes": 1 + len(attack.more_hexes)},
        rules=BREAKTHROUGH_RULES if attack.breakthrough else RULES,
    )


def _check_breakthrough(charts: Book, attack: WholeAttack) -> None:
    barred = breakthrough(
        charts=charts,
        terrain=attack.terrain,
        crosses_wall_or_balka=attack.crosses_wall_or_balka,
        interdicted=attack.interdicted,
        nobody_adjacent=attack.not_adjacent or attack.only_indirect_left,
        pinned_or_spent_in_attack=False,
        already_this_phase=False,
    )
    if barred.effects:
        raise BadInput({"breakthrough": " ".join(barred.effects)})


def declare_passage(
    *, charts: Book, side: Side, terrain: Terrain, is_vehicle: bool = False, **fields: object
) -> Result:
    """Units move where the enemy may fire at them (11.1, 11.4, 11.6). ``fields``: OF_MOVERS, for the fire.

    is_vehicle: of 12 MP or more, to whom a balka is clear. Raises BadInput for a hex under cover.
    """
    if not is_in_the_open(terrain, is_vehicle):
        raise BadInput({"terrain": f"No opportunity fire at {terrain.word}: clear hexes and the Volga alone (11.4)."})
    return Result(
        f"{side.word} units move through {terrain.word}, where fire may reach them.",
        BattleStage.DECLARED,
        rules=("11.1", "11.4", "11.8", "11.10"),
    )


def is_in_the_open(terrain: Terrain, is_vehicle: bool) -> bool:
    """Whether opportunity fire reaches units there: clear hexes and the Volga, for vehicles balkas (11.4, 11.6)."""
    return terrain.is_clear or terrain is Terrain.VOLGA or (terrain is Terrain.BALKA and is_vehicle)


# The state of an attack


@dataclass(frozen=True, slots=True)
class Battle:
    """An attack under way. ``attack``: what it is asked with. ``points``: of each hex, 0 where no attacker is left;
    ``needs_recount``: they have to be added up again. ``fired``: the hexes fired at, the latest last. ``places``: the
    hexes, () where nobody has named them; ``by_hex``: how many attackers stand in each; ``gone_ids``: attackers who no
    longer attack; ``firer_ids``: defenders who have fired. ``later_steps``: what comes after the step that is due.
    """

    side: Side
    hex: str
    attack: Values
    points: tuple[int, ...]
    guns: int = 0
    stukas: int = 0
    stuka_af: int = 1
    is_breakthrough: bool = False
    needs_recount: bool = False
    fired: tuple[int, ...] = ()
    places: tuple[str, ...] = ()
    by_hex: tuple[int, ...] = ()
    gone_ids: tuple[str, ...] = ()
    firer_ids: tuple[str, ...] = ()
    later_steps: tuple[FollowUp, ...] = field(default=())

    @property
    def defender(self) -> Side:
        """Whose hex it is."""
        return self.side.other

    @property
    def is_raid(self) -> bool:
        """Whether it is a bombardment with Stukas: ``attack`` is then what that was sent with (15.42)."""
        return "table" in self.attack

    @property
    def is_direct(self) -> bool:
        """Whether any attacker is left who does not fire indirectly."""
        return not self.attack.get("only_indirect_left") and any(self.points)

    @property
    def is_manned(self) -> bool:
        """Whether any attacker at all is left (9.66)."""
        return bool(self.is_direct or self.guns or self.stukas or self.attack.get("only_indirect_left"))

    @property
    def total(self) -> int | None:
        """All points that are left; None where they have to be added up again."""
        return None if self.needs_recount else sum(self.points) + self.guns + self.stukas * self.stuka_af

    def list_attackers_left(self) -> Sequence[Json]:
        """The attacking counters that are left, as rows of a form."""
        return [row for row in self.attack.get("by") or () if row.get("id") not in self.gone_ids]

    def name_hex(self, index: int) -> str:
        """The hex from which one group attacks; "" where nobody has named it."""
        return self.places[index] if len(self.places) == len(self.points) else ""

    def list_hex(self, index: int) -> Sequence[Json]:
        """The attackers left in one of their hexes; nobody where it is not known who stands there."""
        if len(self.by_hex) != len(self.points):
            return ()
        start = sum(self.by_hex[:index])
        rows = (self.attack.get("by") or ())[start : start + self.by_hex[index]]
        return [row for row in rows if row.get("id") not in self.gone_ids]

    def list_beside(self) -> Sequence[Json]:
        """The attackers left next to the hex that is attacked; nobody where that is not known (9.85)."""
        hexes = enumerate(self.places if self.hex else ())
        return [row for index, place in hexes if find_distance(place, self.hex) == 1 for row in self.list_hex(index)]

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
            "is_anew": self.needs_recount,
            "fired": list(self.fired),
            "places": list(self.places),
            "by_hex": list(self.by_hex),
            "gone": list(self.gone_ids),
            "firers": list(self.firer_ids),
            "then": [[step.helper, step.title, dict(step.inputs)] for step in self.later_steps],
        }


def read_battle(inputs: Values) -> Battle | None:
    """The state of an attack, from all that a roll was made with; None where it is not part of one."""
    plain = inputs.get(KEY)
    try:
        return _read(plain) if isinstance(plain, dict) else None
    except (AttributeError, KeyError, TypeError, ValueError):
        return None


def is_breakthrough(inputs: Values) -> bool:
    """Whether a roll declares a breakthrough attack, or is a step of one."""
    battle = read_battle(inputs)
    return battle.is_breakthrough if battle else bool(inputs.get("breakthrough"))


def _read(plain: Json) -> Battle:
    steps = tuple(
        FollowUp(str(helper), str(title)[:80], dict(step_inputs)) for helper, title, step_inputs in plain["then"]
    )
    if not all(step.helper in STEPS for step in steps):
        raise ValueError("An attack has no such step.")
    if not all(isinstance(row, dict) for row in plain["attack"].get("by") or ()):
        raise ValueError("The attackers are not a list of counters.")
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
        tuple(map(str, plain.get("firers") or ())),
        steps,
    )
