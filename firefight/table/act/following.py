"""What goes along with every act: the rooms that keep something of a match say so here as the app starts.

An act knows none of them. They are called in the order in which they stand in ``firefight.apps``.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from firefight.models import Act, LogEntry, Match

from .act import MatchAct

Begin = Callable[[Match], None]
Write = Callable[[MatchAct], None]
Follow = Callable[[Match, Act, Sequence[LogEntry]], list[LogEntry]]


@dataclass(frozen=True, slots=True)
class Followers:
    """``begin``: as an act begins, with the match as it is held. ``write``: after the body of an act of the table, to
    store what that has changed. ``follow``: last, with the lines of any act; returns further lines."""

    begin: tuple[Begin, ...] = ()
    write: tuple[Write, ...] = ()
    follow: tuple[Follow, ...] = ()


_FOLLOWERS = [Followers()]


def follow_acts(followers: Followers) -> None:
    """Let these go along with every act from now on."""
    _FOLLOWERS[:] = [followers]


def begin_act(match: Match) -> None:
    for begin in _FOLLOWERS[0].begin:
        begin(match)


def write_act(act: MatchAct) -> None:
    """The body of an act has done its part."""
    for write in _FOLLOWERS[0].write:
        write(act)


def follow_act(match: Match, row: Act, entries: Sequence[LogEntry]) -> list[LogEntry]:
    """The lines of an act, with what follows from them."""
    lines = list(entries)
    for follow in _FOLLOWERS[0].follow:
        lines += follow(match, row, lines)
    return lines
