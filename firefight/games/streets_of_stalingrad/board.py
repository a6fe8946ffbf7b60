"""The hexes in play: counters, markers, works, and what the text or the owner has said about these hexes.

North is on top: rows grow northward (2.17), and the East Bank lies beyond the low columns (2.14, 2.15).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from firefight.engine.board.board import Board, BoardPlace, BoardView, GroundKind, Look, PlaceView, Sign, place_hex
from firefight.engine.board.counters import CounterInPlay, list_known
from firefight.engine.board.hexes import Hex
from firefight.engine.board.in_play import HexSign, find_where_counters_stand, list_hexes_in_play, view_hexes_in_play
from firefight.engine.course.keeping import TableState
from firefight.engine.values import Values

from .rules import becoming
from .rules.hexes import HEXES, list_victory_hexes
from .rules.record import MARKERS
from .rules.terms import Side, Terrain

LETTERS: Mapping[str, str] = {word: word[0].upper() for word in MARKERS}
LOOKS = {
    **dict.fromkeys((Terrain.CITY, Terrain.INDUSTRIAL, Terrain.FORTIFIED, Terrain.STRONG_POINT), Look.BUILT),
    **dict.fromkeys((Terrain.SUBURB, Terrain.VILLAGE, Terrain.BALKA, Terrain.CLIFF), Look.ROUGH),
    Terrain.FOREST: Look.WOOD,
    Terrain.VOLGA: Look.WATER,
}


class StreetsHexes:
    """BoardRules of this game: drawn on a page of their own, as its reader may know them."""

    def lay_board(self, situation: TableState) -> Board | None:
        """The hexes where anything is, with those that touch them; None where nothing is anywhere."""
        noted = (sign.place for sign in _list_signs(situation.record))
        hexes = list_hexes_in_play(HEXES, [*noted, *find_where_counters_stand(situation.counters)])
        hex_values = situation.record["hex_values"]
        terrain = tuple(str(hex_values.get(str(place), {}).get("terrain") or "") for place in hexes)
        return _lay_hexes(hexes, terrain) if hexes else None

    def view_board(self, situation: TableState, sees: Sequence[str]) -> BoardView:
        """Counters by side, and what else lies on each hex; victory hexes have their holder's tint."""
        known_counters = list_known(situation.counters, sees)
        signs = [*_list_signs(situation.record), *_list_marked(known_counters)]
        view = view_hexes_in_play(known_counters, signs, becoming.describe_marked)
        holders = {place: Side.GERMAN.value for place in situation.record["points_hexes"]}
        places = {
            name: PlaceView(hex_view.stacks, hex_view.marks, holders.get(name, ""))
            for name in dict.fromkeys([*view.places, *holders])
            for hex_view in (view.places.get(name, PlaceView()),)
        }
        return BoardView(places)


def _list_signs(record: Values) -> Iterator[HexSign]:
    """Markers that lie on a hex whoever stands there (S-65), and works that are being built."""
    for row in record["markers"]:
        under = ", under an attack marker" if row["under_attack"] else ""
        yield HexSign(row["hex"], LETTERS[row["marker"]], f"{row['marker']}{under}")
    for row in record["works"]:
        if row["hex"]:
            yield HexSign(row["hex"], "W", f"{row['work']} of the {Side(row['side']).word}s, under way")


def _list_marked(counters: Iterable[CounterInPlay]) -> Iterator[HexSign]:
    """Hexes in which a counter is pinned or spent; which one, its own words say."""
    for counter in counters:
        if counter.in_play and counter.place:
            yield from (HexSign(counter.place, LETTERS[word], "") for word in counter.state if word in becoming.MARKERS)


@lru_cache(maxsize=64)
def _lay_hexes(hexes: tuple[Hex, ...], terrain: tuple[str, ...]) -> Board:
    """``terrain``: of each hex, "" where nobody has given it."""
    return Board(tuple(map(_lay_hex, hexes, terrain)), title="Hexes in play")


def _lay_hex(place: Hex, terrain: str) -> BoardPlace:
    points = list_victory_hexes().get(str(place), 0)
    marks = (Sign(f"{points} VP", f"{points} victory point{'s' if points > 1 else ''}"),) if points else ()
    kind = Terrain(terrain) if terrain else None
    ground = GroundKind(kind.word.lower(), LOOKS.get(kind, Look.OPEN)) if kind else GroundKind("")
    return BoardPlace(str(place), _turn_round(place), ground, marks)


def _turn_round(place: Hex) -> tuple[int, int]:
    """Where a hex is with the last row on top and the last column on the left."""
    x, y = place_hex(HEXES, place)
    return HEXES.last_column - x, 2 * HEXES.last_row + 1 - y


BOARD = StreetsHexes()
