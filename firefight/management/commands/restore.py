"""Fills the database from a file that `backup` has written."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from firefight.hosting import backups


class Command(BaseCommand):
    help = "Restore a backup into a database without matches, or with --replace in place of what it holds."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--replace", action="store_true", help="delete what the database holds now")

    def handle(self, *args: object, file: Path, replace: bool, **options: object) -> None:
        try:
            number = backups.restore_backup(file, replace)
        except backups.BadBackup as error:
            raise CommandError(str(error)) from None
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from None
        self.stdout.write(f"{number} rows restored from {file}.")
