"""The dice that decisions of the Reorganization Phase ask for, by name."""

from collections.abc import Iterable, Mapping

from campaign.ledger.ledger import Ledger
from campaign.models import Unit
from campaign.rules.mines import MineTarget, attack_by_mines, target_of
from campaign.rules.upkeep import Damage, mark_of
from firefight.engine.rolls.dice import DieSpec
from firefight.games.chartbooks import of_match


def die_of(number: int) -> str:
    """The name of the die of one unit."""
    return f"die_{number}"


def leaving_die(ledger: Ledger, unit: Unit) -> DieSpec:
    """The die of a unit that tries to leave."""
    return DieSpec(die_of(unit.number), 10, f"d10 of {ledger.name_unit(unit)}")


def upkeep_die(ledger: Ledger, unit: Unit, damage: Damage) -> DieSpec:
    """The die of one damage of one unit: a vehicle may have two."""
    name = f"mend_{unit.number}" if damage is Damage.F_KILLED else die_of(unit.number)
    return DieSpec(name, 10, f"{ledger.name_unit(unit)}, {mark_of(damage).word}")


def targets_of(ledger: Ledger, units: Iterable[Unit]) -> list[MineTarget]:
    """Units as mines attack them."""
    return [MineTarget(u.number, target_of(ledger.name_unit(u), ledger.kind_of(u), u.marks)) for u in units]


def mine_dice(ledger: Ledger, units: Iterable[Unit], factors: int, drm: int, typed: Mapping[str, int]) -> list[DieSpec]:
    """The dice of one mine attack, as far as those typed so far ask for them. Raises BadInput, BadDie."""
    charts, targets = of_match(ledger.match), targets_of(ledger, units)
    specs: dict[str, DieSpec] = {}
    while True:
        faces = {name: typed[name] for name in specs if name in typed}
        needs = attack_by_mines(charts=charts, factors=factors, drm=drm, targets=targets, faces=faces).needs
        fresh = [spec for spec in needs if spec.name not in specs]
        if not fresh:
            return list(specs.values())
        specs |= {spec.name: spec for spec in fresh}
