"""Anti-aircraft fire at the table: offered before the attack, to its owner, about the aircraft that are there."""

import json
import re

import pytest

from firefight.table.log import reading
from firefight.table.rolling import replay
from tests import pages
from tests.filling import Reader
from tests.firefight.players import begin, rows, sit, text_of, words_of

pytestmark = pytest.mark.django_db

LIST = "German: Grenadier squad\nRussian: DShK 38, Rifle squad"
HE = {"flight": "german-flight1", "weapon": "he", "hex": "K9", "dice": "table"}


def set_under_aircraft():
    german, links = begin()
    russian = sit(links["russian"], german.match_id)
    german.do("counters/add/", list=LIST)
    russian.do("counters/", id="russian-1", place="K7")
    russian.do("counters/", id="russian-2", place="K9")
    german.do("counters/", id="german-1", place="K12")
    german.do("rows/", field="aircraft", **{"part-aircraft": "ju87", "part-planes": "2"})
    change = {"aircraft": {"change": {"german-flight1": {"here": True, "since": german.match.state.turn}}}}
    assert german.do("rows/", change=json.dumps(change)).status_code == 302
    return german, russian


@pytest.fixture
def both(frozen):
    """A Ju 87 over the map, a DShK 38 in K7 and a Rifle squad in K9."""
    return frozen("a Ju 87 over an MG", set_under_aircraft)


def open_roll(player, slug, **about):
    query = "&".join(f"{name}={value}" for name, value in about.items())
    return Reader(player.client).open(f"/match/{player.match_id}/roll/{slug}/?{query}")


def announce(german):
    """The German attacks K9 by the form that the flight's card opens."""
    reader = open_roll(german, "air-attack", flight="german-flight1", hex="K9")
    reader.form("#desk-form").fill(die=1).press("Resolve")
    return german.match.state.queue


def rolled(player, slug):
    return [line for line in player.log if line.helper == slug and line.voided_by is None]


def flight(player):
    return player.get("aircraft.json").json()[0]


def check_dice(player):
    return replay.work_out_results(json.loads(json.dumps(reading.export_log(player.match, ())))).problems


def test_aa_is_offered_to_its_owner_before_the_attack_is_rolled(both):
    german, russian = both
    first, attack = announce(german)
    assert (first.helper, first.read_by) == ("anti-aircraft", "russian")
    assert (attack.helper, attack.read_by) == ("air-attack", "german")
    assert not rolled(german, "air-attack")
    assert "Air attack on K9" in german.last.sentence and "AA fire of DShK 38 #1" in german.last.sentence
    assert "The Russian rolls this" in words_of(german.get())
    before = rows()
    refused = german.roll("air-attack", step=attack.id, die="1", dice="table")
    assert refused.status_code == 403 and "is rolled or dropped" in words_of(refused) and rows() == before
    german.do("drop/", step=first.id)  # asks the Russian
    assert first in german.match.state.queue
    Reader(russian.client).open(f"/match/{russian.match_id}/").form("#desk-form").fill(die=100).press("Resolve")
    [fire] = rolled(russian, "anti-aircraft")
    assert (fire.inputs["flight"], fire.inputs["range"], fire.inputs["weapon"]) == ("german-flight1", 2, "dshk")
    Reader(german.client).open(f"/match/{german.match_id}/").form("#desk-form").fill(die=1).press("Resolve")
    assert len(rolled(german, "air-attack")) == 1 and flight(german)["he"] == 1
    assert check_dice(german) == ()


def test_17_6_7_aircraft_that_have_just_come_are_fired_at_before_they_attack_and_nothing_stays_due(both):
    german, russian = both
    change = {"aircraft": {"change": {"german-flight1": {"here": False, "since": 0}}}}
    german.do("rows/", change=json.dumps(change))
    open_roll(german, "air-arrival", flight="german-flight1").form("#desk-form").fill(die=1).press("Resolve")
    assert german.match.state.queue == ()  # an attack is an impulse of its own
    first, _ = announce(german)
    assert first.helper == "anti-aircraft"
    russian.do("drop/", step=first.id)
    Reader(german.client).open(f"/match/{german.match_id}/").form("#desk-form").fill(die=1).press("Resolve")
    assert {step.helper for step in german.match.state.queue} == {"fire"}


def test_aa_that_fires_of_its_own_accord_is_asked_how_far_away_the_aircraft_is(both):
    """It had one hex, folded away."""
    _, russian = both
    reader = open_roll(russian, "anti-aircraft", firers="russian-1")
    assert "Range" in reader.words("#desk-form .asked")
    reader.form("#desk-form").fill(range=15, die=100).press("Resolve")
    assert [line.result.details["ff"] for line in rolled(russian, "anti-aircraft")] == [3]


def test_17_6_5_bombs_meet_whoever_has_come_while_the_attack_waited_for_aa(both):
    german, russian = both
    fire, _ = announce(german)
    german.do("counters/", id="german-1", place="K9")
    russian.do("drop/", step=fire.id)
    Reader(german.client).open(f"/match/{german.match_id}/").form("#desk-form").fill(die=1).press("Resolve")
    struck = {row["id"] for step in german.match.state.queue for row in step.inputs["units"]}
    assert struck == {"russian-2", "german-1"}
    assert check_dice(german) == ()


def test_who_does_not_fire_drops_it_and_the_attack_goes_on(both):
    german, russian = both
    first, attack = announce(german)
    assert russian.do("drop/", step=first.id).status_code == 302
    assert german.roll("air-attack", step=attack.id, die="1", dice="table").status_code == 302


def test_what_was_due_before_an_air_attack_stays_due_whether_it_is_held_up_or_called_off(both):
    german, russian = both
    german.do("rows/", field="missions", **{"part-caliber": "105"})
    german.roll("contact", mission="german-1", aim="P12", die="5", dice="table")
    waiting = german.match.state.queue
    assert [step.helper for step in waiting] == ["accuracy"]
    for die in range(1, 101):
        first, _, *others = announce(german)
        assert tuple(others) == waiting
        russian.roll("anti-aircraft", step=first.id, die=str(die), check_die="10", dice="table")
        if rolled(russian, "anti-aircraft")[-1].result.outcome in ("destroyed_before", "aborts"):
            break
        russian.do("take-back/")
        german.do("take-back/")
    assert german.match.state.queue == waiting


def test_an_aircraft_that_goes_down_or_home_makes_no_attack(both):
    german, russian = both
    for die in range(1, 101):
        first, attack = announce(german)
        russian.roll("anti-aircraft", step=first.id, die=str(die), check_die="10", dice="table")
        outcome = rolled(russian, "anti-aircraft")[-1].result.outcome
        is_off = outcome in ("destroyed_before", "aborts")
        assert (attack.id in [step.id for step in german.match.state.queue]) is not is_off
        assert flight(german)["planes"] == 2 - is_off
        if is_off:
            assert german.roll("air-attack", step=attack.id, die="1", dice="table").status_code == 403
            break
        russian.do("take-back/")
        german.do("take-back/")
    assert is_off and "Due no more: Air attack on K9" in german.last.sentence
    russian.do("take-back/")
    assert [step.id for step in german.match.state.queue] == [first.id, attack.id]


def test_without_aa_in_reach_an_attack_is_rolled_at_once(both):
    german, russian = both
    russian.do("counters/", id="russian-1", state="disrupted")
    assert german.roll("air-attack", die="1", **HE).status_code == 302
    assert len(rolled(german, "air-attack")) == 1


def test_fire_at_aircraft_from_the_bar_is_about_those_over_the_map(both):
    _, russian = both
    reader = open_roll(russian, "anti-aircraft", firers="russian-1")
    reader.form("#desk-form").fill(range=2, die=100).press("Resolve")
    russian.roll("anti-aircraft", firers="russian-1", range="2", die="100", dice="table")
    assert [line.inputs["flight"] for line in rolled(russian, "anti-aircraft")] == ["german-flight1"] * 2


@pytest.mark.parametrize(
    ("ids", "place", "words"),
    [
        ("russian-2", "K9", "Rifle squad #2 does not fire at aircraft"),
        ("russian-1", "K7/1", "DShK 38 #1 is inside a building"),
    ],
)
def test_nobody_else_and_nobody_indoors_fires_at_aircraft(both, ids, place, words):
    _, russian = both
    russian.do("counters/", id=ids, place=place)
    assert words in words_of(open_roll(russian, "anti-aircraft", firers=ids).response)
    before = rows()
    refused = russian.roll("anti-aircraft", firers=ids, range="2", die="1", dice="table")
    assert refused.status_code == 422 and words in words_of(refused) and rows() == before


def test_the_side_that_attacks_is_offered_nothing_and_hidden_aa_is_not_given_away(both):
    german, russian = both
    russian.do("counters/", id="russian-1", becomes="hidden")
    assert german.roll("air-attack", die="1", **HE).status_code == 302
    page = text_of(german.get())
    assert rolled(german, "air-attack") and not pages.find(page, "#due a[href*=anti-aircraft]")


def spend_abort(player, roll):
    """Fire at the aircraft, by a function of the die, until one goes home before it attacks."""
    for die in range(1, 101):
        roll(str(die))
        if rolled(player, "anti-aircraft")[-1].result.outcome == "aborts":
            return
        player.do("take-back/")
    raise AssertionError("No die sends it home.")


def test_rolls_are_called_as_when_they_were_asked_for_though_a_plane_has_gone_since(both):
    german, russian = both
    announce(german)
    fire = {"firers": ["russian-1"], "range": "2", "check_die": "10", "dice": "table"}
    spend_abort(russian, lambda die: russian.roll("anti-aircraft", die=die, **fire))
    assert flight(german)["planes"] == 1
    for player, die in ((russian, 100), (german, 1)):
        Reader(player.client).open(f"/match/{player.match_id}/").form("#desk-form").fill(die=die).press("Resolve")
    sentences = [rolled(german, slug)[-1].sentence for slug in ("anti-aircraft", "air-attack")]
    assert "at 2 × Ju 87" in sentences[0] and "by 2 × Ju 87" in sentences[1]
    assert check_dice(german) == ()
    forged = json.loads(json.dumps(reading.export_log(german.match, ())))
    line = next(entry for entry in forged["entries"] if entry["sentence"].startswith(sentences[0]))
    line["sentence"] = line["sentence"].replace("at 2 ×", "at 3 ×")
    assert "cannot be called" in " ".join(replay.work_out_results(forged).problems)


def test_a_correction_that_sends_an_aircraft_home_calls_its_attack_off(both):
    german, russian = both
    first, attack = announce(german)
    russian.roll("anti-aircraft", step=first.id, die="100", dice="table")
    number = rolled(russian, "anti-aircraft")[-1].number
    assert attack.id in [step.id for step in german.match.state.queue]
    anew = {"corrects": number, "check_die": "10", "dice": "table"}
    spend_abort(russian, lambda die: russian.roll("anti-aircraft", die=die, **anew))
    assert flight(german)["planes"] == 1
    assert attack.id not in [step.id for step in german.match.state.queue]
    assert "Due no more: Air attack on K9" in german.last.sentence
    assert german.roll("air-attack", step=attack.id, die="1", dice="table").status_code == 403
    russian.do("take-back/")
    assert [step.id for step in german.match.state.queue] == [attack.id]
    assert check_dice(german) == ()


def test_a_correction_of_the_fire_that_called_an_attack_off_brings_the_attack_back(both):
    """With the other AA that had not fired yet; what is corrected to another end of the aircraft calls off again."""
    german, russian = both
    russian.do("counters/add/", list="Russian: DShK 38")
    russian.do("counters/", id="russian-3", place="K8")
    first, second, attack = announce(german)
    fire = {"step": first.id, "check_die": "10", "dice": "table"}
    spend_abort(russian, lambda die: russian.roll("anti-aircraft", die=die, **fire))
    called_off = german.match.state
    assert called_off.queue == () and flight(german)["planes"] == 1
    number = rolled(russian, "anti-aircraft")[-1].number
    anew = {"corrects": number, "dice": "table"}
    assert russian.roll("anti-aircraft", die="100", **anew).status_code == 302
    assert [step.id for step in german.match.state.queue] == [second.id, attack.id]
    assert flight(german)["planes"] == 2
    assert "Due again: " in german.last.sentence and "Air attack on K9" in german.last.sentence
    assert check_dice(german) == ()
    russian.do("take-back/")
    assert german.match.state == called_off
    russian.roll("anti-aircraft", die="100", **anew)
    russian.do("drop/", step=second.id)
    assert german.roll("air-attack", step=attack.id, die="1", dice="table").status_code == 302
    assert len(rolled(german, "air-attack")) == 1 and check_dice(german) == ()


def test_a_correction_that_still_calls_an_attack_off_leaves_it_off(both):
    german, russian = both
    first, _ = announce(german)
    fire = {"step": first.id, "check_die": "10", "dice": "table"}
    spend_abort(russian, lambda die: russian.roll("anti-aircraft", die=die, **fire))
    fallen = rolled(russian, "anti-aircraft")[-1]
    face = str(next(die.face for die in fallen.rolls if die.die == "die"))
    anew = {"corrects": fallen.number, "die": face, "check_die": "9", "dice": "table"}
    assert russian.roll("anti-aircraft", **anew).status_code == 302
    assert rolled(russian, "anti-aircraft")[-1].result.outcome == "aborts"
    assert german.match.state.queue == () and flight(german)["planes"] == 1
    assert not any("Due again" in line.sentence for line in german.log)
    assert check_dice(german) == ()


# Hidden AA


def offered(player):
    return pages.find(text_of(player.get()), "#due .checklist a[href*='roll/anti-aircraft']")


def hide(both, player_of_phase=0):
    german, russian = both
    russian.do("counters/", id="russian-1", becomes="hidden")
    both[player_of_phase].do("record/", field="phase", value="fire_and_movement")


def test_hidden_aa_is_offered_to_its_owner_alone_before_an_air_attack(both):
    german, russian = both
    hide(both)
    [offer] = offered(russian)
    assert "DShK 38 #1" in pages.words(offer) and not offered(german)
    reader = Reader(russian.client).open(f"/match/{russian.match_id}/").press_node(offer)
    form = reader.form("#desk-form")
    form.fill(range=2, die=100, shows=True).press("Resolve")
    [fire] = rolled(russian, "anti-aircraft")
    assert (fire.inputs["flight"], fire.inputs["weapon"]) == ("german-flight1", "dshk")
    assert not offered(russian)  # all know of it now: it is offered before the attack
    assert announce(german)[0].helper == "anti-aircraft"


def test_hidden_aa_that_cannot_fire_is_offered_to_nobody(both):
    german, russian = both
    hide(both)
    russian.do("counters/", id="russian-1", state="disrupted")
    assert not offered(russian)
    russian.do("counters/", id="russian-1", state="good order")
    change = {"aircraft": {"change": {"german-flight1": {"here": False}}}}
    german.do("rows/", change=json.dumps(change))
    assert not offered(russian)


VARIES = re.compile(r"[0-9a-f-]{12,}|[A-Za-z0-9_-]{30,}|\d\d:\d\d(:\d\d)?|\d{4}-\d\d-\d\d[^\"<]*")


def all_that_is_told(player):
    """Pages, JSON and log of a side, without what differs from match to match."""
    pages_read = [
        text_of(player.get(page)) for page in ("", "counters.json", "record.json", "aircraft.json", "log.json", "log/")
    ]
    return [VARIES.sub("-", page) for page in pages_read]


def test_an_air_attack_tells_the_other_side_nothing_of_hidden_aa():
    """The same course with a hidden DShK 38 that may fire, and with one that may not."""
    courses = []
    for state in ("pinned", "disrupted"):
        german, links = begin()
        russian = sit(links["russian"], german.match_id)
        russian.do("counters/add/", list="Russian: DShK 38")
        russian.do("counters/", id="russian-1", becomes="hidden")
        russian.do("counters/", id="russian-1", state=state)
        russian.do("counters/", id="russian-1", place="K7")
        german.do("rows/", field="aircraft", **{"part-aircraft": "ju87", "part-planes": "2"})
        change = {"aircraft": {"change": {"german-flight1": {"here": True, "since": german.match.state.turn}}}}
        german.do("rows/", change=json.dumps(change))
        german.do("record/", field="phase", value="fire_and_movement")
        assert bool(offered(russian)) is (state == "pinned")
        before = all_that_is_told(german)
        german.roll("air-attack", die="1", **HE)
        courses.append((german.match.version, before, all_that_is_told(german)))
        assert rolled(german, "air-attack")
    assert courses[0][0] == courses[1][0]
    for with_aa, without in zip(courses[0][1] + courses[0][2], courses[1][1] + courses[1][2], strict=True):
        assert with_aa.split() == without.split()
