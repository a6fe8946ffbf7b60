"""What the forms of rolls are filled with from the counters that players tapped, and how that comes about.

What nobody has said of a counter is asked once (4.1). What only a map tells stays with players and chart.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from firefight.engine.board.counters import NO_ACCOUNT, Account, AskedValue, LackingValues, Piece, counter_sources
from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput
from firefight.engine.text import join_words
from firefight.engine.values import Json, Values

from .areas import is_zone, name_area, read_areas
from .becoming import count_dots, find_marker
from .kinds import MOST_AF, MOST_DF, PRINTED, CounterClass, Transport
from .sides import Time
from .terms import Group, Kind
from .units import Attacker, Defender

Pieces = Sequence[Piece]
LONGEST_GUN = 16  # characters by which a match keeps that artillery has fired
OF_GROUPS = ("attack", "defensive-value", "payment")
OF_AREAS = ("entry-cost", "stack")


def explain_tapped(charts: Book, slug: str, firers: Pieces, targets: Pieces, known: Values) -> tuple[Json, Account]:
    """What counters fill of a form, in words, too. Raises BadInput with every reason why they cannot do that,
    LackingValues for what nobody has told of them."""
    filler = _FILLERS.get(slug)
    if filler is None or not (firers or targets):
        return {}, NO_ACCOUNT
    filled, words = filler(charts, firers, targets, known)
    return filled, Account(words, counter_sources(each.kind.origin for each in (*firers, *targets)))


def list_group(slug: str, firers: Pieces, targets: Pieces, everybody: Iterable[Piece]) -> Sequence[str]:
    """All of the Group that a target is of: an attack is on all of it (8.33); or all of its side in its Area (7.1)."""
    if slug not in (*OF_GROUPS, *OF_AREAS) or not targets or not targets[0].counter.place:
        return ()
    first = targets[0]
    there = [each for each in everybody if is_beside(each, first) and each.kind.sort.is_combat_unit]
    return [each.counter.id for each in there if slug in OF_AREAS or group_of(each) is group_of(first)]


def is_beside(one: Piece, other: Piece) -> bool:
    """Whether both are of one side, in one Area, and in play."""
    same = (one.counter.side, one.counter.place) == (other.counter.side, other.counter.place)
    return same and one.counter.in_play


def group_of(piece: Piece) -> Group:
    """Fresh or Spent (8.33)."""
    return Group.SPENT if count_dots(piece.counter) else Group.FRESH


# Values


def _ask(pieces: Pieces, names: Callable[[Piece], str], most: int) -> None:
    """Raise LackingValues for what nobody has told of these counters."""
    if lacking := [each for each in pieces if each.kind.find(names(each)) is None]:
        raise LackingValues(AskedValue.of(each, names(each), PRINTED[names(each)], 0, most) for each in lacking)


def _defence_name(piece: Piece) -> str:
    return "back" if group_of(piece) is Group.SPENT else "df"


def list_attackers(pieces: Pieces, area: str, time: Time = Time.DAY) -> list[Attacker]:
    """Counters as the rows of an attack, the strongest first, who cannot lead last. Raises LackingValues."""

    def name(piece: Piece) -> str:
        return "night" if piece.kind.sort is CounterClass.ARTILLERY and time is Time.NIGHT else "af"

    _ask(pieces, name, MOST_AF)
    rows = [
        Attacker(
            None if each.kind.sort.leads_none else each.kind.find(name(each)),
            each.kind.parent,
            find_marker(each.counter),
            each.kind.sort is CounterClass.ARMOUR,
            each.kind.sort is CounterClass.ENGINEER,
            ranged=bool(area) and each.counter.place != area,
            name=each.counter.name,
            id=each.counter.id,
        )
        for each in pieces
    ]
    return sorted(rows, key=lambda row: (row.factor is None, -row.strength, row.name))


def list_defenders(pieces: Pieces) -> list[Defender]:
    """Counters as the rows of a Group: the strongest first, of equals who has more dots. Raises LackingValues."""
    _ask(pieces, _defence_name, MOST_DF)
    ranked = sorted(pieces, key=lambda each: (-_strength_of(each), -count_dots(each.counter), each.counter.number))
    return [
        Defender(
            each.kind.find(_defence_name(each)),
            each.kind.sort is CounterClass.ARMOUR,
            each.kind.sort is CounterClass.AA,
            find_marker(each.counter),
            each.counter.name,
            each.counter.id,
        )
        for each in ranked
    ]


def _strength_of(piece: Piece) -> int:
    return int(piece.kind.find(_defence_name(piece))) - find_marker(piece.counter)


# Who and where


def _name(pieces: Iterable[Piece]) -> str:
    return join_words(each.counter.name for each in pieces)


def _find_area(pieces: Pieces, role: str) -> str:
    """The one Area in which all of them stand, "" where nobody has said it. Raises BadInput for several."""
    areas = {each.counter.place for each in pieces}
    if len(areas) > 1:
        raise BadInput({role: f"{_name(pieces)} stand in several Areas: choose those of one (8.1, 8.3)."})
    return areas.pop() if areas else ""


def _check_attackers(firers: Pieces) -> None:
    """Raise BadInput for who cannot attack now (4.2, 8.13, 15.2, 17.2)."""
    if spent := [each for each in firers if count_dots(each.counter)]:
        raise BadInput({"firers": f"{_name(spent)}: Spent, and so no attack (4.2, 8.13)."})
    lone = [each for each in firers if not each.kind.sort.is_combat_unit]
    if lone and len(firers) > 1:
        raise BadInput({"firers": f"{_name(lone)}: artillery and aircraft attack alone (15.2, 17.2)."})


def _find_start(charts: Book, firers: Pieces, area: str) -> str:
    """The Area from which those attack who do not stand in the one that they attack. Raises BadInput where they cannot.

    Attackers of one attack are of one Area, and reach the next one (8.3, 8.31).
    """
    start = _find_area([each for each in firers if each.counter.place != area], "firers")
    if start and area and not is_zone(start):
        near = read_areas(charts).neighbours(start)
        if near.are_all and area not in near.names:
            raise BadInput({"firers": f"{name_area(start)} does not touch {name_area(area)} (8.3)."})
    return start


def _find_kind(firers: Pieces, area: str) -> Kind:
    """How an attack is made, by who makes it and from where (8.31, 15.2, 17.2)."""
    sorts = {each.kind.sort for each in firers}
    if CounterClass.AIRCRAFT in sorts:
        return Kind.AIR
    if CounterClass.ARTILLERY in sorts:
        return Kind.GERMAN_ARTILLERY
    away = [each for each in firers if each.counter.place != area] if area else []
    return Kind.INSIDE if not away else Kind.RANGED if len(away) == len(firers) else Kind.MIXED


# The rolls

Filled = tuple[Json, str]


def _fill_group(targets: Pieces) -> Json:
    """The Group that is attacked."""
    if odd := [each for each in targets if not each.kind.sort.is_combat_unit]:
        raise BadInput({"targets": f"{_name(odd)}: artillery and aircraft are never attacked (4.25, 4.26)."})
    area, groups = _find_area(targets, "targets"), {group_of(each) for each in targets}
    if len(groups) > 1:
        raise BadInput({"targets": "Choose the Fresh or the Spent ones: an attack is on one Group (8.33)."})
    rows = list_defenders(targets)
    group = next(iter(groups), Group.FRESH)
    return {
        "defenders": [row.plain() for row in rows],
        "defending_units": len(rows),
        "group": group.value,
        "area": area,
    }


def _fill_attack(charts: Book, firers: Pieces, targets: Pieces, known: Values) -> Filled:
    filled: Json = _fill_group(targets) if targets else {}
    if not firers:
        return filled, ""
    _check_attackers(firers)
    area = str(filled.get("area") or known.get("area") or "")
    kind = _find_kind(firers, area)
    start = _find_start(charts, firers, area) if kind.is_ground else ""
    filled |= {"attacker": firers[0].counter.side, "kind": kind.value, "start": start or area}
    if kind is Kind.AIR:
        return filled, ""
    rows = list_attackers(firers, area, Time(str(known.get("time") or Time.DAY.value)))
    if kind is Kind.GERMAN_ARTILLERY:
        filled["battery"] = firers[0].counter.name[:LONGEST_GUN]
    elif rows[0].factor is None:
        raise BadInput({"firers": f"{_name(firers)}: AT and AA, marked *, do not lead an attack (8.35)."})
    filled["attackers"] = [_plain_attacker(row, kind) for row in rows]
    return filled, ""


def _plain_attacker(row: Attacker, kind: Kind) -> Json:
    """Who is Ranged is told only where others are not."""
    return {name: value for name, value in row.plain().items() if name != "ranged" or kind is Kind.MIXED}


def _fill_offence(charts: Book, firers: Pieces, targets: Pieces, known: Values) -> Filled:
    own = firers or targets
    rows = list_attackers(own, "", Time(str(known.get("time") or Time.DAY.value)))
    return {"side": own[0].counter.side, "attackers": [row.plain() for row in rows]}, ""


def _fill_defence(charts: Book, firers: Pieces, targets: Pieces, known: Values) -> Filled:
    group = _fill_group(targets)
    return {"side": targets[0].counter.side, "defenders": group["defenders"], "area": group["area"]}, ""


def _fill_payment(charts: Book, firers: Pieces, targets: Pieces, known: Values) -> Filled:
    group = _fill_group(targets)
    units = {"units": group["defenders"], "group": group["group"], "area": group["area"]}
    return {**units, "side": targets[0].counter.side}, ""


def _fill_retreat(charts: Book, firers: Pieces, targets: Pieces, known: Values) -> Filled:
    if fresh := [each for each in targets if group_of(each) is Group.FRESH]:
        raise BadInput({"targets": f"{_name(fresh)}: only Spent units retreat (8.355)."})
    named = [{"name": each.counter.name, "id": each.counter.id} for each in targets]
    start = _find_area(targets, "targets")
    return {"side": targets[0].counter.side, "start": start, "units": len(named), "who": named}, ""


def _fill_move(charts: Book, firers: Pieces, targets: Pieces, known: Values) -> Filled:
    moving = firers or targets
    fresh = [each for each in moving if group_of(each) is Group.FRESH]
    _ask(fresh, lambda each: "mf", MOST_DF)
    named = [{"name": each.counter.name, "id": each.counter.id} for each in moving]
    return {"start": _find_area(moving, "targets"), "who": named, "regroups": not fresh}, ""


def _fill_dawn(charts: Book, firers: Pieces, targets: Pieces, known: Values) -> Filled:
    return {"units": [plain_at_dawn(each, in_supply=False) for each in targets]}, ""


def plain_at_dawn(piece: Piece, in_supply: bool) -> Json:
    """A counter as a row of Dawn."""
    counter = piece.counter
    row: Json = {"duration": count_dots(counter), "marker": find_marker(counter), "in_supply": in_supply}
    marked = {name: value for name, value in row.items() if value or name == "duration"}
    return {**marked, "name": counter.name, "id": counter.id}


def _fill_supply(charts: Book, firers: Pieces, targets: Pieces, known: Values) -> Filled:
    return {"side": targets[0].counter.side, "start": _find_area(targets, "targets")}, ""


def _fill_isolation(charts: Book, firers: Pieces, targets: Pieces, known: Values) -> Filled:
    one = targets[:1]
    _ask(one, lambda each: "af", MOST_AF)
    _ask(one, _defence_name, MOST_DF)
    _ask(one, lambda each: "mf", MOST_DF)
    kind = one[0].kind
    af = "*" if kind.sort.leads_none else str(kind.find("af"))
    return {
        "af": af,
        "df": kind.find(_defence_name(one[0])),
        "mf": kind.find("mf"),
        "level": find_marker(one[0].counter),
    }, ""


def _fill_movement(charts: Book, firers: Pieces, targets: Pieces, known: Values) -> Filled:
    one = targets[:1]
    if count_dots(one[0].counter):
        raise BadInput(
            {"targets": f"{_name(one)}: Spent, and so it moves by Regrouping or a retreat alone (4.2, 8.13)."}
        )
    _ask(one, lambda each: "mf", MOST_DF)
    kind, level = one[0].kind, find_marker(one[0].counter)
    return {"printed": kind.find("mf"), "kind": Transport(kind.transport).value, "level": level}, ""


def _fill_stack(charts: Book, firers: Pieces, targets: Pieces, known: Values) -> Filled:
    area = _find_area(targets, "targets")
    counted = [each for each in targets if each.kind.sort.is_combat_unit]
    return {"combat_units": len(counted), "zone": is_zone(area)}, ""


def _fill_entry(charts: Book, firers: Pieces, targets: Pieces, known: Values) -> Filled:
    groups = [group_of(each) for each in targets]
    area = _find_area(targets, "targets")
    return {"fresh_enemy": groups.count(Group.FRESH), "spent_enemy": groups.count(Group.SPENT), "area": area}, ""


def _fill_disruption(charts: Book, firers: Pieces, targets: Pieces, known: Values) -> Filled:
    return {"current": count_dots(targets[0].counter)}, ""


def _fill_infiltration(charts: Book, firers: Pieces, targets: Pieces, known: Values) -> Filled:
    one = targets[0]
    is_foot = one.counter.side == "russian" and one.kind.sort.is_foot
    return {"not_fresh": bool(count_dots(one.counter)), "not_infantry": not is_foot}, ""


def _fill_regroup(charts: Book, firers: Pieces, targets: Pieces, known: Values) -> Filled:
    return {"isolated": bool(find_marker(targets[0].counter))}, ""


Filler = Callable[[Book, Pieces, Pieces, Values], Filled]
_FILLERS: Mapping[str, Filler] = {
    "attack": _fill_attack,
    "offensive-value": _fill_offence,
    "defensive-value": _fill_defence,
    "payment": _fill_payment,
    "move": _fill_move,
    "retreat": _fill_retreat,
    "dawn": _fill_dawn,
    "supply": _fill_supply,
    "isolation": _fill_isolation,
    "movement": _fill_movement,
    "stack": _fill_stack,
    "entry-cost": _fill_entry,
    "disruption": _fill_disruption,
    "infiltration": _fill_infiltration,
    "regroup": _fill_regroup,
}
