"""How many queries each page costs: few, and no more when logs and matches grow."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from firefight.columns import DueRoll, MatchState
from firefight.games import registry
from firefight.models import LogEntry, Match, Seat
from firefight.table.seats import sitting_down
from tests import pages
from tests.firefight.players import GAME, begin, seated, sit, text_of

pytestmark = pytest.mark.django_db

MOST = 17
PAGES = ("", "log/", "log/?before=8", "log.json", "charts/", "dice/", "seats/", "live/", "roll/contact/", "roll/fire/")
PAGES += ("roll/fo-loss/?again=4", "roll/fo-loss/?corrects=4")


def queries(do):
    with CaptureQueriesContext(connection) as captured:
        response = do()
    assert response.status_code < 400
    return len(captured)


def fill(player, number):
    """Make the log so many entries long."""
    match = player.match
    first = match.last_number + 1
    roll = LogEntry.objects.get(match=match, number=4)
    LogEntry.objects.bulk_create(
        LogEntry(
            match=match,
            number=place,
            kind=LogEntry.Kind.ROLL,
            side="german",
            sentence=f"Roll {place}",
            helper="fo-loss",
            inputs=roll.inputs,
            result=roll.result,
            rolls=roll.rolls,
        )
        for place in range(first, first + number)
    )
    Match.objects.filter(pk=match.pk).update(last_number=first + number - 1)


def page_costs(player):
    return {place: queries(lambda p=place: player.client.get(f"/match/{player.match_id}/{p}")) for place in PAGES}


ACTS = {
    "note/": {"text": "hello"},
    "advance/": {},
    "roll/fire/": {"ff": "8", "die": "34", "units": '[{"kind":"squad","tq":6}]', "dice": "table"},
    "roll/morale/": {"tq": "6", "die": "3", "dice": "table"},
    "roll/fo-loss/": {"dice": "app"},
    "drop/": {"step": "all"},
    "roll/contact/odds/": {},
}


STEP = {"id": "4-0", "helper": "morale", "title": "Morale Check", "inputs": {"tq": 6}}
STATE = MatchState(1, "fire_and_movement", "german", (DueRoll.from_json(STEP),))


def act_costs(player):
    costs = {}
    for place, fields in ACTS.items():
        for htmx in (True, False):
            Match.objects.filter(pk=player.match_id).update(state=STATE)
            match = player.match
            values = {**fields, "version": match.version, "after": match.last_number}
            costs[place, htmx] = queries(lambda p=place, f=values, h=htmx: player.do(p, h, **f))
    player.do("advance/")
    match = player.match
    values = {"version": match.version, "after": match.last_number}
    costs["take-back/"] = queries(lambda: player.do("take-back/", True, **values))
    return costs


@pytest.fixture
def played(frozen):
    def play():
        table = seated()
        table.german.roll("fo-loss", die="4", dice="table")
        return table

    table = frozen("a roll is due", play)
    table.german.get()  # the chart book is parsed once per process
    return table


def test_every_page_of_a_match_costs_few_queries(played):
    for player in (played.german, played.russian, played.observer):
        for place in PAGES:
            if player is not played.german and "corrects" in place:
                continue
            address = f"/match/{player.match_id}/{place}"
            assert queries(lambda a=address, p=player: p.client.get(a)) <= 6, place


def test_every_act_costs_few_queries(played):
    assert max(act_costs(played.german).values()) <= MOST


def test_a_roll_by_htmx_costs_few_queries(played):
    fields = {"version": played.german.match.version, "after": played.german.match.last_number, "dice": "app"}
    assert queries(lambda: played.german.roll("fo-loss", htmx=True, **fields)) <= 8


def test_pages_and_acts_cost_the_same_with_10_and_with_5000_entries(played):
    fill(played.german, 6)
    pages, deeds = page_costs(played.german), act_costs(played.german)
    fill(played.german, 5000)
    assert page_costs(played.german) == pages
    assert act_costs(played.german) == deeds


def test_pages_cost_the_same_however_many_matches_there_are(played):
    pages, home = page_costs(played.german), queries(lambda: played.german.client.get("/"))
    for number in range(12):
        sitting_down.new_match(registry.games()[GAME], f"Match {number}", False)
        played.german.client.post("/match/new/", {"game": GAME, "side": "german", "hot_seat": "on"})
    assert page_costs(played.german) == pages
    assert queries(lambda: played.german.client.get("/")) == home == 3


def test_pages_cost_the_same_however_many_rolls_are_due(played):
    played.german.roll("fire", ff="8", die="34", units='[{"kind":"squad","tq":6}]', dice="table")
    few = page_costs(played.german)
    units = "[" + ",".join(['{"kind":"squad","tq":6}'] * 12) + "]"
    for _ in range(4):
        played.german.roll("fire", ff="8", die="34", units=units, dice="table")
    assert len(played.german.match.state.queue) == 49
    assert page_costs(played.german) == few


def test_a_poll_with_nothing_new_is_exactly_one_query(played, django_assert_num_queries):
    fill(played.german, 500)
    match = played.german.match
    for player in (played.german, played.russian, played.observer):
        with django_assert_num_queries(1):
            response = player.get("live/", htmx=True, version=match.version, after=match.last_number)
        assert response.status_code == 204


def test_a_poll_with_news_costs_few_queries(played):
    version, after = played.german.match.version, played.german.match.last_number
    played.russian.note("hello")
    assert queries(lambda: played.german.get("live/", htmx=True, version=version, after=after)) <= 4


def test_pages_without_a_match_cost_none(client, django_assert_num_queries):
    addresses = ["/", "/assist/", f"/assist/{GAME}/", f"/assist/{GAME}/reference/", f"/assist/{GAME}/charts/", "/dice/"]
    addresses += [f"/assist/{GAME}/{slug}/" for slug in registry.helpers(GAME)]
    for address in addresses:
        with django_assert_num_queries(0):
            client.get(address)
    with django_assert_num_queries(1):  # the books that it offers
        client.get(f"/match/new/{GAME}/")


def test_sitting_down_costs_few_queries():
    maker, links = begin()
    assert queries(lambda: maker.client.post("/match/new/", {"game": GAME, "side": "german"})) <= 25
    player = sit(links["observer"], maker.match_id)
    player.client.get(links["russian"])
    assert queries(lambda: player.client.get("/claim/")) <= 3
    assert queries(lambda: player.client.post("/claim/")) <= 17  # the way back too
    assert Seat.objects.get(match=maker.match_id, side="russian").claimed


def test_a_table_with_120_counters_costs_few_queries_and_few_bytes(table):
    both = {
        "german": "30 Grenadier squads, 10 NCOs, 10 Heavy MG 34",
        "russian": "30 Rifle squads, 10 NCOs, 10 Maxim M1910",
    }
    more = {"german": "6 Officers, 4 Pz IV F1", "russian": "6 Officers, 4 Commissars"}
    for side, player in (("german", table.german), ("russian", table.russian)):
        assert player.do("counters/add/", side=side, list=f"{both[side]}, {more[side]}").status_code == 302
        for row in range(12):
            ids = [f"{side}-{number}" for number in range(1 + row * 5, 6 + row * 5)]
            player.do("counters/", id=ids, place=f"{'CDEFGH'[row % 6]}{20 + row + 40 * (side == 'german')}")
    table.german.get()
    address = f"/match/{table.german.match_id}/"
    assert queries(lambda: table.german.client.get(address)) <= 5
    page = table.german.get()
    assert len(pages.find(text_of(page), "#table input[name=chosen]")) == 120
    assert len(page.content) <= 60_000, len(page.content)


def test_how_a_match_stands_costs_a_program_no_more_than_a_page(table, django_assert_max_num_queries):
    table.german.roll("fire", ff="8", die="34", units='[{"kind":"squad","tq":6}]', dice="table")
    with django_assert_max_num_queries(15):
        answer = table.german.get("now.json", after=1).json()
    assert answer["due"] and len(answer["lines"]) == table.german.match.last_number - 1
