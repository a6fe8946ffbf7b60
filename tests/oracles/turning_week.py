"""Weeks of Turning Point: Stalingrad kept by a second book-keeper, who is told each button and reads each roll's line.

Written from the rules' text (6.1 to 6.5, 8.14, 8.35 to 8.3552, 9.1 to 9.5, 10.3 to 10.7, 12.2, 12.22, 15.2 to 15.34,
17.22, 19.2, 20.2, 20.3, 21.2) and from nothing of the app. Of a line he reads helper, inputs and dice, and of an attack
both values; how it ends, and what comes of that, he works out himself.
"""

import copy
import datetime

FIRST_DAY = datetime.date(1942, 9, 13)
LAST_HALF = 2 * 63 - 1  # halves of 63 dates: day, night, day, ... (6.5)
NEW_GUNS = (14, 49)  # 27 September and 1 November, in days after the first (15.3)
SPREADS = ((5, 7), (8, 12), (11, 17), (14, 20), (18, 22), (20, 24), (22, 26), (25, 27), (28, 28))  # 19.2
OTHER = {"german": "russian", "russian": "german"}
GROUND = ("inside", "ranged", "mixed")
WORTH = {  # Casualty Points, by Group (8.354)
    "fresh": {"none": 0, "flip": 1, "flip_retreat": 2, "eliminate": 3},
    "spent": {"none": 0, "retreat": 1, "eliminate": 2},
}


class Disagreement(AssertionError):
    """The app says something else than the text."""


class Counter:
    """A unit of cardboard: an Area, how many dots show, which Isolation marker lies on it."""

    def __init__(self, area, dots=0, ring=0):
        self.area, self.dots, self.ring, self.acts, self.gone = area, dots, ring, False, False

    def show(self, dots):
        self.dots, self.acts = dots, False

    @property
    def face(self):
        """As the app's JSON has it: an Area and words, or None off the board."""
        if self.gone:
            return None
        words = [f"d{self.dots}"] if self.dots else []
        words += [f"isolated_{self.ring}"] if self.ring else []
        return self.area, sorted([*words, *(["acting"] if self.acts else [])])


class Book:
    """What lies on the track and beside the board."""

    def __init__(self):
        self.half, self.box, self.mover, self.passed, self.impulse = 0, 1, "german", 0, 1
        self.draw = None  # the German roll that counts in this impulse; "asked" while it is awaited (6.1)
        self.turned_to, self.turned_on, self.morning_side = "german", None, "german"  # the Advantage (9.1, 9.5)
        self.flight = None  # the date, in days, of the last one (17.22)
        self.guns = dict.fromkeys(("32", "65", "67", "70"), "ready")
        self.batteries = {}  # the day on which each is Fresh again
        self.seen = []  # what this impulse has attacked: Area, Group, kind, whether an Overrun
        self.points, self.counters = None, {}
        self.owed = []  # Casualty Points not yet paid: by whom, for which Group, how many (8.354)
        self.before = {}  # the book as it was before each attack, in case it is rolled again

    # What is read off it

    @property
    def day(self):
        return self.half // 2

    @property
    def is_night(self):
        return self.half % 2 == 1

    @property
    def date(self):
        return (FIRST_DAY + datetime.timedelta(days=self.day)).isoformat()

    @property
    def counts_impulses(self):
        """13 September by day has twelve German impulses, whatever anybody rolls (20.2)."""
        return self.half == 0

    @property
    def may_prolong(self):
        return not self.counts_impulses and self.turned_on != self.day and self.turned_to == self.morning_side

    @property
    def track(self):
        if self.draw is None:
            return "open"
        if self.draw == "asked":
            return "ending"
        return "flips" if self.draw <= self.box else "goes_on"

    def values(self):
        """All that record.json and counters.json say about this, under the book's own names."""
        return {
            "place": {
                "date": self.date,
                "time": "night" if self.is_night else "day",
                "box": self.box,
                "side": self.mover,
                "impulse": self.impulse,
                "passes": self.passed,
            },
            "track": self.track,
            "advantage": [self.turned_to, self.morning_side, self.turned_on == self.day],
            "flown": self.flight == self.day,
            "guns": self.guns,
            "batteries": {
                name: (FIRST_DAY + datetime.timedelta(days=day)).isoformat() for name, day in self.batteries.items()
            },
            "points": self.points,
            "seen": self.seen,
            "owed": self.owed,
            "counters": {name: unit.face for name, unit in self.counters.items() if not unit.gone},
        }

    def compare(self, record, counters, owed):
        """Raise Disagreement where record.json, counters.json and the payments that are due are not this book."""
        app_record = record["record"]
        advantage = app_record["advantage"]
        book_values = self.values()
        attacks = app_record["attacks"][len(app_record["attacks"]) - len(self.seen) :]
        app_values = {
            "place": record["place"],
            "track": app_record["track"],
            "advantage": [advantage["holder"], advantage["holder_at_dawn"], advantage["used_today"]],
            "flown": app_record["luftwaffe_used"],
            "guns": {gun["area"]: gun["state"] for gun in app_record["russian_artillery"]},
            "batteries": {gun_row["unit"]: gun_row["fresh_on"] for gun_row in app_record["german_artillery"]},
            "points": app_record["points"],
            "seen": [(attack["area"], attack["group"], attack["kind"], attack["overran"]) for attack in attacks],
            "owed": owed,
            "counters": {
                counter["id"]: (counter["place"], sorted(counter["state"]))
                for counter in counters
                if not counter["fate"]
            },
        }
        for name, value in book_values.items():
            if app_values[name] != value:
                raise Disagreement(f"{name}: the app has {app_values[name]}, the book {value}")

    # Buttons

    def press(self, button):
        """Somebody says "pass", "impulse" (done), "turn" (the marker flips) or "prolong"."""
        if button == "turn":
            self._turn_over()
        elif button != "prolong" and self.draw != "asked":
            self._end_impulse(button == "pass")

    def _end_impulse(self, passes):
        if passes and self.passed == 1 and self.half == LAST_HALF:
            return  # the last marker has flipped: nothing is left to be counted (6.4, 8.14)
        self.passed = self.passed + 1 if passes else 0
        if self.passed == 2 and not self.counts_impulses:
            self._turn_over()
            return
        self.passed %= 2
        if self.mover == "german" and not self.counts_impulses and self.draw is None:
            self.draw = "asked"
            return
        self._hand_over(self.box + (self.mover == "german"))

    def _hand_over(self, box):
        for unit in self.counters.values():  # those that overran and made no other attack (8.36)
            if unit.acts:
                unit.show(1)
        self.box, self.mover, self.impulse = box, OTHER[self.mover], self.impulse + 1
        self.draw, self.seen = None, []

    def _turn_over(self):
        """Sunset, or Dawn (6.4, 6.41, 21.2)."""
        if self.half == LAST_HALF:
            return
        self._hand_over(self.box)
        self.half += 1
        self.mover, self.impulse, self.passed = "russian", 1, 0
        starts = (1, 3) if self.day < 25 else (2, 2) if self.day < 50 else (3, 1)
        self.box = starts[self.is_night]
        if not self.is_night:
            self.morning_side = self.turned_to
            for area, state in self.guns.items():
                new = self.day in NEW_GUNS
                self.guns[area] = "ready" if new else "refit" if state == "silenced" else state

    # Rolls

    def read(self, line):
        """A line of the log: number, about (which line is rolled again), helper, inputs, dice, outcome, ov, dv."""
        reader = getattr(self, "_read_" + line["helper"].replace("-", "_"), None)
        if reader:
            reader(line, line["inputs"], line["dice"])

    def _say(self, line, expected):
        if line["outcome"] != expected:
            raise Disagreement(f"{line['helper']} №{line['number']}: {line['outcome']}, by the book {expected}")

    def _read_impulse(self, line, inputs, dice):
        if self.draw == "asked" and "dr" in dice:
            self._settle(dice["dr"])

    def _settle(self, total):
        if total > self.box:
            self._hand_over(self.box + 1)
        else:
            self.draw = total

    def _read_advantage(self, line, inputs, dice):
        may = self.turned_to == self.morning_side and self.turned_on != self.day and inputs["user"] == self.turned_to
        if inputs["purpose"] == "prolong" and self.counts_impulses:
            may = False
        self._say(line, "allowed" if may else "refused")
        if not may:
            return
        self.turned_to, self.turned_on = OTHER[self.turned_to], self.day
        if inputs["purpose"] == "prolong":
            self._hand_over(3 if self.is_night else 1)

    def _strike_out(self, number):
        """Strike an attack that is rolled again, with all that came of it, but not the Advantage that it cost (9.2)."""
        book_before = {name: value for name, value in vars(self.before[number]).items() if name != "before"}
        advantage = self.turned_to, self.turned_on
        vars(self).update(copy.deepcopy(book_before))
        self.turned_to, self.turned_on = advantage

    def _read_attack(self, line, inputs, dice):
        if line["about"]:
            self._strike_out(line["about"])
        self.before[line["number"]] = copy.deepcopy(self)
        self.before[line["number"]].before = {}
        kind, group = inputs["kind"], inputs["group"]
        margin = line["ov"] + dice["attack_dr"] - line["dv"] - dice["defence_dr"]
        all_points = len(inputs["defenders"]) * (3 if group == "fresh" else 2)
        overran = kind in GROUND and margin > all_points
        how = "overrun" if overran else "won" if margin > 0 else "lost" if margin else "tied"
        if margin <= -10 and inputs["entered"] and kind in ("inside", "mixed"):
            how = "routed"
        self._say(line, how)
        if self.mover == "german" and not self.counts_impulses and self.draw is None:
            self.draw, self.passed = dice["attack_dr"], 0
        self.seen.append((inputs["area"] or None, group, kind, overran))
        if how == "won":
            self.owed.append((OTHER[inputs["attacker"]], group, min(margin, all_points)))
        if kind == "air":
            self.flight = self.day
        if kind == "german_artillery" and inputs["battery"]:
            self.batteries[inputs["battery"]] = self.day + 4
        if dice.get("counter_die", 9) <= (inputs["counter_units"] or 0):
            self.guns[inputs["guns"]] = "silenced"
        dots = {"won": 2, "tied": 3, "lost": 4, "routed": 4}.get(how)
        for row in inputs["attackers"] if kind in GROUND else ():
            unit = self.counters[row["id"]]
            if overran:
                unit.acts = True
            else:
                unit.show(dots - (kind == "ranged" or (kind == "mixed" and bool(row.get("ranged")))))
        for row in inputs["defenders"] if overran else ():
            self.counters[row["id"]].gone = True

    def _read_payment(self, line, inputs, dice):
        prices, actions = WORTH[inputs["group"]], inputs["actions"]
        if not actions:
            return
        owed = inputs["required"]
        if inputs["forfeit"]:
            owed = min(owed, max(prices.values()) * len(inputs["units"]))
        if sum(prices[action] for action in actions) < owed:
            raise Disagreement(f"№{line['number']}: {actions} pay less than {owed}")
        self.owed.remove((inputs["side"], inputs["group"], inputs["required"]))
        for row, action in zip(inputs["units"], actions, strict=True):
            if action == "eliminate":
                self.counters[row["id"]].gone = True
            elif action != "none":
                self.counters[row["id"]].show(4)

    def _read_retreat(self, line, inputs, dice):
        (area,) = inputs["areas"]
        if area.get("friendly") and not area.get("enemy_units"):
            for row in inputs["who"]:
                self.counters[row["id"]].area = area["area"]

    def _read_contested_retreat(self, line, inputs, dice):
        arrives = dice["roll"] > inputs["enemy_units"]
        self._say(line, "safe" if arrives else "eliminated")
        unit = self.counters[inputs["id"]]
        unit.gone, unit.area = not arrives, inputs["goal"] if arrives else unit.area

    def _read_counter_battery(self, line, inputs, dice):
        silenced = dice.get("die", 9) <= inputs["artillery_within_two"] + (not self.is_night)
        self._say(line, "silenced" if silenced else "keeps_firing")
        if silenced:
            self.guns[inputs["area"]] = "silenced"

    def _read_refit(self, line, inputs, dice):
        if dice["die"] <= 2:
            self.guns[inputs["area"]] = "ready"
        self.passed = 0
        self._hand_over(self.box)

    def _read_victory(self, line, inputs, dice):
        self.points = inputs["points"]
        low, high = SPREADS[(datetime.date.fromisoformat(inputs["date"]) - FIRST_DAY).days // 7]
        if not low <= self.points <= high:
            self._say(line, "german_loses" if self.points < low else "german_wins")
        elif low < self.points < high:
            self._say(line, "continue")

    def _read_dawn(self, line, inputs, dice):
        """Isolation, Attrition, dots (6.41, 12.2, 12.22); those that roll do so in lines of their own."""
        rows = inputs["units"] or ([inputs] if inputs.get("id") else [])
        for row in rows:
            self._dawn_of(self.counters[row["id"]], row.get("in_supply", False), dice.get("die"))
        if inputs["others"]:
            listed_ids = {row["id"] for row in rows}
            for name, unit in self.counters.items():
                if name not in listed_ids:
                    self._dawn_of(unit, True, None)

    def _dawn_of(self, unit, supplied, die):
        if supplied:
            unit.ring, unit.dots = 0, max(unit.dots - 1, 0)
            return
        if unit.ring == 2:
            if die is None:
                return
            if die <= 2:
                unit.gone = unit.dots > 0
                unit.dots = 3  # four for a Fresh one, and Dawn takes one off (6.41)
                return
        unit.ring = min(unit.ring + 1, 2)
        unit.dots = unit.dots - 1 if unit.dots > 1 else unit.dots
