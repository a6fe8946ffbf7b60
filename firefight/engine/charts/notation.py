"""How people write the cells of charts: bands of faces, whole numbers, results and names."""

import re
from collections.abc import Iterable

from .cells import BLANKS, Totals, is_digits

DASHES = "-‐‑‒–—−"
_SPAN = re.compile(r"(-?\d{1,3})\s*(?:-|\.\.+|to)\s*(-?\d{1,3})")
_UP_TO = re.compile(r"(?:≤|<=|=<|up to )\s*(-?\d{1,3})|(-?\d{1,3})\s*or less")
_FROM = re.compile(r"(?:(?:≥|>=|=>)\s*(-?\d{1,3})|(-?\d{1,3})\s*(?:\+|or more))")


def plain_dashes(text: str) -> str:
    """The text with every kind of dash as a hyphen."""
    return re.sub(f"[{DASHES}]", "-", text)


def read_number(text: str) -> int | None:
    """A whole number as people write it: "−5", "+10", "12,0"; None for a blank. Raises ValueError."""
    plain = plain_dashes(text).replace(" ", "")
    if plain in BLANKS:
        return None
    match = re.fullmatch(r"\+?(-?\d{1,5})(?:[.,]0*)?", plain, re.ASCII)
    if not match:
        raise ValueError(f"“{text[:20]}” is not a whole number")
    return int(match[1])


def read_faces(text: str, sides: int | None, lowest: int = 1) -> tuple[int | None, int]:
    """A band of faces as (low, high): "01-05", "1–5", "≤5", "96+", "7"; "00" is 100, and 10 on a d10.

    A single number has no low: what it means depends on the chart. ``sides`` None: a band without an end is refused.
    ``lowest``: the lowest total that there is; only where it is below 0 may a total be negative. Raises ValueError.

    >>> read_faces("01-05", 100), read_faces("≤5", 100), read_faces("96+", 100), read_faces("91–00", 100)
    ((1, 5), (1, 5), (96, 100), (91, 100))
    """
    plain = plain_dashes(text).strip().casefold()
    if lowest >= 0 and re.search(r"(?:^|\D)-\d", plain):
        raise ValueError(f"“{text[:20]}” should look like 7, 1-5, ≤5 or 96+")
    if match := _SPAN.fullmatch(plain):
        low, high = (_face(part, sides) for part in match.groups())
    elif match := _UP_TO.fullmatch(plain):
        low, high = lowest, _face(match[1] or match[2], sides)
    elif (match := _FROM.fullmatch(plain)) and sides:
        low, high = _face(match[1] or match[2], sides), sides
    else:
        number = plain if is_digits(plain) else re.sub(r"[.,]0*$", "", plain)
        if not is_digits(number.removeprefix("-")) or len(number.removeprefix("-")) > 3:
            raise ValueError(f"“{text[:20]}” should look like 7, 1-5, ≤5 or 96+")
        return None, _face(number, sides)
    if low > high:
        raise ValueError("runs backwards")
    return low, high


def _face(digits: str, sides: int | None) -> int:
    zero = {"00": 100, "0": 10 if sides == 10 else 0}
    return zero.get(digits, int(digits))


def totals_of(text: str) -> str:
    """The name of a band of totals, however people write it; any other text is taken as a name as it stands.

    >>> totals_of("−4 or less"), totals_of("10 or more"), totals_of("4 – 5"), totals_of("-3 to -1"), totals_of("heavy")
    ('≤-4', '10+', '4-5', '-3..-1', 'heavy')
    """
    plain = plain_dashes(text).strip().casefold()
    match: re.Match[str] | None
    if match := _UP_TO.fullmatch(plain):
        return str(Totals(None, int(match[1] or match[2])))
    if match := _FROM.fullmatch(plain):
        return str(Totals(int(match[1] or match[2]), None))
    if match := _SPAN.fullmatch(plain) or re.fullmatch(r"(-?\d{1,3})()", plain, re.ASCII):
        return str(Totals(int(match[1]), int(match[2] or match[1])))
    return name_of(text)


def fold_word(text: str) -> str:
    """A word as it is compared: no case, blanks or underscores."""
    return re.sub(r"[\s_]+", "", plain_dashes(text).casefold())


def code_of(text: str, codes: Iterable[str]) -> str:
    """The result that a text means: one of the chart's codes, or the words joined as codes are.

    >>> code_of("m + 3", ["M+3"]), code_of("Defender Choice 2", []), code_of("2,0", [])
    ('M+3', 'defender_choice 2', '2')
    """
    by_word = {fold_word(code): code for code in codes}
    if fold_word(text) in by_word:
        return by_word[fold_word(text)]
    if match := re.fullmatch(r"(\d+)[.,]0*", text):
        return match[1]
    words = re.sub(r"[\s_]+", "_", plain_dashes(text).casefold().strip())
    return re.sub(r"_(\d+)$", r" \1", words)


def name_of(text: str, codes: Iterable[str] = ()) -> str:
    """The name of a row or column, in one word."""
    by_word = {fold_word(code): code for code in codes}
    return by_word.get(fold_word(text)) or re.sub(r"\s+", "_", plain_dashes(text).strip())


def word_of(value: object) -> str:
    """A value or name as a sheet shows it."""
    return "" if value is None else str(value).replace("_", " ")


_YES, _NO = {"yes", "y", "x", "true", "1", "l", "✓", "✔"}, {"no", "n", "false", "0", "none", *DASHES}


def is_yes(text: str) -> bool | None:
    """Whether a cell says yes or no, None if neither.

    >>> is_yes("L"), is_yes("–"), is_yes("perhaps")
    (True, False, None)
    """
    plain = text.strip().casefold()
    return True if plain in _YES else False if plain in _NO else None
