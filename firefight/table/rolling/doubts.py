"""What a correction cannot read again by itself, for players to look at."""

from collections.abc import Iterable, Iterator

from firefight.engine.text import join_words
from firefight.models import Match
from firefight.table.board import counters


def name_openly(match: Match, counter_id: str) -> str:
    """What a counter is called in a line that all may read."""
    counter = counters.store_of(match).find(counter_id)
    if counter is None or counter.hidden:
        return "a hidden counter"
    return "a closed counter" if counter.closed else counter.name


def describe_openly(match: Match, counter_id: str) -> str:
    """How a counter is, in a line that all may read."""
    counter = counters.store_of(match).find(counter_id)
    if counter is None or counter.hidden or counter.closed:
        return "otherwise"
    return counters.rules_of(match).describe(counter)


class Doubts:
    """Lines of a match that players should look at again, by number, with what has changed for each."""

    def __init__(self, match: Match):
        self.match = match
        self.by_line: dict[int, list[str]] = {}

    def note(self, number: int, ids: Iterable[str]) -> None:
        """Have players look at a line again, since these counters were already as they now are when it was written."""
        descriptions = self.by_line.setdefault(number, [])
        new_descriptions = (
            f"{name_openly(self.match, counter_id)} was {describe_openly(self.match, counter_id)}" for counter_id in ids
        )
        descriptions += [words for words in new_descriptions if words not in descriptions]

    def say(self) -> Iterator[str]:
        """What players are told, one sentence for each line."""
        for number, descriptions in self.by_line.items():
            yield f"Look at № {number} again: {join_words(descriptions)} then. Put right by hand what does not fit."
