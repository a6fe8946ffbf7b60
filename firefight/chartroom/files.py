"""Files that owners send and get: TOML or JSON, bounded before they are parsed."""

import json
import tomllib
from collections.abc import Iterable, Mapping
from typing import Any

import tomli_w

from firefight.engine.plain_json import read_json

MOST_DOTS = 200  # on one line of a TOML file: each may be a table in a table, and tomllib is slow at those


class BadFile(ValueError):
    """A file that cannot be read at all; the message says why."""


def as_toml(data: Mapping[str, object]) -> str:
    return tomli_w.dumps(data, multiline_strings=True)


def as_json(data: Mapping[str, object]) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def read_file(sent: bytes, most: int) -> Any:
    """The plain values of a TOML or JSON file of at most this many bytes. Raises BadFile."""
    if len(sent) > most:
        raise BadFile(f"is larger than {most // 1000} KB")
    try:
        text = sent.decode("utf-8-sig")
        data = json.loads(text) if text.lstrip().startswith("{") else _read_toml(text)
        return read_json(json.dumps(data))  # what cannot be kept: dates, numbers without end, deep nesting ...
    except (ValueError, TypeError, RecursionError) as error:
        raise BadFile(f"cannot be read as TOML or JSON: {str(error)[:120]}") from None


def _read_toml(text: str) -> dict[str, object]:
    if max(line.count(".") for line in text.split("\n")) > MOST_DOTS:
        raise ValueError(f"a line has at most {MOST_DOTS} dots")
    return tomllib.loads(text)


def texts_in(value: object) -> Iterable[str]:
    """Every text in plain values, names of tables included."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from texts_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts_in(inner)
    elif isinstance(value, str):
        yield value
