"""What is due is rolled alike by the form that the page draws for it and by a program that sends the step alone."""

import pytest

from tests.filling import Reader
from tests.reading import trial
from tests.soak import length, seeds

from .random_table import RandomTable

pytestmark = [pytest.mark.django_db, pytest.mark.soak]

ROLLS, MOST_ACTS = length(3, 60), 120


class Shooting(RandomTable):
    """A table at which hardly anything is done but what makes rolls due."""

    WEIGHTS = {"fire": 8, "close_combat": 4, "call_mission": 3, "fly": 2, "resolve": 1, "set_phase": 1, "undo": 0.5}


def roll_of(player, since):
    """What the first roll after a line has come to; None where none was made."""
    entry = next((line for line in player.log if line.number > since and line.kind == "roll"), None)
    return entry and (entry.helper, entry.inputs, entry.result.to_json(), [die.face for die in entry.rolls])


def by_program(player, step, faces):
    """The roll as a program makes it that sends the step and the dice."""
    since = player.match.last_number
    with trial():
        player.roll(step.helper, step=step.id, dice="table", shows="on", **faces)
        return roll_of(player, since)


def by_page(player, step, script, rng):
    """The dice for the form of the step, and the roll as the page makes it, which has not happened afterwards."""
    reader = Reader(player.client, script)
    since = player.match.last_number
    with trial():
        form = reader.open(f"/match/{player.match_id}/roll/{step.helper}/?step={step.id}").form("#desk-form")
        boxes = [control for control in form.controls() if "die" in (control.attributes.get("class") or "").split()]
        faces = {box.attributes["name"]: rng.randint(1, int(box.attributes["data-sides"])) for box in boxes}
        faces |= {name: rng.randint(1, 6) for name in faces if name == "direction_die"}
        if "shows" in form.names():
            form.fill(shows=True)
        form.fill(faces)
        if ("dice", "table") in form.buttons():
            form.press("dice=table") if not boxes else form.press()
        return faces, roll_of(player, since)


@pytest.mark.parametrize("seed", seeds(1, 60))
def test_a_step_alone_makes_the_roll_that_its_form_makes(seed):
    play, compared, acts = Shooting(seed), 0, 0
    while compared < ROLLS and acts < MOST_ACTS:
        play.act()
        acts += 1
        for side, player in play.players.items():
            for step in play.match.state.queue_for((side,))[:2]:
                faces, roll_made = by_page(player, step, bool(acts % 2), play.rng)
                assert roll_made == by_program(player, step, faces), step
                compared += roll_made is not None
    assert compared
