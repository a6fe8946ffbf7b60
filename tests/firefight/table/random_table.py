"""A player of both sides at a table of Combat! Stalingrad who does anything that the rules let a player do, by seed."""

import json
import re

from tests.firefight import players

from .random_hands import RandomHands, known

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
AA = re.compile("mg_34|dshk|grenadier_squad")
SILENT = {"close_combat", "disrupted", "wia"}  # who may not fire, and tries
PLANES = {"german": "ju87", "russian": "po2"}


class RandomTable(RandomHands):
    """Both sides of a match of Combat! Stalingrad."""

    SIDES = SIDES
    READ = (
        *RandomHands.READ,
        *("roll/contact/", "missions.json", "ground.json", "sets.json", "aircraft.json"),
    )
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
        super().__init__(seed, table)
        self.taken = set()
        for side in SIDES:
            for _ in range(self.rng.randint(0, 2)):
                self.add_mission(side, self.players[side])
            self.add_row(self.players[side], "aircraft", aircraft=PLANES[side], planes="2")

    def sit_down(self):
        german, links = players.begin("german")
        table = {"german": german, "russian": players.sit(links["russian"], german.match_id)}
        for side, listed in LIST.items():
            assert table[side].do("counters/add/", side=side, list=listed).status_code == 302
            places = {}
            for counter in known(table[side], side):
                places.setdefault(self.rng.choice(HEXES[:3] if side == "german" else HEXES[2:]), []).append(
                    counter["id"]
                )
            for place, ids in places.items():
                assert table[side].do("counters/", id=ids, place=place).status_code == 302
        assert table["german"].do("record/", field="phase", value="fire_and_movement").status_code == 302
        return table

    def plant_hex(self, side, among=UNSEEN):
        """A hex that nobody but this side may be told of."""
        hex_name = self.rng.choice([place for place in among if place not in self.taken] or among)
        if hex_name not in self.taken:
            self.planted[side].add(hex_name)
            self.taken.add(hex_name)
        return hex_name

    def list_shown(self):
        """Also where shells have fallen, and missions that everybody knows."""
        yield from super().list_shown()
        yield from (hex_ for line in self.log() for hex_ in covered_by(line))
        missions = self.match.state.record["missions"].values()
        yield from (json.dumps(row) for row in missions if not row.get("known_to"))

    # At the page

    def complete(self, form, shows=True):
        """Show whom it takes, a range, where to aim."""
        names = form.names()
        if "shows" in names and shows:
            form.fill(shows=True)
        if "range" in names and not form.value("range"):
            form.fill(range=self.rng.randint(1, 4))
        for name in ("aim", "hex"):
            if name in names and not form.value(name):
                form.fill({name: self.rng.choice(form.choices(name) or HEXES)})

    def throw(self, form, box):
        """Often what hurts, low on a d100 and high on a d10; bombs shall scatter, too."""
        name, sides = box.attributes["name"], int(box.attributes["data-sides"])
        low, high = (1, 6) if name == "direction_die" else (1, sides)
        if sides == 100 and "/roll/air-attack/" in form.reader.address and self.rng.random() < 0.5:
            low = 71
        elif self.rng.random() < 0.4 and name != "direction_die":
            low, high = (1, 30) if sides == 100 else (sides // 2 + 2, sides)
        return self.rng.randint(min(low, high), high)

    # Acts

    def fire(self, side, player):
        firers, targets = self.some(side), self.some(self.other(side), sees=side)
        barred = [counter["id"] for counter in self.known(side) if SILENT & {*counter["state"]} and not counter["fate"]]
        if barred and self.rng.random() < 0.4:
            firers = [self.rng.choice(barred)]
        if not (firers and targets):
            return None
        return self.finish(self.open_roll(player, "fire", [*firers, *targets]), shows=self.rng.random() < 0.5)

    def close_combat(self, side, player):
        attack, defense = self.some(side, 2), self.some(self.other(side), 2, sees=side)
        if not (attack and defense):
            return None
        reader = self.open_roll(player, "close-combat", [*attack, *defense])
        if reader.has("form#desk-form"):
            reader.form("#desk-form").fill(better_odds=self.rng.choice(("yes", "no")))
        return self.finish(reader)

    def declare(self, side, player):
        """Close Combat is declared, as the app proposes or at random; or the other side is to declare first."""
        reader = self.sit(player)
        links = reader.find("#due a[href*='/melee/']")
        if not links:
            ids, enemies = self.some(side), self.some(self.other(side), sees=side)
            places = {counter["id"]: counter["place"] for counter in self.known(self.other(side), side)}
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

    def set_by_hand(self, side, player):
        ids = self.some(side, 2)
        words = ("pinned", "disrupted", "wia", "casualty", "eliminated", "suppressed", "enfiladed", "m_killed", "left")
        if ids and self.rng.random() < 0.3:
            return self.by_hand(player, ids, "Set the state", state=self.rng.choice(("pinned", "wia")))
        return self.by_hand(player, ids, f"becomes={self.rng.choice(words)}") if ids else None

    def rally(self, side, player):
        ids = self.some(side)
        return self.by_hand(player, ids, "becomes=good_order") if ids else None

    def steal_away(self, side, player):
        ids = self.some(side, 2, hidden=True)
        return self.set_place(player, ids, self.plant_hex(side)) if ids else None

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
        row = next((row for row in self.rows_of(side, "missions") if not row["known_to"]), None)
        if row is None:
            return None
        part, value = ("hex", self.rng.choice(HEXES)) if row["marker"] else ("marker", "ffe")
        at = f"missions/{row['id']}"
        return self.set_record(player, f"rows/{at}/", f"missions.{row['id']}.{part}", value=value)

    def go_inside(self, side, player):
        """Who may fire at aircraft goes up into a building, out of which nobody may (17.6.7)."""
        able = [counter for counter in self.known(side) if AA.search(counter["counter"]) and not counter["fate"]]
        able = [counter for counter in able if not (counter["hidden"] or counter["level"])]
        return self.set_place(player, [self.rng.choice(able)["id"]], self.rng.choice(HEXES) + "/1") if able else None

    def hurt(self, side, player):
        """Half-squads and wounded leaders, Pinned Down or worse: whom the rarer lines of the text are about."""
        ids = self.some(side, 1)
        return (
            self.by_hand(player, ids, f"becomes={self.rng.choice(('casualty', 'disrupted', 'wia'))}") if ids else None
        )

    def befall_due(self, side, player):
        """Something befalls a counter of which a roll is due."""
        due = {id for step in self.match.state.queue for id in re.findall(rf"{side}-\d+", json.dumps(step.inputs))}
        ids = [counter["id"] for counter in self.known(side) if not counter["fate"] and counter["id"] in due]
        word = self.rng.choice(("pinned", "disrupted", "eliminated", "eliminated"))
        return self.by_hand(player, [self.rng.choice(ids)], f"becomes={word}") if ids else None

    def set_phase(self, side, player):
        phases = ("fire_and_movement", "fire_and_movement", "melee")
        return self.set_record(player, "record/", "phase", value=self.rng.choice(phases))

    # What the record keeps

    def rows_of(self, side, field):
        """A side's own rows of a field, as it knows them."""
        rows = self.players[side].get(f"{field}.json").json()
        return [row for row in rows if side in (row.get("side"), row.get("known_to"))]

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
        targets = self.some(self.other(side), 3, sees=side)
        reader = self.select(player, targets if targets and self.rng.random() < 0.5 else ())
        forms = [node for node in reader.find("#kept-cards form[method=get]") if node.css("input[name=mission]")]
        return self.press_card(reader, self.rng.choice(forms)) if forms else None

    def press_card(self, reader, node):
        """Open a roll from a card, and make it."""
        form = reader.form(
            "#kept-cards form",
            number=[form_node.mem_id for form_node in reader.find("#kept-cards form")].index(node.mem_id),
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
        viewer = player if self.rng.random() < 0.8 else self.players[self.other(side)]
        ids = self.some(self.other(side), 2, sees=side) if viewer is player else self.some(self.other(side), 1)
        reader = self.select(viewer, ids if self.rng.random() < 0.7 else ())
        forms = [node for node in reader.find("#kept-cards form[method=get]") if node.css("input[name=flight]")]
        return self.press_card(reader, self.rng.choice(forms)) if forms else None

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

    def set_of_enemy(self, side, player):
        ids = self.some(self.other(side), 2, sees=side)
        return self.by_hand(player, ids, f"becomes={self.rng.choice(('pinned', 'eliminated'))}") if ids else None

    def add(self, side, player):
        reader = self.sit(player, f"counters/?side={side}&q=NCO")
        form = reader.form("#gallery-add").fill(hidden=self.rng.random() < 0.5)
        return form.press("counter=nco").response


def covered_by(line):
    """The hexes on which the shells of a roll fall: one of them may be plotted for another mission, too."""
    return line.result.details.get("hexes", ()) if line.helper == "firepower" else ()
