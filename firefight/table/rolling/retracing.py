"""Where a match stood before each line of an exported log, as the lines tell it: place, record, counters.

What a roll notes in the record depends on that. A log does not tell all of it: a match may come from a file or belong
to a campaign, and another side's secrets are withheld. Then nobody can say what a roll had to note.
"""

from bisect import bisect_right, insort
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from firefight.columns import MatchState
from firefight.engine import chain
from firefight.engine.board.counters import CounterInPlay, Piece
from firefight.engine.charts.book import Book
from firefight.engine.course.course import BadMove, Position
from firefight.engine.course.keeping import TableState
from firefight.engine.values import Values
from firefight.games import registry
from firefight.kit.game import MODE
from firefight.models import LogEntry, Match
from firefight.table.act.line_keys import AGAIN, CHANGED_COUNTERS, CHANGES
from firefight.table.board import record
from firefight.table.board.stores import read_counter, write_counter

Kind = LogEntry.Kind

Line = Values
# Changes, counting those made again where lines are struck, besides two for each line: no log is retraced beyond that.
MOST_MADE = 4_000
KEPT_EACH = 2  # lines between two waypoints, from which to go on where something is struck
BEGINS = "The match begins."
ODD = (AttributeError, IndexError, KeyError, TypeError, ValueError)  # what no app has written


@dataclass(frozen=True, slots=True)
class Waypoint:
    """How a match stood once all that counts up to a time had happened."""

    time: int
    state: MatchState
    counters: dict[str, CounterInPlay]


class Retracing:
    """A match on its way along its log.

    ``is_certain``: whether the lines tell everything about it. ``is_withheld``: some are another side's secret.
    """

    def __init__(self, exported: Values):
        self.game = registry.games()[exported["game"]]
        self.is_certain = self._find_options(exported["entries"])
        self.is_withheld = self.hides_counters = False
        self.changes_left = (
            MOST_MADE + 2 * len(exported["entries"]) if self.game.keeping.writers or self.game.titles else 0
        )
        self.lines: dict[int, Line] = {}
        self.changing: list[tuple[int, int]] = []  # when each line counts that changes something, and its number
        self.positions: dict[int, Position] = {}  # where a line of the course led
        self.times: dict[int, int] = {}
        self.struck: dict[int, int] = {}
        self.strikes: dict[int, list[int]] = {}
        self.left_at: dict[int, MatchState] = {}  # how each line left the match
        self.waypoints: list[Waypoint] = []  # the oldest first
        self.is_in_order = True  # whether what counts earlier was made earlier, too
        self.until: int | None = None  # while a correction is being told: when its changes count
        self.corrected_at = ""  # the time of that correction: all lines of an act have one
        self.first_shared_time = _find_first_shared_time(exported["entries"])
        self.match = self._begin()

    def _find_options(self, lines: Iterable[Line]) -> bool:
        """Note the options, on which the course may depend; returns whether the log begins with the match itself."""
        first_line = next(iter(lines), None)
        opening = str(first_line["sentence"]) if first_line else ""
        agreed = [
            (option.slug, value)
            for option in self.game.all_options
            for value, words in option.choices.items()
            if f" {option.title}: {words}." in opening
        ]
        self.options = dict(agreed)
        modes_named = sum(slug == MODE for slug, _ in agreed)
        return opening.startswith(BEGINS) and modes_named == bool(self.game.modes)

    def _begin(self) -> Match:
        defaults = self.game.record.defaults
        state = MatchState(options=self.options, record=defaults).at(self.game.find_course(self.options).begin())
        self.counters: dict[str, CounterInPlay] = {}
        return Match(game=self.game.slug, state=state)

    def situation(self, book: Book, asked_at: int = 0) -> TableState:
        """How the match stands, as the game's rules see it; ``asked_at``: with the record as that line left it."""
        state = self.left_at.get(asked_at, self.match.state)
        values = self.game.record.complete(state.record)
        kinds = self.game.counters.kinds
        counters_in_play = tuple(self.counters.values())
        pieces = (
            Piece(counter, kind)
            for counter in counters_in_play
            if (kind := kinds.get(counter.side, {}).get(counter.counter))
        )
        return TableState(state.position, values, book, counters_in_play, pieces=tuple(pieces), options=self.options)

    def knows(self, changes: Values) -> bool:
        """Whether the lines tell everything that these changes of the record depend on: so they do where nothing is
        withheld, and for rows that everybody knows."""
        if not self.is_certain or self.hides_counters:
            return False
        values = self.match.state.record
        changed = ((name, rows.get("change", {})) for name, rows in changes.items() if isinstance(rows, Mapping))
        return not self.is_withheld or all({*rows} <= {*values.get(name, {})} for name, rows in changed)

    # Line after line

    def reach(self, line: Line) -> None:
        """Come to a line: strike what it strikes, and for a corrected roll go back to where the old one stood."""
        try:
            if self.changes_left > 0:
                self._reach(line)
        except ODD:
            self.is_certain = False

    def take(self, line: Line) -> None:
        try:
            if self.changes_left > 0 and self._changes_something(line):
                insort(self.changing, (self.times[line["number"]], line["number"]))
                self._apply(line)
            self.left_at[line["number"]] = self.match.state
            if self.changes_left > 0 and self.until is None and self.is_in_order and line["number"] % KEPT_EACH == 0:
                self.waypoints.append(Waypoint(line["number"], self.match.state, dict(self.counters)))
        except ODD:
            self.is_certain = False

    def _reach(self, line: Line) -> None:
        number, kind = line["number"], line["kind"]
        if line["kind"] == Kind.LEDGER or (kind == Kind.SEAT and number > 1 and "sealed" in line["sentence"]):
            self.is_certain = False  # what a campaign or a file has brought is in no line
        self._note_withheld(line)
        self.lines[number] = line
        is_struck = self._strike(line)
        corrected_line = _find_anew(line)
        if corrected_line:
            self.until, self.corrected_at = self.times.get(corrected_line, corrected_line), line["at"]
            self.is_certain = self.is_certain and number >= self.first_shared_time - 1
        elif self.until is not None and line["at"] != self.corrected_at:
            self.until, is_struck = None, True
        self.times[number] = self._time_of(line, number)
        self._forget_since(self.times[number])
        self.is_in_order = self.is_in_order and self.times[number] == number
        if corrected_line or is_struck:
            self._go_to(self.until)

    def _time_of(self, line: Line, number: int) -> int:
        first_told = line.get("inputs", {}).get(AGAIN) if line["kind"] == Kind.COUNTER else None
        if isinstance(first_told, int):
            return self.times.get(first_told, first_told)
        return number if self.until is None else self.until

    def _note_withheld(self, line: Line) -> None:
        is_withheld = "secret_digest" in line and "salt" not in line
        if line["kind"] == Kind.COUNTER:
            self.hides_counters = self.hides_counters or (is_withheld and "inputs" not in line)
        elif is_withheld and line["kind"] in (Kind.RECORD, Kind.ROLL):
            self.is_withheld = self.is_withheld or "inputs" not in line

    def _strike(self, line: Line) -> bool:
        """Note what a line strikes, and what stands again where acts are taken back; whether it strikes anything."""
        number: int = line["number"]
        voids = [voided for voided in line.get("voids", []) if voided in self.lines]
        for struck_act in voids if line["kind"] == chain.TAKE_BACK else ():
            for restored in self.strikes.pop(struck_act, ()):
                if self.struck.get(restored) == struck_act:
                    del self.struck[restored]
                    self._forget_since(self.times[restored])
        for restored in voids:
            self._forget_since(self.times.get(restored, number))
        self.struck |= dict.fromkeys(voids, number)
        self.strikes[number] = voids
        return bool(voids)

    def _forget_since(self, time: int) -> None:
        """Drop the waypoints from a time on, since something else now counts there."""
        while self.waypoints and self.waypoints[-1].time >= time:
            self.waypoints.pop()

    def _go_to(self, until: int | None) -> None:
        """Make all that stands again, from the last waypoint on."""
        waypoint = next(
            (waypoint for waypoint in reversed(self.waypoints) if until is None or waypoint.time <= until), None
        )
        self.match, self.is_in_order = self._begin(), until is None
        if waypoint:
            self.match.state, self.counters = waypoint.state, dict(waypoint.counters)
        start = bisect_right(self.changing, (waypoint.time if waypoint else 0, len(self.times) + 1))
        for time, number in self.changing[start:]:
            if until is not None and time > until:
                break
            if number not in self.struck:
                self._apply(self.lines[number])

    def _changes_something(self, line: Line) -> bool:
        is_known = line["kind"] in (Kind.ROLL, Kind.RECORD, Kind.TURN) or _counters_in(line)
        return bool(is_known and (line["kind"] == Kind.TURN or _counters_in(line) or _record_in(line)))

    def _apply(self, line: Line) -> None:
        self.changes_left -= 1
        if self.changes_left <= 0:
            self.is_certain = False
        elif line["kind"] == Kind.TURN:
            self._move(line)
        elif changed_counters := _counters_in(line):
            for counter_id, fields in changed_counters.items():
                new_values = {name: pair[1] for name, pair in fields.items()}
                counter = self.counters.get(counter_id)
                plain = (
                    write_counter(counter)
                    if counter
                    else {"side": counter_id.rpartition("-")[0], "counter": "", "name": counter_id}
                )
                self.counters[counter_id] = read_counter(counter_id, {**plain, **new_values})
        else:
            record.change(self.match, _record_in(line))

    def _move(self, line: Line) -> None:
        """Advance in the course as a line says: by the move whose sentence it has."""
        number, state = line["number"], self.match.state
        if number not in self.positions:
            course = self.game.find_course(self.options)
            for button in course.buttons(state.position, state.record):
                try:
                    move = course.press(state.position, button.slug, state.record)
                except BadMove:
                    continue
                if move.sentence == line["sentence"]:
                    self.positions[number] = move.position
                    break
            else:
                raise ValueError("The course has no such way.")
        self.match.state = replace(state, turn=state.turn).at(self.positions[number])


def _find_first_shared_time(lines: Sequence[Line]) -> int:
    """The first line that has the time of the one before, as lines of one act do. What stands before that may be of an
    app that gave each line a time of its own: nobody can say which of those lines are of one act."""
    pairs = zip(lines, lines[1:], strict=False)
    return next((line["number"] for before, line in pairs if line["at"] == before["at"]), len(lines))


def _find_anew(line: Line) -> int | None:
    """The line where a roll that is made again by a correction first stood."""
    if line["kind"] != Kind.ROLL:
        return None
    thrown_in: int | None = next((roll["of"] for roll in line["rolls"] if "of" in roll), None)
    return line["about"] or thrown_in


def _record_in(line: Line) -> Values:
    """What a line has changed in place and record."""
    if line["kind"] == Kind.RECORD:
        changes = line.get("inputs", {}).get(CHANGES, {})
    else:
        changes = (line.get("result") or {}).get("details", {}).get(CHANGES, {})
    return {name: change for name, change in changes.items() if name != CHANGED_COUNTERS}


def _counters_in(line: Line) -> Values:
    changes: Values = line.get("inputs", {}).get(CHANGED_COUNTERS, {}) if line["kind"] == Kind.COUNTER else {}
    return changes
