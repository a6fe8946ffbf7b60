"""A check of a log follows how the match stood: what rolls noted in the record, and what they are called by it."""

import json
from random import Random

import pytest

from firefight.table.log import fairness
from firefight.table.rolling import replay, retracing
from tests.firefight import players
from tests.firefight.counters.test_melee import LIST, declare, resolve
from tests.firefight.counters.test_rewinding import M0, shoot, sit_down
from tests.firefight.players import begin, end, sit
from tests.firefight.table.test_archive import branch_of
from tests.firefight.table.test_forgeries import chained
from tests.firefight.table.test_missions import battery, phase, plotted
from tests.soak import SEED, length

pytestmark = pytest.mark.django_db

TAKEN = "Taken as it stands"


def played():
    """A firefight in which rolls note something of everything that the record keeps."""
    german, links = begin()
    russian = sit(links["russian"], german.match_id)
    phase(german, "fire_and_movement", turn=2)
    battery(german)
    german.roll("contact", mission="german-1", aim="K7", die="20", dice="table")
    answer(german, die="90", direction_die="3")
    german.roll("contact", mission="german-1", aim="K9", die="30", dice="table")
    answer(german, die="5")
    german.roll("conversion", mission="german-1", correction="1", marker="cff")
    german.roll("firepower", mission="german-1", smoke="on", marker="ffe", caliber="105", impact="K7")
    plotted(russian, plot_turn="3")
    german.do("rows/", field="aircraft", **{"part-aircraft": "ju87", "part-planes": "2", "part-number": "9"})
    german.roll("air-arrival", flight=flight_of(german), die="2", dice="table")
    german.roll("air-attack", flight=flight_of(german), hex="K8", die="40", direction_die="3", dice="table")
    german.roll("fire", ff="8", modifiers=["woods"], place="K7", die="95", dice="table")
    german.roll("fire", ff="8", modifiers=["woods"], place="K9", die="94", dice="table")
    german.roll("fire", ff="8", modifiers=["debris"], place="K9", die="93", dice="table", corrects=german.last.number)
    russian.roll("fire", ff="4", modifiers=["rubble"], place="L3", die="99", dice="table")
    russian.do("take-back/")
    german.do("drop/", step="all")
    german.do("advance/", button="phase", leaves="on")
    german.do("advance/", button="phase", leaves="on")
    german.do("advance/", button="phase", leaves="on")  # turn 3
    german.do("advance/", button="phase", leaves="on")
    for step in reversed(russian.match.state.queue):  # the plot first, which its side alone knows of
        russian.roll(step.helper, step=step.id, die="3", dice="table", **subject_of(step))
    german.roll("air-attack", flight=flight_of(german), hex="K8", weapon="mg", die="10", dice="table")
    set_up_melee(german, russian)
    german.do("record/", field="turn", value="5")
    german.do("record/", field="phase", value="melee")
    german.do("advance/", button="phase", leaves="on")
    answer(german, number="8", die="3")
    return german, russian


def subject_of(step):
    return {name: step.inputs[name] for name in ("mission", "flight") if name in step.inputs}


def flight_of(player):
    return next(iter(player.match.state.record["aircraft"]))


def answer(player, **fields):
    """Roll what is due first, if anything is."""
    step = next(iter(player.match.state.queue), None)
    if step:
        about = {"mission": step.inputs["mission"]} if "mission" in step.inputs else {}
        response = player.roll(step.helper, step=step.id, dice="table", **about, **fields)
        assert response.status_code == 302, (step, players.words_of(response)[:900])


def set_up_melee(german, russian):
    german.do("drop/", step="all")
    if german.match.proposal:  # what the other side would roll is done without if both agree
        russian.do("answer/", agrees="yes")
    german.do("counters/add/", list=LIST)
    german.do("counters/", id=["german-1", "german-2", "german-3"], place="K7")
    russian.do("counters/", id=["russian-1"], place="K7")
    german.do("record/", field="phase", value="melee")
    declare(german)
    declare(russian)
    resolve(german, "100")
    resolve(russian, "99")


def play_to_the_end():
    german, russian = played()
    end(german, russian)
    return [player.get("log.json").json() for player in (german, russian)]


@pytest.fixture
def logs(frozen):
    """The logs of such a match as each side gets them after the end."""
    return frozen("logs of a match played and ended", play_to_the_end)


def line_with(lines, words):
    """The last line that says this."""
    return [line for line in lines if words in line["sentence"]][-1]


def leaves(value, path=()):
    """The ways to all values within plain values, and the values."""
    if isinstance(value, dict) and value:
        return [leaf for key in value for leaf in leaves(value[key], (*path, key))]
    if isinstance(value, list) and value:
        return [leaf for at, inside in enumerate(value) for leaf in leaves(inside, (*path, at))]
    return [(path, value)]


def put_at(place, path, value):
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value


def other_than(value):
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    return {"K7": "K8", "cff": "ffe", "ffe": "cff", "": "german"}.get(value, "M9") if isinstance(value, str) else "x"


def forge(exported, change):
    """A log with a change, whose chain was written anew so that no digest tells of it."""
    copy = json.loads(json.dumps(exported))
    change(copy["entries"])
    changed = chained(copy)
    assert fairness.check_log(changed).problems == ()
    return replay.work_out_results(changed)


def test_what_rolls_noted_is_worked_out_again_for_either_side(logs):
    for exported in logs:
        again = replay.work_out_results(exported)
        assert (again.problems, again.notes, again.noted) == ((), (), 10)


def test_the_page_of_dice_says_how_many_notes_were_worked_out_again():
    german, russian = played()
    end(german, russian)
    assert (
        "22 results worked out again from inputs, dice and charts: the same. 10 of them note something"
        in german.see("dice/")
    )


def test_no_value_that_a_roll_noted_can_be_another(logs):
    exported, tried = logs[0], 0
    for at, line in enumerate(exported["entries"]):
        details = (line.get("result") or {}).get("details", {})
        for path, value in leaves(details["changes"]) if "changes" in details else ():
            way = ("result", "details", "changes", *path)
            again = forge(
                exported, lambda lines, at=at, way=way, value=value: put_at(lines[at], way, other_than(value))
            )
            assert again.problems and again.problems[0].startswith(f"Line {line['number']}: "), (line, path)
            tried += 1
    assert tried > 30


def test_no_note_can_be_left_out_or_added(logs):
    exported = logs[0]

    def leave_out(lines):
        result = line_with(lines, "Arrives: 2")["result"]
        del result["details"]["changes"], result["effects"][-1]

    def add(lines):
        line_with(lines, "End of Firefight, turn 5")["result"]["details"]["changes"] = {
            "missions": {"strike": ["german-1"]}
        }

    def write_in(lines):
        result = line_with(lines, "Contact: 3 against 75")["result"]
        result["details"]["changes"] = {"missions": {"change": {"german-1": {"lost": True}}}}
        result["effects"].append("105 mm battery: lost.")

    def reword(lines):
        effects = line_with(lines, "Arrives: 2")["result"]["effects"]
        effects[-1] = effects[-1].replace("over the map", "gone for good")

    for change in (leave_out, add, write_in, reword):
        assert forge(exported, change).problems, change


HEADS = {
    "Close Combat: Panzergrenadier": ("Panzergrenadier squad #1, ", ""),
    "Close Combat: Rifle": ("squad #2", "squad #1"),
    "End of Firefight": ("turn 5", "turn 6"),
    "stay over": ("2 × Ju 87", "3 × Ju 87"),
}


@pytest.mark.parametrize("head", HEADS)
def test_no_roll_can_be_called_after_others_than_it_is_about(logs, head):
    def rename(lines):
        line = line_with(lines, head)
        line["sentence"] = line["sentence"].replace(*HEADS[head], 1)

    def exchange(lines):
        ours, other = line_with(lines, head), line_with(lines, "Close Combat: " if "Close" not in head else "stay")
        title, theirs = (line["sentence"].partition(". ")[0] for line in (ours, other))
        ours["sentence"] = ours["sentence"].replace(title, theirs)

    for change in (rename, exchange):
        assert forge(logs[0], change).problems, change


def test_no_row_of_a_declared_attack_can_be_anothers(logs):
    for side, name in (("attack", "NCO #2"), ("defense", "Rifle squad #9")):

        def rename(lines, side=side, name=name):
            line_with(lines, "Close Combat: Panzergrenadier")["inputs"][side][-1]["name"] = name

        assert forge(logs[0], rename).problems, side


def test_a_check_of_one_counter_cannot_be_called_anothers():
    german, russian = sit_down()
    shoot(german, russian, M0, check=8)
    shoot(german, russian, M0, check=8, at="russian-2")
    end(german, russian)
    exported = german.get("log.json").json()
    assert replay.work_out_results(exported).problems == ()

    def exchange(lines):
        one, other = (line for line in lines if line.get("helper") == "morale")
        titles = [line["sentence"].partition(". ")[0] for line in (one, other)]
        other["sentence"] = other["sentence"].replace(*reversed(titles), 1)

    assert forge(exported, exchange).problems


def test_what_nobody_can_say_is_taken_as_it_stands_and_counted():
    """Of a match that goes on from another, a log does not tell how its record stood."""
    german, _ = begin(hot_seat=True)
    battery(german)
    branch = branch_of(german)
    branch.roll("contact", mission="german-1", aim="K7", die="100", dice="table")
    end(branch)
    exported = branch.get("log.json").json()
    again = replay.work_out_results(exported)
    assert (again.problems, again.notes, again.noted) == ((), (), 1)

    def call_it_used_up(lines):
        line_with(lines, "Contact")["result"]["details"]["changes"]["missions"]["change"]["german-1"]["used"] = True

    again = forge(exported, call_it_used_up)
    assert (again.problems, again.noted) == ((), 0)
    note = "what 1 roll notes in the record, or its title: how the record stood then is not in the log."
    assert again.notes == (f"{TAKEN}, {note}",)


@pytest.mark.soak
def test_nothing_that_a_roll_has_come_to_can_be_changed(logs):
    """Random changes of results and of what lines call them, each with a chain of its own."""
    rng, exported = Random(SEED), logs[0]
    rolls = [at for at, line in enumerate(exported["entries"]) if line["kind"] == "roll"]
    for _ in range(length(40, 2000)):
        at = rng.choice(rolls)
        line = exported["entries"][at]
        path, value = rng.choice(leaves({name: line[name] for name in ("result", "sentence")}))
        again = forge(exported, lambda lines, at=at, path=path, value=value: put_at(lines[at], path, other_than(value)))
        assert again.problems, (at + 1, path, value)


@pytest.mark.parametrize("interval", [1, 3, 7])
def test_it_is_all_one_how_often_it_is_kept_how_a_match_stood(logs, monkeypatch, interval):
    """Struck lines, corrections and what was taken back are retraced alike from the beginning and from in between."""
    monkeypatch.setattr(retracing, "KEPT_EACH", 1_000_000)
    whole = [replay.work_out_results(exported) for exported in logs]
    monkeypatch.setattr(retracing, "KEPT_EACH", interval)
    assert [replay.work_out_results(exported) for exported in logs] == whole


def test_a_long_log_is_retraced_so_far_and_no_further(logs, monkeypatch):
    monkeypatch.setattr(retracing, "KEPT_EACH", 1_000_000)
    monkeypatch.setattr(retracing, "MOST_MADE", 12 - 2 * len(logs[0]["entries"]))
    again = replay.work_out_results(logs[0])
    assert again.problems == () and again.notes[0].startswith(
        f"{TAKEN}, what 2 rolls note in the record, or their titles"
    )


BOX = {"table": "ebbt", "hex": "1039", "terrain": "clear", "firer": "german", "points": "297", "terrain_drm": "-9"}


@pytest.mark.parametrize("is_corrected_before", [False, True])
@pytest.mark.parametrize("answering", ["german", "soviet"])
def test_what_a_side_answers_after_a_correction_is_no_part_of_it(answering, is_corrected_before):
    """It happens as the record stands by then; a correction tells its rolls again as it stood at the old one."""
    german, links = begin(game="streets-of-stalingrad")
    soviet = sit(links["soviet"], german.match_id)
    german.do("record/", field="phase", value="14")
    german.roll("bombardment", **BOX, die="10", dice="table")
    bombarded = german.last.number
    german.do("record/", field="phase", value="1")
    if is_corrected_before:
        soviet.roll("stukas", turn="3", stuka_die="5")
        soviet.roll("stukas", turn="3", stuka_die="9", corrects=soviet.last.number)
        assert soviet.last.about
    german.roll("bombardment", **BOX, die="9", dice="table", corrects=bombarded)
    [step] = german.match.state.queue
    player = soviet if answering == "soviet" else german
    player.roll("box-guns", step=step.id, **{**step.inputs, "units": "94/I"})
    assert soviet.last.result.details["changes"]["fired"]["add"][0]["phase"] == 1
    again = replay.work_out_results(german.get("log.json").json())
    assert (again.problems, again.notes) == ((), ())


def test_what_a_correction_settles_without_dice_is_told_as_the_record_stood_at_the_old_roll():
    german, _ = begin()
    phase(german, "fire_and_movement", turn=2)
    battery(german, marker="ffe", hex="K9", smoke="on", placed="1")
    german.roll("contact", mission="german-1", aim="K7", correction="2", die="20", dice="table")
    answer(german, die="90", direction_die="3")
    [accuracy] = german.match.log.filter(helper="accuracy")
    german.do("record/", field="turn", value="4")
    german.roll("accuracy", **{**accuracy.inputs, "die": "5"}, dice="table", corrects=accuracy.number)
    [*_, firepower] = german.match.log.filter(helper="firepower").order_by("number")
    turns = {row["smoke"] for row in firepower.result.details["changes"]["ground"]["add"].values()}
    assert firepower.number > accuracy.number + 3 and turns == {2}
    exported = german.get("log.json").json()
    again = replay.work_out_results(exported)
    assert (again.problems, again.notes) == ((), ())
    corrected = german.match.log.get(about=accuracy.number, helper="accuracy").number
    for line in exported["entries"][: corrected - 1]:  # as an app wrote them that gave each line a time of its own
        line["at"] = f"{line['number']}"
    assert replay.work_out_results(exported).notes == ()
    forged = json.loads(json.dumps(exported))
    for row in forged["entries"][firepower.number - 1]["result"]["details"]["changes"]["ground"]["add"].values():
        row["smoke"] = 4
    assert len(replay.work_out_results(forged).problems) == 1
    exported["entries"][corrected - 1]["at"] = f"{corrected}"
    [note] = replay.work_out_results(exported).notes
    assert note.startswith(TAKEN)


def test_all_lines_of_an_act_have_one_time_and_no_other_line_has_it():
    german, _ = begin()
    battery(german)
    german.roll("contact", mission="german-1", aim="K7", die="20", dice="table")
    answer(german, die="90", direction_die="3")
    german.do("take-back/")
    lines = german.match.log.exclude(act=None)
    times = dict(lines.values_list("act", "at"))
    assert len({*times.values()}) == len(times) < len(lines)
    assert all(line.at == times[line.act_id] for line in lines)
