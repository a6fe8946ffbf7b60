"""What Dawn and the Volga ask for at the table, by the counters in play."""

import pytest

from tests.filling import Reader

from .units_in_play import begin, set_out

pytestmark = pytest.mark.django_db


def end_night(player, date):
    """The night before a date ends."""
    for field, value in (("date", date), ("time", "night"), ("box", "12"), ("track", "flips")):
        player.do("record/", field=field, value=value)
    player.do("advance/", button="turn")
    return [step.helper for step in player.match.state.queue]


@pytest.mark.parametrize(
    ("units", "date", "is_due"),
    [
        ("", "1942-09-20", True),  # nobody knows of any counter
        ("Pi 295", "1942-09-20", True),  # nor of one that leaves
        ("Pi 295, I/295", "1942-09-20", False),
        ("Pi 295, I/295", "1942-09-26", True),
    ],
)
def test_withdrawals_are_due_on_the_dates_on_which_counters_leave(units, date, is_due):
    german = begin()
    if units:
        set_out(german, german_25=units)
    assert ("withdrawal" in end_night(german, date)) is is_due


def test_who_should_leave_and_is_lost_is_paid_for_all_the_same():
    german = begin()
    units = set_out(german, german_25="Pi 295, I/295")
    german.do("counters/", id=units["I/295 #1"] if "I/295 #1" in units else units["I/295 #2"], becomes="eliminated")
    assert "withdrawal" in end_night(german, "1942-09-26")


def test_a_device_on_which_no_counters_stood_is_told_no_more_that_there_are_none():
    german = begin()
    assert "No counters yet" in Reader(german.client).open(f"/match/{german.match_id}/").words("#additions")
    set_out(german, german_25="Pi 295")
    news = Reader(german.client).open(f"/match/{german.match_id}/table/")
    assert "Pi 295" in news.words("#table") and news.words("#additions") == "Map More counters"
    assert news.find("#additions")[0].attributes["hx-swap-oob"] == "true"


def test_a_ferry_leads_to_its_crossings():
    german = begin()
    for field, value in (("time", "night"), ("box", "3")):
        german.do("record/", field=field, value=value)
    reader = Reader(german.client).open(f"/match/{german.match_id}/roll/ferry/")
    reader.form("#desk-form").fill(crossing_units=2, landing="62").press("Resolve")
    assert "Interdiction Points at 62" in reader.words("#desk-form")
    reader.form("#desk-form").press("Resolve")
    assert "Crossing, unit 1" in reader.words("#desk-form") and "Crossing, unit 2" in reader.words("#desk-form")
