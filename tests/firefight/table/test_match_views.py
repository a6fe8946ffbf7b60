"""The match page and its fragments: what htmx gets, what a plain form gets, and how refusals read."""

import re
import uuid
from dataclasses import replace

import pytest

from firefight.models import LogEntry, Match
from tests import pages
from tests.filling import Reader
from tests.firefight.players import (
    LEADER,
    NAME,
    SAMPLES,
    SQUAD,
    begin,
    effects_of,
    headline_of,
    hidden_in,
    rows,
    sit,
    text_of,
    words_of,
)

pytestmark = pytest.mark.django_db

FIRE = {"ff": "8", "die": "34", "units": f"[{SQUAD},{LEADER}]", "dice": "table"}


def out_of_band(response):
    """The pieces that htmx swaps elsewhere, by what they name."""
    pieces = pages.find(text_of(response), "[hx-swap-oob]")
    return [(piece.id or "", piece.attributes["hx-swap-oob"]) for piece in pieces if piece.tag != "p"]


def is_fragment(response):
    return "<html" not in text_of(response) and "<body" not in text_of(response)


# The page


def test_the_match_page_shows_the_turn_the_rolls_and_the_log(table):
    page = table.german.see()
    assert NAME in page
    assert "Turn 1 · Command Phase" in page
    assert "You are German" in page
    for part in ("Next phase", "Take back", "Write", "End the match", "Close Combat", "The match begins."):
        assert part in page


def test_the_commitment_is_on_the_page_from_the_first_moment():
    maker, _ = begin()
    for player in (maker,):
        assert player.match.commitment in player.see()
        assert player.match.commitment in player.see("dice/")
        assert player.match.seed not in text_of(player.get()) + text_of(player.get("dice/"))


def test_observers_are_offered_nothing_to_press(table):
    page = table.observer.get()
    assert "You watch" in words_of(page)
    for part in ("Next phase", "Take back", "End the match", "Write"):
        assert part not in words_of(page)
    assert "desk-form" not in text_of(page)


@pytest.mark.parametrize("slug", SAMPLES)
def test_every_helper_opens_and_resolves_in_a_match(table, slug):
    assert table.german.get(f"roll/{slug}/").status_code == 200
    assert is_fragment(table.german.get(f"roll/{slug}/", htmx=True))
    response = table.german.roll(slug, htmx=True, dice="table", **SAMPLES[slug])
    assert response.status_code == 200
    entry = next(line for line in table.german.log if line.helper)  # what follows without dice comes after it
    assert (entry.kind, entry.helper, entry.side) == (LogEntry.Kind.ROLL, slug, "german")
    assert headline_of(response) == entry.result.headline
    assert effects_of(response) == list(entry.result.effects)
    assert headline_of(table.observer.get()) == entry.result.headline


def test_an_unknown_helper_is_not_found_and_nothing_is_rolled(table):
    before = rows()
    for slug in ("nothing", "Fire", "fire-"):
        assert table.german.get(f"roll/{slug}/").status_code == 404
        assert table.german.roll(slug, dice="app").status_code == 404
        assert table.german.do(f"roll/{slug}/odds/").status_code == 404
    assert rows() == before


def test_a_plain_form_is_sent_on_to_the_page(table):
    response = table.german.roll("fo-loss", die="4", dice="table")
    assert response.status_code == 302
    assert response["Location"] == f"/match/{table.german.match_id}/#desk"
    assert headline_of(table.german.get()) == "The radio is left in the hex."


def test_charts_of_the_match_are_a_page(table):
    assert table.german.match.book.name in table.observer.see("charts/")


# Fragments


def test_a_roll_sends_back_the_desk_the_status_and_the_new_line(table):
    after = table.german.match.last_number
    response = table.german.roll("fire", htmx=True, after=after, **FIRE)
    assert is_fragment(response)
    assert set(out_of_band(response)) == {
        ("status", "true"),
        ("now", "true"),
        ("due", "true"),
        ("", "afterbegin:#log-rows"),
    }
    assert f'id="entry-{after + 1}"' in text_of(response)
    assert f'id="entry-{after}"' not in text_of(response)
    assert "Due now Morale Check: 1st squad Morale Check: Lt. Klug" in words_of(response)
    assert hidden_in(response, "step") == f"{after + 1}-0"
    assert hidden_in(response, "version") == str(table.german.match.version)


def test_a_roll_also_brings_lines_of_the_other_side_that_were_not_shown_yet(table):
    after = table.german.match.last_number
    table.russian.note("by the way")
    response = table.german.roll("fo-loss", htmx=True, die="4", dice="table", after=after)
    assert "by the way" in words_of(response)


def test_a_correction_replaces_the_old_line_where_it_stands(table):
    table.german.roll("fo-loss", die="4", dice="table")
    number = table.german.last.number
    response = table.german.roll("fo-loss", htmx=True, die="8", dice="table", corrects=number, after=number)
    assert (f"entry-{number}", "true") in out_of_band(response)
    assert f"№ {number} to {number + 1}" in words_of(response) and "corrected" in words_of(response)


def test_the_form_of_a_correction_shows_the_old_inputs_and_dice(table):
    table.german.roll("morale", tq="7", modifier="2", die="4", dice="table")
    number = table.german.last.number
    response = table.german.get("roll/morale/", htmx=True, corrects=number)
    assert f"Correct № {number}" in words_of(response)
    assert "The old dice showed 4." in words_of(response)
    assert 'name="tq" value="7"' in text_of(response)
    assert hidden_in(response, "corrects") == str(number)


@pytest.mark.parametrize("number", ["1", "4", "77", "999999999", "0"])
def test_what_cannot_be_corrected_has_no_form(table, number):
    table.german.roll("fo-loss", dice="app")
    assert table.german.get("roll/fo-loss/", corrects=number).status_code == 404


def test_the_other_side_has_no_form_of_correction(table):
    table.german.roll("fo-loss", die="4", dice="table")
    for other in (table.russian, table.observer):
        assert other.get("roll/fo-loss/", corrects=table.german.last.number).status_code == 404


def test_the_same_roll_again_has_the_same_inputs(table):
    table.german.roll("morale", tq="7", modifier="2", die="4", dice="table")
    response = table.german.get("roll/morale/", again=table.german.last.number)
    assert 'name="tq" value="7"' in text_of(response)
    assert table.german.get("roll/morale/", again="99").status_code == 200


def test_an_act_beside_the_desk_leaves_the_form_on_it_alone(table):
    for place, fields in (("note/", {"text": "hm"}), ("advance/", {})):
        response = table.german.do(place, htmx=True, after=table.german.match.last_number, **fields)
        assert response["HX-Reswap"] == "none"
        assert 'id="desk"' not in text_of(response)
        assert is_fragment(response)


def test_the_odds_of_a_match_follow_its_inputs(table):
    response = table.german.do("roll/contact/odds/", htmx=True, device="phone")
    assert is_fragment(response)
    assert "Contact 75.0 % 3 in 4" in words_of(response)


def test_asking_for_odds_changes_nothing(table):
    before = rows()
    table.german.do("roll/fire/odds/", **FIRE)
    assert rows() == before


def test_a_further_row_of_units_is_no_roll(table):
    before = rows()
    response = table.german.roll("fire", htmx=True, more="units-add", ff="8", **{"units-new-kind": "squad"})
    assert response.status_code == 200
    assert "squad" in hidden_in(response, "units")
    assert headline_of(response) is None
    assert rows() == before


# Turn


def test_the_phase_moves_on_with_its_reminders(table):
    response = table.german.do("advance/", htmx=True, after=table.german.match.last_number)
    assert "Turn 1 · Fire and Movement Phase · impulse: German" in words_of(response)
    assert "Reminders: Fire and Movement Phase" in words_of(response)
    assert ("status", "true") in out_of_band(response)
    assert table.german.last.sentence == "Turn 1, Fire and Movement Phase."
    assert "Pass impulse" in table.russian.see()


def test_the_impulse_passes(table):
    table.german.do("advance/")
    table.russian.do("advance/", button="impulse")
    assert "impulse: Russian" in table.german.see()


# Live


def live(player, version=None, after=None):
    match = player.match
    version, after = version or match.version, match.last_number if after is None else after
    return player.get("live/", htmx=True, version=version, after=after)


def test_nothing_new_is_an_empty_answer(table):
    for player in (table.german, table.russian, table.observer):
        response = live(player)
        assert response.status_code == 204
        assert response.content == b""


def test_an_act_of_the_other_side_arrives(table):
    version, after = table.russian.match.version, table.russian.match.last_number
    table.german.roll("fire", **FIRE)
    for player in (table.russian, table.observer):
        response = live(player, version, after)
        assert response.status_code == 200
        assert is_fragment(response)
        assert ("desk", "true") in out_of_band(response)
        assert headline_of(response) == headline_of(player.get())
        assert ("desk-form" in text_of(response)) == (player is table.russian)
        assert table.german.last.sentence in words_of(response)
        assert "Due now Morale Check: 1st squad" in words_of(response)
        assert f'data-version="{version + 1}"' in text_of(response)


def test_the_desk_of_the_other_device_is_that_of_its_page(table):
    """After a roll, a roll made elsewhere, a drop, a taking back, the end: what the page itself would show."""
    acts = (
        lambda: table.german.roll("fire", **FIRE),
        lambda: table.german.roll("morale", tq="6", die="8", dice="table", step=first_due(table.german)),
        lambda: table.german.do("drop/", step="all"),
        lambda: table.german.do("take-back/"),
        lambda: table.german.do("end/", sure="on"),
    )
    for act in acts:
        version, after = table.russian.match.version, table.russian.match.last_number
        act()
        news, page = live(table.russian, version, after), table.russian.get()
        assert titles_in(news) == titles_in(page)
        assert headline_of(news) == headline_of(page)
        assert news["HX-Replace-Url"] == f"/match/{table.german.match_id}/"


def first_due(player):
    """The id of the first roll that is due."""
    return player.match.state.queue[0].id


def titles_in(response):
    """The titles of the forms on the desk."""
    return pages.words_of_each(text_of(response), "#desk-form h2")


def test_the_last_roll_taken_back_leaves_an_empty_desk_that_says_what_to_do(table):
    table.german.roll("fo-loss", die="4", dice="table")
    version, after = table.russian.match.version, table.russian.match.last_number
    table.german.do("take-back/")
    assert "Choose a roll below." in words_of(live(table.russian, version, after))


def test_news_beside_the_desk_leave_it_alone(table):
    for do in (lambda: table.german.note("Quiet."), lambda: table.german.do("advance/")):
        version, after = table.russian.match.version, table.russian.match.last_number
        do()
        response = live(table.russian, version, after)
        assert 'id="desk"' not in text_of(response)
        assert "HX-Replace-Url" not in response


def test_a_form_that_was_sent_and_drawn_again_is_marked_as_in_use(table):
    assert "data-sent" not in text_of(table.german.get("roll/morale/"))
    assert "data-sent" in text_of(table.german.roll("morale", htmx=True, tq="6", die="", dice="table"))
    assert "data-sent" not in text_of(table.german.roll("fire", htmx=True, **FIRE))


def test_a_taken_back_correction_restores_the_line_on_the_other_device(table):
    table.german.roll("fo-loss", die="4", dice="table")
    table.german.roll("fo-loss", die="8", dice="table", corrects="4")
    version, after = table.russian.match.version, table.russian.match.last_number
    table.german.do("take-back/")
    response = live(table.russian, version, after)
    assert ("entry-4", "true") in out_of_band(response)
    assert 'id="entry-4" class="line chain roll side-1"' in text_of(response)
    assert "left in the hex" in words_of(response)


def test_a_device_that_slept_long_is_told_to_load_the_page_anew(table):
    version, after = table.russian.match.version, table.russian.match.last_number
    for number in range(5):
        table.german.note(f"note {number}")
    response = live(table.russian, version, after)
    assert "note 0" in words_of(response)
    assert "note 4" in words_of(response)
    for number in range(20):
        table.german.note(f"later note {number}")
    response = live(table.russian, version, after)
    assert response["HX-Refresh"] == "true"
    # Not the address of its form anew: of a correction there is none, once it is made.
    done = table.russian.roll("fo-loss", htmx=True, dice="app", after=after)
    assert done["HX-Redirect"] == f"/match/{table.russian.match_id}/"


@pytest.mark.parametrize("version", ["", "x", "-1", "²", "9" * 30])
def test_a_poll_without_a_good_version_gets_the_present_state(table, version):
    response = table.german.get("live/", htmx=True, version=version, after="x")
    assert response.status_code == 200
    assert "Turn 1" in words_of(response)


def test_the_poll_of_an_unseated_browser_is_refused(table):
    fields = {"side": "russian"}
    table.russian.send("seats/issue/", fields)
    version = table.russian.match.version
    table.russian.client.session.flush()
    table.russian.client.cookies.clear()
    assert table.russian.get("live/", htmx=True, version=version).status_code == 403


# Repeated, stale, refused


def test_a_double_click_rolls_once_and_both_answers_show_the_same(table):
    act, version = str(uuid.uuid4()), table.german.match.version
    fields = {"act": act, "version": version, "dice": "app", "after": table.german.match.last_number}
    first = table.german.send("roll/contact/", fields, htmx=True)
    before = rows()
    second = table.german.send("roll/contact/", fields, htmx=True)
    assert (first.status_code, second.status_code) == (200, 200)
    assert headline_of(first) == headline_of(second)
    assert rows() == before


def test_a_stale_form_rolls_nothing_shows_what_happened_and_keeps_what_was_typed(table):
    version, after = table.german.match.version, table.german.match.last_number
    table.russian.note("meanwhile")
    before = rows()
    for htmx in (True, False):
        response = table.german.roll("morale", htmx, version=version, after=after, tq="7", die="4", dice="table")
        assert response.status_code == 409
        assert "The match has moved on since this form was drawn." in words_of(response)
        assert "meanwhile" in words_of(response)
        assert 'name="tq" value="7"' in text_of(response)
        assert hidden_in(response, "version") == str(version + 1)
    assert rows() == before


def test_no_form_is_stale_because_somebody_has_sat_down():
    german, links = begin()
    version = german.match.version  # of a form that is sent before its page has heard of it
    sit(links["russian"], german.match_id)
    response = german.roll("morale", True, version=version, tq="6", die="8", dice="table")
    assert headline_of(response) and german.last.helper == "morale"


def test_a_stale_button_does_nothing_and_says_so(table):
    version = table.german.match.version
    table.russian.note("meanwhile")
    before = rows()
    for place in ("advance/", "drop/", "take-back/", "answer/", "end/"):
        for stale in (version, 0, None, "x", "9" * 30):
            fields = {"sure": "on", "agrees": "yes", "step": "all", "after": 1}
            response = table.german.do(place, htmx=True, version=stale, **fields)
            assert response.status_code == 409, place
            assert "moved on" in words_of(response)
            assert "meanwhile" in words_of(response)
    assert rows() == before


def test_a_fragment_never_says_that_lines_were_shown_that_were_not(table):
    table.russian.note("meanwhile")
    for response in (table.german.get("roll/contact/", htmx=True),):
        assert "meanwhile" in words_of(response) or 'id="live"' not in text_of(response)


@pytest.mark.parametrize(
    ("place", "fields", "status", "message"),
    [
        ("note/", {"text": ""}, 422, "A note has 1 to 500 characters"),
        ("note/", {"text": "   "}, 422, "A note has 1 to 500 characters"),
        ("note/", {"text": "x" * 501}, 422, "A note has 1 to 500 characters"),
        ("note/", {"text": "a\0b"}, 422, "none of them a control character"),
        ("note/", {"text": "a", "about": "first"}, 422, "Give the number of an entry"),
        ("note/", {"text": "a", "about": "²"}, 422, "Give the number of an entry"),
        ("note/", {"text": "a", "about": "9" * 30}, 422, "Give the number of an entry"),
        ("note/", {"text": "a", "about": "77"}, 422, "There is no entry № 77"),
        ("note/", {"text": "a", "about": "1", "sealed": "on"}, 422, "a sealed note stands alone"),
        ("note/", {"text": "a", "act": "x"}, 403, "lost its act id"),
        ("reveal/", {"number": "1"}, 403, "no sealed note of your side"),
        ("reveal/", {}, 422, "no sealed note of your side"),
        ("advance/", {"button": "impulse"}, 403, "Impulses belong to the Fire and Movement Phase."),
        ("drop/", {}, 403, "no such roll to drop"),
        ("drop/", {"step": "9-9"}, 403, "no longer due"),
        ("take-back/", {}, 403, "nothing to take back"),
        ("answer/", {"agrees": "yes"}, 403, "Nothing is proposed"),
        ("answer/", {}, 422, "Agree or decline."),
        ("answer/", {"agrees": "perhaps"}, 422, "Agree or decline."),
        ("end/", {}, 422, "Tick “the match is over” first"),
        ("roll/fo-loss/", {"dice": "table", "die": "4", "step": "9-9"}, 403, "no longer due"),
        ("roll/fo-loss/", {"dice": "table", "die": "4", "corrects": "1"}, 403, "Only your own roll"),
        ("roll/fo-loss/", {"dice": "table", "die": "11"}, 422, "A d10 shows 1 to 10; 11 is not on it."),
        ("roll/morale/", {"dice": "table", "die": "4"}, 422, "TQ: give a whole number from 1 to 10."),
    ],
)
def test_a_refusal_is_said_plainly_and_changes_nothing(table, place, fields, status, message):
    before = rows()
    for htmx in (True, False):
        response = table.german.do(place, htmx, **fields)
        assert response.status_code == status
        assert message in words_of(response)
        assert is_fragment(response) is htmx
    assert rows() == before


def test_a_missing_die_is_asked_for_and_the_same_form_may_be_sent_again(table):
    before = rows()
    act = str(uuid.uuid4())
    fields = {"act": act, "aim": "K7", "die": "90", "dice": "table"}
    response = table.german.roll("accuracy", htmx=True, **fields)
    assert response.status_code == 200
    assert 'role="status"' in text_of(response)
    assert hidden_in(response, "act") == act
    assert 'name="die" value="90"' in text_of(response)
    assert rows() == before
    response = table.german.roll("accuracy", htmx=True, **fields, direction_die="3")
    assert headline_of(response).startswith("It strays")


def test_a_roll_without_its_die_keeps_the_last_result(table):
    table.german.roll("morale", tq="6", die="8", dice="table", name="1st squad")
    headline = headline_of(table.german.get())
    fragment = table.german.roll("morale", htmx=True, tq="6", die="", dice="table")
    assert "Type this die." in words_of(fragment)
    assert fragment["HX-Reselect"] == fragment["HX-Retarget"] == "#desk-form"
    page = table.german.roll("morale", tq="6", die="", dice="table")
    assert "Type this die." in words_of(page)
    assert headline_of(page) == headline
    assert table.german.last.number == 4


def test_a_fresh_form_shows_what_the_match_knows(table):
    Match.objects.filter(pk=table.german.match_id).update(state=replace(table.german.match.state, turn=3))
    assert 'name="turn" value="3"' in text_of(table.german.get("roll/end-of-firefight/"))
    assert "turn" not in hidden_in(table.german.get("roll/morale/"), "carry")


def test_a_form_opened_by_htmx_is_a_step_that_back_undoes_and_an_act_ends_it(table):
    page = text_of(table.german.get())
    assert pages.values_of_each(page, "nav#rolls", "hx-push-url") == ["true"]  # its links inherit that
    links = pages.find(page, "a[href*='/roll/']:not(nav#rolls a)")
    assert all(link.attributes.get("hx-push-url") == "true" for link in links)
    response = table.german.roll("morale", htmx=True, tq="6", die="8", dice="table")
    assert response["HX-Replace-Url"] == f"/match/{table.german.match_id}/"


def test_an_act_id_of_another_match_is_refused_in_both(table):
    act = str(uuid.uuid4())
    table.german.note("hello", act=act)
    other, _ = begin(name="Other")
    before = rows()
    response = other.note("hello", act=act)
    assert response.status_code == 403
    assert "belongs to another match" in words_of(response)
    # The same id by a roll goes the quick way first.
    assert other.roll("fo-loss", act=act, dice="app").status_code == 403
    assert rows() == before


def test_the_other_sides_act_id_is_refused(table):
    act = str(uuid.uuid4())
    table.german.note("hello", act=act)
    before = rows()
    assert table.russian.note("hello", act=act).status_code == 403
    assert rows() == before


def test_an_observer_who_posts_is_refused(table):
    before = rows()
    for place in ("advance/", "note/", "roll/fo-loss/", "end/", "take-back/", "drop/", "reveal/", "answer/"):
        response = table.observer.do(place, text="hi", dice="app", sure="on", step="all", agrees="yes")
        assert response.status_code == 403, place
        assert "Observers watch; only players act." in words_of(response)
    assert rows() == before


# Taking back and ending


def test_taking_back_shows_on_both_devices(table):
    table.german.roll("fire", **FIRE)
    state = Match.objects.get().state
    assert state.queue
    response = table.german.do("take-back/", htmx=True, after=table.german.match.last_number)
    assert "Taken back: № 4." in words_of(response)
    assert ("entry-4", "true") in out_of_band(response)
    assert "Due now" not in words_of(response)
    assert "Void: see № 5." in table.russian.see()
    assert headline_of(table.russian.get()) is None


def test_the_other_side_is_asked_and_answers(table):
    table.german.roll("fo-loss", dice="app")
    table.german.do("take-back/")
    question = f"German asks to take back № 4. № 4, German: {table.german.log[3].sentence}"
    assert question in table.russian.see() and "Agree Decline" in table.russian.see()
    assert "Waiting for the other side to answer. Withdraw" in table.german.see()
    table.russian.do("answer/", agrees="no")
    assert "Russian lets № 4 stand." in table.german.see()
    table.german.do("take-back/")
    table.russian.do("answer/", agrees="yes")
    assert "Taken back: № 4." in table.german.see()


def test_an_ended_match_can_be_read_and_not_added_to(table):
    table.german.roll("fire", **FIRE)
    table.russian.do("end/", sure="on")
    table.german.do("answer/", agrees="yes")
    for player in (table.german, table.russian, table.observer):
        page = player.get()
        assert "ended" in words_of(page)
        for part in ("Next phase", "Take back", "Write", "Correct the dice"):
            assert part not in words_of(page)
        assert "desk-form" not in text_of(page)
    before = rows()
    for place, fields in (("advance/", {}), ("note/", {"text": "more"}), ("roll/fo-loss/", {"dice": "app"})):
        response = table.german.do(place, **fields)
        assert response.status_code == 403
        assert "This match has ended" in words_of(response)
    assert rows() == before


def test_no_open_page_offers_rolls_any_more_once_the_match_ends(table):
    readers = [Reader(player.client).open(f"/match/{player.match_id}/") for player in (table.german, table.russian)]
    german, russian = readers
    german.form('form[action$="/end/"]').fill(sure=True).press("Propose the end")
    russian.look().press("Agree")
    german.look()
    for reader in readers:
        assert "The match has ended" in reader.words("main")
        assert not reader.has("#rolls") and "Add counters" not in reader.words("main")


def test_two_matches_do_not_mix(table):
    other, links = begin(name="Other match")
    russian = sit(links["russian"], other.match_id)
    other.note("only here")
    assert "only here" in russian.see()
    assert "only here" not in table.german.see()
    assert "only here" not in text_of(table.german.get("log.json"))


def test_a_device_asks_often_enough_to_hear_within_two_seconds(table):
    (trigger,) = pages.values_of_each(text_of(table.russian.get()), "#live", "hx-trigger")
    assert 500 <= int(re.match(r"every (\d+)ms", trigger)[1]) <= 1500


def test_the_form_of_a_correction_tells_a_00_as_the_die_shows_it(table):
    table.german.roll("contact", device="radio", die="00")
    number = table.german.last.number
    assert "The old dice showed 00." in words_of(table.german.get("roll/contact/", corrects=number))


@pytest.mark.parametrize("place", ["", "roll/fire/", "log/", "hand/"])
@pytest.mark.parametrize("how", ["HX-History-Restore-Request", "HX-Boosted"])
def test_a_page_that_htmx_brings_back_or_follows_a_link_to_is_whole(table, place, how):
    headers = {"HX-Request": "true", how: "true"}
    address = f"/match/{table.german.match_id}/{place}"
    page = table.german.client.get(address, headers=headers)
    assert pages.words_of_each(text_of(page), "title") == pages.words_of_each(text_of(table.german.get(place)), "title")
    assert pages.find(text_of(page), "ol li.line")


@pytest.mark.parametrize("about", ["mission=x&units=K7", "flight=x&units=[3]", "mission=x&units=%5B%22K7%22%5D"])
def test_an_address_that_names_units_in_a_way_of_its_own_opens_the_form(table, about):
    assert table.german.client.get(f"/match/{table.german.match_id}/roll/fire/?{about}").status_code == 200


@pytest.mark.parametrize("role", ["firers", "targets", "chosen"])
def test_counters_that_are_named_in_a_game_without_any_are_refused(role):
    german = begin("german", game="inferno-on-the-volga", **{"option-mode": "one_v_one"})[0]
    assert german.roll("set-up", **{role: "german-1"}).status_code == 422
    answer = german.get(f"roll/set-up/?{role}=german-1")
    assert answer.status_code == 200 and "This game keeps no counters here." in words_of(answer)
