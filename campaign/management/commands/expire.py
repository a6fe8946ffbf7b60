"""Removes what nobody needs any more: lists it, and deletes it only when told to."""

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaign.ledger import content
from firefight.table.files import removal

LEAST = 1  # a day: less would take a match from players who are at supper


class Command(BaseCommand):
    help = "List abandoned matches and campaigns, demo copies whose time is over, unused books; --delete removes them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--days", type=int, default=180, help="how long an abandoned match was left alone (180)")
        parser.add_argument("--delete", action="store_true", help="delete them for good; without it nothing changes")

    def handle(self, *args: object, days: int, delete: bool, **options: object) -> None:
        if not LEAST <= days <= 36_500:
            raise CommandError("Give --days from 1 to 36500.")
        copies = list(removal.find_expired())
        abandoned = [match for match in removal.find_abandoned(days) if match not in copies]
        for match in abandoned:
            kind = "campaign" if match.state.ledger else "match"
            last_at = match.last_at  # type: ignore[attr-defined]  # annotated by the query
            self.stdout.write(f"{last_at:%Y-%m-%d}  {kind} {match.pk}  {match.name}")
        if delete:
            for match in (*copies, *abandoned):
                removal.delete_match(match)
        # A book whose last match has just gone is unused as well.
        books = [*removal.orphaned_books(days), *content.find_orphaned(removal.days_ago(days))]
        for book in books if delete else ():
            book.delete()
        summary = (
            f"{len(abandoned)} abandoned for {days} days, {len(copies)} demo copies whose time is over, "
            f"{len(books)} unused books"
        )
        done = "deleted" if delete else "nothing was changed; --delete removes them for good"
        self.stdout.write(f"{summary}: {done}.")
