"""How a match begins."""

from collections.abc import Mapping

from django.db import transaction

from firefight.columns import MatchState
from firefight.games.chartbooks import shipped_row
from firefight.kit.game import Game
from firefight.models import ChartBook, LogEntry, Match
from firefight.table.act import snapshots, writing
from firefight.table.act.writing import GROWS

from . import seating

Kind = LogEntry.Kind


def new_match(
    game: Game,
    name: str,
    hot_seat: bool,
    book: ChartBook | None = None,
    has_ledger: bool = False,
    options: Mapping[str, str] | None = None,
    **more: object,
) -> tuple[Match, dict[str, str]]:
    """Sit down to a game: the match with a book pinned, the shipped one unless given, and each seat's token.

    ``has_ledger``: whoever makes the ledger takes the first snapshot with it. ``options``: what was agreed, the usual
    where it says nothing. ``more``: an id or a seed of the caller's choice.
    """
    agreed = {option.slug: option.usual for option in game.all_options} | dict(options or {})
    with transaction.atomic():
        match = Match(
            game=game.slug,
            name=name,
            hot_seat=hot_seat,
            book=book or shipped_row(game.slug),
            state=MatchState(options=agreed, record=game.record.defaults).at(game.find_course(agreed).begin()),
            **more,
        )
        match.save(force_insert=True)
        sentences = ["The match begins.", *(f"{line}." for line in game.describe_options(agreed, all_readings=False))]
        sentences.append(f"Its dice are sealed as {match.commitment}.")
        writing.record(match, None, Kind.SEAT, "", " ".join(sentences), inputs=writing.describe_match_head(match))
        match.save(update_fields=GROWS)
        if not has_ledger:
            snapshots.take_snapshot(match, match.version, snapshots.BEGINNING)
        tokens = seating.create_seats(match, game.find_seats(agreed))
    return match, tokens
