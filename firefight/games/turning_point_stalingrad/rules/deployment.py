"""Where units stand, from the counters in play: Fresh, Spent, Contested, Zones of Control, supply, room in an Area.

Only Combat units count (2.0, 4.25). The chart knows what touches what, the record who controls what.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from firefight.engine.board.counters import CounterChange, Piece
from firefight.engine.course.course import Position
from firefight.engine.course.keeping import TableState
from firefight.engine.errors import BadInput
from firefight.engine.values import Json, Values

from .areas import AREAS, AreaMap, find_way, is_zone, name_area, read_areas
from .artillery import find_gun_range, list_range_objections
from .becoming import REMOVED, count_dots, find_marker, spend_acting
from .filling import plain_at_dawn
from .kinds import CounterClass
from .sides import Side
from .supply import find_supply_sources, list_controlled
from .terms import Kind

NEAR_GUNS = 2  # Areas within which German artillery answers Russian guns (15.33)


@dataclass(frozen=True, slots=True)
class Deployment:
    """The counters in play by side and Area, and what is known about the map beneath them.

    ``situation``: that of the match, as it was then.
    """

    situation: TableState
    pieces: Mapping[tuple[str, str], Sequence[Piece]]
    areas: AreaMap
    german_areas: Collection[str]

    @classmethod
    def of(cls, situation: TableState) -> "Deployment":
        """That of a match, whose situation has the counters with their kinds."""
        pieces: dict[tuple[str, str], list[Piece]] = {}
        for piece in situation.pieces:
            if piece.counter.in_play and piece.counter.place:
                pieces.setdefault((piece.counter.side, piece.counter.place), []).append(piece)
        return cls(situation, pieces, read_areas(situation.book), situation.record["german_areas"])

    @property
    def limit(self) -> int:
        """How many Combat units of a side an Area takes (7.1)."""
        most: int = self.situation.book["thresholds"].get("occupation")
        return most

    def find_units(self, side: Side, area: str) -> list[Piece]:
        """The Combat units of a side in an Area."""
        return [piece for piece in self.pieces.get((side.value, area), ()) if piece.kind.sort.is_combat_unit]

    def count(self, side: Side, area: str) -> tuple[int, int]:
        """How many Fresh and how many Spent ones."""
        spent = [bool(count_dots(piece.counter)) for piece in self.find_units(side, area)]
        return spent.count(False), spent.count(True)

    def is_controlled(self, side: Side, area: str) -> bool:
        """Whether a side controls an Area, by the record (7.3)."""
        return area in list_controlled(side, self.german_areas)

    def has_zoc(self, side: Side, area: str) -> bool | None:
        """Whether a side has a Zone of Control in an Area; None where the chart does not know all that touches it.

        Fresh Combat units have one in their own and in adjacent Areas, Spent ones in their own; none goes into a Zone
        or out of one (8.21).
        """
        if self.find_units(side, area):
            return True
        if is_zone(area):
            return False
        near = self.areas.neighbours(area)
        if any(self.count(side, other)[0] for other in near.names if not is_zone(other)):
            return True
        return False if near.are_all else None

    def find_supply(self, side: Side, area: str) -> bool | None:
        """Whether units of a side in an Area are in supply; None where chart and record do not say (12.1)."""
        if not self.german_areas:
            return None
        way, is_sure = find_way(area, list_controlled(side, self.german_areas), find_supply_sources(side), self.areas)
        return True if way else False if is_sure else None


# What forms are filled with


def list_candidates(deployed: Deployment, side: Side, start: str) -> list[Json]:
    """The neighbours of an Area that units leave, with the units there (8.3551); none if the chart lacks any."""
    near = deployed.areas.neighbours(start)
    if not (start and near.are_all and deployed.german_areas):
        return []
    rows = []
    for area in near.names:
        enemy, friends = (len(deployed.find_units(owner, area)) for owner in (side.other, side))
        if enemy or friends:
            counts = {"friendly": deployed.is_controlled(side, area), "enemy_units": enemy, "friends": friends}
            neighbours = deployed.areas.neighbours(area).names
            hostile = sum(deployed.is_controlled(side.other, other) for other in neighbours)
            row: Json = {"area": area, **counts, "enemy_neighbours": hostile}
            rows.append({name: value for name, value in row.items() if value})
    return sorted(rows, key=lambda row: AREAS.names.index(row["area"]))


def list_at_dawn(deployed: Deployment) -> list[Json]:
    """The units that Dawn does not treat like all others: isolated ones, and those that were (6.41, 12.2)."""
    rows = []
    for (side, area), pieces in deployed.pieces.items():
        is_supplied = deployed.find_supply(Side(side), area)
        units = [piece for piece in pieces if piece.kind.sort.is_combat_unit]
        rows += [
            plain_at_dawn(piece, in_supply=bool(is_supplied))
            for piece in units
            if is_supplied is False or find_marker(piece.counter)
        ]
    return rows


def count_batteries(deployed: Deployment, guns: str) -> int | None:
    """The German artillery within two Areas of Russian guns (15.33); None where the chart does not say."""
    gun_areas = [
        area
        for (side, area), pieces in deployed.pieces.items()
        for piece in pieces
        if side == Side.GERMAN and piece.kind.sort is CounterClass.ARTILLERY
    ]
    distances = [deployed.areas.distance(area, guns, NEAR_GUNS) for area in gun_areas]
    return None if None in distances else sum(distance is not None and distance <= NEAR_GUNS for distance in distances)


def fill_entry(deployed: Deployment, mover: Side, area: str) -> Json:
    """The enemies in an Area that a side wants to enter, and whether they have a Zone of Control there (8.21, 8.24)."""
    fresh, spent = deployed.count(mover.other, area)
    filled: Json = {"fresh_enemy": fresh, "spent_enemy": spent}
    zoc = deployed.has_zoc(mover.other, area)
    return filled if zoc is None else {**filled, "enemy_zoc": zoc}


# What is refused, and what is said


def check_guns(inputs: Values, situation: TableState) -> None:
    """Raise BadInput for guns that do not reach an Area, or may not fire into it, by the counters (15.21, 15.3)."""
    kind, target, deployed = Kind(inputs["kind"]), inputs.get("area"), Deployment.of(situation)
    side, name = (Side.GERMAN, "start") if kind is Kind.GERMAN_ARTILLERY else (Side.RUSSIAN, "guns")
    guns = inputs.get(name)
    if not (guns and target and deployed.pieces) or kind is Kind.AIR:
        return
    if reasons := find_gun_reasons(side, guns, target, deployed, alone=kind is Kind.RUSSIAN_ARTILLERY):
        raise BadInput({name: " ".join(reasons)})


def find_gun_reasons(side: Side, guns: str, target: str, deployed: Deployment, alone: bool) -> list[str]:
    """What speaks against fire of guns in an Area at another one. A distance that nobody knows is never too far."""
    reach, is_to_zone = find_gun_range(side, guns), is_zone(target)
    known = deployed.areas.distance(guns, target, reach)
    distance, friends = reach if known is None else known, (side.value, target) in deployed.pieces
    return list_range_objections(side, guns, distance, friends, guns == target and is_to_zone, is_to_zone, alone)


def find_overfull(deployed: Deployment) -> list[str]:
    """Areas that hold more Combat units of a side than ten, in sentences (7.1); Zones take all (7.2)."""
    stacks = [(Side(side), area) for side, area in deployed.pieces]
    stack_sizes = [(side, area, len(deployed.find_units(side, area))) for side, area in stacks if not is_zone(area)]
    return [
        f"{name_area(area)} holds {number} {side.word} Combat units, {number - deployed.limit} too many (7.1)."
        for side, area, number in stack_sizes
        if number > deployed.limit
    ]


def tell_lone_guns(deployed: Deployment) -> list[str]:
    """German artillery alone in an Area with enemies, in sentences (8.3556, 15.22)."""
    return [
        f"{gun.counter.name} stands alone among enemies in {name_area(gun.counter.place)}: off the map until Dawn "
        "(8.3556, 15.22)."
        for gun in find_lone_guns(deployed)
    ]


def end_impulse(before: Position, situation: TableState) -> tuple[CounterChange, ...]:
    """After an impulse whoever acted in it is Spent, with a dot (8.13, 10.3), and guns alone among enemies leave the
    map (15.22)."""
    position = situation.position
    if (position.turn, position.side, position.impulse) == (before.turn, before.side, before.impulse):
        return ()
    lone_guns = find_lone_guns(Deployment.of(situation))
    removed = tuple(CounterChange(gun.counter.id, REMOVED) for gun in lone_guns)
    return (*spend_acting(situation.counters), *removed)


def find_lone_guns(deployed: Deployment) -> list[Piece]:
    """German artillery alone in an Area with enemies (8.3556, 15.22)."""
    return [
        piece
        for (side, area), pieces in deployed.pieces.items()
        if side == Side.GERMAN
        and deployed.find_units(Side.RUSSIAN, area)
        and not deployed.find_units(Side.GERMAN, area)
        for piece in pieces
        if piece.kind.sort is CounterClass.ARTILLERY
    ]


def list_gun_goals(gun: Piece, deployed: Deployment) -> list[str]:
    """Where German artillery returns at Dawn: in German Areas with a supplied Combat unit of its parent; where there is
    none, in any German Area in supply (15.22)."""
    german = [area for area in AREAS.names if area in deployed.german_areas]
    supplied = [area for area in german if deployed.find_supply(Side.GERMAN, area)]
    beside = [
        area
        for area in supplied
        if any(unit.kind.parent == gun.kind.parent for unit in deployed.find_units(Side.GERMAN, area))
    ]
    return beside or supplied
