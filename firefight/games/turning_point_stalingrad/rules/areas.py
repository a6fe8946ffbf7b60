"""Areas and Zones, and what is known about them: TEM, Victory Points, river bank, and what touches what (3.2, 3.3).

The map itself is the owner's: the text names a few values and neighbours, everything else is blank until it is typed
in. The chart of neighbours lists those that the text names, the column "links" of the Areas all that an Area has.
"""

from collections import deque
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from firefight.engine.board.places import Areas
from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Matrix, Problem
from firefight.engine.errors import OpenQuestion

NUMBERED = tuple(map(str, range(1, 75)))
ZONES = tuple("ABCDEFGH")
NAMES = (*NUMBERED, *ZONES)
AREAS = Areas(NAMES)
LANDINGS = ("31", "62", "63", "64", "67", "68", "70", "71", "H")  # 2.0, Ferry Landing
GERMAN_SUPPLY = ("C", "D", "E", "F")  # 12.1
RUSSIAN_SUPPLY = ("A", "B", "G", "H", "30", *LANDINGS[:-1])  # 12.1
MAMAYEV_KURGAN = "56"
WORKS = "70"  # the Area of the Tractor Works (13.2)
COLUMNS = ("tem", "vp", "bank", "links")
MOST_TEM, MOST_VP = 4, 9


@dataclass(frozen=True, slots=True)
class Neighbours:
    """What touches an Area as far as anybody knows; ``are_all``: whether that is everything."""

    names: frozenset[str]
    are_all: bool


@dataclass(frozen=True, eq=False)
class AreaMap:
    """What a chart book says about the Areas; nothing where it says nothing. ``banks``: the River Bank Areas."""

    tem: Mapping[str, int]
    vp: Mapping[str, int]
    links: Mapping[str, Neighbours]
    banks: frozenset[str]

    def neighbours(self, area: str) -> Neighbours:
        """What touches an Area."""
        return self.links.get(area, Neighbours(frozenset(), are_all=False))

    def distance(self, start: str, goal: str, most: int) -> int | None:
        """How many Areas away, if at most ``most``; one more if it is surely farther, None where nobody knows."""
        distances, edge, is_sure = {start: 0}, deque([start]), True
        while edge:
            area = edge.popleft()
            if area == goal:
                return distances[area]
            if distances[area] == most:
                continue
            near = self.neighbours(area)
            is_sure = is_sure and near.are_all
            for neighbour in near.names - distances.keys():
                distances[neighbour] = distances[area] + 1
                edge.append(neighbour)
        return most + 1 if is_sure else None


def say_area(area: str, sentence: str) -> str:
    """A sentence, headed by the Area that it is about if one is named.

    >>> say_area("30", "DV 7."), say_area("C", "DV 7."), say_area("", "DV 7.")
    ('Area 30: DV 7.', 'Zone C: DV 7.', 'DV 7.')
    """
    return f"{name_area(area)}: {sentence}" if area else sentence


def name_area(area: str) -> str:
    """What players call an Area or Zone.

    >>> name_area("30"), name_area("C")
    ('Area 30', 'Zone C')
    """
    return f"{'Zone' if is_zone(area) else 'Area'} {area}"


def settle_tem(charts: Book, area: str, tem: int) -> int:
    """The TEM that counts in an Area: as it was given, or else as the chart has it (3.21). Each Area has one, a Zone
    none. Raises OpenQuestion where nobody has said it.
    """
    if tem or not area or is_zone(area):
        return tem
    printed_tem = read_areas(charts).tem.get(area)
    if not printed_tem:
        raise OpenQuestion({"tem": f"Which TEM does the map print in Area {area}, 1 to {MOST_TEM}?"})
    return printed_tem


def is_zone(area: str) -> bool:
    """Whether it is one of the Strategic Movement Zones (3.3)."""
    return area in ZONES


@lru_cache(maxsize=50)
def read_areas(charts: Book) -> AreaMap:
    """The Areas of a book."""
    texts, named_links = (_read_cells(charts, name) for name in ("areas", "neighbours"))
    typed_links = [(area, text) for (area, column), text in texts.items() if column == "links"]
    links: dict[str, set[str]] = {}
    for area, text in (*typed_links, *((area, text) for (area, _), text in named_links.items())):
        for neighbour in split_links(text):
            links.setdefault(area, set()).add(neighbour)
            links.setdefault(neighbour, set()).add(area)
    return AreaMap(
        tem={area: int(text.removeprefix("+")) for (area, column), text in texts.items() if column == "tem"},
        vp={area: int(text) for (area, column), text in texts.items() if column == "vp"},
        links={area: Neighbours(frozenset(near), (area, "links") in texts) for area, near in links.items()},
        banks=frozenset(area for (area, column), text in texts.items() if (column, text) == ("bank", "yes")),
    )


def _read_cells(charts: Book, name: str) -> dict[tuple[str, str], str]:
    """The cells of a table that are not blank."""
    chart = charts[name]
    assert isinstance(chart, Matrix)
    return {key: text for key, text in chart.cells.items() if text is not None}


def split_links(text: str) -> list[str]:
    """The neighbours that a cell lists, separated by commas, semicolons or underscores."""
    return [part.upper() for part in text.replace(";", ",").replace("_", ",").split(",") if part]


def check_areas(chart: Matrix) -> Iterable[Problem]:
    """Rows are Areas 1 to 74 and Zones A to H; each cell is what its column says."""
    unknown = [column for column in chart.columns if column not in (*COLUMNS, "known")]
    if unknown:
        yield Problem(chart.name, unknown[0], f"is not a column of this table; it has {', '.join(COLUMNS)}")
    for row in chart.rows:
        if row not in NAMES:
            yield Problem(chart.name, f"row {row}", "should be an Area from 1 to 74 or a Zone from A to H")
    for (row, column), text in chart.cells.items():
        if text is not None and column not in unknown and (message := _flaw(column, text)):
            yield Problem(chart.name, f"{row}, {column}", message)


def _flaw(column: str, text: str) -> str:
    if column == "tem":
        good = text.removeprefix("+") in map(str, range(MOST_TEM + 1))
        return "" if good else f"should be a TEM from 0 to {MOST_TEM}"
    if column == "vp":
        return "" if text in map(str, range(MOST_VP + 1)) else f"should be Victory Points from 0 to {MOST_VP}"
    if column == "bank":
        return "" if text in ("yes", "no") else "should be yes or no"
    unknown = [name for name in split_links(text) if name not in NAMES]
    return f"there is no Area {unknown[0]}: write 6,7,25,C" if unknown else ""


def find_way(start: str, controlled: Collection[str], goals: Collection[str], areas: AreaMap) -> tuple[list[str], bool]:
    """A way from an Area to one of the goals through controlled ones, and whether all its neighbours were known.

    The start itself need not be controlled.
    """
    came_from: dict[str, str] = {start: ""}
    edge, is_sure = deque([start]), True
    while edge:
        area = edge.popleft()
        if area in goals and area in controlled:
            way = [area]
            while came_from[way[-1]]:
                way.append(came_from[way[-1]])
            return way[::-1], True
        near = areas.neighbours(area)
        is_sure = is_sure and near.are_all
        for neighbour in sorted(near.names - came_from.keys(), key=NAMES.index):
            if neighbour in controlled:
                came_from[neighbour] = area
                edge.append(neighbour)
    return [], is_sure
