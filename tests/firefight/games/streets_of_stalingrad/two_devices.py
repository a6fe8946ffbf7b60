"""A match of Streets of Stalingrad on two devices, from the drawn page: an owner's units, hidden ones, an attack step
by step with defensive fire, a correction, a take-back, the first rolls of a day.
"""

import json

from tests.filling import Reader
from tests.firefight import players

SLUG = "streets-of-stalingrad"
HERE, NEXT, UNSEEN = "0509", "0510", "0311"
SECRETS = {"german": "GERMANSECRET at the crossing", "soviet": "SOVIETSECRET of the guns"}
SHEET = """name\tside\tback\tregiment\tbattalion\tarm\taf\tdf\trange\tmp\tunderlined\tred\tyellow\tcount
1/I/274\tGerman\t94\t274\tI\tInfantry\t4\t5\t1\t8\t\t\t\t2
1/39\tSoviet\t13 Gds\t39\t1\tGuards infantry\t3\t4\t1\t8\t\t\t\t2"""
UNITS = {"german": "German: 2 1/I/274, Minefield", "soviet": "Soviet: 2 1/39, Minefield"}


class Table:
    """Both sides and an observer, each with a page in front of them."""

    def __init__(self):
        german, links = players.begin("german", game=SLUG)
        others = {side: players.sit(link, german.match_id) for side, link in links.items()}
        self.players = {"german": german, **others}

    @property
    def match(self):
        return self.players["german"].match

    @property
    def due(self):
        """Helper and side of what is due."""
        return [(step.helper, step.inputs.get("side", "")) for step in self.match.state.queue]

    def open(self, side, at=""):
        """The page of the match, or another one of it, as a side sees it now."""
        return Reader(self.players[side].client).open(f"/match/{self.match.pk}/{at}")

    def waits(self, side):
        """Whether a side's page offers it nothing to press of what is due, and says whose turn it is."""
        reader = self.open(side)
        words = reader.words("#desk")
        return not reader.form("#desk-form").buttons() and ("decides." in words or "rolls this." in words)

    def resolve(self, side, button="Resolve", **fields):
        """Fill in what stands on a side's desk, and press a button of it."""
        reader = self.open(side)
        form = reader.form("#desk-form")
        form.fill(fields)
        reader.form("#desk-form").press(button)
        assert reader.status == 200, reader.words("#desk")
        return reader

    def put(self, side, field, value):
        """Set a value on the page of the record, with what begins there."""
        reader = self.open(side, "record/")
        forms = [
            reader.form("dl.record form.inline", number=n) for n in range(len(reader.find("dl.record form.inline")))
        ]
        form = next(form for form in forms if form.value("field") == field)
        form.fill(value=str(value), **({"house": True} if "house" in form.names() else {})).press("Set")

    @property
    def record(self):
        return self.players["observer"].get("record.json").json()["record"]


def lay_out(table):
    """An owner's units that both agree to, where an attack begins; hidden ones of both, and a sealed plot of each."""
    table.open("german", "counters/sheets/").form("#sheet").fill(title="94", text=SHEET).press("Keep the sheet")
    table.open("soviet").form("#now form").press("agrees=yes")
    for side, place in (("german", NEXT), ("soviet", HERE)):
        player = table.players[side]
        player.do("counters/add/", list=UNITS[side])
        player.do("counters/", id=[f"{side}-1", f"{side}-2"], place=place)
        player.do("counters/", id=f"{side}-3", hidden="on")
        player.do("counters/", id=f"{side}-3", place=UNSEEN, note=SECRETS[side])
        player.note(f"{SECRETS[side]}: bombardment plotted", sealed="on")
    return table


def declare(table, **fields):
    """The German declares an attack by his and their counters."""
    reader = table.open("german")
    reader.form("#table").fill(chosen=["german-1", "german-2", "soviet-1"])
    reader.press_node(reader.find("#rolls [data-roll=battle]")[0])
    reader.form("#desk-form").fill({"terrain": "city", **fields})
    reader.form("#desk-form").press("Declare")
    assert reader.status == 200, reader.words("#desk")


def attack(table):
    """An attack with fire in defence that costs the German a unit; it costs the Soviet one."""
    table.put("german", "phase", 5)
    declare(table)
    table.resolve("soviet", "Defensive fire")
    table.resolve("soviet", points=12, die=1)
    table.resolve("german", "Lost: 1/I/274 #1")
    table.resolve("german", points=8, die=1, terrain_drm=0)


def begin_day(table):
    """The second day begins with a Soviet unit out of supply, which the Soviet may bring an arrow across."""
    table.players["soviet"].do("drop/", step="all")
    table.players["german"].do("answer/", agrees="yes") if table.match.proposal else None
    row = [{"name": "64 Guards", "side": "soviet", "marker": 0, "nkvd": False}]
    table.players["soviet"].do("record/", field="isolated", value=json.dumps(row))
    table.put("german", "phase", 15)
    table.players["german"].do("drop/", step="all")
    table.players["soviet"].do("answer/", agrees="yes") if table.match.proposal else None
    table.open("german").press("Next phase")


def play():
    """A match with an attack, a correction, an act taken back, rolls of the app, and a second day."""
    table = lay_out(Table())
    attack(table)
    german = table.players["german"]
    number = max(line.number for line in german.log if line.helper == "attack")
    reader = table.open("german", f"roll/attack/?corrects={number}")
    reader.form("#desk-form").fill(die=2).press("Resolve")
    german.note("taken back")
    german.do("take-back/")
    german.roll("mine-dog", dice="app")
    begin_day(table)
    return table
