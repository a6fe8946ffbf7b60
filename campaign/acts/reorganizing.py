"""What players decide and roll in the Reorganization Phase; campaign.phase.conductor leads from one to the next."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from campaign.ledger.act import CampaignAct as Deed
from campaign.ledger.act import Dice, Unfit, name_of, perform
from campaign.ledger.act import refuse_objections as unfit
from campaign.ledger.ledger import Ledger
from campaign.models import Unit
from campaign.phase import battles, conductor, positions
from campaign.rules.attacks import Bout, Key
from campaign.rules.combat.battle import objections, round_is_over
from campaign.rules.combat.bouts import resolve
from campaign.rules.combat.fighters import Battle
from campaign.rules.combat.pairing import divide, has_choice, proposals, with_bound, without_bound
from campaign.rules.counters import CounterKind
from campaign.rules.mines import DIE, Blast, Target, attack_by_mines
from campaign.rules.redeployment import Goal, Mover, RedeploymentOutcome, redeployment
from campaign.rules.sectors import Holding
from campaign.rules.sides import Side
from campaign.rules.stages import Stage
from campaign.rules.steps import FINAL_STEPS, Step
from campaign.rules.units import IMPAIRING, Mark, casualty, flipped
from campaign.rules.upkeep import Damage, RecoveryOutcome, recovery
from firefight.assistant.chartbooks import of_match
from firefight.columns import Rolled
from firefight.engine.board.hexes import HexMap
from firefight.engine.errors import BadInput, BlankCells, MissingChart
from firefight.engine.rolls.dice import DieSpec
from firefight.games.combat_stalingrad.rules.units import Kind, State
from firefight.games.combat_stalingrad.rules.units import Unit as FiredAt
from firefight.table.acts import Done, Refused
from firefight.table.seats import Table

from .seals import read_hex

LEAVING = (Step.ATTACKER_LEAVES, Step.DEFENDER_LEAVES)
FIGHTING = (Step.EXISTING, Step.BATTLE)
LEAVING_FINALLY = FINAL_STEPS


def confirm_report(table: Table, act_id: str, version: int | None) -> Done:
    """Say that everything about the own units is told; with both sides' word the sectors are settled."""

    def do(deed: Deed) -> None:
        _expect(deed, Step.AFTER_ACTION)
        deed.set_ready()
        deed.tell(f"{deed.name} has told what became of its units.")
        conductor.conduct(deed)

    return perform(table, act_id, version, do)


def _expect(deed: Deed, *steps: Step) -> Step:
    """Refuse an act in any other step, or by a side that has nothing to decide in it."""
    deed.expect(Stage.REORGANIZATION)
    here = positions.step(deed.ledger)
    if here not in steps:
        raise Refused(f"The phase stands at: {here.word} ({here.rule}). Nothing was changed.")
    if deed.side not in conductor.deciders(deed.ledger):
        raise Refused(f"This is the other side's to decide, or your side has decided: {here.word}.")
    return here


# Stay or re-deploy


def die_of(number: int) -> str:
    """The name of the die of one unit."""
    return f"die_{number}"


def redeploy(
    table: Table,
    act_id: str,
    version: int | None,
    wanted: Mapping[int, int],
    dice: Dice,
    hexes: Mapping[int, str] | None = None,
) -> Done:
    """Declare who leaves, and roll for each; all others stay (20.6.4 steps 2 and 5, 20.12.1).

    ``wanted``: the sector to reach by the unit's number. ``hexes``: the hex where it arrives, the nearest one there,
    if anybody notes it; with enemies in it both are in close combat. Dice: die_<number>, a d10, of each unit that
    leaves. Raises Unfit with everything that is wrong before a die is rolled.
    """

    def do(deed: Deed) -> None:
        here = _expect(deed, *LEAVING, *LEAVING_FINALLY)
        _check_mines(deed)
        units = {number: deed.find_own(deed.ledger.units, number, "unit") for number in sorted(wanted)}
        open_to = {unit.number: found for unit, found in candidates(deed.ledger, deed.side)}
        reasons = [r for n, unit in units.items() if (r := _why_not(deed, unit, open_to.get(n), wanted[n]))]
        if reasons:
            raise Unfit(reasons)
        arrivals = {number: str(read_hex(deed, text)) for number, text in (hexes or {}).items() if text}
        for unit in units.values():
            # Who has left may make another sector a threatened one for those after it.
            for goal in Goal:
                deed.check_reach("redeployment", {**rolls_as(deed.ledger, unit), "into": goal}, dice)
        rolled = deed.roll([leaving_die(deed.ledger, unit) for unit in units.values()], dice)
        stay = "stay where they are" if here in LEAVING_FINALLY else "stay and fight"
        if not units:
            deed.tell(f"{deed.name}: all {stay}.")
        for (number, unit), die in zip(units.items(), rolled, strict=True):
            _leave(deed, unit, wanted[number], arrivals.get(number, ""), die)
        _note(deed, "tried", units.values())
        conductor.threaten(deed)
        deed.set_ready()
        conductor.conduct(deed)

    return perform(table, act_id, version, do)


def leaving_die(ledger: Ledger, unit: Unit) -> DieSpec:
    """The die of a unit that tries to leave."""
    return DieSpec(die_of(unit.number), 10, f"d10 of {ledger.called(unit)}")


def candidates(ledger: Ledger, side: Side) -> list[tuple[Unit, dict[int, Holding]]]:
    """The units of a side that may leave in the present step, each with the sectors that it may reach."""
    here, phase = positions.step(ledger), ledger.campaign.phase
    if here in LEAVING:
        open_to = {phase["sector"]: positions.goals(ledger, side, phase["sector"])}
    else:
        open_to = {sector: positions.final_goals(ledger, side, sector) for sector in positions.final_sectors(phase)}
    return [
        (unit, found) for sector, found in open_to.items() if found for unit in positions.leavers(ledger, side, sector)
    ]


def _why_not(deed: Deed, unit: Unit, open_to: Mapping[int, Holding] | None, wanted: int) -> str:
    name = deed.ledger.called(unit)
    if open_to is None:
        return f"{name} cannot leave in this step (20.12.1)."
    if wanted not in open_to:
        near = ", ".join(map(str, open_to))
        return f"{name} cannot re-deploy to sector {wanted}; it can reach {near} (20.12.1)."
    return ""


def _note(deed: Deed, what: str, units: Iterable[Unit]) -> None:
    """Keep in the phase that these units have tried to leave, or were attacked by mines."""
    phase = deed.campaign.phase
    deed.campaign.phase = {**phase, what: [*phase.get(what, ()), *([unit.side, unit.number] for unit in units)]}


def goal_of(holding: Holding) -> Goal:
    """What kind of sector is to be reached."""
    if holding is Holding.THREATENED:
        return Goal.THREATENED
    return Goal.FRIENDLY if holding.side else Goal.NEUTRAL


def rolls_as(ledger: Ledger, unit: Unit) -> dict[str, object]:
    """A unit as the Re-Deployment Table sees it."""
    is_vehicle = ledger.counter(unit).kind is CounterKind.VEHICLE
    return {
        "unit": Mover.VEHICLE if is_vehicle else Mover.INFANTRY,
        "impaired": bool(IMPAIRING & set(unit.marks)),
        "in_sewer": Mark.IN_SEWER in unit.marks,
    }


def _leave(deed: Deed, unit: Unit, wanted: int, place: str, die: Rolled) -> None:
    """Roll for one unit; the result counts at once."""
    into = goal_of(deed.ledger.control[wanted])
    result = redeployment(charts=of_match(deed.match), **rolls_as(deed.ledger, unit), into=into, die=die.face)
    name, outcome = deed.ledger.called(unit), result.outcome
    if outcome in (RedeploymentOutcome.REDEPLOYS_CASUALTIES, RedeploymentOutcome.REMAINS_CASUALTIES):
        hurt(deed, unit)
    elif outcome in (RedeploymentOutcome.ELIMINATED, RedeploymentOutcome.WRECK):
        eliminate(deed, unit)
    if outcome in (RedeploymentOutcome.REDEPLOYS, RedeploymentOutcome.REDEPLOYS_CASUALTIES) and not unit.fate:
        _arrive(deed, unit, wanted, place)
    fate = " It is eliminated." if unit.fate and outcome is not RedeploymentOutcome.ELIMINATED else ""
    deed.tell(f"{deed.name}, {name} to sector {wanted}: {result.headline}{fate}", rolled=[die])


def _arrive(deed: Deed, unit: Unit, sector: int, place: str) -> None:
    """In the new sector, at the ground level of the nearest hex, which the players know (20.6.4 step 2)."""
    unit.sector, unit.hex = sector, place
    phase = deed.campaign.phase
    if "ended_in_hex" in phase:  # its new hex is not the one where it ended the firefight
        stayed = [key for key in phase["ended_in_hex"] if key != [unit.side, unit.number]]
        deed.campaign.phase = {**phase, "ended_in_hex": stayed}
    unit.marks = [mark for mark in unit.marks if mark not in (Mark.IN_SEWER, Mark.CLOSE_COMBAT)]
    enemies = [
        enemy
        for side in Side
        if side != unit.side
        for enemy in positions.fighters(deed.ledger, side, sector)
        if place and enemy.hex == place
    ]
    conductor.show_hidden(deed, enemies)
    for fighter in (unit, *enemies) if enemies else ():
        if Mark.CLOSE_COMBAT not in fighter.marks:
            fighter.marks = [*fighter.marks, Mark.CLOSE_COMBAT.value]


def hurt(deed: Deed, unit: Unit) -> None:
    """Casualties: the unit flips or is wounded, or it is gone (18.1.2, 18.1.4, 18.2.2)."""
    mark = casualty(deed.ledger.counter(unit).kind, unit.marks)
    if mark is None:
        eliminate(deed, unit)
    else:
        unit.marks = flipped(unit.marks, mark)


def eliminate(deed: Deed, unit: Unit) -> None:
    """The unit is gone."""
    deed.show(unit)
    unit.fate, unit.sector, unit.home, unit.hex = Unit.Fate.ELIMINATED, None, None, ""


# Mines


def _check_mines(deed: Deed) -> None:
    """Mines attack before anybody stays or leaves (20.6.4 step 2)."""
    if positions.step(deed.ledger) not in LEAVING:
        return
    waiting = [unit for unit, is_sure in mined(deed.ledger, deed.side) if is_sure]
    if waiting:
        names = ", ".join(f"{deed.ledger.called(unit)} in {unit.hex}" for unit in waiting)
        raise Unfit([f"First the mine attack, whether they stay or leave: {names} (20.6.4 step 2)."])


def mined(ledger: Ledger, side: Side) -> list[tuple[Unit, bool]]:
    """A side's units that mines have yet to attack in the sector fought out now; whether it is sure of each."""
    return positions.mined(ledger, side, ledger.campaign.phase["sector"])


def suffer_mines(
    table: Table, act_id: str, version: int | None, numbers: Iterable[int], factors: int, drm: int, dice: Dice
) -> Done:
    """Roll the attack of one mine hex on own units in it, and apply it at once (20.6.4 step 2).

    ``factors``: the mines' firepower factors; ``drm``: of the place. Dice: ``mine``, d100; then hit_<number> and
    check_<number>, a d10 each, as the result asks for them.
    """

    def do(deed: Deed) -> None:
        _expect(deed, *LEAVING)
        units = [deed.find_own(deed.ledger.units, number, "unit") for number in sorted(set(numbers))]
        if not units:
            raise Unfit(["Choose the units in the mine hex."])
        open_to = [unit for unit, _ in mined(deed.ledger, deed.side)]
        reasons = [
            f"{deed.ledger.called(unit)} is in no mine hex, or was attacked already (20.6.4 step 2)."
            for unit in units
            if unit not in open_to
        ]
        if len({unit.hex for unit in units if unit.hex}) > 1:
            reasons.append("One hex at a time: these units stand in several.")
        if reasons:
            raise Unfit(reasons)
        _blow_up(deed, units, factors, drm, dice)
        conductor.conduct(deed)

    return perform(table, act_id, version, do)


def _blow_up(deed: Deed, units: list[Unit], factors: int, drm: int, dice: Dice) -> None:
    """Resolve one attack, apply what it does, and note that these units are done."""
    hex_map = of_match(deed.match)["map"].hexes
    targets = [Target(unit.number, _as_target(deed.ledger, unit, hex_map)) for unit in units]
    known = {"charts": of_match(deed.match), "factors": factors, "drm": drm, "targets": targets}
    faces: dict[str, int] = {}
    rolled: list[Rolled] = []
    try:
        if dice.source == "app":  # no cell that the mines' die can reach may be blank: what is drawn is used up
            for face in range(1, DIE.sides + 1):
                attack_by_mines(**known, faces={DIE.name: face})
        while (blast := attack_by_mines(**known, faces=faces)).needs:
            found = deed.roll(blast.needs, _left(dice, faces))
            rolled += found
            faces |= {die.die: die.face for die in found}
    except BadInput as error:
        raise Unfit(error.problems.values()) from None
    fates = [_apply_blast(deed, unit, target.unit, blast) for unit, target in zip(units, targets, strict=True)]
    _note(deed, "mined", units)
    where = next((f" in {unit.hex}" for unit in units if unit.hex), "")
    sector = deed.campaign.phase["sector"]
    deed.tell(f"{deed.name}, mines{where}, sector {sector}: {blast.result.headline} {'; '.join(fates)}.", rolled=rolled)


def mine_dice(ledger: Ledger, units: list[Unit], factors: int, drm: int, typed: Mapping[str, int]) -> list[DieSpec]:
    """The dice of one mine attack, as far as those typed so far ask for them. Raises BadInput, BadDie."""
    charts = of_match(ledger.match)
    hex_map = charts["map"].hexes
    targets = [Target(unit.number, _as_target(ledger, unit, hex_map)) for unit in units]
    found: dict[str, DieSpec] = {}
    while True:
        faces = {name: typed[name] for name in found if name in typed}
        needs = attack_by_mines(charts=charts, factors=factors, drm=drm, targets=targets, faces=faces).needs
        fresh = [spec for spec in needs if spec.name not in found]
        if not fresh:
            return list(found.values())
        found |= {spec.name: spec for spec in fresh}


def _as_target(ledger: Ledger, unit: Unit, hex_map: HexMap) -> FiredAt:
    """A unit as the Firepower Factors Table sees it."""
    fighter = battles.fighter(ledger, unit, hex_map, False)
    states = {Mark.WIA: State.WIA, Mark.DISRUPTED: State.DISRUPTED, Mark.PINNED: State.PINNED}
    state = next((state for mark, state in states.items() if mark in unit.marks), State.GOOD_ORDER)
    return FiredAt(fighter.kind, ledger.called(unit), ledger.counter(unit).tq, state)


def _apply_blast(deed: Deed, unit: Unit, before: FiredAt, blast: Blast) -> str:
    """Change one unit as the attack left it; returns what happened to it, in words."""
    name, after = deed.ledger.called(unit), blast.ends[unit.number]
    if after is None:
        eliminate(deed, unit)
        return f"{name} eliminated"
    if unit.number in blast.immobilized:
        unit.marks = [*unit.marks, *({Mark.M_KILLED.value} - set(unit.marks))]
        return f"{name} {Mark.M_KILLED.word} (our ruling, R-73)"
    if unit.number in blast.unchecked:
        return f"{name} checks morale on the board, since its TQ is not known here"
    if after == before:
        return f"{name} unchanged"
    flip = {Kind.HALF_SQUAD: Mark.REDUCED, Kind.WOUNDED_LEADER: Mark.WOUNDED}.get(after.kind)
    state = None if after.state is State.GOOD_ORDER else Mark(after.state.value)
    lasting = [mark for mark in unit.marks if mark not in (Mark.PINNED, Mark.DISRUPTED, Mark.WIA, flip)]
    unit.marks = [*lasting, *(mark.value for mark in (flip, state) if mark)]
    fresh = [mark.word for mark in (flip if after.kind is not before.kind else None, state) if mark]
    return f"{name} {', '.join(fresh)}"


# Close combat for a sector


def fight(table: Table, act_id: str, version: int | None, bout: Bout, dice: Dice) -> Done:
    """Fight one bout of the round (20.6.4 steps 1 and 3). Raises Unfit with every rule that forbids it.

    Each side divides its own attacks (19.2.1, A-44). Where the other side has a choice and sits at another device,
    the bout waits for it with the attacks of this side; its own act of this kind then answers and rolls.

    Dice: ``attack``, ``attack_2`` … for the attacks of the side that picked, ``defense`` … for those of the other,
    d100; then attack_hit_1 and so on, where it is open who is hit.
    """

    def do(deed: Deed) -> None:
        _expect(deed, *FIGHTING)
        battle = battles.battle_of(deed.ledger)
        waiting = battles.gathered(deed.ledger)
        chosen = _complete(bout, waiting, battle, deed.side, table.plays_all)
        unfit(objections(chosen, battle))
        if not (waiting or table.plays_all) and has_choice(deed.side.other, chosen, battle):
            _gather(deed, chosen, battle)
            return
        if dice.source == "app":
            battles.check_reach(chosen, battle, of_match(deed.match))
        after = _fight(deed, chosen, battle, dice)
        if round_is_over(after):
            _close_round(deed, after)
        conductor.conduct(deed)

    return perform(table, act_id, version, do)


def complete(bout: Bout, waiting: tuple[Side, Bout] | None, battle: Battle, side: Side, plays_all: bool) -> Bout:
    """A bout of a form with attacks of both sides: those that it leaves open are as the app divides them."""
    if bout.attacks is None:
        bout = divide(waiting[1] if waiting else bout, battle, (side,) if waiting else tuple(Side))
    return _complete(bout, waiting, battle, side, plays_all)


def propose_answer(waiting: tuple[Side, Bout], battle: Battle) -> Bout:
    """What was gathered, with the best division of the attacks of the side that answers."""
    side, bout = waiting
    return with_bound(divide(bout, battle, (side.other,)), side, battle)


def _complete(bout: Bout, waiting: tuple[Side, Bout] | None, battle: Battle, side: Side, plays_all: bool) -> Bout:
    if waiting:
        return _answer(waiting[1], bout, side, battle)
    return bout if plays_all else _declare(bout, side, battle)


def _declare(bout: Bout, side: Side, battle: Battle) -> Bout:
    """A bout with the attacks of the side that declares first, and with the best that the other could answer."""
    if not bout.attackers or not bout.defenders or set(bout.keys) - {unit.key for unit in battle.fighters}:
        return bout  # whatever is wrong with it, the rules will say
    own = without_bound(bout, side, battle)
    if any(not attack.on or set((*attack.by, *attack.on)) - set(bout.keys) for attack in own.attacks_of(side)):
        return bout
    return with_bound(divide(own, battle, (side.other,)), side, battle)


def _answer(waiting: Bout, bout: Bout, side: Side, battle: Battle) -> Bout:
    """What was gathered, with the attacks and leaders of the side that answers; what lies open is as it says."""
    own = (replace(waiting, attacks=None) if bout.attacks is None else bout).attacks_of(side)
    together = replace(
        waiting,
        attacks=(*waiting.attacks_of(side.other), *own),
        by_value=_of(side, bout.by_value) | _of(side.other, waiting.by_value),
        escorts=(*(p for p in bout.escorts if p[0][0] is side), *(p for p in waiting.escorts if p[0][0] is not side)),
        hand_to_hand=bout.hand_to_hand,
        from_cover=bout.from_cover,
        in_open=bout.in_open,
        riders=bout.riders,
    )
    if any(key not in together.keys for attack in own for key in (*attack.by, *attack.on)):
        return together
    return with_bound(together, side.other, battle)


def _of(side: Side, keys: frozenset[Key]) -> frozenset[Key]:
    return frozenset(key for key in keys if key[0] is side)


def _gather(deed: Deed, bout: Bout, battle: Battle) -> None:
    own = without_bound(bout, deed.side, battle).attacks_of(deed.side)
    battles.gather(deed.ledger, replace(bout, attacks=own), deed.side)
    phase = deed.campaign.phase
    who = f"{battles.names_of(battle, bout.attackers)} against {battles.names_of(battle, bout.defenders)}"
    attacks = "; ".join(battles.describe_attack(attack, battle) for attack in own) or "no attack"
    deed.tell(
        f"Sector {phase['sector']}, round {phase['round']}, declared: {who}. {deed.name} attacks: {attacks}. "
        f"{name_of(deed.side.other)} says whom it attacks, and both roll."
    )


def fight_round(table: Table, act_id: str, version: int | None) -> Done:
    """Fight the rest of the round as the app proposes it, with the app's dice.

    Where that divides attacks for the other side too, it must ask for it as well, unless both sit at this device.
    """

    def do(deed: Deed) -> None:
        _expect(deed, *FIGHTING)
        if _decides_for_other(deed) and not _agree(deed, table, "round"):
            return
        _fight_round(deed)
        conductor.conduct(deed)

    return perform(table, act_id, version, do)


def _decides_for_other(deed: Deed) -> bool:
    battle = battles.battle_of(deed.ledger)
    bouts = _planned(deed, battle)
    # A bout that waits is this side's to answer.
    return any(has_choice(deed.side.other, bout, battle) for bout in bouts[bool(battles.gathered(deed.ledger)) :])


def _planned(deed: Deed, battle: Battle) -> tuple[Bout, ...]:
    """The rest of the round as the app proposes it, a bout that waits for its answer first."""
    waiting = battles.gathered(deed.ledger)
    if not waiting:
        return proposals(battle)
    answered = propose_answer(waiting, battle)
    return answered, *proposals(replace(battle, fought=battle.fought | set(answered.keys)))


def _fight_round(deed: Deed) -> None:
    battle = battles.battle_of(deed.ledger)
    bouts = _planned(deed, battle)
    for bout in bouts:
        battles.check_reach(bout, battle, of_match(deed.match))
    for bout in bouts:
        _fight(deed, bout, battle, Dice("app"))
    _close_round(deed, replace(battle, fought=battle.fought.union(*(bout.keys for bout in bouts))))


def _fight(deed: Deed, bout: Bout, battle: Battle, dice: Dice) -> Battle:
    """Resolve one bout and note what its dice did; returns the battle with the bout fought."""
    charts = of_match(deed.match)
    faces: dict[str, int] = {}
    rolled: list[Rolled] = []
    while (fought := resolve(bout, battle, charts, faces)).needs:
        found = [replace(die, side=_roller(die, bout)) for die in deed.roll(fought.needs, _left(dice, faces))]
        rolled += found
        faces |= {die.die: die.face for die in found}
    phase = deed.campaign.phase
    told = f"Sector {phase['sector']}, round {phase['round']}: {battles.describe_bout(fought, battle)}"
    deed.tell(told, rolled=rolled)
    return battles.keep(deed.ledger, battle, fought)


def _roller(die: Rolled, bout: Bout) -> Side:
    """Whose die of a bout it is: both sides attack."""
    attacks = bout.attackers if die.die.startswith("attack") else bout.defenders
    return attacks[0][0]


def _left(dice: Dice, used: Mapping[str, int]) -> Dice:
    return Dice(dice.source, {name: face for name, face in dice.faces.items() if name not in used})


def _close_round(deed: Deed, battle: Battle) -> None:
    number = deed.campaign.phase["round"]
    changed = battles.close_round(deed.ledger, battle)
    if (deed.campaign.phase.get("hurry") or {}).get("how_far") == "round":
        deed.campaign.phase = {**deed.campaign.phase, "hurry": None}
    words = [f"{name_of(Side(unit.side))} {deed.ledger.called(unit)} {fate}" for unit, fate in changed]
    deed.tell(f"Round {number} is over: {', '.join(words) or 'nobody is hit'}.")


# In a hurry

MOST_STEPS = 400  # of one hurried act; blank results may go on for long (CQ-08), but not for ever


def hurry(table: Table, act_id: str, version: int | None, how_far: str) -> Done:
    """Resolve the rest of the "round", "sector", or "phase", with the app's dice; who has not declared it, stays.

    It decides for both sides, so both must ask for it, unless both sit at this device.
    """

    def do(deed: Deed) -> None:
        deed.expect(Stage.REORGANIZATION)
        if positions.step(deed.ledger) is Step.AFTER_ACTION:
            raise Refused("First both sides say what became of their units.")
        if how_far == "sector" and deed.campaign.phase["sector"] is None:
            raise Refused("No sector is fought out now: ask for the rest of the phase.")
        if how_far == "round" and positions.step(deed.ledger) not in FIGHTING:
            raise Refused("No round of Close Combat is fought now.")
        if not _agree(deed, table, how_far):
            return
        if how_far == "round":
            _fight_round(deed)
            conductor.conduct(deed)
        else:
            _resolve_rest(deed, how_far)

    return perform(table, act_id, version, do)


def _agree(deed: Deed, table: Table, how_far: str) -> bool:
    """Whether both sides want the app to resolve so much; if not, it is noted that this one does."""
    asked = deed.campaign.phase.get("hurry")
    agrees = asked and asked["how_far"] == how_far and asked["side"] != deed.side
    if not (agrees or table.plays_all):
        deed.campaign.phase = {**deed.campaign.phase, "hurry": {"side": deed.side.value, "how_far": how_far}}
        deed.tell(f"{deed.name} asks to resolve the rest of the {how_far} with the app's dice.")
        return False
    deed.campaign.phase = {**deed.campaign.phase, "hurry": None}
    deed.tell(f"The rest of the {how_far} is resolved with the app's dice.")
    return True


def _resolve_rest(deed: Deed, how_far: str) -> None:
    sector = deed.campaign.phase["sector"]
    deciders = conductor.deciders(deed.ledger)
    for _ in range(MOST_STEPS):
        phase = deed.campaign.phase
        if deed.ledger.stage is not Stage.REORGANIZATION or (how_far == "sector" and phase["sector"] != sector):
            return
        here = positions.step(deed.ledger)
        if here in LEAVING and any(is_sure for side in deciders for _, is_sure in mined(deed.ledger, side)):
            deed.tell("Mines attack first: roll for the units in their hexes, then ask again (20.6.4 step 2).")
            return
        try:
            _decide(deed, here, deciders)
        except (MissingChart, BlankCells) as error:
            # Both are raised before the first die of a side or of a round, so that what was fought before stands.
            if not deed.has_drawn:
                raise
            deed.tell(f"It stops here. {error}")
            return
        deciders = conductor.conduct(deed)


def _decide(deed: Deed, here: Step, deciders: Iterable[Side]) -> None:
    """What those who must decide in a step do in a hurry."""
    if here in FIGHTING and deciders:
        _fight_round(deed)
        return
    for side in deciders:
        if here is Step.UPKEEP:
            _recover_all(deed, side, Dice("app"))
        else:
            deed.set_ready(side)
            deed.tell(f"{name_of(side)}: all stay.", side=side)


# Changes to units


def recover(table: Table, act_id: str, version: int | None, dice: Dice) -> Done:
    """Roll for all M-KILLED and F-KILLED vehicles and wounded leaders of the side, in this order (20.7.1).

    Dice: die_<number> of each unit; mend_<number> for the F-KILL of a vehicle that has both. Each is a d10.
    """

    def do(deed: Deed) -> None:
        _expect(deed, Step.UPKEEP)
        _recover_all(deed, deed.side, dice)
        conductor.conduct(deed)

    return perform(table, act_id, version, do)


def _recover_all(deed: Deed, side: Side, dice: Dice) -> None:
    for damage in sorted({what for _, what in positions.damaged(deed.ledger, side)}):
        deed.check_reach("recovery", {"what": damage}, dice)
    for damage in Damage:
        # A vehicle that the roll for its M-KILL made a wreck is not among those of the next.
        due = [unit for unit, what in positions.damaged(deed.ledger, side) if what is damage]
        rolled = deed.roll([upkeep_die(deed.ledger, unit, damage) for unit in due], dice)
        for unit, die in zip(due, rolled, strict=True):
            _recover(deed, unit, damage, die)
    conductor.check_nests(deed, side)
    for group in positions.nests(deed.ledger, side) if deed.campaign.attacker else ():
        where = f" in {group.building}" if group.building else ""
        deed.tell(f"{name_of(side)}: the Fanatic Resistance Nest{where} stays (20.7.1 step 6).", side=side)
    deed.set_ready(side)


def upkeep_die(ledger: Ledger, unit: Unit, damage: Damage) -> DieSpec:
    """The die of one damage of one unit."""
    name = f"mend_{unit.number}" if damage is Damage.F_KILLED else die_of(unit.number)
    return DieSpec(name, 10, f"{ledger.called(unit)}, {Mark(_MARK_OF[damage]).word}")


_MARK_OF = {Damage.M_KILLED: Mark.M_KILLED, Damage.F_KILLED: Mark.F_KILLED, Damage.WOUNDED_LEADER: Mark.WOUNDED}


def _recover(deed: Deed, unit: Unit, damage: Damage, die: Rolled) -> None:
    result = recovery(charts=of_match(deed.match), what=damage, die=die.face)
    if result.outcome in (RecoveryOutcome.REPAIRED, RecoveryOutcome.HEALED):
        unit.marks = [mark for mark in unit.marks if mark != _MARK_OF[damage]]
    elif result.outcome in (RecoveryOutcome.WRECKED, RecoveryOutcome.ELIMINATED):
        eliminate(deed, unit)
    name, side = deed.ledger.called(unit), Side(unit.side)
    deed.tell(f"{name_of(side)}, {name}, {Mark(_MARK_OF[damage]).word}: {result.headline}", rolled=[die], side=side)


# The end


def concede(table: Table, act_id: str, version: int | None) -> Done:
    """Give the campaign up: the other side has won (20.5.5)."""

    def do(deed: Deed) -> None:
        if deed.ledger.stage is Stage.OVER:
            raise Refused("The campaign is over already.")
        (other,) = (side for side in Side if side is not deed.side)
        conductor.finish(deed, f"{deed.name} concedes.", winner=other)

    return perform(table, act_id, version, do)
