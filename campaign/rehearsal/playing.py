"""The rehearsal of a campaign: stage by stage as both players' policies decide, with the real acts."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from campaign.acts.buying import buy, reinforce
from campaign.acts.orders import reveal_orders, roll_for_attacker, seal_orders
from campaign.acts.reorganizing import confirm_report, fight_round, recover, redeploy, suffer_mines
from campaign.acts.setting_up import confirm, place
from campaign.ledger.act import Unfit
from campaign.models import Unit
from campaign.phase import conductor, lookups
from campaign.rules.rosters import CAMPAIGNS, GroupType
from campaign.rules.sectors import Holding
from campaign.rules.stages import Stage
from campaign.rules.steps import FIGHTING, LEAVING, Step
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.kit import BrokenRehearsal, Played, SeededChance, Terms

from .firefights import fight_by_lots
from .policies import POLICIES, Player
from .unsaved import APP, UnsavedCampaign

MOST_ACTS = 20_000  # of one campaign: one with more would never end
MINE_FACTORS = 7  # of a hex of mines: the ledger does not say how many lie there


@dataclass
class PlayingCampaign:
    """A campaign on its way."""

    campaign: UnsavedCampaign
    players: dict[Side, Player]
    chance: Random
    choices: int = 0

    def go_on(self) -> None:
        """Do what the stage asks for, for whoever has not decided yet."""
        ledger = self.campaign.ledger
        match ledger.stage:
            case Stage.PURCHASES:
                self._buy()
            case Stage.PRIORITY:
                self.campaign.do(roll_for_attacker, Side.GERMAN, APP)
            case Stage.SETUP:
                self._set_up()
            case Stage.FIREFIGHT:
                fight_by_lots(self.campaign, self.players, self.chance)
            case Stage.REORGANIZATION:
                self._reorganize()
            case Stage.REINFORCEMENTS:
                for side in Side:
                    self.campaign.do(reinforce, side, APP)

    def _buy(self) -> None:
        for side, player in self.players.items():
            while group := player.choose_purchase(self.campaign.ledger, side, self.chance):
                self.choices += 1
                self.campaign.do(buy, side, group, APP)
            self.choices += 1
            self.campaign.do(seal_orders, side, player.choose_order(self.campaign.ledger, side))
        self.campaign.do(reveal_orders, Side.GERMAN)

    # Set-up

    def _set_up(self) -> None:
        """Set up the units of one side that are not on the map, group by group."""
        ledger = self.campaign.ledger
        side = ledger.setting_up
        if side is None:
            raise BrokenRehearsal("nobody sets up")
        for group in self._list_parties(side):
            goals = self._list_goals(group)
            if goals:
                self.choices += 1
                self._place(side, group, self.players[side].choose_place(ledger, side, goals, self.chance))
        self.campaign.do(confirm, side)

    def _list_parties(self, side: Side) -> Iterator[list[Unit]]:
        """Units that come together: a new group stays together (20.8.2), all others go by themselves."""
        ledger, parties = self.campaign.ledger, dict[int, list[Unit]]()
        for unit in ledger.in_play(side):
            if unit.sector is None and ledger.sets_up(unit):
                parties.setdefault(
                    unit.group.number if unit.group and ledger.is_new(unit) else -unit.number, []
                ).append(unit)
        yield from parties.values()

    def _list_goals(self, group: Sequence[Unit]) -> list[int]:
        """The sectors that are open to all of them at the lowest price."""
        choices = [self.campaign.ledger.places(unit) for unit in group]
        open_to = [n for n in choices[0] if all(choice[n].is_open for choice in choices)]
        cheapest = min((choices[0][n].cost for n in open_to), default=0)
        return [n for n in open_to if choices[0][n].cost == cheapest]

    def _place(self, side: Side, units: Sequence[Unit], sector: int) -> None:
        """Set them up; where that cannot be paid they wait off the map."""
        more: dict[str, object] = {}
        if units[0].group and self.campaign.ledger.roster_line(units[0].group).type is GroupType.NEST:
            more = {"building": f"House {units[0].number}", "hexes": 2}
        try:
            self.campaign.do(place, side, [unit.number for unit in units], sector, **more)
        except Unfit:
            for unit in units:
                unit.sector = None

    # The Reorganization Phase

    def _reorganize(self) -> None:
        ledger = self.campaign.ledger
        deciders = conductor.find_deciders(ledger)
        if not deciders:
            raise BrokenRehearsal("nobody can go on")
        side, step = deciders[0], lookups.step(ledger)
        if step is Step.AFTER_ACTION:
            self.campaign.do(confirm_report, side)
        elif step in FIGHTING:
            self.campaign.do(fight_round, side)
        elif step is Step.UPKEEP:
            self.campaign.do(recover, side, APP)
        elif step in LEAVING and (mined := [unit for unit, is_sure in lookups.list_mined(ledger, side) if is_sure]):
            self.campaign.do(suffer_mines, side, [mined[0].number], MINE_FACTORS, 0, APP)
        else:
            self.choices += 1
            self.campaign.do(redeploy, side, self.players[side].choose_leavers(ledger, side, self.chance), APP)


@dataclass(frozen=True, slots=True)
class CampaignRehearsal:
    """A campaign from its first purchases to its end, with firefights by lots."""

    policies: Mapping[str, dict[Side, Player]]
    terms: Mapping[str, Sequence[str]]
    agreed: Mapping[str, str] = field(default_factory=dict)

    def play(self, policy: str, seed: int, terms: Terms) -> Played:
        """One campaign. Raises BrokenRehearsal, which names the seed."""
        campaign = UnsavedCampaign.begin(terms.options["card"], seed, terms.is_checked)
        stage = PlayingCampaign(campaign, self.policies[policy], SeededChance(seed).lots)
        while campaign.ledger.stage is not Stage.OVER:
            before = campaign.counts.total()
            try:
                stage.go_on()
            except Exception as error:
                raise BrokenRehearsal(f"Seed {seed}, {campaign.ledger.stage.word}, act {before}: {error!r}") from error
            if not before < campaign.counts.total() < MOST_ACTS:
                raise BrokenRehearsal(f"Seed {seed} does not go on after act {before}.")
        outcome = campaign.ledger.campaign.outcome.partition(":")[0].rstrip(".")
        acts = campaign.counts.total()
        return Played(seed, outcome, acts, stage.choices, campaign.throws, measure(campaign), tuple(campaign.flaws))


def measure(campaign: UnsavedCampaign) -> dict[str, int]:
    """The outcome of a campaign in numbers."""
    ledger = campaign.ledger
    numbers = {"firefights": ledger.campaign.firefight, "rounds of close combat": campaign.counts["fight_round"]}
    for side in Side:
        numbers[f"sectors that fell to the {side.word}"] = campaign.settled[Holding(side)]
    numbers["sectors left to nobody"] = campaign.settled[Holding.NOBODY]
    for side in Side:
        numbers[f"{side.word} CP spent"] = -sum(line.amount for line in ledger.lines[side].values() if line.amount < 0)
        numbers[f"{side.word} losses"] = sum(unit.fate == Unit.Fate.ELIMINATED for unit in ledger.units[side].values())
        numbers[f"{side.word} units left"] = sum(ledger.sets_up(unit) for unit in ledger.in_play(side))
    return numbers


REHEARSAL = CampaignRehearsal(POLICIES, {"card": CAMPAIGNS})
