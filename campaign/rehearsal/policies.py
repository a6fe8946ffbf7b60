"""Who plays a side of a campaign in a rehearsal: what they buy, whether they attack, whom they send, who leaves."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from campaign.ledger.ledger import Ledger
from campaign.models import Unit
from campaign.phase import lookups
from campaign.rules.orders import Order
from campaign.rules.purchases import Offer, make_offer
from campaign.rules.rosters import GroupType
from campaign.rules.sectors import Holding
from campaign.rules.steps import FINAL_STEPS
from campaign.rules.victory import find_verdict
from firefight.games.combat_stalingrad.rules.marks import is_unit
from firefight.games.combat_stalingrad.rules.sides import Side

# What a rehearsal makes nothing of, so that nobody spends CP on it: no shell falls, and nothing flies.
UNUSED = (GroupType.ATTACK, GroupType.ARTILLERY, GroupType.BOMBARDMENT, GroupType.AIRCRAFT)


@dataclass(frozen=True, slots=True)
class Player:
    """``keeps``: the share of its CP that a side does not spend on groups. ``advances``: how likely a unit at the enemy
    goes on in a firefight, in a hundred. ``holds_out``: it leaves a sector to the enemy only where it has fewer than
    this share of the enemy's units, in a hundred. ``goes_on``: how likely a survivor goes to the neighbouring sector
    that has the most enemies around, in a hundred.
    """

    keeps: int
    advances: int
    holds_out: int
    goes_on: int
    attacks_always: bool

    # Purchases and orders

    def choose_purchase(self, ledger: Ledger, side: Side, chance: Random) -> str:
        """The next group to buy, "" for no more."""
        offers = [
            each for each in list_offers(ledger, side) if ledger.balance(side) - each.price >= self._save(ledger, side)
        ]
        if not offers:
            return ""
        dearest = max(offer.price for offer in offers)
        return chance.choice([offer.group.id for offer in offers if offer.price == dearest])

    def _save(self, ledger: Ledger, side: Side) -> int:
        """What stays in hand: the part that it keeps, and what an Attack costs if it is to be one."""
        attack = offer_attack(ledger, side)
        wanted = attack.price if attack and not attack.objections and self._wants_attack(ledger, side) else 0
        received = sum(
            line.amount
            for line in ledger.lines[side].values()
            if line.amount > 0 and line.firefight == ledger.campaign.firefight
        )
        return wanted + received * self.keeps // 100

    def choose_order(self, ledger: Ledger, side: Side) -> Order:
        """Attack or Hold (20.5.3)."""
        attack = offer_attack(ledger, side)
        can = attack is not None and not attack.objections
        return Order.ATTACK if can and self._wants_attack(ledger, side) else Order.HOLD

    def _wants_attack(self, ledger: Ledger, side: Side) -> bool:
        """Always, or only while as things stand the campaign would not be won."""
        verdict = find_verdict(ledger.card.verdicts, ledger.content.sector_map, ledger.control)
        return self.attacks_always or verdict.winner is not side

    # On the map

    def choose_place(self, ledger: Ledger, side: Side, open_to: Sequence[int], chance: Random) -> int:
        """Where new units set up: who goes on sends them to the enemy, others to where they have the fewest."""
        own = count_own_units(ledger, side)
        if chance.randrange(100) < self.goes_on:
            return max(open_to, key=lambda sector: (count_threats(ledger, side, sector), -sector))
        return min(open_to, key=lambda sector: (own.get(sector, 0), sector))

    def choose_advance(self, ledger: Ledger, side: Side, unit: Unit, chance: Random) -> int | None:
        """The neighbouring sector that a unit goes into in a firefight; None, and it stays."""
        if unit.sector is None or chance.randrange(100) >= self.advances:
            return None
        around = ledger.content.sector_map.neighbours[unit.sector]
        goals = [sector for sector in around if ledger.control[sector].side is not side]
        return chance.choice(goals) if goals else None

    def choose_leavers(self, ledger: Ledger, side: Side, chance: Random) -> dict[int, int]:
        """Who tries to leave, and for where, in the present step of the Reorganization Phase."""
        candidates = lookups.list_candidates(ledger, side)
        if lookups.step(ledger) in FINAL_STEPS:
            return self._choose_new_line(ledger, side, candidates, chance)
        sector = ledger.phase.sector
        own, enemies = (count_own_units(ledger, each).get(sector or 0, 0) for each in (side, side.other))
        if own * 100 >= enemies * self.holds_out:
            return {}
        return {
            unit.number: min(goals, key=lambda goal: (goals[goal].side is not side, goal)) for unit, goals in candidates
        }

    def _choose_new_line(
        self, ledger: Ledger, side: Side, candidates: Iterable[tuple[Unit, Mapping[int, Holding]]], chance: Random
    ) -> dict[int, int]:
        """Survivors go on to where the enemy is near, if they do."""
        going = [(unit, goals) for unit, goals in candidates if chance.randrange(100) < self.goes_on]
        return {
            unit.number: max(goals, key=lambda goal: (count_threats(ledger, side, goal), -goal))
            for unit, goals in going
        }


CAUTIOUS = Player(keeps=50, advances=15, holds_out=100, goes_on=10, attacks_always=False)
HUNGRY = Player(keeps=0, advances=50, holds_out=0, goes_on=70, attacks_always=True)
POLICIES: dict[str, dict[Side, Player]] = {
    "cautious": dict.fromkeys(Side, CAUTIOUS),
    "hungry": dict.fromkeys(Side, HUNGRY),
    "hungry-german": {Side.GERMAN: HUNGRY, Side.RUSSIAN: CAUTIOUS},
    "hungry-russian": {Side.GERMAN: CAUTIOUS, Side.RUSSIAN: HUNGRY},
}


# What is legal


def list_offers(ledger: Ledger, side: Side) -> list[Offer]:
    """The groups that a side may buy now, but for those that a rehearsal makes nothing of."""
    situation, counters = ledger.situation(side), ledger.content.counters[side]
    wanted = [group for group in ledger.roster(side).groups.values() if group.type not in UNUSED]
    offers = [make_offer(group, counters, situation) for group in wanted]
    return [offer for offer in offers if not offer.objections]


def offer_attack(ledger: Ledger, side: Side) -> Offer | None:
    """The roster's Attack as it can be bought now, or cannot."""
    group = ledger.attack_group(side)
    return make_offer(group, ledger.content.counters[side], ledger.situation(side)) if group else None


def count_own_units(ledger: Ledger, side: Side) -> dict[int, int]:
    """A side's units by their sector."""
    found: dict[int, int] = {}
    for unit in ledger.in_play(side):
        if unit.sector is not None and is_unit(ledger.kind_of(unit).kind):
            found[unit.sector] = found.get(unit.sector, 0) + 1
    return found


def count_threats(ledger: Ledger, side: Side, sector: int) -> int:
    """How many sectors around one the enemy holds."""
    around = ledger.content.sector_map.neighbours[sector]
    return sum(ledger.control[each].side is side.other for each in around)
