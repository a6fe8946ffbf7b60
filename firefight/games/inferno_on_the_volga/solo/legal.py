"""What a German may do: what speaks against a start, a way, a target (The Actions 2 to 5).

For each question one function decides what may be chosen; the hexes that it does not object to are offered.
"""

from collections.abc import Callable, Iterable, Sequence

from firefight.engine.values import Json

from ..rules.moves import (
    PathHex,
    PlannedAttack,
    ShortMove,
    list_deliberate_objections,
    list_hasty_objections,
    list_long_move_objections,
    list_short_move_objections,
)
from ..rules.tables import Side, Terrain
from .play import Play

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


def judge_long_start(play: Play, hex: str) -> tuple[str, ...]:
    """What speaks against a Long Move of the Stack in a hex."""
    if hex not in play.germans:
        return (NOBODY,)
    if not play.is_own(hex):
        return (NOT_YOURS,)
    first_steps = [
        neighbour
        for neighbour in play.board.next_to[hex]
        if not judge_long_path(play, hex, [neighbour], on_the_way=True)
    ]
    objections = _judge_start(play, hex)
    return objections or (() if first_steps else ("One Long Move: no hex that it could enter.",))


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
    objections = list_long_move_objections(Terrain.CLEAR, False, False, hexes)
    if objections or not on_the_way or path[-1] not in play.germans:
        return objections
    return () if list_second(play, start, path[-1]) else ("One Long Move: it cannot end beyond those Germans.",)


def list_second(play: Play, start: str, first: str) -> list[str]:
    """The hexes where a Long Move may end that enters another one first."""
    return [hex for hex in play.board.next_to[first] if not judge_long_path(play, start, [first, hex])]


def judge_short(play: Play, start: str, hex: str, keys: Sequence[str]) -> tuple[str, ...]:
    """What speaks against a Short Move of some Units from a hex to another."""
    if hex not in play.board.next_to[start]:
        return ("Up to two Short Moves: one hex each.",)
    if not play.may_join(keys, hex):
        return (MIXED,)
    after = len(play.germans.get(hex, ())) + len(keys)
    move = ShortMove(after, play.is_next_to(Side.SOVIET, hex), len(play.soviets.get(hex, ())))
    return list_short_move_objections([move])


def judge_hasty(play: Play, start: str, hex: str, keys: Sequence[str]) -> tuple[str, ...]:
    """What speaks against a Hasty Attack by some Units that move from a hex to another."""
    if hex not in play.board.next_to[start]:
        return ("One Hasty Attack: the move goes one hex (B21).",)
    if hex in play.soviets:
        return ("One Hasty Attack: Soviets stand there.",)
    if not play.may_join(keys, hex):
        return (MIXED,)
    attack = PlannedAttack(
        next_to_soviet_at_start=play.is_next_to(Side.SOVIET, start),
        not_next_to_target=not play.is_next_to(Side.SOVIET, hex),
        stack_after=len(play.germans.get(hex, ())) + len(keys),
    )
    return list_hasty_objections(attack)


def judge_deliberate(play: Play, target: str) -> tuple[str, ...]:
    """What speaks against a Deliberate Attack on a hex."""
    if target not in play.soviets:
        return ("One Deliberate Attack: no Soviets stand there.",)
    stacks = play.list_beside(Side.GERMAN, target)
    if stacks and not any(map(play.is_own, stacks)):
        return ("One Deliberate Attack: one Stack at least is yours (The Co-Op Mode 10).",)
    return list_deliberate_objections(PlannedAttack(attacking_stacks=len(stacks), not_next_to_target=not stacks))


def list_starts(play: Play, kind: str, moved: Iterable[str] = ()) -> list[str]:
    """The hexes from which an action can be made, or, for a Deliberate Attack, against which."""
    if kind == "deliberate":
        return [hex for hex in play.soviets if not judge_deliberate(play, hex)]
    if kind == "long":
        return [hex for hex in play.germans if not judge_long_start(play, hex)]
    moved_keys = set(moved)
    return [
        start
        for start, keys in play.germans.items()
        if play.is_own(start) and _can_leave(play, kind, start, [key for key in keys if key not in moved_keys])
    ]


def _can_leave(play: Play, kind: str, start: str, keys: list[str]) -> bool:
    """Whether at least one of the Units in a hex has a hex to go to."""
    judge = judge_short if kind == "short" else judge_hasty
    singles = keys if play.players.are_two_germans else keys[:1]  # with one player all are alike
    return any(not judge(play, start, hex, [key]) for hex in play.board.next_to[start] for key in singles)


def explain_hex(judge: Callable[[Play, Json, str], tuple[str, ...]]) -> Callable[[Play, Json, str], str]:
    """Why a hex may not be chosen, by what speaks against it."""

    def explain(play: Play, task: Json, choice: str) -> str:
        hex = choice.removeprefix("hex-")
        return " ".join(judge(play, task, hex)) if hex in play.board.hexes else ""

    return explain
