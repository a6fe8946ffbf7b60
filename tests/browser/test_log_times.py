"""The log tells times by the clock of whoever reads, and a date only where it changes."""

from datetime import timedelta

from firefight.models import LogEntry
from tests.firefight import players

from .table import sit_as


def test_the_log_says_the_date_where_it_changes_and_else_the_clock_alone(new_page):
    player, _ = players.begin()
    for number in range(3):
        player.note(f"Note {number}")
    lines = LogEntry.objects.filter(match=player.match_id)
    noon = player.last.at.replace(hour=12, minute=0)
    lines.update(at=noon)
    lines.filter(number=player.last.number).update(at=noon + timedelta(days=2))
    page = new_page()
    sit_as(page, player)
    times = page.locator("#log-rows time").all_text_contents()
    dated = [any(letter.isalpha() for letter in time.replace("AM", "").replace("PM", "")) for time in times]
    assert dated[:4] == [True, True, False, False], times
