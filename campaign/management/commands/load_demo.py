"""Stores the campaign content and plays the demo campaign, once."""

from django.core.management.base import BaseCommand

from campaign import content, demo


class Command(BaseCommand):
    help = "Store the shipped campaign content and the demo campaign; safe to repeat. --anew plays it afresh."

    def add_arguments(self, parser):
        parser.add_argument("--anew", action="store_true", help="delete the demo campaign and play it again")

    def handle(self, *args, **options):
        content.shipped_row()
        if options["anew"] and (match := demo.found()):
            match.delete()
        demo.load_demo()
