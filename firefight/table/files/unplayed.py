"""What a player's own file holds of the sides that the app plays: packed, so that nobody reads it by accident.

A solo match could not go on without its cards and pieces, so its file has them; but whoever opens it in an editor, or
searches it for a word, learns nothing. It is not a seal: anybody can unpack it, and nobody is kept from it
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
_MAY_DIFFER = {"sees", "match", "log", "ledger", "photos"}  # what may be different where the app's sides are known
_NESTED = ("match", "state", "record")  # each within the one before: of these only what is hidden is packed


def pack_unplayed(own_file: Values, whole: Values, game: Game) -> Json:
    """A file of what a player knows, with ``whole``, what the app's sides know besides, packed in it."""
    lines = {
        str(line["number"]): line
        for line, own_line in zip(whole["log"], own_file["log"], strict=True)
        if line != own_line
    }
    visible = {**own_file, "match": _without_defaults(own_file["match"], game)}
    hidden = _find_beyond({name: whole[name] for name in whole if name in _MAY_DIFFER}, visible)
    plain = json.dumps({**hidden, "log": lines}, ensure_ascii=False, separators=(",", ":")).encode()
    packed = base64.b64encode(zlib.compress(plain)).decode()
    return {**visible, NAME: packed}


def _find_beyond(whole: Values, visible: Values, within: tuple[str, ...] = _NESTED) -> Json:
    """The values of ``whole`` that are not as in ``visible``."""
    hidden = {name: value for name, value in whole.items() if name not in visible or value != visible[name]}
    for name in within[:1]:
        if name in hidden and name in visible:
            hidden[name] = _find_beyond(whole[name], visible[name], within[1:])
    return hidden


def _lay_over(visible: Values, hidden: Values, within: tuple[str, ...] = _NESTED) -> Json:
    """What ``_find_beyond`` found, put back: only that, so that whatever stands in plain text is read and checked."""
    merged = {**visible, **hidden}
    for name in within[:1]:
        visible_part, hidden_part = visible.get(name), hidden.get(name)
        if isinstance(visible_part, dict) and isinstance(hidden_part, dict):
            merged[name] = _lay_over(visible_part, hidden_part, within[1:])
        elif name in visible and not isinstance(visible_part, dict):
            merged[name] = visible_part  # to be refused, with its reason
    return merged


def _without_defaults(match: Values, game: Game) -> Values:
    """A match without those parts of its record that stand as they began: a whole deck names every card."""
    if "record" not in match["state"]:
        return match
    defaults, old_record = game.record.defaults, match["state"]["record"]
    record = {name: value for name, value in old_record.items() if value != defaults.get(name)}
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
        hidden = read_json(plain.decode(), deepest=DEEPEST, unique=True)
    except ValueError:
        raise BadArchive([DAMAGED]) from None
    log = data.get("log")
    if not isinstance(hidden, dict) or not hidden.keys() <= _MAY_DIFFER or not isinstance(log, list):
        raise BadArchive([DAMAGED])
    lines = hidden.pop("log", {})
    if not isinstance(lines, dict) or any(not _is_number(name, len(log)) for name in lines):
        raise BadArchive([DAMAGED])
    whole = [lines.get(str(number), line) for number, line in enumerate(log, 1)]
    visible = {name: value for name, value in data.items() if name != NAME}
    return _lay_over(visible, {**hidden, "log": whole}), size + len(plain)


def _is_number(name: str, most: int) -> bool:
    return name.isascii() and name.isdigit() and len(name) <= 6 and str(int(name)) == name and 1 <= int(name) <= most


def _inflate(sent: str, most: int) -> bytes:
    """What was packed, if it is no more than that many bytes. Raises BadArchive."""
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
