"""A solo game as somebody begins it and reads it: what its pages offer, and what they leave out."""

import re

import pytest

from firefight.games.inferno_on_the_volga.solo.play import to_do
from firefight.games.inferno_on_the_volga.solo.policies import choose_greedily
from firefight.models import Match
from tests.filling import Reader
from tests.firefight import players

from . import by_page
from .solo_games import HOUSE, set_position

pytestmark = pytest.mark.django_db
STEP = "form#step-form"


def shown_sides(reader):
    labels = [node for node in reader.find(".choice-of label.choice") if node.css("[name=side]")]
    return [node.css_first("[name=side]").attributes["value"] for node in labels if "hidden" not in node.attributes]


def test_the_page_that_begins_a_game_offers_the_sides_of_its_mode(client):
    reader = Reader(client).open("/match/new/inferno-on-the-volga/")
    assert shown_sides(reader) == ["german"]
    assert reader.find("[data-with]:has([name=hot_seat])")[0].attributes["hidden"] is None
    reader.form("form.card:not(.lessons)").fill(**{"option-mode": "co_op"}).press("Begin")
    assert reader.status == 422 and shown_sides(reader) == ["yellow", "blue"]


def test_a_game_begins_with_one_button_and_shows_what_was_drawn(client):
    reader = by_page.begin(client, begins=False)
    assert [node.text().strip() for node in reader.find(f"{STEP} button")] == ["Begin"]
    reader.press("Begin", STEP)
    assert "You draw" in reader.words(f"{STEP} .told") and "under seal" not in reader.words(f"{STEP} .told")
    assert "You draw" in reader.words("#log-rows") and "under seal" not in reader.words("#log-rows")
    assert "German cards: " in reader.words("#board-status")
    assert not reader.has("#rolls") and not reader.has("#turn button[name=button]")


def test_the_log_says_what_was_asked_and_what_was_answered(client):
    reader = by_page.begin(client)
    reader.press("Deliberate Attack", STEP)
    reader.press("choice=hex-37", STEP)
    assert "Which Soviet Stack? German: 37." in reader.words("#log-rows")


def test_a_call_short_of_room_is_decided_on_the_page(client):
    """Two Blue Units want the one place in Z: the page says so, and the second is taken first (B67)."""
    reader = by_page.begin(client)
    match = Match.objects.get()
    full = dict.fromkeys(["g24", "g21", "g26"], 4)
    play = set_position({"Z": full}, {"40": {"i45": 4}}, decks=match.state.record["solo"]["decks"])
    play.do(to_do("place", blocks=["g267", "g36"]), to_do("soviet_turn"))
    match.state.record["solo"] = play.state
    match.save()
    reader.open(reader.address)
    assert "Room is short: where does 267th Infantry arrive, or who before it?" in reader.words(STEP)
    assert "First 36th Panzer" in reader.words(STEP) and "Blue, 4 TF" in reader.words(STEP)
    reader.press("First 36th Panzer", STEP)
    assert "Room is short: where does 36th Panzer arrive" in reader.words(STEP)
    reader.press("choice=hex-Z", f"{by_page.LIT}, {STEP}")
    assert "36th Panzer arrives in Z." in reader.words(STEP)
    assert "267th Infantry has no room, and goes back to the track" in reader.words(STEP)
    solo = Match.objects.get().state.record["solo"]
    assert (solo["blocks"]["g36"][0], [row for row in solo["rows"] if row]) == ("Z", [["g267"]])


def test_the_hand_is_counted_and_both_sides_leaders_are_named_as_in_play(client):
    reader = by_page.begin(client)
    match = Match.objects.get()
    solo = match.state.record["solo"]
    solo["hands"]["german"] = ["stuka", "howitzer", "stuka"]
    solo["leaders"] = {"german": ["paulus"], "soviet": ["chuikov"]}
    match.save()
    status = reader.open(reader.address).words("#board-status")
    assert "German cards: Howitzer, 2 Stuka in play: Paulus, Chuikov" in status
    assert "German losses 0 of 10" in status


@pytest.mark.parametrize(("agreed", "rows"), [("recount", [["g274", "g267"], []]), ("once", [["g267"], ["g274"]])])
def test_what_was_agreed_of_units_that_go_back_holds_where_the_app_leads(agreed, rows):
    """Row 1 is empty, two stand in each other one; nobody finds room (B20)."""
    german = players.begin("german", game="inferno-on-the-volga", **{"option-recount": agreed})[0]
    match = german.match
    waiting = [block.key for block in HOUSE.of_side("german") if block.colour == "yellow"][:10]
    track = [[], *(waiting[place : place + 2] for place in range(0, 10, 2))]
    play = set_position({}, {"40": {"i45": 4}}, rows=track, german_held=["X", "Y"])
    play.do(to_do("place", blocks=["g267", "g274"]), to_do("action"))
    match.state.record["solo"] = play.state
    match.save()
    Reader(german.client).open(f"/match/{match.pk}/").press("Go on", STEP)
    now = german.match.state.record["solo"]["rows"]
    assert [[key for key in row if key not in waiting] for row in now[:2]] == rows


def test_an_invitation_says_that_the_app_leads_the_game():
    _, links = players.begin("german", game="inferno-on-the-volga", **{"option-mode": "one_v_one"})
    page = Reader(players.Player().client).open(links["soviet"])
    assert "This app leads the game" in page.words() and "beside your board" not in page.words()


def test_the_first_page_says_how_a_game_has_ended(client):
    reader = by_page.begin(client)
    match = Match.objects.get()
    play = set_position({"24": {"g191": 4}}, {"3": {"i45": 2}}, decks=match.state.record["solo"]["decks"])
    play.state["over"] = "soviet"
    match.state.record["solo"] = play.state
    match.save()
    first_page = reader.open("/").words(".mine")
    assert "The game is over: Soviet Decisive Victory." in first_page and "Your move" not in first_page
    reader.open(f"/match/{match.pk}/").press("End the match")
    assert "The game is over: Soviet Decisive Victory." in reader.open("/").words(".mine")


def test_a_report_has_a_chapter_for_each_turn_and_the_map_as_it_stands(client):
    reader = by_page.begin(client, at_once=True)
    match = Match.objects.get()
    while match.state.turn < 4:
        by_page.press_on(reader, match, lambda want, play: "short" if want.find("short") else "done")
        match.refresh_from_db()
    reader.open(f"/match/{match.pk}/report/")
    titles = [node.text() for node in reader.find("section[aria-labelledby^=chapter-] h2")]
    assert titles == ["The beginning to Turn 2", "Turn 3"]
    assert "W, clear, held by German, 2nd Panzer (4)" in reader.find(".painted svg")[0].attributes["aria-label"]


def test_a_chapter_of_a_report_tells_of_attacks_losses_and_ground(client):
    reader = by_page.begin(client, at_once=True)
    match = Match.objects.get()
    while match.state.turn < 3:
        by_page.press_on(reader, match, choose_greedily)
        match.refresh_from_db()
    reader.open(f"/match/{match.pk}/report/")
    tale = reader.find("section[aria-labelledby^=chapter-] .tale")[0].text()
    assert re.match(
        r"Deliberate Attack on 37 from W.* is destroyed\..* advances? into 37 \(Advance after Combat\)\.", tale
    )
    assert "Top" not in tale and "draw" not in tale
