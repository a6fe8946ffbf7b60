"""The counters of Streets of Stalingrad as the frame asks for them: what the rules say about each."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from firefight.engine.board.counters import CounterFate, Piece
from firefight.engine.charts.book import Book
from firefight.kit import CounterRules, declare_units, read_data

from .rules import becoming, filling, units
from .rules.hexes import HEXES, list_around
from .rules.housekeeping import IMMOBILIZED
from .rules.units import Unit


@cache
def _read_box() -> Mapping[str, Mapping[str, Unit]]:
    """The counters that the text describes."""
    return units.read_box(read_data(__package__, "counters"))


class StreetsCounters(CounterRules):
    """CounterRules of this game: each answer is a rule's."""

    states = becoming.STATES
    words = becoming.WORDS
    unmarked = "without a marker"
    harms = {IMMOBILIZED: "immobilized", CounterFate.LEFT.value: "wounded"}  # a wounded leader leaves (18.42)
    printed = units.PRINTED
    hinges = filling.HINGES
    places = HEXES
    sheet = declare_units(units.COLUMNS, units.build_unit, units.HINT)
    tell_value = staticmethod(units.tell_value)

    @property
    def kinds(self) -> Mapping[str, Mapping[str, Unit]]:
        """The shipped gallery; what owners type in from theirs is added to it."""
        return _read_box()

    may_carry = staticmethod(becoming.may_carry)
    become = staticmethod(becoming.become)
    tidy = staticmethod(becoming.tidy)
    clears = staticmethod(becoming.clears)
    arrive = staticmethod(becoming.arrive)
    describe = staticmethod(becoming.describe_marked)
    explain = staticmethod(filling.explain_tapped)

    def widen(
        self, slug: str, firers: Sequence[Piece], targets: Sequence[Piece], everybody: Iterable[Piece]
    ) -> Sequence[str]:
        """All units of the target's hex: they are one target."""
        return filling.list_struck(slug, targets, everybody)

    def find_value(self, kind: Unit, name: str) -> int | None:
        """A printed value, None where nobody knows it yet."""
        return kind.find(name)

    def tell_strength(self, piece: Piece) -> int | None:
        """The AF that it has at any range."""
        return piece.kind.find("af") or None

    def arm(self, kind: Unit) -> str:
        """The heading for its like; "" for what lies on a hex and is not a unit."""
        return "" if kind.arm.is_piece else kind.arm.word

    def list_places_around(self, charts: Book, place: str) -> Sequence[str]:
        """The hexes that touch one."""
        return list_around(place)


COUNTERS = StreetsCounters()
