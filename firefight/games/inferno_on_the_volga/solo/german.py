"""The German turn: one of five actions, with everything that is legal in it, and why the rest is not (The Actions).

Whether something may be chosen is asked of one function for each question; what is offered are the hexes that it does
not object to.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

from firefight.engine.course.conducting import Answer, Choice, Wanted
from firefight.engine.values import Json

from ..rules.cards import list_card_objections, sum_up_cards
from ..rules.course import SIDES
from ..rules.ending import count_call_cards
from ..rules.moves import (
    PathHex,
    ShortMove,
    list_deliberate_objections,
    list_hasty_objections,
    list_long_move_objections,
    list_short_move_objections,
)
from ..rules.reinforcements import list_deploy_hexes, pick_up, put_back
from ..rules.rubble import count_ways, find_sum, list_additions, list_obstacles
from ..rules.tables import (
    DIE,
    GERMAN_ARMOUR,
    GERMAN_LEADERS,
    GERMAN_SPAWN,
    MOST_UNITS,
    OKH_HEXES,
    PIONEERS,
    ROWS,
    SOVIET_SPAWN,
    Colour,
    GermanCard,
    Side,
    Terrain,
)
from .fighting import find_card_values, open_combat
from .play import OUT, REMOVED, TRACK, Play, as_faces, ask, at_hex, throw_pool, to_do
from .steps import Step, Steps

NOBODY = "No German stands there."
NOT_YOURS = "That Stack is not yours (The Co-Op Mode 4)."
MIXED = "Nobody joins the other player's Stack (The Co-Op Mode 1 and 10)."
TITLES = {
    "call": ("Call for Reinforcements", "Actions 1"),
    "long": ("Long Move", "Actions 2"),
    "short": ("Short Moves", "Actions 3"),
    "hasty": ("Hasty Attack", "Actions 4"),
    "deliberate": ("Deliberate Attack", "Actions 5"),
}


# What is legal


def judge_long_start(play: Play, hex: str) -> tuple[str, ...]:
    """What speaks against a Long Move of the Stack in a hex."""
    if hex not in play.germans:
        return (NOBODY,)
    if not play.is_own(hex):
        return (NOT_YOURS,)
    first = [each for each in play.board.next_to[hex] if not judge_long_path(play, hex, [each], on_the_way=True)]
    found = _judge_start(play, hex)
    return found or (() if first else ("One Long Move: no hex that it could enter.",))


def _judge_start(play: Play, hex: str) -> tuple[str, ...]:
    beside = play.is_next_to(Side.SOVIET, hex)
    return list_long_move_objections(Terrain(play.board.terrain[hex]), beside, False, [PathHex(Terrain.CLEAR)])


def judge_long_path(play: Play, start: str, path: list[str], on_the_way: bool = False) -> tuple[str, ...]:
    """What speaks against a path of one hex or two. ``on_the_way``: it goes on, so Germans may stand there."""
    if any(hex not in play.board.next_to[before] for before, hex in zip([start, *path], path, strict=False)):
        return ("One Long Move: hex by hex.",)
    if any(hex in play.soviets for hex in path):
        return ("One Long Move: Soviets stand there.",)
    if path[-1] == start:
        return ("One Long Move: it ends where it began.",)
    hexes = [
        PathHex(
            Terrain(play.board.terrain[hex]),
            play.is_next_to(Side.SOVIET, hex),
            0 if on_the_way else len(play.germans.get(hex, ())),
        )
        for hex in path
    ]
    found = list_long_move_objections(Terrain.CLEAR, False, False, hexes)
    if found or not on_the_way or path[-1] not in play.germans:
        return found
    return () if _list_second(play, start, path[-1]) else ("One Long Move: it cannot end beyond those Germans.",)


def _list_second(play: Play, start: str, first: str) -> list[str]:
    return [hex for hex in play.board.next_to[first] if not judge_long_path(play, start, [first, hex])]


def judge_short(play: Play, start: str, hex: str, keys: Sequence[str]) -> tuple[str, ...]:
    """What speaks against a Short Move of some from a hex to another."""
    if hex not in play.board.next_to[start]:
        return ("Up to two Short Moves: one hex each.",)
    if not play.may_join(keys, hex):
        return (MIXED,)
    after = len(play.germans.get(hex, ())) + len(keys)
    move = ShortMove(after, play.is_next_to(Side.SOVIET, hex), len(play.soviets.get(hex, ())))
    return list_short_move_objections([move])


def judge_hasty(play: Play, start: str, hex: str, keys: Sequence[str]) -> tuple[str, ...]:
    """What speaks against a Hasty Attack by some who move from a hex to another."""
    if hex not in play.board.next_to[start]:
        return ("One Hasty Attack: the move goes one hex (B21).",)
    if hex in play.soviets:
        return ("One Hasty Attack: Soviets stand there.",)
    if not play.may_join(keys, hex):
        return (MIXED,)
    return list_hasty_objections(
        next_to_soviet_at_start=play.is_next_to(Side.SOVIET, start),
        not_next_to_target=not play.is_next_to(Side.SOVIET, hex),
        stack_after=len(play.germans.get(hex, ())) + len(keys),
    )


def judge_deliberate(play: Play, target: str) -> tuple[str, ...]:
    """What speaks against a Deliberate Attack on a hex."""
    if target not in play.soviets:
        return ("One Deliberate Attack: no Soviets stand there.",)
    stacks = play.list_beside(Side.GERMAN, target)
    if stacks and not any(map(play.is_own, stacks)):
        return ("One Deliberate Attack: one Stack at least is yours (The Co-Op Mode 10).",)
    return list_deliberate_objections(attacking_stacks=len(stacks), not_next_to_target=not stacks)


def list_starts(play: Play, kind: str, moved: Iterable[str] = ()) -> list[str]:
    """The hexes from which an action can be made, or, of a Deliberate Attack, against which."""
    if kind == "deliberate":
        return [hex for hex in play.soviets if not judge_deliberate(play, hex)]
    if kind == "long":
        return [hex for hex in play.germans if not judge_long_start(play, hex)]
    gone = set(moved)
    return [
        start
        for start, keys in play.germans.items()
        if play.is_own(start) and _can_leave(play, kind, start, [key for key in keys if key not in gone])
    ]


def _can_leave(play: Play, kind: str, start: str, keys: list[str]) -> bool:
    """Whether one of those in a hex at least has a hex to go to."""
    judge = judge_short if kind == "short" else judge_hasty
    each_alone = keys if play.players.are_two_germans else keys[:1]  # with one player all are alike
    return any(not judge(play, start, hex, [key]) for hex in play.board.next_to[start] for key in each_alone)


# The turn


def _german_turn(play: Play, task: Json, answer: Answer) -> None:
    play.state["side"], play.state["action"] = play.active, {}
    if play.count_deck(Side.SOVIET) == 0:
        play.state["extra_used"] += 1
        play.tell(f"Extra turn {play.state['extra_used']} (OKH).", "german")
    play.do(to_do("action"), to_do("judge"), to_do("soviet_turn"))


def _list_kinds(play: Play) -> list[str]:
    kinds = [kind for kind in ("deliberate", "hasty", "long") if list_starts(play, kind)]
    return [*kinds, "call", "short"]


def _want_action(play: Play, task: Json) -> Wanted:
    choices = [Choice(kind, TITLES[kind][0], _describe_action(play, kind)) for kind in _list_kinds(play)]
    return ask(play, f"Turn {play.state['turn']}: which action?", choices, "The Actions")


def _describe_action(play: Play, kind: str) -> str:
    if kind == "call":
        left = sum(map(len, play.state["rows"]))
        return f"{left} Units wait; six dice pick them."
    if kind == "short":
        return "Two Stacks or parts, one hex each; none is a pass."
    starts = list_starts(play, kind)
    return f"{'Against' if kind == 'deliberate' else 'From'} {', '.join(starts)}."


def _explain_action(play: Play, task: Json, choice: str) -> str:
    reasons = {
        "long": "No Stack stands in a Clear hex away from Soviets with such a hex beside it (Actions 2).",
        "hasty": "No Stack away from Soviets has a hex next to Soviets beside it (Actions 4).",
        "deliberate": "No German stands next to Soviets (Actions 5).",
    }
    return reasons.get(choice, "")


def _action(play: Play, task: Json, answer: Answer) -> None:
    kind = str(answer)
    play.state["action"] = {"kind": kind}
    title, rule = TITLES[kind]
    play.tell(f"{title} ({rule}).", "german")
    if kind == "call":
        number = count_call_cards(play.has_leader(Side.GERMAN, "paulus"))
        play.do(to_do("draw", side="german", number=number, cause="a Call"), to_do("call"))
    elif kind == "short":
        play.do(to_do("move", kind=kind, moved=[], left=2))
    elif kind == "hasty":
        play.do(to_do("move", kind=kind, moved=[], left=1))
    else:
        play.do(to_do("long" if kind == "long" else "target"))


# Call


def _want_call(play: Play, task: Json) -> Wanted:
    return throw_pool("call", ROWS, "Reinforcements: six dice", "Actions 1", side=play.active)


def _call(play: Play, task: Json, answer: Answer) -> None:
    faces, rows = as_faces(answer), play.state["rows"]
    waits = "6th_panzer" in play.state["advantages"]["german"] and not play.state["raus"]
    call = pick_up([len(row) for row in rows], faces, play.state["removed"], waits)
    picked = [key for row, number in zip(rows, call.picked, strict=True) for key in row[:number]]
    for row, number in zip(rows, call.picked, strict=True):
        del row[:number]
    shown = " ".join(map(str, sorted(faces)))
    names = play.call(picked) if play.players.is_soviet_played else ", ".join(play.block(key).name for key in picked)
    play.tell(f"{shown}: {names or 'nobody'} (Call for Reinforcements).", "german")
    if call.raus:
        _open_sixth_panzer(play)
    for number in call.remove:
        if (key := play.content.track[number - 1]) and _remove(play, key, picked):
            play.state["removed"].append(number)
    arriving = [key for key in picked if play.at(key) != REMOVED]
    play.do(to_do("place", blocks=sorted(arriving, key=lambda key: _find_placer(play, key) != play.active)))


def _find_placer(play: Play, key: str) -> str:
    """Who places a Unit that was picked up: its own player, of White ones whoever called (Co-Op 9)."""
    colour = play.block(key).colour
    return colour if play.players.are_two_germans and colour != Colour.WHITE else play.active


def _remove(play: Play, key: str, picked: list[str]) -> bool:
    """The Unit named at an empty row goes, where it is on the map or has just been picked up (B44, B45)."""
    if play.at(key) in (OUT, "dead", REMOVED) or (play.at(key) == TRACK and key not in picked):
        return False
    play.put(key, REMOVED)
    play.tell(f"{play.block(key).name} is Removed (Call for Reinforcements).", "german")
    return True


def _open_sixth_panzer(play: Play) -> None:
    play.state["raus"] = True
    play.tell("Raus comes; the 6th Panzer Division joins the track (6th Panzer).", "german")
    axe = [each.key for each in play.content.of_side("german") if "axe" in each.marks]
    for key in axe:
        play.put(key, TRACK, play.block(key).top)
    before = _count_rows(play)
    for number, key in enumerate(axe):
        _return(play, key, before, number)


def _count_rows(play: Play) -> list[int]:
    return [len(row) for row in play.state["rows"]]


def _return(play: Play, key: str, before: list[int], number: int) -> None:
    """A Unit goes back to the emptiest row (B20), in front of who is left there (B61).

    ``before``: how many stood in each row before ``number`` others of the same Call went back.
    """
    now, after = (put_back(before, count, play.recounts) for count in (number, number + 1))
    row = next(place for place in range(ROWS) if after[place] > now[place])
    play.state["rows"][row].insert(0, key)


def list_arrival_hexes(play: Play, key: str) -> list[str]:
    """Where a Unit may arrive: Spawn Hexes of its colour that are held and have room, the fullest first."""
    colour = Colour(play.block(key).colour)
    held = _list_open(play, key, list_deploy_hexes(colour))
    if play.players.are_two_germans and colour is Colour.WHITE:
        caller = Colour(play.active)
        held = _list_open(play, key, list_deploy_hexes(colour, caller)) or held
    return sorted(held, key=lambda hex: -len(play.germans.get(hex, ())))


def _list_open(play: Play, key: str, hexes: Iterable[str]) -> list[str]:
    """Those hexes that are held, have room, and in which no Unit of another colour stands with two players."""
    held = (hex for hex in hexes if play.holds(Side.GERMAN, hex) and play.has_room(hex))
    return [hex for hex in held if play.may_stand([key], hex)]


def _list_with_same_placer(play: Play, blocks: list[str]) -> list[str]:
    return [key for key in blocks if _find_placer(play, key) == _find_placer(play, blocks[0])]


def list_rivals(play: Play, key: str, waiting: list[str]) -> list[str]:
    """The others who want the room of a Unit, where there is too little of it for all: who comes is a choice (B67)."""
    wants = {each: {*_list_open(play, each, list_deploy_hexes(Colour(play.block(each).colour)))} for each in waiting}
    rivals = [each for each in waiting if each != key and wants[each] & wants[key]]
    room = sum(MOST_UNITS - len(play.germans.get(hex, ())) for hex in wants[key])
    return rivals if len(rivals) >= room else []


def _want_place(play: Play, task: Json) -> Wanted:
    blocks = task["blocks"]
    if not blocks or not list_arrival_hexes(play, blocks[0]):
        return None
    waiting = _list_with_same_placer(play, blocks)
    name, side = play.block(blocks[0]).name, _find_placer(play, blocks[0])
    rivals = list_rivals(play, blocks[0], waiting)
    hexes = [at_hex(hex) for hex in list_arrival_hexes(play, blocks[0])]
    others = [Choice(f"block-{key}", f"First {play.block(key).name}", _describe_arrival(play, key)) for key in rivals]
    question = f"Room is short: where does {name} arrive, or who before it?" if rivals else f"Where does {name} arrive?"
    secret = play.players.is_soviet_played and bool(others)
    choices = (*_offer_all(play, waiting), *hexes, *others)
    return ask(play, question, choices, "Call for Reinforcements", side, secret)


def _offer_all(play: Play, waiting: list[str]) -> list[Choice]:
    if len(waiting) < 2:
        return []
    is_short = any(list_rivals(play, key, waiting) or not list_arrival_hexes(play, key) for key in waiting)
    number = "as many as there is room for" if is_short else f"all {len(waiting)}"
    return [Choice("all", f"Place {number}, fullest hexes first")]


def _describe_arrival(play: Play, key: str) -> str:
    block = play.block(key)
    return f"{block.colour.capitalize()}, {block.top} {block.fire[-1]}"


def _place(play: Play, task: Json, answer: Answer) -> None:
    blocks = [*task["blocks"]]
    before, number = task.get("before") or _count_rows(play), task.get("number", 0)
    together = _list_with_same_placer(play, blocks) if blocks else []
    if isinstance(answer, str) and answer.startswith("block-"):
        first = answer.removeprefix("block-")
        play.do({**task, "blocks": [first, *(key for key in blocks if key != first)]})
        return
    while blocks:
        answer = answer if blocks[0] in together else None
        hexes = list_arrival_hexes(play, blocks[0])
        if hexes and answer is None:
            play.do({**task, "blocks": blocks, "before": before, "number": number})
            return
        key = blocks.pop(0)
        if not hexes:
            play.tell(f"{_name_one(play, key)} has no room, and goes back to the track (Actions 1).", "german")
            _return(play, key, before, number)
            number += 1
            continue
        hex = hexes[0] if answer == "all" else str(answer).removeprefix("hex-")
        play.put(key, hex, play.block(key).top)
        play.tell(f"{_name_one(play, key)} arrives in {hex}.", "german", hex)
        answer = answer if answer == "all" else None


def _name_one(play: Play, key: str) -> str:
    return "A German block" if play.players.is_soviet_played else play.block(key).name


# Moves


def _explain_hex(judge: Callable[[Play, Json, str], tuple[str, ...]]) -> Callable[[Play, Json, str], str]:
    def explain(play: Play, task: Json, choice: str) -> str:
        hex = choice.removeprefix("hex-")
        return " ".join(judge(play, task, hex)) if hex in play.board.hexes else ""

    return explain


def find_long_ways(play: Play, start: str) -> dict[str, list[list[str]]]:
    """Every hex where a Long Move of the Stack may end, with the ways there between which there is a choice (B60).

    A way that gains no more than another one is left out; of those that gain the same the shortest is kept.
    """
    found: dict[str, list[list[str]]] = {}
    for first in play.board.next_to[start]:
        if judge_long_path(play, start, [first], on_the_way=True):
            continue
        ways = [[first, second] for second in _list_second(play, start, first)]
        for way in ([first], *ways) if not judge_long_path(play, start, [first]) else ways:
            found.setdefault(way[-1], []).append(way)
    return {end: _list_worthwhile(play, ways) for end, ways in found.items()}


def _list_worthwhile(play: Play, ways: list[list[str]]) -> list[list[str]]:
    """The best of each gain that no other way surpasses, those that gain most first."""
    gains: dict[frozenset[str], list[str]] = {}
    for way in sorted(ways, key=len):
        gains.setdefault(_find_gain(play, way), way)
    kept = [gain for gain in gains if not any(gain < other for other in gains)]
    return [gains[gain] for gain in sorted(kept, key=len, reverse=True)]


def _find_gain(play: Play, way: list[str]) -> frozenset[str]:
    """The hexes of a way that bring more than control: Spawn Hexes, those of OKH, fortifications, Chuikov's HQ."""
    works = {*play.state["fortified"], play.state["hq"]}
    goals = {hex for hex in {*SOVIET_SPAWN, *GERMAN_SPAWN, *OKH_HEXES} if not play.holds(Side.GERMAN, hex)}
    return frozenset((works | goals).intersection(way))


def _want_long(play: Play, task: Json) -> Wanted:
    """Stack, then the hex where it ends."""
    if "start" not in task:
        hexes = list_starts(play, "long")
        return ask(play, "Which Stack moves?", [_stack_at(play, hex) for hex in hexes], "Actions 2")
    ways = find_long_ways(play, task["start"])
    if "end" in task:
        first = [at_hex(way[0], f"By {way[0]}", _name_gain(play, way)) for way in ways[task["end"]]]
        question = f"From {task['start']} to {task['end']}: by which hex?"
        return ask(play, question, (*first, Choice("back", "Another Stack")), "Actions 2")
    ends = [at_hex(hex) for hex in ways]
    return ask(play, f"From {task['start']} to?", (*ends, Choice("back", "Another Stack")), "Actions 2")


def _name_gain(play: Play, way: list[str]) -> str:
    return f"Gains {' and '.join(hex for hex in way if hex in _find_gain(play, way))}."


def _stack_at(play: Play, hex: str) -> Choice:
    return at_hex(hex, words=play.names(play.germans[hex]))


def _judge_long_step(play: Play, task: Json, hex: str) -> tuple[str, ...]:
    if "start" not in task:
        return judge_long_start(play, hex)
    start = task["start"]
    if hex in find_long_ways(play, start):
        return ()
    beside = [first for first in play.board.next_to[start] if hex in play.board.next_to[first]]
    ways = [[hex]] if hex in play.board.next_to[start] else [[first, hex] for first in beside]
    return judge_long_path(play, start, ways[0]) if ways else ("One Long Move: two hexes at most.",)


def _long(play: Play, task: Json, answer: Answer) -> None:
    hex = str(answer).removeprefix("hex-")
    if answer == "back" or "start" not in task:
        play.do(to_do("long") if answer == "back" else {**task, "start": hex})
        return
    start, ways = task["start"], find_long_ways(play, task["start"])[task.get("end", hex)]
    if "end" not in task and len(ways) > 1:
        play.do({**task, "end": hex})
        return
    way = next(way for way in ways if "end" not in task or way[0] == hex)
    keys = [*play.germans[start]]
    play.tell(f"{play.call(keys)}: {start} to {' and '.join(way)} (Long Move).", "german", way[-1])
    for each in way:
        play.enter(keys, each)


def _want_move(play: Play, task: Json) -> Wanted:
    """Short Moves, and the move of a Hasty Attack: Stack, whole or part, hex."""
    kind, rule = task["kind"], TITLES[task["kind"]][1]
    if "start" not in task:
        starts = [_stack_at(play, hex) for hex in list_starts(play, kind, task["moved"])]
        done = [Choice("done", "No more moves" if task["moved"] else "Move nobody: pass")] if kind == "short" else []
        return ask(play, "Which Stack moves?", (*starts, *done), rule) if starts or done else None
    picked = task["picked"]
    hexes = [hex for hex in play.board.next_to[task["start"]] if picked and not _judge_move(play, task, hex)]
    movable = [key for key in play.germans[task["start"]] if key not in task["moved"]]
    parts = [
        Choice(f"block-{key}", f"{'Without' if key in picked else 'With'} {play.block(key).name}", play.names([key]))
        for key in movable
        if len(movable) > 1
    ]
    back = Choice("back", "Another Stack")
    question = f"{play.names(picked) or 'Nobody yet'}: to which hex?"
    choices = (*(at_hex(hex) for hex in hexes), *parts, back)
    return ask(play, question, choices, rule, secret=play.players.is_soviet_played and bool(parts))


def _judge_move(play: Play, task: Json, hex: str) -> tuple[str, ...]:
    if "start" not in task:
        if hex not in play.germans:
            return (NOBODY,)
        if not play.is_own(hex):
            return (NOT_YOURS,)
        lone = [key for key in play.germans[hex] if key not in task["moved"]][:1]
        judged = [_judge_move(play, {**task, "start": hex, "picked": lone}, each) for each in play.board.next_to[hex]]
        return () if any(not found for found in judged) else judged[0]
    judge = judge_short if task["kind"] == "short" else judge_hasty
    return judge(play, task["start"], hex, task["picked"])


def _move(play: Play, task: Json, answer: Answer) -> None:
    choice = str(answer)
    if answer is None or choice == "done":
        return  # nobody could go, or nobody shall
    if choice == "back":
        play.do({name: value for name, value in task.items() if name not in ("start", "picked")})
    elif choice.startswith("block-"):
        key = choice.removeprefix("block-")
        picked = [each for each in task["picked"] if each != key]
        play.do({**task, "picked": picked if key in task["picked"] else [*picked, key]})
    elif "start" not in task:
        hex = choice.removeprefix("hex-")
        whole = [key for key in play.germans[hex] if key not in task["moved"]]
        play.do({**task, "start": hex, "picked": whole})
    else:
        _move_into(play, task, choice.removeprefix("hex-"))


def _move_into(play: Play, task: Json, hex: str) -> None:
    picked, kind = task["picked"], task["kind"]
    play.tell(f"{play.call(picked)}: {task['start']} to {hex}.", "german", hex)
    if kind == "hasty":
        play.do(to_do("hasty_target", hex=hex))
    elif task["left"] > 1:
        play.do(to_do("move", kind=kind, moved=[*task["moved"], *picked], left=task["left"] - 1))
    play.enter(picked, hex)


# Attacks


def _want_hasty_target(play: Play, task: Json) -> Wanted:
    targets = play.list_beside(Side.SOVIET, task["hex"])
    if len(targets) < 2:
        return None
    return ask(play, "Which Soviet Stack?", [_soviets_at(play, hex) for hex in targets], "Actions 4")


def _soviets_at(play: Play, hex: str) -> Choice:
    number, words = len(play.soviets[hex]), [play.board.terrain[hex]]
    words += ["rubble"] if hex in play.state["rubble"] else []
    return at_hex(hex, words=f"{number} Soviet block{'s' if number > 1 else ''}, {', '.join(words)}")


def _hasty_target(play: Play, task: Json, answer: Answer) -> None:
    targets = play.list_beside(Side.SOVIET, task["hex"])
    target = str(answer).removeprefix("hex-") if answer else targets[0]
    play.tell(f"Hasty Attack on {target} from {task['hex']} (Actions 4).", "german", target)
    open_combat(play, Side.GERMAN, target, [task["hex"]], deliberate=False)


def _want_target(play: Play, task: Json) -> Wanted:
    targets = list_starts(play, "deliberate")
    return ask(play, "Which Soviet Stack?", [_soviets_at(play, hex) for hex in targets], "Actions 5")


def _target(play: Play, task: Json, answer: Answer) -> None:
    target = str(answer).removeprefix("hex-")
    beside = play.list_beside(Side.GERMAN, target)
    play.do(to_do("assault", target=target, hexes=[hex for hex in beside if play.find_owner(hex) in ("", play.active)]))


def list_card_choices(play: Play) -> list[tuple[str, ...]]:
    """Cards that may be played together in a Deliberate Attack: each alone, with Linden Pioneers in any number."""
    hand = [GermanCard(card) for card in play.hand if card not in GERMAN_LEADERS]
    linden = play.has_leader(Side.GERMAN, "linden")
    single = [(card,) for card in dict.fromkeys(hand)]
    pioneers = sorted(card for card in hand if card in PIONEERS)
    several = [cards for number in range(2, len(pioneers) + 1) for cards in combinations(pioneers, number)]
    found = [cards for cards in (*single, *several) if not list_card_objections(cards, True, linden)]
    return [tuple(str(card) for card in cards) for cards in dict.fromkeys(found)]


def _want_assault(play: Play, task: Json) -> Wanted:
    """Whole Stacks and a card in one question: all that stand beside it, and none, come first."""
    target, hexes, later = task["target"], task["hexes"], play.players.is_soviet_played
    go, cards = [], []
    if any(map(play.is_own, hexes)):
        go = [Choice("attack", "Attack" if later else "Attack without a card", _describe_assault(play, task, ()))]
        cards = [] if later else _offer_cards(play, task)
    beside = [hex for hex in play.list_beside(Side.GERMAN, target) if hex not in task.get("refused", [])]
    stacks = [
        Choice(f"hex-{hex}", f"{'Without' if hex in hexes else 'With'} {hex}", play.names(play.germans[hex]), place=hex)
        for hex in beside
        if len(beside) > 1
    ]
    question = f"{target} from {', '.join(hexes) or 'nowhere yet'}: {'attack' if later else 'which card'}?"
    return ask(play, question, (*go, *cards, *stacks, Choice("back", "Another target")), "Actions 5")


def _offer_cards(play: Play, about: Json) -> list[Choice]:
    """Each card, or Pioneers together, that may be played. ``about``: the target, and whence it is attacked."""
    return [
        Choice(
            "with-" + "-and-".join(each), f"Attack with {_name_cards(play, each)}", _describe_assault(play, about, each)
        )
        for each in list_card_choices(play)
    ]


def _name_cards(play: Play, cards: tuple[str, ...]) -> str:
    return " and ".join(play.card_name(Side.GERMAN, card) for card in cards)


def _describe_assault(play: Play, task: Json, cards: tuple[str, ...]) -> str:
    """Dice of the cards, and the chance of Rubble."""
    laid = [GermanCard(card) for card in cards]
    richthofen, values = play.has_leader(Side.GERMAN, "von_richthofen"), find_card_values(play)
    dice = sum_up_cards(laid, richthofen, values).dice
    words = [f"{dice} dice TF"] if dice else []
    keys = [key for hex in task["hexes"] for key in play.germans[hex]]
    panzers = sum(play.block(key).type in GERMAN_ARMOUR for key in keys)
    rubble, target = play.state["rubble"], task["target"]
    if not list_obstacles(play.board.terrain[target] == "urban", True, target in rubble, len(rubble)):
        added = sum(each.value for each in list_additions(laid, len(task["hexes"]), panzers, richthofen, False, values))
        ways = count_ways(find_sum(added)) if find_sum(added) <= 3 * DIE else 0
        words.append(f"Rubble {ways / 216:.0%}")
    return ", ".join(words)


def _assault(play: Play, task: Json, answer: Answer) -> None:
    choice = str(answer)
    if choice == "back":
        play.do(to_do("target"))
    elif choice.startswith("hex-"):
        hex, beside = choice.removeprefix("hex-"), play.list_beside(Side.GERMAN, task["target"])
        play.do({**task, "hexes": [each for each in beside if (each in task["hexes"]) != (each == hex)]})
    elif any(play.find_owner(hex) not in ("", play.active) for hex in task["hexes"]):
        play.do(to_do("agree", assault=task, choice=choice))
    else:
        _open_assault(play, task, choice)


def _open_assault(play: Play, task: Json, choice: str) -> None:
    cards, target = _read_cards(choice), task["target"]
    words = f" with {_name_cards(play, tuple(cards))}" if cards else ""
    play.tell(f"Deliberate Attack on {target} from {', '.join(task['hexes'])}{words}.", "german", target)
    open_combat(play, Side.GERMAN, target, [*task["hexes"]], deliberate=True, cards=cards)


def _read_cards(choice: str) -> list[str]:
    return choice.removeprefix("with-").split("-and-") if choice.startswith("with-") else []


def _list_asked(play: Play, task: Json) -> list[str]:
    """The Stacks of the other German player in an attack."""
    return [hex for hex in task["assault"]["hexes"] if play.find_owner(hex) not in ("", play.active)]


def _want_agreement(play: Play, task: Json) -> Wanted:
    """The other German player says whether his Stacks attack, too (Co-Op 10)."""
    asked, target = _list_asked(play, task), task["assault"]["target"]
    choices = (Choice("yes", f"Attack {target}, too", place=target), Choice("no", "Stay out of it"))
    question = f"{SIDES[play.active]} attacks {target}: does your Stack in {' and '.join(asked)} join?"
    return ask(play, question, choices, "The Co-Op Mode 10", play.find_owner(asked[0]))


def _agree(play: Play, task: Json, answer: Answer) -> None:
    if answer == "yes":
        _open_assault(play, task["assault"], task["choice"])
        return
    asked, assault = _list_asked(play, task), task["assault"]
    play.tell(f"{' and '.join(asked)} stays out of it (The Co-Op Mode 10).", "german")
    left = [hex for hex in assault["hexes"] if hex not in asked]
    play.do({**assault, "hexes": left, "refused": [*assault.get("refused", []), *asked]})


def _want_german_card(play: Play, task: Json) -> Wanted:
    """Against a Soviet player a card is laid unseen, after his (Combat Sequence 2)."""
    combat = play.state["combat"]
    cards = _offer_cards(play, combat) if combat["deliberate"] and combat["attacker"] == Side.GERMAN else []
    if not cards:
        return None
    none = Choice("none", "Attack without a card")
    return ask(play, f"{combat['target']}: which card?", (none, *cards), "Combat Sequence 2", secret=True)


def _lay_german_card(play: Play, task: Json, answer: Answer) -> None:
    play.state["combat"]["german_cards"] = _read_cards(str(answer))


def _judge_target(play: Play, task: Json, hex: str) -> tuple[str, ...]:
    return judge_deliberate(play, hex)


GERMAN_TURN: Steps = {
    "german_turn": Step(_german_turn),
    "action": Step(_action, _want_action, _explain_action),
    "call": Step(_call, _want_call),
    "place": Step(_place, _want_place),
    "long": Step(_long, _want_long, _explain_hex(_judge_long_step)),
    "move": Step(_move, _want_move, _explain_hex(_judge_move)),
    "hasty_target": Step(_hasty_target, _want_hasty_target),
    "target": Step(_target, _want_target, _explain_hex(_judge_target)),
    "assault": Step(_assault, _want_assault),
    "agree": Step(_agree, _want_agreement),
    "german_card": Step(_lay_german_card, _want_german_card),
}
