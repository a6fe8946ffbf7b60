"""The digests of a log: each line's holds that of the line before, so that a changed, lost or moved line shows.

docs/dice.md describes the same in words, and scripts/check_dice.py does it on its own.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping

from firefight.engine.values import Values

# What never changes in a line, in the order of the names, and what stands in it where the line says nothing.
_LINE: dict[str, object] = {
    "about": None,
    "app": "",
    "at": "",
    "helper": "",
    "inputs": {},
    "kind": "",
    "number": 0,
    "result": None,
    "rolls": [],
    "secret_digest": "",
    "sentence": "",
    "side": "",
    "voids": [],
}
TAKE_BACK, REVEAL, ROLL = "take_back", "reveal", "roll"
HIDDEN_FACE = 0  # of a die that is not shown


def write_canonical(value: object) -> str:
    """JSON of plain values in the one form that is digested: names in order, no blanks, ASCII.

    >>> write_canonical({"b": [1, None], "a": "ö"})
    '{"a":"\\\\u00f6","b":[1,null]}'
    """
    return _ENCODER.encode(value)


_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"))


def withhold(line: Values) -> dict[str, object]:
    """A line without what belongs to its sealed words: its inputs, the faces of its unseen dice and, of a roll, its
    result."""
    if not has_unseen_dice(line):
        return {**line, "inputs": {}}
    rolls = [{**roll, "face": HIDDEN_FACE} for roll in line.get("rolls", [])]
    return {**line, "inputs": {}, "result": None, "rolls": rolls}


def has_unseen_dice(line: Values) -> bool:
    """Whether the faces of a sealed line belong to its sealed words: of a roll, and where its dice say so."""
    return line.get("kind") == ROLL or any(roll.get("unseen") for roll in line.get("rolls", ()))


def is_hidden_roll(line: Values) -> bool:
    """Whether a line is one whose faces, and of a roll its result, were withheld from whoever exported the log."""
    return "secret_digest" in line and "secret" not in line and has_unseen_dice(line)


def secret_digest(salt: str, line: Mapping[str, object]) -> str:
    """What is published of a line's sealed part, which nobody can guess without the random ``salt``.

    Inputs, unseen dice, and of a roll its result belong to it only where something is sealed. A line with nothing to
    hide may have one too, so that nobody sees which lines hide something.
    """
    secret, inputs = line.get("secret", ""), line.get("inputs", {})
    if secret and has_unseen_dice(line):
        inputs = {"inputs": inputs, "result": line.get("result"), "rolls": line.get("rolls", [])}
    return _sha256(write_canonical([salt, secret, inputs if secret else {}]))


def line_digest(previous: str | None, line: Mapping[str, object], written: Mapping[str, str] | None = None) -> str:
    """The digest of a line after the one with digest ``previous``: "" before the first, None if that one has none.

    ``line``: plain values by the names of the exported log; what it lacks stands at its default. What belongs to a
    sealed part is digested with that, so that the chain fits with and without it. ``written``: the values that already
    have their canonical form.
    """
    published, texts = withhold(line) if line.get("secret") else line, written or {}
    values = (texts.get(name) or write_canonical(published.get(name, default)) for name, default in _LINE.items())
    pairs = ",".join(f'"{name}":{value}' for name, value in zip(_LINE, values, strict=True))
    return _sha256(f"[{write_canonical(previous)},{{{pairs}}}]")


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def chain_flaws(lines: Iterable[Values], last: str) -> Iterator[str]:
    """Lines that have changed or moved since they were written. ``last``: the published digest of the whole log."""
    previous: str | None = ""
    for line in lines:
        if line_digest(previous, line) != line.get("digest"):
            yield f"Line {line['number']} was changed, or does not follow the line before it: its digest does not fit."
        if not _fits_secret(line):
            yield f"Line {line['number']}: its sealed words are not those that were sealed."
        # Going on with the digest that the line gives itself reports one change once.
        previous = line.get("digest")
    if previous != last:
        yield "The digest of the whole log is not that of its last line."


def _fits_secret(line: Values) -> bool:
    if "salt" not in line:
        return "secret" not in line
    return secret_digest(line["salt"], line) == line.get("secret_digest")


def standing_flaws(lines: Iterable[Values]) -> Iterator[str]:
    """Lines that say they were struck or opened by a line that does not say so, or the other way round."""
    lines = list(lines)
    struck, opened = standing(lines)
    for line in lines:
        number = line["number"]
        if line.get("voided_by") != struck.get(number):
            yield f"Line {number}: whether it still stands does not agree with the later lines."
        if line.get("revealed_by") != opened.get(number):
            yield f"Line {number}: whether it was revealed does not agree with the later lines."


def standing(lines: Iterable[Values]) -> tuple[dict[int, int], dict[int, int]]:
    """What the lines say about each other: which line struck a line, and which one opened it.

    A line that is taken back no longer strikes or opens any.
    """
    struck: dict[int, int] = {}
    opened: dict[int, int] = {}
    strikes: dict[int, list[int]] = {}
    opens: dict[int, int] = {}
    for line in lines:
        number, voids = line["number"], line.get("voids", [])
        if line["kind"] == TAKE_BACK:
            for undone in voids:
                _drop(struck, strikes.pop(undone, ()), undone)
                _drop(opened, [opens.pop(undone)] if undone in opens else (), undone)
        struck |= dict.fromkeys(voids, number)
        strikes[number] = voids
        if line["kind"] == REVEAL and line.get("about") is not None:
            opened[line["about"]], opens[number] = number, line["about"]
    return struck, opened


def _drop(marks: dict[int, int], numbers: Iterable[int], by: int) -> None:
    for number in numbers:
        if marks.get(number) == by:
            del marks[number]
