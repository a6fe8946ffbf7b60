"""What the forms of rolls are filled with from the counters that players tapped, and how that comes about.

What only the map tells stays with the players: terrain, spotting, who sees whom. What is not known of a counter is
asked once (2.25).
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby

from firefight.engine.board.chosen import ChosenOfSort
from firefight.engine.board.counters import (
    NO_ACCOUNT,
    Account,
    AskedValue,
    LackingValues,
    Piece,
    counter_sources,
)
from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput
from firefight.engine.text import join_words
from firefight.engine.values import Json, Values

from .becoming import PINNED, SPENT, arm_of, mp_of
from .counter_attack import NAMED
from .defensive_fire import FireKind
from .dismounting import Dismounting
from .hexes import find_distance
from .integrity import integrity
from .kinds import VEHICLE_MP
from .marking import count_classes
from .record import COMMANDERS
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
    """What counters fill in on a form, and how, in words. Raises BadInput with every reason why they cannot,
    LackingValues for what nobody has said of them."""
    filler = _FILLERS.get(slug)
    if filler is None or not (firers or targets):
        return {}, NO_ACCOUNT
    if slug in FIRES and not firers:
        is_one_side = len({piece.counter.side for piece in targets}) == 1
        return (_fill_target(targets) if is_one_side else {}), NO_ACCOUNT
    filled, words = filler(charts, firers, targets, known)
    return filled, Account(". ".join(words), counter_sources(piece.kind.origin for piece in (*firers, *targets)))


def list_struck(slug: str, targets: Pieces, everybody: Iterable[Piece]) -> Sequence[str]:
    """All units in a target's hex are one target (9.11, 9.14, 12.6); but defensive fire is only at those who attack,
    and opportunity fire only at those who move (9.11, 9.55)."""
    places = {(piece.counter.side, piece.counter.place) for piece in targets if piece.counter.place}
    if slug not in ("attack", "battle", "bombardment", "counter-attack", "infiltration", "stacking"):
        return ()
    counters = (piece.counter for piece in everybody if piece.counter.in_play)
    return [counter.id for counter in counters if (counter.side, counter.place) in places]


# Sums


def _add_up(pieces: Pieces, name: str) -> int:
    """The AF or DF of counters. Raises LackingValues for those nobody has given."""
    if lacking := [piece for piece in pieces if piece.kind.find(name) is None]:
        raise LackingValues(AskedValue.of(piece, name, PRINTED[name], 0, MOST_POINTS) for piece in lacking)
    return sum(0 if arm(piece) is Arm.IMMOBILIZED and name == "af" else piece.kind.find(name) for piece in pieces)


def _say_sum(pieces: Pieces, name: str, total: int) -> str:
    """The sum in words: "4 + 5 = 9 AF"."""
    numbers = [str(piece.kind.find(name)) for piece in pieces]
    return f"{' + '.join(numbers)} = {total} {PRINTED[name]}" if len(numbers) > 1 else f"{total} {PRINTED[name]}"


def _add_fire(pieces: Pieces, names: Callable[[Piece], str], targets: Pieces, form: Values) -> tuple[int, str]:
    """All points that fire, and how they add up; underlined AF at armour comes from its chart (9.94)."""
    by_chart = (
        [piece for piece in pieces if piece.kind.underlined]
        if any(arm(target).is_armored for target in targets)
        else []
    )
    printed = [piece for piece in pieces if piece not in by_chart]
    sums: list[str] = []
    total = 0
    for name in PRINTED:
        summands = [piece for piece in printed if names(piece) == name]
        if summands:
            subtotal = _add_up(summands, name)
            total, sums = total + subtotal, [*sums, _say_sum(summands, name, subtotal)]
    if by_chart:
        af = str(form.get(ATTC.field) or "").strip()
        if not af:
            raise LackingValues([ATTC])
        if not (af.isascii() and af.isdigit() and int(af) <= 400):
            raise BadInput({ATTC.field: "Give the AF as a whole number."})
        total, sums = total + int(af), [*sums, f"{af} AF by the Anti-Tank Target Chart (9.94)"]
    return total, " and ".join(sums)


# Who and where


def find_common_place(pieces: Pieces) -> str:
    """The hex in which all of them stand; "" for several or none."""
    places = {piece.counter.place for piece in pieces}
    return places.pop() if len(places) == 1 else ""


def _list_adjacent(firers: Pieces, targets: Pieces) -> tuple[Pieces, bool]:
    """Those who fire from an adjacent hex, and whether everybody's place is known."""
    if not targets:
        return [], False
    distances = [(piece, find_distance(piece.counter.place, targets[0].counter.place)) for piece in firers]
    return [piece for piece, distance in distances if distance == 1], all(
        distance is not None for _, distance in distances
    )


def _fill_target(targets: Pieces) -> Json:
    """What stands in the target hex."""
    arms = [arm(piece) for piece in targets]
    fighting = [arm for arm in arms if arm.is_combat_unit]
    return {
        "at": name_rows(sorted(targets, key=_rank)),
        "hex": find_common_place(targets),
        "target_armored": any(arm.is_armored for arm in arms),
        "leader_in_target": any(arm.is_leader for arm in arms),
        "pavlov_house_target": any(is_pavlov_at_home(piece) for piece in targets),
        "combat_units": sum(arm is not Arm.IMMOBILIZED for arm in fighting),
        "immobilized": arms.count(Arm.IMMOBILIZED),
    }


def is_pavlov_at_home(piece: Piece) -> bool:
    """Pavlov in his house, where he counts 2 (18.18)."""
    return piece.kind.arm is Arm.HOUSE_LEADER and piece.kind.key == PAVLOV and piece.counter.place == PAVLOVS_HOUSE


def name_guns(guns: Pieces) -> list[str]:
    """The names under which a match records guns that have fired (14.02): one word each."""
    return [re.sub(r"[^\w*+./-]+", "_", piece.counter.name)[-LONGEST_GUN:] for piece in guns]


def _rank(piece: Piece) -> int:
    """The order in which losses are counted: combat units, immobilized tanks, then all that are not combat units."""
    return 1 if arm(piece) is Arm.IMMOBILIZED else 0 if arm(piece).is_combat_unit else 2


def _plain(pieces: Pieces) -> list[Json]:
    """Counters as the rows of a form."""
    counters = (piece.counter for piece in pieces)
    return [
        {"kind": counter.counter, "name": counter.name, "state": list(counter.state), "id": counter.id}
        for counter in counters
    ]


def name_rows(pieces: Pieces) -> list[Json]:
    """Counters as the rows of a form, with their sort: later rolls tell leaders, tanks and observers apart by it."""
    sorts = (arm(piece) if is_under(piece, DISMOUNTED) else piece.kind.arm for piece in pieces)
    return [{**row, "sort": sort.value} for row, sort in zip(_plain(pieces), sorts, strict=True)]


def _refuse_unless(firers: Pieces, allowed: Callable[[Arm], bool], words: str) -> None:
    """Raise BadInput for those who cannot make the roll."""
    unfit = [piece.counter.name for piece in firers if not allowed(arm(piece))]
    if unfit:
        raise BadInput({"firers": f"{join_words(unfit)}: {words}"})


def _refuse_marked(firers: Pieces, markers: Sequence[str], words: str) -> None:
    marked = [piece.counter.name for piece in firers if is_under(piece, *markers)]
    if marked:
        raise BadInput({"firers": f"{join_words(marked)}: {words}"})


def _refuse_far(firers: Pieces, targets: Pieces) -> None:
    """Raise BadInput for whoever cannot reach the target hex: up to its range, and always the next hex (9.21 to 9.24).

    From hex 0218 ranges are counted differently (14.53); an 88 has a range for each way to fire.
    """
    out_of_range = []
    for piece in firers if targets else ():
        distance, reach = find_distance(piece.counter.place, targets[0].counter.place), piece.kind.range
        is_odd = COUNTED_OTHERWISE in (piece.counter.place, targets[0].counter.place) or piece.kind.indirect_range
        if reach is not None and distance is not None and distance > max(1, reach) and not is_odd:
            out_of_range.append(f"{piece.counter.name}: range {reach}, {distance} hexes away (9.23).")
    if out_of_range:
        raise BadInput({"firers": " ".join(out_of_range)})


# The rolls


def _fill_attack(charts: Book, firers: Pieces, targets: Pieces, form: Values) -> tuple[Json, list[str]]:
    _refuse_unless(
        firers, lambda arm: arm.is_leader or arm.is_indirect or _attacks(arm), "no such unit attacks (2.25)."
    )
    _refuse_marked(firers, (PINNED, SPENT), "under a marker, and so no attack (9.113, 10.6).")
    _refuse_far([piece for piece in firers if not arm(piece).is_leader], targets)
    fighting = [piece for piece in firers if not arm(piece).is_leader]
    direct = [piece for piece in fighting if not arm(piece).is_indirect]
    at_home = [piece for piece in firers if is_pavlov_at_home(piece)]
    leaders = len(firers) - len(fighting) - len(at_home)
    points, words = _add_fire(fighting, lambda piece: "af", targets, form)
    adjacent, is_known = _list_adjacent(direct, targets)
    filled: Json = {
        **_fill_shot(firers, fighting, targets),
        "by": _plain(firers),
        "points": points,
        "engineers": any(arm(piece) is Arm.ENGINEER and piece.kind.red for piece in direct),
        "armor_with_infantry": _has_escort(direct),
        "leaders": leaders,
        "pavlov_house_attacker": bool(at_home),
        "flying": _count_stukas(firers),
        "if_with_direct": bool(direct) and any(_is_gun(piece) for piece in fighting),
        "fortification": any(arm(piece) is Arm.FORTIFICATION for piece in targets),
        "target_all_armored": _all_armored(targets),
        "target_nkvd": any(arm(piece) is Arm.NKVD for piece in targets),
    }
    if is_known:
        filled |= {
            "not_adjacent": not adjacent,
            "adjacent_infantry": any(arm(piece).is_foot for piece in adjacent),
            "tanks_alone": not adjacent
            and bool(direct)
            and all(arm(piece) in (Arm.TANK, Arm.STUG) for piece in fighting),
        }
    counted = count_integrity(charts, firers, targets, form)
    return {**filled, "integrity": counted["attack"]}, [words, *_say_integrity(counted["attack"])]


def _fill_shot(firers: Pieces, fighting: Pieces, targets: Pieces) -> Json:
    """What an attack and fire in defence say alike: at what, and who fires."""
    return {
        **_fill_target(targets),
        "firer": firers[0].counter.side,
        "underlined_af": any(piece.kind.underlined for piece in fighting),
        "nkvd": any(arm(piece) is Arm.NKVD for piece in fighting),
        **name_fired(fighting, targets),
    }


def name_fired(fighting: Pieces, targets: Pieces) -> Json:
    """Which of those who fire do so indirectly, and which are 88s that fire directly (14.02, 14.03)."""
    return {
        "gun_names": name_guns(_find_far_guns(fighting, targets)),
        "flak_names": name_guns(_find_flak(fighting, targets)),
    }


def _say_integrity(drm: int) -> list[str]:
    return [f"Unit integrity {drm:+d}"] if drm else []


def _fill_battle(charts: Book, firers: Pieces, targets: Pieces, form: Values) -> tuple[Json, list[str]]:
    """An attack hex by hex, since each is fired at separately; guns and Stukas apart."""
    filled, words = _fill_attack(charts, firers, targets, form)
    guns = [piece for piece in firers if _is_gun(piece)]
    stukas = filled.pop("flying")
    direct = [piece for piece in firers if not arm(piece).is_leader and not arm(piece).is_indirect]
    filled |= _list_by_hex(firers, direct)
    if not any(arm(piece).is_armored for piece in targets if any(firer.kind.underlined for firer in direct)):
        by_hex = [_add_up(group, "af") for _, group in _by_place(direct)]
        filled |= {"points": by_hex[0], "more_hexes": by_hex[1:]} if by_hex else {}
        filled |= {"guns": _add_up(guns, "af"), "stukas": stukas}
    return filled, words


def _list_by_hex(firers: Pieces, direct: Pieces) -> Json:
    """Those who attack, hex by hex, leaders with their hex, and how many stand in each; guns and Stukas last.

    ``direct``: those at whom the defenders may fire (9.56).
    """
    leaders = [piece for piece in firers if arm(piece).is_leader]
    hexes = [
        [*sorted(group, key=_rank), *(piece for piece in leaders if piece.counter.place == place)]
        for place, group in _by_place(direct)
    ]
    listed = [piece for group in hexes for piece in group]
    rest = [piece for piece in firers if piece not in listed]
    places = [place for place, _ in _by_place(direct)]
    return {
        "by": name_rows([*listed, *rest]),
        "by_hex": [len(group) for group in hexes],
        "places": places if all(places) else [],
    }


def _fill_fire(charts: Book, firers: Pieces, targets: Pieces, form: Values) -> tuple[Json, list[str]]:
    _refuse_unless(firers, lambda arm: arm.is_leader or arm.is_combat_unit, "no such unit fires in defence (2.25).")
    fighting = [piece for piece in firers if not arm(piece).is_leader and arm(piece) is not Arm.SNIPER]
    snipers = [piece.kind.worth for piece in firers if arm(piece) is Arm.SNIPER]
    if not fighting:
        raise BadInput({"firers": "A sniper fires with others alone, and a leader not at all (16.13)."})

    targets = put_in_passed_hex(targets, form)
    _refuse_far(fighting, targets)

    def name(piece: Piece) -> str:
        """Guns add their AF, but DF where they are pinned (9.13, 9.54)."""
        return "af" if arm(piece).is_indirect and not is_under(piece, PINNED) else "df"

    points, words = _add_fire(fighting, name, targets, form)
    adjacent, is_known = _list_adjacent(fighting, targets)
    counted = count_integrity(charts, fighting, targets, form)
    filled: Json = {
        **_fill_shot(firers, fighting, targets),
        "by": name_rows(firers),
        "points": points,
        "spent": any(is_under(piece, SPENT) for piece in fighting),
        "pinned": any(is_under(piece, PINNED) for piece in fighting),
        "leader_with_firers": any(arm(piece).is_leader for piece in firers),
        "pavlov_house_firers": any(is_pavlov_at_home(piece) for piece in firers),
        "target_only_river_flotilla": bool(targets) and all(arm(piece) is Arm.FLOTILLA for piece in targets),
        "sniper": max(snipers, default=0),
        "integrity": counted["fire"],
        **({"not_adjacent": not adjacent} if is_known else {}),
    }
    return filled, [words, *_say_integrity(counted["fire"])]


def put_in_passed_hex(targets: Pieces, form: Values) -> Pieces:
    """Those who move are fired at in the hex that they pass, wherever their counters lie by then (11.3)."""
    place = str(form.get("hex") or "") if form.get("kind") == FireKind.OPPORTUNITY.value else ""
    return [piece._replace(counter=replace(piece.counter, place=place)) for piece in targets] if place else targets


def _fill_bombardment(charts: Book, firers: Pieces, targets: Pieces, form: Values) -> tuple[Json, list[str]]:
    _refuse_unless(firers, lambda arm: arm.is_indirect or arm is Arm.FLAK_88, "only guns and Stukas bombard (14.41).")
    _refuse_marked(firers, (PINNED,), "pinned, and so no bombardment (9.112).")
    _refuse_far(firers, targets)
    points = _add_up(firers, "af")
    filled = {
        **_fill_target(targets),
        "by": _plain(firers),
        "firer": firers[0].counter.side,
        "points": points,
        "fortification": any(arm(piece) is Arm.FORTIFICATION for piece in targets),
        "target_all_armored": _all_armored(targets),
        "flying": _count_stukas(firers),
        "gun_names": name_guns([piece for piece in firers if arm(piece) is not Arm.STUKA]),
    }
    if len(firers) == filled["flying"]:
        filled["spotting"] = 0  # Stukas see for themselves, whatever guns were seen for (14.31)
    # This form counts nobody.
    return {name: value for name, value in filled.items() if name not in ("combat_units", "immobilized")}, [
        _say_sum(firers, "af", points)
    ]


def _fill_interdiction(charts: Book, firers: Pieces, targets: Pieces, form: Values) -> tuple[Json, list[str]]:
    """The guns and Stukas whose points lie on a hex (14.84, 15.21)."""
    _refuse_unless(firers, lambda arm: arm.is_indirect or arm is Arm.FLAK_88, "only guns and Stukas interdict (14.41).")
    if not firers:
        return {}, []
    points = _add_up(firers, "af")
    guns = [piece for piece in firers if arm(piece) is not Arm.STUKA]
    filled = {"points": points, "flying": _count_stukas(firers), "gun_names": name_guns(guns)}
    return filled, [_say_sum(firers, "af", points)]


def _fill_anti_aircraft(charts: Book, firers: Pieces, targets: Pieces, form: Values) -> tuple[Json, list[str]]:
    """The circled AF of those that their player taps, since no sheet says whose AF is circled (15.42, 15.45)."""
    if any(piece.counter.side == Side.GERMAN.value for piece in firers):
        raise BadInput({"firers": "Soviet units fire at Stukas (15.42)."})
    if not firers:
        return {}, []
    points = _add_up(firers, "af")
    return {"points": points}, [_say_sum(firers, "af", points)]


def _count_stukas(firers: Pieces) -> int:
    """How many of the day's Stukas come (15.21)."""
    return sum(arm(piece) is Arm.STUKA for piece in firers)


def _fill_silence(charts: Book, firers: Pieces, targets: Pieces, form: Values) -> tuple[Json, list[str]]:
    """Guns that get no ammunition, and their AF in all (14.72)."""
    guns = firers or targets
    af = _add_up([piece for piece in guns if _is_gun(piece)], "af")
    return {"at": name_rows(guns), "side": guns[0].counter.side, "gun_names": name_guns(guns), "af": af}, []


def _fill_integrity(charts: Book, firers: Pieces, targets: Pieces, form: Values) -> tuple[Json, list[str]]:
    return find_formations(firers, targets, form), []


def _fill_counter_attack(charts: Book, firers: Pieces, targets: Pieces, form: Values) -> tuple[Json, list[str]]:
    _refuse_unless(firers, partial(_strikes_back, firers), "no such unit counter-attacks (12.5).")
    _refuse_marked(firers, (PINNED, SPENT), "under a marker, and so no counter-attack (12.5).")
    fighting = [piece for piece in targets if arm(piece).is_combat_unit]
    af, df = _add_up(firers, "af"), _add_up(fighting, "df")
    sums: list[tuple[Pieces, str, int]] = [(firers, "af", af), (fighting, "df", df)]
    sum_words = [_say_sum(pieces, name, total) for pieces, name, total in sums if pieces]
    filled: Json = {"af": af, "by": name_rows(firers)} if firers else {}
    if targets:
        filled |= {"df": df, "defenders": len(fighting), "at": name_rows(sorted(targets, key=_rank))}
    return filled, [" against ".join(sum_words)]


def _strikes_back(firers: Pieces, arm: Arm) -> bool:
    """Whether the rules name units of an arm; a leader comes along (12.5; ruling S43)."""
    allowed = NAMED[Side(firers[0].counter.side)]
    return arm.is_leader or _COUNTER_ATTACKERS.get(arm) in allowed


def _fill_infiltration(charts: Book, firers: Pieces, targets: Pieces, form: Values) -> tuple[Json, list[str]]:
    """The infantry with Herman, and all who fire back if their unit stands (13.1, 13.7)."""
    going = [piece for piece in firers if not arm(piece).is_leader]
    if firers and (len(going) != 1 or not arm(going[0]).is_infantry):
        raise BadInput({"firers": "Herman takes one infantry unit with him (13.1)."})
    fighting = [piece for piece in targets if arm(piece).is_combat_unit]
    if targets and arm(targets[0]).is_leader:
        raise BadInput({"targets": "Tap first the one unit that he attacks (13.3); its hex fires back."})
    attack = {"attack_af": _add_up(going, "af"), "by": name_rows(firers)} if firers else {}
    defence = {"defence_df": _add_up(fighting, "df"), "at": name_rows(targets)} if targets else {}
    return attack | defence, []


def _fill_nkvd(charts: Book, firers: Pieces, targets: Pieces, form: Values) -> tuple[Json, list[str]]:
    """One unit, and its regiment, which is tested once (16.83)."""
    unit = (*firers, *targets)[0]
    return {"who": name_rows([unit]), "regiment": unit.kind.regiment, "is_leader": arm(unit).is_leader}, []


def _fill_dog(charts: Book, firers: Pieces, targets: Pieces, form: Values) -> tuple[Json, list[str]]:
    """One dog, and the one German armoured unit next to it at which it goes (16.22)."""
    dogs = [piece for piece in firers if arm(piece) is Arm.MINE_DOG]
    if firers and (len(firers) > 1 or not dogs):
        raise BadInput({"firers": "One mine dog attacks (16.22)."})
    if targets and (len(targets) > 1 or not arm(targets[0]).is_armored):
        raise BadInput({"targets": "A mine dog attacks one German armoured unit (16.22)."})
    adjacent, is_known = _list_adjacent(dogs, targets)
    if is_known and dogs and not adjacent:
        raise BadInput({"targets": f"{targets[0].counter.name} is not next to the mine dog (16.22)."})
    roles = {"by": name_rows(firers), "at": name_rows(targets)}
    return {role: rows for role, rows in roles.items() if rows}, []


def _fill_may_counter_attack(charts: Book, firers: Pieces, targets: Pieces, form: Values) -> tuple[Json, list[str]]:
    piece = (*firers, *targets)[0]
    return {
        "side": piece.counter.side,
        "unit": _COUNTER_ATTACKERS.get(arm(piece), "artillery"),
        "guards_or_marine": arm(piece) in (Arm.GUARDS, Arm.MARINE),
        "pinned": is_under(piece, PINNED),
        "spent": is_under(piece, SPENT),
        "af": _add_up([piece], "af"),
    }, []


def _fill_permissions(charts: Book, firers: Pieces, targets: Pieces, form: Values) -> tuple[Json, list[str]]:
    piece = (*firers, *targets)[0]
    unit = arm(piece).unit
    if unit is None:
        raise BadInput({"targets": f"{piece.counter.name} is not a unit."})
    marker = next((word for word in (PINNED, SPENT) if is_under(piece, word)), "")
    return {
        "side": piece.counter.side,
        "unit": unit.value,
        "marker": marker,
        "mp": mp_of(piece.counter, piece.kind),
    }, []


def _fill_reserves(charts: Book, firers: Pieces, targets: Pieces, form: Values) -> tuple[Json, list[str]]:
    piece = (*firers, *targets)[0]
    return {"side": piece.counter.side, "pinned": is_under(piece, PINNED)}, []


def _fill_movement(charts: Book, firers: Pieces, targets: Pieces, form: Values) -> tuple[Json, list[str]]:
    paces = [(mp_of(piece.counter, piece.kind), piece.counter.side) for piece in (*firers, *targets)]
    slowest = min(((mp, side) for mp, side in paces if mp), default=None)
    return ({"side": slowest[1], "printed": slowest[0]} if slowest else {}), []


def _fill_dismounting(charts: Book, firers: Pieces, targets: Pieces, form: Values) -> tuple[Json, list[str]]:
    """Those who get down, or mount again; if one of them cannot, what it is."""
    pieces = (*firers, *targets)
    piece = next((unable for unable in pieces if not unable.kind.may_dismount), pieces[0])
    is_dismounted = any(is_under(piece, DISMOUNTED) for piece in pieces)
    unit = piece.kind.arm.unit
    return {
        "who": name_rows(pieces),
        "change": (Dismounting.UP if is_dismounted else Dismounting.DOWN).value,
        "is_dismounted": is_dismounted,
        "unit": unit.value if unit else "",
        "mp": piece.kind.mp,
    }, []


def _fill_passage(charts: Book, firers: Pieces, targets: Pieces, form: Values) -> tuple[Json, list[str]]:
    """Those who move where the enemy may fire at them; their player names the hex."""
    moving = (*firers, *targets)
    target = {name: value for name, value in _fill_target(moving).items() if name != "hex"}
    is_vehicle = all(arm(piece).is_armored or (mp_of(piece.counter, piece.kind) or 0) >= VEHICLE_MP for piece in moving)
    return {**target, "side": moving[0].counter.side, "is_vehicle": is_vehicle}, []


def _fill_breakthrough(charts: Book, firers: Pieces, targets: Pieces, form: Values) -> tuple[Json, list[str]]:
    """The hex alone; the record says what lies there, and the counters around it who is adjacent."""
    place = find_common_place(targets)
    return {"hex": place} if place else {}, []


def _fill_stacking(charts: Book, firers: Pieces, targets: Pieces, form: Values) -> tuple[Json, list[str]]:
    """What stands in a hex; Stukas never count (5.7). Its owner says whether other armour is an armoured car (5.3)."""
    stack = [piece for piece in targets or firers if arm(piece) is not Arm.STUKA]
    counted = Counter(_STACKED.get(arm(piece), Stacked.COMBAT) for piece in stack)
    arms = {arm(piece) for piece in stack}
    filled: Json = {
        "side": (targets or firers)[0].counter.side,
        **{stacked.value: counted[stacked] for stacked in Stacked},
    }
    if not arms.isdisjoint((Arm.TANK, Arm.STUG)) or Arm.ARMORED not in arms:
        filled["tank_stug_or_armored_car"] = not arms.isdisjoint((Arm.TANK, Arm.STUG))
    return filled, []


def _fill_advance(charts: Book, firers: Pieces, targets: Pieces, form: Values) -> tuple[Json, list[str]]:
    """Those who would go; the hex is where the targets stand, if there are any."""
    going = firers or targets
    place = find_common_place(targets) if firers else ""
    destination = {"hex": place} if place else {}
    return {"by": name_rows(going), "side": going[0].counter.side, **destination}, []


def _fill_losses(charts: Book, firers: Pieces, targets: Pieces, form: Values) -> tuple[Json, list[str]]:
    """Who is in a hex that was hit, those first who can be lost."""
    pieces = sorted((*firers, *targets), key=_rank)
    arms = [arm(piece) for piece in pieces]
    return {
        "who": name_rows(pieces),
        "combat_units": sum(arm.is_combat_unit and arm is not Arm.IMMOBILIZED for arm in arms),
        "immobilized": arms.count(Arm.IMMOBILIZED),
        "observers": sum(arm in (Arm.OP, Arm.LW_OP) for arm in arms),
    }, []


def _fill_bombed(charts: Book, firers: Pieces, targets: Pieces, form: Values) -> tuple[Json, list[str]]:
    """How many of each class a bombardment may take (14.81)."""
    rows = name_rows((*firers, *targets))
    chosen = (ChosenOfSort(**{**row, "state": tuple(row["state"])}) for row in rows)
    return {"who": rows, **count_classes(chosen)}, []


def _fill_p(charts: Book, firers: Pieces, targets: Pieces, form: Values) -> tuple[Json, list[str]]:
    """Who is under a P, and what decides whether they retreat (9.87 to 9.884)."""
    pieces = sorted((*firers, *targets), key=_rank)
    arms = [arm(piece) for piece in pieces]
    return {
        "who": name_rows(pieces),
        "side": pieces[0].counter.side,
        "fortification": Arm.FORTIFICATION in arms,
        "nkvd": Arm.NKVD in arms,
        "leader": any(arm.is_leader for arm in arms),
    }, []


def _fill_survival(charts: Book, firers: Pieces, targets: Pieces, form: Values) -> tuple[Json, list[str]]:
    """The leader who rolls (18.33)."""
    pieces = (*firers, *targets)
    if len(pieces) > 1 or not arm(pieces[0]).is_leader:
        raise BadInput({"targets": "One leader rolls at a time (18.33)."})
    key = next((key for key, word in COMMANDERS.items() if word.casefold() == pieces[0].counter.name.casefold()), "")
    return {"who": name_rows(pieces), "side": pieces[0].counter.side, "leader": key}, []


def _fill_tank(charts: Book, firers: Pieces, targets: Pieces, form: Values) -> tuple[Json, list[str]]:
    """The Soviet tank that rolls (16.31, 16.33)."""
    pieces = (*firers, *targets)
    if len(pieces) > 1 or arm(pieces[0]) is not Arm.TANK or pieces[0].counter.side != Side.SOVIET.value:
        raise BadInput({"targets": "One Soviet tank that still runs rolls at a time (16.31, 16.33)."})
    return {"who": name_rows(pieces)}, []


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
    "anti-aircraft": _fill_anti_aircraft,
    "interdiction": _fill_interdiction,
    "silent-guns": _fill_silence,
    "integrity": _fill_integrity,
    "counter-attack": _fill_counter_attack,
    "infiltration": _fill_infiltration,
    "mine-dog": _fill_dog,
    "nkvd": _fill_nkvd,
    "may-counter-attack": _fill_may_counter_attack,
    "permissions": _fill_permissions,
    "reserves": _fill_reserves,
    "movement": _fill_movement,
    "dismount": _fill_dismounting,
    "losses": _fill_losses,
    "bombardment-losses": _fill_bombed,
    "p-result": _fill_p,
    "leader-survival": _fill_survival,
    "tank": _fill_tank,
    "breakthrough": _fill_breakthrough,
    "stacking": _fill_stacking,
    "passage": _fill_passage,
    "advance": _fill_advance,
}


def _is_gun(piece: Piece) -> bool:
    """Guns that fire indirectly, but not Stukas."""
    return arm(piece).is_indirect and arm(piece) is not Arm.STUKA


def _find_far_guns(fighting: Pieces, targets: Pieces) -> Pieces:
    """Guns that certainly fire indirectly: one in the next hex may fire directly (9.101)."""
    guns = [piece for piece in fighting if _is_gun(piece) and _is_beyond(piece, targets, 1)]
    return [*guns, *(piece for piece in _list_flak(fighting) if _is_beyond(piece, targets, piece.kind.range or 0))]


def _is_beyond(piece: Piece, targets: Pieces, reach: int) -> bool:
    """Whether the target is certainly farther away than that."""
    return bool(targets) and (find_distance(piece.counter.place, targets[0].counter.place) or 0) > reach


def _list_flak(fighting: Pieces) -> Pieces:
    return [piece for piece in fighting if arm(piece) is Arm.FLAK_88]


def _find_flak(fighting: Pieces, targets: Pieces) -> Pieces:
    """88s that fire directly: within the shorter of their ranges, or from an unknown distance (2.25, 14.03)."""
    return [piece for piece in _list_flak(fighting) if not _is_beyond(piece, targets, piece.kind.range or 0)]


def _attacks(arm: Arm) -> bool:
    return arm.unit is not None and arm.unit.attacks


def _all_armored(targets: Pieces) -> bool:
    """Nothing but armour: such a hex gains nothing from its fortification (17.31)."""
    fighting = [arm(piece) for piece in targets if arm(piece).is_combat_unit]
    return bool(fighting) and all(arm.is_armored for arm in fighting)


def _has_escort(direct: Pieces) -> bool:
    """Armour in one hex with German infantry or engineers, Soviet Guards or Marines (9.71)."""
    return any(
        any(arm(piece).is_armored for piece in group) and any(_escorts(piece) for piece in group)
        for _, group in _by_place(direct)
    )


def _escorts(piece: Piece) -> bool:
    is_german = piece.counter.side == Side.GERMAN.value
    return arm(piece).is_foot if is_german else arm(piece) in (Arm.GUARDS, Arm.MARINE)


def _by_place(pieces: Pieces) -> list[tuple[str, list[Piece]]]:
    """Counters by their hex; those that stand nowhere form one group."""

    def place(piece: Piece) -> str:
        return piece.counter.place

    return [(name, list(group)) for name, group in groupby(sorted(pieces, key=place), key=place)]


# Unit integrity (9.73)


def count_integrity(charts: Book, firers: Pieces, targets: Pieces, form: Values) -> Values:
    """What formations add, to an attack and to fire."""
    return integrity(charts=charts, **find_formations(firers, targets, form)).details


def find_formations(firers: Pieces, targets: Pieces, form: Values) -> dict[str, bool]:
    """What 9.73 asks of those who fire and of their target. Only infantry pays for mixing: a division's own units
    and independent ones never do (S-69)."""
    hexes = [(name, group) for name, group in _by_place(firers) if name]
    foot = [[piece for piece in group if arm(piece).is_infantry] for _, group in hexes]
    tanks = [[piece for piece in group if arm(piece) in (Arm.TANK, Arm.STUG)] for _, group in hexes]
    return {
        "same_battalion": any(_most(group, _battalion, *_ELITE) >= 2 for group in foot),
        "mixed_battalions": any(_is_mixed(group, _battalion) for group in foot),
        "same_regiment": _is_regiment_together([piece for group in foot for piece in group]),
        "mixed_regiments": any(_is_mixed(group, _regiment) for group in foot),
        "defenders_mixed": len({piece.kind.formation for piece in targets if _counts_formation(piece)}) > 1,
        "mixed_divisions": any(len({piece.kind.formation for piece in group} - {""}) > 1 for group in foot),
        "armor_battalion": any(_most(group, _tank_unit) >= 3 for group in tanks),
        "armor_pair": any(_most(group, _tank_unit) >= 2 for group in tanks),
        "defenders_clear": Terrain(str(form.get("terrain") or Terrain.CLEAR.value)).is_clear,
        "leader_of_formation": any(_leads(group) for _, group in hexes),
    }


_ELITE = (Arm.GUARDS, Arm.MARINE)


def _is_counted(piece: Piece, *soviet: Arm) -> bool:
    """German infantry, and of the Soviets these."""
    return piece.counter.side == Side.GERMAN.value or arm(piece) in soviet


def _regiment(piece: Piece) -> tuple[str, str]:
    return piece.kind.formation, piece.kind.regiment


def _battalion(piece: Piece) -> tuple[str, ...]:
    return (*_regiment(piece), piece.kind.battalion) if piece.kind.battalion else ()


def _tank_unit(piece: Piece) -> tuple[str, ...]:
    return (*_regiment(piece), piece.kind.battalion) if piece.kind.battalion or piece.kind.regiment else ()


def _is_regiment_together(foot: Pieces) -> bool:
    """Whether four of one German or Guards regiment attack from two hexes."""
    counted = [piece for piece in foot if _is_counted(piece, Arm.GUARDS) and piece.kind.regiment]
    places_by_regiment = [
        [piece.counter.place for piece in counted if _regiment(piece) == regiment]
        for regiment in {_regiment(piece) for piece in counted}
    ]
    return any(len(places) >= 4 and len({*places}) >= 2 for places in places_by_regiment)


def _most(group: Pieces, unit: Callable[[Piece], tuple[str, ...]], *soviet: Arm) -> int:
    """How many in a hex belong to the unit that has the most there: Germans, and of the Soviets these."""
    unit_names = [unit(piece) for piece in group if _is_counted(piece, *soviet) and any(unit(piece))]
    return max((unit_names.count(name) for name in unit_names), default=0)


def _is_mixed(group: Pieces, unit: Callable[[Piece], tuple[str, ...]]) -> bool:
    """Whether a hex holds infantry of different units, as far as their counters say which."""
    return len({unit(piece) for piece in group if any(unit(piece)[1:])}) > 1


def _counts_formation(piece: Piece) -> bool:
    return bool(piece.kind.formation) and arm(piece).is_combat_unit and arm(piece) not in (Arm.SNIPER, Arm.TRAIN)


def _leads(group: Pieces) -> bool:
    """A leader or commissar of a formation that is there with infantry; not Pavlov, not Herman."""
    formations = {piece.kind.formation for piece in group if arm(piece).is_infantry and piece.kind.formation}
    return any(arm(piece) in (Arm.LEADER, Arm.COMMISSAR) and piece.kind.formation in formations for piece in group)
