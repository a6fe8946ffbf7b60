"""The hunt goes on by itself but for the hounds: one is chosen on the board, and where it runs; then an animal runs."""

from dataclasses import dataclass

from firefight.engine import record
from firefight.engine.course.conducting import Answer, Ask, Choice, Standing, StepTaken, Throw, Told, Wanted
from firefight.engine.course.keeping import TableState
from firefight.engine.rolls.dice import DieSpec

from . import rules
from .board import BOARD, list_lairs, wood_of

LAIR = DieSpec("lair", 3, "Which lair")
WAY = DieSpec("way", 6, "Where an animal runs")
ANOTHER = Choice("another", "Another hound")
HOUNDS = ("A1", "D1")


@dataclass(frozen=True, slots=True)
class Hunt:
    """From the lair to the catch."""

    field: str = "hunt"
    title: str = "The hunt"

    def begin(self, situation: TableState) -> Standing | None:
        """Until a fox is caught."""
        animals = dict.fromkeys(list_lairs(wood_of(situation)), "rabbit")
        fresh = {"at": "hide", "hounds": [*HOUNDS], "animals": animals, "chosen": "", "round": 0}
        return None if situation.record["caught"] else fresh

    def tell_idle(self, situation: TableState) -> str:
        """Nobody does anything besides the hunt."""
        return ""

    def find_side(self, standing: Standing) -> str:
        """The hounds decide whatever is decided."""
        return "hounds" if standing["at"] in ("hound", "to") else ""

    def find_wanted(self, standing: Standing, situation: TableState) -> Wanted:
        """A lair unseen, a hound, where it runs, where an animal runs."""
        match standing["at"]:
            case "hide":
                return Throw(LAIR, "1.1", by_app=True)
            case "hound":
                hounds = tuple(Choice(name, f"The hound in {name}", place=name) for name in standing["hounds"])
                return Ask("Which hound runs?", hounds, "hounds", "2.1")
            case "to":
                free = [
                    free_place
                    for free_place in BOARD.list_neighbours(standing["chosen"])
                    if free_place not in standing["hounds"]
                ]
                ways = tuple(Choice(name, f"To {name}", place=name) for name in free)
                return Ask(f"Where does the hound in {standing['chosen']} run?", (*ways, ANOTHER), "hounds", "2.2")
        return Throw(WAY, "2.3", by_app=True)

    def explain(self, standing: Standing, situation: TableState, choice: str) -> str:
        """Why a hound cannot run there."""
        return "A hound runs one hex, and not to another hound (2.2)." if standing["at"] == "to" else ""

    def go_on(self, standing: Standing, situation: TableState, answer: Answer) -> StepTaken:
        """From place to place, until the fox is caught."""
        match standing["at"], answer:
            case "hide", int(face):
                lair = list_lairs(wood_of(situation))[face - 1]
                animals = {**standing["animals"], lair: "fox"}
                hiding = Told(f"The fox hides in {lair} (1.1).", known_to="fox")
                return StepTaken({**standing, "at": "hound", "animals": animals}, (hiding,))
            case "hound", str(name):
                return StepTaken({**standing, "at": "to", "chosen": name})
            case "to", ANOTHER.slug:
                return StepTaken({**standing, "at": "hound", "chosen": ""})
            case "to", str(name):
                return _run_to(standing, name)
            case _, int(face):
                return _run_away(standing, face)
        raise ValueError(f"The hunt does not stand at {standing['at']}.")


def _run_to(standing: Standing, name: str) -> StepTaken:
    """A hound takes what is there: a rabbit leaves the board, the fox is caught (2.2)."""
    hounds = [name if hound == standing["chosen"] else hound for hound in standing["hounds"]]
    animals = {place: kind for place, kind in standing["animals"].items() if place != name}
    animal = standing["animals"].get(name)
    if animal == "fox":
        caught = rules.RECORD.change({"caught": record.clamp(1)})
        return StepTaken(None, (Told(f"The fox is caught in {name} (2.2).", (caught,), place=name),))
    catch = Told(f"A rabbit in {name} (2.2)." if animal else f"Nothing in {name} (2.2).", place=name)
    return StepTaken({**standing, "at": "run", "hounds": hounds, "animals": animals, "chosen": ""}, (catch,))


def _run_away(standing: Standing, face: int) -> StepTaken:
    """The animals run in turn, to places where nobody stands (2.3)."""
    names = sorted(standing["animals"])
    start = names[standing["round"] % len(names)]
    end = BOARD.find_neighbour(start, face)
    after = {**standing, "at": "hound", "round": standing["round"] + 1}
    if end is None or end in (*names, *standing["hounds"]):
        return StepTaken(after, (Told(f"The animal in {start} stays (2.3).", side="fox", place=start),))
    animals = {end if name == start else name: kind for name, kind in standing["animals"].items()}
    event = Told(f"The animal in {start} runs to {end} (2.3).", side="fox", place=end)
    return StepTaken({**after, "animals": animals}, (event,))
