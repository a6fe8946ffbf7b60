"""What owners say about the places of a board, each once: a match keeps it, and fills it in from then on."""

from collections.abc import Callable
from dataclasses import dataclass

from firefight.engine.board.places import BadPlace
from firefight.engine.charts.book import Book
from firefight.engine.values import Json, Values

from .changes import RecordChange, change_row, enter_row
from .record import Record
from .rows import KeptRows


def _nothing(place: str, book: Book) -> Values:
    return {}


def _anything(place: str, part: str, value: object) -> bool:
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptTold(KeptRows):
    """Values by place, which no chart has until a player says them in a form: its parts, each optional.

    ``by``: the field of a form that names the place; the parts are called like the fields that they fill.
    ``of_chart``: what the chart book says about a place, by part, which nobody has to say. ``counts``: whether
    something said about a place is worth keeping.
    """

    by: str
    of_chart: Callable[[str, Book], Values] = _nothing
    counts: Callable[[str, str, object], bool] = _anything

    def read_place(self, place: object) -> str:
        """The place that a form names, "" where it names none."""
        try:
            return str(self.places.parse(place)) if self.places and isinstance(place, str) and place else ""
        except BadPlace:
            return ""

    def find_known(self, place: object, record: Values, book: Book) -> Json:
        """What chart and owner say about a place, by part; only what somebody has said. The chart comes first."""
        name = self.read_place(place)
        if not name:
            return {}
        values = {**record[self.name].get(name, {}), **self.of_chart(name, book)}
        return {part.name: values[part.name] for part in self.parts if values.get(part.name) is not None}

    def fill(self, about: Values, record: Values, book: Book) -> Json:
        """What a form that names a place is filled with."""
        return self.find_known(about.get(self.by), record, book)

    def note(self, inputs: Values, record: Values, book: Book) -> tuple[RecordChange, ...]:
        """What a roll's inputs say about their place for the first time: an owner's word, which the match keeps."""
        place = self.read_place(inputs.get(self.by))
        known_values = self.find_known(place, record, book)
        fresh = {
            part.name: value
            for part in self.parts
            if part.name not in known_values
            and (value := inputs.get(part.name)) not in (None, "")
            and self.counts(place, part.name, value)
        }
        if not place or not fresh:
            return ()
        enter = change_row if place in record[self.name] else enter_row
        return (Record((self,)).change({self.name: enter(place, **fresh)}),)
