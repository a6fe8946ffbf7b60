"""What a match makes of its record at the table: what rolls write down, and what the track asks for."""

from collections.abc import Mapping, Sequence
from typing import Any

from firefight.engine.course.course import Position
from firefight.engine.course.keeping import Housekeeping, RowCard, TableState
from firefight.engine.course.record import RecordChange
from firefight.engine.errors import BadInput
from firefight.engine.rolls.result import Result


class Keeping:
    """The rules of the record: see firefight/assistant/registry.py, RecordRules."""

    about: tuple[str, ...] = ("area",)
    filled: frozenset[str] = frozenset()
    writers: frozenset[str] = frozenset()
    hinges: Mapping[str, tuple[str, tuple[str, ...]]] = {}
    additions: Mapping[str, tuple[str, tuple[str, ...]]] = {}

    def fill(self, slug: str, about: Mapping[str, Any], situation: TableState) -> Mapping[str, Any]:
        """What a form is filled with."""
        return {}

    def check(self, slug: str, inputs: Mapping[str, Any], situation: TableState) -> None:
        """Nothing is barred."""

    def note(
        self, slug: str, inputs: Mapping[str, Any], result: Result, situation: TableState
    ) -> tuple[RecordChange, ...]:
        """What a roll writes down."""
        return ()

    def keep_house(self, before: Position, situation: TableState) -> Housekeeping:
        """What is done as the marker moves."""
        return Housekeeping()

    def present(self, field: str, situation: TableState) -> list[RowCard]:
        """There are no cards."""
        return []

    def make_row(
        self, field: str, side: str, parts: Mapping[str, Any], ids: Sequence[str]
    ) -> tuple[str, Mapping[str, Any]]:
        """Rows come from rolls alone."""
        raise BadInput({field: "What the owner said of an Area is noted with a roll."})
