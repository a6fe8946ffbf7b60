"""The chapters of a campaign: its snapshots in order, and the ledger as it stood when one began."""

from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q

from campaign.models import Campaign, ContentBook, EarlierMap
from campaign.rules.sectors import read_control
from firefight.columns import MatchState
from firefight.models import Match, Snapshot
from firefight.table.act.memory import without_collecting

from . import content as content_store
from . import earlier_maps
from .ledger import Ledger
from .rows import build_ledger


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
    """The chapters whose map is remembered, oldest first. One query. Some that came with a file have none."""
    with_map = EarlierMap.objects.filter(campaign=match.pk, number=OuterRef("number"))
    remembered = match.snapshots.filter(Q(state__isnull=False) | Exists(with_map)).order_by("number")
    listed = enumerate(remembered.values_list("number", "label"), 1)
    return [MapChapter(place, number, title) for place, (number, title) in listed]


def recall(match: Match, chapters: Iterable[MapChapter], sees: tuple[str, ...]) -> list[tuple[MapChapter, Ledger]]:
    """The ledger as it stood when each chapter began, as far as somebody who sees these sides' secrets knew it.

    Three queries. What can no longer be drawn, since its content is gone, is left out. For a chapter that came with a
    file there is only what its map shows.
    """
    by_number = {chapter.number: chapter for chapter in chapters}
    pinned = Campaign.objects.values_list("content_id", flat=True).get(pk=match.pk)
    with without_collecting():
        snapshots = Snapshot.objects.filter(match=match, number__in=by_number, state__isnull=False)
        ledgers = {snapshot.number: _ledger_of(match, snapshot, pinned) for snapshot in snapshots}
        if from_file := by_number.keys() - ledgers.keys():
            content, maps = content_store.read_pinned(pinned), earlier_maps.read_stored_maps(match)
            ledgers |= {
                number: earlier_maps.ledger_of_map(match, maps[number], content, pinned) for number in from_file
            }
        return [(by_number[number], ledger.known(sees)) for number, ledger in sorted(ledgers.items()) if ledger]


def _ledger_of(match: Match, snapshot: Snapshot, pinned: str) -> Ledger | None:
    state = snapshot.state or {}
    if not state.get("ledger"):
        return None
    digest = state["ledger"].get("content", pinned)
    try:
        content = content_store.read_pinned(digest)
    except ContentBook.DoesNotExist:
        return None
    match_then = copy(match)
    match_then.state = MatchState.from_json(state["state"])
    ledger = build_ledger(match_then, state["ledger"], content, digest)
    return ledger if read_control(ledger.campaign.held, content.sector_map) else None
