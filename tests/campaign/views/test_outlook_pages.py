"""Pages of sector combat: odds that no page waits for, gatherings whose attacks both sides divide."""

from unittest import mock

import pytest

from campaign.acts import reorganizing
from campaign.ledger.dice import Dice
from campaign.phase import outlooks
from campaign.rules.steps import Step
from firefight.models import LogEntry
from tests.campaign.acts.field import Field, bout
from tests.campaign.acts.game import GERMAN, RUSSIAN
from tests.campaign.phase.test_outlooks import fresh_store
from tests.campaign.players import forms_in

pytestmark = pytest.mark.django_db
AT = "reorganization/"


@pytest.fixture
def sector(volga):
    """Two squads of each side in sector 14, on two devices; nobody has said yet who leaves."""
    field = Field(match_id=volga.match_id)
    field.ours = [field.put(GERMAN, "", 14) for _ in range(2)]
    field.theirs = [field.put(RUSSIAN, "", 14) for _ in range(2)]
    field.told()
    field.volga = volga
    with fresh_store():
        yield field


def test_the_page_works_nothing_out_and_asks_for_the_odds_afterwards(sector):
    with mock.patch.object(outlooks, "Forecast", side_effect=AssertionError("a page waited")):
        page = sector.volga.german.read(AT)
    assert "Odds of holding the sector" in page
    assert "If everybody stays" not in page


def test_the_fragment_gives_the_odds_and_the_page_has_them_from_then_on(sector):
    german = sector.volga.german
    address = f"/campaign/{sector.volga.match_id}/outlook/"
    for _ in range(200):
        answer = german.client.get(address, headers={"HX-Request": "true"})
        if b"hx-trigger" not in answer.content:
            break
    text = answer.content.decode()
    assert "<html" not in text
    assert "If everybody stays: German holds" in text
    assert "Exact." in text
    page = german.read(AT)
    assert "If everybody stays: German holds" in page
    assert f"Grenadier squad #{sector.ours[0]} survives" in page
    assert f"Rifle squad #{sector.theirs[0]} survives" in sector.volga.russian.read(AT)


def test_in_a_round_the_odds_are_those_of_its_beginning(sector):
    """What the dice of a round did counts when it is over, so nobody can stay or leave, and nothing has changed yet."""
    sector.to(Step.BATTLE)
    address = f"/campaign/{sector.volga.match_id}/outlook/"
    for _ in range(200):
        text = sector.volga.german.client.get(address, headers={"HX-Request": "true"}).content.decode()
        if "hx-trigger" not in text:
            break
    assert "As round 1 began: German holds" in text
    assert "If everybody stays" not in text


def test_without_a_script_a_link_works_them_out(sector):
    german = sector.volga.german
    address = f"/campaign/{sector.volga.match_id}/outlook/"
    assert f'href="{address}"' in german.open(AT).content.decode()
    answer = german.client.get(address)
    assert b"<html" in answer.content
    assert b"Back to the Reorganization Phase" in answer.content


def test_nobody_without_a_seat_is_told_the_odds(sector, client):
    assert client.get(f"/campaign/{sector.volga.match_id}/outlook/").status_code == 403


def test_a_gathering_is_changed_looked_at_declared_and_answered(sector):
    """From the app's proposal over a division of one's own to the roll, each side at its own device."""
    sector.to(Step.BATTLE)
    german, russian = sector.volga.german, sector.volga.russian
    ours, theirs = (
        [f"{side}-{n}" for n in numbers] for side, numbers in ((GERMAN, sector.ours), (RUSSIAN, sector.theirs))
    )
    gather = next(form for form in forms_in(german.open(AT), "fight") if not form.offers("divided"))
    page = german.post(AT, gather.filled(attacker=ours, defender=theirs, dice="look"))
    assert page.status_code == 200
    assert not sector.campaign.phase.gathered
    form = next(form for form in forms_in(page, "fight") if form.fields.get("defender") == theirs)
    assert not form.offers(f"by_{theirs[0]}"), "the other side divides its own attacks"
    ways = {f"by_{ours[0]}": 1, f"on_{theirs[0]}": 1, f"by_{ours[1]}": 1, f"on_{theirs[1]}": ""}
    page = german.post(AT, form.filled(**ways, hand_to_hand="on", dice="look"))
    text = page.content.decode()
    assert "column 3-1" in text, "16 against 6 is 2-1, and hand-to-hand one better"
    assert "E 55 %, C 30 %." in " ".join(text.split()), "the house table's 3-1"
    form = next(form for form in forms_in(page, "fight") if form.fields.get("defender") == theirs)
    german.post(AT, form.filled(dice="table"))
    assert sector.deciders() == [RUSSIAN]
    assert "The German has gathered these units" in russian.read(AT)
    answer = russian.form("fight", AT)
    russian.post(AT, answer.filled(dice="app"))
    assert not sector.campaign.phase.gathered
    assert any(entry.rolls for entry in sector.game.entries)


def test_an_attack_without_a_target_is_refused_and_the_form_keeps_what_was_chosen(sector):
    sector.to(Step.BATTLE)
    sector.do(reorganizing.fight, GERMAN, bout(sector.ours, sector.theirs), Dice())
    russian = sector.volga.russian
    form = russian.form("fight", AT)
    ways = {f"by_russian-{n}": 2 for n in sector.theirs} | {f"on_german-{n}": "" for n in sector.ours}
    page = russian.post(AT, form.filled(dice="app", **ways))
    assert page.status_code in (400, 422)
    assert "Russian attack 2: choose enemies that it is made on." in page.content.decode()
    assert sector.deciders() == [RUSSIAN]


def test_an_old_act_is_not_told_above_the_newest_lines_of_the_log(sector):
    # The address with "done" stays in the window while the other side goes on.
    number = LogEntry.objects.filter(match=sector.volga.match_id, side=GERMAN, kind="ledger").last().number
    response = sector.volga.german.open(f"{AT}?done={number}")
    assert b'id="done"' not in response.content
    assert b'id="done"' in sector.volga.german.open(f"?done={number}").content
