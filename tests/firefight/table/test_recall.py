"""Lists that were used before in a match, and rows that are typed in one line."""

import json

import pytest

from firefight.columns import LoggedResult
from firefight.engine.rolls.result import Result
from firefight.games import registry
from firefight.kit.fields.rows import Notation, RowForm, RowsField
from firefight.kit.helper import ReadyAnswer
from firefight.table.board.changing import mention_in_roll
from tests import pages
from tests.firefight.players import hidden_in, text_of

pytestmark = pytest.mark.django_db

SQUADS = [{"kind": "squad", "name": "1st squad", "tq": 6}, {"kind": "leader", "name": "Lt. Klug", "tq": 8}]


def recalls_in(response):
    """What a form offers to recall, by the value of its button."""
    return {
        button.attributes["value"]: pages.words(button)
        for button in pages.find(text_of(response), "#desk-form .recalls button")
    }


def test_a_list_that_a_roll_was_made_with_is_offered_by_every_form_that_has_it(table):
    german = table.german
    assert recalls_in(german.get("roll/fire/")) == {}
    german.roll("fire", ff="8", units=json.dumps(SQUADS), die="99")
    number = german.last.number
    for line in german.log:
        if line.helper == "fire":
            number = line.number
    german.do("drop/", step="all")
    offered = recalls_in(german.get("roll/fire/"))
    assert list(offered) == [f"units-recall-{number}"]
    assert "1st squad" in offered[f"units-recall-{number}"] and "Klug" in offered[f"units-recall-{number}"]
    filled = german.roll("fire", ff="12", more=f"units-recall-{number}")
    units = json.loads(hidden_in(filled, "units"))
    assert [row["name"] for row in units] == ["1st squad", "Lt. Klug"]
    assert 'value="12"' in text_of(filled)  # what else was typed stays
    assert recalls_in(filled) == {}  # a list that is filled needs none
    assert len([line for line in german.log if line.helper == "fire"]) == 1


def test_the_same_list_is_offered_once_and_four_at_most(table):
    german = table.german
    for name in ("A", "B", "A", "C", "D", "E"):
        german.roll("fire", ff="8", units=json.dumps([{"kind": "squad", "name": name, "tq": 6}]), die="99")
        german.do("drop/", step="all")
    words = list(recalls_in(german.get("roll/fire/")).values())
    assert [name for word in words for name in "ABCDE" if name in word] == ["E", "D", "C", "A"]


@pytest.mark.parametrize("pressed", ["units-recall-999999", "units-recall-x", "modifiers-recall-1", "units-recall-²"])
def test_what_was_never_used_is_not_recalled(table, pressed):
    answer = table.german.roll("fire", ff="8", more=pressed)
    assert answer.status_code == 200 and hidden_in(answer, "units") == "[]"


# Rows in one line

SHORT = Notation(r"-?\d|\*", {"a": {"armour": True}, "i": {"iso": 1}}, "parent")


@pytest.mark.parametrize(
    ("typed", "rows"),
    [
        ("", []),
        ("64", [{"af": "6"}, {"af": "4"}]),
        ("6a 4,*", [{"af": "6", "armour": True}, {"af": "4"}, {"af": "*"}]),
        ("6AI4/295", [{"af": "6", "armour": True, "iso": 1, "parent": "295"}, {"af": "4", "parent": "295"}]),
        ("4/295 4", [{"af": "4", "parent": "295"}, {"af": "4"}]),
        ("-1", [{"af": "-1"}]),
        # What cannot be read stands as it is, so that its own field says what is wrong.
        ("4x", [{"af": "4x"}]),
        ("4/", [{"af": "4/"}]),
        ("/295", [{"af": "/295"}]),
        ("a4", [{"af": "a4"}]),
    ],
)
def test_rows_in_one_line_are_read_as_players_type_them(typed, rows):
    assert SHORT.read(typed, "af") == rows


def test_without_a_tail_and_without_marks_there_is_none():
    assert Notation(r"\d", {}).read("12/3 4", "df") == [{"df": "12/3"}, {"df": "4"}]


def test_tokens_of_the_first_column_may_be_signs():
    class Row(RowForm):
        asks = "af"

    assert RowsField("Rows", Row, dict).read_rows("4,*,-1") == [{"af": "4"}, {"af": "*"}, {"af": "-1"}]


# Offers


def test_an_offer_fills_its_fields_and_nothing_else(table):
    helper = registry.helpers("combat-stalingrad")["morale"]
    object.__setattr__(helper, "offers", lambda book, inputs: (ReadyAnswer("At +2", {"modifier": "2"}),))
    try:
        page = text_of(table.german.get("roll/morale/", tq="6"))
        (offer,) = pages.values_of_each(page, "#desk-form [name=offer]", "value")
        assert json.loads(offer) == {"modifier": "2"}
        table.german.roll("morale", tq="6", modifier="0", die="5", offer=offer)
        assert table.german.last.inputs["modifier"] == 2
        for odd in ("[]", "no", '{"shows": "on"}', '{"modifier": 99}'):
            before = len(table.german.log)
            answer = table.german.roll("morale", tq="6", modifier="0", die="5", offer=odd)
            assert answer.status_code in (302, 422)
            assert (len(table.german.log) == before) == (answer.status_code == 422)
    finally:
        object.__setattr__(helper, "offers", None)


# What a game asks for under the name of targets


def test_only_counters_count_as_what_a_roll_is_about():
    result = LoggedResult.of("any", Result("Done."), {})
    assert mention_in_roll({"targets": ["24", "C"]}, result) == ""
    assert mention_in_roll({"targets": ["24", "german-3"], "firers": ["red-1"]}, result).split() == [
        "red-1",
        "german-3",
    ]
