"""A player of both sides at one table who does anything that the rules and the pages let a player do, by seed.

Each kind of act is a method that does it over HTTP, as the forms of the page do, and returns what was answered, or
None where there is nothing to do it with.
"""

import json
import random
import re

from tests import pages
from tests.firefight import players
from tests.firefight.players import text_of

SIDES = ("german", "russian")
LIST = {
    "german": "4 Grenadier squads, 2 Panzergrenadier squads, NCO, Officer, 2 Heavy MG 34, Pz IV F1, 2 SdKfz 251/1 C",
    "russian": "4 Rifle squads, 2 Militia squads, Commissar, NCO, 2 Maxim M1910, T-70, 45 mm PTP 42",
}
HEXES = ("K7", "K8", "L7", "L8", "M6")
# Where nobody goes who is in sight, and where nothing else falls than what is plotted there.
UNSEEN = [f"{column}{row}" for column in "VWXYZ" for row in range(12, 30)]
PLOTTED = [f"{column}{row}" for column in "CJQ" for row in range(40, 100, 5)]
HUNDRED = ("fire", "close-combat", "contact", "accuracy", "air-attack", "call-off", "anti-aircraft")
SIDES_OF_DIE = dict.fromkeys(HUNDRED, 100)
PLANES = {"german": "ju87", "russian": "po2"}
# What a browser may ask of a table.
READ = (
    *("", "log/", "log.json", "record/", "record.json", "report.md", "archive.json", "counters/", "counters.json"),
    *("hand/", "roll/contact/", "table/", "pack/", "missions.json", "ground.json", "sets.json", "aircraft.json"),
)
WORD = re.compile(r"\w+")  # whole ones: a token of a page may hold any letters


def other(side):
    """The enemy."""
    return SIDES[side == SIDES[0]]


class RandomTable:
    """A match with a browser for each side, and somebody who plays both. ``rng`` decides everything."""

    WEIGHTS = {
        "fire": 8,
        "resolve": 16,
        "close_combat": 3,
        "declare": 6,
        "move": 5,
        "set_by_hand": 4,
        "ride": 1,
        "note": 1,
        "rally": 2,
        "hide": 2,
        "come_into_sight": 1,
        "undo": 2,
        "correct": 2,
        "drop": 0.5,
        "advance": 3,
        "set_phase": 1.5,
        "seal_note": 0.7,
        "reveal": 0.3,
        "add_mission": 1.5,
        "add_set": 0.3,
        "call_mission": 3,
        "call_off": 0.7,
        "set_row": 1.5,
        "strike_row": 0.3,
        "fly": 2,
        "note_ground": 1,
        "tell_value": 0.3,
        "roll_free": 0.5,
        "choose_option": 0.3,
        "settle": 2,
        "take_back": 2,
        "answer": 6,
        "set_of_enemy": 0.7,
        "put_right": 0.7,
        "add": 0.5,
    }

    start, after = (), 0  # how counters stood after a line: here none did

    def __init__(self, seed, table=None):
        self.rng, self.planted, self.taken = random.Random(seed), {side: set() for side in SIDES}, set()
        self.players = table or self._sit_down()
        self.last = ""
        for side in SIDES:
            for _ in range(self.rng.randint(0, 2)):
                self.add_mission(side, self.players[side])
            self.add_row(self.players[side], "aircraft", aircraft=PLANES[side], planes="2")

    def _sit_down(self):
        german, links = players.begin("german")
        table = {"german": german, "russian": players.sit(links["russian"], german.match_id)}
        for side, listed in LIST.items():
            assert table[side].do("counters/add/", side=side, list=listed).status_code == 302
            for each in known(table[side], side):
                hexes = HEXES[:3] if side == "german" else HEXES[2:]
                table[side].do("counters/", id=each["id"], place=self.rng.choice(hexes))
        return table

    @property
    def match(self):
        """The match as it is stored."""
        return self.players["german"].match

    def rows(self):
        """What is stored of the table, but for what only counts on: versions, lines, dice used up."""
        return self.match.state.to_json()

    def pages(self, player):
        """Whatever a browser may ask of the table."""
        return [player.get(place) for place in READ]

    def set_place(self, player, ids, place, **more):
        """Set counters to a place by hand."""
        return player.do("counters/", id=ids, place=place, **more)

    def act(self):
        """Do one thing; returns the side that did it and the answer, None where there was nothing to do."""
        for _ in range(20):
            side, answer = self.try_something()
            if answer is not None:
                break
        return side, answer

    def try_something(self):
        """One kind of act, if it can be done now."""
        weights = dict(self.WEIGHTS)
        queue = self.match.state.queue
        if queue:
            weights["resolve"] *= 1 + len(queue)
        self.last = self.rng.choices(list(weights), list(weights.values()))[0]
        side = self.rng.choice(SIDES)
        return side, getattr(self, self.last)(side, self.players[side])

    # Whom it is about

    def some(self, side, most=3, sees=None, **fits):
        """Some counters of a side that are in play and at one place, as somebody knows them."""
        found = [each for each in known(self.players[sees or side], side) if not each["fate"]]
        found = [each for each in found if all(each[name] == value for name, value in fits.items())]
        if not found:
            return []
        place = self.rng.choice(found)["place"]
        there = [each["id"] for each in found if each["place"] == place]
        return self.rng.sample(there, min(len(there), self.rng.randint(1, most)))

    def plant(self, side):
        """A word that nobody but this side may ever be sent."""
        word = f"SEALED{side[:1].upper()}{self.rng.randint(100_000, 999_999)}"
        self.planted[side].add(word)
        return word

    def plant_hex(self, side, among=UNSEEN):
        """A hex that nobody but this side may be told of."""
        found = self.rng.choice([place for place in among if place not in self.taken] or among)
        if found not in self.taken:
            self.planted[side].add(found)
            self.taken.add(found)
        return found

    def forget_shown(self):
        """What a side has shown by now is everybody's: where a counter came into sight, a plot that has fallen."""
        log = self.players["german"].log
        told = [line.sentence + json.dumps(line.inputs) for line in log if is_shown(line)]
        told += [hex_ for line in log for hex_ in covered_by(line)]
        state = self.match.state
        told += self.in_sight()
        told += [json.dumps(row) for row in state.record["missions"].values() if not row.get("known_to")]
        told += [line.secret for line in self.players["german"].log if line.revealed_by]
        words = set(WORD.findall(" ".join(told)))
        notes = {plain.get("note") for plain in state.counters.values()}
        self.planted = {side: self.planted[side] - (words - notes) for side in SIDES}

    def in_sight(self):
        """What is stored of the counters that nobody hides."""
        return [json.dumps(plain) for plain in self.match.state.counters.values() if not plain.get("hidden")]

    def dice(self, slug):
        """Dice by the app, or as they lie on the table."""
        if self.rng.random() < 0.4:
            return {"dice": "app"}
        return {"dice": "table", "die": self.rng.randint(1, SIDES_OF_DIE.get(slug, 10))}

    # Acts

    def fire(self, side, player):
        firers, targets = self.some(side), self.some(other(side), sees=side)
        if not (firers and targets):
            return None
        shows = {"shows": "on"} if self.rng.random() < 0.5 else {}
        return player.roll("fire", firers=firers, targets=targets, range=2, **shows, **self.dice("fire"))

    def close_combat(self, side, player):
        attack, defense = self.some(side, 2), self.some(other(side), 2, sees=side)
        if not (attack and defense):
            return None
        more = {"shows": "on", "better_odds": self.rng.choice(("yes", "no"))}
        return player.roll("close-combat", firers=attack, targets=defense, **more, **self.dice("close-combat"))

    def resolve(self, side, player):
        queue = [step for step in self.match.state.queue if not step.known_to or step.known_to == side]
        if not queue:
            return None
        checks = [step for step in queue if step.helper == "morale"]
        if len(checks) > 1 and self.rng.random() < 0.7:
            if self.rng.random() < 0.4:
                return player.do("due/", step=[step.id for step in checks], dice="app")
            boxes = {f"due-{step.id}-die": self.rng.randint(1, 10) for step in checks}
            return player.do("due/", step=[step.id for step in checks], dice="table", **boxes)
        step = self.rng.choice(queue[:3])
        page = text_of(player.get(f"roll/{step.helper}/", step=step.id))
        (form,) = pages.forms(page, "form#desk-form")
        fields = {name: values for name, values in form.fields.items() if name not in ("act", "version")}
        if step.helper == "accuracy" and not any(fields.get("aim", [])):
            fields["aim"] = [self.rng.choice(HEXES)]
        faces = [name for name in fields if name.startswith("die") or name.endswith("_die")]
        if self.rng.random() < 0.4:
            return player.roll(step.helper, **{**fields, "dice": "app", "shows": "on"})
        most = {name: SIDES_OF_DIE.get(step.helper, 10) if name == "die" else 10 for name in faces}
        thrown = {name: self.rng.randint(1, 6 if name == "direction_die" else most[name]) for name in faces}
        return player.roll(step.helper, **{**fields, **thrown, "dice": "table", "shows": "on"})

    def declare(self, side, player):
        """Close Combat is declared, as the app proposes or at random; or the other side is to declare first."""
        here, there = ({each["place"] for each in known(player, of) if not each["fate"]} for of in SIDES)
        both = sorted(filter(None, here & there))
        if not both:
            ids, enemies = self.some(side), self.some(other(side), sees=side)
            places = {each["id"]: each["place"] for each in known(player)}
            return self.set_place(player, ids, places[enemies[0]]) if ids and enemies else None
        place = self.rng.choice(both)
        sheet = player.client.get(f"/match/{player.match_id}/melee/", {"place": place})
        forms = pages.forms(text_of(sheet), "form#desk-form")
        if not forms or not forms[0].buttons:
            return player.send("melee/", {**player.stamp, "place": place})
        (form,) = forms
        fields = {name: values for name, values in form.fields.items() if name not in ("act", "version")}
        if self.rng.random() < 0.5:
            for name in self.rng.sample(sorted(form.choices), min(2, len(form.choices))):
                fields[name] = [self.rng.choice(form.choices[name])]
        does = [value for name, value in form.buttons if name == "does" and value != "look"]
        return player.send("melee/", {**player.stamp, **fields, "does": self.rng.choice([*does, "declare"])})

    def move(self, side, player):
        ids = self.some(side, hidden=False)
        place = self.rng.choice((*HEXES, "K7/1", "", "B20"))
        return self.set_place(player, ids, place) if ids else None

    def ride(self, side, player):
        ids, mates = self.some(side, 1), self.some(side, 1)
        return player.do("counters/", id=ids, beside=self.rng.choice([*mates, ""])) if ids else None

    def note(self, side, player):
        ids = self.some(side, 2)
        state = {"state": "pinned"} if self.rng.random() < 0.3 else {}
        return player.do("counters/", id=ids, note=self.plant(side), **state) if ids else None

    def set_by_hand(self, side, player):
        ids = self.some(side, 2)
        words = ("pinned", "disrupted", "wia", "casualty", "eliminated", "suppressed", "enfiladed", "m_killed", "left")
        return player.do("counters/", id=ids, becomes=self.rng.choice(words)) if ids else None

    def rally(self, side, player):
        ids = self.some(side)
        return player.do("counters/", id=ids, becomes="good_order") if ids else None

    def hide(self, side, player):
        ids = self.some(side, 2, hidden=False)
        note = {"note": self.plant(side)} if self.rng.random() < 0.7 else {}
        return self.set_place(player, ids, self.plant_hex(side), hidden="on", **note) if ids else None

    def come_into_sight(self, side, player):
        hidden = [each for each in known(player, side) if each["hidden"]]
        if not hidden:
            return None
        chosen = self.rng.choice(hidden)["id"]
        if self.rng.random() < 0.5:
            return self.set_place(player, chosen, self.rng.choice(HEXES), hidden="off")
        return player.do("counters/", id=chosen, hidden="off")

    def undo(self, side, player):
        lines = [each.number for each in player.log if each.kind == "counter"][-8:]
        return player.do("counters/undo/", number=self.rng.choice(lines)) if lines else None

    def correct(self, side, player):
        rolls = [
            each for each in player.log[-30:] if each.kind == "roll" and each.side == side and each.voided_by is None
        ]
        rolls = [each for each in rolls if [die.source for die in each.rolls] == ["table"]]
        if not rolls:
            return None
        entry = self.rng.choice(rolls)
        page = player.get(f"roll/{entry.helper}/", corrects=entry.number)
        if page.status_code != 200:
            return None
        (form,) = pages.forms(text_of(page), "form#desk-form")
        fields = {name: values for name, values in form.fields.items() if name not in ("act", "version")}
        face = self.rng.randint(1, SIDES_OF_DIE.get(entry.helper, 10))
        fields |= {entry.rolls[0].die: face, "dice": "table", "shows": "on"}
        return player.roll(entry.helper, **fields)

    def drop(self, side, player):
        queue = [step for step in self.match.state.queue if not step.known_to or step.known_to == side]
        return player.do("drop/", step=self.rng.choice([queue[0].id, "all"])) if queue else None

    def advance(self, side, player):
        return player.do("advance/", **({"button": "phase"} if self.rng.random() < 0.7 else {}))

    def set_phase(self, side, player):
        return player.do("record/", field="phase", value=self.rng.choice(("fire_and_movement", "melee")))

    def seal_note(self, side, player):
        return player.note(self.plant(side), sealed="on")

    def reveal(self, side, player):
        sealed = [line for line in player.log if line.kind == "sealed" and line.side == side and not line.revealed_by]
        return player.do("reveal/", number=self.rng.choice(sealed).number) if sealed else None

    # What the record keeps

    def rows_of(self, side, field):
        """A side's own rows of a field, as it knows them."""
        found = self.players[side].get(f"{field}.json").json()
        return [each for each in found if side in (each.get("side"), each.get("known_to"))]

    def add_row(self, player, field, **parts):
        return player.do("rows/", field=field, **{f"part-{name}": value for name, value in parts.items()})

    def change_row(self, player, field, row, **parts):
        return player.do("rows/", change=json.dumps({field: {"change": {row: parts}}}))

    def add_mission(self, side, player):
        parts = {"caliber": self.rng.choice(("81", "105", "122")), "kind": self.rng.choice(("battery", "bombardment"))}
        if self.rng.random() < 0.5:
            hexes = [self.plant_hex(side, PLOTTED) for _ in range(2)]
            plot = {"plot": ", ".join(hexes), "plot_turn": self.rng.choice("123")}
            parts |= {"plotted": "yes", "known_to": side, "name": self.plant(side), "kind": "battery", **plot}
        if sets := self.rows_of(side, "sets"):
            parts["set"] = self.rng.choice(sets)["id"]
        return self.add_row(player, "missions", **parts)

    def add_set(self, side, player):
        return self.add_row(player, "sets", device=self.rng.choice(("radio", "phone")), hex=self.rng.choice(HEXES))

    def call_mission(self, side, player):
        own = self.rows_of(side, "missions")
        if not own:
            return None
        mission, targets = self.rng.choice(own), self.some(other(side), 3, sees=side)
        aim = {} if mission["plotted"] else {"aim": self.rng.choice(HEXES)}
        more = {"targets": targets} if targets and self.rng.random() < 0.5 else {}
        return player.roll("contact", mission=mission["id"], **aim, **more, **self.dice("contact"))

    def call_off(self, side, player):
        own = [each for each in self.rows_of(side, "missions") if each["plotted"]]
        if not own:
            return None
        dice = {**self.dice("call-off"), "second_die": self.rng.randint(1, 10)}
        return player.roll("call-off", mission=self.rng.choice(own)["id"], **dice)

    def set_row(self, side, player):
        field = self.rng.choice(("missions", "missions", "aircraft", "ground", "sets"))
        rows = self.rows_of(side, field) if field != "ground" else player.get("ground.json").json()
        if not rows:
            return None
        row = self.rng.choice(rows)
        place, turn = self.rng.choice(HEXES), self.rng.randint(0, 3)
        parts = {
            "missions": {"marker": self.rng.choice(("cff", "ffe")), "hex": place, "placed": turn},
            "aircraft": {"here": self.rng.choice((True, False)), "since": turn, "planes": 2},
            "ground": {"fire": self.rng.choice((True, False)), "smoke": turn},
            "sets": {"used": turn, "hex": place},
        }[field]
        if row.get("plotted"):
            parts = {"plot_turn": turn}
        return self.change_row(player, field, row["id"], **parts)

    def strike_row(self, side, player):
        field = self.rng.choice(("missions", "ground"))
        rows = self.rows_of(side, field)
        return (
            player.do("rows/", change=json.dumps({field: {"strike": [self.rng.choice(rows)["id"]]}})) if rows else None
        )

    def fly(self, side, player):
        flights = self.rows_of(side, "aircraft")
        if not flights:
            return self.add_row(player, "aircraft", aircraft=PLANES[side], planes=str(self.rng.randint(1, 3)))
        flight = self.rng.choice(flights)
        about, targets = {"flight": flight["id"]}, self.some(other(side), 2, sees=side)
        if not flight["here"]:
            return player.roll("air-arrival", **about, **self.dice("air-arrival"))
        if self.rng.random() < 0.3:
            dice = {**self.dice("anti-aircraft"), "check_die": self.rng.randint(1, 10)}
            return self.players[other(side)].roll("anti-aircraft", **about, weapon="firepower", ff=12, range=3, **dice)
        if self.rng.random() < 0.3:
            return player.roll("air-arrival", **about, **self.dice("air-arrival"))
        dice = {**self.dice("air-attack"), "direction_die": self.rng.randint(1, 10)}
        more = {"targets": targets} if targets else {}
        weapon = self.rng.choice(("he", "mg", "both"))
        return player.roll("air-attack", **about, weapon=weapon, hex=self.rng.choice(HEXES), **more, **dice)

    def note_ground(self, side, player):
        more = {"part-rubble": "yes"}
        if self.rng.random() < 0.5:
            more = {"part-mines": "2", "part-known_to": side, "part-note": self.plant(side)}
        return player.do("rows/", field="ground", **{"part-hex": self.rng.choice(HEXES), **more})

    def tell_value(self, side, player):
        value = self.rng.choice(("german:grenadier_squad:fire@3", "russian:rifle_squad:tq", "russian:maxim_m1910:ccv"))
        return player.do("counters/value/", field=f"value:{value}", number=self.rng.randint(1, 9))

    def roll_free(self, side, player):
        ids = self.some(side, 1)
        if ids and self.rng.random() < 0.5:
            return player.roll("action-check", targets=ids, shows="on", **self.dice("action-check"))
        return player.roll("free-roll", label="Initiative", **self.dice("free-roll"))

    def choose_option(self, side, player):
        return player.do("option/", option="apply", choice=self.rng.choice(("at_once", "ask")))

    def settle(self, side, player):
        waiting = [each for each in self.match.state.proposed if each.known_to in ("", side)]
        if not waiting:
            return None
        key = self.rng.choice([each.key for each in waiting] + ["all"])
        return player.do("proposed/", **{self.rng.choice(("apply", "apply", "apply", "leave")): key})

    def take_back(self, side, player):
        return player.do("take-back/")

    def answer(self, side, player):
        if not self.match.proposal:
            return None
        return player.do("answer/", agrees=self.rng.choice(("yes", "yes", "no")))

    def set_of_enemy(self, side, player):
        ids = self.some(other(side), 2, sees=side)
        return player.do("counters/", id=ids, becomes=self.rng.choice(("pinned", "eliminated"))) if ids else None

    def put_right(self, side, player):
        gone = [each["id"] for each in known(player, side) if each["fate"]]
        return player.do("counters/", id=self.rng.choice(gone), fate="in_play", state="") if gone else None

    def add(self, side, player):
        hidden = {"hidden": "on"} if self.rng.random() < 0.5 else {}
        return player.do("counters/add/", side=side, counter="nco", count=1, **hidden)


def known(player, side=""):
    """The counters that a browser knows of, as counters.json tells them."""
    return [each for each in json.loads(player.get("counters.json").content) if side in ("", each["side"])]


def covered_by(line):
    """The hexes on which the shells of a roll fall: one of them may be plotted for another mission, too."""
    return line.result.details.get("hexes", ()) if line.helper == "firepower" else ()


def is_shown(line):
    """Whether a line says that a counter has come into sight."""
    fields = line.inputs.get("counters", {}).values() if line.kind == "counter" else ()
    return any(each.get("hidden") == [True, False] for each in fields)
