"""The counters of Two Bridges: what is in the box, and what becomes of it."""

from typing import Any

from firefight.engine.board.counters import CounterInPlay
from firefight.kit import CounterRules, SimpleKind

from .rules import SIDES

BOX = (SimpleKind("company", "Company", 8), SimpleKind("captain", "Captain", 1))


class Counters(CounterRules):
    """Shaken by the first hit, eliminated by the second."""

    kinds = {side: {kind.key: kind for kind in BOX} for side in SIDES}
    states = {"shaken": "Shaken"}
    words = {**states, "good_order": "Good Order", "hit": "Hit", "eliminated": "Eliminated"}

    def become(self, counter: CounterInPlay, kind: Any, word: str) -> CounterInPlay:
        if word == "hit":
            word = "eliminated" if "shaken" in counter.state else "shaken"
        return super().become(counter, kind, word)


COUNTERS = Counters()
