"""What must hold for a game at every step, and for one that comes from a file."""

import json
from collections import Counter

from firefight.engine.values import Json, Values

from ..rules.content import Content
from ..rules.tables import MOST_RUBBLE, MOST_UNITS, SOVIET_SPAWN, Side
from .outside import find_odd_field, plays_on
from .own_table import MARK, find_table_flaw
from .play import DEAD, OUT, POOL, REMOVED, TRACK, Play
from .players import MODES_CONDUCTED
from .setting_up import build_state

# What a step raises where the state lacks what it needs.
LACKING = (KeyError, TypeError, ValueError, AttributeError, IndexError, StopIteration, AssertionError)
OF_GERMANS, OF_SOVIETS = {TRACK, DEAD, REMOVED, OUT}, {POOL}


def list_breaches(state: Json, content: Content) -> list[str]:
    """What is wrong with a game, in words that give away nothing hidden; nothing for a sound one."""
    play = Play(state, content)
    return [*_check_blocks(play), *_check_cards(play), *_check_hexes(play)]


def _check_blocks(play: Play) -> list[str]:
    flaws = []
    if play.blocks.keys() != play.content.blocks.keys():
        flaws.append("Every block exists once.")
    for key, block in play.content.blocks.items():
        at, dots = play.at(key), play.dots(key)
        off = OF_GERMANS if block.side == "german" else OF_SOVIETS
        if at not in off and at not in play.board.hexes:
            flaws.append("A block is in a hex, or where its side keeps blocks.")
        if at in play.board.hexes and not 1 <= dots <= block.top and not _is_being_set_up(play):
            flaws.append("A block on the map has one dot at least, and no more than it can.")
    return flaws + _check_stacks(play)


def _check_stacks(play: Play) -> list[str]:
    flaws = []
    boxed = [key for row in play.state["rows"] for key in row]
    if len(boxed) != len(set(boxed)) or any(play.at(key) != TRACK for key in boxed):
        flaws.append("A Unit on the track has one box.")
    if play.germans.keys() & play.soviets.keys():
        flaws.append("No hex holds both sides.")
    if any(play.colour_of(keys) is None for keys in play.germans.values()) and play.players.are_two_germans:
        flaws.append("No Stack has Yellow and Blue Units.")
    crowded = [hex for side in Side for hex, keys in play.stacks[side].items() if len(keys) > MOST_UNITS]
    return flaws + [f"At most four Units stand in {hex}." for hex in crowded]


def _is_being_set_up(play: Play) -> bool:
    return any(task["do"] in ("spread", "spin_all", "spin") for task in play.todo)


def _check_cards(play: Play) -> list[str]:
    state, flaws = play.state, []
    content = {"german": play.content.german_cards, "soviet": play.content.soviet_cards}
    soviet_card = state["combat"]["soviet_card"] if state["combat"] else ""
    for side, cards in content.items():
        deck = state["decks"][side]
        owners = ("soviet",) if side == "soviet" else play.players.germans
        hands = [card for owner in owners for card in state["hands"][owner]]
        counts = Counter([*deck["top"], *deck["left"], *deck["bottom"], *hands, *state["leaders"][side]])
        counts += Counter(state["discards"][side])
        counts += Counter(_list_cards_under_way(play, side))
        if side == "soviet" and soviet_card and not _is_discarded(play):
            counts[soviet_card] += 1
        printed = Counter(name for card in cards.values() for name in card.copy_names)
        if counts != printed:
            flaws.append(f"Every {side.capitalize()} card exists once.")
    return flaws


def _list_cards_under_way(play: Play, side: str) -> list[str]:
    return [card for task in play.todo if task["do"] == "on_top" and task["side"] == side for card in task["cards"]]


def _is_discarded(play: Play) -> bool:
    return not any(task["do"] == "discard" for task in play.todo)


def _check_hexes(play: Play) -> list[str]:
    state, flaws = play.state, []
    rubble, german_held = state["rubble"], state["german_held"]
    if len(rubble) > MOST_RUBBLE or len(set(rubble)) != len(rubble):
        flaws.append("At most 15 Rubble markers lie, one a hex.")
    if any(play.board.terrain.get(hex) != "urban" for hex in rubble):
        flaws.append("Rubble lies in Urban hexes alone.")
    if len(set(german_held)) != len(german_held) or not play.board.hexes.keys() >= set(german_held):
        flaws.append("A hex is controlled once.")
    if any(hex not in german_held for hex in play.germans) or any(hex in german_held for hex in play.soviets):
        flaws.append("A hex is controlled by whoever stands in it.")
    seats = {*play.players.germans, "soviet"} if play.players.is_soviet_played else {*play.players.germans}
    if (
        state["asks"] not in seats
        or not seats >= {*state["holders"].values()}
        or not {*SOVIET_SPAWN} >= {*state["holders"]}
    ):
        flaws.append("Decisions and Spawn Hexes belong to those who play.")
    return flaws


def find_solo_flaw(standing: Values, content: Content) -> str:
    """What is wrong with a game from outside, in a sentence that gives nothing away; "" for nothing."""
    if MARK in standing:
        return find_table_flaw(standing)
    nonsense = "this is not a state of this game."
    try:
        state: Json = json.loads(json.dumps(standing))
        if state["mode"] not in MODES_CONDUCTED or state.keys() != build_state(content).keys():
            return nonsense
        if odd := find_odd_field(state, content):
            return f"“{odd}” is not what it can be in this game."
        if flaws := list_breaches(state, content):
            return flaws[0]
        is_over = bool(state["over"])
        return "" if bool(state["todo"]) is not is_over and plays_on(state, content) else nonsense
    except LACKING:
        return nonsense
