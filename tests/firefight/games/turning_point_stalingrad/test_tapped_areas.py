"""Areas and Zones of an owner's map, tapped one by one into a chart book on the shelf."""

import pytest

from firefight.chartroom import drafts
from firefight.chartroom.tapping import TapTable
from firefight.engine.charts.tables import TYPED, BadSheet, Sheet
from firefight.games import chartbooks
from firefight.games.turning_point_stalingrad.rules.areas import NAMES, read_areas
from firefight.games.turning_point_stalingrad.rules.charts import SPECS
from firefight.models import Draft
from tests.filling import Reader

GAME, AREAS = "turning-point-stalingrad", SPECS[0]
HEAD = ("", "TEM", "vp", "bank", "links")


def sheet_of(*rows):
    return Sheet(HEAD, rows, tuple(TYPED * len(HEAD) for _ in rows))


def links_of(sheet):
    return {row[0]: row[4] for row in sheet.rows}


THREE = sheet_of(("1", "", "", "", "2"), ("2", "3", "", "", ""), ("A", "", "", "no", "1,2"))


def test_what_others_list_and_another_chart_knows_touches_a_row():
    known = Sheet(("", "known"), (("2", "1;a"),), (TYPED * 2,))
    assert TapTable(THREE, AREAS, [known]).read_row(2).links == {"1", "A"}
    first = TapTable(THREE, AREAS).read_row(1)
    assert (first.links, first.is_whole, first.values) == ({"2", "A"}, True, {"tem": "", "vp": "", "bank": ""})


def test_a_tap_is_told_to_both_rows_and_a_blank_list_stays_blank():
    after = TapTable(THREE, AREAS).tap(1, {"tem": "4"}, ["2"], is_whole=False)
    assert links_of(after) == {"1": "2", "2": "", "A": "2"} and after.rows[0][1] == "4"
    back = TapTable(after, AREAS).tap(1, {}, ["2", "A"], is_whole=False)
    assert links_of(back) == {"1": "2,A", "2": "", "A": "1,2"}


def test_a_value_alone_claims_nothing_of_what_a_row_touches():
    table = TapTable(THREE, AREAS)
    assert links_of(table.tap(2, {"tem": "2"}, ["1", "A"], is_whole=False))["2"] == ""
    assert links_of(table.tap(2, {}, ["1", "A"], is_whole=True))["2"] == "1,A"


@pytest.mark.parametrize(
    "number, values, links", [(0, {}, []), (4, {}, []), (1, {"tem": "9"}, []), (1, {}, ["75"]), (1, {"bank": "2"}, [])]
)
def test_what_nobody_can_tap_changes_nothing(number, values, links):
    with pytest.raises(BadSheet):
        TapTable(THREE, AREAS).tap(number, values, links, is_whole=False)


@pytest.fixture
def draft(client, db):
    client.post(f"/charts/{GAME}/", {"do": "copy"})
    return Draft.objects.get()


def tap_page(client, draft, area):
    return Reader(client).open(f"/charts/{draft.pk}/areas/tap/{NAMES.index(area) + 1}/")


def ticked(reader):
    return [value for value in reader.form("#tapped").sent().get("touches", [])]


def test_areas_are_tapped_one_after_the_other_and_matches_play_with_them(client, draft):
    reader = Reader(client).open(f"/charts/{draft.pk}/")
    reader.press("Tap: Areas and Zones")
    assert "Areas and Zones: 1" in reader.words("h1")
    reader.form("#tapped").fill({"v-tem": "3", "v-bank": "no", "touches": ["2", "A"]}).press("Save, then 2")
    assert "Areas and Zones: 2" in reader.words("h1") and ticked(reader) == ["1"]
    reader.form("#tapped").fill(touches=["1", "3"]).press("do=save")
    assert ticked(tap_page(client, draft, "3")) == ["2", "B"]  # the text says so of Zone B
    Reader(client).open(f"/charts/{draft.pk}/").press("do=usable")
    draft.refresh_from_db()
    areas = read_areas(chartbooks.of_version(draft.version_id, GAME))
    assert areas.tem["1"] == 3 and areas.neighbours("1").names == {"2", "A"} and areas.neighbours("1").are_all
    assert areas.neighbours("2").names == {"1", "3"} and not areas.neighbours("3").are_all


def test_the_shelf_leads_to_the_areas_in_a_book_of_ones_own(client, db):
    for _ in range(2):
        reader = Reader(client).open("/shelf/")
        reader.press("Type in Areas and Zones", within=f"#{GAME}")
        assert "Areas and Zones: 1" in reader.words("h1")
    assert Draft.objects.count() == 1


def test_the_last_row_goes_on_to_the_first(client, draft):
    reader = tap_page(client, draft, "H")
    reader.form("#tapped").press("Save, then 1")
    assert "Areas and Zones: 1" in reader.words("h1")
    draft.refresh_from_db()
    assert draft.data["charts"] == {}


def test_a_page_that_has_missed_a_save_changes_nothing(client, draft):
    reader = tap_page(client, draft, "5")
    tap_page(client, draft, "6").form("#tapped").fill({"v-vp": "1"}).press("do=save")
    reader.form("#tapped").fill({"v-vp": "2"}).press("do=save")
    assert reader.status == 409
    assert drafts.Volume(draft.pk, drafts.find_shipped(GAME).game, Draft.objects.get(), True).part("areas").sheet()[
        0
    ].rows[4][2] in ("", "?")


@pytest.mark.parametrize("fields", [{"v-tem": "9"}, {"v-bank": "\x00"}, {"touches": "99"}])
def test_a_forged_tap_is_refused(client, draft, fields):
    sent = client.post(f"/charts/{draft.pk}/areas/tap/5/", {"revision": 1, "do": "save", **fields})
    draft.refresh_from_db()
    assert sent.status_code == 422 and draft.data["charts"] == {}


@pytest.mark.parametrize("place", ["areas/tap/0/", "areas/tap/999/", "boxes/tap/1/"])
def test_there_is_no_other_row_to_tap(client, draft, place):
    assert client.get(f"/charts/{draft.pk}/{place}").status_code == 404


def test_a_page_to_tap_keeps_to_its_budget(client, draft):
    assert len(client.get(f"/charts/{draft.pk}/areas/tap/1/").content) <= 60_000
