"""What another program asks for and sends of counters, missions and ground: badly, without a seat, of the other side.

It gets a refusal in words, and nothing changes. The other side's hidden ids are answered like those of nothing.
"""

import json
from types import SimpleNamespace

import pytest

from tests import pages
from tests.firefight.players import Player, begin, rows, sit, text_of, words_of

pytestmark = pytest.mark.django_db

LISTS = ("counters", "missions", "ground")
HIDDEN, NOBODY = "russian-3", "russian-77"  # as long as each other, so that answers differ in them alone
PLOT, NO_PLOT = "russian-2", "russian-9"
MINES, NO_MINES = "russian:Q5", "russian:Q6"


def lay_table():
    """Both sides and an observer: a German in K7, Russians in K9, the third hidden; an open and a sealed Russian row
    of each kind; and somebody without a seat."""
    german, links = begin()
    russian, observer = (sit(links[seat], german.match_id) for seat in ("russian", "observer"))
    german.do("counters/add/", list="German: 2 Panzergrenadier squads\nRussian: 3 Rifle squads")
    german.do("counters/", id=["german-1", "german-2"], place="K7")
    russian.do("counters/", id=["russian-1", "russian-2", HIDDEN], place="K9")
    russian.do("counters/", id=HIDDEN, becomes="hidden")
    battery = {"field": "missions", "part-caliber": "122"}
    russian.do("rows/", **battery)
    sealed = {"part-plotted": "yes", "part-plot": "K7, L8", "part-plot_turn": "2", "part-known_to": "russian"}
    russian.do("rows/", **battery, **sealed)
    russian.do("rows/", field="ground", **{"part-hex": "C5", "part-note": "rubble"})
    russian.do("rows/", field="ground", **{"part-hex": "Q5", "part-note": "mines", "part-known_to": "russian"})
    return SimpleNamespace(german=german, russian=russian, observer=observer, stranger=Player(german.match_id))


@pytest.fixture
def laid(frozen):
    return frozen("programs", lay_table)


def listed(player, name):
    return [row["id"] for row in player.get(f"{name}.json").json()]


def test_an_observer_is_told_what_all_know_and_who_has_no_seat_nothing(laid):
    for name, secret in zip(LISTS, (HIDDEN, PLOT, MINES), strict=True):
        assert secret in listed(laid.russian, name)
        everybody = [row for row in listed(laid.russian, name) if row != secret]
        assert everybody and listed(laid.german, name) == everybody == listed(laid.observer, name)
        for query in ({}, {"as": "russian"}, {"side": "russian", "sides": "all"}, {"id": [secret] * 40}):
            answers = [text_of(player.get(f"{name}.json", **query)) for player in (laid.german, laid.observer)]
            assert not any(f'"{secret}"' in answer for answer in answers)
        refused = laid.stranger.get(f"{name}.json")
        assert (refused.status_code, laid.german.do(f"{name}.json").status_code) == (403, 405)
        assert '"id"' not in text_of(refused)


def test_who_plays_no_side_sets_and_rolls_nothing(laid):
    before = rows()
    for player in (laid.observer, laid.stranger):
        assert player.roll("fire", ff="8", die="1", dice="table").status_code == 403
        for counter in ("russian-1", HIDDEN, NOBODY):
            assert player.do("counters/", id=counter, place="L9").status_code == 403
            sent = {"firers": counter, "targets": "german-1", "die": "1", "dice": "table"}
            assert player.roll("fire", **sent).status_code in (403, 422)
        for fields in ({"firers": ID, "targets": "german-1"}, {"firers": "german-1", "targets": ID}):
            sent = {**fields, "die": "1"}
            hidden, none = (ask_about(player, "roll/fire/", sent, True, id) for id in (HIDDEN, NOBODY))
            assert hidden == none
    assert rows() == before


MANY = [f"russian-{number}" for number in range(1, 10_001)]


@pytest.mark.parametrize(
    ("ids", "refusal"),
    [
        ([], "Choose the counters."),
        ([""], "Choose the counters."),
        ([NOBODY], "There is no such counter"),
        (["german-1", NOBODY], "There is no such counter"),
        (["german"], "There is no such counter"),
        (["german--1", "german-01", "GERMAN-1", "german-²"], "There is no such counter"),
        (['["german-1"]'], "There is no such counter"),
        (['{"id":"german-1"}', "null"], "There is no such counter"),
        (["german-1\0"], "At most 300 words"),
        (["x" * 5_000], "At most 300 words"),
        ([",".join(MANY)], "At most 300 words"),
        (MANY[:2_000], "At most 300 words"),
        (MANY, ""),  # more fields than any form has
    ],
)
def test_ids_that_are_none_set_nothing(laid, ids, refusal):
    before = rows()
    response = laid.german.do("counters/", htmx=True, id=ids, place="L9")
    assert (response.status_code, refusal in words_of(response)) == (422 if refusal else 400, True), words_of(response)
    assert rows() == before


@pytest.mark.parametrize(
    ("fields", "refusal"),
    [
        ({"firers": [NOBODY]}, "There is no such counter in play"),
        ({"firers": ["german-1"], "targets": ['["russian-1"]']}, "There is no such counter in play"),
        ({"firers": ["german-1"], "targets": ["russian-1,russian-2"]}, "There is no such counter in play"),
        ({"firers": ["german-1\0"], "targets": ["russian-1"]}, "There is no such counter in play"),
        ({"firers": ["russian-1"], "targets": ["russian-2"]}, "choose your own counters to fire"),
        ({"firers": ["german-1"], "targets": ["german-2"]}, "choose counters of the other side"),
        ({"firers": ["german-1"], "targets": MANY[:2_000]}, "At most 60"),
        ({"firers": MANY[:61], "targets": ["russian-1"]}, "At most 60"),
        ({"firers": ["german-1"], "targets": MANY}, ""),
    ],
)
def test_a_roll_that_names_what_it_cannot_is_not_made(laid, fields, refusal):
    before = rows()
    for place in ("roll/fire/", "roll/fire/odds/"):
        response = laid.german.do(place, htmx=True, **fields, die="20", dice="table")
        assert response.status_code == (422 if refusal else 400) or place.endswith("odds/"), words_of(response)
        assert response.status_code < 500 and rows() == before
        assert refusal in words_of(response) or place.endswith("odds/")
    assert laid.german.get("roll/fire/", **fields).status_code in (200, 400)


# What a German may send of a Russian counter: where, and with which fields; ID stands for the counter's.
ID = "ID"
SENT = [
    ("counters/", {"id": ID, "place": "L9"}),
    ("counters/", {"id": ["german-1", ID], "state": "pinned"}),
    ("counters/", {"id": ID, "fate": "eliminated"}),
    ("counters/", {"id": ID, "hidden": "off"}),
    ("counters/", {"id": ID, "note": "seen"}),
    ("counters/", {"id": ID, "becomes": "no such word"}),
    ("counters/", {"id": "german-1", "beside": ID}),
    ("counters/", {"id": "russian-1", "beside": ID}),
    ("roll/fire/", {"firers": "german-1", "targets": ID, "die": "20"}),
    ("roll/fire/", {"firers": "german-1", "targets": ["russian-1", ID], "die": "20"}),
    ("roll/fire/", {"firers": ID, "targets": "german-1", "die": "20"}),
    ("roll/fire/", {"firers": "german-1", "targets": ID}),
    ("roll/fire/", {"ff": "8", "die": "20", "units": json.dumps([{"kind": "squad", "tq": 5, "id": ID}])}),
    ("roll/fire/odds/", {"firers": "german-1", "targets": ID}),
    ("roll/close-combat/", {"firers": "german-1", "targets": ID, "die": "20"}),
    ("roll/morale/", {"unit": "squad", "tq": "5", "die": "9", "id": ID}),
    ("roll/morale/", {"targets": ID, "die": "9"}),
    ("roll/contact/", {"targets": ID, "device": "radio", "die": "9"}),
]


def ask_about(player, place, fields, how, counter):
    """What a browser is told of one id, with that id struck out."""
    sent = {
        name: [text.replace(ID, counter) for text in value] if isinstance(value, list) else value.replace(ID, counter)
        for name, value in fields.items()
    }
    stamp = {"act": "5b3ff5a5-7f2a-4a51-a7fd-5d9c0ce0a0fb"}
    response = player.get(place, **sent) if how == "get" else player.do(place, htmx=how, **{**sent, **stamp})
    return response.status_code, pages.words(pages.read(text_of(response).replace(counter, ID)))


@pytest.mark.parametrize(("place", "fields"), SENT)
def test_a_hidden_counter_is_answered_like_none(laid, place, fields):
    before = rows()
    for how in (True, False, *(["get"] if place.startswith("roll/") and "odds" not in place else [])):
        hidden, none = (ask_about(laid.german, place, fields, how, id) for id in (HIDDEN, NOBODY))
        assert hidden == none
        assert hidden[0] < 500 and rows() == before
        if how != "get" and "odds" not in place:
            assert hidden[0] == 422, hidden


def test_a_sealed_mission_and_sealed_ground_are_answered_like_none(laid):
    pairs = {"missions": (PLOT, NO_PLOT), "ground": (MINES, NO_MINES)}
    for field, pair in pairs.items():
        changes = [{"change": {ID: {"note": "x"}}}, {"strike": [ID]}, {"change": {ID: {"known_to": ""}}}]
        tries = [("rows/", {"change": json.dumps({field: change})}, True) for change in changes]
        tries += [(f"rows/{field}/{row_id}/", {}, "get") for row_id in (ID,)]
        if field == "missions":
            tries += [("roll/contact/", {"mission": ID, "aim": "K7", "die": "20"}, how) for how in (True, "get")]
        for place, fields, how in tries:
            before = rows()
            places = [place.replace(ID, row_id) for row_id in pair]
            hidden, none = (
                ask_about(laid.german, where, fields, how, row_id) for where, row_id in zip(places, pair, strict=True)
            )
            assert hidden == none, (place, fields)
            assert hidden[0] < 500 and rows() == before, (place, fields)
