"""Changes of counters that wait: asked first, or since the other side of a Close Combat has yet to roll."""

import pytest

from firefight.table.rolling import replay
from tests import pages
from tests.filling import Reader
from tests.firefight.counters.test_naming import both, find_die, fire, rolls, states
from tests.firefight.players import rows, text_of, words_of
from tests.firefight.table.test_archive import save, send

__all__ = ["both"]  # the fixture

pytestmark = pytest.mark.django_db


def ask_first(player):
    return player.do("option/", option="apply", choice="ask")


@pytest.fixture
def waiting(both):
    """An attack that would eliminate two squads, with the players to be asked first."""
    german, russian = both
    die = find_die(german, "2e", "russian-1", "russian-2")
    ask_first(german)
    fire(german, "russian-1", "russian-2", die=die)
    return german, russian


def keys(player):
    return [change.key for change in player.match.state.proposed]


def test_the_choice_is_logged_and_can_be_made_anew_by_either_side(both):
    german, russian = both
    ask_first(german)
    assert german.last.sentence == "From now on, what rolls make of counters: asked first."
    assert ask_first(russian).status_code == 403
    russian.do("option/", option="apply", choice="at_once")
    assert russian.match.state.options.get("apply") is None
    for fields in ({"option": "apply", "choice": "never"}, {"option": "mode", "choice": "ask"}, {}):
        assert german.do("option/", **fields).status_code == 422


def test_changes_wait_on_the_page_and_nothing_is_changed(waiting):
    german, russian = waiting
    assert states(german) == {}
    number = rolls(german, "fire")[0].number
    assert keys(german) == [f"{number}.russian-1", f"{number}.russian-2"]
    for player in waiting:
        page = player.get()
        assert "Rifle squad #1 eliminated" in words_of(page)
        assert "Write all down" in words_of(page)


def test_one_is_written_down_and_one_is_left_and_the_log_says_so(waiting):
    german, russian = waiting
    first, second = keys(german)
    russian.do("proposed/", apply=[first])
    assert states(german) == {"russian-1": "eliminated"}
    assert german.last.sentence.startswith("Rifle squad #1: eliminated; was Good Order")
    assert german.last.about == rolls(german, "fire")[0].number
    german.do("proposed/", leave=[second])
    assert german.last.sentence == "Not written down: Rifle squad #2 eliminated."
    assert (states(german), keys(german)) == ({"russian-1": "eliminated"}, [])
    assert german.do("proposed/", apply=[second]).status_code == 403


def test_all_are_written_down_at_once_and_taken_back_exactly(waiting):
    german, _ = waiting
    state = german.match.state
    german.do("proposed/", apply=["all"])
    assert states(german) == {"russian-1": "eliminated", "russian-2": "eliminated"}
    german.do("take-back/")
    assert german.match.state == state


def test_taking_back_the_roll_takes_what_waits_back(waiting):
    german, _ = waiting
    german.do("take-back/")
    assert (keys(german), states(german)) == ([], {})


def test_a_correction_strikes_what_waits_and_what_was_written_down(waiting):
    german, _ = waiting
    entry = rolls(german, "fire")[0]
    german.do("proposed/", apply=[keys(german)[0]])
    german.roll("fire", corrects=entry.number, die="100", dice="table")
    assert (keys(german), states(german)) == ([], {})


def test_nonsense_changes_nothing(waiting):
    german, _ = waiting
    before = rows()
    for fields in ({}, {"apply": ["x"]}, {"apply": ["all"], "leave": ["all"]}, {"leave": ["1.russian-1"]}):
        assert german.do("proposed/", **fields).status_code in (403, 422)
    assert rows() == before


def test_what_waits_survives_a_file(waiting):
    german, _ = waiting
    sent = save(german)
    opened, _ = send(sent)
    assert [change.becomes for change in opened.match.state.proposed] == ["eliminated"] * 2


def test_close_combat_waits_until_players_write_it_down(both):
    german, russian = both
    fields = {"firers": ["german-1", "german-2"], "targets": ["russian-1"], "dice": "table"}
    for die in range(1, 101):
        german.roll("close-combat", die=str(die), **fields)
        if keys(german):
            break
        german.do("take-back/")
    [waits] = german.match.state.proposed
    assert (waits.id, states(german)) == ("russian-1", {})
    # Who is about to be lost strikes back first.
    answer = russian.roll("close-combat", firers=["russian-1"], targets=["german-1"], die="90", dice="table")
    assert answer.status_code == 302, words_of(answer)
    german.do("proposed/", apply=["all"])
    assert "russian-1" in states(german)


def test_a_check_that_is_due_counts_on_a_loss_that_waits_until_it_is_left(both):
    german, russian = both
    die = find_die(german, "c/m", "russian-1")
    ask_first(german)
    fire(german, "russian-1", die=die)

    def unit_of_check():
        [step] = [step for step in german.match.state.queue if step.helper == "morale"]
        page = text_of(russian.get("roll/morale/", step=step.id))
        return pages.values_of_each(page, "#desk-form select[name=unit] option[selected]", "value")

    assert keys(german)
    assert unit_of_check() == ["half_squad"]
    german.do("proposed/", leave=["all"])
    assert unit_of_check() == ["squad"]


def fail_twice(german, russian):
    """Two checks of one squad fail by 1 each, and what they do waits for players; the die of the attacks."""
    die = find_die(german, "m", "russian-1")
    ask_first(german)
    for _ in range(2):
        fire(german, "russian-1", die=die)
    tq = german.match.state.queue[0].inputs["tq"]
    for _ in range(2):
        Reader(russian.client).open(f"/match/{russian.match_id}/").form("#desk-form").fill(die=tq + 1).press("Resolve")
    return die


def test_a_second_check_that_is_due_counts_on_the_first_one_that_waits(both):
    """18.2.3: who is Pinned Down already and fails again by 1 or 2 is Disrupted."""
    german, russian = both
    fail_twice(german, russian)
    assert [change.becomes for change in german.match.state.proposed] == ["pinned", "disrupted"]
    german.do("proposed/", apply=["all"])
    assert states(german) == {"russian-1": ["disrupted"]}
    assert replay.examine_log(german.get("log.json").json())["problems"] == []


def test_a_check_that_stands_again_after_a_correction_counts_on_what_waits_too(both):
    german, russian = both
    die = fail_twice(german, russian)
    before = [change.becomes for change in german.match.state.proposed]
    number = int(rolls(german, "morale")[-1].inputs["asked"]["step"].partition("-")[0])
    german.roll("fire", corrects=number, die=str(die), dice="table")
    check = rolls(german, "morale")[-1]
    assert [change.becomes for change in german.match.state.proposed] == before == ["pinned", "disrupted"]
    assert check.rolls[0].of and check.inputs["state"] == "pinned"
    assert check.inputs["asked"]["now"] == {"state": "pinned"} and "Entered otherwise" not in check.sentence
    assert replay.examine_log(german.get("log.json").json())["problems"] == []
