"""A unit's next Area: what is left of its MF in this impulse, what bars the way, what a move writes down.

8.2 Movement, 8.12, 8.22 (first and second), 8.28 Regrouping, 8.34 Attack MF Cost. The counters say
what stands where, the chart what touches what. What neither knows is never refused.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from firefight.engine.board.counters import CounterChange, Piece
from firefight.engine.charts.book import Book
from firefight.engine.course.keeping import TableState
from firefight.engine.errors import BadInput, OpenQuestion
from firefight.engine.record import RecordChange, push
from firefight.engine.rolls.answers import IsShown
from firefight.engine.rolls.result import Result
from firefight.engine.text import join_words
from firefight.engine.values import Json, Values

from .areas import AREAS, name_area, read_areas
from .attacking import NEXT, list_attacks
from .becoming import ACTING, count_dots, find_marker
from .course import COURSE
from .deployment import Deployment, fill_entry
from .kinds import CounterClass
from .movement import UnitClass, attack_cost, enemy_area, entry_cost, movement, regroup, zoc_step
from .record import find_rubble
from .sides import Side, Time
from .terms import Group, Kind
from .units import NamedUnit

CLASSES = {
    CounterClass.INFANTRY: UnitClass.INFANTRY,
    CounterClass.ENGINEER: UnitClass.INFANTRY,
    CounterClass.ARMOUR: UnitClass.ARMOUR,
    CounterClass.AT: UnitClass.AT,
    CounterClass.AA: UnitClass.AA,
}


def move(
    *,
    charts: Book,
    start: str,
    goal: str,
    who: Sequence[NamedUnit] = (),
    time: Time = Time.DAY,
    mf: int | None = None,
    paid: int = 0,
    fresh_enemy: int = 0,
    spent_enemy: int = 0,
    enemy_zoc: bool = False,
    rubble: int = 0,
    regroups: bool = False,
    goals: str = "",
    artillery: bool = False,
) -> Result:
    """Units go into the next Area (8.2 Movement), or regroup (8.28 Regrouping).

    mf: what the unit with the shortest way to go has in this impulse, None where nobody knows; paid: how much of it is
    used or owed already (8.34); artillery: it does not attack where it enters, and pays for no attack (8.25); goals:
    the Areas that they may enter, and for how many MF (``write_goals``), until one is named. Raises OpenQuestion until
    then, BadInput for an Area that does not touch the one they leave, as far as the chart knows, and where the MF do
    not suffice.
    """
    if not start or not goal:
        question = (
            f"From {name_area(start)} into which Area?" if start else "From which Area, and into which other one?"
        )
        raise OpenQuestion({"goal": question})
    if start == goal:
        raise BadInput({"goal": f"They stand in {name_area(goal)}: which other Area?"})
    near = read_areas(charts).neighbours(start)
    if near.are_all and goal not in near.names:
        raise BadInput({"goal": f"{name_area(start)} does not touch {name_area(goal)} (8.2)."})
    enter, attack = price_entry(charts, fresh_enemy, spent_enemy, enemy_zoc, time, rubble)
    attacks = bool(attack) and not artillery
    cost = enter + attack if attacks else enter
    if mf is not None and not regroups and paid + cost > mf:
        owed = f", of which {paid} {'is' if paid == 1 else 'are'} used or owed (8.34)" if paid else ""
        raise BadInput({"goal": f"{name_area(goal)} takes {cost} MF (8.24); they have {mf}{owed}."})
    names = join_words(unit.name for unit in who) or "The units"
    total = 0 if regroups else cost
    mf_left = None if mf is None or regroups else mf - paid - cost
    verb = "regroup" if regroups else "move"
    return Result(
        f"{names}: {verb} from {name_area(start)} into {name_area(goal)}.",
        IsShown.SHOWN,
        details={"mf": total, "left": mf_left, "attack": 0 if regroups else attack},
        effects=tuple(_tell_move(start, goal, total, mf_left, bool(attack), attacks, regroups, goal in near.names)),
        rules=("8.28 Regrouping",) if regroups else ("8.2 Movement", "8.24 MF Costs", "8.34 Attack MF Cost"),
        changes=tuple(CounterChange(unit.id, "" if regroups else ACTING, to=goal) for unit in who if unit.id),
    )


def _tell_move(
    start: str, goal: str, cost: int, mf_left: int | None, is_held: bool, attacks: bool, regroups: bool, touches: bool
) -> Iterator[str]:
    if not regroups:
        yield f"{cost} MF{', the attack there among them' if attacks else ''}."
        yield "Nobody knows their MF: they are not counted." if mf_left is None else f"{mf_left} MF left."
    if not touches:
        yield f"The chart does not know whether {name_area(start)} touches {name_area(goal)}: taken as said."
    if is_held and not regroups:
        yield "Every Combat unit that enters has to attack (8.34)."


def price_entry(charts: Book, fresh: int, spent: int, zoc: bool, time: Time, rubble: int = 0) -> tuple[int, int]:
    """The MF that it takes to enter an Area, and to attack those in it (8.24, 8.34)."""
    costs = entry_cost(
        charts=charts,
        fresh_enemy=fresh,
        spent_enemy=spent,
        enemy_zoc=zoc,
        time=time,
        rubble=rubble,
        group=Group.FRESH,
    )
    return int(costs.details["enter"]), int(costs.details["attack"])


def price_landing(deployed: Deployment, landing: str) -> int:
    """The MF that it takes to land in an Area, and to attack those in it (18.3)."""
    entry = fill_entry(deployed, Side.RUSSIAN, landing)
    zoc = bool(entry.get("enemy_zoc"))
    rubble = find_rubble(landing, deployed.situation.record)
    fresh, spent = entry["fresh_enemy"], entry["spent_enemy"]
    return sum(price_entry(deployed.situation.book, fresh, spent, zoc, Time.NIGHT, rubble))


# This impulse


def list_steps(situation: TableState) -> list[Values]:
    """The moves and paid attacks that this impulse has seen, unit by unit."""
    impulse = COURSE.name_impulse(situation.position)
    return [step for step in situation.record["steps"] if step["impulse"] == impulse]


def list_own_steps(unit: str, situation: TableState) -> list[Values]:
    """Those of one unit, by the id of its counter."""
    return [step for step in list_steps(situation) if step["unit"] == unit]


def find_acting_area(situation: TableState) -> str:
    """The Area whose units this impulse is about (8.1); "" as long as nobody has moved or attacked on the ground."""
    attacked = [attack["start"] for attack in list_attacks(situation) if attack["start"]]
    moved = [step["origin"] for step in list_steps(situation)]
    return str(next(iter([*moved, *attacked]), ""))


def find_origins(inputs: Values, situation: TableState) -> dict[str, str]:
    """In which Area each attacker began the impulse, by its name; only of those whose counters tell."""
    deployed = Deployment.of(situation)
    pieces = find_pieces(inputs.get("attackers"), situation)
    marchers = [find_marcher(piece, deployed) for piece in pieces if piece.counter.place]
    return {marcher.name: marcher.origin for marcher in marchers}


def trace_start(inputs: Values, situation: TableState) -> Values:
    """An attack, from the Area in which its attackers began the impulse: they may have moved before it (8.1, 8.3).
    Where their counters do not tell, it stays as players said."""
    origins = {*find_origins(inputs, situation).values()}
    return {**inputs, "start": origins.pop()} if inputs.get("start") and len(origins) == 1 else inputs


def check_origins(inputs: Values, situation: TableState) -> None:
    """Raise BadInput for attackers who began the impulse in different Areas (8.3 Attacks)."""
    names_by_area: dict[str, str] = {}
    for name, area in find_origins(inputs, situation).items():
        names_by_area.setdefault(area, name)
    if len(names_by_area) > 1:
        starts = ", ".join(f"{name} in {name_area(area)}" for area, name in names_by_area.items())
        raise BadInput({"attackers": f"The impulse began with {starts}: they do not attack together (8.3)."})


@dataclass(frozen=True, slots=True)
class Marcher:
    """A unit in its side's impulse. ``origin``: where it was as that began; ``paid``: the MF that it has used or owes.

    ``is_freed``: no enemy is where it started, or is left there (8.22). ``printed``: its MF, None where nobody gave it.
    """

    piece: Piece
    side: Side
    area: str
    origin: str
    paid: int
    is_fresh: bool
    is_freed: bool
    printed: int | None

    @property
    def unit(self) -> UnitClass | None:
        """What it is among Combat units; None for artillery."""
        return CLASSES.get(self.piece.kind.sort)

    @property
    def name(self) -> str:
        """As players call it."""
        return self.piece.counter.name


def find_marcher(piece: Piece, deployed: Deployment) -> Marcher:
    """A unit as this impulse has left it so far."""
    counter, side = piece.counter, Side(piece.counter.side)
    own_steps = list_own_steps(counter.id, deployed.situation)
    origin = str(own_steps[0]["origin"]) if own_steps else counter.place
    owed = find_owed(origin, deployed.situation)
    return Marcher(
        piece,
        side,
        counter.place,
        origin,
        owed + sum(step["mf"] for step in own_steps),
        is_fresh=not count_dots(counter),
        is_freed=not deployed.find_units(side.other, origin),
        printed=piece.kind.find("mf"),
    )


def find_owed(origin: str, situation: TableState) -> int:
    """The MF of attacks on enemies who began the impulse in the same Area: friends there who did not attack owe them,
    too, before they move or attack out of it (8.34 Attack MF Cost)."""
    inside_attacks = [attack for attack in list_attacks(situation) if attack["area"] == attack["start"] == origin]
    return sum(
        attack_cost(situation.book, Group(attack["group"]))
        for attack in inside_attacks
        if Kind(attack["kind"]).is_ground
    )


def find_allowance(marcher: Marcher, goal: str, deployed: Deployment) -> int | None:
    """A unit's MF if it goes into an Area (8.26, 8.27, 12.21, 16.3); None where nobody has given them.

    Where the text leaves open whether the MF of the night is doubled (A-16), the higher number counts.
    """
    if marcher.printed is None:
        return None
    time, enemy = COURSE.day_of(deployed.situation.position)[1], marcher.side.other
    attacked = {attack["area"] for attack in list_attacks(deployed.situation)}
    has_attacked = any(
        step["area"] in attacked for step in list_own_steps(marcher.piece.counter.id, deployed.situation)
    )
    allowance = movement(
        charts=deployed.situation.book,
        printed=marcher.printed,
        kind=marcher.piece.kind.transport,
        level=find_marker(marcher.piece.counter),
        attacks=has_attacked
        or bool(find_owed(marcher.origin, deployed.situation))
        or (marcher.unit is not None and bool(deployed.find_units(enemy, goal))),
        leaves_enemy_area=not marcher.is_freed,
        enters_enemy_control_or_rubble=bool(find_rubble(goal, deployed.situation.record))
        or (bool(deployed.german_areas) and deployed.is_controlled(enemy, goal)),
        russian_fresh_night=marcher.side is Side.RUSSIAN and time is Time.NIGHT,
    ).details
    return int(max(allowance["readings"]) if allowance["mf"] is None else allowance["mf"])


# What bars the way


def find_bars(marcher: Marcher, goal: str, company: Sequence[Marcher], deployed: Deployment) -> list[str]:
    """Every reason why a unit does not go into an Area now, in sentences; none where nobody knows of any.

    ``company``: the units that go with it.
    """
    if marcher.piece.kind.sort is CounterClass.AIRCRAFT:
        return ["Aircraft do not move (17.2)."]
    near = deployed.areas.neighbours(marcher.area)
    if near.are_all and goal not in near.names:
        return [f"{name_area(marcher.area)} does not touch {name_area(goal)} (8.2)."]
    if not marcher.is_fresh:
        return _bar_regrouping(marcher, goal, deployed)
    return [
        *find_exit_bars(marcher, goal, deployed),
        *_bar_entering(marcher, goal, company, deployed),
        *_bar_price(marcher, goal, deployed),
    ]


def find_exit_bars(marcher: Marcher, goal: str, deployed: Deployment) -> list[str]:
    """The Area exit restrictions of a Fresh unit, in sentences (8.22, first)."""
    return [*_bar_leaving(marcher, deployed), *_bar_step(marcher, goal, deployed)]


def _count_enemies(marcher: Marcher, area: str, deployed: Deployment) -> tuple[int, int]:
    return deployed.count(marcher.side.other, area)


def _ask_area(marcher: Marcher, area: str, deployed: Deployment, with_leader: bool = False) -> Values:
    """Whether it may enter, and leave, an Area with the enemies there (8.22, both rules of that number)."""
    if marcher.unit is None:
        return {"may_enter": True, "may_leave": True}
    fresh, spent = _count_enemies(marcher, area, deployed)
    return enemy_area(
        charts=deployed.situation.book,
        unit=marcher.unit,
        fresh_enemy=fresh,
        spent_enemy=spent,
        entering_leader=with_leader,
        group_cleared_it=False,
    ).details


def _bar_leaving(marcher: Marcher, deployed: Deployment) -> Iterator[str]:
    """It stays where it has entered among enemies; AT and AA stay beside them (8.22, first)."""
    enemies = sum(_count_enemies(marcher, marcher.area, deployed))
    if marcher.area != marcher.origin and enemies:
        yield f"{marcher.name} has entered {name_area(marcher.area)}: it stays while enemies remain there (8.22)."
    elif not _ask_area(marcher, marcher.area, deployed)["may_leave"]:
        unit = "AT" if marcher.unit is UnitClass.AT else "AA"
        yield f"{marcher.name}: {unit} does not leave {name_area(marcher.area)} with these enemies in it (8.22)."


def _bar_step(marcher: Marcher, goal: str, deployed: Deployment) -> Iterator[str]:
    """A unit that started among enemies still there goes one Area, out of all Zones of Control; armour steps from one
    Zone of Control into the next only past no guns (8.22, first; A-04)."""
    if marcher.is_freed or marcher.unit is None:
        return
    enemy, zoc = marcher.side.other, deployed.has_zoc(marcher.side.other, goal)
    if marcher.unit is not UnitClass.ARMOUR:
        if marcher.area != marcher.origin:
            yield f"{marcher.name} started among enemies: it goes one Area in this impulse (8.22)."
        elif deployed.find_units(enemy, goal):
            yield f"{marcher.name} starts among enemies: it does not enter {name_area(goal)} with enemies in it (8.22)."
        elif zoc:
            yield f"{marcher.name} starts among enemies: {name_area(goal)} is in an enemy ZOC (8.22)."
        return
    yield from zoc_step(
        charts=deployed.situation.book,
        from_zoc=bool(deployed.has_zoc(enemy, marcher.area)),
        to_zoc=bool(zoc),
        from_guarded=_is_guarded(enemy, marcher.area, deployed),
        to_guarded=_is_guarded(enemy, goal, deployed),
    ).effects


def _is_guarded(enemy: Side, area: str, deployed: Deployment) -> bool:
    return any(piece.kind.sort.guards for piece in deployed.find_units(enemy, area))


def _bar_entering(marcher: Marcher, goal: str, company: Sequence[Marcher], deployed: Deployment) -> Iterator[str]:
    """AT and AA among enemies (8.22, second)."""
    leads = any(
        companion.unit in (UnitClass.INFANTRY, UnitClass.ARMOUR) for companion in company if companion is not marcher
    )
    if not _ask_area(marcher, goal, deployed, leads)["may_enter"]:
        unit = "AA never enters" if marcher.unit is UnitClass.AA else "AT enters in company, beside Spent ones alone,"
        yield f"{marcher.name}: {unit} where enemies are (8.22)."


def _bar_price(marcher: Marcher, goal: str, deployed: Deployment) -> Iterator[str]:
    """More MF than are left (8.2, 8.24, 8.34)."""
    mf, cost = find_allowance(marcher, goal, deployed), find_price(marcher, goal, deployed)
    if mf is not None and marcher.paid + cost > mf:
        used = f", {marcher.paid} used or owed (8.34)" if marcher.paid else ""
        yield f"{marcher.name}: {name_area(goal)} takes {cost} MF (8.24), it has {mf}{used}."


def find_price(marcher: Marcher, goal: str, deployed: Deployment) -> int:
    """The MF that an Area costs a unit as it stands now; what nobody knows about it costs nothing. Artillery does not
    attack where it enters (8.25)."""
    entry = fill_entry(deployed, marcher.side, goal)
    time = COURSE.day_of(deployed.situation.position)[1]
    zoc = bool(entry.get("enemy_zoc"))
    rubble = find_rubble(goal, deployed.situation.record)
    enter, attack = price_entry(deployed.situation.book, entry["fresh_enemy"], entry["spent_enemy"], zoc, time, rubble)
    return enter + attack if marcher.unit else enter


def _bar_regrouping(marcher: Marcher, goal: str, deployed: Deployment) -> list[str]:
    """Spent units regroup: at night, one Free Area in an impulse, not while isolated (8.28, 16.5)."""
    enemy = marcher.side.other
    verdict = regroup(
        charts=deployed.situation.book,
        by_day=COURSE.day_of(deployed.situation.position)[1] is Time.DAY,
        isolated=bool(find_marker(marcher.piece.counter)),
        into_enemy_control=bool(deployed.german_areas) and deployed.is_controlled(enemy, goal),
        enemy_in_target=bool(deployed.find_units(enemy, goal)),
    )
    reasons = [*verdict.effects]
    if list_own_steps(marcher.piece.counter.id, deployed.situation):
        reasons.append("One Area in an impulse (8.28).")
    return [f"{marcher.name} is Spent. {reason}" for reason in reasons]


def list_goals(marchers: Sequence[Marcher], deployed: Deployment) -> list[str]:
    """The next Areas into which units may go together now, as far as the chart knows what touches theirs (8.2)."""
    if not marchers or [*find_apart(marchers, deployed.situation)]:
        return []
    closed = {attack["area"] for attack in list_attacks(deployed.situation)}
    near = sorted(deployed.areas.neighbours(marchers[0].area).names - closed, key=AREAS.names.index)
    return [goal for goal in near if not any(find_bars(marcher, goal, marchers, deployed) for marcher in marchers)]


def _price_goal(goal: str, marchers: Sequence[Marcher], deployed: Deployment) -> int:
    """The most MF that an Area costs one of them; those who regroup pay none (8.28)."""
    return max(find_price(marcher, goal, deployed) if marcher.is_fresh else 0 for marcher in marchers)


_GOAL = re.compile(r"(\w{1,2})=(\d{1,2})", re.ASCII)


def write_goals(prices: Mapping[str, int]) -> str:
    """Areas with the MF that each takes, as a form keeps them.

    >>> write_goals({"6": 1, "25": 4})
    '6=1 25=4'
    """
    return " ".join(f"{goal}={mf}" for goal, mf in prices.items())


def read_goals(text: object) -> dict[str, int]:
    """The same, read back; anything that is not an Area with its MF is ignored.

    >>> read_goals("6=1 25=4 there")
    {'6': 1, '25': 4}
    """
    matches = map(_GOAL.fullmatch, str(text or "")[:800].split())
    return {match[1]: int(match[2]) for match in matches if match and match[1] in AREAS.names}


def find_unattacked(deployed: Deployment, situation: TableState) -> list[str]:
    """Those who entered among enemies in this impulse and attacked nobody, in sentences (8.34)."""
    attacked = {attack["area"] for attack in list_attacks(situation) if Kind(attack["kind"]).is_ground}
    side = Side(situation.position.side)
    moved = {step["unit"] for step in list_steps(situation) if step["area"] != step["origin"]}
    areas = [area for owner, area in deployed.pieces if owner == side and area not in attacked]
    sentences = []
    for area in (area for area in areas if deployed.find_units(side.other, area)):
        units = [piece.counter for piece in deployed.find_units(side, area) if piece.counter.id in moved]
        entered = [counter.name for counter in units if ACTING in counter.state]
        if entered:
            sentences.append(
                f"{join_words(entered)} entered {name_area(area)} among enemies and attacked nobody (8.34)."
            )
    return sentences


# At the table


def find_pieces(named_units: object, situation: TableState) -> list[Piece]:
    """The counters that a move names, as they stand."""
    ids = (
        [str(row.get("id", "")) for row in named_units if isinstance(row, Mapping)]
        if isinstance(named_units, (list, tuple))
        else []
    )
    return [piece for piece in situation.pieces if piece.counter.id in ids and piece.counter.in_play]


def fill_move(about: Values, goal: str, situation: TableState) -> Json:
    """What the counters say about a move: who is there, the MF that they have and have used."""
    deployed = Deployment.of(situation)
    pieces = find_pieces(about.get("who"), situation)
    side = Side(pieces[0].counter.side) if pieces else Side(situation.position.side)
    marchers = [find_marcher(piece, deployed) for piece in pieces]
    if not goal:
        goals = list_goals(marchers, deployed)
        prices = {area: _price_goal(area, marchers, deployed) for area in goals}
        return {"goals": write_goals(prices)} if marchers else {}
    filled: Json = fill_entry(deployed, side, goal)
    if not marchers:
        return filled
    filled |= {"start": marchers[0].area, "regroups": not marchers[0].is_fresh}
    allowed = [(marcher, find_allowance(marcher, goal, deployed)) for marcher in marchers]
    mf_left = {
        index: mf - marcher.paid - find_price(marcher, goal, deployed)
        for index, (marcher, mf) in enumerate(allowed)
        if mf is not None
    }
    # It stops all of them where the fewest MF are left.
    slowest, mf = allowed[min(mf_left, key=lambda index: mf_left[index]) if mf_left else 0]
    return {**filled, "paid": slowest.paid, "artillery": slowest.unit is None, **({} if mf is None else {"mf": mf})}


def check_move(inputs: Values, situation: TableState) -> None:
    """Raise BadInput with every reason why counters do not make such a move in this impulse."""
    pieces, goal = find_pieces(inputs.get("who"), situation), str(inputs.get("goal") or "")
    if not pieces or not goal:
        return
    deployed = Deployment.of(situation)
    marchers = [find_marcher(piece, deployed) for piece in pieces]
    if reasons := [*find_apart(marchers, situation), *find_closed(goal, situation)]:
        raise BadInput({"goal": " ".join(reasons)})
    bars = [bar for marcher in marchers for bar in find_bars(marcher, goal, marchers, deployed)]
    if bars:
        raise BadInput({"goal": " ".join(dict.fromkeys(bars))})


def find_apart(marchers: Sequence[Marcher], situation: TableState) -> Iterator[str]:
    """Units of another side or Area than this impulse is about; some Fresh and some Spent (8.1, 8.28)."""
    side, acting = situation.position.side, find_acting_area(situation)
    if any(marcher.side != side for marcher in marchers):
        yield f"It is the {Side(side).word}'s impulse (8.1). {NEXT}"
    elif acting and any(marcher.origin != acting for marcher in marchers):
        yield f"This impulse is about the units of {name_area(acting)} (8.1). {NEXT}"
    if len({marcher.is_fresh for marcher in marchers}) > 1:
        yield "Move Fresh units and regroup Spent ones apart (8.28)."
    if len({marcher.area for marcher in marchers}) > 1:
        yield "Move units of one Area together, those of another after them (8.2)."


def find_closed(goal: str, situation: TableState) -> Iterator[str]:
    if any(attack["area"] == goal for attack in list_attacks(situation)):
        yield f"{name_area(goal)} has been attacked in this impulse: nobody enters it any more (8.12). {NEXT}"


def note_move(inputs: Values, result: Result, situation: TableState) -> tuple[RecordChange, ...]:
    """What a move has cost each unit, and where it came from."""
    deployed = Deployment.of(situation)
    marchers = [find_marcher(piece, deployed) for piece in find_pieces(inputs.get("who"), situation)]
    details, goal = result.details, str(inputs["goal"])
    enter = details["mf"] - (0 if inputs.get("artillery") else details["attack"])
    rows = [
        pay_step(marcher, goal, enter + (details["attack"] if marcher.unit else 0), situation) for marcher in marchers
    ]
    return (RecordChange({"steps": push(*rows)}, ()),) if rows else ()


def note_attackers(inputs: Values, overran: bool, situation: TableState) -> tuple[RecordChange, ...]:
    """What an attack costs those who may go on after it (8.31, 8.34): one without entering, or a further one in an
    Area that was entered. All friends owe for one on enemies in their own Area anyway."""
    area = inputs.get("area")
    earlier = [attack for attack in list_attacks(situation) if attack["area"] == area]
    if not overran or not area or not Kind(inputs["kind"]).is_ground:
        return ()
    deployed, cost = Deployment.of(situation), attack_cost(situation.book, Group(inputs["group"]))
    marchers = [find_marcher(piece, deployed) for piece in find_pieces(inputs["attackers"], situation)]
    paying = [marcher for marcher in marchers if marcher.area != area or (marcher.origin != area and earlier)]
    rows = [pay_step(marcher, marcher.area, cost, situation) for marcher in paying]
    return (RecordChange({"steps": push(*rows)}, ()),) if rows else ()


def pay_step(marcher: Marcher, area: str, mf: int, situation: TableState) -> Json:
    """A line of the record. It is numbered: a list keeps equal rows once, and a unit may go the same way twice."""
    step = len(list_own_steps(marcher.piece.counter.id, situation)) + 1
    row = {"unit": marcher.piece.counter.id, "step": step, "origin": marcher.origin, "area": area, "mf": mf}
    return {"impulse": COURSE.name_impulse(situation.position), **row}
