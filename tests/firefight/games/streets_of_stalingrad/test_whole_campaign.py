"""67 days of fifteen phases, with fires at random, against a page of paper (tests/oracles/streets_days.py)."""

import random
from collections import Counter

from firefight.engine.course.keeping import TableState
from firefight.engine.errors import BadInput
from firefight.engine.rolls.changes import merge_changes
from firefight.games.streets_of_stalingrad.game import GAME
from firefight.games.streets_of_stalingrad.rules.course import COURSE
from firefight.games.streets_of_stalingrad.rules.record import DUE, RECORD
from tests.oracles.streets_days import DayBook

from . import BOOK, ask, inputs

HEXES = ("0509", "0510", "0611")
GUNS = tuple(f"{number}/I" for number in range(94, 104))
ATTACKS, MOVEMENTS = (5, 8, 12, 15), (3, 7, 10, 14)
OWN = {"german": (3, 5, 7, 8), "soviet": (10, 12, 14, 15)}  # in which a side attacks or breaks through (4.3, 10.1)


class Campaign:
    """A record that rolls and steps write, and the page of paper beside it."""

    def __init__(self, rng):
        self.rng, self.paper, self.counts = rng, DayBook(), Counter()
        self.position, self.record, self.due = COURSE.begin(), RECORD.defaults, Counter()

    @property
    def here(self):
        return TableState(self.position, self.record, BOOK, options={"scenario": "3"})

    def roll(self, slug, more=(), **fields):
        """A roll, with what the record makes of it; ``more``: fields of its form that the rule does not take."""
        result = ask(slug, **fields)
        cleaned = {**inputs(slug, **{name: its for name, its in fields.items() if "die" not in name}), **dict(more)}
        GAME.keeping.check(slug, cleaned, self.here)
        noted = GAME.keeping.note(slug, cleaned, result, self.here)
        self.record = RECORD.apply(self.record, merge_changes(noted))
        self.counts[slug] += 1
        return result

    def fire(self):
        """Somebody fires at a hex: the paper says whether he may."""
        rng, paper, place, gun = self.rng, self.paper, self.rng.choice(HEXES), self.rng.choice(GUNS)
        is_attack = self.paper.phase in ATTACKS + MOVEMENTS
        slug, firer = "attack" if is_attack else "bombardment", rng.choice(("german", "soviet"))
        fields = {
            "points": rng.randint(5, 40),
            "terrain": rng.choice(("clear", "city", "forest")),
            "combat_units": 1,
        }
        fields["firer"] = firer
        fields |= {"adjacent_infantry": "on", "terrain_drm": 0} if is_attack else {"spotting": 0}
        if not is_attack:
            del fields["combat_units"]
        flying = rng.randint(0, 3)
        used = {"hex": place, "gun_names": [gun], "flying": flying}
        is_moving = paper.phase in MOVEMENTS
        is_barred = gun in paper.fired | paper.boxed or place in (paper.broken if is_moving else paper.attacked)
        is_barred |= paper.stukas is not None and flying > paper.stukas - paper.flown
        is_barred |= flying > 0 and (firer == "soviet" or not is_attack and paper.phase not in (2, 6))
        is_barred |= is_attack and paper.phase not in OWN[firer]
        is_barred |= is_moving and (fields["terrain"] == "city" or place in paper.lying["interdicted"])  # 10.2
        try:
            result = self.roll(slug, used, **fields, die=rng.randint(1, 10))
        except BadInput:
            assert is_barred, (self.position, used)
            self.counts["barred"] += 1
            return
        assert not is_barred, (self.position, used)
        paper.fired.add(gun)
        paper.flown += flying
        marker = {"D1P": "P", "P": "P"}.get(result.details["result"])
        marker = marker and ("spent" if fields["terrain"] == "city" else "pinned")
        if not is_attack:
            paper.shoot(place, marker)
            return
        is_empty = result.details["result"] in ("D1", "D2", "D3", "DE", "D1P")  # one unit was there
        marker = None if is_empty else marker
        if is_moving:
            paper.break_through(place, marker, is_empty)
        else:
            paper.attack(place, marker, True)

    def act(self):
        kind = self.rng.choice(("fire", "fire", "interdiction", "box", "flotilla", "cross"))
        if kind == "fire":
            self.fire()
        elif kind == "interdiction" and self.paper.phase in (2, 6, 9, 13):
            place, points = self.rng.choice(HEXES), self.rng.randint(1, 9)
            self.roll("interdiction", {"hex": place}, points=points)
            self.paper.lying["interdicted"] |= {place} if points >= 5 else set()
        elif kind == "box" and self.paper.phase in (2, 6):
            gun = self.rng.choice(GUNS)
            self.roll("box-guns", {"units": [gun]}, units=gun)
            self.paper.boxed |= {gun} - self.paper.fired
        elif kind == "cross" and self.paper.phase in (10, 14):
            self.cross(str(self.rng.randint(1, 3)), self.rng.randint(1, 5))
        elif kind == "flotilla" and self.paper.turn < 60:
            die = self.rng.randint(1, 10)
            self.roll("flotilla-return", turn=self.paper.turn, die=die)
            self.paper.coming.append((self.paper.turn + (die + 1) // 2, 10))

    def cross(self, arrow, number):
        """That many cross by an arrow, counted with those before as the players add them up: nine a phase (8.66)."""
        paper = self.paper
        in_phase, in_turn = (counted.get(arrow, 0) + number for counted in (paper.crossing, paper.crossed))
        result = self.roll("volga", arrow=arrow, combat_this_phase=in_phase, combat_this_turn=in_turn)
        assert result.details["allowed"] is (in_phase <= 9 and in_turn <= 18)
        if result.details["allowed"]:
            paper.cross(arrow, number)

    def go_on(self):
        """The next phase, and the rolls of its first that the paper waits for."""
        before, self.position = self.position, COURSE.press(self.position, "phase").position
        arrived = DUE.find_arrived(self.record["due"], COURSE.facts(self.position))
        if arrived:
            self.record = RECORD.apply(self.record, DUE.arrive(arrived))
        house = GAME.keeping.keep_house(before, self.here)
        self.record = RECORD.apply(self.record, merge_changes(house.changes))
        self.due = Counter(step.roll.helper for step in house.due)
        self.paper.next_phase()
        if self.paper.phase == 1:
            self.first_rolls(house)

    def first_rolls(self, house):
        for step in house.due:
            fields, die = dict(step.roll.inputs), self.rng.randint(1, 10)
            if step.roll.helper == "ammunition":
                self.roll("ammunition", **fields, multiplier=20, die=die)
                self.paper.barred[fields["side"]] = 20 * die
            if step.roll.helper == "weather":
                self.paper.weather = self.roll("weather", **fields, die=die).outcome.value
            if step.roll.helper == "stukas":
                is_bad = self.paper.weather == "bad"
                dice = {} if is_bad else {"stuka_die": die}
                weather = {"bad_weather": "on"} if is_bad else {}
                if not is_bad and self.paper.turn >= 39:
                    dice["weather_die"] = 10
                self.roll("stukas", **fields, **weather, **dice)
                self.paper.stukas = 0 if is_bad else 22 - die

    def compare(self):
        paper, record = self.paper, self.record
        assert (self.position.turn, int(self.position.phase)) == (paper.turn, paper.phase)
        lying = {word: {row["hex"] for row in record["markers"] if row["marker"] == word} for word in paper.lying}
        assert lying == paper.lying, self.position
        assert (set(record["attacked"]), set(record["breakthroughs"])) == (paper.attacked, paper.broken)
        assert {row["unit"] for row in record["fired"] if not row["in_box"]} == paper.fired
        assert {row["unit"] for row in record["fired"] if row["in_box"]} == paper.boxed
        assert (record["stukas"], record["stukas_used"]) == (paper.stukas, paper.flown)
        assert (record["weather"], record["barred"], record["snipers"]) == (paper.weather, paper.barred, paper.snipers)
        assert {arrow: row.get("turn", 0) for arrow, row in record["crossed"].items()} == paper.crossed
        assert {arrow: row["phase"] for arrow, row in record["crossed"].items() if row.get("phase")} == paper.crossing
        assert sorted((row["turn"], row["phase"]) for row in record["due"]) == sorted(paper.coming)


def test_a_whole_campaign_with_fires_at_random_agrees_with_the_paper():
    campaign, days = Campaign(random.Random("67 days")), {}
    while not COURSE.is_last(campaign.position):
        for _ in range(campaign.rng.choice((0, 1, 1, 2, 4))):
            campaign.act()
            campaign.compare()
        campaign.go_on()
        campaign.compare()
        days.setdefault(COURSE.date_of(campaign.position), Counter()).update(campaign.due)
    assert len(days) == 67
    assert days["1942-09-13"] == {"stukas": 1} and days["1942-09-14"] == {"stukas": 1}
    assert days["1942-09-26"] == {"stukas": 1, "ammunition": 1}
    assert days["1942-09-19"] == {"stukas": 1, "division": 2}  # the 29th
    assert days["1942-10-11"] == {"stukas": 1, "ammunition": 2, "division": 2}
    assert days["1942-10-21"] == days["1942-11-18"] == {"stukas": 1, "ammunition": 2, "weather": 1}
    before = campaign.position
    assert COURSE.press(before, "phase").position == before
    last = TableState(before, campaign.record, BOOK, pressed="phase", options={"scenario": "3"})
    assert [step.roll.helper for step in GAME.keeping.keep_house(before, last).due] == ["victory"]
    assert (
        min(campaign.counts[slug] for slug in ("attack", "bombardment", "barred", "interdiction", "box-guns", "volga"))
        > 9
    )
