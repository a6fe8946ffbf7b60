"""A week of Turning Point: Stalingrad, pressed and rolled at random, checked against a second book-keeper.

One device, counters of an invented sheet, every act compared with tests/oracles/turning_week.py. What the pages offer
is played by random_week.py; here acts are sent, so that there can be hundreds of weeks.
"""

import copy
import datetime
import json
from collections import Counter as Tally

from firefight.models import LogEntry
from tests import pages
from tests.firefight.players import text_of
from tests.oracles.turning_week import FIRST_DAY, GROUND, OTHER, SPREADS, Book, Counter

from .units_in_play import add, begin, put_out, set_out, shown

GERMANS = "Pi 295, 4 I/295"
RUSSIANS = "5 1/10 NKVD"
PARENTS = ("295", "71", "Ind")
KINDS = (*GROUND, "german_artillery", "air", "russian_artillery")
FEWEST = 4  # units of a side at Dawn, or others come
TAKEN_BACK = 0.06


class BookedWeek:
    """A match, and the book of it."""

    def __init__(self, rng, day=0):
        self.rng, self.book, self.counts = rng, Book(), Tally()
        self.player = begin()
        ids = set_out(self.player, german_24=GERMANS, russian_25=RUSSIANS)
        for unit in ids.values():
            self.book.counters[unit] = Counter(shown(self.player)[unit][0])
            dots, ring = rng.choice((0, 0, 0, 1, 2, 3, 4)), rng.choice((0, 0, 0, 0, 1, 2))
            words = [*([f"d{dots}"] if dots else []), *([f"isolated_{ring}"] if ring else [])]
            put_out(self.player, unit, self.book.counters[unit].area, *words)
            self.book.counters[unit].dots, self.book.counters[unit].ring = dots, ring
        (spotter,) = add(self.player, "Russian: 398 AT")  # where Russian guns fire alone a Russian unit is (15.3)
        put_out(self.player, spotter, "24")
        self.book.counters[spotter] = Counter("24")
        self.bystander = spotter
        if day:
            self._begin_later(day)
        self.number = self.player.match.last_number
        self.compare()

    def _begin_later(self, day):
        book = self.book
        book.half, book.mover, book.box = 2 * day, "russian", 3 if day >= 50 else 2 if day >= 25 else 1
        for field, value in (("date", book.date), ("side", "russian"), ("box", book.box)):
            if str(self.player.get("record.json").json()["place"][field]) != str(value):
                assert self.player.do("record/", field=field, value=str(value)).status_code == 302, field

    # Acts

    def act(self, place, button="", **fields):
        """One act, the book's line of it, and both compared; now and then it is taken back and done again."""
        before = copy.deepcopy(self.book), self.number
        if self.rng.random() < TAKEN_BACK:
            self._do(place, button, fields)
            self.player.do("take-back/")
            self.book, _ = before
            before = copy.deepcopy(self.book), self.number
            self.number = self.player.match.last_number
            self.compare()
            self.counts["taken back"] += 1
        return self._do(place, button, fields)

    def _do(self, place, button, fields):
        answer = self.player.do(place, **({"button": button} if button else {}), **fields)
        assert answer.status_code == 302, (place, button, fields, problems_in(answer))
        rows = LogEntry.objects.filter(match=self.player.match_id, number__gt=self.number).order_by("number")
        lines = [plain(row) for row in rows if row.helper and row.kind == "roll"]
        self.number = self.player.match.last_number
        if button:
            self.book.press(button)
        for line in lines:
            self.book.read(line)
        self.compare()
        return lines

    def roll(self, helper, dice=None, step=None, **inputs):
        sent = {name: json.dumps(value) if isinstance(value, list) else value for name, value in inputs.items()}
        chained = {"step": step.id, "chained": "1"} if step else {}
        self.counts[helper] += 1
        return self.act(f"roll/{helper}/", **sent, **(dice or {}), **chained, dice="table")

    def compare(self):
        due = [step.inputs for step in self.queue if step.helper == "payment"]
        owed = [(inputs["side"], inputs["group"], inputs["required"]) for inputs in due]
        self.book.compare(self.player.get("record.json").json(), self.player.get("counters.json").json(), owed)
        self.counts["compared"] += 1

    @property
    def queue(self):
        return self.player.match.state.queue

    # A week

    def play(self):
        """Until a week's points are counted."""
        while self.book.points is None:
            self.impulse()
            self.settle()
        return self.counts

    def impulse(self):
        """Some attacks, or a Refit, then the button."""
        rng, book, half = self.rng, self.book, self.book.half
        passes = rng.random() < 0.12
        if book.mover == "russian" and not passes and rng.random() < 0.2:
            area = rng.choice([*book.guns])
            if book.guns[area] == "refit":
                self.roll("refit", area=area, dice={"die": rng.randint(1, 6)})
                return  # that was the impulse
        for _ in range(0 if passes else rng.choice((0, 1, 1, 2))):
            self.attack()
        if book.mover == "german" and self.flips():
            return
        if book.half == half:
            self.act("advance/", button="pass" if passes else "impulse")
        if self.book.draw == "asked":
            step = next(step for step in self.queue if step.helper == "impulse")
            inputs = {name: step.inputs[name] for name in ("date", "time", "box")}
            self.roll("impulse", step=step, dice={"dr": self.throw()}, **inputs)
            self.flips()

    def flips(self):
        """Where the marker flips: it does, or its holder's Advantage prevents it."""
        book = self.book
        if not (book.track == "flips" or (book.counts_impulses and book.mover == "german" and book.box == 12)):
            return False
        if book.may_prolong and self.rng.random() < 0.4:
            self.act("advance/", button="prolong")
            step = next(step for step in self.queue if step.helper == "advantage")
            inputs = {
                name: "on" if value is True else value for name, value in step.inputs.items() if value is not False
            }
            self.roll("advantage", step=step, **inputs)
        else:
            self.act("advance/", button="turn")
        return True

    def throw(self):
        return self.rng.randint(1, 6) + self.rng.randint(1, 6)

    # Attacks

    def attack(self):
        rng, book = self.rng, self.book
        side = book.mover
        own = [name for name, unit in self.units(side) if not unit.dots]
        groups = {
            fresh: [name for name, unit in self.units(OTHER[side]) if (not unit.dots) is fresh][:6]
            for fresh in (True, False)
        }
        ways = [
            (kind, fresh)
            for kind in KINDS
            for fresh, theirs in groups.items()
            if not self.is_barred(kind, own, theirs, fresh)
        ]
        self.try_again(own, groups)
        if not ways:
            self.counts["nothing to attack"] += 1
            return
        kind, fresh = rng.choice(ways)
        inputs, dice = self.plan(kind, fresh, own, groups[fresh])
        (line, *_) = [line for line in self.roll("attack", dice=dice, **inputs) if line["helper"] == "attack"]
        self.counts[line["outcome"]] += 1
        self.again(line)
        self.settle()

    def plan(self, kind, fresh, own, theirs):
        """What is sent of an attack, and its dice."""
        rng, book = self.rng, self.book
        side = book.mover
        start = rng.choice([book.counters[unit].area for unit in own]) if kind in GROUND else ""
        together = [unit for unit in own if book.counters[unit].area == start]  # those of one Area alone (8.3)
        attackers = rng.sample(together, rng.randint(1, min(3, len(together)))) if together else []
        inputs = {
            "attacker": side,
            "kind": kind,
            "group": "fresh" if fresh else "spent",
            "area": "25" if side == "german" else "24",
            "defenders": [{"df": rng.randint(1, 3), "name": name, "id": name} for name in theirs],
            "tem": 2,
        }
        if attackers:
            inputs["attackers"] = [
                {"af": str(rng.randint(2, 8)), "parent": rng.choice(PARENTS), "name": unit, "id": unit}
                | ({"ranged": True} if kind == "mixed" and place else {})
                for place, unit in enumerate(attackers)
            ]
            inputs |= {"entered": "on"} if rng.random() < 0.3 else {}
        if kind == "german_artillery":
            inputs |= {"ov": rng.randint(4, 9)}
            name = rng.choice(("71", "295", "24"))
            inputs |= {"battery": name} if book.batteries.get(name, 0) <= book.day else {}
        dice = {"attack_dr": self.throw(), "defence_dr": self.throw()}
        ready = [area for area, state in book.guns.items() if state == "ready"]
        if kind == "russian_artillery" or (attackers and ready and rng.random() < 0.3):
            inputs["guns"] = rng.choice(ready)
            if rng.random() < 0.5:
                inputs["counter_units"] = rng.randint(0, 4)
                dice["counter_die"] = rng.randint(1, 6)
        return inputs, dice

    def try_again(self, own, groups):
        """What this impulse, or this date, has seen is refused a second time, and changes nothing (8.32, 17.22)."""
        book, area = self.book, "25" if self.book.mover == "german" else "24"
        fresh = self.rng.random() < 0.5
        is_seen = any(attack[:2] == (area, "fresh" if fresh else "spent") for attack in book.seen)
        has_flown = book.flight == book.day and book.mover == "german" and not book.is_night
        kind = "inside" if is_seen and own else "air" if has_flown else ""
        if not (kind and groups[fresh]):
            return
        inputs, dice = self.plan(kind, fresh, own, groups[fresh])
        inputs = {name: json.dumps(value) if isinstance(value, list) else value for name, value in inputs.items()}
        before = self.player.match.version
        answer = self.player.do("roll/attack/", **inputs, **dice, dice="table")
        assert (answer.status_code, self.player.match.version) == (422, before), (kind, inputs)
        self.counts["refused"] += 1

    def again(self, line):
        """The Advantage has an attack rolled once more, before anything else (9.2)."""
        book, rng = self.book, self.rng
        if book.turned_to != book.morning_side or book.turned_on == book.day or rng.random() > 0.15:
            return
        holders = {"user": book.turned_to, "holder": book.turned_to, "holder_at_dawn": book.morning_side}
        place = {"date": book.date, "time": "night" if book.is_night else "day"}
        self.roll("advantage", purpose="reroll", again=f"{line['number']}-attack", **holders, **place)
        step = self.queue[0]
        self.counts["again"] += 1
        sent = {name: value for name, value in step.inputs.items() if value not in (None, "", False, [])}
        sent = {name: "on" if value is True else value for name, value in sent.items()}
        dice = {"attack_dr": self.throw(), "defence_dr": self.throw()}
        if "counter_die" in line["dice"]:
            dice["counter_die"] = rng.randint(1, 6)
        self.roll("attack", step=step, dice=dice, **sent)

    def units(self, side):
        in_play = [(name, unit) for name, unit in self.book.counters.items() if not unit.gone]
        return [(name, unit) for name, unit in in_play if name.startswith(side) and name != self.bystander]

    def is_barred(self, kind, own, theirs, fresh):
        """Whether nobody may try this now: who is there, what has flown, what this impulse has seen."""
        book, area = self.book, "25" if self.book.mover == "german" else "24"
        if not theirs or (kind in GROUND and not own):
            return True
        if book.is_night and kind in ("ranged", "mixed", "air"):
            return True
        if kind in ("german_artillery", "air") and (book.mover == "russian" or book.seen):
            return True
        if kind == "russian_artillery" and (book.mover == "german" or "ready" not in book.guns.values()):
            return True
        if kind == "air" and book.flight == book.day:
            return True
        if any(attack[2] in ("german_artillery", "air") for attack in book.seen):
            return True
        return any(attack[:2] == (area, "fresh" if fresh else "spent") for attack in book.seen)

    # What is due

    def settle(self):
        while queue := self.queue:
            step = queue[0]
            answer = getattr(self, "settle_" + step.helper.replace("-", "_"), None)
            if answer is None:
                self.player.do("drop/", step=step.id)
                self.number = self.player.match.last_number
                assert step.id not in {due.id for due in self.queue}, step.title
                continue
            answer(step)

    def settle_counter_battery(self, step):
        known = {"time": step.inputs["time"], "area": step.inputs["area"]}
        near, die = self.rng.randint(0, 3), self.rng.randint(1, 6)
        dice = {"die": die} if near or known["time"] == "day" else {}
        self.roll("counter-battery", step=step, dice=dice, artillery_within_two=near, **known)

    def settle_payment(self, step):
        known = {name: value for name, value in step.inputs.items() if value not in (None, "", False, [])}
        known = {name: "on" if value is True else value for name, value in known.items()}
        known.pop("factors", None)  # the units have them
        group, owed, rows = known["group"], known["required"], known["units"]
        prices = {"flip": 1, "flip_retreat": 2, "eliminate": 3} if group == "fresh" else {"retreat": 1, "eliminate": 2}
        owed = min(owed, max(prices.values()) * len(rows))
        best, actions = sorted(range(len(rows)), key=lambda place: -rows[place]["df"]), ["none"] * len(rows)
        for place in best:  # the strongest first, each as cheap as leaves enough for the others
            later = max(prices.values()) * (len(rows) - 1 - best.index(place))
            fit = [action for action, price in prices.items() if owed - later <= price <= owed]
            if fit:
                actions[place] = self.rng.choice(fit)
                owed -= prices[actions[place]]
        self.roll("payment", step=step, **{**known, "actions": ",".join(actions)})

    def settle_retreat(self, step):
        goal, enemies = self.rng.choice(("34", "35", "36")), self.rng.choice((0, 0, 2, 3))
        area = {"area": goal, "friendly": True, **({"enemy_units": enemies, "friends": 1} if enemies else {})}
        known = {"side": step.inputs["side"], "start": step.inputs["start"], "units": step.inputs["units"]}
        self.roll("retreat", step=step, areas=[area], who=step.inputs["who"], **known)

    def settle_contested_retreat(self, step):
        known = {name: "on" if value is True else value for name, value in step.inputs.items() if value is not False}
        number = 2 if step.inputs["friendly_controlled"] else 1
        self.roll("contested-retreat", step=step, dice={"roll": self.throw() if number == 2 else 1}, **known)

    def settle_victory(self, step):
        date = datetime.date.fromisoformat(step.inputs["date"])
        low, high = SPREADS[(date - FIRST_DAY).days // 7]
        self.roll("victory", step=step, date=date.isoformat(), points=self.rng.randint(max(0, low - 3), high + 3))

    def settle_dawn(self, step):
        if step.inputs.get("id"):
            known = {name: value for name, value in step.inputs.items() if value not in (None, "", False, [])}
            self.roll("dawn", step=step, dice={"die": self.rng.randint(1, 6)}, **known)
            return
        rows = []
        for name, unit in self.units(""):
            if unit.ring or self.rng.random() < 0.12:
                row = {"duration": unit.dots, "marker": unit.ring, "name": name, "id": name}
                rows.append(row | ({"in_supply": True} if self.rng.random() < 0.4 else {}))
        self.roll("dawn", step=step, units=rows, others="on")
        self.reinforce()

    def reinforce(self):
        """Whoever has few units left gets more, Fresh ones (6.2)."""
        for side, name, area in (("german", "I/295", "24"), ("russian", "1/10 NKVD", "25")):
            if len(self.units(side)) < FEWEST:
                for unit in add(self.player, f"{side.capitalize()}: 3 {name}"):
                    put_out(self.player, unit, area)
                    self.book.counters[unit] = Counter(area)
                    self.counts["came"] += 1
        self.number = self.player.match.last_number


def plain(row):
    """A line of the log, as far as a book-keeper reads it."""
    result = row.result
    line = {
        "number": row.number,
        "about": row.about,
        "helper": row.helper,
        "inputs": row.inputs,
        "dice": dict(result.dice),
    }
    return line | {
        "outcome": str(result.outcome),
        "ov": result.details.get("ov"),
        "dv": result.details.get("dv"),
    }


def problems_in(answer):
    """What a page complains of."""
    return pages.words_of_each(text_of(answer), ".errorlist, .error, [role=alert]")
