"""Play-aid cards on paper: one or two pages of the size asked for, each chart once, the margins free of ink."""

import re
from datetime import UTC, datetime
from itertools import combinations

import pypdfium2
import pytest

from firefight.chartroom import drafts, paper
from firefight.chartroom.cards import card
from firefight.drawing.paper import Format, Paper
from firefight.engine.charts import tables
from firefight.games import chartbooks, registry
from firefight.models import Draft
from tests.books import house_data
from tests.firefight.players import GAME

TITLES = [chart["title"] for chart in house_data()["charts"].values()]
SIZES = {"a4": (210, 297), "letter": (215.9, 279.4)}
MM = 72 / 25.4


def opened(response):
    assert response["Content-Type"] == "application/pdf"
    return pypdfium2.PdfDocument(response.content)


def words(document):
    return " ".join(" ".join(page.get_textpage().get_text_range().split()) for page in document)


@pytest.mark.parametrize("size", SIZES)
def test_a_book_is_one_or_two_pages_with_every_chart_once(client, size):
    document = opened(client.get(f"/charts/{GAME}.pdf?paper={size}"))
    assert len(document) in (1, 2)
    for page in document:
        assert [round(side / MM, 1) for side in page.get_size()] == list(SIZES[size])
    text = words(document)
    for title in TITLES:
        assert text.count(title) >= 1, title
    assert len(re.findall(r" · (?:text|house|owner)\b", text)) == len(TITLES)
    assert text.count("17.4.3 FFE FP · house") == 1 and text.count("17.3.1 Contact · text") == 1
    assert "· house (7 text, 10 house)" in text and "35*" in text and "not the published chart" in text


@pytest.mark.parametrize("size", SIZES)
def test_a_book_that_nearly_fits_a_page_is_set_closer(client, size):
    document = opened(client.get(f"/charts/battle-for-stalingrad.pdf?paper={size}"))
    assert len(document) == 1 and "Attack types, by the modified die" in words(document)


@pytest.mark.parametrize("size", SIZES)
def test_the_margins_are_free_of_ink_and_everything_else_is_black_on_white(client, size):
    for page in opened(client.get(f"/charts/{GAME}.pdf?paper={size}")):
        picture = page.render(scale=1).to_pil().convert("L")
        wide, tall = picture.size
        margin = int(11 * MM)
        for box in (
            (0, 0, wide, margin),
            (0, tall - margin, wide, tall),
            (0, 0, margin, tall),
            (wide - margin, 0, wide, tall),
        ):
            assert picture.crop(box).getextrema() == (255, 255)
        assert picture.getextrema()[0] < 60


@pytest.mark.parametrize("game", registry.games())
def test_no_card_lies_over_another_and_all_words_of_one_stand_within_it(client, game, monkeypatch):
    frames, written = [], []
    draw, put_word = paper.draw_chart_card, Paper.put

    def note_card(sheet, laid, x, y):
        frames.append((sheet, sheet.page, x, y, x + laid.width, y + laid.height))
        written.clear()
        draw(sheet, laid, x, y)
        assert written and all(x < left and right < x + laid.width for left, _, right in written)
        assert all(y + 2 < base < y + laid.height for _, base, _ in written)
        assert len({(round(left), round(base)) for left, base, _ in written}) == len(written), (
            "nothing twice in a place"
        )

    def note_words(sheet, x, y, text, size, **look):
        written.append((x, y, x + sheet.length(text, size, look.get("bold", False))))
        put_word(sheet, x, y, text, size, **look)

    monkeypatch.setattr(paper, "draw_chart_card", note_card)
    monkeypatch.setattr(Paper, "put", note_words)
    client.get(f"/charts/{game}.pdf")
    assert len(frames) >= len(chartbooks.shipped(game).charts)
    for sheet, _, left, top, right, foot in frames:
        assert left >= sheet.l_margin and right <= sheet.l_margin + sheet.epw + 0.01
        assert top >= sheet.t_margin and foot <= sheet.bottom
    for one, other in combinations(frames, 2):
        (*page, left, top, right, foot), (*same, x, y, wide, low) = one, other
        assert page != same or right <= x or wide <= left or foot <= y or low <= top


def test_an_unfinished_book_of_an_owner_prints_too_and_long_words_are_not_clipped(client, db):
    client.post(f"/charts/{GAME}/", {"do": "copy"})
    draft = Draft.objects.get()
    texts = {"c-1-1": "W" * 40, "c-2-1": "a name with quite a number of words in it", "c-1-2": ""}
    client.post(f"/charts/{draft.pk}/fft_modifiers/", {"revision": 1, **texts})
    client.post(f"/charts/{draft.pk}/fft/", {"revision": 2, "do": "own"})
    document = opened(client.get(f"/charts/{draft.pk}.pdf"))
    text = words(document)
    assert "18.1.1 Firepower Factors Table · owner" in text
    assert text.count("W") >= 40 and "quite a number of words in it" in text
    assert len(document) == 2


def test_a_table_of_the_largest_size_still_fits_the_page():
    volume = drafts.find_shipped(GAME)
    sheet = tables.lay_block(volume.part("fft").sheet()[0], (tuple(str(number) for number in range(1, 25)),), (0, 1))
    outcome = drafts.check_chart(volume.game, "fft", sheet, (), "A chart", "1.1")
    sent = paper.draw_book(
        [card(drafts.spec_of(volume.game, "fft"), outcome, False)],
        "Name",
        "Game",
        Format.A4,
        datetime(2026, 1, 1, tzinfo=UTC),
    )
    [page] = pypdfium2.PdfDocument(sent)
    picture = page.render(scale=1).to_pil().convert("L")
    assert picture.crop((picture.width - int(11 * MM), 0, *picture.size)).getextrema() == (255, 255)


def test_no_page_is_left_empty_before_a_card_that_is_taller_than_one():
    rows = [[{"text": f"row{number}", "origin": ""}, {"text": "1", "origin": ""}] for number in range(90)]
    about = {"title": "Tall", "rule": "1", "provenance": "text", "kind": "numbers", "mixed": {}, "unknown": ""}
    tall = {**about, "head": [], "rows": rows}
    for size in Format:
        document = pypdfium2.PdfDocument(
            paper.draw_book([tall], "Name", "Game", size, datetime(2026, 1, 1, tzinfo=UTC))
        )
        assert "row0" in document[0].get_textpage().get_text_range() and len(document) == 1


def test_a_card_taller_than_a_page_goes_on_in_the_next_column_and_every_row_is_there(client, db):
    client.post(f"/charts/{GAME}/", {"do": "copy"})
    draft = Draft.objects.get()
    bands = "\n".join(f"{face};{700 + face}" for face in range(1, 81))
    client.post(f"/charts/{draft.pk}/accuracy/", {"revision": 1, "do": "paste", "pasted": bands})
    rows = "\n".join(f"row{row}\t{8000 + row}\t1\t1" for row in range(1, 81))
    pasted = "\t" + "W" * 70 + f"\tx\ty\n{rows}"
    client.post(f"/charts/{draft.pk}/cct/", {"revision": 2, "do": "paste", "pasted": pasted})
    document = opened(client.get(f"/charts/{draft.pk}.pdf"))
    text = words(document)
    assert all(str(700 + face) in text and str(8000 + face) in text for face in range(1, 81))
    assert "continued" in text and "row80" in text
    foot = int(22 * MM)
    for page in document:
        assert not re.search(r"\d{3}", page.get_textpage().get_text_bounded(0, 14 * MM, page.get_width() / 3, foot))


def test_another_paper_is_not_to_be_had(client):
    assert client.get(f"/charts/{GAME}.pdf?paper=a3").status_code == 404
