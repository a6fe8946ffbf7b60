"""A Call for Reinforcements: who comes, who goes back to the Track, where they arrive (Actions 1)."""

from collections.abc import Iterable, Mapping

from firefight.engine.course.conducting import Answer, Choice, Wanted
from firefight.engine.values import Json

from ..rules.reinforcements import list_deploy_hexes, pick_up, put_back
from ..rules.tables import MOST_UNITS, ROWS, Colour, Side
from .play import OUT, REMOVED, TRACK, Play, as_faces, ask, at_hex, throw_pool, to_do
from .steps import Step, Steps


def _want_call(play: Play, task: Json) -> Wanted:
    return throw_pool("call", ROWS, "Reinforcements: six dice", "Actions 1", side=play.active)


def _call(play: Play, task: Json, answer: Answer) -> None:
    faces, rows = as_faces(answer), play.state["rows"]
    waits = "6th_panzer" in play.state["advantages"]["german"] and not play.state["raus"]
    call = pick_up([len(row) for row in rows], faces, play.state["removed"], waits)
    picked = [key for row, number in zip(rows, call.picked, strict=True) for key in row[:number]]
    for row, number in zip(rows, call.picked, strict=True):
        del row[:number]
    dice = " ".join(map(str, sorted(faces)))
    names = (
        play.name_germans(picked)
        if play.players.is_soviet_played
        else ", ".join(play.block(key).name for key in picked)
    )
    play.tell(f"{dice}: {names or 'nobody'} (Call for Reinforcements).", "german")
    if call.raus:
        _open_sixth_panzer(play)
    for number in call.remove:
        if (key := play.content.track[number - 1]) and _remove(play, key, picked):
            play.state["removed"].append(number)
    arriving = [key for key in picked if play.at(key) != REMOVED]
    play.do(to_do("place", blocks=sorted(arriving, key=lambda key: _find_placer(play, key) != play.active)))


def _find_placer(play: Play, key: str) -> str:
    """Who places a Unit that was picked up: its own player, or whoever called for a White one (Co-Op 9)."""
    colour = play.block(key).colour
    return colour if play.players.are_two_germans and colour != Colour.WHITE else play.active


def _remove(play: Play, key: str, picked: list[str]) -> bool:
    """The Unit named at an empty row goes, where it is on the map or has just been picked up (B44, B45)."""
    if play.at(key) in (OUT, "dead", REMOVED) or (play.at(key) == TRACK and key not in picked):
        return False
    play.put_block(key, REMOVED)
    play.tell(f"{play.block(key).name} is Removed (Call for Reinforcements).", "german")
    return True


def _open_sixth_panzer(play: Play) -> None:
    play.state["raus"] = True
    play.tell("Raus comes; the 6th Panzer Division joins the track (6th Panzer).", "german")
    axe = [block.key for block in play.content.of_side("german") if "axe" in block.marks]
    for key in axe:
        play.put_block(key, TRACK, play.block(key).top)
    before = _count_rows(play)
    for number, key in enumerate(axe):
        _return(play, key, before, number)


def _count_rows(play: Play) -> list[int]:
    return [len(row) for row in play.state["rows"]]


def _return(play: Play, key: str, before: list[int], number: int) -> None:
    """A Unit goes back to the emptiest row (B20), in front of those left there (B61).

    ``before``: how many stood in each row before ``number`` others of the same Call went back.
    """
    current, after = (put_back(before, count, play.recounts) for count in (number, number + 1))
    row = next(place for place in range(ROWS) if after[place] > current[place])
    play.state["rows"][row].insert(0, key)


def list_arrival_hexes(play: Play, key: str) -> list[str]:
    """Where a Unit may arrive: Spawn Hexes of its colour that are held and have room, the fullest first."""
    colour = Colour(play.block(key).colour)
    hexes = _list_open(play, key, list_deploy_hexes(colour))
    if play.players.are_two_germans and colour is Colour.WHITE:
        caller = Colour(play.active)
        hexes = _list_open(play, key, list_deploy_hexes(colour, caller)) or hexes
    return sorted(hexes, key=lambda hex: -len(play.germans.get(hex, ())))


def _list_open(play: Play, key: str, hexes: Iterable[str]) -> list[str]:
    """Those hexes that are held and have room, and where with two players no Unit of the other colour stands."""
    open_hexes = (hex for hex in hexes if play.holds(Side.GERMAN, hex) and play.has_room(hex))
    return [hex for hex in open_hexes if play.may_stand([key], hex)]


def _list_with_same_placer(play: Play, blocks: list[str]) -> list[str]:
    return [key for key in blocks if _find_placer(play, key) == _find_placer(play, blocks[0])]


def list_rivals(play: Play, key: str, waiting: list[str]) -> list[str]:
    """The others that want a Unit's room, where there is not enough for all: which comes is a choice (B67)."""
    wants = {
        other: {*_list_open(play, other, list_deploy_hexes(Colour(play.block(other).colour)))} for other in waiting
    }
    rivals = [other for other in waiting if other != key and wants[other] & wants[key]]
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
    rival_choices = [
        Choice(f"block-{key}", f"First {play.block(key).name}", _describe_arrival(play, key)) for key in rivals
    ]
    question = f"Room is short: where does {name} arrive, or who before it?" if rivals else f"Where does {name} arrive?"
    choices = (*_offer_all(play, waiting), *hexes, *rival_choices)
    return ask(play, question, choices, "Call for Reinforcements", side, secret=play.players.is_soviet_played)


def _offer_all(play: Play, waiting: list[str]) -> list[Choice]:
    if len(waiting) < 2:
        return []
    is_short = any(list_rivals(play, key, waiting) or not list_arrival_hexes(play, key) for key in waiting)
    number = "as many as there is room for" if is_short else "both" if len(waiting) == 2 else f"all {len(waiting)}"
    return [Choice("all", f"Place {number}, fullest hexes first")]


def _describe_arrival(play: Play, key: str) -> str:
    block = play.block(key)
    return f"{block.colour.capitalize()}, {block.top} {block.fire[-1]}"


def _place(play: Play, task: Json, answer: Answer) -> None:
    """Units arrive in their order, or go back for want of room, until a hex is to be chosen for one of them.

    ``answer``: a hex for the first, "all" of its player's in the fullest hexes, or the Unit that comes before it.
    """
    blocks = task["blocks"]
    chosen = str(answer or "")
    if chosen.startswith("block-"):
        first = chosen.removeprefix("block-")
        play.do({**task, "blocks": [first, *(key for key in blocks if key != first)]})
        return
    decided = _list_with_same_placer(play, blocks) if chosen == "all" else blocks[:1] if chosen else []
    before, number = task.get("before") or _count_rows(play), task.get("number", 0)
    placed: dict[str, list[str]] = {}  # by hex; "" for those without room
    for place, key in enumerate(blocks):
        hexes = list_arrival_hexes(play, key)
        hex = "" if not hexes else hexes[0] if chosen == "all" else chosen.removeprefix("hex-")
        if hexes and key not in decided:
            play.do({**task, "blocks": blocks[place:], "before": before, "number": number})
            break
        placed.setdefault(hex, []).append(key)
        if hex:
            play.put_block(key, hex, play.block(key).top)
        else:
            _return(play, key, before, number)
            number += 1
    _tell_placed(play, placed)


def _tell_placed(play: Play, placed: Mapping[str, list[str]]) -> None:
    """One line for each hex, and one for those that had no room."""
    for hex, keys in placed.items():
        subject, is_one = ", ".join(play.block(key).name for key in keys), len(keys) == 1
        if play.players.is_soviet_played:
            subject = "A German block" if is_one else f"{len(keys)} German blocks"
        if hex:
            play.tell(f"{subject} {'arrives' if is_one else 'arrive'} in {hex}.", "german", hex)
        else:
            verb = "has no room, and goes" if is_one else "have no room, and go"
            play.tell(f"{subject} {verb} back to the track (Actions 1).", "german")


CALL: Steps = {
    "call": Step(_call, _want_call),
    "place": Step(_place, _want_place),
}
