"""What an impulse of Turning Point: Stalingrad allows to be attacked, kept with pencil and paper beside the board.

Written from the rules' text (8.31, 8.32, 15.2 to 15.34, 17.2, 20.4) and from nothing of the app.
"""

import datetime

GROUND = ("inside", "ranged", "mixed")
EXCHANGES = (datetime.date(1942, 9, 27), datetime.date(1942, 11, 1))
PRINTED_TEM = {"6": 2, "24": 2, "25": 2, "35": 2, "36": 1, "30": 3, "62": 4}  # as the examples tell


class Sheet:
    """A sheet of paper: the guns of both sides, the aircraft, what this impulse has seen, and the TEM read so far."""

    def __init__(self):
        self.russian = dict.fromkeys(("32", "65", "67", "70"), "ready")
        self.resting, self.flown, self.seen = {}, False, []
        self.tem = dict(PRINTED_TEM)

    def next_impulse(self):
        self.seen = []

    def dawn(self, date):
        """The first impulse of a date (15.3, 15.34, 17.22)."""
        self.flown = False
        for area, state in self.russian.items():
            self.russian[area] = "ready" if date in EXCHANGES else "refit" if state == "silenced" else state

    def factor(self, date):
        """What a Russian artillery unit counts for (15.3)."""
        return 1 + sum(date >= day for day in EXCHANGES)

    def is_forbidden(self, attack, mover, date, night, is_first_of_all):
        """Why such an attack cannot be made now; "" where it can."""
        kind, area, group, guns = attack["kind"], attack.get("area"), attack["group"], attack.get("guns")
        if night and kind in ("ranged", "mixed", "air"):
            return "by day only"
        if kind in ("ranged", "mixed") and attack.get("zone"):
            return "no Ranged Attack into a Zone"
        if attack.get("zone") and (kind == "russian_artillery" or kind in GROUND and (guns or attack.get("factor"))):
            return "no guns into a Zone"
        if (kind in ("german_artillery", "air")) != (mover == "german") and kind not in GROUND:
            return "not theirs"
        if kind == "air" and self.flown:
            return "flown today"
        if guns and kind not in ("german_artillery", "air") and self.russian.get(guns, "ready") != "ready":
            return "silenced"
        if attack.get("factor", 0) > self.factor(date) and kind not in ("german_artillery", "air"):
            return "two units"
        if kind == "german_artillery" and date < self.resting.get(attack.get("battery"), date):
            return "rests"
        if is_first_of_all and kind in ("german_artillery", "air"):
            return "twice in the opening" if area and any(attack_seen[1] == area for attack_seen in self.seen) else ""
        if area and any(attack_seen[1:] == (area, group) for attack_seen in self.seen):
            return "this Group already"
        lone = {"german_artillery", "air"}
        kinds = {attack_seen[0] for attack_seen in self.seen}
        if self.seen and lone & {*kinds, kind}:
            if kind == "air" or kinds != {kind}:
                return "a whole impulse"
            if area and any(attack_seen[1] not in (None, area) for attack_seen in self.seen):
                return "one Area"
        return ""

    def write(self, attack, date):
        """An attack that was made."""
        self.seen.append((attack["kind"], attack.get("area"), attack["group"]))
        if attack["kind"] == "air":
            self.flown = True
        if attack["kind"] == "german_artillery" and attack.get("battery"):
            self.resting[attack["battery"]] = date + datetime.timedelta(days=4)

    def strike(self):
        """The last attack is made again: none of it stands (9.2)."""
        return self.seen.pop()
