"""A page left open in another tab of a hot-seat device does not go on showing a side that has handed over."""

from dataclasses import replace

from tests.firefight.players import begin


def ask(player, side):
    """What the live address answers to a page that was drawn for a side."""
    return player.get("live/", htmx=True, version=player.match.version, **{"as": side})


def test_a_page_of_the_side_that_plays_is_current(hot_seat):
    assert ask(hot_seat, "german").status_code == 204


def test_a_page_of_the_side_that_handed_over_is_loaded_anew(hot_seat):
    hot_seat.send("cover/", {})
    assert ask(hot_seat, "german")["HX-Refresh"] == "true"
    hot_seat.send("lift/", {"side": "russian"})
    assert ask(hot_seat, "german")["HX-Refresh"] == "true"
    assert ask(hot_seat, "russian").status_code == 204


def test_on_two_devices_nobody_hands_over(table):
    assert ask(table.russian, "russian").status_code == 204


def test_sitting_down_leads_to_the_ledger_of_a_campaign(db):
    player, links = begin()
    match = player.match
    match.state = replace(match.state, ledger=f"/campaign/{match.pk}/")
    match.save()
    player.client.get(links["russian"])
    assert player.client.post("/claim/")["Location"] == f"/campaign/{match.pk}/"


def test_lifting_the_cover_leads_there_too(hot_seat):
    match = hot_seat.match
    match.state = replace(match.state, ledger=f"/campaign/{match.pk}/")
    match.save()
    hot_seat.send("cover/", {})
    assert hot_seat.send("lift/", {"side": "russian"})["Location"] == f"/campaign/{match.pk}/"
