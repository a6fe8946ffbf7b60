"""The Soviet turn: which action, what spawns, which die does what (Soviet Actions)."""

from collections import Counter

from firefight.engine.course.conducting import Answer, Choice, Wanted
from firefight.engine.values import Json

from ..rules.soviet_side import (
    Ahead,
    DieEffect,
    SovietAction,
    find_top_stacks,
    joins_attack,
    list_actions,
    plan_dice,
    plan_spawn,
    read_die,
)
from ..rules.tables import SOVIET_SPAWN, Side
from .engaging import open_combat
from .play import Play, as_faces, ask, at_hex, draw_unseen, find_drawn, for_soviets, throw_pool, to_do
from .steps import Step, Steps

RULE = "The 1 vs 1 Mode"
BACK = Choice("back", "Another stack")


def count_sides(play: Play) -> tuple[tuple[str, ...], int]:
    """The Top Stacked Hexes in rolling order, and how many Spawn Hexes the Soviets hold (Soviet Actions 2 and 3)."""
    stacks = {hex: len(keys) for hex, keys in play.soviets.items()}
    hexes = play.board.in_rolling_order([*find_top_stacks(stacks).hexes])
    return tuple(hexes), sum(play.holds(Side.SOVIET, hex) for hex in SOVIET_SPAWN)


def _soviet_turn(play: Play, task: Json, answer: Answer) -> None:
    play.state["side"] = "soviet"
    hexes, spawns = count_sides(play)
    stacks = f"{len(hexes)} top stack{'s' if len(hexes) != 1 else ''} ({', '.join(hexes)})"
    actions = list_actions(len(hexes), spawns, play.players.is_soviet_played)
    if len(actions) > 1:
        play.tell(f"{stacks}, {spawns} Spawn Hexes held: moves or draws a card ({RULE}).", "soviet")
        play.do(to_do("choose_action", hexes=[*hexes]), to_do("soviet_end"))
        return
    action = actions[0]
    if action is SovietAction.DRAW:
        play.tell("The Soviets hold no Spawn Hex: they draw a card (Soviet Actions 1).", "soviet")
        play.do(to_do("draw", side="soviet", number=1, cause="no Spawn Hex is held"), to_do("soviet_end"))
        return
    does = "spawns (Soviet Actions 4A)" if action is SovietAction.SPAWN else "moves (Soviet Actions 4B)"
    play.tell(f"{stacks}, {spawns} Spawn Hexes held: {does}.", "soviet")
    first = to_do("spawn") if action is SovietAction.SPAWN else to_do("dice", hexes=[*hexes])
    play.do(first, to_do("soviet_end"))


def _want_soviet_action(play: Play, task: Json) -> Wanted:
    """A player moves, or draws a card (The 1 vs 1 Mode, Soviet Player 3)."""
    hexes = task["hexes"]
    choices = (
        Choice("move", "Movement Action", f"One Unit from each top stack: {', '.join(hexes)}."),
        Choice("draw", "Draw Action", "A card, and nobody moves."),
    )
    return ask(play, f"Turn {play.state['turn']}: which action?", choices, RULE, Side.SOVIET.value)


def _choose_action(play: Play, task: Json, answer: Answer) -> None:
    if answer == "draw":
        play.tell("Draw Action (The 1 vs 1 Mode).", "soviet")
        play.do(to_do("draw", side="soviet", number=1, cause="the Draw Action"))
        return
    play.tell(f"Movement Action: {', '.join(task['hexes'])} (The 1 vs 1 Mode).", "soviet")
    play.do(to_do("march", hexes=task["hexes"]))


def list_march_hexes(play: Play, hex: str) -> tuple[list[str], list[str]]:
    """Where a Unit of a top stack may go, and which Germans beside it can be attacked (The 1 vs 1 Mode)."""
    beside = play.board.next_to[hex]
    attacks = [name for name in beside if name in play.germans]
    moves = [name for name in beside if name not in play.germans and play.has_room(name, side=Side.SOVIET)]
    return moves, attacks


def _list_marching(play: Play, task: Json) -> list[str]:
    """The top stacks that have yet to act and can: not those where nobody is left or there is no room (B51)."""
    return [hex for hex in task["hexes"] if hex in play.soviets and any(list_march_hexes(play, hex))]


def _want_march(play: Play, task: Json) -> Wanted:
    """A player says which top stack acts, where to, and which Unit moves: in any order (The 1 vs 1 Mode, Movement)."""
    hexes, from_hex = _list_marching(play, task), task.get("from", "")
    if not hexes:
        return None
    if not from_hex:
        stacks = [at_hex(hex, words=play.names(play.soviets[hex])) for hex in hexes]
        return ask(play, "Which top stack acts next?", stacks, RULE, Side.SOVIET.value)
    if "to" in task:
        blocks = [Choice(f"block-{key}", play.block(key).name, play.names([key])) for key in play.soviets[from_hex]]
        question = f"Who moves from {from_hex} to {task['to']}?"
        return ask(play, question, (*blocks, BACK), RULE, Side.SOVIET.value, secret=True)
    moves, attacks = list_march_hexes(play, from_hex)
    choices = [Choice(f"attack-{hex}", f"Attack {hex}", f"{len(play.germans[hex])} Germans", hex) for hex in attacks]
    return ask(play, f"{from_hex}: where to?", (*choices, *map(at_hex, moves), BACK), RULE, Side.SOVIET.value)


def _march(play: Play, task: Json, answer: Answer) -> None:
    hexes, choice = task["hexes"], str(answer or "")
    if not choice:
        if hexes:
            play.tell(f"{', '.join(hexes)}: nobody is left, or nowhere is room (The 1 vs 1 Mode; B51).", "soviet")
        return
    if choice == "back":
        play.do(to_do("march", hexes=hexes))
    elif "from" not in task:
        play.do({**task, "from": choice.removeprefix("hex-")})
    elif choice.startswith("attack-"):
        target, from_hex = choice.removeprefix("attack-"), task["from"]
        play.do(to_do("march", hexes=[hex for hex in hexes if hex != from_hex]))
        _attack(play, from_hex, target, from_hex)
    elif "to" not in task and len(play.soviets[task["from"]]) > 1:
        play.do({**task, "to": choice.removeprefix("hex-")})
    else:
        _march_one(play, task, choice)


def _march_one(play: Play, task: Json, choice: str) -> None:
    """One Unit goes; the others are not told which."""
    from_hex, to = task["from"], task.get("to") or choice.removeprefix("hex-")
    key = choice.removeprefix("block-") if "to" in task else play.soviets[from_hex][0]
    hexes_left = [hex for hex in task["hexes"] if hex != from_hex]
    if hexes_left:
        play.do(to_do("march", hexes=hexes_left))
    play.tell(f"A block moves from {from_hex} to {to} (The 1 vs 1 Mode, Movement).", "soviet", to)
    play.enter([key], to)


def _spawn(play: Play, task: Json, answer: Answer) -> None:
    """All Units in their order, then the cards that are drawn in place of others."""
    spawn_hexes = [hex for hex in SOVIET_SPAWN if play.holds(Side.SOVIET, hex)]
    stacks = {hex: len(keys) for hex, keys in play.soviets.items()}
    plan = plan_spawn(spawn_hexes, stacks, len(play.of_pool("infantry")), len(play.of_pool("tank")))
    words = []
    for step in plan.steps:
        cards = f"{step.cards} card{'s' if step.cards > 1 else ''}" if step.cards else ""
        units = " and ".join(("a Tank" if kind == "tank" else "Infantry") for kind in step.deploy)
        words.append(f"{step.hex}: {' and '.join(filter(None, (units, cards)))}")
    play.tell(f"Spawn Action: {'; '.join(words)} (Soviet Spawn Action).", "soviet")
    for step in reversed(plan.steps):
        if step.cards:
            play.do(to_do("draw", side="soviet", number=step.cards, cause=f"what cannot come in {step.hex}"))
        play.do(*[to_do("bring", pool=str(kind), hex=step.hex) for kind in step.deploy])


def _want_dice(play: Play, task: Json) -> Wanted:
    hexes = task["hexes"]
    label = f"Movement dice: {', '.join(hexes)}"
    return for_soviets(play, throw_pool("soviet_dice", len(hexes), label, "Die Rolls Order"))


def _lay_dice(play: Play, task: Json, answer: Answer) -> None:
    faces = as_faces(answer)
    alike = Counter(faces)
    dice = plan_dice(task["hexes"], faces)
    thrown = ", ".join(f"{face} on {hex}" for hex, face in zip(task["hexes"], faces, strict=True))
    play.tell(f"Dice: {thrown} (Soviet Movement Action).", "soviet")
    play.do(*[to_do("die", hex=die.hex, face=die.face, same=alike[die.face]) for die in dice])
    play.rests = True


def _look_ahead(play: Play, task: Json) -> tuple[str, Ahead, DieEffect]:
    """Where a die leads, what lies there, and what the die comes to."""
    target = play.board.look(task["hex"], task["face"])
    ahead = Ahead.GERMAN if target in play.germans else Ahead.OPEN if target else Ahead.NONE
    soviets_there, units_left = (len(play.soviets.get(hex, ())) for hex in (target, task["hex"]))
    return target, ahead, read_die(task["face"], task["same"], units_left, ahead, soviets_there)


def _want_mover(play: Play, task: Json) -> Wanted:
    if _look_ahead(play, task)[2] is not DieEffect.MOVE:
        return None
    return draw_unseen(
        "mover", len(play.soviets[task["hex"]]), f"Block that moves from {task['hex']}", "Moving a Stack"
    )


def _resolve_die(play: Play, task: Json, answer: Answer) -> None:
    hex, face = task["hex"], task["face"]
    target, ahead, effect = _look_ahead(play, task)
    if effect is DieEffect.CARD:
        play.tell(f"Die {face} on {hex}: {_why_card(play, task, target, ahead)}.", "soviet", hex)
        play.do(to_do("draw", side="soviet", number=1, cause=f"die {face} on {hex}"))
    elif effect is DieEffect.HASTY_ATTACK:
        _attack(play, hex, target, f"Die {face} on {hex}")
    else:
        key = find_drawn(play.soviets[hex], answer)
        play.seal(f"{play.block(key).name} moves.")
        play.tell(f"Die {face} on {hex}: a block moves to {target} (Movement).", "soviet", target)
        play.enter([key], target)


def _why_card(play: Play, task: Json, target: str, ahead: Ahead) -> str:
    if task["same"] > 1:
        return f"{task['same']} equal dice, a card (Card Drawing A)"
    if task["hex"] not in play.soviets:
        return "nobody is left, a card (Card Drawing B)"
    if ahead is Ahead.NONE:
        return "no playable hex there, a card (Card Drawing B)"
    return "a card (Card Drawing C)" if task["face"] == 1 else f"{target} is full, a card (Card Drawing B)"


def _attack(play: Play, hex: str, target: str, cause: str) -> None:
    """The whole Stack attacks; with Chuikov all Soviets next to the target join (Soviet Hasty Attack; Chuikov)."""
    chuikov = play.has_leader(Side.SOVIET, "chuikov")
    beside = play.list_beside(Side.SOVIET, target)
    hexes = [hex, *(name for name in beside if name != hex and joins_attack(DieEffect.HASTY_ATTACK, chuikov, True))]
    kind = "Deliberate Attack (Chuikov)" if chuikov else "Hasty Attack (Soviet Hasty Attack)"
    play.tell(f"{cause}: Germans in {target}, {kind} from {', '.join(hexes)}.", "soviet", target)
    open_combat(play, Side.SOVIET, target, hexes, deliberate=chuikov)


def _soviet_end(play: Play, task: Json, answer: Answer) -> None:
    play.do(to_do("judge"), to_do("next_turn"))


SOVIET_TURN: Steps = {
    "soviet_turn": Step(_soviet_turn),
    "choose_action": Step(_choose_action, _want_soviet_action),
    "march": Step(_march, _want_march),
    "spawn": Step(_spawn),
    "dice": Step(_lay_dice, _want_dice),
    "die": Step(_resolve_die, _want_mover),
    "soviet_end": Step(_soviet_end),
}
