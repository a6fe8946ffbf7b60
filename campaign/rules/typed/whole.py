"""All parts of the content together: each checked against those before it, and the plain values of the whole."""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from firefight.engine.charts.checks import CheckedSheet
from firefight.engine.charts.layouts import Layout
from firefight.engine.charts.tables import Sheet
from firefight.engine.values import Json, Values
from firefight.games.combat_stalingrad.rules.counters import Counter, read_counters
from firefight.games.combat_stalingrad.rules.sides import Side

from ..maps import SectorMap
from ..rosters import CAMPAIGNS, Roster
from . import card, counters, roster, sector_map
from .words import Names

COUNTERS, MAP = "counters", "map"
ROSTERS = {f"roster-{side.value}": side for side in Side}
CARDS = {f"card-{identity}": identity for identity in CAMPAIGNS}
# In the order in which they are typed in and read.
PARTS = (COUNTERS, *ROSTERS, *CARDS, MAP)

Typed = tuple[Sheet, tuple[str, ...]]  # a sheet, and what its owner has confirmed in it
Kinds = Mapping[Side, Mapping[str, Counter]]


def counters_in(data: Mapping[str, object]) -> Kinds:
    """The counters of plain values, as far as they can be read."""
    return read_counters(data["counters"])[0]


def layout_of(part: str, kinds: Kinds) -> Layout:
    """How a part lies on its sheet. ``kinds``: the counters that its cells name."""
    if part in ROSTERS:
        return roster.roster_layout(ROSTERS[part], kinds[ROSTERS[part]])
    return {COUNTERS: counters.LAYOUT, MAP: sector_map.LAYOUT}.get(part, card.LAYOUT)


def write_sheet(part: str, data: Values, kinds: Kinds) -> Typed:
    """A part of plain values as a sheet, and what is confirmed in it."""
    if part == COUNTERS:
        return counters.write_counters_sheet(data["counters"]), ()
    if part == MAP:
        return sector_map.write_map_sheet(data["map"]), tuple(data["map"].get("confirmed", ()))
    if part in ROSTERS:
        side = ROSTERS[part]
        return roster.write_roster_sheet(roster.roster_layout(side, kinds[side]), data["rosters"][side.value]), ()
    fields = card.card_fields({side: Names(side, kinds[side]) for side in Side})
    return card.write_card_sheet(data["cards"].get(CARDS[part]), fields), ()


class Whole:
    """Content while it is typed. ``base``: the plain values that it began as; ``typed`` gives a part as it stands.

    ``fixed``: what the rulebook's text gives, by part and cell. ``name``: of the parts that were changed.
    """

    def __init__(
        self,
        base: Values,
        typed: Callable[[str], Typed],
        fixed: Mapping[str, Mapping[str, str]],
        name: str,
    ):
        self.base, self.typed, self.fixed, self.name = base, typed, fixed, name
        self._checked: dict[str, CheckedSheet] = {}

    def part(self, part: str) -> CheckedSheet:
        """A part as it stands, with everything that is wrong with it."""
        if part in ROSTERS:
            return self._rosters[part][0]
        if part == MAP:
            return self._map[0]
        if part not in self._checked:
            self._checked[part] = self.check(part, *self.typed(part))
        return self._checked[part]

    def parts(self) -> dict[str, CheckedSheet]:
        """Every part, in order."""
        return {part: self.part(part) for part in PARTS}

    @cached_property
    def kinds(self) -> Kinds:
        """The counters, as far as they can be read."""
        return read_counters(self.part(COUNTERS).raw)[0]

    @cached_property
    def rosters(self) -> dict[Side, Roster]:
        """The rosters, as far as they can be read."""
        return {side: self._rosters[part][1] or Roster("", side, {}) for part, side in ROSTERS.items()}

    @cached_property
    def sector_map(self) -> SectorMap:
        """The map, as far as it can be read."""
        return self._map[1]

    @cached_property
    def _rosters(self) -> dict[str, tuple[CheckedSheet, Roster | None]]:
        return {part: self._check_roster(part, *self.typed(part)) for part in ROSTERS}

    @cached_property
    def _map(self) -> tuple[CheckedSheet, SectorMap]:
        return self._check_map(*self.typed(MAP))

    def check(self, part: str, sheet: Sheet, confirmed: Iterable[str]) -> CheckedSheet:
        """A sheet as this part, beside the others as they stand."""
        if part == COUNTERS:
            return counters.check_counters(sheet, confirmed, self.fixed.get(part, {}), self.name)
        if part == MAP:
            return self._check_map(sheet, confirmed)[0]
        if part in ROSTERS:
            return self._check_roster(part, sheet, confirmed)[0]
        return card.check_card(
            CARDS[part], sheet, confirmed, self.fixed.get(part, {}), self.sector_map, self.rosters, self.kinds
        )

    def _check_roster(self, part: str, sheet: Sheet, confirmed: Iterable[str]) -> tuple[CheckedSheet, Roster | None]:
        return roster.check_roster(ROSTERS[part], sheet, confirmed, self.fixed.get(part, {}), self.name, self.kinds)

    def _check_map(self, sheet: Sheet, confirmed: Iterable[str]) -> tuple[CheckedSheet, SectorMap]:
        return sector_map.check_map(sheet, confirmed, self.fixed.get(MAP, {}), self.name, self.base["map"])

    def layout(self, part: str) -> Layout:
        """How a part lies on its sheet."""
        return layout_of(part, self.kinds if part in ROSTERS else {side: {} for side in Side})

    def plain(self, changed: Iterable[str]) -> Json:
        """The plain values; a part that was not changed is as it stood in the base."""
        changed = set(changed)
        raw = {part: self.part(part).raw if part in changed else read_part(self.base, part) for part in PARTS}
        return {
            "counters": raw[COUNTERS],
            "rosters": {side.value: raw[part] for part, side in ROSTERS.items()},
            "map": raw[MAP],
            "cards": {identity: raw[part] for part, identity in CARDS.items() if raw[part]},
        }


def read_part(data: Values, part: str) -> object:
    """The plain values of one part; None for a card that is left out."""
    if part in ROSTERS:
        return data["rosters"][ROSTERS[part].value]
    return data["cards"].get(CARDS[part]) if part in CARDS else data[part]


def fixed_in(data: Mapping[str, object]) -> dict[str, dict[str, str]]:
    """What the rulebook's text gives for the content, by part and cell: the shipped values that are marked "text"."""
    kinds = counters_in(data)
    sheets = {part: write_sheet(part, data, kinds) for part in PARTS}
    whole = Whole(data, sheets.__getitem__, {}, "")
    fixed = {}
    for part, checked in whole.parts().items():
        marks = {name: checked.sheet.marks[row - 1][column] for name, (row, column) in checked.cells.items()}
        words = checked.words()
        fixed[part] = {name: words[name] for name, letter in marks.items() if letter == "t" and words[name]}
    return fixed
