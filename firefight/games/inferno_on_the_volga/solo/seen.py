"""What a side may know of a game: stacks as numbers, pools, decks and hands as counts, its own as they are (IN-013)."""

from firefight.engine.values import Json, Values

from ..rules.content import Content
from ..rules.tables import SOVIET_SPAWN, Side
from .play import Play
from .soviet import count_sides

OF_CARDS = ("german", "soviet")


def view_for_seat(state: Json, content: Content, side: str = "german") -> Json:
    """The map as a side may know it: its own blocks and cards as they are, those of its enemies as numbers.

    ``side``: a seat; "" for none. Without a Soviet player all know the German blocks, with one Germans and Soviets each
    their own; nobody knows the order of a deck, or which Units wait on the Track. Only its player knows a hand.
    Blocks of a combat are named from its Showdown until they are concealed (Fog of War).
    """
    play = Play(state, content)
    top, spawns = count_sides(play)
    combat = state["combat"]
    is_german = side in play.players.germans or not play.players.is_soviet_played
    is_soviet = side == Side.SOVIET and play.players.is_soviet_played
    is_revealed = bool(combat and combat["revealed"])
    own_hand = side if side in play.players.germans or is_soviet else ""
    return {
        **{name: state[name] for name in ("fortified", "rubble", "german_held", "leaders")},
        "stacks": {of.value: {hex: len(keys) for hex, keys in play.stacks[of].items()} for of in Side},
        "named": {
            "german": _name_blocks(play, Side.GERMAN) if is_german else {},
            "soviet": _name_blocks(play, Side.SOVIET) if is_soviet else {},
        },
        "revealed": {of.value: _reveal(play, of) if is_revealed else {} for of in Side},
        "decks": {of: play.count_deck(Side(of)) for of in OF_CARDS},
        "own_hand": own_hand,
        "hand": [*state["hands"][own_hand]] if own_hand else [],
        "hands": {of: len(cards) for of, cards in state["hands"].items()},
        "score": play.find_standings().score,
        "top_stacks": [*top],
        "spawn_hexes": spawns,
        "dice": [{"hex": task["hex"], "face": task["face"]} for task in state["todo"] if task["do"] == "die"],
        "combat": _show_combat(combat) if combat else None,
    }


def _name_blocks(play: Play, of: Side) -> Json:
    return {hex: [_show_block(play, key) for key in keys] for hex, keys in play.stacks[of].items()}


def _reveal(play: Play, of: Side) -> Json:
    """The blocks of a side that a combat has shown, by the hexes in which they stand."""
    blocks: dict[str, list[Json]] = {}
    for key in play.state["combat"][of.value]:
        if play.at(key) in play.stacks[of]:
            blocks.setdefault(play.at(key), []).append(_show_block(play, key))
    return blocks


def _show_block(play: Play, key: str) -> Json:
    """``colour``: whose a German block is, where that matters: to two players (The Co-Op Mode)."""
    colour = play.block(key).colour if play.players.are_two_germans else ""
    return {"block": key, "name": play.block(key).name, "dots": play.dots(key), "colour": colour}


def _show_combat(combat: Values) -> Json:
    """A combat; the Soviet card only once all is revealed."""
    open_fields = {name: combat[name] for name in ("attacker", "deliberate", "target", "hexes", "cancelled")}
    laid = {"soviet_card": combat["soviet_card"], "german_cards": combat["german_cards"]}
    return {**open_fields, **(laid if combat["revealed"] else {"soviet_card": "", "german_cards": []})}


def view_for_record(play: Play) -> Json:
    """The fields of a match's record as this game has them, all of them open; see ``list_hands``."""
    state, content, standings, waiting = play.state, play.content, play.find_standings(), play.count_pools()
    pools = {"infantry": "infantry", "tanks": "tank", "marines": "marine"}
    most = {"german": sum(card.copies for card in content.german_cards.values() if card.key != "672nd_pioneer")}
    return {
        "controlled": [hex for hex in SOVIET_SPAWN if play.holds(Side.SOVIET, hex)],
        "stacks": [{"hex": hex, "units": len(keys)} for hex, keys in play.soviets.items()][:40],
        "pools": {name: waiting[pool] for name, pool in pools.items()},
        "rows": [len(row) for row in state["rows"]],
        "removed": [*state["removed"]],
        "rubble": [*state["rubble"]],
        "leaders": {side: [*cards] for side, cards in state["leaders"].items()},
        "soviet_hand": len(state["hands"]["soviet"]),
        "decks": {of: min(play.count_deck(Side(of)), most.get(of, 99)) for of in OF_CARDS},
        "discards": [card.partition(":")[0] for card in state["discards"]["soviet"]],
        "destroyed": standings.destroyed,
        "destroyed_r": standings.destroyed_r,
        "extra_used": standings.extra_used,
    }


def list_hands(state: Json) -> dict[str, list[str]]:
    """The German hands as the match's record calls them; each is its player's alone."""
    return {f"{side}_hand": [*cards] for side, cards in state["hands"].items() if side != Side.SOVIET}
