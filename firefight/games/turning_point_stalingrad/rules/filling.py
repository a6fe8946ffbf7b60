"""What the forms of rolls are filled with from the counters that players tapped, and how that comes about.

What nobody has said about a counter is asked once (4.1). What only a map shows stays with players and chart.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

from firefight.engine.board.counters import NO_ACCOUNT, Account, AskedValue, LackingValues, Piece, counter_sources
from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput
from firefight.engine.text import join_words
from firefight.engine.values import Json, Values

from .areas import is_zone, name_area, read_areas
from .becoming import count_dots, find_marker
from .kinds import MOST_AF, MOST_DF, PRINTED, CounterClass
from .sides import Time
from .terms import Group, Kind
from .units import Attacker, Defender

Pieces = Sequence[Piece]
LONGEST_GUN = 16  # characters of the name under which a match keeps that artillery has fired
OF_GROUPS = ("attack", "defensive-value", "payment")
OF_AREAS = ("entry-cost", "stack")


def explain_tapped(charts: Book, slug: str, firers: Pieces, targets: Pieces, known: Values) -> tuple[Json, Account]:
    """What counters fill in of a form, and that in words. Raises BadInput with every reason why they cannot do that,
    LackingValues for values of theirs that nobody has given."""
    filler = _FILLERS.get(slug)
    if filler is None or not (firers or targets):
        return {}, NO_ACCOUNT
    filled, words = filler(charts, firers, targets, known)
    return filled, Account(words, counter_sources(piece.kind.origin for piece in (*firers, *targets)))


def list_group(slug: str, firers: Pieces, targets: Pieces, everybody: Iterable[Piece]) -> Sequence[str]:
    """All of a target's Group, since an attack is on all of it (8.33); or all of its side in its Area (7.1)."""
    if slug not in (*OF_GROUPS, *OF_AREAS) or not targets or not targets[0].counter.place:
        return ()
    target = targets[0]
    stack = [piece for piece in everybody if is_beside(piece, target) and piece.kind.sort.is_combat_unit]
    return [piece.counter.id for piece in stack if slug in OF_AREAS or group_of(piece) is group_of(target)]


def is_beside(piece: Piece, other: Piece) -> bool:
    """Whether both are of one side, in one Area, and in play."""
    same = (piece.counter.side, piece.counter.place) == (other.counter.side, other.counter.place)
    return same and piece.counter.in_play


def group_of(piece: Piece) -> Group:
    """Fresh or Spent (8.33)."""
    return Group.SPENT if count_dots(piece.counter) else Group.FRESH


# Values


def _ask(pieces: Pieces, names: Callable[[Piece], str], most: int) -> None:
    """Raise LackingValues for values of these counters that nobody has given."""
    if lacking := [piece for piece in pieces if piece.kind.find(names(piece)) is None]:
        raise LackingValues(AskedValue.of(piece, names(piece), PRINTED[names(piece)], 0, most) for piece in lacking)


def _defence_name(piece: Piece) -> str:
    return "back" if group_of(piece) is Group.SPENT else "df"


def list_attackers(pieces: Pieces, area: str, time: Time = Time.DAY) -> list[Attacker]:
    """Counters as the rows of an attack, the strongest first, those that cannot lead last. Raises LackingValues."""

    def name(piece: Piece) -> str:
        return "night" if piece.kind.sort is CounterClass.ARTILLERY and time is Time.NIGHT else "af"

    _ask(pieces, name, MOST_AF)
    rows = [
        Attacker(
            None if piece.kind.sort.leads_none else piece.kind.find(name(piece)),
            piece.kind.parent,
            find_marker(piece.counter),
            piece.kind.sort is CounterClass.ARMOUR,
            piece.kind.sort is CounterClass.ENGINEER,
            ranged=bool(area) and piece.counter.place != area,
            name=piece.counter.name,
            id=piece.counter.id,
        )
        for piece in pieces
    ]
    return sorted(rows, key=lambda row: (row.factor is None, -row.strength, row.name))


def list_defenders(pieces: Pieces) -> list[Defender]:
    """Counters as the rows of a Group: the strongest first, of equals the one with more dots. Raises LackingValues."""
    _ask(pieces, _defence_name, MOST_DF)
    ranked = sorted(pieces, key=lambda piece: (-_strength_of(piece), -count_dots(piece.counter), piece.counter.number))
    return [
        Defender(
            piece.kind.find(_defence_name(piece)),
            piece.kind.sort is CounterClass.ARMOUR,
            piece.kind.sort is CounterClass.AA,
            find_marker(piece.counter),
            piece.counter.name,
            piece.counter.id,
        )
        for piece in ranked
    ]


def _strength_of(piece: Piece) -> int:
    return int(piece.kind.find(_defence_name(piece))) - find_marker(piece.counter)


# Units and Areas


def _name(pieces: Iterable[Piece]) -> str:
    return join_words(piece.counter.name for piece in pieces)


def _list_names(pieces: Iterable[Piece]) -> list[Json]:
    """Counters as the rows of a list by name."""
    return [{"name": piece.counter.name, "id": piece.counter.id} for piece in pieces]


def _find_area(pieces: Pieces, role: str) -> str:
    """The one Area in which all of them stand, "" where nobody has said it. Raises BadInput for several."""
    areas = {piece.counter.place for piece in pieces}
    if len(areas) > 1:
        raise BadInput({role: f"{_name(pieces)} stand in several Areas: choose those of one (8.1, 8.3)."})
    return areas.pop() if areas else ""


def _check_attackers(firers: Pieces) -> None:
    """Raise BadInput for those that cannot attack now (4.2, 8.13, 15.2, 17.2)."""
    if spent := [piece for piece in firers if count_dots(piece.counter)]:
        raise BadInput({"firers": f"{_name(spent)}: Spent, and so no attack (4.2, 8.13)."})
    lone = [piece for piece in firers if not piece.kind.sort.is_combat_unit]
    if lone and len(firers) > 1:
        raise BadInput({"firers": f"{_name(lone)}: artillery and aircraft attack alone (15.2, 17.2)."})


def _find_start(charts: Book, firers: Pieces, area: str) -> str:
    """The Area of those that attack from outside the Area attacked. Raises BadInput where they cannot.

    The attackers of one attack come from one Area, and reach the next one (8.3, 8.31).
    """
    start = _find_area([piece for piece in firers if piece.counter.place != area], "firers")
    if start and area and not is_zone(start):
        near = read_areas(charts).neighbours(start)
        if near.are_all and area not in near.names:
            raise BadInput({"firers": f"{name_area(start)} does not touch {name_area(area)} (8.3)."})
    return start


def _find_kind(firers: Pieces, area: str) -> Kind:
    """How an attack is made, by those who make it and from where (8.31, 15.2, 17.2)."""
    sorts = {piece.kind.sort for piece in firers}
    if CounterClass.AIRCRAFT in sorts:
        return Kind.AIR
    if CounterClass.ARTILLERY in sorts:
        return Kind.GERMAN_ARTILLERY
    away = [piece for piece in firers if piece.counter.place != area] if area else []
    return Kind.INSIDE if not away else Kind.RANGED if len(away) == len(firers) else Kind.MIXED


# The rolls

Filled = tuple[Json, str]


def _fill_group(targets: Pieces) -> Json:
    """The Group that is attacked."""
    if odd := [piece for piece in targets if not piece.kind.sort.is_combat_unit]:
        raise BadInput({"targets": f"{_name(odd)}: artillery and aircraft are never attacked (4.25, 4.26)."})
    area, groups = _find_area(targets, "targets"), {group_of(piece) for piece in targets}
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


def _fill_attack(charts: Book, firers: Pieces, targets: Pieces, answers: Values) -> Filled:
    filled: Json = _fill_group(targets) if targets else {}
    if not firers:
        return filled, ""
    _check_attackers(firers)
    area = str(filled.get("area") or answers.get("area") or "")
    kind = _find_kind(firers, area)
    start = _find_start(charts, firers, area) if kind.is_ground else firers[0].counter.place
    filled |= {"attacker": firers[0].counter.side, "kind": kind.value, "start": start or area}
    if kind is Kind.AIR:
        return filled, ""
    rows = list_attackers(firers, area, Time(str(answers.get("time") or Time.DAY.value)))
    if kind is Kind.GERMAN_ARTILLERY:
        filled["battery"] = firers[0].counter.name[:LONGEST_GUN]
    elif rows[0].factor is None:
        raise BadInput({"firers": f"{_name(firers)}: AT and AA, marked *, do not lead an attack (8.35)."})
    filled["attackers"] = [_plain_attacker(row, kind) for row in rows]
    return filled, ""


def _plain_attacker(row: Attacker, kind: Kind) -> Json:
    """A row says that its unit is Ranged only where others are not."""
    return {name: value for name, value in row.plain().items() if name != "ranged" or kind is Kind.MIXED}


def _fill_offence(charts: Book, firers: Pieces, targets: Pieces, answers: Values) -> Filled:
    pieces = firers or targets
    rows = list_attackers(pieces, "", Time(str(answers.get("time") or Time.DAY.value)))
    return {"side": pieces[0].counter.side, "attackers": [row.plain() for row in rows]}, ""


def _fill_defence(charts: Book, firers: Pieces, targets: Pieces, answers: Values) -> Filled:
    group = _fill_group(targets)
    return {"side": targets[0].counter.side, "defenders": group["defenders"], "area": group["area"]}, ""


def _fill_payment(charts: Book, firers: Pieces, targets: Pieces, answers: Values) -> Filled:
    group = _fill_group(targets)
    units = {"units": group["defenders"], "group": group["group"], "area": group["area"]}
    return {**units, "side": targets[0].counter.side}, ""


def _fill_retreat(charts: Book, firers: Pieces, targets: Pieces, answers: Values) -> Filled:
    if fresh := [piece for piece in targets if group_of(piece) is Group.FRESH]:
        raise BadInput({"targets": f"{_name(fresh)}: only Spent units retreat (8.355)."})
    rows = _list_names(targets)
    start = _find_area(targets, "targets")
    return {"side": targets[0].counter.side, "start": start, "units": len(rows), "who": rows}, ""


def _fill_move(charts: Book, firers: Pieces, targets: Pieces, answers: Values) -> Filled:
    moving = firers or targets
    fresh = [piece for piece in moving if group_of(piece) is Group.FRESH]
    _ask(fresh, lambda piece: "mf", MOST_DF)
    rows = _list_names(moving)
    return {"start": _find_area(moving, "targets"), "who": rows, "regroups": not fresh}, ""


def _fill_ferry(charts: Book, firers: Pieces, targets: Pieces, answers: Values) -> Filled:
    crossing = firers or targets
    rows, landing = _list_names(crossing), _find_area(crossing, "targets")
    return {"who": rows, "crossing_units": len(rows), **({"landing": landing} if landing else {})}, ""


def _fill_crossing(charts: Book, firers: Pieces, targets: Pieces, answers: Values) -> Filled:
    counter = (firers or targets)[0].counter
    back: Json = {"recross": True, "area": counter.place} if counter.place else {}
    return {"name": counter.name, "id": counter.id, **back}, ""


def _fill_dawn(charts: Book, firers: Pieces, targets: Pieces, answers: Values) -> Filled:
    return {"units": [plain_at_dawn(piece, in_supply=False) for piece in targets]}, ""


def plain_at_dawn(piece: Piece, in_supply: bool) -> Json:
    """A counter as a row of Dawn."""
    counter = piece.counter
    row: Json = {"duration": count_dots(counter), "marker": find_marker(counter), "in_supply": in_supply}
    marked = {name: value for name, value in row.items() if value or name == "duration"}
    return {**marked, "name": counter.name, "id": counter.id}


def _fill_supply(charts: Book, firers: Pieces, targets: Pieces, answers: Values) -> Filled:
    return {"side": targets[0].counter.side, "start": _find_area(targets, "targets")}, ""


def _fill_isolation(charts: Book, firers: Pieces, targets: Pieces, answers: Values) -> Filled:
    tapped = targets[:1]
    _ask(tapped, lambda piece: "af", MOST_AF)
    _ask(tapped, _defence_name, MOST_DF)
    _ask(tapped, lambda piece: "mf", MOST_DF)
    kind = tapped[0].kind
    af = "*" if kind.sort.leads_none else str(kind.find("af"))
    return {
        "af": af,
        "df": kind.find(_defence_name(tapped[0])),
        "mf": kind.find("mf"),
        "level": find_marker(tapped[0].counter),
    }, ""


def _fill_movement(charts: Book, firers: Pieces, targets: Pieces, answers: Values) -> Filled:
    tapped = targets[:1]
    if count_dots(tapped[0].counter):
        raise BadInput(
            {"targets": f"{_name(tapped)}: Spent, and so it moves by Regrouping or a retreat alone (4.2, 8.13)."}
        )
    _ask(tapped, lambda piece: "mf", MOST_DF)
    kind, level = tapped[0].kind, find_marker(tapped[0].counter)
    return {"printed": kind.find("mf"), "kind": kind.transport.value, "level": level}, ""


def _fill_stack(charts: Book, firers: Pieces, targets: Pieces, answers: Values) -> Filled:
    area = _find_area(targets, "targets")
    counted = [piece for piece in targets if piece.kind.sort.is_combat_unit]
    return {"combat_units": len(counted), "zone": is_zone(area)}, ""


def _fill_entry(charts: Book, firers: Pieces, targets: Pieces, answers: Values) -> Filled:
    groups = [group_of(piece) for piece in targets]
    area = _find_area(targets, "targets")
    return {"fresh_enemy": groups.count(Group.FRESH), "spent_enemy": groups.count(Group.SPENT), "area": area}, ""


def _fill_disruption(charts: Book, firers: Pieces, targets: Pieces, answers: Values) -> Filled:
    return {"current": count_dots(targets[0].counter)}, ""


def _fill_infiltration(charts: Book, firers: Pieces, targets: Pieces, answers: Values) -> Filled:
    piece = (firers or targets)[0]
    is_foot = piece.counter.side == "russian" and piece.kind.sort.is_foot
    filled: Json = {"not_fresh": bool(count_dots(piece.counter)), "not_infantry": not is_foot}
    return {**filled, "start": piece.counter.place, "name": piece.counter.name, "id": piece.counter.id}, ""


def _fill_regroup(charts: Book, firers: Pieces, targets: Pieces, answers: Values) -> Filled:
    return {"isolated": bool(find_marker(targets[0].counter))}, ""


Filler = Callable[[Book, Pieces, Pieces, Values], Filled]
_FILLERS: Mapping[str, Filler] = {
    "attack": _fill_attack,
    "offensive-value": _fill_offence,
    "defensive-value": _fill_defence,
    "payment": _fill_payment,
    "move": _fill_move,
    "retreat": _fill_retreat,
    "ferry": _fill_ferry,
    "crossing": _fill_crossing,
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
