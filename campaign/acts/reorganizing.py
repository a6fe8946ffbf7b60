"""What players decide and roll in the Reorganization Phase; campaign.phase.conductor leads from one to the next."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import partial

from campaign.ledger.act import NOBODY, CampaignAct, Unfit, refuse, tell_fates
from campaign.ledger.dice import Dice
from campaign.ledger.missions import note_wreck
from campaign.ledger.performing import campaign_act
from campaign.models import Unit
from campaign.phase import battles, conductor, lookups
from campaign.phase.dice import die_of, leaving_die, targets_of, upkeep_die
from campaign.rules.combat.answers import complete_bout, propose_answer
from campaign.rules.combat.battle import object_to_bout, round_is_over
from campaign.rules.combat.pairing import propose_bouts
from campaign.rules.mines import DIE, Blast, MineTarget, against_mine_attack, attack_by_mines, marks_after_blast
from campaign.rules.phase import Extent, Request
from campaign.rules.redeployment import (
    Goal,
    Leaver,
    RedeploymentOutcome,
    against_leaving,
    arrives,
    goal_of,
    is_lost,
    marks_on_arrival,
    meets_enemy,
    takes_casualties,
)
from campaign.rules.stages import Stage
from campaign.rules.steps import FIGHTING, FINAL_STEPS, LEAVING, Step
from campaign.rules.units import LASTING, marks_in_close_combat
from campaign.rules.upkeep import Damage, RecoveryOutcome, mark_of, marks_after_recovery, recovery
from firefight.columns import Rolled
from firefight.engine.errors import BadInput, BlankCells, MissingChart
from firefight.games.chartbooks import of_match
from firefight.games.combat_stalingrad.rules.marks import marks_after_casualties
from firefight.games.combat_stalingrad.rules.melee.attacks import Bout
from firefight.games.combat_stalingrad.rules.melee.bouts import fight_bout
from firefight.games.combat_stalingrad.rules.melee.dividing import has_choice, without_bound
from firefight.games.combat_stalingrad.rules.melee.fighters import Battle
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import LogEntry
from firefight.table.act.line_keys import CHANGES
from firefight.table.act.refusals import Refused
from firefight.table.story.history import STRIKES

from .seals import read_hex


@campaign_act(Stage.REORGANIZATION)
def confirm_report(act: CampaignAct) -> None:
    """Say that everything about the side's units is reported; once both sides have, the sectors are settled."""
    _expect(act, Step.AFTER_ACTION)
    act.set_ready()
    act.tell(f"{act.name} has told what became of its units.")
    conductor.conduct(act)


def _expect(act: CampaignAct, *steps: Step) -> Step:
    """Refuse an act in any other step, or by a side that has nothing to decide in it."""
    step = lookups.step(act.ledger)
    if step not in steps:
        raise Refused(f"The phase stands at: {step.word} ({step.rule}). Nothing was changed.")
    if act.side not in conductor.find_deciders(act.ledger):
        raise Refused(f"This is the other side's to decide, or your side has decided: {step.word}.")
    return step


# Stay or re-deploy


@campaign_act(Stage.REORGANIZATION)
def redeploy(act: CampaignAct, goals: Mapping[int, int], dice: Dice, hexes: Mapping[int, str] | None = None) -> None:
    """Declare which units leave, and roll for each; all others stay (20.6.4 steps 2 and 5, 20.12.1).

    ``goals``: the sector to reach, by the unit's number. ``hexes``: the hex where it arrives, the nearest one there, if
    anybody notes it; with enemies in it both are in close combat. Dice: die_<number>, a d10, for each unit that leaves.
    Raises Unfit with everything that is wrong before a die is rolled.
    """
    step = _expect(act, *LEAVING, *FINAL_STEPS)
    _check_mines(act)
    units = [act.find_own(act.ledger.units, number, "unit") for number in sorted(goals)]
    _check_goals(act, units, goals)
    _check_dice_of_stayers(act, goals, dice)
    arrivals = {number: str(read_hex(act, text)) for number, text in (hexes or {}).items() if text}
    for unit in units:
        # A unit that has left may make another sector threatened for those after it.
        for goal in Goal:
            act.check_reach("redeployment", _leaver(act, unit).inputs(goal), dice)
    rolled = act.roll([leaving_die(act.ledger, unit) for unit in units], dice)
    if not units:
        stay = "stay where they are" if step in FINAL_STEPS else "stay and fight"
        act.tell(f"{act.name}: all {stay}.")
    for unit, die in zip(units, rolled, strict=True):
        _leave(act, unit, goals[unit.number], arrivals.get(unit.number, ""), die)
    act.ledger.phase = act.ledger.phase.with_tried(lookups.keys_of(units))
    conductor.threaten(act)
    act.set_ready()
    conductor.conduct(act)


def _check_goals(act: CampaignAct, units: Iterable[Unit], goals: Mapping[int, int]) -> None:
    open_to = {unit.number: sectors for unit, sectors in lookups.list_candidates(act.ledger, act.side)}
    against = (
        against_leaving(act.ledger.name_unit(unit), open_to.get(unit.number), goals[unit.number]) for unit in units
    )
    refuse(*against)


def _check_dice_of_stayers(act: CampaignAct, goals: Mapping[int, int], dice: Dice) -> None:
    """Refuse a die of a unit without a goal: whoever typed it meant it to leave."""
    staying = [unit for unit, _ in lookups.list_candidates(act.ledger, act.side) if unit.number not in goals]
    for unit in staying:
        if die_of(unit.number) in dice.faces:
            name = act.ledger.name_unit(unit)
            raise Unfit(f"{name} has a die and stays: choose its sector, or take the die out.")


def _leaver(act: CampaignAct, unit: Unit) -> Leaver:
    return Leaver.of(act.ledger.kind_of(unit).kind, unit.marks)


def _leave(act: CampaignAct, unit: Unit, sector: int, place: str, die: Rolled) -> None:
    """Roll for one unit; the result counts at once."""
    into, before = goal_of(act.ledger.control[sector]), set(unit.marks)
    result, stood = _leaver(act, unit).roll(of_match(act.match), into, die.face), unit.hex
    name, outcome = act.ledger.name_unit(unit), result.outcome
    assert isinstance(outcome, RedeploymentOutcome)
    if takes_casualties(outcome):
        _hurt(act, unit)
    elif is_lost(outcome):
        _eliminate(act, unit)
    if arrives(outcome) and not unit.fate:
        _arrive(act, unit, sector, place)
    fate = " It is eliminated." if unit.fate and outcome is not RedeploymentOutcome.ELIMINATED else ""
    became = ["redeployed"] if arrives(outcome) and not unit.fate else []
    fates = tell_fates("re-deployment", ([unit], [*became, *_find_harm(unit, before)]))
    act.tell(f"{act.name}, {name} to sector {sector}: {result.headline}{fate}", rolled=[die], **fates)
    if outcome is RedeploymentOutcome.WRECK:
        _leave_wreck(act, stood)


def _leave_wreck(act: CampaignAct, place: str) -> None:
    """A wreck takes the place of a vehicle, and stays there (20.4.1, 20.7.1 step 4)."""
    if values := note_wreck(act.ledger, place):
        sentence = f"A wreck in {place.partition('/')[0]} (20.4.1)."
        act.tell(sentence, kind=LogEntry.Kind.RECORD, side=NOBODY, inputs={CHANGES: values})


def _find_harm(unit: Unit, before: Collection[str]) -> list[str]:
    """What a roll has done to a unit that will last; ``before``: its marks until then."""
    return [str(unit.fate)] if unit.fate else sorted(LASTING & set(unit.marks) - set(before))


def _arrive(act: CampaignAct, unit: Unit, sector: int, place: str) -> None:
    """Place a unit in the new sector, in the nearest hex, which the players know (20.6.4 step 2)."""
    unit.sector, unit.hex, unit.marks = sector, place, marks_on_arrival(unit.marks)
    act.ledger.phase = act.ledger.phase.with_arrival(lookups.unit_key(unit))
    fighters = lookups.list_fighters(act.ledger, act.side.other, sector)
    enemies = [enemy for enemy in fighters if meets_enemy(place, enemy.hex)]
    conductor.show_hidden(act, enemies)
    for fighter in (unit, *enemies) if enemies else ():
        fighter.marks = marks_in_close_combat(fighter.marks)


def _hurt(act: CampaignAct, unit: Unit) -> None:
    """Apply Casualties: the unit is flipped, wounded or gone."""
    _mark_or_eliminate(act, unit, marks_after_casualties(act.ledger.kind_of(unit).kind, unit.marks))


def _mark_or_eliminate(act: CampaignAct, unit: Unit, marks: list[str] | None) -> None:
    """Give a unit these marks; with None it is gone."""
    if marks is None:
        _eliminate(act, unit)
    else:
        unit.marks = marks


def _eliminate(act: CampaignAct, unit: Unit) -> None:
    """The unit is gone, and no longer hidden."""
    act.show(unit)
    unit.eliminate()


# Mines


def _check_mines(act: CampaignAct) -> None:
    """Mines attack before anybody stays or leaves (20.6.4 step 2)."""
    if lookups.step(act.ledger) not in LEAVING:
        return
    waiting = [unit for unit, is_sure in lookups.list_mined(act.ledger, act.side) if is_sure]
    if waiting:
        names = ", ".join(f"{act.ledger.name_unit(unit)} in {unit.hex}" for unit in waiting)
        raise Unfit(f"First the mine attack, whether they stay or leave: {names} (20.6.4 step 2).")


@campaign_act(Stage.REORGANIZATION)
def suffer_mines(act: CampaignAct, numbers: Iterable[int], factors: int, drm: int, dice: Dice) -> None:
    """Roll the attack of one mine hex on the side's units in it, and apply it at once (20.6.4 step 2).

    ``factors``: the mines' firepower factors; ``drm``: of the place. Dice: ``mine``, d100; then hit_<number> and
    check_<number>, a d10 each, as the result asks for them.
    """
    _expect(act, *LEAVING)
    units = [act.find_own(act.ledger.units, number, "unit") for number in sorted(set(numbers))]
    if not units:
        raise Unfit("Choose the units in the mine hex.")
    due = [unit for unit, _ in lookups.list_mined(act.ledger, act.side)]
    refuse(*against_mine_attack((act.ledger.name_unit(unit), unit.hex, unit in due) for unit in units))
    targets = targets_of(act.ledger, units)
    blast, rolled = _blow_up(act, targets, factors, drm, dice)
    before = [set(unit.marks) for unit in units]
    fates = [_apply_blast(act, unit, target, blast) for unit, target in zip(units, targets, strict=True)]
    harm = (((unit,), _find_harm(unit, marks_before)) for unit, marks_before in zip(units, before, strict=True))
    act.ledger.phase = act.ledger.phase.with_mined(lookups.keys_of(units))
    spot = next((f" in {unit.hex}" for unit in units if unit.hex), "")
    sector = act.ledger.sector_fought_out
    sentence = f"{act.name}, mines{spot}, sector {sector}: {blast.result.headline} {'; '.join(fates)}."
    act.tell(sentence, rolled=rolled, **tell_fates("mines", *harm))
    conductor.conduct(act)


def _blow_up(
    act: CampaignAct, targets: list[MineTarget], factors: int, drm: int, dice: Dice
) -> tuple[Blast, list[Rolled]]:
    """Resolve one attack, die by die."""
    attack = partial(attack_by_mines, charts=of_match(act.match), factors=factors, drm=drm, targets=targets)
    try:
        if dice.source == "app":  # no cell that the mines' die can reach may be blank: a number once drawn is used up
            for face in range(1, DIE.sides + 1):
                attack(faces={DIE.name: face})
        return act.roll_as_asked(lambda faces: attack(faces=faces), dice)
    except BadInput as error:
        raise Unfit(*error.problems.values()) from None


def _apply_blast(act: CampaignAct, unit: Unit, target: MineTarget, blast: Blast) -> str:
    """Change one unit as the attack says; returns what happened to it, in words."""
    marks, fate = marks_after_blast(unit.marks, target.unit, unit.number, blast)
    _mark_or_eliminate(act, unit, marks)
    return f"{target.unit.name} {fate}"


# Close combat for a sector


@campaign_act(Stage.REORGANIZATION)
def fight(act: CampaignAct, bout: Bout, dice: Dice) -> None:
    """Fight one bout of the round (20.6.4 steps 1 and 3). Raises Unfit with every rule that forbids it.

    Each side divides its own attacks (19.2.1, A-44). Where the other side has a choice and sits at another device,
    the bout waits for it with the attacks of this side; its own act of this kind then answers and rolls.

    Dice: ``attack``, ``attack_2`` … for the attacks of the side that picked, ``defense`` … for those of the other,
    d100; then attack_hit_1 and so on, where it is open which unit is hit.
    """
    _expect(act, *FIGHTING)
    battle, gathered = battles.battle_of(act.ledger), act.ledger.phase.gathered
    chosen = complete_bout(bout, gathered, battle, act.side, act.plays_all)
    refuse(*object_to_bout(chosen, battle))
    if not (gathered or act.plays_all) and has_choice(act.side.other, chosen, battle):
        _gather(act, chosen, battle)
        return
    if dice.source == "app":
        battles.check_bout_reach(chosen, battle, of_match(act.match))
    battle = _fight(act, chosen, battle, dice)
    if round_is_over(battle):
        battle = _close_round(act, battle)
    conductor.conduct(act, battle)


def _gather(act: CampaignAct, bout: Bout, battle: Battle) -> None:
    own_attacks = without_bound(bout, act.side, battle).attacks_of(act.side)
    phase = act.ledger.phase = act.ledger.phase.with_gathered(act.side, replace(bout, attacks=own_attacks))
    opponents = f"{battles.names_of(battle, bout.attackers)} against {battles.names_of(battle, bout.defenders)}"
    attacks = "; ".join(battles.describe_attack(attack, battle) for attack in own_attacks) or "no attack"
    act.tell(
        f"Sector {phase.sector}, round {phase.round}, declared: {opponents}. {act.name} attacks: {attacks}. "
        f"{act.side.other.word} says whom it attacks, and both roll."
    )


@campaign_act(Stage.REORGANIZATION)
def fight_round(act: CampaignAct) -> None:
    """Fight the rest of the round as the app proposes it, with the app's dice.

    Where that divides attacks for the other side too, it must ask as well, unless both sit at this device.
    """
    _expect(act, *FIGHTING)
    battle = battles.battle_of(act.ledger)
    bouts = _plan_round(act, battle)
    # A bout that waits is this side's to answer.
    open_bouts = bouts[1:] if act.ledger.phase.gathered else bouts
    decides_for_other = any(has_choice(act.side.other, bout, battle) for bout in open_bouts)
    if decides_for_other and not _seek_agreement(act, Extent.ROUND):
        return
    conductor.conduct(act, _fight_all(act, battle, bouts))


def _plan_round(act: CampaignAct, battle: Battle) -> tuple[Bout, ...]:
    """The rest of the round as the app proposes it, a bout that waits for its answer first."""
    gathered = act.ledger.phase.gathered
    if not gathered:
        return propose_bouts(battle)
    answered = propose_answer(gathered, battle)
    return answered, *propose_bouts(battle.with_fought(answered.keys))


def _fight_all(act: CampaignAct, battle: Battle, bouts: Iterable[Bout]) -> Battle:
    """Fight all remaining bouts of a round with the app's dice, and end it; returns the battle after it."""
    for bout in bouts:
        battles.check_bout_reach(bout, battle, of_match(act.match))
    for bout in bouts:
        _fight(act, bout, battle, Dice("app"))
    return _close_round(act, battle.with_fought(key for bout in bouts for key in bout.keys))


def _fight(act: CampaignAct, bout: Bout, battle: Battle, dice: Dice) -> Battle:
    """Resolve one bout and note what its dice did; returns the battle with the bout fought."""
    charts = of_match(act.match)
    fought, rolled = act.roll_as_asked(lambda faces: fight_bout(bout, battle, charts, faces), dice)
    phase = act.ledger.phase
    sentence = f"Sector {phase.sector}, round {phase.round}: {battles.describe_bout(fought, battle)}"
    fighters = [lookups.find_unit(act.ledger, key) for key in fought.bout.keys]
    side = fought.bout.attackers[0][0]  # who picked the bout, not who pressed the button
    fates = tell_fates("sector combat", (fighters, ("fought",)))
    fates["inputs"][STRIKES] = battles.note_strikes(fought)
    act.tell(sentence, rolled=[replace(die, side=_find_roller(die, bout)) for die in rolled], side=side, **fates)
    return battles.note_bout(act.ledger, battle, fought)


def _find_roller(die: Rolled, bout: Bout) -> Side:
    """Which side a die of a bout belongs to: both attack."""
    attacks = bout.attackers if die.die.startswith("attack") else bout.defenders
    return attacks[0][0]


def _close_round(act: CampaignAct, battle: Battle) -> Battle:
    number = act.ledger.phase.round
    before = {unit.key: set(lookups.find_unit(act.ledger, unit.key).marks) for unit in battle.fighters}
    following, hit = battles.close_round(act.ledger, battle)
    words = [f"{Side(unit.side).word} {act.ledger.name_unit(unit)} {fate}" for unit, fate in hit]
    harm = (((unit,), _find_harm(unit, before[lookups.unit_key(unit)])) for unit, _ in hit)
    sentence = f"Round {number} is over: {', '.join(words) or 'nobody is hit'}."
    act.tell(sentence, side=NOBODY, **tell_fates("sector combat", *harm))
    return following


# In a hurry

MOST_STEPS = 400  # of one hurried act; blank results may go on for long (CQ-08), but not forever


@campaign_act(Stage.REORGANIZATION)
def resolve_rest(act: CampaignAct, how_far: Extent | str) -> None:
    """Resolve the rest of the round, sector, or phase, with the app's dice; units not declared to leave stay.

    It decides for both sides, so both must ask for it, unless both sit at this device.
    """
    extent = Extent(how_far)
    if lookups.step(act.ledger) is Step.AFTER_ACTION:
        raise Refused("First both sides say what became of their units.")
    if extent is Extent.SECTOR and act.ledger.phase.sector is None:
        raise Refused("No sector is fought out now: ask for the rest of the phase.")
    if extent is Extent.ROUND and lookups.step(act.ledger) not in FIGHTING:
        raise Refused("No round of Close Combat is fought now.")
    if not _seek_agreement(act, extent):
        return
    if extent is Extent.ROUND:
        battle = battles.battle_of(act.ledger)
        conductor.conduct(act, _fight_all(act, battle, _plan_round(act, battle)))
    else:
        _resolve_until_over(act, extent)


def _seek_agreement(act: CampaignAct, extent: Extent) -> bool:
    """Whether both sides want the app to resolve this much; if not, it is noted that this one does."""
    phase, own_request = act.ledger.phase, Request(act.side, extent)
    if not act.plays_all and phase.requested == own_request:
        raise Refused(f"Your side has asked for that: the {act.side.other.word} has to agree.")
    if not act.plays_all and phase.requested != Request(act.side.other, extent):
        act.ledger.phase = phase.with_request(own_request)
        act.tell(f"{act.name} asks to resolve the rest of the {extent} with the app's dice.")
        return False
    act.ledger.phase = phase.with_request(None)
    askers = f"{act.name} for both sides" if act.plays_all else f"{act.side.other.word} and {act.name}"
    act.tell(f"The rest of the {extent} is resolved with the app's dice, as {askers} agreed.", side=NOBODY)
    return True


def _resolve_until_over(act: CampaignAct, extent: Extent) -> None:
    """Decide for both sides and roll until the extent is over, or until only players can say what comes next."""
    sector = act.ledger.phase.sector
    deciders, battle = conductor.find_deciders(act.ledger), None
    for _ in range(MOST_STEPS):
        if act.ledger.stage is not Stage.REORGANIZATION:
            return
        if extent is Extent.SECTOR and act.ledger.phase.sector != sector:
            return
        step = lookups.step(act.ledger)
        if step in LEAVING and any(is_sure for side in deciders for _, is_sure in lookups.list_mined(act.ledger, side)):
            notice = "Mines attack first: roll for the units in their hexes, then ask again (20.6.4 step 2)."
            act.tell(notice, side=NOBODY)
            return
        try:
            battle = _decide(act, step, deciders, battle)
        except (MissingChart, BlankCells) as error:
            # Both are raised before the first die of a side or of a round, so that what was fought before stands.
            if not act.has_drawn:
                raise
            act.tell(f"It stops here. {error}", side=NOBODY)
            return
        phase = act.ledger.phase
        deciders = conductor.conduct(act, battle)
        if act.campaign.phase and act.ledger.phase is not phase:
            battle = None  # the phase has gone on to another sector or step


def _decide(act: CampaignAct, step: Step, deciders: Collection[Side], battle: Battle | None) -> Battle | None:
    """Do in a hurry what the sides must decide in a step; returns the battle after a round, if they fight one.

    ``battle``: as the round before left it, where that is known.
    """
    if step in FIGHTING and deciders:
        battle = battle or battles.battle_of(act.ledger)
        return _fight_all(act, battle, _plan_round(act, battle))
    for side in deciders:
        if step is Step.UPKEEP:
            _recover_all(act, side, Dice("app"))
        else:
            act.set_ready(side)
            act.tell(f"{side.word}: all stay.", side=side)
    return None


# Changes to units


@campaign_act(Stage.REORGANIZATION)
def recover(act: CampaignAct, dice: Dice) -> None:
    """Roll for all M-KILLED and F-KILLED vehicles and wounded leaders of the side, in this order (20.7.1).

    Dice: die_<number> of each unit; mend_<number> for the F-KILL of a vehicle that has both. Each is a d10.
    """
    _expect(act, Step.UPKEEP)
    _recover_all(act, act.side, dice)
    conductor.conduct(act)


def _recover_all(act: CampaignAct, side: Side, dice: Dice) -> None:
    for damage in sorted({kind for _, kind in lookups.list_damaged(act.ledger, side)}):
        act.check_reach("recovery", {"what": damage}, dice)
    for damage in Damage:
        # A vehicle that became a wreck by the roll for its M-KILL is not among those of the next.
        due = [unit for unit, kind in lookups.list_damaged(act.ledger, side) if kind is damage]
        rolled = act.roll([upkeep_die(act.ledger, unit, damage) for unit in due], dice)
        for unit, die in zip(due, rolled, strict=True):
            _recover(act, unit, damage, die)
    conductor.check_nests(act, side)
    for group in lookups.list_standing_nests(act.ledger, side) if act.campaign.attacker else ():
        building = f" in {group.building}" if group.building else ""
        act.tell(f"{side.word}: the Fanatic Resistance Nest{building} stays (20.7.1 step 6).", side=side)
    act.set_ready(side)


def _recover(act: CampaignAct, unit: Unit, damage: Damage, die: Rolled) -> None:
    before, stood = set(unit.marks), unit.hex
    result = recovery(charts=of_match(act.match), what=damage, die=die.face)
    assert isinstance(result.outcome, RecoveryOutcome)
    marks = marks_after_recovery(unit.marks, damage, result.outcome)
    _mark_or_eliminate(act, unit, marks)
    name, side = act.ledger.name_unit(unit), Side(unit.side)
    became = [result.outcome.value] if marks is not None and set(marks) != before else []
    fates = tell_fates("recovery", ([unit], [*became, *_find_harm(unit, before)]))
    act.tell(f"{side.word}, {name}, {mark_of(damage).word}: {result.headline}", rolled=[die], side=side, **fates)
    if result.outcome is RecoveryOutcome.WRECKED:
        _leave_wreck(act, stood)


# The end


@campaign_act()
def concede(act: CampaignAct) -> None:
    """Give the campaign up: the other side has won (20.5.5)."""
    if act.ledger.stage is Stage.OVER:
        raise Refused("The campaign is over already.")
    conductor.finish(act, f"{act.name} concedes.", winner=act.side.other)
