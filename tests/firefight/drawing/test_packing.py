"""Packed files: the same document in fewer bytes, with a table that finds every object."""

import re
import zlib
from datetime import UTC, datetime

import pytest

from firefight.drawing.packing import pack
from firefight.drawing.paper import Format, Paper
from tests.pdf import pages_of


def write(pages):
    """A document as FPDF writes it, and as it is sent."""
    paper = Paper("A title", "A subject", Format.A4, datetime(2026, 1, 9, tzinfo=UTC))
    for number in range(pages):
        paper.add_page()
        paper.heading(f"Page {number}")
        paper.put_rows([(20, 50 + 5 * row, f"row {row} of {number} (\\)") for row in range(40)])
    plain = bytes(paper.output())
    return plain, pack(plain)


@pytest.mark.parametrize("pages", [1, 12])
def test_a_packed_document_reads_and_looks_the_same(pages):
    plain, packed = write(pages)
    for before, after in zip(pages_of(plain), pages_of(packed), strict=True):
        assert after.words == before.words and "row 39 of" in after.words
        assert after.size == before.size and after.picture.tobytes() == before.picture.tobytes()
    assert pages_of(packed)[0].source.get_metadata_dict()["Title"] == "A title"


def test_many_pages_cost_less():
    sizes = [len(each) for each in write(12)]
    assert sizes[1] < 0.88 * sizes[0]


def test_the_table_says_where_every_object_begins():
    _, packed = write(3)
    start = int(re.search(rb"startxref\n(\d+)\n%%EOF\n$", packed)[1])
    head, data = re.match(rb"\d+ 0 obj\n<< (.*?) >>\nstream\n(.*?)\nendstream", packed[start:], re.DOTALL).groups()
    rows = zlib.decompress(data)
    assert b"/Root" in head and len(rows) == 7 * int(re.search(rb"/Size (\d+)", head)[1])
    for number in range(len(rows) // 7):
        kind, at = rows[7 * number], int.from_bytes(rows[7 * number + 1 : 7 * number + 5])
        if kind == 1:
            assert packed[at:].startswith(b"%d 0 obj\n" % number)
        else:
            assert number == 0 or kind == 2
