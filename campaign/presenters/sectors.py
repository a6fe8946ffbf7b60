"""The sector map: who holds what, who stands where, and in set-up what each sector costs the chosen units."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.http import QueryDict

from campaign.ledger.chapters import MapChapter, list_chapters
from campaign.ledger.ledger import Ledger
from campaign.pictures.board import LEGEND, view_sectors
from campaign.rules.rosters import GroupType
from campaign.rules.sectors import Holding, LineToEdge, find_lines, write_control
from campaign.rules.setup import Charge, SectorChoice, may_stay_off
from campaign.rules.units import FIXED_KINDS
from firefight.engine.board.board import PieceStack
from firefight.engine.text import count_of
from firefight.engine.values import Json
from firefight.games.combat_stalingrad.rules.marks import is_unit
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import Match
from firefight.table.act.table import Table

from .board import show_sectors
from .sealed import list_unplotted
from .units import Party, group_units, list_alike_groups, name_group


@dataclass(frozen=True, slots=True)
class Spot:
    """One sector of the drawing (see pictures.Sector), and one row of the table beside it.

    ``mark``: what stands under the number. ``cost``: of set-up, in words, "" outside of set-up. ``href``: where a tap
    leads.
    """

    number: int
    holding: Holding
    line: LineToEdge | None
    mark: str
    sentence: str
    href: str
    units: Mapping[Side, int]
    chosen: bool
    cost: str
    changed: bool = False

    @property
    def way(self) -> str:
        """The line to the edge, or why there is none."""
        if self.line is None:
            return "–"
        return self.line.reason if self.line.is_isolated else " – ".join(map(str, self.line.chain))

    @property
    def stacks(self) -> tuple[PieceStack, ...]:
        """Its units by side; none in set-up, when its mark is the cost."""
        counts = [(side, count) for side, count in self.units.items() if count and not self.cost]
        return tuple(
            PieceStack(side.value, count, f"{side.word} {count}", letters=side.word[0]) for side, count in counts
        )


def present_map(
    table: Table, ledger: Ledger, sector: int | None, party_key: int | None, posted: QueryDict
) -> dict[str, object]:
    """The page of the map. ``sector``: the one that is open; ``party_key``: the party to set up, see ``Party.key``.

    ``posted``: a form that was refused.
    """
    sector_map = ledger.content.sector_map
    own_side = Side(table.side) if table.plays and not table.match.ended else None
    sector = sector if sector in sector_map.neighbours else None
    waiting = _list_waiting(ledger, own_side)
    party = next((party for party in waiting if party.key == party_key), None)
    costs = _list_places(ledger, party) if party else None
    address = f"?for={party.key}&sector={{}}#map" if party else "?sector={}#here"
    spots = list_spots(ledger, sector, address, costs)
    return {
        "map": sector_map,
        **show_spots(ledger, spots, table.match),
        **list_trouble(spots),
        "chosen": next((spot for spot in spots if spot.chosen), None),
        "units_by_side": list_units(ledger, sector),
        "placing": _present_placing(ledger, party, costs, sector, posted) if party and costs else None,
        "waiting": waiting,
        "letters": write_control(ledger.control),
        "reel": None if party else present_reel(list_chapters(table.match)),
        "bill": present_bill(ledger, own_side) if own_side and ledger.setting_up is own_side else None,
        "unplotted": list_unplotted(ledger, own_side) if own_side else [],
    }


def show_spots(ledger: Ledger, spots: Sequence[Spot], match: Match, query: str = "") -> dict[str, object]:
    """The map with these sectors, which are links, and the same in words. ``query``: see ``show_sectors``."""
    view = view_sectors((spot, spot.sentence, spot.stacks) for spot in spots)
    links = {spot.number: spot.href for spot in spots}
    return {
        "shown_board": show_sectors(ledger.content.sector_map, view, links, match, query),
        "map_legend": LEGEND,
        "spots": spots,
    }


@dataclass(frozen=True, slots=True)
class Reel:
    """The slider through the chapters. ``place``: the one that is shown; the last is the map as it stands."""

    chapters: Sequence[MapChapter]
    place: int

    @property
    def last(self) -> int:
        """The place of the map as it stands."""
        return len(self.chapters) + 1

    @property
    def titles(self) -> list[str]:
        """What is shown at each place, in order."""
        return [*(chapter.title for chapter in self.chapters), "Now"]


def present_reel(chapters: Sequence[MapChapter], place: int | None = None) -> Reel:
    """The chapters, with the one that is shown; None for the map as it stands."""
    return Reel(chapters, place or len(chapters) + 1)


def list_trouble(spots: Sequence[Spot]) -> dict[str, object]:
    """The sectors that are cut off, each with whose it is, and those that are to be fought out."""
    cut_off = [spot.line for spot in spots if spot.line and spot.line.is_isolated]
    return {
        "isolated": [f"{line.sector} ({line.side.word})" for line in cut_off],
        "threatened": [spot.number for spot in spots if spot.holding is Holding.THREATENED],
    }


def present_bill(ledger: Ledger, side: Side) -> dict[str, object]:
    """What a side's set-up costs as it stands, line by line and in all, and what it leaves off the map."""
    bill = ledger.bill(side)
    off_map = sum(unit.sector is None and ledger.sets_up(unit) for unit in ledger.in_play(side))
    return {
        "lines": [_describe_charge(ledger, side, charge) for charge in bill.charges],
        "total": bill.total,
        "off_map": count_of(off_map, "counter") if off_map else "",
    }


def _describe_charge(ledger: Ledger, side: Side, charge: Charge) -> str:
    payer = "Single counter" if charge.unit else name_group(ledger, ledger.groups[side][charge.group])
    return f"{payer} in sector {charge.sector}: {charge.cost} CP"


def list_units(ledger: Ledger, sector: int | None) -> list[Json]:
    """Which units stand in the chosen sector; without one, which are off the map."""
    sides = []
    for side in Side:
        units = [u for u in ledger.in_play(side) if u.sector == sector and ledger.sets_up(u)]
        sides.append({"name": side.word, "side": side, "kinds": list_alike_groups(ledger, units)})
    return sides


def _list_waiting(ledger: Ledger, own: Side | None) -> list[Party]:
    """What the side whose set-up it is can place, if the browser plays it."""
    if own is None or ledger.setting_up is not own:
        return []
    return group_units(ledger, [unit for unit in ledger.in_play(own) if ledger.sets_up(unit)])


def _find_common_hex(party: Party) -> str:
    places = {unit.hex for unit in party.units}
    return places.pop() if len(places) == 1 else ""


def _list_places(ledger: Ledger, party: Party) -> dict[int, SectorChoice]:
    """The sectors as the units of a party may use them: open where any of them may set up."""
    by_sector = zip(*(ledger.places(unit).values() for unit in party.units), strict=True)
    return {choices[0].sector: max(choices, key=lambda choice: choice.is_open) for choices in by_sector}


def _present_placing(
    ledger: Ledger, party: Party, costs: Mapping[int, SectorChoice], sector: int | None, posted: QueryDict
) -> dict[str, object]:
    """The party to set up, with what each sector costs it, and the form filled in as it stands or as it was posted.

    Ticked are those who may set up in the sector that is open.
    """
    first_unit = party.units[0]
    is_together = len({unit.sector for unit in party.units}) == 1
    is_closed = sector is not None and not costs[sector].is_open
    may_go = [unit.number for unit in party.units if sector is None or ledger.places(unit)[sector].is_open]
    filled: dict[str, object] = {
        "ticked": may_go or [unit.number for unit in party.units],
        "sector": sector or (first_unit.sector if is_together else None),
        "closed": sector if is_closed else None,
        "hidden": all(unit.hidden for unit in party.units),
        "hex": _find_common_hex(party) if is_together and sector in (None, first_unit.sector) else "",
    }
    if posted.get("do") == "place":
        filled = {
            "ticked": [unit.number for unit in party.units if str(unit.number) in posted.getlist("unit")],
            "sector": next((number for number in costs if str(number) == posted.get("sector")), None),
            "closed": None,
            "hidden": bool(posted.get("hidden")),
            "hex": posted.get("hex", ""),
        }
    return {
        "key": party.key,
        "party": party,
        "whole": ledger.is_new(first_unit),
        "origin": "; ".join(dict.fromkeys(ledger.mover(unit).allowance for unit in party.units)),
        "may_stay_off": any(may_stay_off(ledger.mover(unit)) for unit in party.units),
        "choices": [(place, describe_cost(place)) for place in costs.values() if place.is_open],
        **filled,
        "may_be_taken_off": any(unit.home and ledger.kind_of(unit).kind in FIXED_KINDS for unit in party.units),
        "is_nest": party.group is not None and ledger.roster_line(party.group).type is GroupType.NEST,
    }


def list_spots(
    ledger: Ledger, chosen: int | None = None, address: str = "", costs: Mapping[int, SectorChoice] | None = None
) -> list[Spot]:
    """All sectors. ``address``: of their links, {} for the number. ``costs``: of set-up, instead of the units."""
    control = ledger.control
    ways = {n: line for side in Side for n, line in find_lines(ledger.content.sector_map, control, side).items()}
    units = count_units(ledger)
    return [
        Spot(
            number=number,
            holding=control[number],
            line=ways.get(number),
            mark=_mark_cost(costs[number]) if costs else _mark_units(units[number]),
            sentence=_describe_spot(number, control[number], ways.get(number), units[number], costs),
            href=address.format(number),
            units=units[number],
            chosen=number == chosen,
            cost=describe_cost(costs[number]) if costs else "",
        )
        for number in sorted(control)
    ]


def _describe_spot(
    number: int,
    holding: Holding,
    line: LineToEdge | None,
    counts: Mapping[Side, int],
    costs: Mapping[int, SectorChoice] | None,
) -> str:
    isolated = ", isolated" if line and line.is_isolated else ""
    units = ", ".join(f"{side.word} {counts[side]}" for side in Side if counts[side]) or "no units"
    cost = f". Set-up: {describe_cost(costs[number])}" if costs else ""
    return f"Sector {number}, {holding.word}{isolated}: {units}{cost}"


def count_units(ledger: Ledger) -> dict[int, dict[Side, int]]:
    """How many units each side has in each sector, as far as is known, without mines and nest markers (20.6.2)."""
    numbers = {number: dict.fromkeys(Side, 0) for number in ledger.control}
    for side in Side:
        for unit in ledger.in_play(side):
            if unit.sector is not None and is_unit(ledger.kind_of(unit).kind):
                numbers[unit.sector][side] += 1
    return numbers


def _mark_units(counts: Mapping[Side, int]) -> str:
    return " ".join(f"{side.word[0]}{counts[side]}" for side in Side if counts[side])


def _mark_cost(place: SectorChoice) -> str:
    return "–" if not place.is_open else f"+{place.cost}" if place.cost else "free"


def describe_cost(place: SectorChoice) -> str:
    """What set-up in a sector costs, with the way that says why; or what speaks against it."""
    if not place.is_open:
        return place.refusal
    if not place.cost or place.line is None:
        return "free"
    way = " – ".join(map(str, reversed(place.line.chain)))
    return f"{place.cost} CP, since it goes in by {way} (20.8.3)"
