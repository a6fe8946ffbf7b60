"""What a match's ledger does for it, and where its counters are kept."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from firefight.engine.board.counters import (
    CounterInPlay,
)
from firefight.models import Match

from .act import MatchAct


class CounterStore(Protocol):
    """All counters of one match. ``book``: the content that they are of, "" for the shipped."""

    match: Match

    @property
    def book(self) -> str: ...

    def all(self) -> Sequence[CounterInPlay]:
        """Every counter, also those that are gone: the sides in their order, each by number."""

    def find(self, counter_id: str) -> CounterInPlay | None:
        """A counter by its id."""

    def known(self, sees: Iterable[str]) -> Sequence[CounterInPlay]:
        """The counters as somebody who may see these sides' secrets gets them."""

    def kinds(self, side: str) -> Mapping[str, Any]:
        """The gallery of a side, by key."""

    def find_flaws(self, counter: CounterInPlay) -> list[str]:
        """Why a counter cannot be so, in sentences."""

    def put(self, counter: CounterInPlay) -> None:
        """Let a counter be so from now on: one that is there, or a new one with a number that nobody has had."""

    def save(self, act: "MatchAct") -> None:
        """Write what was put, with all that follows from it, and note on the act how to undo it."""
