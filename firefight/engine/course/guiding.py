"""What a guide says about the step at hand: all of it is plain (firefight/kit/guide.py, Guide)."""

from dataclasses import dataclass

from .conducting import Choice
from .keeping import Chance


@dataclass(frozen=True, slots=True)
class GuideStep:
    """The step at hand, in a sentence, and where the rules give it.

    ``choices``: what may be chosen for the steps after it, "" to choose again. ``chances``: what may be done now, under
    the headings of their titles, each with the form that does it.
    """

    sentence: str
    rule: str = ""
    choices: tuple[Choice, ...] = ()
    chances: tuple[Chance, ...] = ()
