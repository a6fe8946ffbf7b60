"""What the dice of a bout do, and the end of a round (19.2.1, 19.3, 20.6.4 step 3)."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import NamedTuple

from firefight.engine.charts.book import Book
from firefight.engine.errors import BadDie
from firefight.engine.rolls.dice import DieSpec, check_face
from firefight.engine.rolls.result import Result, Source
from firefight.engine.text import join_words
from firefight.engine.values import Json, Values

from ..close_combat import (
    LOWEST,
    CloseCombatOutcome,
    Target,
    close_combat,
    odds_step,
)
from ..fire import FireOutcome, hit_dice, who_is_hit
from ..morale import Cause, after_casualties
from ..sides import Side
from ..units import Kind, Unit, name_units
from .attacks import Attack, Bout, Effect, Fate, Key
from .fighters import Battle, Fighter, TeamWeapon, as_unit, asked_once


@dataclass(frozen=True, slots=True)
class Strike:
    """One attack of a bout as far as its dice are known.

    ``name``: of its d100, ``attack``, ``attack_2`` … for the side that picked, ``defense`` … for the other; its hit
    dice are that and ``_hit_1`` and so on. ``struck``: those it may hit, top to bottom, leaders that defend with
    them included; ``stack``: the same as the rules of fire take them. ``hit``: who was hit, where that was open.
    """

    name: str
    attack: Attack
    struck: tuple[Fighter, ...]
    stack: Sequence[Unit]
    roll: Result
    hit: Result | None = None


@dataclass(frozen=True, slots=True)
class Fought:
    """A bout with the dice known so far: it is settled when it needs none.

    ``strikes``: the attacks of both sides, those of the side that picked first. ``effects``: one for each unit that
    something happens to. ``needs``: the dice of the next step. ``provenance``: of every chart and of the stacking
    limit.
    """

    bout: Bout
    strikes: tuple[Strike, ...]
    effects: tuple[Effect, ...] = ()
    needs: tuple[DieSpec, ...] = ()
    provenance: tuple[Source, ...] = ()

    @property
    def hits(self) -> tuple[Result, ...]:
        """Who is hit, in the order of the attacks, where that was open."""
        return tuple(strike.hit for strike in self.strikes if strike.hit and strike.hit.dice)


# The values of an attack


def fighters_in(bout: Bout, units: tuple[Fighter, ...]) -> tuple[Fighter, ...]:
    """Units as they take part in a bout: mounted or not."""
    if not bout.riders:
        return units
    return tuple(replace(unit, rider=True) if unit.key in bout.riders else unit for unit in units)


def escorts_of(bout: Bout, battle: Battle) -> dict[Key, Key]:
    """The infantry that each leader of a bout defends with, by leader; none for a side without other infantry.

    Unless somebody chooses, it is the one that the firefight's record has them with.
    """
    return _find_escorts(battle, bout.keys, bout.escorts)


@asked_once
def _find_escorts(battle: Battle, keys: tuple[Key, ...], chosen: tuple[tuple[Key, Key], ...]) -> dict[Key, Key]:
    units = battle.of(keys)
    leaders = [unit for unit in units if unit.is_leader]
    if not leaders:
        return {}
    mates: dict[Side, list[Key]] = {side: [] for side in Side}
    for unit in units:
        if unit.is_rank_and_file:
            mates[unit.side].append(unit.key)
    preferred = {**{leader.key: leader.beside for leader in leaders}, **dict(chosen)}
    return {
        leader.key: escort if (escort := preferred.get(leader.key)) in (company := mates[leader.side]) else company[0]
        for leader in leaders
        if mates[leader.side]
    }


def struck_by(attack: Attack, bout: Bout, battle: Battle) -> tuple[Fighter, ...]:
    """Those that an attack is made on, with the leaders that defend with them (19.3.6)."""
    escorts = escorts_of(bout, battle)
    targets = [key for key in attack.on if key not in escorts]
    leaders = [key for key, escort in escorts.items() if escort in targets]
    return fighters_in(bout, battle.of((*targets, *leaders)))


class Lineup(NamedTuple):
    """Those who meet in one attack. ``by_value``: of those who make it, all whose CCV counts."""

    attack: Attack
    strikers: tuple[Fighter, ...]
    by_value: tuple[Fighter, ...]
    struck: tuple[Fighter, ...]
    at_afv: bool

    def values(self, battle: Battle) -> tuple[int, int]:
        """The CCV of both, whose ratio is the odds (19.3.1)."""
        return battle.value(self.by_value, self.at_afv), battle.value(self.struck)


def line_up(attack: Attack, bout: Bout, battle: Battle) -> Lineup:
    """Who meets in an attack: one NCO or Officer lends -5 instead of a CCV, unless alone (19.3.5, A-20)."""
    strikers, struck = fighters_in(bout, battle.of(attack.by)), struck_by(attack, bout, battle)
    lender = _lender(strikers, bout.by_value)
    by_value = tuple([unit for unit in strikers if unit is not lender]) if lender else strikers
    return Lineup(attack, strikers, by_value, struck, _is_at_afv(struck))


def attack_inputs(attack: Attack, bout: Bout, battle: Battle) -> Json:
    """What one attack of a bout gives ``close_combat``, besides the charts and the die (19.3.3, 19.3.5)."""
    lineup = line_up(attack, bout, battle)
    return {
        "attack": [as_unit(unit, lineup.at_afv) for unit in lineup.by_value],
        "defense": [as_unit(unit) for unit in lineup.struck],
        "target": Target.AFV if lineup.at_afv else Target.INFANTRY,
        "hand_to_hand": bout.hand_to_hand,
        "in_sector": not battle.existing,
        **find_advantages(lineup, bout),
    }


def find_advantages(lineup: Lineup, bout: Bout) -> dict[str, bool]:
    """What gives an attack a DRM, by the names of ``close_combat`` (19.3.3, 19.3.5).

    What counts against an AFV does so when no infantry but leaders defends with it; against several, M-KILLED counts
    if they all are.
    """
    (_, strikers, by_value, struck, at_afv), side = lineup, lineup.attack.side
    return {
        "leader": len(by_value) < len(strikers),
        "demo_charge": at_afv and any(unit.weapon == TeamWeapon.DEMO_CHARGE for unit in strikers),
        "flamethrower": any(unit.weapon == TeamWeapon.FLAMETHROWER for unit in strikers),
        "m_killed": at_afv and all(unit.m_killed for unit in struck if unit.is_vehicle),
        "from_cover": at_afv and side in bout.from_cover,
        "afv_in_open": at_afv and side.other in bout.in_open and not all(unit.is_vehicle for unit in strikers),
    }


def _is_at_afv(defense: Sequence[Fighter]) -> bool:
    return any(unit.is_vehicle for unit in defense) and not any(unit.is_rank_and_file for unit in defense)


def _lender(strikers: Sequence[Fighter], by_value: Collection[Key]) -> Fighter | None:
    lenders = [unit for unit in strikers if unit.can_lend and unit.key not in by_value]
    if not lenders or all(unit.is_leader for unit in strikers):
        return None
    return min(lenders, key=lambda unit: (unit.ccv, unit.key))


def best_attack(side: Side, bout: Bout, battle: Battle) -> Attack:
    """The best odds open to a side in a bout: all of its units on the weakest enemy that may be attacked (A-44)."""
    return max(_open_to(side, bout, battle), key=lambda attack: (_column(attack, bout, battle), attack.on))


def _open_to(side: Side, bout: Bout, battle: Battle) -> Iterator[Attack]:
    """The attacks of all of a side's units on one enemy each."""
    escorts = escorts_of(bout, battle)
    strikers = bout.of_side(side)
    return (Attack(strikers, (key,)) for key in bout.of_side(side.other) if key not in escorts)


def _column(attack: Attack, bout: Bout, battle: Battle) -> float:
    """The odds of an attack, its leaders counted by their CCV, as steps from 1-1."""
    defense = struck_by(attack, bout, battle)
    strikers = fighters_in(bout, battle.of(attack.by))
    strength, resistance = battle.value(strikers, _is_at_afv(defense)), battle.value(defense)
    if not (strength and resistance):
        return inf if strength else -inf
    return odds_step(strength, resistance) + bout.hand_to_hand


def is_hopeless(side: Side, bout: Bout, battle: Battle) -> bool:
    """Whether even the best odds open to a side are 1-4 or worse: it is lost without a roll (19.3.7, A-44)."""
    return all(_column(attack, bout, battle) < LOWEST for attack in _open_to(side, bout, battle))


# The dice of a bout


def fight_bout(bout: Bout, battle: Battle, charts: Book, dice: Mapping[str, int]) -> Fought:
    """Fight a bout with the dice known so far (19.2.1, 19.3, 20.6.4 step 3); ``object_to_division`` checks it before.

    dice: by the names that ``Strike`` gives: a natural d100 where the odds ask for a roll, and a d10 for each unit
    struck, top to bottom, where a C or E has several to choose from (18.1.3). Dice that are not asked for are
    ignored. Raises BadDie.
    """
    strikes = strikes_of(bout, battle, charts, dice)
    attacks = tuple(_attack_die(strike, battle) for strike in strikes if strike.roll.needs)
    if attacks:
        return Fought(bout, strikes, needs=attacks)
    specs = [spec for strike in strikes for spec in _hit_specs(strike)]
    missing = tuple(spec for spec in specs if dice.get(spec.name) is None)
    if missing:
        return Fought(bout, strikes, needs=missing)
    strikes = tuple(replace(strike, hit=_who_is_hit(strike, charts, dice)) for strike in strikes)
    fates = combine_effects(effect for strike in strikes for effect in _effects(strike, bout))
    used = [source for strike in strikes for source in strike.roll.provenance]
    used += [source for strike in strikes if strike.hit for source in strike.hit.provenance]
    limit = () if battle.existing else (battle.stacking.source,)
    effects = tuple(Effect(key, fate) for key, fate in fates.items())
    return Fought(bout, strikes, effects, provenance=tuple(dict.fromkeys((*used, *limit))))


def _attack_die(strike: Strike, battle: Battle) -> DieSpec:
    return DieSpec(strike.name, 100, f"Attack by {join_words(unit.name for unit in battle.of(strike.attack.by))}, d100")


def strikes_of(bout: Bout, battle: Battle, charts: Book, dice: Mapping[str, int]) -> tuple[Strike, ...]:
    """The attacks of both sides, each with what is known of its roll; a hopeless side strikes once, and is lost."""
    return tuple(_strike(plan, charts, dice) for plan in _plans(battle, bout))


@dataclass(frozen=True, slots=True)
class _Plan:
    """An attack of a bout before its dice. ``inputs``: for ``close_combat``; ``is_spared``: see ``_spare``.

    ``strikes``: what it comes to by each die that was asked about so far.
    """

    name: str
    attack: Attack
    struck: tuple[Fighter, ...]
    inputs: Values
    is_spared: bool
    strikes: dict[tuple[Book, int | None], Strike] = field(default_factory=dict)


@asked_once
def _plans(battle: Battle, bout: Bout) -> tuple[_Plan, ...]:
    """The attacks of both sides: a bout is asked for again with every die that is known."""
    return tuple(_plan(bout, battle))


def _plan(bout: Bout, battle: Battle) -> Iterator[_Plan]:
    for way, side in zip(WAYS, _sides(bout), strict=True):
        hopeless = is_hopeless(side, bout, battle)
        attacks = (best_attack(side, bout, battle),) if hopeless else bout.attacks_of(side)
        for place, attack in enumerate(attacks, 1):
            name = way if place == 1 else f"{way}_{place}"
            inputs = attack_inputs(attack, bout, battle)
            yield _Plan(name, attack, struck_by(attack, bout, battle), inputs, not hopeless)


def _strike(plan: _Plan, charts: Book, dice: Mapping[str, int]) -> Strike:
    case = charts, dice.get(plan.name)
    if case not in plan.strikes:
        plan.strikes[case] = _work_out(plan, *case)
    return plan.strikes[case]


def _work_out(plan: _Plan, charts: Book, die: int | None) -> Strike:
    try:
        roll = close_combat(charts=charts, die=die, **plan.inputs)
    except BadDie as error:
        raise BadDie(str(error), plan.name) from error
    if plan.is_spared and roll.outcome is CloseCombatOutcome.ATTACKERS_ELIMINATED:
        roll = _spare(roll)
    return Strike(plan.name, plan.attack, plan.struck, plan.inputs["defense"], roll)


# The first part of the names of dice: of the side that picked, and of the other.
WAYS = ("attack", "defense")


def _sides(bout: Bout) -> tuple[Side, Side]:
    side = bout.attackers[0][0]
    return side, side.other


def _spare(roll: Result) -> Result:
    """An attack of 1-4 or worse by a side that had better odds: it does nothing (A-44)."""
    column, details = roll.details["column"], roll.details
    odds = f" is {column}" if column else ""
    headline = f"No effect: {details['attack']} against {details['defense']}{odds}, with better odds to be had."
    return replace(roll, headline=headline, outcome=CloseCombatOutcome.NONE, effects=())


def _result_on_one(roll: Result) -> FireOutcome | None:
    """The C or E that one of the struck takes, None for any other outcome."""
    outcome = roll.outcome
    return FireOutcome(outcome.value) if outcome in (CloseCombatOutcome.C, CloseCombatOutcome.E) else None


def _hit_specs(strike: Strike) -> list[DieSpec]:
    result = _result_on_one(strike.roll)
    dice = hit_dice(strike.stack, result) if result else ()
    return [replace(spec, name=f"{strike.name}_hit_{place}") for place, spec in enumerate(dice, 1)]


def _who_is_hit(strike: Strike, charts: Book, dice: Mapping[str, int]) -> Result | None:
    result = _result_on_one(strike.roll)
    if result is None:
        return None
    faces = {
        f"die_{n}": check_face(dice[spec.name], spec.sides, spec.name) for n, spec in enumerate(_hit_specs(strike), 1)
    }
    return who_is_hit(charts=charts, result=result, units=strike.stack, check=None, source=Cause.FFT, **faces)


def _effects(strike: Strike, bout: Bout) -> Iterable[Effect]:
    match strike.roll.outcome:
        case CloseCombatOutcome.ATTACKERS_ELIMINATED:
            return [Effect(key, Fate.ELIMINATED) for key in bout.of_side(strike.attack.side)]
        case CloseCombatOutcome.DEFENDERS_ELIMINATED:
            return [Effect(unit.key, Fate.ELIMINATED) for unit in strike.struck]
    outcome = strike.roll.outcome
    if strike.hit is None or not isinstance(outcome, CloseCombatOutcome):
        return []
    names = [name for name, _ in name_units(strike.stack)]
    hurt = [unit for name, unit in zip(names, strike.struck, strict=True) if name in strike.hit.details["hit"]]
    return [Effect(unit.key, fate_of(unit, outcome)) for unit in hurt]


def fate_of(unit: Fighter, outcome: CloseCombatOutcome) -> Fate:
    """What a C or an E does to the unit that it hits (19.3.3)."""
    return Fate.ELIMINATED if outcome is CloseCombatOutcome.E else _casualty(unit)


def _casualty(unit: Fighter) -> Fate:
    """What a C does: it M-KILLs an AFV, reduces a squad, wounds a leader and kills the rest (19.3.3, A-38)."""
    if unit.is_vehicle:
        return Fate.M_KILLED
    after = after_casualties(as_unit(unit), Cause.FFT)
    if after is None:
        return Fate.ELIMINATED
    return Fate.REDUCED if after.kind is Kind.HALF_SQUAD else Fate.WOUNDED


# The end of a round


def combine_effects(effects: Iterable[Effect]) -> dict[Key, Fate]:
    """What all effects on a unit come to, in whatever order: Casualties twice are its end, an M-KILL is not."""
    fates: dict[Key, Fate] = {}
    for effect in effects:
        before = fates.get(effect.key)
        if before is None:
            fates[effect.key] = effect.fate
        elif before != effect.fate or effect.fate is not Fate.M_KILLED:
            fates[effect.key] = Fate.ELIMINATED
    return fates


def apply_effects(fighters: Iterable[Fighter], effects: Iterable[Effect]) -> tuple[Fighter, ...]:
    """The fighters after a round, the dead left out (19.2.1 step 3). A flipped one sheds all markers (18.1.4)."""
    fates = combine_effects(effects)
    after = (_apply_fate(fighter, fates.get(fighter.key)) for fighter in fighters)
    return tuple(fighter for fighter in after if fighter)


def end_round(battle: Battle, effects: Iterable[Effect]) -> Battle:
    """The battle before its next round: what all bouts did takes effect at once; those with no enemy waited (A-45)."""
    after = apply_effects(battle.fighters, effects)
    waited = frozenset(unit.key for unit in after if not battle.existing and unit.key not in battle.fought)
    return replace(battle, fighters=after, fought=frozenset(), waited=waited)


def _apply_fate(fighter: Fighter, fate: Fate | None) -> Fighter | None:
    match fate:
        case None:
            return fighter
        case Fate.M_KILLED:
            return replace(fighter, m_killed=True)
        case Fate.REDUCED if fighter.kind is Kind.SQUAD and fighter.half_ccv is not None:
            return replace(fighter, kind=Kind.HALF_SQUAD, ccv=fighter.half_ccv, half_ccv=None, disrupted=False)
        case Fate.WOUNDED if fighter.kind is Kind.LEADER:
            return replace(fighter, kind=Kind.WOUNDED_LEADER, disrupted=False)
        case _:
            return None
