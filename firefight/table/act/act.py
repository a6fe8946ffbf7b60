"""One act at work: who does it, the match as it stands, the lines of the log so far."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Protocol

from firefight.columns import MatchState
from firefight.models import Act, LogEntry, Match

from . import writing
from .table import Table

Kind = LogEntry.Kind


@dataclass(frozen=True, slots=True)
class Done:
    """An act as it stands in the log, new or repeated."""

    match: Match
    act: Act
    entries: list[LogEntry]


Doing = Callable[[Match, Act], list[LogEntry]]


class CountersRetold(Protocol):
    """Counters that a correction has wound back. ``frozen``: those that it leaves as they are."""

    frozen: set[str]

    def make_way(self, counter_id: str, fields: Iterable[str]) -> None:
        """These fields of a counter are changed again: what later lines made of them gives way."""


@dataclass
class MatchAct:
    """What one act works with. ``table``: who does it, as its request read the match; ``match``: as it is held now.

    ``row``: the act as it is stored; ``before``: how the match stood; ``entries``: its lines of the log so far.
    ``retelling``: the counters on their way back to the present, while a roll is corrected. ``drawn``: the version of
    the match at which its form was drawn.
    """

    table: Table
    match: Match
    row: Act
    before: MatchState
    entries: list[LogEntry] = field(default_factory=list)
    retelling: CountersRetold | None = None
    drawn: int | None = None

    @property
    def side(self) -> str:
        """Who acts."""
        return self.table.side

    @cached_property
    def table_now(self) -> Table:
        """The table with the match as this act has changed it so far."""
        return replace(self.table, match=self.match)

    def tell(self, kind: Kind, sentence: str, side: str | None = None, **more: Any) -> LogEntry:
        """Add a line to the log, the acting side's unless ``side`` says whose it is."""
        entry = writing.record(self.match, self.row, kind, self.side if side is None else side, sentence, **more)
        self.entries.append(entry)
        return entry
