"""Set-up: units into sectors, the Defender first, and what it costs to go further in (20.5.4, 20.8)."""

from collections.abc import Iterable
from dataclasses import replace

from campaign.ledger.act import NOBODY, CampaignAct, Unfit, refuse, tell_fates
from campaign.ledger.ledger import Ledger
from campaign.ledger.performing import campaign_act
from campaign.models import Group, Unit
from campaign.phase import conductor, lookups
from campaign.rules.nests import against_building, against_unnamed_building, list_hexes, write_building
from campaign.rules.rosters import GroupType
from campaign.rules.sectors import control_at_first, find_isolated
from campaign.rules.setup import Charge, against_hiding, against_moving, against_taking_off
from campaign.rules.stages import Stage
from campaign.rules.units import isolation_mark, marks_on_map
from firefight.games.combat_stalingrad.rules.marks import Mark
from firefight.games.combat_stalingrad.rules.objections import Objection
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.games.combat_stalingrad.rules.turn import TurnPhase
from firefight.table.act.line_keys import BEGINS
from firefight.table.act.refusals import BadField, Refused

from .seals import read_hex, read_place


@campaign_act(Stage.SETUP)
def place(
    act: CampaignAct,
    numbers: Iterable[int],
    sector: int | None,
    hidden: bool = False,
    hex_name: str = "",
    building: str = "",
    hexes: int = 0,
    hex_names: Iterable[str] = (),
) -> None:
    """Set units up in a sector, or keep them off the map with None. A new group stays together (20.8.2).

    ``hidden``: only their side knows where they are. ``hex_name``: the hex, with a level if that counts; blank if
    nobody needs to know. ``building``, of this many ``hexes``, which have these ``hex_names`` if they were given: for a
    Fanatic Resistance Nest without one (20.9.2).
    Raises Unfit with every rule that speaks against it.
    """
    _check_turn(act)
    units = _take_whole_groups(act, act.find_units(numbers, "Choose the units to set up."))
    _check_places(act, units, sector)
    if hidden and sector is None:
        raise BadField("Only units in a sector can be hidden.")
    spot = read_place(act, hex_name) if hex_name and sector is not None else ""
    _check_spot(act, units, spot)
    if hidden:
        refuse(*(_against_hiding(act, unit) for unit in units))
    was_secret = all(unit.hidden for unit in units)
    for unit in units:
        keeps_hex = act.ledger.is_fixed(unit) and unit.sector == sector
        unit.sector, unit.hidden, unit.hex = sector, hidden, spot or (unit.hex if keeps_hex else "")
    refuse(*act.ledger.bill(act.side).objections)
    houses = _give_buildings(act, units, building, hexes, hex_names) if sector is not None else ""
    destination = f"set up in sector {sector}{f', {spot}' * bool(spot)}" if sector is not None else "kept off the map"
    sentence = f"{act.ledger.name_units(units)} {destination}{', hidden' if hidden else ''}.{houses}"
    fates = tell_fates("set-up", (units, ("kept_off" if sector is None else "set_up",)))
    # What was hidden and is hidden again, or taken off the map again, gives nothing away.
    if hidden or (was_secret and sector is None):
        act.tell_sealed(sentence, **fates)
    else:
        act.tell(f"{act.name}: {sentence}", **fates)


def _give_buildings(
    act: CampaignAct, units: Iterable[Unit], building: str, hexes: int, hex_names: Iterable[str]
) -> str:
    """Note the building of each nest among the units, and say so; a nest without one is refused (20.9.2)."""
    nests = {unit.group.number: unit.group for unit in units if unit.group and _is_nest(act.ledger, unit.group)}
    for group in nests.values():
        if building:
            if not hexes:
                raise BadField("Choose how many hexes the building has.")
            group.building = _read_building(act, building, hexes, hex_names)
        refuse(against_unnamed_building(group.building, [1]))
    return "".join(f" The nest is {group.building}." for group in nests.values() if building)


def _read_building(act: CampaignAct, building: str, hexes: int, hex_names: Iterable[str]) -> str:
    """A nest's building as its record has it. Raises BadField for a hex that the map does not have."""
    refuse(against_building(hexes))
    for name in (*hex_names, *list_hexes(building)):
        read_hex(act, name)
    return write_building(building, hexes)


def _is_nest(ledger: Ledger, group: Group) -> bool:
    return ledger.roster_line(group).type is GroupType.NEST


def _check_spot(act: CampaignAct, units: Iterable[Unit], spot: str) -> None:
    """Whatever lies on the map since an earlier firefight begins in its hex (20.7.1)."""
    lying = [unit for unit in units if act.ledger.is_fixed(unit) and unit.home is not None]
    refuse(*(against_moving(act.ledger.name_unit(unit), unit.hex, spot) for unit in lying))


def forget_hexes(ledger: Ledger) -> None:
    """When a set-up begins, no unit is in the hex where it ended the last firefight, except those that keep it."""
    for side in Side:
        for unit in ledger.in_play(side):
            if not ledger.is_fixed(unit):
                unit.hex = ""


def _check_turn(act: CampaignAct) -> None:
    side = act.ledger.setting_up
    if side is not act.side:
        done = "Your side has set up." if side is None or act.is_ready() else f"The {side.word} sets up first."
        raise Refused(f"{done} Nothing was changed (20.5.4).")


def _take_whole_groups(act: CampaignAct, units: list[Unit]) -> list[Unit]:
    never_on_map = [unit for unit in units if not act.ledger.sets_up(unit)]
    if never_on_map:
        raise Unfit(f"{act.ledger.name_units(never_on_map)}: not set up on the map.")
    whole = {unit.number: unit for unit in units}
    for unit in units:
        if unit.group and act.ledger.is_new(unit):
            whole |= {other.number: other for other in act.ledger.units_of(unit.group)}
    return [whole[number] for number in sorted(whole)]


def _check_places(act: CampaignAct, units: list[Unit], sector: int | None) -> None:
    sectors = act.ledger.content.sector_map.neighbours
    if sector is None:
        return
    if sector not in sectors:
        raise BadField(f"There is no sector {sector}: the map has {min(sectors)} to {max(sectors)}.")
    against = {p.refusal for unit in units if not (p := act.ledger.places(unit)[sector]).is_open}
    if against:
        raise Unfit(*sorted(against))


def _against_hiding(act: CampaignAct, unit: Unit) -> Objection | None:
    counter, lies_in_sight = act.ledger.kind_of(unit), unit.home is not None and not unit.hidden
    return against_hiding(counter.name, counter.kind, unit.marks, lies_in_sight)


@campaign_act(Stage.SETUP)
def take_off(act: CampaignAct, numbers: Iterable[int]) -> None:
    """Take mines or nest markers of earlier firefights off the map, in the side's sectors only (20.6.4 step 6)."""
    _check_turn(act)
    units = act.find_units(numbers, "Choose what to take off.")
    refuse(*(_against_taking_off(act, unit) for unit in units))
    remove_fixed(act, units)


def _against_taking_off(act: CampaignAct, unit: Unit) -> Objection | None:
    counter = act.ledger.kind_of(unit)
    return against_taking_off(counter.name, counter.kind, act.side, unit.home, unit.sector, act.ledger.control)


def remove_fixed(act: CampaignAct, units: Iterable[Unit]) -> None:
    """Take mines and nest markers off, hidden ones in secret. A nest without its marker has ended."""
    for is_secret in (False, True):
        alike = [unit for unit in units if unit.hidden is is_secret]
        if alike:
            sentence = f"{act.ledger.name_units(alike)}: taken off the map."
            fates = tell_fates("set-up", (alike, ("left",)))
            act.tell_sealed(sentence, **fates) if is_secret else act.tell(f"{act.name}: {sentence}", **fates)
    for unit in units:
        unit.eliminate()
    for group in lookups.list_nests(act.ledger, act.side):
        if any(unit.group is group for unit in units):
            conductor.spend_nest(act, group, "its marker is taken off")


@campaign_act(Stage.SETUP)
def name_building(act: CampaignAct, number: int, building: str, hexes: int, hex_names: Iterable[str] = ()) -> None:
    """Say which building in a sector of its side a Fanatic Resistance Nest is in, of at most 4 hexes (20.9.2)."""
    _check_turn(act)
    group = act.find_own(act.ledger.groups, number, "group")
    if not _is_nest(act.ledger, group) or group.standing != Group.Standing.IN_PLAY:
        raise Unfit("Only a Fanatic Resistance Nest in play has a building.")
    group.building = _read_building(act, building, hexes, hex_names)
    act.tell(f"{act.name}: the Fanatic Resistance Nest is {group.building}.")


@campaign_act(Stage.SETUP)
def confirm(act: CampaignAct) -> None:
    """End a side's set-up: the surcharges are paid, one line per group. After the second side, play begins."""
    _check_turn(act)
    bill = act.ledger.bill(act.side)
    refuse(*bill.objections)
    _check_buildings(act)
    paid = [_pay(act, charge) for charge in bill.charges]
    openly = " ".join(sentence for sentence, is_secret in paid if not is_secret)
    secretly = " ".join(sentence for sentence, is_secret in paid if is_secret)
    act.tell(f"{act.name} has set up. {openly}".strip(), secret=secretly)
    if act.set_ready():
        begin_firefight(act)


def _check_buildings(act: CampaignAct) -> None:
    for group in act.ledger.list_groups(act.side, GroupType.NEST):
        sectors = [unit.sector for unit in act.ledger.units_of(group)]
        refuse(against_unnamed_building(group.building, sectors))


def _pay(act: CampaignAct, charge: Charge) -> tuple[str, bool]:
    """Pay one surcharge; returns what to say about it, and whether it gives hidden units away."""
    unit = act.ledger.units[act.side][charge.unit] if charge.unit else None
    group = None if unit else act.ledger.groups[act.side][charge.group]
    secret = any(payer.hidden for payer in ([unit] if unit else act.ledger.units_of(group) if group else ()))
    name = act.ledger.name_unit(unit) if unit else group.rg if group else ""
    act.pay(-charge.cost, f"Set-up of {name} in sector {charge.sector}", sealed=secret, unit=unit, group=group)
    way = " – ".join(map(str, reversed(charge.line.chain)))
    return f"{charge.cost} CP for {name}, which goes in by {way}.", secret


def begin_firefight(act: CampaignAct) -> None:
    """Both sides have set up: turn one begins (20.5.8 step 4), with the marks of isolation (20.10.1)."""
    ledger = act.ledger
    is_first = not ledger.has_been_fought
    if is_first:
        conductor.set_control(act, control_at_first(ledger.control, lookups.find_sectors_with_units(ledger)))
    act.match.state = replace(act.match.state, turn=1, phase=TurnPhase.COMMAND.value)
    for side in Side:
        for group in ledger.groups[side].values():
            group.mark, group.since = Group.Sign.NONE, 0
        for unit in ledger.in_play(side):
            if unit.sector is not None and not unit.hidden:  # to the other side a hidden one seems off the map
                unit.marks = marks_on_map(unit.marks)
    act.campaign.random_hex = ledger.random_hex
    act.move_on(Stage.FIREFIGHT)
    sentence = f"The firefight at {ledger.time} begins with turn 1. {_random_marker(ledger.random_hex, is_first)}"
    act.tell(sentence, side=NOBODY, inputs={BEGINS: ledger.campaign.firefight})
    for line in find_isolated(ledger.content.sector_map, ledger.control).values():
        _mark_isolated(act, line.sector, line.side)


def _random_marker(place: str, is_first: bool) -> str:
    """Where the Random marker goes (20.5.8 step 4, 20.5.8.1 step 6)."""
    if not place:
        return "Random marker in the hex where it ended the last firefight; note it."
    return f"Random marker in hex {place}{'' if is_first else ', where it ended the last firefight'}."


def _mark_isolated(act: CampaignAct, sector: int, side: Side) -> None:
    marked = []
    for unit in act.ledger.in_play(side):
        mark = isolation_mark(act.ledger.kind_of(unit).kind)
        if unit.sector == sector and mark:
            unit.marks = [*unit.marks, *({mark.value} - set(unit.marks))]
            if not unit.hidden:  # a line about the others would say that they are there
                marked.append(unit)
    if marked:
        words = f"sector {sector} is isolated, so they begin {Mark.PINNED.word} or {Mark.SUPPRESSED.word}"
        fates = tell_fates("isolation", (marked, ()))
        act.tell(f"{side.word}: {words}: {act.ledger.name_units(marked)}.", side=side, **fates)
