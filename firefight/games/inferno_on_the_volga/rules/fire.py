"""Fire: which face hits, how many hits count, and which Units they reduce (Firepower, Rubble, Close Combat)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from firefight.engine.rolls.result import Outcome

from .tables import DIE, GERMAN_ARMOUR, GERMAN_INFANTRY, SOVIET_INFANTRY, Fire, Kind, Side, Terrain


class Order(Outcome):
    """Who rolls first in Close Combat (Combat Sequence 10)."""

    DEFENDER_FIRST = "defender_first"
    GERMAN_FIRST = "german_first", "Germans first"
    SIMULTANEOUS = "simultaneous", "both at once"


@dataclass(frozen=True, slots=True)
class Losses:
    """What hits make of Units. ``left``: their strengths, in their order; ``destroyed``: how many Units are lost now.

    ``unused``: hits for which nobody was left. ``ties``: how often the German player had a choice.
    """

    strengths_left: tuple[int, ...]
    destroyed: int
    unused: int
    ties: int

    @property
    def are_gone(self) -> bool:
        """Whether nobody is left."""
        return not any(self.strengths_left)


def find_need(fire: Fire, khrushchev: bool = False, fortified: bool = False, opportunity: bool = False) -> int:
    """The lowest face that hits. Opportunity Fire is Single Fire; Khrushchev and a fortification add up (B13)."""
    base = Fire.SINGLE if opportunity else fire
    return base.need - khrushchev - fortified


def say_needs(needs: Iterable[tuple[Fire, int]]) -> str:
    """What hits, for each kind of fire with its lowest face once.

    >>> say_needs([(Fire.TRIPLE, 4), (Fire.SINGLE, 6), (Fire.TRIPLE, 4)])
    'TF hits from 4, SF hits on 6'
    """
    kinds = dict.fromkeys(needs)
    return ", ".join(f"{fire.value} hits {'on' if need == DIE else 'from'} {need}" for fire, need in kinds)


def count_hits(faces: Sequence[int], need: int) -> int:
    """How many dice hit."""
    return sum(face >= need for face in faces)


def count_self_hits(faces: Sequence[int], khrushchev: bool) -> int:
    """How many ones hit the Soviets themselves (Khrushchev); they are never halved (B12)."""
    return sum(face == 1 for face in faces) if khrushchev else 0


def count_effective(
    hits: int, rubble: bool = False, attacker_suffers: bool = False, ignores_rubble: bool = False
) -> int:
    """How many hits count: in Rubble the attacker needs two for one, and an odd one is lost (Rubble, B05)."""
    return hits // 2 if rubble and not attacker_suffers and not ignores_rubble else hits


def find_strongest(strengths: Sequence[int]) -> tuple[int, ...]:
    """The places, from 0, of the Units that stand strongest; none where nobody is left."""
    highest = max(strengths, default=0)
    return tuple(place for place, strength in enumerate(strengths) if strength == highest) if highest else ()


def apply_hits(strengths: Sequence[int], inflicted: int) -> Losses:
    """Each hit reduces the Unit that is strongest by then, the first of equals (Close Combat). 0: a Unit that is gone.

    ``ties`` of the result: how often the German player may take another one instead.
    """
    strengths_left, ties, applied = [*strengths], 0, 0
    while applied < inflicted and (tied := find_strongest(strengths_left)):
        strengths_left[tied[0]] -= 1
        ties += len(tied) > 1
        applied += 1
    destroyed = sum(after == 0 < before for before, after in zip(strengths, strengths_left, strict=True))
    return Losses(tuple(strengths_left), destroyed, inflicted - applied, ties)


def has_combined_force(hoth: bool, terrain: Terrain, germans: Sequence[Kind], soviets: Sequence[Kind]) -> bool:
    """Whether the Germans may roll first (Hoth): a Clear hex, Infantry and Tanks with them, not with the Soviets.

    It holds in attack and in defence (B04).
    """
    if not hoth or terrain is not Terrain.CLEAR:
        return False
    ours = bool(GERMAN_INFANTRY.intersection(germans) and GERMAN_ARMOUR.intersection(germans))
    return ours and not (Kind.TANK in soviets and SOVIET_INFANTRY.intersection(soviets))


def find_order(terrain: Terrain, bonus: bool = False) -> Order:
    """Who rolls first (Combat Sequence 10)."""
    if terrain is Terrain.URBAN:
        return Order.DEFENDER_FIRST
    return Order.GERMAN_FIRST if terrain is Terrain.CLEAR and bonus else Order.SIMULTANEOUS


def find_first(order: Order, attacker: Side) -> Side | None:
    """The side that rolls first; None where both roll at once."""
    if order is Order.SIMULTANEOUS:
        return None
    return attacker.other if order is Order.DEFENDER_FIRST else Side.GERMAN


@dataclass(frozen=True, slots=True)
class CloseCombat:
    """What Close Combat leaves of both sides. ``rolls``: which sides rolled at all."""

    german: Losses
    soviet: Losses
    order: Order
    rolls: tuple[Side, ...]

    def of(self, side: Side) -> Losses:
        """What a side has lost."""
        return self.german if side is Side.GERMAN else self.soviet


def fight_closely(
    attacker: Side,
    order: Order,
    rubble: bool,
    german: Sequence[int],
    soviet: Sequence[int],
    german_hits: int,
    soviet_hits: int,
) -> CloseCombat:
    """Hits of both sides in their order: a side gone before its turn does not roll (Close Combat, IN-042 to IN-044)."""
    strengths, hits = {Side.GERMAN: german, Side.SOVIET: soviet}, {Side.GERMAN: german_hits, Side.SOVIET: soviet_hits}
    first_side = find_first(order, attacker) or Side.GERMAN
    losses: dict[Side, Losses] = {}
    rolls: list[Side] = []
    for side in (first_side, first_side.other):
        has_fallen = order is not Order.SIMULTANEOUS and side in losses and losses[side].are_gone
        inflicted = 0 if has_fallen else count_effective(hits[side], rubble, attacker_suffers=side is not attacker)
        rolls += [] if has_fallen else [side]
        losses[side.other] = apply_hits(strengths[side.other], inflicted)
    return CloseCombat(losses[Side.GERMAN], losses[Side.SOVIET], order, tuple(rolls))
