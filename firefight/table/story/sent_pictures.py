"""Pictures as they were sent: their parts are looked through and bounded before anything unpacks them.

What has no part in the picture is left out: a second picture behind the first, as phones send them, text, profiles,
thumbnails, comments. So the library that unpacks it finds one plain picture, and what that will cost is known.
"""

import re
from dataclasses import dataclass

JPEG, PNG, WEBP = "JPEG", "PNG", "WEBP"
MOST_PARTS = 5_000  # of a file; cameras and chats write some hundreds at most
# Samples of a JPEG (its pixels in each colour, as coarse as that is kept) that all passes over it come to, and those
# that lie in memory at once because several passes add to them, of two bytes each.
MOST_SCANNED, MOST_KEPT = 400_000_000, 60_000_000


class BadPicture(ValueError):
    """What was sent is not a picture of these kinds, or is not whole."""


class DearPicture(ValueError):
    """It would take too much time or memory to unpack."""


@dataclass(frozen=True, slots=True)
class SentPicture:
    """A picture without what is beside it. ``width`` and ``height``: as its head says; 0 where that was not read."""

    kind: str
    data: bytes
    width: int = 0
    height: int = 0


def strip_picture(sent: bytes) -> SentPicture:
    """The first picture of a file, and nothing else in it. Raises BadPicture and DearPicture."""
    if sent.startswith(_JPEG_BEGINS):
        return _strip_jpeg(sent)
    if sent.startswith(_PNG_BEGINS):
        return _strip_png(sent)
    if sent[:4] == b"RIFF" and sent[8:12] == b"WEBP":
        return SentPicture(WEBP, sent)  # libwebp reads its parts, and only those of one picture
    raise BadPicture


# JPEG: parts with a mark of two bytes. Behind the head of a pass come its data, in which no such mark stands.

_JPEG_BEGINS, _JPEG_ENDS = b"\xff\xd8", b"\xff\xd9"
_FRAMES = (0xC0, 0xC1, 0xC2)  # of one pass, the same with longer tables, of many passes
_PROGRESSIVE, _SCAN, _END, _FILL = 0xC2, 0xDA, 0xD9, 0xFF
_TABLES = (0xC4, 0xDB, 0xDD)
_JFIF, _EXIF, _ADOBE = 0xE0, 0xE1, 0xEE  # how colours are meant, and which side is up
_NEXT_MARK = re.compile(rb"\xff[^\x00\xd0-\xd7\xff]")


@dataclass(frozen=True, slots=True)
class _Frame:
    """What the head of a JPEG's picture says. ``samples``: by each colour's number, how many it has."""

    width: int
    height: int
    samples: dict[int, int]
    is_progressive: bool


def _strip_jpeg(sent: bytes) -> SentPicture:
    parts, frame, place, scanned, has_exif = [_JPEG_BEGINS], None, 2, 0, False
    for _ in range(MOST_PARTS):
        mark, place = _read_mark(sent, place)
        if mark == _END:
            if frame is None or not scanned:
                raise BadPicture
            return SentPicture(JPEG, b"".join([*parts, _JPEG_ENDS]), frame.width, frame.height)
        end = place + int.from_bytes(sent[place : place + 2])
        part = sent[place + 2 : end]
        if end < place + 2 or end > len(sent):
            raise BadPicture
        if mark in _FRAMES:
            if frame is not None:
                raise BadPicture
            frame = _read_frame(part, mark == _PROGRESSIVE)
        elif mark == _SCAN:
            scanned = _count_scan(frame, part, scanned)
            end = _find_end_of_data(sent, end)
        elif mark == _EXIF:
            is_first_exif = part.startswith(b"Exif\0\0") and not has_exif
            has_exif = has_exif or is_first_exif
            mark = mark if is_first_exif else 0
        elif mark not in (*_TABLES, _JFIF, _ADOBE):
            if not _is_beside(mark):
                raise BadPicture
            mark = 0
        if mark:
            parts.append(sent[place - 2 : end])
        place = end
    raise DearPicture


def _read_mark(sent: bytes, place: int) -> tuple[int, int]:
    """The mark of the part that begins here, and where its length stands."""
    while sent[place : place + 2] == b"\xff\xff":
        place += 1
    if place + 2 > len(sent) or sent[place] != _FILL:
        raise BadPicture
    return sent[place + 1], place + 2


def _is_beside(mark: int) -> bool:
    """Whether a part says something besides the picture: a profile, another picture, a comment."""
    return 0xE0 <= mark <= 0xEF or mark == 0xFE


def _read_frame(part: bytes, is_progressive: bool) -> _Frame:
    if len(part) < 6 or part[0] != 8 or not 1 <= part[5] <= 4 or len(part) != 6 + 3 * part[5]:
        raise BadPicture
    height, width = int.from_bytes(part[1:3]), int.from_bytes(part[3:5])
    colours = [(part[at], part[at + 1] >> 4, part[at + 1] & 15) for at in range(6, len(part), 3)]
    if not width or not height or not all(1 <= across <= 4 and 1 <= down <= 4 for _, across, down in colours):
        raise BadPicture
    most = max(across for _, across, _ in colours) * max(down for _, _, down in colours)
    samples = {name: width * height * across * down // most for name, across, down in colours}
    return _Frame(width, height, samples, is_progressive)


def _count_scan(frame: _Frame | None, part: bytes, scanned: int) -> int:
    """How many samples were passed over with this pass, too. Raises DearPicture."""
    colours = part[1 : 1 + 2 * part[0] : 2] if part else b""
    if frame is None or not colours or not all(name in frame.samples for name in colours):
        raise BadPicture
    scanned += sum(frame.samples[name] for name in colours)
    has_several_passes = frame.is_progressive or len(colours) < len(frame.samples)
    if scanned > MOST_SCANNED or has_several_passes and sum(frame.samples.values()) > MOST_KEPT:
        raise DearPicture
    return scanned


def _find_end_of_data(sent: bytes, place: int) -> int:
    match = _NEXT_MARK.search(sent, place)
    if match is None:
        raise BadPicture
    return match.start()


# PNG: parts with a length, a name of four letters and a check.

_PNG_BEGINS = b"\x89PNG\r\n\x1a\n"
_PNG_NEEDS = (b"IHDR", b"PLTE", b"tRNS", b"IDAT", b"IEND", b"eXIf")


def _strip_png(sent: bytes) -> SentPicture:
    parts, place = [_PNG_BEGINS], len(_PNG_BEGINS)
    for _ in range(MOST_PARTS):
        length, name = int.from_bytes(sent[place : place + 4]), sent[place + 4 : place + 8]
        end = place + 12 + length
        if end > len(sent):
            raise BadPicture
        if name in _PNG_NEEDS:
            parts.append(sent[place:end])
        place = end
        if name == b"IEND":
            return SentPicture(PNG, b"".join(parts))
    raise DearPicture


# JPEGs as the app itself writes them


# JFIF's head, tables, frame, one scan; no EXIF, no comment, no profile.
_BARE_PARTS = {_JFIF, 0xDB, 0xC0, 0xC4, 0xDD}


def is_bare_jpeg(data: bytes) -> bool:
    """Whether a JPEG has nothing in it but its picture, and ends where that ends."""
    if not data.startswith(_JPEG_BEGINS) or not data.endswith(_JPEG_ENDS) or data.count(_JPEG_ENDS) != 1:
        return False
    place = 2
    while place + 4 <= len(data) and data[place] == 0xFF:
        mark = data[place + 1]
        if mark == _SCAN:
            return data.count(b"\xff\xda") == 1
        length = int.from_bytes(data[place + 2 : place + 4])
        if mark not in _BARE_PARTS or (mark == _JFIF and length != 16) or length < 2:
            return False
        place += 2 + length
    return False
