"""The counters of a match, wherever they are kept: in its state, or as the rows of its ledger.

One store is kept on the match while an act is done, so that everybody who reads or changes counters meets in it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from firefight.assistant.registry import CounterKind
from firefight.engine.board.counters import CounterInPlay, Piece
from firefight.models import Match

if TYPE_CHECKING:
    from .acts import MatchAct


class CounterStore(Protocol):
    """All counters of one match."""

    def all(self) -> Sequence[CounterInPlay]:
        """Every counter, also those that are gone: the sides in their order, each by number."""

    def find(self, counter_id: str) -> CounterInPlay | None:
        """A counter by its id."""

    def known(self, sees: Iterable[str]) -> Sequence[CounterInPlay]:
        """The counters as somebody who may see these sides' secrets gets them."""

    def kinds(self, side: str) -> Mapping[str, CounterKind]:
        """The gallery of a side, by key."""

    def piece(self, counter: CounterInPlay) -> Piece:
        """A counter with its kind."""

    def put(self, counter: CounterInPlay) -> None:
        """Let a counter be so from now on."""

    def add(self, side: str, key: str, number: int) -> list[CounterInPlay]:
        """So many new counters of a kind. Raises Refused where the store takes none."""

    def save(self, act: "MatchAct") -> None:
        """Write what was put or added, and note on the act how to undo it."""


def store_of(match: Match) -> CounterStore:
    """The store of a match, the same one while an act is done."""
    raise NotImplementedError
