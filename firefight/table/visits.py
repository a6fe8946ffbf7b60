"""What a browser has missed since its last visit, and what it has been shown."""

from dataclasses import dataclass

from django.http import HttpRequest

from firefight.models import LogEntry

from . import devices, log
from .log import LogLine
from .seats import Table

SHOWN = 12


@dataclass(frozen=True, slots=True)
class Missed:
    """The newest lines that others have added since the last visit, and how many ``more`` there are."""

    lines: tuple[LogLine, ...] = ()
    more: int = 0


def find_missed(table: Table) -> Missed:
    """What the others did before this visit and after the one before. No query if that is nothing, else two at most.

    Nothing where both sides sit at one device, and see each other play.
    """
    seat = table.seat
    if table.has_cover or seat.visit >= seat.arrived:
        return Missed()
    missed = LogEntry.objects.filter(match=table.match, number__gt=seat.visit, number__lte=seat.arrived)
    missed = missed.exclude(side=table.side)
    found = list(missed.defer("inputs", "result")[: SHOWN + 1])
    more = missed.count() - SHOWN if len(found) > SHOWN else 0
    return Missed(tuple(log.visible(found[:SHOWN], table.sees)), more)


def note_shown(request: HttpRequest, table: Table) -> None:
    """Remember that this browser shows the newest line; a page that nobody looks at says so, and shows it to nobody."""
    if "unseen" not in request.GET:
        devices.note_read(table.seat)
