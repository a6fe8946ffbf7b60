"""Sheets as the browser gets them: files of the right kind, what they hold of a campaign, and what they keep quiet."""

import re
from types import SimpleNamespace

import pytest
from django.core.management import call_command
from django.test import Client

from campaign.acts.beginning import begin
from campaign.sheets import SHEETS
from firefight.drawing.paper import Format
from firefight.models import Seat
from firefight.table.seats.cover_pins import set_pin
from tests import pages
from tests.campaign import test_campaign_secrets as planting
from tests.campaign.players import SIDES, Player, seated
from tests.campaign.scripted import play_half
from tests.firefight.players import words_of as said_by
from tests.pdf import SIZES, pages_of, squashed, words_of
from tests.reading import trial

from .made import check_pages, frames, ticks

pytestmark = pytest.mark.django_db

NAME = "Into the Inferno, turn 3"
PLACES = [f"sheets/{name}.pdf" for name in SHEETS]


@pytest.fixture
def player(frozen):
    """A browser at both sides of a campaign in the middle of its first firefight, as German at first."""
    return frozen("half", play_to_turn_3).player


def play_to_turn_3():
    """Both sit at one device."""
    match, tokens = begin("cg1", NAME, hot_seat=True)
    play_half(match)
    player = Player(match.pk)
    for side in reversed(SIDES):
        player.client.get(f"/seat/{tokens[side]}/")
        player.client.post("/claim/")
    player.turn_to("german")
    return SimpleNamespace(player=player)


def read(player, name, query=""):
    """The words of a sheet."""
    return words_of(player.open(f"sheets/{name}.pdf{query}").content)


@pytest.mark.parametrize("size", Format)
@pytest.mark.parametrize("name", SHEETS)
def test_every_sheet_of_a_campaign_is_a_file_of_its_own_that_nobody_keeps(player, name, size):
    for blank, kind in (("", ""), ("&blank=1", "-blank")):
        response = player.open(f"sheets/{name}.pdf?paper={size}{blank}")
        assert response["Content-Type"] == "application/pdf"
        assert response["Content-Disposition"] == f'inline; filename="volga-{player.match_id}-{name}{kind}-{size}.pdf"'
        assert {"private", "no-store"} <= set(response["Cache-Control"].split(", "))
        printed = re.search(r"printed ([\d-]+ [\d:]+)", words_of(response.content))[1]
        pages = check_pages(response.content, size, printed)
        assert all(NAME in page.words for page in pages)
        assert ("as the German side knows it" in pages[0].words) == (not blank)


@pytest.mark.parametrize("name", SHEETS)
def test_every_sheet_can_be_had_blank_without_a_campaign(client, name):
    for size in Format:
        response = client.get(f"/campaign/sheets/{name}.pdf?paper={size}")
        assert response["Content-Disposition"] == f'inline; filename="volga-{name}-blank-{size}.pdf"'
        assert pages_of(response.content)[0].size == SIZES[size]
        assert "CG I: Into the Inferno and CG II: To the Volga!" in words_of(response.content)


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("?paper=a5", "Paper is one of a4, letter."),
        ("?paper=", "Paper is one of a4, letter."),
        ("?paper=A4", "Paper is one of a4, letter."),
        ("?blank=yes", "A sheet is blank with blank=1"),
        ("?paper=%00&blank=1", "Paper is one of a4, letter."),
    ],
)
def test_what_cannot_be_printed_is_refused_with_a_sentence(player, query, reason):
    for address in (player.address(f"sheets/map.pdf{query}"), f"/campaign/sheets/map.pdf{query}"):
        response = player.client.get(address)
        assert response.status_code == 400
        assert reason in said_by(response)


def test_there_are_no_other_sheets(player):
    for name in ("roster", "roster-observer", "Map", "report"):
        assert player.client.get(f"/campaign/sheets/{name}.pdf").status_code == 404
        assert player.open(f"sheets/{name}.pdf", status=404)
    assert player.client.post(player.address("sheets/map.pdf")).status_code == 405


def test_only_who_sits_at_the_table_gets_a_sheet(player):
    for place in (*PLACES, "sheets/map.pdf?blank=1", "paper/"):
        assert Player(player.match_id).open(place, status=403)


def test_a_covered_device_gets_no_sheet(player):
    player.do("cover/")
    for place in PLACES:
        assert player.open(place, status=302)["Location"] == f"/match/{player.match_id}/cover/"


def test_the_page_of_sheets_links_every_sheet_in_the_size_that_is_asked_for(player):
    for query, size in (("", "a4"), ("?paper=letter", "letter"), ("?paper=napkin", "a4")):
        page = player.open(f"paper/{query}").content.decode()
        links = pages.values_of_each(page, "a[href*='/sheets/'][href*='.pdf']", "href")
        assert len(links) == 2 * len(SHEETS)
        addresses = {f"/campaign/{player.match_id}/sheets/{name}.pdf?paper={size}" for name in SHEETS}
        assert addresses | {f"{address}&blank=1" for address in addresses} <= set(links)
    paper = f"nav a[href='/campaign/{player.match_id}/paper/']"
    assert pages.words_of_each(player.open().content.decode(), paper) == ["Paper"]


def test_the_content_links_the_blank_sheets(client):
    cards = client.get("/campaign/").content.decode()
    for name in SHEETS:
        for size in Format:
            assert f"/campaign/sheets/{name}.pdf?paper={size}" in cards
    roster = client.get("/campaign/rosters/german/").content.decode()
    sheets = pages.values_of_each(roster, "a[href^='/campaign/sheets/']", "href")
    assert [address.split("?")[0] for address in sheets] == ["/campaign/sheets/roster-german.pdf"] * 2


# What stands on them


def test_a_roster_is_ticked_as_bought_in_this_campaigns_column_alone(player):
    for size in Format:
        boxes = {}
        for page in pages_of(player.open(f"sheets/roster-russian.pdf?paper={size}").content):
            boxes |= {page.words_in(frame).split()[0]: ticks(page, frame) for frame in frames(page)}
        bought = {"I1", "I2", "A1", "N1"}
        for rg in ("I1", "I2", "I3", "A1", "N1", "X1"):
            first, *other_rows = boxes[rg]
            assert first[0] == (rg in bought), rg
            assert not any(first[1:])
            assert not any(map(any, other_rows))


def test_a_roster_says_what_is_left(player):
    words = read(player, "roster-german")
    assert "Dawn 20 14 6" in words
    assert "Grenadier squad 7 (3) 8 7 27/36" in words
    assert "V3 Medium Panzer platoon 2 × Pz IV F1, 1 × Pz IV F2 · 3 in sector 1 · bought for Dawn" in words
    blank = read(player, "roster-german", "?blank=1")
    assert "Dawn 20" not in blank
    assert "Groups in hand" not in blank


def test_the_map_tells_who_is_where_as_far_as_the_reader_knows(player):
    words = read(player, "map")
    assert "I1 Grenadier platoon: 1 × Grenadier squad (reduced), 2 × Grenadier squad" in words
    assert "hidden" not in words
    player.turn_to("russian")
    assert "I6 MG section: 2 × Maxim M1910 (hidden)" in read(player, "map")


def test_the_record_shows_own_plots_and_marks(player):
    german = read(player, "record")
    assert "German is the Attacker." in german
    assert "F12" not in german
    player.turn_to("russian")
    russian = read(player, "record")
    assert "Russian A1 76 mm battery F12 G12 2" in russian
    for words in (german, russian):
        assert "Fire and Movement Phase" in words
        assert "Russian N1 Fanatic Resistance Nest, ready" in words


def test_the_record_shows_the_rolls_of_this_firefight_that_stand(volga_at):
    volga = volga_at("firefight")
    for _ in range(4):
        volga.german.end_turn()
    volga.german.end_turn(die=3)
    assert "roll 3" in read(volga.russian, "record")
    with trial():
        volga.german.press("take-back")
        assert "roll 3" not in read(volga.russian, "record")
    volga.german.end_turn(die=10)
    words = read(volga.observer, "record")
    assert "roll 3" in words
    assert "roll 10" in words
    for side in SIDES:
        getattr(volga, side).press("confirm-report", "reorganization/")
    words = read(volga.observer, "record")
    assert "roll 3" not in words
    assert "roll 10" not in words


# Secrets


@pytest.fixture
def planted(frozen):
    """A campaign with secrets in it."""
    return lambda stage: frozen(f"planted, {stage}", lambda: planting.PLANTED[stage](seated()))


def sheets_of(player, places=PLACES):
    """Every sheet: its bytes and its words."""
    for place in places:
        content = player.open(place).content
        yield place, content, words_of(content)


@pytest.mark.parametrize("role", [*SIDES, "observer"])
@pytest.mark.parametrize("stage", planting.PLANTED)
def test_no_sheet_holds_a_secret_of_another_side(planted, stage, role):
    volga = planted(stage)
    other_sides = [side for side in SIDES if side != role]
    words = planting.kept_from(volga.match_id, *other_sides)
    assert len(words) > 2
    check_quiet(sheets_of(getattr(volga, role)), words)


def test_a_blank_sheet_holds_no_secret_of_anybody(planted):
    volga = planted("firefight")
    blank = sheets_of(volga.german, [f"{place}?blank=1&paper=letter" for place in PLACES])
    check_quiet(blank, planting.secrets_of(volga.match_id, *SIDES))


def check_quiet(sheets, words):
    """Fail where one of these words stands on a sheet."""
    for place, content, text in sheets:
        squeezed = squashed(text)
        for word in words:
            assert not re.search(rf"\b{re.escape(word)}", text), (place, word)
            assert len(word) < planting.WORDY or squashed(word) not in squeezed, (place, word)
            assert len(word) < planting.WORDY or word.encode() not in content, (place, word)


def test_the_owner_finds_his_plots_and_hidden_units_on_his_sheets(planted):
    volga = planted("firefight")
    assert all(name in read(volga.russian, "record") for name in ("M79", "N80"))
    assert "hidden" in read(volga.russian, "map")


def test_a_sealed_attack_ticks_its_box_for_its_own_side_alone(planted):
    volga = planted("purchases")
    ticked = {}
    for role in (*SIDES, "observer"):
        (page, frame) = next(
            (page, frame)
            for page in pages_of(getattr(volga, role).open("sheets/roster-german.pdf").content)
            for frame in frames(page)
            if page.words_in(frame).startswith("X1")
        )
        ticked[role] = any(map(any, ticks(page, frame)))
    assert ticked == {"german": True, "russian": False, "observer": False}


def test_one_device_prints_for_its_acting_side(player):
    assert "as the German side knows it" in read(player, "map")
    player.turn_to("russian")
    assert "as the Russian side knows it" in read(player, "map")


def test_a_match_without_a_campaign_has_no_sheets(client, db):
    call_command("load_shipped", verbosity=0)
    player = Player()
    player.client.get("/match/new/")
    response = player.client.post("/match/new/", {"game": "combat-stalingrad", "side": "german", "hot_seat": "on"})
    player.match_id = response["Location"].split("/")[2]
    player.turn_to("german")
    for place in (*PLACES, "paper/"):
        assert player.open(place, status=404)


# The way back on the record


def post_record(player, **fields):
    return player.client.post(player.address("sheets/record.pdf"), {"as": "german", **fields})


def test_the_record_can_carry_a_way_back_that_opens_the_seat(player):
    assert "Your way back" not in read(player, "record")
    response = post_record(player)
    assert {"private", "no-store"} <= set(response["Cache-Control"].split(", "))
    token = re.search(r"http://testserver/seat/([\w-]{43})/", squashed(words_of(response.content)))[1]
    phone = Client()
    phone.get(f"/seat/{token}/")
    assert "This is the way back to the seat: German" in said_by(phone.get("/claim/"))
    phone.post("/claim/")
    assert phone.get(player.address("firefight/")).status_code == 200


def test_a_way_back_is_printed_for_a_side_with_its_pin_where_a_phone_can_follow(player, settings):
    seat = Seat.objects.get(match=player.match_id, side="german")
    set_pin(seat.pk, "4711")
    before = Seat.objects.get(pk=seat.pk).token_hash
    assert "That is not this side's PIN." in said_by(post_record(player, pin="0000"))
    assert "before the device changed hands" in said_by(post_record(player, **{"as": "russian"}, pin="4711"))
    settings.ALLOWED_HOSTS = ["localhost"]
    player.client.defaults["SERVER_NAME"] = "localhost"
    assert "Press “Let a phone in” on the page Seats" in said_by(post_record(player, pin="4711"))
    assert Seat.objects.get(pk=seat.pk).token_hash == before
    player.client.defaults["SERVER_NAME"] = "testserver"
    settings.ALLOWED_HOSTS = ["testserver"]
    assert post_record(player, pin="4711")["Content-Type"] == "application/pdf"
    assert Seat.objects.get(pk=seat.pk).token_hash != before
