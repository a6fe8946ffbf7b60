"""What is taken off and asked for between two positions of a match (17.3.6, 17.4.7, 17.4.8.1, 17.5.3, 20.2.4)."""

import pytest

from firefight.engine.course.course import Position
from firefight.engine.course.keeping import TableState
from firefight.games import registry
from firefight.games.combat_stalingrad.rules.housekeeping import tidy_step
from firefight.games.combat_stalingrad.rules.reading import GAME
from tests.books import HOUSE

FIRE, MELEE, CONCLUSION = "fire_and_movement", "melee", "conclusion"
# An FFE that was used in turn 4, one of a bombardment, and smoke of turn 3.
ROWS = {
    "missions": {
        "german-1": {"side": "german", "caliber": 105, "name": "Anton", "marker": "ffe", "hex": "K7", "called": 4},
        "german-2": {"side": "german", "caliber": 150, "name": "Berta", "kind": "bombardment", "marker": "ffe"},
    },
    "ground": {"C5": {"hex": "C5", "smoke": 3}},
}
FIRE_2, OFF, SMOKE = "Anton: Fire 2", "Berta: its FFE comes off", "Smoke comes off"


def tidy(before, now, has_ledger=False):
    record = registry.games()[GAME].record.complete(ROWS)
    return tidy_step(Position(*before), TableState(Position(*now), record, HOUSE, has_ledger=has_ledger))


@pytest.mark.parametrize(
    ("before", "now", "done"),
    [
        ((4, "command"), (4, FIRE), ()),
        ((4, FIRE), (4, FIRE, "russian", 2), ()),  # an impulse ends no phase
        ((4, FIRE), (4, MELEE), (FIRE_2,)),
        ((4, MELEE), (4, CONCLUSION), (OFF,)),
        ((4, CONCLUSION), (5, "command"), (SMOKE,)),
        ((4, MELEE), (5, "command"), (OFF, SMOKE)),  # the Conclusion was passed over
        ((4, FIRE), (5, "command"), (FIRE_2, OFF, SMOKE)),
        ((4, FIRE), (5, FIRE), (FIRE_2, OFF, SMOKE)),
    ],
)
def test_each_step_takes_off_what_ends_with_it(before, now, done):
    sentences = [sentence for change in tidy(before, now).changes for sentence in change.sentences]
    assert len(sentences) == len(done)
    assert all(sentence.startswith(words) for sentence, words in zip(sentences, done, strict=True)), sentences


@pytest.mark.parametrize(
    ("before", "now", "has_ledger", "is_due"),
    [
        ((4, MELEE), (4, CONCLUSION), False, False),
        ((5, MELEE), (5, CONCLUSION), False, True),
        ((6, MELEE), (6, CONCLUSION), False, True),
        ((7, MELEE), (7, CONCLUSION), False, False),  # the last turn ends it anyway
        ((5, CONCLUSION), (5, CONCLUSION), False, False),
        ((5, CONCLUSION), (5, MELEE), False, False),
        ((4, CONCLUSION), (5, CONCLUSION), False, False),  # turn 5 has seen no Close Combat
        ((5, MELEE), (5, CONCLUSION), True, False),  # a ledger asks for it itself
    ],
)
def test_20_2_4_the_end_of_firefight_roll_is_due_in_the_conclusion_of_turns_5_and_6(before, now, has_ledger, is_due):
    rolls = [step.roll for step in tidy(before, now, has_ledger).due if step.roll.helper == "end-of-firefight"]
    assert [roll.inputs["turn"] for roll in rolls] == ([now[0]] if is_due else [])


def due(now, **rows):
    record = registry.games()[GAME].record.complete(rows)
    done = tidy_step(Position(now[0], "command"), TableState(Position(*now), record, HOUSE))
    return [(step.roll.helper, step.roll.title, step.known_to) for step in done.due]


PLOT = {"side": "german", "caliber": 105, "name": "Anton", "plotted": True, "plot": ["K7", "L8"], "plot_turn": 3}


@pytest.mark.parametrize(
    ("turn", "parts", "is_due"),
    [
        (3, {}, True),
        (2, {}, False),  # 17.4.8: for one turn
        (4, {}, False),
        (3, {"used": True}, False),
        (3, {"lost": True}, False),
        (3, {"marker": "ffe", "hex": "K7"}, False),
    ],
)
def test_17_4_8_a_plot_is_due_in_its_own_turn_until_it_is_used(turn, parts, is_due):
    rolls = due((turn, FIRE), missions={"german-1": {**PLOT, "known_to": "german", **parts}})
    assert rolls == ([("contact", "Plot of turn 3: Anton", "german")] if is_due else [])


@pytest.mark.parametrize(("since", "is_due"), [(1, True), (2, False)])
def test_17_6_2_aircraft_over_the_map_roll_once_a_turn_whether_they_stay(since, is_due):
    flight = {"side": "german", "name": "Ju 87", "planes": 2, "number": 4, "here": True, "since": since}
    rolls = due((2, FIRE), aircraft={"german-1": flight})
    assert [title for helper, title, _ in rolls if helper == "air-arrival"] == (
        ["Ju 87: stay over the map?"] if is_due else []
    )


def told_between(before, now, **rows):
    record = registry.games()[GAME].record.complete(rows)
    changes = tidy_step(Position(*before), TableState(Position(*now), record, HOUSE)).changes
    return [sentence for change in changes for sentence in change.sentences]


def test_17_6_7_who_was_shot_down_by_a_c_goes_with_the_fire_phase():
    flight = {"side": "german", "name": "Ju 87", "planes": 2, "here": True, "since": 3, "doomed": 3}
    sentences = told_between((3, FIRE), (3, MELEE), aircraft={"german-1": flight})
    assert len(sentences) == 1 and sentences[0].startswith("Ju 87: ") and sentences[0].endswith("(17.6.7).")


def test_17_6_3_an_mg_that_has_fired_is_ready_again_in_the_next_turn():
    flight = {"side": "german", "name": "Ju 87", "planes": 2, "here": True, "since": 3, "mg": 1}
    sentences = told_between((3, CONCLUSION), (4, "command"), aircraft={"german-1": flight})
    assert sentences == ["Ju 87: MG ready again (17.6.3)."]
