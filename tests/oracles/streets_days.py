"""The markers and day's counts of Streets of Stalingrad, kept by hand along its 67 days of fifteen phases.

Written from the text: 4.3, 8.66, 9.114, 9.115, 10.4, 10.9, 14.02, 14.03, 14.72, 14.84, 15.21, 15.53, 16.11, 18.42.
"""

ENDS_ATTACK = (5, 8, 12, 15)
ENDS_EXPLOIT_ATTACK = (8, 15)
ENDS_MOVEMENT = (3, 7, 10, 14)
BOMBARDS = (2, 6, 9, 13)


class DayBook:
    """One page of paper: pins, spent, attack, breakthru and interdiction markers by hex, and what a day has used up."""

    def __init__(self):
        self.turn, self.phase = 1, 1
        self.lying = {word: set() for word in ("pinned", "spent", "attack", "breakthru", "interdicted")}
        self.attacked, self.broken = set(), set()
        self.fired, self.boxed = set(), set()
        self.stukas, self.flown, self.weather = None, 0, "none"
        self.barred = {"german": 0, "soviet": 0}
        self.crossed, self.crossing = {}, {}
        self.snipers, self.coming = 0, []

    def shoot(self, place, marker):
        """A P puts its marker on a hex."""
        if marker:
            self.lying[marker].add(place)

    def attack(self, place, marker, is_next_to_it):
        """An attack in a phase of attacks; infantry next to the hex has put an attack marker there."""
        self.attacked.add(place)
        if is_next_to_it:
            self.lying["attack"].add(place)
        self.shoot(place, marker)

    def break_through(self, place, marker, is_empty):
        """An attack in a movement phase."""
        self.broken.add(place)
        if is_empty:
            self.lying["breakthru"].add(place)
        self.shoot(place, marker)

    def cross(self, arrow, number):
        """That many combat units cross by an arrow."""
        self.crossing[arrow] = self.crossing.get(arrow, 0) + number
        self.crossed[arrow] = self.crossed.get(arrow, 0) + number

    def next_phase(self):
        """What is done as a phase ends, and as the next one begins."""
        lying, phase = self.lying, self.phase
        if phase in ENDS_MOVEMENT:
            lying["spent"] |= lying["breakthru"]
            lying["breakthru"] = set()
        if phase in ENDS_ATTACK:
            lying["interdicted"] = set()
        if phase in ENDS_EXPLOIT_ATTACK:
            for word in ("pinned", "spent", "attack"):
                lying[word] = set()
        self.attacked, self.broken = set(), set()
        self.turn, self.phase = (self.turn + 1, 1) if phase == 15 else (self.turn, phase + 1)
        if self.phase == 1:
            self.fired, self.boxed, self.stukas, self.flown = set(), set(), None, 0
            self.weather, self.barred, self.crossed, self.crossing = "none", {"german": 0, "soviet": 0}, {}, {}
        if self.phase in BOMBARDS[1:]:
            lying["pinned"] &= lying["attack"]
        if self.phase == 9:
            self.boxed = set()
        if self.phase in (10, 14):
            self.crossing = {}
        if self.phase == 10 and 14 <= self.turn <= 18:  # 26 to 30 September
            self.snipers = max(self.snipers, min(8, self.snipers + 1))  # and Zaitsev
        self.coming = [step for step in self.coming if step > (self.turn, self.phase)]
