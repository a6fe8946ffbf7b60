"""How Lone Watch is played without a table: until fear has the better of the watch, or all nights are over (5)."""

from firefight.engine.course.conducting import Standing
from firefight.engine.course.keeping import TableState
from firefight.engine.values import Values
from firefight.kit import ConductedRehearsal, PolicyAsk, choose_any

from . import rules

MOST_FEAR = 6


def stand_always(question: PolicyAsk) -> str:
    """Never light a fire."""
    return "stand"


def light_late(question: PolicyAsk) -> str:
    """Light a fire at fear 3, and stand until then."""
    fear = question.situation.record["fear"]
    return "light" if fear >= 3 and question.ask.find("light") else "stand"


def find_outcome(standing: Standing | None, situation: TableState) -> str:
    """How it ends (5)."""
    if situation.record["fear"] == MOST_FEAR:
        return "overcome"
    return "dawn" if situation.position.turn == rules.COURSE.last_turn else ""


def end_turn(situation: TableState) -> Values | None:
    """The watch hands its turn to the night."""
    return {"side": "night"} if situation.position.side == "watch" else None


def count_cards(standing: Standing | None, situation: TableState) -> str:
    """Every card is in the deck or drawn."""
    cards_kept = situation.record
    cards = sorted([*cards_kept["deck"]["left"], *cards_kept["hand"]])
    return "" if cards == ["owl", "owl", "wolf"] else f"there are {', '.join(cards)}"


def sketch(standing: Standing | None, situation: TableState) -> str:
    """Fear, and what is out there."""
    return f"fear {situation.record['fear']}, out there {(standing or {}).get('beast', '') or 'nothing'}"


REHEARSAL = ConductedRehearsal(
    policies={"late": light_late, "stand": stand_always, "any": choose_any},
    find_outcome=find_outcome,
    agreed={"mode": "alone"},
    lead_on=end_turn,
    invariants={"cards": count_cards},
    measures={
        "turns": lambda standing, situation: situation.position.turn,
        "fear": lambda _, situation: situation.record["fear"],
    },
    sketch=sketch,
)
