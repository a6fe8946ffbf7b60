"""The night goes on by itself where nobody plays it: it draws unseen, comes nearer, asks the watch what it does (4).

A conductor of one screen: four places where it may stand, and at each what it waits for and what comes next. Its
standing also holds which beast is out there, which the watch does not know.
"""

from dataclasses import dataclass

from firefight.engine import record
from firefight.engine.course.conducting import Answer, Ask, Choice, Standing, StepTaken, Throw, Told, Wanted
from firefight.engine.course.keeping import TableState
from firefight.engine.rolls.cards import card_throw, take_card
from firefight.engine.rolls.dice import DieSpec

from . import rules

STEP = DieSpec("step", 6, "How near it comes")
STAND = Choice("stand", "Stand", "Fear 1 more.")
LIGHT = Choice("light", "Light a fire", "Fear 1 fewer, and the night is over.")
HOW_TO_LIGHT = "There is no fire to be lit in fear of 5 and more (4.3)."


@dataclass(frozen=True, slots=True)
class Night:
    """The night's turn."""

    field: str = "night"
    title: str = "The night"

    def begin(self, situation: TableState) -> Standing | None:
        """In its turn, if nobody plays it."""
        is_alone = situation.options.get("mode") == "alone"
        return {"at": "draw"} if is_alone and situation.position.side == "night" else None

    def tell_idle(self, situation: TableState) -> str:
        """In the watch's turn nothing goes on by itself, and its button stands beside its rolls."""
        return ""

    def find_side(self, standing: Standing) -> str:
        """The watch alone decides anything."""
        return "watch" if standing["at"] == "ask" else ""

    def find_wanted(self, standing: Standing, situation: TableState) -> Wanted:
        """A card unseen, a die, what the watch does."""
        cards_left = situation.record["deck"]["left"]
        match standing["at"]:
            case "draw" if cards_left:
                return Throw(card_throw("Card", cards_left), "4.1", by_app=True)
            case "step":
                return Throw(STEP, "4.2")
            case "ask":
                choices = (STAND, LIGHT) if situation.record["fear"] < 5 else (STAND,)
                return Ask("It is near. What does the watch do?", choices, "watch", "4.3")
        return None

    def explain(self, standing: Standing, situation: TableState, choice: str) -> str:
        """Why no fire can be lit."""
        return HOW_TO_LIGHT if choice == LIGHT.slug else ""

    def go_on(self, standing: Standing, situation: TableState, answer: Answer) -> StepTaken:
        """From place to place, until the day breaks."""
        match standing["at"], answer:
            case "draw", int(face):
                card, _ = take_card(situation.record["deck"]["left"], face)
                drawn = rules.RECORD.change(rules.HAND.draw(card))
                out = {"at": "step", "beast": card}
                return StepTaken(out, (Told(f"The night draws: {card} (4.1).", (drawn,)),))
            case "draw", _:
                return StepTaken({**standing, "at": "step"}, (Told("The night has no card left (4.1).", side="night"),))
            case "step", int(face):
                is_near = face >= (3 if standing.get("beast") == "wolf" else 4)
                event = Told(f"A {face}: {'it is near' if is_near else 'it keeps away'} (4.2).", side="night")
                return StepTaken({**standing, "at": "ask" if is_near else "end"}, (event,), rests=not is_near)
            case "ask", "stand":
                fear = rules.RECORD.change({"fear": record.clamp(1)})
                return StepTaken({**standing, "at": "step"}, (Told("The watch stands (4.3).", (fear,)),))
            case "ask", _:
                fear = rules.RECORD.change({"fear": record.clamp(-1)})
                return StepTaken({**standing, "at": "end"}, (Told("A fire is lit (4.3).", (fear,)),))
        dawn = record.move_to(turn=min(situation.position.turn + 1, rules.COURSE.last_turn), side="watch")
        return StepTaken(None, (Told("The night is over (4.4).", (dawn,)),))
