"""The counters of a side: what they are worth, and how many the box holds (20.8.1)."""

from dataclasses import dataclass, replace
from typing import TypeVar

from firefight.engine.charts.cells import is_digits
from firefight.engine.charts.kinds import Problem
from firefight.engine.charts.notation import read_faces
from firefight.engine.errors import BadInput
from firefight.engine.labels import Labelled
from firefight.engine.values import Json

from .air import Aircraft
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


class OwnColumn(Labelled):
    """A weapon that fires on a column of its own of the FFT, however far it reaches (errata 1)."""

    FLAMETHROWER = "flamethrower", "flamethrower"
    DEMO_CHARGE = "demo_charge", "demo charge"


class Rank(Labelled):
    """What a leader is: an NCO or an Officer may lend an attack in Close Combat -5, a Commissar may not (19.3.5)."""

    NCO = "nco", "NCO"
    OFFICER = "officer", "Officer"
    COMMISSAR = "commissar", "Commissar"


class FlakColumn(Labelled):
    """A weapon that fires at aircraft (17.6.7), with a table of its own except for the heavy MG 34."""

    DSHK = "dshk", "DShK 38"
    GAZ_AA = "gaz_aa", "GAZ-AA truck"
    MG34 = "mg34", "MG 34"


# What older files, which name no such traits, mean by their keys.
_BY_KEY = {
    "rank": {rank.value: rank.value for rank in Rank},
    "weapon": {weapon.value: weapon.value for weapon in OwnColumn},
    "aircraft": {"ju_87": Aircraft.JU87.value, "po_2": Aircraft.PO2.value},
    "flak": {
        "dshk_38": FlakColumn.DSHK.value,
        "gaz_aa": FlakColumn.GAZ_AA.value,
        "heavy_mg_34": FlakColumn.MG34.value,
    },
}


Trait = TypeVar("Trait", OwnColumn, Rank, Aircraft, FlakColumn)


@dataclass(frozen=True, slots=True)
class FireBand:
    """FF at ranges from ``near`` to ``far`` hexes."""

    near: int
    far: int
    ff: int


Bands = tuple[FireBand, ...]


@dataclass(frozen=True, slots=True)
class Counter:
    """One kind of counter. ``ff`` at normal range, ``half_ff`` of a squad's smaller side, ``count`` in the box.

    ``fire`` and ``half_fire``: FF by range. ``caliber``: of a gun, in millimetres. ``mgs``: machine-guns that fire
    apart. ``weapon``: fires on a column of its own. ``rank``: of a leader. ``aircraft``: its column in air attacks;
    ``flak``: what it fires at aircraft with. ``owner_values``: what owners said when asked for it, by name. A value
    that a counter does not have, or that is not known, is None.
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
    fire: Bands | None = None
    half_fire: Bands | None = None
    caliber: int | None = None
    mgs: int | None = None
    weapon: OwnColumn | None = None
    rank: Rank | None = None
    aircraft: Aircraft | None = None
    flak: FlakColumn | None = None
    owner_values: tuple[tuple[str, int], ...] = ()

    def find_ff(self, is_half: bool, hexes: int) -> int | None:
        """FF at a range, 0 beyond the last one, None if nobody knows it. ``is_half``: of a squad's smaller side."""
        ff = dict(self.owner_values).get(at_range(is_half, hexes))
        if ff is not None:
            return ff
        bands = self.half_fire if is_half else self.fire
        if bands is None:
            return None
        return next((band.ff for band in bands if band.near <= hexes <= band.far), 0)

    def find_origin(self, name: str) -> str:
        """Whose a value is: text, house or owner. ``name`` as in the file, or as ``at_range`` gives it."""
        return "owner" if name in dict(self.owner_values) else self.origin.of(name.partition("@")[0])

    @property
    def half_ccv(self) -> int | None:
        """CCV of a squad's smaller side: its FF + 1 at one hex, as the whole squad has (X-11)."""
        return None if self.half_ff is None else self.half_ff + 1

    @property
    def is_mine(self) -> bool:
        """Whether it makes its hex a mine hex (20.6.4 step 2); rosters call such a counter by its key."""
        return self.kind is CounterKind.FORTIFICATION and "mine" in self.key


def at_range(is_half: bool, hexes: int) -> str:
    """What the FF at a range is called where it is asked for: "fire@3"."""
    return f"{'half_fire' if is_half else 'fire'}@{hexes}"


def tell_value(counter: Counter, name: str, value: int) -> Counter:
    """A counter with a value that its owner gives; 0 where it has no such thing. Raises BadInput."""
    base, _, hexes = name.partition("@")
    low, high = (0, 200) if hexes else (0, NUMBERS.get(name, (0, -1))[1])
    is_range = base in ("fire", "half_fire") and is_digits(hexes) and 0 < int(hexes) <= MOST_HEXES
    if not is_range and name not in NUMBERS:
        raise BadInput({"value": f"A counter has no value {name[:20]}."})
    if not low <= value <= high:
        raise BadInput({"value": f"{counter.name}: {describe_value(name)} lies between {low} and {high}."})
    changes: Json = {} if is_range else {name: value}
    other_values = (pair for pair in counter.owner_values if pair[0] != name)
    return replace(counter, owner_values=(*other_values, (name, value)), **changes)


def find_value(counter: Counter, name: str) -> int | None:
    """A value of a counter as it is known, 0 where it has no such thing; None where nobody knows it."""
    base, _, hexes = name.partition("@")
    if hexes:
        return counter.find_ff(base == "half_fire", int(hexes)) if is_digits(hexes) else None
    value: int | None = getattr(counter, name) if name in NUMBERS else None
    # A counter whose firepower by range is known has no gun and no machine-guns except those that are also known.
    is_without = name in ("caliber", "mgs") and counter.fire is not None
    return 0 if value is None and is_without else value


_VALUE_WORDS = {
    "caliber": "caliber in mm, 0 for no gun",
    "mgs": "machine-guns that fire apart, 0 for none",
    "half_ff": "FF of the half-squad",
}


def describe_value(name: str) -> str:
    """A value in the players' words: "FF at 3 hexes"."""
    base, _, hexes = name.partition("@")
    if hexes:
        return f"FF{' of the half-squad' if base == 'half_fire' else ''} at {hexes} hex{'' if hexes == '1' else 'es'}"
    return _VALUE_WORDS.get(name, name.upper().replace("_", " "))


# The numbers that a counter may have, each with the least and the most that it may be.
NUMBERS = {"ff": (1, 200), "half_ff": (1, 200), "ccv": (1, 50), "tq": (1, 10), "caliber": (20, 420), "mgs": (1, 9)}
_VALUES = ("name", "kind", "count", "fire", "half_fire", *_BY_KEY, *NUMBERS)
MOST_HEXES = 40  # that anything fires


def read_counters(data: object) -> tuple[dict[Side, dict[str, Counter]], list[Problem]]:
    """Read both sides' counters and list every problem; counters that cannot be read are left out."""
    reading = FileReading("counters")
    raw = reading.head(data, "provenance", *Side)
    default = reading.origin(raw, "", names=()).provenance or "house"
    counters: dict[Side, dict[str, Counter]] = {}
    for side in Side:
        entries = reading.table(raw.get(side), side)
        counters[side] = {
            key: counter
            for key, entry in entries.items()
            if (counter := _read_counter(reading, within(side, key), key, entry, default))
        }
        if not counters[side]:
            reading.flaw(side, "has no counters")
    return counters, reading.problems


def _read_counter(reading: FileReading, cell: str, key: str, entry: object, default: str) -> Counter | None:
    """A counter of a file; its flaws are noted with the reading. None for one of an unknown kind.

    ``cell``: where it stands in the file. ``default``: whose its values are.
    """
    raw = reading.table(entry, cell)
    reading.only(raw, cell, (*_VALUES, "provenance", "text", "house", "owner"))
    if not is_key(key):
        reading.flaw(cell, "a counter's key should be made of a-z, 0-9 and _")
    kind = reading.word(raw.get("kind"), within(cell, "kind"), CounterKind)

    def trait(name: str, words: type[Trait]) -> Trait | None:
        value = raw.get(name, _BY_KEY[name].get(key))
        return None if value is None else reading.word(value, within(cell, name), words)

    def number(name: str) -> int | None:
        return reading.maybe_number(raw.get(name), within(cell, name), *NUMBERS[name])

    # Without a kind it is read all the same, so that all its flaws are reported at once.
    counter = Counter(
        key=key,
        kind=kind or CounterKind.MARKER,
        name=reading.text(raw, "name", cell, 40),
        count=reading.number(raw.get("count"), within(cell, "count"), 0, 200),
        origin=reading.origin(raw, cell, default, set(raw)),
        fire=_read_bands(reading, within(cell, "fire"), raw.get("fire")),
        half_fire=_read_bands(reading, within(cell, "half_fire"), raw.get("half_fire")),
        weapon=trait("weapon", OwnColumn),
        rank=trait("rank", Rank),
        aircraft=trait("aircraft", Aircraft),
        flak=trait("flak", FlakColumn),
        ff=number("ff"),
        half_ff=number("half_ff"),
        ccv=number("ccv"),
        tq=number("tq"),
        caliber=number("caliber"),
        mgs=number("mgs"),
    )
    for name in ("half_ff", "half_fire"):
        if getattr(counter, name) is not None and kind is not CounterKind.SQUAD:
            reading.flaw(within(cell, name), "only a squad has a smaller side")
    for name, only_kind in (("rank", CounterKind.LEADER), ("aircraft", CounterKind.AIRCRAFT)):
        if getattr(counter, name) is not None and kind is not only_kind:
            reading.flaw(within(cell, name), f"only a counter of the kind {only_kind.value} has that")
    return counter if kind else None


def _read_bands(reading: FileReading, cell: str, raw: object) -> Bands | None:
    """FF by range: {"1" = 8, "2-8" = 7}, without a gap from 1 on."""
    if raw is None:
        return None
    bands: list[FireBand] = []
    for hexes, ff in reading.table(raw, cell).items():
        try:
            low, high = read_faces(hexes, None)
        except ValueError as flaw:
            reading.flaw(cell, str(flaw))
            continue
        bands.append(FireBand(low or high, high, reading.number(ff, within(cell, hexes), 0, 200)))
    bands.sort(key=lambda band: band.near)
    ends = [0, *(band.far for band in bands)]
    if any(band.near != end + 1 for band, end in zip(bands, ends, strict=False)):
        reading.flaw(cell, "should give each range once, without a gap, from 1 on")
    if not 1 <= ends[-1] <= MOST_HEXES:
        reading.flaw(cell, f"should reach from 1 to {MOST_HEXES} hexes")
    return tuple(bands)
