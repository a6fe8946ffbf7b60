"""The log of a match: append-only, numbered without gaps; what is sealed is withheld here, not in templates."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import replace

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils.html import escape

from firefight.columns import LoggedResult
from firefight.engine import chain
from firefight.engine.values import Json, Values
from firefight.games import chartbooks
from firefight.models import LogEntry, Match
from firefight.table.act.line_keys import BEGINS
from firefight.table.act.lines import LogLine
from firefight.table.act.ports import ledger_of
from firefight.table.act.writing import value_of, write_time

from . import fairness

PAGE = 40
# Bytes of lines that a fragment has room for: an older part of the log, and news beside the status.
OLDER_ROOM, NEWS_ROOM = 14_000, 8_000
PAGE_ROOM = 36_000  # the same for the log of a page without counters, beside the largest form
OUTCOME, HEADLINE = "came_to", "said"  # a query's names for these two of a roll whose result it leaves unread


def visible(entries: Iterable[LogEntry], sees: tuple[str, ...]) -> list[LogLine]:
    """The entries as somebody who may see these sides' secrets sees them."""
    return [_line(entry, sees) for entry in entries]


# What everybody is told about a line, whatever else in it is withheld.
_AS_WRITTEN = (
    *("number", "kind", "side", "at", "sentence", "helper", "due", "about", "voided_by", "revealed_by"),
    *("secret_digest", "voids", "app", "digest", "episode"),
)


def _line(entry: LogEntry, sees: tuple[str, ...]) -> LogLine:
    # What belongs to a sentence that is withheld is withheld with it.
    knows = entry.revealed_by is not None or entry.side in sees
    withheld = bool(entry.secret) and not knows
    is_unseen = entry.kind == LogEntry.Kind.ROLL or any(die.is_unseen for die in entry.rolls)
    is_hidden_roll = withheld and is_unseen
    read = vars(entry)  # a page of lines leaves the long columns unread
    as_written: Json = {name: getattr(entry, name) for name in _AS_WRITTEN}
    as_written |= {} if is_hidden_roll else _came_to(entry)
    return LogLine(
        **as_written,
        secret="" if withheld else entry.secret,
        result=None if is_hidden_roll or "result" not in read else entry.result,
        rolls=tuple(replace(die, face=chain.HIDDEN_FACE) for die in entry.rolls) if is_hidden_roll else entry.rolls,
        mine=entry.side in sees,
        inputs={} if withheld or "inputs" not in read else entry.inputs,
        touches="" if withheld else entry.touches,
        salt=entry.salt if knows else "",
        act=entry.act_id,
    )


def _came_to(entry: LogEntry) -> dict[str, str]:
    """What a roll came to, as its result says; for lines whose results are left unread, what the query asked for."""
    read = vars(entry)
    if OUTCOME in read:
        return {"outcome": read[OUTCOME] or "", "headline": read[HEADLINE] or ""}
    result: LoggedResult | None = read.get("result")
    return {"outcome": result.outcome or "", "headline": result.headline} if result else {}


def read_line(match: Match, sees: tuple[str, ...], number: int | None, **lookups: object) -> LogLine | None:
    """One line as somebody who may see these sides' secrets sees it; None where there is no such. One query."""
    return next(iter(visible(match.log.filter(number=number or 0, **lookups)[:1], sees)), None)


def newest_lines(match: Match, sees: tuple[str, ...], among: QuerySet[LogEntry] | None = None) -> list[LogLine]:
    """The newest entries, to be read: without inputs and results. One query.

    ``among``: only of these entries, which a filter has found.
    """
    entries = match.log.all() if among is None else among
    return visible(entries.defer("inputs", "result")[:PAGE], sees)


def readable(entries: QuerySet[LogEntry], sees: tuple[str, ...]) -> QuerySet[LogEntry]:
    """Those that somebody with these sides' secrets may read whole."""
    return entries.filter(Q(secret="") | Q(side__in=sees) | Q(revealed_by__isnull=False))


def last_results(match: Match, sees: tuple[str, ...]) -> list[LogLine]:
    """The newest roll that stands, with the others of its act, oldest first; none from before play began afresh.

    Two queries, of no older line, and one more where a ledger leads.
    """
    stands = Q(kind=LogEntry.Kind.ROLL, voided_by=None)
    newest = readable(match.log.filter(stands), sees).order_by("-number").values_list("number", "act").first()
    if newest is None:
        return []
    number, act = newest
    later_lines = match.log.filter(kind=LogEntry.Kind.LEDGER, number__gt=number, inputs__has_key=BEGINS)
    if ledger_of(match).leads and later_lines.exists():
        return []
    # A line that a file brought has no act.
    of_act = match.log.filter(number=number) if act is None else LogEntry.objects.filter(act=act)
    return visible(readable(of_act.filter(stands), sees).order_by("number"), sees)


def same_act(lines: Sequence[LogLine]) -> list[LogLine]:
    """Of lines with results, newest first, those of the newest act, oldest first."""
    return [line for line in reversed(lines) if line.act is not None and line.act == lines[0].act] or [*lines[:1]]


def read_since(match: Match, sees: tuple[str, ...], number: int, fresh: Sequence[LogEntry] = ()) -> list[LogLine]:
    """Entries that came, or changed their standing, after a number; the newest, if they are more than a page.

    One query, or none when the ``fresh`` entries of an act are all that is new.
    """
    is_all = fresh and fresh[0].number == number + 1 and fresh[-1].number == match.last_number
    if is_all and not any(entry.voids or entry.kind == LogEntry.Kind.REVEAL for entry in fresh):
        return visible(reversed(fresh), sees)
    entries = match.log.order_by()
    struck_entries = entries.filter(voided_by__gt=number)
    opened_numbers = entries.filter(revealed_by__gt=number).values("number")
    # What a correction voided or a reveal opened changes its standing again when that is taken back.
    restored = struck_entries.filter(about__isnull=False).values("about")
    # Each of these is found by an index of its own. Of the added lines, no more than a page are shown.
    added = entries.filter(number__gt=max(number, match.last_number - PAGE)).values("number")
    changed = added.union(struck_entries.values("number"), opened_numbers, restored)
    return visible(match.log.filter(number__in=changed)[:PAGE], sees)


def are_too_many(lines: Sequence[LogLine]) -> bool:
    """Whether lines are more than news, so that a whole page is shorter. A single one never is."""
    return len(lines) > 1 and sum(size_line(line) for line in lines) > NEWS_ROOM


def size_line(line: LogLine) -> int:
    """How many bytes a line takes on a page, about."""
    words = len(escape(line.sentence + line.secret).encode())
    return 450 + words + (200 + 70 * len(line.rolls) if line.rolls else 0) + (750 if line.sealed and line.mine else 0)


def export_log(match: Match, sees: tuple[str, ...]) -> dict[str, object]:
    """The whole log as plain values; only secrets of the sides given. docs/dice.md describes it.

    The seed is part of it once the match has ended, and not before.
    """
    lines = visible(match.log.order_by("number"), sees)
    entries = [export_line(line) for line in lines]
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


def write_export(exported: Values) -> str:
    """An exported log as text, each entry on a line of its own, so that two logs can be compared line by line.

    Laid out any finer it takes several times as long to write, and a third more room.
    """
    head = json.dumps({name: value for name, value in exported.items() if name != "entries"})
    entries = ",\n".join(map(json.dumps, exported["entries"]))
    return f'{head[:-1]}, "entries": [\n{entries}\n]}}\n'


_ALWAYS = ("number", "kind", "side", "at", "sentence", "rolls", "about", "voided_by", "revealed_by", "digest")
_WHERE_FILLED = ("secret", "salt", "secret_digest", "helper", "inputs", "result", "voids", "app")


def export_line(line: LogLine) -> Json:
    """A line as an exported log holds it; what is blank is left out."""
    plain = {name: value_of(line, name) for name in _ALWAYS}
    plain |= {"kind": str(line.kind), "at": write_time(line.at)}
    return plain | {name: value for name in _WHERE_FILLED if (value := value_of(line, name)) not in ("", None, [], {})}
