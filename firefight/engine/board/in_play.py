"""The hexes in play, drawn where their letters or numbers say: for games whose printed map is its owner's alone.

What is drawn is what players have told: where counters stand, what is noted of hexes, and the hexes around those.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from .board import BoardView, PieceStack, PlaceView, Sign
from .counters import CounterInPlay
from .hexes import BadHex, Hex, HexGeometry

MOST_HEXES = 300  # beyond this, those that only touch others are left out


class HexSign(NamedTuple):
    """Something that lies in a hex: a letter or two, and the words for it, "" where its counters say it themselves."""

    place: str
    letters: str
    words: str


def list_hexes_in_play(hexes: HexGeometry, names: Iterable[str]) -> tuple[Hex, ...]:
    """The hexes of these names, with those that touch them; names of no hex on this map are left out."""
    hexes_named = _read_hexes(hexes, names)
    around = {neighbour for place in hexes_named for neighbour in hexes.neighbours(place)}
    return tuple(sorted(hexes_named | around if len(hexes_named | around) <= MOST_HEXES else hexes_named))


def _read_hexes(hexes: HexGeometry, names: Iterable[str]) -> set[Hex]:
    places = set()
    for name in filter(None, names):
        try:
            places.add(hexes.parse(name))
        except BadHex:  # it was set on another map
            continue
    return places


def find_where_counters_stand(counters: Iterable[CounterInPlay]) -> list[str]:
    return [counter.place for counter in counters if counter.in_play and counter.place]


def view_hexes_in_play(
    counters: Iterable[CounterInPlay], signs: Iterable[HexSign], describe: Callable[[CounterInPlay], str]
) -> BoardView:
    """Counters by side, and what lies in each hex besides. ``describe``: the state of a counter that has one."""
    stacks: dict[str, dict[str, list[CounterInPlay]]] = {}
    for counter in counters:
        if counter.in_play and counter.place:
            stacks.setdefault(counter.place, {}).setdefault(counter.side, []).append(counter)
    lies: dict[str, dict[str, list[str]]] = {}
    for place, letters, words in signs:
        lies.setdefault(place, {}).setdefault(letters, []).append(words)
    return BoardView(
        {
            name: PlaceView(
                tuple(_stack(side, pieces, describe) for side, pieces in stacks.get(name, {}).items()),
                tuple(Sign(letters, ", ".join(filter(None, words))) for letters, words in lies.get(name, {}).items()),
            )
            for name in dict.fromkeys([*stacks, *lies])
        }
    )


def _stack(side: str, counters: list[CounterInPlay], describe: Callable[[CounterInPlay], str]) -> PieceStack:
    words = (f"{counter.name} ({describe(counter)})" if counter.state else counter.name for counter in counters)
    return PieceStack(side, len(counters), ", ".join(words), ids=tuple(counter.id for counter in counters))
