"""Pages of the chart room: what they show, what they cost, and what they say to nonsense."""

import json

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from firefight.chartroom import cards, drafts
from firefight.engine.charts.heat import strips_of
from firefight.games import chartbooks, registry
from firefight.models import ChartBook, Draft
from tests import pages
from tests.books import HOUSE, house_data
from tests.firefight.players import GAME, text_of, words_of

PAGE, FRAGMENT, QUERIES = 100_000, 15_000, 15
NAMES = [spec.name for spec in registry.games()[GAME].chart_specs]
HTMX = {"HX-Request": "true"}


@pytest.fixture
def draft(client, frozen):
    """A copy of the shipped book, in the hands of ``client``."""

    def copy():
        copying = Client()
        copying.post(f"/charts/{GAME}/", {"do": "copy"})
        return copying.cookies

    client.cookies = frozen("a draft", copy)
    return Draft.objects.get()


def at(draft, chart=""):
    return f"/charts/{draft.pk}/" + (f"{chart}/" if chart else "")


def post(client, draft, chart, headers=None, **fields):
    revision = Draft.objects.get(pk=draft.pk).revision
    return client.post(at(draft, chart), {"revision": revision, **fields}, headers=headers)


# What is shown


@pytest.mark.parametrize("address", [f"/charts/{GAME}/", f"/assist/{GAME}/charts/"])
def test_every_chart_is_shown_with_its_rule_and_whose_values_it_holds(client, address):
    words = words_of(client.get(address))
    for chart in house_data()["charts"].values():
        assert f"{chart['title']} {chart['provenance']} {chart['rule']}" in words
    assert "fixed" in words and "not the published chart" in words
    assert "7 text, 10 house" in words
    assert "Edit" not in words  # only a book of one's own has sheets


def test_what_is_known_stands_first_and_nothing_is_called_by_its_key(client, db):
    page = text_of(client.get("/charts/turning-point-stalingrad/"))
    areas = pages.words_of_each(page, "#chart-areas tr")
    assert areas[:2] == ["TEM VP River Bank neighbours", "6 2 ? ? ?"] and len(areas) == 16
    assert "Nothing is known of 1 to 5, 7 to 23, 26 to 29" in words_of(client.get("/charts/turning-point-stalingrad/"))
    assert pages.words_of_each(page, "#chart-weeks tr")[1] == "13 September 1942 5 7"
    assert "Fresh: flips and retreats 2" in pages.words_of_each(page, "#chart-casualties tr")


def test_a_changed_book_shows_what_is_whose(client, draft):
    post(client, draft, "fft", **{"c-1-8": "2"})
    words = words_of(client.get(at(draft)))
    assert "Firepower Factors Table house 18.1.1 Firepower Factors Table · 135 house, 1 owner" in words
    post(client, draft, "fft", do="own")
    assert "Firepower Factors Table owner 18.1.1 Firepower Factors Table · Edit" in words_of(client.get(at(draft)))


def test_every_flaw_of_a_book_is_listed_with_its_chart(client, draft):
    post(client, draft, "accuracy", **{"c-1-0": "1-29"})
    post(client, draft, "artillery_ff", **{"c-5-1": "18"})
    words = words_of(client.get(at(draft)))
    assert "2 cells to mend" in words
    assert "Artillery firepower by caliber in millimetres , 80: the rulebook's text asks for 19 or 20" in words
    assert "Make it usable" not in words


def test_a_book_says_what_its_reader_is_to_do_next(client, draft):
    assert "copy it to your shelf" in words_of(client.get(f"/charts/{GAME}/"))
    assert "Press Edit at a chart" in words_of(client.get(at(draft)))


@pytest.mark.parametrize("name", NAMES)
def test_every_chart_has_a_sheet_that_saves_as_it_stands(client, draft, name):
    page = client.get(at(draft, name))
    outcome = drafts.find_shipped(GAME).checked(name)
    for row, texts in enumerate(outcome.sheet.rows, 1):
        for column, text in enumerate(texts):
            assert f'id=c-{row}-{column} name=c-{row}-{column} value="' in text_of(page), text
    fields = {f"c-{r}-{c}": text for r, row in enumerate(outcome.sheet.rows, 1) for c, text in enumerate(row)}
    assert post(client, draft, name, do="save", **fields).status_code == 302
    draft.refresh_from_db()
    assert draft.data == {"charts": {}} and draft.revision == 1
    assert "Saved. No mistakes found in this chart." in words_of(page)


@pytest.mark.parametrize("pressed", [{"do": "row-remove-1"}, {"do": "restore"}, {"do": "own"}, {"overrule": "1-1"}])
def test_a_save_while_somebody_types_does_nothing_but_save(client, draft, pressed):
    before = draft_sheet(draft, "accuracy")
    assert post(client, draft, "accuracy", HTMX, **pressed).status_code == 200
    assert draft_sheet(draft, "accuracy") == before


def draft_sheet(draft, chart):
    """A chart's texts as they are stored."""
    draft = Draft.objects.get(pk=draft.pk)
    return draft.data["charts"].get(chart), draft.revision


def test_a_save_whose_answer_was_lost_is_sent_again_and_goes_on(client, draft):
    def save(revision, typed, text, page="a" * 32):
        fields = {"revision": revision, "page": page, "typed": typed, "c-1-1": text}
        return client.post(at(draft, "cct"), fields, headers=HTMX).status_code

    assert save(1, 1, "4") == 200  # and the page does not hear of it
    assert save(1, 1, "4") == 200
    assert draft_sheet(draft, "cct")[1] == 2  # nothing twice
    assert save(1, 2, "5") == 200
    assert draft_sheet(draft, "cct")[1] == 3
    assert save(1, 1, "4") == 409  # an older save that arrives late
    assert save(1, 3, "6", page="b" * 32) == 409  # another page
    assert save(1, 3, "6", page="") == 409
    stored, revision = draft_sheet(draft, "cct")
    assert revision == 3 and stored["rows"][0][1] == "5"


def test_the_answer_to_typing_is_what_is_known_and_no_page(client, draft):
    response = post(client, draft, "fft", HTMX, **{"c-3-9": "1"})
    assert response.status_code == 200 and "<html" not in text_of(response)
    assert 'data-bad="3-9"' in text_of(response) and 'name="revision" id="revision" value="2"' in text_of(response)
    assert "is lower than E above it" in words_of(response) and "12 FF on a unit in woods" in words_of(response)
    assert client.get(at(draft, "fft")).content.decode().count("aria-invalid=true") == 1


def test_a_table_is_pasted_over_the_chart_or_from_a_cell_on(client, draft):
    post(client, draft, "accuracy", do="paste", at="", pasted="Roll;Hexes\n01-50;0\n51+;2\n")
    draft.refresh_from_db()
    assert draft.data["charts"]["accuracy"]["rows"] == [["01-50", "0"], ["51+", "2"]]
    response = post(client, draft, "fft", do="paste", at="1-2", pasted="1\t2\n3\t4")
    assert response["Location"].endswith("?at=1-2")
    draft.refresh_from_db()
    assert [row[2:4] for row in draft.data["charts"]["fft"]["rows"][:2]] == [["1", "2"], ["3", "4"]]
    assert 'id=c-1-2 name=c-1-2 value="1" aria-label="2E, 2" autofocus' in text_of(client.get(response["Location"]))


@pytest.mark.parametrize(("chart", "has_own"), [("fft", True), ("cct", True), ("contact", False)])
def test_the_heads_of_a_chart_are_typed_where_they_are_its_own(client, draft, chart, has_own):
    assert ('id="c-0-1"' in text_of(client.get(at(draft, chart)))) is has_own


def test_columns_come_and_go_where_the_chart_has_its_own(client, draft):
    post(client, draft, "fft", do="column-add-17")
    post(client, draft, "fft", do="column-remove-1")
    draft.refresh_from_db()
    assert draft.data["charts"]["fft"]["head"] == ["", *HOUSE["fft"].columns[1:], ""]
    assert post(client, draft, "accuracy", do="column-add-1").status_code == 422
    assert post(client, draft, "map", do="row-add-1").status_code == 422


def test_books_of_two_games_are_not_compared_but_each_with_its_own(client, draft):
    first, other = list(registry.games())[:2]
    for address, game in (
        ("", first),
        (f"?b={other}", other),
        (f"?a={other}", other),
        (f"?a={other}&b={draft.pk}", first),
        (f"?a={draft.pk}&b={other}", other),
    ):
        page = client.get(f"/charts/compare/{address}")
        assert page.status_code == 200, address
        chosen = pages.values_of_each(text_of(page), "select option[selected]", "value")
        assert {ref if ref in registry.games() else first for ref in chosen} == {game}, address


def test_two_books_are_compared_cell_by_cell(client, draft):
    address = f"/charts/compare/?a={GAME}&b={draft.pk}"
    assert "Every cell is the same." in words_of(client.get(address))
    post(client, draft, "accuracy", **{"c-1-0": "≤30", "c-1-1": "0,0", "c-7-0": "96+"})
    assert "Every cell is the same." in words_of(client.get(address))
    post(client, draft, "fft", **{"c-1-8": "2"})
    post(client, draft, "fft_modifiers", do="row-remove-3")
    words = words_of(client.get(address))
    assert "2 cells differ" in words
    assert "2E, 10 1 2" in words and "upper level 20 not there" in words


# Heat


def test_the_strips_of_a_grid_say_what_every_roll_gives():
    for strip in strips_of(HOUSE["fft"]):
        labels = {roll: s.label for s in strip.stretches for roll in range(s.low, s.high + 1)}
        assert labels == {roll: HOUSE["fft"].look_up(roll, strip.name) for roll in range(1, 101)}
        levels = [stretch.level for stretch in strip.stretches]
        assert levels == sorted(levels)
    [strip] = strips_of(HOUSE["accuracy"])
    assert [s.label for s in strip.stretches] == list("0123456") and strips_of(HOUSE["contact"]) == ()


@pytest.mark.parametrize("name", [name for name in NAMES if name in registry.games()[GAME].typical])
def test_the_odds_of_a_typical_roll_add_up_with_the_house_book(client, draft, name):
    volume = drafts.Volume(draft.pk, registry.games()[GAME], draft, True)
    odds = cards.before_and_after(volume, volume.checked(name).chart)
    assert abs(sum(row["before"] for row in odds["rows"]) - 100) < 1e-9
    assert not any(row["differs"] for row in odds["rows"])


def test_odds_that_cannot_be_told_are_said_so(client, draft):
    post(client, draft, "contact", **{"c-1-1": ""})
    assert "No odds of a typical roll yet" in words_of(client.get(at(draft, "contact")))


# Costs


def largest(client, draft, cell):
    """The draft with a sheet of the largest size."""
    head = "\t".join(["", *(str(number) for number in range(1, 40))])
    rows = "\n".join("\t".join([f"row {number} of forty letters".ljust(75, "x"), *[cell] * 39]) for number in range(13))
    assert post(client, draft, "fft", do="paste", pasted=f"{head}\n{rows}").status_code == 302


def test_pages_keep_to_the_budget_of_queries(client, draft):
    for _ in range(5):
        client.post(f"/charts/{GAME}/", {"do": "copy"})
    post(client, draft, "fft", **{"c-1-8": "2"})
    addresses = ["/charts/", at(draft), at(draft, "fft"), f"/charts/compare/?b={draft.pk}", f"/match/new/{GAME}/"]
    for address in [*addresses, *(f"/charts/{draft.pk}.{kind}" for kind in ("toml", "json", "pdf"))]:
        with CaptureQueriesContext(connection) as captured:
            assert client.get(address).status_code == 200
        assert len(captured) <= QUERIES, (address, len(captured))
    with CaptureQueriesContext(connection) as captured:
        post(client, draft, "fft", HTMX, **{"c-1-8": "3"})
    assert len(captured) <= 6


def test_pages_and_answers_keep_to_the_budget_of_bytes(client, draft):
    for name in NAMES:
        assert len(client.get(at(draft, name)).content) <= PAGE, name
        assert len(post(client, draft, name, HTMX, do="save").content) <= FRAGMENT, name
    assert len(client.get(at(draft)).content) <= PAGE
    for cells in ("wrong words", "9"):
        largest(client, draft, cells)
        assert len(client.get(at(draft, "fft")).content) <= PAGE
        assert len(post(client, draft, "fft", HTMX, do="save").content) <= FRAGMENT
    assert len(client.get(at(draft)).content) <= PAGE
    assert len(client.get(f"/charts/compare/?b={draft.pk}").content) <= PAGE


# Nonsense

GARBAGE = ("x" * 5000, "\x00", "١", "99-99", "1\t2\n3", "row-add-99", "column-remove-0")


def test_nonsense_is_answered_in_words_and_changes_nothing(client, draft):
    for value in GARBAGE:
        for name in ("do", "revision", "c-1-1", "pasted", "at", "overrule", "name"):
            for place in ("", "fft", "map"):
                fields = {"do": "paste", "pasted": "a"} if name == "at" else {}
                before = draft.revision
                response = client.post(at(draft, place), {"revision": before, **fields, name: value})
                assert response.status_code in (200, 302, 403, 404, 409, 422), (place, name, value)
                draft.refresh_from_db()
                assert (draft.revision > before) <= (response.status_code == 302)
                for chart in ("fft", "map"):
                    drafts.Volume(draft.pk, registry.games()[GAME], draft, True).checked(chart)


@pytest.mark.parametrize(
    "address",
    ["/charts/nothing/", "/charts/nothing/fft/", f"/charts/{GAME}/fft/", "/charts/nothing.toml", "/charts/nothing.pdf"]
    + ["/charts/shared/x/", "/charts/compare/?a=x", "/charts/compare/?a=%00", "/assist/chess/charts/"],
)
def test_what_is_not_there_is_404(client, db, address):
    assert client.get(address).status_code == 404


def test_the_shipped_book_is_nobodys_to_change(client, db):
    for do in ("usable", "rename", "share", "remove"):
        assert client.post(f"/charts/{GAME}/", {"do": do, "sure": "on", "name": "X"}).status_code == 403
    assert not Draft.objects.exists()


def test_texts_of_an_owner_are_shown_as_texts(client, draft):
    post(client, draft, "fft_modifiers", **{"c-2-1": "<script>alert(1)</script>", "c-2-2": '"><b>'})
    for address in (at(draft), at(draft, "fft_modifiers")):
        assert "<script>alert" not in text_of(client.get(address)) and '"><b>' not in text_of(client.get(address))


def test_the_file_of_the_shipped_book_is_the_shipped_book(client, db):
    assert json.loads(client.get(f"/charts/{GAME}.json").content) == house_data()
    assert chartbooks.digest(drafts.read_book_file(client.get(f"/charts/{GAME}.toml").content)) == chartbooks.digest(
        house_data()
    )
    assert not ChartBook.objects.exists()


def test_keys_that_say_nothing_themselves_have_names_and_are_read_by_either(client, draft):
    words = words_of(client.get(at(draft)))
    assert "Ju 87: HE 70" in words and "6 NCO and Officer" in words and "1-30 on target" in words
    assert "ju87" not in words and "nco officer" not in words
    post(client, draft, "aircraft", **{"c-1-0": "ju87 he", "c-1-1": "71"})
    post(client, draft, "leaders", **{"c-2-1": "nco officer"})
    post(client, draft, "accuracy", **{"c-1-1": "On Target", "c-2-1": "0"})
    charts = drafts.Volume("", registry.games()[GAME], Draft.objects.get(pk=draft.pk)).all_checked()
    assert charts["aircraft"].raw["values"]["ju87_he"] == 71
    assert charts["leaders"].raw["bands"][1] == ["6", "nco_officer"] and not charts["leaders"].flaws
    assert [value for _, value in charts["accuracy"].raw["bands"][:2]] == ["0", "0"]


def test_columns_of_numbers_say_so_once_for_the_number_keyboard(client, draft):
    assert 'data-digits="1 2 3' in text_of(client.get(at(draft, "fft")))
    assert 'data-digits="1"' in text_of(client.get(at(draft, "contact")))
    assert 'data-digits=""' in text_of(client.get(at(draft, "fft_modifiers")))
