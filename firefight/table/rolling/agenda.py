"""What must be told again after a corrected roll: later lines and rolls about counters, in the order in which they
count."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from firefight.models import LogEntry, Match
from firefight.table.act.line_keys import AGAIN
from firefight.table.act.lines import changed_by

from .rewinding import DECIDING

Kind = LogEntry.Kind


def find_times(match: Match, first: int, told_again: Mapping[int, int]) -> dict[int, int]:
    """When each line from number ``first`` on counts: what a correction has made again counts where the old one stood.

    ``told_again``: lines that were told again, each with the line that first told it.
    """
    times: dict[int, int] = {}
    reached: dict[object, int] = {}  # by act, how far it has got with what it makes again
    rows = match.log.filter(number__gte=first).order_by("number")
    for number, act, kind, about, rolls in rows.values_list("number", "act_id", "kind", "about", "rolls"):
        replaces = (about if kind == Kind.ROLL else None) or next((die.of for die in rolls if die.of), None)
        origin = replaces or told_again.get(number)
        if not origin and act is None and kind == Kind.COUNTER:  # a file does not say which lines came in one act
            origin = about if times.get(about or 0, about) != about else None
        times[number] = times.get(origin, origin) if origin else reached.get(act, number) if act else number
        if replaces and act:
            reached[act] = times[number]
    return times


class Agenda:
    """The lines and rolls about counters that count after a corrected roll, the earliest first.

    ``frozen``: counters that stay as they are, as the rewind finds out. ``undoings``: lines that put back what another
    later one did; ``must_tell``: the numbers of those that are struck, to be told again.
    """

    def __init__(
        self,
        match: Match,
        first: int,
        lines: Sequence[LogEntry],
        rolls: Iterable[LogEntry],
        frozen: set[str],
    ):
        self.match, self.frozen = match, frozen
        told_again = {line.number: line.inputs[AGAIN] for line in lines if AGAIN in line.inputs}
        self.times = find_times(match, first, told_again)
        entries = self._sort([*filter(is_read_by_rolls, lines), *rolls])
        self.undoings = [entry for entry in entries if self._is_undoing(entry)]
        undoing = {entry.number for entry in self.undoings}
        self.entries = [entry for entry in entries if entry.number not in undoing]
        self.must_tell: set[int] = set()

    def add(self, entries: Iterable[LogEntry]) -> None:
        """Put entries where they count; those already listed are not listed twice."""
        listed_numbers = {entry.number for entry in self.entries}
        self.entries = self._sort([*self.entries, *(entry for entry in entries if entry.number not in listed_numbers)])

    def _sort(self, entries: Iterable[LogEntry]) -> list[LogEntry]:
        return sorted(entries, key=lambda entry: (self._time_of(entry), entry.number))

    def _time_of(self, entry: LogEntry) -> int:
        return self.times.get(entry.number, entry.number)

    def _is_undoing(self, entry: LogEntry) -> bool:
        """Whether a line puts back what another later one did, so that nothing is left of either."""
        return entry.kind == Kind.COUNTER and bool(entry.voids) and (entry.about or 0) in self.times

    def strike(self, rolls: Collection[int]) -> list[int]:
        """Take off the agenda what struck rolls did to counters, and set aside the later lines that must be told again.

        Returns the numbers of all these lines.
        """
        dropped = [entry for entry in self.entries if entry.kind == Kind.COUNTER and entry.about in rolls]
        dropped = [entry for entry in dropped if not self._is_frozen(entry)]
        undone = [entry.number for entry in self.undoings if self._undoes_any(entry, rolls)]
        numbers = {entry.number for entry in dropped}
        self.entries = [entry for entry in self.entries if entry.number not in numbers]
        touched = {key for entry in dropped for key in list_changed_fields(entry)}
        self.undoings = [entry for entry in self.undoings if entry.number not in undone]
        return sorted([*(numbers - self.must_tell), *undone, *self.set_aside(touched)])

    def _undoes_any(self, undoing: LogEntry, rolls: Collection[int]) -> bool:
        line = self.match.log.filter(number=undoing.about or 0).first()
        return line is not None and line.about in rolls

    def _is_frozen(self, entry: LogEntry) -> bool:
        return not self.frozen.isdisjoint(changed_by(entry))

    def set_aside(self, touched: Collection[tuple[str, str]]) -> list[int]:
        """The later lines about the same fields of the same counters: they are struck, to be told again."""
        lines = (entry for entry in self.entries if entry.kind == Kind.COUNTER and entry.number not in self.must_tell)
        numbers = [
            entry.number
            for entry in lines
            if not list_changed_fields(entry).isdisjoint(touched) and not self._is_frozen(entry)
        ]
        self.must_tell |= set(numbers)
        return numbers


def is_read_by_rolls(entry: LogEntry) -> bool:
    """Whether a line says what rolls read of a counter, or where a roll has sent it; a line that brings one into play
    stays as it is."""
    changes, deciding = changed_by(entry).values(), {*DECIDING, *(("place", "level", "area") if entry.about else ())}
    is_added = any("counter" in fields for fields in changes)
    return not is_added and any(not deciding.isdisjoint(fields) for fields in changes)


def list_changed_fields(entry: LogEntry) -> set[tuple[str, str]]:
    """What a line changes: fields of counters, by id and name."""
    return {(counter_id, name) for counter_id, fields in changed_by(entry).items() for name in fields}
