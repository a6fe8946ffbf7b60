"""Players of the solo game for rehearsals: one passes, one attacks where it can, one looks a turn ahead.

They look only at what a German player may know: his blocks, how many Soviets are in a hex, his hand, Rubble.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import erf, sqrt

from firefight.engine.course.conducting import Ask

from ..rules.cards import sum_up_cards
from ..rules.tables import GERMAN_ARMOUR, SOVIET_SPAWN, Fire, GermanCard, Side
from .attacking import list_card_choices
from .calling import list_rivals
from .engaging import find_card_values
from .legal import judge_hasty, judge_long_start, judge_short
from .moving import find_long_ways
from .play import Play

CHANCES = {Fire.SINGLE: 1 / 6, Fire.DOUBLE: 1 / 3, Fire.TRIPLE: 1 / 2}
DOTS_OF_A_BLOCK, HITS_OF_A_BLOCK = 2.2, 0.45  # what a Soviet block comes to on average
FAR = 99


@dataclass(frozen=True, slots=True)
class TurnPlan:
    """What a policy would do in a turn: an action, its choices in their order, and what it is worth."""

    worth: float
    kind: str
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Temper:
    """How a policy plays. ``least``: the chance of success from which it attacks.

    ``ahead``: how much an attack of the next turn counts; ``losses``: what an expected hit on the Germans costs.
    """

    least: float
    ahead: float
    losses: float


GREEDY, LOOKING_AHEAD = Temper(0.35, 0.0, 0.6), Temper(0.25, 1.0, 0.4)


def choose_to_pass(ask: Ask, play: Play) -> str:
    """Nobody ever moves."""
    slugs = [choice.slug for choice in ask.choices]
    return next((slug for slug in ("short", "done", "auto", "go", "stay") if slug in slugs), slugs[0])


def choose_greedily(ask: Ask, play: Play) -> str:
    """The best attack of this turn, else the way to the nearest Spawn Hex."""
    return _choose(ask, play, GREEDY)


def choose_looking_ahead(ask: Ask, play: Play) -> str:
    """The best of this turn's actions with the attack that the next one could make."""
    return _choose(ask, play, LOOKING_AHEAD)


def _choose(ask: Ask, play: Play, temper: Temper) -> str:
    """The answer of the best plan, which is found again for every question: nothing is kept between them."""
    slugs = [choice.slug for choice in ask.choices]
    task = play.todo[-1]
    match task["do"]:
        case "action":
            return max(_list_plans(play, temper), key=lambda plan: plan.worth).kind
        case "blitz":
            return _choose_blitz(play, slugs)
        case "long" | "target" | "assault" | "move" | "hasty_target":
            return _follow_plan(play, temper, slugs)
        case "place" if temper.ahead and _is_room_short(play):
            return _choose_arrival(play, slugs)
    return next((slug for slug in ("all", "go") if slug in slugs), slugs[0])


def _follow_plan(play: Play, temper: Temper, slugs: list[str]) -> str:
    """The next choice of the best plan that goes on from what was chosen."""
    task, ways = play.todo[-1], find_distances(play)
    chosen = [f"hex-{task[name]}" for name in ("start", "target") if name in task]
    if task["do"] == "hasty_target":
        keys = play.germans[task["hex"]]
        return max(slugs, key=lambda slug: _worth_of_attack(play, temper, ways, keys, slug.removeprefix("hex-")))
    if task["do"] in ("target", "assault"):
        return _pick(_plan_assaults(play, temper, ways), chosen, slugs)
    if task["do"] == "long":
        plans = [plan for hex, keys in play.germans.items() for plan in _plan_long(play, temper, ways, hex, keys)]
        return _pick(plans, chosen, slugs)
    stacks = {hex: keys for hex, keys in play.germans.items() if not set(keys) & set(task["moved"])}
    if task["kind"] == "hasty":
        plans = [plan for hex, keys in stacks.items() for plan in _plan_hasty(play, temper, ways, hex, keys)]
        return _pick(plans, chosen, slugs)
    steps = [step for step in _list_steps(play, temper, ways) if step[1] in stacks and (step[0] > 0 or chosen)]
    plans = [TurnPlan(worth, "short", (f"hex-{start}", f"hex-{hex}")) for worth, start, hex in steps]
    return _pick(plans, chosen, slugs)


def _pick(plans: list[TurnPlan], chosen: list[str], slugs: list[str]) -> str:
    """The next choice of the best plan that begins like this; the last resort where there is none."""
    number = len(chosen)
    fitting = [plan for plan in plans if [*plan.choices[:number]] == chosen and plan.choices[number] in slugs]
    if fitting:
        return max(fitting, key=lambda plan: plan.worth).choices[number]
    return next((slug for slug in ("done", "attack") if slug in slugs), slugs[0])


def _choose_blitz(play: Play, slugs: list[str]) -> str:
    """Go on, where that comes nearer to a Spawn Hex that is not held yet."""
    ways = find_distances(play)
    distance = ways.get(play.at(play.todo[-1]["block"]), FAR)
    hexes = [slug for slug in slugs if slug.startswith("hex-")]
    best = min(hexes, key=lambda slug: ways.get(slug.removeprefix("hex-"), FAR))
    return best if ways.get(best.removeprefix("hex-"), FAR) < distance else "stay"


def _is_room_short(play: Play) -> bool:
    waiting = play.todo[-1]["blocks"]
    return any(list_rivals(play, key, waiting) for key in waiting)


def _choose_arrival(play: Play, slugs: list[str]) -> str:
    """Armour first, which makes Rubble and goes on after an advance; Units that count double last."""

    def weigh(key: str) -> tuple[bool, bool]:
        return play.block(key).type in GERMAN_ARMOUR, "r" not in play.block(key).marks

    first = play.todo[-1]["blocks"][0]
    rivals = [slug.removeprefix("block-") for slug in slugs if slug.startswith("block-")]
    best = max((first, *rivals), key=weigh)
    return next(slug for slug in slugs if slug.startswith("hex-")) if best == first else f"block-{best}"


def find_distances(play: Play) -> dict[str, int]:
    """How far each hex is from the nearest Soviet Spawn Hex that the Germans do not hold."""
    edge = [hex for hex in SOVIET_SPAWN if not play.holds(Side.GERMAN, hex)]
    ways = dict.fromkeys(edge, 0)
    for hex in edge:
        for name in play.board.next_to[hex]:
            if name not in ways:
                ways[name] = ways[hex] + 1
                edge.append(name)
    return ways


def find_chance(play: Play, keys: Iterable[str], target: str, dice: int = 0) -> tuple[float, float]:
    """The approximate chance that an attack empties a hex, and how many hits it costs."""
    number, rubble = len(play.soviets[target]), 2 if target in play.state["rubble"] else 1
    cost = number * HITS_OF_A_BLOCK
    mean = sum(play.dots(key) * CHANCES[Fire(play.fire_of(key))] for key in keys)
    if play.board.terrain[target] == "urban":
        mean -= cost * 0.25
    mean = (mean + dice / 2) / rubble
    need = number * DOTS_OF_A_BLOCK
    spread = sqrt(max(0.5, mean * 0.7 + number * 1.1))
    return 0.5 * (1 + erf((mean - need + 0.4) / (spread * sqrt(2)))), cost


def _list_plans(play: Play, temper: Temper) -> list[TurnPlan]:
    ways = find_distances(play)
    plans = [TurnPlan(0.0, "short", ("done",)), _plan_call(play)]
    plans += _plan_assaults(play, temper, ways)
    plans += _plan_moves(play, temper, ways)
    return plans


def _plan_call(play: Play) -> TurnPlan:
    """Worth as much as Units find room, and less the more are on the map already."""
    on_map = sum(map(len, play.germans.values()))
    waiting = sum(map(len, play.state["rows"]))
    room = sum(4 - len(play.germans.get(hex, ())) for hex in ("X", "Y", "Z") if play.holds(Side.GERMAN, hex))
    arrive = min(6, room, waiting)
    empty = sum(not row for row in play.state["rows"])
    return TurnPlan(arrive * max(0.4, 2.4 - on_map / 12) - empty * 1.2, "call")


def _worth_of(play: Play, target: str, ways: Mapping[str, int], units: int) -> float:
    """What it is worth to take a hex: a Spawn Hex, or the way to one."""
    spawn = 60.0 if target in SOVIET_SPAWN and not play.holds(Side.GERMAN, target) else 0.0
    return spawn + 5.0 + 2.5 / (1 + ways.get(target, FAR)) * min(4, units) + 1.5 * len(play.soviets.get(target, ()))


def _plan_assaults(play: Play, temper: Temper, ways: Mapping[str, int]) -> list[TurnPlan]:
    values = find_card_values(play)
    richthofen = play.has_leader(Side.GERMAN, "von_richthofen")
    cards: list[tuple[str, ...]] = [(), *list_card_choices(play)]
    plans = []
    for target in play.soviets:
        hexes = play.list_beside(Side.GERMAN, target)
        keys = [key for hex in hexes for key in play.germans[hex]]
        for played in cards if keys else ():
            laid = [GermanCard(card) for card in played]
            dice = sum_up_cards(laid, richthofen, values).dice
            if worth := _worth_of_attack(play, temper, ways, keys, target, dice):
                slug = "with-" + "-and-".join(played) if played else "attack"
                plans.append(TurnPlan(worth, "deliberate", (f"hex-{target}", slug)))
    return plans


def _plan_moves(play: Play, temper: Temper, ways: Mapping[str, int]) -> list[TurnPlan]:
    plans: list[TurnPlan] = []
    for start, keys in play.germans.items():
        plans += _plan_hasty(play, temper, ways, start, keys)
        if not judge_long_start(play, start):
            plans += _plan_long(play, temper, ways, start, keys)
    steps = sorted(_list_steps(play, temper, ways), reverse=True)
    for worth, start, hex in steps[:1]:
        second = next((step for step in steps if step[1] != start and step[2] != hex), None)
        choices = (f"hex-{start}", f"hex-{hex}", *((f"hex-{second[1]}", f"hex-{second[2]}") if second else ("done",)))
        plans.append(TurnPlan(worth + (second[0] if second else 0.0), "short", choices))
    return plans


def _worth_of_attack(
    play: Play, temper: Temper, ways: Mapping[str, int], keys: Sequence[str], target: str, dice: int = 0
) -> float:
    """What an attack is worth; nothing where its chance is too small."""
    chance, cost = find_chance(play, keys, target, dice)
    if chance < temper.least:
        return 0.0
    return chance * _worth_of(play, target, ways, len(keys)) - cost * temper.losses - 0.25 * dice


def _plan_hasty(play: Play, temper: Temper, ways: Mapping[str, int], start: str, keys: list[str]) -> list[TurnPlan]:
    plans = []
    for hex in play.board.next_to[start]:
        if judge_hasty(play, start, hex, keys):
            continue
        together = [*keys, *play.germans.get(hex, ())]
        gain = 0.8 * len(keys) * (ways.get(start, FAR) - ways.get(hex, FAR))
        for target in play.list_beside(Side.SOVIET, hex):
            if worth := _worth_of_attack(play, temper, ways, together, target):
                plans.append(TurnPlan(worth + gain, "hasty", (f"hex-{start}", f"hex-{hex}", f"hex-{target}")))
    return plans


def _plan_long(play: Play, temper: Temper, ways: Mapping[str, int], start: str, keys: list[str]) -> list[TurnPlan]:
    plans = []
    for hex, ((_, *beyond), *_) in find_long_ways(play, start).items():
        if beyond:
            worth = _worth_of_step(play, temper, ways, start, hex, keys)
            plans.append(TurnPlan(worth, "long", (f"hex-{start}", f"hex-{hex}")))
    return plans


def _list_steps(play: Play, temper: Temper, ways: Mapping[str, int]) -> list[tuple[float, str, str]]:
    return [
        (_worth_of_step(play, temper, ways, start, hex, keys), start, hex)
        for start, keys in play.germans.items()
        for hex in play.board.next_to[start]
        if not judge_short(play, start, hex, keys)
    ]


def _worth_of_step(play: Play, temper: Temper, ways: Mapping[str, int], start: str, hex: str, keys: list[str]) -> float:
    """How much nearer a Stack comes, what it takes on its way, and which Hasty Attack it could make next."""
    nearer = ways.get(start, FAR) - ways.get(hex, FAR)
    takes = 60.0 if hex in SOVIET_SPAWN and not play.holds(Side.GERMAN, hex) else 0.0
    worth = len(keys) * nearer * 0.9 + takes
    if not temper.ahead:
        return worth
    beyond = [target for name in play.board.next_to[hex] for target in play.list_beside(Side.SOVIET, name)]
    chances = [
        chance * _worth_of(play, target, ways, len(keys))
        for target in dict.fromkeys(beyond)
        if (chance := find_chance(play, keys, target)[0]) >= temper.least
    ]
    return worth + temper.ahead * 0.3 * max(chances, default=0.0)


Decider = Callable[[Ask, Play], str]
POLICIES: Mapping[str, Decider] = {
    "pass": choose_to_pass,
    "greedy": choose_greedily,
    "look-ahead": choose_looking_ahead,
}
