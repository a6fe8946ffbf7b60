"""The counters of a side: what they are worth, and how many the box holds (20.8.1)."""

from dataclasses import dataclass
from typing import Any

from firefight.engine.charts.kinds import Problem
from firefight.engine.labels import Labelled

from .reading import FileProvenance, FileReading, is_key, within
from .sides import Side


class CounterKind(Labelled):
    """What a counter is."""

    SQUAD = "squad", "squad"
    LEADER = "leader", "leader"
    SW_TEAM = "sw_team", "SW team"
    GUN = "gun", "gun"
    VEHICLE = "vehicle", "vehicle"
    AIRCRAFT = "aircraft", "aircraft"
    FORTIFICATION = "fortification", "fortification"
    MARKER = "marker", "marker"


@dataclass(frozen=True, slots=True)
class Counter:
    """One kind of counter. ``ff`` at normal range, ``half_ff`` of a squad's smaller side, ``count`` in the box.

    A value that a counter does not have, or that is not known, is None.
    """

    key: str
    name: str
    kind: CounterKind
    count: int
    ff: int | None
    half_ff: int | None
    ccv: int | None
    tq: int | None
    origin: FileProvenance

    @property
    def half_ccv(self) -> int | None:
        """CCV of a squad's smaller side: its FF + 1 at one hex, as the whole squad has (X-11)."""
        return None if self.half_ff is None else self.half_ff + 1

    @property
    def is_mine(self) -> bool:
        """Whether it makes its hex a mine hex (20.6.4 step 2); rosters call such a counter by its key."""
        return self.kind is CounterKind.FORTIFICATION and "mine" in self.key


_VALUES = ("name", "kind", "count", "ff", "half_ff", "ccv", "tq")


def read_counters(data: Any) -> tuple[dict[Side, dict[str, Counter]], list[Problem]]:
    """Read both sides' counters and list every problem; counters that cannot be read are left out."""
    reading = FileReading("counters")
    raw = reading.head(data, "provenance", *Side)
    default = reading.origin(raw, "", names=()).provenance or "house"
    found: dict[Side, dict[str, Counter]] = {}
    for side in Side:
        entries = reading.table(raw.get(side), side)
        found[side] = {
            key: counter
            for key, entry in entries.items()
            if (counter := _read_counter(reading, within(side, key), key, entry, default))
        }
        if not found[side]:
            reading.flaw(side, "has no counters")
    return found, reading.problems


def _read_counter(reading: FileReading, cell: str, key: str, entry: Any, default: str) -> Counter | None:
    raw = reading.table(entry, cell)
    reading.only(raw, cell, (*_VALUES, "provenance", "text", "house", "owner"))
    if not is_key(key):
        reading.flaw(cell, "a counter's key should be made of a-z, 0-9 and _")
    kind = reading.word(raw.get("kind"), within(cell, "kind"), CounterKind)
    # Without a kind it is read all the same, so that all its flaws are said at once.
    counter = Counter(
        key=key,
        kind=kind or CounterKind.MARKER,
        ff=reading.maybe_number(raw.get("ff"), within(cell, "ff"), 1, 200),
        half_ff=reading.maybe_number(raw.get("half_ff"), within(cell, "half_ff"), 1, 200),
        ccv=reading.maybe_number(raw.get("ccv"), within(cell, "ccv"), 1, 50),
        tq=reading.maybe_number(raw.get("tq"), within(cell, "tq"), 1, 10),
        name=reading.text(raw, "name", cell, 40),
        count=reading.number(raw.get("count"), within(cell, "count"), 0, 200),
        origin=reading.origin(raw, cell, default, set(raw)),
    )
    if counter.half_ff is not None and kind is not CounterKind.SQUAD:
        reading.flaw(within(cell, "half_ff"), "only a squad has a smaller side")
    return counter if kind else None
