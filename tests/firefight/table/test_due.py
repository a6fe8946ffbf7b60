"""Several rolls that are due together: one card, one act, all of them or none."""

import json
from dataclasses import replace

import pytest

from firefight.columns import DueRoll, MatchState
from firefight.games import registry
from firefight.models import LogEntry, Match
from firefight.table.act.table import Table
from firefight.table.board import record_rules
from firefight.table.rolling import roll_counters
from tests import pages
from tests.firefight.players import GAME, begin, rows, text_of, words_of

pytestmark = pytest.mark.django_db

UNITS = [
    {"kind": "squad", "name": "1st", "tq": 6},
    {"kind": "leader", "name": "Vogt", "tq": 8},
    {"kind": "sw_team", "name": "MG", "tq": 7},
]


@pytest.fixture
def player():
    """A hot-seat match whose last fire asks all three for a Morale Check."""
    maker, _ = begin(hot_seat=True)
    for die in range(40, 100, 2):
        maker.roll("fire", ff=20, units=json.dumps(UNITS), die=die, dice="table")
        if [step.helper for step in maker.match.state.queue] == ["morale"] * 3:
            return maker
        maker.do("take-back/")
    raise AssertionError("No roll brings three checks.")


def send(player, *faces, source="table", htmx=False, **more):
    steps = [step.id for step in player.match.state.queue][: len(faces)]
    boxes = {f"due-{step}-die": face for step, face in zip(steps, faces, strict=True)}
    return player.do("due/", htmx, step=steps, dice=source, **boxes, **more)


def checks(player):
    return [entry for entry in player.log if entry.helper == "morale" and entry.voided_by is None]


def test_the_page_shows_a_card_with_a_box_for_each_and_what_each_needs(player):
    page = text_of(player.get())
    assert pages.words_of_each(page, "form.due h2") == ["Morale Check: 3 due"]
    assert pages.words_of_each(page, "form.due .who b") == ["1st", "Vogt", "MG"]
    asks = pages.words_of_each(page, "form.due .who small")
    assert all("or less on the die, TQ" in ask or "die" in ask for ask in asks) and len(asks) == 3
    assert pages.values_of_each(page, "form.due input.die", "name") == [
        f"due-{step.id}-die" for step in player.match.state.queue
    ]


def test_all_are_one_act_and_taken_back_as_one(player):
    before, state = len(player.log), player.match.state
    send(player, "3", "9", "10")
    assert [die.face for entry in checks(player) for die in entry.rolls] == [3, 9, 10]
    assert len({entry.act_id for entry in player.log[before:]}) == 1
    assert player.match.state.queue == ()
    player.do("take-back/")
    assert (player.match.state, checks(player)) == (state, [])


def test_a_blank_box_is_named_and_nothing_is_rolled(player):
    before = rows()
    response = send(player, "3", "", "10", htmx=True)
    assert rows() == before
    assert response.status_code == 200
    assert "No die yet for Vogt. Nothing was rolled." in words_of(response)
    assert pages.values_of_each(text_of(response), "input.die", "value") == ["3", "", "10"]


def test_what_is_no_die_is_told_beside_its_box_and_nothing_is_rolled(player):
    before = rows()
    response = send(player, "3", "12", "10", htmx=True)
    assert (rows(), response.status_code) == (before, 422)
    assert len(pages.words_of_each(text_of(response), "form.due .error")) == 1


def test_the_app_rolls_all_of_them(player):
    send(player, "", "", "", source="app")
    assert [die.number for entry in checks(player) for die in entry.rolls] == [1, 2, 3]


def test_some_may_be_rolled_and_the_rest_stays_due(player):
    send(player, "3", "4")
    assert len(checks(player)) == 2
    assert [step.title for step in player.match.state.queue] == ["Morale Check: MG"]


def test_the_same_card_sent_again_rolls_nothing_new(player):
    steps = [step.id for step in player.match.state.queue]
    fields = {"step": steps, "dice": "app", "act": "6c1b0d3e-0000-4000-8000-000000000001"}
    fields["version"] = str(player.match.version)
    player.do("due/", **fields)
    before = rows()
    assert player.do("due/", htmx=True, **fields).status_code == 200
    assert rows() == before


def test_rolls_that_are_not_due_are_refused(player):
    send(player, "3", "4", "5")
    before = rows()
    for step in ([], ["1-0"], ["x"], ["1-0"] * 30):
        response = player.do("due/", htmx=True, step=step, dice="app")
        assert response.status_code == 403
        assert "not due any more" in words_of(response)
    assert rows() == before


def test_a_correction_above_the_card_lets_its_dice_stand(player):
    first = player.log[-1]
    send(player, "3", "9", "10")
    player.roll("fire", corrects=first.number, die=first.rolls[0].face, dice="table")
    assert [die.face for entry in checks(player) for die in entry.rolls] == [3, 9, 10]
    assert all(entry.rolls[0].of for entry in checks(player))


def test_losses_compute_themselves_and_stand_below_what_caused_them():
    maker, _ = begin(hot_seat=True)
    fields = {"result": "c/m", "check": 0, "units": json.dumps(UNITS[:2]), "die_1": 8, "die_2": 3}
    response = maker.roll("who-is-hit", htmx=True, dice="table", **fields)
    hit, losses = maker.log[-2:]
    assert (hit.helper, losses.helper, losses.due, losses.kind) == (
        "who-is-hit", "casualties", f"{hit.number}-0", LogEntry.Kind.ROLL,
    )  # fmt: skip
    assert losses.sentence == "Casualties: 1st. 1st: now a half-squad, Good Order."
    assert [step.title for step in maker.match.state.queue] == ["Morale Check: 1st (half)", "Morale Check: Vogt"]
    assert pages.words_of_each(text_of(response), "ul.also b") == ["1st: now a half-squad, Good Order."]


def test_firepower_computes_itself_once_its_caliber_is_known():
    maker, _ = begin(hot_seat=True)
    fields = {"marker": "new_cff", "aim": "K7", "caliber": 105, "die": 20, "dice": "table"}
    maker.roll("accuracy", **fields)
    if maker.last.helper == "accuracy":  # it strays: a direction is asked for
        maker.roll("accuracy", direction_die=3, **fields)
    assert maker.last.helper == "firepower"
    assert [step.helper for step in maker.match.state.queue] == ["fire"]


def test_what_a_player_must_add_stays_due():
    maker, _ = begin(hot_seat=True)
    maker.roll("accuracy", marker="new_cff", aim="K7", die=20, direction_die=3, dice="table")
    assert [step.helper for step in maker.match.state.queue] == ["firepower"]


LIST = "German: 2 Panzergrenadier squads\nRussian: 3 Rifle squads"


def test_what_is_due_of_a_counter_that_is_gone_is_due_no_more():
    maker, _ = begin(hot_seat=True)
    maker.do("counters/add/", list=LIST)
    stack = {"targets": ["russian-1", "russian-2"], "range": "1", "dice": "table"}
    for die in range(1, 101):
        maker.roll("fire", firers=["german-1"], die=die, **stack)
        if [step.helper for step in maker.match.state.queue] == ["who-is-hit"]:
            break
        maker.do("take-back/")
    maker.do("counters/", id=["russian-1"], becomes="eliminated")
    (step,) = maker.match.state.queue
    assert [row["id"] for row in step.inputs["units"]] == ["russian-2"]
    before = maker.match.state
    maker.do("counters/", id=["russian-2"], becomes="eliminated")
    assert maker.match.state.queue == ()
    assert maker.log[-1].sentence == f"Due no more: {step.title}."
    maker.do("take-back/")
    assert maker.match.state == before


@pytest.mark.parametrize(
    ("before", "now", "is_dropped"),
    [("", "eliminated", True), ("eliminated", "", False), ("eliminated", "captured", False), ("", "", False)],
)
def test_a_due_roll_goes_with_a_line_that_takes_its_counter_out_of_play_and_no_other(before, now, is_dropped):
    step = DueRoll("1-0", "morale", "Check", {"unit": "squad", "tq": 5, "id": "russian-1"})
    match = Match(game=GAME, state=MatchState(queue=(step,)))
    line = LogEntry(kind="counter", inputs={"counters": {"russian-1": {"fate": [before, now]}}})
    dropped = roll_counters.spare_the_lost(match, [line])
    assert (bool(dropped), match.state.queue) == (is_dropped, () if is_dropped else (step,))


def test_a_second_check_is_taken_in_the_state_in_which_the_first_has_left_its_counter():
    """R-94."""
    german, _ = begin(hot_seat=True)
    german.do("counters/add/", list="German: Grenadier squad\nRussian: Rifle squad")
    for die in range(40, 100, 2):
        german.roll("fire", ff=20, targets="russian-1", die=die, dice="table")
        if [step.helper for step in german.match.state.queue] == ["morale"]:
            break
        german.do("take-back/")
    german.roll("fire", ff=20, targets="russian-1", die=die, dice="table")
    first, second = german.match.state.queue
    assert [step.inputs["state"] for step in (first, second)] == ["good_order"] * 2
    send(german, "10")
    (left,) = german.match.state.queue
    assert left == second
    state = german.match.state.counters["russian-1"]["state"]
    (form,) = pages.forms(text_of(german.get("roll/morale/", step=left.id)), "form#desk-form")
    assert state and form.fields["state"] == state
    send(german, "10")
    assert checks(german)[-1].inputs["state"] == state[0]


def test_what_fills_a_due_roll_is_worked_out_once_while_the_match_stands_so(player, monkeypatch):
    calls, fill = [], record_rules.fill_step
    monkeypatch.setattr(record_rules, "fill_step", lambda *of: calls.append(of) or fill(*of))
    match, helper = player.match, registry.helpers(GAME)["morale"]
    table, [step, *_] = Table(match, "german", ("german",), ()), match.state.queue
    first = roll_counters.fill_due_form(table, helper, step)
    assert roll_counters.fill_due_form(table, helper, step) == first and len(calls) == 1
    roll_counters.fill_due_form(Table(match, "russian", ("russian",), ()), helper, step)
    assert len(calls) == 2  # who sees something else is told it anew
    match.state = replace(match.state, turn=2)
    roll_counters.fill_due_form(table, helper, step)
    assert len(calls) == 3
    match.state = replace(match.state, ledger="/campaign/")  # whose counters change beside the state
    with monkeypatch.context() as alone:
        alone.setattr(roll_counters, "_read_counter_now", lambda *_: {})
        alone.setattr(record_rules, "fill_step", lambda *of: calls.append(of) or {})
        assert [roll_counters.fill_due_form(table, helper, step) for _ in "12"] and len(calls) == 5
