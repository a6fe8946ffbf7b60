"""A player of both sides at one table who does anything that the rules and the pages let a player do, by seed.

Each kind of act is a method that does it over HTTP, as the forms of the page do, and returns what was answered, or
None where there is nothing to do it with.
"""

import json
import random

from tests import pages
from tests.firefight import players
from tests.firefight.players import text_of

SIDES = ("german", "russian")
LIST = {
    "german": "4 Grenadier squads, 2 Panzergrenadier squads, NCO, Officer, 2 Heavy MG 34, Pz IV F1, 2 SdKfz 251/1 C",
    "russian": "4 Rifle squads, 2 Militia squads, Commissar, NCO, 2 Maxim M1910, T-70, 45 mm PTP 42",
}
HEXES = ("K7", "K8", "L7", "L8", "M6")
SIDES_OF_DIE = {"fire": 100, "close-combat": 100, "contact": 100, "accuracy": 100, "air-attack": 100, "call-off": 100}
CALLED = {"german": "German", "russian": "Russian"}


def other(side):
    """The enemy."""
    return SIDES[side == SIDES[0]]


class RandomTable:
    """A match with a browser for each side, and somebody who plays both. ``rng`` decides everything."""

    WEIGHTS = {
        "fire": 8,
        "resolve": 16,
        "close_combat": 3,
        "move": 5,
        "set_by_hand": 4,
        "rally": 2,
        "hide": 2,
        "come_into_sight": 1,
        "undo": 2,
        "correct": 2,
        "drop": 0.5,
        "advance": 2,
        "seal_note": 0.7,
        "add_mission": 1,
        "call_mission": 2,
        "note_ground": 1,
        "choose_option": 0.3,
        "settle": 2,
        "take_back": 2,
        "answer": 6,
        "set_of_enemy": 0.7,
        "put_right": 0.7,
        "add": 0.5,
    }

    def __init__(self, seed, table=None):
        self.rng, self.planted = random.Random(seed), {side: [] for side in SIDES}
        self.players = table or self._sit_down()
        self.last = ""

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

    def act(self):
        """Do one thing; returns the side that did it and the answer, None where there was nothing to do."""
        weights = dict(self.WEIGHTS)
        if self.match.state.queue:
            weights["resolve"] *= 3
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
        self.planted[side].append(word)
        return word

    def forget_shown(self):
        """The note of a counter that has come into sight is everybody's."""
        shown = {each.get("note") for each in self.match.state.counters.values() if not each.get("hidden")}
        self.planted = {side: [word for word in words if word not in shown] for side, words in self.planted.items()}

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

    def move(self, side, player):
        ids = self.some(side)
        place = self.rng.choice((*HEXES, "K7/1", "", "B20"))
        return player.do("counters/", id=ids, place=place) if ids else None

    def set_by_hand(self, side, player):
        ids = self.some(side, 2)
        words = ("pinned", "disrupted", "wia", "casualty", "eliminated", "suppressed", "enfiladed", "m_killed", "left")
        return player.do("counters/", id=ids, becomes=self.rng.choice(words)) if ids else None

    def rally(self, side, player):
        ids = self.some(side)
        return player.do("counters/", id=ids, becomes="good_order") if ids else None

    def hide(self, side, player):
        ids = self.some(side, 2, hidden=False)
        return player.do("counters/", id=ids, hidden="on", note=self.plant(side), place="G30") if ids else None

    def come_into_sight(self, side, player):
        hidden = [each for each in known(player, side) if each["hidden"]]
        if not hidden:
            return None
        chosen = self.rng.choice(hidden)["id"]
        return player.do("counters/", id=chosen, hidden="off", note="")

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
        return player.do("drop/", step=queue[0].id) if queue else None

    def advance(self, side, player):
        return player.do("advance/")

    def seal_note(self, side, player):
        return player.note(self.plant(side), sealed="on")

    def add_mission(self, side, player):
        plot = {}
        if self.rng.random() < 0.5:
            plot = {"plotted": "yes", "known_to": side, "plot": "R30, S41", "plot_turn": "2", "name": self.plant(side)}
        parts = {"caliber": self.rng.choice(("81", "105", "122")), **plot}
        return player.do("rows/", field="missions", **{f"part-{name}": value for name, value in parts.items()})

    def call_mission(self, side, player):
        own = [each for each in player.get("missions.json").json() if each["side"] == side and not each["plotted"]]
        if not own:
            return None
        targets = self.some(other(side), 3, sees=side)
        aim = self.rng.choice(HEXES)
        more = {"targets": targets} if targets and self.rng.random() < 0.5 else {}
        return player.roll("contact", mission=self.rng.choice(own)["id"], aim=aim, **more, **self.dice("contact"))

    def note_ground(self, side, player):
        place = self.rng.choice(HEXES)
        more = {"part-rubble": "yes"}
        if self.rng.random() < 0.5:
            more = {"part-mines": "2", "part-known_to": side, "part-note": self.plant(side)}
        return player.do("rows/", field="ground", **{"part-hex": place, **more})

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
