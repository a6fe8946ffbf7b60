"""JSON from outside, as values that any database, page and copy can hold."""

import json
import re
from itertools import chain
from typing import Any

MAX_DEPTH = 8  # how deep JSON from outside may nest
_NUL = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")  # as JSON escapes it; a backslash that somebody typed is doubled


def read_json(text: str, deepest: int = MAX_DEPTH, unique: bool = False, whole: bool = False) -> Any:
    """JSON from outside as plain values that any database, page and copy can hold.

    Raises ValueError for what is not JSON, and for infinite numbers, lone surrogates, NUL characters and nesting deeper
    than any value of ours; with ``unique`` also for a name that a table holds twice; with ``whole`` also for a number
    with a fraction or an exponent, which databases do not give back letter by letter.
    """
    try:
        value = json.loads(text, object_pairs_hook=_unique if unique else None, parse_float=_refuse if whole else None)
        plain = json.dumps(value, allow_nan=False, ensure_ascii=False)
        depth = _measure_depth(value)
    except RecursionError:
        depth = deepest + 1
    if depth > deepest:
        raise ValueError("This is nested too deeply.")
    if "\\u0000" in plain and _NUL.search(plain):
        raise ValueError("This holds a NUL character.")
    plain.encode()  # a lone surrogate raises UnicodeEncodeError, a ValueError
    return value


def _refuse(text: str) -> float:
    raise ValueError(f"{text[:20]} is not a whole number.")


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    table = dict(pairs)
    if len(table) < len(pairs):
        raise ValueError("A table in it holds a name twice.")
    return table


def _measure_depth(value: object) -> int:
    """How many tables and lists lie within each other, counted level by level."""
    depth, level = 0, [value] if isinstance(value, (dict, list)) else []
    while level:
        depth += 1
        inner = chain.from_iterable(node.values() if isinstance(node, dict) else node for node in level)
        level = [node for node in inner if isinstance(node, (dict, list))]
    return depth
