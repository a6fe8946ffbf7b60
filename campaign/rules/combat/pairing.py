"""A round of sector combat that can be fought as it stands, as both sides would like it (20.6.4 steps 1 and 3).

The side that picks the pairings gathers (A-45); inside a bout each side divides its own attacks (A-44).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from firefight.games.combat_stalingrad.rules.close_combat import HIGHEST, odds_step
from firefight.games.combat_stalingrad.rules.melee.attacks import Attack, Bout, Key
from firefight.games.combat_stalingrad.rules.melee.bouts import line_up
from firefight.games.combat_stalingrad.rules.melee.dividing import divide_attacks, find_riders
from firefight.games.combat_stalingrad.rules.melee.fighters import Battle, Fighter, asked_once
from firefight.games.combat_stalingrad.rules.melee.taking_part import list_present, place_of
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.games.combat_stalingrad.rules.units import Kind

from .battle import RestOfRound

# At this many times the defense, the attack wins without a roll (19.3.7).
_SURE = HIGHEST + 2


def propose_bouts(battle: Battle) -> tuple[Bout, ...]:
    """The rest of the round as both sides would like it, to be fought in this order.

    The same battle gives the same bouts. Each is legal once those before it are fought, and after the last the
    round is over; there is at least one while anybody can still fight. In step 1 a bout is a location with all of
    its units. In step 3 the picker's units gather, strongest first, against one enemy at a time, until the odds are
    4-1 or no more may. Leaders go with infantry near them.
    """
    if battle.existing:
        return tuple(divide_attacks(bout, battle) for bout in _locations(battle))
    bouts = []
    while bout := _proposal(RestOfRound.of(battle)):
        bouts.append(divide_attacks(bout, battle))
        battle = battle.with_fought(bout.keys)
    return tuple(bouts)


# Who meets whom


def _locations(battle: Battle) -> Iterable[Bout]:
    rest = RestOfRound.of(battle)
    places: dict[object, dict[Side, list[Key]]] = {}
    for unit in list_present(battle):
        if unit.key not in battle.fought:
            places.setdefault(unit.location, {side: [] for side in Side})[unit.side].append(unit.key)
    for by_side in places.values():
        if all(by_side.values()):
            bout = Bout(tuple(by_side[rest.picker]), tuple(by_side[rest.picker.other]))
            yield replace(bout, riders=find_riders(bout, battle))


_LOOKS = 4  # enemies looked at for each bout: a large sector has too many for all of them


def _proposal(rest: RestOfRound) -> Bout | None:
    """The next bout: where the odds are best, of those against the weakest enemies. None when the round is over."""
    if not any(rest.openings.values()):
        return None
    side, due = rest.picker, rest.due()
    leaders = _leaders_with(rest)
    enemies = (enemy for enemy in _weakest_first(rest.battle, side.other) if enemy.key in rest.openings)
    bouts = (_gathered(enemy, mates, leaders, rest) for enemy in enemies if (mates := _against(enemy, due, rest)))
    return max(islice(bouts, _LOOKS), key=lambda bout: _rank(bout, rest.battle))


@asked_once
def _weakest_first(battle: Battle, side: Side) -> list[Fighter]:
    return sorted(battle.of_side(side), key=lambda unit: (battle.value((unit,)), unit.key))


@asked_once
def _strongest_first(battle: Battle, side: Side, against_afv: bool) -> list[Fighter]:
    return sorted(battle.of_side(side), key=lambda unit: (-battle.value((unit,), against_afv), unit.key))


def _against(enemy: Fighter, due: Collection[Key], rest: RestOfRound) -> list[Fighter]:
    """The units that may meet an enemy: an opener that it may fight first, then the strongest; none if nobody may.

    While units that waited through the last round are due, the enemy or the opener must be one of them.
    """
    own_units = _strongest_first(rest.battle, enemy.side.other, enemy.is_vehicle)
    mates = [unit for unit in own_units if unit.key in rest.openings and rest.may_oppose(unit.key, enemy.key)]
    openers = (unit for unit in mates if rest.is_served(enemy.key, (unit.key,)))
    opener = next((unit for unit in openers if not due or enemy.key in due or unit.key in due), None)
    return [opener, *(unit for unit in mates if unit is not opener)] if opener else []


def _gathered(
    enemy: Fighter, mates: Sequence[Fighter], leaders: Mapping[Key, Sequence[Key]], rest: RestOfRound
) -> Bout:
    """A bout against one enemy, of as many as are needed and may gather."""
    defenders = [enemy.key, *leaders.get(enemy.key, ())]
    enough = _SURE * sum(rest.value(rest.battle.known[key]) for key in defenders)
    gathered, strength = [mates[0]], rest.value(mates[0], enemy)
    too_many: set[Kind] = set()
    for unit in mates[1:]:
        if strength >= enough:
            break
        if unit.kind in too_many:
            continue
        if rest.battle.stacking.excess(mate.kind for mate in (*gathered, unit)):
            too_many.add(unit.kind)
        else:
            gathered.append(unit)
            strength += rest.value(unit, enemy)
    keys = [unit.key for unit in gathered]
    return Bout((*keys, *(leader for key in keys for leader in leaders.get(key, ()))), tuple(defenders))


def _rank(bout: Bout, battle: Battle) -> tuple[int, int, Key]:
    """How good a bout is for the side that picks: the odds, with all sure wins alike, then how few units it takes."""
    strength, resistance = line_up(Attack(bout.attackers, bout.defenders[:1]), bout, battle).values(battle)
    odds = min(odds_step(strength, resistance), HIGHEST + 1) if strength and resistance else HIGHEST + 1
    return odds if strength else -resistance - 1, -len(bout.attackers), bout.defenders[0]


def _leaders_with(rest: RestOfRound) -> dict[Key, list[Key]]:
    """The leaders that go with each unit: with the nearest infantry of their side; ties share them out."""
    leaders_by_unit: dict[Key, list[Key]] = {}
    waiting = [rest.battle.known[key] for key in rest.openings]
    for leader in (rest.battle.known[key] for key in sorted(rest.leaders)):
        place = place_of(leader, rest.battle)
        mates = [unit for unit in waiting if unit.is_rank_and_file and place_of(unit, rest.battle) == place]
        if mates:
            near = min(
                mates, key=lambda u: (_hexes(leader, u, rest.battle), len(leaders_by_unit.get(u.key, ())), u.key)
            )
            leaders_by_unit.setdefault(near.key, []).append(leader.key)
    return leaders_by_unit


def _hexes(unit: Fighter, other: Fighter, battle: Battle) -> int:
    return battle.hex_map.distance(unit.hex, other.hex) if unit.hex and other.hex else 0
