"""What the map around a fire says of it, as far as counters and record tell: mines, leaders, the Volga, supply.

Counters say it where they are in play and known to whoever asks. Nothing is concluded from a counter that is not there:
a tick that nobody has set is left to the players.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from firefight.engine.board.counters import Piece
from firefight.engine.board.hexes import BadHex
from firefight.engine.course.keeping import TableState
from firefight.engine.errors import BadInput
from firefight.engine.values import Json, Values

from .answering import Ground, look_around_target
from .battle import RECOUNTED, Battle, read_battle
from .becoming import arm_of
from .filling import explain_tapped
from .hexes import HEXES
from .integrity import list_lacking
from .record import TERRAIN_TOLD
from .terms import Side, Terrain
from .units import Arm

FIRES = frozenset({"attack", "battle", "defensive-fire", "bombardment"})
ATTACKS = frozenset({"attack", "battle"})
SLOWED = (Arm.ENGINEER,)  # besides infantry and armour (17.23)


def fill_around(slug: str, about: Values, situation: TableState) -> Values:
    """What counters nearby and the record fill of a fire; ``about``: its form, with its counters by role."""
    firers, targets = (set(_list_ids(about.get(role))) for role in ("firers", "targets"))
    if slug not in FIRES or not (firers or targets):
        return {}
    there = [piece for piece in situation.pieces if piece.counter.in_play]
    firing = [piece for piece in there if piece.counter.id in firers]
    place = _find_place(targets, there)
    side = firing[0].counter.side if firing else ""
    return {
        name: value
        for name, value in (
            *_see_mines(slug, side, place, firing, there),
            *_see_leader(slug, side, place, situation, there),
            *_see_volga(slug, side, place, firing, situation),
            *_see_advantage(slug, place, firing, situation),
            ("out_of_supply", find_marker(firing, situation.record["isolated"])),
        )
        if value
    }


def fill_left(slug: str, about: Values, situation: TableState) -> Values:
    """What an attack is asked with once some of those who attack are gone, from the counters that are left (9.66)."""
    battle = read_battle(about) if slug == "attack" else None
    if battle is None or not (battle.gone and battle.is_direct):
        return {}
    ground = Ground(situation)
    firing, struck = (ground.pick([row["id"] for row in about.get(name) or ()]) for name in ("by", "at"))
    if not firing:
        return {}
    known = {"terrain": about.get("terrain")}
    try:
        filled, _ = explain_tapped(situation.book, slug, firing, struck, known)
    except BadInput:
        return {}
    place = struck[0].counter.place if struck else ""
    filled |= dict(_see_advantage(slug, place, firing, situation))
    # What was not so as the attack was declared, or was taken out by hand, is not so now.
    return {name: filled[name] for name in RECOUNTED if filled.get(name) and _was_so(name, battle)}


def _was_so(name: str, battle: Battle) -> bool:
    return name == "points" or bool(battle.attack.get(name))


def _list_ids(given: object) -> Iterator[str]:
    yield from given if isinstance(given, list | tuple) else ()


def _find_place(targets: Collection[str], there: Iterable[Piece]) -> str:
    """The hex in which all stand at whom a fire is aimed; "" where they stand in several or nowhere."""
    places = {piece.counter.place for piece in there if piece.counter.id in targets}
    return places.pop() if len(places) == 1 else ""


def _see_mines(
    slug: str, side: str, place: str, firing: Sequence[Piece], there: Sequence[Piece]
) -> Iterator[tuple[str, bool]]:
    """Enemy mines under who attacks, or under the target of other fire (17.23)."""
    if not side:
        return
    mines = {(each.counter.side, each.counter.place) for each in there if each.kind.arm is Arm.MINEFIELD}
    if slug in ATTACKS:
        enemy = Side(side).other.value
        yield "on_enemy_minefield", any((enemy, each.counter.place) in mines for each in firing if _is_slowed(each))
    else:
        name = "target_on_minefield" if slug == "defensive-fire" else "target_on_enemy_minefield"
        yield name, (side, place) in mines


def _is_slowed(each: Piece) -> bool:
    arm = arm_of(each.counter, each.kind)
    return bool(each.counter.place) and (arm.is_infantry or arm in SLOWED or arm.is_armored)


def _see_leader(
    slug: str, side: str, place: str, situation: TableState, there: Sequence[Piece]
) -> Iterator[tuple[str, bool]]:
    """A Soviet leader next to a hex that Germans fire at; commissars, Pavlov and Herman help their own hex alone
    (18.21). He is attacked himself where his hex was in this phase."""
    if slug == "defensive-fire" or side != Side.GERMAN.value or not place:
        return
    attacked = {*situation.record["attacked"], *situation.record["breakthroughs"]}
    around = {str(other) for other in HEXES.neighbours(HEXES.parse(place))} - attacked
    leads = (each for each in there if each.counter.side != side and each.kind.arm is Arm.LEADER)
    yield "adjacent_leader", any(each.counter.place in around for each in leads)


def _see_volga(
    slug: str, side: str, place: str, firing: Sequence[Piece], situation: TableState
) -> Iterator[tuple[str, bool]]:
    """From a Volga hex, or at Soviets on one, where somebody has told that it is one (7.1)."""
    if slug in ATTACKS:
        yield "from_volga", any(_is_volga(each.counter.place, situation) for each in firing)
    elif slug == "defensive-fire" and side == Side.GERMAN.value:
        yield "soviet_target_on_volga", _is_volga(place, situation)


def _see_advantage(slug: str, place: str, firing: Sequence[Piece], situation: TableState) -> Iterator[tuple[str, bool]]:
    """An attack from three sides at units that have no way out (9.71; ruling A35)."""
    if slug in ATTACKS and place and firing:
        yield "assault_advantage", not list_lacking(*look_around_target(Ground(situation), firing, place))


def _is_volga(place: str, situation: TableState) -> bool:
    try:
        told = TERRAIN_TOLD.fill({"hex": place}, situation.record, situation.book) if place else {}
    except BadHex:
        return False
    return told.get("terrain") == Terrain.VOLGA.value


def find_marker(firing: Sequence[Piece], isolated: Iterable[Mapping[str, object]]) -> int:
    """The highest out of supply marker of who fires, by the names in the record (19.5; ruling A10)."""
    named = {(each.counter.side, each.counter.name.casefold()) for each in firing}
    found: list[Json] = [dict(row) for row in isolated]
    return max((row["marker"] for row in found if (row["side"], row["name"].casefold()) in named), default=0)
