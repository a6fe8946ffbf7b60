"""The log tells times by the clock of whoever reads, and a date only where it changes; all other times have theirs."""

from datetime import timedelta

from django.utils import timezone

from firefight.models import Device, LogEntry
from tests.firefight import players

from .table import sit_as


def say_dates(page, selector):
    """Of each time there whether it says a date."""
    times = page.locator(selector).all_text_contents()
    return [any(letter.isalpha() for letter in time.replace("AM", "").replace("PM", "")) for time in times]


def test_the_log_says_the_date_where_it_changes_and_else_the_clock_alone(new_page):
    player, links = players.begin()
    other = players.sit(links["russian"], player.match_id)
    player.get()
    Device.objects.filter(seat__match=player.match_id).update(seen=timezone.now() - timedelta(hours=3))
    for number in range(4):  # which player has missed: they stand above the log, too
        other.note(f"Note {number}")
    lines = LogEntry.objects.filter(match=player.match_id)
    noon = player.last.at.replace(hour=12, minute=0)
    lines.update(at=noon)
    lines.filter(number=player.last.number).update(at=noon + timedelta(days=2))
    page = new_page()
    sit_as(page, player)
    dated = say_dates(page, "#log-rows time")
    assert dated[:4] == [True, True, False, False], dated
    others = say_dates(page, "#since time")
    assert len(others) > 1 and all(others), others
