import dataclasses
import json

import pytest

from firefight.columns import LoggedResult
from firefight.engine.charts.kinds import Numbers
from firefight.engine.errors import BadInput, MissingChart, RuleError
from firefight.engine.rolls.modifiers import Modifier
from firefight.engine.rolls.result import FollowUp, Outcome, Result, Source, sources, waiting


class Weather(Outcome):
    """An outcome for these tests."""

    HEAVY_RAIN = "heavy_rain"


FULL = Result(
    headline="It pours.",
    outcome=Weather.HEAVY_RAIN,
    dice={"die": 7},
    modified=9,
    modifiers=(Modifier("Clouds", 2, "1.2 Sky"),),
    details={"depth": 3},
    effects=("Take cover.",),
    follow_ups=(FollowUp("umbrella", "Umbrella", {"size": 2}),),
    rules=("1.1 Rain",),
    provenance=(Source("rain", "Rain Table", "house"),),
)


def test_json_holds_every_key_of_the_contract_as_plain_values():
    assert json.loads(json.dumps(LoggedResult.of("sky", FULL, {}).to_json())) == {
        "helper": "sky",
        "headline": "It pours.",
        "dice": {"die": 7},
        "modified": 9,
        "modifiers": [{"name": "Clouds", "value": 2, "rule": "1.2 Sky"}],
        "outcome": "heavy_rain",
        "details": {"depth": 3},
        "effects": ["Take cover."],
        "follow_ups": [{"helper": "umbrella", "title": "Umbrella", "inputs": {"size": 2}}],
        "rules": ["1.1 Rain"],
        "provenance": [{"chart": "rain", "title": "Rain Table", "provenance": "house"}],
    }


def test_a_result_is_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        FULL.modified = 1


def test_a_result_that_waits_names_its_dice_and_has_no_outcome():
    result = waiting("Roll.", "die", "second_die", modified=4)
    assert (result.headline, result.needs, result.outcome, result.modified) == (
        "Roll.",
        ("die", "second_die"),
        None,
        4,
    )
    assert result.word == ""
    assert LoggedResult.of("sky", result, {}).to_json()["outcome"] is None


def test_the_word_of_a_result_is_its_label_or_else_its_outcome_in_plain_words():
    assert Weather.HEAVY_RAIN.word == "Heavy rain"
    assert FULL.word == "Heavy rain"
    assert dataclasses.replace(FULL, label="3 inches").word == "3 inches"


def test_sources_name_the_chart_its_title_and_whose_values_it_holds():
    chart = Numbers("rain", "Rain Table", "1.1", "owner", values={"1": 1})
    assert sources([chart]) == (Source("rain", "Rain Table", "owner"),)


def test_bad_input_has_a_message_for_each_input_and_all_of_them_as_its_own():
    error = BadInput({"ff": "Give FF.", "die": "Roll."})
    assert error.problems == {"ff": "Give FF.", "die": "Roll."}
    assert str(error) == "Give FF. Roll."
    assert isinstance(error, RuleError)


def test_a_missing_chart_says_which_chart_and_which_cell():
    cell, whole = MissingChart("Rain Table", "row 3"), MissingChart("Rain Table")
    assert (cell.chart, cell.cell, whole.cell) == ("Rain Table", "row 3", "")
    assert str(cell).startswith("This roll needs cell row 3 of the chart “Rain Table”")
    assert str(whole).startswith("This roll needs the chart “Rain Table”")
