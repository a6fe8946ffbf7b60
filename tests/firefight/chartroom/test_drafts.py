"""The chart room behind its pages: shelves, versions, files, and the books of matches."""

import json
import tomllib
from itertools import product

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from hypothesis import given, settings
from hypothesis import strategies as st

from firefight.chartroom import drafts, files, shelf
from firefight.engine.charts import tables
from firefight.engine.charts.layouts import LAYOUTS
from firefight.games import chartbooks, registry
from firefight.games.chartbooks import BadBook
from firefight.models import ChartBook, Draft, Match
from tests import pages
from tests.books import altered_data, house_data
from tests.firefight.players import GAME, Player, begin, sit, text_of, words_of
from tests.soak import some

SPECS = registry.games()[GAME].chart_specs


def copied(client, ref=GAME):
    """Copy a book to a browser's shelf; its draft."""
    address = client.post(f"/charts/{ref}/", {"do": "copy"})["Location"]
    return Draft.objects.get(pk=address.split("/")[2])


def post(client, draft, chart="", **fields):
    """Post to a book's or a chart's page as it stands."""
    fields = {"revision": Draft.objects.get(pk=draft.pk).revision, **fields}
    place = f"{chart}/" if chart else ""
    return client.post(f"/charts/{draft.pk}/{place}", fields)


def make_usable(client, draft):
    assert post(client, draft, do="usable").status_code == 302
    draft.refresh_from_db()
    return draft.version


# Shelves and versions


def test_a_copy_is_kept_on_the_browsers_own_shelf(client, db):
    draft = copied(client)
    assert draft.name == "Copy of House values" and draft.version is None
    assert "Copy of House values" in words_of(client.get("/charts/"))
    assert "Copy of House values" not in words_of(Player().client.get("/charts/"))


def test_copies_of_one_book_have_names_of_their_own(client, db):
    names = [copied(client).name for _ in range(3)]
    assert names == ["Copy of House values", "Copy of House values 2", "Copy of House values 3"]
    assert copied(Player().client).name == "Copy of House values"


def test_an_unchanged_copy_holds_the_very_values_of_its_book(client, db):
    version = make_usable(client, copied(client))
    assert version.data == {**house_data(), "name": "Copy of House values"}


def test_typing_is_kept_at_once_and_makes_a_new_version_only_when_asked(client, db):
    draft = copied(client)
    first = make_usable(client, draft)
    post(client, draft, "fft", **{"c-1-8": "2"})
    draft.refresh_from_db()
    assert draft.version == first and draft.data["charts"]["fft"]["rows"][0][8] == "2"
    second = make_usable(client, draft)
    assert second != first and draft.versions == [first.pk, second.pk]
    assert ChartBook.objects.get(pk=first.pk).data["charts"]["fft"] == house_data()["charts"]["fft"]
    fft = chartbooks.of_version(second.pk, GAME)["fft"]
    assert (fft.cell("2E", "10"), fft.origins["2E, 10"], fft.origins["2E, 12"]) == (2, "owner", "house")


def test_the_columns_of_mines_and_molotovs_can_be_typed_in_and_are_used(client, db):
    draft = copied(client)
    page = text_of(client.get(f"/charts/{draft.pk}/fft_weapons/"))
    assert 'value="mines"' in page and 'value="molotov"' in page
    post(client, draft, "fft_weapons", **{"c-3-1": "30", "c-4-1": "12"})
    chart = chartbooks.of_version(make_usable(client, draft).pk, GAME)["fft_weapons"]
    assert chart.values == {"flamethrower": 100, "demo_charge": 100, "mines": 30, "molotov": 12}
    assert (chart.origins["mines"], chart.origins["flamethrower"]) == ("owner", "text")


def test_a_draft_from_before_mines_and_molotovs_shows_their_blank_cells_and_keeps_its_own(client, db):
    draft = copied(client)
    post(client, draft, "fft_weapons", **{"c-1-1": "70"})
    draft.refresh_from_db()
    typed = draft.data["charts"]["fft_weapons"]
    typed["rows"], typed["marks"] = typed["rows"][:2], typed["marks"][:2]
    draft.save(update_fields=["data"])
    page = text_of(client.get(f"/charts/{draft.pk}/fft_weapons/"))
    assert 'value="mines"' in page and 'value="molotov"' in page
    post(client, draft, "fft_weapons", **{"c-3-1": "30"})
    draft.refresh_from_db()
    assert draft.data["charts"]["fft_weapons"]["rows"] == [
        ["flamethrower", "70"],
        ["demo charge", "100"],
        ["mines", "30"],
        ["molotov", ""],
    ]


def test_a_book_of_an_older_version_still_opens_and_rolls_and_can_be_taken_in(client, db):
    data = house_data()
    weapons = data["charts"]["fft_weapons"]
    del weapons["values"]["mines"], weapons["values"]["molotov"], weapons["house"]
    pinned = ChartBook.objects.create(
        digest=chartbooks.digest(data), game=GAME, name="House values", data=data, shipped=True
    )
    book = chartbooks.of_version(pinned.pk, GAME)
    helper = registry.helpers(GAME)["fire"]
    inputs = helper.form({"weapon": "flamethrower"}, book=book)
    assert inputs.is_valid()
    assert helper.resolve(book, inputs.inputs(), {"die": 50}).details["column"] == 100
    old_book = drafts.read_book_file(files.as_toml(data).encode())
    assert old_book == data
    maker, _ = begin()
    Match.objects.filter(pk=maker.match_id).update(book_id=pinned.pk)
    assert "Firepower Factors Table" in words_of(maker.get("charts/"))
    maker.roll("fire", weapon="demo_charge", die="50", dice="table")
    assert "column 100" in maker.last.sentence
    assert "needs cell mines" in words_of(maker.roll("fire", weapon="mines", die="50", dice="table"))


def test_what_is_typed_back_is_no_change(client, db):
    draft = copied(client)
    post(client, draft, "contact", **{"c-1-1": "60"})
    post(client, draft, "contact", do="restore")
    draft.refresh_from_db()
    assert draft.data == {"charts": {}}


def test_a_draft_with_a_flaw_is_kept_but_is_no_version(client, db):
    draft = copied(client)
    post(client, draft, "accuracy", **{"c-1-0": "1-29"})
    before = ChartBook.objects.count()
    response = post(client, draft, do="usable")
    assert response.status_code == 422 and "nothing was stored" in words_of(response)
    assert "leaves a gap after 1-29" in words_of(response)
    assert ChartBook.objects.count() == before
    draft.refresh_from_db()
    assert draft.version is None and draft.data["charts"]["accuracy"]["rows"][0][0] == "1-29"


def test_an_incomplete_book_may_be_used_and_a_roll_says_what_is_missing(client, db):
    draft = copied(client)
    post(client, draft, "contact", do="restore")
    post(client, draft, "accuracy", **{"c-1-1": ""})
    version = make_usable(client, draft)
    assert chartbooks.of_version(version.pk, GAME)["accuracy"].bands[0].value is None


def test_the_second_of_two_pages_is_told_that_the_first_was_quicker(client, db):
    draft = copied(client)
    post(client, draft, "fft", revision=1, **{"c-1-8": "2"})
    before = Draft.objects.values().get()
    for place, fields in (("fft/", {"c-1-8": "9"}), ("", {"do": "usable"}), ("", {"do": "rename", "name": "X"})):
        response = client.post(f"/charts/{draft.pk}/{place}", {"revision": 1, **fields})
        assert response.status_code == 409
        assert "Nothing was saved" in words_of(response)
    assert Draft.objects.values().get() == before


def test_a_copy_of_a_draft_takes_along_what_was_typed(client, db):
    draft = copied(client)
    post(client, draft, "fft", **{"c-1-8": "2"})
    again = copied(client, draft.pk)
    assert again.data["charts"]["fft"]["rows"][0][8] == "2" and again.version is None


def test_a_shelf_is_not_endless(client, db, monkeypatch):
    monkeypatch.setattr(shelf, "MOST_DRAFTS", 1)
    copied(client)
    response = client.post(f"/charts/{GAME}/", {"do": "copy"})
    assert response.status_code == 422 and "A shelf holds 1 of a kind" in words_of(response)
    assert Draft.objects.count() == 1


def test_a_book_is_renamed_and_removed_but_what_matches_use_stays(client, db):
    draft = copied(client)
    post(client, draft, do="rename", name="  My   card ")
    version = make_usable(client, draft)
    assert version.name == "My card"
    assert post(client, draft, do="rename", name="").status_code == 422
    assert post(client, draft, do="rename", name="a\x00b").status_code == 422
    assert post(client, draft, do="remove").status_code == 422
    assert post(client, draft, do="remove", sure="on").status_code == 302
    assert not Draft.objects.exists() and ChartBook.objects.filter(pk=version.pk).exists()


# Who may see and change a book


def pages_of(draft):
    return [f"/charts/{draft.pk}{end}" for end in ("/", "/fft/", ".toml", ".json", ".pdf")] + [
        f"/charts/compare/?a={GAME}&b={draft.pk}"
    ]


def test_another_browser_neither_sees_nor_changes_a_draft(client, db):
    draft, stranger = copied(client), Player().client
    copied(stranger)
    post(client, draft, do="rename", name="Quite secret")
    before = Draft.objects.values().get(pk=draft.pk)
    for address in pages_of(draft):
        response = stranger.get(address)
        assert response.status_code == 404 and "Quite secret" not in words_of(response)
    for place in ("", "fft/"):
        for fields in ({"do": "copy"}, {"do": "remove", "sure": "on"}, {"c-1-8": "2"}, {"do": "usable"}):
            assert stranger.post(f"/charts/{draft.pk}/{place}", {"revision": 2, **fields}).status_code == 404
    assert Draft.objects.values().get(pk=draft.pk) == before and Draft.objects.count() == 2


def test_a_link_lets_others_read_and_copy_and_nothing_else(client, db):
    draft, friend = copied(client), Player().client
    post(client, draft, "fft", **{"c-1-8": "2"})
    post(client, draft, do="share")
    page = words_of(client.get(f"/charts/{draft.pk}/"))
    assert "shown only now" in page
    draft.refresh_from_db()
    link = shared_link(client, draft)
    assert draft.pk not in link
    assert friend.get(link)["Location"] == f"/charts/{draft.pk}/"
    for address in pages_of(draft):
        assert friend.get(address).status_code == (404 if address.endswith("/fft/") else 200)
    assert "Shown to you by a link" in words_of(friend.get(f"/charts/{draft.pk}/"))
    before = Draft.objects.values().get()
    draft.refresh_from_db()
    for fields in ({"do": "usable"}, {"do": "rename", "name": "X"}, {"do": "remove", "sure": "on"}, {"do": "share"}):
        assert friend.post(f"/charts/{draft.pk}/", {"revision": draft.revision, **fields}).status_code == 403
    assert friend.post(f"/charts/{draft.pk}/fft/", {"c-1-8": "9"}).status_code == 404
    assert Draft.objects.values().get() == before
    assert copied(friend, draft.pk).data["charts"]["fft"]["rows"][0][8] == "2"
    post(client, draft, do="unshare")
    assert friend.get(f"/charts/{draft.pk}/").status_code == 404
    assert Player().client.get(link).status_code == 404


def shared_link(client, draft):
    """A fresh link, as the page shows it."""
    response = client.post(f"/charts/{draft.pk}/", {"do": "share"}, follow=True)
    (link,) = pages.values_of_each(text_of(response), "input#link[readonly]", "value")
    return link.removeprefix("http://testserver")


def test_a_book_of_another_browser_cannot_be_played_with(client, db):
    version = make_usable(client, copied(client))
    stranger = Player().client
    for address, fields in ((f"/match/new/{GAME}/", {"game": GAME}), ("/campaign/new/", {"card": "cg1"})):
        assert version.pk not in stranger.get(address).content.decode()
        response = stranger.post(address, {"side": "german", "book": version.pk, **fields})
        assert response.status_code == 422
        assert version.pk in client.get(address).content.decode()
    assert not Match.objects.exists()


# The host's books


def test_the_hosts_book_is_offered_to_everybody(client, db, tmp_path, capsys):
    file = tmp_path / "book.toml"
    data = {**altered_data("cct", provenance="owner"), "name": "The club's card"}
    file.write_text(files.as_toml(data))
    call_command("add_chart_book", str(file))
    call_command("add_chart_book", str(file))
    draft = Draft.objects.get()
    assert draft.owner == drafts.HOST and draft.version.data == data and len(draft.versions) == 1
    assert "The club's card" in words_of(client.get("/charts/"))
    assert draft.version_id in client.get("/match/new/combat-stalingrad/").content.decode()
    assert client.get(f"/charts/{draft.pk}/fft/").status_code == 404
    assert client.post(f"/charts/{draft.pk}/", {"do": "rename", "name": "X", "revision": 2}).status_code == 403
    file.write_text(files.as_toml(data | {"charts": {**data["charts"], "cct": house_data()["charts"]["cct"]}}))
    call_command("add_chart_book", str(file))
    assert len(Draft.objects.get().versions) == 2


def test_the_hosts_command_says_what_is_wrong(db, tmp_path):
    file = tmp_path / "book.toml"
    for content in (None, "game = 'chess'", "game ="):
        if content:
            file.write_text(content)
        with pytest.raises(CommandError):
            call_command("add_chart_book", str(file))
    assert not Draft.objects.exists()


# Files


def sent(client, content, name="book.toml"):
    content = content if isinstance(content, bytes) else content.encode()
    return client.post("/charts/", {"file": SimpleUploadedFile(name, content)})


@pytest.mark.parametrize("form", ["toml", "json"])
def test_a_book_goes_out_and_comes_in_again_as_it_was(client, db, form):
    draft = copied(client)
    post(client, draft, "fft", **{"c-1-8": "2", "c-1-17": "30", "c-0-0": "x"})
    post(client, draft, "fft", overrule="card:2E, 100 = 30")
    post(client, draft, "contact", **{"c-1-1": "60"})
    post(client, draft, "contact", overrule="rule:radio = 60")
    post(client, draft, "fft_modifiers", do="row-add-17")
    post(client, draft, "fft_modifiers", **{"c-18-1": "Barbed “wire”, thick", "c-18-2": "5"})
    version = make_usable(client, draft)
    file = client.get(f"/charts/{draft.pk}.{form}").content
    other = Player().client
    assert sent(other, file, f"book.{form}").status_code == 302
    new_draft = Draft.objects.latest("changed")
    assert new_draft.version == version and new_draft.pk != draft.pk
    assert other.get(f"/charts/{new_draft.pk}.{form}").content == file
    assert chartbooks.of_version(version.pk, GAME)["contact"].origins["radio"] == "house"


def test_a_draft_that_needs_mending_is_not_written_to_a_file(client, db):
    draft = copied(client)
    post(client, draft, "accuracy", **{"c-1-0": "1-29"})
    response = client.get(f"/charts/{draft.pk}.toml")
    assert response.status_code == 409 and "needs mending" in words_of(response)


HOSTILE = [
    b"\xff\xfe\x00",
    b"",
    b"[[[[",
    b"[" * 100_000,
    b'{"a":' * 50_000,
    b"x = 1979-05-27",
    b"x = nan",
    b'{"game": "\\ud800"}',
    b'{"game": "combat-stalingrad", "name": "a\\u0000b"}',
    b"game = 'combat-stalingrad'\nname = 'x'",
    b"game = 'combat-stalingrad'\nname = 'x'\ncharts = []",
    b"game = 'combat-stalingrad'\nname = 'x'\n[charts.fft]\ngrid = 7",
    b"[1, 2]",
    b"null",
    b"#" * 200_001,
    b"a." * 60_000 + b"b = 1",  # which tomllib would take minutes to read
    b"[" + b"a." * 60_000 + b"b]",
]


@pytest.mark.parametrize("content", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_file_gets_its_problems_and_changes_nothing(client, db, content):
    response = sent(client, content)
    assert response.status_code == 422
    assert "Nothing was taken in" in words_of(response) or "Choose a file" in words_of(response)
    assert not Draft.objects.exists()


def spoilt():
    """House books with one thing wrong, and what is said about it."""
    house = house_data()["charts"]
    cells = {**house["contact"]["values"], "radio": 60}
    yield "contact", {"values": cells}, "contact [radio]: is marked text, but is not what"
    yield "contact", {"values": cells, "owner": ["radio"]}, "contact [radio]: the rulebook's text gives 65"
    yield "fft", {"provenance": "text"}, "fft [2E, 1]: is marked text, but is not what"
    yield "fft", {"colour": "red"}, "fft [colour]: is not known here"
    yield "fft", {"title": "a\nb"}, "fft [title]: should be a text"
    yield "fft", {"owner": ["2E, 11"]}, "fft [2E, 11]: is named as owner"
    yield "fft", {"grid": house["fft"]["grid"].replace("C/M", "C" * 90)}, "A cell holds at most 80 characters"
    yield "accuracy", {"bands": [["1-100", "x"]]}, "accuracy [1-100]: should be a number of hexes"
    yield "fo_loss", {"bands": [["1-5", "left"], ["6-10", "destroyed"]]}, "is marked text"


@pytest.mark.parametrize(("chart", "changes", "message"), list(spoilt()))
def test_a_file_that_is_wrong_or_claims_too_much_is_refused(chart, changes, message):
    data = altered_data(chart, **changes)
    with pytest.raises(BadBook) as caught:
        drafts.read_book_file(files.as_toml(data).encode())
    problems = [str(problem) for problem in caught.value.problems]
    assert any(message in line for line in problems), problems


PARTS = ("values", "bands", "grid", "items", "provenance", "kind", "title", "sides", "text", "confirmed")
STRANGE = (None, 7, [[]], [["1", 2]], {"a": [1]})
ALTERED = ("contact", "accuracy", "fft", "fft_modifiers", "map")


@pytest.mark.soak
def test_a_file_with_strange_values_is_refused_in_words():
    """A slice tries every third: each part in each chart, with each value."""
    for chart, part, value in some([*product(ALTERED, PARTS, STRANGE)], 3):
        data = altered_data(chart, **{part: value})
        try:
            drafts.read_book_file(json.dumps(data).encode())
        except BadBook as error:
            assert error.problems


texts = st.text(alphabet="0123456789-–+≤aEMC/ \"'\\é", max_size=5)


@given(
    st.dictionaries(
        st.sampled_from([spec.name for spec in SPECS]),
        st.lists(st.tuples(st.integers(1, 20), st.integers(0, 17), texts), max_size=6),
        max_size=4,
    )
)
@settings(max_examples=15)  # fmt: skip
def test_any_sound_book_survives_its_file(typed):
    data = house_data()
    for name, cells in typed.items():
        volume = drafts.find_shipped(GAME)
        sheet, layout = volume.part(name).sheet()[0], LAYOUTS[drafts.spec_of(volume.game, name).shape]
        for row, column, text in cells:
            place = (1 + row % len(sheet.rows), column % len(sheet.head))
            if not layout.is_locked(place):
                sheet = tables.put_texts(sheet, {place: text})
        chart = volume.base[name]
        outcome = drafts.check_chart(volume.game, name, sheet, (), chart.title, chart.rule)
        if not outcome.flaws:
            data["charts"][name] = outcome.raw
    for written in (files.as_toml(data), files.as_json(data)):
        assert drafts.read_book_file(written.encode()) == data
        again = tomllib.loads(written) if written.startswith("game") else json.loads(written)
        assert chartbooks.digest(again) == chartbooks.digest(data)


# Matches


@pytest.fixture
def playing(db):
    """A German with a book of their own, in a match with the house book, and the Russian."""
    german, links = begin()
    russian = sit(links["russian"], german.match_id)
    draft = copied(german.client)
    post(german.client, draft, "contact", **{"c-1-1": "50"})
    post(german.client, draft, "contact", overrule="rule:radio = 50")
    make_usable(german.client, draft)
    return german, russian, draft


def move(german, russian, draft):
    """Let the match go on with the German's book."""
    german.do("charts/", book=draft.version_id)
    russian.do("answer/", agrees="yes")


def test_a_match_moves_to_another_book_on_purpose_and_the_log_says_so(playing):
    german, russian, draft = playing
    german.roll("contact", device="radio", die="55", dice="table")
    before = german.last.result
    assert german.do("charts/", book=draft.version_id).status_code == 302
    assert german.match.book.shipped
    russian.do("answer/", agrees="yes")
    sentence = (
        "Charts from now on: “Copy of House values, version 1”; until now “House values”. What was rolled stands."
    )
    assert sentence in russian.see() and sentence in german.see()
    german.roll("contact", device="radio", die="55", dice="table")
    assert german.last.result.headline == "No contact: 55 against 50."
    assert german.log[-4].result == before
    assert "Copy of House values" in russian.see("charts/")


def test_both_sides_see_what_differs_before_they_agree(playing):
    german, russian, draft = playing
    german.do("charts/", book=draft.version_id)
    assert "asks to go on with the charts “Copy of House values, version 1”. See what would differ" in russian.see()
    for player in (german, russian):
        page = player.see("charts/")
        assert "Proposed: Copy of House values" in page and "radio 65 50" in page


def test_taking_it_back_brings_the_old_book_back(playing):
    german, russian, draft = playing
    house = german.match.book_id
    move(german, russian, draft)
    russian.do("take-back/")
    response = german.do("answer/", htmx=True, after=german.match.last_number, agrees="yes")
    assert response.status_code == 200
    assert german.match.book_id == house
    german.roll("contact", device="radio", die="55", dice="table")
    assert german.last.result.headline == "Contact: 55 against 65."


def test_a_newer_version_of_the_same_book_is_offered_first(playing):
    german, russian, draft = playing
    move(german, russian, draft)
    post(german.client, draft, "fft", **{"c-1-8": "2"})
    copied(german.client)
    newest = make_usable(german.client, draft)
    first, _ = pages.values_of_each(text_of(german.get("charts/")), "option", "value")
    assert first == newest.pk


def test_who_may_not_move_the_match_changes_nothing(playing):
    german, russian, draft = playing
    german.note("Which charts?")
    version, act = german.match.version, {"book": draft.version_id}
    assert russian.do("charts/", **act).status_code == 422  # not on their shelf
    assert german.do("charts/", version=version - 1, **act).status_code == 409
    assert german.do("charts/", book=german.match.book_id).status_code == 403
    assert german.do("charts/", book="x").status_code == 422
    assert german.match.version == version and german.match.book.shipped


def test_a_player_copies_the_book_of_his_match(playing):
    german, russian, draft = playing
    move(german, russian, draft)
    address = russian.send("charts/", {"do": "copy"})["Location"]
    copy = Draft.objects.get(pk=address.split("/")[2])
    assert copy.based_on_id == draft.version_id and copy.owner != draft.owner
    assert copy.name == "Copy of House values"
