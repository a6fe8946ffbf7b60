"""Photos of the board: whatever is sent, nothing but a picture is kept, and only who may see it is sent it."""

import base64
import json
import struct
import uuid
import zlib
from contextlib import suppress
from io import BytesIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone
from PIL import Image

from firefight.kit.game import USUAL
from firefight.models import LogEntry, Match, Photo
from firefight.table.act import bounds, snapshots
from firefight.table.files import archive, making, removal, saving
from firefight.table.files.shape import BadArchive
from firefight.table.story import photos, sent_pictures
from firefight.table.story.photos import BadPhoto, clean_photo
from firefight.table.story.sent_pictures import is_bare_jpeg
from firefight.web.tokens import hash_token
from tests.firefight.players import text_of, words_of
from tests.reading import trial

PLACE = b"\x01\x02 the board stands at 48.8 N, 44.6 E"
CONTENT = b"<script>alert(1)</script>"


def picture(kind="JPEG", size=(640, 480), mode="RGB", **more):
    image = Image.effect_noise(size, 40).convert(mode) if size[0] * size[1] < 4_000_000 else Image.new(mode, size)
    file = BytesIO()
    image.save(file, kind, **more)
    return file.getvalue()


def exif():
    tags = Image.Exif()
    tags[0x010F] = "Maker of cameras"
    tags[0x0112] = 6  # lies on its side
    tags.get_ifd(0x8825)[2] = (48.0, 48.0, 0.0)
    tags[0x9286] = PLACE.decode("latin-1")
    return tags


def png_of(width, height, rows):
    """A PNG whose head says what it likes."""

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def image_of(clean):
    return Image.open(BytesIO(clean.data))


# What is kept


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("mode", ["RGB", "L"])
def test_a_photo_of_each_kind_is_written_anew_as_a_bare_jpeg(kind, mode):
    clean = clean_photo(picture(kind, mode=mode))
    assert image_of(clean).format == "JPEG" and image_of(clean).size == (clean.width, clean.height) == (640, 480)
    assert is_bare_jpeg(clean.data) and len(clean.data) <= bounds.LARGEST_PHOTO


@pytest.mark.parametrize("mode", ["RGBA", "LA", "P", "1", "I;16"])
def test_pictures_with_holes_palettes_and_depths_are_kept_too(mode):
    sent = BytesIO()
    Image.new(mode, (30, 20)).save(sent, "PNG")
    assert image_of(clean_photo(sent.getvalue())).mode == "RGB"


def test_place_time_and_camera_are_taken_off_and_the_picture_stands_upright():
    clean = clean_photo(picture("JPEG", exif=exif(), comment=b"taken at home", icc_profile=b"profile" * 9))
    assert image_of(clean).size == (480, 640)
    assert (
        not image_of(clean).getexif()
        and "comment" not in image_of(clean).info
        and "icc_profile" not in image_of(clean).info
    )
    assert not any(word in clean.data for word in (b"Maker", b"48.8", b"home", b"profile", b"Exif"))


def test_a_large_photo_is_made_smaller():
    clean = clean_photo(picture(size=(2400, 1800)))
    assert (clean.width, clean.height) == (1600, 1200)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_what_hangs_behind_or_within_a_picture_is_gone(kind):
    sent = picture(kind) + CONTENT + b"PK\x03\x04 a second file"
    assert CONTENT not in clean_photo(sent).data
    if kind == "JPEG":
        assert not is_bare_jpeg(sent)


def test_of_a_moving_picture_the_first_is_kept():
    frames = [Image.new("RGB", (40, 40), colour) for colour in ("red", "blue")]
    for kind in ("WEBP", "PNG"):
        sent = BytesIO()
        frames[0].save(sent, kind, save_all=True, append_images=frames[1:])
        red, green, blue = image_of(clean_photo(sent.getvalue())).getpixel((20, 20))
        assert red > 200 and green < 60 and blue < 60


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_what_was_cut_off_is_refused(kind):
    sent = picture(kind)
    for part in (len(sent) // 3, len(sent) * 2 // 3):
        with pytest.raises(BadPhoto, match="cut off"):
            clean_photo(sent[:part])


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"x",
        CONTENT,
        b"%PDF-1.7",
        b"GIF89a" + bytes(60),
        b"\xff\xd8\xff",
        b"\x89PNG\r\n\x1a\n",
        b"RIFF\0\0\0\0WEBP",
    ],
)
def test_what_is_no_photo_is_refused_in_words(sent):
    with pytest.raises(BadPhoto):
        clean_photo(sent)


@pytest.mark.parametrize("kind", ["GIF", "BMP", "TIFF", "PPM", "ICO"])
def test_other_pictures_are_not_even_opened(kind):
    with pytest.raises(BadPhoto, match="not a JPEG, PNG or WebP"):
        clean_photo(picture(kind, size=(64, 64)))


@pytest.mark.parametrize(("width", "height"), [(10_000, 10_000), (65_000, 65_000), (2**31 - 1, 1), (1, 2**31 - 1)])
def test_a_bomb_is_refused_by_its_head_alone(width, height):
    with pytest.raises(BadPhoto, match="too many pixels"):
        clean_photo(png_of(width, height, bytes(1_000_000)))


def test_a_hundred_megapixels_are_refused_in_every_format():
    jpeg, webp = bytearray(picture("JPEG", size=(64, 64))), bytearray(picture("WEBP", size=(64, 64)))
    frame = jpeg.index(b"\xff\xc0")
    jpeg[frame + 5 : frame + 9] = struct.pack(">HH", 10_000, 10_000)
    webp[26:30] = struct.pack("<HH", 10_000, 10_000)
    for sent in (jpeg, webp):
        with pytest.warns(Image.DecompressionBombWarning):
            assert Image.open(BytesIO(sent)).size == (10_000, 10_000)
        with pytest.raises(BadPhoto, match="too many pixels"):
            clean_photo(bytes(sent))


def test_a_jpeg_with_a_thousand_passes_is_refused():
    sent = BytesIO()
    Image.new("RGB", (1800, 1800)).save(sent, "JPEG", progressive=True)
    plain = sent.getvalue()
    place = plain.rindex(b"\xff\xda")
    with pytest.raises(BadPhoto, match="too many pixels"):
        clean_photo(plain[:place] + plain[place:-2] * 800 + b"\xff\xd9")


def two_pictures(first, *others):
    """A JPEG with further ones behind it, and the part in its head by which cameras say where they are (MPF)."""
    entries, begins = b"", 0
    for number, picture in enumerate((first, *others)):
        kind = 0x20030000 if number == 0 else 0
        entries += struct.pack(">IIIHH", kind, len(picture), begins, 0, 0)
        begins = begins or len(first) - 10
    number = 1 + len(others)
    fields = struct.pack(">HHI4s", 0xB000, 7, 4, b"0100") + struct.pack(">HHII", 0xB001, 4, 1, number)
    fields += struct.pack(">HHII", 0xB002, 7, len(entries), 8 + 2 + 36 + 4)
    body = b"MPF\0MM\0*" + struct.pack(">IH", 8, 3) + fields + struct.pack(">I", 0) + entries
    return first[:2] + b"\xff\xe2" + struct.pack(">H", len(body) + 2) + body + first[2:] + b"".join(others)


def with_passes(plain, number):
    """A JPEG of many passes with its last one so many times."""
    place = plain.rindex(b"\xff\xda")
    return plain[:place] + plain[place:-2] * number + b"\xff\xd9"


def test_a_phone_s_jpeg_with_a_second_picture_is_taken_for_its_first():
    red, blue = Image.new("RGB", (5000, 4000), "red"), Image.new("RGB", (400, 300), "blue")
    files = [BytesIO(), BytesIO()]
    red.save(files[0], "JPEG"), blue.save(files[1], "JPEG")
    sent = two_pictures(*(file.getvalue() for file in files))
    assert Image.open(BytesIO(sent)).format == "MPO"  # which has no bounds of a JPEG
    clean = clean_photo(sent)
    assert image_of(clean).size == (1600, 1280) and image_of(clean).getpixel((800, 600))[0] > 200


def test_a_second_picture_hides_no_passes(monkeypatch):
    monkeypatch.setattr(photos.Image, "open", lambda *_, **__: pytest.fail("nothing is unpacked"))
    sent = BytesIO()
    Image.new("RGB", (4000, 3000)).save(sent, "JPEG", progressive=True)
    bomb = two_pictures(with_passes(sent.getvalue(), 500), b"")
    assert len(bomb) < 200_000
    with pytest.raises(BadPhoto, match="too many pixels"):
        clean_photo(bomb)


def test_passes_are_counted_by_what_they_go_over(monkeypatch):
    """A pass over one colour that is kept coarse costs less than one over all."""
    plain = picture("JPEG", (64, 48), progressive=True, subsampling=2)
    monkeypatch.setattr(sent_pictures, "MOST_SCANNED", 64 * 48 * 9)
    clean_photo(plain)
    monkeypatch.setattr(sent_pictures, "MOST_SCANNED", 64 * 48 * 7)
    with pytest.raises(BadPhoto, match="too many pixels"):
        clean_photo(plain)


def test_what_lies_in_memory_between_passes_is_bounded(monkeypatch):
    monkeypatch.setattr(sent_pictures, "MOST_KEPT", 64 * 48)
    clean_photo(picture("JPEG", (64, 48)))  # of one pass: nothing lies there
    with pytest.raises(BadPhoto, match="too many pixels"):
        clean_photo(picture("JPEG", (64, 48), progressive=True))


def test_marks_that_stand_beside_the_picture_are_no_passes():
    sent = picture("JPEG", (4000, 3000), exif=exif(), comment=b"\xff\xda" * 9_000)
    assert image_of(clean_photo(sent)).size == (1200, 1600)


def test_a_file_of_thousands_of_parts_is_refused_as_it_is_read():
    jpeg, png = picture("JPEG", (64, 48)), picture("PNG", (64, 48))
    part = struct.pack(">I", 0) + b"tEXt" + struct.pack(">I", zlib.crc32(b"tEXt"))
    for sent in (jpeg[:2] + b"\xff\xfe\0\2" * 1_400_000 + jpeg[2:], png[:33] + part * 400_000 + png[33:]):
        with pytest.raises(BadPhoto):
            clean_photo(sent)


def test_nothing_but_the_picture_reaches_what_unpacks_it():
    sent = picture("JPEG", exif=exif(), comment=b"taken at home", icc_profile=b"profile" * 9)
    stripped = sent_pictures.strip_picture(two_pictures(sent, picture()) + CONTENT)
    assert (stripped.kind, stripped.width, stripped.height) == ("JPEG", 640, 480)
    assert not any(word in stripped.data for word in (b"MPF", b"profile", b"home", CONTENT))
    assert b"Exif" in stripped.data  # which side is up


@pytest.mark.parametrize("at", [2, 3, 4, 20, 60, 200, 400, 600])
def test_a_jpeg_with_a_slip_in_its_head_is_refused_or_read_but_breaks_nothing(at):
    plain = picture("JPEG", (64, 48), progressive=True)
    for value in (0, 0xC0, 0xC4, 0xD9, 0xDA, 0xFF):
        with suppress(BadPhoto):
            clean_photo(plain[:at] + bytes([value]) + plain[at + 1 :])


def test_text_that_swells_is_left_out():
    swollen = zlib.compress(b"a" * 80_000_000)
    chunk = b"zTXt" + b"k\0\0" + swollen
    sent = picture("PNG", size=(20, 20))
    bomb = sent[:33] + struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk)) + sent[33:]
    assert len(sent_pictures.strip_picture(bomb).data) <= len(sent)
    assert image_of(clean_photo(bomb)).size == (20, 20)


# On a line


def hang(player, sent=None, name="board.jpg", **fields):
    """Post the form of the page."""
    photo = SimpleUploadedFile(name, picture() if sent is None else sent, "text/html")
    head = {"act": str(uuid.uuid4()), "version": str(player.match.version)}
    return player.client.post(f"/match/{player.match_id}/photos/", {**head, "photo": photo, **fields})


def see(player, number):
    return player.client.get(f"/match/{player.match_id}/photos/{number}.jpg")


@pytest.fixture
def hung(table):
    """A photo that everybody may see."""
    assert hang(table.german, caption="The school", about="1").status_code == 302
    return table


@pytest.mark.django_db
class TestOnALine:
    """Photos in a match."""

    def test_a_photo_hangs_on_its_line_for_all_and_is_served_as_nothing_but_a_picture(self, hung):
        entry = LogEntry.objects.get(kind="photo")
        assert (entry.sentence, entry.about) == ("Photo: The school", 1)
        for player in (hung.german, hung.russian, hung.observer):
            answer = see(player, entry.number)
            assert answer.status_code == 200 and is_bare_jpeg(answer.content)
            assert (answer["Content-Type"], answer["X-Content-Type-Options"]) == ("image/jpeg", "nosniff")
            assert "no-store" in answer["Cache-Control"]
            for page in ("", "log/", "report/", "photos/"):
                assert f"photos/{entry.number}.jpg" in text_of(player.get(page))
        assert see(hung.german, 1).status_code == 404
        assert Client().get(f"/match/{hung.german.match_id}/photos/{entry.number}.jpg").status_code == 403

    def test_name_and_kind_that_were_sent_count_for_nothing(self, table):
        assert hang(table.german, picture("PNG"), name="photo.html").status_code == 302
        assert hang(table.german, CONTENT, name="photo.jpg").status_code == 422
        assert Photo.objects.count() == 1

    def test_a_sealed_photo_is_its_sides_alone_until_it_is_revealed(self, table):
        hang(table.german, caption="My gun", sealed="on", about="1")
        entry = LogEntry.objects.get(kind="photo")
        assert (entry.sentence, entry.about) == ("German seals a photo.", None)
        assert see(table.german, entry.number).status_code == 200
        for other in (table.russian, table.observer):
            assert see(other, entry.number).status_code == 404
            for page in ("", "log/", "report/", "photos/", "log.json", "archive.json"):
                text = text_of(other.get(page))
                assert "My gun" not in text and f"photos/{entry.number}.jpg" not in text
                assert base64.b64encode(bytes(Photo.objects.get().data[:300])).decode()[:200] not in text
        table.german.do("reveal/", number=entry.number)
        assert see(table.russian, entry.number).status_code == 200
        assert "My gun" in words_of(table.russian.get("photos/"))

    def test_an_open_photo_is_no_secret_to_reveal(self, hung):
        assert hung.german.do("reveal/", number=LogEntry.objects.get(kind="photo").number).status_code == 403

    def test_what_is_taken_back_is_not_shown_and_makes_room(self, hung, monkeypatch):
        number = LogEntry.objects.get(kind="photo").number
        monkeypatch.setattr(bounds, "MOST_PHOTOS", 1)
        refused = hang(hung.german)
        assert refused.status_code == 403 and "no room for another photo" in words_of(refused)
        hung.german.do("take-back/")
        assert see(hung.german, number).status_code == 404
        assert hang(hung.german).status_code == 302
        assert Photo.objects.count() == 1

    def test_a_match_has_room_for_so_many_bytes(self, hung, monkeypatch):
        monkeypatch.setattr(bounds, "MOST_PHOTOS_WEIGHT", Photo.objects.get().size + 100)
        assert hang(hung.german).status_code == 403
        assert (Photo.objects.count(), LogEntry.objects.filter(kind="photo").count()) == (1, 1)

    def test_how_large_the_other_sides_sealed_photo_is_shows_by_no_room_that_is_left(self, table, monkeypatch):
        """Only how many there are, which the log tells anyway."""
        monkeypatch.setattr(bounds, "MOST_PHOTOS_WEIGHT", bounds.LARGEST_PHOTO + 20_000)
        answers = set()
        for sealed in ((8, 8), (1200, 900)):
            with trial():
                assert hang(table.german, picture(size=sealed), sealed="on").status_code == 302
                sizes = ((8, 8), (120, 90), (1200, 900))
                answers.add(tuple(hang(table.russian, picture(size=size)).status_code for size in sizes))
                assert Photo.objects.filter(number=LogEntry.objects.get(sentence__contains="seals").number).exists()
        assert answers == {(302, 302, 403)}

    def test_observers_hang_nothing_and_a_line_that_is_not_there_takes_none(self, table):
        assert hang(table.observer).status_code == 403
        assert hang(table.german, about="999").status_code == 422
        assert hang(table.german, about="x").status_code == 422
        assert not Photo.objects.exists()

    def test_a_form_that_is_sent_again_hangs_one_photo(self, table):
        act = str(uuid.uuid4())
        for _ in range(2):
            assert hang(table.german, act=act).status_code == 302
        assert Photo.objects.count() == 1

    def test_photos_go_with_their_match(self, hung):
        removal.delete_match(Match.objects.get())
        assert not Photo.objects.exists()

    def test_a_shared_story_shows_what_observers_may_see(self, hung):
        hang(hung.german, sealed="on")
        opened, sealed = LogEntry.objects.filter(kind="photo").order_by("number").values_list("number", flat=True)
        Match.objects.update(ended=timezone.now(), story_hash=hash_token("word"))
        assert f"/story/word/photos/{opened}.jpg" in text_of(Client().get("/story/word/"))
        assert Client().get(f"/story/word/photos/{opened}.jpg").status_code == 200
        assert Client().get(f"/story/word/photos/{sealed}.jpg").status_code == 404
        assert Client().get(f"/story/other/photos/{opened}.jpg").status_code == 404
        assert b"/Image" in Client().get("/story/word/report.pdf").content

    # In a file

    def test_a_file_keeps_the_photos_that_its_side_may_see(self, hung):
        hang(hung.german, caption="mine", sealed="on")
        match = Match.objects.get()
        for sees, number in ((("german",), 2), (("russian",), 1), (("german", "russian"), 2)):
            plain = json.loads(json.dumps(saving.dump_match(match, sees)))
            assert len(plain["photos"]) == number
            sound = archive.read_archive(json.dumps(plain).encode())
            opened = making.make_match(sound, hot_seat=True).match
            assert {(photo.number, bytes(photo.data)) for photo in opened.photos.all()} == {
                (photo.number, bytes(photo.data)) for photo in match.photos.all()[:number]
            }

    def test_a_branch_from_before_a_photo_was_opened_keeps_it_sealed(self, table):
        hang(table.german, caption="My gun", sealed="on")
        table.german.note("My plan", sealed="on")
        photo, note = LogEntry.objects.filter(secret__contains="My ").order_by("number")
        match = Match.objects.get()
        snapshots.take_snapshot(match, match.version, "Before")
        for entry in (photo, note):
            table.german.do("reveal/", number=entry.number)
        at = match.snapshots.get(label="Before")
        for sees, at_most in ((("russian",), 0), ((), 0), (("german",), 1)):
            branch = making.branch(match, sees, hot_seat=True, at=at).match
            assert branch.photos.count() == len(saving.dump_match(match, sees, at).get("photos", ())) == at_most
            lines = {line.number: line for line in branch.log.all()}
            for entry, words in ((photo, "My gun"), (note, "My plan")):
                assert (words in lines[entry.number].secret) is bool(at_most)
                assert lines[entry.number].revealed_by is None and bool(lines[entry.number].salt) is bool(at_most)
            assert bool(lines[photo.number].inputs) is bool(at_most)  # which hold the picture's digest
        assert len(saving.dump_match(match, ("russian",))["photos"]) == 1  # today it is open

    def test_a_file_with_a_photo_that_is_none_is_refused(self, hung):
        plain = json.loads(json.dumps(saving.dump_match(Match.objects.get(), ("german",))))
        (photo,) = plain["photos"]
        data = base64.b64decode(photo["data"])
        other = clean_photo(picture(size=(50, 50))).data
        for turned in (
            {**photo, "data": base64.b64encode(data + CONTENT + b"\xff\xd9").decode()},
            {**photo, "data": base64.b64encode(other).decode()},
            {**photo, "data": base64.b64encode(CONTENT).decode()},
            {**photo, "data": "A==="},
            {**photo, "data": "no letters"},
            {**photo, "number": 1},
            {**photo, "number": 99},
            {**photo, "name": "x"},
        ):
            with pytest.raises(BadArchive, match="photos"):
                archive.read_archive(json.dumps({**plain, "photos": [turned]}).encode())
        with pytest.raises(BadArchive, match="photos"):
            archive.read_archive(json.dumps({**plain, "photos": [photo, photo]}).encode())

    def test_a_full_match_with_all_its_photos_fits_into_a_file(self):
        assert bounds.MOST_PHOTOS_WEIGHT * 4 / 3 < bounds.BYTES_BESIDE
        assert USUAL.weight + bounds.BYTES_BESIDE == bounds.LARGEST_FILE


def test_only_the_apps_own_files_are_bare():
    clean = clean_photo(picture()).data
    assert is_bare_jpeg(clean)
    for other in (
        picture(exif=exif()),
        picture(comment=b"hello"),
        picture("PNG"),
        clean[:-2],
        clean + b"x",
        b"",
        b"\xff\xd8",
    ):
        assert not is_bare_jpeg(other)
    assert photos.read_photo({"number": 1, "data": base64.b64encode(clean).decode()})
