"""Where a campaign stands: the ladder of its stages, and what each side has to do now."""

from dataclasses import dataclass

from campaign.ledger.ledger import Ledger
from campaign.phase import conductor, lookups
from campaign.rules.stages import Stage, ladder
from firefight.engine.text import without_capital
from firefight.games.combat_stalingrad.rules.sides import Side

NOTHING = ""


@dataclass(frozen=True, slots=True)
class Rung:
    """One stage of the ladder. ``standing``: done, now or next."""

    stage: Stage
    standing: str


def climb_ladder(ledger: Ledger) -> list[Rung]:
    """The ladder of the firefight ahead: what is done, where the campaign stands, what comes."""
    # The phase after a firefight is the first step towards the next one.
    is_between = ledger.stage is Stage.REORGANIZATION
    order = list(ladder(ledger.campaign.firefight + is_between))
    present = order.index(ledger.stage) if ledger.stage in order else len(order)
    return [
        Rung(stage, standing_at(place, present))
        for place, stage in enumerate(order)
        if stage is not Stage.PRIORITY or place == present
    ]


def standing_at(place: int, present: int) -> str:
    """Whether a step is done, now or next, by its place in the order and the place of the present one."""
    return "done" if place < present else "now" if place == present else "next"


def describe_task(ledger: Ledger, side: Side) -> str:
    """What a side has to do now, in words that both may read; NOTHING when the campaign is over."""
    done = side in ledger.campaign.ready
    match ledger.stage:
        case Stage.REINFORCEMENTS:
            return "has its CP" if done else "rolls for its reinforcements"
        case Stage.PURCHASES:
            return "has sealed its orders" if done else "buys, then seals its orders"
        case Stage.PRIORITY:
            return "rolls a d10"
        case Stage.SETUP:
            return "has set up" if done else "sets up" if ledger.setting_up is side else "waits: it sets up second"
        case Stage.FIREFIGHT:
            return "plays"
        case Stage.REORGANIZATION:
            decides = side in conductor.find_deciders(ledger)
            return f"decides: {without_capital(lookups.step(ledger).word)}" if decides else "waits"
        case _:
            return NOTHING
