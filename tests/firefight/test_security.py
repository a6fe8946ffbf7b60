"""What keeps strangers out: the policy, tokens against forged requests, cookies, redirects, methods."""

import logging
import re
from html.parser import HTMLParser
from io import StringIO

import pytest
from django.conf import settings
from django.test import Client

from firefight.models import Match, Seat
from tests.config.test_settings import POLICY
from tests.firefight.players import (
    GAME,
    OPEN_PAGES,
    SAMPLES,
    Player,
    begin,
    hidden_in,
    json_of,
    page_of,
    rows,
    seated,
    sit,
    text_of,
    words_of,
)
from tests.pages import find
from tests.routes import list_routes

OUTSIDE = [*OPEN_PAGES, "/match/new/", "/claim/", "/no-such-page/", "/seat/x/", json_of("fire"), *map(page_of, SAMPLES)]
INSIDE = ("", "log/", "log.json", "charts/", "dice/", "seats/", "cover/", "live/", "roll/contact/", "roll/fire/")
INSIDE += ("hands/",)
ACTS = (
    "advance/",
    "drop/",
    "note/",
    "over/",
    "reveal/",
    "take-back/",
    "back/",
    "answer/",
    "end/",
    "seats/issue/",
    "pin/",
)
ACTS += (
    "seats/put-out/",
    "seats/lost/",
    "seats/network/",
    "seats/here/",
    "cover/",
    "lift/",
    "lesson/",
    "roll/fo-loss/",
    "roll/fo-loss/odds/",
)


class Inline(HTMLParser):
    """Collects what a strict policy would block, addresses elsewhere, and ids that stand twice."""

    def __init__(self):
        super().__init__()
        self.found, self.ids, self.open = [], [], ""

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.open = tag
        self.ids += [values["id"]] if "id" in values else []
        self.found += [f"<{tag} {name}>" for name in values if name == "style" or name.startswith("on")]
        self.found += [f"<{tag} {name}>" for name in values if name in ("hx-on", "hx-vars") or name.startswith("hx-on")]
        for name in ("src", "href", "action", "formaction", "hx-get", "hx-post"):
            value = values.get(name) or ""
            if re.match(r"\s*(javascript:|//|https?:)", value, re.I):
                self.found.append(f"{name}={value}")
        if values.get("hx-vals", "").startswith(("js:", "javascript:")):
            self.found.append("hx-vals")

    def handle_data(self, data):
        if self.open in ("script", "style") and data.strip():
            self.found.append(f"<{self.open}> {data[:40]}")

    def handle_endtag(self, tag):
        self.open = ""


def flaws(response):
    parser = Inline()
    parser.feed(text_of(response))
    twice = {name for name in parser.ids if parser.ids.count(name) > 1}
    return parser.found + [f"id {name} stands twice" for name in twice]


def is_html(response):
    return response.headers.get("Content-Type", "").startswith("text/html")


@pytest.fixture
def lively(frozen):
    return frozen("all kinds of things", play)


def play():
    """A match that shows all kinds of things: sealed notes, corrections, due rolls, a wish to take back."""
    table = seated()
    table.german.note("hidden <script>alert(1)</script>", sealed="on")
    table.german.note("<b onclick=alert(1)>open</b>")
    table.german.roll("fo-loss", die="4", dice="table")
    table.german.roll("fo-loss", die="5", dice="table", corrects=table.german.last.number)
    units = '[{"kind":"squad","name":"<i style=x>","tq":6},{"kind":"leader","tq":8}]'
    table.german.roll("fire", ff="8", die="34", units=units, dice="table")
    table.german.roll("fo-loss", dice="app")
    table.german.do("take-back/")
    return table


# The policy


@pytest.mark.django_db
@pytest.mark.parametrize("address", OUTSIDE)
def test_every_page_carries_the_policy_and_nothing_that_it_blocks(client, address):
    response = client.get(address)
    assert set(response["Content-Security-Policy"].split("; ")) == POLICY
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["X-Frame-Options"] == "DENY"
    assert response["Referrer-Policy"] == "same-origin"
    if is_html(response):
        assert flaws(response) == []


def test_every_page_and_fragment_of_a_match_carries_it_too(lively):
    for player in (lively.german, lively.russian, lively.observer):
        for place in INSIDE:
            for htmx in (False, True):
                response = player.get(place, htmx)
                if response.status_code == 204:  # nothing to load, send or frame
                    continue
                assert set(response["Content-Security-Policy"].split("; ")) == POLICY
                if is_html(response):
                    assert flaws(response) == [], place


def test_results_errors_and_refusals_hold_nothing_inline(lively):
    for slug, values in SAMPLES.items():
        assert flaws(lively.german.client.post(page_of(slug), {**values, "dice": "table"})) == []
        assert flaws(lively.german.roll(slug, True, version=1, **values)) == []
        assert flaws(lively.german.roll(slug, True, dice="table", die="999", tq="99", after="0")) == []
    assert flaws(lively.german.issue("observer")) == []
    assert flaws(lively.german.note("x", act="")) == []


def test_the_page_for_our_own_mistakes_is_whole_and_plain(monkeypatch):
    def broken():
        raise RuntimeError("secret detail")

    monkeypatch.setattr("firefight.assistant.views.registry.games", broken)
    client = Client(raise_request_exception=False)
    response = client.get("/assist/")
    assert response.status_code == 500
    assert "Something broke on our side" in words_of(response)
    assert "secret detail" not in text_of(response)
    assert flaws(response) == []
    assert "Content-Security-Policy" in response


def test_what_players_type_is_shown_and_never_run(lively):
    page = text_of(lively.german.get())
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<script>alert" not in page
    assert "<b onclick" not in page
    assert "<i style" not in page


def test_every_template_keeps_scripts_and_styles_in_files():
    for path in (settings.BASE_DIR / "templates").rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\sstyle=|\son\w+=|<style|javascript:|\|safe|autoescape off", text), path.name
        assert not re.search(r"<script(?![^>]*\bsrc=)", text), path.name


# Forged requests


def test_a_post_without_its_token_is_refused_and_changes_nothing(lively):
    strict = Player(lively.german.match_id, enforce_csrf_checks=True)
    strict.client.cookies = lively.german.client.cookies
    before = rows()
    for place in ACTS:
        response = strict.do(place, text="hi", dice="app", sure="on", step="all", side="german", pin="4711")
        assert response.status_code == 403, place
        assert "The form was too old, or came from another site." in words_of(response)
    for address in ("/match/new/", "/claim/", "/dice/", "/theme/", page_of("fire"), f"{page_of('fire')}odds/"):
        assert strict.client.post(address, {"game": GAME, "side": "german"}).status_code == 403, address
    assert rows() == before


def test_a_token_of_another_browser_is_refused(lively):
    strict = Player(lively.german.match_id, enforce_csrf_checks=True)
    strict.client.cookies = lively.german.client.cookies
    foreign = hidden_in(Client().get(page_of("fire")), "csrfmiddlewaretoken")
    before = rows()
    for token in (foreign, "", "x" * 64):
        assert strict.note("hi", csrfmiddlewaretoken=token).status_code == 403
    assert rows() == before


def test_every_form_of_a_page_has_its_token(lively):
    pages = [lively.german.get(place) for place in INSIDE] + [lively.russian.get(), lively.german.client.get("/dice/")]
    pages += [lively.german.client.get(address) for address in OUTSIDE]
    for page in pages:
        if is_html(page):
            for form in find(text_of(page), "form[method=post]"):
                assert form.css_first("input[name=csrfmiddlewaretoken]"), form.html[:200]


def test_the_forms_of_a_page_work_with_their_token(lively):
    strict = Player(lively.german.match_id, enforce_csrf_checks=True)
    strict.client.cookies = lively.german.client.cookies
    page = strict.get("roll/fo-loss/")
    token = hidden_in(page, "csrfmiddlewaretoken")
    number = strict.match.last_number
    assert strict.note("hi", csrfmiddlewaretoken=token).status_code == 302
    assert strict.match.last_number == number + 1


# Cookies and tokens


@pytest.mark.django_db
def test_cookies_are_kept_from_scripts_and_other_sites():
    maker = Player()
    maker.client.get("/match/new/")
    maker.client.post("/match/new/", {"game": GAME, "side": "german"})
    maker.client.post("/theme/", {"theme": "light"})
    cookies = maker.client.cookies
    assert cookies[settings.SESSION_COOKIE_NAME]["httponly"]
    assert cookies["theme"]["httponly"]
    assert {cookies[name]["samesite"] for name in cookies} == {"Lax"}


@pytest.mark.django_db
def test_no_token_stays_in_an_address_a_row_or_a_later_page():
    maker, links = begin()
    russian = sit(links["russian"], maker.match_id)
    token = links["russian"].split("/")[2]
    assert token not in str(rows())
    pages = [maker.get(place) for place in INSIDE] + [russian.get(place) for place in INSIDE]
    for page in pages:
        assert token not in text_of(page) + str(page.headers)


def test_a_visit_alone_sets_no_session(client):
    for address in ("/", f"/assist/{GAME}/", page_of("fire"), json_of("fire")):
        assert settings.SESSION_COOKIE_NAME not in client.get(address).cookies


# Redirects


@pytest.mark.parametrize(
    "back",
    [
        "//evil.example/",
        "https://evil.example/",
        "/\\evil.example/",
        "\\\\evil.example",
        "/\t/evil.example/",
        "/\n/evil.example/",
        "/\r\n/evil.example",
        "javascript:alert(1)",
        "///evil.example",
        "//[",
        "/\t/[",
        "http:evil.example",
        "x" * 100_000,
        "\0",
    ],
)
def test_the_theme_button_leads_back_to_this_site_only(client, back):
    response = client.post("/theme/", {"theme": "light", "back": back})
    assert response.status_code == 302
    assert response["Location"] == "/"


def test_the_theme_button_leads_back_to_its_page_and_is_remembered(client):
    response = client.post("/theme/", {"theme": "light", "back": f"/assist/{GAME}/"})
    assert response["Location"] == f"/assist/{GAME}/"
    assert 'data-theme="light"' in text_of(client.get("/"))
    client.post("/theme/", {"theme": "nonsense"})
    assert 'data-theme="dark"' in text_of(client.get("/"))


def test_a_forged_theme_cookie_is_not_printed(client):
    client.cookies["theme"] = '"><script>'
    page = text_of(client.get("/"))
    assert 'data-theme=""' in page and "<script>" not in page


# Methods, hosts, sizes


def test_acts_are_posted_and_pages_are_read(table):
    before = rows()
    for place in ACTS:
        if place not in ("cover/", "roll/fo-loss/"):
            assert table.german.get(place).status_code == 405, place
    for place in ("", "log/", "log.json", "dice/", "seats/", "live/"):
        assert table.german.do(place).status_code == 405, place
        for method in ("put", "patch", "delete"):
            assert getattr(table.german.client, method)(f"/match/{table.german.match_id}/{place}").status_code == 405
    for address in ("/", "/assist/", f"/assist/{GAME}/", json_of("fire"), "/seat/x/"):
        assert table.german.client.post(address).status_code == 405, address
    for address in ("/theme/", f"{page_of('fire')}odds/"):
        assert table.german.client.get(address).status_code == 405, address
    assert rows() == before


def test_an_unknown_host_is_refused(client):
    assert client.get("/", headers={"Host": "evil.example"}, SERVER_NAME="evil.example").status_code == 400


@pytest.fixture
def server_log(monkeypatch):
    """What the server's own log is written to."""
    [console] = [handler for handler in logging.getLogger().handlers if type(handler) is logging.StreamHandler]
    written = StringIO()
    monkeypatch.setattr(console, "stream", written)  # setStream would flush one that an earlier test has closed
    return written


@pytest.mark.parametrize("host", ["evil.example", "x" * 5_000 + ".example", "a:b:c", "a b " * 900])
def test_an_unknown_host_leaves_one_line(client, server_log, host):
    assert client.get("/", headers={"Host": host}).status_code == 400
    [line] = server_log.getvalue().splitlines()
    assert "Invalid HTTP_HOST header" in line and len(line) < 400


@pytest.mark.django_db
def test_a_post_that_is_too_large_leaves_no_traceback(table, server_log):
    table.german.note("x" * 1_100_000)
    lines = server_log.getvalue().splitlines()
    assert 1 <= len(lines) <= 2 and "RequestDataTooBig" in lines[0]


@pytest.mark.django_db
def test_a_post_that_is_too_large_is_refused_plainly(table):
    before = rows()
    response = table.german.note("x" * 1_100_000)
    assert response.status_code == 400
    assert "That could not be read" in words_of(response)
    fields = {f"field{number}": "x" for number in range(2_200)}
    assert table.german.do("advance/", **fields).status_code == 400
    assert rows() == before


@pytest.mark.django_db
def test_ids_and_secrets_of_matches_cannot_be_guessed():
    for number in range(3):
        begin(name=str(number))
    matches = Match.objects.all()
    assert len({match.pk for match in matches}) == len({match.seed for match in matches}) == 3
    assert all(len(bytes.fromhex(match.seed)) == 32 and re.fullmatch("[0-9a-f]{12}", match.pk) for match in matches)
    hashes = set(Seat.objects.exclude(token_hash="").values_list("token_hash", flat=True))
    assert len(hashes) == 9


# What a stranger learns of matches

FILLED_IN = {"slug": "fire", "number": "1", "row": "x", "field": "missions", "side": "german", "name": "map"} | {
    "digest": "0" * 16,
    "form": "light",
}


def of_a_match(match_id):
    """Every address of a match and of a campaign, with something in each gap."""
    for route in sorted(set(list_routes())):
        if "<slug:match_id>" in route:
            filled = re.sub(r"<\w+:(\w+)>", lambda gap: {"match_id": match_id, **FILLED_IN}[gap[1]], route)
            yield f"/{filled}"


@pytest.mark.django_db
@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}, {"Accept": "application/json"}], ids=str)
def test_a_stranger_cannot_tell_which_matches_there_are(headers):
    maker, _ = begin()
    unknown = "0123456789ab"
    stranger = Client(headers=headers)
    addresses = list(zip(of_a_match(maker.match_id), of_a_match(unknown), strict=True))
    assert len(addresses) > 60
    for real, nowhere in addresses:
        for ask in (stranger.get, stranger.post):
            known, other = (tell_answer(ask(address), address.split("/")[2]) for address in (real, nowhere))
            assert known == other, (real, ask)


def tell_answer(answer, match_id):
    """An answer without what each has of its own."""
    text = re.sub(r'csrf[^>]*value="[^"]*"', "", text_of(answer).replace(match_id, "ID"))
    return answer.status_code, sorted(answer.headers), text
