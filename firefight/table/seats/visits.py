"""What a browser has missed since its last visit, and what it has been shown."""

from dataclasses import dataclass

from django.http import HttpRequest

from firefight.table.act.table import Table
from firefight.table.log.episodes import Episode, find_begins, read_episodes

from . import devices

SHOWN = 12


@dataclass(frozen=True, slots=True)
class Missed:
    """What others have done since the last visit: the newest episodes, oldest first, and whether there are ``more``.

    ``is_over``: whoever looks has acted since, so it counts as read.
    """

    episodes: tuple[Episode, ...] = ()
    more: bool = False
    is_over: bool = False


def find_missed(table: Table) -> Missed:
    """What the others did before this visit and after the one before. No query if that is nothing, else three at most.

    Nothing where both sides sit at one device, and see each other play.
    """
    seat = table.seat
    if table.has_cover or seat.visit >= seat.arrived:
        return Missed()
    missed = table.match.log.filter(number__gt=seat.visit, number__lte=seat.arrived)
    begins = find_begins(missed.exclude(side=table.side))
    episodes = read_episodes(table.match, table.sees, begins[:SHOWN])
    own_lines = table.match.log.filter(number__gt=seat.arrived, side=table.side)
    return Missed(tuple(reversed(episodes)), len(begins) > SHOWN, bool(episodes) and table.plays and own_lines.exists())


def note_shown(request: HttpRequest, table: Table) -> None:
    """Remember that this browser shows the newest line; a page that nobody looks at says so, and shows it to nobody."""
    if "unseen" not in request.GET:
        devices.note_read(table.seat)
