"""Everything that is wrong with a sheet, cell by cell, and whose each value is; for a chart, how that is found out."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from firefight.engine.values import Json, Values

from .cells import Unreadable, read_totals
from .kinds import MODESTY, Bands, Chart, Choices, Problem
from .layouts import LAYOUTS, Flaw, Reading
from .notation import word_of
from .spec import ChartSpec, read_chart
from .tables import Place, Sheet, mark_as_house_rule, name_cell

LETTERS = {"t": "text", "h": "house", "o": "owner"}


# What the rulebook's text gives for a cell, by what it is about; None where it says nothing about that.
Given = Mapping[str, str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedSheet:
    """A sheet and all that is known of it.

    ``marks``: whose each cell is, a letter each, "." where it holds no value. ``raw``: its plain values, good only when
    there is no flaw. ``overruled``: what its owner has answered. ``cells``: where each value lies, by its name.
    """

    title: str
    sheet: Sheet
    raw: Json
    flaws: tuple[Flaw, ...]
    overruled: tuple[Flaw, ...]
    marks: tuple[str, ...]
    cells: Mapping[str, Place]

    @property
    def to_mend(self) -> int:
        """How many cells have something wrong; what concerns no single cell counts as one."""
        return len({flaw.place or flaw.cell for flaw in self.flaws})

    def words(self) -> dict[str, str]:
        """Every value by its name as it is read, however it was written."""
        return {name: self.sheet.at(place) for name, place in self.cells.items()}

    def label(self, name: str) -> str:
        """A value's cell as people point at it."""
        return name_cell(self.sheet, self.cells[name])


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked(CheckedSheet):
    """A sheet as a chart, which is None when it cannot be read at all."""

    chart: Chart | None

    def words(self) -> dict[str, str]:
        values = self.chart.named_values() if self.chart else {}
        return {name: word_of(values.get(name)) or self.sheet.at(place) for name, place in self.cells.items()}

    def label(self, name: str) -> str:
        return word_of(name)


def fixed_values(chart: Chart) -> dict[str, str]:
    """What the rulebook's text gives for a shipped chart, by cell; for bands by every single face."""
    values = {
        name: str(value)
        for name, value in chart.named_values().items()
        if chart.origins[name] == "text" and value is not None
    }
    if not isinstance(chart, Bands):
        return values
    return {
        str(face): values[str(band)]
        for band in chart.bands
        if str(band) in values
        for face in range(band.low, band.high + 1)
    }


def check_sheet(
    sheet: Sheet, spec: ChartSpec, title: str, rule: str, confirmed: Iterable[str], fixed: Mapping[str, str]
) -> Checked:
    """Everything that is wrong with a sheet as the chart of that spec.

    ``confirmed``: what the owner has found on their card; ``fixed``: the text's values, from ``fixed_values``.
    """
    reading = LAYOUTS[spec.shape].read(sheet, spec)
    raw = {"title": title, "rule": rule, "provenance": "house", "kind": spec.shape.kind, **reading.values}
    if spec.shape is Choices:  # a modifier without a rule of its own has the chart's
        raw["items"] = [{**item, "rule": item.get("rule", rule)} for item in raw["items"]]
    flaws, chart = list(reading.flaws), None
    overruled: list[Flaw] = []
    try:
        chart = read_chart(spec.name, raw, spec)
    except Unreadable as error:
        flaws.append(Flaw(reading.place_of(error.cell), error.cell, str(error)))
    confirmed = frozenset(confirmed)
    if chart:
        structural_problems = set(chart.problems())
        for problem in spec.problems(chart):
            flaw = _flaw(problem, reading, problem in structural_problems)
            (overruled if problem.odd and problem.confirmation in confirmed else flaws).append(flaw)
    letters, broken = _provenances(sheet, reading, chart, fixed)
    unanswered, answered = part_answered(sheet, broken)
    flaws += unanswered
    overruled += answered
    used = sorted(flaw.confirmation for flaw in overruled if flaw.overrule == "card")
    raw = {**_attribute_values(raw, letters, chart), **({"confirmed": used} if used else {})}
    if chart:
        chart = read_chart(spec.name, raw, spec)  # with the provenance of every cell
    return Checked(
        title=title,
        sheet=sheet,
        chart=chart,
        raw=raw,
        flaws=in_order(flaws),
        overruled=tuple(overruled),
        marks=draw_marks(sheet, {reading.cells[name]: letter for name, letter in letters.items()}),
        cells=reading.cells,
    )


def _flaw(problem: Problem, reading: Reading, structural: bool) -> Flaw:
    place = reading.faces.get(problem.cell) if structural else None
    place = place or reading.place_of(problem.cell)
    answers = {"overrule": "card", "confirmation": problem.confirmation} if problem.odd else {}
    return Flaw(place, problem.cell, problem.message, **answers)


def in_order(flaws: Iterable[Flaw]) -> tuple[Flaw, ...]:
    """In the order of the cells; the same flaw of one place is listed once."""
    return tuple(sorted(dict.fromkeys(flaws), key=lambda flaw: flaw.place or (-1, -1)))


def part_answered(sheet: Sheet, broken: Iterable[Flaw]) -> tuple[list[Flaw], list[Flaw]]:
    """Where values differ from the text's: what has to be mended, and what is the owner's house rule."""
    flaws: list[Flaw] = []
    answered: list[Flaw] = []
    for flaw in broken:
        is_house = flaw.place and sheet.marks[flaw.place[0] - 1][flaw.place[1]] == "h"
        (answered if is_house and flaw.overrule else flaws).append(flaw)
    return flaws, answered


def attribute_cells(
    sheet: Sheet, cells: Mapping[str, Place], values: Values | None, given_of: Callable[[str], Given]
) -> tuple[dict[str, str], list[Flaw]]:
    """Whose each value is, by letter, and where one differs from what the text gives.

    ``values``: as they are read, None where nothing can be; ``given_of``: what the text gives for a cell. If a cell is
    about several things, such as a band of faces, its flaw names the one for which the text gives another value.
    """
    letters, flaws = {}, []
    for name, (row, column) in cells.items():
        letter, text_values = sheet.marks[row - 1][column], given_of(name)
        value = "" if values is None or values.get(name) is None else str(values[name])
        differing = next((about for about, text in text_values.items() if text not in (None, value)), None)
        if values is not None and differing is not None:
            at = "" if differing == name else f" for {differing}"
            message = f"the rulebook's text gives {word_of(text_values[differing])}{at}"
            flaws.append(Flaw((row, column), name, message, "rule", f"{name} = {value}"))
            letter = "h" if letter == "h" else "o"
        elif text_values and None not in text_values.values():
            letter = "t"
        elif letter not in "ho":
            letter = "o"
        letters[name] = letter
    return letters, flaws


def _provenances(
    sheet: Sheet, reading: Reading, chart: Chart | None, fixed: Mapping[str, str]
) -> tuple[dict[str, str], list[Flaw]]:
    """Whose each value of a chart is, and where it differs from the text."""
    values = chart.named_values() if chart else None
    letters, flaws = attribute_cells(sheet, reading.cells, values, lambda name: _find_given(name, chart, fixed))
    lost = [name for name in fixed if chart and name not in reading.cells]
    if isinstance(chart, Bands):  # what lies between bands is a gap already
        lost = [face for face in fixed if not chart.lowest <= int(face) <= chart.sides][:1]
    flaws += [
        Flaw(None, name, f"the rulebook's text gives {word_of(fixed[name])} for {word_of(name)}") for name in lost
    ]
    return letters, flaws


def _find_given(name: str, chart: Chart | None, fixed: Mapping[str, str]) -> Given:
    """What the text says about a cell, or about each face of a band; None where it says nothing."""
    if not isinstance(chart, Bands):
        return {name: fixed[name]} if name in fixed else {}
    band = read_totals(name)
    first, last = band.low or 0, min(band.high or 0, chart.sides)
    by_face = {str(face): fixed.get(str(face)) for face in range(first, last + 1)}
    return by_face if any(by_face.values()) else {}


def _attribute_values(raw: Json, letters: Mapping[str, str], chart: Chart | None) -> dict[str, object]:
    """The plain values with their provenance: that of most cells, and lists of the exceptions."""
    if not letters:
        return raw
    counted = Counter(LETTERS[letter] for letter in letters.values())
    most = max(MODESTY, key=lambda origin: counted[origin])
    raw = {**raw, "provenance": most}
    if isinstance(chart, Choices):
        exceptions = {name: LETTERS[letter] for name, letter in letters.items() if LETTERS[letter] != most}
        items = [
            {**item, "provenance": exceptions[item["key"]]} if item["key"] in exceptions else item
            for item in raw["items"]
        ]
        return {**raw, "items": items}
    lists = {
        origin: [name for name, letter in letters.items() if LETTERS[letter] == origin]
        for origin in MODESTY
        if origin != most
    }
    return {**raw, **{origin: names for origin, names in lists.items() if names}}


def draw_marks(sheet: Sheet, letters: Mapping[Place, str]) -> tuple[str, ...]:
    """Whose each cell is, a line of letters for each row."""
    return tuple(
        "".join(letters.get((number, place), ".") for place in range(len(row)))
        for number, row in enumerate(sheet.rows, 1)
    )


def overrule_flaw(checked: CheckedSheet, key: str) -> tuple[Sheet, str] | None:
    """Answer a flaw: the sheet, and what is confirmed now ("" for a house rule). None if there is no such flaw."""
    flaw = next((flaw for flaw in checked.flaws if flaw.overrule and flaw.key == key), None)
    if flaw is None:
        return None
    if flaw.overrule == "card":
        return checked.sheet, flaw.confirmation
    return (mark_as_house_rule(checked.sheet, flaw.place), "") if flaw.place else None
