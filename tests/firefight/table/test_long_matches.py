"""A match of weeks: what its game lets it grow to, and that no act of its last day costs more than one of its first."""

import gzip
import json
import re
import zlib
from datetime import timedelta
from functools import cache

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.utils import timezone

from config import lane
from firefight.games import registry
from firefight.kit.game import OF_WEEKS, USUAL
from firefight.models import LogEntry, Match, Snapshot
from firefight.table.act import bounds, writing
from firefight.table.files import archive, packing
from firefight.table.files.shape import LARGEST, LARGEST_UNPACKED, BadArchive
from firefight.table.log import descent, fairness
from firefight.table.rolling import replay
from firefight.table.story import report
from tests import pages
from tests.firefight import players
from tests.firefight.players import text_of, words_of
from tests.soak import length

pytestmark = pytest.mark.django_db

GAME = "streets-of-stalingrad"
A_DAY = 180  # lines
ROLL = {"af": "9", "df": "10", "dice": "table"}


def attack(player, die="4", **more):
    return player.roll("counter-attack", **ROLL, die=die, **more)


def last_roll(player):
    return (
        LogEntry.objects.filter(match=player.match_id, kind="roll")
        .order_by("-number")
        .values_list("number", flat=True)[0]
    )


def lengthen(match_id, lines, a_day=A_DAY):
    """Let a match be so many lines long, chained as the app does: its first roll again, notes, and days as chapters."""
    match = Match.objects.get(pk=match_id)
    roll = match.log.filter(kind="roll").first()
    names = ("helper", "inputs", "result", "rolls", "sentence", "side", "app")
    more = {name: getattr(roll, name) for name in names}
    rows, now = [], timezone.now()
    for number in range(match.last_number + 1, lines + 1):
        fields = (
            {"kind": "roll", **more} if number % 6 else {"kind": "note", "side": "german", "sentence": f"Note {number}"}
        )
        line = LogEntry(match_id=match.pk, act_id=None, number=number, at=now + timedelta(seconds=number), **fields)
        match.digest = writing.chain_entry(line, match.digest)
        match.weight += writing.weigh_entry(line)
        rows.append(line)
    LogEntry.objects.bulk_create(rows)
    days = range(match.last_number // a_day * a_day + a_day, lines, a_day)
    Snapshot.objects.bulk_create(
        Snapshot(match=match, number=number, label=f"Day {day}", state=None) for day, number in enumerate(days, 2)
    )
    match.last_number = lines
    match.save(update_fields=["last_number", "digest", "weight"])


@pytest.fixture
def streets(frozen):
    """One browser for both sides, with some attacks behind them."""

    def build():
        player = players.begin("german", hot_seat=True, game=GAME)[0]
        for _ in range(60):
            attack(player)
        return player

    return frozen("streets begun", build)


def count_steps(do):
    """How much work a database has with what is done: instructions of SQLite's, which no clock and no cache changes."""
    if connection.vendor != "sqlite":
        pytest.skip("SQLite counts its instructions.")
    counted = []
    connection.connection.set_progress_handler(lambda: counted.append(1), 20)
    try:
        response = do()
    finally:
        connection.connection.set_progress_handler(None, 0)
    assert response.status_code in (200, 302), players.words_of(response)
    return len(counted) * 20


ACTS = {
    "page": lambda player: player.get(),
    "roll": attack,
    "news after a roll": lambda player: attack(player, htmx=True, after=str(player.match.last_number)),
    "form of a correction": lambda player: player.get("roll/counter-attack/", corrects=last_roll(player)),
    "correction": lambda player: attack(player, "5", corrects=str(last_roll(player))),
    "news after it": lambda player: player.get("live/", htmx=True, after=str(player.match.last_number - 1)),
    "take back": lambda player: player.do("take-back/", htmx=True, after=str(player.match.last_number)),
    "note": lambda player: player.note("A word."),
    "next phase": lambda player: player.do("advance/", leaves="on"),
    "older lines": lambda player: player.get("log/", before=player.match.last_number - 50),
    "a filter": lambda player: player.get("log/", q="attack", kind="roll"),
    "record": lambda player: player.get("record/"),
    "seats": lambda player: player.get("seats/"),
    "file": lambda player: player.get("file/"),
    "report": lambda player: player.get("report/"),
}


def test_no_act_or_page_has_more_work_on_the_last_day_than_on_the_first(streets):
    lengthen(streets.match_id, A_DAY)
    first = {name: count_steps(lambda do=do: do(streets)) for name, do in ACTS.items()}
    lengthen(streets.match_id, 67 * A_DAY)
    for _ in range(5):
        attack(streets)
    last = {name: count_steps(lambda do=do: do(streets)) for name, do in ACTS.items()}
    listed = {"file": 67 * 20}  # each day, to branch off from
    more = {name: last[name] - first[name] * 1.1 - 100 - listed.get(name, 0) for name in ACTS}
    assert {name: (first[name], last[name]) for name in ACTS if more[name] > 0} == {}


def test_a_correction_reads_the_same_lines_whatever_was_played_before(streets):
    read = {}
    for lines in (A_DAY, 20 * A_DAY):
        lengthen(streets.match_id, lines)
        attack(streets)
        entry = LogEntry.objects.get(match=streets.match_id, number=last_roll(streets))
        climb = descent.Climb(streets.match_id)
        assert climb.find_root(entry.number) == climb.find_eldest(entry.number) == climb.find_place(entry.number)
        read[lines] = len(climb.read)
        assert descent.find_family(entry) == [entry]
        attack(streets, "5", corrects=str(entry.number))
        again = LogEntry.objects.filter(match=streets.match_id, about=entry.number).get()
        assert descent.Climb(streets.match_id).find_root(again.number) == entry.number
        assert descent.Climb(streets.match_id).find_place(again.number) == entry.number
        assert descent.find_family(again) == [entry, again]
    assert read[A_DAY] == read[20 * A_DAY] <= descent.READ_AT_ONCE


def test_a_chain_of_corrections_is_climbed_to_its_first_roll(streets):
    attack(streets)
    first = last_roll(streets)
    for die in "1234":
        attack(streets, die, corrects=str(last_roll(streets)))
    last = last_roll(streets)
    climb = descent.Climb(streets.match_id)
    assert climb.find_root(last) == climb.find_eldest(last) == climb.find_place(last) == first
    assert len(descent.find_family(LogEntry.objects.get(match=streets.match_id, number=last))) == 5


def test_what_a_file_says_of_a_line_after_it_leads_nowhere(streets):
    number = last_roll(streets)
    LogEntry.objects.filter(match=streets.match_id, number=number).update(about=number + 9, due=f"{number + 9}-0")
    climb = descent.Climb(streets.match_id)
    assert climb.find_root(number) == climb.find_eldest(number) == climb.find_place(number) == number


# How long it may become


def test_a_game_says_how_long_its_matches_may_be():
    longest = {slug: game.longest for slug, game in registry.games().items()}
    assert longest.pop(GAME) == OF_WEEKS
    assert set(longest.values()) == {USUAL}
    assert OF_WEEKS.lines > 67 * A_DAY and OF_WEEKS.weight > 67 * A_DAY * 870
    assert OF_WEEKS.weight + bounds.BYTES_BESIDE == LARGEST_UNPACKED


@pytest.mark.parametrize("full", [{"last_number": OF_WEEKS.lines}, {"weight": OF_WEEKS.weight}])
def test_a_match_of_weeks_is_full_where_its_game_says(streets, full):
    lengthen(streets.match_id, A_DAY)
    match = streets.match
    if "last_number" in full:
        match.log.filter(number=match.last_number).update(number=OF_WEEKS.lines)
    Match.objects.filter(pk=match.pk).update(**full)
    response = attack(streets)
    assert response.status_code == 403
    assert "at most 16,000 lines or 14 MB. End the match and begin a new one." in words_of(response)
    assert streets.match.last_number == full.get("last_number", A_DAY)
    players.end(streets)
    assert streets.match.ended


# Its file, report and dice


def send(player, sent, name="match.json.gz", **more):
    return player.client.post("/match/import/", {"file": SimpleUploadedFile(name, sent), **more})


@pytest.fixture
def weeks(streets):
    """A match longer than any of another game may be."""
    lengthen(streets.match_id, USUAL.lines + 500)
    return streets


@pytest.mark.long
@pytest.mark.soak
def test_the_file_of_a_match_of_weeks_makes_the_same_match(weeks):
    assert weeks.match.weight > USUAL.weight
    response = weeks.get("archive.json", sides="all")
    assert response["Content-Type"] == "application/octet-stream"  # application/gzip is not unpacked on its way
    assert response["Content-Disposition"].endswith('.json.gz"')
    assert len(response.content) < LARGEST < len(gzip.decompress(response.content))
    opened = send(weeks, response.content, side="german", hot_seat="on")
    assert opened.status_code == 302
    other = players.Player(Match.objects.latest("created").pk)
    other.client = weeks.client
    columns = ("number", "kind", "side", "sentence", "inputs", "result", "rolls", "digest", "at")
    theirs, ours = (
        list(LogEntry.objects.filter(match=match_id).order_by("number").values(*columns))
        for match_id in (other.match_id, weeks.match_id)
    )
    assert theirs[: len(ours)] == ours and len(theirs) == len(ours) + 3
    assert attack(other).status_code == 302 and other.match.last_number > USUAL.lines
    exported = weeks.get("log.json").json()
    for first in (USUAL.lines, 1)[: length(1, 2)]:
        report = replay.examine_log(exported, first=first)
        assert (report["problems"], report["report"].lines) == ([], USUAL.lines + 500)
        assert report["again"].same > 200
    exported["entries"][USUAL.lines]["sentence"] += "!"
    assert fairness.check_log(exported).problems
    branched = weeks.do("branch/", hot_seat="on")
    assert branched.status_code == 302
    assert Match.objects.latest("created").last_number == weeks.match.last_number + 3


def test_a_long_file_of_another_game_is_refused(streets):
    saved = json.loads(streets.get("archive.json", sides="all").content)
    saved["match"]["game"] = "combat-stalingrad"
    filled = json.dumps({**saved, "filling": "x" * LARGEST}).encode()
    with pytest.raises(BadArchive, match="of Combat! Stalingrad at most 7 MB"):
        archive.read_archive(filled)


@cache
def bomb(size=200_000_000):
    packer = zlib.compressobj(9, wbits=31)
    return b"".join([*(packer.compress(b" " * 1_000_000) for _ in range(size // 1_000_000)), packer.flush()])


def packed(text="{}"):
    return gzip.compress(text.encode())


HOSTILE = {
    "bomb": (bomb, "unpacked at most 16 MB"),
    "cut off": (lambda: packed("x" * 900)[:-6], "cut off on its way"),
    "head alone": (lambda: packed()[:2], "cut off on its way"),
    "damaged": (lambda: packed("x" * 900)[:10] + b"\xff" * 20, "damaged on its way"),
    "wrong sum": (lambda: packed("x" * 900)[:-8] + bytes(8), "damaged on its way"),
    "two files": (lambda: packed() * 2, "More than one file"),
    "a bomb in a bomb": (lambda: gzip.compress(bomb()), "not JSON that this app writes"),
    "no match": (packed, "not a file of a match"),
    "too large as sent": (lambda: b"\x1f\x8b" + bytes(LARGEST), "too large: at most 7 MB"),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("field", ["file", "other"])
def test_a_packed_file_that_is_none_is_refused_in_words(streets, name, field):
    make, words = HOSTILE[name]
    before = Match.objects.count()
    sent = {"file": streets.get("archive.json").content, "other": b""} | {field: make()}
    files = {part: SimpleUploadedFile(f"{part}.json.gz", data) for part, data in sent.items() if data}
    response = streets.client.post("/match/import/", files)
    assert response.status_code == 422
    [refusal] = pages.words_of_each(text_of(response), "#trouble li")
    assert words in refusal
    assert Match.objects.count() == before


def test_no_more_is_unpacked_than_a_file_may_have(monkeypatch):
    sizes = []

    class Unpacking:
        unused_data, eof = b"", True

        def decompress(self, sent, most):
            sizes.append(most)
            return b""

    monkeypatch.setattr(packing.zlib, "decompressobj", lambda window: Unpacking())
    packing.unpack(packed())
    assert sizes == [LARGEST_UNPACKED + 1]


def test_a_short_file_goes_as_plain_text_and_may_come_packed(streets):
    plain = streets.get("archive.json", sides="all")
    assert plain["Content-Type"] == "application/json"
    assert send(streets, gzip.compress(plain.content), side="german").status_code == 302
    assert Match.objects.latest("created").last_number == streets.match.last_number + 2


def test_what_reads_a_whole_log_keeps_no_worker():
    story = "/story/abc/all/"
    match = [
        f"/match/abc/{place}"
        for place in ("archive.json", "log.json", "dice/", "branch/", "report.md", "report/all/", "honours/")
    ]
    assert all(lane.takes_long(path, 0) for path in (story, *match))
    assert lane.takes_long("/match/import/", 1_000) and not lane.takes_long("/match/import/", 0)
    assert not any(lane.takes_long(f"/match/abc/{place}", 0) for place in ("", "report/", "report.pdf", "log/"))


def test_the_report_of_a_match_of_weeks_is_told_by_its_days(streets):
    lengthen(streets.match_id, 20 * A_DAY)
    assert streets.match.last_number > report.MOST_AT_ONCE
    page = streets.get("report/")
    links = re.findall(r'href="\?from=(\d+)&amp;to=(\d+)"', text_of(page))
    stretches = [(int(first), int(last)) for first, last in links]
    assert len(stretches) == 20
    numbers = [number for first, last in stretches for number in range(first, last + 1)]
    assert numbers == list(range(1, 20 * A_DAY + 1))
    first, last = stretches[-1]
    for place in ("report/", "report.pdf", "report.md"):
        part = streets.get(place, **{"from": first, "to": last})
        assert part.status_code == 200 and f"Note {first + 6 - first % 6}" in text_of(part)
    for place in ("report/", "report.pdf"):
        refused = streets.get(place, **{"from": 1, "to": last})
        assert refused.status_code == 400 and "3,000 lines at most. Choose fewer days" in words_of(refused)
    whole = streets.get("report/all/")
    assert whole.status_code == 200 and "Day 19" in words_of(whole) and "The dice" in words_of(whole)
    report_text = text_of(streets.get("report.md"))
    assert all(f"Note {number}" in report_text for number in (66, 1_800, 3_600))


def test_a_shared_story_of_weeks_is_told_by_its_days(streets):
    lengthen(streets.match_id, 20 * A_DAY)
    players.end(streets)
    page = streets.client.post(f"/match/{streets.match_id}/report/share/", {"do": "share"}, follow=True)
    [link] = pages.values_of_each(text_of(page), "#story-link", "value")
    reader = players.Player().client
    shared = reader.get(link)
    links = re.findall(r'href="(\?from=\d+)&amp;(to=\d+)"', text_of(shared))
    assert len(links) == 20
    part = reader.get(f"{link}{links[-1][0]}&{links[-1][1]}")
    assert part.status_code == 200 and "Note 3480" in text_of(part)
    [pdf] = pages.values_of_each(text_of(part), "a[href*='report.pdf']", "href")
    assert reader.get(pdf).status_code == 200
    whole = reader.get(f"{link}all/")
    assert whole.status_code == 200 and "report.pdf" not in text_of(whole)
    assert whole["X-Robots-Tag"] == "noindex"
    refused = reader.get(f"{link}report.pdf")
    assert refused.status_code == 400 and "Choose fewer days" in words_of(refused)


def test_a_chapter_longer_than_a_page_is_told_in_parts_and_many_together(streets):
    lengthen(streets.match_id, 7_000, a_day=10_000)
    stretches = report.list_stretches(streets.match)
    assert [(stretch.first, stretch.last) for stretch in stretches] == [(1, 3_000), (3_001, 6_000), (6_001, 7_000)]
    match = streets.match
    Snapshot.objects.bulk_create(
        Snapshot(match=match, number=number, label=f"Day {number}", state=None) for number in range(10, 7_000, 20)
    )
    stretches = report.list_stretches(match)
    assert len(stretches) <= report.MOST_LISTED
    numbers = [number for stretch in stretches for number in range(stretch.first, stretch.last + 1)]
    assert numbers == list(range(1, 7_001))
    assert all(re.fullmatch(r"Day \d+ to Day \d+", stretch.title) for stretch in stretches[1:-1])


def test_two_players_can_end_a_match_whose_log_is_full(table):
    Match.objects.update(last_number=USUAL.lines)
    table.german.match.log.filter(number=table.german.match.log.first().number).update(number=USUAL.lines)
    assert "This log is full" in words_of(table.german.note("one more"))
    players.end(table.german, table.russian)
    assert table.german.match.ended and table.german.match.last_number == USUAL.lines + 2


def test_whoever_asks_again_and_again_fills_no_more_than_a_file_holds(table):
    most = USUAL.lines + bounds.SPARE_LINES
    Match.objects.update(last_number=most)
    table.german.match.log.filter(number=table.german.match.log.first().number).update(number=most)
    assert "This log is full" in words_of(table.german.do("end/", sure="on"))
    assert most < USUAL.lines + bounds.LINES_BESIDE
