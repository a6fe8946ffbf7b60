"""What was asked for is what is answered: due rolls about counters, by whom they are read, and what is said of them."""

import json

import pytest

from firefight.columns import DueRoll
from firefight.table.act.table import Table
from firefight.table.log import reading
from firefight.table.rolling import replay, roll_counters
from tests import pages
from tests.filling import Reader
from tests.firefight.players import begin, rows, seated, sit, text_of, words_of
from tests.firefight.table.test_archive import save, without_digests
from tests.firefight.table.test_archive import send as upload

pytestmark = pytest.mark.django_db

LIST = "German: 2 Panzergrenadier squads, NCO\nRussian: 2 Rifle squads"
GERMANS, RUSSIANS = ["german-1", "german-2", "german-3"], ["russian-1", "russian-2"]


def set_up():
    """Both sides at a device of their own, Germans in K7 and Russians in K8."""
    german, links = begin()
    russian = sit(links["russian"], german.match_id)
    german.do("counters/add/", list=LIST)
    german.do("counters/", id=GERMANS, place="K7")
    russian.do("counters/", id=RUSSIANS, place="K8")
    return german, russian


@pytest.fixture
def both(frozen):
    return frozen("what is asked", set_up)


def declare_melee():
    both = set_up()
    german, russian = both
    russian.do("counters/", id=RUSSIANS, place="K7")
    while german.match.state.phase != "melee":
        german.do("advance/", button="phase")
    for player in both:
        assert player.do("melee/", place="K7").status_code == 302
    return both


@pytest.fixture
def melee(frozen):
    """A Close Combat in K7 that both have declared: the Germans' rolls first."""
    return frozen("a declared Close Combat", declare_melee)


def fire_for_a_check():
    both = set_up()
    german, _ = both
    sent = {"firers": "german-1", "targets": "russian-1", "dice": "table"}
    for die in range(1, 101):
        german.roll("fire", **sent, die=str(die))
        if [step.helper for step in german.match.state.queue] == ["morale"]:
            return both
        german.do("take-back/")
    raise AssertionError("No die brings a Morale Check.")


@pytest.fixture
def check(frozen):
    """A Morale Check of Rifle squad #1 that is due, by a fire of the Germans."""
    return frozen("a Morale Check that is due", fire_for_a_check)


def steps_of(player, side):
    return [step for step in player.match.state.queue if step.read_by == side]


def page_of(player, step):
    """The form of a due roll, as its page has drawn it."""
    return Reader(player.client).open(f"/match/{player.match_id}/roll/{step.helper}/?step={step.id}")


def form_of(player, step):
    """What the page of a due roll sends."""
    [form] = pages.forms(text_of(player.get(f"roll/{step.helper}/", step=step.id)), "#desk-form")
    return form


def send(player, step, form, **more):
    """Send the form of a due roll with fields that somebody has changed behind the page's back."""
    sent = {**form.fields, "die": "50", "dice": "table", **more}
    return player.send(f"roll/{step.helper}/", {name: value for name, value in sent.items() if value is not None})


def rolled(player, slug):
    return [line for line in player.log if line.helper == slug and line.voided_by is None]


def check_dice(player):
    """What the dice check says of the log."""
    again = replay.work_out_results(json.loads(json.dumps(reading.export_log(player.match, ()))))
    return again.problems


# A declared Close Combat (19.2.1, A-60)


def rows_with(form, name, place=0, **more):
    listed = json.loads(form.fields[name][0])
    listed[place] |= more
    return json.dumps(listed)


def test_a_declared_attack_is_made_as_its_page_has_it(melee):
    german, _ = melee
    [step, *_] = steps_of(german, "german")
    reader = page_of(german, step)
    reader.form("#desk-form").fill(die=50).press("Resolve")
    assert reader.status == 200
    [line] = rolled(german, "close-combat")
    assert line.inputs["asked"] == {"step": step.id} and "Entered otherwise" not in line.sentence
    assert check_dice(german) == ()


def test_nobody_else_attacks_or_is_attacked_and_nobody_with_another_value(melee):
    german, _ = melee
    [step, *_] = steps_of(german, "german")
    form, before = form_of(german, step), rows()
    other = {"russian-1": "russian-2", "russian-2": "russian-1"}[step.inputs["defense"][0]["id"]]
    for changed, words in (
        ({"defense": rows_with(form, "defense", id=other)}, "and nobody else"),
        ({"defense": rows_with(form, "defense", ccv=1)}, "What was declared is what is fought"),
        ({"attack": rows_with(form, "attack", ccv=200)}, "CCV 200, not 9"),
        ({"attack": rows_with(form, "attack", state="wia")}, "State WIA, not Good Order"),
        ({"attack": "1", "defense": "1"}, "and nobody else"),
        ({"defense": json.dumps([*step.inputs["defense"], {"ccv": 9, "kind": "squad"}])}, "besides"),
    ):
        refused = send(german, step, form, **changed)
        assert refused.status_code == 422 and words in words_of(refused), changed
        assert rows() == before


def test_another_modifier_is_said_in_the_line_and_the_dice_check_reads_it(melee):
    german, russian = melee
    [step, *_] = steps_of(german, "german")
    page_of(german, step).form("#desk-form").fill(die=90, other_drm=-60, hand_to_hand="on").press("Resolve")
    [line] = rolled(german, "close-combat")
    sentence = "Entered otherwise than asked for: Hand-to-hand yes, not no; Other DRM -60, not 0."
    assert line.sentence.endswith(sentence) and sentence in words_of(russian.get())
    assert check_dice(german) == ()


def test_only_the_side_that_declared_reads_its_dice(melee):
    german, russian = melee
    for player, enemy, name in ((german, "russian", "Russian"), (russian, "german", "German")):
        for step in steps_of(player, enemy):
            response = player.get("roll/close-combat/", step=step.id)
            assert f"The {name} rolls this." in words_of(response)
            page = text_of(response)
            assert not pages.find(page, "#desk-form [name=die]") and not pages.find(page, "#desk-form [name=dice]")
            before = rows()
            for refused in (
                player.roll("close-combat", step=step.id, die="1", dice="table"),
                player.do("due/", step=step.id, **{f"due-{step.id}-die": "1"}, dice="table"),
            ):
                assert refused.status_code == 403 and f"the {name} rolls that" in words_of(refused)
            assert rows() == before


def test_a_page_offers_each_side_its_own_rolls(melee):
    for player, side in zip(melee, ("german", "russian"), strict=True):
        own = [step.id for step in steps_of(player, side)]
        page = text_of(player.get())
        assert pages.values_of_each(page, "#desk-form input[name=step]", "value") == own


def test_one_device_with_both_sides_reads_for_both():
    player, _ = begin(hot_seat=True)
    player.do("counters/add/", list=LIST)
    player.do("counters/", id=[*GERMANS, *RUSSIANS], place="K7")
    while player.match.state.phase != "melee":
        player.do("advance/", button="phase")
    player.do("melee/", place="K7")
    for step in player.match.state.queue:
        assert player.roll("close-combat", step=step.id, die="100", dice="table").status_code == 302


def test_a_program_that_sends_the_step_alone_keeps_ticks_and_rows(melee):
    german, _ = melee
    [step, *_] = [step for step in steps_of(german, "german") if step.inputs["leader"]]
    assert german.roll("close-combat", step=step.id, die="100", dice="table").status_code == 302
    [line] = rolled(german, "close-combat")
    assert {name: line.inputs[name] for name in step.inputs} == step.inputs
    assert "Entered otherwise" not in line.sentence


def test_the_dice_check_finds_an_attack_that_was_not_declared(melee, monkeypatch):
    german, _ = melee
    [step, *_] = steps_of(german, "german")
    monkeypatch.setattr(roll_counters.asked, "find_typed", lambda *_: ())
    send(german, step, form_of(german, step), defense=rows_with(form_of(german, step), "defense", ccv=1))
    [line] = rolled(german, "close-combat")
    [problem] = check_dice(german)
    assert f"Line {line.number}: it is not what was asked for." in problem


def test_the_dice_check_finds_a_declared_attack_that_does_not_say_so(melee):
    german, _ = melee
    [step, *_] = steps_of(german, "german")
    send(german, step, form_of(german, step))
    exported = json.loads(json.dumps(reading.export_log(german.match, ())))
    line = exported["entries"][rolled(german, "close-combat")[0].number - 1]
    for claim in (None, {"step": f"{line['number']}-0"}, {"step": "1-0", "typed": ["a"]}, {"step": 5}, ["x"]):
        line["inputs"]["asked"] = claim
        if claim is None:
            del line["inputs"]["asked"]
        assert replay.work_out_results(exported).problems, claim


# Checks


def test_a_check_is_read_by_its_own_side(check):
    german, russian = check
    [step] = german.match.state.queue
    assert step.read_by == "russian"
    assert "The Russian rolls this." in words_of(german.get())
    assert german.roll("morale", step=step.id, die="1", dice="table").status_code == 403
    Reader(russian.client).open(f"/match/{russian.match_id}/").form("#desk-form").fill(die=1).press("Resolve")
    assert [line.side for line in rolled(german, "morale")] == ["russian"]


def test_what_is_entered_otherwise_of_a_check_is_said_by_name(check):
    german, russian = check
    [step] = german.match.state.queue
    other = {"id": "russian-2"}
    refused = send(russian, step, form_of(russian, step), **other)
    assert refused.status_code == 422 and not rolled(russian, "morale")
    page_of(russian, step).form("#desk-form").fill(die=1, tq=9, modifier=0).press("Resolve")
    [line] = rolled(russian, "morale")
    assert "Entered otherwise than asked for: TQ 9, not 6" in line.sentence
    assert check_dice(german) == ()
    answer = russian.roll("morale", corrects=line.number, die="2", dice="table")
    assert answer.status_code == 302 and "TQ 9, not 6" in rolled(russian, "morale")[-1].sentence
    assert check_dice(german) == ()


def test_a_correction_is_about_the_same_counters(check):
    german, russian = check
    [step] = german.match.state.queue
    send(russian, step, form_of(russian, step), die="1")
    [line] = rolled(russian, "morale")
    before = rows()
    refused = russian.roll("morale", corrects=line.number, id="russian-2", die="10", dice="table")
    assert refused.status_code == 422 and "another counter" in words_of(refused) and rows() == before


def test_a_counter_that_is_worse_off_by_now_is_checked_as_it_is_and_nothing_was_entered(check):
    german, russian = check
    [step] = german.match.state.queue
    russian.do("counters/", id="russian-1", becomes="pinned")
    page_of(russian, step).form("#desk-form").fill(die=10).press("Resolve")
    [line] = rolled(russian, "morale")
    assert line.inputs["state"] == "pinned" and line.inputs["asked"] == {"step": step.id, "now": {"state": "pinned"}}
    assert "Entered otherwise" not in line.sentence and check_dice(german) == ()


def test_what_is_carried_to_a_due_roll_is_not_what_somebody_sends(check):
    german, russian = check
    [step] = german.match.state.queue
    assert send(russian, step, form_of(russian, step), die="5", carry='{"mission":"german-1"}').status_code == 302
    assert "mission" not in rolled(russian, "morale")[0].inputs


def test_those_who_look_on_read_nothing_and_a_side_without_a_player_leaves_it_to_the_other():
    table = seated()
    alone, _ = begin()
    alone.do("counters/add/", list=LIST)
    assert roll_counters.may_read(alone_table(alone), step_of("russian"))
    assert not roll_counters.may_read(alone_table(table.german), step_of("russian"))


def alone_table(player):
    return Table(player.match, "german", ("german",), list(player.match.seats.all()))


def step_of(side):
    return DueRoll("1-0", "morale", "Check", {"id": f"{side}-1"}, read_by=side)


# A step that is not due


@pytest.mark.parametrize("step", ["99-0", "1", "abc", "0-0", "1-0-0"])
def test_a_roll_that_is_not_due_is_refused_whatever_comes_with_it(both, step):
    german, _ = both
    before = rows()
    for sent in ({}, {"die": "50"}, {"ff": "8", "die": "50"}, {"ff": "x"}):
        refused = german.roll("fire", step=step, dice="table", **sent)
        assert refused.status_code == 403 and "no longer due" in words_of(refused)
    page = german.get("roll/fire/", step=step)
    assert page.status_code == 403 and "no longer due" in words_of(page)
    assert rows() == before


def test_a_due_roll_of_another_kind_is_refused(check):
    _, russian = check
    [step] = russian.match.state.queue
    refused = russian.roll("casualties", step=step.id)
    assert refused.status_code == 403 and "another roll" in words_of(refused)


# What nothing has asked for


def set_two():
    german, links = begin()
    russian = sit(links["russian"], german.match_id)
    german.do("counters/add/", list="German: 2 Grenadier squads\nRussian: Rifle squad, Maxim M1910")
    german.do("counters/", id=["german-1", "german-2"], place="K7")
    russian.do("counters/", id=["russian-1", "russian-2"], place="K9")
    return german, russian


@pytest.fixture
def two(frozen):
    """Two devices: a German squad in K7, a Russian one and an MG in K9."""
    return frozen("an MG beside a squad", set_two)


def said_last(player, helper):
    return rolled(player, helper)[-1].sentence


def test_another_firepower_than_the_counters_is_said_in_the_line(two):
    german, russian = two
    reader = Reader(german.client)
    reader.open(f"/match/{german.match_id}/roll/fire/?firers=german-1&targets=russian-1&range=2")
    reader.form("#desk-form").fill(ff=99, die=95).press("Resolve")
    sentence = "Entered otherwise than the counters say: FF 99, not 7."
    assert said_last(german, "fire").endswith(sentence)
    assert sentence in words_of(russian.get()) and check_dice(german) == ()


def test_another_tq_in_a_row_is_said_and_a_modifier_is_not(two):
    german, russian = two
    row = {"kind": "squad", "name": "Rifle squad #1", "tq": 1, "state": "good_order", "id": "russian-1"}
    units = json.dumps([{**row, "modifiers": ["woods"]}])
    german.roll("fire", firers="german-1", range="2", units=units, die="95", dice="table")
    assert said_last(german, "fire").endswith("Entered otherwise than the counters say: Rifle squad #1: TQ 1, not 6.")
    german.roll("fire", ff="60", units=json.dumps([{**row, "tq": 6}]), die="95", dice="table")
    assert said_last(german, "fire").endswith("say: no counter is named that fires.")
    assert check_dice(german) == ()


def test_what_counters_fill_says_nothing_of_it(two):
    german, _ = two
    german.roll("fire", firers="german-1", targets="russian-1", range="2", die="95", dice="table")
    german.roll("morale", targets="german-1", die="1", dice="table")
    assert not any("Entered otherwise" in line.sentence for line in german.log)


def test_a_corrected_die_keeps_what_was_entered_and_a_corrected_value_takes_it_away(two):
    german, _ = two
    german.roll("fire", firers="german-1", targets="russian-1", range="2", ff="99", die="95", dice="table")
    german.roll("fire", corrects=str(rolled(german, "fire")[-1].number), die="96", dice="table")
    assert said_last(german, "fire").endswith("say: FF 99, not 7.")
    german.roll("fire", corrects=str(rolled(german, "fire")[-1].number), ff="7", die="97", dice="table")
    assert "Entered otherwise" not in said_last(german, "fire")


def correct_fire(player, **typed):
    """Correct the last fire by its form, as the page draws it."""
    reader = Reader(player.client)
    reader.open(f"/match/{player.match_id}/roll/fire/?corrects={rolled(player, 'fire')[-1].number}")
    reader.form("#desk-form").fill(**typed).press("Resolve")


def test_a_correction_is_compared_with_its_counters_as_they_stood_then(two):
    """The unit was Disrupted by the check that the mistyped fire had asked for, and by hand afterwards."""
    german, russian = two
    german.roll("fire", firers="german-1", targets="russian-1", range="2", die="40", dice="table")
    [check] = german.match.state.queue
    russian.roll("morale", step=check.id, die="0", dice="table")
    assert "disrupted" in german.match.state.counters["russian-1"]["state"]
    correct_fire(german, die=95)
    assert "Entered otherwise" not in said_last(german, "fire")
    russian.do("counters/", id="russian-1", becomes="pinned")
    correct_fire(german, die=96)
    assert "Entered otherwise" not in said_last(german, "fire")


def test_a_correction_says_a_state_that_its_counters_did_not_have_then(two):
    german, russian = two
    russian.do("counters/", id="russian-1", becomes="pinned")
    german.roll("fire", firers="german-1", targets="russian-1", range="2", die="95", dice="table")
    russian.do("counters/", id="russian-1", becomes="good_order")
    row = {"kind": "squad", "name": "Rifle squad #1", "tq": 6, "state": "good_order", "id": "russian-1"}
    number = str(rolled(german, "fire")[-1].number)
    german.roll("fire", corrects=number, units=json.dumps([row]), die="96", dice="table")
    assert said_last(german, "fire").endswith("say: Rifle squad #1: State Good Order, not Pinned Down.")


def test_a_check_of_the_other_sides_counter_is_not_made_unasked(two):
    german, russian = two
    page = german.get("roll/morale/", targets="russian-1")
    assert "The Russian rolls this." in words_of(page) and not pages.find(text_of(page), "#desk-form [name=die]")
    assert pages.find(text_of(russian.get("roll/morale/", targets="russian-1")), "#desk-form [name=die]")
    before = rows()
    for sent in (
        {"targets": "russian-1", "die": "9"},
        {"id": "russian-1", "tq": "1", "modifier": "5", "die": "9"},
        {"id": "russian-1", "tq": "1", "dice": "app"},
    ):
        refused = german.roll("morale", **{"dice": "table", **sent})
        assert refused.status_code == 403 and "The Russian rolls that" in words_of(refused)
    units = '[{"kind":"squad","tq":6,"id":"russian-1"}]'
    assert german.roll("who-is-hit", result="c", units=units, die_1="4", dice="table").status_code == 403
    assert rows() == before
    assert russian.roll("morale", targets="russian-1", die="9", dice="table").status_code == 302


def test_where_nobody_else_plays_them_a_check_of_theirs_is_made():
    for player in (begin(hot_seat=True)[0], begin()[0]):
        player.do("counters/add/", list="Russian: Rifle squad")
        assert player.roll("morale", targets="russian-1", die="9", dice="table").status_code == 302


# What lines of a file may say of counters


@pytest.fixture
def of_counters(check):
    """The file of a match without digests, with the places of the line that moved a counter and of the fire."""
    german, _ = check
    german.do("counters/", id=["german-2"], place="K9")
    saved = without_digests(save(german))
    places = {line.get("helper", line["kind"]): place for place, line in enumerate(saved["log"])}
    return saved, places["counter"], places["fire"]


MOVED = {"german-2": {"place": ["K7", "K9"]}}


@pytest.mark.parametrize(
    "inputs",
    [
        {"counters": 3},
        {"counters": {"german-2": [1]}},
        {"counters": {"german-2": {"place": ["K9"]}}},
        {"counters": {"german-2": {"place": ["K7", 9]}}},
        {"counters": {"german-2": {"fate": ["", "eaten"]}}},
        {"counters": {"german-2": {"shoes": ["", "brown"]}}},
        {"counters": MOVED, "names": ["NCO"]},
        {"counters": MOVED, "again": "x"},
    ],
)
def test_a_line_about_counters_that_says_anything_else_is_refused(of_counters, inputs):
    saved, moved, _ = of_counters
    assert saved["log"][moved]["inputs"] == {"counters": MOVED}
    saved["log"][moved]["inputs"] = inputs
    player, response = upload(saved)
    assert response.status_code == 422 and not player.match_id
    assert f"log {moved + 1}, inputs, " in text_of(response)


@pytest.mark.parametrize("name", ["firers", "targets", "asked", "account", "scene"])
@pytest.mark.parametrize("value", [3, [{"a": 1}]])
def test_a_roll_that_names_anything_but_counters_names_nobody(of_counters, name, value):
    saved, _, fire = of_counters
    saved["log"][fire]["inputs"][name] = value
    player, _ = upload(saved)
    for page in ("", "log/", "dice/", "report/", f"roll/fire/?corrects={fire + 1}"):
        assert player.client.get(f"/match/{player.match_id}/{page}").status_code == 200, page
