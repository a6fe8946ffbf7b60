"""The record of the firefight: turns, batteries, aircraft, nests, and what becomes of units."""

from collections.abc import Mapping

from campaign.acts.turns import D10
from campaign.ledger.ledger import Ledger
from campaign.ledger.pieces import list_flak_against
from campaign.models import Group
from campaign.rules.reports import News
from campaign.rules.rosters import BATTERIES, GroupType
from campaign.rules.stages import Stage
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.games.combat_stalingrad.rules.turn import LAST_TURN
from firefight.table.act.table import Table

from .counters import show_piece
from .steps import standing_at
from .units import group_units, name_group, pile_units, say_standing


def present_firefight(table: Table, ledger: Ledger) -> dict[str, object]:
    """The page of the record."""
    own_side = Side(table.side) if table.plays else None
    is_on, turn, ends = ledger.stage is Stage.FIREFIGHT, table.match.state.turn, ledger.card.end_numbers
    units = [unit for unit in ledger.in_play(own_side) if ledger.sets_up(unit)] if own_side else []
    may_act = own_side if is_on and not table.match.ended else None
    return {
        "is_on": is_on,
        "turn": turn,
        "turns": [
            (number, _say_end(number, ends), standing_at(number, turn) if is_on else "")
            for number in range(1, LAST_TURN + 1)
        ],
        "end_number": ends.get(turn) if turn < LAST_TURN else None,
        "is_last_turn": turn == LAST_TURN,
        "dice": [D10],
        "random_hex": ledger.random_hex,
        "batteries": _list_groups(ledger, may_act, *BATTERIES),
        "aircraft": _list_groups(ledger, may_act, GroupType.AIRCRAFT),
        "nests": _list_groups(ledger, may_act, GroupType.NEST),
        "news": [(news.value, news.word) for news in News],
        "units": group_units(ledger, units),
    }


def _say_end(turn: int, ends: Mapping[int, int]) -> str:
    return "the last" if turn == LAST_TURN else f"ends above {ends[turn]}" if turn in ends else ""


def _list_groups(ledger: Ledger, may_act: Side | None, *types: GroupType) -> list[dict[str, object]]:
    """Both sides' groups of these types. ``may_act``: the side whose groups have buttons."""
    return [_show_group(ledger, side, group, may_act) for side in Side for group in ledger.list_groups(side, *types)]


def _show_group(ledger: Ledger, side: Side, group: Group, may_act: Side | None) -> dict[str, object]:
    units, stands = ledger.units_of(group), group.standing == Group.Standing.IN_PLAY
    return {
        "group": group,
        "side": side,
        "title": name_group(ledger, group),
        "standing": say_standing(ledger, group),
        "stands": stands,
        "may_act": side is may_act and stands,
        "listed": ledger.roster_line(group),
        "units": len(units),
        "piles": pile_units(ledger, units),
        "flak": [(piece.counter, show_piece(piece)) for piece in list_flak_against(ledger, side)] if units else [],
        "must_roll": group.mark == Group.Sign.HERE and group.since < ledger.match.state.turn,
    }
