"""What a player's own file holds of the sides that the app plays: packed, so that nobody reads it by accident.

A solo match could not go on without its cards and pieces, so its file has them; but whoever opens it in an editor, or
searches it for a word, is told nothing. It is no seal: anybody can unpack it, and nobody is kept from it
(docs/archive.md). What is unpacked is checked like anything else from outside.
"""

import base64
import binascii
import json
import zlib
from collections.abc import Mapping

from firefight.engine.plain_json import read_json
from firefight.engine.values import Json, Values
from firefight.kit.game import Game

from .shape import DEEPEST, LARGEST_UNPACKED, MOST_TABLES, BadArchive

NAME = "unplayed"
DAMAGED = f"{NAME}: what the app plays was damaged or cut off. Save the file again, and send it as it is."
_HELD = {"sees", "match", "log", "ledger", "photos"}  # what may be different where the app's sides are known
_PARTED = ("match", "state", "record")  # each within the one before: what of it is told in plain text stands there only


def pack_unplayed(own: Values, whole: Values, game: Game) -> Json:
    """A file of what a player knows, with ``whole``, what the app's sides know besides, packed in it."""
    lines = {str(line["number"]): line for line, known in zip(whole["log"], own["log"], strict=True) if line != known}
    shown = {**own, "match": _without_defaults(own["match"], game)}
    kept = _find_beyond({name: whole[name] for name in whole if name in _HELD}, shown)
    plain = json.dumps({**kept, "log": lines}, ensure_ascii=False, separators=(",", ":")).encode()
    packed = base64.b64encode(zlib.compress(plain)).decode()
    return {**shown, NAME: packed}


def _find_beyond(whole: Values, shown: Values, within: tuple[str, ...] = _PARTED) -> Json:
    """The values of ``whole`` that are not as ``shown``."""
    kept = {name: value for name, value in whole.items() if name not in shown or value != shown[name]}
    for name in within[:1]:
        if name in kept and name in shown:
            kept[name] = _find_beyond(whole[name], shown[name], within[1:])
    return kept


def _lay_over(shown: Values, kept: Values, within: tuple[str, ...] = _PARTED) -> Json:
    """What ``_find_beyond`` kept, put back: only that, so that whatever stands in plain text is read and checked."""
    laid = {**shown, **kept}
    for name in within[:1]:
        part, beyond = shown.get(name), kept.get(name)
        if isinstance(part, dict) and isinstance(beyond, dict):
            laid[name] = _lay_over(part, beyond, within[1:])
        elif name in shown and not isinstance(part, dict):
            laid[name] = part  # to be refused, with its reason
    return laid


def _without_defaults(match: Values, game: Game) -> Values:
    """A match without those parts of its record that stand as they began: a whole deck names every card."""
    if "record" not in match["state"]:
        return match
    defaults, kept = game.record.defaults, match["state"]["record"]
    record = {name: value for name, value in kept.items() if value != defaults.get(name)}
    return {**match, "state": {**match["state"], "record": record}}


def unpack_unplayed(data: Mapping[str, object], size: int) -> tuple[Mapping[str, object], int]:
    """A file with what was packed in it put back, and its size then. Raises BadArchive.

    ``size``: the bytes of the file as it was sent.
    """
    if NAME not in data:
        return data, size
    sent = data[NAME]
    if not isinstance(sent, str):
        raise BadArchive([DAMAGED])
    plain = _inflate(sent, LARGEST_UNPACKED - size)
    try:
        kept = read_json(plain.decode(), deepest=DEEPEST, unique=True)
    except ValueError:
        raise BadArchive([DAMAGED]) from None
    log = data.get("log")
    if not isinstance(kept, dict) or not kept.keys() <= _HELD or not isinstance(log, list):
        raise BadArchive([DAMAGED])
    lines = kept.pop("log", {})
    if not isinstance(lines, dict) or any(not _is_number(name, len(log)) for name in lines):
        raise BadArchive([DAMAGED])
    whole = [lines.get(str(number), line) for number, line in enumerate(log, 1)]
    shown = {name: value for name, value in data.items() if name != NAME}
    return _lay_over(shown, {**kept, "log": whole}), size + len(plain)


def _is_number(name: str, most: int) -> bool:
    return name.isascii() and name.isdigit() and len(name) <= 6 and str(int(name)) == name and 1 <= int(name) <= most


def _inflate(sent: str, most: int) -> bytes:
    """What was packed, of no more than so many bytes. Raises BadArchive."""
    unpacking = zlib.decompressobj()
    try:
        plain = unpacking.decompress(base64.b64decode(sent, validate=True), max(most, 1))
    except (binascii.Error, ValueError, zlib.error):
        raise BadArchive([DAMAGED]) from None
    if unpacking.unconsumed_tail or plain.count(b"{") + plain.count(b"[") > MOST_TABLES:
        raise BadArchive(
            [f"The file is too large: unpacked at most {LARGEST_UNPACKED // 1_000_000} MB, {MOST_TABLES:,} values."]
        )
    if not unpacking.eof or unpacking.unused_data:
        raise BadArchive([DAMAGED])
    return plain
