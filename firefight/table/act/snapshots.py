"""Snapshots: how a match stood when something new began, to branch off from and to divide its story into chapters."""

from collections.abc import Iterable

from firefight.engine.values import Json
from firefight.models import Match, Snapshot

BEGINNING = "The beginning"


def state_of(match: Match, version: int, ledger: dict[str, object] | None) -> dict[str, object]:
    """What acts change in a match, besides its log. ``ledger``: all of it as plain values, None without one."""
    match_values = {
        "state": match.state.to_json(),
        "version": version,
        "rolls_made": match.next_roll - 1,
        "book": match.book_id,
    }
    return {**match_values, "ledger": ledger}


def take_snapshot(match: Match, version: int, label: str, ledger: Json | None = None) -> None:
    """Keep how a match stands after the last line of its log. One insert.

    ``version``: what the match will have once the act is kept.
    """
    keep_snapshots([snapshot_of(match, version, label, ledger)])


def snapshot_of(match: Match, version: int, label: str, ledger: dict[str, object] | None) -> Snapshot:
    """How a match stands after the last line of its log, not stored yet: an act may go through several chapters."""
    return Snapshot(match=match, number=match.last_number, label=label, state=state_of(match, version, ledger))


def keep_snapshots(snapshots: Iterable[Snapshot]) -> None:
    """Store snapshots. One insert."""
    Snapshot.objects.bulk_create(snapshots)


def forget_snapshots(match: Match, numbers: list[int]) -> None:
    """Drop the snapshots that an act took, whose lines had these numbers: it is taken back."""
    Snapshot.objects.filter(match=match, number__in=numbers).delete()
