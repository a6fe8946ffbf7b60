"""Stores the shipped chart books, once."""

from django.core.management.base import BaseCommand

from firefight import assist, chartbooks


class Command(BaseCommand):
    help = "Store the shipped chart book of every game; safe to repeat."

    def handle(self, *args, **options):
        for game in assist.games():
            chartbooks.shipped_row(game)
