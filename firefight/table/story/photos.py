"""Photos of the board: taken in as whatever a phone sends, rewritten as a plain JPEG, hung on a line of the log.

Nothing of what was sent is kept but what it shows: no place, no time, no camera, no second file behind the first. They
are rows of the database, so that they go into a match's file, to other workers, and away with it.
"""

import base64
import hashlib
import struct
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO

from django.db.models import Case, Count, IntegerField, Sum, When
from PIL import Image, ImageOps

from firefight.engine.values import Values
from firefight.models import LogEntry, Match, Photo
from firefight.table.act import bounds
from firefight.table.act.act import MatchAct
from firefight.table.act.lines import LogLine
from firefight.table.act.performing import match_act
from firefight.table.act.refusals import BadField, Refused
from firefight.table.log import reading

from .sent_pictures import JPEG, PNG, WEBP, DearPicture, is_bare_jpeg, strip_picture

LARGEST_SENT = 6_000_000  # bytes
# A JPEG is made smaller while it is unpacked, so it may have as many as any phone takes.
MOST_PIXELS = {JPEG: 52_000_000, PNG: 16_000_000, WEBP: 16_000_000}
_SIZES = ((1600, 80), (1280, 74), (1024, 68), (800, 60), (640, 50), (480, 40))  # longest side, quality
CAPTION = 200
_BROKEN = (OSError, ValueError, SyntaxError, EOFError, IndexError, KeyError, TypeError, struct.error)
_BOMB = (Image.DecompressionBombError, Image.DecompressionBombWarning)
warnings.simplefilter("error", Image.DecompressionBombWarning)  # what Pillow warns of is above every bound of ours


class BadPhoto(BadField):
    """What was sent is not a photo that can be kept; the message says why."""


@dataclass(frozen=True, slots=True)
class CleanPhoto:
    """A photo as it is kept: a JPEG without anything beside the picture."""

    data: bytes
    width: int
    height: int

    @property
    def digest(self) -> str:
        """The digest by which the line of the log knows it."""
        return hashlib.sha256(self.data).hexdigest()


def clean_photo(sent: bytes) -> CleanPhoto:
    """What was sent, rewritten. Its name and what it says about its kind count for nothing. Raises BadPhoto."""
    if not sent:
        raise BadPhoto("Choose a photo.")
    if len(sent) > LARGEST_SENT:
        raise BadPhoto(f"A photo may have at most {LARGEST_SENT // 1_000_000} MB as it is sent.")
    try:
        picture = strip_picture(sent)
        with Image.open(BytesIO(picture.data), formats=(picture.kind,)) as image:
            if image.width * image.height > MOST_PIXELS[picture.kind]:
                raise DearPicture
            return _fit(_flatten(image))
    except (DearPicture, *_BOMB):
        raise BadPhoto("The photo has too many pixels: send it smaller.") from None
    except _BROKEN:
        raise BadPhoto("That is not a JPEG, PNG or WebP, or it was cut off on its way.") from None


def _flatten(image: Image.Image) -> Image.Image:
    """The picture alone, upright, on white; of an animated one the first frame."""
    longest = _SIZES[0][0]
    # A JPEG is unpacked at an eighth, where that is enough for its longer side.
    share = longest / max(image.size)
    image.draft("RGB", (max(1, int(image.width * share)), max(1, int(image.height * share))))
    image.load()
    image.thumbnail((longest, longest))
    upright = ImageOps.exif_transpose(image).convert("RGBA")
    plain = Image.new("RGB", upright.size, "#ffffff")
    plain.paste(upright, mask=upright.getchannel("A"))
    return plain


def _fit(plain: Image.Image) -> CleanPhoto:
    """The best of it that a line has room for."""
    for longest, quality in _SIZES:
        smaller = plain.copy()
        smaller.thumbnail((longest, longest))
        file = BytesIO()
        smaller.save(file, "JPEG", quality=quality, optimize=True)
        if file.tell() <= bounds.LARGEST_PHOTO:
            return CleanPhoto(file.getvalue(), *smaller.size)
    raise BadPhoto("The photo cannot be made small enough: send a part of it.")


# On a line


@match_act(any_version=True)
def hang_photo(act: MatchAct, photo: CleanPhoto, caption: str, sealed: bool = False, about: int | None = None) -> None:
    """Hang a photo on a line of the log, or on none; for all, or sealed for this side until it is revealed.

    Raises Refused where the match has no room for it.
    """
    if about is not None and not 1 <= about <= act.match.last_number:
        raise BadField(f"There is no entry № {about} to hang a photo on.")
    _make_room(act.match, photo)
    description = f"Photo: {caption}" if caption else "A photo of the board."
    place = {"on": about} if about is not None else {}
    inputs = {"photo": photo.digest, **place}
    if sealed:
        on_line = f" (on № {about})" if about is not None else ""
        words = {"sentence": f"{act.table.name} seals a photo.", "secret": f"{description}{on_line}"}
        entry = act.tell(LogEntry.Kind.PHOTO, inputs=inputs, **words)
    else:
        entry = act.tell(LogEntry.Kind.PHOTO, description, inputs=inputs, about=about)
    store_photo(act.match, entry.number, photo)


def store_photo(match: Match, number: int, photo: CleanPhoto) -> None:
    size = len(photo.data)
    Photo.objects.create(match=match, number=number, data=photo.data, size=size, width=photo.width, height=photo.height)


def store_sound_photo(match: Match, photo: Values) -> None:
    """Store a photo of a file that was found sound."""
    data = base64.b64decode(photo["data"])
    picture = strip_picture(data)
    store_photo(match, photo["number"], CleanPhoto(data, picture.width, picture.height))


def _make_room(match: Match, photo: CleanPhoto) -> None:
    """Refuse what a match has no room for. Photos whose line was struck make room first.

    A sealed one counts as the largest that there may be, so that the room left says nothing about it.
    """
    struck_lines = match.log.filter(kind=LogEntry.Kind.PHOTO, voided_by__isnull=False)
    Photo.objects.filter(match=match, number__in=struck_lines.values("number")).delete()
    sealed = match.log.filter(kind=LogEntry.Kind.PHOTO, revealed_by=None).exclude(secret="")
    counted = Case(
        When(number__in=sealed.values("number"), then=bounds.LARGEST_PHOTO), default="size", output_field=IntegerField()
    )
    totals = match.photos.aggregate(size=Sum(counted), number=Count("pk"))
    if (totals["size"] or 0) + len(photo.data) > bounds.MOST_PHOTOS_WEIGHT or totals["number"] >= bounds.MOST_PHOTOS:
        raise Refused("This match has no room for another photo: take one back first.")


def visible_photos(match: Match, sees: Collection[str]) -> list[LogLine]:
    """The lines with photos that somebody with these sides' secrets may see, newest first. One query."""
    hung = match.log.filter(kind=LogEntry.Kind.PHOTO, voided_by=None).order_by("-number")
    return reading.visible(reading.readable(hung, tuple(sees)).defer("inputs", "result"), tuple(sees))


def find_photo(match: Match, number: int, sees: Collection[str]) -> Photo | None:
    """A line's photo, None for one that is not there, was struck, or may not be seen."""
    hung = match.log.filter(number=number, kind=LogEntry.Kind.PHOTO, voided_by=None)
    if not reading.readable(hung, tuple(sees)).exists():
        return None
    return match.photos.filter(number=number).first()


# In a file


def write_photos(match: Match, entries: Iterable[LogEntry], sees: Collection[str]) -> list[dict[str, object]]:
    """The photos of some lines that these sides may see, as a file holds them. One query, none without a photo."""
    hung = [entry for entry in entries if entry.kind == LogEntry.Kind.PHOTO and entry.voided_by is None]
    numbers = [
        entry.number for entry in hung if not entry.secret or entry.side in sees or entry.revealed_by is not None
    ]
    rows = match.photos.filter(number__in=numbers).order_by("number") if numbers else ()
    return [{"number": row.number, "data": base64.b64encode(row.data).decode()} for row in rows]


def find_photo_flaws(photos: Iterable[Values], lines: list[Mapping[str, object]]) -> Iterator[str]:
    """What is wrong with a file's photos: each must be what its line says, and nothing but a picture."""
    numbers_seen: set[int] = set()
    for photo in photos:
        number = photo["number"]
        line = lines[number - 1] if number <= len(lines) else {}
        if number in numbers_seen or line.get("kind") != LogEntry.Kind.PHOTO:
            yield f"photos: line {number} has no photo."
        elif (clean := read_photo(photo)) is None or clean.digest != line.get("inputs", {}).get("photo"):
            yield f"photos, {number}: is not the photo that its line hung."
        numbers_seen.add(number)


def read_photo(photo: Values) -> CleanPhoto | None:
    """A photo of a file, None for what this app has not written."""
    try:
        sent = base64.b64decode(photo["data"], validate=True)
        if len(sent) > bounds.LARGEST_PHOTO or not is_bare_jpeg(sent):
            return None
        with Image.open(BytesIO(sent), formats=("JPEG",)) as image:
            if max(image.size) > _SIZES[0][0]:
                return None
            image.load()
            return CleanPhoto(sent, *image.size)
    except (*_BROKEN, *_BOMB):
        return None
