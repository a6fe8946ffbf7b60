"""A game played without a table: every decision by a policy, every die by a thrower (for tests and rehearsals)."""

from collections.abc import Callable

from firefight.engine.course.conducting import Ask, Throw
from firefight.engine.rolls.dice import DieSpec, Face
from firefight.engine.values import Json

from ..rules.content import Content
from .play import Play
from .setting_up import build_state
from .turn import find_next_want, take_step

Chooser = Callable[[Ask, Play], str]
Thrower = Callable[[DieSpec], Face]
MOST_SOLO_STEPS = 50_000  # of a game that a policy keeps from going on


def play_alone(state: Json, content: Content, choose: Chooser, throw: Thrower) -> Play:
    """A game from where it stands to its end, in place; its lines are thrown away."""
    play = Play(state, content)
    for _ in range(MOST_SOLO_STEPS):
        if play.state["over"]:
            break
        want = find_next_want(play)
        answer: str | Face | None = None
        if isinstance(want, Ask):
            answer = choose(want, play)
        elif isinstance(want, Throw):
            answer = throw(want.spec)
        take_step(play, answer)
        play.told.clear()
    return play


def play_from_start(content: Content, level: str, choose: Chooser, throw: Thrower) -> Play:
    """A whole game of a level."""
    return play_alone(build_state(content, level=level), content, choose, throw)
