"""A bout that one side declares and the other answers: each side divides its own attacks (19.2.1, A-44)."""

from collections.abc import Collection
from dataclasses import replace

from campaign.rules.phase import Gathered
from firefight.games.combat_stalingrad.rules.melee.attacks import Bout, Key
from firefight.games.combat_stalingrad.rules.melee.dividing import divide_attacks, with_bound, without_bound
from firefight.games.combat_stalingrad.rules.melee.fighters import Battle
from firefight.games.combat_stalingrad.rules.sides import Side

from .battle import object_to_bout


def complete_bout(bout: Bout, gathered: Gathered | None, battle: Battle, side: Side, plays_all: bool) -> Bout:
    """A bout of ``side`` with attacks of both sides, after what the other has declared, if it has.

    ``plays_all``: the bout holds both sides' attacks already.
    """
    if gathered:
        return _answer(gathered.bout, bout, side, battle)
    return bout if plays_all else _declare(bout, side, battle)


def complete_undivided(bout: Bout, gathered: Gathered | None, battle: Battle, side: Side, plays_all: bool) -> Bout:
    """The same for a bout that may leave open who attacks whom: the app then divides the attacks."""
    if bout.attacks is None:
        bout = divide_attacks(gathered.bout if gathered else bout, battle, (side,) if gathered else tuple(Side))
    return complete_bout(bout, gathered, battle, side, plays_all)


def propose_answer(gathered: Gathered, battle: Battle) -> Bout:
    """What was gathered, with the best division of the attacks of the side that answers."""
    return with_bound(divide_attacks(gathered.bout, battle, (gathered.side.other,)), gathered.side, battle)


def can_be_answered(gathered: Gathered, battle: Battle) -> bool:
    """Whether what was gathered is legal with the best answer to it."""
    bout = gathered.bout
    attacks = bout.attacks or ()
    if not all(attack.by and attack.on and attack.side is gathered.side for attack in attacks):
        return False
    named_keys = {*bout.keys, *(key for attack in attacks for key in (*attack.by, *attack.on))}
    if named_keys - {unit.key for unit in battle.fighters} or not (bout.attackers and bout.defenders):
        return False
    return not object_to_bout(propose_answer(gathered, battle), battle)


def _declare(bout: Bout, side: Side, battle: Battle) -> Bout:
    """A bout with the attacks of the side that declares first, and the best answer that the other could give."""
    if not bout.attackers or not bout.defenders or set(bout.keys) - {unit.key for unit in battle.fighters}:
        return bout  # whatever is wrong with it, the rules will say
    own_bout = without_bound(bout, side, battle)
    if any(not attack.on or set((*attack.by, *attack.on)) - set(bout.keys) for attack in own_bout.attacks_of(side)):
        return bout
    return with_bound(divide_attacks(own_bout, battle, (side.other,)), side, battle)


def _answer(waiting: Bout, bout: Bout, side: Side, battle: Battle) -> Bout:
    """What was gathered, with the attacks and leaders of the side that answers, which also settles what is open."""
    own_attacks = (replace(waiting, attacks=None) if bout.attacks is None else bout).attacks_of(side)
    together = replace(
        waiting,
        attacks=(*waiting.attacks_of(side.other), *own_attacks),
        by_value=_of_side(side, bout.by_value) | _of_side(side.other, waiting.by_value),
        escorts=(*(p for p in bout.escorts if p[0][0] is side), *(p for p in waiting.escorts if p[0][0] is not side)),
        hand_to_hand=bout.hand_to_hand,
        from_cover=bout.from_cover,
        in_open=bout.in_open,
        riders=bout.riders,
    )
    if any(key not in together.keys for attack in own_attacks for key in (*attack.by, *attack.on)):
        return together
    return with_bound(together, side.other, battle)


def _of_side(side: Side, keys: Collection[Key]) -> frozenset[Key]:
    return frozenset(key for key in keys if key[0] is side)
