"""The host's help for players who have lost a seat: lists a match's seats and devices, frees one, makes a way back."""

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse

from firefight.games import registry
from firefight.hosting.starting import link_beginning
from firefight.models import Match, Seat
from firefight.table.act.table import OBSERVER
from firefight.table.seats import seating

LISTED = 40


class Command(BaseCommand):
    help = "Without a match: the newest matches. With one: its seats and their devices; frees one or makes a way back."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("match", nargs="?", help="the match's id, which stands in its address")
        choice = parser.add_mutually_exclusive_group()
        choice.add_argument("--free", metavar="SIDE", help="end the seat on every device and print a new link for it")
        choice.add_argument("--way-back", metavar="SIDE", help="print a link by which its player can sit down again")
        parser.add_argument(
            "--address", default="", help="what the link begins with, if not where the app was last started"
        )

    def handle(
        self, *, match: str | None, free: str | None, way_back: str | None, address: str, **options: object
    ) -> None:
        side = free or way_back
        if match is None:
            if side:
                raise CommandError("Say which match: its id stands in its address, /match/<id>/.")
            self.list_matches()
            return
        of_id = Match.objects.filter(pk=match).first()
        if of_id is None:
            raise CommandError(f"There is no match {match}. Its id stands in its address: /match/<id>/.")
        if side is None:
            self.list_seats(of_id)
            return
        seat = self.seat_of(of_id, side)
        if way_back and seat.claimed is None:
            raise CommandError(f"Nobody sits there yet. Use --free {side} to print a new link for the seat.")
        token = seating.free_by_host(seat) if free else seating.way_back_by_host(seat)
        self.stdout.write(f"{link_beginning(address)}{reverse('firefight:open-link', args=[token])}")
        self.stdout.write("The link works once. Whoever opens it takes the seat: give it to its player alone.")

    def list_matches(self) -> None:
        for match in Match.objects.order_by("-created").defer("seed", "state")[:LISTED]:
            ended = ", ended" if match.ended else ""
            self.stdout.write(f"{match.pk}  {match.created:%Y-%m-%d %H:%M}  {match.name}{ended}")

    def list_seats(self, match: Match) -> None:
        self.stdout.write(match.name)
        sides = registry.games()[match.game].sides
        for seat in match.seats.prefetch_related("devices"):
            standing = "taken" if seat.claimed else "free"
            if seat.side == OBSERVER:
                standing = "anybody with the link"
            missed = f", said to be lost since {seat.missed:%Y-%m-%d %H:%M}" if seat.missed else ""
            pin = ", with a PIN" if seat.pin else ""
            self.stdout.write(f"{seat.side} ({sides.get(seat.side, 'Observers')}): {standing}{missed}{pin}")
            for device in seat.devices.all():
                self.stdout.write(f"  {device.name}, last seen {device.seen:%Y-%m-%d %H:%M} UTC")

    def seat_of(self, match: Match, side: str) -> Seat:
        sides = match.seats.exclude(side=OBSERVER).order_by("pk").values_list("side", flat=True)
        if side not in sides:
            raise CommandError(f"There is no such seat: give one of {', '.join(sides)}.")
        return match.seats.get(side=side)
