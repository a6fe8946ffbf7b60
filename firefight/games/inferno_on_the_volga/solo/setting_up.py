"""Setting up: blocks blind into pools and hexes, the track, decks, hands, Advantages (Game Setup, Designer's Way)."""

from functools import partial

from firefight.engine.course.conducting import Answer, Throw, Wanted
from firefight.engine.rolls.dice import DieSpec, ReadAs
from firefight.engine.values import Json

from ..rules.content import Content
from ..rules.levels import ADVANTAGES, Advantage, Level, find_deck_order, has_fortifications, list_leader_advantages
from ..rules.reinforcements import SPINS, show_spin
from ..rules.tables import BOXES, FORTIFIED, GERMAN_AT_START, GERMAN_HAND, GERMAN_START, ROWS, TANK_POOL, Side
from .play import OUT, POOL, TRACK, Play, as_faces, draw_unseen, find_drawn, to_do
from .players import Players
from .steps import Step, Steps

BOTH = (Side.GERMAN, Side.SOVIET)
MIXED_WITH_GUARDS = 18


def build_state(content: Content, mode: str = "solo", level: str = "standard") -> Json:
    """A game before its set-up: nothing stands anywhere."""
    decks = {"german": content.german_cards, "soviet": content.soviet_cards}
    deck_states = {
        side: {"left": [name for card in cards.values() for name in card.copy_names], "top": [], "bottom": []}
        for side, cards in decks.items()
    }
    players = Players(mode)
    return {
        "mode": mode,
        "level": level,
        "turn": 1,
        "side": players.find_active(1),
        "asks": players.find_active(1),
        "holders": {},
        "blocks": {key: [OUT if block.side == "german" else POOL, 0] for key, block in content.blocks.items()},
        "rows": [[] for _ in range(ROWS)],
        "removed": [],
        "rubble": [],
        "german_held": [*GERMAN_AT_START],
        "fortified": [],
        "hq": "",
        "raus": False,
        "leaders": {"german": [], "soviet": []},
        "advantages": {"german": [], "soviet": []},
        "decks": deck_states,
        "drawn": {"german": 0, "soviet": 0},
        "hands": {side: [] for side in (*players.germans, "soviet")},
        "discards": {"german": [], "soviet": []},
        "extra_used": 0,
        "ties": "",
        "over": "",
        "action": {},
        "combat": None,
        "sealed": [],
        "todo": [to_do(name) for name in ("german_turn", "deal", "decks", "advantages")],
    }


# The Designer's Way


def _want_advantages(play: Play, task: Json) -> Wanted:
    """On the Normal Level a die for each side says how many it gets."""
    if play.state["level"] != Level.NORMAL:
        return None
    return Throw(
        DieSpec("advantages", 6, "Advantages: German, then Soviet", number=2, read=ReadAs.EACH), "Normal Level"
    )


def _count_advantages(play: Play, task: Json, answer: Answer) -> None:
    faces = as_faces(answer)
    for side, number in zip(BOTH, faces, strict=False):
        play.tell(f"{side.word} Advantages: {number} (Normal Level).")
        play.do(*[to_do("advantage", side=side.value)] * number)


def _want_advantage(play: Play, task: Json) -> Wanted:
    side = Side(task["side"])
    return draw_unseen("advantage", len(_list_open_advantages(play, side)), f"{side.word} Advantage", "Normal Level")


def _list_open_advantages(play: Play, side: Side) -> list[Advantage]:
    return [advantage for advantage in ADVANTAGES[side] if advantage not in play.state["advantages"][side.value]]


def _take_advantage(play: Play, task: Json, answer: Answer) -> None:
    side = Side(task["side"])
    advantage = Advantage(find_drawn(_list_open_advantages(play, side), answer))
    play.state["advantages"][side.value].append(advantage.value)
    play.tell(f"{side.word} Advantage: {advantage.word} (Normal Level).", side)


def _order_decks(play: Play, task: Json, answer: Answer) -> None:
    """Cards on top and at the bottom, and those in play from the start, by level and Advantages."""
    for side in BOTH:
        order = find_deck_order(Level(play.state["level"]), side)
        leaders = list_leader_advantages(side, tuple(play.state["advantages"][side.value]))
        deck = play.state["decks"][side.value]
        on_top = [*order.top, *leaders]
        for card in (*on_top, *order.bottom, *order.in_play):
            deck["left"].remove(card)
        deck["bottom"] = [str(card) for card in order.bottom]
        play.state["leaders"][side.value] += [str(card) for card in order.in_play]
        if on_top:
            play.do(to_do("on_top", side=side.value, cards=[str(card) for card in on_top]))
    if has_fortifications(Level(play.state["level"])):
        play.state["fortified"] = [*FORTIFIED]


def _want_next_on_top(play: Play, task: Json) -> Wanted:
    cards = task["cards"]
    return draw_unseen("place", len(cards), f"Order of {len(cards)} {task['side']} leaders", "Leader Advantages")


def _put_on_top(play: Play, task: Json, answer: Answer) -> None:
    """One at random goes below those that lie there."""
    side, cards = task["side"], task["cards"]
    card = find_drawn(cards, answer)
    play.state["decks"][side]["top"].append(card)
    play.seal(f"{play.card_name(Side(side), card)} lies on top of the deck.", play.players.keeper)
    if cards_left := [other for other in cards if other != card]:
        play.do({**task, "cards": cards_left})


# Blocks


def _deal(play: Play, task: Json, answer: Answer) -> None:
    """All that is drawn blind, in the order of the rules; spins of all that stand on the map in one throw."""
    random_start = [hex for hex, units in GERMAN_START.items() for unit in units if unit == "yellow"]
    for key in play.content.of_side("german"):
        if "axe" not in key.marks:
            play.put_block(key.key, TRACK, key.top)
    for hex, keys in play.content.start.items():
        for key_at_start in keys:
            play.put_block(key_at_start, hex)
    play.do(
        to_do("pick_tanks", taken=[]),
        to_do("pick_infantry", taken=[]),
        to_do("spread", hexes=[*play.board.set_up]),
        to_do("spin_all"),
        *[to_do("start", hex=hex) for hex in random_start],
        *[to_do("white", row=row) for row in range(ROWS)],
        *[to_do("fill", row=row) for row in range(ROWS) for _ in range(BOXES - 1)],
        to_do("hand"),
    )


def _list_candidates(play: Play, pool: str, picked: list[str]) -> list[str]:
    """Which blocks may be drawn for a pool; with Late Deployment only Infantry of four dots (B08)."""
    late = "late_deployment" in play.state["advantages"]["soviet"]
    return [
        key
        for key in play.of_pool(pool)
        if key not in picked
        and "guards" not in play.block(key).marks
        and (not late or pool == "tank" or play.block(key).top == 4)
    ]


def _want_for_pool(pool: str, play: Play, task: Json) -> Wanted:
    picked = task["taken"]
    candidates = _list_candidates(play, pool, picked)
    return draw_unseen("block", len(candidates), f"{pool.capitalize()} Pool", "Game Setup 4 and 5")


def _pick_for_pool(pool: str, number: int, play: Play, task: Json, answer: Answer) -> None:
    """One more for the pool; the others go to the map later."""
    picked = task["taken"]
    key = find_drawn(_list_candidates(play, pool, picked), answer)
    if len(picked) + 1 < number:
        play.do({**task, "taken": [*picked, key]})
        return
    play.state["action"][pool] = [*picked, key]
    play.seal(
        f"In the {pool.capitalize()} Pool: {', '.join(play.block(block_key).name for block_key in (*picked, key))}."
    )


def _list_waiting(play: Play) -> list[str]:
    """The Soviet blocks for the map that stand nowhere yet."""
    in_pools = {*play.state["action"]["tank"], *play.state["action"]["infantry"]}
    return [
        key
        for pool in ("infantry", "tank")
        for key in play.of_pool(pool)
        if key not in in_pools and "guards" not in play.block(key).marks
    ]


def _want_spread(play: Play, task: Json) -> Wanted:
    return draw_unseen("block", len(_list_waiting(play)), "Block on the map", "Game Setup 6")


def _spread(play: Play, task: Json, answer: Answer) -> None:
    hexes = task["hexes"]
    play.put_block(find_drawn(_list_waiting(play), answer), hexes[0])
    if hexes[1:]:
        play.do({**task, "hexes": hexes[1:]})


def _want_all_spins(play: Play, task: Json) -> Wanted:
    number = len(play.board.set_up)
    spec = DieSpec("edges", SPINS, "Edges of the blocks", number=number, read=ReadAs.EACH)
    return Throw(spec, "Game Setup 6", by_app=True)


def _spin_all(play: Play, task: Json, answer: Answer) -> None:
    for hex, face in zip(play.board.set_up, as_faces(answer), strict=True):
        key = play.soviets[hex][0]
        play.spend(key, show_spin(play.block(key).top, face))
    play.seal("On the map: " + ", ".join(f"{hex} {play.names(keys)}" for hex, keys in play.soviets.items()) + ".")
    play.state["action"] = {}
    play.tell(f"{len(play.soviets)} Soviet blocks are set up unseen, one a hex (Game Setup 6).", "soviet")


def _list_on_track(play: Play, colour: str = "") -> list[str]:
    """Germans that have no box yet; with a colour only its Infantry."""
    boxed = {key for row in play.state["rows"] for key in row}
    return [
        key
        for key in play.list_off_map(TRACK, Side.GERMAN)
        if key not in boxed
        and (not colour or (play.block(key).colour == colour and play.block(key).type == "infantry"))
    ]


def _want_german(colour: str, play: Play, task: Json) -> Wanted:
    return draw_unseen("block", len(_list_on_track(play, colour)), "German block", "Game Setup 8 and 9")


def _start(play: Play, task: Json, answer: Answer) -> None:
    key = find_drawn(_list_on_track(play, "yellow"), answer)
    play.put_block(key, task["hex"])
    words = f"starts in {task['hex']} (Game Setup 8)."
    if play.players.is_soviet_played:  # the dice that drew it are told under seal
        play.tell_own(f"{play.block(key).name} {words}", f"A German block {words}", play.active)
    else:
        play.tell(f"{play.block(key).name} {words}", "german", task["hex"])


def _fill(colour: str, play: Play, task: Json, answer: Answer) -> None:
    """White Infantry is drawn for the last box of each row, the others come before it."""
    row = play.state["rows"][task["row"]]
    key = find_drawn(_list_on_track(play, colour), answer)
    row.append(key) if colour else row.insert(len(row) - 1, key)
    play.seal(f"Row {task['row'] + 1}: {play.block(key).name}.", play.players.keeper)


def _hand(play: Play, task: Json, answer: Answer) -> None:
    play.tell(f"{ROWS} rows of {BOXES} stand on the Reinforcement Track (Game Setup 9).", "german")
    play.do(to_do("draw", side="german", number=GERMAN_HAND, cause="Game Setup 10"))


SETTING_UP: Steps = {
    "advantages": Step(_count_advantages, _want_advantages),
    "advantage": Step(_take_advantage, _want_advantage),
    "decks": Step(_order_decks),
    "on_top": Step(_put_on_top, _want_next_on_top, is_secret=True),
    "deal": Step(_deal),
    "pick_tanks": Step(partial(_pick_for_pool, "tank", TANK_POOL), partial(_want_for_pool, "tank"), is_secret=True),
    "pick_infantry": Step(
        partial(_pick_for_pool, "infantry", MIXED_WITH_GUARDS), partial(_want_for_pool, "infantry"), is_secret=True
    ),
    "spread": Step(_spread, _want_spread, is_secret=True),
    "spin_all": Step(_spin_all, _want_all_spins, is_secret=True),
    "start": Step(_start, partial(_want_german, "yellow")),
    "white": Step(partial(_fill, "white"), partial(_want_german, "white"), is_secret=True),
    "fill": Step(partial(_fill, ""), partial(_want_german, ""), is_secret=True),
    "hand": Step(_hand),
}
