"""The blocks of Masked March: how many dots each has, and what becomes of it."""

from collections.abc import Mapping
from typing import Any

from firefight.engine.board.counters import CounterInPlay, LevelBounds, read_set_level
from firefight.kit import CounterRules, SimpleKind

from .rules import SIDES

BOX = (SimpleKind("guard", "Guard", 3), SimpleKind("levy", "Levy", 5))
DOTS = {"guard": LevelBounds(0, 4, start=4), "levy": LevelBounds(0, 2, start=2)}


class Blocks(CounterRules):
    """A block loses dots, and is gone with the last of them."""

    kinds = {side: {kind.key: kind for kind in BOX} for side in SIDES}
    levels = {"dots": "Dots"}
    words = {"hit": "Hit", "closed": "Closed", "turned_up": "Turned up", "eliminated": "Eliminated"}
    closed_kind = SimpleKind("block", "Block", 0)

    def bound_levels(self, kind: Any) -> Mapping[str, LevelBounds]:
        return {"dots": DOTS[kind.key]}

    def become(self, counter: CounterInPlay, kind: Any, word: str) -> CounterInPlay:
        name, number = read_set_level(word) or (word, 0)
        if name == "hit":
            word = f"dots={counter.levels['dots'] - 1}"
        if name == "spun":
            word = f"dots={min(number, DOTS[kind.key].high)}"
        after = super().become(counter, kind, word)
        return after if after.levels["dots"] else super().become(counter, kind, "eliminated")


COUNTERS = Blocks()
