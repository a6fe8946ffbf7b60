"""What units may do to pay Casualty Points, and all ways that are worth exactly what is owed (8.354)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import factorial, prod

from firefight.engine.labels import Labelled


class Action(Labelled):
    """What becomes of a unit that pays, or of one that does not."""

    NONE = "none", "stays as it is"
    FLIP = "flip", "flips"
    FLIP_RETREAT = "flip_retreat", "flips and retreats"
    RETREAT = "retreat", "retreats"
    ELIMINATE = "eliminate", "is eliminated"

    @property
    def retreats(self) -> bool:
        """Whether the unit leaves the Area alive."""
        return self in (Action.FLIP_RETREAT, Action.RETREAT)


def find_mixes(prices: Mapping[Action, int], units: int, required: int) -> list[Counter[Action]]:
    """How many units do what, in every way that is worth exactly what is owed, the fewest losses first."""
    actions = [action for action in prices if action is not Action.NONE]

    def extend(owed: int, free: int, kinds: Sequence[Action]) -> Iterator[Counter[Action]]:
        if not kinds:
            if not owed:
                yield Counter({Action.NONE: free})
            return
        for number in range(min(free, owed // prices[kinds[0]]) + 1):
            for rest in extend(owed - number * prices[kinds[0]], free - number, kinds[1:]):
                yield rest + Counter({kinds[0]: number})

    return sorted(extend(required, units, actions), key=_rank)


def _rank(mix: Counter[Action]) -> tuple[int, int]:
    return mix[Action.ELIMINATE], sum(number for action, number in mix.items() if action.retreats)


def count_choices(mixes: Iterable[Counter[Action]], units: int, must: Sequence[int]) -> int:
    """How many payments there are: all orders of each mix, except those in which no unit pays that has to."""
    return sum(_orders(mix, units) - (_orders(mix, units, len(must)) if must else 0) for mix in mixes)


def _orders(mix: Counter[Action], units: int, spared: int = 0) -> int:
    """In how many ways a mix can fall to the units, if ``spared`` of them do nothing."""
    idle = mix[Action.NONE] - spared
    if idle < 0:
        return 0
    return factorial(units - spared) // prod(map(factorial, (*(mix - Counter({Action.NONE: spared})).values(),)))


def list_choices(
    mixes: Iterable[Counter[Action]], units: int, must: Sequence[int], twins: Mapping[int, int] | None = None
) -> Iterator[tuple[Action, ...]]:
    """Those payments one after the other; first those in which the strongest, listed first, pays most.

    ``twins``: by place, an equal unit before it; which of the two does what then makes no difference.
    """
    gravest = {action: rank for rank, action in enumerate(reversed(Action))}

    def extend(actions_left: Counter[Action], chosen: tuple[Action, ...]) -> Iterator[tuple[Action, ...]]:
        if len(chosen) == units:
            if not must or any(chosen[place] is not Action.NONE for place in must):
                yield chosen
            return
        twin = (twins or {}).get(len(chosen))
        least = 0 if twin is None else gravest[chosen[twin]]
        for action in [option for option, rank in gravest.items() if actions_left[option] and rank >= least]:
            yield from extend(actions_left - Counter({action: 1}), (*chosen, action))

    for mix in mixes:
        yield from extend(mix, ())


def find_twins(factors: Sequence[int], must: Sequence[int]) -> dict[int, int]:
    """By place, the last equal unit before it: of the same factor, and just as free to pay or not.

    >>> find_twins((3, 2, 3, 2, 2), must=(0,))
    {3: 1, 4: 3}
    """
    last_places: dict[tuple[int, bool], int] = {}
    twins: dict[int, int] = {}
    for place, factor in enumerate(factors):
        kind = factor, place in must
        if kind in last_places:
            twins[place] = last_places[kind]
        last_places[kind] = place
    return twins


def describe_payment(factors: Sequence[object], actions: Sequence[Action]) -> str:
    """A payment in words, for players: units that do the same stand together, the gravest first.

    >>> describe_payment((6, 3, 3), (Action.FLIP, Action.ELIMINATE, Action.ELIMINATE))
    '3, 3 are eliminated; 6 flips'
    """
    phrases = []
    for action in reversed(WORDS):
        doing = [str(factor) for factor, chosen in zip(factors, actions, strict=True) if chosen is action]
        phrases += [f"{', '.join(doing)} {WORDS[action][len(doing) > 1]}"] if doing else []
    return "; ".join(phrases) or "nobody pays"


WORDS = {
    Action.FLIP: ("flips", "flip"),
    Action.RETREAT: ("retreats", "retreat"),
    Action.FLIP_RETREAT: ("flips and retreats", "flip and retreat"),
    Action.ELIMINATE: ("is eliminated", "are eliminated"),
}
