"""The app's dice can be checked: by the page, and by a script that knows nothing of the app, with the same words."""

import copy
import json
import re
import subprocess
import sys

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile

from firefight import fairness
from firefight.engine.dice import commitment, rolled_face
from tests.firefight.players import begin, sit, text_of, words_of

SCRIPT = settings.BASE_DIR / "scripts" / "check_dice.py"
SEED = bytes(range(32))
DICE = (100, 10, 10, 100, 6, 10)


def made_log(dice=DICE, seed=SEED):
    """A log of an ended match with such dice, as the app exports it."""
    entries = [
        {
            "number": number,
            "sentence": "…",
            "rolls": [
                {
                    "die": "die",
                    "sides": sides,
                    "face": rolled_face(seed, number, sides),
                    "source": "app",
                    "number": number,
                }
            ],
        }
        for number, sides in enumerate(dice, 1)
    ]
    table = {"die": "die", "sides": 10, "face": 3, "source": "table"}
    return {
        "format": "volga-ledger log",
        "schema": 1,
        "commitment": commitment(seed),
        "seed": seed.hex(),
        "rolls_made": len(dice),
        "entries": [{"number": 0, "rolls": []}, {"number": 9, "rolls": [table]}, *entries],
    }


def going_on(opened=True, **changes):
    """The log of a match that goes on from one with another seed, after its fourth roll."""
    earlier = bytes(range(1, 33))
    log = copy.deepcopy(made_log())
    for entry in log["entries"]:
        for roll in entry["rolls"]:
            if roll.get("number", 9) <= 4:
                roll["face"] = rolled_face(earlier, roll["number"], roll["sides"])
    seal = {"match": "before", "to": 4, "commitment": commitment(earlier), "seed": earlier.hex() if opened else None}
    return {**log, "earlier_dice": [{**seal, **changes}]}


def tampered(**changes):
    return {**made_log(), **changes}


def with_roll(place, **changes):
    """The good log with one roll changed."""
    log = copy.deepcopy(made_log())
    log["entries"][place + 2]["rolls"][0] |= changes
    return log


def without(place):
    log = copy.deepcopy(made_log())
    del log["entries"][place + 2]
    return log


BAD = {
    "another face": (with_roll(0, face=rolled_face(SEED, 1, 100) % 100 + 1), "Roll 1: the log says"),
    "a face that the die does not have": (with_roll(1, face=11), "Roll 2: the log says 11, the seed gives"),
    "another number": (with_roll(2, number=7), "The numbers of the rolls are not 1 to 6, each once."),
    "a number twice": (with_roll(2, number=2), "The numbers of the rolls are not 1 to 6, each once."),
    "a roll left out": (without(3), "The numbers of the rolls are not 1 to 6, each once."),
    "a roll passed off as a real die": (with_roll(3, source="table"), "The numbers of the rolls are not 1 to 6"),
    "another seed": (tampered(seed=bytes(32).hex()), "The seed does not fit the commitment"),
    "another commitment": (tampered(commitment="0" * 64), "The seed does not fit the commitment"),
    "no commitment": (tampered(commitment=None), "The seed does not fit the commitment"),
    "fewer rolls made": (tampered(rolls_made=5), "The numbers of the rolls are not 1 to 5, each once."),
    "very many rolls made": (tampered(rolls_made=10**15), "The numbers of the rolls are not 1 to 1000000000000000"),
    "a die without sides": (with_roll(0, sides=0), "Roll 1: there is no die with 0 sides."),
    "a die with sides below zero": (with_roll(0, sides=-6), "Roll 1: there is no die with -6 sides."),
    "a die with endless sides": (with_roll(0, sides=2**33), "there is no die with 8589934592 sides."),
    "an infinite face": (with_roll(0, face=float("inf")), "This is no exported log"),
    "a face in words": (with_roll(0, face="7"), "This is no exported log"),
    "a face that is a yes": (with_roll(0, face=True), "This is no exported log"),
    "a seed that is no hex": (tampered(seed="xyz"), "This is no exported log"),
    "a sealed seed": (tampered(seed=None), "The match has not ended: its seed is still sealed."),
    "another seed of an earlier match": (
        going_on(seed="00" * 32),
        "The seed of the rolls up to 4, of an earlier match",
    ),
    "an earlier match that ends elsewhere": (going_on(to=3), "Roll 4: the log says"),
    "an earlier match in words": (going_on(to="4"), "This is no exported log"),
    "earlier matches that are no list": (tampered(earlier_dice=7), "This is no exported log"),
    "rolls that are no list": (tampered(entries=[{"rolls": 5}]), "This is no exported log"),
    "entries that are no list": (tampered(entries=5), "This is no exported log"),
    "a list": ([], "This is no exported log"),
    "a number": (5, "This is no exported log"),
    "nothing": (None, "This is no exported log"),
    "an empty object": ({}, "This is no exported log"),
}


def run_script(*arguments):
    command = [sys.executable, "-I", str(SCRIPT), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def script():
    """The script's own check, loaded without running a process for each log."""
    names = {"__name__": "check_dice"}
    exec(compile(SCRIPT.read_text(encoding="utf-8"), SCRIPT.name, "exec"), names)
    return names["check"]


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


def test_a_good_log_passes(script):
    assert fairness.check(made_log()) == fairness.Report(6, ())
    assert script(made_log()) == (6, [], 0)


@pytest.mark.parametrize("name", BAD)
def test_a_tampered_log_is_told_by_both_in_the_same_words(script, name):
    exported, message = BAD[name]
    report = fairness.check(exported)
    assert message in report.problems[0]
    assert script(exported) == (report.checked, list(report.problems), report.sealed)


def test_rolls_of_an_earlier_match_are_checked_against_its_seed_once_that_is_open(script):
    assert fairness.check(going_on()) == fairness.Report(6, ())
    assert fairness.check(going_on(opened=False)) == fairness.Report(2, (), sealed=4)
    for exported in (going_on(), going_on(opened=False)):
        report = fairness.check(exported)
        assert script(exported) == (report.checked, [], report.sealed)


def test_the_script_and_the_page_say_how_many_rolls_are_still_sealed(tmp_path, client):
    file = tmp_path / "log.json"
    file.write_text(json.dumps(going_on(opened=False)))
    done = run_script(file)
    assert done.returncode == 0
    assert "Checked 2 of 6 rolls" in done.stdout and "The other 4 were made in an earlier match" in done.stdout
    shown = words_of(client.post("/dice/", {"text": file.read_text()}))
    assert "2 rolls of the app checked" in shown and "4 more were made in an earlier match" in shown


def test_many_flaws_are_counted_and_not_all_told(script):
    exported = made_log(dice=(10,) * 500, seed=SEED) | {"seed": bytes(32).hex()}
    report = fairness.check(exported)
    assert len(report.problems) == fairness.MOST_PROBLEMS + 1
    assert re.fullmatch(r"And \d+ more\.", report.problems[-1])
    assert script(exported) == (report.checked, list(report.problems), report.sealed)


def test_a_match_without_rolls_of_the_app_passes(script):
    assert fairness.check(made_log(dice=())) == fairness.Report(0, ())
    assert script(made_log(dice=())) == (0, [], 0)


# The script as a program


def test_the_script_says_that_a_good_log_is_good(tmp_path):
    file = tmp_path / "log.json"
    file.write_text(json.dumps(made_log()))
    done = run_script(file)
    assert done.returncode == 0
    assert done.stdout.startswith("Checked 6 of 6 rolls of the app: all fit the seed")
    assert commitment(SEED) in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize("name", ["another face", "another seed", "a sealed seed", "a list", "an infinite face"])
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
    assert (done.returncode, done.stdout, done.stderr) == (1, "That is no JSON file.\n", "")


def test_the_script_says_when_there_is_no_file(tmp_path):
    for arguments in ([], [tmp_path / "nothing.json"], [tmp_path], ["a", "b"]):
        done = run_script(*arguments)
        assert done.returncode == 1
        assert done.stdout and done.stderr == ""


# The page


@pytest.mark.parametrize("name", BAD)
def test_the_page_says_what_does_not_fit(client, name):
    exported, message = BAD[name]
    response = client.post("/dice/", {"text": json.dumps(exported)})
    assert response.status_code == 200
    assert message in words_of(response)


def test_the_page_takes_a_file_or_a_text(client):
    text = json.dumps(made_log())
    for fields in ({"text": text}, {"file": SimpleUploadedFile("log.json", text.encode())}):
        shown = words_of(client.post("/dice/", fields))
        assert "6 rolls of the app checked: all of them fit the seed" in shown


@pytest.mark.parametrize("text", ["", "nonsense", "[" * 100_000, "\0", "9" * 10_000])
def test_the_page_says_when_a_text_is_no_json(client, text):
    response = client.post("/dice/", {"text": text})
    assert response.status_code == 422
    assert "That is no JSON file." in words_of(response)


def test_the_page_refuses_a_file_that_is_too_large(client):
    response = client.post("/dice/", {"file": SimpleUploadedFile("log.json", b" " * 900_001)})
    assert response.status_code == 422
    assert "use the stand-alone script for it" in words_of(response)


def test_the_answer_of_the_page_stays_small(client):
    rolls = [{"number": n, "sides": 10, "face": 1, "source": "app"} for n in range(9_000)]
    exported = tampered(entries=[{"rolls": rolls}])
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
    german.do("end/", sure="on")
    russian.do("answer/", agrees="yes")
    return german, promised


def test_the_numbers_of_a_match_are_consecutive_across_a_take_back(ended):
    german, _ = ended
    numbers = [roll["number"] for entry in german.log for roll in entry.rolls if roll["source"] == "app"]
    assert numbers == list(range(1, german.match.next_roll))


def test_the_exported_log_of_a_match_passes_everywhere(ended, script, client, tmp_path):
    german, promised = ended
    response = german.get("log.json")
    exported = response.json()
    made = german.match.next_roll - 1
    assert exported["commitment"] == promised
    assert fairness.check(exported) == fairness.Report(made, ())
    assert script(exported) == (made, [], 0)
    file = tmp_path / "log.json"
    file.write_bytes(response.content)
    assert run_script(file).returncode == 0
    assert f"{made} rolls of the app checked" in words_of(client.post("/dice/", {"text": text_of(response)}))


def test_the_page_of_an_ended_match_shows_the_seed_and_the_check(ended):
    german, promised = ended
    shown = german.see("dice/")
    assert promised in shown
    assert german.match.seed in shown
    assert "all of them fit the seed" in shown
    assert commitment(bytes.fromhex(german.match.seed)) == promised
