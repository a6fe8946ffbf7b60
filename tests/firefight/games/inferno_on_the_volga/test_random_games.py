"""Random games on the house content: what must hold after every step, and that a state is plain JSON all the way."""

import json
from random import Random

import pytest

from firefight.engine.course.conducting import Ask, Throw
from firefight.games.inferno_on_the_volga.solo.play import Play
from firefight.games.inferno_on_the_volga.solo.seen import view_for_record, view_for_seat
from firefight.games.inferno_on_the_volga.solo.setting_up import build_state
from firefight.games.inferno_on_the_volga.solo.soundness import find_solo_flaw, list_breaches
from firefight.games.inferno_on_the_volga.solo.turn import find_next_want, take_step
from tests.soak import seeds

from .solo_games import HOUSE, hide_otherwise, random_faces

LEVELS = ("standard", "normal", "easy_german", "easy_soviet", "impossible_german")
MOST_TURNS = 60
pytestmark = pytest.mark.soak


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seed", seeds(3, 2_000))
def test_random_games_stay_sound_and_come_to_their_end(seed, level):
    chance = Random(f"{seed} {level}")
    throw = random_faces(chance)
    state = build_state(HOUSE, level=level)
    cards = 0
    while not state["over"]:
        play = Play(json.loads(json.dumps(state)), HOUSE)
        want, as_it_stood = find_next_want(play), json.dumps(state)
        assert json.dumps(play.state) == as_it_stood, "Who asks changes nothing."
        answer = None
        if isinstance(want, Ask):
            assert want.choices, want.question
            answer = chance.choice(want.choices).slug
        elif isinstance(want, Throw):
            answer = throw(want.spec)
        take_step(play, answer)
        laid_out = Play(play.state, HOUSE).stacks
        assert json.dumps(play.stacks) == json.dumps(laid_out), "The state alone says what lies where, in which order."
        assert list_breaches(play.state, HOUSE) == []
        assert play.state["drawn"]["soviet"] - cards <= 1, "A step draws one card."
        cards, state = play.state["drawn"]["soviet"], play.state
        assert state["turn"] <= MOST_TURNS
    assert find_solo_flaw(state, HOUSE) == ""
    assert len(json.dumps(state)) < 30_000


@pytest.mark.parametrize("seed", seeds(2, 500))
def test_nothing_that_is_shown_or_asked_hangs_on_what_lies_closed(seed):
    """Not even the order of a list: blocks lie in the order of their sheet, so who comes first would say who it is."""
    chance = Random(f"hidden {seed}")
    throw, play = random_faces(chance), Play(build_state(HOUSE, level=chance.choice(LEVELS)), HOUSE)
    compared = 0
    while not play.state["over"]:
        play = Play(play.state, HOUSE)
        want = find_next_want(play)
        if isinstance(want, Ask) and not play.state["combat"]:
            other = Play(hide_otherwise(play.state, chance), HOUSE)
            assert show_open(other) == show_open(play), play.todo[-1]
            compared += 1
        answer = chance.choice(want.choices).slug if isinstance(want, Ask) else None
        take_step(play, throw(want.spec) if isinstance(want, Throw) else answer)
    assert compared > 20


def show_open(play):
    """What the page and the record show, and what is asked, in the order in which it stands there."""
    views = [view_for_seat(play.state, HOUSE, "german"), view_for_record(play)]
    return json.dumps(views), str(find_next_want(play))
