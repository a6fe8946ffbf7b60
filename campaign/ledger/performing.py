"""Performing an act of a side in a campaign.

An act is its body, declared with the stages in which it may be done::

    @campaign_act(Stage.PURCHASES)
    def refund(act: CampaignAct, number: int) -> None: ...

    refund(table, act_id, version, number)  # does it in one transaction; returns Done

Everything goes through ``firefight.table.act.performing.perform``: one POST, one transaction, the match's row held, an
act id that counts once. What the act changed in the ledger is kept with it, so that it can be taken back.
"""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from campaign.rules.stages import Stage
from firefight.engine.errors import BlankCells, MissingChart
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import Act, LogEntry, Match
from firefight.table.act import performing, snapshots, undo
from firefight.table.act.act import Done
from firefight.table.act.memory import without_collecting
from firefight.table.act.refusals import Stale
from firefight.table.act.table import Table

from . import missions
from .act import CampaignAct, Unfit
from .ledger import load

P = ParamSpec("P")


def campaign_act(
    *stages: Stage,
) -> Callable[[Callable[Concatenate[CampaignAct, P], None]], Callable[Concatenate[Table, str, int | None, P], Done]]:
    """Make an act of a side from its body; it may be done in these stages, or in all if none is named.

    The act takes the table, the act id and the version of its form, then what its body takes after the
    CampaignAct. If the body raises anything, nothing has changed.
    """

    def declare(
        body: Callable[Concatenate[CampaignAct, P], None],
    ) -> Callable[Concatenate[Table, str, int | None, P], Done]:
        @wraps(body)
        def act_of_side(table: Table, act_id: str, version: int | None, /, *args: P.args, **kwargs: P.kwargs) -> Done:
            def do(act: CampaignAct) -> None:
                act.expect(*stages)
                body(act, *args, **kwargs)

            return perform(table, act_id, version, do)

        return act_of_side

    return declare


def perform(table: Table, act_id: str, version: int | None, do: Callable[[CampaignAct], None]) -> Done:
    """Do one act on the campaign of a match. Raises Refused, Stale, Incomplete; then nothing has changed.

    A form is stale once its own side has acted, or the stage or the turn has changed, since it was drawn. Anything
    else that the other side does meanwhile does not matter: both buy at the same time.
    """

    def do_on_ledger(match: Match, row: Act) -> list[LogEntry]:
        act = CampaignAct(match, row, Side(table.side), load(match), table.plays_all)
        check_fresh(act, version)
        try:
            do(act)
        except (MissingChart, BlankCells) as error:
            raise Unfit(str(error)) from error
        missions.mirror(act.ledger)
        LogEntry.objects.bulk_create(act.entries)
        undo.keep_rows(row, act.ledger.rows())
        act.keep_chapter()
        snapshots.keep_snapshots(act.chapters)
        return act.entries

    with without_collecting():  # a hurried act makes tens of thousands of small values
        return performing.perform(table, act_id, None, do_on_ledger)


def check_fresh(act: CampaignAct, version: int | None) -> None:
    """Raise Stale where a form was drawn before its own side acted, or before the stage or the turn changed."""
    drawn_version = version or 0
    later = act.match.acts.filter(number__gt=drawn_version, side=act.side)
    if drawn_version < act.campaign.stage_since or drawn_version > act.match.version or later.exists():
        raise Stale("The campaign has moved on since this form was drawn. Nothing was done: look again, then go on.")
