"""The hexes in play, drawn where their letters or numbers say: for games whose printed map is its owner's alone.

What is drawn is what players have told: where counters stand, what is noted of hexes, and the hexes that touch those.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from .board import BoardView, PieceStack, PlaceView, Sign
from .counters import CounterInPlay
from .hexes import BadHex, Hex, HexGeometry

MOST_HEXES = 300  # beyond them those that only touch others are left out


class HexSign(NamedTuple):
    """Something that lies in a hex: a letter or two, and the words for it, "" where its counters say it themselves."""

    place: str
    letters: str
    words: str


def list_hexes_in_play(hexes: HexGeometry, names: Iterable[str]) -> tuple[Hex, ...]:
    """The hexes of these names, with those that touch them; names that are no hex of this map are left out."""
    named = _read_hexes(hexes, names)
    around = {other for each in named for other in hexes.neighbours(each)}
    return tuple(sorted(named | around if len(named | around) <= MOST_HEXES else named))


def _read_hexes(hexes: HexGeometry, names: Iterable[str]) -> set[Hex]:
    found = set()
    for name in filter(None, names):
        try:
            found.add(hexes.parse(name))
        except BadHex:  # it was set on another map
            continue
    return found


def find_where_counters_stand(counters: Iterable[CounterInPlay]) -> list[str]:
    """Where counters in play stand."""
    return [each.place for each in counters if each.in_play and each.place]


def view_hexes_in_play(
    counters: Iterable[CounterInPlay], signs: Iterable[HexSign], describe: Callable[[CounterInPlay], str]
) -> BoardView:
    """Counters by side, and what lies in each hex besides. ``describe``: how a counter is that has some state."""
    stacks: dict[str, dict[str, list[CounterInPlay]]] = {}
    for each in counters:
        if each.in_play and each.place:
            stacks.setdefault(each.place, {}).setdefault(each.side, []).append(each)
    lies: dict[str, dict[str, list[str]]] = {}
    for place, letters, words in signs:
        lies.setdefault(place, {}).setdefault(letters, []).append(words)
    return BoardView(
        {
            name: PlaceView(
                tuple(_stack(side, there, describe) for side, there in stacks.get(name, {}).items()),
                tuple(Sign(letters, ", ".join(filter(None, words))) for letters, words in lies.get(name, {}).items()),
            )
            for name in dict.fromkeys([*stacks, *lies])
        }
    )


def _stack(side: str, there: list[CounterInPlay], describe: Callable[[CounterInPlay], str]) -> PieceStack:
    told = (f"{each.name} ({describe(each)})" if each.state else each.name for each in there)
    return PieceStack(side, len(there), ", ".join(told), ids=tuple(each.id for each in there))
