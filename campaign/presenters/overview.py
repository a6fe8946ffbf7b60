"""Where the campaign stands and what is to be done now; the CP lines, the newest log."""

from collections.abc import Callable

from django.utils.safestring import mark_safe

from campaign.acts import orders
from campaign.ledger.ledger import Ledger
from campaign.pictures import figures
from campaign.pictures.board import LEGEND
from campaign.pictures.paints import MAP
from campaign.rules import victory
from campaign.rules.orders import Order
from campaign.rules.stages import Stage
from firefight.drawing import svg
from firefight.engine.values import Json
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.table.act.table import Table
from firefight.table.log import reading

from .sealed import list_unplotted
from .sectors import list_spots, present_bill

RECENT = 6


def present_overview(table: Table, ledger: Ledger) -> Json:
    """The page, with the panel of the present stage."""
    panel, present = _PANELS[ledger.stage]
    return {
        "panel": f"campaign/_now_{panel}.html",
        "may_concede": table.plays and not table.match.ended and ledger.stage is not Stage.OVER,
        "recent": reading.newest_lines(table.match, table.sees)[:RECENT],
        "cp_lines": [line for side in Side for line in ledger.lines[side].values()],
        **_draw_map(ledger),
        "verdicts": victory.list_verdict_checks(ledger.card.verdicts, ledger.content.sector_map, ledger.control),
        **present(table, ledger),
    }


def _draw_map(ledger: Ledger) -> Json:
    """The map as far as it is known, in the colours of the page."""
    map_drawing = figures.sector_map(ledger.content.sector_map.drawing, list_spots(ledger), legend=False)
    return {
        "map_picture": mark_safe(svg.draw_figure(map_drawing, "sector-map map")),
        "map_patterns": mark_safe(svg.defs(MAP)),
        "map_legend": LEGEND,
    }


def _present_reinforcements(table: Table, ledger: Ledger) -> Json:
    if not table.plays or table.match.ended or table.side in ledger.campaign.ready:
        return {}
    forces = ledger.forces(Side(table.side))
    return {"forces": forces, "dice": [forces.die]}


def _present_orders(table: Table, ledger: Ledger) -> Json:
    if not table.plays:
        return {}
    side = Side(table.side)
    attack, fixed = ledger.attack_group(side), ledger.fixed_order(side)
    return {
        "fixed_role": fixed and ("Attacker" if fixed is Order.ATTACK else "Defender"),
        "own_orders": ledger.orders_of(side),
        "attack": attack,
        "attack_left": attack.boxes[ledger.campaign.card] - ledger.bought(side)[attack.id] if attack else 0,
        "both_sealed": len(ledger.campaign.ready) == len(Side),
    }


def _present_priority(table: Table, ledger: Ledger) -> Json:
    adding = [side.word for side in Side if (seal := ledger.orders_of(side)) and seal.orders.bonus]
    return {"dice": orders.TIE_DICE, "adding": adding}


def _present_setup(table: Table, ledger: Ledger) -> Json:
    side = ledger.setting_up
    if side is None:
        return {}
    is_own = side == table.side
    return {
        "attacker_name": Side(ledger.campaign.attacker).word,
        "waits_for": side.word,
        "sets_up": is_own and not table.match.ended,
        "bill": present_bill(ledger, side) if is_own else None,
        "unplotted": list_unplotted(ledger, Side(table.side)) if table.plays and not table.match.ended else [],
    }


_PANELS: dict[Stage, tuple[str, Callable[[Table, Ledger], Json]]] = {
    Stage.REINFORCEMENTS: ("reinforcements", _present_reinforcements),
    Stage.PURCHASES: ("purchases", _present_orders),
    Stage.PRIORITY: ("priority", _present_priority),
    Stage.SETUP: ("setup", _present_setup),
    Stage.FIREFIGHT: ("firefight", lambda table, ledger: {}),
    Stage.REORGANIZATION: ("reorganization", lambda table, ledger: {}),
    Stage.OVER: ("over", lambda table, ledger: {"may_end": table.plays and not table.match.ended}),
}
