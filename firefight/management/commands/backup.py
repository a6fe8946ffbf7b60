"""Writes everything that the host keeps into one file, while the app is in use."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from firefight.hosting import backups


class Command(BaseCommand):
    help = "Write all matches, campaigns and books into one compressed file, both sides' secrets among them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--force", action="store_true", help="replace the file if there is one")

    def handle(self, *args: object, file: Path, force: bool, **options: object) -> None:
        try:
            number = backups.write_backup(file, force)
        except FileExistsError:
            raise CommandError(f"{file} is there already. Choose another name, or give --force.") from None
        except OSError as error:
            raise CommandError(f"{file} cannot be written: {error.strerror}.") from None
        self.stdout.write(f"{number} rows written to {file}. Keep it as safe as the database: all secrets are in it.")
