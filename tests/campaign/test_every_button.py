"""Every link of every page leads somewhere, and every button's address takes what the button sends.

A slice goes to one page of each kind, a soak to every page: every helper, every chart, every sector.
"""

import re
from collections import deque
from contextlib import contextmanager, suppress
from copy import deepcopy
from dataclasses import dataclass, field
from html.parser import HTMLParser
from itertools import product
from types import SimpleNamespace
from urllib.parse import parse_qsl, urljoin, urlsplit

import pytest
from django.test import Client
from django.urls import Resolver404, resolve

from campaign.rules.stages import Stage
from firefight.games import registry
from tests.campaign import players
from tests.firefight import players as firefight
from tests.firefight.players import GAME, SQUAD, text_of
from tests.pages import filled_buttons
from tests.reading import trial
from tests.soak import IS_WHOLE, length

pytestmark = pytest.mark.django_db

WRONG = (404, 405)


@dataclass(frozen=True)
class Request:
    """What a link or a button sends, and where it stands."""

    method: str
    address: str
    fields: tuple[tuple[str, str], ...] = ()
    htmx: bool = False
    page: str = ""

    @property
    def kind(self):
        """The same for requests that differ in numbers and ids alone. All charts of a book take the same posts."""
        parts = urlsplit(self.address)
        path = re.sub(r"^(/charts/\w+)/\w+/$", r"\1/chart/", parts.path) if self.method == "POST" else parts.path
        query = tuple(sorted(name for name, _ in parse_qsl(parts.query)))
        pressed = tuple(sorted((name, self._said(name, value)) for name, value in self.fields if name in SAYING))
        names = tuple(sorted({name for name, _ in self.fields if not name.startswith("c-")}))
        return self.method, kind_of(path), query, pressed, names, self.htmx

    @staticmethod
    def _said(name, value):
        """What a field says."""
        return kind_of(urlsplit(value).path) if name == "back" else re.sub(r"\d+", "#", value)


def kind_of(path):
    """What pages of one kind have in common: their route, and the game that they are about. In a soak, nothing."""
    if IS_WHOLE:
        return path
    with suppress(Resolver404):
        match = resolve(path)
        return match.route, match.kwargs.get("game", "")
    return path


SAYING = ("do", "dice", "more", "news", "agrees", "how_far", "overrule", "theme", "back", "step", "number", "side")


@dataclass
class Form:
    """A form with its buttons, as they would be sent."""

    address: str
    method: str
    htmx: str = ""
    fields: list[tuple[str, str]] = field(default_factory=list)
    buttons: list[dict[str, str]] = field(default_factory=list)


class Page(HTMLParser):
    """Reads what can be pressed on a page."""

    def __init__(self, address, text):
        super().__init__()
        self.address, self.links, self.forms, self.named = address, [], [], {}
        self.form = self.select = None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        attributes = {name: value or "" for name, value in attrs}
        if tag == "a" and attributes.get("href", "#")[0] != "#":
            self.links.append((attributes["href"], False))
        if "hx-get" in attributes:
            self.links.append((attributes["hx-get"], True))
        if tag == "form":
            self.form = Form(
                attributes.get("action", ""), attributes.get("method", "get").upper(), attributes.get("hx-post", "")
            )
            self.forms.append(self.form)
            self.named[attributes.get("id")] = self.form
        form = self.named.get(attributes["form"]) if "form" in attributes else self.form
        if form and tag in ("input", "select", "option", "button", "div"):
            getattr(self, f"_{tag}")(form, attributes)

    def _input(self, form, attributes):
        ticked = attributes.get("type") not in ("checkbox", "radio") or "checked" in attributes
        if ticked and attributes.get("type") != "file" and attributes.get("name"):
            form.fields.append((attributes["name"], attributes.get("value", "on" if "checked" in attributes else "")))

    def _select(self, form, attributes):
        self.select = attributes["name"]

    def _option(self, form, attributes):
        known = dict(form.fields)
        if self.select and (self.select not in known or "selected" in attributes):
            form.fields = [pair for pair in form.fields if pair[0] != self.select]
            form.fields.append((self.select, attributes.get("value", "")))

    def _button(self, form, attributes):
        form.buttons.append(attributes)

    def _div(self, form, attributes):
        if "hx-post" in attributes:  # a part of the form that asks for something of its own
            form.buttons.append({"hx-post": attributes["hx-post"]})

    def handle_endtag(self, tag):
        if tag == "form":
            self.form = None
        if tag == "select":
            self.select = None

    def requests(self):
        """Everything that can be pressed."""
        for href, htmx in self.links:
            yield self._request("GET", href, (), htmx)
        for form in self.forms:
            if form.method == "DIALOG":
                continue  # closes its dialog; nothing is sent
            for button in form.buttons or [{}]:
                pressed = [(button["name"], button.get("value", ""))] if "name" in button else []
                sent = (*form.fields, *pressed)
                for address, htmx in addresses_of(form, button):
                    yield self._request("POST" if htmx else form.method, address, sent, htmx)

    def _request(self, method, address, fields, htmx):
        return Request(method, urljoin(self.address, address).split("#")[0], tuple(fields), htmx, self.address)


def addresses_of(form, button):
    """Where a button sends its form without a script, and with htmx."""
    if "hx-post" not in button or "formaction" in button or "name" in button:
        yield button.get("formaction", form.address), False
    htmx = button.get("hx-post", form.htmx)
    if htmx:
        yield htmx, True


@contextmanager
def attempt(client):
    """Press something, and undo it afterwards."""
    cookies = deepcopy(client.cookies)
    with trial():
        yield
    client.cookies = cookies


def send(client, request):
    """The final answer, redirects followed."""
    headers = {"HX-Request": "true"} if request.htmx else {}
    if request.method == "GET":
        return client.get(request.address, dict(request.fields) or None, headers=headers, follow=True)
    listed = {}
    for name, value in request.fields:
        listed.setdefault(name, []).append(value)
    return client.post(request.address, listed, headers=headers, follow=True)


OF_A_LINE = re.compile(r"/log/\d+/$")


def press_everything(client, *starts, within=("/",)):
    """Follow every link and press every button from some pages on; returns where they led, and what was wrong there.

    Wrong is what leads nowhere, and a page that has more than one thing to do first.
    """
    waiting = deque(Request("GET", address) for address in starts)
    pressed, paths, wrong = {request.kind for request in waiting}, set(starts), []
    while waiting:
        request = waiting.popleft()
        with attempt(client):
            answer = send(client, request)
        if answer.status_code in WRONG or answer.status_code >= 500:
            wrong.append((answer.status_code, request))
        if "text/html" not in answer.get("Content-Type", "") or (request.method == "POST" and answer.redirect_chain):
            continue  # what a post has made and led to is gone
        filled = filled_buttons(text_of(answer))
        if request.method == "GET" and len(filled) > 1:
            wrong.append((filled, request))
        stands_at = answer.request["PATH_INFO"]
        stands_at += "?" + answer.request["QUERY_STRING"] if answer.request["QUERY_STRING"] else ""
        for candidate in Page(stands_at, text_of(answer)).requests():
            if request.method == "POST" and OF_A_LINE.search(candidate.address):
                continue  # of a line that the post has made
            if candidate.kind not in pressed and candidate.address.startswith((*within, "/theme/")):
                pressed.add(candidate.kind)
                paths.add(urlsplit(candidate.address).path)
                waiting.append(candidate)
    return paths, wrong


@pytest.mark.soak
def test_the_pages_without_a_match_lead_nowhere_wrong(db):
    client = Client()
    client.post(f"/charts/{GAME}/", {"do": "copy"})
    paths, wrong = press_everything(client, "/", "/charts/", f"/charts/{GAME}/")
    assert not wrong
    assert {f"/assist/{game}/charts/" for game in registry.games()} <= paths
    assert {"/match/import/", "/match/new/", "/charts/compare/"} <= paths


@pytest.fixture
def played(frozen):
    """A match with a roll, two rolls due, a sealed note, and a wish to take back a roll of the app."""
    return frozen("a match with every button", play)


def play():
    german, links = firefight.begin()
    others = {side: firefight.sit(link, german.match_id) for side, link in links.items()}
    table = SimpleNamespace(german=german, **others)
    table.german.note("A gun in K7.", sealed="on")
    table.german.roll("fire", ff="20", units=f"[{SQUAD},{SQUAD}]", die="70", dice="table")
    table.german.roll("morale", tq="6", dice="app")
    table.german.do("take-back/")
    return table


@pytest.mark.soak
@pytest.mark.parametrize("seat", ["russian", *["german", "observer"][: length(0, 2)]])
def test_the_pages_of_a_match_lead_nowhere_wrong(played, seat):
    match = f"/match/{played.german.match_id}/"
    paths, wrong = press_everything(getattr(played, seat).client, match, within=(match,))
    assert not wrong
    # Whoever was asked answers; whoever asked may withdraw.
    assert (f"{match}answer/" in paths) == (seat != "observer")


@pytest.mark.soak
def test_the_pages_of_an_ended_match_lead_nowhere_wrong(played):
    played.german.do("end/", sure="on")
    match = f"/match/{played.german.match_id}/"
    assert not press_everything(played.german.client, match, within=(match,))[1]


@pytest.mark.soak
def test_the_pages_of_a_hot_seat_match_lead_nowhere_wrong(db):
    hot_seat = firefight.begin(hot_seat=True)[0]
    hot_seat.client.post(f"/match/{hot_seat.match_id}/pin/", {"pin": "1234"})
    match = f"/match/{hot_seat.match_id}/"
    paths, wrong = press_everything(hot_seat.client, match, f"{match}cover/", within=(match,))
    assert not wrong
    assert {f"{match}lift/", f"{match}pin/"} <= paths


@pytest.mark.soak
def test_somebody_without_a_seat_is_led_nowhere_wrong(played):
    match = f"/match/{played.german.match_id}/"
    assert not press_everything(Client(), match, f"{match}seats/", within=(match,))[1]


VISITS = [("german", Stage.PURCHASES), ("russian", Stage.SETUP), ("observer", Stage.FIREFIGHT)]
VISITS += [("german", Stage.REORGANIZATION)]
MORE = [visit for visit in product(("german", "russian", "observer"), Stage) if visit not in VISITS]


@pytest.mark.soak
@pytest.mark.parametrize(("seat", "stage"), VISITS + MORE[: length(0, len(MORE))])
def test_the_pages_of_a_campaign_lead_nowhere_wrong(frozen, seat, stage):
    volga = frozen(f"volga, {stage}", lambda: players.play_to(players.seated(), stage))
    campaign, match = f"/campaign/{volga.match_id}/", f"/match/{volga.match_id}/"
    paths, wrong = press_everything(getattr(volga, seat).client, campaign, within=(campaign,))
    assert not wrong
    assert f"{campaign}map/" in paths
    if stage is Stage.FIREFIGHT:
        assert not press_everything(getattr(volga, seat).client, match, within=(match,))[1]
