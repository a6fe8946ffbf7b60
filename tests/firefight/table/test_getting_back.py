"""Getting back in: ways back to a seat, the devices that hold it, and a seat that is lost."""

import re
from datetime import timedelta
from io import StringIO
from urllib.parse import urlsplit

import pytest
import segno
from django.conf import settings
from django.core import signing
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from firefight.hosting import starting
from firefight.models import Device, LogEntry, Match, Seat
from firefight.table.act import bounds
from firefight.table.seats import devices, seating
from firefight.table.seats.seating import SEATS_OUT
from firefight.web.tokens import hash_token
from tests import pages
from tests.firefight.players import GAME, Player, begin, links_in, rows, sit, text_of, way_back_in, words_of

pytestmark = pytest.mark.django_db

PHONE = "Mozilla/5.0 (Android 14; Mobile; rv:130.0) Gecko/130.0 Firefox/130.0"
LAPTOP = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0 Safari/537.36"
AGENTS = {
    PHONE: "Firefox on Android",
    LAPTOP: "Chrome on Windows",
    LAPTOP + " Edg/128.0": "Edge on Windows",
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Safari/604.1": "Safari on iPhone",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 14.5) Version/17.5 Safari/605.1.15": "Safari on Mac",
    "Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0": "Firefox on Linux",
    "": "A browser",
    "x" * 9000: "A browser",
}


@pytest.fixture
def russian(table):
    """The Russian, with a way back in their hand."""
    table.russian.way_back = way_back_in(table.russian.issue("russian"))
    return table.russian


def seat_of(player, side):
    return Seat.objects.get(match=player.match_id, side=side)


def lost(player, side, do):
    return player.send("seats/lost/", {"side": side, "do": do})


def pass_time(player, side, hours):
    seat = seat_of(player, side)
    seat.missed -= timedelta(hours=hours)
    seat.save()


def sentences(player):
    return [entry.sentence for entry in player.log if entry.kind == LogEntry.Kind.SEAT]


# Ways back


def test_whoever_begins_a_match_gets_a_way_back(db):
    maker = Player()
    response = maker.client.post("/match/new/", {"game": GAME, "side": "german"}, follow=True)
    maker.match_id = Match.objects.get().pk
    assert "Anybody who has it can take your seat" in words_of(response)
    maker.client.cookies.clear()
    assert maker.get().status_code == 403
    assert "You are German" in sit(way_back_in(response), maker.match_id).see()


def lose_way_back(player, side):
    """As somebody has sat down before way backs were shown, or by a program."""
    Seat.objects.filter(match=player.match_id, side=side).update(token_hash="")


def test_a_player_without_a_way_back_is_told_to_make_one(table):
    lose_way_back(table.russian, "russian")
    assert "Seats Make a way back" in table.russian.see()
    assert "There is no way back to your seat yet." in table.russian.see("seats/")
    table.russian.issue("russian")
    assert "Seats Make a way back" not in table.russian.see()
    assert "Make a way back" not in table.observer.see()


def test_a_way_back_is_shown_once_and_stored_hashed(russian):
    assert way_back_in(russian.get("seats/")) is None
    token = russian.way_back.split("/")[2]
    assert token not in str(rows())
    assert seat_of(russian, "russian").token_hash == hash_token(token)


def test_a_new_way_back_ends_the_old_one_and_puts_nobody_out(russian):
    fresh = way_back_in(russian.issue("russian"))
    late = sit(russian.way_back, russian.match_id)
    assert late.get().status_code == 403
    assert "You are Russian" in russian.see()
    assert "You are Russian" in sit(fresh, russian.match_id).see()


def test_the_way_back_says_what_will_happen_and_happens_on_a_press(russian):
    before = rows()
    phone = Player(russian.match_id)
    phone.client.get(russian.way_back)
    page = words_of(phone.client.get("/claim/"))
    assert "This is the way back to the seat: Russian" in page
    assert "They are put out when you sit down here" in page
    assert "A browser, last seen" in page
    assert rows() == before


def test_after_a_switch_of_device_the_old_one_plays_no_more(russian):
    russian.note("RUSSIANSECRET", sealed="on")
    phone = sit(russian.way_back, russian.match_id)
    assert "RUSSIANSECRET" in phone.see()
    assert "RUSSIANSECRET" not in text_of(russian.get())
    number = phone.match.last_number
    for place in ("note/", "advance/", "seats/issue/"):
        assert russian.do(place, text="hello", side="russian").status_code == 403
    poll = russian.get("live/", htmx=True, version=phone.match.version, **{"as": "russian"})
    assert poll["HX-Refresh"] == "true"
    assert phone.match.last_number == number
    assert phone.last.sentence == f"Russian comes back to the seat by its own link.{SEATS_OUT}"


def test_the_old_device_may_be_kept(russian):
    phone = sit(russian.way_back, russian.match_id, "keep")
    assert "You are Russian" in phone.see()
    assert "You are Russian" in russian.see()
    assert phone.last.sentence == "Russian comes back to the seat by its own link."


def test_who_comes_back_gets_a_new_way_back_in_place_of_the_used_one(russian):
    phone = Player(russian.match_id)
    phone.client.get(russian.way_back)
    response = phone.client.post("/claim/", follow=True)
    fresh = way_back_in(response)
    assert fresh not in (None, russian.way_back)
    assert sit(russian.way_back, russian.match_id).get().status_code == 403
    assert "You are Russian" in sit(fresh, russian.match_id).see()


def test_the_other_player_cannot_make_a_way_back_to_a_taken_seat(table):
    before = rows()
    assert table.german.issue("russian").status_code == 403
    assert table.observer.issue("russian").status_code == 403
    assert rows() == before


def test_a_way_back_of_a_seat_with_a_pin_asks_for_it(hot_seat):
    hot_seat.send("pin/", {"pin": "4711"})
    before = seat_of(hot_seat, "german").token_hash
    assert "That is not this side's PIN." in words_of(hot_seat.issue("german"))
    assert seat_of(hot_seat, "german").token_hash == before
    address = f"/match/{hot_seat.match_id}/seats/issue/"
    assert way_back_in(hot_seat.client.post(address, {"side": "german", "pin": "4711"}, follow=True))


def test_a_lost_hot_seat_device_comes_back_with_both_sides(hot_seat):
    link = way_back_in(hot_seat.issue("german"))
    phone = sit(link, hot_seat.match_id, "both")
    assert "Who holds the device?" in words_of(phone.get("cover/"))
    for side in ("german", "russian"):
        phone.send("lift/", {"side": side})
        assert f"You are {side.capitalize()}" in phone.see()
    assert hot_seat.get().status_code == 403


def test_a_pin_parts_the_sides_when_one_comes_back(hot_seat):
    hot_seat.send("pin/", {"pin": "4711"})
    hot_seat.send("lift/", {"side": "russian"})
    link = way_back_in(hot_seat.issue("russian"))
    phone = sit(link, hot_seat.match_id, "both")
    assert set(phone.match.seats.filter(devices__key=key_of(phone)).values_list("side", flat=True)) == {"russian"}
    hot_seat.send("cover/", {})
    assert "You are German" in hot_seat.see()


def key_of(player):
    return hash_token(player.client.session["device"])


# Where no phone could follow


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]"])
def test_a_link_that_no_phone_can_open_has_no_code_but_says_how_to_start(host, db, settings):
    settings.ALLOWED_HOSTS = ["*"]
    page = Client(SERVER_NAME=host).post("/match/new/", {"game": GAME, "side": "german"}, follow=True)
    assert "A phone cannot open this link It leads to this machine alone." in words_of(page)
    assert "LAN=1 make run" in words_of(page)
    assert '<div class="qr">' not in text_of(page)
    settings.PUBLIC_ADDRESS = "http://192.168.1.5:8000"
    page = Client(SERVER_NAME=host).post("/match/new/", {"game": GAME, "side": "german"}, follow=True)
    assert "A phone cannot open" not in words_of(page)
    assert text_of(page).count('<div class="qr">') == 3


def test_each_link_has_the_code_that_leads_where_it_leads(db, true_codes):
    page = Client().post("/match/new/", {"game": GAME, "side": "german"}, follow=True)
    drawn = {code.attributes["d"] for code in pages.find(text_of(page), "div.qr svg path.qrline")}
    assert len(drawn) == 3  # the way back, too
    links = [f"http://testserver{urlsplit(link).path}" for link in (*links_in(page).values(), way_back_in(page))]
    codes = [segno.make(link, error="m").svg_inline() for link in links]
    assert all(any(f'd="{path}"' in code for path in drawn) for code in codes)


# Devices


@pytest.mark.parametrize(("agent", "name"), AGENTS.items())
def test_a_device_is_called_by_its_browser_and_system(agent, name):
    assert devices.describe_browser(agent) == name


def test_the_devices_of_the_own_seat_are_listed_and_each_can_be_put_out(russian):
    phone = sit(russian.way_back, russian.match_id, "keep", headers={"User-Agent": PHONE})
    page = words_of(russian.get("seats/"))
    assert "Your devices A browser this device" in page
    assert "Firefox on Android" in page
    row = Device.objects.get(name="Firefox on Android")
    russian.send("seats/put-out/", {"device": row.pk})
    assert phone.get().status_code == 403
    assert "Firefox on Android" not in words_of(russian.get("seats/"))
    assert "You are Russian" in russian.see()


def test_nobody_sees_or_puts_out_the_devices_of_another_seat(table):
    table.watching = sit(links_in(table.german.issue("observer"))["observer"], table.german.match_id)
    before = rows()
    for device in Device.objects.filter(seat__match=table.german.match_id):
        for player in (table.german, table.russian, table.watching):
            if device.key != key_of(player):
                assert player.send("seats/put-out/", {"device": device.pk}).status_code == 404
    assert rows() == before
    assert "Your devices" not in table.watching.see("seats/")


def test_the_last_device_leaves_only_with_a_way_back(table):
    lose_way_back(table.russian, "russian")
    row = Device.objects.get(seat=seat_of(table.russian, "russian"))
    response = table.russian.send("seats/put-out/", {"device": row.pk})
    assert "Make a way back first" in words_of(response)
    link = way_back_in(table.russian.issue("russian"))
    assert table.russian.send("seats/put-out/", {"device": row.pk})["Location"] == "/"
    assert table.russian.get().status_code == 403
    assert "You are Russian" in sit(link, row.seat.match_id).see()


def test_when_a_device_last_looked_is_kept_about_and_its_cookie_lasts(table):
    now = timezone.now()
    Device.objects.update(seen=now - timedelta(minutes=10))
    assert settings.SESSION_COOKIE_NAME not in table.german.get().cookies
    assert not Device.objects.filter(seen__gte=now).exists()
    Device.objects.update(seen=now - timedelta(minutes=20))
    assert settings.SESSION_COOKIE_NAME in table.german.get().cookies
    assert Device.objects.filter(seen__gte=now).count() == 1


def test_the_observers_bench_is_bounded(db, monkeypatch):
    monkeypatch.setattr(bounds, "MOST_DEVICES", 3)
    maker, links = begin()
    watchers = [sit(links["observer"], maker.match_id) for _ in range(5)]
    assert [watcher.get().status_code for watcher in watchers] == [403, 403, 200, 200, 200]


# Cookies of version 0.1.0


def old_cookie(claims, **more):
    """A browser whose cookie was made by version 0.1.0."""
    player = Player()
    player.client.cookies[settings.SESSION_COOKIE_NAME] = signing.dumps(
        {"seats": claims, **more},
        salt="django.contrib.sessions.backends.signed_cookies",
        compress=True,
        serializer=signing.JSONSerializer,
    )
    return player


@pytest.fixture
def old(db):
    """Two matches as version 0.1.0 left them: seats are taken, and no device is known."""
    matches = [begin()[0].match_id, begin(hot_seat=True)[0].match_id]
    Device.objects.all().delete()
    Seat.objects.filter(match=matches[0], side="german").update(generation=3)
    return matches


def test_an_old_cookie_keeps_its_seats(old):
    player = old_cookie({old[0]: {"german": 3}, old[1]: {"german": 1, "russian": 1}})
    assert text_of(player.client.get("/")).count("/match/") > 2
    player.match_id = old[0]
    assert "You are German" in player.see()
    assert "seats" not in player.client.session
    player.match_id = old[1]
    assert player.get()["Location"].endswith("/cover/")
    player.send("lift/", {"side": "russian"})
    assert "You are Russian" in player.see()


def test_an_old_cookie_keeps_them_when_a_poll_is_what_it_sends_first(old):
    player = old_cookie({old[0]: {"german": 3}})
    player.match_id = old[0]
    assert player.get("live/", htmx=True, version=player.match.version, **{"as": "german"}).status_code == 204


def test_an_old_cookie_of_a_seat_that_was_taken_since_holds_nothing(old):
    player = old_cookie({old[0]: {"german": 2, "roman": 1}, "nothing": {"german": 1}})
    player.match_id = old[0]
    assert player.get().status_code == 403


def test_an_old_cookie_is_worth_nothing_once_the_seat_has_moved(old):
    claims = {old[0]: {"german": 3}}
    player = old_cookie(claims)
    player.match_id = old[0]
    phone = sit(way_back_in(player.issue("german")), old[0])
    again = old_cookie(claims)
    again.match_id = old[0]
    assert again.get().status_code == 403
    assert "You are German" in phone.see()


def test_an_old_cookie_from_ones_own_turn_does_not_lift_the_cover(old):
    player = old_cookie({old[1]: {"german": 1, "russian": 1}}, acting={old[1]: "german"})
    player.match_id = old[1]
    assert player.get()["Location"].endswith("/cover/")


# A seat that is lost


def test_the_other_side_can_free_a_lost_seat_once_nobody_has_answered(table):
    match_id = table.german.match_id
    lost(table.german, "russian", "ask")
    assert sentences(table.german)[-1].startswith(
        "German says that Russian has lost the seat: unless Russian acts, it can be freed from "
    )
    before = rows()
    assert "still has time to answer" in words_of(lost(table.german, "russian", "free"))
    assert rows() == before
    pass_time(table.german, "russian", 24)
    response = table.german.client.post(
        f"/match/{match_id}/seats/lost/", {"side": "russian", "do": "free"}, follow=True
    )
    assert sentences(table.german)[-1] == "German frees the seat of Russian."
    assert table.russian.get().status_code == 403
    assert "You are Russian" in sit(links_in(response)["russian"], match_id).see()


def test_the_holder_is_asked_and_says_that_they_are_here(table):
    version = table.russian.match.version
    lost(table.german, "russian", "ask")
    question = "The other side says that you have lost your seat."
    assert question in words_of(table.russian.get("live/", htmx=True, version=version, after=0))
    assert question in table.russian.see()
    assert question not in table.german.see()
    assert question not in table.observer.see()
    table.russian.send("seats/here/", {"as": "russian"})
    assert sentences(table.german)[-1] == "Russian is here and keeps the seat."
    assert question not in table.russian.see()
    pass_time_of_nothing(table.german)


def pass_time_of_nothing(player):
    before = rows()
    assert lost(player, "russian", "free").status_code == 403
    assert rows() == before


def test_any_act_of_the_holder_says_so_too(table):
    lost(table.german, "russian", "ask")
    assert table.russian.note("I think").status_code == 302
    assert [entry.sentence for entry in table.russian.log[-2:]] == ["I think", "Russian is here and keeps the seat."]
    assert seat_of(table.german, "russian").missed is None


def test_reading_and_the_other_sides_acts_do_not_say_so(table):
    lost(table.german, "russian", "ask")
    table.russian.get()
    table.russian.get("live/", htmx=True, version=1, after=0)
    table.german.note("hello")
    table.german.send("seats/here/", {"as": "german"})
    assert seat_of(table.german, "russian").missed is not None


def test_the_way_back_ends_the_search(russian, table):
    lost(table.german, "russian", "ask")
    sit(russian.way_back, russian.match_id)
    assert seat_of(table.german, "russian").missed is None


def test_who_asked_can_take_it_back(table):
    lost(table.german, "russian", "ask")
    lost(table.german, "russian", "ask")
    lost(table.german, "russian", "withdraw")
    lost(table.german, "russian", "withdraw")
    assert sentences(table.german)[-1] == "German says that Russian has the seat."
    assert len([line for line in sentences(table.german) if line.startswith("German says")]) == 2
    assert seat_of(table.german, "russian").missed is None


@pytest.mark.parametrize("do", ["ask", "withdraw", "free"])
def test_no_observer_no_stranger_and_no_own_side_loses_a_seat(table, do):
    before = rows()
    assert lost(table.observer, "russian", do).status_code == 403
    assert lost(table.russian, "russian", do).status_code == 403
    assert lost(table.russian, "observer", do).status_code == 403
    assert lost(Player(table.german.match_id), "russian", do).status_code == 403
    assert lost(table.german, "roman", do).status_code == 404
    assert rows() == before


def test_a_free_seat_is_not_lost(db):
    maker, _ = begin()
    before = rows()
    for do in ("ask", "free"):
        assert lost(maker, "russian", do).status_code == 403
    assert rows() == before


def test_the_host_sets_how_long_is_waited(table, settings):
    settings.SEAT_WAIT = timedelta(hours=2)
    lost(table.german, "russian", "ask")
    pass_time(table.german, "russian", 1)
    assert lost(table.german, "russian", "free").status_code == 403
    pass_time(table.german, "russian", 1)
    assert lost(table.german, "russian", "free").status_code == 302


def test_on_one_device_a_seat_is_freed_at_once_but_not_past_a_pin(hot_seat):
    hot_seat.send("pin/", {"pin": "4711"})
    hot_seat.send("cover/", {})
    hot_seat.send("lift/", {"side": "russian"})
    assert lost(hot_seat, "german", "free").status_code == 403
    hot_seat.send("cover/", {})
    hot_seat.send("lift/", {"side": "german", "pin": "4711"})
    assert lost(hot_seat, "russian", "free").status_code == 302
    assert "Russian free" in hot_seat.see("seats/")


def test_a_side_that_moved_to_a_phone_is_not_freed_at_once(hot_seat):
    phone = sit(way_back_in(hot_seat.issue("german")), hot_seat.match_id)
    assert "You are Russian" in hot_seat.see()
    before = rows()
    assert lost(hot_seat, "german", "free").status_code == 403
    assert rows() == before
    assert "You are German" in phone.see()


def test_a_freed_seat_has_no_pin_and_its_old_way_back_is_dead(hot_seat):
    hot_seat.send("pin/", {"pin": "4711"})
    address = f"/match/{hot_seat.match_id}/seats/issue/"
    link = way_back_in(hot_seat.client.post(address, {"side": "german", "pin": "4711"}, follow=True))
    hot_seat.send("lift/", {"side": "russian"})
    lost(hot_seat, "german", "ask")
    pass_time(hot_seat, "german", 24)
    assert lost(hot_seat, "german", "free").status_code == 302
    assert seat_of(hot_seat, "german").pin == ""
    assert sit(link, hot_seat.match_id).get().status_code == 403


def test_who_sits_down_at_both_sides_of_two_devices_is_named_in_the_log(db):
    maker, links = begin()
    maker.client.get(links["russian"])
    assert "This browser holds the seat of German too." in words_of(maker.client.get("/claim/"))
    maker.client.post("/claim/")
    assert maker.last.sentence == "Russian takes the seat, on a device that holds the seat of German too."


@pytest.mark.parametrize(("seat", "name"), [("russian", "Russian"), ("observer", "Observer")])
def test_a_link_says_whose_seat_it_opens(db, seat, name):
    maker, links = begin()
    guest = Player(maker.match_id)
    guest.client.get(links[seat])
    page = words_of(guest.client.get("/claim/"))
    assert f"opens the seat: {name}" in page and "This browser holds" not in page


def test_the_log_of_an_ended_match_stays_shut(table):
    link = way_back_in(table.russian.issue("russian"))
    Match.objects.update(ended=timezone.now())
    number = table.german.match.last_number
    phone = sit(link, table.german.match_id)
    lost(table.german, "russian", "ask")
    assert "You are Russian" in phone.see()
    assert table.german.match.last_number == number


# The host


def run(*arguments):
    out = StringIO()
    call_command("seats", *arguments, stdout=out)
    return out.getvalue()


@pytest.fixture
def never_started(settings, tmp_path):
    """A folder of data in which no start has noted its address, whatever the developer's own holds."""
    settings.DATA_DIR = tmp_path


def link_in(output):
    return re.search(r"http://127\.0\.0\.1:8000(/seat/[\w-]+/)", output)[1]


def test_the_host_sees_the_seats_and_their_devices(table):
    assert table.german.match_id in run()
    lost(table.german, "russian", "ask")
    output = run(table.german.match_id)
    assert "german (German): taken\n  A browser, last seen " in output
    assert "russian (Russian): taken, said to be lost since" in output
    assert "observer (Observers): anybody with the link" in output


def test_the_host_makes_a_way_back_at_once(table, never_started):
    link = link_in(run(table.german.match_id, "--way-back", "russian"))
    assert table.german.last.sentence == "The host makes a way back to the seat of Russian."
    assert "You are Russian" in sit(link, table.german.match_id).see()


def test_the_host_frees_a_seat_at_once(table, never_started):
    link = link_in(run(table.german.match_id, "--free", "russian"))
    assert table.german.last.sentence == "The host frees the seat of Russian."
    assert table.russian.get().status_code == 403
    assert "You are Russian" in sit(link, table.german.match_id).see()


@pytest.mark.parametrize(("option", "last_step"), [("--free", "_renew_link"), ("--way-back", "_renew_way_back")])
def test_what_the_host_does_to_a_seat_is_done_whole_or_not_at_all(table, monkeypatch, option, last_step):
    def break_off(seat):
        raise RuntimeError("The machine stops here.")

    monkeypatch.setattr(seating, last_step, break_off)
    before = rows()
    with pytest.raises(RuntimeError):
        run(table.german.match_id, option, "russian")
    assert rows() == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing"], "There is no match nothing."),
        (["", "--free", "roman"], "There is no such seat: give one of german, russian."),
        (["", "--free", "observer"], "There is no such seat"),
        (["", "--way-back", "russian"], "Nobody sits there yet."),
    ],
)
def test_the_host_is_told_what_is_wrong(db, arguments, message):
    maker, _ = begin()
    before = rows()
    with pytest.raises(CommandError, match=re.escape(message)):
        run(*([arguments[0] or maker.match_id] + arguments[1:]))
    assert rows() == before


def test_a_link_begins_where_the_app_was_last_started_unless_the_host_says_otherwise(table, settings, tmp_path):
    settings.DATA_DIR = tmp_path
    starting.remember_address(tmp_path, "http://192.0.2.7:8123/")
    way_back = (table.german.match_id, "--way-back", "russian")
    assert "http://192.0.2.7:8123/seat/" in run(*way_back)
    assert "https://ledger.example/seat/" in run(*way_back, "--address", "https://ledger.example")
