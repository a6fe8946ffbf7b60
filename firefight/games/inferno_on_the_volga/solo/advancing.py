"""What comes of a combat: who has won, advance, Blitz (Combat Sequence 11 to 13)."""

from firefight.engine.course.conducting import Answer, Choice, Wanted
from firefight.engine.values import Json

from ..rules.moves import find_advance, may_blitz
from ..rules.tables import Colour, Kind, Side, Terrain
from .engaging import find_fighter, leaves_ties, list_alive, weigh_block
from .play import Play, ask, at_hex, to_do
from .steps import Step, Steps


def _won(play: Play, task: Json, answer: Answer) -> None:
    combat = play.state["combat"]
    attacker = Side(combat["attacker"])
    alive = list_alive(play, attacker)
    if combat["target"] in play.stacks[attacker.other] or not alive:
        play.tell(f"{combat['target']} is held." if alive else f"Nobody is left to enter {combat['target']}.")
        return
    advance = find_advance(attacker, [play.dots(key) for key in alive])
    candidates = [alive[place] for place in advance.candidates]
    if attacker is Side.SOVIET:
        play.do(to_do("soviet_advance", candidates=candidates))
        return
    best = sorted(candidates, key=lambda key: weigh_block(play, key), reverse=True)
    best = sorted(best, key=play.dots, reverse=True)
    best = _keep_one_colour(play, best)[: advance.most]
    play.do(to_do("advance", candidates=candidates, picked=best, most=advance.most))


def _keep_one_colour(play: Play, keys: list[str]) -> list[str]:
    """Those who can stand in one hex: with two players no Blue with Yellow; only those of the one whose turn it is."""
    if play.may_stand(keys, ""):
        return keys
    return [key for key in keys if play.block(key).colour in (play.active, Colour.WHITE)]


def _want_soviet_advance(play: Play, task: Json) -> Wanted:
    candidates = task["candidates"]
    if len(candidates) < 2 or leaves_ties(play):
        return None
    choices = [Choice(f"block-{key}", play.block(key).name, play.names([key])) for key in candidates]
    question = "Which of the strongest Soviets advances?"
    return ask(play, question, choices, "Advance after Combat", find_fighter(play))


def _soviet_advance(play: Play, task: Json, answer: Answer) -> None:
    key = answer.removeprefix("block-") if isinstance(answer, str) else min(task["candidates"])
    play.tell(
        f"The strongest Soviet block advances into {play.state['combat']['target']}.",
        "soviet",
        play.state["combat"]["target"],
    )
    play.enter([key], play.state["combat"]["target"])


def _want_advance(play: Play, task: Json) -> Wanted:
    if len(task["candidates"]) == 1:
        return None
    picked, target = task["picked"], play.state["combat"]["target"]
    go = [Choice("go", f"Advance with {len(picked)}", play.names(picked), place=target)] if picked else []
    blocks = [
        Choice(
            f"block-{key}", f"{'Not' if key in picked else 'Also'} {play.block(key).name}", play.describe_german(key)
        )
        for key in task["candidates"]
        if key in picked or (len(picked) < task["most"] and play.may_stand([*picked, key], ""))
    ]
    return ask(play, f"Who advances into {target}?", (*go, *blocks), "Advance after Combat")


def _advance(play: Play, task: Json, answer: Answer) -> None:
    if isinstance(answer, str) and answer != "go":
        key = answer.removeprefix("block-")
        picked = [other for other in task["picked"] if other != key]
        play.do({**task, "picked": picked if key in task["picked"] else [*picked, key]})
        return
    target, picked = play.state["combat"]["target"], task["picked"]
    advance = "advances" if len(picked) == 1 else "advance"
    play.tell(f"{play.names(picked)} {advance} into {target} (Advance after Combat).", "german", target)
    play.do(*[to_do("blitz", block=key) for key in picked])
    play.enter(picked, target)


def list_blitz_hexes(play: Play, key: str) -> list[str]:
    """Where a block that has advanced may go on to (Blitz Movement; B47)."""
    start, hoth, kind = play.at(key), play.has_leader(Side.GERMAN, "hoth"), Kind(play.block(key).type)
    terrain = play.board.terrain
    return [
        hex
        for hex in play.board.next_to[start]
        if may_blitz(hoth, kind, Terrain(terrain[start]), Terrain(terrain[hex]), hex in play.soviets)
        and play.has_room(hex)
        and play.may_join([key], hex)
    ]


def _want_blitz(play: Play, task: Json) -> Wanted:
    hexes = list_blitz_hexes(play, task["block"])
    if not hexes:
        return None
    several = any(other["do"] == "blitz" for other in play.todo[-2:-1])
    stay = [Choice("stay", "Stay")] + ([Choice("all", "All stay")] if several else [])
    choices = (*stay, *(at_hex(hex) for hex in hexes))
    return ask(play, f"Blitz with {play.block(task['block']).name}?", choices, "Blitz Movement")


def _blitz(play: Play, task: Json, answer: Answer) -> None:
    if answer == "all":
        play.todo[:] = [other for other in play.todo if other["do"] != "blitz"]
    elif isinstance(answer, str) and answer != "stay":
        hex = answer.removeprefix("hex-")
        play.tell(f"{play.block(task['block']).name} goes on to {hex} (Blitz Movement).", "german", hex)
        play.enter([task["block"]], hex)


def _conceal(play: Play, task: Json, answer: Answer) -> None:
    play.state["combat"] = None
    play.rests = True


ADVANCE: Steps = {
    "won": Step(_won),
    "soviet_advance": Step(_soviet_advance, _want_soviet_advance),
    "advance": Step(_advance, _want_advance),
    "blitz": Step(_blitz, _want_blitz),
    "conceal": Step(_conceal),
}
