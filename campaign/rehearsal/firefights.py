"""A firefight by lots: which units moved and what happened to them, as players report it (20.5.8 step 4, 20.11.1).

The board game's firefights are not part of a rehearsal: a policy says which units advance, lots say what that costs.
"""

from dataclasses import replace
from random import Random

from campaign.acts.reporting import report
from campaign.acts.turns import end_turn
from campaign.models import Unit
from campaign.rules.reports import News
from firefight.games.combat_stalingrad.rules.counters import CounterKind
from firefight.games.combat_stalingrad.rules.marks import Mark, is_unit, may_carry
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.games.combat_stalingrad.rules.turn import LAST_TURN

from .policies import Player
from .unsaved import APP, UnsavedCampaign

# Of a hundred units: what happens to those that advance, and to those that stay.
GOING = {News.ELIMINATED: 8, News.PINNED: 10, News.DISRUPTED: 8}
STAYING = {News.ELIMINATED: 3, News.PINNED: 5, News.DISRUPTED: 4}
MEETING = 30  # in a hundred advances to where the enemy is
BINDING = frozenset({Mark.M_KILLED, Mark.CLOSE_COMBAT})  # a unit with one of them goes nowhere
# What happens to a unit by its kind instead, half of the times that it would be pinned.
OF_KIND = {
    CounterKind.SQUAD: News.REDUCED,
    CounterKind.LEADER: News.WOUNDED,
    CounterKind.VEHICLE: News.M_KILLED,
}


def fight_by_lots(campaign: UnsavedCampaign, players: dict[Side, Player], chance: Random) -> None:
    """A whole firefight; the Attacker goes first."""
    attacker = Side(campaign.ledger.campaign.attacker)
    for side in (attacker, attacker.other):
        for unit in list(campaign.ledger.in_play(side)):
            if unit.sector is not None and is_unit(campaign.ledger.kind_of(unit).kind):
                _lead(campaign, side, unit, players[side], chance)
    state = campaign.ledger.match.state
    campaign.ledger.match.state = replace(state, turn=LAST_TURN)
    campaign.do(end_turn, attacker, APP, leaves=True)


def _lead(campaign: UnsavedCampaign, side: Side, unit: Unit, player: Player, chance: Random) -> None:
    """One unit through a firefight."""
    is_bound = not BINDING.isdisjoint(unit.marks)
    goal = None if is_bound else player.choose_advance(campaign.ledger, side, unit, chance)
    if goal is not None:
        campaign.do(report, side, [unit.number], News.MOVE, goal)
        _meet(campaign, side, unit, chance)
    news = _draw_news(campaign, unit, GOING if goal is not None else STAYING, chance)
    if news:
        campaign.do(report, side, [unit.number], news)


def _meet(campaign: UnsavedCampaign, side: Side, unit: Unit, chance: Random) -> None:
    """Now and then two units end the firefight in one hex, in Close Combat: at most one pair in a sector (19.1.6)."""
    enemies_present = [enemy for enemy in campaign.ledger.in_play(side.other) if enemy.sector == unit.sector]
    able_enemies = [
        enemy for enemy in enemies_present if Mark.CLOSE_COMBAT in may_carry(campaign.ledger.kind_of(enemy).kind)
    ]
    is_able = Mark.CLOSE_COMBAT in may_carry(campaign.ledger.kind_of(unit).kind)
    if (
        not (able_enemies and is_able)
        or any(enemy.hex for enemy in enemies_present)
        or chance.randrange(100) >= MEETING
    ):
        return
    hex_name = f"{chr(ord('A') + (unit.sector or 0))}5"
    for owner, fighter in ((side, unit), (side.other, chance.choice(able_enemies))):
        campaign.do(report, owner, [fighter.number], News.STANDS, hex_name=hex_name)
        campaign.do(report, owner, [fighter.number], News.CLOSE_COMBAT)


def _draw_news(campaign: UnsavedCampaign, unit: Unit, shares: dict[News, int], chance: Random) -> News | None:
    """What happens to a unit, if anything does."""
    kind, lot = campaign.ledger.kind_of(unit).kind, chance.randrange(100)
    for news, share in shares.items():
        lot -= share
        if lot < 0:
            final_news = OF_KIND.get(kind, news) if news is News.PINNED and chance.random() < 0.5 else news
            return final_news if _can_happen_to(final_news, unit, kind) else None
    return None


def _can_happen_to(news: News, unit: Unit, kind: CounterKind) -> bool:
    if news is News.ELIMINATED:
        return True
    return Mark(news.value) in may_carry(kind) and (news is News.WOUNDED or news.value not in unit.marks)
