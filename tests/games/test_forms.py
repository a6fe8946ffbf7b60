"""A form that a person fills in makes the same roll as a program that sends the same values and nothing else.

What a page sends besides, hidden fields, defaults, ticks that are not set, decides nothing: in every form of every
game, without a script and with one.
"""

import json
import random

import pytest

from firefight.games import registry
from firefight.kit.fields.rows import RowsField
from tests.filling import NotOffered, Reader
from tests.reading import trial
from tests.soak import length

from .test_every_game import GAMES, begin, good_inputs, helpers_of, typed_dice

pytestmark = pytest.mark.django_db


@pytest.fixture(params=GAMES)
def game(request):
    return registry.games()[request.param]


def fill_rows(reader, name, field, value):
    """Type a list, row by row."""
    for row in field.read_rows(value):
        form = reader.form("#desk-form")
        if not form.controls(f"{name}-new-{field.row_form.asks}"):
            form.press(f"more={name}-open")
            form = reader.form("#desk-form")
        typed = {f"{name}-new-{key}": part for key, part in row.items()}
        form.fill({key: part if part != "on" else True for key, part in typed.items() if form.controls(key)})
        form.press(f"more={name}-add")


def fill_in(reader, helper, inputs):
    """Type a sample into the form on the desk; returns what no page asks for."""
    left = {}
    for name, value in inputs.items():
        field = helper.form.base_fields[name]
        if isinstance(field, RowsField):
            fill_rows(reader, name, field, value)
            continue
        form = reader.form("#desk-form")
        try:
            form.fill({name: True if value == "on" and form.choices(name) == ["on"] else value})
        except NotOffered:
            left[name] = value
    return left


def roll_of(player, lines):
    """What the newest act has rolled: inputs and result of its first roll, as they are logged."""
    entry = next((line for line in player.log[lines:] if line.helper), None)
    return entry and (entry.inputs, entry.result.to_json(), [die.face for die in entry.rolls])


def about(game, page):
    """What of the record a fresh form is about, such as the only aircraft that there are: a program has to say so."""
    rules = game.keeping
    carried = json.loads(page.form("#desk-form").value("carry")) if page.has("#desk-form") else {}
    return {name: carried[name] for name in (rules.about if rules else ()) if name in carried}


@pytest.mark.soak
@pytest.mark.parametrize("first", [True, False][: length(1, 2)], ids=["htmx first", "no script first"][: length(1, 2)])
def test_a_form_makes_the_roll_that_its_values_make(game, first):
    """A slice fills every other form in with a script, and the others without; a soak each in both ways.

    Both rolls are made from the same stand of the table, and neither stays.
    """
    player, _ = begin(game)
    rng, tried = random.Random(f"{game.slug} forms"), []
    for number, helper in enumerate(helpers_of(game)):
        script = first == (number % 2 == 0)
        inputs = good_inputs(game, helper)
        dice = typed_dice(game, helper, inputs, rng)
        lines = len(player.log)
        reader = Reader(player.client, script).open(f"/match/{player.match_id}/roll/{helper.slug}/")
        with trial():
            player.roll(helper.slug, **inputs, **dice, dice="table", **about(game, reader))
            expected = roll_of(player, lines)
        if expected is None or not reader.has("#desk-form"):
            continue
        with trial():
            if fill_in(reader, helper, inputs):  # the app fills in unseen what nobody here may see
                continue
            for _ in range(2):  # which dice there are may depend on the inputs: the boxes come then
                form = reader.form("#desk-form")
                form.fill({name: face for name, face in dice.items() if form.controls(name)}).press("dice=table")
                if len(player.log) > lines:
                    break
            rolled = roll_of(player, lines)
            assert rolled is not None, (helper.slug, reader.words("#desk-form")[:400])
            assert rolled == expected, helper.slug
        tried.append(helper.slug)
    assert len(tried) > len(helpers_of(game)) / 2, tried
