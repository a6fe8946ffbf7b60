"""The three sheets that an owner copies from the box: the map, the blocks and the cards."""

import re
from collections.abc import Callable, Mapping, Sequence

from firefight.engine.charts.records import Column, number, read_flag, word_reader
from firefight.engine.errors import BadInput
from firefight.engine.values import Values
from firefight.kit.content import ContentRules, Rows
from firefight.kit.sheets import ContentSheet

from .board import list_odd_spots
from .rules.compass import WAYS, fill_hexes
from .rules.content import MARKS, NOTHING, SHOWN_AA, TYPES, Content, build_content, find_printed, read_house_sheet
from .rules.tables import ROWS, Fire, GermanCard, Side
from .solo.conductor import is_led
from .solo.soundness import find_solo_flaw

SIDES = {"german": "German", "soviet": "Soviet"}


def _read_name(text: str) -> str | None:
    return None if text == NOTHING else text


def _bounded(low: int, high: int) -> Callable[[str], int | None]:
    """A reader of a number from low to high."""

    def read(text: str) -> int | None:
        value = number(text)
        if value is not None and not low <= value <= high:
            raise ValueError(f"should be {low} to {high}")
        return value

    return read


def _listed(words: Sequence[str]) -> Callable[[str], str | None]:
    """A reader of some of these words, separated by commas or blanks."""

    def read(text: str) -> str | None:
        tokens = [] if text == NOTHING else [word for word in re.split(r"[\s,;/]+", text) if word]
        spellings = {word.lower(): word for word in words}
        if odd := [word for word in tokens if word.lower() not in spellings]:
            raise ValueError(f"“{odd[0]}” should be one of {', '.join(words)}")
        return ",".join(spellings[word.lower()] for word in tokens) or None

    return read


def _list_hexes(text: str) -> str | None:
    return None if text == NOTHING else ",".join(re.findall(r"\w+", text)) or None


def _tick(value: object) -> str:
    return "x" if value else ""


SIDE = Column("side", "side", word_reader(SIDES))
NAME = Column("name", "name", _read_name, also=("block", "unit", "card"))
HEXES = ContentSheet(
    "hexes",
    "Hexes",
    (
        Column("name", "hex", _read_name, also=("hex", "number")),
        Column("row", "row", _bounded(1, 40), also=("from the north",)),
        Column("rank", "rank", _bounded(0, 40), also=("from the Volga",)),
        Column("terrain", "terrain", word_reader({word: word for word in ("clear", "urban", "rough")})),
        Column("setup", "setup", read_flag, _tick, also=("set-up",)),
        *(Column(way, way, _read_name, also=(way[1:],)) for way in WAYS),
    ),
    needed=("hex", "terrain"),
    unique=("hex",),
    hint="One row for each hex. terrain: clear, urban or rough. setup: x where a Soviet block starts. d1 to d6: the "
    "hex in that direction of the Soviet Compass; one for each hex is enough, the others are worked out from it. row "
    "(1 is the northernmost) and rank (how far from the Volga) may stay blank.",
)
BLOCKS = ContentSheet(
    "blocks",
    "Blocks",
    (
        SIDE,
        NAME,
        Column("type", "type", word_reader({word: word for word in (*TYPES, "tank")})),
        Column("colour", "colour", word_reader({word: word for word in ("white", "yellow", "blue")}), also=("color",)),
        Column("top", "top", _bounded(1, 4), also=("dots",)),
        Column("fire", "fire", _listed([fire.value for fire in Fire])),
        Column("marks", "marks", _listed([mark for marks in MARKS.values() for mark in marks])),
        Column("track", "track", _bounded(1, ROWS), also=("row",)),
        Column("start", "start", _read_name, also=("starts in",)),
    ),
    needed=("side", "name", "type", "top", "fire"),
    unique=("side", "name"),
    hint="One row for each block. top: its most dots. fire: SF, DF or TF, or one for each number of dots, with commas. "
    "marks: r or axe for Germans, marine, guards, aa or destroyer for Soviets. track: the row of the Reinforcement "
    "Track that names it. start: the hex in which it begins.",
)
CARDS = ContentSheet(
    "cards",
    "Cards",
    (
        SIDE,
        NAME,
        Column("copies", "copies", _bounded(1, 9)),
        Column("dice", "dice", _bounded(0, 12)),
        Column("modifier", "modifier", _bounded(-6, 6)),
        Column("hexes", "hexes", _list_hexes, also=("hex",)),
    ),
    needed=("side", "name", "copies"),
    unique=("side", "name"),
    hint="One row for each card, with how many copies there are. hexes: the four of the AA cards.",
)


def build_owners_content(rows: Rows) -> Content:
    """One content from three sheets. Raises BadInput where they do not fit each other."""
    keys = [_name_block(row) for row in rows["blocks"]]
    if problems := _find_odd_names(keys) | _find_odd_blocks(rows):
        raise BadInput(problems)
    track, start = [""] * ROWS, dict[str, list[str]]()
    for key, row in zip(keys, rows["blocks"], strict=True):
        if track_row := row.get("track"):
            track[track_row - 1] = key
        if hex := row.get("start"):
            start.setdefault(hex, []).append(key)
    hexes = [{"setup": False, **row} for row in fill_hexes(rows["hexes"])]
    blocks = [{"colour": "", "marks": "", **row, "block": key} for key, row in zip(keys, rows["blocks"], strict=True)]
    cards = [{"dice": 0, "modifier": 0, "hexes": "", **row, "card": _name_card(row)} for row in rows["cards"]]
    return build_content(hexes, blocks, cards, track, start)


def _find_odd_names(keys: Sequence[str]) -> dict[str, str]:
    """Blocks whose names differ in capitals and signs alone."""
    twice = next((key for key in keys if keys.count(key) > 1), "")
    return {"blocks": f"Blocks: two names are too much alike ({twice})."} if twice else {}


def _find_odd_blocks(rows: Rows) -> dict[str, str]:
    """Blocks whose fire, row of the track or starting hex cannot be."""
    problems, hexes = dict[str, str](), {row["hex"] for row in rows["hexes"]}
    tracks_named = set[int]()
    for row in rows["blocks"]:
        prefix, steps = f"Blocks, {row['name']}", len(row["fire"].split(","))
        is_german, track = row["side"] == Side.GERMAN, row.get("track")
        if steps not in (1, row["top"]):
            problems[f"blocks {row['name']}"] = f"{prefix}, fire: one word, or {row['top']}, not {steps}."
        if track and (track in tracks_named or not is_german):
            problems[f"{prefix} track"] = f"{prefix}, track: row {track} names one German unit."
        if row.get("start") and (row["start"] not in hexes or not is_german):
            problems[f"{prefix} start"] = f"{prefix}, start: a German block, in a hex of the sheet."
        tracks_named.add(track or 0)
    return problems


def _name_block(row: Values) -> str:
    return str(row["side"])[0] + re.sub(r"[^a-z0-9]", "", row["name"].lower())


def _name_card(row: Values) -> str:
    return re.sub(r"[^a-z0-9]+", "_", row["name"].lower()).strip("_")


def list_house_rows(data: Mapping[str, str], content: Content) -> Rows:
    """The house's sheets (data/house.toml) in the form of an owner's: named and starting Units in their rows."""
    read = {column.name: column.read for sheet in (HEXES, BLOCKS, CARDS) for column in sheet.columns}
    start = {key: hex for hex, keys in content.start.items() for key in keys}
    sheet_rows = {sheet.slug: read_house_sheet(data[sheet.slug]) for sheet in (HEXES, BLOCKS, CARDS)}
    for row in sheet_rows["blocks"]:
        key = row["block"]
        row["start"] = start.get(key, "")
        row["track"] = str(content.track.index(key) + 1) if key in content.track else ""
    return {
        slug: [{name: read[name](cell) for name, cell in row.items() if cell and name in read} for row in rows]
        for slug, rows in sheet_rows.items()
    }


def list_begun_rows(house: Rows) -> Rows:
    """The sheets as far as the text fills them: names of hexes and blocks, types, decks; only the box has the rest."""
    printed_columns = {"hexes": ("hex",), "blocks": ("side", "name", "type", "marks")}
    begun_rows = {
        slug: [{name: row[name] for name in names if name in row} for row in house[slug]]
        for slug, names in printed_columns.items()
    }
    cards = [dict(row) for row in house["cards"]]
    for row in cards:
        if _name_card(row) == GermanCard.PIONEER_672:
            row.update(dict.fromkeys(("copies", "dice", "modifier")))
        elif row.get("hexes"):
            row["hexes"] = SHOWN_AA
    return {**begun_rows, "cards": cards}


def find_owners_flaws(content: object) -> list[str]:
    """Where a content contradicts the text, or itself."""
    if not isinstance(content, Content):
        return []
    return content.find_flaws() or list_odd_spots(content)


def declare_sheets(data: Mapping[str, str], house: Content) -> ContentRules:
    """The sheets of the game, with the house's own to start from."""

    def find_misfit(content: object, record: Values) -> str:
        standing = record.get("solo")
        printed = find_printed(content, house)
        if standing and isinstance(standing.get("blocks"), dict) and standing["blocks"].keys() != printed.blocks.keys():
            return "the blocks of its game are not those of its sheets."
        return find_solo_flaw(standing, printed) if standing else ""

    rows = list_house_rows(data, house)
    return ContentRules(
        "Map, blocks and cards",
        (HEXES, BLOCKS, CARDS),
        rows,
        build_owners_content,
        find_owners_flaws,
        find_misfit,
        list_begun_rows(rows),
        is_led,
    )
