"""A round of sector combat that can be fought as it stands, as the side that picks would like it (20.6.4 step 3)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from firefight.games.combat_stalingrad.close_combat import HIGHEST, combat_value, odds_step

from .battle import Rest, place_of
from .bouts import attack_inputs
from .fighters import Battle, Bout, Fighter, Key
from .leaders import Side

# So many times the defense wins without a roll (19.3.7).
_SURE = HIGHEST + 2


def proposals(battle: Battle) -> tuple[Bout, ...]:
    """The rest of the round as the side that picks would like it, to be fought in this order.

    The same battle gives the same bouts. Each is legal once those before it are fought, and after the last the
    round is over; there is at least one while anybody can still fight. The picker's units gather, strongest first,
    against one enemy at a time, until the odds are 4-1 or no more may. Leaders go with infantry near them.
    """
    found = []
    rest = Rest.of(battle)
    while bout := _proposal(rest):
        found.append(bout)
        battle = replace(battle, fought=battle.fought | set(bout.keys))
        rest = replace(Rest.of(battle), values=rest.values)
    return tuple(found)


_LOOKS = 4  # a large sector has too many enemies to look at all of them for each bout


def _proposal(rest: Rest) -> Bout | None:
    """The next bout: where the odds are best, of those against the weakest enemies. None when the round is over."""
    if not any(rest.first.values()):
        return None
    side = rest.picker
    own, leaders = rest.waiting[side], _leaders_with(rest)
    enemies = sorted(rest.waiting[side.other], key=lambda unit: (rest.value(unit), unit.key))
    bouts = (_gathered(enemy, mates, leaders, rest) for enemy in enemies if (mates := _against(enemy, own, rest)))
    return max(islice(bouts, _LOOKS), key=lambda bout: _rank(bout, rest.battle))


def _against(enemy: Fighter, own: Iterable[Fighter], rest: Rest) -> list[Fighter]:
    """One's own units that may meet an enemy, strongest first behind one that he fights first; none if nobody may."""
    mates = [unit for unit in own if rest.meets(unit.key, enemy.key) and rest.is_served(unit.key, {enemy.key})]
    mates.sort(key=lambda unit: (-rest.value(unit, enemy), unit.key))
    opener = next((unit for unit in mates if rest.is_served(enemy.key, {unit.key})), None)
    return [opener, *(unit for unit in mates if unit is not opener)] if opener else []


def _gathered(enemy: Fighter, mates: Sequence[Fighter], leaders: Mapping[Key, Sequence[Key]], rest: Rest) -> Bout:
    """A bout against one enemy, of as many as are needed and may gather, and all who must not be left out."""
    bout = Bout((mates[0].key,), (enemy.key,))
    with_him = [enemy, *(rest.known[key] for key in leaders.get(enemy.key, ()))]
    strength = rest.value(mates[0], enemy)
    resistance = sum(rest.value(unit) for unit in with_him)
    for unit in mates[1:]:
        if strength >= _SURE * resistance:
            break
        larger = _with(bout, unit.key)
        if rest.can_join(unit, bout) and not rest.idle(larger, enemy.side):
            bout, strength = larger, strength + rest.value(unit, enemy)
    for side in Side:
        while joiner := _joiner(bout, side, side is not enemy.side, rest):
            bout = _with(bout, joiner.key)
    escorts = [leader for key in bout.keys for leader in leaders.get(key, ()) if leader not in bout.keys]
    return _with(bout, *escorts)


def _joiner(bout: Bout, side: Side, strongest: bool, rest: Rest) -> Fighter | None:
    """The strongest or the weakest of those who must not be left out, if anybody of them may join."""
    idle = sorted(rest.idle(bout, side), key=lambda unit: (unit.ccv, unit.key), reverse=strongest)
    return next((unit for unit in idle if rest.can_join(unit, bout)), None)


def _with(bout: Bout, *keys: Key) -> Bout:
    side = bout.attackers[0][0]
    own, enemies = (tuple(key for key in keys if (key[0] is side) is mine) for mine in (True, False))
    return replace(bout, attackers=bout.attackers + own, defenders=bout.defenders + enemies)


def _rank(bout: Bout, battle: Battle) -> tuple[int, int, Key]:
    """How good a bout is for the side that picks: the odds, all sure wins alike, then how few units it takes."""
    inputs = attack_inputs(bout, battle, bout.attackers[0][0])
    strength, resistance = (combat_value(inputs[name], inputs["in_sector"]) for name in ("attack", "defense"))
    odds = min(odds_step(strength, resistance), HIGHEST + 1) if strength and resistance else HIGHEST + 1
    return odds if strength else -resistance - 1, -len(bout.attackers), bout.defenders[0]


def _leaders_with(rest: Rest) -> dict[Key, list[Key]]:
    """The leaders that go with each unit: with infantry of their side as near as can be, one each where it ties."""
    found: dict[Key, list[Key]] = {}
    waiting = [rest.known[key] for key in rest.first]
    for leader in (rest.known[key] for key in sorted(rest.leaders)):
        place = place_of(leader, rest.battle)
        mates = [unit for unit in waiting if unit.is_rank_and_file and place_of(unit, rest.battle) == place]
        if mates:
            near = min(mates, key=lambda u: (_hexes(leader, u, rest.battle), len(found.get(u.key, ())), u.key))
            found.setdefault(near.key, []).append(leader.key)
    return found


def _hexes(one: Fighter, two: Fighter, battle: Battle) -> int:
    return battle.hex_map.distance(one.hex, two.hex) if one.hex and two.hex else 0
