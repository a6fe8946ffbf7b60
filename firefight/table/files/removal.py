"""What is removed for good, and when: matches by their players or once they are abandoned, books that nobody needs.

``manage.py expire`` does for the host what stands here; docs/running.md describes it.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, OuterRef, QuerySet, Subquery, TextField
from django.db.models.functions import Cast, Coalesce
from django.utils import timezone

from firefight.models import Act, ChartBook, Draft, LogEntry, Match, Snapshot
from firefight.table.act import writing
from firefight.table.act.table import OBSERVER, Table
from firefight.table.act.writing import GROWS

from . import kept_files


def ask_to_delete(table: Table, sides: Iterable[str], wants: bool) -> bool:
    """Say that these sides of a table want its match deleted for good, or do not; returns whether it is gone.

    It goes once every side whose seat is taken does. The log of an open match tells the wish.
    """
    with transaction.atomic():
        match = Match.objects.select_for_update().get(pk=table.match.pk)
        changed = match.seats.filter(side__in=sides).exclude(wants_deletion=wants).update(wants_deletion=wants)
        seats_taken = match.seats.filter(claimed__isnull=False).exclude(side=OBSERVER)
        if wants and not seats_taken.filter(wants_deletion=False).exists():
            delete_match(match)
            return True
        if changed:
            _tell_wish(match, table, wants)
    return False


def _tell_wish(match: Match, table: Table, wants: bool) -> None:
    if not match.ended:
        wish = "asks to delete the match for good" if wants else "does not want the match deleted any more"
        writing.record(match, None, LogEntry.Kind.PROPOSAL, table.side, f"{table.game.sides[table.side]} {wish}.")
    match.version += 1
    match.save(update_fields=["version", *GROWS])


def delete_match(match: Match) -> None:
    """Delete a match for good: its log, acts, snapshots and seats, and its campaign with all rows.

    Whether it may be deleted is for the caller to decide. Other matches stay as they are; those that went on from this
    one keep its opened seed, so that the dice from before can still be checked. Stored chart books and content stay
    for ``manage.py expire``, since others may use them. Deleting what is gone already does nothing.
    """
    with transaction.atomic():
        row = Match.objects.select_for_update().filter(pk=match.pk).first()
        if row is None:
            return
        _hand_on_seed(row)
        # One statement each: going through the rows, as a cascade does, takes seconds for a long match.
        for model in (LogEntry, Snapshot, Act):
            of_match = model.objects.filter(match=row)
            of_match._raw_delete(of_match.db)
        row.delete()
        kept_files.forget_files(match.pk)


def _hand_on_seed(match: Match) -> None:
    """Write an ended match's seed down in the matches that go on from it, which have looked it up until now."""
    if not match.ended:
        return
    heirs = Match.objects.annotate(seals=Cast("earlier_dice", TextField())).filter(seals__contains=match.commitment)
    for heir in heirs:
        seals = tuple(
            replace(seal, seed=match.seed) if seal.commitment == match.commitment and not seal.seed else seal
            for seal in heir.earlier_dice
        )
        Match.objects.filter(pk=heir.pk).update(earlier_dice=seals)


def find_expired() -> QuerySet[Match]:
    """Copies of the demo whose time is over."""
    return Match.objects.filter(expires__lte=timezone.now())


def find_abandoned(days: int) -> QuerySet[Match]:
    """Matches in which nothing was logged for that many days, the oldest first."""
    matches = with_last_act(Match.objects.all())
    return matches.filter(last_at__lt=days_ago(days)).order_by("last_at")  # type: ignore[misc]  # what was annotated


def with_last_act(matches: QuerySet[Match]) -> QuerySet[Match]:
    """The same matches, each with ``last_at``: when something was last logged in it, or when it began."""
    last_time = LogEntry.objects.filter(match=OuterRef("pk"), number=OuterRef("last_number")).values("at")
    return matches.annotate(last_at=Coalesce(Subquery(last_time), F("created")))


def orphaned_books(days: int) -> QuerySet[ChartBook]:
    """Stored chart books, that many days old, that no match, no shelf, no snapshot and no undo has any use for."""
    books_used: set[str | None] = set(Match.objects.values_list("book_id", flat=True))
    for base, version, versions in Draft.objects.values_list("based_on_id", "version_id", "versions"):
        books_used |= {base, version, *versions}
    proposals = Match.objects.filter(proposal__isnull=False).values_list("proposal", flat=True)
    books_used |= {proposal.book for proposal in proposals if proposal}
    # The log's results are worked out again with the books that its lines name.
    pinning = LogEntry.objects.filter(kind__in=(LogEntry.Kind.BOOK, LogEntry.Kind.SEAT)).exclude(inputs={})
    books_used |= {inputs.get("book") for inputs in pinning.values_list("inputs", flat=True).iterator()}
    states = Snapshot.objects.exclude(state=None).values_list("state", flat=True)
    books_used |= {state.get("book") for state in states.iterator() if state}
    changing = Act.objects.filter(entries__kind=LogEntry.Kind.BOOK, undo__isnull=False)
    books_used |= {
        values["book_id"]
        for undo in changing.values_list("undo", flat=True)
        if undo
        for values in undo.was.values()
        if "book_id" in values
    }
    old = ChartBook.objects.filter(shipped=False, created__lt=days_ago(days))
    return old.exclude(pk__in=books_used - {None}).order_by("created")


def days_ago(days: int) -> datetime:
    """The moment that many days before now."""
    return timezone.now() - timedelta(days=days)
