"""A player of both sides at one table who does anything that the rules and the pages let a player do, by seed.

Each kind of act is a method that opens the page, fills in the form that stands there and presses a button, with a
script or without; it returns what was answered, or None where there is nothing to do it with. What is posted without a
form has none on the page of the match, or is tried as a program does.
"""

import json
import random
import re
from functools import partial

from tests.filling import NotOffered, Reader
from tests.firefight import players
from tests.reading import read_if_changed

SIDES = ("german", "russian")
LIST = {
    "german": "4 Grenadier squads, 2 Panzergrenadier squads, NCO, Officer, 2 Heavy MG 34, Pz IV F1, 2 SdKfz 251/1 C",
    "russian": "4 Rifle squads, 2 Militia squads, Commissar, NCO, Maxim M1910, DShK 38, T-70, 45 mm PTP 42",
}
HEXES = ("K7", "K8", "L7", "L8", "M6")
LEVELS = (*HEXES, "K7/1", "L7/roof")
# Where nobody goes who is in sight, and where nothing else falls than what is plotted there.
UNSEEN = [f"{column}{row}" for column in "TUVWX" for row in range(12, 30)]
PLOTTED = [f"{column}{row}" for column in "CJQ" for row in range(40, 100, 5)]
HUNDRED = ("fire", "close-combat", "contact", "accuracy", "air-attack", "call-off", "anti-aircraft")
SIDES_OF_DIE = dict.fromkeys(HUNDRED, 100)
AA = re.compile("mg_34|dshk|grenadier_squad")
SILENT = {"close_combat", "disrupted", "wia"}  # who may not fire, and tries
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
        "steal_away": 1,
        "note_unseen": 0.5,
        "come_into_sight": 1,
        "come_under_fire": 3,
        "go_inside": 2,
        "hurt": 1.5,
        "befall_due": 3,
        "undo": 2,
        "correct": 2,
        "drop": 0.5,
        "advance": 3,
        "set_phase": 1.5,
        "seal_note": 0.7,
        "reveal": 0.3,
        "add_mission": 1.5,
        "add_set": 0.3,
        "call_mission": 5,
        "call_off": 0.7,
        "set_row": 2.5,
        "strike_row": 0.3,
        "fly": 5,
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
        # Asked for many times between two acts.
        self._counters = {side: read_if_changed(partial(known, self.players[side])) for side in SIDES}
        self.log = read_if_changed(lambda: self.players["german"].log)
        for side in SIDES:
            for _ in range(self.rng.randint(0, 2)):
                self.add_mission(side, self.players[side])
            self.add_row(self.players[side], "aircraft", aircraft=PLANES[side], planes="2")

    def _sit_down(self):
        german, links = players.begin("german")
        table = {"german": german, "russian": players.sit(links["russian"], german.match_id)}
        for side, listed in LIST.items():
            assert table[side].do("counters/add/", side=side, list=listed).status_code == 302
            places = {}
            for each in known(table[side], side):
                places.setdefault(self.rng.choice(HEXES[:3] if side == "german" else HEXES[2:]), []).append(each["id"])
            for place, ids in places.items():
                assert table[side].do("counters/", id=ids, place=place).status_code == 302
        assert table["german"].do("record/", field="phase", value="fire_and_movement").status_code == 302
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

    def set_place(self, player, ids, place):
        """Set counters to a place by hand."""
        return self.by_hand(player, ids, "Move there", place=place)

    def by_hand(self, player, ids, button, **fields):
        """Fill in what the sheet of some counters asks, and press a button; None where it does not offer that."""
        reader = self.select(player, ids)
        reader.press("By hand", within="#selection")
        for number in range(len(reader.find(".by-hand form"))):
            form = reader.form(".by-hand form", number=number)
            try:
                return form.fill(fields).press(button).response
            except NotOffered:
                continue
        return None

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

    def known(self, side, sees=None):
        """The counters of a side, as somebody knows them."""
        return [each for each in self._counters[sees or side]() if each["side"] == side]

    def some(self, side, most=3, sees=None, **fits):
        """Some counters of a side that are in play and at one place, as somebody knows them."""
        found = [each for each in self.known(side, sees) if not each["fate"]]
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
        log = self.log()
        told = [line.sentence + json.dumps(line.inputs) for line in log if is_shown(line)]
        told += [hex_ for line in log for hex_ in covered_by(line)]
        state = self.match.state
        told += self.in_sight()
        told += [json.dumps(row) for row in state.record["missions"].values() if not row.get("known_to")]
        told += [line.secret for line in log if line.revealed_by]
        words = set(WORD.findall(" ".join(told)))
        notes = {plain.get("note") for plain in state.counters.values()}
        self.planted = {side: self.planted[side] - (words - notes) for side in SIDES}

    def in_sight(self):
        """What is stored of the counters that nobody hides."""
        return [json.dumps(plain) for plain in self.match.state.counters.values() if not plain.get("hidden")]

    # At the page

    def sit(self, player, at=""):
        """Somebody in front of the match's page, or of another one of it."""
        script = self.rng.random() < 0.6
        return Reader(player.client, script).open(f"/match/{player.match_id}/{at}")

    def select(self, player, ids):
        """A page on which these counters are selected, as far as they stand there."""
        reader = self.sit(player)
        if ids:
            reader.form("#table").fill(chosen=list(ids))
        return reader

    def open_roll(self, player, slug, ids):
        """The form of a roll, asked for by counters and bar."""
        reader = self.select(player, ids)
        (button,) = reader.find(f"#rolls [data-roll={slug}]")
        reader.press_node(button)
        return reader

    def press_any(self, player, selector, at=""):
        """Press one of some buttons; None where there is none."""
        reader = self.sit(player, at)
        found = [node for node in reader.find(selector) if "disabled" not in node.attributes]
        return reader.press_node(self.rng.choice(found)).response if found else None

    def finish(self, reader, shows=True):
        """Fill in what a form asks, and roll, here or at the table; returns the last answer."""
        for _ in range(3):
            if not reader.has("form#desk-form"):
                return reader.response
            form = reader.form("#desk-form")
            names, act = form.names(), form.value("act")
            if "shows" in names and shows:
                form.fill(shows=True)
            if "range" in names and not form.value("range"):
                form.fill(range=self.rng.randint(1, 4))
            for name in ("aim", "hex"):
                if name in names and not form.value(name):
                    form.fill({name: self.rng.choice(form.choices(name) or HEXES)})
            buttons = form.buttons()
            offers = [each for each in buttons if each[0] == "offer"]
            if offers and self.rng.random() < 0.7:
                form.press("=".join(self.rng.choice(offers)))
            elif ("dice", "app") in buttons and self.rng.random() < 0.4:
                form.press("dice=app")
            else:
                self.type_dice(form)
                form.press()
            is_anew = "Look again" in reader.words("#desk .trouble")
            if not reader.has("form#desk-form") or (reader.form("#desk-form").value("act") != act and not is_anew):
                break
        return reader.response

    def type_dice(self, form):
        """Type what lies on the table into every box: often what hurts, low on a d100 and high on a d10."""
        faces, is_bombs = {}, "/roll/air-attack/" in form.reader.address  # which shall scatter, too
        for box in form.controls():
            if "die" in (box.attributes.get("class") or "").split():
                name, sides = box.attributes["name"], int(box.attributes["data-sides"])
                low, high = (1, 6) if name == "direction_die" else (1, sides)
                if is_bombs and sides == 100 and self.rng.random() < 0.5:
                    low = 71
                elif self.rng.random() < 0.4 and name != "direction_die":
                    low, high = (1, 30) if sides == 100 else (sides // 2 + 2, sides)
                faces[name] = self.rng.randint(min(low, high), high)
        form.fill(faces)

    # Acts

    def fire(self, side, player):
        firers, targets = self.some(side), self.some(other(side), sees=side)
        barred = [each["id"] for each in self.known(side) if SILENT & {*each["state"]} and not each["fate"]]
        if barred and self.rng.random() < 0.4:
            firers = [self.rng.choice(barred)]
        if not (firers and targets):
            return None
        return self.finish(self.open_roll(player, "fire", [*firers, *targets]), shows=self.rng.random() < 0.5)

    def close_combat(self, side, player):
        attack, defense = self.some(side, 2), self.some(other(side), 2, sees=side)
        if not (attack and defense):
            return None
        reader = self.open_roll(player, "close-combat", [*attack, *defense])
        if reader.has("form#desk-form"):
            reader.form("#desk-form").fill(better_odds=self.rng.choice(("yes", "no")))
        return self.finish(reader)

    def resolve(self, side, player):
        """What is due: the card or the form on the desk, or one of the list."""
        reader = self.sit(player)
        links = reader.find("#due a[href*='step=']")
        if links and self.rng.random() < 0.5:
            reader.press_node(self.rng.choice(links))
        elif not reader.has("form#desk-form"):
            return None
        return self.finish(reader)

    def declare(self, side, player):
        """Close Combat is declared, as the app proposes or at random; or the other side is to declare first."""
        reader = self.sit(player)
        links = reader.find("#due a[href*='/melee/']")
        if not links:
            ids, enemies = self.some(side), self.some(other(side), sees=side)
            places = {each["id"]: each["place"] for each in self.known(other(side), side)}
            return self.set_place(player, ids, places[enemies[0]]) if ids and enemies else None
        reader.press_node(self.rng.choice(links))
        if not reader.has("form#desk-form"):
            return reader.response
        form = reader.form("#desk-form")
        does = [value for name, value in form.buttons() if name == "does" and value != "look"]
        if self.rng.random() < 0.5:
            names = [name for name in form.names() if form.choices(name)]
            for name in self.rng.sample(names, min(2, len(names))):
                form.fill({name: self.rng.choice(form.choices(name))})
        return form.press(f"does={self.rng.choice(does)}").response if does else None

    def move(self, side, player):
        ids = self.some(side, hidden=False)
        place = self.rng.choice((*LEVELS, "", "B20"))
        return self.set_place(player, ids, place) if ids else None

    def ride(self, side, player):
        ids, mates = self.some(side, 1), self.some(side, 1)
        return self.by_hand(player, ids, "Set the company", beside=self.rng.choice([*mates, ""])) if ids else None

    def note(self, side, player):
        ids = self.some(side, 2)
        return self.by_hand(player, ids, "Set the note", note=self.plant(side)) if ids else None

    def set_by_hand(self, side, player):
        ids = self.some(side, 2)
        words = ("pinned", "disrupted", "wia", "casualty", "eliminated", "suppressed", "enfiladed", "m_killed", "left")
        if ids and self.rng.random() < 0.3:
            return self.by_hand(player, ids, "Set the state", state=self.rng.choice(("pinned", "wia")))
        return self.by_hand(player, ids, f"becomes={self.rng.choice(words)}") if ids else None

    def rally(self, side, player):
        ids = self.some(side)
        return self.by_hand(player, ids, "becomes=good_order") if ids else None

    def hide(self, side, player):
        """Hidden where they stand, as often as not in the middle of all; nobody knows where they go from there."""
        ids = self.some(side, 2, hidden=False)
        return self.by_hand(player, ids, "becomes=hidden") if ids else None

    def steal_away(self, side, player):
        ids = self.some(side, 2, hidden=True)
        return self.set_place(player, ids, self.plant_hex(side)) if ids else None

    def note_unseen(self, side, player):
        ids = self.some(side, 2, hidden=True)
        return self.by_hand(player, ids, "Set the note", note=self.plant(side)) if ids else None

    def come_into_sight(self, side, player):
        hidden = self.some(side, 1, hidden=True)
        if hidden and self.rng.random() < 0.5:
            return self.set_place(player, hidden, self.rng.choice(HEXES))
        return self.by_hand(player, hidden, "becomes=shown") if hidden else None

    def come_under_fire(self, side, player):
        """Somebody goes where a marker acts, or to another level there; where none does, one is laid by hand."""
        acting = [row["hex"] for row in player.get("missions.json").json() if row["marker"] and row["hex"]]
        ids = self.some(side)
        if acting and ids:
            return self.set_place(player, ids, self.rng.choice(acting) + self.rng.choice(("", "/1")))
        row = next((each for each in self.rows_of(side, "missions") if not each["known_to"]), None)
        if row is None:
            return None
        part, value = ("hex", self.rng.choice(HEXES)) if row["marker"] else ("marker", "ffe")
        at = f"missions/{row['id']}"
        return self.set_record(player, f"rows/{at}/", f"missions.{row['id']}.{part}", value=value)

    def go_inside(self, side, player):
        """Who may fire at aircraft goes up into a building, out of which nobody may (17.6.7)."""
        able = [each for each in self.known(side) if AA.search(each["counter"]) and not each["fate"]]
        able = [each for each in able if not (each["hidden"] or each["level"])]
        return self.set_place(player, [self.rng.choice(able)["id"]], self.rng.choice(HEXES) + "/1") if able else None

    def hurt(self, side, player):
        """Half-squads and wounded leaders, Pinned Down or worse: whom the rarer lines of the text are about."""
        ids = self.some(side, 1)
        return (
            self.by_hand(player, ids, f"becomes={self.rng.choice(('casualty', 'disrupted', 'wia'))}") if ids else None
        )

    def befall_due(self, side, player):
        """Something befalls a counter of which a roll is due."""
        due = {each for step in self.match.state.queue for each in re.findall(rf"{side}-\d+", json.dumps(step.inputs))}
        ids = [each["id"] for each in self.known(side) if not each["fate"] and each["id"] in due]
        word = self.rng.choice(("pinned", "disrupted", "eliminated", "eliminated"))
        return self.by_hand(player, [self.rng.choice(ids)], f"becomes={word}") if ids else None

    def undo(self, side, player):
        return self.press_any(player, "button[form=undo-change]")

    def correct(self, side, player):
        rolls = [
            each for each in self.log()[-30:] if each.kind == "roll" and each.side == side and each.voided_by is None
        ]
        rolls = [each for each in rolls if [die.source for die in each.rolls] == ["table"]]
        if not rolls:
            return None
        entry = self.rng.choice(rolls)
        if player.get(f"roll/{entry.helper}/", corrects=entry.number).status_code != 200:
            return None
        reader = self.sit(player, f"roll/{entry.helper}/?corrects={entry.number}")
        form = reader.form("#desk-form")
        if "shows" in form.names():
            form.fill(shows=True)
        self.type_dice(form)
        return form.press().response

    def drop(self, side, player):
        return self.press_any(player, "button[formaction$='/drop/']")

    def advance(self, side, player):
        reader = self.sit(player)
        found = reader.find("#status button[formaction$='/advance/']")
        if not found:
            return None
        reader.press_node(self.rng.choice(found))
        if reader.has("#going-on") and self.rng.random() < 0.5:
            reader.form("#going-on").press()
        return reader.response

    def set_phase(self, side, player):
        phases = ("fire_and_movement", "fire_and_movement", "melee")
        return self.set_record(player, "record/", "phase", value=self.rng.choice(phases))

    def set_record(self, player, at, path, **fields):
        """Set one value on a page of the record; None where it cannot be set there."""
        reader = self.sit(player, at)
        for number in range(len(reader.find("dl.record form.inline"))):
            form = reader.form("dl.record form.inline", number=number)
            if form.value("field") == path:
                return form.fill(fields).press("Set").response
        return None

    def seal_note(self, side, player):
        return player.note(self.plant(side), sealed="on")

    def reveal(self, side, player):
        sealed = [line for line in self.log() if line.kind == "sealed" and line.side == side and not line.revealed_by]
        return player.do("reveal/", number=self.rng.choice(sealed).number) if sealed else None

    # What the record keeps

    def rows_of(self, side, field):
        """A side's own rows of a field, as it knows them."""
        found = self.players[side].get(f"{field}.json").json()
        return [each for each in found if side in (each.get("side"), each.get("known_to"))]

    def add_row(self, player, field, **parts):
        """Add a row by the form of its page."""
        reader = self.sit(player, f"rows/{field}/")
        form = reader.form("form", number=len(reader.find("form")) - 1)
        return form.fill({f"part-{name}": value for name, value in parts.items()}).press("Add").response

    def find_row(self, side, field):
        """One of the rows that a side may set; None where there is none."""
        rows = self.players[side].get("ground.json").json() if field == "ground" else self.rows_of(side, field)
        return self.rng.choice(rows) if rows else None

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
        """Press a roll of one of the cards, with some of the other side selected or not."""
        targets = self.some(other(side), 3, sees=side)
        reader = self.select(player, targets if targets and self.rng.random() < 0.5 else ())
        found = [node for node in reader.find("#kept-cards form[method=get]") if node.css("input[name=mission]")]
        return self.press_card(reader, self.rng.choice(found)) if found else None

    def press_card(self, reader, node):
        """Open a roll from a card, and make it."""
        form = reader.form(
            "#kept-cards form", number=[each.mem_id for each in reader.find("#kept-cards form")].index(node.mem_id)
        )
        if "aim" in form.names() and not form.value("aim"):
            form.fill(aim=self.rng.choice(form.choices("aim") or HEXES))
        form.press()
        return self.finish(reader)

    def call_off(self, side, player):
        """Set a row as a button of its card does."""
        return self.press_any(player, "#kept-cards form[method=post] button")

    def set_row(self, side, player):
        """One part of a row, on the row's own page."""
        field = self.rng.choice(("missions", "missions", "missions", "aircraft", "ground", "sets"))
        row = self.find_row(side, field)
        if row is None:
            return None
        turn, yes_or_no = str(self.rng.randint(0, 3)), self.rng.choice(("yes", "no"))
        part, value = self.rng.choice(
            {
                "missions": [
                    *(("marker", "ffe"), ("hex", self.rng.choice(HEXES)), ("called", "1"), ("placed", "1")),
                    *(("plot_turn", turn), ("known_to", "")),
                ],
                "aircraft": [("here", yes_or_no), ("since", turn)],
                "ground": [("fire", yes_or_no), ("smoke", turn), ("building", yes_or_no)],
                "sets": [("used", turn), ("hex", self.rng.choice(HEXES))],
            }[field]
        )
        at = f"{field}/{row['id']}"
        return self.set_record(player, f"rows/{at}/", f"{field}.{row['id']}.{part}", value=value)

    def strike_row(self, side, player):
        field = self.rng.choice(("missions", "ground"))
        row = self.find_row(side, field)
        at = f"rows/{field}/{row['id']}/" if row else ""
        return self.sit(player, at).press("Strike it off the record").response if row else None

    def fly(self, side, player):
        if not self.rows_of(side, "aircraft"):
            return self.add_row(player, "aircraft", aircraft=PLANES[side], planes=str(self.rng.randint(1, 3)))
        away = [row for row in self.rows_of(side, "aircraft") if not (row["here"] or row["left"])]
        if away and self.rng.random() < 0.5:  # they came to the map at the table
            at = f"aircraft/{away[0]['id']}"
            return self.set_record(player, f"rows/{at}/", f"aircraft.{away[0]['id']}.here", value="yes")
        who = player if self.rng.random() < 0.8 else self.players[other(side)]
        ids = self.some(other(side), 2, sees=side) if who is player else self.some(other(side), 1)
        reader = self.select(who, ids if self.rng.random() < 0.7 else ())
        found = [node for node in reader.find("#kept-cards form[method=get]") if node.css("input[name=flight]")]
        return self.press_card(reader, self.rng.choice(found)) if found else None

    def note_ground(self, side, player):
        more = {self.rng.choice(("rubble", "building")): "yes"}
        if self.rng.random() < 0.5:
            more = {"mines": "2", "known_to": side, "note": self.plant(side)}
        return self.add_row(player, "ground", hex=self.rng.choice(HEXES), **more)

    def tell_value(self, side, player):
        value = self.rng.choice(("german:grenadier_squad:fire@3", "russian:rifle_squad:tq", "russian:maxim_m1910:ccv"))
        return player.do("counters/value/", field=f"value:{value}", number=self.rng.randint(1, 9))

    def roll_free(self, side, player):
        ids = self.some(side, 1)
        if ids and self.rng.random() < 0.5:
            return self.finish(self.open_roll(player, "action-check", ids))
        return self.finish(self.open_roll(player, "free-roll", ()))

    def choose_option(self, side, player):
        return self.press_any(player, "form.choice button")

    def settle(self, side, player):
        return self.press_any(player, "form.proposed button")

    def take_back(self, side, player):
        return self.press_any(player, "#do-take-back")

    def answer(self, side, player):
        return self.press_any(player, "#now form button[name=agrees]")

    def set_of_enemy(self, side, player):
        ids = self.some(other(side), 2, sees=side)
        return self.by_hand(player, ids, f"becomes={self.rng.choice(('pinned', 'eliminated'))}") if ids else None

    def put_right(self, side, player):
        gone = [each["id"] for each in self.known(side) if each["fate"]]
        return self.by_hand(player, [self.rng.choice(gone)], "Back into play") if gone else None

    def add(self, side, player):
        reader = self.sit(player, f"counters/?side={side}&q=NCO")
        form = reader.form("#gallery-add").fill(hidden=self.rng.random() < 0.5)
        return form.press("counter=nco").response


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
