"""The conductor of the Reorganization Phase after a firefight: the order of its steps (20.5.8.1, 20.6.4, 20.7.1).

``conduct`` goes on until a player must decide. What he decides is an act (campaign.acts.reorganizing), which
changes the ledger and calls ``conduct`` again. The pointer stands in ``Campaign.phase``.
"""

from collections.abc import Iterable

from campaign.ledger.act import CampaignAct as Deed
from campaign.ledger.act import name_of
from campaign.ledger.ledger import Ledger
from campaign.models import Group, Unit
from campaign.rules.combat.battle import is_over, picker
from campaign.rules.counters import CounterKind
from campaign.rules.sectors import Control, Holding, control_after, isolated, join_numbers, write_control
from campaign.rules.sides import Side
from campaign.rules.stages import Stage
from campaign.rules.steps import Step
from campaign.rules.units import LASTING, Mark
from campaign.rules.victory import Verdict, told, verdict, verdict_at_once

from . import battles, positions


def begin(deed: Deed, left: list[list]) -> None:
    """The firefight is over: both sides say what became of their units. ``left``: who went off by the own edge."""
    deed.move_on(Stage.REORGANIZATION)
    deed.campaign.phase = {"step": Step.AFTER_ACTION.value, "sector": None, "fought_over": [], "left": left}


def begin_without_firefight(deed: Deed) -> None:
    """Both sides held: nothing was fought over, so the changes to units come at once (20.5.4, 20.5.8.1 step 6)."""
    deed.move_on(Stage.REORGANIZATION)
    deed.campaign.phase = {"step": Step.UPKEEP.value, "sector": None, "fought_over": []}
    conduct(deed)


def conduct(deed: Deed) -> list[Side]:
    """Go on through the steps until somebody has to decide or to roll; returns who, nobody where the phase is over."""
    while deed.ledger.stage is Stage.REORGANIZATION:
        found = deciders(deed.ledger)
        if found:
            return found
        _NEXT[positions.step(deed.ledger)](deed)
    return []


def deciders(ledger: Ledger) -> list[Side]:
    """The sides that have something to decide in this step; nobody, and the step is over."""
    attacker, defender = Side(ledger.campaign.attacker or Side.GERMAN), ledger.defender
    here = ledger.campaign.phase["sector"]
    match positions.step(ledger):
        case Step.AFTER_ACTION:
            return [side for side in Side if side not in ledger.campaign.ready]
        case Step.EXISTING | Step.BATTLE:
            return _who_fights(ledger)
        case Step.ATTACKER_LEAVES:
            return _may_leave(ledger, attacker, here)
        case Step.DEFENDER_LEAVES:
            return _may_leave(ledger, defender, here)
        case Step.FINAL_ATTACKER:
            return _may_leave_finally(ledger, attacker)
        case Step.FINAL_DEFENDER:
            return _may_leave_finally(ledger, defender)
        case Step.UPKEEP:
            return [side for side in Side if side not in ledger.campaign.ready and _has_changes(ledger, side)]


def _who_fights(ledger: Ledger) -> list[Side]:
    """Who declares attacks: the side that picks; in step 1 either, as the side with the Initiative wishes (A-46).

    The other side answers what has been gathered.
    """
    battle = battles.battle_of(ledger)
    if is_over(battle):
        return []
    gathered = battles.gathered(ledger)
    if gathered:
        return [gathered[0].other]
    return list(Side) if battle.existing else [picker(battle)]


def _may_leave(ledger: Ledger, side: Side, sector: int) -> list[Side]:
    if side in ledger.campaign.ready or not positions.is_contested(ledger, sector):
        return []
    can_leave = positions.goals(ledger, side, sector) and positions.leavers(ledger, side, sector)
    return [side] if can_leave or positions.mined(ledger, side, sector) else []


def _may_leave_finally(ledger: Ledger, side: Side) -> list[Side]:
    open_to_any = any(
        positions.leavers(ledger, side, sector) and positions.final_goals(ledger, side, sector)
        for sector in positions.final_sectors(ledger.campaign.phase)
    )
    return [side] if open_to_any and side not in ledger.campaign.ready else []


def _has_changes(ledger: Ledger, side: Side) -> bool:
    """Whether a side has to roll for units, or, after a firefight, to say of nests whether they stay (20.7.1)."""
    return bool(positions.damaged(ledger, side) or (ledger.campaign.attacker and positions.nests(ledger, side)))


# From step to step


_FIRST_ROUND = {"round": 1, "fought": [], "effects": [], "waited": [], "gathered": None}


def _to(deed: Deed, following: Step, **more: object) -> None:
    deed.campaign.phase = {**deed.campaign.phase, "step": following.value, **more}
    deed.campaign.ready = []
    # A form of the step before must not count for this one.
    deed.campaign.stage_since = deed.match.version + 1


def _after_action(deed: Deed) -> None:
    """Both have told: who threatens what (20.6.3, 20.6.4)."""
    ledger = deed.ledger
    set_control(deed, control_after(ledger.control, positions.fighting(ledger)))
    contested = [sector for sector in ledger.control if positions.is_contested(ledger, sector)]
    deed.campaign.phase = {
        **deed.campaign.phase,
        "fought_over": contested,
        "waiting": contested,
        "ended_in_hex": [key for sector in contested for key in battles.met(ledger, sector)],
        "tried": [],
    }
    deed.tell(f"Threatened sectors: {join_numbers(contested)}." if contested else "No sector is threatened.")
    _next_sector(deed)


def _next_sector(deed: Deed) -> None:
    """The lowest threatened sector; one that became threatened on the way comes last (A-29)."""
    ledger, phase = deed.ledger, deed.campaign.phase
    contested = [sector for sector in ledger.control if positions.is_contested(ledger, sector)]
    if not contested:
        set_control(deed, control_after(ledger.control, positions.fighting(ledger)))
        deed.campaign.phase = {**phase, "sector": None, "waiting": phase["fought_over"], "tried": [], "hurry": None}
        _next_survivors(deed)
        return
    sector = min(contested, key=lambda sector: (sector not in phase["waiting"], sector))
    set_control(deed, {**ledger.control, sector: Holding.THREATENED})
    show_hidden(deed, [unit for side in Side for unit in ledger.in_play(side) if unit.sector == sector])
    _to(
        deed,
        Step.EXISTING,
        sector=sector,
        waiting=[other for other in phase["waiting"] if other != sector],
        fought_over=sorted({*phase["fought_over"], sector}),
        hurry=None,  # what was asked for another sector
        **_FIRST_ROUND,
        mined=[],
        met=_met(ledger, sector),
    )
    deed.tell(f"Now sector {sector} is fought over.")
    _mark_places(deed)


def _mark_places(deed: Deed) -> None:
    """All units of a location with Close Combat under way take part in it, marked or not (19.1.6, A-46)."""
    drawn_in = battles.unmarked(deed.ledger)
    for unit in drawn_in:
        unit.marks = [*unit.marks, Mark.CLOSE_COMBAT.value]
    if drawn_in:
        names = ", ".join(f"{name_of(unit.side)} {deed.ledger.called(unit)}" for unit in drawn_in)
        deed.tell(f"In the same place as Close Combat under way, and part of it: {names} (19.1.6).")


def _met(ledger: Ledger, sector: int) -> list[list]:
    """The vehicles there in whose hex an enemy ended the firefight (20.6.4 step 3, R-72)."""
    phase = ledger.campaign.phase
    if "ended_in_hex" not in phase:  # begun by version 0.1.0, which judged it when the sector came up
        return battles.met(ledger, sector)
    here = {(side, unit.number) for side in Side for unit in positions.fighters(ledger, side, sector)}
    return [[side, number] for side, number in phase["ended_in_hex"] if (side, number) in here]


def _next_survivors(deed: Deed) -> None:
    """Survivors re-deploy sector by sector, in number order; the Attacker's first in each (20.6.4 step 5, A-52)."""
    waiting = deed.campaign.phase["waiting"]
    _to(deed, Step.FINAL_ATTACKER, survivors_of=waiting[0] if waiting else None, waiting=waiting[1:])


def _final_defender(deed: Deed) -> None:
    """On to the survivors of the next sector, or to the main line of resistance."""
    if deed.campaign.phase.get("waiting"):
        _next_survivors(deed)
    else:
        _line_of_resistance(deed)


def threaten(deed: Deed) -> None:
    """Sectors of nobody that units of both sides have come to are threatened as well (A-29)."""
    control, present = deed.ledger.control, positions.fighting(deed.ledger)
    fresh = {sector for sector in set.intersection(*present.values()) if control[sector] is not Holding.THREATENED}
    if fresh:
        set_control(deed, {**control, **dict.fromkeys(fresh, Holding.THREATENED)})
        deed.tell(f"Threatened now as well: {join_numbers(fresh)}.")


def show_hidden(deed: Deed, units: Iterable[Unit]) -> None:
    """Hidden units in a threatened sector are placed on the map and take part (20.6.4 step 2)."""
    for unit in units:
        if unit.hidden:
            deed.show(unit)
            side = Side(unit.side)
            name = deed.ledger.called(unit)
            deed.tell(f"{name_of(side)}: {name} was hidden in sector {unit.sector}, and is placed.", side=side)


def _existing(deed: Deed) -> None:
    """No close combat hex holds both sides any more: the markers come off (20.6.4 step 1)."""
    for side in Side:
        for unit in positions.fighters(deed.ledger, side, deed.campaign.phase["sector"]):
            unit.marks = [mark for mark in unit.marks if mark != Mark.CLOSE_COMBAT]
    _to(deed, Step.ATTACKER_LEAVES)


def _battle(deed: Deed) -> None:
    """One side is left, or none: the sector is settled (20.6.4 step 4)."""
    sector = deed.campaign.phase["sector"]
    there = [side for side in Side if positions.fighters(deed.ledger, side, sector)]
    winner = Holding(there[0]) if there else Holding.NOBODY
    set_control(deed, {**deed.ledger.control, sector: winner})
    deed.tell(f"Sector {sector} is {winner.word} now.")
    _next_sector(deed)


def _line_of_resistance(deed: Deed) -> None:
    """Markers come off, survivors note their sector, isolation is marked (20.6.4 step 6)."""
    ledger = deed.ledger
    for side in Side:
        for unit in ledger.in_play(side):
            unit.marks = [mark for mark in unit.marks if mark in LASTING]
            unit.home = unit.sector
            if not ledger.is_fixed(unit):
                unit.hex = ""
    cut_off = isolated(ledger.content.sector_map, ledger.control)
    told_isolated = f" Isolated: {join_numbers(cut_off)}." if cut_off else ""
    deed.tell(
        "Markers come off; survivors set up where they are now. Fortifications stay, or may be taken off in own "
        f"sectors; a Dug-In in a building hex stays if a unit sets up under it.{told_isolated}"
    )
    if is_last(ledger):
        finish(deed, "The last firefight is over.")
        return
    line = verdict_at_once(ledger.card.verdicts, ledger.content.sector_map, ledger.control)
    if line:
        finish(deed, "Campaign orders are fulfilled.", line=line)
        return
    _changes(deed)
    _to(deed, Step.UPKEEP, sector=None)


def _changes(deed: Deed) -> None:
    """20.7.1 steps 1 to 3 and 6: what needs no die."""
    ledger = deed.ledger
    deed.tell(
        "On the board: burning wrecks are plain wrecks now, Fire in buildings becomes Rubble, other Fire and "
        "Courage markers go (20.7.1)."
    )
    for side in Side:
        for unit in ledger.in_play(side):
            in_enemy_land = unit.sector is not None and ledger.control[unit.sector] not in (
                Holding(side),
                Holding.NOBODY,
            )
            if ledger.counter(unit).kind is CounterKind.FORTIFICATION and in_enemy_land:
                show_hidden(deed, [unit])
        check_nests(deed, side)


def check_nests(deed: Deed, side: Side) -> None:
    """Nests stay only in sectors of their side, and only while a Commissar is in play (20.7.1 step 6, 20.9.3)."""
    for group in positions.nests(deed.ledger, side):
        _check_nest(deed, side, group)


def _check_nest(deed: Deed, side: Side, group: Group) -> None:
    sectors = [unit.sector for unit in deed.ledger.units_of(group) if unit.sector is not None]
    lost = any(deed.ledger.control[sector] is not Holding(side) for sector in sectors)
    if lost or not deed.ledger.commissars(side):
        spend_nest(deed, group, "it is lost")


def spend_nest(deed: Deed, group: Group, why: str) -> None:
    """A Fanatic Resistance Nest ends for good (20.9.3)."""
    group.standing = Group.Standing.USED_UP
    for unit in deed.ledger.units_of(group):
        take_off(unit)
    side = Side(group.side)
    deed.tell(f"{name_of(side)}: the Fanatic Resistance Nest ends for good, {why} (20.9.3).", side=side)


def take_off(unit: Unit) -> None:
    """A mine or a nest marker is taken off the map (20.6.4 step 6)."""
    unit.fate, unit.sector, unit.home, unit.hex, unit.hidden = Unit.Fate.ELIMINATED, None, None, "", False


def _upkeep(deed: Deed) -> None:
    """On to the next firefight, or the end (20.5.5)."""
    campaign, ledger = deed.campaign, deed.ledger
    if is_last(ledger):
        finish(deed, "No firefight is left.")
        return
    campaign.firefight += 1
    campaign.attacker, campaign.phase = "", {}
    deed.move_on(Stage.REINFORCEMENTS)
    deed.tell(f"The campaign goes on to {ledger.time}.")


def is_last(ledger: Ledger) -> bool:
    """Whether no firefight follows on the card."""
    return ledger.campaign.firefight == len(ledger.card.times)


def finish(deed: Deed, why: str, winner: Side | None = None, line: Verdict | None = None) -> None:
    """The campaign is over: by concession, by this line of the card, or by the first that is met (20.5.5)."""
    ledger = deed.ledger
    deed.campaign.phase = {}
    deed.move_on(Stage.OVER)
    if winner:
        deed.campaign.outcome = f"{name_of(winner)} victory: the other side concedes."
    else:
        line = line or verdict(ledger.card.verdicts, ledger.content.sector_map, ledger.control)
        result = f"{name_of(line.winner)} victory" if line.winner else "Draw"
        deed.campaign.outcome = f"{result}: {told(line.demand)}." if line.demand else f"{result}."
    deed.tell(f"{why} {deed.campaign.outcome}")


_NEXT = {
    Step.AFTER_ACTION: _after_action,
    Step.EXISTING: _existing,
    Step.ATTACKER_LEAVES: lambda deed: _to(deed, Step.DEFENDER_LEAVES),
    Step.DEFENDER_LEAVES: lambda deed: _to(deed, Step.BATTLE, **_FIRST_ROUND),
    Step.BATTLE: _battle,
    Step.FINAL_ATTACKER: lambda deed: _to(deed, Step.FINAL_DEFENDER),
    Step.FINAL_DEFENDER: _final_defender,
    Step.UPKEEP: _upkeep,
}


def set_control(deed: Deed, control: Control) -> None:
    """Write down who controls what."""
    deed.campaign.held = write_control(control)
