"""The host's look at what is stored: every match with its size and last act; locks one, or deletes one for good."""

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db.models import QuerySet
from django.utils import timezone

from firefight.models import Match
from firefight.table.files import removal


class Command(BaseCommand):
    help = "List the matches, the largest first: size, lines, last act. With an id: --lock, --unlock or --delete it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("match", nargs="?", help="the match's id, which stands in its address")
        choice = parser.add_mutually_exclusive_group()
        choice.add_argument("--lock", action="store_true", help="let nobody act in it; everything can still be read")
        choice.add_argument("--unlock", action="store_true", help="let its players go on")
        choice.add_argument("--delete", action="store_true", help="delete it for good, whatever its players say")

    def handle(self, *, match: str | None, lock: bool, unlock: bool, delete: bool, **options: object) -> None:
        if match is None:
            if lock or unlock or delete:
                raise CommandError("Say which match: its id stands in its address, /match/<id>/.")
            return self.list_matches(removal.with_last_act(Match.objects.all()).order_by("-weight", "pk"))
        matches = removal.with_last_act(Match.objects.filter(pk=match))
        if not matches:
            raise CommandError(f"There is no match {match}. Its id stands in its address: /match/<id>/.")
        if delete:
            removal.delete_match(matches[0])
            self.stdout.write(f"Deleted for good: {matches[0].pk}  {matches[0].name}")
        elif lock or unlock:
            matches.update(locked=timezone.now() if lock else None)
            self.stdout.write(f"{'Locked' if lock else 'Unlocked'}: {matches[0].pk}  {matches[0].name}")
        else:
            self.list_matches(matches)

    def list_matches(self, matches: QuerySet[Match]) -> None:
        """A line for each match; the size is that of its log, which is nearly all of it."""
        for match in matches.defer("seed", "state").iterator():
            marks = [word for word, is_so in (("ended", match.ended), ("locked", match.locked)) if is_so]
            last_act = match.last_at  # type: ignore[attr-defined]  # annotated by the query
            size = f"{match.weight / 1_000_000:7.2f} MB {match.last_number:6} lines"
            self.stdout.write(f"{match.pk}  {size}  {last_act:%Y-%m-%d %H:%M}  {', '.join([match.name, *marks])}")
