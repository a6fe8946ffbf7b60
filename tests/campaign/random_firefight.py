"""A player of both sides in a firefight of a campaign, by seed: at the table, and on the campaign's own page."""

from campaign.models import Unit
from campaign.rules.reports import News
from campaign.rules.stages import Stage
from tests.campaign import players
from tests.campaign.test_random_play import LEDGER, rows_of
from tests.filling import NotOffered, Reader
from tests.firefight.table.random_hands import known
from tests.firefight.table.random_table import HEXES, SIDES, RandomTable

AREAS = {"K7": "11", "K8": "11", "L7": "12", "L8": "12", "M6": "12"}
PAGES = ("", "map/", "map.svg", "roster/german/", "roster/russian/", "firefight/", "sealed/", "paper/", "outlook/")


def in_firefight(table):
    """A fresh campaign, played on into its first firefight with all units of both sides on the map."""
    players.play_to(table, Stage.FIREFIGHT)
    for side in SIDES:
        player = getattr(table, side)
        ids = [counter["id"] for counter in player.get("counters.json").json() if counter["side"] == side]
        for place in ("K7", "K8") if side == "german" else ("L7", "L8"):
            half, ids = ids[: len(ids) // 2 + 1], ids[len(ids) // 2 + 1 :]
            assert player.do("counters/", id=half, place=place, area=AREAS[place]).status_code == 302
    return table


class RandomFirefight(RandomTable):
    """A campaign's firefight, whose counters are the ledger's units; ``start``: as they stood when play began."""

    WEIGHTS = {**RandomTable.WEIGHTS, "add": 0, "report": 1.5, "end_turn": 0.7}

    def __init__(self, seed, table):
        super().__init__(seed, {side: getattr(table, side) for side in SIDES})
        self.start = [counter for side in SIDES for counter in known(self.players[side], side)]
        self.after = self.match.last_number

    def rows(self):
        return super().rows(), rows_of(self.players["german"].match_id, LEDGER)

    def pages(self, player):
        return super().pages(player) + [player.client.get(player.address(at)) for at in PAGES]

    def in_sight(self):
        """Where units stand that nobody hides: a report shows whom it befalls, too."""
        return Unit.objects.filter(campaign__match=self.match, hidden=False).values_list("hex", flat=True)

    def set_place(self, player, ids, place):
        """No form of a page names a sector beside the hex: this is how a program sets both."""
        area = AREAS.get(place.partition("/")[0], "13" if place else "")
        return player.do("counters/", id=ids, place=place, level=None if place else "", area=area)

    def set_phase(self, side, player):
        return self.advance(side, player)  # the campaign keeps the turn

    def at_campaign(self, player):
        """Somebody in front of the campaign's page of the firefight."""
        return Reader(player.client, self.rng.random() < 0.6).open(player.address("firefight/"))

    def report(self, side, player):
        """What became of units, told on the campaign's page."""
        reader = self.at_campaign(player)
        if not (form := self.form_of(reader, "report")):
            return None
        news = self.rng.choice([choice for choice in form.choices("news") if choice != News.ENTER])
        units = form.choices("unit")
        ticked = self.rng.sample(units, min(len(units), self.rng.randint(1, 2)))
        form.fill(unit=ticked, news=news, sector=self.rng.choice(("11", "12", "")), hex=self.rng.choice(HEXES))
        button = self.rng.choice(("Note it", "Note it", "Eliminated", "Reduced"))
        return form.press(button).response

    def end_turn(self, side, player):
        form = self.form_of(self.at_campaign(player), "end-turn")
        if not form:
            return None
        boxes = [control for control in form.controls() if control.attributes.get("name") == "die"]
        reader = (form.fill(die=1) if boxes else form).press()
        if reader.status == 422 and self.rng.random() < 0.5:  # a Close Combat is left open
            self.form_of(reader, "end-turn").press()
        return reader.response

    def form_of(self, reader, does):
        """A form of the page by what it does; None where it does not stand there."""
        try:
            return reader.form(does=does)
        except NotOffered:
            return None
