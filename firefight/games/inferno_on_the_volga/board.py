"""The map of Inferno as the page draws it: the Volga on top, north on the left, closed blocks as numbers (IN-013)."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

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
from firefight.engine.course.keeping import TableState
from firefight.engine.values import Json, Values

from .rules.content import Content
from .rules.ending import POINTS
from .rules.tables import MOST_RUBBLE, SOVIET_SPAWN, Side
from .solo.seen import seen

GROUNDS = {
    "clear": GroundKind("clear"),
    "urban": GroundKind("urban", Look.BUILT),
    "rough": GroundKind("rough", Look.ROUGH),
}
GAME_FIELD = "solo"  # of the record, with the whole game (solo/conductor.py)
SPAWN, RUBBLE, FORTIFIED = Sign("S", "Spawn Hex"), Sign("R", "rubble"), Sign("F", "fortified")


@dataclass(frozen=True, slots=True)
class VolgaMap:
    """The map of a content, and what lies there as the German side knows it."""

    content: Content
    drawn: Board = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "drawn", lay_volga(self.content))

    def lay_board(self, situation: TableState) -> Board | None:
        """The map of the content, where the app leads a solo game; on the players' own table none."""
        options = situation.options
        is_led = GAME_FIELD in situation.record and options.get("mode") == "solo"
        return self.drawn if is_led and options.get("board", "app") == "app" else None

    def view_board(self, situation: TableState, sees: Sequence[str]) -> BoardView:
        """Everybody looks at it as the German side does: who sees the app's side finds that in its own rows."""
        game = situation.record.get(GAME_FIELD)
        if not game:
            return BoardView()
        known = seen(game, self.content)
        return BoardView(
            {place.name: _view_hex(known, place.name) for place in self.drawn.places}, _tell_status(known, self.content)
        )


def lay_volga(content: Content) -> Board:
    """Hexes as they lie by the Soviet Compass: its direction 1 leads to the river, which is on top."""
    spots = {"1": (0, 0)}
    edge = deque(spots)
    while edge:
        name = edge.popleft()
        x, y = spots[name]
        for (dx, dy), other in zip(FLAT_WAYS, content.board.hexes[name].towards, strict=True):
            if other and other not in spots:
                spots[other] = (x + dx, y + dy)
                edge.append(other)
    hexes = content.board.hexes.values()
    return Board(
        tuple(
            BoardPlace(each.name, spots[each.name], GROUNDS[each.terrain], (SPAWN,) * (each.name in SOVIET_SPAWN))
            for each in hexes
        ),
        title="Map",
    )


def _view_hex(known: Values, hex: str) -> PlaceView:
    germans, soviets = known["germans"].get(hex, []), known["soviets"].get(hex, 0)
    stacks = []
    if germans:
        named = ", ".join(f"{block['name']} ({block['dots']})" for block in germans)
        stacks.append(PieceStack(Side.GERMAN, len(germans), f"German {named}"))
    if soviets:
        stacks.append(_show_soviets(known, hex, soviets))
    held = Side.GERMAN if hex in known["german_held"] else ""
    return PlaceView(tuple(stacks), tuple(_list_signs(known, hex)), held)


def _show_soviets(known: Values, hex: str, number: int) -> PieceStack:
    """Soviets of a hex as a number; by their names while a German attack has shown them."""
    combat, is_top = known["combat"], hex in known["top_stacks"]
    words = f"{number} Soviet {'block' if number == 1 else 'blocks'}{', top stack' if is_top else ''}"
    if combat and known["revealed"] and combat["target"] == hex:
        words += ": " + ", ".join(f"{block['name']} ({block['dots']})" for block in known["revealed"])
    return PieceStack(Side.SOVIET, number, words, is_top)


def _list_signs(known: Values, hex: str) -> list[Sign]:
    faces = [die["face"] for die in known["dice"] if die["hex"] == hex]
    signs = [RUBBLE] * (hex in known["rubble"]) + [FORTIFIED] * (hex in known["fortified"])
    return signs + [Sign(str(face), f"die {face}") for face in faces if face]


def _tell_status(known: Json, content: Content) -> tuple[str, ...]:
    cards = [*known["german_hand"], *known["leaders"]["german"]]
    named = ", ".join(content.german_cards[card].name for card in cards)
    return (
        f"rubble {len(known['rubble'])} of {MOST_RUBBLE}",
        f"points {known['score']} of {POINTS}",
        f"Soviet hand {known['soviet_hand']}",
        f"Soviet deck {known['decks']['soviet']}",
        f"Spawn Hexes {known['spawn_hexes']} of {len(SOVIET_SPAWN)}",
        f"German cards: {named or 'none'}",
    )
