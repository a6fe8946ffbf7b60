"""The Soviet turn: which action, what spawns, in which order dice are thrown and what each comes to."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput
from firefight.engine.labels import Labelled
from firefight.engine.rolls.odds import Odds, distribution
from firefight.engine.rolls.result import FollowUp, Outcome, Result, waiting
from firefight.engine.text import capitalize, count_of, join_words, without_capital
from firefight.engine.values import Json, Values

from ..rules.charts import name_sources
from ..rules.soviet_side import (
    Ahead,
    DieEffect,
    DiePlan,
    Placed,
    PlannedDie,
    SovietAction,
    SpawnStep,
    count_spawns,
    find_top_stacks,
    joins_attack,
    list_actions,
    order_hexes,
    plan_dice,
    plan_spawn,
    read_die,
)
from ..rules.tables import MOST_UNITS
from .pools import weigh_pool

ACTIONS, SPAWN, MOVEMENT = "Soviet Actions", "Soviet Spawn Action", "Soviet Movement Action"
MOST_DICE = 6


class Player(Labelled):
    """Who decides for the Soviets."""

    SOLO = "solo", "the rules (solo, co-op)"
    PLAYED = "one_v_one", "a player (1 vs 1, 2 vs 1)"


class TurnOutcome(Outcome):
    """What a Soviet turn is."""

    DRAW = "draw", "draw a card"
    SPAWN = "spawn"
    MOVE = "move"
    CHOOSE = "choose", "move or draw"


class SpawnOutcome(Outcome):
    """A Spawn Action is carried out."""

    SPAWNS = "spawns"


class OrderedOutcome(Outcome):
    """The order is known."""

    ORDERED = "ordered"


class PlannedOutcome(Outcome):
    """The dice lie."""

    PLANNED = "planned"


@dataclass(frozen=True, slots=True)
class SovietStack:
    """A hex with Soviets in it."""

    hex: str
    units: int = 1

    def __str__(self) -> str:
        return f"{self.hex}: {self.units}"


def read_stacks(stacks: Sequence[SovietStack]) -> Mapping[str, int]:
    """Units by hex. Raises BadInput for a hex given twice, or none at all."""
    if any(not stack.hex for stack in stacks):
        raise BadInput({"stacks": "Name the hex of each Stack."})
    if twice := [hex for hex, number in Counter(stack.hex for stack in stacks).items() if number > 1]:
        raise BadInput({"stacks": f"Hex {twice[0]} is listed twice."})
    return {stack.hex: stack.units for stack in stacks}


# The turn


def answer_soviet_turn(
    *,
    charts: Book,
    stacks: tuple[SovietStack, ...] = (),
    top: int | None = None,
    controlled: tuple[str, ...] = (),
    spawns: int | None = None,
    mode: Player = Player.SOLO,
) -> Result:
    """Top Stacked Hexes against Spawn Hexes (Soviet Actions 1 to 4; The 1 vs 1 Mode; B14, B35)."""
    top_stacks = find_top_stacks(read_stacks(stacks))
    number = len(top_stacks.hexes) if top is None else top
    spawns_held = count_spawns(controlled) if spawns is None else spawns
    options = list_actions(number, spawns_held, mode is Player.PLAYED)
    outcome = TurnOutcome.CHOOSE if len(options) > 1 else TurnOutcome(options[0].value)
    hexes = list(top_stacks.hexes) if top in (None, len(top_stacks.hexes)) else []
    hex_list = f" ({', '.join(hexes)})" if hexes else ""
    return Result(
        f"{count_of(number, 'Top Stacked Hex', 'Top Stacked Hexes')}{hex_list}, {spawns_held} Spawn "
        f"{'Hex' if spawns_held == 1 else 'Hexes'} held: {outcome.word.lower()}.",
        outcome,
        details={
            "top": number,
            "size": top_stacks.size,
            "hexes": hexes,
            "spawn": spawns_held,
            "options": [option.value for option in options],
        },
        effects=tuple(_tell_turn(number, spawns_held, hexes)),
        follow_ups=tuple(_follow_turn(options, stacks, controlled, hexes)),
        rules=(f"{ACTIONS} {1 if not spawns_held else '4'}",),
    )


def _tell_turn(top: int, spawns_held: int, hexes: Sequence[str]) -> list[str]:
    if not spawns_held:
        return ["No Spawn Hex is Soviet: one card is drawn, and the turn is over."]
    if top > spawns_held:
        return ["More Top Stacked Hexes than Spawn Hexes: they spawn."]
    return [f"One die for each of them{', northernmost hex first' if len(hexes) > 1 else ''}."] if top else []


def _follow_turn(
    options: Sequence[SovietAction], stacks: Sequence[SovietStack], controlled: Sequence[str], hexes: Sequence[str]
) -> list[FollowUp]:
    if SovietAction.SPAWN in options:
        listed = [{"hex": stack.hex, "units": stack.units} for stack in stacks]
        about: Json = {"controlled": list(controlled), "stacks": listed}
        return [FollowUp("spawn", "Spawn Action", about)]
    if SovietAction.MOVE not in options or not 1 <= len(hexes) <= MOST_DICE:
        return []
    if len(hexes) > 1:
        rows = [{"hex": hex} for hex in hexes]
        return [FollowUp("roll-order", "Order of the dice", {"hexes": rows})]
    return [FollowUp("soviet-dice", "Movement dice", {"hexes": list(hexes)})]


# Spawning


def answer_spawn(
    *,
    charts: Book,
    controlled: tuple[str, ...] = (),
    stacks: tuple[SovietStack, ...] = (),
    infantry: int = 22,
    tanks: int = 6,
) -> Result:
    """Which Units come where, in the order of the rules, and cards drawn (Soviet Spawn Action; B01, B25, B26)."""
    plan = plan_spawn(controlled, read_stacks(stacks), infantry, tanks)
    number = sum(len(step.deploy) for step in plan.steps)
    return Result(
        f"Spawn Action: {count_of(number, 'Unit')}, {count_of(plan.cards, 'card')}.",
        SpawnOutcome.SPAWNS,
        details={
            "steps": [_plain_step(step) for step in plan.steps],
            "cards": plan.cards,
            "infantry": plan.infantry,
            "tanks": plan.tanks,
        },
        effects=(
            *map(_tell_step, plan.steps),
            "Each Unit is drawn blind and spun; cards go into the Soviet hand unseen.",
        ),
        rules=(SPAWN,),
        provenance=name_sources(charts, "spawn"),
    )


def _plain_step(step: SpawnStep) -> Json:
    return {"hex": step.hex, "deploy": [kind.value for kind in step.deploy], "cards": step.cards}


def _tell_step(step: SpawnStep) -> str:
    words = [kind.word for kind in step.deploy] + ([count_of(step.cards, "card")] if step.cards else [])
    return f"Hex {step.hex}: {join_words(words)}."


# The dice


def answer_roll_order(*, charts: Book, hexes: tuple[Placed, ...] = ()) -> Result:
    """In which order the dice are thrown: north to south, then the hex nearer to the Volga (Die Rolls Order)."""
    if not hexes:
        raise BadInput({"hexes": "Give each Top Stacked Hex, with its row from the north and how far the Volga is."})
    read_stacks([SovietStack(spot.hex) for spot in hexes])
    ordered = list(order_hexes(hexes))
    places = [(spot.north, spot.volga) for spot in hexes]
    level = len(set(places)) < len(places)
    effects = ("Hexes in one place stay as given: look at the map again.",) if level and len(hexes) > 1 else ()
    return Result(
        f"Dice in this order: {', '.join(ordered)}.",
        OrderedOutcome.ORDERED,
        details={"hexes": ordered},
        effects=effects,
        follow_ups=(FollowUp("soviet-dice", "Movement dice", {"hexes": ordered}),),
        rules=("Die Rolls Order",),
    )


def answer_soviet_dice(*, charts: Book, hexes: tuple[str, ...] = (), faces: tuple[int, ...] | None = None) -> Result:
    """What the dice on the Top Stacked Hexes may come to, low to high (Soviet Movement Action; B15)."""
    if not hexes:
        raise BadInput({"hexes": "Give the Top Stacked Hexes in the order in which dice are thrown."})
    if len(set(hexes)) < len(hexes):
        raise BadInput({"hexes": "Each hex throws one die."})
    if faces is None:
        return waiting(f"Roll {count_of(len(hexes), 'die', 'dice')}, the first for hex {hexes[0]}.", "faces")
    if len(faces) != len(hexes):
        raise BadInput({"faces": f"One die for each of {len(hexes)} hexes."})
    plan = plan_dice(hexes, faces)
    cards = sum(die.do is DiePlan.CARD for die in plan)
    open_dice = count_of(len(plan) - cards, "die", "dice")
    return Result(
        f"Movement dice: {count_of(cards, 'card')} for equal dice, {open_dice} to resolve.",
        PlannedOutcome.PLANNED,
        label=count_of(cards, "card"),
        dice={"faces": tuple(faces)},
        details={
            "plan": [{"hex": die.hex, "die": die.face, "do": die.do.value} for die in plan],
            "cards": cards,
        },
        effects=tuple(f"{die.face} on hex {die.hex}: {die.do.word}." for die in plan),
        follow_ups=tuple(_ask_die(die, faces) for die in plan),
        rules=(MOVEMENT, "Card Drawing A, C"),
        provenance=name_sources(charts, "soviet_die"),
    )


def count_card_odds(charts: Book, inputs: Values) -> Iterator[Odds]:
    """How many cards equal dice draw, counted without a Result for each throw (Card Drawing A)."""
    answer_soviet_dice(charts=charts, **inputs)  # objects to a bad list of hexes
    hexes = inputs["hexes"]
    weights: dict[tuple[str, str], int] = {}
    for faces, weight in weigh_pool(len(hexes)):
        cards = sum(number for number in Counter(faces).values() if number > 1)
        key = (PlannedOutcome.PLANNED.value, count_of(cards, "card"))
        weights[key] = weights.get(key, 0) + weight
    yield distribution(weights)


def _ask_die(planned: PlannedDie, faces: Sequence[int]) -> FollowUp:
    about = {"face": planned.face, "same_dice": list(faces).count(planned.face)}
    return FollowUp("soviet-die", f"Die {planned.face} on hex {planned.hex}", about)


def answer_soviet_die(
    *,
    charts: Book,
    face: int = 1,
    same_dice: int = 1,
    units_left: int = 1,
    target: Ahead = Ahead.OPEN,
    soviets_there: int = 0,
    chuikov: bool = False,
    next_to_target: bool = False,
) -> Result:
    """What one die comes to, by what lies in its direction (Movement, Card Drawing, Soviet Hasty Attack, Chuikov)."""
    effect = read_die(face, same_dice, units_left, target, soviets_there)
    joins = joins_attack(effect, chuikov, next_to_target)
    attack: Json = {"attacker": "soviet", "hasty": not chuikov, "chuikov": chuikov}
    follow = (FollowUp("combat", "Soviet attack", attack),) if effect is DieEffect.HASTY_ATTACK else ()
    return Result(
        f"Die {face}: {without_capital(effect.word)}."
        if effect is not DieEffect.HASTY_ATTACK
        else f"Die {face}: {'Deliberate' if chuikov else 'Hasty'} Attack by the whole Stack.",
        effect,
        details={"joins": joins},
        effects=(_tell_die(effect, face, same_dice, units_left, target, chuikov),),
        follow_ups=follow,
        rules=("Movement", "Card Drawing", "Soviet Hasty Attack"),
        provenance=name_sources(charts, "soviet_die"),
    )


def _tell_die(effect: DieEffect, face: int, same_dice: int, units_left: int, target: Ahead, chuikov: bool) -> str:
    if effect is DieEffect.HASTY_ATTACK:
        joined = "All Soviet Stacks next to the target attack with it" if chuikov else "The whole Stack attacks"
        return f"{joined}; finish the combat before the next die."
    if effect is DieEffect.MOVE:
        return "Choose one Unit of the Stack at random and do not look at it."
    reasons = {
        f"{same_dice} dice show it.": same_dice > 1,
        "Nobody is left in the hex.": units_left < 1,
        "There is no playable hex in that direction.": target is Ahead.NONE,
        "A single 1 draws a card, unless Germans lie in its direction.": face == 1,
        f"{MOST_UNITS} Soviets are there already.": True,
    }
    return capitalize(next(reason for reason, holds in reasons.items() if holds))
