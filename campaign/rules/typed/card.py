"""A campaign card as a sheet of two columns, a row a field; its page draws it as a form (20.2)."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from firefight.engine.charts.checks import CheckedSheet
from firefight.engine.charts.layouts import Flaw
from firefight.engine.charts.notation import fold_word
from firefight.engine.charts.records import LARGE, Column, RecordsLayout, number, read_flag, word_reader, write_origins
from firefight.engine.charts.tables import TYPED, BadSheet, Block, Place, Sheet, lay_block, turn_block
from firefight.engine.values import Json, Values
from firefight.games.combat_stalingrad.rules.counters import Counter
from firefight.games.combat_stalingrad.rules.reading import GAME, FileReading
from firefight.games.combat_stalingrad.rules.sides import Side

from ..cards import CHECKED_TURNS, Stance, read_card
from ..maps import SectorMap
from ..rosters import Roster
from ..victory import describe_demand, read_verdicts
from .part import Cells, conclude, letters_of, origins_in
from .words import (
    Names,
    parse_sectors,
    read_die,
    read_lines,
    read_text,
    read_times,
    write_die,
    write_lines,
    write_list,
    write_sectors,
)

MOST_GOALS = 6
YES_NO = {"yes": "yes", "": "no"}
_WINNERS = {**{side.value: side.word for side in Side}, "draw": "Draw"}
_STANCES = {stance.value: stance.word for stance in Stance}
IN_PLAY = "in_play"


def _yes(_: object) -> str:
    return "yes"


def card_fields(names: Mapping[Side, Names]) -> tuple[Column, ...]:
    """Every field of a card, in the order of its rows."""
    columns = [
        Column("in play", IN_PLAY, read_flag, _yes, is_value=False, choices=YES_NO, hint="no leaves this card out"),
        Column("label", "label", read_text),
        Column("name", "name", read_text),
        Column("times", "times", read_times, write_list, hint="Dawn, AM, PM"),
        *(
            Column(f"end on turn {turn}", f"end_numbers.{turn}", number, is_digits=True, hint="on a d10, or less")
            for turn in CHECKED_TURNS
        ),
        Column("Random marker", "random_hex", str.upper, hint="a hex such as M14"),
        Column("draw", "draw", read_lines, write_lines, hint="in words; made of the goals if blank"),
    ]
    for side in Side:
        side_names = names[side]
        for column in (
            Column("stance", "stance", word_reader(_STANCES), _STANCES.__getitem__, choices=_STANCES),
            Column("CP at start", "cp", number, is_digits=True),
            Column("CP later", "reinforcement", read_die, write_die, hint="d10 + 6"),
            Column("deployment", "deployment", parse_sectors, write_sectors, hint="1-3, 6", suggests="sectors"),
            Column(
                *("at start", "at_start", side_names.read_at_start, side_names.write_at_start),
                hint="2 I1, 1 Commissar",
                suggests=f"at-start-{side.value}",
            ),
            Column("orders", "orders", read_lines, write_lines, hint="in words; made of the goals if blank"),
        ):
            columns.append(replace(column, title=f"{side.word} {column.title}", name=f"{side.value}.{column.name}"))
    for goal in range(1, MOST_GOALS + 1):
        sides = {side.value: side.word for side in Side}
        for column in (
            Column("wins", "winner", word_reader(_WINNERS), _WINNERS.__getitem__, choices=_WINNERS),
            Column("if", "side", word_reader(sides), sides.__getitem__, choices=sides, hint="whose control counts"),
            Column("controls all of", "sectors", parse_sectors, write_sectors, suggests="sectors"),
            Column("controls one of", "any_of", parse_sectors, write_sectors, suggests="sectors"),
            Column("controls at least", "at_least", number, is_digits=True, hint="this many sectors"),
            Column("controls fewer than", "below", number, is_digits=True, hint="this many sectors"),
            Column(
                "has a line across", "crosses", read_flag, _yes, choices=YES_NO, hint="from its own edge to the other"
            ),
            Column("at once", "at_once", read_flag, _yes, choices=YES_NO, hint="ends the campaign with that firefight"),
        ):
            columns.append(replace(column, title=f"goal {goal}: {column.title}", name=f"verdicts {goal}.{column.name}"))
    return tuple(columns)


@cache
def list_titles() -> tuple[str, ...]:
    """What the rows of every card are called."""
    return tuple(field.title for field in card_fields({side: Names(side, {}) for side in Side}))


class CardLayout(RecordsLayout):
    """Names of fields and their values; the rows stay as they are, and what is pasted finds its row by name."""

    grows = False
    limits = LARGE

    def __init__(self) -> None:
        super().__init__((Column("field", "field", read_text, is_value=False), Column("value", "value", read_text)))

    def is_locked(self, place: Place) -> bool:
        return not (place[0] and place[1])

    def is_head(self, row: tuple[str, ...]) -> bool:
        return [fold_word(text) for text in row[:2]] == ["field", "value"]

    def lies_across(self, block: Block) -> bool:
        titles = set(map(fold_word, list_titles()))
        return len(block) > 1 and sum(fold_word(text) in titles for text in block[0]) > 1

    def paste(self, sheet: Sheet, spec: Any, block: Block, at: Place | None) -> Sheet:
        """Each value goes to the field of that name; values alone from the place on. Raises BadSheet."""
        if self.lies_across(block):
            block = turn_block(block)
        if len(block[0]) == 1:
            first_row = max((at or (1, 1))[0], 1)
            return lay_block(sheet, block[: len(sheet.rows) + 1 - first_row], (first_row, 1))
        rows = {fold_word(row[0]): number for number, row in enumerate(sheet.rows)}
        texts, marks = [list(row) for row in sheet.rows], [list(line) for line in sheet.marks]
        for title, text, *_ in block[1:] if self.is_head(block[0]) else block:
            if fold_word(title) not in rows:
                raise BadSheet(f"“{title[:40]}” is not a field of a card.")
            texts[rows[fold_word(title)]][1] = text
            marks[rows[fold_word(title)]][1] = TYPED
        return Sheet(sheet.head, tuple(map(tuple, texts)), tuple(map("".join, marks)), sheet.limits)


LAYOUT = CardLayout()


def write_card_sheet(raw: Values | None, fields: Iterable[Column]) -> Sheet:
    """A card of a file as a sheet; None for one that is left out."""
    card = raw or {}
    flat = {f"{side}.{name}": value for side in Side for name, value in card.get(side, {}).items()}
    flat |= {f"end_numbers.{turn}": value for turn, value in card.get("end_numbers", {}).items()}
    for goal, verdict in enumerate(card.get("verdicts", []), 1):
        flat |= {f"verdicts {goal}.{name}": value for name, value in verdict.items()}
    flat |= {name: card[name] for name in ("label", "name", "times", "random_hex", "draw") if name in card}
    of_card = origins_in(card, "house")
    of_side = {side.value: origins_in(card.get(side, {}), of_card.provenance) for side in Side}
    rows, marks = [], []
    for column in fields:
        value = RecordsLayout.write(column, flat.get(column.name)) if column.name != IN_PLAY else "yes" if raw else "no"
        head, _, tail = _top(column.name)
        origin = of_side[head].of(tail) if head in of_side else of_card.of(head)
        rows.append((column.title, value))
        marks.append(f".{origin[0]}" if column.is_value else "..")
    return Sheet(LAYOUT.head, tuple(rows), tuple(marks), LAYOUT.limits)


def _top(name: str) -> tuple[str, str, str]:
    """Where a field's provenance stands in the file: "german", ".", "cp", or "verdicts"."""
    head, dot, tail = name.partition(".")
    return ("verdicts", "", "") if head.startswith("verdicts") else (head, dot, tail)


def check_card(
    identity: str,
    sheet: Sheet,
    confirmed: Iterable[str],
    fixed: Mapping[str, str],
    sector_map: SectorMap,
    rosters: Mapping[Side, Roster],
    counters: Mapping[Side, Mapping[str, Counter]],
) -> CheckedSheet:
    """A sheet as a card. One that is not in play has no plain values and nothing against it."""
    groups = {side: {group: rosters[side].groups[group].unit for group in rosters[side].groups} for side in Side}
    fields = card_fields({side: Names(side, counters[side], groups[side]) for side in Side})
    cells, values = Cells(), {}
    for row, (column, (_, text)) in enumerate(zip(fields, sheet.rows, strict=True), 1):
        try:
            value = column.read(text) if text else None
        except ValueError as error:
            cells.flaws.append(Flaw((row, 1), "", str(error)))
            continue
        cells.note(column.name, (row, 1), column, value)
        if value is not None:
            values[column.name] = value
    _add_spots(cells)
    usual = "I" * int(identity.removeprefix("cg"))
    title = f"Card {values.get('label') or f'CG {usual}'}"
    if values.get(IN_PLAY) is False:
        return conclude(title, sheet, Cells(places=cells.places), {}, [], {}, [])
    letters, broken = letters_of(sheet, cells, fixed)
    raw = _write_card(identity, values, letters)
    raw = _with_words(raw, sector_map)
    problems = read_card(raw, sector_map, rosters, counters)[1]
    return conclude(title, sheet, cells, letters, broken, raw, problems, confirmed)


def _add_spots(cells: Cells) -> None:
    """The places that a reader calls by another name than a field's."""
    places = {**cells.places, **cells.spots}
    for goal in range(1, MOST_GOALS + 1):
        cells.spots[f"verdicts {goal}"] = places.get(f"verdicts {goal}.winner", (1, 1))
    for name in list(places):
        cells.spots.setdefault(name.partition(".")[0], places[name])
    cells.spots["stance"] = places.get("german.stance", (1, 1))
    cells.spots["verdicts"] = cells.spots["verdicts 1"]


def _write_card(identity: str, values: Mapping[str, object], letters: Mapping[str, str]) -> dict[str, object]:
    """A card as its file has it."""
    raw: Json = {"game": GAME, "id": identity, "end_numbers": {}, "verdicts": []}
    raw |= {side.value: {} for side in Side}
    goals: dict[int, dict[str, object]] = {}
    origin_letters: dict[str, dict[str, list[str]]] = {"": {}, **{side.value: {} for side in Side}}
    for name, value in values.items():
        head, _, tail = _top(name)
        letter = letters.get(name, "o")
        if name == IN_PLAY or value is False:
            continue
        if head in origin_letters:
            raw[head][tail] = value
            origin_letters[head].setdefault(tail, []).append(letter)
            continue
        origin_letters[""].setdefault(head, []).append(letter)
        if head == "end_numbers":
            raw["end_numbers"][tail] = value
        elif head == "verdicts":
            goal, _, part = name.removeprefix("verdicts ").partition(".")
            goals.setdefault(int(goal), {})[part] = value
        else:
            raw[head] = value
    raw["verdicts"] = [goals[goal] for goal in sorted(goals)]
    for head, of_head in origin_letters.items():
        table = raw if not head else raw[head]
        table |= write_origins(of_head) if of_head else {"provenance": "owner"}
    return raw


def _with_words(raw: Json, sector_map: SectorMap) -> dict[str, object]:
    """Orders and draw in words, made from the goals where nobody has written them."""
    goals = read_verdicts(FileReading("card"), raw["verdicts"], sector_map)

    def lines(winner: Side | None) -> Iterator[str]:
        for goal in goals:
            if goal.winner is winner:
                at_once = ", at once" if goal.at_once else ""
                yield f"If {describe_demand(goal.demand)}{at_once}." if goal.demand else "Otherwise."

    for side in Side:
        if "orders" not in raw[side.value]:
            raw[side.value]["orders"] = list(lines(side))
    if "draw" not in raw:
        raw["draw"] = list(lines(None))
    return raw
