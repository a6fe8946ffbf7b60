"""Stores the shipped chart books, once."""

from django.core.management.base import BaseCommand

from firefight.games import chartbooks, registry


class Command(BaseCommand):
    help = "Store the shipped chart book of every game; safe to repeat."

    def handle(self, *, verbosity: int, **options: object) -> None:
        for slug, game in registry.games().items():
            row = chartbooks.shipped_row(slug)
            if verbosity:
                self.stdout.write(f"{game.title}: “{row.name}” is stored.")
