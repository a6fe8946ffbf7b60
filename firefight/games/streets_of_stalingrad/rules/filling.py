"""What the forms of rolls are filled with from the counters that players tapped, and how that comes about.

What only the map tells stays with the players: terrain, spotting, who sees whom. What nobody has said of a counter is
asked once (2.25).
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from firefight.engine.board.counters import (
    NO_ACCOUNT,
    Account,
    AskedValue,
    CounterInPlay,
    LackingValues,
    Piece,
    counter_sources,
)
from firefight.engine.board.hexes import BadHex
from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput
from firefight.engine.text import join_words
from firefight.engine.values import Json, Values

from .becoming import PINNED, SPENT, arm_of, mp_of
from .dismounting import Dismounting
from .hexes import HEXES
from .integrity import integrity
from .kinds import VEHICLE_MP
from .stacking import Stacked
from .terms import Side, Terrain
from .units import DISMOUNTED, MOST_POINTS, PRINTED, Arm

ATTC = AskedValue("attc", "AF of those with underlined AF, by the Anti-Tank Target Chart", 0, 400)
HINGES: Mapping[str, AskedValue | None] = {ATTC.field: ATTC}
FIRES = ("attack", "battle", "defensive-fire", "bombardment")
Pieces = Sequence[Piece]
PAVLOV, PAVLOVS_HOUSE = "pavlov", "0531"  # by his key; 18.18
COUNTED_OTHERWISE = "0218"  # 14.53
LONGEST_GUN = 24  # letters of its name


def arm(piece: Piece) -> Arm:
    """What a counter is by now."""
    return arm_of(piece.counter, piece.kind)


def is_under(piece: Piece, *markers: str) -> bool:
    """Whether a counter carries one of these markers."""
    return any(marker in piece.counter.state for marker in markers)


def explain_tapped(charts: Book, slug: str, firers: Pieces, targets: Pieces, known: Values) -> tuple[Json, Account]:
    """What counters fill of a form, in words, too. Raises BadInput with every reason why they cannot do that,
    LackingValues for what nobody has told of them."""
    filler = _FILLERS.get(slug)
    if filler is None or not (firers or targets):
        return {}, NO_ACCOUNT
    if slug in FIRES and not firers:
        is_one = len({each.counter.side for each in targets}) == 1
        return (_fill_target(targets) if is_one else {}), NO_ACCOUNT
    filled, words = filler(charts, firers, targets, known)
    return filled, Account(". ".join(words), counter_sources(each.kind.origin for each in (*firers, *targets)))


def list_struck(slug: str, targets: Pieces, everybody: Iterable[Piece]) -> Sequence[str]:
    """All units of a target's hex are one target (9.11, 9.14); but fire in defence is at those who attack, and
    opportunity fire at those who move, and at nobody else in their hex (9.11, 9.55)."""
    places = {(each.counter.side, each.counter.place) for each in targets if each.counter.place}
    if slug not in ("attack", "battle", "bombardment", "stacking"):
        return ()
    there = (each.counter for each in everybody if each.counter.in_play)
    return [each.id for each in there if (each.side, each.place) in places]


# Sums


def _add_up(pieces: Pieces, name: str) -> int:
    """The AF or DF of counters. Raises LackingValues for what nobody has told."""
    if lacking := [each for each in pieces if each.kind.find(name) is None]:
        raise LackingValues(AskedValue.of(each, name, PRINTED[name], 0, MOST_POINTS) for each in lacking)
    return sum(0 if arm(each) is Arm.IMMOBILIZED and name == "af" else each.kind.find(name) for each in pieces)


def _say_sum(pieces: Pieces, name: str, total: int) -> str:
    """The sum as it is told: "4 + 5 = 9 AF"."""
    parts = [str(each.kind.find(name)) for each in pieces]
    return f"{' + '.join(parts)} = {total} {PRINTED[name]}" if len(parts) > 1 else f"{total} {PRINTED[name]}"


def _add_fire(pieces: Pieces, names: Callable[[Piece], str], targets: Pieces, known: Values) -> tuple[int, str]:
    """All points that fire, and how they come about; underlined AF at armour is as its chart has it (9.94)."""
    by_chart = [each for each in pieces if each.kind.underlined] if any(arm(t).is_armored for t in targets) else []
    plain = [each for each in pieces if each not in by_chart]
    sums: list[str] = []
    total = 0
    for name in PRINTED:
        some = [each for each in plain if names(each) == name]
        if some:
            part = _add_up(some, name)
            total, sums = total + part, [*sums, _say_sum(some, name, part)]
    if by_chart:
        told = str(known.get(ATTC.field) or "").strip()
        if not told:
            raise LackingValues([ATTC])
        if not (told.isascii() and told.isdigit() and int(told) <= 400):
            raise BadInput({ATTC.field: "Give the AF as a whole number."})
        total, sums = total + int(told), [*sums, f"{told} AF by the Anti-Tank Target Chart (9.94)"]
    return total, " and ".join(sums)


# Who and where


def find_distance(one: CounterInPlay, other: CounterInPlay) -> int | None:
    """Hexes from one counter to another; None where one of them stands nowhere."""
    try:
        return HEXES.distance(HEXES.parse(one.place), HEXES.parse(other.place))
    except BadHex:
        return None


def _near(firers: Pieces, targets: Pieces) -> tuple[Pieces, bool]:
    """Those who fire from the next hex, and whether everybody's place is known."""
    if not targets:
        return [], False
    far = [(each, find_distance(each.counter, targets[0].counter)) for each in firers]
    return [each for each, distance in far if distance == 1], all(distance is not None for _, distance in far)


def _fill_target(targets: Pieces) -> Json:
    """What stands in the target hex."""
    arms = [arm(each) for each in targets]
    fighting = [each for each in arms if each.is_combat_unit]
    places = {each.counter.place for each in targets}
    return {
        "at": _plain_sorted(sorted(targets, key=_rank)),
        "hex": places.pop() if len(places) == 1 else "",
        "target_armored": any(each.is_armored for each in arms),
        "leader_in_target": any(each.is_leader for each in arms),
        "pavlov_house_target": any(is_pavlov_at_home(each) for each in targets),
        "combat_units": sum(each is not Arm.IMMOBILIZED for each in fighting),
        "immobilized": arms.count(Arm.IMMOBILIZED),
    }


def is_pavlov_at_home(each: Piece) -> bool:
    """Pavlov in his house, where he counts 2 (18.18)."""
    return each.kind.arm is Arm.HOUSE_LEADER and each.kind.key == PAVLOV and each.counter.place == PAVLOVS_HOUSE


def name_guns(guns: Pieces) -> list[str]:
    """The guns as a match keeps that they have fired (14.02): their names as one word each."""
    return [re.sub(r"[^\w*+./-]+", "_", each.counter.name)[-LONGEST_GUN:] for each in guns]


def _rank(each: Piece) -> int:
    """Combat units first, as those who count the losses take them; immobilized tanks, then who is no combat unit."""
    return 1 if arm(each) is Arm.IMMOBILIZED else 0 if arm(each).is_combat_unit else 2


def _plain(pieces: Pieces) -> list[Json]:
    """Counters as the rows of a form."""
    rows = (each.counter for each in pieces)
    return [{"kind": each.counter, "name": each.name, "state": list(each.state), "id": each.id} for each in rows]


def _plain_sorted(pieces: Pieces) -> list[Json]:
    """The same with what they are: what follows tells leaders, tanks and observers apart by it."""
    sorts = (arm(each) if is_under(each, DISMOUNTED) else each.kind.arm for each in pieces)
    return [{**row, "sort": sort.value} for row, sort in zip(_plain(pieces), sorts, strict=True)]


def _only(firers: Pieces, allowed: Callable[[Arm], bool], words: str) -> None:
    """Raise BadInput for those of whom a roll cannot be."""
    odd = [each.counter.name for each in firers if not allowed(arm(each))]
    if odd:
        raise BadInput({"firers": f"{join_words(odd)}: {words}"})


def _refuse_marked(firers: Pieces, markers: Sequence[str], words: str) -> None:
    marked = [each.counter.name for each in firers if is_under(each, *markers)]
    if marked:
        raise BadInput({"firers": f"{join_words(marked)}: {words}"})


def _refuse_far(firers: Pieces, targets: Pieces) -> None:
    """Raise BadInput for who cannot reach the target hex: as far as its range, and always the next hex (9.21 to 9.24).

    From hex 0218 ranges count otherwise (14.53); an 88 has a range for each way to fire.
    """
    far = []
    for each in firers if targets else ():
        distance, reach = find_distance(each.counter, targets[0].counter), each.kind.range
        is_odd = COUNTED_OTHERWISE in (each.counter.place, targets[0].counter.place) or each.kind.indirect_range
        if reach is not None and distance is not None and distance > max(1, reach) and not is_odd:
            far.append(f"{each.counter.name}: range {reach}, {distance} hexes away (9.23).")
    if far:
        raise BadInput({"firers": " ".join(far)})


# The rolls


def _fill_attack(charts: Book, firers: Pieces, targets: Pieces, known: Values) -> tuple[Json, list[str]]:
    _only(firers, lambda arm: arm.is_leader or arm.is_indirect or _attacks(arm), "no such unit attacks (2.25).")
    _refuse_marked(firers, (PINNED, SPENT), "under a marker, and so no attack (9.113, 10.6).")
    _refuse_far([each for each in firers if not arm(each).is_leader], targets)
    fighting = [each for each in firers if not arm(each).is_leader]
    direct = [each for each in fighting if not arm(each).is_indirect]
    at_home = [each for each in firers if is_pavlov_at_home(each)]
    leaders = len(firers) - len(fighting) - len(at_home)
    points, words = _add_fire(fighting, lambda each: "af", targets, known)
    near, is_known = _near(direct, targets)
    filled: Json = {
        **_fill_target(targets),
        "by": _plain(firers),
        "firer": firers[0].counter.side,
        "points": points,
        "underlined_af": any(each.kind.underlined for each in fighting),
        "nkvd": any(arm(each) is Arm.NKVD for each in fighting),
        "engineers": any(arm(each) is Arm.ENGINEER and each.kind.red for each in direct),
        "armor_with_infantry": _has_escort(direct),
        "leaders": leaders,
        "pavlov_house_attacker": bool(at_home),
        "gun_names": name_guns(_find_far_guns(fighting, targets)),
        "flak_names": name_guns(_find_flak(fighting, targets)),
        "if_with_direct": bool(direct) and any(_is_gun(each) for each in fighting),
        "fortification": any(arm(each) is Arm.FORTIFICATION for each in targets),
        "target_all_armored": _all_armored(targets),
        "target_nkvd": any(arm(each) is Arm.NKVD for each in targets),
    }
    if is_known:
        filled |= {
            "not_adjacent": not near,
            "adjacent_infantry": any(arm(each).is_foot for each in near),
            "tanks_alone": not near and bool(direct) and all(arm(each) in (Arm.TANK, Arm.STUG) for each in fighting),
        }
    counted = count_integrity(charts, firers, targets, known)
    filled["integrity"] = counted["attack"]
    told = [words, *([f"unit integrity {counted['attack']:+d}"] if counted["attack"] else [])]
    return filled, told


def _fill_battle(charts: Book, firers: Pieces, targets: Pieces, known: Values) -> tuple[Json, list[str]]:
    """An attack whose hexes are told apart: each is fired at by itself; guns and Stukas stand beside."""
    filled, words = _fill_attack(charts, firers, targets, known)
    guns = [each for each in firers if _is_gun(each)]
    stukas = sum(arm(each) is Arm.STUKA for each in firers)
    rest = [each for each in firers if not arm(each).is_leader and not arm(each).is_indirect]
    filled |= _list_by_hex(firers, rest)
    if not any(arm(each).is_armored for each in targets if any(one.kind.underlined for one in rest)):
        by_hex = [_add_up(group, "af") for _, group in _by_place(rest)]
        filled |= {"points": by_hex[0], "more_hexes": by_hex[1:]} if by_hex else {}
        filled |= {"guns": _add_up(guns, "af"), "stukas": stukas}
    return filled, words


def _list_by_hex(firers: Pieces, direct: Pieces) -> Json:
    """Who attacks, hex by hex, a leader with those of his hex, and how many stand in each; guns and Stukas last.

    ``direct``: those at whom the defenders may fire (9.56).
    """
    led = [each for each in firers if arm(each).is_leader]
    hexes = [
        [*sorted(group, key=_rank), *(each for each in led if each.counter.place == place)]
        for place, group in _by_place(direct)
    ]
    listed = [each for group in hexes for each in group]
    rest = [each for each in firers if each not in listed]
    places = [place for place, _ in _by_place(direct)]
    return {
        "by": _plain_sorted([*listed, *rest]),
        "by_hex": [len(group) for group in hexes],
        "places": places if all(places) else [],
    }


def _fill_fire(charts: Book, firers: Pieces, targets: Pieces, known: Values) -> tuple[Json, list[str]]:
    _only(firers, lambda arm: arm.is_leader or arm.is_combat_unit, "no such unit fires in defence (2.25).")
    fighting = [each for each in firers if not arm(each).is_leader and arm(each) is not Arm.SNIPER]
    snipers = [each.kind.worth for each in firers if arm(each) is Arm.SNIPER]
    if not fighting:
        raise BadInput({"firers": "A sniper fires with others alone, and a leader not at all (16.13)."})

    _refuse_far(fighting, targets)

    def name(each: Piece) -> str:
        """Guns add their AF, but DF where they are pinned (9.13, 9.54)."""
        return "af" if arm(each).is_indirect and not is_under(each, PINNED) else "df"

    points, words = _add_fire(fighting, name, targets, known)
    near, is_known = _near(fighting, targets)
    counted = count_integrity(charts, fighting, targets, known)
    filled: Json = {
        **_fill_target(targets),
        "by": _plain_sorted(firers),
        "firer": firers[0].counter.side,
        "points": points,
        "underlined_af": any(each.kind.underlined for each in fighting),
        "nkvd": any(arm(each) is Arm.NKVD for each in fighting),
        "spent": any(is_under(each, SPENT) for each in fighting),
        "pinned": any(is_under(each, PINNED) for each in fighting),
        "leader_with_firers": any(arm(each).is_leader for each in firers),
        "pavlov_house_firers": any(is_pavlov_at_home(each) for each in firers),
        "target_only_river_flotilla": bool(targets) and all(arm(each) is Arm.FLOTILLA for each in targets),
        "gun_names": name_guns(_find_far_guns(fighting, targets)),
        "flak_names": name_guns(_find_flak(fighting, targets)),
        "sniper": max(snipers, default=0),
        "integrity": counted["fire"],
        **({"not_adjacent": not near} if is_known else {}),
    }
    return filled, [words, *([f"unit integrity {counted['fire']:+d}"] if counted["fire"] else [])]


def _fill_bombardment(charts: Book, firers: Pieces, targets: Pieces, known: Values) -> tuple[Json, list[str]]:
    _only(firers, lambda arm: arm.is_indirect or arm is Arm.FLAK_88, "only guns and Stukas bombard (14.41).")
    _refuse_marked(firers, (PINNED,), "pinned, and so no bombardment (9.112).")
    _refuse_far(firers, targets)
    points = _add_up(firers, "af")
    filled = {
        **_fill_target(targets),
        "by": _plain(firers),
        "firer": firers[0].counter.side,
        "points": points,
        "fortification": any(arm(each) is Arm.FORTIFICATION for each in targets),
        "target_all_armored": _all_armored(targets),
        "gun_names": name_guns([each for each in firers if arm(each) is not Arm.STUKA]),
    }
    # This form counts nobody.
    return {name: value for name, value in filled.items() if name not in ("combat_units", "immobilized")}, [
        _say_sum(firers, "af", points)
    ]


def _fill_silence(charts: Book, firers: Pieces, targets: Pieces, known: Values) -> tuple[Json, list[str]]:
    """Guns that are to have no ammunition; what they have between them (14.72)."""
    guns = firers or targets
    af = _add_up([each for each in guns if _is_gun(each)], "af")
    return {"at": _plain_sorted(guns), "side": guns[0].counter.side, "gun_names": name_guns(guns), "af": af}, []


def _fill_integrity(charts: Book, firers: Pieces, targets: Pieces, known: Values) -> tuple[Json, list[str]]:
    return find_formations(firers, targets, known), []


def _fill_counter_attack(charts: Book, firers: Pieces, targets: Pieces, known: Values) -> tuple[Json, list[str]]:
    fighting = [each for each in targets if arm(each).is_combat_unit]
    af, df = _add_up(firers, "af"), _add_up(fighting, "df")
    sums: list[tuple[Pieces, str, int]] = [(firers, "af", af), (fighting, "df", df)]
    told = [_say_sum(pieces, name, total) for pieces, name, total in sums if pieces]
    named = {"by": _plain_sorted(firers), "at": _plain_sorted(sorted(targets, key=_rank))}
    counted = {"defenders": len(fighting)} if targets else {}
    return {"af": af, "df": df, **counted, **named}, [" against ".join(told)]


def _fill_may_counter_attack(charts: Book, firers: Pieces, targets: Pieces, known: Values) -> tuple[Json, list[str]]:
    one = (*firers, *targets)[0]
    return {
        "side": one.counter.side,
        "unit": _COUNTER_ATTACKERS.get(arm(one), "artillery"),
        "guards_or_marine": arm(one) in (Arm.GUARDS, Arm.MARINE),
        "pinned": is_under(one, PINNED),
        "spent": is_under(one, SPENT),
        "af": _add_up([one], "af"),
    }, []


def _fill_permissions(charts: Book, firers: Pieces, targets: Pieces, known: Values) -> tuple[Json, list[str]]:
    one = (*firers, *targets)[0]
    unit = arm(one).unit
    if unit is None:
        raise BadInput({"targets": f"{one.counter.name} is no unit."})
    marker = next((word for word in (PINNED, SPENT) if is_under(one, word)), "")
    return {"side": one.counter.side, "unit": unit.value, "marker": marker, "mp": mp_of(one.counter, one.kind)}, []


def _fill_reserves(charts: Book, firers: Pieces, targets: Pieces, known: Values) -> tuple[Json, list[str]]:
    one = (*firers, *targets)[0]
    return {"side": one.counter.side, "pinned": is_under(one, PINNED)}, []


def _fill_movement(charts: Book, firers: Pieces, targets: Pieces, known: Values) -> tuple[Json, list[str]]:
    paces = [(mp_of(each.counter, each.kind), each.counter.side) for each in (*firers, *targets)]
    slowest = min(((mp, side) for mp, side in paces if mp), default=None)
    return ({"side": slowest[1], "printed": slowest[0]} if slowest else {}), []


def _fill_dismounting(charts: Book, firers: Pieces, targets: Pieces, known: Values) -> tuple[Json, list[str]]:
    """Who gets down, or mounts again; where one of them cannot, what that one is."""
    who = (*firers, *targets)
    one = next((each for each in who if not each.kind.may_dismount), who[0])
    is_dismounted = any(is_under(each, DISMOUNTED) for each in who)
    unit = one.kind.arm.unit
    return {
        "who": _plain_sorted(who),
        "change": (Dismounting.UP if is_dismounted else Dismounting.DOWN).value,
        "is_dismounted": is_dismounted,
        "unit": unit.value if unit else "",
        "mp": one.kind.mp,
    }, []


def _fill_passage(charts: Book, firers: Pieces, targets: Pieces, known: Values) -> tuple[Json, list[str]]:
    """Who moves where the enemy may fire at them; into which hex they say."""
    moving = (*firers, *targets)
    told = {name: value for name, value in _fill_target(moving).items() if name != "hex"}
    is_vehicle = all(arm(each).is_armored or (mp_of(each.counter, each.kind) or 0) >= VEHICLE_MP for each in moving)
    return {**told, "side": moving[0].counter.side, "is_vehicle": is_vehicle}, []


def _fill_breakthrough(charts: Book, firers: Pieces, targets: Pieces, known: Values) -> tuple[Json, list[str]]:
    """Which hex it is; the record tells what lies there, and the counters around who stands next to it."""
    places = {each.counter.place for each in targets}
    return {"hex": places.pop()} if len(places) == 1 else {}, []


def _fill_stacking(charts: Book, firers: Pieces, targets: Pieces, known: Values) -> tuple[Json, list[str]]:
    """What stands in a hex; Stukas never count (5.7). Whether other armour is an armoured car its owner says (5.3)."""
    there = [each for each in targets or firers if arm(each) is not Arm.STUKA]
    counted = Counter(_STACKED.get(arm(each), Stacked.COMBAT) for each in there)
    arms = {arm(each) for each in there}
    filled: Json = {"side": (targets or firers)[0].counter.side, **{each.value: counted[each] for each in Stacked}}
    if not arms.isdisjoint((Arm.TANK, Arm.STUG)) or Arm.ARMORED not in arms:
        filled["tank_stug_or_armored_car"] = not arms.isdisjoint((Arm.TANK, Arm.STUG))
    return filled, []


def _fill_advance(charts: Book, firers: Pieces, targets: Pieces, known: Values) -> tuple[Json, list[str]]:
    """Who would go; into which hex the place of anybody says who is aimed at there."""
    going = firers or targets
    places = {each.counter.place for each in targets} if firers else set()
    where = {"hex": places.pop()} if len(places) == 1 else {}
    return {"by": _plain_sorted(going), "side": going[0].counter.side, **where}, []


def _fill_who(charts: Book, firers: Pieces, targets: Pieces, known: Values) -> tuple[Json, list[str]]:
    """A roll about a hex that was hit."""
    arms = [arm(each) for each in targets if arm(each).is_combat_unit]
    there = arms.count(Arm.IMMOBILIZED)
    return {"combat_units": len(arms) - there, "immobilized": there}, []


_COUNTER_ATTACKERS = {
    **dict.fromkeys((Arm.INFANTRY, Arm.GUARDS, Arm.MARINE, Arm.NKVD), "infantry"),
    **dict.fromkeys((Arm.TANK, Arm.STUG, Arm.ARMORED), "armored"),
    **dict.fromkeys((Arm.LEADER, Arm.HOUSE_LEADER, Arm.COMMISSAR), "leader"),
    **{Arm.ENGINEER: "engineer", Arm.SNIPER: "sniper", Arm.MINE_DOG: "mine_dog"},
}
_STACKED = {
    **dict.fromkeys((Arm.LEADER, Arm.HOUSE_LEADER, Arm.COMMISSAR, Arm.HQ), Stacked.LEADER),
    **dict.fromkeys((Arm.OP, Arm.LW_OP), Stacked.OP),
    **{Arm.SNIPER: Stacked.SNIPER, Arm.MINE_DOG: Stacked.MINE_DOG, Arm.TRANSPORT: Stacked.TRANSPORT},
    **{Arm.TANK_REPAIR: Stacked.TANK_REPAIR, Arm.FLOTILLA: Stacked.RIVER_FLOTILLA},
    **{Arm.FORTIFICATION: Stacked.FORTIFICATION, Arm.BRIDGE: Stacked.BRIDGE, Arm.MINEFIELD: Stacked.MINEFIELD},
}
_FILLERS: Mapping[str, Callable[[Book, Pieces, Pieces, Values], tuple[Json, list[str]]]] = {
    "attack": _fill_attack,
    "battle": _fill_battle,
    "defensive-fire": _fill_fire,
    "bombardment": _fill_bombardment,
    "silent-guns": _fill_silence,
    "integrity": _fill_integrity,
    "counter-attack": _fill_counter_attack,
    "may-counter-attack": _fill_may_counter_attack,
    "permissions": _fill_permissions,
    "reserves": _fill_reserves,
    "movement": _fill_movement,
    "dismount": _fill_dismounting,
    "losses": _fill_who,
    "breakthrough": _fill_breakthrough,
    "stacking": _fill_stacking,
    "passage": _fill_passage,
    "advance": _fill_advance,
}


def _is_gun(each: Piece) -> bool:
    """Guns that fire indirectly, Stukas not among them."""
    return arm(each).is_indirect and arm(each) is not Arm.STUKA


def _find_far_guns(fighting: Pieces, targets: Pieces) -> Pieces:
    """Guns that fire indirectly for certain: one in the next hex may fire directly (9.101)."""
    guns = [each for each in fighting if _is_gun(each) and _is_beyond(each, targets, 1)]
    return [*guns, *(each for each in _list_flak(fighting) if _is_beyond(each, targets, each.kind.range or 0))]


def _is_beyond(each: Piece, targets: Pieces, reach: int) -> bool:
    """Whether the target is for certain farther away than that."""
    return bool(targets) and (find_distance(each.counter, targets[0].counter) or 0) > reach


def _list_flak(fighting: Pieces) -> Pieces:
    return [each for each in fighting if arm(each) is Arm.FLAK_88]


def _find_flak(fighting: Pieces, targets: Pieces) -> Pieces:
    """88s that fire directly: within the shorter of their ranges, or from who knows where (2.25, 14.03)."""
    return [each for each in _list_flak(fighting) if not _is_beyond(each, targets, each.kind.range or 0)]


def _attacks(arm: Arm) -> bool:
    return arm.unit is not None and arm.unit.attacks


def _all_armored(targets: Pieces) -> bool:
    """Nothing but armour: such a hex has nothing of its fortification (17.31)."""
    fighting = [arm(each) for each in targets if arm(each).is_combat_unit]
    return bool(fighting) and all(each.is_armored for each in fighting)


def _has_escort(direct: Pieces) -> bool:
    """Armour in one hex with German infantry or engineers, Soviet Guards or Marines (9.71)."""
    return any(
        any(arm(each).is_armored for each in group) and any(_escorts(each) for each in group)
        for _, group in _by_place(direct)
    )


def _escorts(each: Piece) -> bool:
    is_german = each.counter.side == Side.GERMAN.value
    return arm(each).is_foot if is_german else arm(each) in (Arm.GUARDS, Arm.MARINE)


def _by_place(pieces: Pieces) -> list[tuple[str, list[Piece]]]:
    """Counters by their hex; those that stand nowhere are in none together."""

    def place(each: Piece) -> str:
        return each.counter.place

    return [(name, list(group)) for name, group in groupby(sorted(pieces, key=place), key=place)]


# Unit integrity (9.73)


def count_integrity(charts: Book, firers: Pieces, targets: Pieces, known: Values) -> Values:
    """What formations add, to an attack and to fire."""
    return integrity(charts=charts, **find_formations(firers, targets, known)).details


def find_formations(firers: Pieces, targets: Pieces, known: Values) -> dict[str, bool]:
    """What 9.73 asks of those who fire and of their target. Only infantry pays for mixing: units of a division's own
    and independent ones never do (S-69)."""
    hexes = [(name, group) for name, group in _by_place(firers) if name]
    foot = [[each for each in group if arm(each).is_infantry] for _, group in hexes]
    tanks = [[each for each in group if arm(each) in (Arm.TANK, Arm.STUG)] for _, group in hexes]
    german = [each for group in tanks for each in group if each.counter.side == Side.GERMAN.value]
    regiments: dict[Any, list[str]] = {}
    for group in foot:
        for each in group:
            if _is_counted(each, Arm.GUARDS) and _regiment(each)[1]:
                regiments.setdefault(_regiment(each), []).append(each.counter.place)
    return {
        "same_battalion": any(_most(group, _battalion, lambda each: _is_counted(each, *_ELITE)) >= 2 for group in foot),
        "mixed_battalions": any(_is_mixed(group, _battalion) for group in foot),
        "same_regiment": any(len(places) >= 4 and len({*places}) >= 2 for places in regiments.values()),
        "mixed_regiments": any(_is_mixed(group, _regiment) for group in foot),
        "defenders_mixed": len({each.kind.formation for each in targets if _counts_formation(each)}) > 1,
        "mixed_divisions": any(len({each.kind.formation for each in group} - {""}) > 1 for group in foot),
        "armor_battalion": any(_most(group, _tank_unit, lambda each: each in german) >= 3 for group in tanks),
        "armor_pair": any(_most(group, _tank_unit, lambda each: each in german) >= 2 for group in tanks),
        "defenders_clear": Terrain(str(known.get("terrain") or Terrain.CLEAR.value)).is_clear,
        "leader_of_formation": any(_leads(group) for _, group in hexes),
    }


_ELITE = (Arm.GUARDS, Arm.MARINE)


def _is_counted(each: Piece, *soviet: Arm) -> bool:
    """German infantry, and of the Soviets these."""
    return each.counter.side == Side.GERMAN.value or arm(each) in soviet


def _regiment(each: Piece) -> tuple[str, str]:
    return each.kind.formation, each.kind.regiment


def _battalion(each: Piece) -> tuple[str, ...]:
    return (*_regiment(each), each.kind.battalion) if each.kind.battalion else ()


def _tank_unit(each: Piece) -> tuple[str, ...]:
    return (*_regiment(each), each.kind.battalion) if each.kind.battalion or each.kind.regiment else ()


def _most(group: Pieces, unit: Callable[[Piece], tuple[str, ...]], counts: Callable[[Piece], bool]) -> int:
    """How many of a hex belong to the unit of which most are there."""
    found = [unit(each) for each in group if counts(each) and any(unit(each))]
    return max((found.count(each) for each in found), default=0)


def _is_mixed(group: Pieces, unit: Callable[[Piece], tuple[str, ...]]) -> bool:
    """Whether a hex holds infantry of different units, as far as their counters say of which they are."""
    return len({unit(each) for each in group if any(unit(each)[1:])}) > 1


def _counts_formation(each: Piece) -> bool:
    return bool(each.kind.formation) and arm(each).is_combat_unit and arm(each) not in (Arm.SNIPER, Arm.TRAIN)


def _leads(group: Pieces) -> bool:
    """A leader or commissar of a formation that is there with infantry; not Pavlov, not Herman."""
    led = {each.kind.formation for each in group if arm(each).is_infantry and each.kind.formation}
    return any(arm(each) in (Arm.LEADER, Arm.COMMISSAR) and each.kind.formation in led for each in group)
