"""What must be true of a campaign after every act of a rehearsal."""

from collections.abc import Iterator, Mapping

from campaign.ledger.ledger import Ledger
from campaign.phase import conductor, lookups
from campaign.rules.sectors import Holding
from campaign.rules.stages import Stage
from firefight.games.combat_stalingrad.rules.sides import Side

FOUGHT = (Stage.FIREFIGHT, Stage.REORGANIZATION)  # where both sides may stand in one sector
Breach = tuple[str, str]  # what is wrong, in a word, and how


def list_breaches(ledger: Ledger) -> list[Breach]:
    """All that is wrong."""
    return [*_list_of_sides(ledger), *_list_of_sectors(ledger), *_list_of_stage(ledger)]


def list_unearned(ledger: Ledger, settled: Mapping[int, Holding]) -> Iterator[Breach]:
    """Sectors that an act has settled for another side than the one left there (20.6.4 step 4)."""
    present = lookups.find_sectors_with_units(ledger)
    for sector, holding in settled.items():
        expected = [Holding(side) for side in Side if sector in present[side]] or [Holding.NOBODY]
        if expected != [holding]:
            stand = " and ".join(holding.word for holding in expected)
            yield "settled", f"sector {sector} has become {holding.word}, with units of {stand} there"


def _list_of_sides(ledger: Ledger) -> Iterator[Breach]:
    for side in Side:
        if ledger.balance(side) < 0:
            yield "points", f"{side.word}: {ledger.balance(side)} CP"
        for key, number_left in ledger.left_in_box(side).items():
            if number_left < 0:
                yield "box", f"{side.word}: {-number_left} {key} more than there are"
        for unit in ledger.units[side].values():
            if unit.fate and unit.sector is not None:
                yield "units", f"{side.word} unit {unit.number} is gone, and in sector {unit.sector}"
            if len(unit.marks) != len(set(unit.marks)):
                yield "marks", f"{side.word} unit {unit.number} is marked {', '.join(unit.marks)}"


def _list_of_sectors(ledger: Ledger) -> Iterator[Breach]:
    if ledger.stage in FOUGHT:
        return
    present, control = lookups.find_sectors_with_units(ledger), ledger.control
    for sector in sorted(present[Side.GERMAN] & present[Side.RUSSIAN]):
        if control[sector] is not Holding.NOBODY or ledger.has_been_fought:
            yield "sectors", f"both sides stand in sector {sector} outside of a firefight"
    for side in Side:
        for sector in sorted(present[side]):
            if control[sector].side is side.other:
                yield "control", f"{side.word} units stand in sector {sector}, which is {control[sector].word}"


def _list_of_stage(ledger: Ledger) -> Iterator[Breach]:
    if (ledger.stage is Stage.REORGANIZATION) != (ledger.campaign.phase is not None):
        yield "stage", f"the campaign stands at {ledger.stage.word}, and the phase at {ledger.campaign.phase}"
    if ledger.stage is Stage.REORGANIZATION and not conductor.find_deciders(ledger):
        yield "stage", "nobody has anything to decide"
