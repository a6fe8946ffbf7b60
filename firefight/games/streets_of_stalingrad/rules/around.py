"""What the map around a fire adds, as far as counters and record tell: mines, leaders, the Volga, supply.

Counters count where they are in play and known to whoever asks. Nothing is concluded from a counter that is not there:
a tick that nobody has set is left to the players.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from firefight.engine.board.counters import Piece
from firefight.engine.course.keeping import TableState
from firefight.engine.errors import BadInput
from firefight.engine.values import Json, Values

from .answering import Ground, look_around_target
from .battle import RECOUNTED, Battle, read_battle
from .becoming import arm_of
from .filling import explain_tapped, find_common_place
from .hexes import list_around
from .integrity import list_lacking
from .terms import Side, Terrain
from .units import Arm

FIRES = frozenset({"attack", "battle", "defensive-fire", "bombardment"})
ATTACKS = frozenset({"attack", "battle"})
SLOWED = (Arm.ENGINEER,)  # besides infantry and armour (17.23)


def fill_around(slug: str, about: Values, situation: TableState) -> Values:
    """What counters nearby and the record fill in on a fire; ``about``: its form, with its counters by role."""
    ground = Ground(situation)
    firing, targets = ground.pick_roles(about)
    if slug not in FIRES or not (firing or targets):
        return {}
    passed = str(about.get("hex") or "") if slug == "defensive-fire" else ""  # where those are who move (11.3)
    place = passed or find_common_place(targets)
    side = firing[0].counter.side if firing else ""
    return {
        name: value
        for name, value in (
            *_see_mines(slug, side, place, firing, ground),
            *_see_leader(slug, side, place, ground),
            *_see_volga(slug, side, place, firing, ground),
            *_see_advantage(slug, place, firing, situation),
            *_see_militia(slug, targets, situation),
            ("out_of_supply", find_marker(firing, situation.record["isolated"])),
        )
        if value
    }


def fill_recounted(slug: str, about: Values, situation: TableState) -> Values:
    """What an attack is asked with once some of those who attack are gone, from the counters that are left (9.66); and
    an advantage by hidden counters, of which nobody was to read as the attack was declared (ruling R-143)."""
    battle = read_battle(about) if slug == "attack" else None
    if battle is None or not battle.is_direct:
        return {}
    ground = Ground(situation)
    firing, struck = (ground.pick([row["id"] for row in about.get(name) or ()]) for name in ("by", "at"))
    place = struck[0].counter.place if struck else ""
    unseen = _see_unseen_advantage(place, firing, situation)
    if not (firing and battle.gone_ids):
        return unseen
    form = {"terrain": about.get("terrain")}
    try:
        filled, _ = explain_tapped(situation.book, slug, firing, struck, form)
    except BadInput:
        return {}
    filled |= dict(_see_advantage(slug, place, firing, situation))
    # What was not true as the attack was declared, or was taken out by hand, is not true now.
    recounted = {name: filled[name] for name in RECOUNTED if filled.get(name) and _held_before(name, battle)}
    return {**recounted, **unseen}


def _held_before(name: str, battle: Battle) -> bool:
    return name == "points" or bool(battle.attack.get(name))


def _see_mines(slug: str, side: str, place: str, firing: Sequence[Piece], ground: Ground) -> Iterator[tuple[str, bool]]:
    """Enemy mines under the attackers, or under the target of other fire (17.23)."""
    if not side:
        return
    mines = {(piece.counter.side, piece.counter.place) for piece in ground.in_play if piece.kind.arm is Arm.MINEFIELD}
    if slug in ATTACKS:
        enemy = Side(side).other.value
        yield "on_enemy_minefield", any((enemy, piece.counter.place) in mines for piece in firing if _is_slowed(piece))
    else:
        name = "target_on_minefield" if slug == "defensive-fire" else "target_on_enemy_minefield"
        yield name, (side, place) in mines


def _see_militia(slug: str, targets: Sequence[Piece], situation: TableState) -> Iterator[tuple[str, object]]:
    """The units in the target of the first NKVD regiment there that nobody has tested (16.83)."""
    tested = {"", *situation.record["nkvd_tested"]}
    militia = [piece for piece in targets if piece.kind.arm is Arm.NKVD and piece.kind.regiment not in tested]
    if slug == "battle" and militia:
        regiment = militia[0].kind.regiment
        yield "regiment", regiment
        yield "nkvd_units", sum(piece.kind.regiment == regiment for piece in militia)


def _is_slowed(piece: Piece) -> bool:
    arm = arm_of(piece.counter, piece.kind)
    return bool(piece.counter.place) and (arm.is_infantry or arm in SLOWED or arm.is_armored)


def _see_leader(slug: str, side: str, place: str, ground: Ground) -> Iterator[tuple[str, bool]]:
    """A Soviet leader next to a hex that Germans fire at; commissars, Pavlov and Herman help their own hex alone
    (18.21). A leader whose hex was attacked in this phase helps nobody."""
    if slug == "defensive-fire" or side != Side.GERMAN.value or not place:
        return
    record = ground.situation.record
    around = {*list_around(place)} - {*record["attacked"], *record["breakthroughs"]}
    leaders = (piece for piece in ground.of_side(Side.SOVIET) if piece.kind.arm is Arm.LEADER)
    yield "adjacent_leader", any(leader.counter.place in around for leader in leaders)


def _see_volga(slug: str, side: str, place: str, firing: Sequence[Piece], ground: Ground) -> Iterator[tuple[str, bool]]:
    """From a Volga hex, or at Soviets on one, where somebody has said that it is one (7.1)."""
    if slug in ATTACKS:
        yield "from_volga", any(ground.find_terrain(piece.counter.place) is Terrain.VOLGA for piece in firing)
    elif slug == "defensive-fire" and side == Side.GERMAN.value:
        yield "soviet_target_on_volga", ground.find_terrain(place) is Terrain.VOLGA


def _see_advantage(slug: str, place: str, firing: Sequence[Piece], situation: TableState) -> Iterator[tuple[str, bool]]:
    """An attack from three sides at units that have no way out (9.71; ruling A35). All read what is declared, so that
    the hidden ones of who declares do not count there (ruling R-143)."""
    if slug in ATTACKS and place and firing:
        ground = Ground(_leave_hidden_out(situation, firing) if slug == "battle" else situation)
        yield "assault_advantage", not list_lacking(*look_around_target(ground, firing, place))


def _leave_hidden_out(situation: TableState, firing: Sequence[Piece]) -> TableState:
    in_sight = (piece for piece in situation.pieces if not piece.counter.hidden or piece in firing)
    return replace(situation, pieces=tuple(in_sight))


def _see_unseen_advantage(place: str, firing: Sequence[Piece], situation: TableState) -> Values:
    """The same where only hidden counters bar the way out."""
    openly, known = (dict(_see_advantage(slug, place, firing, situation)) for slug in ("battle", "attack"))
    return known if any(known.values()) and not any(openly.values()) else {}


def find_marker(firing: Sequence[Piece], isolated: Iterable[Mapping[str, object]]) -> int:
    """The highest out of supply marker of those who fire, by the names in the record (19.5; ruling A10)."""
    unit_names = {(piece.counter.side, piece.counter.name.casefold()) for piece in firing}
    rows: list[Json] = [dict(row) for row in isolated]
    return max((row["marker"] for row in rows if (row["side"], row["name"].casefold()) in unit_names), default=0)
