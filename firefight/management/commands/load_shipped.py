"""Stores the shipped chart books, once."""

from django.core.management.base import BaseCommand

from firefight.assistant import chartbooks, registry


class Command(BaseCommand):
    help = "Store the shipped chart book of every game; safe to repeat."

    def handle(self, *args, **options):
        for game in registry.games():
            chartbooks.shipped_row(game)
