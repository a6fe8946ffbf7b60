"""What a side has under seal: orders, plots, off-map observers, hidden units; and what was opened."""

from campaign.acts.orders import describe_orders
from campaign.acts.seals import BEFORE_PLAY, hexrow_of
from campaign.ledger.ledger import Ledger
from campaign.models import Group, Seal
from campaign.rules.stages import Stage
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.games.combat_stalingrad.rules.turn import LAST_TURN
from firefight.table.act.table import Table

from .units import group_units, name_group


def present_sealed(table: Table, ledger: Ledger) -> dict[str, object]:
    """The page of what is sealed; an observer sees only what was opened."""
    own_side = Side(table.side) if table.plays else None
    opened = [
        (side.word, describe_seal(seal)) for side in Side if side is not own_side for seal in list_seals(ledger, side)
    ]
    return {"opened": opened, **(_present_own(ledger, own_side) if own_side else {})}


def _present_own(ledger: Ledger, own: Side) -> dict[str, object]:
    orders = ledger.orders_of(own)
    return {
        "may_write": ledger.stage in BEFORE_PLAY,
        "may_open": ledger.stage is Stage.FIREFIGHT,
        "orders": orders and orders.standing == Seal.Standing.SEALED and describe_orders(orders.orders),
        "seals": [
            (seal, describe_seal(seal), seal.standing == Seal.Standing.SEALED) for seal in list_seals(ledger, own)
        ],
        "plotted": [
            (group, name_group(ledger, group))
            for group in ledger.list_groups(own)
            if ledger.roster_line(group).plotted and group.standing == Group.Standing.IN_PLAY
        ],
        "hidden": group_units(ledger, [unit for unit in ledger.in_play(own) if unit.hidden]),
        "hexrow": hexrow_of(ledger, own),
        "turns": range(1, LAST_TURN + 1),
    }


def list_unplotted(ledger: Ledger, side: Side) -> list[str]:
    """A side's batteries that could not fire in the firefight ahead: plotted ones without a sealed plot (17.4.8)."""
    plots = ledger.list_seals(side, Seal.Kind.PLOT)
    plotted = [seal.group for seal in plots if seal.standing == Seal.Standing.SEALED]
    return [
        name_group(ledger, group)
        for group in ledger.list_groups(side)
        if ledger.roster_line(group).plotted and group.standing == Group.Standing.IN_PLAY and group not in plotted
    ]


def list_seals(ledger: Ledger, side: Side) -> list[Seal]:
    """A side's plots and observers that are still valid, newest first."""
    return ledger.list_seals(side, Seal.Kind.PLOT, Seal.Kind.OBSERVER)[::-1]


def describe_seal(seal: Seal) -> str:
    """A plot or an observer in words."""
    if seal.kind == Seal.Kind.PLOT:
        first, second = seal.plot.hexes
        battery = seal.group.rg if seal.group else ""
        return f"{battery}: {first} or {second}, turn {seal.plot.turn}"
    return f"Off-map observer in {seal.observer.hex}"
