"""The chapters of a campaign: its snapshots in order, and the ledger as it stood when one began."""

from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass

from campaign.models import Campaign, ContentBook
from campaign.rules.sectors import read_control
from firefight.columns import MatchState
from firefight.models import Match, Snapshot
from firefight.table.memory import without_collecting

from . import content as content_store
from .ledger import Ledger
from .rows import build


@dataclass(frozen=True, slots=True)
class MapChapter:
    """One chapter. ``place``: which one it is, from 1; ``number``: the line of the log that it begins after."""

    place: int
    number: int
    title: str

    @property
    def first_line(self) -> int:
        """The line of the log that it begins with; the first one opens the log."""
        return 1 if self.place == 1 else self.number + 1


def list_chapters(match: Match) -> list[MapChapter]:
    """The chapters whose beginning is remembered, oldest first: those that came with a file are not. One query."""
    kept = match.snapshots.filter(state__isnull=False).order_by("number").values_list("number", "label")
    return [MapChapter(place, number, title) for place, (number, title) in enumerate(kept, 1)]


def recall(match: Match, chapters: Iterable[MapChapter], sees: tuple[str, ...]) -> list[tuple[MapChapter, Ledger]]:
    """The ledger as it stood when each chapter began, and as somebody knew it who may see these sides' secrets.

    Two queries. What cannot be drawn any more, since its content is gone, is left out.
    """
    by_number = {chapter.number: chapter for chapter in chapters}
    pinned = Campaign.objects.values_list("content_id", flat=True).get(pk=match.pk)
    kept = Snapshot.objects.filter(match=match, number__in=by_number).order_by("number")
    with without_collecting():
        found = [(by_number[snapshot.number], _ledger_of(match, snapshot, pinned)) for snapshot in kept]
        return [(chapter, ledger.known(sees)) for chapter, ledger in found if ledger]


def _ledger_of(match: Match, snapshot: Snapshot, pinned: str) -> Ledger | None:
    held = snapshot.state or {}
    if not held.get("ledger"):
        return None
    try:
        content = content_store.pinned(held["ledger"].get("content", pinned))
    except ContentBook.DoesNotExist:
        return None
    then = copy(match)
    then.state = MatchState.from_json(held["state"])
    ledger = build(then, held["ledger"], content)
    return ledger if read_control(ledger.campaign.held, content.sector_map) else None
