"""How the cells of rosters, counters, cards and the map are written: counters by name, ranges, sectors, times."""

import re
from collections import Counter as Tally
from collections.abc import Iterable, Mapping, Sequence

from firefight.engine.board.pasting import read_list
from firefight.engine.charts.cells import is_digits
from firefight.engine.charts.notation import plain_dashes, read_faces, read_number
from firefight.engine.text import split_runs
from firefight.engine.values import Json, Values
from firefight.games.combat_stalingrad.rules.counters import Counter
from firefight.games.combat_stalingrad.rules.sides import Side

from ..rosters import Time

_MIX = re.compile(r"(\d{1,2})\s*[x×]?\s*(?:d(10|100)\s*)?:\s*(.+)", re.ASCII)
_BAND = re.compile(r"(\d{1,3}(?:\s*-\s*\d{1,3}|\+)?)\s+(\S.*)", re.ASCII)
_DIE = re.compile(r"d(\d{1,3})\s*(?:\+\s*(\d{1,2}))?", re.ASCII)
_SPAN = re.compile(r"(\d{1,2})\s*-\s*(\d{1,2})", re.ASCII)


def parts_of(text: str) -> list[str]:
    """What stands between commas or semicolons."""
    return [part.strip() for part in re.split(r"[,;]", text) if part.strip()]


# Counters by name


class Names:
    """The counters of a side by what players call them. Several of a kind are listed "3 Rifle squad, 1 Commissar"."""

    def __init__(self, side: Side, counters: Mapping[str, Counter], groups: Mapping[str, str] | None = None):
        self.side, self.groups = side, groups or {}
        self.names = {key: counter.name for key, counter in counters.items()}

    def read_counters(self, text: str) -> dict[str, int]:
        """How many of each, by key. Raises ValueError with everything that is wrong."""
        entries, problems = read_list(text, {self.side: self.names}, {self.side: self.side.word}, self.side)
        problems += [
            f"“{self.names[entry.key]} #{entry.tag}”: counters have no number here" for entry in entries if entry.tag
        ]
        if problems:
            raise ValueError(" ".join(problems))
        numbers: Tally[str] = Tally()
        for entry in entries:
            numbers[entry.key] += entry.number
        return dict(numbers)

    def write_counters(self, numbers: Mapping[str, int]) -> str:
        """The same, as players write it; a key without a counter stays as it stands."""
        return ", ".join(f"{number} {self.names.get(key, key)}" for key, number in numbers.items())

    def read_one(self, text: str) -> str:
        """The key of one counter. Raises ValueError."""
        numbers = self.read_counters(text)
        if sum(numbers.values()) != 1:
            raise ValueError(f"“{text[:40]}” should be the name of one counter")
        return next(iter(numbers))

    def read_mix(self, text: str) -> Json:
        """Counters that dice decide: "3: 1-6 Pz IV F1, 7-10 Pz IV F2", "2 d100: ...". Raises ValueError."""
        match = _MIX.fullmatch(plain_dashes(text).strip())
        if not match:
            raise ValueError("should look like 3: 1-6 Pz IV F1, 7-10 Pz IV F2 (how many, then the faces of a d10)")
        sides, bands = int(match[2] or 10), []
        for part in parts_of(match[3]):
            band = _BAND.fullmatch(part)
            if not band:
                raise ValueError(f"“{part[:30]}” should be faces and a counter, such as 1-6 Pz IV F1")
            low, high = read_faces(band[1], sides)
            low = high if low is None else low
            bands.append([f"{low}-{high}" if low < high else str(low), self.read_one(band[2])])
        return {"number": int(match[1]), "sides": sides, "bands": bands}

    def write_mix(self, mix: Values) -> str:
        """The same, as players write it."""
        die = "" if mix.get("sides") == 10 else f" d{mix.get('sides')}"
        bands = ", ".join(f"{faces} {self.names.get(key, key)}" for faces, key in mix.get("bands", []))
        return f"{mix.get('number')}{die}: {bands}"

    def read_at_start(self, text: str) -> list[dict[str, object]]:
        """Groups by their ID and counters by name: "2 I1, 1 I3, 1 Commissar". Raises ValueError."""
        entries: list[Json] = []
        problems = []
        for part in parts_of(text):
            counted = re.fullmatch(r"(?:(\d{1,2})\s*[x×]?\s+)?([A-Za-z]{1,3}\d{0,2})", part, re.ASCII)
            if counted and counted[2].upper() in self.groups:
                entries.append({"group": counted[2].upper(), "number": int(counted[1] or 1)})
                continue
            try:
                singles = self.read_counters(part)
            except ValueError as error:
                problems.append(str(error).replace("such counter", "such group or counter"))
                continue
            entries += [{"counter": key, "number": number} for key, number in singles.items()]
        if problems:
            raise ValueError(" ".join(problems))
        return entries

    def write_at_start(self, entries: Iterable[Values]) -> str:
        """The same, as players write it."""
        names = (
            (entry["number"], entry.get("group") or self.names.get(entry["counter"], entry["counter"]))
            for entry in entries
        )
        return ", ".join(f"{number} {name}" for number, name in names)


# Ranges


def read_ranges(text: str) -> dict[str, int]:
    """FF by range: "1: 9, 2: 8, 3-4: 4". Raises ValueError."""
    ranges: dict[str, int] = {}
    for part in parts_of(plain_dashes(text)):
        hexes, colon, ff = part.partition(":" if ":" in part else "=")
        value = read_number(ff)
        if not colon or value is None:
            raise ValueError(f"“{part[:20]}” should be a range and its FF, such as 3-4: 4")
        low, high = read_faces(hexes, None)
        low = high if low is None else low
        name = f"{low}-{high}" if low < high else str(low)
        if name in ranges:
            raise ValueError(f"gives range {name} twice")
        ranges[name] = value
    return ranges


def write_ranges(ranges: Mapping[str, int]) -> str:
    """The same, as players write it."""
    return ", ".join(f"{hexes}: {ff}" for hexes, ff in ranges.items())


# Sectors, times, dice, lines of text


def parse_sectors(text: str) -> list[int]:
    """Sectors: "1-3, 6", or parted by blanks. Raises ValueError."""
    sectors: list[int] = []
    for part in re.split(r"[,;\s]+", re.sub(r"\s*-\s*", "-", plain_dashes(text).strip())):
        if span := _SPAN.fullmatch(part):
            low, high = int(span[1]), int(span[2])
            if low > high:
                raise ValueError(f"{part} runs backwards")
            sectors += range(low, high + 1)
        elif is_digits(part) and len(part) < 3:
            sectors.append(int(part))
        elif part:
            raise ValueError(f"“{part[:12]}” is not a sector")
    return sorted(dict.fromkeys(sectors))


def write_sectors(sectors: Iterable[int]) -> str:
    """The same, as players write it, three in a row or more as a span.

    >>> write_sectors([1, 2, 3, 6, 7])
    '1-3, 6, 7'
    """
    groups = ([f"{span[0]}-{span[-1]}"] if len(span) > 2 else map(str, span) for span in split_runs(sectors))
    return ", ".join(word for words in groups for word in words)


def read_times(text: str) -> list[str]:
    """Times of day in order: "Dawn, AM, PM". Raises ValueError."""
    times = {time.casefold(): time.value for time in Time}
    values = []
    for part in filter(None, re.split(r"[,;/\s]+", text)):
        if part.casefold() not in times:
            raise ValueError(f"“{part[:12]}” should be one of {', '.join(Time)}")
        values.append(times[part.casefold()])
    return values


def read_die(text: str) -> dict[str, int]:
    """A reinforcement roll: "d10 + 6". Raises ValueError."""
    match = _DIE.fullmatch(text.strip().casefold())
    if not match:
        raise ValueError("should look like d10 + 6, or d10")
    return {"sides": int(match[1]), "add": int(match[2] or 0)}


def write_die(roll: Mapping[str, int]) -> str:
    """The same, as players write it."""
    return f"d{roll['sides']} + {roll['add']}" if roll.get("add") else f"d{roll['sides']}"


def read_lines(text: str) -> list[str]:
    """Sentences, one behind another, parted by a slash between blanks."""
    return [part.strip() for part in re.split(r"(?:^|\s)/(?:\s|$)", text) if part.strip()]


def write_list(words: Sequence[object]) -> str:
    """Words with commas between."""
    return ", ".join(map(str, words))


def write_lines(lines: Sequence[str]) -> str:
    """Sentences with slashes between."""
    return " / ".join(lines)


def read_text(text: str) -> str:
    """A text as it stands."""
    return text
