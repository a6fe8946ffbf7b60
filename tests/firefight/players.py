"""Players for tests: browsers that open pages, sit down at matches and press buttons, over HTTP alone."""

import re
import uuid
from types import SimpleNamespace

from django.test import Client
from pypdfium2 import PdfDocument

from firefight.models import Act, Device, LogEntry, Match, Seat
from tests import pages
from tests.reading import read_if_changed

GAME = "combat-stalingrad"
HOST = "http://testserver"
NAME = "Friday at the Tractor Works"
OPEN_PAGES = (
    "/",
    "/dice/",
    "/assist/",
    *(f"/assist/{GAME}/{page}" for page in ("", "reference/", "words/", "charts/")),
)

# Good inputs for each helper, dice included, as a query string gives them.
SQUAD = '{"kind":"squad","name":"1st squad","tq":6}'
LEADER = '{"kind":"leader","name":"Lt. Klug","tq":8}'
SAMPLES = {
    "contact": {"device": "radio", "danger_close": "on", "other_drm": "-3", "die": "34"},
    "accuracy": {"marker": "new_cff", "aim": "K7", "die": "90", "direction_die": "3"},
    "bracket": {"aim": "K7", "first": "K5", "second": "K9"},
    "conversion": {"marker": "cff", "correction": "1"},
    "firepower": {"caliber": "105", "marker": "ffe", "impact": "K7"},
    "call-off": {"die": "20", "second_die": "5"},
    "fire": {"ff": "8", "modifiers": ["woods", "crawling"], "units": f"[{SQUAD},{LEADER}]", "die": "07"},
    "who-is-hit": {"result": "c", "units": f"[{SQUAD},{LEADER}]", "die_1": "4", "die_2": "9"},
    "casualties": {"unit": "squad", "name": "1st squad"},
    "morale": {"tq": "6", "modifier": "1", "die": "8"},
    "close-combat": {"attack": "8", "defense": "4", "die": "34"},
    "air-arrival": {"number": "5", "die": "4"},
    "air-attack": {"hex": "K7", "die": "40", "direction_die": "3"},
    "anti-aircraft": {"ff": "8", "range": "3", "die": "20", "check_die": "4"},
    "fo-loss": {"item": "phone", "die": "4"},
    "action-check": {"name": "Vogt", "tq": "7", "label": "to advance", "die": "4"},
    "free-roll": {"label": "Initiative", "roll": "each", "german_die": "4", "russian_die": "0"},
    "end-of-firefight": {"turn": "5", "number": "8", "die": "3"},
    "redeployment": {"unit": "vehicle", "die": "5"},
    "recovery": {"what": "m_killed", "die": "5"},
    "leader": {"side": "german", "die": "5"},
    "attack-or-hold": {"german": "attack", "russian": "attack", "german_die": "4", "russian_die": "6"},
}


def page_of(slug):
    """The address of a helper's page without a match."""
    return f"/assist/{GAME}/{slug}/"


def json_of(slug):
    """The address of a helper's JSON."""
    return f"/assist/{GAME}/{slug}.json"


def odds_of(slug):
    """The address of a helper's odds as JSON."""
    return f"/assist/{GAME}/{slug}/odds.json"


def text_of(response):
    """What a response says, as it was sent; of a PDF its words; bytes that are not text, as of a picture, escaped."""
    if response.get("Content-Type") == "application/pdf":
        return "\n".join(page.get_textpage().get_text_range() for page in PdfDocument(response.content))
    text = response.content.decode(errors="backslashreplace")
    # What is under seal in a file is as good as noise, and may hold any short word.
    return NOISE.sub(r"\1", text) if response.get("Content-Type") == "application/json" else text


NOISE = re.compile(r'("(?:for|wrapped|box|unplayed)":|"keys":)(?:"[A-Za-z0-9+/=]*"|{[^{}]*})')


def words_of(response):
    """What a reader sees of a response: no tags, no entities, single blanks."""
    return pages.words(pages.read(text_of(response)))


def headline_of(response):
    """The printed result's headline, None when there is no result."""
    return next(iter(pages.words_of_each(text_of(response), "h2#result")), None)


def effects_of(response):
    """The printed result's effects."""
    return pages.words_of_each(text_of(response), "ul.effects > li")


def hidden_in(response, name, form="desk-form"):
    """The value of a hidden field of a form, as its browser would send it back; None without one."""
    values = pages.values_of_each(text_of(response), f'form#{form} input[type=hidden][name="{name}"]', "value")
    return next(iter(values), None)


def seat_links_in(response, kind):
    """The links in the fields of a kind, by what their ids say after it."""
    fields = pages.find(text_of(response), f'input[readonly][id^="{kind}-"]')
    links = {field.id.removeprefix(f"{kind}-"): field.attributes["value"] for field in fields}
    return {name: link.removeprefix(HOST) for name, link in links.items() if link.startswith(f"{HOST}/seat/")}


def links_in(response):
    """The seat links that a page shows, by side."""
    return seat_links_in(response, "link")


def way_back_in(response):
    """The player's own link back that a page shows; None without one."""
    return next(iter(seat_links_in(response, "back").values()), None)


@read_if_changed
def rows():
    """Every row of a match's tables, to see that nothing has changed. Covers may come and go, and what was shown."""
    tables = [list(model.objects.order_by("pk").values()) for model in (Match, Seat, Device, Act, LogEntry)]
    left_out = {"uncovered", "read", "visit", "arrived"}
    return [[{name: row[name] for name in row if name not in left_out} for row in table] for table in tables]


class Player:
    """A browser. After ``match_id`` is known it acts there, with a fresh act id and the present version."""

    def __init__(self, match_id="", **options):
        self.client = Client(**options)
        self.match_id = match_id

    def __getstate__(self):
        """What another process needs to be this browser: its cookies, and where it sits."""
        return {**vars(self), "client": self.client.cookies}

    def __setstate__(self, state):
        vars(self).update({**state, "client": Client()})
        self.client.cookies = state["client"]

    @property
    def match(self):
        """The match as it is stored now."""
        return Match.objects.get(pk=self.match_id)

    @property
    def log(self):
        """The log's rows, oldest first."""
        return list(LogEntry.objects.filter(match=self.match_id).order_by("number"))

    @property
    def last(self):
        """The newest entry."""
        return LogEntry.objects.filter(match=self.match_id).order_by("number").last()

    def get(self, place="", htmx=False, **query):
        """Open a page of the match: "", "log/", "roll/contact/"."""
        headers = {"HX-Request": "true"} if htmx else {}
        return self.client.get(f"/match/{self.match_id}/{place}", query, headers=headers)

    def send(self, place, fields, htmx=False):
        """Post exactly these fields to a place of the match."""
        headers = {"HX-Request": "true"} if htmx else {}
        return self.client.post(f"/match/{self.match_id}/{place}", fields, headers=headers)

    def do(self, place, /, htmx=False, **fields):
        """Act as the page's form does: a fresh act id and the version it was drawn from, unless given."""
        fields = {**self.stamp, **fields}
        return self.send(place, {name: value for name, value in fields.items() if value is not None}, htmx)

    @property
    def stamp(self):
        """What every form of an act carries: a fresh act id and the present version."""
        (version,) = Match.objects.values_list("version", flat=True).filter(pk=self.match_id)
        return {"act": str(uuid.uuid4()), "version": str(version)}

    def roll(self, slug, htmx=False, **fields):
        """Resolve a helper."""
        return self.do(f"roll/{slug}/", htmx, **fields)

    def issue(self, side):
        """Ask for a seat's link again; returns the page that shows it, or the refusal."""
        return self.client.post(f"/match/{self.match_id}/seats/issue/", {"side": side}, follow=True)

    def bring_hidden(self, listed):
        """Bring counters in that nobody else knows of; returns their ids, whose numbers the app draws."""
        before = self.match.state.counters
        self.do("counters/add/", list=listed, hidden="on")
        return [id for id in self.match.state.counters if id not in before]

    def note(self, text, **fields):
        """Write into the log."""
        return self.do("note/", text=text, **fields)

    def see(self, place=""):
        """What a page of the match says."""
        return words_of(self.get(place))


def end(one, other=None):
    """End the match: one proposes it, the other agrees, or whoever is at the same device; alone it ends at once."""
    one.do("end/", sure="on")
    if one.match.ended is None:
        (other or one).do("answer/", agrees="yes")


def begin(side="german", hot_seat=False, **fields):
    """Begin a match; returns its maker and, unless it is hot-seat, the links for the others."""
    maker = Player()
    fields = {"game": GAME, "name": NAME, "side": side, **({"hot_seat": "on"} if hot_seat else {}), **fields}
    response = maker.client.post("/match/new/", fields, follow=True)
    maker.match_id = Match.objects.latest("created").pk
    return maker, links_in(response)


def seated():
    """A match with a browser for each side and one for an observer."""
    german, links = begin()
    return SimpleNamespace(german=german, **{side: sit(link, german.match_id) for side, link in links.items()})


def sit(link, match_id, *ticked, **options):
    """A browser that opens a seat link and takes the seat; ``ticked``: keep, both; ``options`` of the browser."""
    player = Player(match_id, **options)
    player.client.get(link)
    player.client.post("/claim/", dict.fromkeys(ticked, "on"))
    return player
