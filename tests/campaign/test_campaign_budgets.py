"""What pages and acts of a campaign cost: few queries, no more of them as it grows, and pages that stay small."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign.ledger.ledger import load
from campaign.models import Campaign, CpLine, Group, Seal, Unit
from campaign.presenters.units import MOST_DRAWN
from campaign.rules.seals import SealedObserver
from campaign.rules.stages import Stage
from firefight.games.combat_stalingrad.rules.marks import UNIT_KINDS, Mark, may_carry
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import Device, LogEntry, Match
from tests.campaign.players import SIDES, begin, seated, troubles_in
from tests.campaign.test_campaign_bad_input import GOOD, STATES, page_for
from tests.pages import find
from tests.reading import trial

pytestmark = pytest.mark.django_db

MOST_QUERIES = 15
MOST_BYTES = 60_000
PAGES = (
    "",
    "map/",
    "map/?sector=11",
    "map/?for=1",
    "map/?for=0&sector=11",
    "roster/german/",
    "roster/russian/?group=I1",
)
PAGES += ("roster/german/?group=V3", "firefight/", "reorganization/", "sealed/")
OTHERS = ("", "map/", "roster/russian/", "firefight/", "reorganization/", "sealed/")  # for who is not the German
GROWING = ("purchases", "setup", "firefight", "after_action", "upkeep")
UNITS, ENTRIES = 400, 1_000
LEFT = ("pz_iv_f1", "pz_iv_f2")  # counters that stay in the box, for the purchase
# In the Reorganization Phase each damaged unit has its own roll and its own line in the log.
MARKS = {Stage.SETUP: (Mark.WOUNDED, Mark.M_KILLED, Mark.REDUCED), Stage.FIREFIGHT: (Mark.PINNED, Mark.REDUCED)}


def fill(table, units=UNITS, entries=ENTRIES):
    """Let a campaign have that many units, in groups of three, and that many lines in the log."""
    match = table.german.match
    for side in Side:
        fill_side(load(match), side, units // 2)
    first = match.last_number + 1
    sentence = "Russian writes something down under seal, and it is a sentence of a usual length."
    LogEntry.objects.bulk_create(
        LogEntry(
            match=match, number=n, kind=LogEntry.Kind.LEDGER, side=SIDES[n % 2], sentence=sentence, secret=sentence
        )
        for n in range(first, first + entries)
    )
    Match.objects.filter(pk=match.pk).update(last_number=first + entries - 1)


def fill_side(ledger, side, units):
    """One side's half of it: units everywhere on its map, hidden and marked ones too, off the map, gone."""
    campaign, sectors = ledger.campaign, [n for n, holding in ledger.control.items() if holding.side is side]
    is_placed = ledger.stage in (Stage.SETUP, Stage.FIREFIGHT, Stage.REORGANIZATION)
    first_group, first_unit = max(ledger.groups[side]) + 1, max(ledger.units[side]) + 1
    Group.objects.bulk_create(
        Group(campaign=campaign, side=side, number=first_group + n, rg=["I1", "I2", "V1"][n % 3])
        for n in range(units // 3 + 1)
    )
    groups = list(Group.objects.filter(campaign=campaign, side=side, number__gte=first_group))
    counters = [c for c in ledger.content.counters[side].values() if c.kind in UNIT_KINDS and c.key not in LEFT]
    rows = []
    for n in range(units):
        counter, sector = counters[n % len(counters)], sectors[n % len(sectors)] if is_placed and n % 5 else None
        marks = [mark.value for mark in MARKS.get(ledger.stage, ()) if mark in may_carry(counter.kind)]
        rows.append(
            Unit(
                campaign=campaign,
                side=side,
                number=first_unit + n,
                group=groups[n // 3],
                counter=counter.key,
                sector=sector,
                hidden=sector is not None and n % 3 == 0,
                marks=marks if n % 4 == 0 else [],
            )
        )
    Unit.objects.bulk_create(rows)
    first_seal, first_line = max(ledger.seals[side], default=0) + 1, max(ledger.lines[side]) + 1
    Seal.objects.bulk_create(
        Seal(
            campaign=campaign,
            side=side,
            number=first_seal + n,
            kind=Seal.Kind.OBSERVER,
            firefight=1,
            data=SealedObserver("A17"),
            standing=[Seal.Standing.SEALED, Seal.Standing.OPEN, Seal.Standing.WITHDRAWN][n % 3],
            entry=1,
        )
        for n in range(60)
    )
    CpLine.objects.bulk_create(
        CpLine(campaign=campaign, side=side, number=first_line + n, firefight=1, amount=1, reason="I1 Rifle platoon")
        for n in range(100)
    )


def queries(do):
    """How many queries something takes."""
    return measured(do)[0]


def measured(do):
    """How many queries something takes, and how many bytes its answer has."""
    with CaptureQueriesContext(connection) as captured:
        response = do()
    assert response.status_code < 400, troubles_in(response)
    return len(captured), len(response.content)


def page_costs(table):
    """Queries of each page, for both sides and for observers; each keeps to both budgets."""
    costs = {}
    Device.objects.update(read=table.german.match.last_number)  # a page that shows news notes that, once
    for name in (*SIDES, "observer"):
        player = getattr(table, name)
        for at in PAGES if name == "german" else OTHERS if name == "russian" else OTHERS[:2]:
            costs[name, at], size = measured(lambda p=player, a=at: p.client.get(p.address(a)))
            assert costs[name, at] <= MOST_QUERIES, (name, at)
            assert size <= MOST_BYTES, (name, at, size)
    return costs


def act_costs(table, state):
    """Queries of each act that is good in a state; nothing of it stays done."""
    costs = {}
    for does, (where, side, fields) in GOOD.items():
        if where == state:
            player, version = getattr(table, side), table.german.match.version
            with trial():
                ask = {**fields, "version": str(version)}
                costs[does] = queries(lambda p=player, d=does, f=ask: p.ask(d, page_for(d), **f))
    return costs


@pytest.fixture
def grown(frozen):
    """A campaign in a state, small; and what lets it grow."""
    return lambda state: frozen(f"small, {state}", STATES[state])


@pytest.mark.parametrize("state", GROWING)
def test_pages_keep_to_the_budgets_and_nothing_costs_more_queries_when_a_campaign_grows(grown, state):
    table = grown(state)
    pages, acts = page_costs(table), act_costs(table, state)
    assert acts
    fill(table)
    assert Unit.objects.count() > UNITS
    assert page_costs(table) == pages
    assert act_costs(table, state) == acts


@pytest.mark.parametrize("units", [2 * MOST_DRAWN - 60, UNITS])
def test_every_unit_is_named_on_the_record_with_its_picture_where_there_are_few(grown, units):
    table = grown("firefight")
    fill(table, units)
    ledger = load(table.german.match)
    to_set_up = {unit.number for unit in ledger.in_play(Side.GERMAN) if ledger.sets_up(unit)}
    response = table.german.client.get(table.german.address("firefight/"))
    form = find(response.content.decode(), "section:has(> #report-head)")[0]
    assert {int(box.attributes["value"]) for box in form.css("input[name=unit]")} == to_set_up
    pictures = [picture.attributes["src"] for picture in form.css("img")]
    assert len(pictures) == (len(to_set_up) if len(to_set_up) <= MOST_DRAWN else 0)
    assert not any("book=" in address for address in pictures), "the shipped counters need no digest"
    assert len(response.content) <= MOST_BYTES


def test_a_purchase_costs_few_queries(grown):
    table = grown("purchases")
    fill(table)
    assert act_costs(table, "purchases")["buy"] <= 40


def test_a_refusal_in_a_large_campaign_keeps_to_the_budget(grown):
    table = grown("firefight")
    fill(table)
    units = table.german.units()[:200]
    response = table.german.ask("report", "firefight/", unit=units, news="wounded", sector="11")
    assert response.status_code == 422
    assert len(troubles_in(response)) > 20
    assert len(response.content) <= MOST_BYTES


@pytest.mark.parametrize("state", ["leaving", "battle"])
def test_the_pages_of_a_battle_keep_to_the_budgets(grown, state):
    assert page_costs(grown(state))


def test_pages_cost_the_same_however_many_campaigns_there_are(grown):
    table = grown("firefight")
    pages, home = page_costs(table), queries(lambda: table.german.client.get("/"))
    for _ in range(4):
        seated("cg1")
        table.german.client.post("/match/new/", {"game": "combat-stalingrad", "side": "german", "hot_seat": "on"})
    assert Campaign.objects.count() == 5
    assert page_costs(table) == pages
    # The matches, whom this browser plays there, where campaigns stand, the newest episodes.
    assert queries(lambda: table.german.client.get("/")) == home == 4


def test_a_poll_with_nothing_new_is_one_query_and_no_bytes(grown, django_assert_num_queries):
    table = grown("firefight")
    fill(table)
    for name in (*SIDES, "observer"):
        player = getattr(table, name)
        address = f"{player.address('live/')}?version={player.match.version}"
        with django_assert_num_queries(1):
            response = player.client.get(address, headers={"HX-Request": "true"})
        assert (response.status_code, response.content) == (204, b"")
        with django_assert_num_queries(1):
            response = player.client.get(f"{player.address('live/')}?version=1")
        assert (response.status_code, response.content) == (200, b"")


def test_beginning_a_campaign_costs_few_queries(db, client):
    begin()
    assert queries(lambda: client.get("/campaign/new/")) <= 6
    page = client.get("/campaign/new/")
    assert len(page.content) <= MOST_BYTES
    pages = ("/campaign/", "/campaign/map/", "/campaign/rosters/german/", "/campaign/rosters/russian/")
    for address in pages:
        assert queries(lambda a=address: client.get(a)) == 0
        assert len(client.get(address).content) <= MOST_BYTES
