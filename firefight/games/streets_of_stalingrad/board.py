"""The hexes in play: counters, markers, works, and what the text or the owner has told of these hexes.

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
        shown = list_hexes_in_play(HEXES, [*noted, *find_where_counters_stand(situation.counters)])
        told = situation.record["hex_values"]
        terrain = tuple(str(told.get(str(each), {}).get("terrain") or "") for each in shown)
        return _lay_hexes(shown, terrain) if shown else None

    def view_board(self, situation: TableState, sees: Sequence[str]) -> BoardView:
        """Counters by side, and what lies on each hex besides; victory hexes have their holder's tint."""
        known = list_known(situation.counters, sees)
        signs = [*_list_signs(situation.record), *_list_marked(known)]
        view = view_hexes_in_play(known, signs, becoming.describe_marked)
        held = {place: Side.GERMAN.value for place in situation.record["points_hexes"]}
        places = {
            name: PlaceView(lies.stacks, lies.marks, held.get(name, ""))
            for name in dict.fromkeys([*view.places, *held])
            for lies in (view.places.get(name, PlaceView()),)
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
    for each in counters:
        if each.in_play and each.place:
            yield from (HexSign(each.place, LETTERS[word], "") for word in each.state if word in becoming.MARKERS)


@lru_cache(maxsize=64)
def _lay_hexes(shown: tuple[Hex, ...], terrain: tuple[str, ...]) -> Board:
    """``terrain``: of each hex, "" where nobody has told it."""
    return Board(tuple(map(_lay_hex, shown, terrain)), title="Hexes in play")


def _lay_hex(place: Hex, terrain: str) -> BoardPlace:
    points = list_victory_hexes().get(str(place), 0)
    marks = (Sign(f"{points} VP", f"{points} victory point{'s' if points > 1 else ''}"),) if points else ()
    told = Terrain(terrain) if terrain else None
    ground = GroundKind(told.word.lower(), LOOKS.get(told, Look.OPEN)) if told else GroundKind("")
    return BoardPlace(str(place), _turn_round(place), ground, marks)


def _turn_round(place: Hex) -> tuple[int, int]:
    """Where a hex is with the last row on top and the last column on the left."""
    x, y = place_hex(HEXES, place)
    return HEXES.last_column - x, 2 * HEXES.last_row + 1 - y


BOARD = StreetsHexes()
