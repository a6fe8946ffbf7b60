"""Corrections among counters: what came later stands, and is read from what its counter then was."""

import json
import random
from datetime import timedelta

import pytest

from firefight.models import LogEntry
from firefight.table.files import archive, making, saving
from firefight.table.log import fairness, reading
from firefight.table.rolling import replay
from tests import pages
from tests.firefight.counters.test_naming import LIST, fire, known, rolls, states
from tests.firefight.players import begin, end, sit, text_of
from tests.firefight.table.test_acts import roll
from tests.oracles.tablekeeper import TableKeeper
from tests.soak import seeds

pytestmark = pytest.mark.django_db

M2, M0, REDUCED, MISS, OUT = 45, 60, 35, 70, 5  # of the house chart, against one Rifle squad of TQ 6


@pytest.fixture
def both(frozen):
    """Two browsers, with counters of both sides on the table: Germans in K7, Russians in K9."""
    return frozen("a table", sit_down)


def shoot(german, russian, die=M2, check=None, at="russian-1"):
    """An attack and, if it asks for one, the check that follows; returns the attack's line."""
    fire(german, at, die=str(die))
    if check:
        take_check(russian, check)
    return rolls(german, "fire")[-1]


def take_check(player, die):
    step = player.match.state.queue[0]
    player.roll("morale", step=step.id, die=str(die), dice="table")
    return rolls(player, "morale")[-1]


def correct(player, entry, die):
    """Type another die into the form that the page draws for a correction, and send all of it."""
    page = player.get(f"roll/{entry.helper}/", corrects=entry.number)
    (form,) = pages.forms(text_of(page), "form#desk-form")
    fields = {name: values for name, values in form.fields.items() if name not in ("act", "version")}
    answer = player.roll(entry.helper, **fields | {entry.rolls[0].die: str(die), "dice": "table"})
    assert answer.status_code == 302, text_of(answer)
    return answer


def checked(player):
    """The checks that stand, in their order, each with the state that it was read from."""
    return [(line.inputs["state"], line.result.outcome) for line in rolls(player, "morale")]


def drop_lines(player):
    return " ".join(f"{line.sentence} {line.secret}" for line in player.log if line.kind == "drop")


def keep_books(player):
    """A second book-keeper reads the log and finds the same counters; the dice check finds nothing."""
    exported = json.loads(json.dumps(reading.export_log(player.match, ("german", "russian"))))
    book = TableKeeper().keep(exported).plain()
    for id, fields in known(player).items():
        assert book[id]["state"] == sorted(fields["state"] or []) and book[id]["fate"] == fields["fate"], id
    assert fairness.check_log(exported).problems == ()
    assert replay.work_out_results(exported).problems == ()


def test_what_came_later_stands_where_the_same_comes_of_the_corrected_roll(both):
    german, russian = both
    first = shoot(german, russian, check=8)
    shoot(german, russian, check=9)
    before = states(german)
    assert before == {"russian-1": ["reduced"]}
    correct(german, first, M2 + 1)
    assert states(german) == before
    assert "Put that right" not in drop_lines(german) and "Look at" not in drop_lines(german)
    assert checked(german) == [("disrupted", "casualties"), ("good_order", "disrupted")]
    keep_books(german)


def test_a_later_check_of_the_same_counter_is_read_again_with_its_die(both):
    german, russian = both
    first = shoot(german, russian, check=8)
    shoot(german, russian, check=9)
    later = rolls(german, "morale")[-1]
    correct(german, first, MISS)
    assert states(german) == {"russian-1": ["disrupted"]}
    [again] = rolls(german, "morale")
    assert (again.about, again.due, again.side) == (later.number, later.due, "russian")
    assert (again.inputs["state"], [(die.face, die.of) for die in again.rolls]) == ("good_order", [(9, later.number)])
    assert f"№ {later.number} is read again, since Rifle squad #1 was Good Order then." in drop_lines(german)
    keep_books(german)


def test_who_corrects_a_check_has_the_next_one_read_again(both):
    german, russian = both
    shoot(german, russian, die=M0, check=8)
    check = rolls(german, "morale")[0]
    shoot(german, russian, die=M0, check=8)
    assert states(german) == {"russian-1": ["disrupted"]}
    correct(russian, check, 2)
    assert checked(german) == [("good_order", "no_effect"), ("good_order", "pinned")]
    assert states(german) == {"russian-1": ["pinned"]}
    keep_books(german)


def test_correcting_to_and_fro_brings_everything_back(both):
    german, russian = both
    first = shoot(german, russian, check=8)
    shoot(german, russian, check=9)
    before = states(german), checked(german)
    correct(german, first, MISS)
    correct(german, rolls(german, "fire")[-1], M2)
    assert states(german) == before[0]
    assert sorted(checked(german)) == sorted(before[1])
    keep_books(german)


def test_taking_such_a_correction_back_restores_every_line(both):
    german, russian = both
    first = shoot(german, russian, check=8)
    shoot(german, russian, check=9)
    before, last = known(german), german.last.number
    stood = list(LogEntry.objects.filter(match=german.match_id).values_list("number", "voided_by"))
    correct(german, first, MISS)
    german.do("take-back/")
    assert known(german) == before
    assert [
        row
        for row in LogEntry.objects.filter(match=german.match_id, number__lte=last).values_list("number", "voided_by")
    ] == stood
    keep_books(german)


def test_a_whole_row_of_checks_is_read_again_one_after_the_other(both):
    german, russian = both
    first = shoot(german, russian, die=M0, check=8)
    for _ in range(2):
        shoot(german, russian, die=M0, check=7)
    assert [state for state, _ in checked(german)] == ["good_order", "pinned", "disrupted"]
    correct(german, first, MISS)
    assert [state for state, _ in checked(german)] == ["good_order", "pinned"]
    assert states(german) == {"russian-1": ["disrupted"]}
    keep_books(german)


def test_a_corrected_roll_that_hits_somebody_else_counts_before_what_befell_them(both):
    german, russian = both
    fire(german, "russian-1", die=str(MISS))
    first = rolls(german, "fire")[-1]
    shoot(german, russian, die=M0, check=8)
    assert states(german) == {"russian-1": ["pinned"]}
    correct(german, first, REDUCED)
    assert states(german) == {"russian-1": ["reduced", "pinned"]}
    keep_books(german)


def test_what_a_hand_has_set_stays(both):
    german, russian = both
    first = shoot(german, russian, die=M0, check=8)
    russian.do("counters/", id="russian-1", state=["pinned", "close_combat"], place="K8")
    correct(german, first, MISS)
    assert states(german) == {"russian-1": ["close_combat"]}
    assert known(german)["russian-1"]["place"] == "K8"
    keep_books(german)
    correct(german, rolls(german, "fire")[-1], REDUCED)
    assert states(german) == {"russian-1": ["reduced", "close_combat"]}
    assert russian.last.sentence and "By hand, Rifle squad #1: reduced, in close combat" in " ".join(
        line.sentence for line in german.log if line.kind == "counter" and not line.voided_by
    )
    keep_books(german)


def test_a_state_that_a_hand_has_taken_off_is_off(both):
    german, russian = both
    first = shoot(german, russian, die=M0, check=8)
    russian.do("counters/", id="russian-1", becomes="good_order")
    correct(german, first, M0 + 1)
    assert "russian-1" not in states(german)
    correct(german, rolls(german, "fire")[-1], MISS)
    assert "russian-1" not in states(german)
    keep_books(german)


def test_who_is_gone_by_the_corrected_roll_is_gone_and_what_came_later_is_named(both):
    german, russian = both
    fire(german, "russian-1", die=str(MISS))
    first = rolls(german, "fire")[-1]
    shoot(german, russian, die=M0, check=8)
    check = rolls(german, "morale")[-1]
    correct(german, first, OUT)
    assert states(german) == {"russian-1": "eliminated"}
    assert f"Look at № {check.number} again: Rifle squad #1 was eliminated then." in drop_lines(german)
    keep_books(german)
    correct(german, rolls(german, "fire")[-1], MISS)
    assert states(german) == {"russian-1": ["pinned"]}
    keep_books(german)


def test_who_is_gone_by_a_later_roll_stays_gone(both):
    german, russian = both
    first = shoot(german, russian, die=M0, check=8)
    shoot(german, russian, die=OUT)
    correct(german, first, MISS)
    assert states(german) == {"russian-1": "eliminated"}
    assert known(german)["russian-1"]["place"] == ""
    keep_books(german)


def test_who_is_gone_by_a_later_roll_has_no_check_to_take(both):
    german, russian = both
    fire(german, "russian-1", die=str(MISS))
    first = rolls(german, "fire")[-1]
    shoot(german, russian, die=OUT)
    correct(german, first, M2)
    assert german.match.state.queue == ()
    assert "Due no more: Morale Check: Rifle squad #1." in drop_lines(german)


def test_what_was_due_of_who_is_back_in_play_is_due_again(both):
    german, russian = both
    shoot(german, russian, die=M2)
    fire(german, "russian-1", die=str(OUT))
    second = rolls(german, "fire")[-1]
    assert german.match.state.queue == ()
    correct(german, second, MISS)
    (step,) = german.match.state.queue
    assert (step.title, step.read_by) == ("Morale Check: Rifle squad #1", "russian")
    assert "Due again: Morale Check: Rifle squad #1." in drop_lines(german)
    take_check(russian, 8)
    assert states(german) == {"russian-1": ["disrupted"]}
    correct(german, rolls(german, "fire")[-1], MISS + 1)
    assert german.match.state.queue == ()
    keep_books(german)


@pytest.mark.parametrize("names_acts", [True, False])
def test_what_came_with_a_file_is_wound_back_as_well(both, names_acts):
    """Also with a file of an app that gave each line a time of its own, so that it does not say what is of one act."""
    german, russian = both
    first = shoot(german, russian, check=8)
    shoot(german, russian, check=9)
    correct(german, first, M2 + 1)
    sent = json.dumps(saving.dump_match(german.match, ("german", "russian"))).encode()
    opened = making.make_match(archive.read_archive(sent), True).match
    for line in () if names_acts else opened.log.all():
        opened.log.filter(pk=line.pk).update(at=line.at + timedelta(milliseconds=line.number))
    number = rolls(german, "fire")[-1].number
    fired = opened.state.record["fired"]
    done = roll(opened, "fire", {"die": MISS}, corrects=number, **typed(german.log[number - 1]))
    opened.refresh_from_db()
    assert opened.state.record["fired"] == fired[2:] != []  # of the corrected roll, which named nobody again
    assert any(entry.about == 17 and entry.helper == "morale" for entry in done.entries)
    assert opened.log.filter(kind="counter", voided_by=None).first().inputs["counters"]["russian-1"]["state"] == [
        [],
        ["disrupted"],
    ]


def typed(entry):
    """The fields of a roll's form as they were sent."""
    return {name: value for name, value in entry.inputs.items() if name not in ("firers", "targets", "account")}


def test_fire_of_who_was_pinned_is_named_and_at_who_was_pinned_is_not(both):
    german, russian = both
    first = shoot(german, russian, die=M0, check=8)
    fire(russian, "german-1", firers=("russian-1",), die="95")
    shot = rolls(german, "fire")[-1]
    fire(german, "russian-1", die=str(MISS))
    harmless = rolls(german, "fire")[-1]
    correct(german, first, MISS)
    assert f"Look at № {shot.number} again: Rifle squad #1 was Good Order then." in drop_lines(german)
    assert f"№ {harmless.number}" not in drop_lines(german)
    keep_books(german)


def test_two_corrections_of_one_roll_read_the_later_check_each_time_anew(both):
    german, russian = both
    first = shoot(german, russian, check=8)
    shoot(german, russian, check=9)
    for die, read_from in ((M2 + 1, "disrupted"), (MISS, "good_order"), (M2, "disrupted")):
        correct(german, [line for line in rolls(german, "fire") if line.number == first.number or line.about][-1], die)
        assert (read_from, {"disrupted": "casualties"}.get(read_from, "disrupted")) in checked(german)
        keep_books(german)
    assert states(german) == {"russian-1": ["reduced"]}


def test_a_line_that_is_told_again_can_be_undone_by_whoever_did_it(both):
    german, russian = both
    first = shoot(german, russian, die=M0, check=8)
    russian.do("counters/", id="russian-1", state=["pinned", "close_combat"])
    correct(german, first, M0 + 1)
    number = next(
        line.number
        for line in german.log
        if line.kind == "counter" and line.inputs.get("again") and "hand" in line.sentence
    )
    german.do("counters/undo/", number=number)
    assert german.match.proposal is not None
    russian.do("counters/undo/", number=number)
    assert states(german) == {"russian-1": ["pinned"]}


def test_a_correction_of_one_check_leaves_other_counters_lines_alone(both):
    german, russian = both
    first = shoot(german, russian, die=M0, check=8)
    shoot(german, russian, die=M0, check=8, at="russian-2")
    lines = [line.number for line in german.log if line.kind == "counter" and "russian-2" in line.touches]
    correct(german, first, MISS)
    assert not LogEntry.objects.filter(match=german.match_id, number__in=lines).exclude(voided_by=None).exists()
    end(german, russian)
    keep_books(german)


@pytest.mark.soak
@pytest.mark.parametrize("seed", seeds(2, 60))
def test_whatever_is_corrected_the_counters_are_as_if_it_had_been_typed_rightly(seed):
    """A second match, in which the same dice are typed as they now stand, comes to the same counters."""
    rng = random.Random(seed)
    german, russian = sit_down()
    shots = []
    for _ in range(rng.randint(3, 6)):
        at, die = rng.choice(["russian-1", "russian-2"]), rng.choice([M0, M2])
        if at not in lost(german):
            shots.append([at, die, rng.randint(4, 9)])
            shoot(german, russian, *shots[-1][1:], at=at)
    attacks = [line.number for line in rolls(german, "fire")]
    for _ in range(rng.randint(2, 4)):
        place = rng.randrange(len(attacks))
        shots[place][1] = die = rng.choice([M0, M2, MISS])
        correct(german, german.log[attacks[place] - 1], die)
        attacks[place] = [line for line in rolls(german, "fire") if line.about == attacks[place]][-1].number
        keep_books(german)
    other, their = sit_down()
    for at, die, check in shots:
        if at not in lost(other):
            shoot(other, their, die, None if die == MISS else check, at=at)
    assert states(german) == states(other)


def sit_down():
    german, links = begin()
    russian = sit(links["russian"], german.match_id)
    german.do("counters/add/", list=LIST)
    german.do("counters/", id=["german-1", "german-2", "german-3"], place="K7")
    russian.do("counters/", id=["russian-1", "russian-2", "russian-3", "russian-4"], place="K9")
    return german, russian


def lost(player):
    return [id for id, now in states(player).items() if now == "eliminated"]
