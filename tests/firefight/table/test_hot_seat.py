"""Hot-seat: one device, two sides, a cover between them, and PINs."""

from contextlib import suppress
from datetime import timedelta

import pytest
from django.conf import settings
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from firefight.models import LogEntry, Match, Seat
from firefight.table.seats import cover_pins
from firefight.table.seats.cover_pins import BadPin
from firefight.table.seats.seating import PIN_TRIES
from tests.filling import Reader
from tests.firefight.players import GAME, Player, begin, links_in, rows, sit, text_of, way_back_in, words_of
from tests.pages import values_of_each

pytestmark = pytest.mark.django_db

PAGES = ("", "log/", "log.json", "charts/", "dice/", "seats/", "roll/contact/")
ACTS = ("advance/", "drop/", "note/", "reveal/", "take-back/", "answer/", "end/", "seats/issue/", "pin/")
ACTS += ("seats/put-out/", "seats/lost/", "seats/network/", "seats/here/")


def hand_over(player):
    return player.send("cover/", {})


def lift(player, side, **fields):
    return player.send("lift/", {"side": side, **fields})


def test_the_maker_of_a_hot_seat_match_holds_both_sides_and_acts_for_his(hot_seat):
    assert "You are German" in hot_seat.see()
    assert "Hand over" in hot_seat.see()


def test_handing_over_puts_the_cover_on(hot_seat):
    response = hand_over(hot_seat)
    assert response["Location"] == f"/match/{hot_seat.match_id}/cover/"
    cover = hot_seat.get("cover/")
    assert "The cover is on. Who holds the device?" in words_of(cover)
    assert cover["Cache-Control"] == "no-store"


def test_beside_the_phase_the_device_is_handed_over_instead_of_calling_nobody(hot_seat):
    reader = Reader(hot_seat.client).open(f"/match/{hot_seat.match_id}/")
    assert not reader.has("#hand-over")
    reader.form("form.you").press(reader.words("form.you"))  # whose device it is, on top
    reader.form(".status form[action$='/cover/']").press("Hand over to German")
    assert "You are German" in reader.words()


def turn_over(player):
    """Press whose device it is, on top of the page; returns what is shown then."""
    reader = Reader(player.client).open(f"/match/{player.match_id}/")
    reader.form("form.you").press(reader.words("form.you"))
    return reader.words()


def test_one_press_turns_the_device_over_while_nothing_is_sealed(hot_seat):
    """Defensive Fire took two presses each way, though neither side had anything to hide."""
    assert "You are Russian" in turn_over(hot_seat)
    hot_seat.roll("fo-loss", die="4", dice="table")
    assert hot_seat.last.side == "russian"
    assert "You are German" in turn_over(hot_seat)


@pytest.mark.parametrize(
    "seal",
    [
        lambda player: player.note("a secret", sealed="on"),
        lambda player: player.bring_hidden("Grenadier squad"),
        lambda player: player.do(
            "rows/", field="ground", **{"part-hex": "K7", "part-mines": "2", "part-known_to": "german"}
        ),
        lambda player: player.send("pin/", {"pin": "4711"}),
    ],
    ids=["a line", "a counter", "a row of the record", "a PIN"],
)
def test_the_cover_comes_between_two_sides_once_one_of_them_has_something_to_hide(hot_seat, seal):
    seal(hot_seat)
    assert "Who holds the device?" in turn_over(hot_seat)
    assert hot_seat.get().status_code == 302


def test_under_the_cover_every_page_leads_to_it_and_no_act_is_done(hot_seat):
    hand_over(hot_seat)
    before = rows()
    cover = f"/match/{hot_seat.match_id}/cover/"
    for place in PAGES:
        assert hot_seat.get(place)["Location"] == cover, place
        assert hot_seat.get(place, htmx=True)["HX-Redirect"] == cover, place
        assert hot_seat.get(place, htmx=True).content == b""
    for place in (*ACTS, "roll/fo-loss/", "roll/fo-loss/odds/"):
        response = hot_seat.do(place, text="hello", step="all", sure="on", dice="app")
        assert response["Location"] == cover, place
    assert rows() == before


def test_the_live_poll_under_the_cover_tells_nothing(hot_seat):
    hot_seat.note("a secret", sealed="on")
    hand_over(hot_seat)
    response = hot_seat.get("live/", htmx=True, version=1, after=0)
    assert response["HX-Redirect"].endswith("/cover/")
    assert response.content == b""


def test_the_cover_is_lifted_for_the_chosen_side(hot_seat):
    hand_over(hot_seat)
    assert lift(hot_seat, "russian")["Location"] == f"/match/{hot_seat.match_id}/"
    assert "You are Russian" in hot_seat.see()
    hot_seat.note("hello")
    assert hot_seat.last.side == "russian"


def test_opening_the_cover_page_puts_the_cover_on(hot_seat):
    hot_seat.get("cover/")
    assert hot_seat.get().status_code == 302


@pytest.mark.parametrize("side", ["", "roman", "observer", "\0"])
def test_the_cover_is_not_lifted_for_anybody_else(hot_seat, side):
    hand_over(hot_seat)
    response = lift(hot_seat, side)
    assert response.status_code == 422
    assert "Choose a side." in words_of(response)
    assert hot_seat.get().status_code == 302


def test_nothing_of_a_match_stays_in_the_browsers_cache(hot_seat):
    for place in PAGES:
        assert "no-store" in hot_seat.get(place)["Cache-Control"], place


def test_a_browser_with_one_side_has_no_cover(table):
    to_the_match = f"/match/{table.german.match_id}/"
    assert table.german.get("cover/")["Location"] == to_the_match
    for side in ("german", "russian"):
        assert table.german.send("lift/", {"side": side})["Location"] == to_the_match
    assert "You are German" in table.german.see()


def test_a_stranger_sees_no_cover(hot_seat):
    stranger = Player(hot_seat.match_id)
    assert stranger.get("cover/").status_code == 403
    assert stranger.send("lift/", {"side": "german"}).status_code == 403
    assert stranger.send("cover/", {}).status_code == 403


def test_a_take_back_of_the_apps_dice_is_confirmed_by_both_on_the_same_page(hot_seat):
    hot_seat.roll("fo-loss", dice="app")
    hot_seat.do("take-back/")
    assert "Do both players agree?" in hot_seat.see()
    hot_seat.do("answer/", agrees="yes")
    assert hot_seat.last.sentence.startswith("Taken back: ")


def test_a_side_that_moved_to_its_own_device_is_asked(hot_seat):
    hand_over(hot_seat)
    lift(hot_seat, "russian")
    phone = sit(way_back_in(hot_seat.issue("russian")), hot_seat.match_id)
    assert "You are Russian" in phone.see()
    assert "You are German" in hot_seat.see()
    watcher_link = links_in(phone.issue("observer"))["observer"]
    phone.client.get(watcher_link)
    phone.client.post("/claim/")
    hot_seat.roll("fo-loss", dice="app")
    phone.do("take-back/")
    assert "asks to take back" in phone.last.sentence
    assert phone.do("answer/", agrees="yes").status_code == 403


# Copied cookies and second tabs

SECRET = "GERMANSECRET"


def copy_of(player):
    """Another browser with the same cookie."""
    other = Player(player.match_id)
    name = settings.SESSION_COOKIE_NAME
    other.client.cookies[name] = player.client.cookies[name].value
    return other


def test_a_cookie_copied_in_the_own_turn_shows_nothing_once_the_cover_lies_on(hot_seat):
    set_pin(hot_seat, "4711")
    hot_seat.note(SECRET, sealed="on")
    thief = copy_of(hot_seat)
    hand_over(hot_seat)
    for place in PAGES:
        assert thief.get(place)["Location"].endswith("/cover/"), place
    before = rows()
    assert set_pin(thief, "")["Location"].endswith("/cover/")
    assert rows() == before
    assert lift(thief, "german").status_code == 403


def test_a_cookie_copied_in_another_turn_shows_nothing_of_a_cover_lifted_later(hot_seat):
    hot_seat.note(SECRET, sealed="on")
    set_pin(hot_seat, "4711")
    hand_over(hot_seat)
    lift(hot_seat, "russian")
    thief = copy_of(hot_seat)
    hand_over(hot_seat)
    lift(hot_seat, "german", pin="4711")
    assert SECRET in hot_seat.see()
    for place in PAGES:
        assert thief.get(place)["Location"].endswith("/cover/"), place


def test_the_own_pin_is_asked_for_before_it_is_changed_or_removed(hot_seat):
    set_pin(hot_seat, "4711")
    before = pin_of(hot_seat, "german")
    for pin in ("", "1234"):
        for present in ("", "4712"):
            response = set_pin(hot_seat, pin, present)
            assert response.status_code == 403
            assert "That is not this side's PIN." in words_of(response)
    assert pin_of(hot_seat, "german") == before
    set_pin(hot_seat, "1234", "4711")
    assert pin_of(hot_seat, "german") != before


TABS = ("", "log/", "charts/", "dice/", "seats/", "file/", "report/", "roll/contact/")


def watched_by(page):
    """The addresses that an open page asks again and again whether it may stay."""
    return values_of_each(page, "[hx-get*='?'][hx-get$='as=german'][hx-trigger^='every 1500ms']", "hx-get")


@pytest.mark.parametrize("ended", [False, True])
def test_every_open_page_of_a_device_makes_way_when_the_cover_is_put_on(hot_seat, ended):
    if ended:
        Match.objects.update(ended=timezone.now())
    watched = {place: watched_by(text_of(hot_seat.get(place))) for place in TABS}
    for place, addresses in watched.items():
        assert len(addresses) == 1, place
        with CaptureQueriesContext(connection) as captured:
            assert hot_seat.client.get(addresses[0], headers={"HX-Request": "true"}).status_code == 204
        assert len(captured) == 1
    for side in ("", "russian"):
        hand_over(hot_seat)
        if side:
            lift(hot_seat, side)
        for (address,) in watched.values():
            response = hot_seat.client.get(address, headers={"HX-Request": "true"})
            assert response["HX-Refresh"] == "true"
            assert response.content == b""


def test_a_page_of_one_side_alone_watches_no_cover(table):
    for place in ("log/", "seats/", "dice/"):
        assert "hands/" not in text_of(table.german.get(place))


def test_a_browser_with_many_hot_seat_matches_lifts_covers_in_all_of_them(db):
    maker = Player()
    for _ in range(12):
        maker.client.post(f"/match/new/{GAME}/", {"game": GAME, "side": "german", "hot_seat": "on"})
    for match in Match.objects.all():
        maker.match_id = match.pk
        maker.get("cover/")
        lift(maker, "russian")
        assert "You are Russian" in maker.see()
    assert len(maker.client.cookies[settings.SESSION_COOKIE_NAME].value) < 1_600


# PINs


def set_pin(player, pin, present=""):
    return player.send("pin/", {"pin": pin, "present": present})


def pin_of(player, side):
    return Seat.objects.get(match=player.match_id, side=side).pin


def test_a_pin_is_stored_hashed_and_asked_for(hot_seat):
    assert set_pin(hot_seat, "4711")["Location"].endswith("/seats/")
    assert "4711" not in pin_of(hot_seat, "german")
    hand_over(hot_seat)
    assert "PIN" in words_of(hot_seat.get("cover/"))
    response = lift(hot_seat, "german", pin="4712")
    assert response.status_code == 403
    assert "That is not this side's PIN." in words_of(response)
    assert hot_seat.get().status_code == 302
    lift(hot_seat, "german", pin="4711")
    assert "You are German" in hot_seat.see()


def test_a_pin_guards_its_own_side_only(hot_seat):
    set_pin(hot_seat, "4711")
    hand_over(hot_seat)
    lift(hot_seat, "russian")
    assert "You are Russian" in hot_seat.see()
    assert pin_of(hot_seat, "russian") == ""


def test_a_pin_is_removed_by_a_blank_one(hot_seat):
    set_pin(hot_seat, "4711")
    assert "A PIN guards the German side." in words_of(hot_seat.client.get(f"/match/{hot_seat.match_id}/seats/"))
    set_pin(hot_seat, "", present="4711")
    assert "The German side has no PIN." in words_of(hot_seat.client.get(f"/match/{hot_seat.match_id}/seats/"))
    hand_over(hot_seat)
    lift(hot_seat, "german")
    assert "You are German" in hot_seat.see()


@pytest.mark.parametrize("pin", ["1", "123", "123456789", "abcd", "12 34", "١٢٣٤", "²²²²", "12\0" + "34"])
def test_a_bad_pin_is_refused_and_the_old_one_stays(hot_seat, pin):
    set_pin(hot_seat, "4711")
    before = rows()
    response = set_pin(hot_seat, pin)
    assert response.status_code == 422
    assert "A PIN has 4 to 8 digits." in words_of(response)
    assert f'<a href="/match/{hot_seat.match_id}/seats/">Back</a>' in text_of(response)
    assert rows() == before


def test_more_digits_than_the_pin_has_do_not_open_it(hot_seat):
    set_pin(hot_seat, "12345678")
    hand_over(hot_seat)
    assert lift(hot_seat, "german", pin="123456789").status_code == 403


def test_after_five_wrong_pins_even_the_right_one_waits_a_minute(hot_seat):
    set_pin(hot_seat, "4711")
    hand_over(hot_seat)
    for _ in range(5):
        assert "That is not this side's PIN." in words_of(lift(hot_seat, "german", pin="0000"))
    response = lift(hot_seat, "german", pin="4711")
    assert response.status_code == 403
    assert "Too many wrong PINs: wait a minute." in words_of(response)
    assert hot_seat.get().status_code == 302
    past = timezone.now() - timedelta(seconds=1)
    Seat.objects.filter(match=hot_seat.match_id, side="german").update(pin_locked_until=past)
    lift(hot_seat, "german", pin="4711")
    assert "You are German" in hot_seat.see()


@pytest.mark.parametrize(
    "hide",
    [
        lambda player: player.bring_hidden("Grenadier squad"),
        lambda player: player.do(
            "rows/", field="ground", **{"part-hex": "K7", "part-mines": "2", "part-known_to": "german"}
        ),
    ],
    ids=["a counter", "a row of the record"],
)
def test_what_lies_hidden_keeps_the_cover_though_no_line_is_under_seal(hot_seat, hide):
    """A file may bring it without the line."""
    hide(hot_seat)
    hot_seat.match.log.update(secret="")
    assert "Who holds the device?" in turn_over(hot_seat)


def test_a_wrong_pin_says_who_can_help_whoever_has_forgotten_it(hot_seat):
    set_pin(hot_seat, "4711")
    hand_over(hot_seat)
    page = Reader(hot_seat.client).open(f"/match/{hot_seat.match_id}/cover/")
    assert "Forgotten?" not in page.words()
    page.form(".cover form").fill(pin="0000").press("I am German")
    assert "Forgotten? Lift the cover for the other side" in page.words(".cover")


def test_the_right_pin_forgets_the_wrong_ones(hot_seat):
    set_pin(hot_seat, "4711")
    for _ in range(2):
        hand_over(hot_seat)
        for _ in range(4):
            lift(hot_seat, "german", pin="0000")
        lift(hot_seat, "german", pin="4711")
        assert "You are German" in hot_seat.see()
    assert Seat.objects.get(match=hot_seat.match_id, side="german").pin_failures == 0


def test_the_pause_is_of_one_side(hot_seat):
    set_pin(hot_seat, "4711")
    hand_over(hot_seat)
    for _ in range(6):
        lift(hot_seat, "german", pin="0000")
    lift(hot_seat, "russian")
    assert "You are Russian" in hot_seat.see()


def test_the_other_sides_pin_cannot_be_gone_around_with_a_new_link(hot_seat):
    set_pin(hot_seat, "4711")
    hand_over(hot_seat)
    lift(hot_seat, "russian")
    before = rows()
    response = hot_seat.issue("german")
    assert response.status_code == 403
    assert links_in(response) == {}
    assert way_back_in(response) is None
    assert rows() == before


def test_a_link_that_was_not_looked_at_yet_goes_when_the_device_changes_hands(hot_seat):
    hot_seat.send("seats/issue/", {"side": "german"})
    hand_over(hot_seat)
    lift(hot_seat, "russian")
    assert "/seat/" not in text_of(hot_seat.get("seats/"))


def test_observers_have_no_pin(table):
    before = rows()
    assert set_pin(table.observer, "4711").status_code == 403
    assert rows() == before


def test_wrong_pins_are_counted_without_a_session(db):
    maker, _ = begin(hot_seat=True)
    pk = Seat.objects.get(match=maker.match_id, side="german").pk
    cover_pins.set_pin(pk, "4711")
    for _ in range(5):
        with pytest.raises(BadPin, match="not this side's"):
            cover_pins.check_pin(pk, "0000")
    with pytest.raises(BadPin, match="wait a minute"):
        cover_pins.check_pin(pk, "4711")


def test_nothing_is_locked_while_a_pin_is_hashed(hot_seat, monkeypatch):
    set_pin(hot_seat, "4711")
    outside = connection.in_atomic_block, len(connection.savepoint_ids)
    transactions = []

    def look(*_):
        transactions.append((connection.in_atomic_block, len(connection.savepoint_ids)))
        return False

    monkeypatch.setattr(cover_pins, "is_pin_of", look)
    monkeypatch.setattr(cover_pins, "hash_pin", lambda pin: look() or pin)
    hand_over(hot_seat)
    lift(hot_seat, "german", pin="0000")
    cover_pins.set_pin(Seat.objects.first().pk, "1234")
    assert transactions == [outside, outside]


def test_a_try_counts_before_it_is_looked_at(hot_seat, monkeypatch):
    """Twenty at once are no more than five."""
    set_pin(hot_seat, "4711")
    pk = Seat.objects.get(match=hot_seat.match_id, side="german").pk
    looked = []

    def look(pin, _):
        looked.append(pin)
        if len(looked) < 20:  # the others come while this one is looked at
            with suppress(BadPin):
                cover_pins.check_pin(pk, "0000")
        return False

    monkeypatch.setattr(cover_pins, "is_pin_of", look)
    with pytest.raises(BadPin):
        cover_pins.check_pin(pk, "0000")
    assert len(looked) == PIN_TRIES


def test_a_pin_of_an_earlier_version_still_opens(hot_seat):
    Seat.objects.update(pin=PBKDF2PasswordHasher().encode("4711", "salt" * 6))
    hand_over(hot_seat)
    assert lift(hot_seat, "german", pin="4712").status_code == 403
    assert lift(hot_seat, "german", pin="4711").status_code == 302


def test_a_clock_set_back_does_not_keep_a_seat_locked(hot_seat):
    set_pin(hot_seat, "4711")
    hand_over(hot_seat)
    Seat.objects.update(pin_locked_until=timezone.now() + timedelta(days=4))
    assert lift(hot_seat, "german", pin="4711").status_code == 302


def test_wrong_pins_are_logged_without_the_pin(hot_seat, caplog):
    set_pin(hot_seat, "4711")
    hand_over(hot_seat)
    for _ in range(5):
        lift(hot_seat, "german", pin="083915")
    messages = [record.getMessage() for record in caplog.records if record.name == "firefight.table.seats.seating"]
    assert messages == [
        f"Wrong PIN for the german seat of match {hot_seat.match_id}, try {n} of 5." for n in range(1, 6)
    ]
    assert "083915" not in caplog.text
    assert hot_seat.last.kind == LogEntry.Kind.SEAT
    assert hot_seat.last.sentence == "5 wrong PINs for German: the cover stays on for a minute."


def test_who_goes_on_guessing_does_not_fill_the_log(hot_seat):
    set_pin(hot_seat, "4711")
    hand_over(hot_seat)
    number = hot_seat.match.last_number
    for _ in range(3):
        for _ in range(5):
            lift(hot_seat, "german", pin="0000")
        Seat.objects.update(pin_locked_until=None)
    assert hot_seat.match.last_number == number + 1


def test_pins_are_offered_where_a_hot_seat_match_begins(db):
    for place in (f"/match/new/{GAME}/", "/campaign/new/"):
        page = words_of(Player().client.get(place))
        assert "PIN of German" in page, place
        assert "PIN of Russian" in page, place
    maker, _ = begin(hot_seat=True, **{"pin-german": "4711", "pin-russian": ""})
    assert "4711" not in pin_of(maker, "german")
    assert pin_of(maker, "russian") == ""
    hand_over(maker)
    assert lift(maker, "german").status_code == 403
    assert lift(maker, "german", pin="4711").status_code == 302


def test_a_match_does_not_begin_with_a_bad_pin(db):
    fields = {"game": GAME, "side": "german", "hot_seat": "on", "pin-german": "12"}
    response = Player().client.post("/match/new/", fields)
    assert response.status_code == 422
    assert "A PIN has 4 to 8 digits." in words_of(response)
    assert not Match.objects.exists()


def test_a_match_of_two_devices_begins_without_pins(db):
    maker, _ = begin(**{"pin-german": "4711"})
    assert pin_of(maker, "german") == ""


def test_a_branch_on_one_device_may_have_pins(hot_seat):
    assert "PIN of German" in hot_seat.see("file/")
    before = Match.objects.count()
    response = hot_seat.send("branch/", {"hot_seat": "on", "pin-german": "12"})
    assert response.status_code == 422
    assert Match.objects.count() == before
    hot_seat.send("branch/", {"hot_seat": "on", "pin-russian": "4711"})
    hot_seat.match_id = Match.objects.latest("created").pk
    assert pin_of(hot_seat, "russian")
    assert "You are German" in hot_seat.see()


def test_a_form_that_was_drawn_for_the_other_side_does_nothing(hot_seat):
    hot_seat.do("advance/")
    hand_over(hot_seat)
    lift(hot_seat, "russian")
    before = rows()
    for place in (*ACTS, "roll/fo-loss/"):
        response = hot_seat.do(place, **{"as": "german"}, text="hello", step="all", sure="on", dice="app")
        assert response.status_code == 403, place
        assert "This form was drawn for another side" in words_of(response), place
    assert rows() == before


def test_every_form_of_a_match_says_for_which_side_it_was_drawn(hot_seat):
    hot_seat.note("a plot", sealed="on")
    page = hot_seat.get("roll/contact/").content.decode()
    forms = [form for form in page.split("<form")[1:] if 'name="act"' in form.split("</form>")[0]]
    assert len(forms) >= 5
    assert all('name="as" value="german"' in form.split("</form>")[0] for form in forms)
