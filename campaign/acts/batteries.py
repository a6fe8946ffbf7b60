"""What batteries do in a firefight, as their owner notes it (17.3.1, 20.8.2)."""

from enum import StrEnum

from campaign.ledger.act import CampaignAct, Unfit
from campaign.ledger.performing import campaign_act
from campaign.models import Group
from campaign.rules.rosters import BATTERIES
from campaign.rules.stages import Stage


class BatteryNews(StrEnum):
    """What can be reported of a battery."""

    FFE = "ffe"
    LOST = "lost"


@campaign_act(Stage.FIREFIGHT)
def note_battery(act: CampaignAct, number: int, news: BatteryNews) -> None:
    """Note that a battery has placed an FFE, so that it is used up afterwards (20.8.2), or is out (17.3.1)."""
    group = act.find_own(act.ledger.groups, number, "battery")
    line = act.ledger.roster_line(group)
    if line.type not in BATTERIES or group.standing != Group.Standing.IN_PLAY:
        raise Unfit(f"{group.rg} is not a battery in play.")
    if news is BatteryNews.LOST:
        group.standing = Group.Standing.LOST
        act.tell(f"{act.name}: {group.rg} {line.unit} is out of the campaign (17.3.1).")
    elif group.mark == Group.Sign.FFE:
        raise Unfit(f"{group.rg} has placed an FFE already.")
    else:
        group.mark = Group.Sign.FFE
        act.tell(f"{act.name}: {group.rg} {line.unit} has placed an FFE, and is used up after this firefight.")
