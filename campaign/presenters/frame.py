"""What every page of a campaign shows: where it stands, both sides' CP and tasks, and what came of a posted form."""

from dataclasses import dataclass, field

from django.http import QueryDict

from campaign.ledger.ledger import Ledger
from campaign.rules.maps import lay_sectors
from campaign.rules.stages import Stage
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.table.act.lines import LogLine
from firefight.table.act.table import Table
from firefight.table.consent import matters
from firefight.table.seats import visits
from firefight.table.seats.turns import is_own_turn

from .board import address_board
from .standing import describe_standing
from .steps import climb_ladder, describe_task


@dataclass(frozen=True)
class Reply:
    """What a page answers to a posted form that was refused or lacks dice, above what was typed.

    ``needs``: the names of the dice that are still missing.
    ``leaves_open``: the form may be sent again to leave something open all the same. Whoever was told that the campaign
    has moved on is asked again.
    """

    troubles: list[str] = field(default_factory=list)
    needs: tuple[str, ...] = ()
    posted: QueryDict = field(default_factory=QueryDict)
    status: int = 200
    leaves_open: bool = False

    @property
    def waits_for_dice(self) -> bool:
        """Whether the form lacks nothing but dice."""
        return bool(self.needs)


def present_frame(table: Table, ledger: Ledger, reply: Reply, done: list[LogLine]) -> dict[str, object]:
    """The head of every page. ``done``: the lines of the log of the act that led back to it."""
    match, standing = table.match, describe_standing(ledger)
    return {
        "table": table,
        "match": match,
        "game": table.game,
        "map_style": address_board(lay_sectors(ledger.content.sector_map), match).style,
        "ledger": ledger,
        "campaign": ledger.campaign,
        "card": ledger.card,
        "stage": ledger.stage,
        "time": ledger.time,
        "turn_now": match.state.turn if ledger.stage is Stage.FIREFIGHT else None,
        "reorganizes": ledger.stage is Stage.REORGANIZATION,
        "is_over": ledger.stage is Stage.OVER,
        "steps": climb_ladder(ledger),
        "sides": [_present_side(ledger, side) for side in Side],
        "own": Side(table.side) if table.plays else None,
        "acts_here": table.plays and not match.ended,
        "version": match.version,
        "last_number": match.last_number,
        "pending": matters.describe_pending(table),
        "troubles": reply.troubles,
        "waits_for_dice": reply.waits_for_dice,
        "needs": reply.needs,
        "leaves_open": reply.leaves_open or (reply.waits_for_dice and reply.posted.get("leaves") == "on"),
        "posted": reply.posted,
        "ticked": reply.posted.getlist("unit"),
        "done": done,
        "is_my_turn": is_own_turn(table, standing),
        "awaited": [Side(side).word for side in standing.awaited],
        "since": visits.find_missed(table),
    }


def _present_side(ledger: Ledger, side: Side) -> dict[str, object]:
    return {
        "side": side,
        "name": side.word,
        "balance": ledger.balance(side),
        "task": describe_task(ledger, side),
    }
