"""Another wood for Fox Hunt: a sheet with a row for each of its places, for those who want to play on it."""

from firefight.engine.board.board import Board, BoardPlace
from firefight.engine.charts.records import Column, read_flag, word_reader
from firefight.engine.errors import BadInput
from firefight.kit import ContentRules, ContentSheet
from firefight.kit.content import Rows

from .board import BOARD, BROOK, FIELD, LAIR, WOOD, list_lairs

WORDS = {ground.word: ground for ground in (FIELD, WOOD, BROOK)}
LAIRS = 3
PLACES = ContentSheet(
    "places",
    "Places",
    (
        Column("name", "name", str.upper),
        Column("ground", "ground", word_reader({word: word for word in WORDS})),
        Column("lair", "lair", read_flag, lambda value: "x"),
    ),
    needed=("name", "ground"),
    unique=("name",),
)


def build_wood(rows: Rows) -> Board:
    """The same places with other grounds and lairs. Raises BadInput where one does not exist, or is missing."""
    rows_by_name = {row["name"]: row for row in rows["places"]}
    names = [place.name for place in BOARD.places]
    if odd := [name for name in (*rows_by_name, *names) if (name in rows_by_name) != (name in names)]:
        raise BadInput({"places": f"Places: A1 to D3 have a row each; look at {', '.join(odd[:5])}."})
    return Board(
        tuple(
            BoardPlace(place.name, place.at, WORDS[row["ground"]], (LAIR,) if row.get("lair") else ())
            for place in BOARD.places
            for row in (rows_by_name[place.name],)
        ),
        title=BOARD.title,
    )


def find_flaws_of_wood(content: object) -> list[str]:
    """A wood has three lairs."""
    number = len(list_lairs(content)) if isinstance(content, Board) else LAIRS
    return [] if number == LAIRS else [f"There are three lairs (1.1), not {number}."]


HOUSE_ROWS = [
    {"name": place.name, "ground": place.ground.word, "lair": LAIR in place.marks or None} for place in BOARD.places
]
CONTENT = ContentRules("The wood", (PLACES,), {"places": HOUSE_ROWS}, build_wood, find_flaws_of_wood)
