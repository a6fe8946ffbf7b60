"""A side's roster as a sheet: a row a Reinforcement Group (20.3.2, 20.3.3)."""

from collections.abc import Callable, Iterable, Mapping

from firefight.engine.charts.checks import CheckedSheet
from firefight.engine.charts.records import (
    Column,
    RecordsLayout,
    SheetRow,
    number,
    read_flag,
    word_reader,
    write_origins,
)
from firefight.engine.charts.tables import Sheet
from firefight.engine.values import Json, Values
from firefight.games.combat_stalingrad.rules.counters import Counter
from firefight.games.combat_stalingrad.rules.reading import GAME
from firefight.games.combat_stalingrad.rules.sides import Side

from ..rosters import GroupType, Roster, parse_roster
from .part import Cells, conclude, letters_of, origins_in
from .words import Names, read_lines, read_text, read_times, write_lines, write_list

_TYPES = {kind.value: kind.word for kind in GroupType}
# What an ID's letter says of a group without a type: the first three by 20.8.3, the others as in our own roster.
_BY_LETTER = {
    "I": GroupType.INFANTRY,
    "G": GroupType.GUNS,
    "V": GroupType.VEHICLES,
    "A": GroupType.ARTILLERY,
    "B": GroupType.BOMBARDMENT,
    "S": GroupType.AIRCRAFT,
    "F": GroupType.FORTIFICATION,
    "N": GroupType.NEST,
    "X": GroupType.ATTACK,
}


def roster_layout(side: Side, counters: Mapping[str, Counter]) -> RecordsLayout:
    """The columns of a roster whose contents are these counters."""
    names = Names(side, counters)
    return RecordsLayout(
        (
            Column("ID", "id", str.upper, also=("RG", "number")),
            Column("type", "type", word_reader(_TYPES), _TYPES.__getitem__, choices=_TYPES, hint="by the ID if blank"),
            Column("group", "unit", read_text, also=("unit", "name")),
            Column(
                *("contents", "contents", names.read_counters, names.write_counters),
                also=("counters", "units"),
                suggests="counters",
                hint="3 Rifle squad, 1 Commissar",
            ),
            Column("CP", "cp", number, also=("cost", "price"), is_digits=True),
            Column("CG I", "boxes.cg1", number, also=("boxes CG I", "cg1"), is_digits=True, hint="boxes"),
            Column("CG II", "boxes.cg2", number, also=("boxes CG II", "cg2"), is_digits=True, hint="boxes"),
            Column("leader", "leader", read_flag, lambda _: "L", also=("leader roll", "L"), hint="L for a leader roll"),
            Column(
                *("dice", "mix", names.read_mix, names.write_mix),
                also=("mix", "d10", "d10 mix"),
                suggests="counters",
                hint="3: 1-6 Pz IV F1, 7-10 Pz IV F2",
            ),
            Column("times", "times", read_times, write_list, also=("time",), hint="all if blank"),
            Column("caliber", "caliber", number, also=("mm",), is_digits=True, hint="of a battery, in mm"),
            Column("plotted", "plotted", read_flag, lambda _: "yes"),
            Column("arrival", "arrival", number, is_digits=True, hint="of aircraft"),
            Column("bonus CP", "bonus_cp", number, also=("CP bonus", "bonus"), is_digits=True, hint="of an Attack"),
            Column("notes", "notes", read_lines, write_lines, also=("note",)),
        )
    )


def write_roster_sheet(layout: RecordsLayout, raw: Values) -> Sheet:
    """The roster of a file as a sheet."""
    default = raw.get("provenance", "house")
    return layout.lay_out((_flat(group), _origins_of(group, default)) for group in raw["groups"])


def _origins_of(group: Values, default: str) -> Callable[[str], str]:
    """Whose the values of a group are; all boxes share one provenance."""
    origins = origins_in(group, default)
    return lambda name: origins.of(name.partition(".")[0])


def _flat(group: Values) -> dict[str, object]:
    boxes = {f"boxes.{campaign}": value for campaign, value in group.get("boxes", {}).items()}
    values = {name: value for name, value in group.items() if name != "boxes"}
    return {**values, **boxes, "contents": values.get("contents") or None}


def check_roster(
    side: Side,
    sheet: Sheet,
    confirmed: Iterable[str],
    fixed: Mapping[str, str],
    name: str,
    counters: Mapping[Side, Mapping[str, Counter]],
) -> tuple[CheckedSheet, Roster | None]:
    """A sheet as a side's roster, and the roster as far as it can be read."""
    layout = roster_layout(side, counters[side])
    records, flaws = layout.read_records(sheet)
    cells = Cells(flaws=list(flaws))
    for place, record in enumerate(records, 1):
        _note_cells(cells, layout, record, place)
    letters, broken = letters_of(sheet, cells, fixed)
    groups = [_write_group(layout, record, letters) for record in records]
    raw = {"game": GAME, "side": side.value, "name": name, "provenance": "house", "groups": groups}
    roster, problems = parse_roster(raw, counters)
    return conclude(title_of(side), sheet, cells, letters, broken, raw, problems, confirmed), roster


def title_of(side: Side) -> str:
    """What the part is called."""
    return f"{side.word} roster"


def _note_cells(cells: Cells, layout: RecordsLayout, record: SheetRow, place: int) -> None:
    """Where the values of a group lie, by its ID; the reader calls one without a good ID by its place."""
    identity = record.get("id") or f"group {place}"
    for name in dict.fromkeys((identity, f"group {place}")):
        cells.spots.setdefault(name, record.places["id"])
        cells.spots.setdefault(f"{name}.boxes", record.places["boxes.cg1"])
    for column in layout.columns:
        cells.spots.setdefault(f"group {place}.{column.name}", record.places[column.name])
        if f"{identity}.{column.name}" not in cells.places:
            cells.note(f"{identity}.{column.name}", record.places[column.name], column, record.get(column.name))


def _write_group(layout: RecordsLayout, record: SheetRow, letters: Mapping[str, str]) -> Json:
    """A row as the file holds it."""
    identity = record.get("id") or ""
    group: Json = {"id": identity}
    origin_letters: dict[str, list[str]] = {}
    for column in layout.columns:
        value, name = record.get(column.name), column.name.partition(".")[0]
        if not column.is_value or value is None or value is False:
            continue
        if column.name.startswith("boxes."):
            group.setdefault("boxes", {})[column.name.removeprefix("boxes.")] = value
        else:
            group[column.name] = value
        origin_letters.setdefault(name, []).append(letters.get(f"{identity}.{column.name}", "o"))
    group.setdefault("boxes", {})
    if "type" not in group and identity[:1] in _BY_LETTER:
        group["type"] = _BY_LETTER[identity[0]].value
    return {**group, **write_origins(origin_letters)} if origin_letters else {**group, "provenance": "owner"}
