"""No single change of an exported log passes: neither one of its lines, nor one of its seals, nor of what it rolled."""

import json
import re
from importlib import import_module
from random import Random
from uuid import uuid4

import pytest

from firefight.engine import chain
from firefight.games import chartbooks
from firefight.games.chartbooks import store
from firefight.models import LogEntry, Match
from firefight.table.act.table import Table
from firefight.table.act.writing import chain_entry
from firefight.table.consent.matters import propose_book
from firefight.table.log import fairness
from firefight.table.log.reading import visible
from firefight.table.rolling import replay
from tests import pages
from tests.books import altered_data
from tests.firefight.forgeries import forged
from tests.firefight.players import SAMPLES, begin, end, sit, text_of, words_of
from tests.firefight.table.test_archive import branch_of, save, send, without_digests
from tests.soak import SEED, length

pytestmark = pytest.mark.django_db

FORGERIES = length(50, 3000)


def played():
    """A match with every helper rolled by both kinds of dice, and everything else that a log can tell."""
    german, links = begin()
    russian = sit(links["russian"], german.match_id)
    german.note("a battery in K7", sealed="on")
    russian.note("a gun in L8", sealed="on")
    german.note("opened soon", sealed="on")
    german.do("reveal/", number=str(german.last.number))
    for slug, fields in SAMPLES.items():
        german.roll(slug, dice="table", **fields)
        german.do("drop/", step="all")
        russian.roll(slug, dice="app", **{name: value for name, value in fields.items() if "die" not in name})
    german.roll("morale", tq="6", die="8", dice="table")
    german.roll("morale", tq="6", die="3", dice="table", corrects=str(german.last.number))
    german.do("take-back/")
    german.roll("fo-loss", dice="app")
    german.do("take-back/")
    russian.do("answer/", agrees="yes")
    german.do("advance/")
    german.note("Well.", about="4")
    return german, russian


@pytest.fixture
def both(frozen):
    """Its two players."""
    return frozen("every roll", played)


@pytest.fixture
def ended(both):
    """The log of such a match, as the German gets it after the end."""
    german, russian = both
    end(german, russian)
    return german.get("log.json").json()


@pytest.fixture
def gone_on(both):
    """The log of a branch of a file of a branch, all of them ended, in which the Russian's words are withheld."""
    german, russian = both
    matches = [german, branch_of(german)]
    matches[1].roll("contact", dice="app", device="radio")
    matches.append(send(save(matches[1]))[0])
    matches[2].roll("fo-loss", dice="app")
    matches.append(branch_of(matches[2]))
    matches[3].roll("contact", dice="app", device="radio")
    matches[3].roll("morale", dice="app", tq="6")
    end(german, russian)
    for match in matches[1:]:
        end(match)
    return matches[3].get("log.json").json()


def check_forgeries(exported, script):
    random = Random(SEED)
    for number in range(FORGERIES):
        changed, forgery = forged(random, exported)
        report = fairness.check_log(changed)
        assert report.problems, forgery
        assert script(changed)["problems"] == list(report.problems), forgery
        if number % 10 == 0:
            replay.examine_log(changed)  # whatever it says, it does not fail


@pytest.mark.soak
def test_no_single_change_of_a_match_passes(ended, script):
    assert fairness.check_log(ended).is_complete
    assert replay.work_out_results(ended) == replay.WorkedOut(
        2 * len(SAMPLES) + 5, (), ()
    )  # with losses that computed themselves, twice
    check_forgeries(ended, script)


@pytest.mark.soak
def test_no_single_change_of_a_match_that_goes_on_from_others_passes(gone_on, script):
    report = fairness.check_log(gone_on)
    assert report.is_complete and [span.number for span in report.spans][1:] == [1, 1, 2]
    assert "Sealed words that cannot be read here may stand in 1 line;" in report.notes[0]
    assert replay.work_out_results(gone_on).problems == ()
    check_forgeries(gone_on, script)


# Who chains the lines anew is found by the rules


def chained(exported):
    """The log as somebody writes it who knows how digests are made."""
    digest = ""
    for line in exported["entries"]:
        digest = line["digest"] = chain.line_digest(digest, line)
    return {**exported, "digest": digest}


def rewritten(exported, change):
    copy = json.loads(json.dumps(exported))
    change(copy["entries"])
    return chained(copy)


def line_of(lines, helper, source="table"):
    """The first roll of a helper with such dice."""
    return next(line for line in lines if line.get("helper") == helper and line["rolls"][0]["source"] == source)


def new_face(lines):
    line_of(lines, "morale")["rolls"][0]["face"] = 2


def new_sides(lines):
    line_of(lines, "morale")["rolls"][0] |= {"sides": 100, "face": 8}


def new_label(lines):
    line_of(lines, "contact")["rolls"][0]["label"] = "d20"


def new_sentence(lines):
    line_of(lines, "contact")["sentence"] = "Contact: 1 against 65."


def new_outcome(lines):
    result = line_of(lines, "contact", "app")["result"]
    result["outcome"] = "contact" if result["outcome"] == "lifted" else "lifted"


def new_modifier(lines):
    line_of(lines, "contact")["result"]["modifiers"][0]["value"] -= 30


def new_input(lines):
    line_of(lines, "contact")["inputs"]["other_drm"] = -40


def new_helper(lines):
    line_of(lines, "morale")["helper"] = "fo-loss"


def more_dice(lines):
    rolls = line_of(lines, "morale")["rolls"]
    rolls.append(rolls[0])


def fewer_dice(lines):
    line_of(lines, "who-is-hit")["rolls"].pop()


def odd_inputs(lines):
    line_of(lines, "who-is-hit")["inputs"]["units"] = {"a": [5, None]}


REWRITTEN = (
    new_face,
    new_sides,
    new_label,
    new_sentence,
    new_outcome,
    new_modifier,
    new_input,
    new_helper,
    more_dice,
    fewer_dice,
    odd_inputs,
)


def test_who_writes_the_chain_anew_is_found_when_results_are_worked_out_again(ended):
    for change in REWRITTEN:
        forged_log = rewritten(ended, change)
        assert not fairness.check_log(forged_log).problems, change
        assert replay.work_out_results(forged_log).problems, change
        noted = ended["entries"][-1]["digest"]
        assert fairness.check_log(forged_log, noted).problems, change


def test_results_of_another_version_are_called_unchecked_where_they_differ(ended):
    def of_old(lines):
        new_outcome(lines)
        line_of(lines, "contact", "app")["app"] = "0.0.9"

    again = replay.work_out_results(rewritten(ended, of_old))
    assert again.problems == ()
    assert "1 result: they differ, but were worked out by 0.0.9" in again.notes[0]


def test_results_go_by_the_charts_that_were_pinned_then(monkeypatch):
    """Also where the act that exchanged them was taken back."""
    german, _ = begin(hot_seat=True)
    other = store(german.match.game, altered_data("contact", values={"radio": 80, "phone": 75, "plotted": 75}))

    def roll():
        german.roll("contact", device="radio", die="70", dice="table")

    def exchange():
        propose_book(Table(german.match, "german", ("german",), []), str(uuid4()), german.match.version, other, "Mine")

    roll()
    exchange()
    roll()
    german.do("take-back/")
    german.do("take-back/")
    german.do("answer/", agrees="yes")
    roll()
    exchange()
    roll()
    exported = german.get("log.json").json()
    words = [line["sentence"] for line in exported["entries"] if line["kind"] == "roll"]
    assert [words_of_line.startswith("Contact: 70") for words_of_line in words] == [False, True, False, True]
    assert fairness.check_log(exported).problems == ()
    assert replay.work_out_results(exported) == replay.WorkedOut(4, (), ())
    # A copy of the app that has never seen the charts finds them in the file; without them it says so.
    exported["books"] = {}
    monkeypatch.setattr(chartbooks, "data_of", lambda digests: {})
    again = replay.work_out_results(exported)
    assert again.same == 0 and again.notes == (
        "Not worked out again, 4 results: their charts are neither in the file nor stored here.",
    )


def work_out_in_parts(exported, monkeypatch):
    """The lines that each part of a check works out again, until nothing is left."""
    lines, compare = [], replay._compare
    monkeypatch.setattr(replay, "_compare", lambda line, *more: (lines.append(line["number"]), compare(line, *more)))
    parts, first = [], 1
    while first:
        again = replay.work_out_results(exported, first)
        assert (again.same, again.problems) == (len(lines), ())
        parts.append(lines[:])
        lines.clear()
        first = again.onwards
        assert first is None or again.notes[-1].startswith(f"Results from line {first} on are still")
    return parts


@pytest.mark.parametrize("bound", [{"MOST_RESULTS": 10}, {"MOST_LETTERS": 4_000}, {"MOST_LETTERS": 1}])
def test_a_long_log_is_worked_out_part_by_part_and_every_part_is_bounded(ended, monkeypatch, bound):
    [whole] = work_out_in_parts(ended, monkeypatch)
    for name, most in bound.items():
        monkeypatch.setattr(replay, name, most)
    parts = work_out_in_parts(ended, monkeypatch)
    assert len(parts) > 2
    assert sum(parts, []) == whole, "each result once, none left out"
    letters = {line["number"]: replay._count_letters(line) for line in ended["entries"] if line.get("result")}
    for part in parts:
        assert len(part) <= replay.MOST_RESULTS
        assert len(part) == 1 or sum(letters[number] for number in part) <= replay.MOST_LETTERS


def test_the_page_of_dice_leads_on_to_the_next_part(both, monkeypatch):
    german, russian = both
    end(german, russian)
    monkeypatch.setattr(replay, "MOST_RESULTS", 10)
    address, results_seen = "dice/", 0
    while address:
        page = pages.read(text_of(german.get(address)))
        results_seen += int(re.search(r"(\d+) results? worked out again", pages.words(page))[1])
        following = page.css_first('a[href^="?first="]')
        assert not following or pages.words(following).startswith("Check on from line")
        address = following and f"dice/{following.attributes['href']}"
    monkeypatch.undo()
    assert results_seen == replay.work_out_results(german.get("log.json").json()).same > 20


def test_rows_of_before_lines_had_digests_are_chained_by_the_migration(both):
    """What the migration makes of old rows passes the check, with everything that struck and opened lines."""
    german, russian = both
    end(german, russian)
    entries = german.log
    for entry in entries:
        entry.voids, entry.salt, entry.secret_digest, entry.digest, entry.app = [], "", "", "", ""
        # A migration reads plain values.
        entry.result, entry.rolls = entry.result and entry.result.to_json(), [die.to_json() for die in entry.rolls]
    last = import_module("firefight.migrations.0005_log_digest").chain_entries(entries)
    LogEntry.objects.bulk_update(entries, ["voids", "salt", "secret_digest", "digest", "app"])
    Match.objects.filter(pk=german.match_id).update(digest=last)
    exported = german.get("log.json").json()
    assert fairness.check_log(exported).problems == () and replay.work_out_results(exported).problems == ()


def test_a_file_of_before_lines_had_digests_is_chained_when_it_is_opened(both):
    german, _ = both
    opened, response = send(without_digests(save(german)))
    assert response.status_code == 200
    end(opened)
    assert fairness.check_log(opened.get("log.json").json()).problems == ()


def test_a_file_whose_log_was_changed_is_refused(both):
    german, _ = both
    saved = save(german)
    saved["log"][3]["sentence"] = "Nothing was sealed."
    _, response = send(saved)
    assert response.status_code == 422
    assert "log: Line 4 was changed, or does not follow the line before it" in words_of(response)


# The digest is shown


def test_the_newest_digest_stands_on_the_match_page_and_in_its_fragments_and_report():
    german, _ = begin()
    assert german.match.digest == german.last.digest and german.match.digest in german.see()
    answer = german.roll("fo-loss", htmx=True, die="4", dice="table", after=str(german.match.last_number))
    assert german.match.digest == german.last.digest and german.match.digest in text_of(answer)
    assert german.match.digest in german.see("dice/")
    for report in ("report/", "report.md"):
        assert f"Digest of the log up to line {german.match.last_number}: {german.match.digest}" in german.see(report)
    assert german.match.digest in "".join(text_of(german.get("report.pdf")).split())


def test_lines_that_may_hide_something_look_alike():
    """Whether a line has sealed words shows to nobody: those that have none get a digest of nothing."""
    german, _ = begin()
    entry = LogEntry(match=german.match, number=9, kind="ledger", side="german", sentence="German has set up.")
    chain_entry(entry, "")
    assert entry.salt and entry.secret_digest == chain.secret_digest(entry.salt, {})
    assert visible([entry], ("russian",))[0].salt == "" and visible([entry], ("german",))[0].salt == entry.salt


def test_of_what_is_withheld_a_log_holds_a_digest_that_nobody_can_guess(both):
    german, russian = both
    (entry,) = [line for line in german.log if line.secret == "a gun in L8"]
    exported = german.get("log.json").json()
    line = exported["entries"][entry.number - 1]
    assert "secret" not in line and "salt" not in line and line["secret_digest"] == entry.secret_digest
    assert entry.salt not in german.get("log.json").content.decode()
    assert entry.salt not in german.get("archive.json").content.decode()
    own = russian.get("log.json").json()["entries"][entry.number - 1]
    assert (own["secret"], own["salt"]) == ("a gun in L8", entry.salt)
    for log in (exported, russian.get("log.json").json()):
        assert fairness.check_log(log).problems == ()
    russian.do("reveal/", number=str(entry.number))
    revealed = german.get("log.json").json()
    assert revealed["entries"][entry.number - 1]["salt"] == entry.salt
    assert fairness.check_log(revealed).problems == ()


@pytest.mark.parametrize("number", ["1e22", "-0.0", "1.50"])
def test_what_a_page_carries_along_holds_no_number_that_a_database_writes_in_another_way(number):
    """PostgreSQL gives 1e22 back as a whole number, and its line would not fit its digest any more."""
    german, _ = begin()
    response = german.roll("fo-loss", item="phone", die="4", dice="table", carry=f'{{"aim": {number}}}')
    assert response.status_code == 422 and len(german.log) == 2
