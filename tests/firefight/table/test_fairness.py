"""The app's dice can be checked: by the page, and by a script that knows nothing of the app, with the same words."""

import json
import re
import subprocess
import sys
from dataclasses import asdict

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile

from firefight.engine import chain
from firefight.engine.rolls.dice import commitment, rolled_face
from firefight.table.log import fairness
from tests.firefight.players import begin, end, sit, text_of, words_of

SCRIPT = settings.BASE_DIR / "scripts" / "check_dice.py"
SEED = bytes(range(32))
DICE = (100, 10, 10, 100, 6, 10)


def line(number, kind, sentence, rolls=(), **more):
    plain = {"number": number, "kind": kind, "side": "german", "at": "2026-11-20T19:30:00+00:00", "sentence": sentence}
    marks = {"about": None, "voided_by": None, "revealed_by": None}
    return {**plain, "rolls": list(rolls), **marks, **more}


def app_roll(number, sides, seed=SEED):
    face = rolled_face(seed, number, sides)
    return {"die": "die", "label": "die", "sides": sides, "face": face, "source": "app", "number": number}


def chained(log):
    """The log as if its lines had been written just so."""
    digest = ""
    for entry in log["entries"]:
        digest = entry["digest"] = chain.line_digest(digest, entry)
    return {**log, "digest": digest}


def made_log(dice=DICE, seed=SEED, **changes):
    """A log of an ended match with such dice, as the app exports it."""
    table = {"die": "die", "label": "die", "sides": 10, "face": 3, "source": "table"}
    begins = f"The match begins. Its dice are sealed as {commitment(seed)}."
    entries = [
        line(1, "seat", begins, side="", inputs={"match": "abc", "game": "chess", "name": "Friday"}),
        line(2, "note", "…", [table]),
        *(line(number + 2, "note", "…", [app_roll(number, sides, seed)]) for number, sides in enumerate(dice, 1)),
    ]
    log = {
        "format": "volga-ledger log",
        "schema": 2,
        "app": "0.2.0",
        "match": "abc",
        "game": "chess",
        "name": "Friday",
        "chart_book": "",
        "commitment": commitment(seed),
        "seed": seed.hex(),
        "rolls_made": len(dice),
        "earlier_dice": [],
        "books": {},
        "entries": entries,
    }
    return {**chained(log), **changes}


EARLIER = bytes(range(1, 33))


def going_on(opened=True, **changes):
    """The log of a match that goes on from one with another seed, after its fourth roll."""
    log = made_log()
    lines = log["entries"]
    for entry in lines:
        entry["rolls"] = [app_roll(r["number"], r["sides"], EARLIER) if "number" in r else r for r in entry["rolls"]]
    lines[0] |= {"sentence": f"The match begins. Its dice are sealed as {commitment(EARLIER)}."}
    lines[0]["inputs"] = {"match": "before", "game": "chess", "name": "Thursday"}
    begins = f"This match branches off from match before, at № 6.  Its dice are sealed anew, as {commitment(SEED)}."
    lines.insert(6, line(7, "seat", begins, side="", inputs={"match": "abc", "game": "chess", "name": "Friday"}))
    for number, entry in enumerate(lines, 1):
        entry["number"] = number
        entry["rolls"] = [app_roll(r["number"], r["sides"]) if r.get("number", 0) > 4 else r for r in entry["rolls"]]
    seal = {"match": "before", "to": 4, "commitment": commitment(EARLIER), "seed": EARLIER.hex() if opened else None}
    return chained({**log, "earlier_dice": [{**seal, **changes}]})


def tampered(**changes):
    return {**made_log(), **changes}


def with_roll(place, **changes):
    """The good log with one roll changed, by somebody who knows how to chain lines anew."""
    log = made_log()
    log["entries"][place + 2]["rolls"][0] |= changes
    return chained(log)


def with_line(place, rewritten=False, **changes):
    log = made_log()
    log["entries"][place] |= changes
    return chained(log) if rewritten else log


def without(place):
    log = made_log()
    del log["entries"][place + 2]
    for number, entry in enumerate(log["entries"], 1):
        entry["number"] = number
    return chained(log)


def as_table(place):
    log = with_roll(place, source="table")
    del log["entries"][place + 2]["rolls"][0]["number"]
    return chained(log)


def forged_by_seals():
    """Every face a 1, and a seal for each roll whose seed gives a 1 there (0.5 ms of search for six d10)."""
    log = made_log(dice=(10,) * 6)
    seals = []
    for number, entry in enumerate(log["entries"][2:], 1):
        entry["rolls"][0]["face"] = 1
        seed = next(s for n in range(999) if rolled_face(s := n.to_bytes(32, "big"), number, 10) == 1)
        seals.append({"match": "before", "to": number, "commitment": commitment(seed), "seed": seed.hex()})
    return {**log, "earlier_dice": seals}


def swapped():
    """The rolls of two lines change places."""
    log = made_log()
    lines = log["entries"]
    lines[3]["rolls"], lines[4]["rolls"] = lines[4]["rolls"], lines[3]["rolls"]
    return log


def passed_off_as_table():
    """The last roll of the app is said to be one of the table, and fewer were made."""
    log = as_table(5)
    return {**log, "rolls_made": 5, "digest": made_log()["digest"]}


ORDER = "each once and in this order along the lines."
NO_LOG = "This is no log as the app exports it."
NO_DIGEST = "was changed, or does not follow the line before it: its digest does not fit."
# What somebody tried; the first six passed once.
FORGED = {
    "faces of 1 and a seal for each roll": (forged_by_seals(), "The seals of earlier matches do not agree"),
    "one seal over everything, not open": (
        tampered(earlier_dice=[{"match": "b", "to": 1_000_000, "commitment": "0" * 64, "seed": None}]),
        "The seals of earlier matches do not agree",
    ),
    "the rolls of two lines swapped": (swapped(), ORDER),
    "other sides of a die": (with_line(3, rolls=[app_roll(2, 100)]), NO_DIGEST),
    "the last roll passed off as a real die": (passed_off_as_table(), "The digest of the whole log is not"),
    "another sentence": (with_line(3, sentence="Contact."), "Line 4 " + NO_DIGEST),
    "another outcome": (with_line(3, result={"outcome": "contact"}), "Line 4 " + NO_DIGEST),
}
BAD = {
    **FORGED,
    "another face": (with_roll(0, face=rolled_face(SEED, 1, 100) % 100 + 1), "Roll 1: the log says"),
    "a face that the die does not have": (with_roll(1, face=11), "a die with 10 sides does not show 11."),
    "another number": (with_roll(2, number=7), f"The numbers of the rolls are not 1 to 6, {ORDER}"),
    "a number twice": (with_roll(2, number=2), f"The numbers of the rolls are not 1 to 6, {ORDER}"),
    "a roll left out": (without(3), f"The numbers of the rolls are not 1 to 6, {ORDER}"),
    "a roll without number": (with_roll(3, source="table"), NO_LOG),
    "a roll passed off as a real die": (as_table(3), f"The numbers of the rolls are not 1 to 6, {ORDER}"),
    "a line with another number": (with_line(2, rewritten=True, number=9), "The numbers of the lines are not 1 to 8"),
    "another seed": (tampered(seed=bytes(32).hex()), "A seed does not fit the commitment"),
    "another commitment": (tampered(commitment="0" * 64), "tell of another beginning of the match than its head"),
    "no commitment": (tampered(commitment=None), NO_LOG),
    "another match": (tampered(match="xyz"), "The log's lines tell of another match than its head."),
    "another name": (tampered(name="Monday"), "The log's lines tell of another name than its head."),
    "fewer rolls made": (tampered(rolls_made=5), f"The numbers of the rolls are not 1 to 5, {ORDER}"),
    "very many rolls made": (tampered(rolls_made=10**8), "The numbers of the rolls are not 1 to 100000000"),
    "endlessly many rolls made": (tampered(rolls_made=10**15), NO_LOG),
    "a die without sides": (with_roll(0, sides=0), "there is no die with 0 sides."),
    "a die with sides below zero": (with_roll(0, sides=-6), NO_LOG),
    "a die with endless sides": (with_roll(0, sides=2**20), "there is no die with 1048576 sides."),
    "an infinite face": (with_roll(0, face=float("inf")), NO_LOG),
    "a face in words": (with_roll(0, face="7"), NO_LOG),
    "a face that is a yes": (with_roll(0, face=True), NO_LOG),
    "a seed that is no hex": (tampered(seed="xyz"), NO_LOG),
    "an ended match with a sealed seed": (
        chained({**made_log(), "seed": None, "entries": [*made_log()["entries"], line(9, "end", "The match ends.")]}),
        "The log says that the match has ended, but its seed is missing.",
    ),
    "a line struck by nobody": (with_line(3, voided_by=5), "Line 4: whether it still stands does not agree"),
    "a line opened by nobody": (with_line(3, revealed_by=5), "Line 4: whether it was revealed does not agree"),
    "a line that strikes": (with_line(5, rewritten=True, voids=[4]), "Line 4: whether it still stands does not agree"),
    "words that were never sealed": (with_line(3, secret="hill"), "Line 4: its sealed words are not those"),
    "a digest of another log": (tampered(digest="0" * 64), "The digest of the whole log is not that of its last"),
    "a log of nothing": (tampered(entries=[]), "The numbers of the rolls are not 1 to 6"),
    "another seed of an earlier match": (going_on(seed="00" * 32), "A seed does not fit the commitment"),
    "an earlier match that ends elsewhere": (going_on(to=3), "The seals of earlier matches do not agree"),
    "an earlier match of another name": (going_on(match="xyz"), "The seal of match xyz is that of another match."),
    "an earlier match in words": (going_on(to="4"), NO_LOG),
    "an earlier match left out": ({**going_on(), "earlier_dice": []}, "The seals of earlier matches do not agree"),
    "earlier matches that are no list": (tampered(earlier_dice=7), NO_LOG),
    "rolls that are no list": (tampered(entries=[{"rolls": 5}]), NO_LOG),
    "entries that are no list": (tampered(entries=5), NO_LOG),
    "a field that no log has": (with_line(3, rewritten=True, colour="red"), NO_LOG),
    "a list": ([], NO_LOG),
    "a number": (5, NO_LOG),
    "nothing": (None, NO_LOG),
    "an empty object": ({}, NO_LOG),
}


def run_script(*arguments):
    command = [sys.executable, "-I", str(SCRIPT), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


# The derivation


def test_a_face_follows_from_the_documented_steps_alone():
    text = (settings.BASE_DIR / "docs" / "dice.md").read_text(encoding="utf-8")
    table = re.findall(r"^\| (\d+) \| (\d+) \| (\d+) \|$", text, re.M)
    assert len(table) == 5
    for number, *faces in table:
        derived = [rolled_face(bytes(32), int(number), sides) for sides in (100, 10)]
        assert derived == [int(face) for face in faces]
    assert commitment(bytes(32)) in text


def test_the_script_needs_no_project_and_no_package():
    imported = re.findall(r"^(?:import|from) (\w+)", SCRIPT.read_text(encoding="utf-8"), re.M)
    assert set(imported) <= sys.stdlib_module_names
    assert not {"firefight", "django"} & set(imported)


# Page, function and script agree


def plain(report):
    """A report of the app as the script gives it."""
    spans = [(span.first, span.last, span.commitment, span.seed) for span in report.spans]
    return {**asdict(report), "problems": list(report.problems), "notes": list(report.notes), "spans": spans}


def test_a_good_log_passes(script):
    report = fairness.check_log(made_log())
    assert (report.checked, report.problems, report.sealed, report.notes) == (6, (), 0, ())
    assert report.is_complete and report.lines == 8
    assert script(made_log()) == plain(report)


@pytest.mark.parametrize("name", BAD)
def test_a_tampered_log_is_told_by_both_in_the_same_words(script, name):
    exported, message = BAD[name]
    report = fairness.check_log(exported)
    assert any(message in problem for problem in report.problems), report.problems
    assert script(exported) == plain(report)


def test_rolls_of_an_earlier_match_are_checked_against_its_seed_once_that_is_open(script):
    opened, sealed = fairness.check_log(going_on()), fairness.check_log(going_on(opened=False))
    assert (opened.checked, opened.problems, opened.sealed, opened.is_complete) == (6, (), 0, True)
    assert (sealed.checked, sealed.problems, sealed.sealed, sealed.is_complete) == (2, (), 4, False)
    assert [(span.first, span.last, span.commitment) for span in sealed.spans] == [
        (1, 4, commitment(EARLIER)),
        (5, 6, commitment(SEED)),
    ]
    for exported, report in ((going_on(), opened), (going_on(opened=False), sealed)):
        assert script(exported) == plain(report)


def test_the_script_and_the_page_say_how_many_rolls_are_still_sealed(tmp_path, client, db):
    file = tmp_path / "log.json"
    file.write_text(json.dumps(going_on(opened=False)))
    done = run_script(file)
    assert done.returncode == 2
    assert "Checked 2 of 6 rolls" in done.stdout and "4 rolls cannot be checked yet" in done.stdout
    assert commitment(EARLIER) in done.stdout and commitment(SEED) in done.stdout
    words = words_of(client.post("/dice/", {"text": file.read_text()}))
    assert "2 rolls of the app checked." in words and "4 rolls cannot be checked yet" in words
    assert "all of them fit" not in words


def test_a_match_that_goes_on_is_not_checked_before_it_ends_but_its_lines_are(script, tmp_path):
    exported = tampered(seed=None)
    report = fairness.check_log(exported)
    assert (report.checked, report.sealed, report.problems, report.lines) == (0, 6, (), 8)
    assert script(exported) == plain(report)
    file = tmp_path / "log.json"
    file.write_text(json.dumps(exported))
    assert run_script(file).returncode == 2
    changed = with_line(3, sentence="Contact.") | {"seed": None}
    assert fairness.check_log(changed).problems


def test_a_log_of_an_older_version_is_checked_as_far_as_that_goes(script, tmp_path):
    old = {name: value for name, value in made_log().items() if name not in ("app", "digest", "books")}
    lines = [{name: value for name, value in line.items() if name != "digest"} for line in old["entries"]]
    exported = {**old, "schema": 1, "entries": lines}
    report = fairness.check_log(exported)
    assert (report.checked, report.problems, report.is_complete) == (6, (), False)
    assert "The lines have no digests" in report.notes[0]
    assert script(exported) == plain(report)
    assert script({**exported, "earlier_dice": forged_by_seals()["earlier_dice"]})["problems"]


def test_who_noted_a_digest_learns_up_to_where_nothing_has_changed(script):
    log = made_log()
    for noted, sentence in (
        (log["entries"][3]["digest"], "You noted the digest of line 4"),
        (log["entries"][3]["digest"][:16].upper(), "You noted the digest of line 4"),
        (log["commitment"], "You noted a commitment that this log begins with."),
    ):
        report = fairness.check_log(log, noted)
        assert report.notes[0].startswith(sentence) and not report.problems
        assert script(log, noted) == plain(report)
    for noted in ("0" * 64, "0" * 15, "no digest"):
        report = fairness.check_log(log, noted)
        assert report.problems and script(log, noted) == plain(report)


def test_a_log_that_was_written_anew_is_told_by_a_digest_that_was_noted():
    noted = made_log()["entries"][5]["digest"]
    forged = with_line(3, rewritten=True, sentence="Contact.")
    assert not fairness.check_log(forged).problems
    assert "No line of this log has the digest that you noted" in fairness.check_log(forged, noted).problems[0]


def test_nesting_without_end_is_no_error(script, client, db):
    text = json.dumps(with_line(3, result={"deep": 1}))
    for depth in (50, 700, 900, 960, 985):
        deep = text.replace('{"deep": 1}', '{"a":' * depth + "1" + "}" * depth)
        assert client.post("/dice/", {"text": deep}).status_code in (200, 422)
        try:
            exported = json.loads(deep)
        except RecursionError:
            continue
        assert fairness.check_log(exported).problems and script(exported)["problems"]


def test_many_flaws_are_counted_and_not_all_told(script):
    exported = made_log(dice=(10,) * 500, seed=SEED) | {"seed": bytes(32).hex()}
    report = fairness.check_log(exported)
    assert len(report.problems) == fairness.MOST_PROBLEMS + 1
    assert re.fullmatch(r"And \d+ more\.", report.problems[-1])
    assert script(exported) == plain(report)


def test_nothing_to_check_is_not_called_good(script, tmp_path):
    exported = made_log(dice=())
    report = fairness.check_log(exported)
    assert (report.checked, report.problems, report.is_complete) == (0, (), False)
    assert report.notes == ("The app has rolled no dice in this log, so there are none to check.",)
    assert script(exported) == plain(report)
    file = tmp_path / "log.json"
    file.write_text(json.dumps(exported))
    done = run_script(file)
    assert done.returncode == 2 and "all fit" not in done.stdout


# The script as a program


def test_the_script_says_that_a_good_log_is_good(tmp_path):
    file = tmp_path / "log.json"
    file.write_text(json.dumps(made_log()))
    done = run_script(file)
    assert done.returncode == 0
    assert "Checked 6 rolls of the app: all fit." in done.stdout
    assert commitment(SEED) in done.stdout and made_log()["digest"] in done.stdout
    assert "Not checked: whether the results follow from the dice" in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize("name", [*FORGED, "another face", "another seed", "a list", "an infinite face"])
def test_the_script_says_what_does_not_fit(tmp_path, name):
    exported, message = BAD[name]
    file = tmp_path / "log.json"
    file.write_text(json.dumps(exported))
    done = run_script(file)
    assert done.returncode == 1
    assert message in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize("content", [b"", b"nonsense", b"\xff\xfe\x00", b"[" * 100_000, b"9" * 10_000])
def test_the_script_says_when_a_file_is_no_json(tmp_path, content):
    file = tmp_path / "log.json"
    file.write_bytes(content)
    done = run_script(file)
    assert (done.returncode, done.stdout, done.stderr) == (1, "That is not a JSON file.\n", "")


def test_the_script_says_when_there_is_no_file(tmp_path):
    for arguments in ([], [tmp_path / "nothing.json"], [tmp_path], ["a", "b"], ["a", "b", "c"]):
        done = run_script(*arguments)
        assert done.returncode == 1
        assert done.stdout and done.stderr == ""


# The page


@pytest.mark.parametrize("name", BAD)
def test_the_page_says_what_does_not_fit(client, db, name):
    exported, message = BAD[name]
    response = client.post("/dice/", {"text": json.dumps(exported)})
    assert response.status_code == 200
    assert message in words_of(response)


def test_the_page_takes_a_file_or_a_text(client, db):
    text = json.dumps(made_log())
    for fields in ({"text": text}, {"file": SimpleUploadedFile("log.json", text.encode())}):
        words = words_of(client.post("/dice/", fields))
        assert "6 rolls of the app checked: all of them fit the seed" in words


@pytest.mark.parametrize("text", ["", "nonsense", "[" * 100_000, "\0", "9" * 10_000])
def test_the_page_says_when_a_text_is_no_json(client, text):
    response = client.post("/dice/", {"text": text})
    assert response.status_code == 422
    assert "That is not a JSON file." in words_of(response)


def test_the_page_refuses_a_file_that_is_too_large(client):
    response = client.post("/dice/", {"file": SimpleUploadedFile("log.json", b" " * 900_001)})
    assert response.status_code == 422
    assert "use the stand-alone script for it" in words_of(response)


def test_the_answer_of_the_page_stays_small(client, db):
    roll = {"die": "d", "label": "", "sides": 10, "face": 1, "source": "app"}
    exported = with_line(3, rolls=[{**roll, "number": n} for n in range(9_000)])
    response = client.post("/dice/", {"file": SimpleUploadedFile("log.json", json.dumps(exported).encode())})
    assert len(response.content) < 100_000
    assert "more." in words_of(response)


# A real match


@pytest.fixture
def ended(db):
    """A match with rolls of the app, one of them taken back, dice from the table, and an end."""
    german, links = begin()
    russian = sit(links["russian"], german.match_id)
    promised = german.match.commitment
    assert promised in german.see() and promised in german.log[0].sentence
    german.roll("contact", dice="app")
    german.do("drop/", step="all")
    german.roll("attack-or-hold", german="attack", russian="attack", dice="app")
    german.roll("fo-loss", dice="app")
    german.do("take-back/")
    russian.do("answer/", agrees="yes")
    russian.roll("fo-loss", dice="app")
    german.roll("fo-loss", die="4", dice="table")
    end(german, russian)
    return german, promised


def test_the_numbers_of_a_match_are_consecutive_across_a_take_back(ended):
    german, _ = ended
    numbers = [roll.number for entry in german.log for roll in entry.rolls if roll.source == "app"]
    assert numbers == list(range(1, german.match.next_roll))


def test_the_exported_log_of_a_match_passes_everywhere(ended, script, client, tmp_path):
    german, promised = ended
    response = german.get("log.json")
    exported = response.json()
    rolls_made = german.match.next_roll - 1
    assert exported["commitment"] == promised
    report = fairness.check_log(exported)
    assert report.is_complete and report.checked == rolls_made and report.digest == german.match.digest
    assert script(exported) == plain(report)
    file = tmp_path / "log.json"
    file.write_bytes(response.content)
    assert run_script(file).returncode == 0
    assert f"{rolls_made} rolls of the app checked" in words_of(client.post("/dice/", {"text": text_of(response)}))


def test_the_page_of_an_ended_match_shows_the_seed_and_the_check(ended):
    german, promised = ended
    page = german.see("dice/")
    assert promised in page
    assert german.match.seed in page
    assert "all of them fit the seed" in page
    assert commitment(bytes.fromhex(german.match.seed)) == promised
