"""How a side divides its attacks among the enemies that it meets: what the app proposes (19.2.1, A-44)."""

from collections.abc import Callable, Collection, Container, Sequence
from dataclasses import replace

from ..close_combat import HIGHEST, LOWEST, odds_step
from ..sides import Side
from .attacks import Attack, Bout, Key
from .bouts import Lineup, escorts_of, find_advantages, line_up
from .fighters import Battle
from .taking_part import list_bound


def has_choice(side: Side, bout: Bout, battle: Battle) -> bool:
    """Whether a side may divide its attacks in several ways: it has more than one enemy to attack (19.2.1)."""
    escorts = escorts_of(bout, battle)
    return sum(key not in escorts for key in bout.of_side(side.other)) > 1


def find_riders(bout: Bout, battle: Battle) -> frozenset[Key]:
    """Who is mounted by the firefight's record: on a vehicle of the same bout."""
    units = {unit.key: unit for unit in battle.of(bout.keys)}
    mounted = (unit.key for unit in units.values() if unit.beside in units and not unit.is_vehicle)
    return frozenset(key for key in mounted if (vehicle := units[key].beside) and units[vehicle].is_vehicle)


def divide_attacks(bout: Bout, battle: Battle, sides: Collection[Side] = tuple(Side)) -> Bout:
    """A bout with the best division of these sides' attacks; those of the other side stay as they are (A-44).

    The best one is likely to cost the enemy most. The same bout gives the same attacks.
    """
    fixed = [attack for side in Side if side not in sides for attack in bout.attacks_of(side)]
    attacks, by_value = list(fixed), set(bout.by_value)
    for side in sides:
        for attack, leaders in _best(side, bout, battle):
            attacks.append(attack)
            by_value |= leaders
    bout = replace(bout, attacks=tuple(attacks), by_value=frozenset(by_value))
    for side in sides:
        bout = with_bound(bout, side, battle)
    return bout


def without_bound(bout: Bout, side: Side, battle: Battle) -> Bout:
    """A bout before the other side has said whom it attacks: a side's M-KILLED vehicles cannot attack yet."""
    stuck = list_bound(battle)
    free = (replace(attack, by=tuple(key for key in attack.by if key not in stuck)) for attack in bout.attacks_of(side))
    return replace(bout, attacks=(*(attack for attack in free if attack.by), *bout.attacks_of(side.other)))


def with_bound(bout: Bout, side: Side, battle: Battle) -> Bout:
    """A bout with those M-KILLED vehicles of a side fighting back that are attacked and do not attack yet."""
    stuck = list_bound(battle)
    if not stuck:
        return bout
    attacking = {key for attack in bout.attacks_of(side) for key in attack.by}
    for key in bout.of_side(side):
        if key in stuck and key not in attacking:
            bout = _fight_back(key, bout, escorts_of(bout, battle))
    return bout


class _Worth:
    """What an attack is likely to cost the enemy, in CCV, and the leaders that do better with their own."""

    def __init__(self, attack: Attack, bout: Bout, battle: Battle) -> None:
        self.attack, self.by_value = attack, frozenset[Key]()
        self.expected = _expect(attack, bout, battle)
        lenders = {unit.key for unit in battle.of(attack.by) if unit.can_lend}
        if lenders - bout.by_value:
            firm = _expect(attack, replace(bout, by_value=bout.by_value | lenders), battle)
            if firm > self.expected:
                self.expected, self.by_value = firm, frozenset(lenders)


def _best(side: Side, bout: Bout, battle: Battle) -> list[tuple[Attack, frozenset[Key]]]:
    """The best attacks of a side, each with the leaders that use their own CCV in it."""
    escorts, stuck = escorts_of(bout, battle), list_bound(battle)
    attackers = tuple(key for key in bout.of_side(side) if key not in stuck)
    targets = [key for key in bout.of_side(side.other) if key not in escorts]
    if not attackers:
        return []
    if len(targets) == 1:  # all attack it
        attack = Attack(attackers, (targets[0],))
        lends = any(unit.can_lend for unit in battle.of(attackers))
        return [(attack, _Worth(attack, bout, battle).by_value if lends else frozenset())]
    cached: dict[tuple[tuple[Key, ...], Key], _Worth] = {}

    def worth(by: tuple[Key, ...], target: Key) -> _Worth:
        if (by, target) not in cached:
            cached[by, target] = _Worth(Attack(by, (target,)), bout, battle)
        return cached[by, target]

    division = (
        _try_all(attackers, targets, worth)
        if len(attackers) <= _FEW and len(targets) <= _FEW
        else _add_one_by_one(attackers, targets, worth)
    )
    candidates = [worth(group, target) for group, target in zip(division, targets, strict=True) if group]
    free = [target for group, target in zip(division, targets, strict=True) if not group]
    worths = (_widen(candidate, free, bout, battle) for candidate in candidates)
    return [(candidate.attack, candidate.by_value) for candidate in worths]


_FEW = 5  # up to this many units against this many, all divisions are tried
Division = tuple[tuple[Key, ...], ...]


def _try_all(
    attackers: tuple[Key, ...], targets: Sequence[Key], worth: Callable[[tuple[Key, ...], Key], _Worth]
) -> Division:
    """Those who attack each target, by the best of all divisions into attacks on one target each."""
    groups = [tuple(key for n, key in enumerate(attackers) if chosen >> n & 1) for chosen in range(1 << len(attackers))]
    # From the last target to the first: the best division of the remaining units among the targets from here on.
    best: list[tuple[float, Division]] = [(0, ())] * len(groups)
    for place in range(len(targets) - 1, 0, -1):
        values = [worth(group, targets[place]).expected if group else 0 for group in groups]
        best = [_choose(remaining, groups, values, best) for remaining in range(len(groups))]
    values = [worth(group, targets[0]).expected if group else 0 for group in groups]
    return _choose(len(groups) - 1, groups, values, best)[1]


def _choose(
    remaining: int,
    groups: Sequence[tuple[Key, ...]],
    values: Sequence[float],
    following: Sequence[tuple[float, Division]],
) -> tuple[float, Division]:
    """Which part of the remaining units had best attack a target; the rest go on to the targets that follow."""
    best, by, chosen = -1.0, remaining, remaining
    while True:  # every part of those that remain, the largest first
        value = following[remaining & ~chosen][0] + values[chosen]
        if value > best + 1e-9:
            best, by = value, chosen
        if not chosen:
            return best, (groups[by], *following[remaining & ~by][1])
        chosen = chosen - 1 & remaining


def _add_one_by_one(
    attackers: tuple[Key, ...], targets: Sequence[Key], worth: Callable[[tuple[Key, ...], Key], _Worth]
) -> Division:
    """Those who attack each target: each unit in turn goes where it adds most."""
    division: list[tuple[Key, ...]] = [()] * len(targets)
    for key in attackers:
        gains = []
        for place, target in enumerate(targets):
            before = worth(division[place], target).expected if division[place] else 0
            gains.append((worth((*division[place], key), target).expected - before, -place))
        place = -max(gains)[1]
        division[place] = (*division[place], key)
    return tuple(division)


def _widen(worth: _Worth, free: list[Key], bout: Bout, battle: Battle) -> _Worth:
    """An attack that is sure to win takes in all the others that it can (19.3.7)."""
    for target in tuple(free):
        wider = Attack(worth.attack.by, (*worth.attack.on, target))
        if _find_step(line_up(wider, bout, battle), bout, battle) > HIGHEST:
            worth = _Worth(wider, bout, battle)
            free.remove(target)
    return worth


def _fight_back(key: Key, bout: Bout, escorted: Container[Key]) -> Bout:
    """An M-KILLED vehicle joins an attack on units that attack it, or attacks one itself (20.6.4 step 3).

    A leader who defends with other infantry is not a target (19.3.6); if nobody else attacks it, it attacks nobody.
    """
    attacks, side = bout.attacks or (), key[0]
    enemies = [attacker for attack in attacks if attack.side is not side and key in attack.on for attacker in attack.by]
    side_attacks = [attack for attack in attacks if attack.side is side]
    for attack in side_attacks:
        if set(attack.on) <= set(enemies):
            joined = replace(attack, by=(*attack.by, key))
            return replace(bout, attacks=tuple(joined if other is attack else other for other in attacks))
    targets_taken = {target for attack in side_attacks for target in attack.on}
    free = [enemy for enemy in enemies if enemy not in targets_taken and enemy not in escorted]
    return replace(bout, attacks=(*attacks, Attack((key,), (free[0],)))) if free else bout


def can_hurt(attack: Attack, bout: Bout, battle: Battle) -> bool:
    """Whether the odds of an attack are on the table, or beyond it for certain: 1-4 or worse does nothing (R-61)."""
    return _find_step(line_up(attack, bout, battle), bout, battle) >= LOWEST


def _find_step(lineup: Lineup, bout: Bout, battle: Battle) -> int:
    """The column of an attack as steps from 1-1, with those beyond the table for what needs no roll."""
    strength, resistance = lineup.values(battle)
    if not (strength and resistance):
        return HIGHEST + 1 if strength else LOWEST - 1
    return odds_step(strength, resistance) + bout.hand_to_hand


# About what share of a defense each column from 1-3 to 3-1 costs, a C for half of it. It orders proposals and no
# more: what an owner's table says is not looked at, so that a blank cell stops no proposal.
_SHARES = (0.1, 0.19, 0.33, 0.53, 0.7)
_BETTER_BY = {
    "leader": 0.05,
    "demo_charge": 0.1,
    "flamethrower": 0.1,
    "m_killed": 0.1,
    "from_cover": 0.1,
    "afv_in_open": -0.1,
}


def _expect(attack: Attack, bout: Bout, battle: Battle) -> float:
    """About how much CCV an attack costs the enemy; a roll hits one of those attacked, a sure win all."""
    lineup = line_up(attack, bout, battle)
    step = _find_step(lineup, bout, battle)
    if step < LOWEST:
        return 0.0
    stakes = [max(unit.ccv, 1) for unit in lineup.struck]
    if step > HIGHEST:
        return float(sum(stakes))
    advantages = find_advantages(lineup, bout)
    share = _SHARES[step - LOWEST] + sum(better for name, better in _BETTER_BY.items() if advantages[name])
    return min(share, 1.0) * sum(stakes) / len(stakes)
