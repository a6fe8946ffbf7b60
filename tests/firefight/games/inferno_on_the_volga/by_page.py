"""A solo game played through its page alone: every press is of something that stands there."""

from firefight.games.inferno_on_the_volga.solo.play import Play
from firefight.games.inferno_on_the_volga.solo.turn import find_next_want
from tests.filling import Reader

from .solo_games import HOUSE

STEP, LIT = "form#step-form", "#board-over .lit"
MOST_PRESSES = 1_500


def begin(client, script=True, begins=True, at_once=False, level="standard"):
    """From the home page to the match, as a stranger goes; ``begins``: and to the first question.

    ``at_once``: the app rolls without being asked each time.
    """
    reader = Reader(client, script).open("/").press("Inferno on the Volga").press("Begin a game")
    reader.form("form.card:not(.lessons)").fill({"option-level": level}).press("Begin")
    reader.press("To the match")
    if begins:
        reader.press("Begin", STEP)
    if at_once:
        reader.form(STEP).fill(rolls=["at-once"])
    return reader


def press_on(reader, match, decide):
    """One press: what a player decides, a roll, or on through the Soviet turn. False once the game is over."""
    if reader.has(f"{STEP} .question") and not reader.has(f"{STEP} [name=dice]"):
        match.refresh_from_db()
        play = Play(match.state.record["solo"], HOUSE)
        if play.state["over"]:
            return False
        reader.press(f"choice={decide(find_next_want(play), play)}", f"{LIT}, {STEP}")
    elif reader.has(f"{STEP} [value=app]"):
        reader.press("dice=app", STEP)
    else:
        reader.press("way=all", STEP)
    assert reader.status == 200
    return True


def play_on(reader, match, decide, look=lambda reader: None):
    """A game to its end: how many presses each of its turns took."""
    presses = {}
    for _ in range(MOST_PRESSES):
        turn, side = match.state.turn, match.state.impulse
        if not press_on(reader, match, decide):
            return presses
        presses[turn, side] = presses.get((turn, side), 0) + 1
        look(reader)
        match.refresh_from_db()
    raise AssertionError("The game does not end.")
