"""What is taken off and asked for between two positions of a match (17.3.6, 17.4.7, 17.4.8.1, 17.5.3, 20.2.4)."""

import pytest

from firefight.assistant import registry
from firefight.engine.course.course import Position
from firefight.engine.course.keeping import TableState
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
    told = [sentence for change in tidy(before, now).changes for sentence in change.sentences]
    assert len(told) == len(done)
    assert all(sentence.startswith(words) for sentence, words in zip(told, done, strict=True)), told


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
    found = [each.roll for each in tidy(before, now, has_ledger).due if each.roll.helper == "end-of-firefight"]
    assert [roll.inputs["turn"] for roll in found] == ([now[0]] if is_due else [])
