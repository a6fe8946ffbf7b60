"""The large requests that are coming in: what all of them may hold of the memory, and what one visitor's may.

Where there is no room for more, the slowest is refused, not the one that comes last: whoever sends drop by drop shuts
nobody else out.
"""

import asyncio
import time
from collections.abc import Iterable

SMALL = 64_000  # bytes; a request of this size is never turned away
ROOM = 64_000_000  # bytes of larger requests
ROOM_OF_ONE = 16_000_000  # bytes of those from one network: two of the largest


class IncomingRequest:
    """A request that is coming in. ``network``: where from."""

    def __init__(self, network: str) -> None:
        self.network = network
        self.begun = time.monotonic()
        self.size = 0
        self.is_refused = False
        self.patience: asyncio.Timeout | None = None

    @property
    def age(self) -> float:
        """For how many seconds it has been coming in."""
        return time.monotonic() - self.begun

    @property
    def speed(self) -> float:
        """Bytes a second so far."""
        return self.size / max(self.age, 0.001)

    def refuse(self) -> None:
        """Wait for it no more."""
        self.is_refused = True
        if self.patience:
            self.patience.reschedule(asyncio.get_running_loop().time())


class Arrivals:
    """All large requests that are coming in to one worker."""

    def __init__(self) -> None:
        self.large: set[IncomingRequest] = set()

    def note_growth(self, arrival: IncomingRequest) -> None:
        """An arrival has become larger: refuse the slowest, of its network or of all, if there is no room for it."""
        if arrival.size <= SMALL:
            return
        self.large.add(arrival)
        self._make_room([each for each in self.large if each.network == arrival.network], ROOM_OF_ONE)
        self._make_room(self.large, ROOM)

    def end(self, arrival: IncomingRequest) -> None:
        """It is here in whole, or comes no more."""
        self.large.discard(arrival)

    def _make_room(self, among: Iterable[IncomingRequest], room: int) -> None:
        slowest_first = sorted(among, key=lambda each: each.speed)
        held = sum(each.size for each in slowest_first)
        for each in slowest_first:
            if held <= room:
                return
            held -= each.size
            self.large.discard(each)
            each.refuse()
