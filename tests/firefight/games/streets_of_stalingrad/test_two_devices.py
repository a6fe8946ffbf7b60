"""Two devices play Streets of Stalingrad from the drawn page: whose step it is, what both see and nobody else."""

import json
import subprocess
import sys

import pytest

from firefight.table.log import fairness
from firefight.table.rolling import replay
from tests import pages
from tests.firefight import players
from tests.firefight.players import text_of
from tests.firefight.table import test_secrets as frame
from tests.firefight.table.random_hands import WORD
from tests.firefight.table.test_archive import branch_of, lasting, save, send
from tests.firefight.table.test_fairness import SCRIPT, chained
from tests.firefight.table.test_sharing import link_in, share
from tests.soak import IS_WHOLE

from . import two_devices
from .two_devices import HERE, SECRETS, UNSEEN, Table

pytestmark = pytest.mark.django_db


@pytest.fixture
def begun(frozen):
    """A table with units of an owner's sheet, hidden ones, sealed plots."""
    return frozen("streets laid out", lambda: two_devices.lay_out(Table()))


@pytest.fixture
def played(frozen):
    """A whole match."""
    return frozen("streets played", two_devices.play)


def in_step(table):
    """What both sides and an observer read of the log's last line, and are told is due."""
    lines = [table.open(side).words("#log-rows .line:first-child p") for side in ("german", "soviet", "observer")]
    assert lines[0] == lines[1] == lines[2], lines
    return lines[0]


def test_each_step_of_an_attack_is_made_on_the_device_of_its_side(begun):
    begun.put("german", "phase", 5)
    two_devices.declare(begun)
    assert begun.due == [("decide", "soviet")] and begun.waits("german")
    assert "declared" in in_step(begun)
    refused = begun.players["german"].roll("decide", step=begun.match.state.queue[0].id, choice="hold")
    assert refused.status_code == 403 and begun.due == [("decide", "soviet")]
    begun.resolve("soviet", "Defensive fire")
    assert begun.due == [("defensive-fire", "soviet")] and begun.waits("german")
    begun.resolve("soviet", points=12, die=1)
    # Their owner says which of the attackers is lost (9.58).
    assert begun.due == [("losses", "german")] and begun.waits("soviet")
    begun.resolve("german", "Lost: 1/I/274 #1")
    assert begun.due == [("attack", "german")] and begun.waits("soviet")
    assert "1 combat unit lost" in in_step(begun)
    # Fire in between does not make the attack the other side's to roll.
    begun.resolve("german", points=8, die=1, terrain_drm=0)
    assert begun.due[0] == ("losses", "soviet") and begun.waits("german")
    assert "German attack" in in_step(begun)
    assert "asked for: AF that attack 8, not 4. Each" in in_step(begun)  # those left have filled in the rest (9.66)
    marked = {row["hex"]: row["marker"] for row in begun.record["markers"]}
    assert marked == {HERE: "attack"} and begun.record["attacked"] == [HERE]


def test_isolation_comes_first_and_is_either_sides_to_roll_with_both_in_step(begun):
    two_devices.begin_day(begun)
    assert [helper for helper, _ in begun.due] == ["isolation", "stukas"]
    for side in ("german", "soviet"):
        assert "First: Isolation: 64 Guards" in begun.open(side).words()
    begun.resolve("soviet")
    assert begun.record["isolated"][0]["marker"] == 1
    assert "64 Guards" in in_step(begun)


def test_units_cross_the_volga_by_an_arrow_on_the_page_and_both_see_how_many(begun):
    begun.put("soviet", "phase", 10)
    reader = begun.open("soviet", "roll/volga/")
    reader.form("#desk-form").fill(arrow=8, combat_this_phase=5, combat_this_turn=5)
    reader.form("#desk-form").press()
    assert reader.status == 200, reader.words("#desk")
    assert begun.record["crossed"] == {"8": {"phase": 5, "turn": 5}}
    assert "arrow 8: allowed" in in_step(begun) and "arrow 8" in begun.open("german", "record/").words()


# What is hidden

ROLLS = {"contact": "attack", "fo-loss": "mine-dog", "morale": "battle", "fire": "bombardment"}


def of_this_game(place):
    """An address of the frame's search, with rolls of this game, and this game's sides."""
    for theirs, ours in ROLLS.items():
        place = place.replace(f"roll/{theirs}/", f"roll/{ours}/")
    return place.replace("russian", "soviet").replace("K7", UNSEEN)


FIELDS = {name: [of_this_game(address) for address in value] if isinstance(value, list) else of_this_game(value)
          for name, value in frame.FIELDS.items()}  # fmt: skip


@pytest.fixture
def searched(monkeypatch):
    """The frame's search for secrets, among the addresses of this game."""
    for name in ("READ", "ACT"):
        monkeypatch.setattr(frame, name, tuple(map(of_this_game, getattr(frame, name))))
    monkeypatch.setattr(frame, "FIELDS", {**FIELDS, "points": "9", "terrain": "city", "firers": ["german-1"]})
    monkeypatch.setattr(frame, "OUTSIDE", ())
    return frame.search


@pytest.mark.soak
@pytest.mark.parametrize("role", ["german", "soviet", "observer"])
def test_nobody_else_is_sent_hidden_units_or_sealed_plots(played, searched, role, monkeypatch):
    """A slice lets the Soviet alone try all acts, too; a soak everybody."""
    if not (IS_WHOLE or role == "soviet"):
        monkeypatch.setattr(frame, "ACT", ())
    others = [secret for side, secret in SECRETS.items() if side != role]
    assert searched(played.players[role], *others) > 100


def test_where_hidden_units_stand_is_told_to_their_owner_alone(played):
    for role in ("german", "soviet", "observer"):
        sent = [answer for place, answer in told_of(played.players[role]) if UNSEEN in WORD.findall(text_of(answer))]
        assert bool(sent) == (role != "observer")
    known = {side: [row["id"] for row in played.players[side].get("counters.json").json()] for side in SECRETS}
    assert "soviet-3" not in known["german"] and "german-3" not in known["soviet"]


def told_of(player):
    places = ("", "table/", "counters.json", "log/", "log.json", "pack/", "archive.json", "report.md", "record.json")
    return [(place, player.get(place)) for place in places]


def test_one_device_shows_the_side_that_acts_and_nothing_under_the_cover():
    device, _ = players.begin("german", hot_seat=True, game=two_devices.SLUG)
    for side in ("german", "soviet"):
        device.send("cover/", {})
        device.send("lift/", {"side": side})
        device.do("counters/add/", list=f"{side.title()}: Minefield")
        device.do("counters/", id=f"{side}-1", hidden="on")
        device.do("counters/", id=f"{side}-1", place=UNSEEN, note=SECRETS[side])
        device.note(SECRETS[side], sealed="on")
    for place in ("", "table/", "counters.json", "log/", "log.json", "report.md", "roll/attack/?firers=soviet-1"):
        assert "GERMANSECRET" not in text_of(device.get(place)), place
    assert "SOVIETSECRET" in text_of(device.get("log/")) and "SOVIETSECRET" in text_of(device.get("counters.json"))
    device.send("cover/", {})
    for place in ("", "log/", "counters.json", "roll/battle/", "roll/attack/?firers=german-1"):
        text = text_of(device.get(place))
        assert "GERMANSECRET" not in text and "SOVIETSECRET" not in text, place
    device.send("lift/", {"side": "german"})
    assert "GERMANSECRET" in text_of(device.get("log/")) and "SOVIETSECRET" not in text_of(device.get("log/"))
    # One hand rolls for both: a step of the other side is made here.
    device.do("record/", field="phase", value="5")
    device.roll("battle", points="12", terrain="city", hex=HERE)
    step = device.match.state.queue[0]
    assert device.roll("decide", step=step.id, choice="hold").status_code == 302


# What is kept


def test_a_file_and_a_branch_hold_the_match_as_it_stands(played):
    german = played.players["german"]
    saved = save(german)
    opened, _ = send(saved)
    branch = branch_of(german)
    for other in (opened, branch):
        assert other.get("record.json").json()["record"] == german.get("record.json").json()["record"]
        assert other.get("counters.json").json() == german.get("counters.json").json()
        assert other.match.state.sheets == german.match.state.sheets
        assert other.match.state.queue_for(("german",)) == german.match.state.queue_for(("german",))
    again, number = lasting(save(opened)), len(saved["log"])
    assert again["log"][:number] == lasting(saved)["log"]
    assert again["match"]["state"] == lasting(saved)["match"]["state"]


def test_report_and_story_tell_the_attack_as_it_stands_and_no_secret(played):
    german, soviet = played.players["german"], played.players["soviet"]
    report = german.get("report.md").content.decode()
    assert "German attack" in report and "Taken back" not in report.partition("## The dice")[2]
    assert "SOVIETSECRET" not in report and report.count("Soviet defensive fire") >= 1
    players.end(german, soviet)
    story = german.client.get(link_in(share(german)))
    words = players.words_of(story)
    assert story.status_code == 200 and "defensive fire" in words
    assert not any(word in text_of(story) for word in ("GERMANSECRET", "SOVIETSECRET", UNSEEN))
    assert pages.find(text_of(story), "main")


def test_the_dice_check_passes_in_the_app_and_beside_it_and_finds_a_forged_die(played, tmp_path):
    german = played.players["german"]
    players.end(german, played.players["soviet"])
    exported = german.get("log.json").json()
    report = replay.examine_log(exported)
    assert report["problems"] == [] and fairness.check_log(exported).is_complete
    assert report["again"].same >= 4 and report["again"].noted >= 2
    (tmp_path / "log.json").write_text(json.dumps(exported))
    assert run_script(tmp_path).returncode == 0
    line = next(entry for entry in exported["entries"] if any(die["source"] == "app" for die in entry["rolls"]))
    line["rolls"][0]["face"] = line["rolls"][0]["face"] % 10 + 1
    (tmp_path / "log.json").write_text(json.dumps(chained(exported)))
    assert fairness.check_log(exported).problems
    assert run_script(tmp_path).returncode != 0


def run_script(path):
    command = [sys.executable, str(SCRIPT), str(path / "log.json")]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def told_since(table, side, number):
    """The lines that a side's log has after one, without what no two lines share."""
    lines = json.loads(text_of(table.players[side].get("log.json")))["entries"]
    own = ("at", "digest", "secret_digest", "salt", "app")
    return [{name: line[name] for name in line if name not in own} for line in lines if line["number"] > number]


@pytest.mark.parametrize("marked", [["soviet-1"], ["soviet-1", "soviet-2"]])
def test_nobody_can_count_the_hidden_counters_that_lose_a_marker(begun, marked):
    """A phase takes markers off: the other side reads the same whether hidden counters had some, and how many."""
    soviet = begun.players["soviet"]
    soviet.do("counters/", id=["soviet-1", "soviet-2"], hidden="on")
    begun.put("german", "phase", 8)
    number = begun.match.last_number
    begun.open("german").press("Next phase")  # nobody has a marker
    unmarked = told_since(begun, "german", number)
    soviet.do("counters/", id=marked, state=["pinned", "spent"])
    begun.put("german", "phase", 8)
    moved = begun.match.last_number
    begun.open("german").press("Next phase")
    marked_lines = told_since(begun, "german", moved)
    shift = moved - number
    assert [{**line, "number": line["number"] - shift} for line in marked_lines] == unmarked
    assert ["Soviet" in line["sentence"] for line in marked_lines].count(True) == 1
    assert not any(counter.get("state") for counter in begun.match.state.counters.values())
    assert "1/39 #1 without a marker again" in soviet.see("log/")  # their owner reads it


def test_nobody_can_count_the_hidden_counters_that_a_hand_sets(begun):
    soviet = begun.players["soviet"]
    soviet.do("counters/", id=["soviet-1", "soviet-2"], hidden="on")
    counts = []
    for chosen, place in ((["soviet-1"], "0409"), (["soviet-1", "soviet-2"], "0410")):
        number = begun.match.last_number
        soviet.do("counters/", id=chosen, place=place)
        counts.append([line["sentence"] for line in told_since(begun, "german", number)])
    assert counts[0] == counts[1] and len(counts[0]) == 1
    assert "2 × 1/39 from 0509 to 0410" in soviet.see("log/")
    soviet.do("counters/undo/", number=begun.match.last_number)
    assert {begun.match.state.counters[name]["place"] for name in ("soviet-1", "soviet-2")} == {
        "0409",
        HERE,
    }  # as the line found them
