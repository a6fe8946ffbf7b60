"""Counters wound back to where a corrected roll stood, line by line, as far as lines tell what happened to them."""

from collections.abc import Collection, Sequence

from firefight.engine.board.counters import CounterInPlay
from firefight.models import LogEntry, Match
from firefight.table.act.lines import changed_by
from firefight.table.act.ports import CounterStore
from firefight.table.board import counters, stores

from .doubts import name_openly

DECIDING = ("state", "levels", "fate")  # what rolls read of a counter, and what is wound back


class Rewind:
    """How far the counters of a match have been wound back.

    ``before``: by roll, how the counters that it is about stood. ``rewound``: by line and counter, the fields that were
    put back. ``frozen``: counters that have changed in a way that no line tells, and so stay as they are. ``notes``:
    what players are told about those. ``struck``: the rolls that do not stand any more.
    """

    def __init__(self, match: Match, struck: Collection[int]):
        self.match, self.struck = match, struck
        self.before: dict[int, dict[str, CounterInPlay]] = {}
        self.rewound: dict[tuple[int, str], tuple[str, ...]] = {}
        self.frozen: set[str] = set()
        self.notes: list[str] = []

    def wind_back(self, entries: Sequence[LogEntry]) -> None:
        """Put the counters back, the newest line first, and note how those of each roll stood."""
        if not entries:
            return
        store = counters.store_of(self.match)
        for entry in reversed(entries):
            if entry.kind == LogEntry.Kind.ROLL:
                about = ((counter_id, store.find(counter_id)) for counter_id in entry.touches.split())
                self.before[entry.number] = {counter_id: counter for counter_id, counter in about if counter}
            else:
                self._put_back(store, entry)

    def _put_back(self, store: CounterStore, entry: LogEntry) -> None:
        """Put a line's counters back where they are still as it left them; the rest stay as they are."""
        for counter_id, fields in changed_by(entry).items():
            counter = store.find(counter_id)
            if counter is None:
                continue
            plain = counter.to_json()
            unchanged = {
                name: old_value
                for name, (old_value, value_left) in fields.items()
                if (plain.get(name) or None) == (value_left or None)
            }
            if counter_id in self.frozen or any(name in fields and name not in unchanged for name in DECIDING):
                self.frozen.add(counter_id)
                if entry.about in self.struck:
                    stays = f"№ {entry.number} stays: {name_openly(self.match, counter_id)} changed again since."
                    self.notes.append(f"{stays} Put that right by hand.")
                continue
            store.put(stores.set_fields(counter, unchanged))
            self.rewound[entry.number, counter_id] = tuple(unchanged)


def find_earlier(match: Match, number: int, ids: Collection[str]) -> dict[str, CounterInPlay]:
    """How counters stood at a line, those among ``ids`` that have changed since: what lines that stand did is put back,
    except for lines that undo a later one, of which nothing is left."""
    store, earlier = counters.store_of(match), dict[str, CounterInPlay]()
    lines = match.log.filter(kind=LogEntry.Kind.COUNTER, number__gt=number, voided_by=None)
    for line in lines.order_by("-number"):
        if line.voids and (line.about or 0) > number:
            continue
        for counter_id, fields in changed_by(line).items():
            counter = earlier.get(counter_id) or store.find(counter_id)
            if counter and counter_id in ids:
                old_fields = {name: old for name, (old, _) in fields.items() if name in DECIDING}
                earlier[counter_id] = stores.set_fields(counter, old_fields)
    return earlier
