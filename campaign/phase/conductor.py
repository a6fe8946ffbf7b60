"""The conductor of the Reorganization Phase after a firefight: the order of its steps (20.5.8.1, 20.6.4, 20.7.1).

``conduct`` goes on until a player must decide. What is decided is an act (campaign.acts.reorganizing), which changes
the ledger and calls ``conduct`` again. Where the phase stands is ``Ledger.phase``.
"""

from collections.abc import Callable, Collection, Iterable, Sequence

from campaign.ledger import missions
from campaign.ledger.act import NOBODY, CampaignAct, tell_fates
from campaign.ledger.ledger import Ledger
from campaign.models import Group, Unit
from campaign.rules.combat.battle import find_declarers
from campaign.rules.nests import may_stay
from campaign.rules.phase import ReorganizationPhase
from campaign.rules.rosters import GroupType
from campaign.rules.sectors import (
    Control,
    Holding,
    control_after,
    find_contested,
    find_isolated,
    find_newly_threatened,
    find_next_contested,
    holding_after_battle,
    is_shown_by_enemy_control,
    write_control,
)
from campaign.rules.stages import Stage
from campaign.rules.steps import Step
from campaign.rules.units import marks_after_close_combat, marks_in_close_combat, marks_that_last
from campaign.rules.victory import Verdict, describe_demand, find_verdict, find_verdict_at_once
from firefight.engine.board.counters import id_of, write_mentions
from firefight.engine.text import join_numbers
from firefight.games.combat_stalingrad.rules.melee.attacks import Key
from firefight.games.combat_stalingrad.rules.melee.fighters import Battle
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import LogEntry

from . import battles, lookups


def begin_reorganization(act: CampaignAct, exited: Iterable[Key]) -> None:
    """The firefight is over: both sides say what became of their units. ``exited``: left by their edge."""
    act.move_on(Stage.REORGANIZATION)
    act.ledger.phase = ReorganizationPhase(Step.AFTER_ACTION, exited=tuple(exited))


def begin_without_firefight(act: CampaignAct) -> None:
    """Both sides held: nothing was fought over, so the changes to units come at once (20.5.4, 20.5.8.1 step 6)."""
    act.move_on(Stage.REORGANIZATION)
    act.ledger.phase = ReorganizationPhase(Step.UPKEEP)
    conduct(act)


def conduct(act: CampaignAct, battle: Battle | None = None) -> list[Side]:
    """Go on through the steps until a side has to decide or to roll; returns which, none if the phase is over.

    ``battle``: as the round just fought left it, where that is known.
    """
    while act.ledger.stage is Stage.REORGANIZATION:
        waiting = find_deciders(act.ledger, battle)
        if waiting:
            act.keep_sector()
            return waiting
        _NEXT[lookups.step(act.ledger)](act)
        battle = None
    return []


def find_deciders(ledger: Ledger, battle: Battle | None = None) -> list[Side]:
    """The sides that have something to decide in this step; if there are none, the step is over."""
    attacker, defender = Side(ledger.campaign.attacker or Side.GERMAN), ledger.defender
    match lookups.step(ledger):
        case Step.AFTER_ACTION:
            return [side for side in Side if side not in ledger.campaign.ready]
        case Step.EXISTING | Step.BATTLE:
            return _find_who_declares(ledger, battle or battles.battle_of(ledger))
        case Step.ATTACKER_LEAVES:
            return _find_leaver(ledger, attacker)
        case Step.DEFENDER_LEAVES:
            return _find_leaver(ledger, defender)
        case Step.FINAL_ATTACKER:
            return _find_final_leaver(ledger, attacker)
        case Step.FINAL_DEFENDER:
            return _find_final_leaver(ledger, defender)
        case Step.UPKEEP:
            return [side for side in Side if side not in ledger.campaign.ready and _has_changes(ledger, side)]


def _find_who_declares(ledger: Ledger, battle: Battle) -> list[Side]:
    """Which sides declare attacks; the other side answers what has been gathered."""
    sides, gathered = find_declarers(battle), ledger.phase.gathered
    return [gathered.side.other] if sides and gathered else list(sides)


def _find_leaver(ledger: Ledger, side: Side) -> list[Side]:
    sector = ledger.phase.sector
    if side in ledger.campaign.ready or sector is None or not lookups.is_contested(ledger, sector):
        return []
    return [side] if lookups.list_candidates(ledger, side) or lookups.list_mined(ledger, side) else []


def _find_final_leaver(ledger: Ledger, side: Side) -> list[Side]:
    return [side] if side not in ledger.campaign.ready and lookups.list_candidates(ledger, side) else []


def _has_changes(ledger: Ledger, side: Side) -> bool:
    """Whether a side has to roll for units, or, after a firefight, to say whether nests stay (20.7.1)."""
    nests = lookups.list_standing_nests(ledger, side) if ledger.campaign.attacker else []
    return bool(lookups.list_damaged(ledger, side) or nests)


# From step to step


def _go_to(act: CampaignAct, phase: ReorganizationPhase) -> None:
    """Begin another step."""
    act.ledger.phase = phase
    act.campaign.ready = []
    # A form of the step before must not count for this one.
    act.campaign.stage_since = act.match.version + 1


def _after_action(act: CampaignAct) -> None:
    """Both have reported: see which sectors are threatened (20.6.3, 20.6.4)."""
    ledger, present = act.ledger, lookups.find_sectors_with_units(act.ledger)
    set_control(act, control_after(ledger.control, present))
    contested = find_contested(present)
    ended_in_hex = [key for sector in contested for key in battles.find_met_vehicles(ledger, sector)]
    ledger.phase = ledger.phase.with_threatened(contested, ended_in_hex)
    sentence = f"Threatened sectors: {join_numbers(contested)}." if contested else "No sector is threatened."
    act.tell(sentence, side=NOBODY)
    meeting = [unit for sector in contested for unit in battles.list_meeting(ledger, sector)]
    sentence = "In one place with the enemy, so Close Combat is under way: {} (19.1.1)."
    change_marks(act, meeting, marks_in_close_combat, sentence)
    _next_sector(act)


def _next_sector(act: CampaignAct) -> None:
    """On to the next threatened sector, or to the survivors of all that were."""
    ledger, present = act.ledger, lookups.find_sectors_with_units(act.ledger)
    contested = find_contested(present)
    if not contested:
        set_control(act, control_after(ledger.control, present))
        ledger.phase = ledger.phase.after_sectors()
        _next_survivors(act)
        return
    sector = find_next_contested(contested, ledger.phase.waiting)
    set_control(act, {**ledger.control, sector: Holding.THREATENED})
    show_hidden(act, [unit for side in Side for unit in ledger.in_play(side) if unit.sector == sector])
    _go_to(act, ledger.phase.at_sector(sector, _find_met(ledger, sector)))
    act.tell(f"Now sector {sector} is fought over.", side=NOBODY)
    _mark_places(act)


def _mark_places(act: CampaignAct) -> None:
    """All units of a location with Close Combat under way take part in it, marked or not (19.1.6, A-46)."""
    drawn_in = battles.list_unmarked(act.ledger)
    sentence = "In the same place as Close Combat under way, and part of it: {} (19.1.6)."
    change_marks(act, drawn_in, marks_in_close_combat, sentence)


def change_marks(
    act: CampaignAct, units: Sequence[Unit], becomes: Callable[[Collection[str]], list[str]], sentence: str
) -> None:
    """Change the marks of units of both sides, and say so; nothing is said where there are none."""
    for unit in units:
        unit.marks = becomes(unit.marks)
    if units:
        names = ", ".join(f"{Side(unit.side).word} {act.ledger.name_unit(unit)}" for unit in units)
        act.tell(sentence.format(names), side=NOBODY, **tell_fates("", (units, ())))


def _find_met(ledger: Ledger, sector: int) -> list[Key]:
    """The vehicles there in whose hex an enemy ended the firefight (20.6.4 step 3, R-72)."""
    ended_in_hex = ledger.phase.ended_in_hex
    if ended_in_hex is None:  # begun by version 0.1.0, which judged it when the sector came up
        return battles.find_met_vehicles(ledger, sector)
    present = {key for side in Side for key in lookups.keys_of(lookups.list_fighters(ledger, side, sector))}
    return [key for key in ended_in_hex if key in present]


def _next_survivors(act: CampaignAct) -> None:
    _go_to(act, act.ledger.phase.at_next_survivors())


def _final_defender(act: CampaignAct) -> None:
    """On to the survivors of the next sector, or to the main line of resistance."""
    if act.ledger.phase.waiting:
        _next_survivors(act)
    else:
        _line_of_resistance(act)


def threaten(act: CampaignAct) -> None:
    """Sectors that now hold units of both sides are threatened as well (A-29)."""
    control = act.ledger.control
    newly_threatened = find_newly_threatened(control, lookups.find_sectors_with_units(act.ledger))
    if newly_threatened:
        set_control(act, {**control, **dict.fromkeys(newly_threatened, Holding.THREATENED)})
        act.tell(f"Threatened now as well: {join_numbers(newly_threatened)}.", side=NOBODY)


def show_hidden(act: CampaignAct, units: Iterable[Unit]) -> None:
    """Hidden units in a threatened sector are placed on the map and take part (20.6.4 step 2, R-146)."""
    for unit in units:
        if unit.hidden:
            act.show(unit)
            side = Side(unit.side)
            name = act.ledger.name_unit(unit)
            sentence = f"{side.word}: {name} was hidden in sector {unit.sector}, and is placed."
            act.tell(sentence, side=side, **tell_fates("", ([unit], ("shown",))))


def _remove_markers(act: CampaignAct) -> None:
    """No close combat hex holds both sides now: the markers come off (20.6.4 step 1)."""
    for unit in _units_fought_over(act.ledger):
        unit.marks = marks_after_close_combat(unit.marks)
    _go_to(act, act.ledger.phase.to(Step.ATTACKER_LEAVES))


def _units_fought_over(ledger: Ledger) -> list[Unit]:
    """The units of both sides in the sector that is fought out."""
    sector = ledger.phase.sector
    return [] if sector is None else [unit for side in Side for unit in lookups.list_fighters(ledger, side, sector)]


def _settle_sector(act: CampaignAct) -> None:
    """One side is left, or none: the sector is settled (20.6.4 step 4)."""
    sector = act.ledger.phase.sector
    if sector is not None:
        holding = holding_after_battle({Side(unit.side) for unit in _units_fought_over(act.ledger)})
        set_control(act, {**act.ledger.control, sector: holding})
        act.tell(f"Sector {sector} is {holding.word} now.", side=NOBODY)
    _next_sector(act)


def _line_of_resistance(act: CampaignAct) -> None:
    """Markers come off, survivors note their sector, isolation is marked (20.6.4 step 6)."""
    ledger = act.ledger
    for side in Side:
        for unit in ledger.in_play(side):
            unit.marks = marks_that_last(unit.marks)
            unit.home = unit.sector
            if not ledger.is_fixed(unit):
                unit.hex = ""
    cut_off = find_isolated(ledger.content.sector_map, ledger.control)
    told_isolated = f" Isolated: {join_numbers(cut_off)}." if cut_off else ""
    act.tell(
        "Markers come off; survivors set up where they are now. Fortifications stay, or may be taken off in own "
        f"sectors; a Dug-In in a building hex stays if a unit sets up under it.{told_isolated}",
        side=NOBODY,
    )
    if ledger.is_last_firefight:
        finish(act, "The last firefight is over.")
        return
    line = find_verdict_at_once(ledger.card.verdicts, ledger.content.sector_map, ledger.control)
    if line:
        finish(act, "Campaign orders are fulfilled.", line=line)
        return
    _change_map(act)
    _go_to(act, ledger.phase.at_upkeep())


def _change_map(act: CampaignAct) -> None:
    """20.7.1 steps 1 to 3 and 6: the changes that need no die."""
    ledger, control = act.ledger, act.ledger.control
    act.tell(
        "On the board: burning wrecks are plain wrecks now, Fire in buildings becomes Rubble, other Fire and "
        "Courage markers go (20.7.1).",
        side=NOBODY,
    )
    _change_ground(act)
    for side in Side:
        for unit in ledger.in_play(side):
            kind = ledger.kind_of(unit).kind
            if is_shown_by_enemy_control(kind, side, None if unit.sector is None else control[unit.sector]):
                show_hidden(act, [unit])
        check_nests(act, side)


def _change_ground(act: CampaignAct) -> None:
    """20.7.1 steps 1 and 2 for every hex that is known to have a wreck or a fire, hex by hex."""
    values, sentences = missions.reorganize_ground(act.ledger)
    if sentences:
        act.tell(" ".join(sentences), kind=LogEntry.Kind.RECORD, side=NOBODY, inputs={"changes": values})


def check_nests(act: CampaignAct, side: Side) -> None:
    """Nests that cannot stay end."""
    ledger = act.ledger
    for group in lookups.list_nests(ledger, side):
        sectors = [unit.sector for unit in ledger.units_of(group) if unit.sector is not None]
        commissars = [unit.marks for unit in ledger.list_commissars(side)]
        if not may_stay(side, sectors, ledger.control, commissars):
            spend_nest(act, group, "it is lost")


def spend_nest(act: CampaignAct, group: Group, why: str, commissars: Sequence[Unit] = ()) -> None:
    """A Fanatic Resistance Nest ends for good (20.9.3). ``commissars``: those without whom it cannot go on."""
    group.standing = Group.Standing.USED_UP
    units = act.ledger.units_of(group)
    stood = {str(unit.number): [unit.sector, unit.hex] for unit in units if not unit.hidden}
    for unit in units:
        unit.eliminate()
    side, fates = Side(group.side), tell_fates("", (units, ("left",)))
    fallen = [unit.number for unit in commissars if unit.fate]
    disrupted = [unit.number for unit in commissars if not unit.fate]
    ended = {NEST: {"group": group.number, "commissars": fallen, "disrupted": disrupted, "stood": stood}}
    sentence = f"{side.word}: the Fanatic Resistance Nest ends for good, {why} (20.9.3)."
    act.tell(sentence, side=side, **{**fates, "inputs": {**fates.get("inputs", {}), **ended}})


NEST = "nest"  # where the line of a nest's end says which it was, for whom it ended, and where its marker stood


def bring_nests_back(act: CampaignAct) -> None:
    """Nests that ended with Commissars who hold them after all, by a correction or a hand, stand again.

    One who rallies does not bring his nest back (20.9.3): what Disrupted him has to be struck.
    """
    in_play = {unit.number for unit in act.ledger.list_commissars(act.side)}
    nests = act.ledger.list_groups(act.side, GroupType.NEST)
    for group in [group for group in nests if group.standing == Group.Standing.USED_UP]:
        lines = act.match.log.filter(side=act.side, inputs__nest__group=group.number)
        line = lines.order_by("number").last()
        ended = line.inputs[NEST] if line else {}
        fallen, disrupted = (ended.get(name) for name in ("commissars", "disrupted"))
        is_back = isinstance(fallen, list) and any(number in in_play for number in fallen)
        if line and (is_back or (isinstance(disrupted, list) and _is_struck(act, line, disrupted))):
            _restore_nest(act, group, ended.get("stood"))


def _is_struck(act: CampaignAct, end: LogEntry, numbers: Iterable[int]) -> bool:
    """Whether what befell one of these units before a nest's end was struck after it."""
    struck = act.match.log.filter(kind=LogEntry.Kind.COUNTER, number__lt=end.number, voided_by__gt=end.number)
    mentions = [write_mentions([id_of(act.side, number)]) for number in numbers]
    return any(mention in touches for touches in struck.values_list("touches", flat=True) for mention in mentions)


def _restore_nest(act: CampaignAct, group: Group, stood: object) -> None:
    """``stood``: sector and hex of its markers by number, as its line holds them; off the map for anything else."""
    group.standing = Group.Standing.IN_PLAY
    for unit in act.ledger.units[act.side].values():
        if unit.group is group and unit.fate:
            unit.fate = Unit.Fate.NONE
            match stood.get(str(unit.number)) if isinstance(stood, dict) else None:
                case [int(sector), str(place)] if sector in act.ledger.content.sector_map.neighbours:
                    unit.sector, unit.hex = sector, place
    act.tell(f"{act.name}: the Fanatic Resistance Nest stands again, with its Commissar (20.9.3).")


def _begin_next_firefight(act: CampaignAct) -> None:
    """On to the next firefight, or the end (20.5.5)."""
    campaign, ledger = act.campaign, act.ledger
    if ledger.is_last_firefight:
        finish(act, "No firefight is left.")
        return
    campaign.firefight += 1
    campaign.attacker, campaign.phase = "", None
    act.move_on(Stage.REINFORCEMENTS)
    act.tell(f"The campaign goes on to {ledger.time}.", side=NOBODY)


def finish(act: CampaignAct, why: str, winner: Side | None = None, line: Verdict | None = None) -> None:
    """The campaign is over: by concession, by this line of the card, or by the first line that is met (20.5.5)."""
    ledger = act.ledger
    act.campaign.phase = None
    act.move_on(Stage.OVER)
    if winner:
        act.campaign.outcome = f"{winner.word} victory: the other side concedes."
    else:
        line = line or find_verdict(ledger.card.verdicts, ledger.content.sector_map, ledger.control)
        result = f"{line.winner.word} victory" if line.winner else "Draw"
        act.campaign.outcome = f"{result}: {describe_demand(line.demand)}." if line.demand else f"{result}."
    act.tell(f"{why} {act.campaign.outcome}", side=NOBODY)


_NEXT = {
    Step.AFTER_ACTION: _after_action,
    Step.EXISTING: _remove_markers,
    Step.ATTACKER_LEAVES: lambda act: _go_to(act, act.ledger.phase.to(Step.DEFENDER_LEAVES)),
    Step.DEFENDER_LEAVES: lambda act: _go_to(act, act.ledger.phase.to(Step.BATTLE).before_first_round()),
    Step.BATTLE: _settle_sector,
    Step.FINAL_ATTACKER: lambda act: _go_to(act, act.ledger.phase.to(Step.FINAL_DEFENDER)),
    Step.FINAL_DEFENDER: _final_defender,
    Step.UPKEEP: _begin_next_firefight,
}


def set_control(act: CampaignAct, control: Control) -> None:
    """Write down who controls what."""
    act.campaign.held = write_control(control)
