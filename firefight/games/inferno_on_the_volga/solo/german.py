"""The German turn: one of five actions (The Actions)."""

from firefight.engine.course.conducting import Answer, Choice, Wanted
from firefight.engine.values import Json

from ..rules.ending import count_call_cards
from ..rules.tables import Side
from .attacking import ATTACKS
from .calling import CALL
from .legal import TITLES, list_starts
from .moving import MOVES
from .play import Play, ask, to_do
from .steps import Step, Steps


def _german_turn(play: Play, task: Json, answer: Answer) -> None:
    play.state["side"], play.state["action"] = play.active, {}
    if play.count_deck(Side.SOVIET) == 0:
        play.state["extra_used"] += 1
        play.tell(f"Extra turn {play.state['extra_used']} (OKH).", "german")
    play.do(to_do("action"), to_do("judge"), to_do("soviet_turn"))


def _list_kinds(play: Play) -> list[str]:
    kinds = [kind for kind in ("deliberate", "hasty", "long") if list_starts(play, kind)]
    return [*kinds, "call", "short"]


def _want_action(play: Play, task: Json) -> Wanted:
    choices = [Choice(kind, TITLES[kind][0], _describe_action(play, kind)) for kind in _list_kinds(play)]
    return ask(play, f"Turn {play.state['turn']}: which action?", choices, "The Actions")


def _describe_action(play: Play, kind: str) -> str:
    if kind == "call":
        waiting = sum(map(len, play.state["rows"]))
        return f"{waiting} Units wait; six dice pick them."
    if kind == "short":
        return "Two Stacks or parts, one hex each; none is a pass."
    starts = list_starts(play, kind)
    return f"{'Against' if kind == 'deliberate' else 'From'} {', '.join(starts)}."


def _explain_action(play: Play, task: Json, choice: str) -> str:
    reasons = {
        "long": "No Stack stands in a Clear hex away from Soviets with such a hex beside it (Actions 2).",
        "hasty": "No Stack away from Soviets has a hex next to Soviets beside it (Actions 4).",
        "deliberate": "No German stands next to Soviets (Actions 5).",
    }
    return reasons.get(choice, "")


def _action(play: Play, task: Json, answer: Answer) -> None:
    kind = str(answer)
    play.state["action"] = {"kind": kind}
    title, rule = TITLES[kind]
    play.tell(f"{title} ({rule}).", "german")
    if kind == "call":
        number = count_call_cards(play.has_leader(Side.GERMAN, "paulus"))
        play.do(to_do("draw", side="german", number=number, cause="a Call"), to_do("call"))
    elif kind == "short":
        play.do(to_do("move", kind=kind, moved=[], left=2))
    elif kind == "hasty":
        play.do(to_do("move", kind=kind, moved=[], left=1))
    else:
        play.do(to_do("long" if kind == "long" else "target"))


GERMAN_TURN: Steps = {
    **CALL,
    **MOVES,
    **ATTACKS,
    "german_turn": Step(_german_turn),
    "action": Step(_action, _want_action, _explain_action),
}
