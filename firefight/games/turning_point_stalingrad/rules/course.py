"""The impulse track: whose impulse it is, in which box, by day or night of which date (6.1, 6.4, 8.1, 20.2).

The German impulse roll says whether day or night goes on; what it said stands in the record (``track``) until the
impulse is over. Then the marker moves on, or flips; or the Advantage puts it back (9.3). Rules of one German impulse:

    open -> (an attack's roll) -> goes_on or flips -> "Impulse done", the flip, or "Advantage: prolong"
    open -> "Impulse done" or "Pass" -> ending, and the roll is due -> the marker moves on by itself, or flips
"""

from dataclasses import dataclass, replace

from firefight.engine.course.course import NOTHING_KEPT, Button, Move, Position, Turn
from firefight.engine.course.impulses import Impulses
from firefight.engine.dates import day_words
from firefight.engine.text import capitalize
from firefight.engine.values import Values

from .advantage import may_prolong
from .dates import BOXES, DAYS, FIRST, FIXED_IMPULSES, LAST, is_fixed_day
from .record import Track
from .sides import SIDES, Side, Time

FLIP, PROLONG, DONE, PASS = "turn", "prolong", "impulse", "pass"
OVER = "The last night ends, and with it the game: count the Victory Points."


@dataclass(frozen=True, kw_only=True, eq=False)
class TurningPoint(Impulses):
    """Days and nights of impulses, whose ends the German impulse roll decides, or two passes in a row."""

    def buttons(self, position: Position, record: Values = NOTHING_KEPT) -> tuple[Button, ...]:
        """Done or passed; at a flip that is due, to let it happen, or to prevent it where that is allowed."""
        track, side = _find_track(position, record), position.side
        if self._is_flip_due(position, track):
            advantage, end = record.get("advantage"), self.turns[position.turn - 1].end
            can = advantage is not None and track == Track.FLIPS and may_prolong(advantage, *self.day_of(position))
            if advantage is None or not can:
                return (Button(FLIP, end, side),)
            return (Button(PROLONG, "Advantage: prolong", advantage["holder"]), Button(FLIP, end, advantage["holder"]))
        if track == Track.ENDING:
            return (Button(DONE, "Impulse roll", side),)
        passing = (Button(PASS, "Pass", side),) if track == Track.OPEN and not self.has_acted(position, record) else ()
        return (*passing, Button(DONE, "Impulse done", side))

    def press(self, position: Position, slug: str, record: Values = NOTHING_KEPT) -> Move:
        """Follow a button. Where a roll or the Advantage comes first, it falls due and only the passes change."""
        if slug not in {button.slug for button in self.buttons(position, record)}:
            raise self._no_such_button(position)
        if slug == FLIP:
            return self._next(position) if position.turn < len(self.turns) else Move(position, OVER)
        if slug == PROLONG:
            return Move(position, "The Advantage is to prevent the flip.")
        track = _find_track(position, record)
        if track == Track.ENDING:
            return Move(position, "The German impulse roll is due.")
        return self._end_impulse(position, is_pass=slug == PASS, track=track)

    def hand_on(self, position: Position, box: int = 0) -> Position:
        """The other side's impulse. ``box``: where the Advantage puts the marker."""
        after = self._hand_on(position)
        return replace(after, box=box) if box else after

    def day_of(self, position: Position) -> tuple[str, Time]:
        """The date, and day or night."""
        facts = self.turns[position.turn - 1].facts
        return facts["date"], Time(facts["time"])

    def name_impulse(self, position: Position) -> str:
        """An impulse as the record calls it: "15 Sep, day, 3"."""
        return f"{self.turn_title(position.turn)}, {position.impulse}"

    def is_fixed(self, position: Position) -> bool:
        """Whether it is 13 September by day, whose impulses are counted (20.2)."""
        return is_fixed_day(*self.day_of(position))

    def _end_impulse(self, position: Position, is_pass: bool, track: str) -> Move:
        name, passes = self.sides[position.side], position.passes + 1 if is_pass else 0
        if passes == self.passes and not self.is_fixed(position):
            return self._pass(position) if position.turn < len(self.turns) else Move(position, OVER)
        # 13 September has all of its impulses, however many pass (A12).
        position = replace(position, passes=passes % self.passes)
        if position.side == Side.GERMAN and track == Track.OPEN and not self.is_fixed(position):
            reason = f"{name} passes" if is_pass else "The German impulse is over"
            return Move(position, f"{reason}; the impulse roll is due.")
        after = self.hand_on(position)
        head = f"{name} passes; " if is_pass else ""
        return Move(after, capitalize(f"{head}{self._say_impulse(after)}."))

    def has_acted(self, position: Position, record: Values) -> bool:
        """Whether units have moved or attacked in this impulse: that is no Pass any more (8.14)."""
        acts = (*record.get("steps", ()), *record.get("attacks", ()))
        return any(act["impulse"] == self.name_impulse(position) for act in acts)

    def _is_flip_due(self, position: Position, track: str) -> bool:
        """Whether the marker flips when this impulse is over."""
        if self.is_fixed(position):
            return position.side == Side.GERMAN and position.box >= FIXED_IMPULSES
        return track == Track.FLIPS


def _find_track(position: Position, record: Values) -> str:
    """What the impulse roll of this impulse has said; a Russian one needs none, whatever was put down by hand (6.1)."""
    return str(record.get("track", Track.OPEN)) if position.side == Side.GERMAN else Track.OPEN


def _short(date: str) -> str:
    """A date as a phone's bar has room for it: 13 Sep."""
    day, month, _ = day_words(date).split()
    return f"{day} {month[:3]}"


def _turns() -> tuple[Turn, ...]:
    words = {Time.DAY: "Sunset: night falls", Time.NIGHT: "Dawn: the next day"}
    return tuple(
        Turn(
            f"{_short(date)}, {time.value}",
            {"date": date, "time": time.value},
            time.value,
            words[time] if (date, time) != (LAST, Time.NIGHT) else "The game ends: count the points",
        )
        for date in DAYS
        for time in Time
    )


def _first_boxes() -> tuple[int, ...]:
    """Box 1 by day and 3 at night, both 2 from 8 October, 3 and 1 from 2 November (6.4, 6.41, 21.2)."""
    boxes = (("1942-11-02", (3, 1)), ("1942-10-08", (2, 2)), (FIRST, (1, 3)))
    return tuple(box for date in DAYS for box in next(pair for first, pair in boxes if first <= date))


COURSE = TurningPoint(
    sides=SIDES,
    turns=_turns(),
    numbers_turns=False,
    boxes=BOXES,
    track_side=Side.GERMAN.value,
    first_boxes=_first_boxes(),
    opening_side=Side.RUSSIAN.value,
)
