"""What an act changed in plain values, and how to put it back: so that undo keeps differences, not copies.

A difference is plain JSON itself, one of:

- ``{}``: nothing has changed;
- ``{"was": value}``: the old value in full;
- ``{"fields": {name: difference}, "new": [name, ...]}``: of a table, the fields that differ and those that were added;
- ``{"parts": [[first, end] or {"was": [value, ...]}, ...], "of": check}``: of a list, the old one as stretches of the
  new one and values that it no longer has. ``check`` tells whether a list is the one that it was made for.
"""

import json
import zlib
from collections.abc import Iterable
from typing import Any

from firefight.engine.values import Json, Values

Difference = Json


class BadDifference(ValueError):
    """The values are not those that the difference was made for."""


def find_difference(before: object, after: object) -> Difference:
    """How to get the plain values ``before`` back from those ``after``."""
    if before is after:  # as most of a state is after an act
        return {}
    if isinstance(before, dict) and isinstance(after, dict):
        fields = {
            name: difference
            for name, value in before.items()
            if (difference := find_difference(value, after[name]) if name in after else {"was": value})
        }
        new = [name for name in after if name not in before]
        return {"fields": fields, "new": new} if fields or new else {}
    if _is_same(before, after):
        return {}
    if isinstance(before, list) and isinstance(after, list) and before and after:
        return _find_parts(before, after)
    return {"was": before}


def apply_difference(after: Any, difference: Values) -> Any:
    """The plain values from before. The arguments stay as they are. Raises BadDifference."""
    if not difference:
        return after
    if "was" in difference:
        return difference["was"]
    if "fields" in difference and isinstance(after, dict):
        fields = {name: value for name, value in after.items() if name not in difference["new"]}
        return fields | {
            name: apply_difference(after.get(name), change) for name, change in difference["fields"].items()
        }
    if "parts" in difference and isinstance(after, list) and difference["of"] == _check(map(_text, after)):
        return [value for part in difference["parts"] for value in _values(after, part)]
    raise BadDifference


def _values(after: list[object], part: Any) -> list[object]:
    return part["was"] if isinstance(part, dict) else after[part[0] : part[1]]


def _find_parts(before: list[object], after: list[object]) -> Difference:
    """A list as the longest stretches of another one that a single pass finds."""
    places: dict[str, int] = {}
    texts = [_text(value) for value in after]
    for place in range(len(texts) - 1, -1, -1):
        places[texts[place]] = place
    parts: list[Any] = []
    for value in before:
        text, last_part = _text(value), parts[-1] if parts else None
        if isinstance(last_part, list) and last_part[1] < len(texts) and texts[last_part[1]] == text:
            last_part[1] += 1
        elif text in places:
            parts.append([places[text], places[text] + 1])
        elif isinstance(last_part, dict):
            last_part["was"].append(value)
        else:
            parts.append({"was": [value]})
    return {"parts": parts, "of": _check(texts)}


def _is_same(value: object, other_value: object) -> bool:
    """Whether two values are written alike. Most are words and whole numbers, which need not be written for that."""
    if type(value) is type(other_value) and type(value) in (str, int):
        return bool(value == other_value)
    if type(value) is type(other_value) is list and not (value and other_value):
        return bool(value) == bool(other_value)
    return _text(value) == _text(other_value)


def _text(value: object) -> str:
    """The value as text: 1, 1.0 and true are equal for Python, but not the same."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _check(texts: Iterable[str]) -> int:
    """The checksum of a list, by the texts of its values."""
    return zlib.crc32(f"[{', '.join(texts)}]".encode())
