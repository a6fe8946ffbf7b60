"""A PDF made smaller: what FPDF writes in the open, its pages and the table of where all of it lies, is packed.

Since PDF 1.5 objects without a stream of their own may lie together in a compressed one (ISO 32000-1, 7.5.7), and so
may the table (7.5.8). Of a file of many pages that is an eighth.
"""

import re
import struct
import zlib

_HEADER = b"%PDF-1.5\n%\xe9\xeb\xf1\xbf\n"
_LOOSE, _PACKED = 1, 2  # how the table calls them


def pack(written: bytes) -> bytes:
    """The same document as FPDF wrote it, with its objects packed."""
    table, rest = written.rsplit(b"xref\n0 ", 2)[1].split(b"trailer\n", 1)
    offsets = [int(row[:10]) for row in table.splitlines()[2:]]
    bodies = _read_bodies(written, offsets)
    loose = {number: body for number, body in bodies.items() if body.endswith(b"endstream")}
    packed = {number: body for number, body in bodies.items() if number not in loose}
    holder = len(bodies) + 1
    loose[holder] = _hold(packed)
    places = {0: (0, 0, 0)} | {number: (_PACKED, holder, place) for place, number in enumerate(packed)}
    out = bytearray(_HEADER)
    for number, body in loose.items():
        places[number] = (_LOOSE, len(out), 0)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    places[holder + 1] = (_LOOSE, len(out), 0)
    return bytes(out + _write_table(places, len(out), b" ".join(re.findall(rb"/(?:Root|Info|ID) .*", rest))))


def _read_bodies(written: bytes, offsets: list[int]) -> dict[int, bytes]:
    """What each object holds, by its number; numbers begin with 1."""
    ends = sorted([*offsets, written.rindex(b"xref\n0 ")])
    found = {}
    for number, start in enumerate(offsets, 1):
        whole = written[start : ends[ends.index(start) + 1]]
        found[number] = whole.partition(b" 0 obj\n")[2].removesuffix(b"\nendobj\n")
    return found


def _hold(packed: dict[int, bytes]) -> bytes:
    """Objects in one: their numbers and where each begins, and then what they hold."""
    heads, at = [], 0
    for number, body in packed.items():
        heads.append(b"%d %d" % (number, at))
        at += len(body) + 1
    head = b" ".join(heads) + b"\n"
    return _write_stream(
        b"/Type /ObjStm /N %d /First %d" % (len(packed), len(head)), head + b"\n".join(packed.values())
    )


def _write_table(places: dict[int, tuple[int, int, int]], start: int, trailer: bytes) -> bytes:
    """Where every object lies, as an object of its own, and where that begins."""
    rows = (struct.pack(">BIH", *places[number]) for number in range(len(places)))
    body = _write_stream(b"/Type /XRef /Size %d /W [1 4 2] %s" % (len(places), trailer), b"".join(rows))
    return b"%d 0 obj\n%s\nendobj\nstartxref\n%d\n%%%%EOF\n" % (len(places) - 1, body, start)


def _write_stream(head: bytes, data: bytes) -> bytes:
    small = zlib.compress(data, 9)
    return b"<< %s /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream" % (head, len(small), small)
