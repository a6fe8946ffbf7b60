"""Counters wound back to where a corrected roll stood, line by line, as far as lines tell what became of them."""

from collections.abc import Collection, Sequence

from firefight.engine.board.counters import CounterInPlay
from firefight.models import LogEntry, Match
from firefight.table.act.lines import changed_by
from firefight.table.act.ports import CounterStore
from firefight.table.board import counters, stores

from .doubts import name_openly

DECIDING = ("state", "levels", "fate")  # what rolls read of a counter, and what is wound back


class Winding:
    """How far the counters of a match have been wound back.

    ``before``: by roll, how it found the counters that it is about. ``wound``: by line and counter, the fields that
    were put back. ``frozen``: counters that have changed in a way that no line tells, which stay as they are. ``told``:
    what players are told of those. ``struck``: the rolls that do not stand any more.
    """

    def __init__(self, match: Match, struck: Collection[int]):
        self.match, self.struck = match, struck
        self.before: dict[int, dict[str, CounterInPlay]] = {}
        self.wound: dict[tuple[int, str], tuple[str, ...]] = {}
        self.frozen: set[str] = set()
        self.told: list[str] = []

    def wind_back(self, entries: Sequence[LogEntry]) -> None:
        """Put the counters back, the newest line first, and note how each roll found those that it is about."""
        if not entries:
            return
        store = counters.store_of(self.match)
        for entry in reversed(entries):
            if entry.kind == LogEntry.Kind.ROLL:
                found = ((each, store.find(each)) for each in entry.touches.split())
                self.before[entry.number] = {each: counter for each, counter in found if counter}
            else:
                self._put_back(store, entry)

    def _put_back(self, store: CounterStore, entry: LogEntry) -> None:
        """Put a line's counters back, as far as they are as it left them; what it cannot put back stays as it is."""
        for counter_id, fields in changed_by(entry).items():
            counter = store.find(counter_id)
            if counter is None:
                continue
            now = counter.to_json()
            held = {name: was for name, (was, left) in fields.items() if (now.get(name) or None) == (left or None)}
            if counter_id in self.frozen or any(name in fields and name not in held for name in DECIDING):
                self.frozen.add(counter_id)
                if entry.about in self.struck:
                    stays = f"№ {entry.number} stays: {name_openly(self.match, counter_id)} changed again since."
                    self.told.append(f"{stays} Put that right by hand.")
                continue
            store.put(stores.set_fields(counter, held))
            self.wound[entry.number, counter_id] = tuple(held)
