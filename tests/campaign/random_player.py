"""A player who does anything at any time, and sensible things often enough that the campaign moves on.

Each kind of act has a function that thinks of what to ask for, out of the bookkeeper's page. ``sure`` says that
the act must be offered and done if its page is fresh. tests.campaign.form_hands does it, by the forms of the pages.
"""

from dataclasses import dataclass, field

from campaign.acts import batteries
from campaign.ledger.dice import Dice
from campaign.rules.orders import Order
from campaign.rules.reports import News
from firefight.games.combat_stalingrad.rules.air import AirWeapon
from tests.oracles.bookkeeper import COUNTERS, DAMAGED, EDGES, FIXED, NEIGHBOURS, ROSTERS, SIDES, other, steps_in

ODD_FACES = (-3, 11, 99, 101)
ODD_NUMBERS = (-1, 0, 99999)
HEXROWS = {"german": "A", "russian": "Y"}


# Acts of the Reorganization Phase, of which the bookkeeper only hears what came of them.
REORGANIZING = (
    *("confirm_report", "redeploy", "fight_round", "fight"),
    *("hurry", "recover", "suffer_mines", "concede"),
)
KINDS = (
    *REORGANIZING,
    *("reinforce", "buy", "refund", "seal_orders", "withdraw_orders", "reveal_orders", "settle"),
    *("place", "name_building", "confirm", "take_off"),
    *("end_turn", "report", "end_nest", "air_attack", "move_random_marker", "battery", "aircraft", "down"),
    *("plot", "observer", "withdraw", "open_seal", "note", "advance", "take_back", "answer"),
)

# How often each kind is tried in a stage, in parts; what is not listed counts as SELDOM.
SELDOM = 0.1
ALWAYS = {"note": 0.4, "take_back": 1, "concede": 0.05}
SEALING = {"plot": 1, "observer": 0.3, "withdraw": 0.5}
WEIGHTS = {
    "reinforcements": {"reinforce": 5},
    "purchases": {"buy": 9, "refund": 1.5, "seal_orders": 4, "withdraw_orders": 1.5, **SEALING},
    "priority": {"settle": 4, **SEALING},
    "setup": {"place": 10, "take_off": 1, "name_building": 12, "confirm": 3, **SEALING},
    "firefight": {
        "end_turn": 2.5,
        "report": 8,
        "end_nest": 1,
        "battery": 1,
        "aircraft": 4,
        "air_attack": 3,
        "down": 4,
        "move_random_marker": 0.4,
        "open_seal": 2,
        "advance": 0.3,
    },
    "reorganization": {"hurry": 1.5},
    "over": {"concede": 0.5},
}
# The same for the steps of the Reorganization Phase.
LEAVING, FIGHTING = {"redeploy": 7, "suffer_mines": 3}, {"fight_round": 3, "fight": 7}
OF_STEP = {
    "after_action": {"confirm_report": 5, "report": 4},
    "existing": FIGHTING,
    "attacker_leaves": LEAVING,
    "defender_leaves": LEAVING,
    "battle": FIGHTING,
    "final_attacker": LEAVING,
    "final_defender": LEAVING,
    "upkeep": {"recover": 7, "end_nest": 1},
}
# The counters that news can be about; any, if it is not listed.
ABOUT = {
    News.REDUCED: ("squad",),
    News.WOUNDED: ("leader",),
    News.M_KILLED: ("vehicle",),
    News.F_KILLED: ("vehicle",),
    News.SUPPRESSED: ("vehicle",),
    News.REMOVED: ("fortification", "marker"),
}


@dataclass(frozen=True)
class Wish:
    """One act that the player wants done: what to ask for, the dice with it, and whether it cannot be refused.

    ``party``: whose set-up is open on the map, by the number of the group; ``house``: a nest's building.
    """

    kind: str
    side: str
    asked: dict = field(default_factory=dict)
    dice: Dice | None = None
    sure: bool = False
    party: int = 0
    house: str = ""


class RandomPlayer:
    """Thinks of acts for both sides. ``rng`` decides everything; ``books`` is the bookkeeper to look at."""

    def __init__(self, rng, books):
        self.rng, self.books = rng, books
        self.secrets = 0

    @property
    def page(self):
        """The bookkeeper's page."""
        return self.books.page

    def wish(self, step="", is_asked=False):
        """The next act. ``step`` of the Reorganization Phase; ``is_asked``: somebody waits for a take-back."""
        stage = self.page["stage"]
        weights = {**dict.fromkeys(KINDS, SELDOM), **ALWAYS, **WEIGHTS[stage], **OF_STEP.get(step, {})}
        fitting = {kind: [side for side in SIDES if self._fitting(kind, side)] for kind in _FITTING}
        for kind, sides in fitting.items():
            weights[kind] = weights[kind] if sides else SELDOM
        if self._may_reveal():
            weights["reveal_orders"] = 10
        if is_asked:
            weights["answer"] = 12
        kind = self.rng.choices(list(weights), list(weights.values()))[0]
        side = self.rng.choice(self._sides(kind, fitting.get(kind)) if self._often() else SIDES)
        if kind in _FITTING and kind not in _OWN_QUESTIONS:
            return Wish(kind, side, {"number": self._one_of(self._fitting(kind, side))}, *self._die(kind))
        return getattr(self, f"_{kind}", self._bare)(kind, side)

    def _sides(self, kind, fitting):
        """The sides that have something to do such an act with, or that are not done with the stage."""
        if fitting:
            return fitting
        waiting = [side for side in SIDES if side not in self.page["ready"]]
        if self.page["stage"] == "setup" and not self.page["ready"]:
            return [other(self.page["attacker"])]
        return waiting or SIDES

    def _die(self, kind):
        return [self._dice(die=10)[0]] if kind == "aircraft" else []

    def _may_reveal(self):
        return self.page["stage"] == "purchases" and len(self.page["ready"]) == 2

    # What to choose from

    def _often(self, chance=0.85):
        return self.rng.random() < chance

    def _fitting(self, kind, side):
        """The numbers, or IDs, that an act of this kind can be about."""
        return _FITTING[kind](self.books, side)

    def _one_of(self, numbers):
        """A number that fits, or at times one that does not."""
        return self.rng.choice(numbers if numbers and self._often(0.9) else ODD_NUMBERS)

    def _units(self, side, fits):
        """Some units, mostly ones that fit."""
        units = self.page["units"][side]
        fitting = [n for n, unit in units.items() if not unit["fate"] and fits(unit)]
        numbers = fitting if fitting and self._often(0.93) else list(units)
        chosen = self.rng.sample(numbers, min(len(numbers), self.rng.choice((1, 1, 2, 3, 6))))
        return chosen if self._often(0.97) else [*chosen, self.rng.choice(ODD_NUMBERS)]

    def _dice(self, **sides):
        """The dice by name: typed as they should be, rolled by the app, or odd, or lacking one."""
        if not self._often(0.7):
            return Dice("app"), True
        faces = {name: self.rng.randint(1, most) for name, most in sides.items()}
        if not faces or self._often(0.93):
            return Dice("table", faces), True
        spoilt = self.rng.choice(list(faces))
        faces[spoilt] = self.rng.choice(ODD_FACES)
        if self._often(0.5):
            del faces[spoilt]
        return Dice("table", faces), False

    def _number(self, low, high):
        return self.rng.randint(low, high) if self._often(0.93) else self.rng.choice((low - 1, high + 1))

    def _secret(self):
        """A number that no other secret of the campaign has, so that it can be looked for."""
        self.secrets += 1
        return self.secrets

    def _hex(self):
        return f"{self.rng.choice('CDEFGH')}{20 + self._secret() % 79}" if self._often(0.9) else "Ö4"

    # What to ask for

    def _bare(self, kind, side):
        """An act without questions: confirm, advance …"""
        return Wish(kind, side, sure=kind == "reveal_orders" and self._may_reveal())

    def _reinforce(self, kind, side):
        dice, are_good = self._dice(die=10)
        is_due = self.page["stage"] == "reinforcements" and side not in self.page["ready"]
        return Wish(kind, side, {}, dice, are_good and is_due)

    def _buy(self, kind, side):
        able = self._fitting(kind, side)
        letters = sorted({rg[0] for rg in able})
        if letters and self._often(0.5):  # as many aircraft and nests as infantry: they have acts of their own
            letter = self.rng.choice(letters)
            able = [rg for rg in able if rg[0] == letter]
        rg = self.rng.choice(able if able and self._often(0.9) else [*ROSTERS[side], "Z9", ""])
        mix = ROSTERS[side].get(rg, {}).get("mix", {})
        mixed = {f"mix_{place}": mix["sides"] for place in range(1, mix.get("number", 0) + 1)}
        dice, are_good = self._dice(die=10, second_die=10, **mixed)
        return Wish(kind, side, {"rg": rg}, dice, are_good and rg in able)

    def _seal_orders(self, kind, side):
        order = self.rng.choice((*[Order.ATTACK] * 5, *[Order.HOLD] * 2, None))
        bonus = order is Order.ATTACK and self._often(0.3) or not self._often(0.97)
        is_due = self.page["stage"] == "purchases" and side not in self.page["ready"]
        sure = is_due and order is Order.HOLD and not bonus and not self.books.fixed_order(side)
        return Wish(kind, side, {"order": order, "bonus": bonus}, sure=sure)

    def _settle(self, kind, side):
        dice, are_good = self._dice(german_die=10, russian_die=10)
        return Wish(kind, side, {}, dice, are_good and self.page["stage"] == "priority")

    def _place(self, kind, side):
        open_to = list(steps_in(side, self.page["control"]))
        near = [sector for sector in open_to if sector in self.books.card[side]["deployment"]]
        sector = self.rng.choice(near or [1]) if self._often() else self.rng.choice([None, None, *range(25), *open_to])
        numbers = self._units(side, lambda unit: unit["sector"] is None or not self._often(0.9))
        party, numbers = self._in_party(side, numbers)
        fields = {"numbers": numbers, "sector": sector, "hidden": not self._often(0.7)}
        return Wish(kind, side, fields, party=party, house=f"House {self._secret()}")

    def _in_party(self, side, numbers):
        """The group of the first of some units, 0 for single counters, and those that belong to it."""
        units = self.page["units"][side]
        groups = {number: units.get(number, {}).get("group") or 0 for number in numbers}
        party = groups[numbers[0]] if numbers else 0
        return party, [number for number in numbers if groups[number] == party]

    def _name_building(self, kind, side):
        building = f"House {self._secret()}"
        number = self._one_of(self._fitting(kind, side))
        fields = {"number": number, "building": building, "hexes": self._number(1, 4)}
        return Wish(kind, side, fields, party=number)

    def _end_turn(self, kind, side):
        dice, are_good = self._dice(die=10)
        is_due = self.page["stage"] == "firefight" and not self.books.owes_stay_roll()
        return Wish(kind, side, {}, dice, are_good and is_due)

    def _report(self, kind, side):
        news = self.rng.choice((*News, News.MOVE, News.ENTER, News.ENTER))
        kinds = ABOUT.get(news)
        numbers = self._units(
            side,
            lambda unit: (
                (unit["sector"] is None) == (news is News.ENTER)
                and (news is not News.EXIT or unit["sector"] in EDGES[side])
                and (not kinds or COUNTERS[side][unit["counter"]]["kind"] in kinds)
            ),
        )
        met = [unit["sector"] for unit in self.page["units"][other(side)].values() if unit["sector"]]
        somewhere = met if met and self._often(0.5) else [None, *range(25)]
        sectors = EDGES[side] if news is not News.MOVE and self._often() else somewhere
        sector = self.rng.choice(sectors)
        stays = news is News.EXIT or (news is News.STANDS and self.page["stage"] == "firefight")
        if stays and self._often():
            sector = None
        more = {"hex_name": self._free_hex()} if news is News.STANDS else {}
        return Wish(kind, side, {"numbers": numbers, "news": news, "sector": sector, **more})

    def _free_hex(self):
        """A hex that no secret is about."""
        return f"M{self.rng.randint(4, 19)}"

    def _move_random_marker(self, kind, side):
        return Wish(kind, side, {"hex_name": self._free_hex()})

    def _take_off(self, kind, side):
        def is_mine(unit):
            return unit["home"] and COUNTERS[side][unit["counter"]]["kind"] in FIXED

        party, numbers = self._in_party(side, self._units(side, is_mine))
        return Wish(kind, side, {"numbers": numbers}, party=party)

    def _air_attack(self, kind, side):
        weapon = self.rng.choice(list(AirWeapon))
        return Wish(kind, side, {"number": self._one_of(self._fitting(kind, side)), "weapon": weapon})

    def _suffer_mines(self, kind, side):
        """Units of a sector with mines, as far as one knows."""
        mines = [unit["sector"] for owner in SIDES for unit in self.page["units"][owner].values() if is_mine(unit)]
        numbers = self._units(side, lambda unit: unit["sector"] in mines and not is_mine(unit))[:2]
        dice, _ = self._dice(mine=100, **{f"{die}_{number}": 10 for number in numbers for die in ("hit", "check")})
        return Wish(kind, side, {"numbers": numbers, "factors": self._number(1, 100), "drm": 0}, dice)

    def _redeploy(self, kind, side):
        """Nobody leaves, or units of sectors where both sides are, and sometimes anybody, to anywhere near."""
        units = self.page["units"]
        occupied = [{unit["sector"] for unit in units[owner].values()} for owner in SIDES]
        contested = set.intersection(*occupied) - {None}
        leaving = [n for n, unit in units[side].items() if unit["sector"] in contested or not self._often(0.99)]
        goals = {n: self.rng.choice(NEIGHBOURS.get(units[side][n]["sector"], [0])) for n in leaving[:3]}
        goals = goals if self._often(0.5) else {}
        dice, _ = self._dice(**{f"die_{number}": 10 for number in goals})
        return Wish(kind, side, {"goals": goals}, dice)

    def _fight(self, kind, side):
        return Wish(kind, side, {}, Dice("app"))

    def _hurry(self, kind, side):
        return Wish(kind, side, {"how_far": self.rng.choice(("round", "sector", "phase"))})

    def _recover(self, kind, side):
        due = self._fitting(kind, side)
        dice, _ = self._dice(**{f"{name}_{number}": 10 for number in due for name in ("die", "mend")})
        return Wish(kind, side, {}, dice)

    def _battery(self, kind, side):
        news = self.rng.choice(list(batteries.BatteryNews))
        return Wish(kind, side, {"number": self._one_of(self._fitting(kind, side)), "news": news})

    def _plot(self, kind, side):
        fields = {"first": self._hex(), "second": self._hex(), "turn": self._number(1, 7)}
        return Wish(kind, side, {"number": self._one_of(self._fitting(kind, side)), **fields})

    def _observer(self, kind, side):
        row = HEXROWS[side] if self._often() else "M"
        return Wish(kind, side, {"text": f"{row}{20 + self._secret() % 79}"})

    def _note(self, kind, side):
        return Wish(kind, side, {"text": f"note {self._secret()}.", "sealed": self._often(0.5)})

    def _take_back(self, kind, side):
        return Wish(kind, side, {})

    def _answer(self, kind, side):
        return Wish(kind, side, {"agrees": self._often(0.7)})


def is_mine(unit):
    """Whether a counter is a mine on the map."""
    return unit["counter"] == "mine_factor" and unit["sector"] is not None


def _groups(books, side, fits):
    lines, groups = ROSTERS[side], books.page["groups"][side].items()
    return [n for n, group in groups if group["standing"] == "in_play" and fits(group, lines[group["rg"]])]


def _nests(books, side):
    return _groups(books, side, lambda group, line: line["type"] == "nest")


def _batteries(books, side):
    return _groups(books, side, lambda group, line: line["type"] in ("artillery", "bombardment"))


def _seals(books, side):
    seals = books.page["seals"][side].items()
    return [n for n, seal in seals if seal["standing"] == "sealed" and seal["kind"] != "orders"]


# What acts of a kind can be about, by number or ID; they are seldom tried where there is none.
_FITTING = {
    "buy": lambda books, side: [rg for rg in ROSTERS[side] if books.may_buy(side, rg)],
    "refund": lambda books, side: _groups(books, side, lambda g, _: g["bought_for"] == books.page["firefight"]),
    "name_building": _nests,
    "end_nest": _nests,
    "battery": _batteries,
    "aircraft": lambda books, side: _groups(books, side, lambda group, line: line["type"] == "aircraft"),
    "air_attack": lambda books, side: _groups(books, side, lambda group, line: group["mark"] == "here"),
    "down": lambda books, side: _groups(books, side, lambda group, line: group["mark"] == "here"),
    "plot": lambda books, side: _groups(books, side, lambda group, line: "plotted" in line),
    "withdraw": _seals,
    "open_seal": _seals,
    "recover": lambda books, side: [
        number for number, unit in books.page["units"][side].items() if not unit["fate"] and unit["marks"] & DAMAGED
    ],
}
# The others ask for the number alone.
_OWN_QUESTIONS = {"air_attack", "buy", "name_building", "battery", "plot", "recover"}
