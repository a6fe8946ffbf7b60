"""Random games of every mode: who is asked, what holds after every step, and what is told to whom."""

import json
import re
from functools import cache
from random import Random

import pytest

from firefight.engine.course.conducting import Ask, Throw
from firefight.games.inferno_on_the_volga.rules.tables import Colour
from firefight.games.inferno_on_the_volga.solo.play import Play
from firefight.games.inferno_on_the_volga.solo.seen import view_for_seat
from firefight.games.inferno_on_the_volga.solo.setting_up import build_state
from firefight.games.inferno_on_the_volga.solo.soundness import find_solo_flaw, list_breaches
from firefight.games.inferno_on_the_volga.solo.turn import find_next_want, take_step
from tests.soak import seeds

from .solo_games import HOUSE, random_faces

SEATS = {
    "co_op": {"yellow", "blue"},
    "one_v_one": {"german", "soviet"},
    "two_v_one": {"yellow", "blue", "soviet"},
}
LEVELS = ("standard", "normal", "easy_german", "easy_soviet", "impossible_german")
MOST_TURNS = 150  # a Soviet player who moves on and on draws few cards
pytestmark = pytest.mark.soak


def name_hidden(state, side):
    """The names of a side's blocks, but for those that a combat has shown or that all see off the map."""
    revealed = set(state["combat"][side]) if state["combat"] and state["combat"]["revealed"] else set()
    return {
        HOUSE.blocks[key].name
        for key, (at, _) in state["blocks"].items()
        if HOUSE.blocks[key].side == side and key not in revealed and at not in ("dead", "removed")
    }


def check_told(before, play, mode):
    """No line that all read names a block that lay closed before and after."""
    closed = name_hidden(before, "soviet") & name_hidden(play.state, "soviet")
    if "soviet" in SEATS[mode]:
        closed |= name_hidden(before, "german") & name_hidden(play.state, "german")
    for line in play.told:
        if line.known_to:
            assert line.known_to in (*SEATS[mode], "soviet", "app"), line
        else:
            names = {name for name in closed if name in line.sentence and name_alone(name).search(line.sentence)}
            assert not names, line


@cache
def name_alone(name):
    """A name that is not part of a longer one."""
    return re.compile(rf"(?<![\w.]){re.escape(name)}(?= \(| [a-z]|[,.;:])")


def check_who_is_asked(want, play, mode):
    assert want.side in SEATS[mode], want
    doing = play.todo[-1]["do"]
    if want.side == "soviet":
        assert doing in ("choose_action", "march", "choose_card"), doing
    elif want.side != play.active:
        assert doing in ("agree", "place", "hit", "soviet_advance", "fire"), doing


@pytest.mark.parametrize("mode", SEATS)
@pytest.mark.parametrize("seed", seeds(2, 1_000))
def test_random_games_of_a_mode_stay_sound_and_end(seed, mode):
    chance = Random(f"{seed} {mode}")
    throw = random_faces(chance)
    state = build_state(HOUSE, mode, chance.choice(LEVELS))
    while not state["over"]:
        play = Play(json.loads(json.dumps(state)), HOUSE)
        want = find_next_want(play)
        answer = None
        if isinstance(want, Ask):
            assert want.choices, want.question
            check_who_is_asked(want, play, mode)
            answer = chance.choice(want.choices).slug
        elif isinstance(want, Throw):
            assert want.by_app or want.side in (*SEATS[mode], ""), want
            answer = throw(want.spec)
        take_step(play, answer)
        assert list_breaches(play.state, HOUSE) == []
        check_told(state, play, mode)
        state = play.state
        assert state["turn"] <= MOST_TURNS
    assert find_solo_flaw(state, HOUSE) == ""
    assert len(json.dumps(state)) < 30_000


@pytest.mark.parametrize("mode", SEATS)
def test_what_each_seat_may_know_of_a_game(mode):
    chance = Random(mode)
    state = build_state(HOUSE, mode)
    play, throw = Play(state, HOUSE), random_faces(chance)
    for _ in range(400):
        want = find_next_want(play)
        choice = chance.choice(want.choices).slug if isinstance(want, Ask) else None
        take_step(play, throw(want.spec) if isinstance(want, Throw) else choice)
    for side in (*SEATS[mode], ""):
        known = view_for_seat(play.state, HOUSE, side)
        assert bool(known["named"]["soviet"]) == (side == "soviet")
        assert bool(known["named"]["german"]) == (mode == "co_op" or side in SEATS[mode] - {"soviet"})
        assert known["hand"] == play.state["hands"].get(side, [])
    if mode != "one_v_one":
        colours = {play.block(key).colour for keys in play.germans.values() for key in keys}
        assert {Colour.YELLOW} <= colours
