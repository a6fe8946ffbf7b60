"""What one visitor may store in an hour: bounded on a public host, off at home, and no address is kept."""

import json
import uuid
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client, RequestFactory
from django.utils import timezone

from config.settings import whole_number
from firefight.hosting import allowance
from firefight.models import ChartBook, Draft, Making, Match
from firefight.table.files import archive
from firefight.table.story import photos
from tests.books import house_data
from tests.firefight.players import GAME, words_of

pytestmark = pytest.mark.django_db
HERE, THERE = "203.0.113.7", "198.51.100.9"
NEW = {"game": GAME, "name": "Friday", "side": "german", "hot_seat": "on"}


@pytest.fixture
def public(settings):
    """A host that lets each visitor make three things in an hour."""
    settings.NEW_PER_HOUR, settings.NEW_MEGABYTES_PER_HOUR = 3, 1
    settings.ALLOWED_HOSTS = ["testserver"]


def browser(address=HERE):
    return Client(REMOTE_ADDR=address)


def begin(client):
    return client.post("/match/new/", NEW)


def later(minutes):
    Making.objects.update(at=timezone.now() - timedelta(minutes=minutes))


def test_at_home_there_is_no_limit():
    client = browser()
    assert {begin(client).status_code for _ in range(30)} == {302}
    assert not Making.objects.exists()


def test_the_fourth_match_of_an_hour_is_refused_in_words_and_makes_nothing(public):
    client = browser()
    assert [begin(client).status_code for _ in range(4)] == [302, 302, 302, 429]
    response = begin(client)
    assert "as much as one visitor may store here in an hour: 3 new matches, copies or books, or 1 MB" in words_of(
        response
    )
    assert "Try again in 60 minutes" in words_of(response)
    assert response["Retry-After"] == "3600"
    assert Match.objects.count() == 3
    assert client.get("/match/new/").status_code == 200


def test_an_hour_later_there_is_room_again_and_nothing_is_left_of_before(public):
    client = browser()
    for _ in range(3):
        begin(client)
    later(59)
    assert begin(client).status_code == 429
    assert "Try again in 1 minute;" in words_of(begin(client))
    later(61)
    assert begin(client).status_code == 302
    assert Making.objects.count() == 2


def test_another_browser_has_room_of_its_own_until_its_address_has_none(public):
    codes = [begin(browser()).status_code for _ in range(13)]
    assert codes == [302] * 12 + [429]
    assert begin(browser(THERE)).status_code == 302


def test_no_address_is_stored(public):
    begin(browser())
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {Making._meta.db_table}")
        assert HERE not in str(cursor.fetchall())
    assert {len(row.visitor) for row in Making.objects.all()} == {64}


@pytest.mark.parametrize("stored", ["campaign", "branch", "file", "book", "copy", "book-file"])
def test_whatever_stores_something_counts(public, stored):
    client = browser()
    begin(client)
    match = Match.objects.get()
    saved = client.get(f"/match/{match.pk}/archive.json").content

    def make():
        if stored == "campaign":
            return client.post("/campaign/new/", {"card": "cg1", "side": "german", "content": content_of(client)})
        if stored == "branch":
            return client.post(f"/match/{match.pk}/branch/", {"hot_seat": "on"})
        if stored == "file":
            return client.post("/match/import/", {"file": SimpleUploadedFile("m.json", saved), "side": "german"})
        if stored == "book":
            return client.post(f"/charts/{GAME}/", {"do": "copy"})
        if stored == "copy":
            return client.post(f"/match/{match.pk}/charts/", {"do": "copy"})
        body = json.dumps(house_data()).encode()
        return client.post("/charts/", {"file": SimpleUploadedFile("b.json", body)})

    assert [make().status_code for _ in range(3)] == [302, 302, 429]
    counts = Match.objects.count(), Draft.objects.count(), ChartBook.objects.count()
    assert make().status_code == 429
    assert (Match.objects.count(), Draft.objects.count(), ChartBook.objects.count()) == counts


def content_of(client):
    page = client.get("/campaign/new/").content.decode()
    return page.split('name="content"')[1].split('value="')[1].split('"')[0]


def test_what_is_refused_for_another_reason_does_not_count(public):
    client = browser()
    for _ in range(5):
        assert client.post("/match/new/", {**NEW, "side": "roman"}).status_code == 422
        assert client.post("/match/import/", {"side": "german"}).status_code == 422
    assert not Making.objects.exists()


def test_what_is_sent_is_looked_at_only_while_there_is_room(public, monkeypatch):
    """Looking at a photo or a file costs more than keeping it, whatever comes of it."""
    client = browser()
    begin(client)
    match, looked = Match.objects.get(), []

    def look_and_refuse(error):
        def look(*sent):
            looked.append(sent)
            raise error

        return look

    monkeypatch.setattr(photos, "clean_photo", look_and_refuse(photos.BadPhoto("No.")))
    monkeypatch.setattr(archive, "read_archive", look_and_refuse(archive.BadArchive(["No."])))
    send = {
        "photo": (f"/match/{match.pk}/photos/", {"act": str(uuid.uuid4()), "version": match.version}),
        "file": ("/match/import/", {"side": "german"}),
    }
    for name, (address, fields) in send.items():
        looked.clear()
        Making.objects.all().delete()
        answers = [client.post(address, {**fields, name: SimpleUploadedFile("x", b"x")}).status_code for _ in range(5)]
        assert (answers, len(looked)) == ([422, 422, 422, 429, 429], 3)


def test_megabytes_count_too_but_the_first_may_be_of_any_size(public):
    client = browser()
    begin(client)
    Match.objects.update(weight=2_000_000)
    match = Match.objects.get()
    Making.objects.all().delete()
    assert client.post(f"/match/{match.pk}/branch/", {}).status_code == 302
    assert client.post(f"/match/{match.pk}/branch/", {}).status_code == 429
    assert begin(client).status_code == 429


@pytest.mark.parametrize(
    ("remote", "forwarded", "behind", "address"),
    [
        (HERE, "", False, HERE),
        (HERE, THERE, False, HERE),
        ("127.0.0.1", f"10.0.0.1, {THERE}", True, THERE),
        ("127.0.0.1", "", True, "127.0.0.1"),
        ("2001:db8:1:2:3::4", "", False, "2001:db8:1:2::/64"),
        ("::ffff:203.0.113.7", "", False, HERE),
        ("unix:", "", False, "unix:"),
    ],
)
def test_the_address_is_that_of_the_visitor(settings, remote, forwarded, behind, address):
    settings.BEHIND_PROXY = behind
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    assert allowance.visitor_address(RequestFactory().get("/", REMOTE_ADDR=remote, headers=headers)) == address


def test_a_setting_is_a_whole_number_or_refused_in_words(monkeypatch):
    monkeypatch.setenv("NEW_PER_HOUR", "7")
    assert whole_number("NEW_PER_HOUR", 20) == 7
    monkeypatch.setenv("NEW_PER_HOUR", "many")
    with pytest.raises(Exception, match="NEW_PER_HOUR=many is not a whole number"):
        whole_number("NEW_PER_HOUR", 20)
