"""What the Soviet side does by itself: which action, what spawns where, which die moves what (Soviet Actions)."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from firefight.engine.labels import Labelled
from firefight.engine.rolls.result import Outcome

from .tables import MOST_UNITS, SOVIET_SPAWN, SPAWN_OF_TWO, SPAWN_ORDER, Kind


class SovietAction(Labelled):
    """What a Soviet turn may be."""

    DRAW = "draw", "draw a card"
    SPAWN = "spawn"
    MOVE = "move"


@dataclass(frozen=True, slots=True)
class TopStacks:
    """The hexes with the most Soviets, and how many they hold."""

    hexes: tuple[str, ...]
    size: int


def find_top_stacks(stacks: Mapping[str, int]) -> TopStacks:
    """The Top Stacked Hexes among all hexes with Soviets, in the order given (Soviet Actions 2)."""
    size = max(stacks.values(), default=0)
    return TopStacks(tuple(hex for hex, units in stacks.items() if units == size) if size else (), size)


def count_spawns(controlled: Collection[str]) -> int:
    """How many Soviet Spawn Hexes the Soviets hold; X, Y and Z never count (Soviet Actions 3)."""
    return len(set(SOVIET_SPAWN).intersection(controlled))


def list_actions(top: int, spawns: int, is_played: bool = False) -> tuple[SovietAction, ...]:
    """Which actions a Soviet turn may be: one, or two to choose between where a player has the side (Soviet Actions 4).

    Without a Spawn Hex a card is drawn, also for a player (B14).
    """
    if not spawns:
        return (SovietAction.DRAW,)
    if top > spawns:
        return (SovietAction.SPAWN,)
    return (SovietAction.MOVE, SovietAction.DRAW) if is_played else (SovietAction.MOVE,)


# Spawning


@dataclass(frozen=True, slots=True)
class SpawnStep:
    """What comes into one Spawn Hex, and how many cards are drawn instead."""

    hex: str
    deploy: tuple[Kind, ...]
    cards: int


@dataclass(frozen=True, slots=True)
class SpawnPlan:
    """A whole Spawn Action. ``infantry``, ``tanks``: what is left in the pools."""

    steps: tuple[SpawnStep, ...]
    infantry: int
    tanks: int

    @property
    def cards(self) -> int:
        """How many cards are drawn in all."""
        return sum(step.cards for step in self.steps)


def list_spawning(hex: str, units: int) -> tuple[Kind, ...]:
    """Which Units should come into a Spawn Hex that holds ``units``: none where it is full (Spawn; B01).

    With three there, hexes 3, 13 and 19 get Infantry alone, and no card for the Tank.
    """
    if units >= MOST_UNITS:
        return ()
    has_tank = hex in SPAWN_OF_TWO and units < MOST_UNITS - 1
    return (Kind.INFANTRY, Kind.TANK) if has_tank else (Kind.INFANTRY,)


def plan_spawn(controlled: Collection[str], stacks: Mapping[str, int], infantry: int, tanks: int) -> SpawnPlan:
    """What spawns, hex by hex in the order of the rules (Soviet Spawn Action; B25, B26).

    A full hex draws one card, and so does each Unit that its pool lacks.
    """
    pools = {Kind.INFANTRY: infantry, Kind.TANK: tanks}
    steps = []
    for hex in SPAWN_ORDER:
        if hex not in controlled:
            continue
        spawning = list_spawning(hex, stacks.get(hex, 0))
        come = [kind for kind in spawning if pools[kind] > 0]
        for kind in come:
            pools[kind] -= 1
        steps.append(SpawnStep(hex, tuple(come), len(spawning) - len(come) if spawning else 1))
    return SpawnPlan(tuple(steps), pools[Kind.INFANTRY], pools[Kind.TANK])


# Moving


class DiePlan(Labelled):
    """What a die may come to, known once all are thrown."""

    CARD = "card", "a card"
    ATTACK_OR_CARD = "attack_or_card", "an attack, or a card"
    MOVE_OR_ATTACK = "move_or_attack", "a move, an attack, or a card"


class DieEffect(Outcome):
    """What a die comes to."""

    CARD = "card", "a card is drawn"
    HASTY_ATTACK = "hasty_attack", "Hasty Attack"
    MOVE = "move", "one random Unit moves"


class Ahead(Labelled):
    """What lies in the direction of a die."""

    OPEN = "open", "a hex without Germans"
    GERMAN = "german", "Germans"
    NONE = "none", "no playable hex"


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a hex lies. ``north``: its row, from the northernmost; ``volga``: how far from the river."""

    hex: str
    north: int = 0
    volga: int = 0

    def __str__(self) -> str:
        return f"{self.hex} (row {self.north}, {self.volga} from the Volga)"


@dataclass(frozen=True, slots=True)
class PlannedDie:
    """A die on its hex, and what it may come to."""

    hex: str
    face: int
    do: DiePlan


def order_hexes(hexes: Sequence[Placed]) -> tuple[str, ...]:
    """In which order dice are thrown: northernmost first, in equal rows the one nearer to the Volga."""
    return tuple(spot.hex for spot in sorted(hexes, key=lambda spot: (spot.north, spot.volga)))


def plan_dice(hexes: Sequence[str], faces: Sequence[int]) -> tuple[PlannedDie, ...]:
    """The dice in the order in which they are resolved, low to high, equal ones as they were thrown.

    Equal dice draw a card each, a 1 alone attacks or draws one (Card Drawing A and C; B15).
    """
    alike = Counter(faces)

    def plan(face: int) -> DiePlan:
        if alike[face] > 1:
            return DiePlan.CARD
        return DiePlan.ATTACK_OR_CARD if face == 1 else DiePlan.MOVE_OR_ATTACK

    thrown = sorted(zip(hexes, faces, strict=True), key=lambda die: die[1])
    return tuple(PlannedDie(hex, face, plan(face)) for hex, face in thrown)


def read_die(face: int, same_dice: int, units_left: int, ahead: Ahead, soviets_there: int) -> DieEffect:
    """What a die comes to, by what lies in its direction (Card Drawing, Soviet Hasty Attack, Movement)."""
    if same_dice > 1 or units_left < 1 or ahead is Ahead.NONE:
        return DieEffect.CARD
    if ahead is Ahead.GERMAN:
        return DieEffect.HASTY_ATTACK
    return DieEffect.CARD if face == 1 or soviets_there >= MOST_UNITS else DieEffect.MOVE


def joins_attack(effect: DieEffect, chuikov: bool, next_to_target: bool) -> bool:
    """Whether another Soviet Stack takes part in an attack (Chuikov, Deliberate Attack)."""
    return effect is DieEffect.HASTY_ATTACK and chuikov and next_to_target
