"""Players of a campaign for tests: browsers that open its pages and press the buttons that stand there."""

import re
import uuid
from types import SimpleNamespace

from campaign.models import Campaign
from campaign.rules.stages import Stage
from firefight.models import Device
from tests import pages
from tests.firefight import players as firefight
from tests.firefight.players import links_in, text_of, words_of

NAME = "October at the Tractor Works"
SIDES = ("german", "russian")


def forms_in(response, does=""):
    """The forms of a page, or those that do one thing."""
    forms = pages.forms(text_of(response))
    return [form for form in forms if not does or form.does == does]


def troubles_in(response):
    """Every reason why something was refused, as the page lists them."""
    notices = pages.find(text_of(response), "div.trouble[role=alert], div.notice[role=alert]")[:1]
    return [pages.words(reason) for notice in notices for reason in notice.css("p")]


def part_of(response, name):
    """The words of the section with an id, or with a heading of that id."""
    sections = f'section[id="{name}"], section[aria-labelledby="{name}"]'
    return next(iter(pages.words_of_each(text_of(response), sections)), "")


class Player(firefight.Player):
    """A browser in a campaign. What it does to the match itself, its base does.

    ``holds``: the side that it sits at, "" if only its pages say.
    """

    holds = ""

    @property
    def campaign(self):
        """The campaign as it is stored now."""
        return Campaign.objects.get(pk=self.match_id)

    @property
    def stage(self):
        """Where the campaign stands."""
        return Stage(self.campaign.stage)

    def address(self, at=""):
        """The address of a page: "", "map/?for=1", "roster/german/"."""
        return f"/campaign/{self.match_id}/{at}"

    def open(self, at="", htmx=False, status=200):
        """Open a page of the campaign."""
        response = self.client.get(self.address(at), headers={"HX-Request": "true"} if htmx else {})
        assert status in (None, response.status_code), words_of(response)
        return response

    def read(self, at=""):
        """What a page of the campaign says."""
        return words_of(self.open(at))

    def form(self, does, at="", **holding):
        """A form of a page by what it does, and by values that it holds already."""
        forms = forms_in(self.open(at), does)
        forms = [form for form in forms if all(form.has(name, str(value)) for name, value in holding.items())]
        assert forms, f"No form {does} at {at}."
        return forms[0]

    def press(self, does, at="", holding=None, **values):
        """Fill in a form that stands on a page, and send it."""
        form = self.form(does, at, **(holding or {}))
        return self.post(at, form.filled(**values))

    def post(self, at, fields, htmx=False, **options):
        """Send exactly these fields."""
        return self.client.post(self.address(at), fields, headers={"HX-Request": "true"} if htmx else {}, **options)

    def ask(self, does, at="", htmx=False, **fields):
        """Act as a form would that need not stand there: a fresh act id and the present version, unless given."""
        fields = {"do": does, "act": str(uuid.uuid4()), "version": str(self.match.version), **fields}
        return self.post(at, {name: value for name, value in fields.items() if value is not None}, htmx)

    # What players do, by the forms of the pages

    def buy(self, rg, **dice):
        """Buy a group, with dice as they lie on the table."""
        return self.press("buy", f"roster/{self.side}/?group={rg}", dice="table", **dice)

    def seal(self, order=None, bonus=False):
        """Seal the orders."""
        chosen = {"order": order} if order else {}
        return self.press("seal", **chosen, **({"bonus": "on"} if bonus else {}))

    def place(self, key, sector, hidden=False, units=None):
        """Set up the units of a group by its number; 0 is for single counters, "" keeps them off the map."""
        chosen = {"unit": units} if units else {}
        return self.press("place", f"map/?for={key}", sector=sector, hidden="on" if hidden else None, **chosen)

    def confirm(self):
        """End one's own set-up."""
        return self.press("confirm")

    def report(self, news, units, sector=""):
        """Report what became of units."""
        return self.press("report", "firefight/", news=news, unit=units, sector=sector)

    def end_turn(self, **dice):
        """End the turn."""
        return self.press("end-turn", "firefight/", **({"dice": "table", **dice} if dice else {}))

    @property
    def side(self):
        """The side that this browser acts for."""
        if self.holds:
            return self.holds
        return pages.words_of_each(text_of(self.open()), "b.side")[0].lower()

    def turn_to(self, side):
        """Hand the device over, unless it is in these hands already."""
        uncovered = Device.objects.filter(seat__match=self.match_id, seat__side=side).exclude(uncovered="")
        if not uncovered.exists():
            self.client.post(f"/match/{self.match_id}/cover/")
            self.client.post(f"/match/{self.match_id}/lift/", {"side": side})

    def parties(self):
        """What can be set up now: {group's number: title}."""
        links = pages.find(text_of(self.open("map/")), 'a[href^="?for="]')
        numbers = [(re.match(r"\?for=(\d+)#", link.attributes["href"]), pages.words(link)) for link in links]
        return {int(number[1]): title for number, title in numbers if number}

    def units(self, title=""):
        """The numbers of its own units in the report of the firefight, all or those of a group."""
        parties = pages.find(text_of(self.open("firefight/")), "fieldset.boxes:has(> legend)")
        chosen = [party for party in parties if title in pages.words(party.css_first("legend"))]
        boxes = [box for party in chosen for box in party.css("input[name=unit]")]
        return [int(box.attributes["value"]) for box in boxes]


class Hand(Player):
    """One of the two players of a device, who takes it and acts; it is covered before it changes hands."""

    def __init__(self, device, side):
        super().__init__(device.match_id)
        self.client, self.device, self.holds = device.client, device, side

    def open(self, *args, **options):
        self.device.turn_to(self.holds)
        return super().open(*args, **options)

    def post(self, *args, **options):
        self.device.turn_to(self.holds)
        return super().post(*args, **options)

    def send(self, *args, **options):
        self.device.turn_to(self.holds)
        return super().send(*args, **options)


def begin(card="cg2", side="german", hot_seat=False, **fields):
    """Begin a campaign; returns its maker and, unless it is hot-seat, the links for the others."""
    maker = Player()
    page = maker.client.get("/campaign/new/")
    (form,) = [form for form in forms_in(page) if "card" in form.choices]
    chosen = {"card": card, "side": side, "name": NAME, **({"hot_seat": "on"} if hot_seat else {}), **fields}
    response = maker.client.post("/campaign/new/", form.filled(**chosen), follow=True)
    assert response.status_code == 200
    maker.match_id = re.match(r"/(?:campaign|match)/(\w+)/", response.request["PATH_INFO"])[1]
    return maker, links_in(response)


def sit(link, match_id):
    """A browser that opens a seat link and takes the seat."""
    player = Player(match_id)
    player.client.get(link)
    player.client.post("/claim/")
    return player


def seated(card="cg2"):
    """A campaign with a browser for each side and one for an observer."""
    german, links = begin(card)
    others = {side: sit(link, german.match_id) for side, link in links.items()}
    german.holds, others["russian"].holds = SIDES
    return SimpleNamespace(german=german, match_id=german.match_id, **others)


def play_to(table, stage):
    """Play a fresh campaign on, with nothing bought and nothing set up, until it stands at a stage."""
    stage = Stage(stage)
    if stage is Stage.PURCHASES:
        return table
    if stage in (Stage.REINFORCEMENTS, Stage.OVER):
        _hold(table, stage)
        return table
    free = table.german.campaign.card == "cg2"
    table.german.seal("attack" if free else None)
    table.russian.seal(("attack" if stage is Stage.PRIORITY else "hold") if free else None)
    table.german.press("reveal")
    if stage in (Stage.FIREFIGHT, Stage.REORGANIZATION):
        table.russian.confirm()
        table.german.confirm()
    if stage is Stage.REORGANIZATION:
        for _ in range(4):
            table.german.end_turn()
        table.german.end_turn(die=10)
    assert table.german.stage is stage
    return table


def _hold(table, stage):
    while table.german.stage is not stage:
        if table.german.stage is Stage.REINFORCEMENTS:
            for side in SIDES:
                getattr(table, side).press("reinforce", dice="table", die=1)
        for side in SIDES:
            getattr(table, side).seal("hold")
        table.german.press("reveal")
