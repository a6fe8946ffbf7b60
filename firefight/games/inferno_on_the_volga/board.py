"""The map of Inferno as the page draws it: the Volga on top, north on the left, closed blocks as numbers (IN-013)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from firefight.engine.board.board import (
    FLAT_WAYS,
    Board,
    BoardPlace,
    BoardView,
    GroundKind,
    Look,
    PieceStack,
    PlaceView,
    Sign,
)
from firefight.engine.course.keeping import BoardItem, TableState
from firefight.engine.text import count_of
from firefight.engine.values import Json, Values

from .rules.compass import WAYS, lay_out_hexes
from .rules.content import CardKind, Content, find_printed
from .rules.ending import POINTS, Standings
from .rules.tables import MOST_RUBBLE, SOVIET_SPAWN, Side
from .solo.conductor import is_led
from .solo.own_table import MARK
from .solo.seen import view_for_seat

GROUNDS = {
    "clear": GroundKind("clear"),
    "urban": GroundKind("urban", Look.BUILT),
    "rough": GroundKind("rough", Look.ROUGH),
}
GAME_FIELD = "solo"  # of the record, which holds the whole game (solo/conductor.py)
POOLS = {"infantry": "Infantry", "tanks": "Tanks", "marines": "Marines"}
SPAWN, RUBBLE, FORTIFIED = Sign("S", "Spawn Hex"), Sign("R", "rubble"), Sign("F", "fortified")


@dataclass(frozen=True, slots=True)
class VolgaMap:
    """The map of a content, and what stands on it as each seat may know it."""

    content: Content
    drawn: Board = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "drawn", lay_volga(self.content))

    def lay_board(self, situation: TableState) -> Board | None:
        """The map of the content, where the app leads a game; None on the players' own table."""
        if GAME_FIELD not in situation.record or not is_led(situation.options):
            return None
        printed = find_printed(situation.content, self.content)
        return self.drawn if printed is self.content else lay_volga(printed)

    def view_board(self, situation: TableState, sees: Sequence[str]) -> BoardView:
        """What the seat that looks at it may know."""
        game = situation.record.get(GAME_FIELD)
        if not game or MARK in game:
            return BoardView()
        printed = find_printed(situation.content, self.content)
        view = view_for_seat(game, printed, next(iter(sees), ""))
        places = {name: _view_hex(view, name) for name in printed.board.hexes}
        return BoardView(places, _tell_status(view, printed))


def list_beside(situation: TableState) -> tuple[BoardItem, ...]:
    """What players keep beside a map of their own, as the match counts it; nothing where the app draws the map."""
    if is_led(situation.options):
        return ()
    record = situation.record
    deck, hand, pools = record["decks"][Side.SOVIET], record["soviet_hand"], record["pools"]
    spawn_hexes = ", ".join(record["controlled"]) or "none"
    score = Standings(destroyed=record["destroyed"], destroyed_r=record["destroyed_r"]).score
    return (
        BoardItem("Spawn Hexes in Soviet hands", spawn_hexes, "controlled", "capture"),
        BoardItem("Soviet deck", f"{count_of(deck, 'card')}, {hand} in the hand", "decks"),
        BoardItem("Spawn Pools", ", ".join(f"{pools[name]} {word}" for name, word in POOLS.items()), "pools"),
        BoardItem("Reinforcement Track", "–".join(map(str, record["rows"])), "rows", "call"),
        BoardItem("Rubble", f"{len(record['rubble'])} of {MOST_RUBBLE}", "rubble"),
        BoardItem("Points", f"{score} of {POINTS}", "destroyed", "victory"),
    )


def find_spots(content: Content) -> dict[str, tuple[int, int]]:
    """Where hexes lie by the Soviet Compass: direction 1 leads to the river, which is on top."""
    hexes = content.board.hexes.values()
    return lay_out_hexes({place.name: dict(zip(WAYS, place.towards, strict=True)) for place in hexes})


def list_odd_spots(content: Content) -> list[str]:
    """Directions that contradict the rest of the compass, in sentences."""
    spots = find_spots(content)
    return [
        f"Direction {direction} of {board_hex.name} leads to {other}, which lies elsewhere by the other hexes."
        for board_hex in content.board.hexes.values()
        for direction, ((dx, dy), other) in enumerate(zip(FLAT_WAYS, board_hex.towards, strict=True), 1)
        if other and spots[other] != (spots[board_hex.name][0] + dx, spots[board_hex.name][1] + dy)
    ]


@lru_cache(maxsize=20)
def lay_volga(content: Content) -> Board:
    """The map of a content, drawn once."""
    spots = find_spots(content)
    hexes = content.board.hexes.values()
    return Board(
        tuple(
            BoardPlace(
                board_hex.name,
                spots[board_hex.name],
                GROUNDS[board_hex.terrain],
                (SPAWN,) * (board_hex.name in SOVIET_SPAWN),
            )
            for board_hex in hexes
        ),
        title="Map",
    )


def _view_hex(view: Values, hex: str) -> PlaceView:
    stacks = [_show_stack(view, hex, side, view["stacks"][side][hex]) for side in Side if hex in view["stacks"][side]]
    owner = Side.GERMAN if hex in view["german_held"] else ""
    return PlaceView(tuple(stacks), tuple(_list_signs(view, hex)), owner)


def _show_stack(view: Values, hex: str, side: Side, number: int) -> PieceStack:
    """A Stack by the names of its blocks, where the reader knows them or a combat has shown them; or a number."""
    blocks = view["named"][side].get(hex) or view["revealed"][side].get(hex, [])
    names = ", ".join(f"{block['name']} ({block['dots']})" for block in blocks)
    is_top = side is Side.SOVIET and hex in view["top_stacks"]
    if side is Side.GERMAN and any(block["colour"] for block in blocks):
        colours = ", ".join(f"{block['name']} ({block['dots']}, {block['colour'].capitalize()})" for block in blocks)
        return PieceStack(side, number, colours, letters=_find_letter(blocks))
    if side is Side.GERMAN and names:
        return PieceStack(side, number, names)  # the Germans hold each hex that they stand in
    words = f"{number} {side.word} {'block' if number == 1 else 'blocks'}{', top stack' if is_top else ''}"
    return PieceStack(side, number, f"{words}: {names}" if names else words, is_top)


def _find_letter(blocks: Sequence[Values]) -> str:
    """Whose Stack it is: Y, B, or W for White Units alone, which obey nobody (The Co-Op Mode 2 to 4)."""
    colours: set[str] = {block["colour"] for block in blocks} - {"white"} or {"white"}
    return min(colours)[0].upper()


def _list_signs(view: Values, hex: str) -> list[Sign]:
    faces = [die["face"] for die in view["dice"] if die["hex"] == hex]
    signs = [RUBBLE] * (hex in view["rubble"]) + [FORTIFIED] * (hex in view["fortified"])
    return signs + [Sign(str(face), f"die {face}") for face in faces if face]


def _name_card(printed: Mapping[str, CardKind], card: str) -> str:
    key, _, hex = card.partition(":")
    return f"{printed[key].name} {hex}".strip()


def _tell_status(view: Json, content: Content) -> tuple[str, ...]:
    """All that is counted, the reader's own cards by name, how many the others hold (B71), the leaders."""
    decks = {Side.GERMAN: content.german_cards, Side.SOVIET: content.soviet_cards}
    printed = decks[Side.SOVIET if view["own_hand"] == Side.SOVIET else Side.GERMAN]
    cards = Counter(_name_card(printed, card) for card in sorted(view["hand"]))
    card_names = ", ".join(f"{number} {name}" if number > 1 else name for name, number in cards.items())
    leaders = [_name_card(deck, card) for owner, deck in decks.items() for card in view["leaders"][owner]]
    hands = [(owner, number) for owner, number in view["hands"].items() if owner != view["own_hand"]]
    return (
        f"rubble {len(view['rubble'])} of {MOST_RUBBLE}",
        f"German losses {view['score']} of {POINTS}",
        *(f"{owner.capitalize()} hand {number}" for owner, number in hands),
        f"Soviet deck {view['decks']['soviet']}",
        f"Spawn Hexes {view['spawn_hexes']} of {len(SOVIET_SPAWN)}",
        *([f"{view['own_hand'].capitalize()} cards: {card_names or 'none'}"] if view["own_hand"] else []),
        *([f"in play: {', '.join(leaders)}"] if leaders else []),
    )
