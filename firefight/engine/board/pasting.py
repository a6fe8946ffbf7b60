"""Counters as players write them: "3 Rifle squad, 1 Commissar #2", one side under another, in the plural or not."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache

from firefight.engine.text import fold, join_words

MOST_WANTED = 99  # counters of one kind
MOST_HINTS = 3
_COUNTED = re.compile(r"(\d{1,4})\s*[x×]?\s+(\S.*)|(\S.*?)\s+[x×]\s*(\d{1,4})")
_NUMBERED = re.compile(r"(\S.*?)\s*(?:#|№)\s*(\d{1,4})")


@dataclass(frozen=True, slots=True)
class Wanted:
    """Counters of one kind: how many, or the one with this ``tag``, the number that its name shows."""

    side: str
    key: str
    number: int = 1
    tag: int | None = None


def read_list(
    text: str, names: Mapping[str, Mapping[str, str]], sides: Mapping[str, str], side: str = ""
) -> tuple[list[Wanted], list[str]]:
    """Read a list of counters; returns them, and everything that is wrong with it in sentences.

    ``names``: what each counter is called, by side and key. ``sides``: what each side is called. ``side``: whose the
    counters are until a line names another side; "" where their names must tell.

    >>> read_list("2 Rifle squads, NCO", {"red": {"rifle": "Rifle squad", "nco": "NCO"}}, {"red": "Red"})[0]
    [Wanted(side='red', key='rifle', number=2, tag=None), Wanted(side='red', key='nco', number=1, tag=None)]
    """
    counters: list[Wanted] = []
    problems: list[str] = []
    keys = {side_slug: {fold_name(name): key for key, name in of_side.items()} for side_slug, of_side in names.items()}
    titles = {fold_name(word): side_slug for side_slug, title in sides.items() for word in (side_slug, title)}
    for part in _split(text):
        head, colon, rest = part.partition(":")
        is_headed = (bool(colon) or fold_name(part) in titles) and fold_name(head) in titles
        side = titles[fold_name(head)] if is_headed else side
        entry = rest.strip() if is_headed else part
        reading = _read_one(entry, keys, side) if entry else None
        if isinstance(reading, Wanted):
            counters.append(reading)
        elif reading is not None:
            problems.append(_explain(entry, reading, names, sides, side))
    return counters, problems


def _split(text: str) -> Iterator[str]:
    yield from filter(None, (part.strip(" \t\r.•*–-") for part in re.split(r"[\n,;]", text)))


@lru_cache(maxsize=2_000)
def fold_name(text: str) -> str:
    """A name in one form for singular and plural, whatever its letters' size.

    >>> fold_name("Rifle Squads") == fold_name("rifle  squad")
    True
    """
    return " ".join(_singular(word) for word in text.casefold().replace("’", "'").split())


def _singular(word: str) -> str:
    if len(word) > 3 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > 4 and word.endswith(("ches", "shes", "sses", "xes")):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _read_one(part: str, keys: Mapping[str, Mapping[str, str]], side: str) -> Wanted | list[str]:
    """What one part asks for, or the sides that have such a counter, unless exactly one does."""
    sides: list[str] = []
    for name, number, tag in _readings(part):
        sides = [side_slug for side_slug in ([side] if side else keys) if fold_name(name) in keys.get(side_slug, {})]
        if len(sides) == 1 and 1 <= number <= MOST_WANTED:
            return Wanted(sides[0], keys[sides[0]][fold_name(name)], number, tag)
        if sides:
            break
    return sides


def _readings(part: str) -> Iterator[tuple[str, int, int | None]]:
    """A part as name, number and tag: first as a name alone, since names have numbers in them, too."""
    yield part, 1, None
    number, rest = 1, part
    if counted := _COUNTED.fullmatch(part):
        number = int(counted[1] or counted[4])
        rest = counted[2] or counted[3]
        yield rest, number, None
    if (tagged := _NUMBERED.fullmatch(rest)) and number == 1:
        yield tagged[1], 1, int(tagged[2])


def _explain(
    part: str, owners: list[str], names: Mapping[str, Mapping[str, str]], sides: Mapping[str, str], side: str
) -> str:
    """Why a part does not name a counter."""
    excerpt = part[:60]
    if len(owners) > 1:
        both = " and ".join(sides[owner] for owner in owners)
        return f"“{excerpt}”: {both} have that. Write the side before it, as in “{sides[owners[0]]}: {excerpt}”."
    if owners:
        return f"“{excerpt}”: give a number from 1 to {MOST_WANTED}."
    of_side = [name for side_slug, by_key in names.items() if side in ("", side_slug) for name in by_key.values()]
    name = [reading[0] for reading in _readings(part)][-1]
    close = _find_close(name, dict.fromkeys(of_side))
    hint = f" Is it {join_words([f'“{full_name}”' for full_name in close], 'or')}?" if close else ""
    subject = f"The {sides[side]} has" if side else "There is"
    return f"“{excerpt}”: {subject} no such counter.{hint}"


def _find_close(name: str, full_names: Iterable[str]) -> list[str]:
    """The names that begin with what was typed, else the one that comes closest."""
    full_names = [*full_names]
    beginning = [full_name for full_name in full_names if fold(full_name).startswith(fold(name))]
    if beginning and fold(name):
        return beginning[:MOST_HINTS]
    folded = {fold_name(full_name): full_name for full_name in full_names}
    return [folded[close] for close in get_close_matches(fold_name(name), folded, n=1, cutoff=0.6)]
