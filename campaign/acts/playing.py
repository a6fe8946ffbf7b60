"""The record of a firefight: turns and their end, units that come, go and fall, batteries, aircraft (20.2.4 …)."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Any

from campaign.ledger.act import CampaignAct, Unfit, refuse_objection, tell_fates
from campaign.ledger.dice import Dice
from campaign.ledger.missions import flight_of_group, list_flights, mirror, write_back
from campaign.ledger.performing import campaign_act
from campaign.ledger.pieces import counter_of, list_flak_against
from campaign.models import Group, Unit
from campaign.phase import conductor, positions
from campaign.rules.aircraft import find_time_objection
from campaign.rules.nests import is_held
from campaign.rules.reports import (
    News,
    Reported,
    find_edge_objection,
    find_moment_objection,
    find_news_objection,
    kills,
)
from campaign.rules.rosters import BATTERIES, GroupType
from campaign.rules.stages import Stage
from campaign.rules.units import marks_after_firefight, marks_on_map, marks_that_last
from campaign.rules.upkeep import EndOutcome
from firefight.engine.board.counters import find_changes, id_of, write_mentions
from firefight.engine.course.course import Position
from firefight.engine.rolls.dice import DieSpec
from firefight.engine.values import Json, Values
from firefight.games.combat_stalingrad.rules.air import AirWeapon, ArrivalOutcome
from firefight.games.combat_stalingrad.rules.flights import (
    can_attack,
    list_attack_objections,
    list_roll_objections,
    marks_of_attack,
    owes_roll,
)
from firefight.games.combat_stalingrad.rules.marks import Mark
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.games.combat_stalingrad.rules.turn import LAST_TURN, TurnPhase
from firefight.models import LogEntry
from firefight.table.act.line_keys import CHANGED_COUNTERS as COUNTERS
from firefight.table.act.refusals import BadField, Refused
from firefight.table.board import record_rules
from firefight.table.rolling.advancing import leave_open

from .seals import read_hex, read_place
from .setting_up import remove_fixed

D10 = DieSpec("die", 10, "d10")


# Turns


@campaign_act(Stage.FIREFIGHT)
def end_turn(act: CampaignAct, dice: Dice, leaves: bool = False) -> None:
    """End the turn; after turns 5 and 6 the End of Firefight roll decides, after 7 the firefight is over (20.2.4).

    ``leaves``: also if a Close Combat is still open. Raises LeavesOpen before a die is rolled.
    """
    turn, before = act.match.state.turn, act.match.state.position
    _check_stay_rolls(act, turn)
    left_open = leave_open(act.match, before, None, leaves)
    number = act.ledger.card.end_numbers.get(turn)
    inputs = {"turn": turn} if number is None else {"turn": turn, "number": number}
    result, rolled = act.play("end-of-firefight", inputs, dice)
    noted = {"firefight": act.campaign.firefight, "turn": turn}
    entry = act.tell(f"End of turn {turn}. {result.headline} {left_open}".strip(), rolled=rolled, inputs=noted)
    if result.outcome is EndOutcome.ENDS:
        _end_firefight(act)
    else:
        first = TurnPhase.COMMAND.value
        act.match.state = replace(act.match.state, turn=min(turn + 1, LAST_TURN), phase=first)
        _keep_house(act, before, entry.number)
        # Of two who press the button for the same turn, one ends it and the other hears so.
        act.campaign.stage_since = act.match.version + 1


def _check_stay_rolls(act: CampaignAct, turn: int) -> None:
    """Aircraft over the map roll to stay before the turn ends."""
    waiting = [f"{Side(f.side).word} {f.name}" for f in list_flights(act.ledger) if owes_roll(f, turn)]
    if waiting:
        names = " and ".join(waiting)
        raise Unfit([f"Still to roll in turn {turn}, to stay over the map: {names} (17.6.2)."])


def _keep_house(act: CampaignAct, before: Position, number: int) -> None:
    """What the rules take off as a turn ends, and what is due in the next; the MGs of aircraft may fire again."""
    mirror(act.ledger)

    def tell(sentence: str, inputs: Values) -> LogEntry:
        return act.tell(sentence, kind=LogEntry.Kind.RECORD, inputs=inputs)

    record_rules.keep_house(act.match, before, number, tell)
    write_back(act.ledger)


def _end_firefight(act: CampaignAct) -> None:
    """Artillery that placed an FFE is used up (20.8.2); what left by the edge waits for another firefight."""
    act.match.state = replace(act.match.state, phase=TurnPhase.CONCLUSION.value)
    left = []
    for side in Side:
        in_play = [group for group in act.ledger.list_groups(side) if group.standing == Group.Standing.IN_PLAY]
        spent = [group for group in in_play if group.mark == Group.Sign.FFE]
        for group in spent:
            group.standing = Group.Standing.USED_UP
        for unit in act.ledger.in_play(side):
            if Mark.EXITED in unit.marks:
                left.append(positions.unit_key(unit))
            unit.marks = marks_after_firefight(unit.marks)
        if spent:
            names = ", ".join(f"{group.rg} {act.ledger.roster_line(group).unit}" for group in spent)
            act.tell(f"{side.word}: used up by an FFE: {names}.", side=side)
    conductor.begin_reorganization(act, left)


# Units


@campaign_act(Stage.FIREFIGHT, Stage.REORGANIZATION)
def report(act: CampaignAct, numbers: Iterable[int], news: News, sector: int | None = None, hex_name: str = "") -> None:
    """Note what became of own units, during a firefight or when it is over.

    What is told of hidden units stays sealed; what befalls them shows them. ``hex_name``: where they stand, for
    the close combat of a sector; blank if nobody needs to know. After the firefight ``STANDS`` may also put right
    in which sector a unit ended it (R-71).
    """
    _check_moment(act, news)
    units = act.find_units(numbers, "Choose the units.")
    if news.wants_sector or (sector is not None and news in (News.EXIT, News.STANDS)):
        _check_sector(act, news, sector)
    place = read_place(act, hex_name) if hex_name else ""
    if news is News.STANDS and not place and sector is None:
        raise BadField("Give the hex.")
    reasons = [reason for unit in units if (reason := _find_objection(act, unit, news, sector))]
    if reasons:
        raise Unfit(reasons)
    if news is News.REMOVED:
        remove_fixed(act, units)
        return
    sealed = [unit for unit in units if news.keeps_hidden and unit.hidden]
    openly = [unit for unit in units if unit not in sealed]
    before = {unit.number: counter_of(act.ledger, unit) for unit in units}
    words = {unit.number: _change_unit(act, unit, news, sector, place) for unit in units}
    changes = {unit.number: find_changes(before[unit.number], counter_of(act.ledger, unit)) for unit in units}
    for unit in openly:
        if before[unit.number].hidden:
            _tell_where_it_was_hidden(act, unit, changes[unit.number])
    if openly:
        act.tell(f"{act.name}: {_describe_fates(act, openly, words)}.", **_tell_news(news, openly, changes))
    if sealed:
        act.tell_sealed(f"{_describe_fates(act, sealed, words)}.", **_tell_news(news, sealed, changes))
    end_nests_without_commissar(act)
    if act.ledger.stage is Stage.REORGANIZATION:
        conductor.conduct(act)  # mines may have left nobody who could decide


Changes = dict[str, list[Any]]


def _tell_news(news: News, units: Iterable[Unit], changes: Mapping[int, Changes]) -> Json:
    """What a line holds of units besides its words: what befell them, and what of them changed."""
    told = tell_fates("", *(((unit,), ("eliminated",) if unit.fate else (news.value,)) for unit in units))
    told["inputs"] |= _list_changes(units, changes)
    return told


def _list_changes(units: Iterable[Unit], changes: Mapping[int, Changes]) -> dict[str, object]:
    """What of units changed, as lines about counters keep it."""
    return {COUNTERS: {id_of(unit.side, unit.number): changes[unit.number] for unit in units if changes[unit.number]}}


def _tell_where_it_was_hidden(act: CampaignAct, unit: Unit, changes: Changes) -> None:
    """Take what nobody else knew out of the changes of a unit that comes into sight, and seal that by itself."""
    unseen: Changes = {name: changes.pop(name) for name in ("place", "level", "area", "beside") if name in changes}
    if unseen:
        words = f"{act.ledger.called(unit)}: hidden no more where it stood."
        told = _list_changes([unit], {unit.number: unseen})
        act.tell_sealed(words, touches=write_mentions([id_of(unit.side, unit.number)]), inputs=told)


def _describe_fates(act: CampaignAct, units: Iterable[Unit], words: Mapping[int, str]) -> str:
    """Units with what became of them: those of the same fate together."""
    fates: dict[str, list[Unit]] = {}
    for unit in units:
        fates.setdefault(words[unit.number], []).append(unit)
    return "; ".join(f"{act.ledger.call_all(alike)}: {fate}" for fate, alike in fates.items())


def _check_moment(act: CampaignAct, news: News) -> None:
    step = positions.step(act.ledger) if act.ledger.stage is Stage.REORGANIZATION else None
    if reason := find_moment_objection(news, act.ledger.stage, step, act.is_ready()):
        raise Refused(f"{reason} Nothing was changed.")


def _check_sector(act: CampaignAct, news: News, sector: int | None) -> None:
    sector_map = act.ledger.content.sector_map
    if sector is None or sector not in sector_map.neighbours:
        numbers = sorted(sector_map.neighbours)
        raise BadField(f"Give the sector, {numbers[0]} to {numbers[-1]}.")
    if reason := find_edge_objection(news, sector, sector_map.edges[act.side], act.side):
        raise Unfit([reason])


def _find_objection(act: CampaignAct, unit: Unit, news: News, sector: int | None) -> str:
    ledger, counter = act.ledger, act.ledger.kind_of(unit)
    has_left = Mark.EXITED in unit.marks or ledger.has_left(unit)
    told = Reported(counter.name, counter.kind, unit.marks, unit.sector, bool(unit.fate), unit.hidden, has_left)
    edge = ledger.content.sector_map.edges[act.side]
    return find_news_objection(told, news, sector, edge, act.side, ledger.stage, ledger.sector_fought_out)


def _change_unit(act: CampaignAct, unit: Unit, news: News, sector: int | None, place: str) -> str:
    """Change one unit; returns what happened to it, in words."""
    if news is News.MOVE:
        unit.sector, unit.hex = sector, place
        return f"now in sector {sector}{f', hex {place}' if place else ''}"
    if news is News.STANDS:
        was_elsewhere = sector not in (None, unit.sector)
        unit.sector, unit.hex = sector if was_elsewhere else unit.sector, place
        mended = f"put right: ended the firefight in sector {unit.sector}" if was_elsewhere else ""
        return ", ".join(filter(None, (mended, f"stands in hex {place}" if place else "")))
    if news is News.GOOD_ORDER:
        unit.marks = marks_that_last(unit.marks)
        return news.word
    act.show(unit)
    if news is News.ENTER:
        unit.sector, unit.hex = sector, place
        unit.marks = marks_on_map(unit.marks)
        return f"on the map by sector {sector}"
    if news is News.EXIT:
        left_by, unit.sector, unit.hex, unit.home = unit.sector, None, "", None
        unit.marks = [*unit.marks, Mark.EXITED.value]
        return f"off the map by sector {left_by}"
    if news is News.SHOW:
        return f"shown in sector {unit.sector}"
    if kills(news, unit.marks):
        take_out(unit)
        return "eliminated" if news is News.ELIMINATED else "wounded again, eliminated"
    unit.marks = [*unit.marks, news.value]
    return news.word


@campaign_act(Stage.FIREFIGHT, Stage.REORGANIZATION)
def move_random_marker(act: CampaignAct, hex_name: str) -> None:
    """Note the hex of the Random marker, where the next firefight finds it (20.5.8.1 step 6)."""
    place = str(read_hex(act, hex_name))
    act.campaign.random_hex = place
    act.tell(f"{act.name}: the Random marker is in hex {place}.")


def take_out(unit: Unit) -> None:
    """A unit falls in a firefight, whoever tells it: a player, or the roll that did it."""
    unit.fate, unit.sector, unit.hex, unit.beside = Unit.Fate.ELIMINATED, None, "", None


def end_nests_without_commissar(act: CampaignAct) -> None:
    """A Fanatic Resistance Nest ends with the last Commissar of its side (20.9.3)."""
    if is_held(act.ledger.commissars(act.side)):
        return
    for group in positions.list_nests(act.ledger, act.side):
        conductor.spend_nest(act, group, "no Commissar is left")


@campaign_act(Stage.FIREFIGHT, Stage.REORGANIZATION)
def end_nest(act: CampaignAct, number: int) -> None:
    """A Fanatic Resistance Nest ends for good: no Commissar in it who is not Disrupted, or nobody (20.9.3, 20.7.1)."""
    group = act.find_own(act.ledger.groups, number, "group")
    if act.ledger.roster_line(group).type is not GroupType.NEST or group.standing != Group.Standing.IN_PLAY:
        raise Unfit(["Only a Fanatic Resistance Nest in play can end."])
    conductor.spend_nest(act, group, "no Commissar holds it")
    if act.ledger.stage is Stage.REORGANIZATION:
        conductor.conduct(act)  # it may have been all that its owner had to decide


# Batteries and aircraft


class BatteryNews(StrEnum):
    """What can be reported of a battery."""

    FFE = "ffe"
    LOST = "lost"


@campaign_act(Stage.FIREFIGHT)
def battery(act: CampaignAct, number: int, news: BatteryNews) -> None:
    """Note that a battery has placed an FFE, so that it is used up afterwards (20.8.2), or is out (17.3.1)."""
    group = act.find_own(act.ledger.groups, number, "battery")
    line = act.ledger.roster_line(group)
    if line.type not in BATTERIES or group.standing != Group.Standing.IN_PLAY:
        raise Unfit([f"{group.rg} is no battery in play."])
    if news is BatteryNews.LOST:
        group.standing = Group.Standing.LOST
        act.tell(f"{act.name}: {group.rg} {line.unit} is out of the campaign (17.3.1).")
    elif group.mark == Group.Sign.FFE:
        raise Unfit([f"{group.rg} has placed an FFE already."])
    else:
        group.mark = Group.Sign.FFE
        act.tell(f"{act.name}: {group.rg} {line.unit} has placed an FFE, and is used up after this firefight.")


@campaign_act(Stage.FIREFIGHT)
def aircraft(act: CampaignAct, number: int, dice: Dice) -> None:
    """Roll for a group of aircraft to arrive, or to stay (17.6.2). Die: ``die``, a d10."""
    group = act.find_own(act.ledger.groups, number, "group of aircraft")
    line, turn = act.ledger.roster_line(group), act.match.state.turn
    _check_air(act, group, turn)
    here = group.mark == Group.Sign.HERE
    result, rolled = act.play("air-arrival", {"number": line.arrival, "already_in_play": here}, dice)
    group.since = turn
    if result.outcome is ArrivalOutcome.LEAVES:
        group.standing, group.mark = Group.Standing.LOST, Group.Sign.NONE
        for unit in act.ledger.units_of(group):
            unit.fate = Unit.Fate.LEFT
    elif result.outcome is ArrivalOutcome.ARRIVES:
        group.mark = Group.Sign.HERE
    act.tell(f"{act.name}, {group.rg} {line.unit}. {result.headline}", rolled=rolled)


@campaign_act(Stage.FIREFIGHT)
def air_attack(act: CampaignAct, number: int, weapon: AirWeapon) -> None:
    """Note that one aircraft of a group attacks: with its HE once a firefight, with its MG once a turn (17.6.3).

    The line names the enemy AA that may fire before it (17.6.7, A-61).
    """
    group = act.find_own(act.ledger.groups, number, "group of aircraft")
    if group.mark != Group.Sign.HERE:
        raise Unfit([f"No aircraft of {group.rg} is over the map."])
    ready = [unit for unit in act.ledger.units_of(group) if can_attack(unit.marks, weapon)]
    flight = flight_of_group(act.ledger, group)
    if reasons := list_attack_objections(flight, weapon, act.match.state.turn, bool(ready)):
        raise Unfit(reasons)
    used = marks_of_attack(weapon)
    ready[0].marks = [*ready[0].marks, *(mark.value for mark in used)]
    name = act.ledger.called(ready[0])
    fates = tell_fates("air attack", (ready[:1], ("fought",)))
    flak = " and ".join(piece.counter.name for piece in list_flak_against(act.ledger, act.side))
    before = f" Before it {flak} may fire." if flak else ""
    act.tell(f"{act.name}, {group.rg}: {name} attacks. {', '.join(mark.word for mark in used)}.{before}", **fates)


def _check_air(act: CampaignAct, group: Group, turn: int) -> None:
    line = act.ledger.roster_line(group)
    if line.type is not GroupType.AIRCRAFT or group.standing != Group.Standing.IN_PLAY:
        raise Unfit([f"{group.rg} is no group of aircraft that can come."])
    refuse_objection(find_time_objection(group.rg, line.times, act.ledger.time))
    if reasons := list_roll_objections(flight_of_group(act.ledger, group), list_flights(act.ledger), turn):
        raise Unfit(reasons)


@campaign_act(Stage.FIREFIGHT)
def down_aircraft(act: CampaignAct, number: int, by: str = "") -> None:
    """Note that one aircraft of a group is shot down, or sent home for good (17.6.7).

    ``by``: the id of the counter that did it, which has to be AA (A-61); blank if nobody has noted it.
    """
    group = act.find_own(act.ledger.groups, number, "group of aircraft")
    flying = act.ledger.units_of(group)
    if group.mark != Group.Sign.HERE or not flying:
        raise Unfit([f"No aircraft of {group.rg} is over the map."])
    shot = next((piece.counter.name for piece in list_flak_against(act.ledger, act.side) if piece.counter.id == by), "")
    if by and not shot:
        raise Unfit(["Only AA that may fire brings aircraft down (17.6.7)."])
    flying[0].fate = Unit.Fate.ELIMINATED
    if len(flying) == 1:
        group.standing, group.mark, group.since = Group.Standing.LOST, Group.Sign.NONE, act.match.state.turn
    name, fates = act.ledger.called(flying[0]), tell_fates("anti-aircraft fire", (flying[:1], ("eliminated",)))
    act.tell(f"{act.name}, {group.rg}: {name} is lost{f' to {shot}' if shot else ''}, {len(flying) - 1} left.", **fates)
