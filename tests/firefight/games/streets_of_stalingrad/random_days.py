"""Both sides of a match of Streets of Stalingrad, who do at random what the pages offer: see RandomHands.

A roll of any kind is opened by the bar, with counters tapped or without, and filled in as it is drawn.
"""

from tests.filling import Reader
from tests.firefight import players
from tests.firefight.table.random_hands import RandomHands, known

SLUG = "streets-of-stalingrad"
HEXES = ("0509", "0510", "0611", "1039", "1742", "1842")
UNSEEN = tuple(f"{column:02}{row:02}" for column in range(30, 39) for row in (3, 5, 7))
GUNS = ("94/I", "94/II", "1093", "1105")
SHEET = """name\tside\tback\tregiment\tbattalion\tarm\taf\tdf\trange\tmp\tunderlined\tred\tyellow\tcount
1/I/274\tGerman\t94\t274\tI\tInfantry\t4\t5\t1\t8
Pi 194\tGerman\t94\t\t194\tEngineer\t5\t4\t1\t8\t\tyes
A/129\tGerman\t\t\t129\tTank\t9\t7\t2\t21\tyes
1/39\tSoviet\t13 Gds\t39\t1\tGuards infantry\t3\t4\t1\t8\t\t\t\t3
2/39\tSoviet\t13 Gds\t39\t2\tGuards infantry\t2\t3\t1\t8"""
LIST = "German: 3 1/I/274, Pi 194, A/129\nSoviet: 3 1/39, 2/39, Commissar"
FIRES = ("battle", "battle", "attack", "attack", "bombardment", "defensive-fire")
# What is typed into the text fields of a form; {"": ...} into all others.
WORDS = {"hex": HEXES, "gun_names": GUNS, "units": GUNS, "regiment": ("271", "272"), "leader": ("chuikov", "paulus")}
WORDS |= {"hexes": HEXES, "more_hexes": ("9", "4,6"), "multiplier": ("10", "20", "30")}
LISTS = {  # rows that a hand adds to the record
    "markers": lambda rng: {"hex": rng.choice(HEXES), "marker": rng.choice(("pinned", "spent", "breakthru"))},
    "isolated": lambda rng: {"name": f"Unit {rng.randint(1, 9)}", "side": "soviet", "nkvd": rng.choice(("yes", "no"))},
    "due": lambda rng: {"what": "Zaitsev", "side": "soviet", "turn": rng.randint(1, 67), "phase": rng.randint(1, 15)},
    "fired": lambda rng: {"unit": rng.choice(GUNS), "phase": 2},
}
NUMBERS = {"tanks": 3, "snipers": 9, "stukas": 21, "saved.german": 40, "saved.soviet": 40, "replacements.german_af": 20}


class RandomDays(RandomHands):
    """Some days, from any phase of any of them."""

    SIDES = ("german", "soviet")
    READ = (*RandomHands.READ, "roll/battle/", "counters/sheets/", "calls/")
    WEIGHTS = {
        "fire": 8,
        "consult": 8,
        "resolve": 12,
        "advance": 6,
        "go_on_to": 1.5,
        "move": 3,
        "set_by_hand": 3,
        "note": 1,
        "hide": 1.5,
        "steal_away": 1,
        "note_unseen": 0.5,
        "come_into_sight": 1,
        "undo": 1.5,
        "correct": 4,
        "drop": 0.7,
        "seal_note": 0.7,
        "reveal": 0.3,
        "set_number": 1,
        "add_to_list": 2,
        "choose_option": 0.3,
        "settle": 2,
        "take_back": 3,
        "answer": 6,
        "put_right": 0.5,
        "lay_sheet": 0.3,
    }

    def sit_down(self):
        german, links = players.begin("german", game=SLUG)
        table = {"german": german, "soviet": players.sit(links["soviet"], german.match_id)}
        self.paste(german, SHEET)
        assert table["soviet"].do("answer/", agrees="yes").status_code == 302
        for side, player in table.items():
            listed = next(line for line in LIST.splitlines() if line.lower().startswith(side))
            assert player.do("counters/add/", list=listed).status_code == 302
            for row in known(player, side):
                place = self.rng.choice(HEXES[:3])
                assert player.do("counters/", id=row["id"], place=place).status_code == 302
        for field, high in (("turn", 67), ("phase", 15)):
            value = str(self.rng.randint(2, high))
            assert german.do("record/", field=field, value=value, house="on").status_code == 302
        return table

    def paste(self, player, text, title="94"):
        """Lay an owner's sheet."""
        reader = Reader(player.client).open(f"/match/{player.match_id}/counters/sheets/")
        return reader.form("#sheet").fill(title=title, text=text).press("Keep the sheet").response

    # Filling in

    def complete(self, form, **wishes):
        """Leave most as it is filled in, fill in blanks and the rest now and then, as somebody trying things out."""
        rng = self.rng
        for name in form.names():
            if not name.startswith(("by-", "at-")) and not self.is_die(form, name) and form.controls(name):
                is_blank = form.value(name) == ""
                if rng.random() < (0.8 if is_blank and self.is_asked(form, name) else 0.12):
                    form.fill({name: self.think_up(form, name)})
                    form = form.reader.form("#desk-form")  # the odds are new

    def is_die(self, form, name):
        return any("die" in (box.attributes.get("class") or "").split() for box in form.controls(name))

    def is_asked(self, form, name):
        """Whether a blank has to be filled: what has a choice or a bound, and is no tick."""
        return all(control.attributes.get("type") != "checkbox" for control in form.controls(name))

    def think_up(self, form, name):
        """Something that the drawn control takes."""
        control, rng = form.controls(name)[0], self.rng
        if choices := form.choices(name):
            return rng.choice([True, False]) if choices == ["on"] else rng.choice(choices)
        if control.attributes.get("type") == "number":
            low, high = (int(control.attributes.get(edge) or other) for edge, other in (("min", 0), ("max", 20)))
            return rng.choice((low, min(high, low + 9), rng.randint(low, high)))
        if name.startswith("cell:"):  # what a chart lacks: the label gives the bounds
            return rng.choice(("0", "1", "10"))
        if name in ("date", "final_date"):
            return f"1942-{rng.choice(('09-26', '10-11', '10-21', '11-18'))}"
        longest = int(control.attributes.get("maxlength") or 99)
        return rng.choice(WORDS.get(name, ("", "94/276", "x")))[:longest]

    # Acts

    def fire(self, side, player):
        slug, targets = self.rng.choice(FIRES), self.some(self.other(side), 2, sees=side)
        firers = self.some(side) if self.rng.random() < 0.7 else []
        return self.finish(self.open_roll(player, slug, [*firers, *targets] if firers else []))

    def consult(self, side, player):
        """Any roll, of the bar or of the list."""
        reader = self.sit(player)
        buttons = reader.find("#rolls [data-roll]")
        reader.press_node(self.rng.choice(buttons))
        return self.finish(reader)

    def go_on_to(self, side, player):
        """Set by hand where the match stands, with or without what begins there."""
        field, high = self.rng.choice((("turn", 67), ("phase", 15)))
        house = self.rng.random() < 0.5
        return self.set_record(player, "record/", field, value=str(self.rng.randint(1, high)), house=house)

    def move(self, side, player):
        ids = self.some(side, hidden=False)
        return self.set_place(player, ids, self.rng.choice((*HEXES, ""))) if ids else None

    def set_by_hand(self, side, player):
        ids = self.some(side, 2)
        word = self.rng.choice(("pinned", "spent", "eliminated", "good_order", "left"))
        return self.by_hand(player, ids, f"becomes={word}") if ids else None

    def steal_away(self, side, player):
        """Hidden units go to hexes that nobody else is ever told."""
        ids = self.some(side, 2, hidden=True)
        free = [place for place in UNSEEN if not any(place in planted for planted in self.planted.values())]
        if not (ids and free):
            return None
        place = self.rng.choice(free)
        self.planted[side].add(place)
        return self.set_place(player, ids, place)

    def come_into_sight(self, side, player):
        hidden = self.some(side, 1, hidden=True)
        if hidden and self.rng.random() < 0.5:
            return self.set_place(player, hidden, self.rng.choice(HEXES))
        return self.by_hand(player, hidden, "becomes=shown") if hidden else None

    def set_number(self, side, player):
        field = self.rng.choice(list(NUMBERS))
        return self.set_record(player, "record/", field, value=str(self.rng.randint(0, NUMBERS[field])))

    def add_to_list(self, side, player):
        """One more row in one of the lists of the record."""
        field = self.rng.choice(list(LISTS))
        parts = {f"part-{name}": value for name, value in LISTS[field](self.rng).items()}
        reader = self.sit(player, "record/")
        for number in range(len(reader.find("form.inline"))):
            form = reader.form("form.inline", number=number)
            if form.value("field") == field and set(parts) <= set(form.names()):
                return form.fill(parts).press().response
        raise AssertionError(field)

    def lay_sheet(self, side, player):
        row = f"{self.rng.randint(3, 9)}/40\tSoviet\t13 Gds\t40\t1\tGuards infantry\t3\t4\t1\t8"
        return self.paste(player, f"{SHEET.splitlines()[0]}\n{row}", self.rng.choice(("13 Gds", "94")))
