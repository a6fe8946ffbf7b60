"""What pages and paper show of charts: cards, heat maps, odds before and after, differences."""

from collections import Counter as Tally
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace

from firefight.engine.charts.book import Book
from firefight.engine.charts.checks import LETTERS, Checked, CheckedSheet
from firefight.engine.charts.heat import Strip
from firefight.engine.charts.kinds import MODESTY, Chart, Grid
from firefight.engine.charts.layouts import LAYOUTS, Layout
from firefight.engine.charts.notation import word_of
from firefight.engine.charts.spec import ChartSpec
from firefight.engine.charts.tables import Place, name_cell
from firefight.engine.dates import say_day
from firefight.engine.errors import RuleError
from firefight.engine.values import Json
from firefight.games import registry
from firefight.kit.game import Game, Typical

from . import drafts
from .drafts import Volume

MOST_UNKNOWN = 3  # rows of a card that stand there without a value
MOST_TOLD, MOST_SHOWN = 60, 30  # differences of one sheet; flaws that are told beside one
LONGEST_LABEL = 30  # of a cell, for screen readers
BLANK = "?"  # of a cell that has no value yet


def cards(game: Game, checked: dict[str, Checked], typed: Container[str] = ()) -> list[Json]:
    """Every chart as it lies on a play-aid card, each value with its provenance."""
    return [card(drafts.spec_of(game, name), chart, name in typed) for name, chart in checked.items()]


def card(spec: ChartSpec, chart: Checked, typed: bool) -> Json:
    """One card. ``unknown``: the rows without values, where there are many beside others and so are left out."""
    kind, has_own_head = chart.raw["kind"], not LAYOUTS[spec.shape].head
    names = {word_of(key): name for key, name in spec.names.items()} if has_own_head else {}
    # A modifier's key is for the rules alone.
    columns = range(1, 4) if kind == "choices" else range(len(chart.sheet.head))
    rows = [
        [_show_cell(row[place], letters[place], names) for place in columns]
        for row, letters in zip(chart.sheet.rows, chart.marks, strict=True)
    ]
    counted = _count_origins(chart)
    filled_rows = [row for row in rows if any(cell["text"] != BLANK for cell in row[1:])]
    blank_rows = [row for row in rows if row not in filled_rows]
    is_long = bool(filled_rows) and len(blank_rows) > MOST_UNKNOWN
    return {
        "name": spec.name,
        "title": chart.raw["title"],
        "rule": chart.raw["rule"],
        "kind": kind,
        "provenance": next((word for word in MODESTY if word in counted), "owner"),
        "mixed": counted if len(counted) > 1 else {},
        "head": [names.get(name, name) for name in chart.sheet.head] if has_own_head else (),
        "rows": filled_rows if is_long else rows,
        "unknown": join_runs([row[0]["text"] for row in blank_rows]) if is_long else "",
        "flaws": chart.to_mend,
        "typed": typed,
    }


def _show_cell(text: str, letter: str, names: Mapping[str, str]) -> dict[str, str]:
    return {"text": say_cell(text, names) or (BLANK if letter != "." else ""), "origin": LETTERS.get(letter, "")}


def _count_origins(chart: Checked) -> dict[str, int]:
    """How many filled cells come from where."""
    rows = zip(chart.sheet.rows, chart.marks, strict=True)
    tally = Tally(letter for row, letters in rows for text, letter in zip(row, letters, strict=True) if text)
    return {word: tally[letter] for letter, word in LETTERS.items() if tally[letter]}


def say_cell(text: str, names: Mapping[str, str]) -> str:
    """A cell as players say it: a name, a day, or a list of names.

    >>> say_cell("6,d", {"d": "D"}), say_cell("1942-10-08", {}), say_cell("", {})
    ('6, D', '8 October 1942', '')
    """
    return ", ".join(names.get(part) or say_day(part) for part in text.split(","))


def join_runs(names: Sequence[str]) -> str:
    """Names with those in between left out where they are numbers in a row.

    >>> join_runs(["1", "2", "3", "7", "A", "B"])
    '1 to 3, 7, A, B'
    """
    runs: list[list[str]] = []
    for name in names:
        if runs and name.isdecimal() and runs[-1][-1].isdecimal() and int(name) == int(runs[-1][-1]) + 1:
            runs[-1].append(name)
        else:
            runs.append([name])
    return ", ".join(run[0] if len(run) == 1 else f"{run[0]} to {run[-1]}" for run in runs)


def draw_check(checked: CheckedSheet) -> Json:
    """What stands beside a sheet that is typed into: all that is known about it."""
    flaws = describe_flaws(checked)
    return {
        "flaws": flaws[:MOST_SHOWN],
        "flaw_count": checked.to_mend,
        "bad": " ".join(sorted({flaw["at"] for flaw in flaws})),
        "answered": checked.overruled,
        "marks": "/".join(checked.marks),
    }


def draw_grid(checked: CheckedSheet, layout: Layout) -> Json:
    """A sheet to type into, as ``_grid.html`` draws it."""
    flaws = describe_flaws(checked)
    return {
        "title": checked.title,
        "sheet": lay_out_cells(checked, layout, flaws, MOST_SHOWN),
        "longest": layout.limits.cell,
    }


def describe_flaws(checked: CheckedSheet) -> list[dict[str, str]]:
    """The flaws of a sheet, each with its cell as a page knows and names it."""
    return [
        {
            "at": f"{flaw.place[0]}-{flaw.place[1]}" if flaw.place else "",
            "where": name_cell(checked.sheet, flaw.place) or word_of(flaw.cell),
            "message": flaw.message,
            "overrule": flaw.overrule,
            "key": flaw.key,
        }
        for flaw in checked.flaws
    ]


def lay_out_cells(
    checked: CheckedSheet, layout: Layout, flaws: list[dict[str, str]], described: int
) -> dict[str, object]:
    """A sheet to type into. ``described``: how many of the flaws, the first ones, are told beside it."""
    sheet, bad = checked.sheet, {flaw["at"] for flaw in flaws}
    described_at = {flaw["at"] for flaw in flaws[:described]}

    def cell(place: Place, text: str) -> Json:
        row, column = place
        at = f"{row}-{column}"
        return {
            "at": at,
            "number": column,
            "text": text,
            "label": name_cell(sheet, place)[:LONGEST_LABEL] if row and column else f"Row {row}",
            "letter": checked.marks[row - 1][column] if row else "",
            "whose": LETTERS.get(checked.marks[row - 1][column], "") if row else "",
            "bad": at in bad,
            "told": at in described_at,
            "locked": layout.is_locked(place),
        }

    lines = [
        [cell((row, column), text) for column, text in enumerate(line)]
        for row, line in enumerate((sheet.head, *sheet.rows))
    ]
    rows = [{"number": number, "cells": line} for number, line in enumerate(lines[1:], 1)]
    digits = " ".join(map(str, layout.columns_of_digits(len(sheet.head))))
    return {"head": lines[0], "rows": rows, "own_head": not layout.head, "grows": layout.grows, "digits": digits}


# What a chart does

TALL, WIDE = 300, 30  # units of the drawing: a strip's height and width
READABLE = 11  # the least height of a label
MOST_DRAWN, MOST_NAMED = 400, 200  # stretches of a drawing, and of one with labels


def draw_heat(strips: tuple[Strip, ...]) -> Json | None:
    """The strips as paths, one for each level, and labels where there is room."""
    drawn = sum(len(strip.stretches) for strip in strips)
    if not 0 < drawn <= MOST_DRAWN:
        return None
    paths: dict[int, list[str]] = {}
    labels = []
    width = WIDE if len(strips) > 1 else 4 * WIDE
    for place, strip in enumerate(strips):
        unit = TALL / (strip.sides - strip.lowest + 1)
        for stretch in strip.stretches:
            top, height = (
                round((stretch.low - strip.lowest) * unit, 1),
                round((stretch.high - stretch.low + 1) * unit, 1),
            )
            paths.setdefault(stretch.level, []).append(f"M{place * width} {top:g}h{width - 1}v{height:g}h{1 - width}z")
            if height >= READABLE and stretch.label and drawn <= MOST_NAMED:
                x = place * width + (width - 1) / 2
                labels.append({"x": f"{x:g}", "y": f"{top + height / 2 + 4:g}", "text": word_of(stretch.label)[:16]})
    return {
        "paths": [(level, "".join(paths[level])) for level in sorted(paths)],
        "labels": labels,
        "names": [
            (f"{place * width + (width - 1) / 2:g}", strip.name) for place, strip in enumerate(strips) if strip.name
        ],
        "width": len(strips) * width,
        "lowest": strips[0].lowest,
        "sides": strips[0].sides,
    }


def before_and_after(volume: Volume, chart: Chart | None) -> Json | None:
    """The odds of a typical roll with the book that this one comes from, and with the chart as it stands."""
    typical = volume.game.typical.get(chart.name) if chart else None
    if chart is None or typical is None:
        return None
    base = volume.base
    if typical.at:
        column = telling_column(base[chart.name], chart, typical.column)
        typical = replace(typical, words=typical.words.format(column), inputs={**typical.inputs, **typical.at(column)})
    sides = [
        _shares(base, volume, typical),
        _shares(Book(volume.name, {**base.charts, chart.name: chart}), volume, typical),
    ]
    if isinstance(sides[1], str):
        return {"words": typical.words, "trouble": sides[1]}
    before, after = (side if isinstance(side, dict) else {} for side in sides)
    rows: list[Json] = [
        {"label": label, "before": before.get(label, 0), "after": after.get(label, 0)}
        for label in dict.fromkeys([*after, *before])
    ]
    for row in rows:
        row["differs"] = abs(row["before"] - row["after"]) > 1e-9
    helper = registry.helpers(volume.game.slug)[typical.helper]
    return {"title": helper.title, "words": typical.words, "rows": rows, "base": volume.own_draft.based_on.name}


def telling_column(before: Chart, after: Chart, usual: str) -> str:
    """The usual column, or if that has not changed the first that has."""
    if not (isinstance(before, Grid) and isinstance(after, Grid)):
        return usual
    common = [column for column in after.columns if column in before.columns]
    changed = [column for column in common if before.column(column) != after.column(column)]
    return changed[0] if changed and usual not in changed else usual


def _shares(book: Book, volume: Volume, typical: Typical) -> dict[str, float] | str:
    """Percentages by outcome, or why there are none."""
    helper = registry.helpers(volume.game.slug)[typical.helper]
    form = helper.form.from_plain(typical.inputs, book=book)
    if not form.is_valid():
        return "The typical roll does not fit this book."
    try:
        odds = helper.table_odds(book, form.inputs())
    except (RuleError, ValueError) as error:  # a result that the rule does not know
        return str(error)
    return {row.label: 100 * row.weight / odds.total for row in odds.rows}


def compare_sheets(first: CheckedSheet, second: CheckedSheet) -> Json:
    """The cells where two versions of a sheet differ, by their names."""
    values = [sheet.words() for sheet in (first, second)]
    rows = [
        {
            "cell": (first if name in values[0] else second).label(name),
            "first": values[0].get(name, "not there"),
            "second": values[1].get(name, "not there"),
        }
        for name in dict.fromkeys([*values[0], *values[1]])
        if values[0].get(name) != values[1].get(name)
    ]
    return {"title": first.title, "rows": rows[:MOST_TOLD], "count": len(rows), "more": len(rows) - MOST_TOLD}


def differing_charts(game: Game, *books: Book) -> list[dict[str, object]]:
    """The charts where two parsed books differ, with the cells."""
    return list_differing(game, *(drafts.check_book(game, book) for book in books))


def list_differing(game: Game, first: Mapping[str, Checked], second: Mapping[str, Checked]) -> list[Json]:
    """The charts that differ, in the game's order, with the cells."""
    return differing_sheets(first, second, [spec.name for spec in game.chart_specs])


def differing_sheets(
    first: Mapping[str, CheckedSheet], second: Mapping[str, CheckedSheet], names: Iterable[str]
) -> list[Json]:
    compared = [compare_sheets(first[name], second[name]) for name in names]
    return [sheet for sheet in compared if sheet["count"]]
