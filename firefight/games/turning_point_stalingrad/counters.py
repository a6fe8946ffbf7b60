"""The counters of Turning Point: Stalingrad as the frame asks for them: what the rules say about each."""

from collections.abc import Mapping, Sequence
from functools import cache

from firefight.engine.board.counters import Piece
from firefight.engine.board.places import BadPlace
from firefight.engine.charts.book import Book
from firefight.kit import CounterRules, declare_units, read_data

from .rules import becoming, deployment, filling, kinds
from .rules.areas import AREAS, read_areas
from .rules.kinds import Unit
from .rules.retreat import rank_area


@cache
def _read_box() -> Mapping[str, Mapping[str, Unit]]:
    """The counters that the text names."""
    return kinds.read_box(read_data(__package__, "counters"))


class AreaCounters(CounterRules):
    """CounterRules of this game: each answer is a rule's."""

    states = becoming.STATES
    words = becoming.WORDS
    printed = kinds.PRINTED
    places = AREAS
    hideable = False
    unmarked = "Fresh"
    exclusive = (frozenset(becoming.DOTTED), frozenset(becoming.ISOLATED))
    sheet = declare_units(kinds.COLUMNS, kinds.build_unit, kinds.HINT)
    tell_value = staticmethod(kinds.tell_value)

    @property
    def kinds(self) -> Mapping[str, Mapping[str, Unit]]:
        """The shipped gallery; what owners type of theirs is added to it."""
        return _read_box()

    may_carry = staticmethod(becoming.may_carry)
    become = staticmethod(becoming.become)
    describe = staticmethod(becoming.describe_face)
    explain = staticmethod(filling.explain_tapped)
    widen = staticmethod(filling.list_group)
    tidy = staticmethod(deployment.end_impulse)

    def find_value(self, kind: Unit, name: str) -> int | None:
        """A printed value, None where nobody knows it yet."""
        return kind.find(name)

    def tell_strength(self, piece: Piece) -> int | None:
        """Its Attack Factor; None for AT and AA, and where nobody knows it."""
        return piece.kind.find("af") or None

    def arm(self, kind: Unit) -> str:
        """The heading for its class."""
        return kind.sort.word

    def list_places_around(self, charts: Book, place: str) -> Sequence[str]:
        """The Areas and Zones that touch one, as far as a chart knows them."""
        try:
            return sorted(read_areas(charts).neighbours(AREAS.parse(place)).names, key=rank_area)
        except BadPlace:
            return ()


COUNTERS = AreaCounters()
