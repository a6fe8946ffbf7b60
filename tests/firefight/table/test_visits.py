"""Getting back to a match: what the first page lists, whose turn it is, what has happened since the last visit."""

from datetime import timedelta

import pytest
from django.utils import timezone

from firefight.engine.course.course import Position
from firefight.models import Device, Match
from tests import pages
from tests.firefight.players import begin, text_of, words_of

pytestmark = pytest.mark.django_db

AWAY = timedelta(hours=3)


def home_of(player):
    """What the first page says of each match, the topmost first."""
    return pages.words_of_each(text_of(player.client.get("/")), "ul.mine > li")


def stand(player, **changes):
    """Put the match somewhere else in its course."""
    match = player.match
    match.state = match.state.at(Position(**changes))
    match.save()


def title_of(response):
    return pages.words_of_each(text_of(response), "title")[0]


def waits_in(response):
    """Whom the page says that the match waits for, and the icon that it shows."""
    [status] = pages.find(text_of(response), "[data-waits]")
    [icon] = pages.find(text_of(response), "link[rel=icon]")
    return status.attributes["data-waits"], "icon-turn" in icon.attributes["href"]


def leave(player):
    """Nobody looks for a while."""
    Device.objects.filter(seat__match=player.match_id).update(seen=timezone.now() - AWAY)


def since_in(response):
    return pages.words_of_each(text_of(response), "#since li p")


def test_home_tells_where_a_match_stands_whom_it_waits_for_and_what_came_last(table):
    stand(table.german, turn=3, phase="fire_and_movement", side="russian")
    table.german.note("The smoke has cleared")
    [german], [russian] = home_of(table.german), home_of(table.russian)
    assert "Turn 3" in german and "Fire and Movement" in german
    assert "Waiting for Russian" in german and "Your turn" not in german
    assert "Your turn" in russian and "German: The smoke has cleared" in russian
    assert title_of(table.russian.client.get("/")).startswith("Your turn")
    assert not title_of(table.german.client.get("/")).startswith("Your turn")


def test_lines_of_others_are_unread_until_they_were_shown(table):
    for player in (table.german, table.russian):
        player.get()
    for number in range(3):
        table.german.note(f"Note {number}")
    assert "unread" not in home_of(table.german)[0]
    assert "3 unread" in home_of(table.russian)[0] and "3 unread" in home_of(table.observer)[0]
    version, last = table.russian.match.version - 1, table.russian.match.last_number
    # A page that nobody looks at asks, and what it is told counts for nothing.
    table.russian.get("live/", htmx=True, version=version, after=last - 1, unseen=1, **{"as": "russian"})
    assert "3 unread" in home_of(table.russian)[0]
    table.russian.get("live/", htmx=True, version=version, after=last - 1, **{"as": "russian"})
    assert "unread" not in home_of(table.russian)[0]
    Device.objects.update(read=0)
    for number in range(100):
        table.german.note(f"Note {number}")
    assert "99+ unread" in home_of(table.russian)[0]


def test_what_has_happened_since_the_last_visit_stands_on_top_of_the_next_one(table):
    table.russian.get()
    assert since_in(table.russian.get()) == []
    leave(table.russian)
    table.german.do("note/", text="A plan of ours", sealed="on")
    for number in range(14):
        table.german.note(f"Note {number}")
    news = since_in(table.russian.get())
    assert len(news) == 12 and news[-1] == "Note 13" and news[0] == "Note 2"
    assert "More in the log, before these" in words_of(table.russian.get())
    assert "A plan of ours" not in text_of(table.russian.get())
    # It stays through the visit, and is gone with the next one. What one did oneself is no news.
    table.german.note("Seen at once")
    assert since_in(table.russian.get())[-1] == "Note 13"
    table.russian.note("My own")
    leave(table.russian)
    assert since_in(table.russian.get()) == []


def test_who_sits_down_late_or_shares_a_device_has_missed_nothing(table):
    watcher = table.german.issue("observer")
    assert "Since your last visit" not in words_of(watcher)
    player, _ = begin(hot_seat=True)
    leave(player)
    assert since_in(player.get()) == [] and waits_in(player.get()) == ("", False)


def test_title_and_icon_say_whose_turn_it_is(table):
    stand(table.german, turn=1, phase="fire_and_movement", side="german")
    assert waits_in(table.german.get()) == ("me", True) and waits_in(table.russian.get()) == ("", False)
    assert title_of(table.german.get()).startswith("Your turn")
    assert waits_in(table.observer.get()) == ("", False)
    stand(table.german, turn=1, phase="command")
    assert waits_in(table.german.get()) == ("", False)  # all act


def test_what_is_proposed_waits_for_the_others(table):
    table.german.do("end/", sure="on")
    assert waits_in(table.russian.get()) == ("me", True) and waits_in(table.german.get()) == ("", False)
    assert "Your turn" in home_of(table.russian)[0]
    table.russian.do("answer/", agrees="yes")
    assert waits_in(table.russian.get()) == ("", False)
    assert "Ended" in home_of(table.german)[0] and "Waiting" not in home_of(table.german)[0]


def test_matches_that_wait_for_me_come_first(table):
    player = table.german
    stand(player, turn=1, phase="fire_and_movement", side="german")
    player.client.post("/match/new/", {"game": Match.objects.get().game, "name": "Another", "side": "russian"})
    first, second = home_of(player)
    assert "Your turn" in first and "Another" in second
