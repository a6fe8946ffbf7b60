"""The Areas in play, drawn by what touches what, as far as the chart knows it: no map of the game is in here (3.2).

What rules name of neighbours is the text's, all else what an owner typed into the chart of Areas. Where that is not
enough for a drawing, Areas stand in rows by their number, with lines between those that touch.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from firefight.engine.board.board import Board, BoardPlace, BoardView, PieceStack, PlaceView, Shape, Sign
from firefight.engine.board.counters import CounterInPlay
from firefight.engine.charts.book import Book
from firefight.engine.course.keeping import TableState

from .rules import becoming
from .rules.areas import NAMES, AreaMap, read_areas
from .rules.sides import SIDES, Side


class AreasInPlay:
    """BoardRules of this game: drawn on a page of their own."""

    def lay_board(self, situation: TableState) -> Board | None:
        """The Areas where anything is, with those that touch them; None where nothing is anywhere."""
        areas = read_areas(situation.book)
        named = {*situation.record["german_areas"], *_list_gun_areas(situation)}
        named |= {each.place for each in situation.counters if each.in_play and each.place in NAMES}
        around = {other for name in named for other in areas.neighbours(name).names}
        shown = tuple(name for name in NAMES if name in named | around)
        return _lay_areas(areas, shown, _freeze_values(situation)) if named else None

    def view_board(self, situation: TableState, sees: Sequence[str]) -> BoardView:
        """Counters by side, whose Area it is where it is German, and Russian artillery. Nothing is hidden here."""
        stacks: dict[str, dict[str, list[CounterInPlay]]] = {}
        for each in situation.counters:
            if each.in_play and each.place in NAMES:
                stacks.setdefault(each.place, {}).setdefault(each.side, []).append(each)
        held, guns = set(situation.record["german_areas"]), _list_gun_areas(situation)
        views = {
            name: PlaceView(
                tuple(_stack(side, there) for side, there in stacks.get(name, {}).items()),
                (Sign("G", f"Russian artillery, {guns[name]}"),) if name in guns else (),
                Side.GERMAN.value if name in held else "",
            )
            for name in NAMES
            if name in stacks or name in guns or name in held
        }
        return BoardView(views, (f"{len(held)} Areas under {SIDES[Side.GERMAN.value]} control",))


def _list_gun_areas(situation: TableState) -> dict[str, str]:
    """Where Russian artillery is, and whether it is ready (15.3)."""
    return {row["area"]: row["state"] for row in situation.record["russian_artillery"]}


def _stack(side: str, there: Sequence[CounterInPlay]) -> PieceStack:
    told = (f"{each.name} ({becoming.describe_face(each)})" for each in there)
    return PieceStack(side, len(there), ", ".join(told), ids=tuple(each.id for each in there))


Values = tuple[tuple[str, tuple[Sign, ...]], ...]


def _freeze_values(situation: TableState) -> Values:
    """What is printed on Areas as far as it is known: TEM and Victory Points."""
    told = {row["area"]: row["tem"] for row in situation.record["area_values"] if row.get("tem")}
    return tuple(_list_values(situation.book, told))


def _list_values(charts: Book, told: dict[str, int]) -> Iterator[tuple[str, tuple[Sign, ...]]]:
    areas = read_areas(charts)
    for name in NAMES:
        tem, vp = areas.tem.get(name) or told.get(name), areas.vp.get(name)
        signs = [Sign(f"+{tem}", f"TEM {tem}")] * bool(tem) + [Sign(f"{vp} VP", f"{vp} Victory Points")] * bool(vp)
        if signs:
            yield name, tuple(signs)


@lru_cache(maxsize=32)
def _lay_areas(areas: AreaMap, shown: tuple[str, ...], values: Values) -> Board:
    marks = dict(values)
    places = tuple(BoardPlace(name, marks=marks.get(name, ())) for name in shown)
    return Board(places, Shape.AREAS, tuple(_list_links(areas, shown)), "Areas in play")


def _list_links(areas: AreaMap, shown: Iterable[str]) -> Iterator[tuple[str, str]]:
    order = {name: at for at, name in enumerate(shown)}
    for name, at in order.items():
        yield from ((name, other) for other in sorted(areas.neighbours(name).names) if order.get(other, -1) > at)


BOARD = AreasInPlay()
