"""A line of the log as one browser may see it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from firefight.columns import LoggedResult, Rolled, Rolls
from firefight.engine import chain
from firefight.engine.rolls.dice import face_text
from firefight.engine.values import Values
from firefight.models import LogEntry

from . import episodes
from .line_keys import CHANGED_COUNTERS


@dataclass(frozen=True, slots=True)
class LogLine:
    """One entry as one browser may see it."""

    number: int
    kind: str
    side: str
    at: datetime
    sentence: str
    secret: str
    helper: str
    due: str
    result: LoggedResult | None
    rolls: Rolls
    about: int | None
    voided_by: int | None
    revealed_by: int | None
    mine: bool
    inputs: Values
    touches: str
    salt: str
    secret_digest: str
    voids: list[int]
    app: str
    digest: str
    act: Any
    episode: int | None = None
    outcome: str = ""
    headline: str = ""

    @property
    def begin(self) -> int:
        """The number of the line that began the episode to which it belongs."""
        return self.episode or self.number

    @property
    def sealed(self) -> bool:
        """Still known to one side only."""
        is_sealed = self.kind == LogEntry.Kind.SEALED or (self.kind == LogEntry.Kind.PHOTO and bool(self.secret_digest))
        return is_sealed and self.revealed_by is None

    @property
    def has_photo(self) -> bool:
        """Shows a photo that this browser may see."""
        return self.kind == LogEntry.Kind.PHOTO and self.voided_by is None and not self.is_withheld

    @property
    def is_withheld(self) -> bool:
        """Whether it says more, which this browser may not see."""
        return bool(self.secret_digest) and not self.secret

    @property
    def from_table(self) -> bool:
        """All its dice were rolled on the table, so that a typing slip may be corrected."""
        return bool(self.rolls) and all(die.source == "table" for die in self.rolls)

    @property
    def follows(self) -> int | None:
        """The number of the line that asked for it, or whose roll it followed from; None where it stands alone."""
        head = self.due.partition("-")[0]
        if head.isdigit():
            return int(head)
        return self.about if self.kind == "counter" else None

    @property
    def beside(self) -> str:
        """How it relates to the line that it is about."""
        if self.kind != LogEntry.Kind.ROLL:
            return "on"
        return "in place of" if episodes.is_made_anew(self.about, self.due) else "corrects"

    @property
    def dice(self) -> str:
        """Its dice in words: what they showed, and who rolled them."""
        return ", ".join(describe_die(die) for die in self.rolls)

    @property
    def explained(self) -> bool:
        """A roll whose modifiers and sources this browser may read."""
        return self.kind == LogEntry.Kind.ROLL and all(die.face != chain.HIDDEN_FACE for die in self.rolls)

    @property
    def undoable(self) -> bool:
        """Changed counters in a way that can be undone, as long as they still stand like that."""
        is_known = bool(self.touches) and not self.voids
        return is_known and self.kind == LogEntry.Kind.COUNTER and self.voided_by is None

    @property
    def can_be_revealed(self) -> bool:
        """Whether its own side holds it under seal, and it still counts."""
        return self.sealed and self.mine and not self.voided_by

    @property
    def correctable(self) -> bool:
        """May be corrected by this browser."""
        return self.mine and self.kind == LogEntry.Kind.ROLL and self.voided_by is None and self.from_table


def changed_by(line: LogEntry | LogLine) -> Mapping[str, Values]:
    """What a COUNTER line says: by the counter's id, each field that it changed, before and after."""
    return line.inputs.get(CHANGED_COUNTERS, {}) if line.kind == LogEntry.Kind.COUNTER else {}


def describe_die(die: Rolled) -> str:
    """A logged die in words."""
    source = f"rolled here, no. {die.number}" if die.source == "app" else "on the table"
    thrown = f", thrown in № {die.of}" if die.of else ""
    face = "under seal" if die.face == chain.HIDDEN_FACE else face_text(die.face, die.sides)
    return f"{die.label}: {face} ({source}){thrown}"
