"""A story that is shared: by a link, after the end alone, and with nothing in it that observers may not know."""

import pytest
from django.test import Client
from django.utils import timezone

from firefight.models import Match
from tests import pages
from tests.firefight.players import text_of, words_of

pytestmark = pytest.mark.django_db

SECRET = "A gun waits in K7"


def share(player, button="share"):
    return player.client.post(f"/match/{player.match_id}/report/share/", {"do": button}, follow=True)


def link_in(response):
    (link,) = pages.values_of_each(text_of(response), "input#story-link", "value")
    return link.removeprefix("http://testserver")


@pytest.fixture
def ended(table):
    table.german.note("first words")
    table.german.note(SECRET, sealed="on")
    Match.objects.update(ended=timezone.now())
    return table


def test_nothing_is_shared_before_the_end(table):
    response = share(table.german)
    assert response.status_code == 403 and "once the match has ended" in words_of(response)
    assert Match.objects.get().story_hash == ""
    assert "story-link" not in text_of(table.german.get("report/"))


def test_whoever_has_the_link_reads_what_observers_may_know_and_does_nothing(ended):
    link = link_in(share(ended.german))
    stranger = Client()
    page = stranger.get(link)
    assert page.status_code == 200 and "first words" in words_of(page)
    assert SECRET not in text_of(page)
    assert "<form" not in text_of(page).split("<main")[1]
    assert (page["X-Robots-Tag"], page["Referrer-Policy"]) == ("noindex", "no-referrer")
    assert "no-store" in page["Cache-Control"]
    paper = stranger.get(f"{link}report.pdf")
    assert paper["Content-Type"] == "application/pdf" and SECRET not in text_of(paper)
    assert stranger.get(f"/match/{ended.german.match_id}/report/").status_code == 403
    assert stranger.post(link).status_code == 405


def test_the_token_is_not_kept_and_shown_once(ended):
    link = link_in(share(ended.german))
    token = link.strip("/").split("/")[-1]
    assert token not in str(Match.objects.values().get())
    assert "story-link" not in text_of(ended.german.get("report/"))


def test_a_link_is_withdrawn_and_a_new_one_ends_the_old(ended):
    old = link_in(share(ended.german))
    new = link_in(share(ended.russian))
    assert [Client().get(link).status_code for link in (old, new)] == [404, 200]
    share(ended.german, "withdraw")
    assert Client().get(new).status_code == 404


def test_observers_and_strangers_share_nothing(ended):
    assert share(ended.observer).status_code == 403
    assert Client().post(f"/match/{ended.german.match_id}/report/share/").status_code == 403
    assert Match.objects.get().story_hash == ""


@pytest.mark.parametrize("token", ["x", "0" * 64, "%00", "a" * 3000])
def test_a_token_that_nobody_gave_opens_nothing(ended, token):
    assert Client().get(f"/story/{token}/").status_code == 404
    assert Client().get(f"/story/{token}/report.pdf").status_code == 404
