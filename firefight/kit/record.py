"""What a game makes of its record at the table."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from firefight.engine.course.course import Position
from firefight.engine.course.keeping import (
    Chance,
    ChangedCounter,
    DueAtStep,
    Forestalled,
    Housekeeping,
    ReadyRow,
    RowCard,
    TableState,
)
from firefight.engine.rolls.changes import Change
from firefight.engine.rolls.result import FollowUp, Result
from firefight.engine.values import Values


class RecordRules(Protocol):
    """What a game makes of its record at the table; all of it is pure.

    ``about``: the names by which a roll says what in the record it is about, such as a mission; ``carded``: those of
    them that stand for a card, which fills all that a roll asks. ``filled``: the rolls whose forms the record fills;
    ``surveyed``: of these, those that need the kinds of all counters; ``writers``: those that write something down;
    ``checked``: those that the record may bar whatever they are about. ``hinges``: by roll, a field and the fields that
    the record fills depending on it: whoever changes the one gets the others filled again. ``decided``: by roll, the
    fields that the record fills when it is due, whatever an earlier roll has handed on for them. ``struck``: the rolls
    that are about whoever stands somewhere, so that these rules need the kinds of all counters. ``presumed``: the rolls
    that are about a row even if nothing says so. ``additions``: by field, what the form for a new row is called, and
    which of its parts it asks for. ``cards``, ``lines``: the fields whose rows stand beside the desk, as cards or a
    line each. ``pips``: the field, a list of ids, that says which counters carry a pip for what they have done, one for
    each time they are in it; ``pip_words``: what one, two and more of them are called. ``beside``: the fields that
    are on no card and on no page of the record. ``chance_steps``: those in which counters may try something.
    """

    @property
    def pips(self) -> str: ...

    @property
    def pip_words(self) -> tuple[str, ...]: ...

    @property
    def beside(self) -> frozenset[str]: ...

    @property
    def chance_steps(self) -> frozenset[str]: ...

    def list_chances(self, situation: TableState) -> Sequence[Chance]:
        """What counters may try now, as far as the situation goes."""

    @property
    def surveyed(self) -> frozenset[str]: ...

    @property
    def cards(self) -> tuple[str, ...]: ...

    @property
    def lines(self) -> tuple[str, ...]: ...

    @property
    def about(self) -> tuple[str, ...]: ...

    @property
    def filled(self) -> frozenset[str]: ...

    @property
    def writers(self) -> frozenset[str]: ...

    @property
    def checked(self) -> frozenset[str]: ...

    @property
    def hinges(self) -> Mapping[str, tuple[str, tuple[str, ...]]]: ...

    @property
    def carded(self) -> tuple[str, ...]: ...

    @property
    def decided(self) -> Mapping[str, tuple[str, ...]]: ...

    @property
    def struck(self) -> frozenset[str]: ...

    @property
    def presumed(self) -> frozenset[str]: ...

    @property
    def additions(self) -> Mapping[str, tuple[str, tuple[str, ...]]]: ...

    def fill(self, slug: str, about: Values, situation: TableState) -> Values:
        """What a helper's form is filled with; ``about`` also has what was entered before."""

    def check(self, slug: str, inputs: Values, situation: TableState) -> None:
        """Raise BadInput with every reason why such a roll cannot be made now."""

    def note(self, slug: str, inputs: Values, result: Result, situation: TableState) -> tuple[Change, ...]:
        """What a roll writes down or makes of counters, besides what its own rule says."""

    def forestall(self, slug: str, inputs: Values, situation: TableState) -> Forestalled | None:
        """What others may do before such a roll is made; it is offered to them first. None where there is nothing."""

    def ask_owners(self, slug: str, inputs: Values, result: Result, situation: TableState) -> Sequence[DueAtStep]:
        """The rolls that a roll asks for about counters known to their owners alone, besides what its result says."""

    def find_idle(
        self, slug: str, inputs: Values, follow_ups: Sequence[FollowUp], situation: TableState
    ) -> Sequence[int]:
        """The positions of those ``follow_ups`` of a roll that would be about nobody."""

    def follow(self, changed: Sequence[ChangedCounter], situation: TableState) -> Sequence[DueAtStep]:
        """What is due since an act has changed these counters: moved them, taken them out of play."""

    def find_row(self, kind: Any, number: int) -> tuple[str, Mapping[str, object]] | None:
        """The field and parts of the row that a match keeps for so many of a kind; None where it keeps counters."""

    def narrow(self, slug: str, about: Values, situation: TableState) -> Mapping[str, Mapping[str, str]]:
        """The fields of a roll that are asked first, with the values that are left to choose, each with its words; none
        where all are left. With "" among them nobody has to choose. ``about``: all that its form says."""

    def find_flaws(self, field: str, row: Values, situation: TableState) -> Sequence[str]:
        """Why a row that a player sets cannot be like that, though each of its parts fits, in sentences."""

    def keep_house(self, before: Position, situation: TableState) -> Housekeeping:
        """What is done between a position and the one that the match has come to, and what is due there."""

    def present(self, field: str, situation: TableState) -> list[RowCard]:
        """The rows of a field as players look at them."""

    def list_ready_rows(self, field: str, side: str) -> Sequence[ReadyRow]:
        """The rows of a field that a side adds with one tap each."""

    def preset_row(self, field: str, side: str) -> Mapping[str, str]:
        """What the form for a side's new row is filled with: parts as a form sends them."""

    def make_row(self, field: str, side: str, parts: Values, ids: Sequence[str]) -> tuple[str, Mapping[str, object]]:
        """The id of a new row of a side, and its parts. Raises BadInput."""
