"""What comes of a sector's close combat if both sides fight it as the app proposes (20.6.4 steps 1 and 3).

A unit is unhurt, hurt once, or gone, so that a battle has few positions while its fighters are few: then the shares
are exact. Larger ones are fought many times, with dice from a seed that the position itself gives, so that the
answer is always the same.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product

from firefight.engine.charts.book import Book
from firefight.engine.rolls.result import Outcome
from firefight.games.combat_stalingrad.rules.close_combat import CloseCombatOutcome, close_combat
from firefight.games.combat_stalingrad.rules.melee.attacks import Bout, Effect, Fate, Key
from firefight.games.combat_stalingrad.rules.melee.bouts import (
    Strike,
    apply_effects,
    attack_inputs,
    fate_of,
    strikes_of,
)
from firefight.games.combat_stalingrad.rules.melee.fighters import Battle, Fighter
from firefight.games.combat_stalingrad.rules.sides import Side

from .battle import is_over
from .pairing import propose_bouts

# How a fighter is: gone, hurt once, or as it came.
_GONE, _HURT, _UNHURT = 0, 1, 2
_D10 = 10
# The dice may decide nothing for long (CQ-08); a battle not won by then counts for neither side.
MOST_ROUNDS = 400
# Battles of at most this many positions are worked out exactly: six squads have 729.
MOST_POSITIONS = 729
# How often larger ones are fought, by how many take part.
_GAMES = ((12, 1000), (24, 300))
_FEWEST_GAMES = 100
_MOST_KNOWN = 20_000
# A share too small to matter, of a position that the dice have not changed for long.
_NEGLIGIBLE = 1e-13

Conditions = tuple[int, ...]
# What one attack may do: how likely, and how the fighters named by their places are then.
Ways = tuple[tuple[float, tuple[tuple[int, int], ...]], ...]
# How likely each result of an attack is.
_Shares = Mapping[Outcome | None, float]


@dataclass(frozen=True, slots=True)
class Outlook:
    """The chances in a sector's close combat: of each unit to survive, and of each side to hold the sector.

    ``games``: how many battles were fought to find them, 0 if they are exact. ``margin``: how far off a share may
    be, in 95 of 100 positions.
    """

    survives: Mapping[Key, float]
    holds: Mapping[Side, float]
    games: int

    @property
    def margin(self) -> float:
        """Half of the interval around a share near one half, the widest one."""
        return 0.98 / self.games**0.5 if self.games else 0


@dataclass(frozen=True, slots=True)
class BattlePosition:
    """A battle between two rounds: how the fighters are, by place, and who had no enemy in the round before."""

    existing: bool
    conditions: Conditions
    waited: frozenset[int] = frozenset()


# Positions still to be settled, each with its share, by step and by how their fighters are.
_Waiting = dict[tuple[bool, Conditions], dict[BattlePosition, float]]


@dataclass(frozen=True, slots=True)
class _Round:
    """What a round may do: its attacks, each with what may come of it, and who has no enemy in it."""

    attacks: tuple[Ways, ...]
    idle: frozenset[int]


class Forecast:
    """The outlook of one battle, worked out bit by bit: ``work_on`` until ``outlook`` is there."""

    def __init__(self, battle: Battle, charts: Book, chance: Callable[[], float]) -> None:
        """Begin with the battle as it stands between two rounds; what its round has done so far does not count.

        chance: gives a number from 0 up to 1 at each call, from ``seed_of`` the battle.
        """
        self._start = replace(battle, fought=frozenset())
        self._charts = charts
        self._units = self._start.fighters
        # Each unit as it is when gone, hurt, and as it came.
        self._forms = tuple((None, _hurt(unit), unit) for unit in self._units)
        self._places = {unit.key: place for place, unit in enumerate(self._units)}
        self._rounds: dict[BattlePosition, _Round | None] = {}
        self._shares: dict[tuple[str, int, bool], _Shares] = {}
        waited = frozenset(self._places[key] for key in battle.waited if key in self._places)
        self._first = BattlePosition(battle.existing, (_UNHURT,) * len(self._units), waited)
        self._chance = chance
        self._fought, self._settled = 0, self._settle_positions()
        self._ends: dict[Conditions, float] = {}
        self._next_ones: dict[BattlePosition, dict[BattlePosition, float]] = {}
        self.outlook: Outlook | None = None

    @cached_property
    def games(self) -> int:
        """How many battles it takes, 0 if it is worked out exactly."""
        positions = 1
        for _, hurt, _ in self._forms:
            positions *= 3 if hurt else 2
        if positions <= MOST_POSITIONS:
            return 0
        return next((games for most, games in _GAMES if len(self._units) <= most), _FEWEST_GAMES)

    @property
    def done(self) -> float:
        """The share of the work that is done, as far as that is known beforehand."""
        return 1.0 if self.outlook else self._fought / self.games if self.games else 0.0

    def work_on(self) -> None:
        """Fight one more battle, or settle one more position. Raises MissingChart for a blank cell it meets."""
        if self.games:
            end = self._fight()
            self._ends[end] = self._ends.get(end, 0) + 1 / self.games
            self._fought += 1
            is_done = self._fought == self.games
        else:
            is_done = next(self._settled, True)
        if is_done:
            self.outlook = self._sum_up(self._ends, self.games)

    def _sum_up(self, ends: Mapping[Conditions, float], games: int) -> Outlook:
        survives = dict.fromkeys((unit.key for unit in self._units), 0.0)
        holds = dict.fromkeys(Side, 0.0)
        for end, share in ends.items():
            survivors = [unit.key for unit, condition in zip(self._units, end, strict=True) if condition]
            for key in survivors:
                survives[key] += share
            if len(sides := {key[0] for key in survivors}) == 1:
                holds[sides.pop()] += share
        return Outlook(survives, holds, games)

    # Position by position

    def _battle(self, position: BattlePosition) -> Battle:
        forms = (self._forms[place][how] for place, how in enumerate(position.conditions))
        fighters = tuple(unit for unit in forms if unit)
        waited = frozenset(self._units[place].key for place in position.waited)
        return replace(self._start, fighters=fighters, waited=waited, existing=position.existing)

    def _round(self, position: BattlePosition) -> _Round | None:
        """The round that follows, None when it is over."""
        if position not in self._rounds:
            if len(self._rounds) >= _MOST_KNOWN:
                self._rounds.clear()
            self._rounds[position] = self._plan(position)
        return self._rounds[position]

    def _plan(self, position: BattlePosition) -> _Round | None:
        battle = self._battle(position)
        if is_over(battle):
            return None
        bouts = propose_bouts(battle)
        attacks = tuple(ways for bout in bouts for ways in self._attacks(bout, battle))
        fought = {self._places[key] for bout in bouts for key in bout.keys}
        alive = {place for place, condition in enumerate(position.conditions) if condition}
        return _Round(attacks, frozenset(alive - fought))

    def _attacks(self, bout: Bout, battle: Battle) -> Iterable[Ways]:
        for strike in strikes_of(bout, battle, self._charts, {}):
            match strike.roll.outcome:
                case CloseCombatOutcome.ATTACKERS_ELIMINATED:
                    keys = bout.of_side(strike.attack.side)
                    yield ((1.0, tuple((self._places[key], _GONE) for key in keys)),)
                case CloseCombatOutcome.DEFENDERS_ELIMINATED:
                    yield ((1.0, tuple((self._places[unit.key], _GONE) for unit in strike.struck)),)
                case None:
                    yield self._rolled(strike, bout, battle)

    def _rolled(self, strike: Strike, bout: Bout, battle: Battle) -> Ways:
        ways = []
        shares = self._outcomes(strike, bout, battle)
        for outcome in (CloseCombatOutcome.E, CloseCombatOutcome.C):
            for share, hit in list_hits(strike.struck):
                effects = tuple(self._after(unit, fate_of(unit, outcome)) for unit in hit)
                ways.append((share * shares.get(outcome, 0), effects))
        nothing = 1 - sum(share for share, _ in ways)
        return (*((share, effects) for share, effects in ways if share), (nothing, ()))

    def _after(self, unit: Fighter, fate: Fate) -> tuple[int, int]:
        place, remains = self._places[unit.key], apply_effects([unit], [Effect(unit.key, fate)])
        if not remains:
            return place, _GONE
        return place, _UNHURT if remains[0] == self._units[place] else _HURT

    def _outcomes(self, strike: Strike, bout: Bout, battle: Battle) -> _Shares:
        """How likely each result of an attack is: every face of its die through the rule itself."""
        roll = strike.roll
        modifiers = sum(modifier.value for modifier in roll.modifiers)
        inputs_key = roll.details["column"], modifiers, bout.hand_to_hand
        if inputs_key not in self._shares:
            inputs = attack_inputs(strike.attack, bout, battle)
            shares: dict[Outcome | None, float] = {}
            for face in range(1, 101):
                outcome = close_combat(charts=self._charts, die=face, **inputs).outcome
                shares[outcome] = shares.get(outcome, 0) + 0.01
            self._shares[inputs_key] = shares
        return self._shares[inputs_key]

    # Many battles

    def _fight(self) -> Conditions:
        position = self._first
        for _ in range(MOST_ROUNDS):
            battle_round = self._round(position)
            if battle_round is None:
                if not position.existing:
                    break
                position = BattlePosition(False, position.conditions)
                continue
            after = list(position.conditions)
            for ways in battle_round.attacks:
                for place, how in self._throw(ways):
                    after[place] = min(after[place], how)
            position = _next(position, after, battle_round)
        return position.conditions

    def _throw(self, ways: Ways) -> tuple[tuple[int, int], ...]:
        chance = self._chance()
        for share, effects in ways:
            chance -= share
            if chance < 0:
                return effects
        return ways[-1][1]

    # All positions

    def _settle_positions(self) -> Iterator[bool]:
        """Find the shares of all ends. Units only ever get worse: positions are settled from the best to the worst."""
        waiting: _Waiting = {}
        _add(waiting, self._first, 1.0)
        while waiting:
            key = max(waiting, key=lambda state: (state[0], sum(state[1])))
            shares = waiting.pop(key)
            self._next_ones.clear()
            for _ in range(MOST_ROUNDS):
                again: dict[BattlePosition, float] = {}
                for position, share in shares.items():
                    self._pass_on(position, share, again, waiting)
                shares = again
                if sum(again.values()) < _NEGLIGIBLE:
                    break
            self._end(key[1], sum(shares.values()))
            yield False

    def _end(self, conditions: Conditions, share: float) -> None:
        self._ends[conditions] = self._ends.get(conditions, 0) + share

    def _pass_on(
        self, position: BattlePosition, share: float, again: dict[BattlePosition, float], waiting: _Waiting
    ) -> None:
        """Pass the share of one position on to those that follow it; ``again``: those where nobody is worse off."""
        following = self._following(position)
        if following is None and not position.existing:
            self._end(position.conditions, share)
        elif following is None:
            _add(waiting, BattlePosition(False, position.conditions), share)
        else:
            for after, portion in following.items():
                if after.conditions == position.conditions:
                    again[after] = again.get(after, 0) + share * portion
                else:
                    _add(waiting, after, share * portion)

    def _following(self, position: BattlePosition) -> dict[BattlePosition, float] | None:
        """The positions that may follow a round, and how likely; None if no round follows."""
        if position in self._next_ones:
            return self._next_ones[position]
        battle_round = self._round(position)
        if battle_round is None:
            return None
        following: dict[BattlePosition, float] = {}
        for chosen in product(*battle_round.attacks):
            share, after = 1.0, list(position.conditions)
            for portion, effects in chosen:
                share *= portion
                for place, how in effects:
                    after[place] = min(after[place], how)
            if share:
                position_after = _next(position, after, battle_round)
                following[position_after] = following.get(position_after, 0) + share
        self._next_ones[position] = following  # it may be its own successor, over and over
        return following


def seed_of(battle: Battle) -> str:
    """What the dice of a battle's games are drawn from: the same for the same position."""
    return repr((battle.attacker, battle.existing, sorted(battle.waited), battle.stacking, battle.fighters))


def _next(position: BattlePosition, after: Sequence[int], battle_round: _Round) -> BattlePosition:
    idle = frozenset(place for place in battle_round.idle if after[place]) if not position.existing else frozenset()
    return BattlePosition(position.existing, tuple(after), idle)


def _add(waiting: _Waiting, position: BattlePosition, share: float) -> None:
    shares = waiting.setdefault((position.existing, position.conditions), {})
    shares[position] = shares.get(position, 0) + share


def _hurt(unit: Fighter) -> Fighter | None:
    """A unit after one C, None if that is its end or changes nothing."""
    remains = apply_effects([unit], [Effect(unit.key, fate_of(unit, CloseCombatOutcome.C))])
    return remains[0] if remains and remains[0] != unit else None


def list_hits(struck: Sequence[Fighter]) -> list[tuple[float, tuple[Fighter, ...]]]:
    """Which of several are hit, and how likely: the highest d10, ties included (18.1.3)."""
    if len(struck) == 1:
        return [(1.0, tuple(struck))]
    hits = []
    for size in range(1, len(struck) + 1):
        share = sum((1 / _D10) ** size * ((face - 1) / _D10) ** (len(struck) - size) for face in range(1, _D10 + 1))
        hits += [(share, chosen) for chosen in combinations(struck, size)]
    return hits
