"""Puts a chart book on the host's shelf, where everybody finds it."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from firefight.chartroom import drafts
from firefight.games.chartbooks import BadBook


class Command(BaseCommand):
    help = "Check a chart book (TOML or JSON) and offer it to everybody; one of the same name gets a newer version."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: object, file: Path, **options: object) -> None:
        try:
            draft = drafts.offer_to_all(drafts.read_book_file(file.read_bytes()))
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from None
        except BadBook as error:
            problems = "\n".join(f"  {problem}" for problem in error.problems)
            raise CommandError(f"Nothing was stored. Mend this first:\n{problems}") from None
        self.stdout.write(f"Offered to everybody: {drafts.label_version(draft)}.")
