"""A game from a file: what is wrong with it is said, and tells nothing of what is hidden."""

import json
from random import Random

import pytest

from firefight.games.inferno_on_the_volga.solo.play import Play
from firefight.games.inferno_on_the_volga.solo.setting_up import build_state
from firefight.games.inferno_on_the_volga.solo.soundness import find_solo_flaw
from firefight.games.inferno_on_the_volga.solo.turn import find_next_want, take_step

from .solo_games import HOUSE, random_faces


@pytest.fixture
def state():
    """A game that has been set up."""
    play, throw = Play(build_state(HOUSE), HOUSE), random_faces(Random(1))
    while play.todo[-1]["do"] != "action":
        wanted = find_next_want(play)
        take_step(play, throw(wanted.spec) if wanted else None)
    return json.loads(json.dumps(play.state))


def test_a_game_that_was_set_up_is_sound(state):
    assert find_solo_flaw(state, HOUSE) == ""


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda state: state["blocks"].pop("i45"), "no place of this game"),
        (lambda state: state["blocks"].update(i45=["106", 2]), "A block is in a hex"),
        (lambda state: state["blocks"].update(i45=["W", 2]), "No hex holds both sides."),
        (lambda state: state["decks"]["soviet"]["left"].append("sniper"), "Every Soviet card exists once."),
        (lambda state: state["rubble"].append("28"), "Rubble lies in Urban hexes alone."),
        (lambda state: state["german_held"].append("W"), "A hex is controlled once."),
        (lambda state: state["german_held"].remove("W"), "controlled by whoever stands in it"),
        (lambda state: state["todo"].append({"do": "win"}), "no place of this game"),
        (lambda state: state["todo"].append({"do": "draw"}), "no place of this game"),
        (lambda state: state.update(todo=[]), "no place of this game"),
        (lambda state: state.update(blocks=7), "no place of this game"),
        (lambda state: state.pop("hq"), "no place of this game"),
    ],
)
def test_a_forged_game_is_refused(state, spoil, says):
    spoil(state)
    flaw = find_solo_flaw(state, HOUSE)
    assert says in flaw and "i45" not in flaw and "45th" not in flaw
