"""Where campaigns stand and whom they wait for: for the home page and for calling players."""

from collections.abc import Mapping

from campaign.ledger.ledger import Ledger, load_heads, read_all
from campaign.phase import conductor, lookups
from campaign.rules.stages import Stage
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import Match
from firefight.table.act.ledger_values import Sees, Standing
from firefight.table.seats.turns import find_standing
from firefight.web.addresses import address_of


def find_standings(matches: Mapping[Match, Sees]) -> dict[str, Standing]:
    """Where these campaigns stand, by match id, as far as these sides know. At most five queries."""
    ledgers = load_heads(matches)
    # Only a phase between two firefights depends on more than the campaign's own row.
    read_all([ledger for ledger in ledgers if ledger.stage is Stage.REORGANIZATION])
    return {ledger.match.pk: describe_standing(ledger.known(matches[ledger.match])) for ledger in ledgers}


def home(match: Match) -> str:
    """The campaign's page."""
    return match.state.ledger


def find_turn_page(match: Match) -> str:
    """Where a campaign's turns end: on its firefight record."""
    return address_of("campaign:firefight", match.pk)


def describe_standing(ledger: Ledger) -> Standing:
    """Where a campaign stands, and whom it waits for."""
    campaign, stage = ledger.campaign, ledger.stage
    heads = (ledger.card.label, f"firefight {campaign.firefight} of {len(ledger.card.times)}: {ledger.time}")
    if stage is Stage.FIREFIGHT:
        fight = find_standing(ledger.match)
        return Standing((*heads, *fight.headings), fight.awaited)
    step = lookups.step(ledger).word if stage is Stage.REORGANIZATION else ""
    return Standing((*heads, *filter(None, (stage.word, step))), tuple(side.value for side in find_awaited(ledger)))


def find_awaited(ledger: Ledger) -> list[Side]:
    """The sides that have to do something before the campaign goes on; nobody in a firefight or at the end."""
    match ledger.stage:
        case Stage.REINFORCEMENTS | Stage.PURCHASES:
            return [side for side in Side if side not in ledger.campaign.ready]
        case Stage.PRIORITY:
            return list(Side)
        case Stage.SETUP:
            return [ledger.setting_up] if ledger.setting_up else []
        case Stage.REORGANIZATION:
            return conductor.find_deciders(ledger)
        case _:
            return []
