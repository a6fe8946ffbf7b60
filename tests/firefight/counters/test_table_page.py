"""The table of a match's page: who stands where, what is selected, what a roll makes of that, and what it costs."""

import gzip
import json
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders

from firefight.games import registry
from firefight.table import presenters
from tests import pages
from tests.filling import Reader
from tests.firefight.players import text_of

pytestmark = pytest.mark.django_db

MOST_FRAGMENT = 10_000


def put(player, side, listed, places=()):
    """Add counters, and place them in turn."""
    old = {counter["id"] for counter in player.get("counters.json").json()}
    assert player.do("counters/add/", side=side, list=listed).status_code == 302
    fresh = [counter["id"] for counter in player.get("counters.json").json() if counter["id"] not in old]
    for number, place in enumerate(places):
        assert player.do("counters/", id=fresh[number :: len(places)], place=place).status_code == 302
    return fresh


def test_places_come_by_letter_and_number_with_ones_own_side_first(table):
    german = table.german
    put(german, "german", "3 Grenadier squad", ["K12", "K7", "F12/1"])
    page = text_of(german.get())
    assert [page.index(f"<legend>{place}</legend>") for place in ("F12, level 1", "K7", "K12")] == sorted(
        page.index(f"<legend>{place}</legend>") for place in ("F12, level 1", "K7", "K12")
    )
    assert 'id="c-german-1"' in page and "Grenadier squad #1" in page
    assert "<legend>off map</legend>" not in page


@pytest.mark.parametrize(
    ("listed", "state", "says"),
    [
        ("Grenadier squad", "pinned", "Pinned Down: it does not move (18.2.3)."),
        ("Grenadier squad", "wia", "WIA: it does not move (18.2.4, 18.2.5)."),
        ("StuG III F", "m_killed", "M-KILLED: it does not move."),
        (
            "Grenadier squad",
            "close_combat",
            "in close combat: it stays until all of one side are Disrupted, WIA or M-KILLED (19.1.1, 19.1.5).",
        ),
        ("StuG III F", "close_combat", ""),
        ("Grenadier squad", "reduced", ""),
    ],
)
def test_a_hand_that_moves_who_cannot_move_is_told_so(table, listed, state, says):
    german = table.german
    [moved] = put(german, "german", listed, ["K7"])
    german.do("counters/", id=moved, state=state)
    german.do("counters/", id=moved, place="K8")
    assert german.match.state.counters[moved]["place"] == "K8"
    last = german.last.sentence
    assert last.partition(" #1 ")[2] == f"is {says}" if says else "moves" not in last
    german.do("counters/", id=moved, place="K8", note="here")
    assert "does not move" not in german.last.sentence and "stays until" not in german.last.sentence
    german.do("counters/", id=moved, place="")
    assert german.last.sentence == f"By hand, {listed} #1: off the map; was in K8."


def test_a_hidden_unit_is_moved_without_a_word_about_its_state(table):
    [moved] = put(table.german, "german", "Grenadier squad", ["K7"])
    table.german.do("counters/", id=moved, state="pinned", hidden="on")
    table.german.do("counters/", id=moved, place="K8")
    assert "Pinned" not in table.german.last.sentence


def ground_in(player, page=""):
    """What a page says of the ground at its places."""
    return {
        (place.attributes["data-side"], place.attributes["data-place"]): pages.words(lies)
        for place in pages.find(text_of(player.get(page)), "fieldset.place")
        if (lies := place.css_first(".ground-here"))
    }


def test_a_place_says_what_is_known_of_its_ground(table):
    german, russian = table.german, table.russian

    def newest():
        return german.match.last_number

    put(german, "german", "3 Grenadier squad", ["K7", "K7/1", "L8"])
    put(russian, "russian", "Rifle squad", ["K8"])
    news = german.do("rows/", htmx=True, after=newest(), field="ground", **{"part-hex": "K7", "part-rubble": "yes"})
    assert pages.find(text_of(news), "#table-news")  # a page that is open asks for its places anew
    expected = {("german", "K7"): "rubble", ("german", "K7, level 1"): "rubble"}
    for page in ("", "table/"):
        assert ground_in(german, page) == ground_in(russian, page) == expected
    change = {"ground": {"change": {"K7": {"modifiers": ["dug_in"]}}}}
    german.do("rows/", change=json.dumps(change))
    assert ground_in(russian) == {("german", "K7"): "Dug-In, rubble", ("german", "K7, level 1"): "rubble"}
    german.do("take-back/")
    mines = {"part-hex": "K8", "part-mines": "2", "part-known_to": "german", "part-note": "wire"}
    german.do("rows/", field="ground", **mines)
    assert ground_in(german) == expected | {("russian", "K8"): "mines, 2, wire"} and ground_in(russian) == expected
    shot = {"htmx": True, "firers": "german-3", "targets": "russian-1", "modifiers": "woods", "die": "99"}
    fought = german.roll("fire", after=newest(), **shot)
    assert pages.find(text_of(fought), "#table-news") and "Woods" in ground_in(russian)["russian", "K8"]
    again = german.roll("fire", after=newest(), **shot)
    assert again.status_code == 200 and not pages.find(text_of(again), "#table-news")


def test_a_counter_that_is_gone_stands_aside_and_comes_back_by_hand(table):
    (counter,) = put(table.german, "german", "1 Grenadier squad", ["K7"])
    table.german.do("counters/", id=counter, becomes="eliminated")
    assert "Out of play (1)" in text_of(table.german.get())
    sheet = text_of(table.german.get("hand/", chosen=counter))
    assert "Back into play" in sheet
    table.german.do("counters/", id=counter, fate="in_play")
    assert "Out of play" not in text_of(table.german.get())


def test_what_is_selected_is_shared_out_among_firers_and_targets_without_a_script(table):
    (firer,) = put(table.german, "german", "1 Grenadier squad", ["K7"])
    (target,) = put(table.russian, "russian", "1 Rifle squad", ["K9"])
    page = text_of(table.german.get("roll/fire/", chosen=[firer, target]))
    assert f'name="firers" value="{firer}"' in page and f'name="targets" value="{target}"' in page
    assert page.count(" checked") >= 2  # so that the next press sends them again
    page = text_of(table.german.get("roll/morale/", chosen=firer))
    assert f'name="targets" value="{firer}"' in page


def test_the_sheet_by_hand_offers_casualties_to_no_vehicle_and_no_marker(table):
    """A-38: the text gives them no effect on a vehicle; they had eliminated it, and mines as well."""
    tank, mines, squad = put(table.german, "german", "1 Pz III H, 1 Mine factor, 1 Grenadier squad", ["K7"])
    reader = Reader(table.german.client)
    for counter, is_offered in ((tank, False), (mines, False), (squad, True)):
        reader.open(f"/match/{table.german.match_id}/hand/?chosen={counter}")
        assert reader.has('[name=becomes][value="casualty"]') is is_offered
        assert reader.has('[name=becomes][value="eliminated"]')


def test_the_sheet_by_hand_knows_nothing_of_hidden_counters_of_the_other_side(table):
    (hidden,) = put(table.russian, "russian", "1 Rifle squad", ["K9"])
    table.russian.do("counters/", id=hidden, hidden="on")
    assert "Select counters on the table first." in text_of(table.german.get("hand/", chosen=hidden))
    assert f'id="c-{hidden}"' not in text_of(table.german.get())
    assert f'id="c-{hidden}"' in text_of(table.russian.get())


def chips_of(player, *ids):
    """The places that the sheet for these counters offers, a tap each."""
    sheet = player.get("hand/", htmx=True, chosen=ids, move="1")
    return pages.words_of_each(text_of(sheet), ".by-hand .places button")


def test_a_sheet_to_move_offers_places_in_use_and_those_around_them(table):
    first, second, third, waiting = put(table.german, "german", "4 Grenadier squad")
    assert chips_of(table.german, waiting) == []
    for counter, place in ((first, "K7"), (second, "K7/1"), (third, "L8")):
        table.german.do("counters/", id=counter, place=place)
    put(table.russian, "russian", "1 Rifle squad", ["P14"])
    # Off the map: what is in use, then the hexes beside most of one's own counters.
    chips = chips_of(table.german, waiting)
    assert chips[:3] == ["K7", "K7/1", "L8"] and "K8" in chips[3:5] and "L7" in chips[3:5]
    assert "P14" not in chips and len(chips) == len(set(chips))
    # On the map: the hexes around it come first, and where it stands is none.
    assert chips_of(table.german, third)[:6] == ["L7", "M8", "M9", "L9", "K9", "K8"]
    assert "L8" not in chips_of(table.german, third) and "L8" in chips_of(table.german, third, waiting)
    placed = put(table.german, "german", "6 Grenadier squad", ["C4", "E8", "G12", "R20", "T9", "V15"])
    assert len(chips_of(table.german, waiting)) == presenters.MOST_DESTINATIONS and placed


FORCES = {
    "german": "20 Grenadier squad, 10 Pioneer squad, 10 Panzergrenadier squad, 8 Heavy MG 34, 6 Officer, 6 NCO",
    "russian": "20 Rifle squad, 10 Guards squad, 10 Militia squad, 8 Maxim M1910, 6 Commissar, 6 NCO",
}
# What a phone loads before it shows the table, as it is sent: the page and its styles, one after the other.
MOST_BLOCKING = 20_000
# All of it: scripts, the face of headlines, a picture for each kind of counter and not for each counter.
MOST_LOADED, MOST_REQUESTS = 100_000, 24


def test_a_phone_loads_little_before_it_shows_120_counters(table):
    put(table.german, "german", FORCES["german"], ["K7", "K8", "L9", "M10/1", "J8", "J9"])
    put(table.russian, "russian", FORCES["russian"], ["N7", "N8", "O9", "P14", "P13", "O10"])
    page = table.german.get()
    styles = [link.attributes["href"] for link in pages.find(page.content, "link[rel=stylesheet]")]
    scripts = pages.find(page.content, "script[src]")
    pictures = {image.attributes["src"] for image in pages.find(page.content, "img")}
    assert len(styles) == 1 and all("defer" in script.attributes for script in scripts)
    blocking = sent_bytes(page.content) + sent_bytes(table.german.client.get(styles[0]).content)
    assert blocking <= MOST_BLOCKING, blocking
    static = {script.attributes["src"] for script in scripts} | {
        address for address in pictures if "/static/" in address
    }
    files = [finders.find(plain_name(address)) for address in static]
    face = Path(finders.find("fonts/barlow-condensed-600.woff2")).stat().st_size
    loaded = blocking + face + sum(sent_bytes(Path(file).read_bytes()) for file in files)
    for address in pictures - static:
        answer = table.german.client.get(address)
        assert answer["Cache-Control"].endswith("immutable")
        loaded += sent_bytes(answer.content)
    requests = 1 + len(styles) + len(static | pictures) + 1
    assert (loaded <= MOST_LOADED, requests <= MOST_REQUESTS) == (True, True), (loaded, requests)


def sent_bytes(content):
    """How many bytes of it are sent, compressed."""
    return len(gzip.compress(content, 6))


def plain_name(address):
    """The name of a static file without the hash that its address has."""
    return re.sub(r"\.[0-9a-f]{12}(\.\w+)$", r"\1", address.removeprefix(settings.STATIC_URL))


def test_the_bar_offers_every_roll_once_and_those_of_the_step_first(table):
    bar = presenters.bar_of(registry.games()[table.german.match.game], "melee")
    rolls = [helper.slug for item in bar for helpers in item.groups.values() for helper in helpers]
    assert len(rolls) == len(set(rolls))
    assert bar[0].title == "Melee" and bar[0].is_now
    assert bar[-1].title == "More"


def test_a_state_that_is_set_on_an_old_sheet_leaves_alone_what_has_come_and_gone_since(table):
    (counter,) = put(table.german, "german", "1 Grenadier squad", ["K7"])

    def state_after(**fields):
        table.german.do("counters/", id=counter, **fields)
        (known,) = table.german.get("counters.json").json()
        return set(known["state"])

    assert state_after(state="disrupted") == {"disrupted"}
    assert state_after(state="pinned", drawn="") == {"disrupted", "pinned"}
    assert state_after(state="pinned") == {"pinned"}  # with no sheet it is set as it is told
    assert state_after(state=["disrupted", "pinned"], drawn="disrupted") == {"pinned"}
