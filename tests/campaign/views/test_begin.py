"""Beginning a campaign over the web: the form, the seats, one device or two."""

import uuid

import pytest
from django.test import Client

from campaign.models import Campaign, ContentBook
from campaign.rules.stages import Stage
from firefight.games import chartbooks
from firefight.models import ChartBook, Match
from tests import pages
from tests.campaign.plain import CONTENT
from tests.campaign.players import NAME, Player, begin, forms_in, sit
from tests.firefight import players as firefight
from tests.firefight.players import text_of, words_of
from tests.firefight.test_security import flaws
from tests.frozen import every_row

pytestmark = pytest.mark.django_db


def the_form(page):
    """The form for a new campaign."""
    (form,) = [form for form in forms_in(page) if "card" in form.choices]
    return form


def test_the_front_page_leads_here(client):
    assert '<a class="button second" href="/campaign/new/">Begin a campaign</a>' in text_of(client.get("/"))


def test_the_form_offers_cards_sides_charts_and_content(client):
    page = client.get("/campaign/new/")
    assert flaws(page) == []
    form = the_form(page)
    assert form.choices["card"] == ["cg1", "cg2"]
    assert form.choices["side"] == ["german", "russian"]
    assert form.choices["book"] == [chartbooks.shipped_digest(firefight.GAME)]
    assert form.choices["content"] == [ContentBook.objects.get().pk]
    for name in ("card", "side", "book", "content"):
        assert form.fields[name] == form.choices[name][:1]
    assert form.fields["hot_seat"] == ["no"]
    for card in CONTENT.cards.values():
        assert f"{card.label}, {card.name}: {', '.join(card.times)}" in words_of(page)


@pytest.mark.parametrize("card", CONTENT.cards)
@pytest.mark.parametrize("side", ["german", "russian"])
def test_each_card_begins_with_its_purchases_on_two_devices(card, side):
    maker, links = begin(card, side)
    (other,) = {"german", "russian"} - {side}
    assert set(links) == {other, "observer"}
    campaign = Campaign.objects.get()
    assert (campaign.card, campaign.firefight, Stage(campaign.stage)) == (card, 1, Stage.PURCHASES)
    assert Match.objects.get().name == NAME
    assert maker.side == side
    assert sit(links[other], maker.match_id).side == other
    assert "You watch" in sit(links["observer"], maker.match_id).read()
    for forces in CONTENT.cards[card].forces.values():
        assert f"At-start OB +{forces.cp}" in maker.read()


def test_the_links_lead_to_the_campaign():
    maker, links = begin()
    page = text_of(sit(links["russian"], maker.match_id).get())
    assert f'href="/campaign/{maker.match_id}/">To the campaign</a>' in page
    seats = text_of(maker.get("seats/"))
    assert f'href="/campaign/{maker.match_id}/">To the campaign</a>' in seats


def test_one_device_holds_both_sides_and_begins_at_once():
    device, links = begin(side="russian", hot_seat=True)
    assert links == {}
    assert device.side == "russian"
    assert "Hand over" in device.read()
    device.turn_to("german")
    assert device.side == "german"


def test_a_campaign_without_a_name_has_its_cards():
    begin("cg2", name="")
    assert Match.objects.get().name == CONTENT.cards["cg2"].name


def test_a_name_is_trimmed_and_shown_as_it_was_typed():
    maker, _ = begin(name="  <b>Mamai\n  Kurgan</b> ")
    assert Match.objects.get().name == "<b>Mamai Kurgan</b>"
    assert "&lt;b&gt;Mamai Kurgan&lt;/b&gt;" in text_of(maker.open())


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"card": "cg3"}, "Choose a campaign card."),
        ({"card": None}, "Choose a campaign card."),
        ({"side": "observer"}, "Choose your side."),
        ({"book": "x"}, "Choose a chart book."),
        ({"content": "x"}, "Choose the rosters, cards and map to play with."),
        ({"name": "x" * 61}, "A name has at most 60 characters, none of them a control character."),
        ({"name": "a\0b"}, "A name has at most 60 characters, none of them a control character."),
    ],
)
def test_a_form_without_sense_is_refused_and_begins_nothing(client, fields, reason):
    good = the_form(client.get("/campaign/new/")).filled(card="cg2", side="russian", name="Kept")
    before = every_row()
    sent = {name: value for name, value in {**good, **fields}.items() if value is not None}
    response = client.post("/campaign/new/", sent)
    assert response.status_code == 422
    assert pages.words_of_each(text_of(response), "p.trouble[role=alert]") == [reason]
    assert every_row() == before


@pytest.mark.parametrize("hot_seat", ["on", "no"])
def test_everything_that_is_wrong_is_said_at_once_and_what_was_typed_stays(client, hot_seat):
    good = the_form(client.get("/campaign/new/")).filled(card="cg2", side="russian", name="Kept", hot_seat=hot_seat)
    response = client.post("/campaign/new/", {**good, "book": "x", "content": "y"})
    assert text_of(response).count('role="alert"') == 2
    form = the_form(response)
    for name, value in {"card": "cg2", "side": "russian", "name": "Kept", "hot_seat": hot_seat}.items():
        assert form.fields[name] == [value]


def test_a_token_is_wanted():
    strict = Player(enforce_csrf_checks=True)
    form = the_form(strict.client.get("/campaign/new/"))
    sent = form.filled(card="cg1", side="german")
    assert strict.client.post("/campaign/new/", {**sent, "csrfmiddlewaretoken": "x"}).status_code == 403
    assert not Match.objects.exists()
    assert strict.client.post("/campaign/new/", {**sent, "hot_seat": "on"}).status_code == 302


def test_matches_and_campaigns_are_listed_side_by_side():
    maker, _ = begin()
    maker.client.post("/match/new/", {"game": firefight.GAME, "side": "german", "name": "Alone", "hot_seat": "on"})
    page = text_of(maker.client.get("/"))
    alone = Match.objects.get(name="Alone")
    assert f'<a href="/campaign/{maker.match_id}/">{NAME}</a>' in page
    assert f'<a href="/match/{alone.pk}/">Alone</a>' in page
    assert Client().get(f"/campaign/{alone.pk}/").status_code == 403


def test_a_side_without_a_seat_asks_for_it_in_words():
    maker, _ = begin()
    response = Client().get(maker.address())
    assert response.status_code == 403
    assert "seat" in words_of(response)
    boosted = Client().get(maker.address(), headers={"HX-Request": "true", "HX-Boosted": "true"})
    assert boosted["HX-Redirect"] == maker.address()


def test_a_campaign_goes_on_with_an_own_book_and_takes_that_back():
    maker, _ = begin("cg1")
    draft = maker.client.post(f"/charts/{firefight.GAME}/", {"do": "copy"})["Location"]
    maker.client.post(draft, {"do": "usable", "revision": 1})
    match = Match.objects.get()
    [fresh] = ChartBook.objects.filter(shipped=False)
    fields = {"act": str(uuid.uuid4()), "version": match.version, "book": fresh.pk}
    assert maker.client.post(f"/match/{match.pk}/charts/", fields).status_code == 302
    assert Match.objects.get().book == fresh
    assert "Charts from now on" in words_of(maker.open())
    fields = {"act": str(uuid.uuid4()), "version": Match.objects.get().version}
    maker.client.post(f"/match/{match.pk}/take-back/", fields)
    assert Match.objects.get().book == match.book
