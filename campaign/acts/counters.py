"""The counters of a firefight are the units of the campaign: the same rows. And what a card has at start."""

from collections import Counter as Tally
from collections.abc import Iterable, Mapping

from campaign.ledger import content
from campaign.ledger.act import CampaignAct
from campaign.ledger.hiding import take_off_map
from campaign.ledger.ledger import Ledger, load_units, read_rest
from campaign.ledger.pieces import counter_of
from campaign.models import Unit
from campaign.phase import lookups
from campaign.rules.stages import Stage
from campaign.rules.steps import Step
from campaign.rules.units import LEVELS, is_set_up
from firefight.engine.board.counters import CounterInPlay, hides_from, know_in_sight, number_of
from firefight.games.combat_stalingrad.rules.counters import Counter, Rank
from firefight.games.combat_stalingrad.rules.reading import GAME
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import LogEntry, Match
from firefight.table.act.act import MatchAct
from firefight.table.act.undo import keep_rows
from firefight.table.board.values import tell_kinds

from .reporting import end_nests_without_commissar, take_out

SETTLED = "What became of your units is settled for this firefight."
_BETWEEN = (Stage.REINFORCEMENTS, Stage.PURCHASES, Stage.PRIORITY, Stage.SETUP)


def open_store(match: Match) -> "LedgerStore":
    """The units of a match's campaign as counters."""
    return LedgerStore(match)


class LedgerStore:
    """The units of a campaign as counters. Two queries; the rest of the ledger only where a change concerns it."""

    def __init__(self, match: Match):
        self.match = match
        self.ledger = load_units(match)
        self.book = self.ledger.gallery
        units = (unit for side in Side for unit in self.ledger.units[side].values())
        self._counters = {counter.id: counter for counter in (counter_of(self.ledger, unit) for unit in units)}
        self._changed: dict[str, None] = {}

    @property
    def areas(self) -> list[str]:
        """The sectors of the map."""
        return [str(number) for number in self.ledger.content.sector_map.neighbours]

    def all(self) -> list[CounterInPlay]:
        """Every unit, including those that are gone."""
        return list(self._counters.values())

    def find(self, counter_id: str) -> CounterInPlay | None:
        """A unit by its id."""
        return self._counters.get(counter_id)

    find_behind = find  # units are never closed

    def known(self, sees: Iterable[str]) -> list[CounterInPlay]:
        """The units as these sides know them: another side's hidden ones seem to be off the map."""
        sides = set(sees)
        hidden = {counter.id for counter in self._counters.values() if hides_from(counter, sides)}
        known_counters = (know_in_sight(counter, sides, hidden) for counter in self._counters.values())
        return [take_off_map(counter) if counter.id in hidden else counter for counter in known_counters]

    def kinds(self, side: str) -> Mapping[str, Counter]:
        """The counters of a side in the content that the campaign is played with."""
        return tell_kinds(self.match, side, self.ledger.content.counters[Side(side)])

    def find_flaws(self, counter: CounterInPlay) -> list[str]:
        """Why a unit cannot be as this counter says, in sentences."""
        kind, name = self.kinds(counter.side)[counter.counter], counter.name
        before = self._counters[counter.id]
        flaws = [_against_moment(self.ledger, Side(counter.side))]
        if counter.area not in ("", *self.areas):
            first, last = self.areas[0], self.areas[-1]
            flaws.append(f"{name}: there is no sector {counter.area}: the map has {first} to {last}.")
        if not counter.area and (counter.place or counter.level or counter.hidden):
            flaws.append(f"{name} is off the map: give its sector, too.")
        if counter.level and (counter.level not in LEVELS or not counter.place):
            flaws.append(f"{name}: a level is 1 to 9, cellar or roof, of a hex.")
        if counter.area and not is_set_up(kind.kind):
            flaws.append(f"{name} is never on the map.")
        if before.fate and not counter.fate and self.ledger.left_in_box(Side(counter.side))[counter.counter] < 1:
            flaws.append(f"{name}: its counter is used again by now, and no other is left in the box.")
        return list(filter(None, flaws))

    def put(self, counter: CounterInPlay) -> None:
        """Set a unit to this counter."""
        self._counters[counter.id] = counter
        self._changed[counter.id] = None

    def save(self, act: MatchAct) -> None:
        """Write the units, show those that are no longer hidden, end the nests that have lost their Commissar."""
        if not self._changed:
            return
        if any(map(self._concerns_others, self._changed)):
            read_rest(self.ledger)
        units = {counter_id: self._unit_of(counter_id) for counter_id in self._changed}
        entries: list[LogEntry] = []
        for side in Side:
            of_side = [counter_id for counter_id, unit in units.items() if unit.side == side]
            if of_side:
                side_act = CampaignAct(act.match, act.row, side, self.ledger, entries=entries)
                for counter_id in of_side:
                    write_unit(side_act, units[counter_id], self._counters[counter_id])
                end_nests_without_commissar(side_act)
        LogEntry.objects.bulk_create(entries)
        act.entries += entries
        keep_rows(act.row, self.ledger.rows())
        self._changed.clear()

    def _concerns_others(self, counter_id: str) -> bool:
        """Whether a unit's change affects more of the ledger: CP under seal, nests."""
        unit, counter = self._unit_of(counter_id), self._counters[counter_id]
        is_commissar = self.ledger.kind_of(unit).rank is Rank.COMMISSAR
        return (unit.hidden and not counter.hidden) or unit.fate != counter.fate or is_commissar

    def _unit_of(self, counter_id: str) -> Unit:
        side, _, _ = counter_id.rpartition("-")
        return self.ledger.units[Side(side)][number_of(counter_id)]


def write_unit(act: CampaignAct, unit: Unit, counter: CounterInPlay) -> None:
    """Write a counter in play into its unit's row."""
    if not counter.hidden:
        act.show(unit)
    if counter.fate == Unit.Fate.ELIMINATED:
        take_out(unit)
    unit.fate = Unit.Fate(counter.fate)
    was_in = unit.sector
    unit.sector = int(counter.area) if counter.area else None
    if unit.sector != was_in and act.ledger.stage in _BETWEEN:
        unit.home = unit.sector  # what is corrected between firefights is where the unit survived
    unit.hex = "/".join(filter(None, (counter.place, counter.level)))
    unit.hidden, unit.note = counter.hidden, counter.note
    unit.beside = number_of(counter.beside) or None
    if set(unit.marks) != set(counter.state):
        unit.marks = list(counter.state)


def _against_moment(ledger: Ledger, side: Side) -> str:
    """What speaks against changing units now: while sectors are fought out, only the phase itself changes them."""
    if ledger.stage is Stage.OVER:
        return "The campaign is over."
    if ledger.stage is not Stage.REORGANIZATION:
        return ""
    is_told = side in ledger.campaign.ready or lookups.step(ledger) is not Step.AFTER_ACTION
    return SETTLED if is_told else ""


# Counters for single firefights


def list_cards(game: str) -> dict[str, str]:
    """The campaign cards of a game, by id, with their names."""
    if game != GAME:
        return {}
    return {card.id: f"{card.label}, {card.name}" for card in content.shipped().cards.values()}


def at_start(card_id: str) -> dict[str, dict[str, int]]:
    """How many of each counter the sides of a card have at start (20.5.2). Raises KeyError."""
    book = content.shipped()
    numbers: dict[str, dict[str, int]] = {}
    for side, forces in book.cards[card_id].forces.items():
        tally = Tally(forces.counters)
        for rg, number in forces.groups.items():
            for key, per_group in book.rosters[side].groups[rg].contents.items():
                tally[key] += per_group * number
        numbers[side.value] = dict(tally)
    return numbers
