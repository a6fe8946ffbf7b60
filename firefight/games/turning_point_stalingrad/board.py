"""The Areas in play, drawn by what touches what, as far as the chart knows it: there is no map of the game here (3.2).

The neighbours that rules name come from the text, all others from what an owner typed into the chart of Areas. Where
that is not enough for a drawing, Areas stand in rows by their number, with lines between those that touch.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from firefight.engine.board.board import Board, BoardPlace, BoardView, PieceStack, PlaceView, Shape, Sign
from firefight.engine.board.counters import CounterInPlay
from firefight.engine.charts.book import Book
from firefight.engine.course.keeping import TableState

from .rules import becoming
from .rules.areas import NAMES, AreaMap, read_areas
from .rules.record import find_rubble
from .rules.sides import SIDES, Side


class AreasInPlay:
    """BoardRules of this game: drawn on a page of their own."""

    def lay_board(self, situation: TableState) -> Board | None:
        """The Areas where anything is, with those that touch them; None where nothing is anywhere."""
        areas = read_areas(situation.book)
        names_in_play = {*situation.record["german_areas"], *_list_gun_areas(situation)}
        names_in_play |= {row["area"] for row in situation.record["rubble_levels"] if row["level"]}
        names_in_play |= {counter.place for counter in situation.counters if counter.in_play and counter.place in NAMES}
        around = {neighbour for name in names_in_play for neighbour in areas.neighbours(name).names}
        shown_areas = tuple(name for name in NAMES if name in names_in_play | around)
        return _lay_areas(areas, shown_areas, _freeze_values(situation)) if names_in_play else None

    def view_board(self, situation: TableState, sees: Sequence[str]) -> BoardView:
        """Counters by side, which Areas are German, and Russian artillery. Nothing is hidden here."""
        stacks: dict[str, dict[str, list[CounterInPlay]]] = {}
        for counter in situation.counters:
            if counter.in_play and counter.place in NAMES:
                stacks.setdefault(counter.place, {}).setdefault(counter.side, []).append(counter)
        german_areas, guns = set(situation.record["german_areas"]), _list_gun_areas(situation)
        views = {
            name: PlaceView(
                tuple(_stack(side, counters) for side, counters in stacks.get(name, {}).items()),
                tuple(_list_signs(guns.get(name, ""), find_rubble(name, situation.record))),
                Side.GERMAN.value if name in german_areas else "",
            )
            for name in NAMES
            if name in stacks or name in guns or name in german_areas or find_rubble(name, situation.record)
        }
        return BoardView(views, (f"{len(german_areas)} Areas under {SIDES[Side.GERMAN.value]} control",))


def _list_gun_areas(situation: TableState) -> dict[str, str]:
    """Where Russian artillery is, and whether it is ready (15.3)."""
    return {row["area"]: row["state"] for row in situation.record["russian_artillery"]}


def _list_signs(gun_state: str, rubble: int) -> Iterator[Sign]:
    """What lies in an Area besides counters."""
    if gun_state:
        yield Sign("G", f"Russian artillery, {gun_state}")
    if rubble:
        yield Sign(f"R{rubble}", f"Rubble {rubble}")


def _stack(side: str, counters: Sequence[CounterInPlay]) -> PieceStack:
    labels = (f"{counter.name} ({becoming.describe_face(counter)})" for counter in counters)
    return PieceStack(side, len(counters), ", ".join(labels), ids=tuple(counter.id for counter in counters))


Values = tuple[tuple[str, tuple[Sign, ...]], ...]


def _freeze_values(situation: TableState) -> Values:
    """What Areas print, as far as it is known: TEM and Victory Points."""
    known_tems = {row["area"]: row["tem"] for row in situation.record["area_values"] if row.get("tem")}
    return tuple(_list_values(situation.book, known_tems))


def _list_values(charts: Book, known_tems: dict[str, int]) -> Iterator[tuple[str, tuple[Sign, ...]]]:
    areas = read_areas(charts)
    for name in NAMES:
        tem, vp = areas.tem.get(name) or known_tems.get(name), areas.vp.get(name)
        signs = [Sign(f"+{tem}", f"TEM {tem}")] * bool(tem) + [Sign(f"{vp} VP", f"{vp} Victory Points")] * bool(vp)
        if signs:
            yield name, tuple(signs)


@lru_cache(maxsize=32)
def _lay_areas(areas: AreaMap, shown_areas: tuple[str, ...], values: Values) -> Board:
    marks = dict(values)
    places = tuple(BoardPlace(name, marks=marks.get(name, ())) for name in shown_areas)
    return Board(places, Shape.AREAS, tuple(_list_links(areas, shown_areas)), "Areas in play")


def _list_links(areas: AreaMap, shown_areas: Iterable[str]) -> Iterator[tuple[str, str]]:
    order = {name: at for at, name in enumerate(shown_areas)}
    for name, at in order.items():
        yield from (
            (name, neighbour) for neighbour in sorted(areas.neighbours(name).names) if order.get(neighbour, -1) > at
        )


BOARD = AreasInPlay()
