"""The Soviet turn on the players' own table: by the same rules, but the app asks what lies on the map (Soviet Actions).

It knows what a match keeps: Spawn Hexes, pools, the Soviet deck and hand as numbers, leaders. Everything else is an
answer by a button: how many top stacks there are, how full a Spawn Hex is, what lies in the direction of a die. Stacks
have no names here: they are the first, the second and so on in rolling order.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from firefight.engine.course.conducting import Answer, Ask, Choice, Standing, StepTaken, Told, Wanted
from firefight.engine.course.keeping import TableState
from firefight.engine.record import RecordChange
from firefight.engine.text import count_of
from firefight.engine.values import Json, Values

from ..rules.course import CO_OP_MODE, SOLO_MODE, SOVIET
from ..rules.soviet_side import Ahead, DieEffect, SovietAction, list_actions, plan_dice, plan_spawn, read_die
from ..rules.tables import MOST_UNITS, SPAWN_ORDER
from .play import as_faces, throw_pool
from .players import Players

MARK = "own_table"  # of a standing: the turn that the app leads, and how far it has come
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
MANY = 7  # top stacks and more: the Soviets hold six Spawn Hexes at most, so that they spawn
FULLNESS: Mapping[str, tuple[str, int]] = {
    "room": ("None to two", 0),
    "three": ("Three", MOST_UNITS - 1),
    "full": ("Four", MOST_UNITS),
}
AHEAD: Mapping[str, tuple[str, str]] = {
    "open": ("A hex with room", "No Germans, three Soviets at most."),
    "german": ("Germans", ""),
    "full": ("Four Soviets", ""),
    "capture": ("X, Y or Z, empty", "A German Spawn Hex without Germans."),
    "none": ("No playable hex", ""),
    "gone": ("Nobody is left here", "The stack of this die is gone."),
}


def _leads_soviets(situation: TableState) -> bool:
    """Whether nobody plays the Soviets of a match on the players' own table."""
    options = situation.options
    return options.get("mode") in (SOLO_MODE, CO_OP_MODE) and options.get("board") == "table"


def begin_turn(situation: TableState) -> Standing | None:
    """A Soviet turn that nobody plays, on the players' own table."""
    mode, position = situation.options.get("mode", ""), situation.position
    if not _leads_soviets(situation) or position.side != SOVIET:
        return None
    return {MARK: {"turn": position.turn, "at": "stacks", "mode": mode, "fullness": {}, "dice": [], "left": 0}}


def tell_before(situation: TableState) -> str:
    """What a German does on the players' own table, and what comes next; "" where somebody plays the Soviets."""
    if not _leads_soviets(situation):
        return ""
    if not situation.record["decks"][SOVIET]:
        return "The Soviet deck is empty: “Victory” says who has won (How to Win the Game)."
    return "Play the German turn on your map, with the rolls below. Then the app leads the Soviet turn, and asks."


def _list_spawning(situation: TableState) -> list[str]:
    return [hex for hex in SPAWN_ORDER if hex in situation.record["controlled"]]


def _is_over(state: Values, situation: TableState) -> bool:
    """Whether the players have gone on without the app."""
    return (state["turn"], SOVIET) != (situation.position.turn, situation.position.side)


def find_table_want(standing: Standing, situation: TableState) -> Wanted:
    """What the app does not know."""
    state: Json = standing[MARK]
    if _is_over(state, situation):
        return None
    match state["at"]:
        case "stacks":
            numbers = [Choice(f"top-{number}", str(number)) for number in range(1, MANY)]
            return Ask(
                "How many hexes have the tallest Soviet Stack?",
                (*numbers, Choice(f"top-{MANY}", "Seven or more")),
                rule="Soviet Actions 2",
            )
        case "spawn":
            hex = _next_spawn(state, situation)
            choices = tuple(Choice(slug, title) for slug, (title, _) in FULLNESS.items())
            return Ask(f"How many Soviets stand in {hex}?", choices, rule="Soviet Spawn Action") if hex else None
        case "dice":
            label = "One die a top stack, from north to south"
            return throw_pool("soviet_dice", state["left"], label, "Die Rolls Order")
    place, face = state["dice"][0][:2]
    choices = tuple(Choice(slug, title, words) for slug, (title, words) in AHEAD.items())
    question = f"{face} on the {ORDINALS[place]} stack: what lies in direction {face}?"
    return Ask(question, choices, rule="Soviet Movement Action")


def go_on_at_table(standing: Standing, situation: TableState, answer: Answer) -> StepTaken:
    """One answer, and what the rules make of it."""
    state: Json = {**standing[MARK]}
    if _is_over(state, situation):
        return StepTaken(None, (Told("The Soviet turn was played without the app."),))
    match state["at"]:
        case "stacks":
            return _count(state, situation, int(str(answer).removeprefix("top-")))
        case "spawn":
            if hex := _next_spawn(state, situation):
                state["fullness"] = {**state["fullness"], hex: str(answer)}
            return StepTaken({MARK: state}) if _next_spawn(state, situation) else _spawn(state, situation)
        case "dice":
            return _lay_dice(state, situation, as_faces(answer))
    return _resolve(state, situation, str(answer))


def _next_spawn(state: Json, situation: TableState) -> str:
    return next((hex for hex in _list_spawning(situation) if hex not in state["fullness"]), "")


def _count(state: Json, situation: TableState, top: int) -> StepTaken:
    spawns = len(_list_spawning(situation))
    action = list_actions(top, spawns)[0]
    number = f"{MANY} top stacks or more" if top == MANY else count_of(top, "top stack")
    stacks = f"{number}, {spawns} Spawn Hex{'es' if spawns != 1 else ''} held"
    if action is SovietAction.DRAW:
        return _finish(state, situation, [_say(f"{stacks}: a card (Soviet Actions 1).")], 1)
    if action is SovietAction.SPAWN:
        return StepTaken({MARK: state | {"at": "spawn"}}, (_say(f"{stacks}: they spawn (Soviet Actions 4A)."),))
    return StepTaken({MARK: state | {"at": "dice", "left": top}}, (_say(f"{stacks}: they move (Soviet Actions 4B)."),))


def _say(sentence: str) -> Told:
    return Told(sentence, side=SOVIET)


def _spawn(state: Json, situation: TableState) -> StepTaken:
    """Which Units come where, and what is left in the pools (Soviet Spawn Action)."""
    pools = situation.record["pools"]
    stacks = {hex: FULLNESS[slug][1] for hex, slug in state["fullness"].items()}
    if not _list_spawning(situation):
        return _finish(state, situation, [_say("No Spawn Hex is held any more.")], 0)
    plan = plan_spawn(_list_spawning(situation), stacks, pools["infantry"], pools["tanks"])
    lines = []
    for step in plan.steps:
        units = " and ".join("a Tank" if kind == "tank" else "Infantry" for kind in step.deploy)
        cards = count_of(step.cards, "card") if step.cards else ""
        lines.append(_say(f"{step.hex}: {' and '.join(filter(None, (units, cards)))}, blind (Soviet Spawn Action)."))
    changes = {"pools": {**pools, "infantry": plan.infantry, "tanks": plan.tanks}}
    lines[-1] = replace(lines[-1], changes=(RecordChange(changes, ()),))
    return _finish(state, situation, lines, plan.cards)


def _lay_dice(state: Json, situation: TableState, faces: Sequence[int]) -> StepTaken:
    """The dice from low to high; equal ones are cards at once (Card Drawing A)."""
    alike = Counter(faces)
    names = [str(place) for place in range(len(faces))]
    dice = [[int(die.hex), die.face] for die in plan_dice(names, faces)]
    cards = sum(alike[face] > 1 for face in faces)
    line = _say(f"Dice: {', '.join(map(str, faces))}, from north to south (Soviet Movement Action).")
    open_ones = [die for die in dice if alike[die[1]] == 1]
    equal = [_say(f"Equal dice: {count_of(cards, 'card')} (Card Drawing A).")] if cards else []
    return _take_next(state | {"at": "die", "dice": open_ones}, situation, [line, *equal], cards)


def _resolve(state: Json, situation: TableState, slug: str) -> StepTaken:
    """A die by what lies in its direction."""
    place, face = state["dice"][0]
    ahead = {"german": Ahead.GERMAN, "none": Ahead.NONE}.get(slug, Ahead.OPEN)
    soviets_there = MOST_UNITS if slug == "full" else 0
    effect = read_die(face, 1, 0 if slug == "gone" else 1, ahead, soviets_there)
    kind = "Deliberate Attack (Chuikov)" if "chuikov" in situation.record["leaders"][SOVIET] else "Hasty Attack"
    words = {
        DieEffect.CARD: "a card",
        DieEffect.MOVE: "one random block moves there",
        DieEffect.HASTY_ATTACK: f"{kind}; fight it out, then go on",
    }[effect]
    captured = slug == "capture" and effect is DieEffect.MOVE
    more = " and captures: a card (Capturing an Enemy Spawn Hex)" if captured else ""
    lines = [_say(f"{face} on the {ORDINALS[place]} stack: {words}{more} (Soviet Movement Action).")]
    state["dice"] = state["dice"][1:]
    return _take_next(state, situation, lines, int(effect is DieEffect.CARD or captured))


def _take_next(state: Json, situation: TableState, lines: list[Told], cards: int) -> StepTaken:
    """The next die, or the end of the turn."""
    if not state["dice"]:
        return _finish(state, situation, lines, cards)
    return StepTaken({MARK: state}, tuple(_draw(lines, situation, cards)))


def _draw(lines: Sequence[Told], situation: TableState, cards: int) -> list[Told]:
    """Cards go from the Soviet deck into the hand, as many as there are (B38); the last one is announced at once."""
    decks = situation.record["decks"]
    drawn = min(cards, decks[SOVIET])
    if not drawn:
        return [*lines]
    cards_left = decks[SOVIET] - drawn
    changes = {"decks": {**decks, SOVIET: cards_left}, "soviet_hand": situation.record["soviet_hand"] + drawn}
    last = lines[-1]
    all_lines = [*lines[:-1], replace(last, changes=(*last.changes, RecordChange(changes, ())))]
    if not cards_left:
        all_lines.append(_say("The last Soviet card is drawn: look at Victory (How to Win the Game)."))
    return all_lines


def _finish(state: Json, situation: TableState, lines: list[Told], cards: int) -> StepTaken:
    """The Soviet turn is over: the next German's comes (The Game; Co-Op 5)."""
    lines = _draw(lines, situation, cards)
    turn = state["turn"] + 1
    place = {"turn": turn, "side": Players(state["mode"]).find_active(turn)}
    lines.append(Told(f"Turn {turn}.", (RecordChange(place, ()),)))
    return StepTaken(None, tuple(lines))


def find_table_flaw(standing: Values) -> str:
    """What is wrong with such a turn from a file; "" for nothing."""
    try:
        is_sound = standing.keys() == {MARK} and _is_sound(standing[MARK])
    except (KeyError, TypeError, ValueError, AttributeError):
        is_sound = False
    return "" if is_sound else "this is not a state of this game."


def _is_sound(state: Json) -> bool:
    """Whether a Soviet turn beside the board may stand so. Whatever is not of its type may raise."""
    return all(
        (
            state.keys() == {"turn", "at", "mode", "fullness", "dice", "left"},
            type(state["turn"]) is int,
            state["at"] in ("stacks", "spawn", "dice", "die"),
            state["mode"] in (SOLO_MODE, CO_OP_MODE),
            state["fullness"].keys() <= {*SPAWN_ORDER},
            set(state["fullness"].values()) <= FULLNESS.keys(),
            all(0 <= place < len(ORDINALS) and face in range(1, 7) for place, face in state["dice"]),
            state["left"] in range(MANY),
            state["at"] != "die" or state["dice"],
            state["at"] != "dice" or state["left"] > 0,
        )
    )
