"""The counters of Battle for Stalingrad: those of the German display, and what owners type in from theirs."""

from collections.abc import Mapping, Sequence
from functools import cache

from firefight.engine.board.counters import NO_ACCOUNT, Account, CounterInPlay, Piece
from firefight.engine.charts.book import Book
from firefight.engine.values import Values
from firefight.kit import CounterRules, declare_units, read_data

from .rules import box, filling
from .rules.box import UnitCounter
from .rules.terrain import GERMAN, SOVIET


@cache
def _read_display() -> Mapping[str, Mapping[str, UnitCounter]]:
    """What the shipped chart of the display lists; the sheet has no Soviet ones."""
    grid = read_data(__package__, "chartbook")["charts"]["deployment"]["grid"]
    return {GERMAN: box.list_display(grid), SOVIET: {}}


class BattleCounters(CounterRules):
    """CounterRules of this game: a counter is there or eliminated, flak may lie face down (3.23 Flak)."""

    states = {filling.FACE_DOWN: "Face down"}
    words = {**states, "good_order": "Face up", "eliminated": "Eliminated"}
    unmarked = "face up"
    printed = {box.KIND: "kind of unit"}
    hinges = filling.HINGES
    sheet = declare_units(box.COLUMNS, box.build_counter, box.HINT)

    @property
    def kinds(self) -> Mapping[str, Mapping[str, UnitCounter]]:
        """The counters of the display; what owners type in from theirs is added to it."""
        return _read_display()

    tell_value = staticmethod(box.tell_unit)
    find_value = staticmethod(box.find_unit)

    def list_choices(self, name: str) -> Mapping[int, str]:
        """The kinds of units."""
        return {number: unit.word for number, unit in box.NUMBERED.items()}

    def explain(
        self, charts: Book, slug: str, firers: Sequence[Piece], targets: Sequence[Piece], known: Values
    ) -> tuple[Values, Account]:
        """What counters fill in on a combat, and how."""
        return filling.explain_combat(firers, targets, known) if slug == "combat" else ({}, NO_ACCOUNT)

    def tell_strength(self, piece: Piece) -> int | None:
        """The first Fire Strength."""
        return int(piece.kind.printed.first)

    def arm(self, kind: UnitCounter) -> str:
        """Its formation, as the display has it; else what it is."""
        return kind.formation or (kind.unit.word if kind.unit else "Units")

    def describe(self, counter: CounterInPlay) -> str:
        """Eliminated, face down, or nothing worth a word."""
        return counter.fate or ", ".join(self.states[word] for word in counter.state) or "in play"


COUNTERS = BattleCounters()
