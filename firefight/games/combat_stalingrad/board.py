"""The hexes in play of a firefight: counters, what is noted of hexes, where artillery falls or is plotted."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from firefight.engine.board.board import Board, BoardPlace, BoardView, place_hex
from firefight.engine.board.counters import list_known
from firefight.engine.board.hexes import Hex, HexMap
from firefight.engine.board.in_play import HexSign, find_where_counters_stand, list_hexes_in_play, view_hexes_in_play
from firefight.engine.charts.book import Book
from firefight.engine.course.keeping import TableState
from firefight.engine.errors import RuleError
from firefight.engine.values import Values

from .rules import becoming, ground
from .rules.artillery import Marker
from .rules.barrage import find_zone
from .rules.missions import Mission, read_missions
from .rules.record import RECORD

ZONE = "in the zone of the FFE of "


class HexesInPlay:
    """BoardRules of this game: drawn on a page of their own, as its reader may know them."""

    def lay_board(self, situation: TableState) -> Board | None:
        """The hexes where anything is, with those that touch them; None where nothing is anywhere."""
        hexes: HexMap = situation.book["map"].hexes
        noted = (sign.place for sign in _list_signs(situation.book, situation.record))
        in_play = list_hexes_in_play(hexes, [*noted, *find_where_counters_stand(situation.counters)])
        return _lay_hexes(hexes, in_play) if in_play else None

    def view_board(self, situation: TableState, sees: Sequence[str]) -> BoardView:
        """Counters by side, and what is noted of each hex, as far as these sides know it."""
        signs = _list_signs(situation.book, RECORD.hide(situation.record, sees))
        return view_hexes_in_play(list_known(situation.counters, sees), signs, becoming.describe_state)


@lru_cache(maxsize=64)
def _lay_hexes(hexes: HexMap, in_play: tuple[Hex, ...]) -> Board:
    return Board(tuple(BoardPlace(str(hex), place_hex(hexes, hex)) for hex in in_play), title="Hexes in play")


def _list_signs(charts: Book, record: Values) -> Iterator[HexSign]:
    """What lies in hexes besides counters."""
    for row in record["ground"].values():
        complete_row = ground.GROUND_ROWS.complete(row)
        if complete_row["hex"]:
            words = ground.tell_hex(complete_row).removeprefix(f"{ground.call_place(complete_row)}").lstrip(": ")
            yield HexSign(complete_row["hex"], "G", words)
    for mission in read_missions(record):
        yield from _list_of_mission(charts, mission)


def _list_of_mission(charts: Book, mission: Mission) -> Iterator[HexSign]:
    """Where a mission is: its marker, the zone of its FFE, its brackets, what it has registered or plotted."""
    if mission.marker and mission.hex:
        yield HexSign(mission.hex, mission.marker.upper(), f"{mission.marker.upper()} of {mission.name}")
        for place in _find_zone_of(charts, mission):
            if place != mission.hex:
                yield HexSign(place, "z", f"{ZONE}{mission.name}")
    for places, letters, words in (
        (mission.brackets, "B", "bracket of"),
        (mission.registered, "R", "registered by"),
        (mission.plot, "P", "plotted by"),
    ):
        yield from (HexSign(place, letters, f"{words} {mission.name}") for place in places)


def _find_zone_of(charts: Book, mission: Mission) -> list[str]:
    """The hexes that its FFE attacks now; none where that is not known yet, or it has no firepower."""
    if mission.marker != Marker.FFE:
        return []
    facts = {"smoke": mission.smoke, "danger_close": mission.danger_close, "fire_2": mission.fire_2}
    try:
        zone = find_zone(
            charts=charts,
            caliber=mission.caliber,
            marker=Marker.FFE,
            kind=mission.fire,
            impact=mission.hex,
            **facts,
        )
    except RuleError:
        return []
    return [str(place) for place in zone]


BOARD = HexesInPlay()
