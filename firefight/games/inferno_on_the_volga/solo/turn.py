"""All kinds of tasks together, and one step of a game: what it waits for, and what an answer makes of it."""

from firefight.engine.course.conducting import Answer, Wanted
from firefight.engine.values import Json

from .advancing import ADVANCE
from .combat_cards import COMBAT_CARDS
from .drawing import DRAWING
from .exchange import EXCHANGE
from .german import GERMAN_TURN
from .play import Play, to_do
from .setting_up import SETTING_UP
from .soviet import SOVIET_TURN
from .steps import Step, Steps


def _judge(play: Play, task: Json, answer: Answer) -> None:
    """Decisive Victories, as a turn ends; if both are reached at once, both are shown (How to Win the Game; B16)."""
    standings = play.find_standings()
    german, soviet = standings.is_german_won, standings.is_soviet_won
    if not (german or soviet):
        return
    ground = "all hexes 1 to 19 are German" if standings.okh else "all Soviet Spawn Hexes are German"
    goal = ground if standings.soviet_units else "no Soviets are on the map"
    loss = "no card is left" if standings.is_deck_lost else f"{standings.score} points of destroyed Germans"
    reasons = [reason for reason, holds in ((goal, german), (loss, soviet)) if holds]
    winner = "both" if german and soviet else "german" if german else "soviet"
    play.end(winner, f"{' and '.join(reasons)} (How to Win)")


def _next_turn(play: Play, task: Json, answer: Answer) -> None:
    play.state["turn"] += 1
    play.state["side"] = play.active
    play.tell(f"Turn {play.state['turn']}.")
    play.do(to_do("german_turn"))


STEPS_OF_TASKS: Steps = {
    **SETTING_UP,
    **DRAWING,
    **GERMAN_TURN,
    **COMBAT_CARDS,
    **EXCHANGE,
    **ADVANCE,
    **SOVIET_TURN,
    "judge": Step(_judge),
    "next_turn": Step(_next_turn),
}


def find_next_want(play: Play) -> Wanted:
    """What the task on top waits for; None where it goes on by itself, or where the game is over."""
    return STEPS_OF_TASKS[play.todo[-1]["do"]].wants(play, play.todo[-1]) if play.todo else None


def explain_choice(play: Play, choice: str) -> str:
    """Why something is not among the choices."""
    return STEPS_OF_TASKS[play.todo[-1]["do"]].explains(play, play.todo[-1], choice) if play.todo else ""


def take_step(play: Play, answer: Answer) -> None:
    """The task on top is done; what was drawn unseen is told under seal before anybody sees other dice."""
    task = play.todo.pop()
    STEPS_OF_TASKS[task["do"]].does(play, task, answer)
    if play.state["sealed"] and not (play.todo and STEPS_OF_TASKS[play.todo[-1]["do"]].is_secret):
        play.flush()
