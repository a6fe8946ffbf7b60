"""Stores an owner's own cards, rosters, counters and map, so that campaigns can begin with them."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaign.ledger import content


class Command(BaseCommand):
    help = "Check a folder with the files of campaign/data and a counters.toml, typed in, and store it by a name."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path)
        parser.add_argument("--name", required=True, help="what the form for a new campaign calls it")

    def handle(self, *args: object, folder: Path, name: str, **options: object) -> None:
        name = " ".join(name.split())
        if not 0 < len(name) <= 80:
            raise CommandError("A name has 1 to 80 characters.")
        try:
            row = content.store(content.plain_in(folder), name)
        except content.BadContent as error:
            listed = "\n".join(f"  {problem}" for problem in error.problems)
            raise CommandError(f"Nothing was stored. Mend this first:\n{listed}") from None
        if row.shipped:
            self.stdout.write(f"These are the values of “{row.name}” that come with the app; they keep that name.")
            return
        if row.name != name:  # the same values were stored before, by another name
            row.name = name
            row.save(update_fields=["name"])
        self.stdout.write(f"Stored as “{row.name}”.")
