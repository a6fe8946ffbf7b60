"""A Long Move, Short Moves, and the move of a Hasty Attack (Actions 2 to 4)."""

from firefight.engine.course.conducting import Answer, Choice, Wanted
from firefight.engine.values import Json

from ..rules.tables import GERMAN_SPAWN, OKH_HEXES, SOVIET_SPAWN, Side
from .legal import (
    NOBODY,
    NOT_YOURS,
    TITLES,
    explain_hex,
    judge_hasty,
    judge_long_path,
    judge_long_start,
    judge_short,
    list_second,
    list_starts,
)
from .play import Play, ask, at_hex, to_do
from .steps import Step, Steps


def find_long_ways(play: Play, start: str) -> dict[str, list[list[str]]]:
    """Every hex where a Long Move of the Stack may end, with the ways there between which there is a choice (B60).

    A way that gains no more than another one is left out; among those that gain the same the shortest is kept.
    """
    ways_by_end: dict[str, list[list[str]]] = {}
    for first in play.board.next_to[start]:
        if judge_long_path(play, start, [first], on_the_way=True):
            continue
        ways = [[first, second] for second in list_second(play, start, first)]
        for way in ([first], *ways) if not judge_long_path(play, start, [first]) else ways:
            ways_by_end.setdefault(way[-1], []).append(way)
    return {end: _list_worthwhile(play, ways) for end, ways in ways_by_end.items()}


def _list_worthwhile(play: Play, ways: list[list[str]]) -> list[list[str]]:
    """The best way for each gain that no other surpasses, those that gain most first."""
    gains: dict[frozenset[str], list[str]] = {}
    for way in sorted(ways, key=len):
        gains.setdefault(_find_gain(play, way), way)
    best_gains = [gain for gain in gains if not any(gain < other for other in gains)]
    return [gains[gain] for gain in sorted(best_gains, key=len, reverse=True)]


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
    play.tell(f"{play.name_germans(keys)}: {start} to {' and '.join(way)} (Long Move).", "german", way[-1])
    for step in way:
        play.enter(keys, step)


def _want_move(play: Play, task: Json) -> Wanted:
    """Short Moves, and the move of a Hasty Attack: Stack, whole or part, hex."""
    kind, rule = task["kind"], TITLES[task["kind"]][1]
    if "start" not in task:
        starts = [_stack_at(play, hex) for hex in list_starts(play, kind, task["moved"])]
        done = [Choice("done", "No more moves" if task["moved"] else "Move nobody: pass")] if kind == "short" else []
        return ask(play, "Which Stack moves?", (*starts, *done), rule) if starts or done else None
    return _ask_way(play, task)


def _ask_way(play: Play, task: Json) -> Wanted:
    """The hexes that are open to those who are picked, and who else may go with them or stay."""
    picked = task["picked"]
    hexes = [hex for hex in play.board.next_to[task["start"]] if picked and not _judge_move(play, task, hex)]
    movable = [key for key in play.germans[task["start"]] if key not in task["moved"]]
    block_choices = [
        Choice(
            f"block-{key}",
            f"{'Without' if key in picked else 'With'} {play.block(key).name}",
            play.describe_german(key),
        )
        for key in movable
        if len(movable) > 1
    ]
    question = f"{play.names(picked) or 'Nobody yet'}: to which hex?"
    choices = (*map(at_hex, hexes), *block_choices, Choice("back", "Another Stack"))
    return ask(play, question, choices, TITLES[task["kind"]][1], secret=play.players.is_soviet_played)


def _judge_move(play: Play, task: Json, hex: str) -> tuple[str, ...]:
    if "start" not in task:
        if hex not in play.germans:
            return (NOBODY,)
        if not play.is_own(hex):
            return (NOT_YOURS,)
        lone = [key for key in play.germans[hex] if key not in task["moved"]][:1]
        judged = [
            _judge_move(play, {**task, "start": hex, "picked": lone}, neighbour)
            for neighbour in play.board.next_to[hex]
        ]
        return () if any(not objections for objections in judged) else judged[0]
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
        picked = [other for other in task["picked"] if other != key]
        play.do({**task, "picked": picked if key in task["picked"] else [*picked, key]})
    elif "start" not in task:
        hex = choice.removeprefix("hex-")
        whole = [key for key in play.germans[hex] if key not in task["moved"]]
        play.do({**task, "start": hex, "picked": whole})
    else:
        _move_into(play, task, choice.removeprefix("hex-"))


def _move_into(play: Play, task: Json, hex: str) -> None:
    picked, kind = task["picked"], task["kind"]
    play.tell(f"{play.name_germans(picked)}: {task['start']} to {hex}.", "german", hex)
    if kind == "hasty":
        play.do(to_do("hasty_target", hex=hex))
    elif task["left"] > 1:
        play.do(to_do("move", kind=kind, moved=[*task["moved"], *picked], left=task["left"] - 1))
    play.enter(picked, hex)


MOVES: Steps = {
    "long": Step(_long, _want_long, explain_hex(_judge_long_step)),
    "move": Step(_move, _want_move, explain_hex(_judge_move)),
}
