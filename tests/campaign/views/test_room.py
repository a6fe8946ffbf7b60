"""The content room over the web: typing, sharing, beginning, moving to a newer version; who may see what."""

import json
import random
import tomllib
from urllib.parse import urlencode

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from campaign.ledger import content, drafts
from campaign.models import Campaign, ContentBook, ContentDraft
from campaign.presenters import room
from campaign.presenters.drafting import present_draft
from campaign.rules import drafting
from campaign.rules.typed import sector_map
from campaign.rules.typed.whole import PARTS
from firefight.chartroom import shelf
from firefight.engine.charts import tables
from firefight.models import LogEntry
from tests import pages
from tests.campaign.players import Player, sit
from tests.filling import Reader
from tests.firefight.players import links_in, text_of, words_of
from tests.frozen import every_row
from tests.soak import length, seeds

pytestmark = pytest.mark.django_db

HTMX = {"HX-Request": "true"}


@pytest.fixture
def draft(client):
    client.post("/campaign/content/house/", {"do": "copy"})
    return ContentDraft.objects.get()


def at(draft, part=""):
    return f"/campaign/content/{draft.pk}/" + (f"{part}/" if part else "")


def post(client, draft, part="", headers=None, **fields):
    revision = ContentDraft.objects.get(pk=draft.pk).revision
    return client.post(at(draft, part), {"revision": revision, **fields}, headers=headers)


def volume_of(draft):
    """The draft as it stands, as its owner has it."""
    draft = ContentDraft.objects.get(pk=draft.pk)
    return drafts.ContentVolume(draft.pk, draft.based_on, draft, True)


def place(draft, part, row, title):
    """The name of a cell: of a row by what stands first in it, of a column by its title."""
    sheet = volume_of(draft).part(part).sheet()[0]
    rows = [cells[0] for cells in sheet.rows]
    return f"c-{rows.index(row) + 1}-{sheet.head.index(title)}"


def usable_version(client, draft, cp="33"):
    """A stored version with other CP on the second card."""
    post(client, draft, "card-cg2", **{place(draft, "card-cg2", "German CP at start", "value"): cp})
    assert post(client, draft, do="usable").status_code == 302
    return ContentDraft.objects.get(pk=draft.pk).version_id


def test_every_part_has_a_page_that_saves_as_it_stands(client, draft):
    page = words_of(client.get(at(draft)))
    assert "No mistakes found." in page and "Russian roster house" in page
    for part in ("counters", "roster-russian", "card-cg2", "map"):
        page = client.get(at(draft, part))
        text = text_of(page)
        assert "Saved. No mistakes found in this part." in words_of(page), part
        sheet = volume_of(draft).part(part).sheet()[0]
        fields = {f"c-{r}-{c}": text for r, row in enumerate(sheet.rows, 1) for c, text in enumerate(row)}
        for name in fields:
            if part.startswith("card") and name.endswith("-0"):
                continue
            assert f"name={name} " in text or f'name="{name}"' in text, (part, name)
        assert post(client, draft, part, do="save", **fields).status_code == 302
    draft.refresh_from_db()
    assert draft.data == {"parts": {}} and draft.revision == 1


def test_what_is_typed_is_kept_marked_and_made_a_version_nobody_else_is_offered(client, draft):
    name = place(draft, "roster-russian", "I2", "contents")
    answer = post(client, draft, "roster-russian", HTMX, **{name: "3 Rifle squad, 1 Comissar"})
    assert "Is it “Commissar”?" in words_of(answer) and 'data-bad="2-3"' in text_of(answer)
    assert "1 cell to mend" in words_of(client.get(at(draft)))
    assert post(client, draft, do="usable").status_code == 422
    answer = post(client, draft, "roster-russian", HTMX, **{name: "3 Rifle squad, 1 Commissar"})
    assert "Saved." in words_of(answer)
    version = usable_version(client, draft)
    row = ContentBook.objects.get(pk=version)
    groups = {group["id"]: group for group in row.data["rosters"]["russian"]["groups"]}
    assert groups["I2"]["contents"] == {"rifle_squad": 3, "commissar": 1} and groups["I2"]["owner"] == ["contents"]
    assert (row.offered, row.data["cards"]["cg2"]["german"]["cp"]) == (False, 33)
    assert version in text_of(client.get("/campaign/new/"))
    assert version not in text_of(Client().get("/campaign/new/"))


def test_who_has_the_link_reads_copies_and_begins_and_nobody_else_sees_the_draft(client, draft):
    version = usable_version(client, draft)
    other = Client()
    for part in ("", *PARTS):
        assert other.get(at(draft, part)).status_code == 404
        assert other.post(at(draft, part), {"do": "own", "revision": 1}).status_code == 404
    assert other.get(f"/campaign/content/{draft.pk}.toml").status_code == 404
    assert other.get(f"{at(draft)}counters/1.svg").status_code == 404
    shared = f"/campaign/content/{version}/"
    assert shared in text_of(client.get(at(draft)))
    page = words_of(other.get(shared))
    assert "A stored version, never changed" in page and "Make it usable" not in page
    for part in PARTS:
        assert other.get(f"{shared}{part}/").status_code == 200
        assert other.post(f"{shared}{part}/", {"do": "own", "revision": 0}).status_code == 404
    assert other.post(shared, {"do": "remove", "sure": "on"}).status_code == 403
    form = other.get(f"/campaign/new/?content={version}")
    assert f'<option value="{version}" selected>' in text_of(form)
    sent = {"card": "cg2", "side": "german", "content": version, "hot_seat": "on", "name": "With theirs"}
    assert other.post("/campaign/new/", sent).status_code in (200, 302)
    assert Campaign.objects.get().content_id == version
    assert other.post(shared, {"do": "copy"}).status_code == 302
    assert ContentDraft.objects.count() == 2


def test_a_draft_is_saved_by_one_page_at_a_time(client, draft):
    name = place(draft, "map", "4", "borders on")
    assert client.post(at(draft, "map"), {"revision": 1, name: "3"}).status_code == 302
    stale = client.post(at(draft, "map"), {"revision": 1, name: "5"}, headers=HTMX)
    assert stale.status_code == 409 and "Nothing was saved" in words_of(stale)


def test_a_border_is_turned_by_two_sectors(client, draft):
    before = volume_of(draft).part("map").sheet()
    assert post(client, draft, "map", do="border", one="8", other="9").status_code == 302
    drawn_map = volume_of(draft).whole.sector_map
    assert 9 not in drawn_map.neighbours[8] and 8 not in drawn_map.neighbours[9] and drawn_map.is_drawn
    assert "The drawing follows the borders." in words_of(client.get(at(draft, "map")))
    post(client, draft, "map", do="border", one="1", other="20")
    assert not volume_of(draft).whole.sector_map.is_drawn
    assert "would cross" in words_of(client.get(at(draft, "map")))
    post(client, draft, "map", do="border", one="1", other="20")
    post(client, draft, "map", do="border", one="9", other="8")
    assert volume_of(draft).part("map").sheet()[0].rows == before[0].rows
    for one, other in (("8", "8"), ("8", ""), ("99", "1"), ("²", "1")):
        assert post(client, draft, "map", do="border", one=one, other=other).status_code == 422


def sheet_of_map(client, draft):
    """The page of the map's sheet, read as its owner meets it."""
    return Reader(client, script=False).open(at(draft, "map"))


def type_borders(client, draft, cells):
    """Type into the sheet of the map, sector by sector, and save; returns the page that comes back."""
    reader = sheet_of_map(client, draft)
    names = {place(draft, "map", sector, "borders on"): text for sector, text in cells.items()}
    return reader.form("#grid").fill(names).press("Save")


def test_three_cells_that_once_broke_the_drawing_leave_a_draft_that_opens(client, draft):
    reader = type_borders(client, draft, {"8": "4", "3": "2, 4", "9": "4, 12, 17"})
    assert reader.status == 200 and "The drawing follows the borders." in reader.words("#check")
    assert volume_of(draft).whole.sector_map.neighbours[8] == (4,)
    for page in ("", *(f"{part}/" for part in PARTS), "map/draw/"):
        assert client.get(at(draft) + page).status_code == 200
    for form in ("toml", "json"):
        assert client.get(f"/campaign/content/{draft.pk}.{form}").status_code == 200
    assert client.get("/campaign/map/change/?changes=8-9.8-3").status_code == 200


@pytest.fixture
def broken(monkeypatch):
    """The drawing of maps, broken by a mistake of ours."""

    def break_down(*_):
        raise StopIteration

    monkeypatch.setattr("firefight.drawing.layout.springs.Springs.settle", break_down)
    drafting._lay_out.cache_clear()
    yield
    drafting._lay_out.cache_clear()


def test_whatever_breaks_the_drawing_the_sheet_opens_with_tiles_and_says_so_and_all_goes_on(client, draft, broken):
    reader = type_borders(client, draft, {"8": "3, 4", "9": "4, 12, 17"})
    assert reader.status == 200
    assert "the sectors stand as tiles. No drawing was found" in reader.words("#check")
    assert not volume_of(draft).whole.sector_map.is_drawn
    drawn = Reader(client).open(f"{at(draft)}map/draw/")
    assert "No drawing shows these borders. The sectors stand as tiles." in drawn.words(".trouble")
    assert drawn.open(f"{at(draft)}map/draw/?changes=8-9").status == 200
    shipped = Reader(client).open("/campaign/map/change/?changes=8-9")
    assert "No drawing shows these borders. The one below is from before." in shipped.words(".trouble")
    for form in ("toml", "json"):
        assert client.get(f"/campaign/content/{draft.pk}.{form}").status_code == 200
    page = Reader(client).open(at(draft))
    assert page.status == 200
    page.press("do=usable")
    assert page.status == 200 and ContentDraft.objects.get().version is not None
    page.form("form:has([name=sure])").fill(sure=True).press("do=remove")
    assert page.status == 200 and not ContentDraft.objects.exists()


def test_what_cannot_be_looked_over_is_not_kept_and_what_is_kept_was(client, draft, monkeypatch):
    def break_down(*_):
        raise RuntimeError("a mistake of ours")

    before = every_row()
    cell = place(draft, "map", "4", "borders on")
    with monkeypatch.context() as patch:
        patch.setattr("campaign.rules.typed.card.check_card", break_down)  # of another part, which knows the map
        for headers in ({}, HTMX):
            with pytest.raises(RuntimeError):
                post(client, draft, "map", headers, **{cell: "3"})
            assert every_row() == before
    assert post(client, draft, "map", **{cell: "3"}).status_code == 302
    assert every_row() != before


def test_columns_of_a_comparison_are_called_by_their_versions(client, draft):
    first, second = usable_version(client, draft), usable_version(client, draft, "34")
    heads = {name: f"{draft.name} · {name[:8]}" for name in (first, second)}
    page = Reader(client).open(f"/campaign/content/compare/?a={first}&b={second}")
    titles = [pages.words(cell) for cell in page.find("thead th")]
    assert titles == ["Cell", heads[first], heads[second]]
    assert [page.form("form:has(#a)").value(name) for name in ("a", "b")] == [first, second]
    house = Reader(client).open(f"/campaign/content/compare/?a=house&b={draft.pk}")
    assert [pages.words(cell) for cell in house.find("thead th")][:3] == ["Cell", "House content", draft.name]


@pytest.mark.parametrize("part", ["counters", "roster-german", "roster-russian", "map"])
def test_a_column_that_is_missing_is_said_in_one_line(client, draft, part):
    sheet, _ = volume_of(draft).part(part).sheet()
    needed = {"counters": "arm", "map": "borders on"}.get(part, "CP")
    column = sheet.head.index(needed)
    pasted = "\n".join("\t".join(row[:column] + row[column + 1 :]) for row in (sheet.head, *sheet.rows))
    page = Reader(client, script=False).open(at(draft, part))
    page.form("#grid").fill(pasted=pasted).press("do=paste")
    flaws = [pages.words(flaw) for flaw in page.find("ul.flaws li")]
    assert len(flaws) == 1 and flaws[0].endswith(f"the column “{needed}” is missing: no row has anything there")
    # Once a row has it, the others are asked for theirs.
    page.form("#grid").fill({f"c-1-{column}": sheet.rows[0][column]}).press("Save")
    assert len(page.find("ul.flaws li")) > 5


ODD_BORDERS = ("", "4", "2, 4", "1-22", "8", "99", "1-99", "x", "3; 4", "22", "5 6 7 8 9 10")
ODD_EDGES = ("", "west", "east", "west, east", "north")


@pytest.mark.soak
@pytest.mark.parametrize("seed", seeds(1, 20))
def test_whatever_is_typed_into_the_map_its_parts_are_checked_and_its_drawing_is_shown(client, draft, seed):
    """Cells of the sheet overwritten at random; what is known of the whole is worked out each time."""
    rng = random.Random(f"typing {seed}")
    volume = volume_of(draft)
    for _ in range(length(4, 60)):
        sheet, confirmed = volume.part("map").sheet()
        for _ in range(rng.randint(1, 12)):
            row, column = rng.randint(1, len(sheet.rows)), rng.choices((0, 1, 2), (1, 20, 4))[0]
            text = rng.choice({0: ("", "3", "sector 4", "60"), 1: ODD_BORDERS, 2: ODD_EDGES}[column])
            sheet = tables.put_texts(sheet, {(row, column): text})
        volume.part("map").look_over(sheet, confirmed)
        drawn_map = volume.whole.sector_map
        assert volume.whole.part("map").flaws or drawn_map.is_drawn or room.map_rows(volume)["troubles"]
        assert present_draft(drawn_map, [], None)["picture"].cells
    assert client.get(at(draft, "map")).status_code == 200


def test_a_dragged_sector_stays_where_it_was_dragged_and_goes_with_the_file(client, draft):
    before = volume_of(draft).whole.sector_map.drawing
    (x, y), rows = before.labels[11], len(volume_of(draft).part("map").sheet()[0].rows)
    moved = f"11~{x + 6}~{y + 4}"
    assert "Sector 11 has moved." in words_of(client.get(f"{at(draft)}map/draw/?changes={moved}"))
    assert post(client, draft, "map", do="draw", changes=f"11~1~1.{moved}").status_code == 302
    drawn_map = volume_of(draft).whole.sector_map
    assert drawn_map.is_drawn and drawn_map.drawing.labels[11] != before.labels[11]
    assert "No mistakes found in this part." in words_of(client.get(at(draft, "map")))
    # Another one, and a border, leave it there; the row can be typed into, and taken away again.
    post(client, draft, "map", do="draw", changes=f"5~{before.labels[5][0] + 3}~{before.labels[5][1]}.8-9")
    sheet = volume_of(draft).part("map").sheet()[0]
    assert sheet.rows[-1][:2] == (
        sector_map.DRAGGED,
        f"11 to {x + 6}/{y + 4}, 5 to {before.labels[5][0] + 3}/{before.labels[5][1]}",
    )
    assert len(sheet.rows) == rows + 1
    post(client, draft, "map", do="border", one="8", other="9")
    after = volume_of(draft).whole.sector_map.drawing
    assert after.labels[11] == drawn_map.drawing.labels[11]
    cell = f"c-{rows + 1}-1"
    for text, sentence in (("11 at 3", "should be written like"), ("99 to 1/1", "the map has no sector 99")):
        assert sentence in words_of(post(client, draft, "map", HTMX, **{cell: text}))
    post(client, draft, "map", HTMX, **{cell: sheet.rows[-1][1]})
    post(client, draft, do="usable")
    sent = client.get(f"/campaign/content/{draft.pk}.toml").content
    other = Client()
    assert take_in(other, "book.toml", sent).status_code == 302
    assert volume_of(ContentDraft.objects.order_by("changed").last()).whole.sector_map.drawing == after
    post(client, draft, "map", do=f"row-remove-{rows + 1}")
    assert volume_of(draft).whole.sector_map.drawing == before


def test_files_come_back_the_same_and_spoilt_ones_change_nothing(client, draft):
    version = usable_version(client, draft)
    written = {form: client.get(f"/campaign/content/{draft.pk}.{form}").content for form in ("toml", "json")}
    assert tomllib.loads(written["toml"].decode()) == json.loads(written["json"])
    for form, sent in written.items():
        other = Client()
        assert take_in(other, f"book.{form}", sent).status_code == 302
        assert ContentDraft.objects.order_by("changed").last().version_id == version
    data = json.loads(written["json"])
    before = every_row()
    for spoil, sentence in SPOILT:
        spoilt = json.loads(json.dumps(data))
        spoil(spoilt)
        answer = take_in(client, "book.json", json.dumps(spoilt).encode())
        assert (answer.status_code, sentence in words_of(answer)) == (422, True), sentence
    for sent in (b"", b"\xff\xfe", b"[" * 5000, b"{" * 5000, b"a" * 400_002, b"a=1\n" + b"b." * 300 + b"c=1"):
        assert take_in(client, "book.toml", sent).status_code == 422
    assert every_row() == before


SPOILT = [
    (lambda data: data["rosters"]["german"]["groups"][0].update(cp=-1), "should lie between 0 and 99"),
    (lambda data: data["counters"]["german"]["officer"].update(text=["ff", "tq"]), "is marked text, but is not"),
    (lambda data: data["counters"]["german"]["nco"].update(ff=3), "the rulebook's text gives 1"),
    (lambda data: data.update(extra=1), "extra: is not known here"),
    (lambda data: data.update(rosters=[]), "rosters: should be a table"),
    (lambda data: data.update(cards={}), "cards: there is none"),
    (lambda data: data["cards"].update(cg9={}), "is not known here"),
    (lambda data: data.update(name="a\u202eb"), "characters that cannot be seen"),
    (lambda data: data["map"]["adjacency"]["neighbours"].update({"1": [2]}), "but 1 does not name 6"),
    (lambda data: data["rosters"]["german"]["groups"][0].update(notes=["x" * 300] * 3), "A cell holds at most"),
]


def take_in(client, name, sent):
    """Send a file to the shelf."""
    return client.post("/campaign/content/", {"file": SimpleUploadedFile(name, sent)})


def test_counters_are_drawn_as_they_are_typed(client, draft):
    page = text_of(client.get(at(draft, "counters")))
    (address,) = pages.values_of_each(page, f"img[src^='{at(draft)}counters/1.svg']", "src")
    before = client.get(address).content
    assert b"<svg" in before
    name = place(draft, "counters", "Panzergrenadier squad", "FF")
    post(client, draft, "counters", HTMX, **{name: "12"})
    assert client.get(address).content != before
    assert client.get(f"{at(draft)}counters/999.svg").status_code == 404


def test_two_contents_are_compared_cell_by_cell(client, draft):
    usable_version(client, draft)
    rows = [cells[:2] for cells in volume_of(draft).part("counters").sheet()[0].rows]
    post(client, draft, "counters", HTMX, **{f"c-{rows.index(('NCO', 'Russian')) + 1}-7": "3"})
    words = words_of(client.get("/campaign/content/compare/?" + urlencode({"a": "house", "b": draft.pk})))
    assert "NCO, Russian, TQ" in words and "NCO, German" not in words
    post(client, draft, "counters", do="restore")
    words = words_of(client.get("/campaign/content/compare/?" + urlencode({"a": "house", "b": draft.pk})))
    assert "1 cell differs" in words and "German CP at start, value 24 33" in words


def test_a_shelf_has_its_bounds_and_names_are_checked(client, draft, monkeypatch):
    monkeypatch.setattr(shelf, "MOST_DRAFTS", 1)
    assert client.post("/campaign/content/house/", {"do": "copy"}).status_code == 422
    for name in ("", "x" * 81, "a\0b"):
        assert post(client, draft, do="rename", name=name).status_code == 422
    assert post(client, draft, do="rename", name="Mine").status_code == 302
    assert post(client, draft, do="remove").status_code == 422
    assert post(client, draft, do="remove", sure="on").status_code == 302
    assert not ContentDraft.objects.exists()


NONSENSE = [
    {"do": "paste", "pasted": "\t".join("x" * 40)},
    {"do": "paste", "pasted": "x\n" * 2000},
    {"do": "paste", "pasted": "a\tb\n" * 130, "at": "1-1"},
    {"do": "paste", "pasted": "1\t2\t3", "at": "99-99"},
    {"do": "row-remove-999"},
    {"do": "row-add-999"},
    {"do": "column-add-1"},
    {"c-999-1": "x"},
    {"c-1-1": "\x00\u202e" + "9" * 400},
    {"overrule": "card:nothing"},
    {"do": "restore", "revision": "x"},
    {"revision": "9" * 30},
]


def test_nonsense_is_refused_in_words(client, draft):
    for place_of, fields in enumerate(NONSENSE):
        for part in (PARTS[place_of % len(PARTS)], "card-cg1"):
            answer = post(client, draft, part, **fields)
            assert answer.status_code in (302, 409, 422), (part, fields)
    assert client.get(at(draft)).status_code == 200


def test_a_version_stays_while_a_draft_or_a_campaign_names_it(client, draft):
    version = usable_version(client, draft)
    assert not content.find_orphaned(timezone.now()).exists()
    post(client, draft, do="remove", sure="on")
    assert [row.pk for row in content.find_orphaned(timezone.now())] == [version]


# A campaign moves to a newer version


@pytest.fixture
def two(client, draft):
    """A campaign with the first version of a draft: its maker, with the shelf, and the other side."""
    version = usable_version(client, draft, "30")
    sent = {"card": "cg2", "side": "german", "content": version, "hot_seat": "no", "name": "With ours"}
    links = links_in(client.post("/campaign/new/", sent, follow=True))
    maker = Player(Campaign.objects.get().pk)
    maker.client, other = client, sit(links["russian"], maker.match_id)
    return maker, other, version


def test_a_newer_version_shows_what_changes_and_needs_the_other_side(client, draft, two):
    maker, other, old = two
    new = usable_version(client, draft, "44")
    page = words_of(maker.open(f"content/?to={new}"))
    assert "What would change" in page and "German CP at start, value 30 44" in page
    assert new not in text_of(other.open("content/"))  # it is on the maker's shelf, not on theirs
    assert maker.ask("", "content/", content=new).status_code == 302
    assert Campaign.objects.get().content_id == old
    words = other.read()
    assert "German asks to go on with the content “Copy of House content · " in words
    assert "German CP at start, value 30 44" in other.read("content/")
    other.press("answer", agrees="yes")
    assert Campaign.objects.get().content_id == new
    sentence = LogEntry.objects.order_by("number").last().sentence
    assert sentence.startswith("Rosters, counters, cards and map from now on: “Copy of House content · ")
    maker.press("take-back")
    other.press("answer", agrees="yes")
    assert Campaign.objects.get().content_id == old


def test_what_is_newer_stands_before_what_is_other(client, draft, two):
    maker, _, _ = two
    new = usable_version(client, draft, "44")
    client.post("/campaign/content/house/", {"do": "copy"})
    other = ContentDraft.objects.exclude(pk=draft.pk).get()
    assert post(client, other, do="usable").status_code == 302
    usable_version(client, other, "77")
    offered = pages.find(text_of(maker.open("content/")), "#to option[value]")
    values = [option.attributes["value"] for option in offered if option.attributes["value"]]
    assert len(values) > 2
    assert values[0] == new
    assert [value for value, option in zip(values, offered, strict=False) if "newer than" in pages.words(option)] == [
        new
    ]


def test_a_version_that_lacks_what_was_in_play_is_refused(client, draft, two):
    maker, _, old = two
    sheet = volume_of(draft).part("counters").sheet()[0]
    row = [cells[0] for cells in sheet.rows].index("Grenadier squad") + 1
    post(client, draft, "counters", **{f"c-{row}-0": "Other squad", f"c-{row}-{sheet.head.index('key')}": "other"})
    for part in ("roster-german", "card-cg1", "card-cg2"):
        texts = volume_of(draft).part(part).sheet()[0]
        for number, cells in enumerate(texts.rows, 1):
            for column, text in enumerate(cells):
                if "grenadier_squad" in text.split():
                    post(
                        client, draft, part, **{f"c-{number}-{column}": text.replace("grenadier_squad", "Other squad")}
                    )
    assert post(client, draft, do="usable").status_code == 302
    new = ContentDraft.objects.get(pk=draft.pk).version_id
    answer = maker.ask("", "content/", content=new)
    assert answer.status_code == 403
    assert "German Grenadier squad has been in play, and it has no such counter" in words_of(answer)
    assert maker.ask("", "content/", content=old).status_code in (403, 409, 422)
    assert maker.ask("", "content/", content="0" * 64).status_code in (403, 409, 422)
    assert Campaign.objects.get().content_id == old
