"""Sheets on an owner's shelf: begun without a match, pasted, typed by the cell, kept as versions, lent, filed."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from firefight.chartroom import sheets, shelf
from firefight.chartroom.views import own_sheets
from firefight.games import registry
from firefight.models import OwnSheet
from tests.filling import Reader

pytestmark = pytest.mark.django_db

GAME = "turning-point-stalingrad"
SHIPPED = [game for game in registry.games().values() if game.sheets]
SOLO = registry.games()["inferno-on-the-volga"]
UNITS = "name\tside\tcount\nGrey Guard\tred\t2\nOld Pikes\tblue"
TOY = "three-banners"


def bring(client, game=TOY, sheet="units"):
    """A sheet that was begun on the shelf's page; the reader stands on its own."""
    reader = Reader(client).open("/shelf/")
    reader.form(f"#{game} form[action='/shelf/new/']").press(f"sheet={sheet}")
    return reader


def lay(reader, text):
    reader.form("#sheet").fill(text=text).press("do=lay")
    return reader


def keep(client, text=UNITS, name=""):
    """A sheet with a version."""
    reader = lay(bring(client), text)
    reader.press("do=usable")
    if name:
        reader.form(".halves form").fill(name=name).press("do=rename")
    return OwnSheet.objects.latest("changed")


def address_of(row):
    return f"/shelf/{row.pk}/"


@pytest.mark.parametrize("game", SHIPPED, ids=lambda game: game.slug)
def test_every_sheet_of_every_game_is_begun_without_a_match(client, game):
    for declared in game.sheets:
        reader = bring(client, game.slug, declared.slug)
        assert reader.status == 200
        row = OwnSheet.objects.latest("changed")
        assert (row.game, row.sheet, row.versions) == (game.slug, declared.slug, [])
        assert reader.find("#sheet-text")[0].text().strip() == sheets.text_from_cells(
            sheets.cells_from_text(declared, sheets.write_begun(game, declared))
        )
        assert Reader(client).open(f"{address_of(row)}rows/1/").status == 200
    words = Reader(client).open("/shelf/").words(f"#{game.slug}")
    assert all(declared.title in words for declared in game.sheets)


def test_a_pasted_sheet_is_kept_and_becomes_a_version(client):
    reader = lay(bring(client), "Side; how many; Name\nRed Banner;2;Grey Guard\nblue;;Old Pikes")
    assert "Make it usable" in reader.words()
    reader.press("do=usable")
    row = OwnSheet.objects.get()
    assert "Version 1: matches can use it as it stands." in reader.words()
    assert list(row.data["kept"].values()) == [UNITS]
    assert reader.find("a[href$='.txt']") and client.get(f"/shelf/{row.pk}.txt").content.decode().startswith("name")


def test_what_is_wrong_is_said_by_its_cell_kept_as_typed_and_not_usable(client):
    reader = lay(bring(client), "name\tside\tcount\nGrey Guard\tyellow\t2\nOld Pikes\tblue\tmany")
    words = reader.words(".flaws")
    assert "Grey Guard, yellow, side : should be one of" in words and "Old Pikes, blue, count :" in words
    assert "2 cells to mend" in reader.words() and not reader.has("button[value=usable]")
    row = OwnSheet.objects.get()
    assert client.post(address_of(row), {"do": "usable", "revision": row.revision}).status_code == 422
    row.refresh_from_db()
    assert row.versions == [] and "yellow" in str(row.data["parts"])
    assert client.get(f"/shelf/{row.pk}.toml").status_code == 409


def test_rows_are_typed_cell_by_cell(client):
    row = keep(client)
    reader = Reader(client).open(f"{address_of(row)}rows/1/")
    reader.form("#grid").fill({"c-2-2": "3"}).press("do=save")
    row.refresh_from_db()
    assert row.data["parts"]["units"]["rows"][1] == ["Old Pikes", "blue", "3"] and row.versions
    page = Reader(client).open(address_of(row))
    assert "Changed since version 1" in page.words()
    page.press("do=usable")
    row.refresh_from_db()
    assert len(row.versions) == 2


def test_a_sheet_is_typed_a_page_of_rows_at_a_time(client):
    bring(client, SOLO.slug, "hexes")
    row = OwnSheet.objects.get()
    volume = sheets.SheetVolume(row, SOLO, SOLO.sheets[0], True)
    step = own_sheets.count_rows(volume)
    second = client.get(f"{address_of(row)}rows/{step + 1}/")
    assert f'name="c-{step + 1}-0"' in second.content.decode().replace("name=c-", 'name="c-').replace(
        f"c-{step + 1}-0 ", f'c-{step + 1}-0" '
    )
    assert len(second.content) <= 60_000
    jumped = client.get(f"{address_of(row)}rows/1/?at={step + 2}-0")
    assert (jumped.status_code, jumped.url) == (302, f"{address_of(row)}rows/{step + 1}/?at={step + 2}-0")
    assert client.get(f"{address_of(row)}rows/900/").status_code == 404


def test_an_earlier_version_is_looked_at_and_taken_up_again(client):
    row = keep(client)
    reader = lay(Reader(client).open(address_of(row)), UNITS.replace("Grey", "Green"))
    reader.press("do=usable")
    old = Reader(client).open(f"{address_of(row)}?version=1")
    assert "Grey Guard" in old.find("#sheet-text")[0].text()
    old.press("Take up version 1 again")
    row.refresh_from_db()
    assert sheets.SheetVolume(row, registry.games()[TOY], registry.games()[TOY].sheets[0]).text == UNITS


def test_only_the_newest_versions_keep_their_text(client):
    row = keep(client)
    for number in range(sheets.MOST_VERSIONS + 2):
        lay(Reader(client).open(address_of(row)), f"name\tside\nCompany {number}\tred").press("do=usable")
    row.refresh_from_db()
    assert len(row.data["kept"]) == sheets.MOST_VERSIONS and len(row.versions) == sheets.MOST_VERSIONS + 3
    assert row.versions[-1] in row.data["kept"]


def test_a_link_lends_it_to_be_read_and_copied_and_to_nobody_else(client):
    row = keep(client)
    reader = Reader(client).open(address_of(row))
    reader.press("do=share")
    link = reader.find("#link")[0].attributes["value"]
    other, stranger = Client(), Client()
    assert stranger.get(address_of(row)).status_code == 404
    lent = Reader(other).open(link[link.index("/shelf/") :])
    assert "Grey Guard" in lent.find("#sheet-text")[0].text() and not lent.has("button[value=lay]")
    assert other.post(address_of(row), {"do": "lay", "text": "", "revision": 9}).status_code == 403
    assert other.get(f"{address_of(row)}rows/1/").status_code == 404
    lent.press("do=copy")
    copy = OwnSheet.objects.exclude(pk=row.pk).get()
    assert (copy.name, [*copy.data["kept"].values()]) == ("Copy of Units", [UNITS])
    Reader(client).open(address_of(row)).press("do=unshare")
    assert other.get(address_of(row)).status_code == 404


@pytest.mark.parametrize("form", ["toml", "json"])
def test_a_file_goes_from_one_shelf_to_another(client, form):
    row = keep(client)
    data = client.get(f"/shelf/{row.pk}.{form}").content
    other = Client()
    sent = other.post("/shelf/", {"file": SimpleUploadedFile(f"units.{form}", data)})
    copy = OwnSheet.objects.exclude(pk=row.pk).get()
    assert (sent.status_code, sent.url) == (302, address_of(copy))
    assert copy.data["kept"] == row.data["kept"] and copy.versions == row.versions


@pytest.mark.parametrize(
    "plain, reason",
    [
        ('game = "chess"\nsheet = "units"', "game should be one of"),
        ('game = "three-banners"\nsheet = "hexes"', "sheet should be one of units"),
        ('game = "three-banners"\nsheet = "units"\nname = 3\ntext = "a"', "name and text should be texts"),
        ('game = "three-banners"\nsheet = "units"\nname = "A"\ntext = ""', "the sheet is blank"),
        ('game = "three-banners"\nsheet = "units"\nname = ""\ntext = "a"', "name should be a text of 1 to"),
        ('game = "three-banners"\nsheet = "units"\nname = "A"\ntext = "Guard"', "Row 1, side: has to be there."),
        ('game = "three-banners"\nsheet = "units"\nname = "A"\ntext = "a"\nmore = 1', "more is not known here"),
        ("sheet = ", "cannot be read as TOML or JSON"),
    ],
)
def test_a_file_that_is_not_right_is_refused_as_a_whole(client, plain, reason):
    sent = client.post("/shelf/", {"file": SimpleUploadedFile("a.toml", plain.encode())})
    assert sent.status_code == 422 and reason in sent.content.decode()
    assert not OwnSheet.objects.exists()


def test_a_page_that_has_missed_a_save_changes_nothing(client):
    row = keep(client)
    sent = client.post(address_of(row), {"do": "lay", "text": "name\tside\nX\tred", "revision": row.revision - 1})
    row.refresh_from_db()
    assert sent.status_code == 409 and "Grey Guard" in str(row.data["parts"])


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"game": "chess", "sheet": "units"},
        {"game": TOY, "sheet": "hexes"},
        {"game": TOY, "sheet": "\x00"},
    ],
)
def test_nothing_is_begun_of_what_no_game_has(client, fields):
    assert client.post("/shelf/new/", fields).status_code == 404
    assert not OwnSheet.objects.exists()


def test_a_shelf_is_full_at_last(client, monkeypatch):
    monkeypatch.setattr(shelf, "MOST_DRAFTS", 1)
    bring(client)
    reader = bring(client)
    assert reader.status == 422 and "A shelf holds 1 of a kind" in reader.words("[role=alert]")
    assert OwnSheet.objects.count() == 1


def test_it_is_removed_for_good_once_that_is_ticked(client):
    row = keep(client)
    reader = Reader(client).open(address_of(row))
    reader.press("do=remove")
    assert reader.status == 422 and OwnSheet.objects.exists()
    reader.form(".halves form", number=2).fill(sure=True).press("do=remove")
    assert not OwnSheet.objects.exists()


def test_the_shelf_asks_no_more_with_more_on_it(client):
    keep(client)

    def count():
        with CaptureQueriesContext(
            connection,
        ) as queries:
            page = client.get("/shelf/")
        assert len(page.content) <= 60_000
        return len(queries)

    before = count()
    for _ in range(6):
        keep(client)
    assert count() == before <= 15
