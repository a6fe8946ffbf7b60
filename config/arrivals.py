"""The large requests that are coming in: how much memory all of them may hold, and how much one visitor's may.

Where there is no room for more, the slowest is refused, not the last to come: nobody who sends drop by drop can shut
out others.
"""

import asyncio
import time
from collections.abc import Iterable

SMALL = 64_000  # bytes; a request of this size is never turned away
ROOM = 64_000_000  # bytes of larger requests
ROOM_OF_ONE = 16_000_000  # bytes of those from one network: two of the largest


class IncomingRequest:
    """A request that is coming in. ``network``: where it comes from."""

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
        """Bytes per second so far."""
        return self.size / max(self.age, 0.001)

    def refuse(self) -> None:
        """Stop waiting for it."""
        self.is_refused = True
        if self.patience:
            self.patience.reschedule(asyncio.get_running_loop().time())


class Arrivals:
    """All large requests coming in to one worker."""

    def __init__(self) -> None:
        self.large: set[IncomingRequest] = set()

    def note_growth(self, arrival: IncomingRequest) -> None:
        """An arrival has grown: refuse the slowest, of its network or of all, if there is no room for it."""
        if arrival.size <= SMALL:
            return
        self.large.add(arrival)
        self._make_room([other for other in self.large if other.network == arrival.network], ROOM_OF_ONE)
        self._make_room(self.large, ROOM)

    def end(self, arrival: IncomingRequest) -> None:
        """Forget a request that has come in completely, or will not."""
        self.large.discard(arrival)

    def _make_room(self, among: Iterable[IncomingRequest], room: int) -> None:
        slowest_first = sorted(among, key=lambda arrival: arrival.speed)
        total = sum(arrival.size for arrival in slowest_first)
        for arrival in slowest_first:
            if total <= room:
                return
            total -= arrival.size
            self.large.discard(arrival)
            arrival.refuse()
