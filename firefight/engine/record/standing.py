"""What a match keeps of a procedure that goes on by itself: where it stands."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from firefight.engine.values import Values

from .fields import KeptField

LONGEST = 30_000  # characters of its JSON


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptStanding(KeptField):
    """Where a procedure stands, None while none is under way: all that it needs to go on.

    With ``known_to`` that side alone may know it, as where the app plays a side and keeps all of its game here; else
    everybody may. ``find_flaw``: what is wrong with one from outside, such as a file, in words that give nothing away;
    "" for nothing. No line of a log holds it: an act notes how it differs, so that its length costs a match little.
    """

    by_hand: bool = False
    find_flaw: Callable[[Values], str]

    @property
    def default(self) -> None:
        return None

    def read(self, value: object) -> Values | None:
        if value is None:
            return None
        if not isinstance(value, Mapping) or len(json.dumps(value)) > LONGEST:
            raise self.flaw("this is not a place where it could stand.")
        if flaw := self.find_flaw(value):
            raise self.flaw(flaw)
        return value

    def describe(self, value: object) -> str:
        return "under way" if value else "nothing"

    def describe_change(self, change: object) -> Iterator[str]:
        yield from ()
