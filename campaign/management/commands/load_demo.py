"""Stores the campaign content and plays the demo campaign, once."""

from django.core.management.base import BaseCommand

from campaign.acts import demo
from campaign.ledger import content
from firefight.table import removal


class Command(BaseCommand):
    help = "Store the shipped campaign content and the demo campaign; safe to repeat. --anew plays it afresh."

    def add_arguments(self, parser):
        parser.add_argument("--anew", action="store_true", help="play it again; visitors keep their copies")

    def handle(self, *, anew, verbosity, **options):
        content.shipped_row()
        if anew and (match := demo.find_demo()):
            removal.delete_match(match)
        is_there = demo.find_demo() is not None
        demo.load_demo()
        if verbosity:
            self.stdout.write(
                "The demo is there already; --anew plays it afresh." if is_there else "The demo was played."
            )
