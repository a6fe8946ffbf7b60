"""Which lines a filter of the log finds, only of those that the asking browser may read whole.

A line that is withheld from somebody is never found by them, whatever it is about: a filter tells no more than the log.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from urllib.parse import urlencode

from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast

from firefight.games import registry
from firefight.models import LogEntry, Match
from firefight.table.act.line_keys import CHANGED_COUNTERS
from firefight.table.act.ports import ledger_of

from .reading import readable

Kind = LogEntry.Kind

# What players call a line, and the kinds of lines that are meant. What changes hands or charts is told with the turns.
KINDS = {
    "roll": ("Rolls", (Kind.ROLL, Kind.DROP, Kind.SPENT)),
    "counter": ("Counters", (Kind.COUNTER, Kind.PROPOSAL)),
    "note": ("Notes", (Kind.NOTE, Kind.SEALED, Kind.PHOTO, Kind.REVEAL)),
    "turn": (
        "Turns and ledger",
        (Kind.TURN, Kind.LEDGER, Kind.RECORD, Kind.TAKE_BACK, Kind.END, Kind.SEAT, Kind.BOOK),
    ),
}
UNLED = "Turns and record"  # what the last of them is called where no ledger leads the match
TELLING = (Kind.COUNTER, Kind.LEDGER)  # kinds of lines that say what changed in counters
MOST_ABOUT = 20  # counters whose history is asked for at once
LONGEST = 20  # letters of a place's name
MOST_STAYS = 40  # stays of counters in one place that a filter takes in, the newest


@dataclass(frozen=True, slots=True)
class Sought:
    """What is asked of a log: lines about these counters, of a side, about a place, of a kind. Blank asks for all."""

    about: Sequence[str] = ()
    side: str = ""
    place: str = ""
    kind: str = ""

    @property
    def query(self) -> str:
        """As an address says it; "" where nothing is asked."""
        filters = {"side": self.side, "place": self.place, "kind": self.kind}
        return urlencode(
            [("about", counter_id) for counter_id in self.about] + [pair for pair in filters.items() if pair[1]]
        )


def list_kinds(match: Match) -> dict[str, tuple[str, tuple[Kind, ...]]]:
    """The kinds of lines that the log of a match may have, by what its players call them."""
    has_counters = registry.games()[match.game].has_counters
    kinds = {name: kind for name, kind in KINDS.items() if has_counters or name != "counter"}
    return kinds if ledger_of(match).leads else {**kinds, "turn": (UNLED, kinds["turn"][1])}


def clean_place(text: str) -> str:
    """A place's name as it was typed into an address; "" for what cannot be one."""
    place = text.strip()
    return place.upper() if len(place) <= LONGEST and re.fullmatch(r"[^\W_]+( [^\W_]+)*", place) else ""


def find_entries(match: Match, sees: tuple[str, ...], sought: Sought) -> QuerySet[LogEntry]:
    """The entries of a match that are asked for. One query where a place is asked for, whatever the log's length."""
    entries = LogEntry.objects.filter(match=match)  # not match.log, whose rows ask for columns that are left out here
    if not sought.query:
        return entries
    entries_sought = readable(entries, sees)
    if sought.about:
        entries_sought = entries_sought.filter(reduce(or_, (_touching(counter_id) for counter_id in sought.about)))
    if sought.place:
        entries_sought = _about_place(entries_sought, sought.place)
    if sought.side:
        entries_sought = entries_sought.filter(side=sought.side)
    return entries_sought.filter(kind__in=KINDS[sought.kind][1]) if sought.kind else entries_sought


def _touching(counter_id: str) -> Q:
    return Q(touches__contains=f" {counter_id} ")


def _about_place(entries: QuerySet[LogEntry], place: str) -> QuerySet[LogEntry]:
    """The entries that name a place, or are about counters while these stood there."""
    entries = entries.alias(plain_inputs=Cast("inputs", TextField()))
    # A whole word in a text of the inputs: not a number, not part of a counter's id.
    pattern = re.escape(place)
    in_inputs = Q(plain_inputs__iregex=f'"([^":]*[^A-Za-z0-9":-])?{pattern}([^A-Za-z0-9":-][^":]*)?"')
    moves = entries.filter(in_inputs, kind__in=TELLING).only("number", "inputs", "voided_by").order_by("number")
    about_place = in_inputs
    if not place.isdecimal():  # a bare number in a sentence may be anything
        word = f"(^|[^A-Za-z0-9-]){pattern}($|[^A-Za-z0-9-])"
        about_place |= Q(sentence__iregex=word) | Q(secret__iregex=word)
    for counter_id, first, last in find_stays(moves, place)[-MOST_STAYS:]:
        stay = _touching(counter_id) & Q(number__gte=first)
        about_place |= stay & Q(number__lte=last) if last else stay
    return entries.filter(about_place)


def find_stays(moves: QuerySet[LogEntry], place: str) -> list[tuple[str, int, int | None]]:
    """Which counters stood in a place, from which line to which; None for those that still stand there."""
    since: dict[str, int] = {}
    stays: list[tuple[str, int, int | None]] = []
    for number, counter_id, is_there in sorted(step for entry in moves for step in _read_steps(entry, place)):
        if is_there:
            since.setdefault(counter_id, number)
        elif counter_id in since:
            stays.append((counter_id, since.pop(counter_id), number))
    stays += [(counter_id, first, None) for counter_id, first in since.items()]
    return sorted(stays, key=lambda stay: stay[1])


def _read_steps(entry: LogEntry, place: str) -> Iterator[tuple[int, str, bool]]:
    """Where a line has put counters, and where they went back to when it was struck."""
    for counter_id, changes in entry.inputs.get(CHANGED_COUNTERS, {}).items():
        if "place" in changes:
            was_there, is_there = (name.upper() == place for name in changes["place"])
            yield entry.number, counter_id, is_there
            if entry.voided_by:
                yield entry.voided_by, counter_id, was_there
