"""A procedure that goes on by itself: what it asks, throws and tells on its way.

All of it is plain. Which procedure that is, is the game's business (firefight/kit/conductor.py, Conductor); a match
carries it on until a side must decide (firefight/table/rolling/conducting.py).
"""

from dataclasses import dataclass

from firefight.engine.record import RecordChange
from firefight.engine.rolls.dice import DieSpec, Face
from firefight.engine.values import Values

# Where a procedure stands, as JSON has it: all that it needs to go on.
Standing = Values


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that a side may choose. ``words``: what it means; ``place``: where on the board, "" for nowhere."""

    slug: str
    title: str
    words: str = ""
    place: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """A decision of a side, "" for anybody's: all choices that are legal. ``rule``: where the rules give it.

    ``is_secret``: what is chosen is told to that side alone.
    """

    question: str
    choices: tuple[Choice, ...]
    side: str = ""
    rule: str = ""
    is_secret: bool = False

    def find(self, slug: str) -> Choice | None:
        return next((choice for choice in self.choices if choice.slug == slug), None)


@dataclass(frozen=True, slots=True)
class Throw:
    """Dice that decide what comes next. ``by_app``: the app throws them without asking anybody.

    ``side``: whose they are, "" for anybody's: another side's player cannot have them thrown.
    """

    spec: DieSpec
    rule: str = ""
    by_app: bool = False
    side: str = ""


# What a procedure waits for; None where it goes on by itself.
Wanted = Ask | Throw | None
# What it waited for: the slug of a choice, or the faces; None where it goes on by itself.
Answer = str | Face | None


@dataclass(frozen=True, slots=True)
class Told:
    """Something that has happened, a line of the log. ``side``: whose doing it is, "" for whoever acts.

    ``known_to``: the side that alone may know, "" for all. The dice since the line before belong to it.
    ``openly``: what the others are told in its place, "" for nothing but that something is under seal.
    ``place``: where on the board it has happened, "" for nowhere.
    """

    sentence: str
    changes: tuple[RecordChange, ...] = ()
    side: str = ""
    known_to: str = ""
    place: str = ""
    openly: str = ""


@dataclass(frozen=True, slots=True)
class StepTaken:
    """One step of a procedure. ``standing``: where it stands now, None once it is over.

    ``rests``: players look at what has happened before they let it go on.
    """

    standing: Standing | None
    told: tuple[Told, ...] = ()
    rests: bool = False
