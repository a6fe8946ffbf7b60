"""The files that the app keeps of matches: lists them, and makes a match from one."""

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse

from firefight.games import registry
from firefight.hosting.starting import link_beginning
from firefight.table.files import kept_files
from firefight.table.files.shape import BadArchive


class Command(BaseCommand):
    help = "Without a match: those that files are kept of. With one: its files; --restore makes a new match of one."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("match", nargs="?", help="the match's id")
        parser.add_argument("--restore", metavar="FILE", help="make a new match of this file, and print its links")
        parser.add_argument("--one-device", action="store_true", help="for both sides at one device")
        parser.add_argument("--address", default="", help="what the links begin with; else where the app last started")

    def handle(
        self, *, match: str | None, restore: str | None, one_device: bool, address: str, **options: object
    ) -> None:
        if match is None:
            if restore:
                raise CommandError("Say which match: `manage.py kept_files` lists those that files are kept of.")
            for match_id in kept_files.list_matches():
                self.stdout.write(f"{match_id}  {len(kept_files.list_files(match_id))} files")
        elif restore is None:
            files = kept_files.list_files(match)
            if not files:
                raise CommandError(f"No files are kept of a match {match}.")
            for file in files:
                self.stdout.write(f"{file.name}  {file.at:%Y-%m-%d %H:%M} UTC  after № {file.number}")
        else:
            self.restore(match, restore, one_device, link_beginning(address))

    def restore(self, match: str, name: str, one_device: bool, address: str) -> None:
        file = kept_files.find_file(match, name)
        if file is None:
            raise CommandError(f"There is no file {name} of match {match}.")
        try:
            loaded = kept_files.restore_file(file, one_device)
        except (BadArchive, OSError) as error:
            raise CommandError(f"{name} cannot be opened: {error}") from None
        self.stdout.write(f"Match {loaded.match.pk} goes on from it. Give each link to its player alone:")
        game = registry.games()[loaded.match.game]
        for side, token in loaded.tokens.items():
            self.stdout.write(f"{game.name_of(side)}: {address}{reverse('firefight:open-link', args=[token])}")
