"""A game from a file: what is wrong with it is said, and tells nothing of what is hidden."""

import json
from random import Random

import pytest

from firefight.engine.course.conducting import Ask
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
        want = find_next_want(play)
        take_step(play, throw(want.spec) if want else None)
    return json.loads(json.dumps(play.state))


def test_a_game_that_was_set_up_is_sound(state):
    assert find_solo_flaw(state, HOUSE) == ""


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda state: state["blocks"].pop("i45"), "“blocks” is not"),
        (lambda state: state["blocks"].update(i45=["106", 2]), "A block is in a hex"),
        (lambda state: state["blocks"].update(i45=["W", 2]), "No hex holds both sides."),
        (lambda state: state["decks"]["soviet"]["left"].append("sniper"), "Every Soviet card exists once."),
        (lambda state: state["rubble"].append("28"), "Rubble lies in Urban hexes alone."),
        (lambda state: state["german_held"].append("W"), "A hex is controlled once."),
        (lambda state: state["german_held"].remove("W"), "controlled by whoever stands in it"),
        (lambda state: state["todo"].append({"do": "draw"}), "not a state of this game"),
        (lambda state: state.update(todo=[]), "not a state of this game"),
        (lambda state: state["todo"].append({"do": "close"}), "not a state of this game"),
        (lambda state: state["todo"].append({"do": "die", "hex": "24"}), "not a state of this game"),
        (lambda state: state["todo"].append({"do": "win"}), "“todo” is not what it can be"),
        (lambda state: state.update(blocks=7), "“blocks” is not"),
        (lambda state: state.update(sealed=[["soviet"]]), "“sealed” is not"),
        (lambda state: state["rows"].append([]), "“rows” is not"),
        (lambda state: state.update(advantages={}), "“advantages” is not"),
        (lambda state: state.update(drawn={}), "“drawn” is not"),
        (lambda state: state.update(combat={"soviet_card": ""}), "“combat."),
        (lambda state: state["blocks"].update(i45=["pool", -1]), "“blocks” is not"),
        (lambda state: state.update(over="x"), "“over” is not"),
        (lambda state: state.update(over="german"), "not a state of this game"),
        (lambda state: state.update(turn=-1), "“turn” is not"),
        (lambda state: state.update(turn=True), "“turn” is not"),
        (lambda state: state.update(level="none"), "“level” is not"),
        (lambda state: state.pop("hq"), "not a state of this game"),
    ],
)
def test_a_forged_game_is_refused(state, spoil, says):
    spoil(state)
    flaw = find_solo_flaw(state, HOUSE)
    assert says in flaw and "i45" not in flaw and "45th" not in flaw


# Every value of real games is changed in many ways


def reach(seed, steps, mode="solo"):
    """A game some steps after its beginning."""
    chance = Random(seed)
    play, throw = Play(build_state(HOUSE, mode), HOUSE), random_faces(chance)
    for _ in range(steps):
        if not play.todo:
            break
        want = find_next_want(play)
        is_asked = isinstance(want, Ask)
        take_step(play, chance.choice(want.choices).slug if is_asked else throw(want.spec) if want else None)
    return json.loads(json.dumps(play.state))


def list_ways(value, way=()):
    """Every place inside plain values."""
    yield way
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, part in inside:
        yield from list_ways(part, (*way, name))


ODD = (None, True, -1, 7, 10**6, "x", "", [], {}, ["x"], {"x": 1}, "24", "german", 1.5, "A" * 5000)


def forge(state, way, chance):
    """One value changed, left out, or doubled."""
    *outer, last = way
    holder = state
    for name in outer:
        holder = holder[name]
    kind = chance.randrange(4)
    if kind == 0:
        holder.pop(last)
    elif kind == 1 and isinstance(holder, list):
        holder.append(holder[last])
    else:
        holder[last] = chance.choice(ODD)


def play_on(state, chance, steps):
    play, throw = Play(json.loads(json.dumps(state)), HOUSE), random_faces(chance)
    for _ in range(steps):
        if not play.todo:
            return
        want = find_next_want(play)
        is_asked = isinstance(want, Ask)
        if is_asked and not want.choices:
            return  # nothing can be chosen; a turn can be taken back
        take_step(play, chance.choice(want.choices).slug if is_asked else throw(want.spec) if want else None)


@pytest.mark.parametrize("mode", ["solo", "co_op", "one_v_one", "two_v_one"])
@pytest.mark.parametrize("steps", [3, 140, 300, 900])
def test_whatever_is_changed_is_refused_or_plays_on(mode, steps):
    sound, chance = reach(5, steps, mode), Random(steps)
    assert find_solo_flaw(sound, HOUSE) == ""
    ways = [way for way in list_ways(sound) if way]
    in_play = [way for way in ways if way[0] in ("todo", "combat", "sealed", "action")]
    for way in chance.sample(ways, min(10, len(ways))) + chance.sample(in_play, min(10, len(in_play))):
        forged = json.loads(json.dumps(sound))
        forge(forged, way, chance)
        if not find_solo_flaw(forged, HOUSE):
            play_on(forged, chance, 300)
