"""A script plays: over HTTP alone, with the link of a seat and nothing else, as docs/json.md tells it to.

It asks a server that checks tokens and cookies, and reads what it is told: no page, no row of the database.
"""

import json
import uuid
from http.cookiejar import CookieJar
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, Request, build_opener

import pytest

from firefight.models import LogEntry
from tests.firefight import players
from tests.firefight.players import text_of

pytestmark = pytest.mark.django_db(transaction=True)


class Script:
    """Another program at a seat. ``seen``: what it was told last of how the match stands."""

    def __init__(self, server, link):
        self.server, self.opener = server, build_opener(HTTPCookieProcessor(CookieJar()))
        self.seen, self.status = {}, 0
        self.token = self.ask(link)["token"]  # which leads on to /claim/
        self.match = self.ask("/claim/", {})["match"]
        self.look()

    def ask(self, path, fields=None):
        """Get an address, or post to it; returns the JSON of the answer."""
        sent = None if fields is None else urlencode({"csrfmiddlewaretoken": self.token, **fields}, doseq=True).encode()
        request = Request(self.server + path, sent, {"Accept": "application/json"})
        try:
            answer = self.opener.open(request)
        except HTTPError as error:
            answer = error
        self.status = answer.status
        return json.loads(answer.read())

    def look(self, after=0):
        """How the match stands, with the lines after a number."""
        self.seen = self.ask(f"/match/{self.match}/now.json?after={after}")
        self.token = self.seen["token"]
        return self.seen

    def list(self, name):
        """counters, missions …, by id."""
        return {row["id"]: row for row in self.ask(f"/match/{self.match}/{name}.json")}

    def do(self, place, /, **fields):
        """Act, with a fresh act id and the version that was seen last."""
        stamp = {"act": str(uuid.uuid4()), "version": self.seen["version"]}
        answer = self.ask(f"/match/{self.match}/{place}", {**stamp, **fields})
        self.seen = answer if "version" in answer else self.seen
        return answer


@pytest.fixture
def seat(live_server):
    """A match, with the link of its Russian seat; the German's browser has made it."""
    maker, links = players.begin("german")
    return live_server.url, links["russian"], maker


@pytest.fixture
def both(seat):
    """A script at each seat; the German's has come by its way back. Squads of both, and a Russian battery."""
    server, link, maker = seat
    russian, german = Script(server, link), Script(server, players.way_back_in(maker.issue("german")))
    russian.look()
    russian.do("counters/add/", list="Russian: 2 Rifle squad\nGerman: 3 Grenadier squad")
    russian.do("counters/", id=["russian-1", "russian-2"], place="K9")
    russian.do("rows/", **{"field": "missions", "part-caliber": "122", "part-name": "Regiment"})
    german.look()
    german.do("counters/", id=["german-1", "german-2", "german-3"], place="K7")
    russian.look()
    return {"russian": russian, "german": german}


def resolve_due(both, first):
    """Answer whatever is due until nothing is, each side what is its own; returns the lines."""
    lines, last = [], first
    while last.seen["due"]:
        step = last.seen["due"][0]
        reader = both[step["by"] or first.seen["side"]]
        reader.look()
        answer = reader.do(f"roll/{step['helper']}/", step=step["step"], dice="app")
        assert reader.status == 200, answer
        lines, last = lines + answer["lines"], reader
    return lines


def test_scripts_play_a_fire_mission_from_contact_to_the_last_morale_check(both):
    russian = both["russian"]
    [battery] = russian.list("missions")
    lines = []
    for _ in range(20):  # the dice of a test fall alike: some Contact comes through
        answer = russian.do("roll/contact/", mission=battery, aim="K7", dice="app", device="phone")
        assert russian.status == 200, answer
        assert answer["act"] == russian.seen["version"] and answer["lines"][0]["helper"] == "contact"
        assert {line["act"] for line in answer["lines"]} == {answer["act"]}
        lines += answer["lines"] + resolve_due(both, russian)
        if {line.get("helper") for line in lines} >= {"contact", "accuracy", "firepower"}:
            break
        for script in both.values():
            script.look()
        russian.do("record/", field="turn", value=str(1 + russian.seen["place"]["turn"] % 7))
    assert {line.get("helper") for line in lines} >= {"contact", "accuracy", "firepower"}
    answer = both["german"].look()
    assert not answer["due"] and {line["number"] for line in answer["lines"]} >= {lines[-1]["number"]}


def test_scripts_fire_and_check_morale_each_for_its_own_side(both):
    russian, german = both["russian"], both["german"]
    answer = russian.do("roll/fire/", firers=["russian-1"], targets=["german-1", "german-2"], range="2", die="15")
    assert russian.status == 200, answer
    assert answer["lines"][0]["inputs"]["firers"] == ["russian-1"]
    steps = answer["due"]
    assert steps and all(step["dice"] and step["title"] and step["inputs"] for step in steps)
    lines = resolve_due(both, russian)
    assert {line["step"] for line in lines if "step" in line} >= {steps[0]["step"]}
    hurt = {id for line in lines for id in line.get("inputs", {}).get("counters", {})}
    now = german.list("counters")
    assert hurt and all(now[id]["state"] or now[id]["fate"] for id in hurt)
    assert german.look()["version"] == russian.look()["version"]


def test_what_is_refused_is_told_as_json_whatever_refuses_it(seat):
    server, link, maker = seat
    script = Script(server, link)
    script.do("counters/add/", list="Russian: Rifle squad\nGerman: Grenadier squad")
    known = script.seen["version"]
    shot = {"firers": ["russian-1"], "targets": ["german-1"], "range": "2"}
    # A die is missing: which one is said.
    answer = script.do("roll/fire/", **shot)
    assert (script.status, answer["needs"]) == (422, ["die"]) and answer["error"] and answer["version"] == known
    # A slip in a field, and in a die: by the field.
    answer = script.do("roll/fire/", **shot, die="101")
    assert script.status == 422 and answer["errors"]["die"]
    answer = script.do("roll/fire/", ff="many", die="5")
    assert script.status == 422 and answer["errors"]["ff"]
    # Counters that cannot be named.
    answer = script.do("roll/fire/", firers=["german-1"], targets=["russian-1"], range="2", die="5")
    assert script.status == 422 and "choose your own counters" in answer["error"]
    # An older version, an unknown step, nothing proposed, no such line, no such place, nothing that is there.
    answer = script.do("note/", text="late", version="1")
    assert script.status == 200  # a note may come late
    answer = script.do("advance/", version="1")
    assert (script.status, answer["version"]) == (409, known + 1) and "has moved on" in answer["error"]
    answer = script.do("drop/", step="77-0")
    assert script.status == 403 and "no longer due" in answer["error"]
    assert "Nothing is proposed" in script.do("answer/", agrees="yes")["error"]
    assert script.do("counters/undo/", number="9999")["error"] and script.status == 403
    assert script.do("counters/", id="russian-1", place="Z99")["error"] and script.status == 422
    assert script.do("roll/nothing/")["error"] and script.status == 404
    assert script.ask(f"/match/{script.match}/drop/")["error"] and script.status == 405
    script.token = "none"
    assert "token" in script.do("note/", text="?")["error"] and script.status == 403
    assert maker.match.version == known + 1


def test_a_program_without_a_seat_or_with_a_link_that_was_used_is_told_so(seat):
    server, link, maker = seat
    script = Script(server, link)
    other = Script.__new__(Script)
    other.server, other.opener, other.token = server, build_opener(HTTPCookieProcessor(CookieJar())), ""
    assert "no seat" in other.ask(f"/match/{script.match}/now.json")["error"] and other.status == 403
    assert "opens no seat" in other.ask(link)["error"] and other.status == 403


def test_a_script_that_comes_back_by_its_own_link_gets_the_next_one(seat):
    server, link, maker = seat
    way_back = players.way_back_in(maker.issue("german"))
    script = Script.__new__(Script)
    script.server, script.opener = server, build_opener(HTTPCookieProcessor(CookieJar()))
    script.token = script.ask(way_back)["token"]
    answer = script.ask("/claim/", {})
    assert (answer["match"], answer["side"]) == (maker.match_id, "german") and "/seat/" in answer["way_back"]


def test_browsers_get_pages_as_ever(seat):
    _, _, maker = seat
    answer = maker.client.get(f"/match/{maker.match_id}/nothing/", headers={"Accept": "text/html,*/*"})
    assert answer.status_code == 404 and "<html" in text_of(answer)
    assert LogEntry.objects.filter(match=maker.match_id).exists()
