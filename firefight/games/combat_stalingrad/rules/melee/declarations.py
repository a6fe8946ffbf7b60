"""The objections to how sides divide their attacks (19.2.1 step 1, 19.3.6, 20.6.4 step 3)."""

from collections.abc import Container, Iterable

from ..objections import Objection
from ..sides import Side
from .attacks import Attack, Bout, Key
from .bouts import escorts_of
from .fighters import Battle
from .taking_part import list_bound, on_their_own

_BOUND = "20.6.4 step 3"


def object_to_division(bout: Bout, battle: Battle) -> Iterable[Objection]:
    """19.2.1 step 1: any division, as long as nobody attacks or is attacked twice; 19.3.6 and 20.6.4 step 3."""
    if bout.attacks is None:
        yield from _against_bound_ones(bout, battle)
        return
    units = {unit.key: unit for unit in battle.of(bout.keys)}
    if any(not _is_well_formed(attack, bout) for attack in bout.attacks):
        yield Objection("Each attack is by units of one side here, on enemies here.", "19.2.1")
        return
    for action, keys in (
        ("attacks", [key for attack in bout.attacks for key in attack.by]),
        ("is attacked", [key for attack in bout.attacks for key in attack.on]),
    ):
        for key in sorted({key for key in keys if keys.count(key) > 1}):
            yield Objection(f"{units[key].name} {action} more than once.", "19.2.1")
    if not bout.attacks:
        yield Objection("Choose at least one attacker.", "19.2.1")
    apart = {unit.key for unit in on_their_own(battle)}
    escorts = escorts_of(bout, battle)
    for attack in bout.attacks:
        for key in attack.on:
            if key not in apart and escorts.get(key) not in attack.on:
                yield Objection(f"{units[key].name} defends with other infantry: attack that unit.", "19.3.6")
    for side in Side:
        yield from _against_sparing(side, bout, battle, apart)
    yield from _against_bound_ones(bout, battle)


def _is_well_formed(attack: Attack, bout: Bout) -> bool:
    if not (attack.by and attack.on and {*attack.by, *attack.on} <= set(bout.keys)):
        return False
    return {key[0] for key in attack.by} == {attack.side} and {key[0] for key in attack.on} == {attack.side.other}


def _against_sparing(side: Side, bout: Bout, battle: Battle, apart: Container[Key]) -> Iterable[Objection]:
    """With only one enemy there, all attack it as one (19.2.1 step 1)."""
    targets_here = [key for key in bout.of_side(side.other) if key in apart]
    free_units = set(bout.of_side(side)) - list_bound(battle)
    if (
        len(targets_here) == 1
        and not any(free_units <= set(attack.by) for attack in bout.attacks_of(side))
        and free_units
    ):
        yield Objection(f"{side.word}: there is only one enemy unit, so all attack it together.", "19.2.1")


def _against_bound_ones(bout: Bout, battle: Battle) -> Iterable[Objection]:
    """M-KILLED vehicles only attack units that attack them (20.6.4 step 3)."""
    stuck = list_bound(battle)
    for attack in (attack for side in Side for attack in bout.attacks_of(side)):
        for key in (key for key in attack.by if key in stuck):
            if not set(attack.on) <= _attackers_of(key, bout):
                (unit,) = battle.of([key])
                yield Objection(f"{unit.name} is M-KILLED and only attacks units that attack it.", _BOUND)


def _attackers_of(key: Key, bout: Bout) -> set[Key]:
    return {attacker for attack in bout.attacks_of(key[0].other) if key in attack.on for attacker in attack.by}
