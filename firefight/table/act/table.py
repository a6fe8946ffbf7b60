"""A match as one browser sits at it."""

import uuid
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings

from firefight.engine.course.course import Course
from firefight.games import registry
from firefight.kit.game import Game
from firefight.models import Match, Seat

OBSERVER = "observer"


@dataclass(frozen=True, slots=True)
class Table:
    """A match as one browser may see it: the side it acts for and the sides that it holds."""

    match: Match
    side: str
    held: tuple[str, ...]
    seats: tuple[Seat, ...]

    @property
    def game(self) -> Game:
        return registry.games()[self.match.game]

    @property
    def course(self) -> Course:
        return self.game.find_course(self.match.state.options)

    @property
    def agreed(self) -> list[str]:
        """What was agreed when the match began."""
        return self.game.describe_options(self.match.state.options)

    @property
    def sides(self) -> dict[str, str]:
        """The sides that have a seat, with their names, in the game's order."""
        seated = {seat.side for seat in self.seats}
        return {side: name for side, name in self.game.sides.items() if side in seated}

    @property
    def all_sides(self) -> str:
        """How sentences speak of all who play."""
        return f"{self.both} {'players' if self.are_partners else 'sides'}"

    @property
    def both(self) -> str:
        """How sentences count those who play."""
        return "both" if len(self.sides) == 2 else "all"

    @property
    def are_partners(self) -> bool:
        """Whether two players have the app for their opponent."""
        return len(self.sides) == 2 and bool(self.game.find_mode(self.match.state.options).app_sides)

    @property
    def other_sides(self) -> str:
        """How sentences speak of the others who play."""
        return self.another_side if len(self.sides) == 2 else "the other sides"

    @property
    def another_side(self) -> str:
        """How sentences speak of one of the others."""
        if self.are_partners:
            return "your partner"
        return "the other side" if len(self.sides) == 2 else "another side"

    @property
    def name(self) -> str:
        """The name of the side that this browser acts for."""
        return self.game.name_of(self.side)

    @property
    def is_alone(self) -> bool:
        """Whether no other side has a seat: a game for one, in which there is nobody to ask."""
        return len(self.sides) == 1

    @property
    def fresh_act(self) -> str:
        """An act id for one form."""
        return str(uuid.uuid4())

    @property
    def plays(self) -> bool:
        """Holds a side, rather than a place on the observers' bench."""
        return self.side != OBSERVER

    @property
    def plays_all(self) -> bool:
        """Holds every side: all players sit in front of this page."""
        return set(self.sides) <= set(self.held)

    @property
    def all_sit_here(self) -> bool:
        """Whether this is the device that all players share, so that what one asks the others is confirmed here."""
        return self.match.hot_seat and self.plays_all

    @property
    def has_cover(self) -> bool:
        """Holds more than one side, with a cover between them."""
        return len(set(self.held) - {OBSERVER}) > 1

    @property
    def seat(self) -> Seat:
        """The seat that this browser acts from."""
        return next(seat for seat in self.seats if seat.side == self.side)

    @property
    def missed(self) -> datetime | None:
        """When the other side may free this seat, which it calls lost; None while it does not."""
        return free_from(self.seat.missed) if self.plays and self.seat.missed else None

    @property
    def wants_deletion(self) -> bool:
        """Whether this side has asked to delete the match."""
        return self.plays and self.seat.wants_deletion

    @property
    def others_want_deletion(self) -> bool:
        """Whether another side has asked to delete the match, so that this one should answer."""
        return self.plays and any(seat.wants_deletion for seat in self.seats if seat.side != self.side)

    @property
    def has_way_back(self) -> bool:
        """Whether a link is out by which this seat can be taken again."""
        return not self.plays or bool(self.seat.token_hash)

    def may_issue(self, seat: Seat) -> bool:
        """A side's link is for whoever acts for it, so that it bypasses no PIN; a free seat's for any player."""
        return self.plays and (seat.side in (self.side, OBSERVER) or seat.claimed is None)

    def may_free(self, seat: Seat) -> bool:
        """A player may say that another side has lost its seat."""
        return self.plays and seat.side not in (self.side, OBSERVER) and seat.claimed is not None

    def may_decide(self, side: str) -> bool:
        """Whether this browser may decide for a side: it holds it, or nobody else sits there to do so."""
        return side in self.held or not any(seat.claimed for seat in self.seats if seat.side == side)

    def may_answer(self, side: str) -> bool:
        """Whether this browser may be asked what a side decides: at one device once the cover was lifted for it."""
        return side == self.side or (side not in self.held and self.may_decide(side))

    @property
    def asks_nobody(self) -> bool:
        """Whether nobody plays another side at another device, who could be asked for consent."""
        other_seats = [seat for seat in self.seats if seat.side not in (OBSERVER, self.side)]
        return self.all_sit_here or not any(seat.claimed for seat in other_seats)

    @property
    def sees(self) -> tuple[str, ...]:
        """The sides whose secrets this browser may be sent now."""
        return (self.side,) if self.plays else ()


def free_from(missed: datetime) -> datetime:
    """When a seat that is said to be lost since ``missed`` can be freed."""
    wait: timedelta = settings.SEAT_WAIT
    return missed + wait
