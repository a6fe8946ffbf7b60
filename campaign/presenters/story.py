"""What a campaign adds to the story of its match. The frame finds this module by the settings (LEDGER_STORY)."""

from campaign.ledger.ledger import load
from firefight.engine.board.counters import id_of
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import Match

from .units import name_group


def group_titles(match: Match) -> dict[str, str]:
    """The group that each counter came with, in words, by the counter's id: who came with whom is never secret."""
    ledger = load(match)
    return {
        id_of(side.value, number): name_group(ledger, unit.group)
        for side in Side
        for number, unit in ledger.units[side].items()
    }
