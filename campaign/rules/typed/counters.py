"""The counters of both sides as one sheet: a row a counter."""

import re
from collections.abc import Iterable, Mapping

from firefight.engine.board.pasting import fold_name
from firefight.engine.charts.checks import CheckedSheet
from firefight.engine.charts.records import Column, RecordsLayout, SheetRow, number, word_reader, write_origins
from firefight.engine.charts.spec import ChartSpec
from firefight.engine.charts.tables import Block, Place, Sheet
from firefight.engine.values import Json, Values
from firefight.games.combat_stalingrad.rules.air import Aircraft
from firefight.games.combat_stalingrad.rules.counters import CounterKind, FlakColumn, OwnColumn, Rank, read_counters
from firefight.games.combat_stalingrad.rules.reading import GAME
from firefight.games.combat_stalingrad.rules.sides import Side

from .part import Cells, conclude, letters_of, origins_in
from .words import read_ranges, read_text, write_ranges

TITLE = "Counters"
_SIDES = {side.value: side.word for side in Side}
_ARMS = {kind.value: kind.word for kind in CounterKind}
_WEAPONS = {weapon.value: weapon.word for weapon in OwnColumn}
_RANKS = {rank.value: rank.word for rank in Rank}
_AIRCRAFT = {plane.value: plane.word for plane in Aircraft}
_FLAK = {flak.value: flak.word for flak in FlakColumn}


def read_side(text: str) -> str:
    """A side by its name or the first letter of it. Raises ValueError."""
    side = next((value for value, label in _SIDES.items() if text.casefold() in (value, value[0], label)), None)
    if side is None:
        raise ValueError("should be German or Russian")
    return side


COLUMNS = (
    Column("name", "name", read_text, also=("counter", "unit"), hint="as lists of counters call it"),
    Column("side", "side", read_side, _SIDES.__getitem__, is_value=False, choices=_SIDES),
    Column("arm", "kind", word_reader(_ARMS), _ARMS.__getitem__, also=("kind", "type", "class"), choices=_ARMS),
    Column("in the box", "count", number, also=("count", "number", "box", "total"), is_digits=True),
    Column("FF", "ff", number, also=("firepower",), is_digits=True, hint="at normal range"),
    Column("FF small", "half_ff", number, also=("half FF", "smaller side", "reduced FF"), is_digits=True),
    Column("CCV", "ccv", number, is_digits=True),
    Column("TQ", "tq", number, also=("troop quality",), is_digits=True),
    Column("FF by range", "fire", read_ranges, write_ranges, also=("ranges", "fire"), hint="1: 9, 2: 8, 3-4: 4"),
    Column("small by range", "half_fire", read_ranges, write_ranges, also=("half fire", "smaller by range")),
    Column("caliber", "caliber", number, also=("mm", "gun"), is_digits=True, hint="in mm"),
    Column("MGs", "mgs", number, also=("machine-guns",), is_digits=True, hint="that fire apart"),
    Column("fires as", "weapon", word_reader(_WEAPONS), _WEAPONS.__getitem__, also=("weapon",), choices=_WEAPONS),
    Column("rank", "rank", word_reader(_RANKS), _RANKS.__getitem__, choices=_RANKS, hint="of a leader"),
    Column(
        "flies as", "aircraft", word_reader(_AIRCRAFT), _AIRCRAFT.__getitem__, also=("aircraft",), choices=_AIRCRAFT
    ),
    Column("flak", "flak", word_reader(_FLAK), _FLAK.__getitem__, choices=_FLAK, hint="its table against aircraft"),
    Column("key", "key", read_text, is_value=False, hint="made of the name if blank"),
)


class CountersLayout(RecordsLayout):
    """A row a counter; its key is made from its name where nobody gives one."""

    def __init__(self) -> None:
        super().__init__(COLUMNS)

    def paste(self, sheet: Sheet, spec: ChartSpec | None, block: Block, at: Place | None) -> Sheet:
        """As usual; a counter pasted without its key keeps the key that its side and name had before."""
        pasted = super().paste(sheet, spec, block, at)
        name, side, key = (self.head.index(title) for title in ("name", "side", "key"))

        def side_and_name(row: tuple[str, ...]) -> tuple[str, str]:
            return row[side][:1].casefold(), fold_name(row[name])

        keys = {side_and_name(row): row[key] for row in sheet.rows if row[name]}
        rows = tuple(
            row if row[key] else (*row[:key], keys.get(side_and_name(row), ""), *row[key + 1 :]) for row in pasted.rows
        )
        return Sheet(pasted.head, rows, pasted.marks, pasted.limits)


LAYOUT = CountersLayout()


def write_counters_sheet(raw: Values) -> Sheet:
    """The counters of a file as a sheet."""
    default = raw.get("provenance", "house")
    return LAYOUT.lay_out(
        ({**values, "key": key, "side": side.value}, origins_in(values, default).of)
        for side in Side
        for key, values in raw[side.value].items()
    )


def check_counters(sheet: Sheet, confirmed: Iterable[str], fixed: Mapping[str, str], name: str) -> CheckedSheet:
    """A sheet as the counters of both sides. ``fixed``: what the rulebook's text gives for them, by cell."""
    records, flaws = LAYOUT.read_records(sheet)
    cells = Cells(flaws=list(flaws))
    by_cell = _by_key(records, cells)
    letters, broken = letters_of(sheet, cells, fixed)
    raw: Json = {"game": GAME, "name": name, "provenance": "house", **{side.value: {} for side in Side}}
    for cell, record in by_cell.items():
        side, _, key = cell.partition(".")
        values = {column.name: record.get(column.name) for column in COLUMNS if column.is_value}
        values = {value: entry for value, entry in values.items() if entry is not None}
        origin_letters = {value: letters[f"{cell}.{value}"] for value in values}
        raw[side][key] = {**values, **write_origins(origin_letters)}
    problems = read_counters(raw)[1]
    return conclude(TITLE, sheet, cells, letters, broken, raw, problems, confirmed)


def _by_key(records: Iterable[SheetRow], cells: Cells) -> dict[str, SheetRow]:
    """Each counter by side and key; one without either, or listed twice, is noted as a flaw."""
    by_cell: dict[str, SheetRow] = {}
    called: dict[tuple[str, str], str] = {}
    for record in records:
        at = record.places
        side, name = record.get("side"), record.get("name") or ""
        if side is None:
            if not any(flaw.place == at["side"] for flaw in cells.flaws):
                cells.flaw(at["side"], "German or Russian?")
            continue
        key = make_key(record.get("key") or name)
        cell = f"{side}.{key}"
        if not key or cell in by_cell:
            cells.flaw(
                at["key" if record.get("key") else "name"],
                "stands here twice" if key else "a name in Latin letters is missing",
            )
            continue
        if re.search(r"[,;:]", name):
            cells.flaw(at["name"], "a name has no comma, semicolon or colon: lists of counters are written with them")
        if (other := called.setdefault((side, fold_name(name)), cell)) != cell:
            cells.flaw(at["name"], f"is called like {other.partition('.')[2]}: lists could not tell them apart")
        by_cell[cell] = record
        cells.spots[cell] = at["name"]
        for column in COLUMNS:
            cells.note(f"{cell}.{column.name}", at[column.name], column, record.get(column.name))
    return by_cell


def make_key(name: str) -> str:
    """The key of a counter with this name."""
    key = re.sub(r"[^a-z0-9]+", "_", name.casefold().replace("ß", "ss")).strip("_")
    return (key if key[:1].isalpha() else f"c_{key}" if key else "")[:40].rstrip("_")


def find_row_counter(sheet: Sheet, row: int) -> tuple[str, str, Json] | None:
    """The counter of one row as far as it can be read: its side, key and values. None where it has no side or name."""
    records, _ = LAYOUT.read_records(
        Sheet(sheet.head, sheet.rows[row - 1 : row], sheet.marks[row - 1 : row], sheet.limits)
    )
    by_cell = _by_key(records, Cells())
    for cell, record in by_cell.items():
        side, _, key = cell.partition(".")
        return side, key, {name: value for name, value in record.values.items() if name not in ("side", "key")}
    return None
