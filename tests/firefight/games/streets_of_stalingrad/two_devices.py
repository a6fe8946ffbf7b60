"""A match of Streets of Stalingrad on two devices, from the drawn page: an owner's units, hidden ones, an attack step by
step with defensive fire, a correction, a take-back, a day's first rolls, a crossing of the Volga."""

from types import SimpleNamespace

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
        self.readers = {side: Reader(player.client) for side, player in self.players.items()}

    @property
    def match(self):
        return self.players["german"].match

    @property
    def due(self):
        """Helper and side of what is due."""
        return [(step.helper, step.inputs.get("side", "")) for step in self.match.state.queue]

    def open(self, side, at=""):
        """The page of the match, or another one of it, as a side sees it now."""
        return self.readers[side].open(f"/match/{self.match.pk}/{at}")

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
        forms = [reader.form("dl.record form.inline", number=n) for n in range(len(reader.find("dl.record form.inline")))]
        form = next(each for each in forms if each.value("field") == field)
        form.fill(value=str(value), **({"house": True} if "house" in form.names() else {})).press("Set")

    @property
    def record(self):
        return self.players["observer"].get("record.json").json()["record"]
