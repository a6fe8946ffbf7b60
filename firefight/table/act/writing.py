"""Writing the log of a match: a line is numbered without gaps, and chained to the one before."""

import json
import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.conf import settings

from firefight.columns import write_rolls
from firefight.engine import chain
from firefight.engine.values import Json
from firefight.models import Act, LogEntry, Match

from .episodes import join_episode

LINE_WEIGHT = 150  # bytes of a line besides its words: its number, time, side and marks
# Lines of a side that may hold sealed words look alike, whether they do or not.
MAY_SEAL = (LogEntry.Kind.SEALED, LogEntry.Kind.LEDGER, LogEntry.Kind.RECORD)
# What a new line changes in its match.
GROWS = ("last_number", "digest")


def record(match: Match, act: Act | None, kind: LogEntry.Kind, side: str, sentence: str, **more: Any) -> LogEntry:
    """Append an entry, and strike the lines that its ``voids`` name.

    The caller holds the match's row and saves what ``GROWS`` names of it.
    """
    entry = compose(match, act, kind, side, sentence, **more)
    entry.save(force_insert=True)
    if entry.voids:
        match.log.filter(number__in=entry.voids).update(voided_by=entry.number)
    return entry


def compose(match: Match, act: Act | None, kind: LogEntry.Kind, side: str, sentence: str, **more: Any) -> LogEntry:
    """The next entry, chained to the line before, which the caller writes: one that strikes no line."""
    match.last_number += 1
    place: Json = {"match": match, "act": act, "number": match.last_number}
    if act:
        place["at"] = act.at
    entry = LogEntry(**{**place, "kind": kind, "side": side, "sentence": sentence, **more})
    entry.app = settings.VERSION if entry.helper else ""
    join_episode(match, entry)
    match.digest = chain_entry(entry, match.digest)
    return entry


def weigh_entry(entry: LogEntry) -> int:
    """How many bytes an entry adds to a match, about."""
    words = len((entry.sentence + entry.secret).encode())
    return LINE_WEIGHT + words + sum(len(text) for text in write_texts(entry).values())


def write_texts(entry: LogEntry) -> Mapping[str, str]:
    """The JSON of what an entry holds, written once, as it is digested: that is weighed and stored, too."""
    if not entry.texts:
        entry.texts = {name: chain.write_canonical(value_of(entry, name)) for name in ("inputs", "result", "rolls")}
    return entry.texts


def chain_entry(entry: LogEntry, previous: str) -> str:
    """Chain a new entry to the line before, whose digest is given; returns its own."""
    line, texts = list_digested(entry), write_texts(entry)
    if entry.secret or (entry.kind in MAY_SEAL and entry.side):
        line |= {name: json.loads(text) for name, text in texts.items()}
        entry.salt = secrets.token_hex(16)
        line["secret_digest"] = entry.secret_digest = chain.secret_digest(entry.salt, line)
        texts = {}
    entry.digest = chain.line_digest(previous, line, texts)
    return entry.digest


def describe_match_head(match: Match) -> Json:
    """What the line that begins a match says about it, so that the log's digests cover that too."""
    return {"match": match.pk, "game": match.game, "name": match.name, "book": match.book_id}


def write_time(at: datetime) -> str:
    """A line's time as it is digested and exported: UTC."""
    return at.astimezone(UTC).isoformat()


def list_digested(entry: LogEntry) -> dict[str, object]:
    """What the digest of an entry covers, besides the values that ``write_texts`` writes."""
    return {
        "number": entry.number,
        "kind": str(entry.kind),
        "side": str(entry.side),
        "at": write_time(entry.at),
        "sentence": entry.sentence,
        "secret": entry.secret,
        "secret_digest": entry.secret_digest,
        "helper": entry.helper,
        "about": entry.about,
        "voids": list(entry.voids),
        "app": entry.app,
    }


def value_of(line: object, name: str) -> object:
    """What a line holds under a name of the exported log, as JSON holds it."""
    value = getattr(line, name)
    if name == "result":
        return value and value.to_json()
    return write_rolls(value) if name == "rolls" else value
