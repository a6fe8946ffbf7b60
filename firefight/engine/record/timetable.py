"""What a match keeps of what comes up by itself on a later step: who is back, what is done by then."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from firefight.engine.rolls.changes import lay_over
from firefight.engine.values import Json, Values

from .changes import RecordChange, strike
from .fields import KeptChoice, KeptField, KeptNumber, KeptText
from .lists import KeptList
from .rows import KeptParts

LATEST = 999  # the turn after which nothing comes up
LONGEST_WORDS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptTimetable(KeptList):
    """Rows {what, side, turn, phase, about}, each of which comes off on its step and is told then.

    ``sides``: those that a row may belong to, by slug; it may be nobody's. ``phases``: what the course calls the steps
    of a turn, in their order: a range of numbers, or words; nothing where a turn has none. ``asks``: the roll that a
    row asks for as it comes up, a helper's slug and its inputs; None where it is only told. ``brings``: what a row that
    comes up makes of the rest of the record. ``now``: the title under which it is told then.

    The frame strikes, tells and asks (firefight/table/board/record_rules.py); a game only writes rows.
    """

    sides: Mapping[str, str]
    phases: range | tuple[str, ...] = ()
    asks: Callable[[Values], tuple[str, Values] | None] | None = None
    brings: Callable[[Values], RecordChange | None] | None = None
    now: str = "Due now"
    item: KeptField = field(init=False)

    def __post_init__(self) -> None:
        parts: list[KeptField] = [
            KeptText(name="what", title="what", longest=LONGEST_WORDS),
            KeptChoice(name="side", title="of the", choices={"": "nobody", **self.sides}),
            KeptNumber(name="turn", title="turn", low=1, high=LATEST),
        ]
        if isinstance(self.phases, range):
            parts.append(KeptNumber(name="phase", title="phase", low=self.phases.start, high=self.phases.stop - 1))
        elif self.phases:
            parts.append(KeptChoice(name="phase", title="phase", choices={word: word for word in self.phases}))
        parts.append(KeptText(name="about", title="about", longest=LONGEST_WORDS))
        object.__setattr__(self, "item", KeptParts(fields=tuple(parts)))

    def find_arrived(self, rows: Iterable[Values], facts: Values) -> list[Json]:
        """The rows whose step has come, or is past. ``facts``: where the match stands, as forms and files know it."""
        present = self._rank(facts)
        return [dict(row) for row in rows if self._rank(row) <= present]

    def arrive(self, rows: Sequence[Values]) -> Json:
        """The change that takes off what has come up, with what that brings: of two about the same, the later one."""
        changes = [self.brings(row) for row in rows] if self.brings else []
        return lay_over([RecordChange({self.name: strike(*rows)}, ()), *filter(None, changes)])

    def say(self, row: Values) -> str:
        """A row that has come up, as a sentence: "Due now, Soviet: Chuikov, back (HQ)."."""
        whose = f", {self.sides[row['side']]}" if row.get("side") in self.sides else ""
        about = f" ({row['about']})" if row.get("about") else ""
        return f"{self.now}{whose}: {row['what']}{about}."

    def _rank(self, row: Values) -> tuple[int, int]:
        has_phase = self.phases and row.get("phase") in self.phases
        return row["turn"], self.phases.index(row["phase"]) if has_phase else -1
