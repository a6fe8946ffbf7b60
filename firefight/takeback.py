"""Taking acts back: which ones, by what name, and putting everything as it was before them."""

from collections.abc import Sequence
from copy import deepcopy

from django.db.models import Subquery
from django.db.models.functions import Coalesce

from . import kept, log, snapshots
from .models import Act, LogEntry, Match

Kind = LogEntry.Kind
# How a correction and a reveal mark the entry that they are about.
MARKS = {Kind.ROLL: "voided_by", Kind.REVEAL: "revealed_by"}


def acts_to_take_back(match: Match, side: str) -> list[Act]:
    """What goes when a side takes back: its own last act, and all that was done since, newest first.

    A side that has done nothing yet, or has taken all of it back, can only ask for the last act. One query.
    """
    standing = match.acts.filter(taken_back=False).order_by("-number")
    first = Coalesce(*(Subquery(acts.values("number")[:1]) for acts in (standing.filter(side=side), standing)))
    return list(standing.filter(number__gte=first))


def undo(match: Match, by: Act, undone: Sequence[Act], lines: Sequence[LogEntry]) -> LogEntry:
    """Put back what stood before some acts, newest first, and void their lines. ``by``: the act that does it."""
    numbers = [line.number for line in lines]
    entry = log.record(match, by, Kind.TAKE_BACK, by.side, f"Taken back: {name_lines(numbers)}.")
    of_match = LogEntry.objects.filter(match=match)
    for kind, mark in MARKS.items():
        marking = [line.number for line in lines if line.kind == kind and line.about]
        if marking:
            of_match.filter(**{f"{mark}__in": marking}).update(**{mark: None})
    of_match.filter(number__in=numbers).update(voided_by=entry.number)
    snapshots.forget(match, numbers)
    for act in undone:
        match.state = deepcopy(act.state_before)
        kept.restore(act.undo)
    if any(line.kind == Kind.BOOK for line in lines):
        match.refresh_from_db(fields=["book"])
    Act.objects.filter(pk__in=[act.pk for act in undone]).update(taken_back=True)
    return entry


def lines_of(acts: Sequence[Act]) -> list[LogEntry]:
    """The lines that some acts wrote, oldest first. One query."""
    return list(LogEntry.objects.filter(act__in=acts).order_by("number"))


def name_lines(numbers: Sequence[int]) -> str:
    """Numbers of lines, in stretches: "№ 4, № 7 to 9"."""
    stretches: list[list[int]] = []
    for number in sorted(numbers):
        if stretches and number == stretches[-1][-1] + 1:
            stretches[-1].append(number)
        else:
            stretches.append([number])
    return ", ".join(f"№ {each[0]}" if len(each) == 1 else f"№ {each[0]} to {each[-1]}" for each in stretches)
