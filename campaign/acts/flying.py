"""Aircraft in a firefight: they arrive and stay, attack and are shot down (17.6)."""

from campaign.ledger.act import CampaignAct, Unfit, refuse, tell_fates
from campaign.ledger.dice import Dice
from campaign.ledger.missions import flight_of_group, list_flights
from campaign.ledger.performing import campaign_act
from campaign.ledger.pieces import list_flak_against
from campaign.models import Group, Unit
from campaign.rules.aircraft import find_time_objection
from campaign.rules.rosters import GroupType
from campaign.rules.stages import Stage
from firefight.games.combat_stalingrad.rules.air import AirWeapon, ArrivalOutcome
from firefight.games.combat_stalingrad.rules.flights import (
    can_attack,
    list_attack_objections,
    list_roll_objections,
    marks_of_attack,
)


@campaign_act(Stage.FIREFIGHT)
def roll_arrival(act: CampaignAct, number: int, dice: Dice) -> None:
    """Roll for a group of aircraft to arrive, or to stay (17.6.2). Die: ``die``, a d10."""
    group = act.find_own(act.ledger.groups, number, "group of aircraft")
    line, turn = act.ledger.roster_line(group), act.match.state.turn
    _check_air(act, group, turn)
    is_in_play = group.mark == Group.Sign.HERE
    result, rolled = act.play("air-arrival", {"number": line.arrival, "already_in_play": is_in_play}, dice)
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
    """Note that one aircraft of a group attacks: with its HE once per firefight, with its MG once per turn (17.6.3).

    The log's line names the enemy AA that may fire before it (17.6.7, A-61).
    """
    group = act.find_own(act.ledger.groups, number, "group of aircraft")
    if group.mark != Group.Sign.HERE:
        raise Unfit(f"No aircraft of {group.rg} is over the map.")
    ready = [unit for unit in act.ledger.units_of(group) if can_attack(unit.marks, weapon)]
    flight = flight_of_group(act.ledger, group)
    if reasons := list_attack_objections(flight, weapon, act.match.state.turn, bool(ready)):
        raise Unfit(*reasons)
    weapon_marks = marks_of_attack(weapon)
    ready[0].marks = [*ready[0].marks, *(mark.value for mark in weapon_marks)]
    name = act.ledger.name_unit(ready[0])
    fates = tell_fates("air attack", (ready[:1], ("fought",)))
    flak = " and ".join(piece.counter.name for piece in list_flak_against(act.ledger, act.side))
    before = f" Before it {flak} may fire." if flak else ""
    act.tell(
        f"{act.name}, {group.rg}: {name} attacks. {', '.join(mark.word for mark in weapon_marks)}.{before}", **fates
    )


def _check_air(act: CampaignAct, group: Group, turn: int) -> None:
    line = act.ledger.roster_line(group)
    if line.type is not GroupType.AIRCRAFT or group.standing != Group.Standing.IN_PLAY:
        raise Unfit(f"{group.rg} is not a group of aircraft that can come.")
    refuse(find_time_objection(group.rg, line.times, act.ledger.time))
    if reasons := list_roll_objections(flight_of_group(act.ledger, group), list_flights(act.ledger), turn):
        raise Unfit(*reasons)


@campaign_act(Stage.FIREFIGHT)
def down_aircraft(act: CampaignAct, number: int, by: str = "") -> None:
    """Note that one aircraft of a group is shot down, or sent home for good (17.6.7).

    ``by``: the id of the counter that did it, which has to be AA (A-61); blank if nobody has noted it.
    """
    group = act.find_own(act.ledger.groups, number, "group of aircraft")
    flying = act.ledger.units_of(group)
    if group.mark != Group.Sign.HERE or not flying:
        raise Unfit(f"No aircraft of {group.rg} is over the map.")
    shot = next((piece.counter.name for piece in list_flak_against(act.ledger, act.side) if piece.counter.id == by), "")
    if by and not shot:
        raise Unfit("Only AA that may fire brings aircraft down (17.6.7).")
    flying[0].fate = Unit.Fate.ELIMINATED
    if len(flying) == 1:
        group.standing, group.mark, group.since = Group.Standing.LOST, Group.Sign.NONE, act.match.state.turn
    name, fates = act.ledger.name_unit(flying[0]), tell_fates("anti-aircraft fire", (flying[:1], ("eliminated",)))
    act.tell(f"{act.name}, {group.rg}: {name} is lost{f' to {shot}' if shot else ''}, {len(flying) - 1} left.", **fates)
