"""Stores the campaign content and plays the demo campaign, once."""

from django.core.management.base import BaseCommand

from campaign.acts import demo
from campaign.ledger import content
from firefight.table import removal


class Command(BaseCommand):
    help = "Store the shipped campaign content and the demo campaign; safe to repeat. --anew plays it afresh."

    def add_arguments(self, parser):
        parser.add_argument("--anew", action="store_true", help="play it again; visitors keep their copies")

    def handle(self, *args, **options):
        content.shipped_row()
        if options["anew"] and (match := demo.find_demo()):
            removal.delete_match(match)
        demo.load_demo()
