"""The hexes in play of a firefight, drawn by their letters and numbers: no terrain, for the app knows none.

The printed maps are their owners'. What is drawn is what players have told: where counters stand, what is noted of
hexes, where artillery falls or is plotted, and the hexes that touch those.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from firefight.engine.board.board import Board, BoardPlace, BoardView, PieceStack, PlaceView, Sign, place_hex
from firefight.engine.board.counters import CounterInPlay, list_known
from firefight.engine.board.hexes import BadHex, Hex, HexMap
from firefight.engine.charts.book import Book
from firefight.engine.course.keeping import TableState
from firefight.engine.errors import RuleError
from firefight.engine.values import Values

from .rules import becoming, ground
from .rules.artillery import Marker, find_zone
from .rules.missions import Mission
from .rules.record import RECORD

MOST_HEXES = 300  # beyond them those that only touch others are left out
ZONE = "in the zone of the FFE of "


class HexesInPlay:
    """BoardRules of this game: drawn on a page of their own, as its reader may know them."""

    def lay_board(self, situation: TableState) -> Board | None:
        """The hexes where anything is, with those that touch them; None where nothing is anywhere."""
        hexes: HexMap = situation.book["map"].hexes
        named = _read_hexes(hexes, [name for name, _, _ in _list_signs(situation.book, situation.record)])
        named |= _read_hexes(hexes, [each.place for each in situation.counters if each.in_play])
        around = {other for each in named for other in hexes.neighbours(each)}
        shown = named | around if len(named | around) <= MOST_HEXES else named
        return _lay_hexes(hexes, tuple(sorted(shown))) if named else None

    def view_board(self, situation: TableState, sees: Sequence[str]) -> BoardView:
        """Counters by side, and what is noted of each hex, as far as these sides know it."""
        stacks: dict[str, dict[str, list[CounterInPlay]]] = {}
        for each in list_known(situation.counters, sees):
            if each.in_play and each.place:
                stacks.setdefault(each.place, {}).setdefault(each.side, []).append(each)
        signs: dict[str, dict[str, list[str]]] = {}
        for name, letters, words in _list_signs(situation.book, RECORD.hide(situation.record, sees)):
            signs.setdefault(name, {}).setdefault(letters, []).append(words)
        return BoardView(
            {
                name: PlaceView(
                    tuple(_stack(side, there) for side, there in stacks.get(name, {}).items()),
                    tuple(Sign(letters, ", ".join(words)) for letters, words in signs.get(name, {}).items()),
                )
                for name in dict.fromkeys([*stacks, *signs])
            }
        )


def _read_hexes(hexes: HexMap, names: Sequence[str]) -> set[Hex]:
    """Those of some places that are hexes of the map."""
    found = set()
    for name in filter(None, names):
        try:
            found.add(hexes.parse(name))
        except BadHex:  # it was set on another map
            continue
    return found


@lru_cache(maxsize=64)
def _lay_hexes(hexes: HexMap, shown: tuple[Hex, ...]) -> Board:
    return Board(tuple(BoardPlace(str(each), place_hex(hexes, each)) for each in shown), title="Hexes in play")


def _stack(side: str, there: Sequence[CounterInPlay]) -> PieceStack:
    told = (f"{each.name} ({becoming.describe_state(each)})" if each.state else each.name for each in there)
    return PieceStack(side, len(there), ", ".join(told), ids=tuple(each.id for each in there))


def _list_signs(charts: Book, record: Values) -> Iterator[tuple[str, str, str]]:
    """What lies in hexes besides counters: each hex, a letter or two, and the words for it."""
    for row in record["ground"].values():
        whole = ground.GROUND_ROWS.complete(row)
        if whole["hex"]:
            yield whole["hex"], "G", ground.tell_hex(whole).removeprefix(f"{ground.call_place(whole)}").lstrip(": ")
    for id, row in record["missions"].items():
        yield from _list_of_mission(charts, Mission.read(id, row))


def _list_of_mission(charts: Book, mission: Mission) -> Iterator[tuple[str, str, str]]:
    """Where a mission is: its marker, the zone of its FFE, its brackets, what it has registered or plotted."""
    if mission.marker and mission.hex:
        yield mission.hex, mission.marker.upper(), f"{mission.marker.upper()} of {mission.name}"
        for place in _find_zone_of(charts, mission):
            if place != mission.hex:
                yield place, "z", f"{ZONE}{mission.name}"
    for places, letters, words in (
        (mission.brackets, "B", "bracket of"),
        (mission.registered, "R", "registered by"),
        (mission.plot, "P", "plotted by"),
    ):
        yield from ((place, letters, f"{words} {mission.name}") for place in places)


def _find_zone_of(charts: Book, mission: Mission) -> list[str]:
    """The hexes that its FFE attacks now; none where that is not said yet, or it has no firepower."""
    if mission.marker != Marker.FFE:
        return []
    said = {"smoke": mission.smoke, "danger_close": mission.danger_close, "fire_2": mission.fire_2}
    try:
        zone = find_zone(
            charts=charts,
            caliber=mission.caliber,
            marker=Marker.FFE,
            kind=mission.fire,
            impact=mission.hex,
            **said,
        )
    except RuleError:
        return []
    return [str(place) for place in zone]


BOARD = HexesInPlay()
