"""What the dice of a bout do, and the end of a round (19.2.1, 19.3, 20.6.4 step 3)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from firefight.engine.charts import Book
from firefight.engine.dice import DieSpec, check_face
from firefight.engine.errors import BadDie
from firefight.engine.results import Result, Source
from firefight.games.combat_stalingrad.close_combat import CloseCombatOutcome, Target, close_combat
from firefight.games.combat_stalingrad.fire import FireOutcome, hit_dice, who_is_hit
from firefight.games.combat_stalingrad.morale import Cause, after_casualties
from firefight.games.combat_stalingrad.units import Kind, named

from .fighters import Battle, Bout, Fighter, Key, Weapon, as_unit, listed
from .leaders import Side


class Fate(StrEnum):
    """What becomes of a unit in a round."""

    M_KILLED = "m_killed"
    REDUCED = "reduced"
    WOUNDED = "wounded"
    ELIMINATED = "eliminated"

    @property
    def word(self) -> str:
        """The fate in the players' words."""
        return {"m_killed": "M-KILLED", "reduced": "reduced to its half-squad"}.get(self.value, self.value)


@dataclass(frozen=True, slots=True)
class Effect:
    """What a bout does to one unit, once its round is over."""

    key: Key
    fate: Fate


@dataclass(frozen=True, slots=True)
class Fought:
    """A bout with the dice known so far: it is settled when it needs none.

    ``attack``: by those who picked it, ``defense``: the attack of the others in return. ``hits``: who is hit by
    them, in that order, where that was open. ``effects``: one for each unit that something happens to. ``needs``:
    the dice of the next step. ``provenance``: of every chart and of the stacking limit.
    """

    bout: Bout
    attack: Result
    defense: Result
    hits: tuple[Result, ...] = ()
    effects: tuple[Effect, ...] = ()
    needs: tuple[DieSpec, ...] = ()
    provenance: tuple[Source, ...] = ()


def attack_inputs(bout: Bout, battle: Battle, side: Side) -> dict[str, Any]:
    """What a side's attack in a bout gives ``close_combat``, besides the charts and the die (19.3.3, 19.3.5).

    One NCO or Officer lends his -5 instead of his CCV (A-20), if he is not alone. What counts against an AFV does
    so when no infantry but leaders defends with it; against several, M-KILLED counts if they all are.
    """
    units = battle.of(bout.keys)
    attack = [unit for unit in units if unit.side is side]
    defense = [unit for unit in units if unit.side is not side]
    at_afv = any(unit.is_vehicle for unit in defense) and not any(unit.is_rank_and_file for unit in defense)
    lender = None if side in bout.by_value else _lender(attack)
    return {
        "attack": [as_unit(unit, at_afv) for unit in attack if unit is not lender],
        "defense": [as_unit(unit) for unit in defense],
        "target": Target.AFV if at_afv else Target.INFANTRY,
        "hand_to_hand": bout.hand_to_hand,
        "leader": lender is not None,
        "demo_charge": at_afv and any(unit.weapon == Weapon.DEMO_CHARGE for unit in attack),
        "flamethrower": any(unit.weapon == Weapon.FLAMETHROWER for unit in attack),
        "m_killed": at_afv and all(unit.m_killed for unit in defense if unit.is_vehicle),
        "from_cover": at_afv and side in bout.from_cover,
        "afv_in_open": at_afv and side.other in bout.in_open and not all(unit.is_vehicle for unit in attack),
        "in_sector": not battle.existing,
    }


def _lender(attack: Sequence[Fighter]) -> Fighter | None:
    if all(unit.is_leader for unit in attack):
        return None
    return min((unit for unit in attack if unit.can_lend), key=lambda unit: (unit.ccv, unit.key), default=None)


def resolve(bout: Bout, battle: Battle, charts: Book, dice: Mapping[str, int]) -> Fought:
    """Fight a bout with the dice that are there (19.2.1, 19.3, 20.6.4 step 3); see ``objections`` for its legality.

    dice: ``attack`` and ``defense``, natural d100, where the odds ask for a roll; then ``attack_hit_1`` and so on,
    a d10 for each defender, top to bottom, and ``defense_hit_1`` and so on for each attacker, where a C or E has
    several to choose from (18.1.3). Dice that are not asked for are ignored. Raises BadDie.
    """
    attackers, defenders = battle.of(bout.attackers), battle.of(bout.defenders)
    ways = (("attack", attackers, defenders), ("defense", defenders, attackers))
    rolls = [_roll(name, attack_inputs(bout, battle, strikers[0].side), charts, dice) for name, strikers, _ in ways]
    hits, effects, specs = [], [], []
    for (name, strikers, struck), roll in zip(ways, rolls, strict=True):
        if roll.needs:
            label = f"Attack by {listed(unit.name for unit in strikers)}, d100"
            return Fought(bout, *rolls, needs=(DieSpec(name, 100, label),))
        specs += _hit_specs(name, struck, roll)
    missing = tuple(spec for spec in specs if dice.get(spec.name) is None)
    if missing:
        return Fought(bout, *rolls, needs=missing)
    for (name, strikers, struck), roll in zip(ways, rolls, strict=True):
        hit = _who_is_hit(name, struck, roll, charts, dice)
        hits += [hit] if hit and hit.dice else []
        effects += _effects(strikers, struck, roll, hit)
    combined_effects = tuple(Effect(key, fate) for key, fate in combined(effects).items())
    used = [source for result in (*rolls, *hits) for source in result.provenance]
    limit = () if battle.existing else (battle.stacking.source,)
    return Fought(bout, *rolls, tuple(hits), combined_effects, provenance=tuple(dict.fromkeys((*used, *limit))))


def _roll(name: str, inputs: Mapping[str, Any], charts: Book, dice: Mapping[str, int]) -> Result:
    try:
        return close_combat(charts=charts, die=dice.get(name), **inputs)
    except BadDie as error:
        raise BadDie(str(error), name) from error


def _result_on_one(roll: Result) -> FireOutcome | None:
    """The C or E that one of the struck takes, None for any other outcome."""
    is_on_one = roll.outcome in (CloseCombatOutcome.C, CloseCombatOutcome.E)
    return FireOutcome(roll.outcome.value) if is_on_one else None


def _hit_specs(name: str, struck: Sequence[Fighter], roll: Result) -> list[DieSpec]:
    result = _result_on_one(roll)
    dice = hit_dice([as_unit(unit) for unit in struck], result) if result else ()
    return [replace(spec, name=f"{name}_hit_{place}") for place, spec in enumerate(dice, 1)]


def _who_is_hit(
    name: str, struck: Sequence[Fighter], roll: Result, charts: Book, dice: Mapping[str, int]
) -> Result | None:
    result = _result_on_one(roll)
    if result is None:
        return None
    specs = _hit_specs(name, struck, roll)
    faces = {f"die_{n}": check_face(dice[spec.name], spec.sides, spec.name) for n, spec in enumerate(specs, 1)}
    return who_is_hit(charts=charts, result=result, units=[as_unit(unit) for unit in struck], **faces)


def _effects(
    strikers: Sequence[Fighter], struck: Sequence[Fighter], roll: Result, hit: Result | None
) -> Iterable[Effect]:
    match roll.outcome:
        case CloseCombatOutcome.ATTACKERS_ELIMINATED:
            return [Effect(unit.key, Fate.ELIMINATED) for unit in strikers]
        case CloseCombatOutcome.DEFENDERS_ELIMINATED:
            return [Effect(unit.key, Fate.ELIMINATED) for unit in struck]
    if hit is None:
        return []
    names = [name for name, _ in named([as_unit(unit) for unit in struck])]
    hurt = [unit for name, unit in zip(names, struck, strict=True) if name in hit.details["hit"]]
    is_fatal = roll.outcome is CloseCombatOutcome.E
    return [Effect(unit.key, Fate.ELIMINATED if is_fatal else _casualty(unit)) for unit in hurt]


def _casualty(unit: Fighter) -> Fate:
    """What a C does: it M-KILLs an AFV, reduces a squad, wounds a leader and kills the rest (19.3.3, A-38)."""
    if unit.is_vehicle:
        return Fate.M_KILLED
    after = after_casualties(as_unit(unit), Cause.FFT)
    if after is None:
        return Fate.ELIMINATED
    return Fate.REDUCED if after.kind is Kind.HALF_SQUAD else Fate.WOUNDED


# The end of a round


def combined(effects: Iterable[Effect]) -> dict[Key, Fate]:
    """What all effects on a unit come to, in whatever order: Casualties twice are its end, an M-KILL is not."""
    found: dict[Key, Fate] = {}
    for effect in effects:
        before = found.get(effect.key)
        if before is None:
            found[effect.key] = effect.fate
        elif before != effect.fate or effect.fate is not Fate.M_KILLED:
            found[effect.key] = Fate.ELIMINATED
    return found


def apply(fighters: Iterable[Fighter], effects: Iterable[Effect]) -> tuple[Fighter, ...]:
    """The fighters after a round, the dead left out (19.2.1 step 3). Who is flipped sheds his markers (18.1.4)."""
    fates = combined(effects)
    after = (_after(fighter, fates.get(fighter.key)) for fighter in fighters)
    return tuple(fighter for fighter in after if fighter)


def end_round(battle: Battle, effects: Iterable[Effect]) -> Battle:
    """The battle before its next round: what all bouts did takes effect at once."""
    return replace(battle, fighters=apply(battle.fighters, effects), fought=frozenset())


def _after(fighter: Fighter, fate: Fate | None) -> Fighter | None:
    match fate:
        case None:
            return fighter
        case Fate.M_KILLED:
            return replace(fighter, m_killed=True)
        case Fate.REDUCED if fighter.kind is Kind.SQUAD:
            return replace(fighter, kind=Kind.HALF_SQUAD, ccv=fighter.half_ccv, half_ccv=None, disrupted=False)
        case Fate.WOUNDED if fighter.kind is Kind.LEADER:
            return replace(fighter, kind=Kind.WOUNDED_LEADER, disrupted=False)
        case _:
            return None
