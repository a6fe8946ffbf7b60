"""Fields that any game's forms are built from: places, days, lists of words and numbers."""

import json
from dataclasses import dataclass

import pytest

from firefight.assistant.views import describe_field
from firefight.engine.board.hexes import NumberedHexMap
from firefight.engine.board.places import Boxes
from firefight.engine.dates import BadDay, add_days, days_between, read_day
from firefight.kit.fields.base import fields_for
from firefight.kit.fields.choices import TokensField
from firefight.kit.fields.forms import HelperForm
from firefight.kit.fields.numbers import DateField, NumberField
from firefight.kit.fields.places import PlaceField
from firefight.kit.fields.rows import LONGEST_REMEMBERED, RowForm, RowsField

COLOURS = {"yellow": "Yellow", "dark_blue": "Dark blue"}


@dataclass(frozen=True)
class Firer:
    """A row as a rule takes it."""

    strength: int


class FirerRow(RowForm):
    asks = "strength"
    strength = NumberField("Strength", 1, 99, initial=None)


class ToyForm(HelperForm):
    box = PlaceField("Box", Boxes(("Airfield", "East Bank")))
    hex = PlaceField("Hex", NumberedHexMap(1, 30, 1, 48))
    day = DateField("Date", "1942-09-13", "1942-11-18", initial="1942-09-13")
    returned = DateField("Returned", "1942-09-13", "1942-11-18", initial=None)
    colours = TokensField("Colours", COLOURS)
    strengths = TokensField("Strengths", low=-1, high=4, most=3)
    names = TokensField("Names", initial="a,b")
    firers = RowsField("Firers", FirerRow, lambda row: Firer(row["strength"]))


def read(**values):
    return ToyForm.from_plain(values, book=None)


def test_what_is_typed_becomes_what_a_rule_takes():
    form = read(
        box="east bank",
        hex="412",
        day="14.9.1942",
        colours="Yellow, dark-blue yellow",
        strengths="0; 4,-1",
        names="Ind 62.Army *",
        firers="7,9",
    )
    assert form.is_valid(), form.errors
    assert form.inputs() == {
        "box": "East Bank",
        "hex": "0412",
        "day": "1942-09-14",
        "returned": None,
        "colours": ("yellow", "dark_blue", "yellow"),
        "strengths": (0, 4, -1),
        "names": ("Ind", "62.Army", "*"),
        "firers": (Firer(7), Firer(9)),
    }


def test_what_is_left_out_has_its_default():
    form = read()
    assert form.is_valid(), form.errors
    assert form.inputs() == {
        **{"box": "", "hex": "", "day": "1942-09-13", "returned": None, "colours": (), "strengths": ()},
        **{"names": ("a", "b"), "firers": ()},
    }


def test_what_the_log_keeps_fills_the_form_again():
    first = read(box="Airfield", day="1942-10-01", strengths="4,4", names="x", firers="7", returned="1942-11-01")
    assert first.is_valid()
    again = read(**first.plain_inputs())
    assert again.is_valid() and again.inputs() == first.inputs()
    assert again["strengths"].value() == "4, 4"
    assert 'value="4, 4"' in str(again["strengths"])
    assert first.plain_inputs()["firers"] == [{"strength": 7}]
    hash(frozenset(first.inputs().items()))  # as odds are remembered


@pytest.mark.parametrize(
    ("field", "text", "message"),
    [
        ("box", "Harbour", "There is no box “Harbour” here. There are: Airfield, East Bank."),
        ("hex", "3101", "is not a hex of this map: columns 01 to 30"),
        ("day", "1942-09-12", "Give a day from 1942-09-13 to 1942-11-18."),
        ("day", "1942-09-31", "“1942-09-31” is not a date: write it as 1942-09-13."),
        ("day", "soon", "“soon” is not a date"),
        ("colours", "green", "“green” is not one of these: yellow, dark_blue."),
        ("strengths", "5", "Give whole numbers from -1 to 4, with commas between them."),
        ("strengths", "²", "Give whole numbers"),
        ("strengths", "1,1,1,1", "At most 3 fit here."),
        ("names", "<b>", "“<b>” is not a short word."),
    ],
)
def test_what_cannot_be_read_is_refused_with_what_would_be_right(field, text, message):
    form = read(**{field: text})
    assert not form.is_valid()
    assert [key for key in form.errors] == [field]
    assert message in form.errors[field][0]


def test_the_description_says_what_each_takes():
    described = {name: describe_field(name, field) for name, field in read().fields.items()}
    assert (described["box"]["max_length"], described["hex"]["max_length"]) == (9, 4)
    assert (described["box"]["places"], described["hex"]["places"]) == ("boxes", "numbered")
    assert (described["day"]["min"], described["day"]["max"]) == ("1942-09-13", "1942-11-18")
    assert described["colours"]["tokens"] == ["yellow", "dark_blue"]
    assert (described["strengths"]["min"], described["strengths"]["max"], described["strengths"]["most"]) == (-1, 4, 3)


@pytest.mark.parametrize(
    "text", ["", "1942", "1942-13-01", "13-09", "13 Sept 42 x", "1942-9-13-1", "13.9.²", "0.0.0000"]
)
def test_what_is_no_day_is_refused(text):
    with pytest.raises(BadDay):
        read_day(text)


def test_days_are_counted_over_the_ends_of_months():
    assert add_days("1942-09-13", days_between("1942-09-13", "1942-11-18")) == "1942-11-18"
    assert read_day("18 November 1942") == "1942-11-18"


def firers_of(rows):
    form = read(firers=rows)
    return form.inputs()["firers"] if form.is_valid() else form.errors["firers"]


def test_a_list_is_remembered_by_what_was_sent_and_its_flaws_are_told_each_time(monkeypatch):
    built = []
    monkeypatch.setattr(ToyForm.base_fields["firers"], "build", lambda row: built.append(row) or Firer(row["strength"]))
    fields_for.cache_clear()
    plain = [{"strength": 7}, {"strength": 9}]
    assert firers_of(json.dumps(plain)) == firers_of(plain) == (Firer(7), Firer(9)) and len(built) == 2
    assert firers_of(json.dumps([{"strength": 7}, {"strength": 8}])) == (Firer(7), Firer(8)) and len(built) == 4
    for _ in range(2):
        assert "Row 1, Strength" in firers_of('[{"strength": 100}]')[0]
    built.clear()
    long = json.dumps([{"strength": 7, "note": "x" * LONGEST_REMEMBERED}])
    assert firers_of(long) == firers_of(long) == (Firer(7),) and len(built) == 2
    assert "Give a list of rows" in firers_of([object()])[0]
    fields_for.cache_clear()
