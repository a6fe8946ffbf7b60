"""The impulse track: whose impulse it is, in which box, by day or night of which date (6.1, 6.4, 8.1, 20.2).

The German impulse roll says whether day or night goes on; what it said stands in the record (``track``) until the
impulse is over. Then the marker moves on, or flips; or the Advantage puts it back (9.3).
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from firefight.engine.course.course import NOTHING_KEPT, BadMove, Button, Move, Position, Turn
from firefight.engine.course.impulses import Impulses
from firefight.engine.dates import day_words

from .dates import BOXES, DAYS, FIRST, FIXED_IMPULSES, is_fixed_day
from .record import Track
from .sides import SIDES, Side, Time

ROLL_FIRST = "The impulse is over. The German impulse roll decides whether the {} goes on."


@dataclass(frozen=True, kw_only=True, eq=False)
class TurningPoint(Impulses):
    """Days and nights of impulses, whose ends the German impulse roll decides, or two passes in a row."""

    def buttons(self, position: Position, record: Mapping[str, Any] = NOTHING_KEPT) -> tuple[Button, ...]:
        """Done or passed; at a flip that is due, to let it happen, or to prevent it where that is allowed."""
        if self._is_flip_due(position, record):
            flip = Button("turn", self.turns[position.turn - 1].end)
            return (Button("prolong", "Advantage: prolong"), flip) if may_prolong(position, record) else (flip,)
        if record.get("track") == Track.ENDING:
            return (Button("impulse", "Ask for the roll again"),)
        passing = () if record.get("track") else (Button("pass", "Pass"),)
        return (*passing, Button("impulse", "Impulse done"))

    def press(self, position: Position, slug: str, record: Mapping[str, Any] = NOTHING_KEPT) -> Move:
        """Follow a button. Where the German impulse roll has to come first, nothing moves but the passes."""
        if slug not in {button.slug for button in self.buttons(position, record)}:
            raise BadMove("That way is not open here: look which buttons stand on the page.")
        if slug == "turn":
            return self._next(position)
        if slug == "prolong":
            after = self.hand_on(replace(position, passes=0), back_to=reset_box(position))
            return Move(after, f"The Advantage prolongs the {self._time(position).value}: box {after.box}.")
        passes = position.passes + 1 if slug == "pass" else 0
        if passes == self.passes and not is_fixed(self, position):
            return self._pass(position)
        if self.needs_roll(position, record):
            return Move(replace(position, passes=passes % self.passes), ROLL_FIRST.format(self._time(position).value))
        after = self.hand_on(replace(position, passes=passes % self.passes))
        told = f"{self.sides[position.side]} passes; " if slug == "pass" else ""
        sentence = f"{told}{self._say_impulse(after)}."
        return Move(after, sentence[:1].upper() + sentence[1:])

    def hand_on(self, position: Position, back_to: int = 0) -> Position:
        """The other side's impulse. ``back_to``: the box that the Advantage puts the marker into."""
        after = self._hand_on(position)
        return replace(after, box=back_to) if back_to else after

    def needs_roll(self, position: Position, record: Mapping[str, Any]) -> bool:
        """Whether the German impulse roll is still to be made (6.1, 8.1)."""
        is_open = record.get("track", "") in (Track.OPEN, Track.ENDING)
        return position.side == Side.GERMAN and is_open and not is_fixed(self, position)

    def _is_flip_due(self, position: Position, record: Mapping[str, Any]) -> bool:
        """Whether the marker flips when this impulse is over."""
        if position.side != Side.GERMAN:
            return False
        if is_fixed(self, position):
            return position.box >= FIXED_IMPULSES
        return record.get("track") == Track.FLIPS

    def _time(self, position: Position) -> Time:
        return Time(self.turns[position.turn - 1].facts["time"])


def is_fixed(course: Impulses, position: Position) -> bool:
    """Whether it is 13 September by day, whose impulses are counted (20.2)."""
    facts = course.turns[position.turn - 1].facts
    return is_fixed_day(facts["date"], Time(facts["time"]))


def reset_box(position: Position) -> int:
    """Where the Advantage puts the marker: box 1 by day, 3 at night (9.3, literally)."""
    return 1 if position.turn % 2 else 3


def may_prolong(position: Position, record: Mapping[str, Any]) -> bool:
    """Whether the owner of the Advantage may prevent the flip: he had it at Dawn, and used it not yet (9.3, 9.5)."""
    held = record.get("advantage", {})
    return not held.get("used_today") and held.get("holder") == held.get("holder_at_dawn") and position.turn > 1


def _turns() -> tuple[Turn, ...]:
    words = {Time.DAY: "Sunset: night falls", Time.NIGHT: "Dawn: the next day"}
    return tuple(
        Turn(f"{day_words(date)}, {time.value}", {"date": date, "time": time.value}, time.value, words[time])
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
