"""The log of a match: append-only, numbered without gaps; what is sealed is withheld here, not in templates."""

import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import accumulate
from typing import Any

from django.conf import settings
from django.db.models import Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.html import escape

from firefight.assistant import chartbooks
from firefight.columns import LoggedResult, Rolled, Rolls, write_rolls
from firefight.engine import chain
from firefight.engine.rolls.dice import face_text
from firefight.models import Act, LogEntry, Match

from . import correction, fairness
from .episodes import join_episode

PAGE = 40
LINE_WEIGHT = 150  # bytes of a line besides its words: its number, time, side and marks
# Bytes of lines that a fragment has room for: an older part of the log, and news beside the status.
OLDER_ROOM, NEWS_ROOM = 14_000, 8_000
PAGE_ROOM = 60_000  # the same of the log of a page without counters
# What is logged without changing how older entries stand, unless it strikes some.
CHANGING_NOTHING = (
    *(LogEntry.Kind.ROLL, LogEntry.Kind.COUNTER, LogEntry.Kind.TURN),
    *(LogEntry.Kind.DROP, LogEntry.Kind.SPENT),
)
# Lines of a side that may hold sealed words look alike, whether they do or not.
MAY_SEAL = (LogEntry.Kind.SEALED, LogEntry.Kind.LEDGER, LogEntry.Kind.RECORD)
OUTCOME, HEADLINE = "came_to", "said"  # so a query calls these two of a roll whose result it leaves unread
# What a new line changes of its match.
GROWS = ("last_number", "digest")


@dataclass(frozen=True, slots=True)
class LogLine:
    """One entry as one browser may see it."""

    number: int
    kind: str
    side: str
    at: datetime
    sentence: str
    secret: str
    helper: str
    due: str
    result: LoggedResult | None
    rolls: Rolls
    about: int | None
    voided_by: int | None
    revealed_by: int | None
    mine: bool
    inputs: Mapping[str, Any]
    touches: str
    salt: str
    secret_digest: str
    voids: list[int]
    app: str
    digest: str
    act: Any
    episode: int | None = None
    outcome: str = ""
    headline: str = ""

    @property
    def begin(self) -> int:
        """The number of the line that began the episode to which it belongs."""
        return self.episode or self.number

    @property
    def sealed(self) -> bool:
        """Still known to one side only."""
        is_sealed = self.kind == LogEntry.Kind.SEALED or (self.kind == LogEntry.Kind.PHOTO and bool(self.secret_digest))
        return is_sealed and self.revealed_by is None

    @property
    def has_photo(self) -> bool:
        """Hangs a photo that this browser may see."""
        is_withheld = bool(self.secret_digest) and not self.secret
        return self.kind == LogEntry.Kind.PHOTO and self.voided_by is None and not is_withheld

    @property
    def from_table(self) -> bool:
        """All its dice were rolled on the table, so that a slip of the typist may be corrected."""
        return bool(self.rolls) and all(die.source == "table" for die in self.rolls)

    @property
    def follows(self) -> int | None:
        """The number of the line that asked for it, or that it is a change of; None where it stands alone."""
        asked = self.due.partition("-")[0]
        if asked.isdigit():
            return int(asked)
        return self.about if self.kind == "counter" else None

    @property
    def beside(self) -> str:
        """How it stands to the line that it is about."""
        if self.kind != LogEntry.Kind.ROLL:
            return "on"
        return "in place of" if correction.is_made_anew(self.about, self.due) else "corrects"

    @property
    def dice(self) -> str:
        """Its dice in words: what they showed, and who rolled them."""
        return ", ".join(describe_die(die) for die in self.rolls)

    @property
    def explained(self) -> bool:
        """A roll whose modifiers and sources this browser may read."""
        return self.kind == LogEntry.Kind.ROLL and all(die.face != chain.HIDDEN_FACE for die in self.rolls)

    @property
    def undoable(self) -> bool:
        """Says of counters what can be undone, as long as they stand so."""
        is_known = bool(self.touches) and not self.voids
        return is_known and self.kind == LogEntry.Kind.COUNTER and self.voided_by is None

    @property
    def can_be_revealed(self) -> bool:
        """Whether its own side holds it under seal, and it still counts."""
        return self.sealed and self.mine and not self.voided_by

    @property
    def correctable(self) -> bool:
        """May be corrected by this browser."""
        return self.mine and self.kind == LogEntry.Kind.ROLL and self.voided_by is None and self.from_table


def describe_die(die: Rolled) -> str:
    """A logged die in words."""
    where = f"rolled here, no. {die.number}" if die.source == "app" else "on the table"
    thrown = f", thrown in № {die.of}" if die.of else ""
    return f"{die.label}: {face_text(die.face, die.sides)} ({where}){thrown}"


def record(match: Match, act: Act | None, kind: LogEntry.Kind, side: str, sentence: str, **more: Any) -> LogEntry:
    """Append an entry, and strike the lines that its ``voids`` name.

    The caller holds the match's row and saves what ``GROWS`` names of it.
    """
    entry = compose(match, act, kind, side, sentence, **more)
    entry.save(force_insert=True)
    if entry.voids:
        LogEntry.objects.filter(match=match, number__in=entry.voids).update(voided_by=entry.number)
    return entry


def compose(match: Match, act: Act | None, kind: LogEntry.Kind, side: str, sentence: str, **more: Any) -> LogEntry:
    """The next entry, chained to the line before, which the caller writes: one that strikes no line."""
    match.last_number += 1
    place: dict[str, Any] = {"match": match, "act": act, "number": match.last_number}
    entry = LogEntry(**place, kind=kind, side=side, sentence=sentence, **more)
    entry.app = settings.VERSION if entry.helper else ""
    join_episode(match, entry)
    match.digest = link(entry, match.digest)
    return entry


def weight(entry: LogEntry) -> int:
    """How many bytes an entry adds to a match, about."""
    words = len((entry.sentence + entry.secret).encode())
    return LINE_WEIGHT + words + sum(len(text) for text in write_texts(entry).values())


def write_texts(entry: LogEntry) -> Mapping[str, str]:
    """The JSON of what an entry holds, written once, and so as it is digested: it is weighed and stored, too."""
    if not entry.texts:
        entry.texts = {name: chain.write_canonical(value_of(entry, name)) for name in ("inputs", "result", "rolls")}
    return entry.texts


def link(entry: LogEntry, previous: str) -> str:
    """Chain a new entry to the line before, whose digest is given; returns its own."""
    line, texts = digested(entry), write_texts(entry)
    if entry.secret or (entry.kind in MAY_SEAL and entry.side):
        line |= {name: json.loads(text) for name, text in texts.items()}
        entry.salt = secrets.token_hex(16)
        line["secret_digest"] = entry.secret_digest = chain.secret_digest(entry.salt, line)
        texts = {}
    entry.digest = chain.line_digest(previous, line, texts)
    return entry.digest


def head(match: Match) -> dict[str, Any]:
    """What the line that begins a match holds of it, so that the log's digests cover that too."""
    return {"match": match.pk, "game": match.game, "name": match.name, "book": match.book_id}


def stamp(at: datetime) -> str:
    """A line's time as it is digested and exported: UTC."""
    return at.astimezone(UTC).isoformat()


def digested(entry: LogEntry) -> dict[str, Any]:
    """What the digest of an entry is taken of, besides the values that ``write_texts`` writes."""
    return {
        "number": entry.number,
        "kind": str(entry.kind),
        "side": str(entry.side),
        "at": stamp(entry.at),
        "sentence": entry.sentence,
        "secret": entry.secret,
        "secret_digest": entry.secret_digest,
        "helper": entry.helper,
        "about": entry.about,
        "voids": list(entry.voids),
        "app": entry.app,
    }


def value_of(line: "LogLine | LogEntry", name: str) -> Any:
    """What a line holds under a name of the exported log, as JSON holds it."""
    value = getattr(line, name)
    if name == "result":
        return value and value.to_json()
    return write_rolls(value) if name == "rolls" else value


def visible(entries: Iterable[LogEntry], sees: tuple[str, ...]) -> list[LogLine]:
    """The entries as somebody who may see these sides' secrets gets them."""
    return [_line(entry, sees) for entry in entries]


def _line(entry: LogEntry, sees: tuple[str, ...]) -> LogLine:
    # What belongs to a sentence that is withheld is withheld with it.
    knows = entry.revealed_by is not None or entry.side in sees
    withheld = bool(entry.secret) and not knows
    is_hidden_roll = withheld and entry.kind == LogEntry.Kind.ROLL
    read = vars(entry)  # a page of lines leaves the long columns unread
    return LogLine(
        number=entry.number,
        kind=entry.kind,
        side=entry.side,
        at=entry.at,
        sentence=entry.sentence,
        secret="" if withheld else entry.secret,
        helper=entry.helper,
        due=entry.due,
        result=None if is_hidden_roll or "result" not in read else entry.result,
        rolls=tuple(replace(die, face=chain.HIDDEN_FACE) for die in entry.rolls) if is_hidden_roll else entry.rolls,
        about=entry.about,
        voided_by=entry.voided_by,
        revealed_by=entry.revealed_by,
        mine=entry.side in sees,
        inputs={} if withheld or "inputs" not in read else entry.inputs,
        touches="" if withheld else entry.touches,
        salt=entry.salt if knows else "",
        secret_digest=entry.secret_digest,
        voids=entry.voids,
        app=entry.app,
        digest=entry.digest,
        act=entry.act_id,
        episode=entry.episode,
        **({} if is_hidden_roll else _came_to(entry)),
    )


def _came_to(entry: LogEntry) -> dict[str, str]:
    """What a roll came to, as its result says; of lines whose results are left unread, what was asked for of them."""
    read = vars(entry)
    if OUTCOME in read:
        return {"outcome": read[OUTCOME] or "", "headline": read[HEADLINE] or ""}
    result: LoggedResult | None = read.get("result")
    return {"outcome": result.outcome or "", "headline": result.headline} if result else {}


def newest_lines(
    match: Match, sees: tuple[str, ...], before: int | None = None, among: QuerySet[LogEntry] | None = None
) -> list[LogLine]:
    """The newest entries, or the newest before a number, to be read: without inputs and results. One query.

    ``among``: only of these entries, which a filter has found.
    """
    entries = LogEntry.objects.filter(match=match) if among is None else among
    if before:
        entries = entries.filter(number__lt=before)
    return visible(entries.defer("inputs", "result")[:PAGE], sees)


def readable(entries: QuerySet[LogEntry], sees: tuple[str, ...]) -> QuerySet[LogEntry]:
    """Those that somebody with these sides' secrets may read whole."""
    return entries.filter(Q(secret="") | Q(side__in=sees) | Q(revealed_by__isnull=False))


def last_results(match: Match, sees: tuple[str, ...]) -> list[LogLine]:
    """The newest roll that stands, with the others of its act, oldest first. One query, of no older line."""
    rolls = LogEntry.objects.filter(match=match, kind=LogEntry.Kind.ROLL, voided_by=None)
    known = readable(rolls, sees)
    newest = known.order_by("-number")[:1]
    of_act = Q(act__in=newest.values("act")) | Q(pk__in=newest.values("pk"))
    first = LogEntry.objects.filter(act__in=newest.values("act")).order_by("number").values("number")[:1]
    begin = Coalesce(Subquery(first), Subquery(newest.values("number")))  # a line that a file brought has no act
    return visible(known.filter(of_act, number__gte=begin).order_by("number"), sees)


def same_act(lines: Sequence[LogLine]) -> list[LogLine]:
    """Of lines with results, newest first, those of the newest act, oldest first."""
    return [line for line in reversed(lines) if line.act is not None and line.act == lines[0].act] or [*lines[:1]]


def since(match: Match, sees: tuple[str, ...], number: int, fresh: Sequence[LogEntry] = ()) -> list[LogLine]:
    """Entries that came, or changed their standing, after a number; the newest, if they are more than a page.

    One query, or none when the ``fresh`` entries of an act are all that is new.
    """
    is_all = fresh and fresh[0].number == number + 1 and fresh[-1].number == match.last_number
    if is_all and all(entry.kind in CHANGING_NOTHING and not entry.voids for entry in fresh):
        return visible(reversed(fresh), sees)
    entries = LogEntry.objects.filter(match=match)
    # What a correction voided or a reveal opened changes its standing again when that is taken back.
    restored = entries.filter(voided_by__gt=number, about__isnull=False).values("about")
    changed = Q(number__gt=number) | Q(voided_by__gt=number) | Q(revealed_by__gt=number) | Q(number__in=restored)
    return visible(entries.filter(changed)[:PAGE], sees)


def first_lines(lines: list[LogLine], room: int) -> list[LogLine]:
    """The first of the lines, as many as so many bytes of a page have room for, and one at least."""
    if len(lines) < 2:
        return lines
    sizes = accumulate(size_line(line) for line in lines)
    return [line for place, (line, size) in enumerate(zip(lines, sizes, strict=True)) if not place or size <= room]


def size_line(line: LogLine) -> int:
    """How many bytes a line takes on a page, about."""
    words = len(escape(line.sentence + line.secret).encode())
    return 450 + words + (200 + 70 * len(line.rolls) if line.rolls else 0) + (750 if line.sealed and line.mine else 0)


def export(match: Match, sees: tuple[str, ...]) -> dict[str, Any]:
    """The whole log as plain values; only secrets of the sides given. docs/dice.md describes it.

    The seed is part of it once the match has ended, and not before.
    """
    lines = visible(LogEntry.objects.filter(match=match).order_by("number"), sees)
    entries = [exported(line) for line in lines]
    return {
        "format": fairness.FORMAT,
        "schema": fairness.SCHEMA,
        "app": settings.VERSION,
        "match": match.pk,
        "game": match.game,
        "name": match.name,
        "chart_book": match.book_id,
        "commitment": match.commitment,
        "seed": match.seed if match.ended else None,
        "rolls_made": match.next_roll - 1,
        "earlier_dice": fairness.earlier_dice(match),
        "digest": match.digest,
        "books": chartbooks.data_of(fairness.books_named(entries) | {match.book_id}),
        "entries": entries,
    }


def write_export(exported: Mapping[str, Any]) -> str:
    """An exported log as text, each entry on a line of its own, so that two logs can be compared line by line.

    Laid out any finer it takes several times as long to write, and a third more room.
    """
    head = json.dumps({name: value for name, value in exported.items() if name != "entries"})
    entries = ",\n".join(map(json.dumps, exported["entries"]))
    return f'{head[:-1]}, "entries": [\n{entries}\n]}}\n'


_ALWAYS = ("number", "kind", "side", "at", "sentence", "rolls", "about", "voided_by", "revealed_by", "digest")
_WHERE_FILLED = ("secret", "salt", "secret_digest", "helper", "inputs", "result", "voids", "app")


def exported(line: LogLine) -> dict[str, Any]:
    """A line as an exported log holds it; what is blank is left out."""
    plain = {name: value_of(line, name) for name in _ALWAYS}
    plain |= {"kind": str(line.kind), "at": stamp(line.at)}
    return plain | {name: value for name in _WHERE_FILLED if (value := value_of(line, name)) not in ("", None, [], {})}
