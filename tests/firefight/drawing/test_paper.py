"""Pages: their size, their foot, words that fit, letters that the font lacks."""

from datetime import datetime

import pytest
from fontTools.ttLib.tables._g_l_y_f import Glyph

from firefight.drawing.paper import MARGIN, Format, Paper
from tests.pdf import SIZES, pages_of

PRINTED = datetime(2026, 11, 21, 15, 30)


def paper(subject="A game · German", size=Format.A4, **more):
    """A document with one page."""
    sheet = Paper("A title", subject, size, PRINTED, **more)
    sheet.add_page()
    return sheet


@pytest.mark.parametrize("size", Format)
def test_pages_have_the_size_that_is_asked_for(size):
    (page,) = pages_of(paper(size=size).bytes())
    assert page.size == SIZES[size]
    (page,) = pages_of(paper(size=size, landscape=True).bytes())
    assert page.size == SIZES[size][::-1]


def test_every_page_says_at_its_foot_what_it_is():
    sheet = paper()
    for _ in range(11):
        sheet.add_page()
    pages = pages_of(sheet.bytes())
    assert len(pages) == 12
    for number, page in enumerate(pages, 1):
        assert f"A game · German · printed 2026-11-21 15:30 (UTC) page {number} of 12" == page.words
        left, _, right, bottom = page.ink
        assert left >= MARGIN - 0.2
        assert right <= page.size[0] - MARGIN + 0.3
        assert page.size[1] - MARGIN - 4 < bottom <= page.size[1] - MARGIN


def test_a_long_subject_gives_way_in_the_foot():
    (page,) = pages_of(paper("W" * 200).bytes())
    assert page.words.startswith("WWWW")
    assert "W… · printed 2026-11-21 15:30 (UTC) page 1 of 1" in page.words
    assert page.ink[2] <= page.size[0] - MARGIN


def test_words_are_wrapped_at_blanks_and_long_ones_broken():
    sheet = paper()
    text = "Гренадёры  with\nall these \t words " + "M" * 60 + " end"
    lines = sheet.wrapped(text, 30, 8)
    assert "".join(lines).replace(" ", "") == "".join(text.split())
    assert lines[0].startswith("Гренадёры with all")
    for line in lines:
        assert sheet.length(line, 8) <= 30
    assert sheet.wrapped("  ", 30) == []
    assert sheet.wrapped("a", 0.01) == ["a"]


def test_length_is_what_fpdf_measures():
    sheet = paper()
    for text in ("Quick", "Быстрый", "日本", "½ – €"):
        for bold in (False, True):
            sheet.set_font("Roboto", "B" if bold else "", 11)
            assert sheet.length(text, 11, bold) == pytest.approx(sheet.get_string_width(text))


@pytest.mark.parametrize("way", ["put", "cell"])
def test_what_the_letters_lack_becomes_a_question_mark(way, caplog):
    sheet = paper()
    if way == "put":
        sheet.put(MARGIN, 20, "日本 Ж🙂")
    else:
        sheet.cell(50, 5, "日本 Ж🙂")
    assert "?? Ж?" in pages_of(sheet.bytes())[0].words
    assert caplog.records == []


@pytest.mark.parametrize(("anchor", "back"), [("start", 0), ("middle", 0.5), ("end", 1)])
def test_words_stand_where_their_anchor_says(anchor, back):
    sheet = paper("")
    length = sheet.length("HHHH", 10)
    sheet.put(80, 100, "HHHH", 10, anchor=anchor)
    start = 80 - back * length
    (page,) = pages_of(sheet.bytes())
    assert page.words_in((start - 0.5, 95, start + length + 0.5, 101)) == "HHHH"


def test_there_is_room_until_the_foot():
    sheet = paper()
    sheet.set_y(sheet.bottom - 10)
    assert not sheet.make_room(10)
    assert sheet.page_no() == 1
    assert sheet.make_room(10.1)
    assert (sheet.page_no(), sheet.y) == (2, MARGIN)


def test_what_one_document_used_of_the_letters_the_next_one_does_not_carry():
    def draw(*words):
        sheet = paper()
        for text in words:
            sheet.put(20, 50, text, bold=text.isupper())
        return sheet.bytes()

    few = draw("Äbç")
    assert len(draw("The quick brown fox jumps over the lazy dog: äöüç.", "ÄÖÜ ЖЩЯ ΔΘΛ")) > len(few) + 1_500
    assert draw("Äbç") == few


def test_a_document_reads_the_outlines_of_its_own_letters_alone_and_measures_none(monkeypatch):
    monkeypatch.setattr(Glyph, "recalcBounds", lambda *_: pytest.fail("a letter is drawn anew"))
    sheet = paper()
    sheet.put(20, 50, "Äbç")
    outlines = sheet.fonts["roboto"].ttfont.tables["glyf"].glyphs
    assert not outlines
    sheet.bytes()
    assert 3 <= len(outlines) < 50
