"""Where counters stand, whatever a game calls it: two kinds of hexes, areas, boxes.

A game says once which kind it has; forms, records and pages read and print its places by that. A place is printed by
``str``; what is printed reads back as the same place.
"""

from collections import deque
from dataclasses import dataclass
from typing import ClassVar, Protocol, TypeVar

from firefight.engine.errors import RuleError
from firefight.engine.labels import Labelled

_MOST_NAMED = 12  # names in a message


class PlaceKind(Labelled):
    """What a game's places are."""

    LETTERED = "lettered", "hex"  # K7
    NUMBERED = "numbered", "hex"  # 0412
    AREAS = "areas", "area"
    BOXES = "boxes", "box"


class BadPlace(RuleError):
    """A place that the map does not have."""


P_co = TypeVar("P_co", covariant=True)


class Places(Protocol[P_co]):
    """All places of a map."""

    kind: ClassVar[PlaceKind]

    @property
    def longest(self) -> int:
        """How many characters the longest name has."""

    def __hash__(self) -> int: ...

    def parse(self, text: str) -> P_co:
        """Read a place as players write it. Raises BadPlace with what there is instead."""


@dataclass(frozen=True, slots=True)
class Boxes:
    """Places by name that touch nothing: the boxes of a display, or a map where nobody asks what touches what."""

    names: tuple[str, ...]
    kind: ClassVar[PlaceKind] = PlaceKind.BOXES

    @property
    def longest(self) -> int:
        """How many characters the longest name has."""
        return max(map(len, self.names))

    def parse(self, text: str) -> str:
        """Read a name in any case, with or without blanks. Raises BadPlace with the names that there are.

        >>> Boxes(("Airfield", "East Bank")).parse("east bank")
        'East Bank'
        """
        folded = _fold(text)
        for name in self.names:
            if _fold(name) == folded:
                return name
        listing = ", ".join(self.names[:_MOST_NAMED]) + (" …" if len(self.names) > _MOST_NAMED else "")
        raise BadPlace(f"There is no {self.kind.word} “{text.strip()[:20]}” here. There are: {listing}.")


@dataclass(frozen=True, slots=True)
class Areas(Boxes):
    """Areas by name, and which pairs of them touch: none where nobody has said so yet."""

    links: tuple[tuple[str, str], ...] = ()
    kind: ClassVar[PlaceKind] = PlaceKind.AREAS

    def neighbours(self, place: str) -> tuple[str, ...]:
        """The areas that touch one, in the order of the names."""
        touching = {b if a == place else a for a, b in self.links if place in (a, b)}
        return tuple(name for name in self.names if name in touching)

    def distance(self, a: str, b: str) -> int | None:
        """Areas from a to b, not counting a itself; None where no way leads there.

        >>> Areas(("1", "2", "3", "4"), (("1", "2"), ("3", "2"))).distance("1", "3")
        2
        """
        distances, edge = {a: 0}, deque([a])
        while edge and b not in distances:
            place = edge.popleft()
            for neighbour in self.neighbours(place):
                if neighbour not in distances:
                    distances[neighbour] = distances[place] + 1
                    edge.append(neighbour)
        return distances.get(b)


def read_links(text: str, areas: Boxes) -> tuple[tuple[str, str], ...]:
    """Which areas touch, as "6-7 6-C". Raises BadPlace.

    >>> read_links("1-2, 2-a", Boxes(("1", "2", "A")))
    (('1', '2'), ('2', 'A'))
    """
    links = []
    for pair in text.replace(",", " ").split():
        first, dash, second = pair.partition("-")
        if not dash:
            raise BadPlace(f"“{pair[:20]}” is not a pair: write which {areas.kind.word} touches which as 6-7.")
        links.append((areas.parse(first), areas.parse(second)))
    return tuple(links)


def _fold(text: str) -> str:
    return "".join(text.casefold().split())
