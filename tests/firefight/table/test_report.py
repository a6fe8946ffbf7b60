"""The after-action report: chapters, what belongs to the story, the dice, page, Markdown and paper."""

import re
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pypdfium2
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from firefight.columns import Rolled
from firefight.games import chartbooks, registry
from firefight.kit.helper import Helper
from firefight.models import LogEntry, Match, Snapshot
from firefight.table.act.ledger_values import join_titles
from firefight.table.log import reading
from firefight.table.story import history, turning_points
from firefight.table.story import report as story
from firefight.table.story.report import BadPart, Chapter
from tests import pages
from tests.firefight.players import GAME, begin, text_of, words_of
from tests.games.samples import of_game

GAMES = registry.games()[GAME]

pytestmark = pytest.mark.django_db

SECRET = "A gun waits in K7"
HOSTILE = "*bold* _it_ [a](b) <b>x</b> | # `c` Сталинград\nnext"


def chapters_at(match, *marks):
    """Divide a match anew: snapshots of these labels after these lines."""
    Snapshot.objects.filter(match=match).delete()
    for number, label in marks:
        Snapshot.objects.create(match=match, number=number, label=label, state={})


def report(player, ending="/", **query):
    return player.client.get(f"/match/{player.match_id}/report{ending}", query)


def words_of_pdf(response):
    return " ".join(text_of(response).split())


def all_forms(player, **query):
    """The report as page, as Markdown and on paper, in words."""
    page, text, paper = report(player, **query), report(player, ".md", **query), report(player, ".pdf", **query)
    assert [response.status_code for response in (page, text, paper)] == [200, 200, 200]
    return words_of(page), text_of(text), words_of_pdf(paper)


# Chapters


def test_a_snapshot_begins_a_chapter(table):
    for _ in range(4):
        table.german.note("x")
    match = Match.objects.get()
    last = match.last_number
    chapters_at(match, (1, "The beginning"), (last - 2, "Turn 2"), (last, "Turn 3"))
    assert story.read_chapters(match) == [Chapter("The beginning", 1, last - 2), Chapter("Turn 2", last - 1, last)]


def test_a_match_without_snapshots_is_one_chapter(table):
    match = Match.objects.get()
    chapters_at(match)
    assert story.read_chapters(match) == [Chapter("The match", 1, match.last_number)]


def test_chapters_cover_the_log_without_gap_or_overlap(table):
    for _ in range(6):
        table.german.note("x")
    match = Match.objects.get()
    chapters_at(match, *((number, f"Part {number}") for number in (2, 3, 5, match.last_number)))
    chapters = story.read_chapters(match)
    numbers = [number for chapter in chapters for number in range(chapter.first, chapter.last + 1)]
    assert numbers == list(range(1, match.last_number + 1))


def test_a_chapter_can_be_read_alone_and_gives_its_title(table):
    table.german.note("the first word")
    table.german.note("the second word")
    match = Match.objects.get()
    chapters_at(match, (1, "The beginning"), (match.last_number - 1, "Turn 2"))
    for words in all_forms(table.german, **{"from": match.last_number, "to": match.last_number}):
        assert "Turn 2" in words
        assert "the second word" in words
        assert "the first word" not in words
    page = text_of(report(table.german, **{"from": match.last_number, "to": match.last_number}))
    assert pages.words_of_each(page, "h1") == ["Turn 2"]
    assert (
        pages.words_of_each(page, f"option[value='{match.last_number}'][selected]") == ["Turn 2"] * 2
    )  # from it and to it


# What is told


def test_rolls_and_notes_are_told_in_order_without_what_was_taken_back(table):
    table.german.note("first words")
    table.german.note("words of no use")
    table.german.do("take-back/")
    table.russian.roll("morale", tq="6", modifier="1", die="8", dice="table")
    for words in all_forms(table.russian):
        assert words.index("first words") < words.rindex("Morale Check")
        assert "words of no use" not in words
        assert "takes back" not in words


def test_a_sealed_note_is_in_its_sides_report_alone(table):
    table.german.note(SECRET, sealed="on")
    assert all(SECRET in words for words in all_forms(table.german))
    for other in (table.russian, table.observer):
        assert not any(SECRET in words for words in all_forms(other))
    table.german.do("reveal/", number=LogEntry.objects.get(secret=SECRET).number)
    assert all(SECRET in words for words in all_forms(table.russian))


def test_whoever_holds_no_seat_gets_no_report(table, client):
    for ending in ("/", ".md", ".pdf"):
        assert client.get(f"/match/{table.german.match_id}/report{ending}").status_code == 403
        assert client.get(f"/match/nosuch/report{ending}").status_code == 403


def test_a_note_that_looks_like_markup_is_told_as_it_is(table):
    table.german.note(HOSTILE)
    page, text, paper = all_forms(table.german)
    assert "*bold* _it_ [a](b) <b>x</b> | # `c` Сталинград next" in page
    assert r"\*bold\* \_it\_ \[a\](b) \<b\>x\</b\> \| \# \`c\` Сталинград next" in text
    assert "*bold* _it_ [a](b) <b>x</b> | # `c` Сталинград next" in paper


@pytest.mark.parametrize("query", [{"from": "0"}, {"from": "x"}, {"to": "999"}, {"from": "3", "to": "2"}, {"to": "0"}])
def test_a_stretch_that_the_log_does_not_have_is_refused_in_words(table, query):
    for ending in ("/", ".md", ".pdf"):
        response = report(table.german, ending, **query)
        assert response.status_code == 400
        assert "line" in words_of(response)


def test_paper_of_another_size_is_refused_in_words(table):
    response = report(table.german, ".pdf", paper="a5")
    assert response.status_code == 400
    assert "Paper is one of a4, letter." in words_of(response)


def test_a_long_report_goes_on_on_another_page(table):
    match = Match.objects.get()
    with pytest.raises(BadPart):
        story.read_story(match, (), 1, 400)
    LogEntry.objects.bulk_create(
        LogEntry(match=match, number=number, kind="note", side="german", sentence=f"word{number} " * 30)
        for number in range(match.last_number + 1, 401)
    )
    Match.objects.update(last_number=400)
    response, numbers = report(table.german), []
    while True:
        assert len(response.content) <= 100_000
        numbers += [int(number) for number in pages.values_of_each(text_of(response), "li.line", "value")]
        following = pages.values_of_each(text_of(response), "a[href^='?from='][href$='&to=400']", "href")
        if not following:
            break
        response = table.german.get(f"report/{following[0]}")
    assert numbers == list(range(numbers[0], 401))
    assert numbers[0] <= 4


def test_a_report_takes_as_many_queries_for_a_long_log_as_for_a_short_one(table, django_assert_num_queries):
    match = Match.objects.get()
    with django_assert_num_queries(2):
        story.read_story(match, ("german",))
    for _ in range(5):
        table.german.note("x")
    match.refresh_from_db()
    with django_assert_num_queries(2):
        story.read_story(match, ("german",))


# Dice


def rolled(side, face, source="table", sides=10, **more):
    die = Rolled("die", "d", sides, face, source, number=1)
    return LogEntry(number=1, kind="roll", side=side, sentence="", rolls=(die,), **more)


def test_dice_are_counted_by_side_size_and_source():
    entries = [
        rolled("german", 3),
        rolled("german", 5),
        rolled("german", 40, sides=100),
        rolled("russian", 7, source="app"),
    ]
    all_series = story.dice_of(reading.visible(entries, ()), GAMES)
    assert [(series.who, series.tally.number, series.tally.mean) for series in all_series] == [
        ("German, d10, on the table", 2, 4),
        ("German, d100, on the table", 1, 40),
        ("Russian, d10, rolled here", 1, 7),
    ]


def test_sums_are_counted_apart_from_single_dice_and_cards_not_at_all():
    entries = [rolled("german", 3, sides=6), rolled("german", 9, sides=6), rolled("german", 5, sides=26)]
    entries[1].rolls = (replace(entries[1].rolls[0], dice=2),)
    entries[2].rolls = (replace(entries[2].rolls[0], is_card=True),)
    all_series = story.dice_of(reading.visible(entries, ()), GAMES)
    assert [(series.who, series.tally.number, series.tally.mean) for series in all_series] == [
        ("German, d6, on the table", 1, 3),
        ("German, 2d6, on the table", 1, 9),
    ]


def test_a_die_counts_for_the_side_whose_die_it_is():
    entry = rolled("german", 3, sides=100)
    entry.rolls = (*entry.rolls, replace(entry.rolls[0], face=90, side="russian"))
    all_series = story.dice_of(reading.visible([entry], ()), GAMES)
    assert [(series.who, series.tally.mean) for series in all_series] == [
        ("German, d100, on the table", 3),
        ("Russian, d100, on the table", 90),
    ]


def test_a_typing_error_is_no_roll_and_a_roll_of_the_app_stays_one_when_taken_back():
    entries = [rolled("german", 3, voided_by=9), rolled("german", 5, source="app", voided_by=9)]
    (series,) = story.dice_of(reading.visible(entries, ()), GAMES)
    assert (series.who, series.tally.number) == ("German, d10, rolled here", 1)


@pytest.mark.parametrize(
    ("faces", "words"),
    [
        ([5, 6] * 20, "as chance has it"),
        ([1, 2] * 20, "lower than 39 of 40 fair series"),
        ([9, 10] * 20, "higher than 39 of 40 fair series"),
    ],
)
def test_what_is_said_of_a_series_is_no_more_than_it_shows(faces, words):
    (series,) = story.dice_of(reading.visible([rolled("german", face) for face in faces], ()), GAMES)
    assert story.describe_series(series.tally) == words


def test_the_dice_stand_in_every_form_of_the_report(table):
    for die in (3, 4, 8):
        table.german.roll("morale", tq="6", modifier="1", die=str(die), dice="table")
    page, text, paper = all_forms(table.russian)
    assert "German, d10, on the table as chance has it 3 5.00 5.5 2.33 to 8.67" in page
    assert "| German, d10, on the table | 3 | 5.00 | 5.5 | 2.33 to 8.67 | as chance has it |" in text
    assert "German, d10, on the table 3 5.00 5.5 2.33 to 8.67 as chance has it" in paper


def test_a_match_without_dice_says_so(table):
    assert all("No dice were rolled." in words for words in all_forms(table.german))


# Paper


@pytest.mark.parametrize(("size", "points"), [("a4", (595, 842)), ("letter", (612, 792))])
def test_paper_has_its_size_its_pages_and_free_margins(table, size, points):
    table.german.note("long " * 60)
    table.german.note("w" * 300)
    for number in range(60):
        table.german.note(f"note {number} and some words")
    pages = pypdfium2.PdfDocument(report(table.german, ".pdf", paper=size).content)
    assert len(pages) > 1
    for number, page in enumerate(pages, 1):
        assert tuple(round(length) for length in page.get_size()) == points
        assert f"page {number} of {len(pages)}" in page.get_textpage().get_text_range()
        picture = page.render(scale=1, grayscale=True).to_pil()
        width, height = picture.size
        margin = 28
        for edge in (
            (0, 0, width, margin),
            (0, height - margin, width, height),
            (0, 0, margin, height),
            (width - margin, 0, width, height),
        ):
            assert picture.crop(edge).getextrema()[0] > 250
    words = words_of_pdf(report(table.german, ".pdf", paper=size))
    assert all(words.count(f"note {number} and some words") == 1 for number in range(60))
    assert words.count("long") == 60


def test_a_side_is_named_once_in_a_line(table):
    table.german.note("German tanks ahead")
    table.german.note("Rockets ahead")
    _, text, paper = all_forms(table.german)
    assert re.search(r"\n- 4\. German tanks ahead \(.*\)\n- 5\. \*\*German:\*\* Rockets ahead \(.*\)\n", text)
    assert re.search(r"4 \d\d:\d\d German tanks ahead 5 \d\d:\d\d German: Rockets ahead", paper)


# A long match


def lengthen(match, most, words="word ", chapters=0):
    """Notes up to this number, and a chapter every so many lines."""
    LogEntry.objects.bulk_create(
        LogEntry(match=match, number=number, kind="note", side="german", sentence=f"n{number} {words}")
        for number in range(match.last_number + 1, most + 1)
    )
    Match.objects.filter(pk=match.pk).update(last_number=most)
    if chapters:
        chapters_at(match, *((number, f"Part {number}") for number in range(1, most, chapters)))


def test_a_report_too_long_for_one_pdf_is_printed_in_parts(table):
    match = Match.objects.get()
    lengthen(match, 400, "x" * 4_000)
    response = report(table.german, ".pdf")
    assert response.status_code == 400
    assert "That is too long for one PDF. Print it in 4 parts: lines 1 to" in words_of(response)
    links = pages.values_of_each(text_of(report(table.german)), "a[href*='report.pdf?'][href$='paper=letter']", "href")
    stretches = [re.search(r"from=(\d+)&to=(\d+)", address).groups() for address in links]
    numbers = [number for first, last in stretches for number in range(int(first), int(last) + 1)]
    assert numbers == list(range(1, 401)) and len(stretches) == 4
    first, last = stretches[-1]
    part = report(table.german, ".pdf", **{"from": first, "to": last})
    assert part.status_code == 200
    notes = [int(number) for number in re.findall(r"\bn(\d+)\b", words_of_pdf(part))]
    assert notes == list(range(int(first), 401))


def test_the_longest_campaign_is_printed_at_once(table):
    lengthen(Match.objects.get(), 1_500, "x" * 150)
    match = Match.objects.get()
    assert story.divide_for_paper(story.read_story(match, ("german",))) == [(1, 1_500)]


def test_a_line_longer_than_a_part_is_a_part_of_its_own(table, monkeypatch):
    lengthen(Match.objects.get(), 10, "x" * 400)
    monkeypatch.setattr(story, "PART_ROOM", 300)
    parts = story.divide_for_paper(story.read_story(Match.objects.get(), ("german",), 5, 8))
    assert parts == [(5, 5), (6, 6), (7, 7), (8, 8)]


def test_each_line_is_looked_at_once_however_many_chapters_there_are(table):
    lengthen(Match.objects.get(), 900, chapters=3)
    match = Match.objects.get()
    looked = []

    class Counted(story.LogLine):
        def __getattribute__(self, name):
            looked.append(name)
            return super().__getattribute__(name)

    blank = {field.name: None for field in fields(story.LogLine)} | {"kind": "note", "rolls": ()}
    lines = [Counted(**{**blank, "number": number}) for number in range(1, 901)]
    chapters_told = list(story._divide(lines, story.read_chapters(match), registry.games()[GAME]))
    assert sum(len(chapter.lines) for chapter in chapters_told) == 900 and len(chapters_told) == 300
    assert len(looked) < 10 * 900


def test_the_results_which_no_report_prints_are_not_read(table):
    table.german.roll("morale", tq="6", modifier="1", die="3", dice="table")
    with CaptureQueriesContext(connection) as queries:
        report(table.german)
    (entries,) = [query["sql"] for query in queries if '"firefight_logentry"."sentence"' in query["sql"]]
    columns = entries.partition(" FROM ")[0].split(", ")
    assert '"firefight_logentry"."result"' not in columns  # but for its outcome and headline


# In short


def test_a_chapter_begins_with_a_sentence_that_sums_it_up(table):
    table.german.roll("morale", tq="6", modifier="1", die="3", dice="table")
    for words in all_forms(table.russian):
        assert "1 roll in less than a minute." in words


@pytest.mark.parametrize(
    ("minutes", "words"),
    [(0, "in less than a minute"), (1, "in 1 minute"), (60, "in 1 hour"), (1500, "in 1 day and 1 hour")],
)
def test_a_span_is_told_as_players_say_it(minutes, words):
    assert story._tell_span(timedelta(minutes=minutes)) == words


def test_paper_and_markdown_tell_the_time_of_whoever_reads(table):
    LogEntry.objects.filter(number=1).update(at=datetime(2026, 1, 9, 22, 30, tzinfo=UTC))
    table.german.note("late")
    LogEntry.objects.filter(sentence="late").update(at=datetime(2026, 1, 9, 23, 30, tzinfo=UTC))
    assert "late (9 Jan 2026, 23:30)" in text_of(report(table.german, ".md"))
    table.german.client.cookies["zone"] = "Europe/Berlin"
    assert "late (10 Jan 2026, 00:30)" in text_of(report(table.german, ".md"))
    assert "10 Jan 2026" in words_of_pdf(report(table.german, ".pdf"))
    for odd in ("Mars/Base", "../../etc/passwd", "Europe", "x" * 5_000, "a/b/c/d/e", "Europe/Berlin\n"):
        table.german.client.cookies["zone"] = odd
        assert "late (9 Jan 2026, 23:30)" in text_of(report(table.german, ".md"))


# Turning points


def check(number, die, came_to, side="german", **more):
    """A Morale Check against TQ 7 on a die, as a line tells of it."""
    inputs = {"name": "squad", "unit": "squad", "state": "good_order", "tq": 7, "modifier": 0, "other_drm": 0}
    entry = rolled(side, die, helper="morale", inputs=inputs, **more)
    entry.number, entry.sentence = number, f"line {number}"
    return entry, came_to


def judge(*checks, histories=None):
    match = Match.objects.get()
    lines = reading.visible([entry for entry, _ in checks], ())
    outcomes = {entry.number: came_to for entry, came_to in checks}
    return turning_points.judge_rolls(match, lines, outcomes, histories or history.tell_histories(lines, GAMES))


def test_a_roll_is_judged_by_the_odds_that_were_shown_before_it(table):
    passed, failed, worst = judge(check(5, 3, "no_effect"), check(6, 9, "pinned"), check(7, 10, "disrupted"))
    odds = {row.outcome: row.weight / 10 for row in odds_of_check().rows}
    assert [judged.share for judged in (passed, failed, worst)] == [
        pytest.approx(odds[name]) for name in ("no_effect", "pinned", "disrupted")
    ]
    assert passed.is_low and not failed.is_low and not worst.is_low
    assert worst.tail == pytest.approx(odds["disrupted"])
    assert failed.tail == pytest.approx(odds["pinned"] + odds["disrupted"])


def odds_of_check():
    helper, book = registry.helpers(GAME)["morale"], chartbooks.of_match(Match.objects.get())
    inputs = helper.form.from_plain(check(1, 1, "")[0].inputs, book=book)
    assert inputs.is_valid()
    return helper.all_odds(book, inputs.inputs())[0]


def test_rolls_that_are_void_hidden_or_certain_are_not_judged(table):
    void, hidden = check(5, 3, "no_effect", voided_by=9), check(6, 3, "no_effect", secret="s")
    assert not judge(void, hidden, check(7, 3, None))


def test_what_a_roll_cost_counts_for_every_roll_that_led_to_it():
    fire = LogEntry(number=1, kind="roll", side="german", sentence="", helper="fire", inputs={})
    morale = LogEntry(number=2, kind="roll", side="russian", sentence="", helper="morale", due="1-0", inputs={})
    fell = LogEntry(number=3, kind="counter", side="russian", sentence="", about=2)
    fell.inputs = {"counters": {"russian-1": {"fate": ["", "eliminated"]}}}
    lines = reading.visible([fire, morale, fell], ())
    assert turning_points._count_costs(lines, history.tell_histories(lines, GAMES)) == {1: 1, 2: 1}


def fire(number, die, came_to, targets, side="german", ff=8):
    """An attack on two squads, as a line tells of it, on a d100."""
    units = [{"kind": "squad", "name": name, "tq": 7} for name in targets]
    plain = {"ff": ff, "range": 3, "modifiers": [], "units": units}
    entry = rolled(side, die, sides=100, helper="fire", inputs=plain)
    entry.number, entry.sentence = number, f"fire {number}"
    return entry, came_to


def harm(number, about, counter, **changed):
    """What a roll has made of a counter, as a line tells of it."""
    entry = LogEntry(number=number, kind="counter", side="russian", sentence="", about=about)
    entry.inputs = {"counters": {counter: changed}}
    return entry, None


FELL, HALVED = {"fate": ["", "eliminated"]}, {"state": [[], ["reduced"]]}


def rank(*lines):
    for entry, _ in lines:
        above = {line.number: line for line, _ in lines}.get(int(entry.due.partition("-")[0] or 0) or entry.about or 0)
        entry.episode = above and (above.episode or above.number)
    entries = reading.visible([entry for entry, _ in lines], ())
    histories = history.tell_histories(entries, GAMES)
    return turning_points.rank_turning_points(
        judge(*[line for line in lines if line[0].rolls], histories=histories), entries, histories
    )


def test_turning_points_are_ranked_by_what_they_changed(table):
    """A firefight whose order is known: by the counters that each roll cost, less the chance of that."""
    squads = ("1st", "2nd")
    # On its own the unlikeliest roll of all; nobody came to harm.
    lucky = [check(1, 1, "no_effect")]
    likely = [fire(2, 60, "m", squads), check(3, 10, "disrupted", side="russian", due="2-0")]
    two_fell = [fire(4, 1, "e", squads), harm(5, 4, "russian-1", **FELL), harm(6, 4, "russian-2", **FELL)]
    one_fell = [fire(7, 1, "e", squads), harm(8, 7, "russian-3", **FELL)]
    one_hurt = [fire(9, 1, "e", squads), harm(10, 9, "russian-4", **HALVED)]
    # A squad falls of a check that an attack asked for: the chance of both is that of each, multiplied.
    by_check = [fire(11, 40, "c/m", squads), check(12, 10, "disrupted", side="russian", due="11-0")]
    by_check += [harm(13, 12, "russian-5", **FELL)]
    points = rank(*lucky, *likely, *two_fell, *one_fell, *one_hurt, *by_check)
    shares = {point.number: point for point in points}
    assert [point.number for point in points if point.change] == sorted(
        (number for number in shares if shares[number].change), key=lambda number: -shares[number].change
    )
    two, one, hurt = shares[4], shares[7], shares[9]
    assert (two.fell, one.fell, hurt.hurt) == (2, 1, 1)
    assert two.change == pytest.approx(2 * one.change) == pytest.approx(4 * hurt.change)
    assert one.change == pytest.approx(1 - one.likelihood) and one.likelihood == pytest.approx(0.08)
    by_way = shares[11]
    assert by_way.likelihood == pytest.approx(0.17 * check_tail("disrupted"))
    assert by_way.change == pytest.approx(1 - by_way.likelihood)
    assert points[0] is two and [point.number for point in points].index(1) > 3
    assert (two.cost, hurt.cost, shares[1].cost) == ("2 fell", "1 hurt", "")
    # Told are the rolls that cost something, with what led to them; all of it where nothing was lost.
    assert [line.number for line in two.lines] == [4, 5, 6]
    assert [line.number for line in by_way.lines] == [11, 12, 13]
    assert [line.number for line in shares[2].lines] == [2, 3]


def check_tail(came_to):
    """The chance of the last thing that a check may come to, and so of it or beyond."""
    return {row.outcome: row.weight / 10 for row in odds_of_check().rows}[came_to]


def test_what_was_sure_to_come_turned_nothing(table):
    """A squad that falls to what nearly every roll would have come to is no turning point, whatever it cost."""
    rare = [check(1, 10, "disrupted", side="russian"), harm(2, 1, "russian-1", **FELL)]
    usual = [check(3, 3, "no_effect", side="russian"), harm(4, 3, "russian-2", **FELL)]
    first, second = rank(*usual, *rare)
    assert (first.number, second.number) == (1, 3)
    odds = {row.outcome: row.weight / 10 for row in odds_of_check().rows}
    assert first.change == pytest.approx(1 - odds["disrupted"])
    assert second.change == pytest.approx(1 - odds["no_effect"])


def test_where_nobody_was_hurt_the_least_likely_roll_comes_first(table):
    dull = [check(number, 3, "no_effect") for number in range(20, 40)]
    points = rank(*dull, check(41, 10, "disrupted"), check(10, 10, "disrupted"))
    assert [point.number for point in points][:3] == [10, 41, 20]
    assert not any(point.change for point in points)


def test_of_a_turning_point_only_what_led_to_the_loss_is_told(table):
    attack, passed = fire(1, 40, "c/m", ("1st", "2nd")), check(2, 3, "no_effect", side="russian", due="1-0")
    (point,) = rank(
        attack, passed, check(3, 10, "disrupted", side="russian", due="1-1"), harm(4, 3, "russian-2", **FELL)
    )
    assert [line.number for line in point.lines] == [1, 3, 4]


def test_a_roll_that_was_struck_is_told_of_no_turning_point(table):
    struck = check(2, 10, "disrupted", side="russian", due="1-0", voided_by=3)
    corrected = check(3, 3, "no_effect", side="russian", due="1-0")
    (point,) = rank(fire(1, 60, "m", ("1st", "2nd")), struck, corrected)
    assert [line.number for line in point.lines] == [1, 3]


def test_the_luckiest_are_those_whose_luck_has_a_direction(table):
    lucky, unlucky = judge(check(20, 3, "no_effect"), check(21, 10, "disrupted"))
    neither = replace(unlucky, helper="end-of-firefight")
    luckiest = {
        is_best: turning_points.find_luckiest(GAMES, [lucky, unlucky, neither], is_best) for is_best in (True, False)
    }
    assert luckiest == {True: [lucky], False: [unlucky]}


def test_the_luckiest_roll_is_the_one_whose_result_or_better_was_least_likely(table):
    """Not the one whose very result was: beside a rarer one, a result may be rare and still nothing much."""
    seldom, good = judge(fire(1, 40, "c/m", ("1st", "2nd")), fire(2, 1, "e", ("1st", "2nd")))
    beside = replace(seldom, share=good.share / 2)
    assert turning_points.find_luckiest(GAMES, [beside, good], is_best=True) == [good, beside]


def test_what_was_certain_is_not_judged(table):
    odds, ((entry, _),) = odds_of_check(), [check(5, 3, "no_effect")]
    (line,) = reading.visible([entry], ())
    certain = replace(odds, rows=(replace(odds.rows[0], weight=odds.total),))
    assert turning_points.judge(line, certain, odds.rows[0].outcome, cost=0) == []
    assert turning_points.judge(line, odds, odds.rows[0].outcome, cost=0) != []


def test_a_report_counts_the_dice_of_a_large_stack_without_throwing_them_all(table, monkeypatch):
    """Twelve dice fall in 10^12 ways: nobody would get an answer of this process any more."""
    slugs, resolve = [], Helper.resolve

    def note(helper, *arguments):
        slugs.append(helper.slug)
        assert len(slugs) < 1000, "every way in which the dice fall is tried"
        return resolve(helper, *arguments)

    units = ",".join(f'{{"kind":"squad","name":"squad {n}","tq":6}}' for n in range(12))
    dice = {f"die_{n}": n % 10 + 1 for n in range(1, 13)}
    table.german.roll("who-is-hit", result="c", units=f"[{units}]", dice="table", **dice)
    assert "who-is-hit" in [line.helper for line in table.german.log]
    monkeypatch.setattr(Helper, "resolve", note)
    assert "2 rolls" in text_of(table.german.get("report.md"))


# Chapters


def told_chapters(*lines_by_title):
    chapters, number = [], 1
    for title, *kinds in lines_by_title:
        lines = [SimpleNamespace(number=number + place, tells=kind) for place, kind in enumerate(kinds)]
        chapters.append(story.ToldChapter(story.Chapter(title, number, number + len(kinds) - 1), lines, GAMES))
        number += len(kinds)
    return story._join_empty(chapters, lambda line: line.tells, join_titles)


def test_chapters_in_which_nothing_happened_are_joined_to_others():
    chapters = told_chapters(("The beginning", 0), ("Turn 2", 0, 1), ("Turn 3", 0), ("Turn 4", 0, 0), ("Turn 5", 1))
    assert [(chapter.chapter.title, chapter.chapter.first, chapter.chapter.last) for chapter in chapters] == [
        ("The beginning to Turn 2", 1, 3),
        ("Turns 3 to 5", 4, 7),
    ]
    assert [len(chapter.lines) for chapter in chapters] == [3, 4]
    assert [chapter.chapter.title for chapter in told_chapters(("Turn 1", 1), ("Turn 2", 1), ("Turn 3", 0))] == [
        "Turn 1",
        "Turns 2 to 3",
    ]
    assert [chapter.chapter.title for chapter in told_chapters(("Turn 1", 0), ("Turn 2", 0))] == ["Turns 1 to 2"]
    assert told_chapters() == []


def test_a_game_without_counters_tells_of_its_least_likely_rolls():
    """Turning Point knows no losses: a chapter tells what was least to be expected."""
    german, _ = begin("german", hot_seat=True, game="turning-point-stalingrad")
    for dice in ((9, 8), (12, 2)):
        rolled_dice = dict(zip(("attack_dr", "defence_dr"), dice, strict=True))
        german.roll("attack", **{**of_game("turning-point-stalingrad")["attack"], **rolled_dice}, dice="table")
    story_told = story.read_story(german.match, ("german", "russian"))
    assert len(story_told.turned) == 2 and story_told.turned[0].likelihood < story_told.turned[1].likelihood
    assert story_told.how_turning == story.HOW_UNLIKELY
    assert story.tell_point(story_told.game, story_told.turned[0]) in story_told.chapters[0].tale


def test_combats_of_battle_are_ranked_by_whom_they_eliminated():
    """A game without counters of its own has turning points by the units that its combats say are lost."""
    player, _ = begin(game="battle-for-stalingrad", hot_seat=True)
    for die in (1, 2, 3, 4, 5, 6):
        player.roll("combat", die=str(die), strength="12", hex=str(1700 + die))
    story_told = story.read_story(player.match, ())
    lost = [point.fell for point in story_told.turning_points]
    assert len(set(lost)) > 1 and lost == sorted(lost, reverse=True) and all(lost)
    page = text_of(player.get("report/"))
    first = pages.words_of_each(page, ".turning li")[0]
    assert f"{lost[0]} enemy units eliminated" in first and "100 %" not in first
    assert story.HOW_COSTLY in page
    assert "hex 170" in pages.words_of_each(page, "p.tale")[0]
