"""Stores the shipped rosters, cards and map, once."""

from django.core.management.base import BaseCommand

from campaign.ledger import content
from firefight.models import Match
from firefight.table.files import removal

DEMO_OF_OLD = "demo-pattern"  # a match that earlier versions played at their first start, to make copies of it


class Command(BaseCommand):
    help = "Store the shipped rosters, cards and map of campaigns; safe to repeat."

    def handle(self, *, verbosity: int, **options: object) -> None:
        row = content.shipped_row()
        for match in Match.objects.filter(pk=DEMO_OF_OLD):
            removal.delete_match(match)
        if verbosity:
            self.stdout.write(f"{row.name} is stored.")
