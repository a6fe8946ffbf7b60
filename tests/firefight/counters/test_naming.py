"""Rolls that name counters: what they fill, who cannot be named, what becomes of whom, and what stays secret."""

import json

import pytest

from firefight.table.log import reading
from firefight.table.rolling import replay
from tests import pages
from tests.filling import Reader
from tests.firefight.players import begin, end, rows, sit, text_of, words_of

pytestmark = pytest.mark.django_db

LIST = "German: 2 Panzergrenadier squads, NCO\nRussian: 3 Rifle squads, Commissar"


def set_two_stacks():
    german, links = begin()
    russian = sit(links["russian"], german.match_id)
    german.do("counters/add/", list=LIST)
    german.do("counters/", id=["german-1", "german-2", "german-3"], place="K7")
    russian.do("counters/", id=["russian-1", "russian-2", "russian-3", "russian-4"], place="K9")
    return german, russian


@pytest.fixture
def both(frozen):
    """Two browsers, with counters of both sides on the table: Germans in K7, Russians in K9."""
    return frozen("two stacks", set_two_stacks)


def known(player):
    return {counter["id"]: counter for counter in player.get("counters.json").json()}


def states(player):
    return {
        key: counter["fate"] or counter["state"]
        for key, counter in known(player).items()
        if counter["fate"] or counter["state"]
    }


def fire(player, *targets, firers=("german-1", "german-2"), die="60", **more):
    return player.roll("fire", firers=list(firers), targets=list(targets), die=die, dice="table", **more)


def rolls(player, slug=""):
    return [line for line in player.log if line.helper and line.voided_by is None and slug in ("", line.helper)]


def find_die(player, outcome_sought, *targets):
    """A die that brings such an outcome, found on the form's own odds by trying; the match is as before."""
    for die in range(1, 101):
        fire(player, *targets, die=str(die))
        outcome = rolls(player, "fire")[-1].result.outcome
        player.do("take-back/")
        if outcome == outcome_sought:
            return str(die)
    raise AssertionError(f"No die brings {outcome_sought}.")


def test_counters_fill_the_form_and_are_kept_with_the_roll(both):
    german, _ = both
    response = fire(german, "russian-1", "russian-2")
    assert response.status_code == 302, words_of(response)
    entry = rolls(german, "fire")[0]
    assert entry.inputs["firers"] == ["german-1", "german-2"]
    assert entry.inputs["targets"] == ["russian-1", "russian-2"]
    assert entry.inputs["ff"] > 0
    assert [row["id"] for row in entry.inputs["units"]] == ["russian-1", "russian-2"]
    assert entry.touches.split() == ["german-1", "german-2", "russian-1", "russian-2"]


def test_an_address_opens_the_filled_form(both):
    german, _ = both
    response = german.get("roll/fire/", firers=["german-1", "german-2"], targets=["russian-1"], modifiers=["woods"])
    page = text_of(response)
    assert pages.values_of_each(page, "#desk-form input[name=firers]", "value") == ["german-1", "german-2"]
    assert pages.values_of_each(page, "#desk-form input[name=targets]", "value") == ["russian-1"]
    [ff] = pages.values_of_each(page, "#desk-form input[name=ff]", "value")
    assert int(ff) > 0
    assert "Rifle squad #1" in words_of(response)
    assert pages.values_of_each(page, "input[name=modifiers][checked]", "value") == ["woods"]


TANKS = ["german-4"]


def add_tank(german):
    """A Pz IV beside the Germans in K7."""
    german.do("counters/add/", list="German: Pz IV F1")
    german.do("counters/", id=TANKS, place="K7")


def test_small_arms_leave_a_tank_out_of_a_stack_and_the_sheet_the_line_and_the_counter_say_so(both):
    """18.1.1, A-56: a squad destroyed a tank, and a tank took the E for those beside it."""
    german, russian = both
    add_tank(german)
    sheet = russian.get("roll/fire/", firers=["russian-1"], targets=["german-1", "german-4"])
    assert "Pz IV F1 #4 is left out: small arms attack infantry only" in words_of(sheet)
    [form] = pages.forms(text_of(sheet), "#desk-form")
    assert russian.send("roll/fire/", {**form.filled(die="1", ff="50"), "dice": "table"}).status_code == 302
    entry = rolls(russian, "fire")[-1]
    assert (entry.result.outcome, entry.result.details["left_out"]) == ("2e", ["Pz IV F1 #4"])
    assert states(german) == {"german-1": "eliminated"}


def test_small_arms_at_a_tank_alone_are_refused_before_anything_is_rolled(both):
    german, russian = both
    add_tank(german)
    sheet = russian.get("roll/fire/", firers=["russian-1"], targets=TANKS)
    assert "Pz IV F1 #4: small arms attack infantry only" in words_of(sheet)
    before = rows()
    for more in ({"firers": ["russian-1"]}, {"firers": [], "ff": "8"}):
        refused = russian.roll("fire", targets=TANKS, die="1", dice="table", **more)
        assert refused.status_code == 422 and "small arms attack infantry only" in words_of(refused)
        assert rows() == before


def test_fire_into_a_close_combat_is_made_on_both_sides_and_the_sheet_lists_them(both):
    """19.1.4, A-59: own units were refused, and left alone."""
    german, russian = both
    german.do("counters/", id="german-3", place="K9", state="close_combat")
    russian.do("counters/", id=["russian-1", "russian-2"], state="close_combat")
    russian.do("counters/", id="russian-3", place="K8")
    reader = Reader(german.client).open(
        f"/match/{german.match_id}/roll/fire/?firers=german-1&firers=german-2&targets=russian-1"
    )
    assert "Close Combat in K9: friend and enemy are attacked" in reader.words("#desk")
    in_combat = ["german-3", "russian-1", "russian-2", "russian-4"]
    assert sorted(field.attributes["value"] for field in reader.find("#desk-form input[name=targets]")) == in_combat
    reader.form("#desk-form").fill(die=1).press("Resolve")
    [line] = rolls(german, "fire")
    assert sorted(row["id"] for row in line.inputs["units"]) == in_combat
    assert sorted(line.inputs["targets"]) == in_combat and "friend and enemy" in line.result.effects[0]
    [step] = german.match.state.queue
    assert (step.helper, step.read_by) == ("who-is-hit", "german")
    assert replay.work_out_results(json.loads(json.dumps(reading.export_log(german.match, ())))).problems == ()
    own = german.roll("fire", firers="german-1", targets="german-2", die="1", dice="table")
    assert own.status_code == 422 and "is your own" in words_of(own)


def test_what_was_sent_wins(both):
    german, _ = both
    fire(german, "russian-1", ff="8")
    assert rolls(german, "fire")[0].inputs["ff"] == 8


@pytest.mark.parametrize(
    ("firers", "targets", "refusal"),
    [
        (["german-9"], ["russian-1"], "There is no such counter in play: german-9."),
        (["german-1"], ["russian-99"], "There is no such counter in play: russian-99."),
        (["<b>"], ["russian-1"], "There is no such counter in play"),
        (["russian-1"], ["russian-2"], "Rifle squad #1 is Russian: choose your own counters to fire."),
        (["german-1"], ["german-2"], "is your own: choose counters of the other side"),
        ([f"german-{n}" for n in range(1, 70)], [], "At most 60"),
        (["german-1"], [f"russian-{n}" for n in range(1, 70)], "At most 60"),
    ],
)
def test_counters_that_cannot_be_named_are_refused_in_plain_words_and_nothing_changes(both, firers, targets, refusal):
    german, _ = both
    before = rows()
    response = german.roll("fire", htmx=True, firers=firers, targets=targets, die="20", dice="table")
    assert response.status_code == 422
    assert refusal in words_of(response)
    assert rows() == before
    assert refusal in words_of(german.get("roll/fire/", firers=firers, targets=targets))


def test_who_cannot_fire_and_who_is_gone_say_why(both):
    german, _ = both
    german.do("counters/", id=["german-1"], becomes="disrupted")
    german.do("counters/", id=["german-2"], becomes="eliminated")
    before = rows()
    response = german.roll("fire", htmx=True, firers=["german-1"], targets=["russian-1"], die="20")
    assert "is Disrupted and does not fire" in words_of(response)
    response = german.roll("fire", htmx=True, firers=["german-2"], targets=["russian-1"], die="20")
    assert "is out of play: eliminated." in words_of(response)
    assert rows() == before


def test_results_write_themselves_with_lines_of_their_own_and_are_taken_back_exactly(both):
    german, russian = both
    die = find_die(german, "e", "russian-1")
    state, before = german.match.state, known(russian)
    fire(german, "russian-1", die=die)
    assert states(russian) == {"russian-1": "eliminated"}
    line = german.log[-1]
    assert (line.kind, line.sentence) == ("counter", "Rifle squad #1: eliminated; was Good Order, in K9.")
    assert line.about == rolls(german, "fire")[0].number
    german.do("take-back/")
    assert (german.match.state, known(russian)) == (state, before)


def test_checks_and_losses_of_a_stack_end_up_on_the_counters(both):
    german, russian = both
    die = find_die(german, "c/m", "russian-1", "russian-2", "russian-4")
    fire(german, "russian-1", "russian-2", "russian-4", die=die)
    russian.roll("who-is-hit", step=german.match.state.queue[0].id, die_1="9", die_2="3", die_3="2", dice="table")
    assert states(russian) == {"russian-1": ["reduced"]}
    steps = [step.id for step in german.match.state.queue]
    assert [step.inputs["id"] for step in german.match.state.queue] == ["russian-1", "russian-2", "russian-4"]
    page = russian.get()
    assert len(pages.values_of_each(text_of(page), "form.due img", "src")) == 3
    russian.do("due/", step=steps, dice="table", **{f"due-{step}-die": "10" for step in steps})
    entries = rolls(german, "morale")
    assert [entry.inputs["id"] for entry in entries] == ["russian-1", "russian-2", "russian-4"]
    changed_states = states(russian)
    for entry in entries:
        word = entry.result.details["state"]
        assert word in changed_states[entry.inputs["id"]]
    assert changed_states["russian-1"][0] == "reduced"


def test_a_correction_puts_the_counters_back_and_keeps_who_was_named(both):
    german, russian = both
    die = find_die(german, "e", "russian-1")
    miss = find_die(german, "none", "russian-1")
    fire(german, "russian-1", die=die)
    number = rolls(german, "fire")[0].number
    assert "german-1" in pages.values_of_each(
        text_of(german.get("roll/fire/", corrects=number)), "#desk-form input[name=firers]", "value"
    )
    response = german.roll("fire", corrects=number, die=miss, dice="table")
    assert response.status_code == 302, words_of(response)
    assert states(russian) == {}
    entry = rolls(german, "fire")[0]
    assert entry.inputs["targets"] == ["russian-1"]
    german.roll("fire", corrects=entry.number, die=die, dice="table")
    assert states(russian) == {"russian-1": "eliminated"}


def test_a_log_with_counters_is_worked_out_again(both):
    german, russian = both
    fire(german, "russian-1", die=find_die(german, "e", "russian-1"))
    fire(german, "russian-2", "russian-3", die=find_die(german, "m+1", "russian-2", "russian-3"))
    german.do("due/", step=[step.id for step in german.match.state.queue], dice="app")
    end(german, russian)
    exported = json.loads(json.dumps(reading.export_log(german.match, ())))
    again = replay.work_out_results(exported)
    assert again.problems == () and again.same >= 4


# Secrets


@pytest.fixture
def ambush(both):
    """The same, with a Russian squad hidden."""
    german, russian = both
    russian.do("counters/", id=["russian-3"], becomes="hidden")
    assert "russian-3" not in known(german)
    return german, russian


def test_a_hidden_target_is_told_like_one_that_there_is_not(ambush):
    german, _ = ambush
    for ids in (["russian-3"], ["russian-1", "russian-3"]):
        before = rows()
        hidden = words_of(fire(german, *ids))
        none = words_of(fire(german, *(id.replace("-3", "-77") for id in ids)))
        assert "There is no such counter in play: russian-3." in hidden
        assert hidden.replace("russian-3", "russian-77") == none
        assert rows() == before


def test_nor_can_it_be_named_in_a_row_or_in_a_check(ambush):
    german, russian = ambush
    for fields in (
        {"slug": "fire", "ff": "24", "units": json.dumps([{"kind": "squad", "tq": 5, "id": "russian-3"}])},
        {"slug": "morale", "unit": "squad", "tq": "5", "id": "russian-3"},
        {"slug": "casualties", "unit": "squad", "id": "russian-3"},
    ):
        before = rows()
        response = german.roll(fields.pop("slug"), htmx=True, die="9", dice="table", **fields)
        assert response.status_code == 422
        assert "There is no such counter in play: russian-3." in words_of(response)
        assert rows() == before
    assert states(russian) == {}


def test_a_hidden_unit_that_fires_is_shown_after_asking_once(ambush):
    german, russian = ambush
    before = rows()
    fields = {"firers": ["russian-3"], "targets": ["german-1"], "die": "90", "dice": "table"}
    page = russian.get("roll/fire/", firers=["russian-3"], targets=["german-1"])
    assert "Rifle squad #3 is hidden: this roll shows it." in words_of(page)
    assert pages.values_of_each(text_of(page), "input[name=shows]", "type") == ["checkbox"]
    refused = russian.roll("fire", htmx=True, **fields)
    assert (refused.status_code, rows()) == (422, before)
    assert "Rifle squad #3 is hidden: this roll shows it." in words_of(refused)
    assert "russian-3" not in known(german)
    russian.roll("fire", shows="on", **fields)
    assert known(german)["russian-3"]["hidden"] is False
    assert rolls(russian, "fire")[0].inputs["firers"] == ["russian-3"]
    assert rolls(russian, "fire")[0].act.free_to_take_back is False


def test_the_reveal_is_part_of_the_act(ambush):
    german, russian = ambush
    fields = {"firers": ["russian-3"], "targets": ["german-1"], "shows": "on", "dice": "table"}
    before = rows()
    russian.roll("fire", **fields)  # no die: nothing is done, and nothing shown
    assert rows() == before
    russian.roll("fire", die="90", **fields)
    revealed = next(line for line in russian.log if line.kind == "counter" and "in sight" in line.sentence)
    assert revealed.act_id == rolls(russian, "fire")[0].act_id


def test_what_is_selected_on_the_table_is_told_from_a_forms_own_unit(both):
    german, _ = both
    assert german.roll("morale", unit="squad", tq="6", die="3", dice="table").status_code == 302
    assert rolls(german, "morale")[0].inputs["unit"] == "squad"
    page = german.get("roll/morale/", chosen=["german-3"])
    assert pages.values_of_each(text_of(page), "#desk-form input[name=id]", "value") == ["german-3"]
    assert pages.values_of_each(text_of(page), "#desk-form select[name=unit] option[selected]", "value") == ["leader"]
