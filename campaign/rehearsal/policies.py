"""Players of a campaign's rehearsal: what they buy, whether they attack, which units they send, which leave."""

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

# What a rehearsal has no use for, so that nobody spends CP on it: no shell falls, and nothing flies.
UNUSED = (GroupType.ATTACK, GroupType.ARTILLERY, GroupType.BOMBARDMENT, GroupType.AIRCRAFT)


@dataclass(frozen=True, slots=True)
class Player:
    """``keeps``: the share of its CP that a side does not spend on groups. ``advances``: how likely a unit next to the
    enemy goes on in a firefight. ``holds_out``: it leaves a sector to the enemy only with fewer than this share of the
    enemy's units. ``goes_on``: how likely a survivor goes to the neighbouring sector with the most enemies around. All
    in percent.
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
            offer
            for offer in list_offers(ledger, side)
            if ledger.balance(side) - offer.price >= self._save(ledger, side)
        ]
        if not offers:
            return ""
        dearest = max(offer.price for offer in offers)
        return chance.choice([offer.group.id for offer in offers if offer.price == dearest])

    def _save(self, ledger: Ledger, side: Side) -> int:
        """What stays in hand: the share that it keeps, and the price of an Attack if it wants one."""
        attack = offer_attack(ledger, side)
        attack_price = attack.price if attack and not attack.objections and self._wants_attack(ledger, side) else 0
        received = sum(
            line.amount
            for line in ledger.lines[side].values()
            if line.amount > 0 and line.firefight == ledger.campaign.firefight
        )
        return attack_price + received * self.keeps // 100

    def choose_order(self, ledger: Ledger, side: Side) -> Order:
        """Attack or Hold (20.5.3)."""
        attack = offer_attack(ledger, side)
        can_attack = attack is not None and not attack.objections
        return Order.ATTACK if can_attack and self._wants_attack(ledger, side) else Order.HOLD

    def _wants_attack(self, ledger: Ledger, side: Side) -> bool:
        """Always, or only while the campaign would not be won as the map stands."""
        verdict = find_verdict(ledger.card.verdicts, ledger.content.sector_map, ledger.control)
        return self.attacks_always or verdict.winner is not side

    # On the map

    def choose_place(self, ledger: Ledger, side: Side, open_to: Sequence[int], chance: Random) -> int:
        """Where new units set up: near the enemy if the player goes on, otherwise where there are the fewest."""
        own_counts = count_own_units(ledger, side)
        if chance.randrange(100) < self.goes_on:
            return max(open_to, key=lambda sector: (count_threats(ledger, side, sector), -sector))
        return min(open_to, key=lambda sector: (own_counts.get(sector, 0), sector))

    def choose_advance(self, ledger: Ledger, side: Side, unit: Unit, chance: Random) -> int | None:
        """The neighbouring sector that a unit goes into in a firefight; None if it stays."""
        if unit.sector is None or chance.randrange(100) >= self.advances:
            return None
        around = ledger.content.sector_map.neighbours[unit.sector]
        goals = [sector for sector in around if ledger.control[sector].side is not side]
        return chance.choice(goals) if goals else None

    def choose_leavers(self, ledger: Ledger, side: Side, chance: Random) -> dict[int, int]:
        """Which units try to leave, and for where, in the present step of the Reorganization Phase."""
        candidates = lookups.list_candidates(ledger, side)
        if lookups.step(ledger) in FINAL_STEPS:
            return self._choose_new_line(ledger, side, candidates, chance)
        sector = ledger.phase.sector
        own_count, enemy_count = (count_own_units(ledger, either).get(sector or 0, 0) for either in (side, side.other))
        if own_count * 100 >= enemy_count * self.holds_out:
            return {}
        return {
            unit.number: min(goals, key=lambda goal: (goals[goal].side is not side, goal)) for unit, goals in candidates
        }

    def _choose_new_line(
        self, ledger: Ledger, side: Side, candidates: Iterable[tuple[Unit, Mapping[int, Holding]]], chance: Random
    ) -> dict[int, int]:
        """The survivors that go on, and the sectors near the enemy that they go to."""
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
    """The groups that a side may buy now, without those that a rehearsal has no use for."""
    situation, counters = ledger.situation(side), ledger.content.counters[side]
    usable = [group for group in ledger.roster(side).groups.values() if group.type not in UNUSED]
    offers = [make_offer(group, counters, situation) for group in usable]
    return [offer for offer in offers if not offer.objections]


def offer_attack(ledger: Ledger, side: Side) -> Offer | None:
    """The roster's Attack as it can be bought now, or cannot."""
    group = ledger.attack_group(side)
    return make_offer(group, ledger.content.counters[side], ledger.situation(side)) if group else None


def count_own_units(ledger: Ledger, side: Side) -> dict[int, int]:
    """A side's units by their sector."""
    counts: dict[int, int] = {}
    for unit in ledger.in_play(side):
        if unit.sector is not None and is_unit(ledger.kind_of(unit).kind):
            counts[unit.sector] = counts.get(unit.sector, 0) + 1
    return counts


def count_threats(ledger: Ledger, side: Side, sector: int) -> int:
    """How many sectors around this one the enemy holds."""
    around = ledger.content.sector_map.neighbours[sector]
    return sum(ledger.control[neighbour].side is side.other for neighbour in around)
