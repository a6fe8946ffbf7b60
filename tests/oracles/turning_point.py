"""The impulse track of Turning Point: Stalingrad kept by hand: date, day or night, box, whose impulse, the Advantage.

Written from the rules' text (6.1, 6.4, 6.41, 8.1, 8.14, 9.1 to 9.5, 20.2, 20.3, 21.2) and from nothing of the app.
"""

import datetime

FIRST, LAST = datetime.date(1942, 9, 13), datetime.date(1942, 11, 14)


class GameOver(Exception):
    """The night of 14 November has ended (6.5)."""


class Keeper:
    """A marker that is pushed by hand, and a list of what is announced as it flips."""

    def __init__(self):
        self.date, self.night, self.box, self.side, self.passed = FIRST, False, 1, "german", 0
        self.impulse = 1
        self.owner, self.owner_at_dawn, self.used = "german", "german", False
        self.weeks_counted = []

    @property
    def place(self):
        """As the app's JSON has it."""
        return {
            "date": self.date.isoformat(),
            "time": "night" if self.night else "day",
            "box": self.box,
            "side": self.side,
            "impulse": self.impulse,
            "passes": self.passed,
        }

    @property
    def is_fixed(self):
        """13 September by day: twelve German impulses, whatever anybody rolls (20.2)."""
        return self.date == FIRST and not self.night

    def may_prolong(self):
        """Only the side that had it at Dawn, once a date, and not on the first day (9.3, 9.5, 20.3)."""
        return not self.used and self.owner == self.owner_at_dawn and not self.is_fixed

    def russian(self, passes=False):
        """A Russian impulse: the marker stays where it is (6.1)."""
        assert self.side == "russian"
        self.side, self.impulse = "german", self.impulse + 1
        self._count_pass(passes)

    def german(self, dr=None, passes=False, prolong=False):
        """A German impulse, with the roll that counts: none by day on 13 September, none for a second pass."""
        assert self.side == "german"
        if self.is_fixed:
            flips = self.box == 12
        elif passes and self.passed:
            flips = True
        else:
            flips = dr <= self.box
            if flips and prolong:
                assert self.may_prolong()
                self.owner = "russian" if self.owner == "german" else "german"
                self.used = True
                self.box, self.side, self.impulse = 3 if self.night else 1, "russian", self.impulse + 1
                self._count_pass(passes)
                return
        if flips:
            self.flip()
            return
        self.box, self.side, self.impulse = self.box + 1, "russian", self.impulse + 1
        self._count_pass(passes)

    def _count_pass(self, passes):
        was_fixed = self.is_fixed
        self.passed = self.passed + 1 if passes else 0
        if self.passed == 2:
            if was_fixed:
                self.passed = 0
            else:
                self.flip()

    def flip(self):
        """Day to night, or night to the next day, which the Russian opens (6.4, 6.41)."""
        if self.night:
            if self.date == LAST:
                raise GameOver
            if (self.date - FIRST).days % 7 == 6:
                self.weeks_counted.append(self.date.isoformat())
            self.date += datetime.timedelta(days=1)
            self.owner_at_dawn, self.used = self.owner, False
        self.night = not self.night
        if self.date >= datetime.date(1942, 11, 2):
            self.box = 1 if self.night else 3
        elif self.date >= datetime.date(1942, 10, 8):
            self.box = 2
        else:
            self.box = 3 if self.night else 1
        self.side, self.impulse, self.passed = "russian", 1, 0


def is_supplied(start, controlled, links, side):
    """Whether controlled Areas lead from a unit's own to a controlled source (12.1)."""
    german, russian = "CDEF", [*"ABGH", "30", "31", "62", "63", "64", "67", "68", "70", "71"]
    sources = [source for source in (german if side == "german" else russian) if source in controlled]
    reached = {start}
    for _ in range(90):
        for first, second in links:
            for near, far in ((first, second), (second, first)):
                if near in reached and far in controlled:
                    reached.add(far)
    return any(source in reached for source in sources)


def dawn(dots, marker, in_supply, die, reading):
    """Dots, marker and whether it is lost, of a unit after Dawn (6.41, 12.2, 12.22)."""
    if in_supply:
        return max(0, dots - 1), 0, False
    if marker == 2 and die in (1, 2):
        if dots > 0:
            return None, None, True
        return (3 if reading == "listed" else 4), 2, False
    if dots > 1:
        dots -= 1  # the last dot stays while it is isolated
    return dots, {0: 1, 1: 2, 2: 2}[marker], False


def interdict(mamayev, guns, bank, first, second):
    """The three categories of Interdiction Points (18.4)."""
    a = {("contest", False): 1, ("contest", True): 2, ("control", False): 2, ("control", True): 3}.get(
        (mamayev, guns), 0
    )
    b = {"contest": 1, "control": 2}.get(bank, 0)
    beside = sorted((first, second))
    c = 3 if beside == ["control", "control"] else 2 if "control" in beside else 1 if "contest" in beside else 0
    return a, b, c


def cross(total, blocked, recross):
    """Outcome, dots, bank, and whether the unit may go on (18.5, 18.51, 18.52, 18.7)."""
    home, goal = ("west", "east") if recross else ("east", "west")
    if total >= 18:
        return "eliminated", None, None, False
    if total >= 14:
        return "returned", total - 13, home, False
    if total >= 12:
        if blocked and not recross:
            return "returned", total - 11, home, False
        return "landed_disrupted", total - 11, goal, False
    return ("landed", 1, goal, False) if recross else ("landed", None, goal, True)
