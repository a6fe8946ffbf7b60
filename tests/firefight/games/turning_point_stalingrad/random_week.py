"""A week of Turning Point: Stalingrad by somebody who presses what the pages offer, against three second books.

The track is kept by hand (tests/oracles/turning_point.py), attacks are worked out the slow way (turning_attack.py), and
a sheet of paper says what an impulse allows (turning_impulse.py). Whatever is filled in stands on a page that was read.
"""

import datetime
from collections import Counter

from firefight.models import LogEntry
from tests.filling import Reader
from tests.firefight import players
from tests.oracles import turning_attack
from tests.oracles.turning_impulse import GROUND, Sheet
from tests.oracles.turning_point import LAST, GameOver, Keeper, dawn

SLUG = "turning-point-stalingrad"
AREAS = ("", "", "30", "24", "36", "62", "40", "41", "66", "C")
TEM = {"40": 3, "41": 4, "66": 1}  # of Areas that no example names: the players read them off the map
PARENTS = ("71", "295", "Ind")
GUNS = ("32", "65", "67", "70")
TAKEN_BACK = 0.05  # of all acts


class Week:
    """Two sides at their pages, or both at one device, from one Dawn to the end of a week."""

    def __init__(self, rng, has_one_device=False, start=0):
        self.rng, self.keeper, self.sheet, self.counts = rng, Keeper(), Sheet(), Counter()
        self.rubble = {}  # by Area, as markers lie there
        self.has_one_device = has_one_device
        maker, links = players.begin("german", game=SLUG, hot_seat=has_one_device)
        self.player = maker
        other = maker if has_one_device else players.sit(links["russian"], maker.match_id)
        self.readers = {"german": Reader(maker.client), "russian": Reader(other.client)}
        if has_one_device:
            self.readers["russian"] = self.readers["german"]
        if start:
            self._begin_later(start)
        for reader in self.readers.values():
            reader.open(self.home)

    @property
    def home(self):
        return f"/match/{self.player.match_id}/"

    def _begin_later(self, days):
        """Set by hand where the match stands: the Dawn of another date, with the Russian to move."""
        date = datetime.date(1942, 9, 13) + datetime.timedelta(days=days)
        keeper = self.keeper
        keeper.date, keeper.side, keeper.night = date, "russian", False
        keeper.box = 3 if date >= datetime.date(1942, 11, 2) else 2 if date >= datetime.date(1942, 10, 8) else 1
        for field, value in (("date", date.isoformat()), ("side", "russian"), ("box", keeper.box)):
            if str(self.place[field]) != str(value):
                assert self.player.do("record/", field=field, value=str(value)).status_code == 302, field

    # What the pages say

    @property
    def record(self):
        return self.player.get("record.json").json()

    @property
    def place(self):
        return self.record["place"]

    @property
    def queue(self):
        return self.player.match.state.queue

    def look(self, side):
        """The page of a side, with what has happened since."""
        return self.readers[side].open(self.home)

    def press(self, side, words):
        before = self.player.match.state
        self.look(side).press(words, "#due")
        self.counts["pressed"] += 1
        if self.takes_back(side, before):
            self.look(side).press(words, "#due")

    def takes_back(self, side, before):
        """Now and then what was just done is taken back, which puts everything back as it was."""
        if self.rng.random() >= TAKEN_BACK:
            return False
        reader = self.look(side)
        reader.press_node(reader.find("#do-take-back")[0])
        assert self.player.match.state == before, reader.words("#now")
        self.counts["taken back"] += 1
        return True

    def form_of(self, side, slug, step=""):
        reader = self.readers[side].open(f"{self.home}roll/{slug}/{f'?step={step}' if step else ''}")
        return reader, reader.form("#desk-form")

    def last(self, helper):
        """The newest roll of a kind."""
        return LogEntry.objects.filter(match=self.player.match_id, helper=helper).latest("number")

    def since(self, number, helper):
        """The rolls of a kind since a line."""
        later = LogEntry.objects.filter(match=self.player.match_id, helper=helper, number__gt=number)
        return list(later.order_by("number"))

    @property
    def last_number(self):
        return self.player.match.last_number

    # A week

    def play(self):
        """Play until the week's points are due; True, or False where the last night has ended."""
        self.keeper.weeks_counted = []
        while not self.keeper.weeks_counted:
            self.check()
            date = self.keeper.date
            try:
                self.impulse()
            except GameOver:
                assert [step.helper for step in self.queue] == ["victory"]
                self.count_points(LAST)
                return False
            if self.keeper.date != date:
                self.sheet.dawn(self.keeper.date)
                if not self.keeper.weeks_counted:
                    self.morning()
        self.count_points(date)
        self.check()
        return True

    def check(self):
        answer, keeper = self.record, self.keeper
        assert answer["place"] == keeper.place
        advantage = answer["record"]["advantage"]
        assert list(advantage.values()) == [keeper.owner, keeper.owner_at_dawn, keeper.used]
        record, sheet = answer["record"], self.sheet
        assert {gun["area"]: gun["state"] for gun in record["russian_artillery"]} == sheet.russian
        assert record["luftwaffe_used"] is sheet.flown
        resting = {row["unit"]: row["fresh_on"] for row in record["german_artillery"]}
        assert resting == {unit: day.isoformat() for unit, day in sheet.resting.items()}
        known = {area: parts["tem"] for area, parts in record["area_values"].items()}
        assert {row["area"]: row["level"] for row in record["rubble_levels"]} == self.rubble
        assert known == {area: tem for area, tem in sheet.tem.items() if area in TEM}
        assert not self.queue, [step.title for step in self.queue]
        if not self.has_one_device:
            self.check_whose()
        self.counts["checked"] += 1

    def check_whose(self):
        """Whoever does not have the impulse finds no button for it."""
        other = "russian" if self.keeper.side == "german" else "german"
        words = self.look(other).words("#due")
        assert "says so" in words and not self.readers[other].has("#due [name=button]"), words

    def impulse(self):
        side = self.keeper.side
        self.sheet.next_impulse()
        self.drawn = None  # the German roll that counts in this impulse
        for _ in range(self.rng.choice((0, 0, 0, 1, 1, 2, 3))):
            self.attack(side)
        passes = not self.sheet.seen and self.rng.random() < 0.12
        self.counts["impulses"] += 1
        if side == "russian":
            self.press(side, "Pass" if passes else "Impulse done")
            self.keeper.russian(passes)
            return
        self.end_german_impulse(passes)

    def end_german_impulse(self, passes):
        keeper = self.keeper
        if keeper.is_fixed:
            self.press("german", "Sunset: night falls" if keeper.box == 12 else "Pass" if passes else "Impulse done")
            keeper.german(passes=passes and keeper.box < 12)
            return
        if passes and keeper.passed:
            self.press("german", "Pass")
            keeper.german(passes=True)
            return
        dr = self.drawn
        if dr is None:
            self.press("german", "Pass" if passes else "Impulse done")
            dr = self.throw()
            step = next(step for step in self.queue if step.helper == "impulse")
            reader, form = self.form_of("german", "impulse", step.id)
            form.fill(dr=dr).press("Resolve")
            if dr > keeper.box:
                keeper.german(dr, passes)
                return
        elif dr > keeper.box:
            self.press("german", "Impulse done")
            keeper.german(dr)
            return
        self.flip(dr, passes)

    def flip(self, dr, passes):
        """The marker flips, or its holder's Advantage prevents it."""
        keeper = self.keeper
        is_last = keeper.night and keeper.date == LAST
        words = "Dawn: the next day" if keeper.night else "Sunset: night falls"
        words = "The game ends: count the points" if is_last else words
        may = keeper.may_prolong()
        decider = keeper.owner if may else "german"
        page = self.look(decider).words("#due")
        assert ("Advantage: prolong" in page) is may, page
        if may and self.rng.random() < 0.5:
            self.press(decider, "Advantage: prolong")
            reader = self.look(decider)
            reader.form("#desk-form").press("Resolve")
            self.counts["prolonged"] += 1
            keeper.german(dr, passes, prolong=True)
            return
        self.press(decider, words)
        keeper.german(dr, passes)

    # Attacks

    def throw(self):
        return self.rng.randint(1, 6) + self.rng.randint(1, 6)

    def think_up(self, side):
        """An attack as somebody might want to make it, allowed or not."""
        rng = self.rng
        kinds = ("inside", "inside", "ranged", "mixed", "russian_artillery", "german_artillery", "air")
        plan = {
            "kind": rng.choice(kinds),
            "group": rng.choice(("fresh", "spent")),
            "area": rng.choice(AREAS),
            "entered": rng.random() < 0.3,
            "rubble": rng.choice((0, 0, 1, 2)),
            "guns": rng.choice(("", "", *GUNS)),
            "factor": rng.choice((0, 0, 0, 0, 3)),
            "battery": rng.choice(("71", "295", "")),
            "ov": rng.randint(2, 9),
        }
        plan["zone"] = plan["area"] == "C"
        plan["attackers"] = [
            (rng.randint(1, 6), rng.choice(PARENTS), rng.choice((0, 0, 1))) for _ in range(rng.randint(1, 4))
        ]
        plan["defenders"] = [
            (rng.randint(1, 5), rng.random() < 0.2, rng.random() < 0.1, rng.choice((0, 0, 1)))
            for _ in range(rng.randint(1, 4))
        ]
        return plan

    def attack(self, side):
        """Make one attack on the page; the sheet decides whether that is allowed, the oracle what comes of it."""
        plan, keeper = self.think_up(side), self.keeper
        is_opening = keeper.is_fixed and keeper.box == 1 and side == "german"
        against = self.sheet.is_forbidden(plan, side, keeper.date, keeper.night, is_opening)
        dice = {"attack_dr": self.throw(), "defence_dr": self.throw()}
        plan["marker"] = self.rubble.get(plan["area"], 0)
        plan["counted"] = plan["rubble"] or plan["marker"]
        before, known = self.player.match.state, dict(self.sheet.tem)
        reader, lines = self.fill_in(side, plan, dice)
        if not against and self.takes_back(side, before):
            self.sheet.tem = known
            reader, lines = self.fill_in(side, plan, dice)
        attacks = self.since(lines, "attack")
        assert bool(attacks) is not bool(against), (plan, against, reader.words("#desk-form")[:600])
        self.counts["refused" if against else "attacks"] += 1
        if against:
            self.counts[against] += 1
            return
        self.sheet.write({**plan, "area": plan["area"] or None}, keeper.date)
        self.compare(side, plan, dice, attacks[0])
        is_first = side == "german" and self.drawn is None
        if is_first:
            self.drawn = dice["attack_dr"]
        if keeper.owner == keeper.owner_at_dawn and not keeper.used and self.rng.random() < 0.15:
            self.roll_again(side, plan, attacks[0], is_first)
        self.settle(side, plan)

    def fill_in(self, side, plan, dice):
        """Fill in the page's own form, and answer what it asks for first."""
        reader, form = self.form_of(side, "attack")
        lines, kind, area = self.last_number, plan["kind"], plan["area"]
        shorts = {
            "attackers-short": " ".join(f"{af}{'i' * iso}/{parent}" for af, parent, iso in plan["attackers"]),
            "defenders-short": " ".join(
                f"{df}{'a' * armour}{'f' * aa}{'i' * iso}" for df, armour, aa, iso in plan["defenders"]
            ),
        }
        typed = {"kind": kind, "group": plan["group"], "area": area, "entered": plan["entered"], **shorts}
        typed |= {"rubble": plan["rubble"], "zone": plan["zone"] and self.rng.random() < 0.5}
        if kind == "german_artillery":
            typed |= {"ov": plan["ov"], "battery": plan["battery"]}
        if kind in (*GROUND, "russian_artillery"):
            typed |= {"guns": plan["guns"], "artillery": plan["factor"]}
        form.fill({name: value for name, value in typed.items() if value not in ("", False, 0)})
        self.type_dice(reader, dice)
        if self.last_number == lines and "Which TEM does the map print" in reader.words("#desk-form"):
            assert area in TEM and area not in self.sheet.tem, "asked once"
            self.counts["TEM asked"] += 1
            reader.form("#desk-form").fill(tem=TEM[area])
            self.type_dice(reader, dice)
        if area in TEM and self.last_number > lines:
            self.sheet.tem[area] = TEM[area]
        return reader, lines

    def type_dice(self, reader, dice):
        form = reader.form("#desk-form")
        known = {name: face for name, face in dice.items() if name in form.names()}
        form.fill(known).press("Resolve")
        missing = {name: face for name, face in dice.items() if name not in known}
        if missing and set(missing) <= set(reader.form("#desk-form").names() if reader.has("#desk-form") else ()):
            reader.form("#desk-form").fill(missing).press("Resolve")

    def compare(self, side, plan, dice, line):
        """Check what the app makes of an attack against the slow way."""
        keeper, kind, date = self.keeper, plan["kind"], self.keeper.date.isoformat()
        counted = plan["factor"] or (self.sheet.factor(keeper.date) if plan["guns"] else 0)
        guns = counted if kind in GROUND else 0
        other = "russian" if side == "german" else "german"
        tem = 0 if plan["zone"] or not plan["area"] else self.sheet.tem[plan["area"]]
        afv = False
        if kind == "german_artillery":
            ov = plan["ov"]
        elif kind == "russian_artillery":
            ov = plan["factor"] or self.sheet.factor(keeper.date)
        else:
            ov = turning_attack.offence(side, kind, plan["attackers"], 1, date, keeper.night, guns, False)
        against_guns = 0 if kind in ("german_artillery", "air", "russian_artillery") else guns
        dv = turning_attack.defence(
            other, kind, plan["defenders"], tem, plan["counted"], date, keeper.night, against_guns, afv
        )
        margin = ov + dice["attack_dr"] - dv - dice["defence_dr"]
        capacity = len(plan["defenders"]) * (3 if plan["group"] == "fresh" else 2)
        how = turning_attack.end(kind, margin, capacity, plan["entered"])
        result, details = line.result, line.result.details
        assert (details["ov"], details["dv"], details["margin"], result.outcome) == (ov, dv, margin, how), plan
        assert (details["inside"], details["ranged"]) == turning_attack.dots(kind, how)
        assert details["cp"] == max(0, margin)
        self.counts[how] += 1
        self.lay_rubble(plan, tem, dice["attack_dr"])

    def lay_rubble(self, plan, tem, attack_dr):
        """A bombardment of 13 and more makes Rubble, or more of it (14.2); what a player has named lies there, too."""
        bombards = plan["kind"] in ("ranged", "german_artillery", "air")
        is_made = bombards and tem >= 3 and tem + attack_dr >= 13
        level = max(plan["marker"], min(2, plan["counted"] + is_made))
        self.rubble.pop(plan["area"], None)
        if level and plan["area"] and not plan["zone"]:
            self.rubble[plan["area"]] = level
            self.counts["Rubble"] += is_made

    def roll_again(self, side, plan, old, is_first):
        """The Advantage has the attack made once more, before anything else (9.2)."""
        holder = self.keeper.owner
        reader, form = self.form_of(holder, "advantage")
        form.fill(again=f"{old.number}-attack").press("Resolve")
        assert self.queue[0].title == "Roll that attack again"
        dice = {"attack_dr": self.throw(), "defence_dr": self.throw()}
        reader, form = self.form_of(side, "attack", self.queue[0].id)
        form.fill(dice).press("Resolve")
        again = self.last("attack")
        assert again.about == old.number
        self.compare(side, plan, dice, again)
        self.drawn = dice["attack_dr"] if is_first else self.drawn
        self.keeper.owner, self.keeper.used = "russian" if holder == "german" else "german", True
        self.counts["rolled again"] += 1

    def settle(self, side, plan):
        """Answer what is due, or do without."""
        while queue := self.queue:
            step = queue[0]
            self.counts[step.helper] += 1
            answer = {
                "counter-battery": self.silence,
                "payment": self.pay,
                "retreat": self.retreat,
                "contested-retreat": self.arrive,
            }.get(step.helper)
            before = self.last_number
            if answer is None:
                raise AssertionError(f"{step.title} is due")
            answer(step, plan)
            assert self.last_number > before, step.title

    def silence(self, step, plan):
        area, die, near = plan["guns"] or self.rng.choice(GUNS), self.rng.randint(1, 6), self.rng.randint(0, 3)
        reader, form = self.form_of("german", "counter-battery", step.id)
        needs = near + (0 if self.keeper.night else 1)
        typed = {"artillery_within_two": near} | ({} if step.inputs.get("area") else {"area": area})
        form.fill(typed)
        reader.form("#desk-form").fill(die=die).press("Resolve")
        silenced = bool(needs) and die <= needs
        assert self.last("counter-battery").result.details["silenced"] is silenced
        if silenced:
            self.sheet.russian[area] = "silenced"

    def pay(self, step, plan):
        """The payer presses one of the ways that the page lists, each of which is legal by the slow way."""
        side = step.inputs["side"]
        factors, required = step.inputs.get("factors"), step.inputs["required"]
        reader = self.readers[side].open(f"{self.home}roll/payment/?step={step.id}")
        if factors is None:
            self.drop(side, step)
            return
        offers = reader.find("#desk-form button[name=offer]")
        assert offers, reader.words("#desk")[:400]
        reader.press_node(self.rng.choice(offers))
        paid = self.last("payment")
        least, ways = turning_attack.payments(step.inputs["group"], factors, required, 0)
        chosen = paid.inputs["actions"]
        assert paid.result.details["legal"] and paid.result.details["paid"] == least and chosen in ways, (chosen, ways)

    def retreat(self, step, plan):
        side, rng = step.inputs["side"], self.rng
        areas = [
            (name, rng.random() < 0.6, rng.choice((0, 0, 2)), rng.choice((0, 3, 10)), rng.randint(0, 2))
            for name in "135"
        ]
        reader, form = self.form_of(side, "retreat", step.id)
        for place, (name, friendly, enemies, friends, near) in enumerate(areas):
            row = {
                "area": name,
                "friendly": friendly,
                "enemy_units": enemies,
                "friends": friends,
                "enemy_neighbours": near,
            }
            form = reader.form("#desk-form")
            form.fill({f"areas-new-{field}": value for field, value in row.items()})
            if place < len(areas) - 1:
                form.press("Add to adjacent areas")
        reader.form("#desk-form").press("Resolve")
        rank, goals = turning_attack.goals(areas)
        details = self.last("retreat").result.details
        assert (details["priority"], details["areas"]) == (rank, goals), areas

    def arrive(self, step, plan):
        roll = self.throw() if step.inputs["friendly_controlled"] else self.rng.randint(1, 6)
        reader, form = self.form_of(self.keeper.side, "contested-retreat", step.id)
        form.fill(roll=roll).press("Resolve")
        outcome = "safe" if roll > step.inputs["enemy_units"] else "eliminated"
        assert self.last("contested-retreat").result.outcome == outcome

    def drop(self, side, step):
        reader = self.look(side)
        reader.press(f"Drop {step.title}" if len(self.queue) > 1 else "Drop all due")

    def morning(self):
        """What Dawn asks for: units that are isolated, a new tank; the rest is dropped."""
        side = "german" if self.has_one_device else self.rng.choice(("german", "russian"))
        step = next(step for step in self.queue if step.helper == "dawn")
        units = [(self.rng.randint(0, 4), self.rng.randint(0, 2), self.rng.random() < 0.3) for _ in range(3)]
        reader, form = self.form_of(side, "dawn", step.id)
        marks = {0: "", 1: "i", 2: "x"}
        form.fill({"units-short": " ".join(f"{dots}{marks[at]}{'s' * supply}" for dots, at, supply in units)})
        reader.form("#desk-form").press("Resolve")
        self.attrition(side, units)
        self.drop_all()
        self.counts["dawns"] += 1

    def drop_all(self):
        """Do without all that is due: what the German decides (T-24) once the Russian agrees."""
        while self.queue:
            steps = self.queue
            self.look("german").press("Drop all due", "#due")
            if self.player.match.proposal:
                self.look("russian").form("#now form").press("agrees=yes")
            assert self.queue != steps, steps

    def attrition(self, side, units):
        by_name = {row["name"]: row for row in self.last("dawn").result.details["units"]}
        for place, (dots, marker, supply) in enumerate(units, 1):
            if marker == 2 and not supply:
                die = self.rng.randint(1, 6)
                step = next(step for step in self.queue if step.title.startswith(f"Unit {place},"))
                reader, form = self.form_of(side, "dawn", step.id)
                form.fill(die=die).press("Resolve")
                after = self.last("dawn").result.details
                assert (after["duration"], after["marker"], after["eliminated"]) == dawn(dots, 2, False, die, "listed")
            else:
                after = by_name[f"Unit {place}"]
                expected = dawn(dots, marker, supply, None, "listed")
                assert (after["duration"], after["marker"], after["eliminated"]) == expected

    def count_points(self, date):
        step = next(step for step in self.queue if step.helper == "victory")
        assert step.inputs == {"date": date.isoformat()}
        reader, form = self.form_of("german", "victory", step.id)
        form.fill(points=self.rng.randint(0, 40)).press("Resolve")
        is_over = self.last("victory").result.outcome in ("german_wins", "german_loses") or date == LAST
        assert self.look("german").has("#desk form[action$='/end/']") is is_over
        self.drop_all()
