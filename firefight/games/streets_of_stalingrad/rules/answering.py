"""What counters in play and the record answer of "may I?": who is near whom, who has fired, where a ZOC reaches.

Nothing is concluded from a counter that is not there, nor about a hex whose terrain nobody has given: a tick that is
not set here is left to the players, who see the map.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from firefight.engine.board.counters import Piece
from firefight.engine.course.keeping import TableState
from firefight.engine.values import Values

from .battle import is_in_the_open
from .becoming import PINNED, SPENT, arm_of, lies_under_attack, mp_of
from .filling import find_common_place, name_guns
from .hexes import find_distance, list_around, read_place
from .kinds import VEHICLE_MP
from .limits import Firer, Indirect
from .phases import PhaseKind, find_phase
from .record import TERRAIN_TOLD
from .spending import BREAKTHRU, breaks_through
from .steps import Enemy
from .terms import SIDES, Side, Terrain
from .units import Arm

Pieces = Sequence[Piece]
Answers = Iterator[tuple[str, object]]
NEAR_ATTACK = 3  # hexes from an attack marker at which reserves move (8.31, 8.32)
MOVED_AT = {Side.GERMAN: 10, Side.SOVIET: 3}  # the enemy's Movement Phase before a side's Reserves Movement
INDIRECT = {Arm.MORTAR: Indirect.MORTAR, Arm.IF_GUN: Indirect.OTHER_IF, Arm.STUKA: Indirect.STUKA}
ROCKETS = {Side.GERMAN: Indirect.NEBELWERFER, Side.SOVIET: Indirect.KATYUSHA}
FRIENDS = {Arm.BRIDGE: "bridge", Arm.MINEFIELD: "minefield", Arm.FORTIFICATION: "fortification"}  # as 9.103 has them
MOST_FRIENDS = 20


@dataclass(frozen=True)
class Ground:
    """The table as one seat knows it: the counters in play there, and what the record says about hexes."""

    situation: TableState

    @cached_property
    def in_play(self) -> Pieces:
        """All counters in play."""
        return [piece for piece in self.situation.pieces if piece.counter.in_play]

    def pick(self, ids: Collection[str]) -> Pieces:
        """Those with these ids."""
        return [piece for piece in self.in_play if piece.counter.id in ids]

    def pick_roles(self, about: Values) -> tuple[Pieces, Pieces]:
        """Those who do something, and those to whom it is done, as a form names them."""
        sent = (about.get(role) for role in ("firers", "targets"))
        firers, targets = (self.pick(ids if isinstance(ids, list | tuple) else ()) for ids in sent)
        return firers, targets

    def find_terrain(self, place: str) -> Terrain | None:
        """The terrain that somebody has given for a hex (7.1)."""
        if read_place(place) is None:
            return None
        terrain = TERRAIN_TOLD.fill({"hex": place}, self.situation.record, self.situation.book).get("terrain")
        return Terrain(terrain) if terrain else None

    def bears(self, place: str, marker: str) -> bool:
        """Whether a marker of the record lies on a hex."""
        return any(row["hex"] == place and row["marker"] == marker for row in self.situation.record["markers"])

    def is_in_zoc(self, place: str, side: Side) -> bool:
        """Whether a ZOC of a side's enemy certainly reaches a hex: not into built-up ones, nor where a breakthru
        marker lies (6.1, 6.2, 10.7)."""
        terrain = self.find_terrain(place)
        if terrain is None or terrain.is_built_up or self.bears(place, BREAKTHRU):
            return False
        around = list_around(place)
        return any(piece.counter.place in around and has_zoc(piece) for piece in self.of_side(side.other))

    def of_side(self, side: Side) -> Pieces:
        """A side's counters."""
        return [piece for piece in self.in_play if piece.counter.side == side.value]

    def list_beside(self, place: str, side: Side, *arms: Arm) -> Pieces:
        """A side's counters of these arms in a hex, or next to it."""
        places = {place, *list_around(place)} if place else set()
        return [piece for piece in self.of_side(side) if piece.counter.place in places and piece.kind.arm in arms]

    def has_fired(self, piece: Piece, *phases: int) -> bool:
        """Whether a counter has used opportunity fire in one of these phases of the day (11.2)."""
        unit = (piece.counter.side, piece.counter.name.casefold())
        rows = (row for row in self.situation.record["opportunity"] if row["phase"] in phases)
        return any((row["side"], row["unit"].casefold()) == unit for row in rows)

    @property
    def phase(self) -> int:
        """The number of the phase."""
        return int(self.situation.position.phase)


def has_zoc(piece: Piece) -> bool:
    """Whether it has a ZOC (6.1)."""
    unit = arm_of(piece.counter, piece.kind).unit
    return unit is not None and unit.has_zoc


@dataclass(frozen=True)
class Inquiry:
    """A question about counters. ``firers``, ``targets``: as a roll names them; ``about``: its form."""

    ground: Ground
    firers: Pieces
    targets: Pieces
    about: Values

    @property
    def pieces(self) -> Pieces:
        """All of them."""
        return [*self.firers, *self.targets]

    @property
    def piece(self) -> Piece:
        """The one that the question is about: the first of them."""
        return self.pieces[0]

    @property
    def side(self) -> Side:
        """The side of that counter."""
        return Side(self.piece.counter.side)

    @property
    def target_place(self) -> str:
        """The hex in which all targets stand."""
        return find_common_place(self.targets)


def answer_asked(slug: str, about: Values, situation: TableState) -> Values:
    """What a question's form is filled with; nothing where it names no counters. Only what is true is filled in."""
    if slug not in ANSWERS:
        return {}
    ground = Ground(situation)
    firers, targets = ground.pick_roles(about)
    if not (firers or targets):
        return {}
    return {name: value for name, value in ANSWERS[slug](Inquiry(ground, firers, targets, about)) if value}


# The questions


def _may_fire_at_movers(inquiry: Inquiry) -> Answers:
    """Opportunity fire: within range, in the open, once a phase (11.2 to 11.5)."""
    piece, ground, arm = inquiry.piece, inquiry.ground, arm_of(inquiry.piece.counter, inquiry.piece.kind)
    indirect = ROCKETS[inquiry.side] if arm is Arm.ROCKET else INDIRECT.get(arm)
    yield "side", inquiry.side.value
    yield "unit", (Firer.MORTAR if arm is Arm.MORTAR else Firer.DIRECT).value
    yield "indirect", indirect.value if indirect else ""
    yield "unit_range", piece.kind.range
    yield "pinned", PINNED in piece.counter.state
    yield "fired_this_phase", ground.has_fired(piece, ground.phase)
    yield "attacked_by_adjacent_infantry", ground.bears(piece.counter.place, "attack")
    if inquiry.firers and (place := inquiry.target_place):
        yield "distance", find_distance(piece.counter.place, place)
        yield from _see_cover(inquiry, place)


def _see_cover(inquiry: Inquiry, place: str) -> Answers:
    terrain = inquiry.ground.find_terrain(place)
    if terrain is None:
        return
    are_vehicles = all(_is_vehicle(piece) for piece in inquiry.targets)
    yield "under_cover", not is_in_the_open(terrain, are_vehicles)
    yield "crossing_volga", terrain is Terrain.VOLGA and inquiry.side is Side.GERMAN


def _is_vehicle(piece: Piece) -> bool:
    return arm_of(piece.counter, piece.kind).is_armored or (mp_of(piece.counter, piece.kind) or 0) >= VEHICLE_MP


def _may_retreat(inquiry: Inquiry) -> Answers:
    """Retreat before combat: units of the side whose phase it is not retreat from the others (9.41 to 9.46)."""
    ground = inquiry.ground
    side = _find_defender(inquiry)
    leaving = [piece for piece in inquiry.pieces if piece.counter.side == side.value]
    attacking = [piece for piece in inquiry.pieces if piece not in leaving]
    yield "only_indirect", attacking and all(arm_of(piece.counter, piece.kind).is_indirect for piece in attacking)
    yield "breakthrough", breaks_through({}, ground.situation)
    if not leaving:
        return
    yield "opportunity_fired", any(ground.has_fired(piece, *range(1, ground.phase + 1)) for piece in leaving)
    yield "pinned", any(PINNED in piece.counter.state for piece in leaving)
    yield "guards_or_marine", all(piece.kind.arm in (Arm.GUARDS, Arm.MARINE) for piece in leaving)
    yield from _see_leaders(ground, leaving[0])


def _find_defender(inquiry: Inquiry) -> Side:
    """As the form says, or the side whose phase it is not."""
    attacker = find_phase(inquiry.ground.phase).side
    return Side(str(inquiry.about.get("side") or (Side(attacker).other if attacker in SIDES else inquiry.side).value))


def _see_leaders(ground: Ground, piece: Piece) -> Answers:
    """Who leads it: Pavlov, Herman and commissars in its own hex alone, others from the next hex, too (8.32, 9.44)."""
    place, side = piece.counter.place, Side(piece.counter.side)
    house = ground.list_beside(place, side, Arm.HOUSE_LEADER, Arm.COMMISSAR)
    yield "with_house_leader", any(leader.counter.place == place for leader in house)
    yield "with_or_adjacent_leader", bool(ground.list_beside(place, side, Arm.LEADER))


def _may_move_in_reserve(inquiry: Inquiry) -> Answers:
    """Near an attack marker, not attacked itself, not after opportunity fire, outside ZOC or led (8.31, 8.32)."""
    piece, ground, side = inquiry.piece, inquiry.ground, inquiry.side
    attacks = [row["hex"] for row in ground.situation.record["markers"] if row["marker"] == "attack"]
    gaps = [find_distance(piece.counter.place, place) for place in attacks]
    yield "within_3", any(gap is not None and gap <= NEAR_ATTACK for gap in gaps)
    yield "attacked_by_direct_fire", piece.counter.place in attacks
    yield "opportunity_fired", ground.has_fired(piece, MOVED_AT[side])
    if side is Side.SOVIET:
        yield "soviet_leader", piece.kind.arm.is_leader
        yield from _see_leaders(ground, piece)
        leaders = ground.list_beside(piece.counter.place, side, Arm.LEADER, Arm.HOUSE_LEADER, Arm.COMMISSAR)
        yield "stacked_with_leader", any(leader.counter.place == piece.counter.place for leader in leaders)
        yield "starts_in_zoc", ground.is_in_zoc(piece.counter.place, side)


def _may_deploy(inquiry: Inquiry) -> Answers:
    yield "starts_in_zoc", any(inquiry.ground.is_in_zoc(piece.counter.place, inquiry.side) for piece in inquiry.pieces)


def _may_break_through(inquiry: Inquiry) -> Answers:
    """Those who attack stand next to the hex, and none of them is under a marker (10.2)."""
    place = inquiry.target_place
    yield "pinned_or_spent_in_attack", any({PINNED, SPENT} & {*piece.counter.state} for piece in inquiry.firers)
    unpinned = [piece for piece in inquiry.firers if PINNED not in piece.counter.state]
    gaps = [find_distance(piece.counter.place, place) for piece in unpinned]
    yield "nobody_adjacent", bool(inquiry.firers and place) and None not in gaps and 1 not in gaps


def _may_advance(inquiry: Inquiry) -> Answers:
    """Those who go stand next to a hex in which no enemy combat unit is left (9.85)."""
    ground = inquiry.ground
    going = inquiry.firers or inquiry.targets
    place = str(inquiry.about.get("hex") or "") or (inquiry.target_place if inquiry.firers else "")
    enemies = [piece for piece in ground.of_side(inquiry.side.other) if place and piece.counter.place == place]
    yield "hex_held", any(arm_of(piece.counter, piece.kind).is_combat_unit for piece in enemies)
    yield "not_adjacent", any(find_distance(piece.counter.place, place) not in (None, 1) for piece in going)


def _may_counter_attack(inquiry: Inquiry) -> Answers:
    """A Soviet leader in its hex, and the hex that was taken beside it (12.3, 12.5)."""
    piece, place = inquiry.piece, inquiry.target_place
    leaders = inquiry.ground.list_beside(piece.counter.place, inquiry.side, Arm.LEADER, Arm.HOUSE_LEADER, Arm.COMMISSAR)
    yield "with_leader", any(leader.counter.place == piece.counter.place for leader in leaders)
    yield "not_adjacent", bool(inquiry.firers and place) and find_distance(piece.counter.place, place) not in (None, 1)


def _has_advantage(inquiry: Inquiry) -> Answers:
    """The sides from which it is attacked, and whether there is no way out (9.71; ruling A35)."""
    sides, is_surrounded = look_around_target(inquiry.ground, inquiry.firers, inquiry.target_place)
    yield "attack_sides", sides
    yield "surrounded", is_surrounded


def look_around_target(ground: Ground, firers: Pieces, place: str) -> tuple[list[int], bool]:
    """The hexsides, 0 to 5, from which a hex is attacked from next to it; and whether each hex around it
    certainly holds enemies of its defenders, or their ZOC."""
    around = list_around(place)
    attacked_from = {piece.counter.place for piece in firers if not piece.kind.arm.is_indirect}
    sides = [hexside for hexside, neighbour in enumerate(around) if neighbour in attacked_from]
    if not (sides and len(around) == 6):
        return sides, False
    side = Side(firers[0].counter.side)
    occupied = {piece.counter.place for piece in ground.of_side(side) if has_zoc(piece)}
    return sides, all(neighbour in occupied or ground.is_in_zoc(neighbour, side.other) for neighbour in around)


def _may_step(inquiry: Inquiry) -> Answers:
    """One step: out of which ZOC, into which, past whom and over what (6.5 to 6.8, 8.08, 10.7)."""
    piece, ground, side = inquiry.piece, inquiry.ground, inquiry.side
    unit = arm_of(piece.counter, piece.kind).unit
    yield "unit", unit.value if unit else ""
    yield "mp", mp_of(piece.counter, piece.kind)
    yield "in_reserve", find_phase(ground.phase).kind is PhaseKind.RESERVES
    yield "from_zoc", ground.is_in_zoc(piece.counter.place, side)
    entered_hex = str(inquiry.about.get("number") or "").strip() or (inquiry.target_place if inquiry.firers else "")
    if read_place(entered_hex) is None:
        return
    terrain = ground.find_terrain(entered_hex)
    yield "number", entered_hex
    yield "terrain", terrain.value if terrain else ""
    yield "to_zoc", ground.is_in_zoc(entered_hex, side)
    yield "to_breakthru", ground.bears(entered_hex, BREAKTHRU)
    enemies = [piece for piece in ground.of_side(side.other) if piece.counter.place == entered_hex]
    fighting = any(arm_of(piece.counter, piece.kind).is_combat_unit for piece in enemies)
    if enemies:
        yield "enemy", (Enemy.COMBAT if fighting else Enemy.SUPPORT).value


def _may_fire_beside(inquiry: Inquiry) -> Answers:
    """Which of one's own units stand next to a target, for Katyushas and Stukas in built-up hexes (9.103, 9.104)."""
    place = inquiry.target_place
    if not (inquiry.firers and place):
        return
    around = list_around(place)
    beside = [piece.kind.arm for piece in inquiry.ground.of_side(inquiry.side) if piece.counter.place in around]
    yield "adjacent_kinds", sorted({FRIENDS.get(arm, arm.value) for arm in beside})[:MOST_FRIENDS]
    terrain = inquiry.ground.find_terrain(place)
    yield "terrain", terrain.value if terrain else ""


def _may_build(inquiry: Inquiry) -> Answers:
    """Engineers in their hex: their marker, an enemy ZOC, an attack (17.0, 17.15)."""
    piece = inquiry.piece
    yield "side", inquiry.side.value
    yield "marker", next((marker for marker in (PINNED, SPENT) if marker in piece.counter.state), "")
    yield "enemy_zoc", inquiry.ground.is_in_zoc(piece.counter.place, inquiry.side)
    yield "fighting", lies_under_attack(piece.counter.place, inquiry.ground.situation.record)


def _may_exchange(inquiry: Inquiry) -> Answers:
    piece = inquiry.piece
    yield "side", inquiry.side.value
    yield "guards", piece.kind.arm is Arm.GUARDS
    yield "marine", piece.kind.arm is Arm.MARINE
    yield "nkvd_out", piece.kind.arm is Arm.NKVD
    yield "isolated", is_isolated(piece, inquiry.ground.situation.record["isolated"])


def is_isolated(piece: Piece, isolated: Iterable[Values]) -> bool:
    """Whether a counter is out of supply, by its name in the record (19.3)."""
    return any(
        (row["side"], row["name"].casefold()) == (piece.counter.side, piece.counter.name.casefold()) for row in isolated
    )


def _may_move(inquiry: Inquiry) -> Answers:
    yield "isolated", any(is_isolated(piece, inquiry.ground.situation.record["isolated"]) for piece in inquiry.pieces)


def _may_dismount(inquiry: Inquiry) -> Answers:
    """What the hex says about units that get down, or mount again (8.73)."""
    terrain = inquiry.ground.find_terrain(inquiry.piece.counter.place)
    yield "terrain", terrain.value if terrain else ""
    yield from _may_move(inquiry)


def _is_permitted(inquiry: Inquiry) -> Answers:
    """What it has done already, and whether it is attacked (9.112, 11.4, 14.02)."""
    piece, ground = inquiry.piece, inquiry.ground
    fired = {row["unit"] for row in ground.situation.record["fired"]}
    yield "used_if", not fired.isdisjoint(name_guns([piece]))
    yield "fired_opportunity", ground.has_fired(piece, ground.phase)
    yield "attacked_by_adjacent", ground.bears(piece.counter.place, "attack")


ANSWERS: Mapping[str, Callable[[Inquiry], Answers]] = {
    "opportunity": _may_fire_at_movers,
    "retreat": _may_retreat,
    "reserves": _may_move_in_reserve,
    "deployment": _may_deploy,
    "breakthrough": _may_break_through,
    "advance": _may_advance,
    "may-counter-attack": _may_counter_attack,
    "assault-advantage": _has_advantage,
    "step": _may_step,
    "katyusha": _may_fire_beside,
    "stuka-target": _may_fire_beside,
    "site": _may_build,
    "exchange": _may_exchange,
    "movement": _may_move,
    "dismount": _may_dismount,
    "permissions": _is_permitted,
}
