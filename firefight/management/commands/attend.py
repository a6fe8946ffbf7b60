"""What the app does by itself on a host: notifies players when it is their turn, and writes files of matches."""

import os
import time

from django.core.management.base import BaseCommand, CommandParser
from django.db import DatabaseError, close_old_connections

from firefight.table.files import kept_files
from firefight.table.seats import subscriptions

LEAST = 5  # seconds between two rounds


class Command(BaseCommand):
    help = "Call players whose turn it is, write the files that are kept of matches; once, or again and again."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--every", type=int, metavar="SECONDS", help="go on, with this many seconds between rounds")
        parser.add_argument("--with-parent", action="store_true", help="end when whatever started this has ended")

    def handle(self, *, every: int | None, with_parent: bool, **options: object) -> None:
        parent = os.getppid()
        while True:
            self.attend_once()
            if not every:
                return
            close_old_connections()
            time.sleep(max(every, LEAST))
            if with_parent and os.getppid() != parent:
                return

    def attend_once(self) -> None:
        for do, words in ((subscriptions.call_players, "called"), (kept_files.write_new_files, "files written")):
            try:
                number = do()
            except (DatabaseError, OSError) as error:  # the next round tries again
                self.stderr.write(f"Not done: {error}")
                continue
            if number:
                self.stdout.write(f"{number} {words}.")
