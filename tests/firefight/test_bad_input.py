"""Garbage at every address that takes a POST: a refusal in words, never a 500, never a changed row."""

import json
import uuid

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as thorough
from hypothesis import strategies as st

from firefight.games import registry
from firefight.models import LogEntry, Match
from tests.firefight.players import GAME, SAMPLES, begin, page_of, rows, seated, text_of, words_of
from tests.routes import list_places
from tests.soak import length, some

pytestmark = pytest.mark.django_db

DEEP = "[" * 3_000 + "]" * 3_000
DEEP_OBJECT = '{"a":' * 300 + "1" + "}" * 300
NUMBERS = [
    "-1",
    "0",
    "9" * 9,
    "9" * 10,
    "2147483648",
    "9" * 30,
    "9" * 5_000,
    "1e9",
    "0x10",
    "1_0",
    "٣",
    "²",
    "７",
    "NaN",
]
TEXTS = [
    "",
    " ",
    "\0",
    "a\0b",
    "\x07",
    "\u202e",
    "👻",
    "x" * 10_000,
    "'; DROP TABLE match; --",
    "<script>",
    "%s",
    "{{ 1 }}",
]
JSONS = [
    DEEP,
    DEEP_OBJECT,
    "{",
    "[]",
    "{}",
    "null",
    "true",
    '"text"',
    "[1]",
    "[[]]",
    "[null]",
    '{"a":NaN}',
    '{"a":1e999}',
]
JSONS += ['{"a":"\\u0000"}', '{"a":"\\ud800"}', '{"\\ud800":1}', '[{"kind":{}}]', '[{"kind":"squad","name":"\\u0000"}]']
JSONS += [
    '[{"kind":"squad","name":"\\udfff"}]',
    '[{"kind":"squad","tq":[]}]',
    '[{"ccv":true}]',
    '{"units":5}',
    "[" + "{}," * 999 + "{}]",
]
JSONS += [
    '{"units":[{"kind":"squad","name":{"a":[]}}]}',
    '{"tq":{"a":1}}',
    '{"device":["radio"]}',
    '{"units":' + DEEP + "}",
]
GARBAGE = [*NUMBERS, *TEXTS, *JSONS]

PLACES = (
    "advance/",
    "record/",
    "sit/",
    "drop/",
    "note/",
    "over/",
    "reveal/",
    "take-back/",
    "back/",
    "answer/",
    "end/",
    "delete/",
    "pin/",
    "seats/issue/",
    "seats/put-out/",
    "seats/lost/",
    "seats/here/",
    "seats/network/",
    "lift/",
    "charts/",
    "due/",
    "proposed/",
    "option/",
    "rows/",
    "counters/",
    "counters/add/",
    "counters/undo/",
    "counters/value/",
    "counters/pips/",
    "counters/sheets/",
    "content/",
    "step/",
    "lead/",
    "melee/",
    "lesson/",
    "photos/",
    "report/share/",
    "calls/",
    "files/",
)
NAMES = (
    "act",
    "version",
    "after",
    "step",
    "text",
    "about",
    "sealed",
    "number",
    "agreed",
    "button",
    "agrees",
    "apply",
    "leave",
    "option",
    "choice",
    "sure",
    "pin",
    "side",
    "odd",
)
DESK = (
    "carry",
    "queue",
    "units",
    "attack",
    "defense",
    "modifiers",
    "chained",
    "more",
    "dice",
    "die",
    "die_1",
    "second_die",
)
DESK += (
    "step",
    "corrects",
    "act",
    "version",
    "after",
    "units-new-kind",
    "units-new-tq",
    "units-new-modifiers",
    "aim",
    "firers",
    "targets",
    "shows",
    "odd",
)


def unchanged(before, response, address):
    assert response.status_code < 500, address
    assert rows() == before, address


def play_a_little():
    """A match with a due roll, a sealed note and a wish of the other side."""
    table = seated()
    table.german.note("sealed", sealed="on")
    table.german.roll("fo-loss", die="4", dice="table")
    table.german.roll("fire", ff="8", die="34", units='[{"kind":"squad","tq":6}]', dice="table")
    table.russian.do("take-back/")
    return table.german


@pytest.fixture
def german(frozen):
    """Looks at such a match."""
    return frozen("a wish, a due roll and a sealed note", play_a_little)


ROWS = ("rows/<slug:field>/", "rows/<slug:field>/<path:row>/")  # pages of forms that are posted to rows/


def test_every_address_that_takes_a_post_is_tried_here():
    read = {
        "",
        "live/",
        "hands/",
        "log/",
        "log.json",
        "dice/",
        "seats/",
        "record.json",
        "log/<int:number>/",
        "log/all/<int:number>/",
    }
    read |= {f"{name}.json" for name in ("counters", "missions", "aircraft", "sets", "ground")} | {"hand/", "table/"}
    read |= {
        "file/",
        "archive.json",
        "now.json",
        "report/",
        "report/all/",
        "step.json",
        "board/",
        "board/<slug:digest>.svg",
        "board/<slug:digest>.css",
        "content/<slug:slug>.txt",
        "report.md",
        "report.pdf",
        "pack/",
        "pack.pdf",
        "honours/",
        "photos/<int:number>.jpg",
    }
    assert list_places() - read == {*PLACES, "branch/", "cover/", "roll/<slug:slug>/", "roll/<slug:slug>/odds/", *ROWS}


@pytest.mark.soak
@pytest.mark.parametrize("place", PLACES)
def test_an_act_of_nothing_but_garbage_changes_nothing(german, place):
    """A slice sends half of what a soak does, the places in turn one half and the other."""
    before = rows()
    for number in some(range(PLACES.index(place) % 2 * 5, len(GARBAGE), 5), 2):
        turned = GARBAGE[number:] + GARBAGE[:number]
        fields = dict(zip(NAMES, turned, strict=False)) | ({"pin": "x"} if place == "pin/" else {})
        unchanged(before, german.send(place, fields, htmx=True), (place, number))


@pytest.mark.parametrize(
    ("place", "name"),
    [
        *(
            (place, name)
            for place in ("advance/", "take-back/", "drop/", "answer/", "end/")
            for name in ("act", "version")
        ),
        *[("note/", "act"), ("note/", "about"), ("reveal/", "number"), ("answer/", "agrees"), ("end/", "sure")],
        *[
            ("drop/", "step"),
            ("seats/issue/", "side"),
            ("seats/put-out/", "device"),
            ("seats/lost/", "side"),
            ("seats/lost/", "do"),
            ("lift/", "side"),
            ("roll/fo-loss/", "act"),
            ("roll/fo-loss/", "die"),
        ],
        *[("roll/fo-loss/", "version"), ("roll/fo-loss/", "step"), ("roll/fo-loss/", "corrects"), ("note/", "text")],
    ],
)
def test_one_field_of_garbage_in_a_good_act_changes_nothing(german, place, name):
    good = {"sure": "on", "agrees": "yes", "step": "all", "text": "", "die": "4", "dice": "table", "number": "5"}
    if place.startswith("roll"):
        del good["step"]
    if place == "note/" and name != "text":
        good["text"] = "hello"
    before = rows()
    for value in GARBAGE[len(place + name) % 4 :: 4]:
        fields = {"act": str(uuid.uuid4()), "version": str(german.match.version), "after": "0", **good, name: value}
        if value in ("", " ", "0") or name == "text" and is_a_note(value):
            continue
        if name == "corrects" and not (value.isascii() and value.isdigit() and len(value) < 10):
            continue  # no number: no correction, but a roll
        unchanged(before, german.send(place, fields, htmx=True), (place, name, value[:20]))


def is_a_note(value):
    return len(value) <= 500 and not any(character < " " or character == "\x7f" for character in value)


def test_garbage_in_a_note_is_refused_or_kept_word_for_word(german):
    for value in [*TEXTS, *NUMBERS]:
        before, number = rows(), german.match.last_number
        response = german.note(value)
        if response.status_code == 302:
            assert german.match.last_number == number + 1
            assert german.last.sentence == " ".join(value.split())
            assert german.get().status_code == 200
        else:
            assert response.status_code == 422
            unchanged(before, response, value[:20])


@pytest.mark.soak
@pytest.mark.parametrize("slug", SAMPLES)
def test_garbage_beside_a_roll_never_breaks_it(german, slug):
    """What every desk has is read alike for all helpers: of that a slice tries a third with each, in turn."""
    helper = registry.helpers(GAME)[slug]
    before, turn = rows(), [*SAMPLES].index(slug) % 3
    for number, name in enumerate(sorted({*helper.form.base_fields, *some(DESK[turn:] + DESK[:turn], 3)})):
        step = 8 if name == "units" else 12 if name == "carry" else 60
        for value in some(GARBAGE[number % step :: step], 4):
            response = german.roll(slug, htmx=True, **{**SAMPLES[slug], "dice": "table", name: value})
            assert response.status_code < 500, (name, value[:20])
            if response.status_code >= 400:
                unchanged(before, response, (name, value[:20]))
            else:
                before = rows()
    assert german.get().status_code == 200
    assert json.loads(text_of(german.get("log.json")))


@pytest.mark.soak
@pytest.mark.parametrize("slug", ["contact", "fire", "who-is-hit", "close-combat", "casualties"])
def test_garbage_in_a_chain_of_the_assistant_never_breaks_it(client, slug):
    for number, name in enumerate(("carry", "queue", "units", "attack", "chained", "more", "die", "aim")):
        for value in some(GARBAGE[number % 6 :: 6], 6):
            fields = {**SAMPLES[slug], "dice": "table", name: value}
            response = client.post(page_of(slug), fields, headers={"HX-Request": "true"})
            assert response.status_code in (200, 422), (name, value[:20])
            if response.status_code == 422:
                assert any(mark in text_of(response) for mark in ('role="alert"', 'class="error"'))
            if name in ("carry", "units", "more"):
                response = client.post(f"{page_of(slug)}odds/", fields, headers={"HX-Request": "true"})
                assert response.status_code == 200, (name, value[:20])


def test_a_queue_that_names_no_helper_is_not_followed(client):
    queue = json.dumps([{"helper": "nothing", "title": "x", "inputs": {}}])
    response = client.post(page_of("morale"), {**SAMPLES["morale"], "dice": "table", "queue": queue})
    assert response.status_code == 404


def test_garbage_carried_into_a_match_does_not_stop_it(german):
    for carry in JSONS:
        german.roll("contact", die="5", dice="table", device="radio", carry=carry)
        assert german.get().status_code == 200, carry[:20]
    assert german.do("take-back/").status_code == 302
    assert german.do("drop/", step="all").status_code == 302


@pytest.mark.parametrize("address", ["/match/new/", "/claim/", "/dice/", "/theme/"])
def test_garbage_outside_of_matches_is_answered_in_words(german, address):
    before = rows()
    for number, name in enumerate(("game", "name", "side", "hot_seat", "text", "theme", "back", "file")):
        for value in GARBAGE[number % 6 :: 6]:
            fields = {"game": GAME, "side": "nobody", name: value}
            unchanged(before, german.client.post(address, fields), (address, name, value[:20]))


def test_garbage_in_the_name_of_a_match_is_refused_or_kept(client):
    for value in TEXTS:
        number = Match.objects.count()
        response = client.post("/match/new/", {"game": GAME, "side": "german", "hot_seat": "on", "name": value})
        assert response.status_code in (302, 422)
        assert Match.objects.count() - number == (response.status_code == 302)


FORM = "application/x-www-form-urlencoded"
BODIES = (
    (FORM, b"\xff\xfe=\xff&text=\xed\xa0\x80&tq=\xff"),
    (FORM, b"%ED%A0%80=%00&tq=%FF%FE&version=%00"),
    (FORM, b"&&&==="),
    (FORM, b"\0"),
    ("application/json", b"{}"),
    ("multipart/form-data", b"--x"),
)


@pytest.mark.soak
def test_bytes_that_are_no_text_are_answered(german):
    """A slice sends each place two of these bodies, its neighbours two others; a soak sends all."""
    before = rows()
    for number, place in enumerate((*PLACES, "roll/morale/")):
        for kind, body in some(BODIES[number % 3 :] + BODIES[: number % 3], 3):
            response = german.client.post(f"/match/{german.match_id}/{place}", body, content_type=kind)
            unchanged(before, response, (place, body))


@pytest.mark.parametrize("value", ["²", "٣", "-1", "9" * 30, "\0", "x", "1.5", " "])
def test_odd_numbers_in_addresses_are_answered(german, value):
    for place, name in (("log/", "before"), ("live/", "version"), ("live/", "after"), ("roll/fo-loss/", "again")):
        assert german.get(place, **{name: value}).status_code == 200
    assert german.get("roll/fo-loss/", corrects=value).status_code in (200, 404)
    refused = german.get("roll/morale/", step=value)
    assert refused.status_code == 403
    assert "This roll is no longer due" in words_of(refused)


def test_odd_addresses_are_not_found(german):
    for number in ("0", "²", "-1", "9" * 30, "1.5"):
        assert german.get(f"log/{number}/").status_code == 404, number
    for address in ("/match/%00/", "/match/²/", "/assist/%00/", "/match//", "/seat//", "/match/x/roll/%FF/", "/%FF"):
        assert german.client.get(address).status_code == 404, address


@pytest.mark.soak
def test_no_mixture_of_fields_breaks_an_act():
    german, _ = begin(hot_seat=True)
    german.roll("fire", ff="8", die="34", units='[{"kind":"squad","tq":6}]', dice="table")
    texts = st.sampled_from(GARBAGE) | st.text(max_size=20)
    places = st.sampled_from([*PLACES, "roll/fire/", "roll/contact/", "roll/who-is-hit/", "roll/fire/odds/"])
    fields = st.dictionaries(st.sampled_from([*NAMES, *DESK, "ff", "result"]), texts, max_size=8)

    @thorough(max_examples=length(30, 2000), suppress_health_check=list(HealthCheck))
    @given(places, fields, st.booleans())
    def check(place, given_fields, htmx):
        good = {"act": str(uuid.uuid4()), "version": str(german.match.version), "after": "0"}
        before, number = rows(), german.match.last_number
        response = german.send(place, {**good, **given_fields}, htmx)
        assert response.status_code < 500
        if response.status_code >= 400:
            assert rows() == before
        lift = german.send("lift/", {"side": "german"})
        assert lift.status_code in (302, 403)
        numbers = LogEntry.objects.filter(match=german.match_id).count()
        assert numbers == german.match.last_number >= number

    check()
