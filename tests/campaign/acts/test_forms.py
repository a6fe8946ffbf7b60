"""Forms of a campaign read text into the arguments of their acts, and need neither a match nor a database for it."""

import inspect

import pytest
from django.http import QueryDict

from campaign.acts.forms import FORMS, read_form
from campaign.ledger.dice import Dice
from firefight.games.combat_stalingrad.rules.melee.attacks import Attack
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.table.act.refusals import BadField
from tests.campaign.test_campaign_bad_input import GOOD

GERMAN, RUSSIAN = Side.GERMAN, Side.RUSSIAN


def fill(does, **fields):
    """A posted form."""
    data = QueryDict(mutable=True)
    data["do"] = does
    for name, value in fields.items():
        data.setlist(name, value if isinstance(value, list) else [value])
    return read_form(data)


def problems(form):
    """All that cannot be read in it."""
    assert not form.is_valid()
    return [sentence for sentences in form.errors.values() for sentence in sentences]


@pytest.mark.parametrize("does", FORMS)
def test_what_a_form_reads_is_what_its_act_takes(does):
    form = fill(does, **GOOD[does][2])
    assert form.is_valid(), form.errors
    body = inspect.unwrap(form.act)
    inspect.signature(body).bind(None, **form.arguments())


@pytest.mark.parametrize("does", FORMS)
def test_a_form_is_named_by_what_it_is_to_do(does):
    assert FORMS[does].do == does


def test_all_that_cannot_be_read_is_said_at_once():
    form = fill("building", building="x" * 41, hexes="two", number="")
    assert problems(form) == [
        "At most 40 characters, none of them a control character.",
        "Choose how many hexes it has: “two” is not a number.",
        "Choose a group.",
    ]


def test_dice_stay_as_they_were_typed():
    form = fill("buy", group="V3", mix_1=" 3 ", mix_2="", die="00", attack="9")
    assert form.is_valid()
    assert form.arguments() == {"rg": "V3", "dice": Dice("table", {"mix_1": "3", "die": "00"})}
    form = fill("buy", group="V3", mix_1="3", dice="app")
    assert form.is_valid() and form.arguments()["dice"] == Dice("app")


@pytest.mark.parametrize(("typed", "drm"), [("", 0), ("-5", -5), ("−5", -5), ("+5", 5), ("5", 5)])
def test_a_drm_has_a_sign_or_none(typed, drm):
    form = fill("mines", unit="1", factors="20", drm=typed)
    assert form.is_valid() and form.arguments()["drm"] == drm


@pytest.mark.parametrize("typed", ["--5", "5-", "five", "²", "1.0", "1 000", "1234567"])
def test_what_is_no_whole_number_is_refused(typed):
    assert problems(fill("mines", unit="1", factors="20", drm=typed)) == [
        f"Choose the DRM of the place: “{typed.removeprefix('-')[:12]}” is not a number."
    ]


def test_units_are_named_once_each_and_no_more_than_anybody_has():
    form = fill("take-off", unit=["3", "1", "3", ""])
    assert form.is_valid() and form.arguments() == {"numbers": [3, 1]}
    assert problems(fill("take-off", unit=["7"] * 301)) == ["At most 300 at once: choose units again."]


def test_who_leaves_is_read_by_unit_and_a_blank_one_stays():
    form = fill("redeploy", to_3="11", hex_3=" k17 ", die_3="4", to_5="", hex_5="K18", to_x="9")
    assert form.is_valid()
    assert form.arguments() == {"goals": {3: 11}, "hexes": {3: "k17"}, "dice": Dice("table", {"die_3": "4"})}


def test_a_divided_bout_is_read_attack_by_attack():
    fields = {"by_german-1": "1", "on_russian-7": "1", "by_russian-7": "1", "on_german-1": "1"}
    form = fill("fight", attacker="german-1", defender="russian-7", divided="on", **fields)
    assert form.is_valid()
    us, them = (GERMAN, 1), (RUSSIAN, 7)
    assert form.cleaned_data["bout"].attacks == (Attack((us,), (them,)), Attack((them,), (us,)))
    lame = fill("fight", attacker="german-1", defender="russian-7", divided="on", **{"by_german-1": "2"})
    assert problems(lame) == ["German attack 2: choose enemies that it is made on."]


def test_a_form_that_says_nothing_to_do_is_refused():
    for does in ("", "odd", "Buy"):
        with pytest.raises(BadField, match="does not say what to do"):
            fill(does)
