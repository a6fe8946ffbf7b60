"""The first page: the matches and campaigns of this browser, what each waits for, and how to begin one."""

from collections.abc import Collection, Sequence

from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce, Greatest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from firefight.assistant.lessons import list_lessons
from firefight.assistant.views import show_first
from firefight.engine.text import join_words
from firefight.games import registry
from firefight.models import LogEntry, Match, Seat
from firefight.table.act.ledger_values import Sees, Standing
from firefight.table.act.ports import home_of
from firefight.table.act.table import OBSERVER, Table
from firefight.table.log.episodes import BEGIN, Episode, read_last
from firefight.table.rolling import conducting
from firefight.table.seats import devices
from firefight.table.seats.turns import find_standings
from firefight.web.requests import number_in

MATCHES = 30  # on one page
WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
MOST_UNREAD = 99  # lines counted in one match


@require_GET
def home(request: HttpRequest) -> HttpResponse:
    """What this is, the matches of this browser, and how to begin one. At most ten queries."""
    first = MATCHES * (min(max(number_in(request, "page") or 1, 1), 1000) - 1)
    matches = list(find_own(request)[first : first + MATCHES + 1])
    more = first // MATCHES + 2 if len(matches) > MATCHES else 0
    rows = show_matches(matches[:MATCHES], find_held(request, matches))
    games = list(registry.games().values())
    example = next(iter(list_lessons(games[0].slug).values()), None)
    ctx = {
        "example": example,
        "games": games,
        "others": WORDS[len(games) - 1],
        "first": next(filter(None, (show_first(game.slug) for game in games)), None),
        "matches": rows,
        "more": more,
    }
    return render(request, "firefight/home.html", {**ctx, "is_my_turn": any(row["is_my_turn"] for row in rows)})


def find_own(request: HttpRequest) -> QuerySet[Match]:
    """The matches and campaigns in which this browser has a seat, the last played first."""
    newest = LogEntry.objects.filter(match=OuterRef("pk"), number=OuterRef("last_number"))
    matches = Match.objects.filter(seats__devices__in=devices.find_devices(request)).distinct().defer("seed")
    began = newest.annotate(begin=BEGIN).values("begin")
    matches = matches.annotate(played=Subquery(newest.values("at")), begun=Subquery(began))
    return matches.order_by(Coalesce("played", "created").desc(), "pk")


MOST_LOOKED_AT = 40  # other matches


def find_own_of_game(request: HttpRequest, table: Table) -> Sequence[Match]:
    """Other matches of the same game that this browser sits in, from which a player may take over an owner's sheets."""
    if not table.plays or table.match.ended:
        return ()
    return list(find_own(request).filter(game=table.match.game).exclude(pk=table.match.pk)[:MOST_LOOKED_AT])


Unread = dict[str, dict[str, int]]


def find_held(request: HttpRequest, matches: Sequence[Match]) -> Unread:
    """The sides that this browser holds, by match, each with the number of lines that it has not read. One query."""
    own_devices = devices.find_devices(request).filter(seat__match__in=matches)
    from_there = Greatest(OuterRef("read"), OuterRef("seat__match__last_number") - MOST_UNREAD)
    unread = LogEntry.objects.filter(match=OuterRef("seat__match"), number__gt=from_there).exclude(
        side=OuterRef("seat__side")
    )
    count = unread.order_by().values("match").annotate(number=Count("pk")).values("number")
    unread_by_match: Unread = {}
    for match, side, number in own_devices.annotate(unread=Coalesce(Subquery(count), 0)).values_list(
        "seat__match", "seat__side", "unread"
    ):
        unread_by_match.setdefault(match, {})[side] = number
    return unread_by_match


def show_matches(matches: Sequence[Match], unread_by_match: Unread) -> list[dict[str, object]]:
    """Matches as the first page lists them, those that wait for this browser first."""
    standings = find_standings({match: _sees(unread_by_match.get(match.pk, {})) for match in matches})
    free = find_free_seats(
        [match.pk for match in matches if {*standings[match.pk].awaited} - {*unread_by_match.get(match.pk, {})}]
    )
    last_episodes = read_last(matches)
    rows = [
        show_match_row(
            match,
            unread_by_match.get(match.pk, {}),
            standings[match.pk],
            last_episodes.get(match.pk),
            free.get(match.pk, set()),
        )
        for match in matches
    ]
    return sorted(rows, key=lambda row: not row["is_my_turn"])


def find_free_seats(waiting: Sequence[str]) -> dict[str, set[str]]:
    """The sides whose seats are free, by match, for matches that wait for somebody else. One query, or none."""
    free: dict[str, set[str]] = {}
    seats = Seat.objects.filter(match__in=waiting, claimed=None) if waiting else Seat.objects.none()
    for match, side in seats.values_list("match", "side"):
        free.setdefault(match, set()).add(side)
    return free


def _sees(unread_by_side: dict[str, int]) -> Sees:
    """Whose secrets may affect what this page says about a match: with two sides on one device nobody's."""
    sides = [side for side in unread_by_side if side != OBSERVER]
    return tuple(sides) if len(sides) == 1 else ()


def say_move(match: Match, sides: Sequence[str], standing: Standing, free: Collection[str]) -> str:
    """Whose move it is, in words, for a match with one seat, with several on one device, or with one on each.

    ``sides``: those that this browser plays; ``free``: those whose seats are free.
    """
    game = registry.games()[match.game]
    awaited = [game.name_of(side) for side in standing.awaited]
    if match.ended:
        return ""
    if len(game.find_seats(match.state.options)) == 1:
        return "Your move" if sides else "In play"
    if match.hot_seat and len(sides) > 1:
        return f"{join_words(awaited)} to move" if awaited else "All sides may act"
    if standing.is_turn_of(sides):
        return "Your turn"
    if empty := [game.name_of(side) for side in standing.awaited if side in free]:
        return f"{join_words(empty)} to move: {'that seat is' if len(empty) == 1 else 'those seats are'} still free"
    return f"Waiting for {join_words(awaited)}" if awaited else "All sides may act"


def show_match_row(
    match: Match, unread_by_side: dict[str, int], standing: Standing, last: Episode | None, free: Collection[str]
) -> dict[str, object]:
    """One match: the game, the sides this browser plays, where it stands, whom it waits for, and what came ``last``.

    ``free``: the sides whose seats are free.
    """
    game = registry.games()[match.game]
    sides = [side for side in sorted(unread_by_side, key=game.rank_of) if side != OBSERVER]
    ending = conducting.find_ending(match)
    return {
        "match": match,
        "address": home_of(match),
        "game": game,
        "sides": [(game.rank_of(side), game.name_of(side)) for side in sides],
        "headings": (ending,) if ending else standing.headings,
        "ending": ending,
        "is_my_turn": standing.is_turn_of(sides),
        "move": "" if ending else say_move(match, sides, standing, free),
        "over_line": match.state.over_line if match.state.over and match.state.over not in sides else "",
        "last": last,
        "last_by": game.name_of(last.first.side) if last else "",
        "unread": min(unread_by_side.values(), default=0),
        "is_more_unread": min(unread_by_side.values(), default=0) >= MOST_UNREAD,
    }
