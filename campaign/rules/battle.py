"""The close combat of a threatened sector (20.6.4 steps 1 and 3).

A round is a number of bouts: units of one side against units of the other, both attacking. No unit is in two bouts
of a round, and what the dice did is applied when the round is over (19.2.1, 20.6.4 step 3).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import chain, islice, product
from typing import Any

from firefight.engine.charts import Book
from firefight.engine.dice import DieSpec, check_face
from firefight.engine.errors import BadDie
from firefight.engine.hexes import Hex, HexMap
from firefight.engine.results import Result, Source
from firefight.games.combat_stalingrad.close_combat import (
    HIGHEST,
    CloseCombatOutcome,
    Target,
    close_combat,
    combat_value,
    odds_step,
)
from firefight.games.combat_stalingrad.fire import FireOutcome, hit_dice, who_is_hit
from firefight.games.combat_stalingrad.morale import Cause, after_casualties
from firefight.games.combat_stalingrad.units import Kind, State, Unit, named

from .leaders import Side
from .purchases import Objection

Key = tuple[Side, int]

_STEP_1, _STEP_3 = "20.6.4 step 1", "20.6.4 step 3"


class Role(StrEnum):
    """The rank of a leader."""

    NONE = ""
    NCO = "nco"
    OFFICER = "officer"
    COMMISSAR = "commissar"


class Weapon(StrEnum):
    """What makes a team special in close combat (19.3.3)."""

    NONE = ""
    FLAMETHROWER = "flamethrower"
    DEMO_CHARGE = "demo_charge"


# A demo charge team attacks AFV with this value (19.3.3).
DEMO_CHARGE_VALUE = 1
# So many times the defense wins without a roll (19.3.7).
_SURE = HIGHEST + 2
# What counts towards the squads of a stack, in half-squads.
_HALVES = {Kind.SQUAD: 2, Kind.HALF_SQUAD: 1, Kind.SW_TEAM: 1, Kind.CREW: 1}
_LEADERS = (Kind.LEADER, Kind.WOUNDED_LEADER)


@dataclass(frozen=True, slots=True)
class Fighter:
    """One unit in a threatened sector.

    ``key``: its side and number. ``ccv``: before any halving; ``half_ccv``: that of a squad's smaller side. ``hex``:
    None if nobody noted it. ``disrupted``: Disrupted or WIA. ``in_cc``: it has a Close Combat marker. ``rider``: it
    is mounted, which counts in step 1 only. ``enemy_in_hex``: of an M-KILLED vehicle, see ``met_in_hex``.
    """

    key: Key
    name: str
    kind: Kind
    ccv: int
    half_ccv: int | None = None
    hex: Hex | None = None
    role: Role = Role.NONE
    weapon: Weapon = Weapon.NONE
    disrupted: bool = False
    m_killed: bool = False
    in_cc: bool = False
    rider: bool = False
    enemy_in_hex: bool = False

    def __post_init__(self) -> None:
        """Raise ValueError for a squad whose smaller side has no value, and for what its kind cannot be."""
        if self.kind is Kind.SQUAD and self.half_ccv is None:
            raise ValueError(f"{self.name}: a squad has a smaller side, with a CCV of its own.")
        if self.is_leader is (self.role == Role.NONE):
            raise ValueError(f"{self.name}: leaders have a rank, others have none.")
        if self.m_killed and not self.is_vehicle:
            raise ValueError(f"{self.name}: only a vehicle can be M-KILLED.")

    @property
    def side(self) -> Side:
        """Whose it is."""
        return self.key[0]

    @property
    def is_leader(self) -> bool:
        """Whether it is a leader, wounded or not."""
        return self.kind in _LEADERS

    @property
    def is_vehicle(self) -> bool:
        """Whether it is a vehicle; every vehicle counts as an AFV here."""
        return self.kind is Kind.VEHICLE

    @property
    def is_rank_and_file(self) -> bool:
        """Whether it is infantry other than a leader (19.3.6)."""
        return not (self.is_leader or self.is_vehicle)

    @property
    def can_lend(self) -> bool:
        """Whether it may lend an attack the -5 of an NCO or Officer (19.3.5 NCO DRM)."""
        return self.role in (Role.NCO, Role.OFFICER) and not self.disrupted


@dataclass(frozen=True, slots=True)
class Stacking:
    """What one hex holds, the limit of every attack and defense in a sector (20.6.4 step 3).

    ``squads``: or equivalents; a half-squad, an SW team and a crew count half, leaders nothing. ``provenance``:
    whose values these are, ``text``, ``house`` or ``owner``.
    """

    squads: int
    vehicles: int
    provenance: str

    def __post_init__(self) -> None:
        """Raise ValueError for a hex that cannot hold a unit of each kind."""
        if self.squads < 1 or self.vehicles < 1:
            raise ValueError("One hex holds at least one squad and one vehicle.")

    @property
    def source(self) -> Source:
        """Where the values come from."""
        return Source("stacking", "Stacking limit of one hex", self.provenance)

    def excess(self, units: Iterable[Fighter]) -> tuple[str, ...]:
        """Everything in which units of one side are too many for one hex, in words."""
        halves, vehicles = _weight(units)
        whose = f"({self.provenance} value)"
        found = []
        if halves > 2 * self.squads:
            squads = f"{halves // 2}{'½' if halves % 2 else ''}"
            found.append(f"{squads} squads or equivalents are too many: one hex holds {self.squads} {whose}.")
        if vehicles > self.vehicles:
            found.append(f"{vehicles} vehicles are too many: one hex holds {self.vehicles} {whose}.")
        return tuple(found)

    def hexes(self, units: Collection[Fighter]) -> int:
        """How many hexes units of one side fill at least."""
        halves, vehicles = _weight(units)
        return max(-(-halves // (2 * self.squads)), -(-vehicles // self.vehicles), min(len(units), 1))


def _weight(units: Iterable[Fighter]) -> tuple[int, int]:
    """What counts towards stacking, in half-squads and in vehicles."""
    kinds = [unit.kind for unit in units]
    return sum(_HALVES.get(kind, 0) for kind in kinds), kinds.count(Kind.VEHICLE)


@dataclass(frozen=True, slots=True)
class Battle:
    """A threatened sector in the midst of a round.

    ``attacker``: the Attacker of the firefight just played. ``fighters``: all that live, hidden ones placed.
    ``fought``: those that have fought in this round; what became of them is applied when the round is over, see
    ``end_round``. ``existing``: step 1, the fights that were on when the firefight ended, else step 3.
    """

    attacker: Side
    fighters: tuple[Fighter, ...]
    hex_map: HexMap
    stacking: Stacking
    existing: bool = False
    fought: frozenset[Key] = frozenset()

    def of(self, keys: Iterable[Key]) -> tuple[Fighter, ...]:
        """The fighters of those keys, in the keys' order. Raises KeyError for one that is not there."""
        found = {fighter.key: fighter for fighter in self.fighters}
        return tuple(found[key] for key in keys)


@dataclass(frozen=True, slots=True)
class Bout:
    """Units of the side that picks against units of the other; each set attacks the other, as one attack.

    ``attackers`` and ``defenders``: top to bottom, for the dice of 18.1.3. ``from_cover``: sides that attack out of
    building, woods or grain. ``in_open``: sides whose AFV is in the open, step 1 only. ``by_value``: sides whose
    NCOs and Officers use their CCV and lend no -5 (19.3.5). ``hand_to_hand``: A-23.
    """

    attackers: tuple[Key, ...]
    defenders: tuple[Key, ...]
    hand_to_hand: bool = False
    from_cover: frozenset[Side] = frozenset()
    in_open: frozenset[Side] = frozenset()
    by_value: frozenset[Side] = frozenset()

    @property
    def keys(self) -> tuple[Key, ...]:
        """Everybody in it."""
        return (*self.attackers, *self.defenders)


# Who may fight whom


def targets(fighter: Fighter, enemies: Iterable[Fighter], hex_map: HexMap) -> frozenset[Key]:
    """Whom a unit fights first: those in its hex, else adjacent ones, else the nearest in hexes (20.6.4 step 3).

    Ties are all named. Where a hex was not noted on either side, nobody can say who is nearer: it is a tie with all.
    """
    if fighter.hex is None:
        return frozenset(enemy.key for enemy in enemies)
    unknown, near, nearest = [], [], None
    for enemy in enemies:
        if enemy.hex is None:
            unknown.append(enemy.key)
            continue
        hexes = hex_map.distance(fighter.hex, enemy.hex)
        if nearest is None or hexes < nearest:
            nearest, near = hexes, []
        if hexes == nearest:
            near.append(enemy.key)
    return frozenset((*unknown, *near))


def met_in_hex(fighters: Iterable[Fighter]) -> frozenset[Key]:
    """The vehicles in whose hex an enemy ended the firefight: M-KILLED, they still attack (20.6.4 step 3).

    To be asked once, when the firefight has ended. Where a hex was not noted, it may be the same one.
    """
    fighters = tuple(fighters)
    places: dict[Side, set[Hex | None]] = {side: {unit.hex for unit in fighters if unit.side is side} for side in Side}

    def is_met(vehicle: Fighter) -> bool:
        enemies = places[_other(vehicle.side)]
        return bool(enemies) and (vehicle.hex is None or None in enemies or vehicle.hex in enemies)

    return frozenset(unit.key for unit in fighters if unit.is_vehicle and is_met(unit))


def openings(battle: Battle) -> dict[Key, frozenset[Key]]:
    """Every unit that can still fight on its own in this round, with the enemies that it fights first.

    An M-KILLED vehicle that may only fight back has none (20.6.4 step 3), nor has a unit without an enemy left.
    Leaders whose side has other infantry there are no part of this: they go with it (19.3.6). In step 1 it is the
    marked units of a hex that fight each other; hexes that nobody noted count as one.
    """
    ready: dict[Side, list[Fighter]] = {side: [] for side in Side}
    for fighter in _on_their_own(battle):
        if fighter.key not in battle.fought:
            ready[fighter.side].append(fighter)
    bound = _bound(battle)
    everybody = {side: frozenset(fighter.key for fighter in units) for side, units in ready.items()}
    found: dict[Key, frozenset[Key]] = {}
    for side in Side:
        for fighter in ready[side]:
            enemies = ready[_other(side)]
            if fighter.key in bound:
                found[fighter.key] = frozenset()
            elif fighter.hex is None and not battle.existing:
                found[fighter.key] = everybody[_other(side)]
            elif battle.existing:
                found[fighter.key] = frozenset(enemy.key for enemy in enemies if enemy.hex == fighter.hex)
            else:
                found[fighter.key] = targets(fighter, enemies, battle.hex_map)
    return found


def picker(battle: Battle) -> Side:
    """Who picks the pairings: the Attacker of the firefight, in both steps (20.6.4 step 3).

    Where all he has left for this round may only fight back, it is for the enemy to attack, so the enemy picks.
    """
    return _picker(battle, openings(battle))


def round_is_over(battle: Battle) -> bool:
    """Whether nobody is left who could fight in this round; others have to wait for the next (20.6.4 step 3)."""
    return not any(openings(battle).values())


def is_over(battle: Battle) -> bool:
    """Whether the step is over: one side is left in the sector, or in step 1 in each hex; or neither is."""
    if battle.existing:
        return round_is_over(replace(battle, fought=frozenset()))
    return len({fighter.side for fighter in battle.fighters}) < 2


def _other(side: Side) -> Side:
    return Side.RUSSIAN if side is Side.GERMAN else Side.GERMAN


def _picker(battle: Battle, first: Mapping[Key, Collection[Key]]) -> Side:
    is_his_turn = any(enemies for key, enemies in first.items() if key[0] is battle.attacker)
    return battle.attacker if is_his_turn or not any(first.values()) else _other(battle.attacker)


def _present(battle: Battle) -> Iterable[Fighter]:
    return (unit for unit in battle.fighters if unit.in_cc) if battle.existing else battle.fighters


def _place(unit: Fighter, battle: Battle) -> tuple[Side, Hex | None]:
    """Where infantry must be to cover a leader: in his hex in step 1, anywhere in the sector in step 3."""
    return unit.side, unit.hex if battle.existing else None


def _on_their_own(battle: Battle) -> list[Fighter]:
    """Those that can be attacked by themselves: all but leaders with other infantry around (19.3.6)."""
    present = tuple(_present(battle))
    covered = {_place(unit, battle) for unit in present if unit.is_rank_and_file}
    return [unit for unit in present if not (unit.is_leader and _place(unit, battle) in covered)]


def _bound(battle: Battle) -> frozenset[Key]:
    """M-KILLED vehicles that attack nobody but those attacking them (20.6.4 step 3).

    If both sides have nothing else, they all may: the sector must end in one hand.
    """
    if battle.existing:
        return frozenset()
    bound = frozenset(unit.key for unit in battle.fighters if unit.m_killed and not unit.enemy_in_hex)
    return frozenset() if bound and all(unit.key in bound for unit in _on_their_own(battle)) else bound


@dataclass(frozen=True, slots=True)
class _Rest:
    """What is left of a round: the openings of those that wait, leaders that wait with infantry, all by key.

    ``waiting``: those of ``first`` by side. ``values``: see ``value``; they last as long as the round.
    """

    battle: Battle
    known: Mapping[Key, Fighter]
    first: Mapping[Key, Collection[Key]]
    leaders: Collection[Key]
    waiting: Mapping[Side, Sequence[Fighter]]
    values: dict[tuple[Key, bool], int] = field(default_factory=dict)

    @classmethod
    def of(cls, battle: Battle) -> "_Rest":
        first, fought = openings(battle), battle.fought
        leaders = [u.key for u in _present(battle) if u.is_leader and u.key not in first and u.key not in fought]
        known = {fighter.key: fighter for fighter in battle.fighters}
        waiting = {side: [known[key] for key in first if key[0] is side] for side in Side}
        return cls(battle, known, first, leaders, waiting)

    def value(self, unit: Fighter, enemy: Fighter | None = None) -> int:
        """What a unit's CCV is worth, against an enemy of its bout or in defense."""
        case = unit.key, enemy is not None and enemy.is_vehicle
        if case not in self.values:
            self.values[case] = combat_value([_as_unit(unit, case[1])], not self.battle.existing)
        return self.values[case]

    def meets(self, one: Key, two: Key) -> bool:
        """Whether a pair of enemies may meet: one of them is among the first that the other fights."""
        return two in self.first[one] or one in self.first[two]

    def is_served(self, key: Key, enemies: Collection[Key]) -> bool:
        """Whether one of its first enemies is among these; an M-KILLED vehicle that fights back has none to ask for."""
        return not self.first[key] or not self.first[key].isdisjoint(enemies)

    def idle(self, bout: Bout, side: Side) -> list[Fighter]:
        """A side's units that wait on, if they are too many to fight what a bout leaves of the enemy in this round.

        Each enemy can fight a hex full of them in step 3, and in step 1 all of them in its hex, leaders as well.
        """
        within = set(bout.keys)
        if self.battle.existing:
            return self._idle_in_hexes(within, side)
        enemies = self.waiting[_other(side)]
        places = len(enemies) - sum(enemy.key in within for enemy in enemies)
        if len(self.waiting[side]) <= places:
            return []
        own = [unit for unit in self.waiting[side] if unit.key not in within]
        return own if len(own) > places and self.battle.stacking.hexes(own) > places else []

    def _idle_in_hexes(self, within: Collection[Key], side: Side) -> list[Fighter]:
        here = {self.known[key].hex for key in within}
        left = [unit for unit in chain(*self.waiting.values()) if unit.key not in within and unit.hex in here]
        if any(unit.side is not side for unit in left):
            return []
        leaders = (self.known[key] for key in self.leaders if key not in within)
        return [*left, *(leader for leader in leaders if leader.side is side and leader.hex in here)]

    def can_join(self, unit: Fighter, bout: Bout) -> bool:
        """Whether a unit that waits could be in a bout as well: by priority, and by what one hex holds."""
        mates = [self.known[key] for key in bout.keys if key[0] is unit.side]
        if self.battle.existing:
            return unit.key in self.first or any(mate.is_rank_and_file for mate in mates)
        enemies = [key for key in bout.keys if key[0] is not unit.side and key in self.first]
        is_in_order = all(self.meets(unit.key, key) for key in enemies) and self.is_served(unit.key, enemies)
        return is_in_order and not self.battle.stacking.excess((*mates, unit))


# What speaks against a bout


def objections(bout: Bout, battle: Battle) -> tuple[Objection, ...]:
    """Everything that forbids a bout as the round stands, each with its rule; it may be fought if there is nothing.

    If it names the wrong units nothing else is looked at, and whom it leaves out is looked at last.
    """
    found = tuple(_against_names(bout, battle))
    if found:
        return found
    rest = _Rest.of(battle)
    units = battle.of(bout.keys)
    against = [_against_round(units, battle), _against_leaders(units, rest)]
    if battle.existing:
        against += [_against_hexes(units)]
    else:
        against += [_against_priority(bout, rest), _against_stacking(units, battle), _against_open(bout)]
    return tuple(dict.fromkeys(chain(*against))) or tuple(_against_leaving_out(bout, rest))


def _against_names(bout: Bout, battle: Battle) -> Iterable[Objection]:
    there = {fighter.key for fighter in battle.fighters}
    if not bout.attackers or not bout.defenders:
        yield Objection("A bout needs units of both sides.", "19.2.1")
    for side, number in dict.fromkeys(bout.keys):
        if (side, number) not in there:
            yield Objection(f"{side.capitalize()} unit {number} is not in this sector.", "20.6.4")
    if len(set(bout.keys)) < len(bout.keys):
        yield Objection("A unit attacks once, and is attacked once: one is named twice.", "19.2.1")
    side = picker(battle)
    sides = {key[0] for key in bout.attackers}, {key[0] for key in bout.defenders}
    if not (sides[0] <= {side} and sides[1] <= {_other(side)}):
        who = side.capitalize()
        yield Objection(f"The {who} picks the pairings: his units attack, and enemies defend.", _STEP_3)


def _against_round(units: Sequence[Fighter], battle: Battle) -> Iterable[Objection]:
    for unit in units:
        if unit.key in battle.fought:
            yield Objection(f"{unit.name} has fought in this round.", "19.2.1" if battle.existing else _STEP_3)
        if battle.existing and not unit.in_cc:
            yield Objection(f"{unit.name} has no Close Combat marker.", _STEP_1)


def _against_leaders(units: Sequence[Fighter], rest: _Rest) -> Iterable[Objection]:
    on_their_own = {unit.key for unit in _on_their_own(rest.battle)}
    escorted = {unit.side for unit in units if unit.is_rank_and_file}
    for unit in units:
        if unit.is_leader and unit.key not in on_their_own and unit.side not in escorted:
            message = f"{unit.name} fights with infantry of his side that is no leader, while there is any."
            yield Objection(message, "19.3.6")


def _against_priority(bout: Bout, rest: _Rest) -> Iterable[Objection]:
    """Everybody has one of his first enemies in the bout, and of each pair one is a first enemy of the other."""
    attackers, defenders = ([key for key in keys if key in rest.first] for keys in (bout.attackers, bout.defenders))
    unserved = set()
    for keys, enemies in ((attackers, defenders), (defenders, attackers)):
        for key in keys:
            if enemies and not rest.is_served(key, enemies):
                unserved.add(key)
                wanted = _listed((rest.known[enemy].name for enemy in sorted(rest.first[key])), "or")
                yield Objection(f"{rest.known[key].name} first fights {wanted}.", _STEP_3)
    for one, two in product(attackers, defenders):
        if not rest.meets(one, two) and unserved.isdisjoint((one, two)):
            yield Objection(_why_apart(one, two, rest), _STEP_3)


def _why_apart(one: Key, two: Key, rest: _Rest) -> str:
    names = rest.known[one].name, rest.known[two].name
    for key, (name, enemy) in ((one, names), (two, names[::-1])):
        if not rest.first[key]:
            return f"{name} is M-KILLED and only fights back: {enemy} has others to attack first."
    return f"{names[0]} and {names[1]} both have nearer enemies."


def _against_stacking(units: Sequence[Fighter], battle: Battle) -> Iterable[Objection]:
    for side in Side:
        for excess in battle.stacking.excess(unit for unit in units if unit.side is side):
            yield Objection(f"{side.capitalize()}: {excess}", _STEP_3)


def _against_open(bout: Bout) -> Iterable[Objection]:
    if bout.in_open:
        yield Objection("Sector combat uses no DRM for AFV in the open.", _STEP_3)


def _against_hexes(units: Sequence[Fighter]) -> Iterable[Objection]:
    hexes = list(dict.fromkeys(str(unit.hex or "a hex not noted") for unit in units))
    if len(hexes) > 1:
        yield Objection(f"Close combat under way is fought hex by hex: these are in {_listed(hexes)}.", _STEP_1)


def _against_leaving_out(bout: Bout, rest: _Rest) -> Iterable[Objection]:
    """All fight one round before anybody fights a second: nobody is left without an enemy who could have one."""
    rule = "19.2.1" if rest.battle.existing else _STEP_3
    for side in Side:
        idle = rest.idle(bout, side)
        gathered = [key for key in bout.keys if key[0] is not side and key in rest.first]
        if idle and len(gathered) > 1 and not rest.battle.existing:
            whose = f"{side.capitalize()} units would have no enemy in this round"
            yield Objection(f"{len(gathered)} units may not gather here: {whose}.", rule)
        for unit in idle:
            if rest.can_join(unit, bout):
                yield Objection(f"{unit.name} would have no enemy in this round: it joins.", rule)


def _listed(names: Iterable[str], link: str = "and") -> str:
    *head, last = names
    return f"{', '.join(head)} {link} {last}" if head else last


# A round that can be fought as it stands


def proposals(battle: Battle) -> tuple[Bout, ...]:
    """The rest of the round as the side that picks would like it, to be fought in this order.

    The same battle gives the same bouts. Each is legal once those before it are fought, and after the last the
    round is over; there is at least one while anybody can still fight. The picker's units gather, strongest first,
    against one enemy at a time, until the odds are 4-1 or no more may. Leaders go with infantry near them.
    """
    found = []
    rest = _Rest.of(battle)
    while bout := _proposal(rest):
        found.append(bout)
        battle = replace(battle, fought=battle.fought | set(bout.keys))
        rest = replace(_Rest.of(battle), values=rest.values)
    return tuple(found)


_LOOKS = 4  # a large sector has too many enemies to look at all of them for each bout


def _proposal(rest: _Rest) -> Bout | None:
    """The next bout: where the odds are best, of those against the weakest enemies. None when the round is over."""
    if not any(rest.first.values()):
        return None
    side = _picker(rest.battle, rest.first)
    own, leaders = rest.waiting[side], _leaders_with(rest)
    enemies = sorted(rest.waiting[_other(side)], key=lambda unit: (rest.value(unit), unit.key))
    bouts = (_gathered(enemy, mates, leaders, rest) for enemy in enemies if (mates := _against(enemy, own, rest)))
    return max(islice(bouts, _LOOKS), key=lambda bout: _rank(bout, rest.battle))


def _against(enemy: Fighter, own: Iterable[Fighter], rest: _Rest) -> list[Fighter]:
    """One's own units that may meet an enemy, strongest first behind one that he fights first; none if nobody may."""
    mates = [unit for unit in own if rest.meets(unit.key, enemy.key) and rest.is_served(unit.key, {enemy.key})]
    mates.sort(key=lambda unit: (-rest.value(unit, enemy), unit.key))
    opener = next((unit for unit in mates if rest.is_served(enemy.key, {unit.key})), None)
    return [opener, *(unit for unit in mates if unit is not opener)] if opener else []


def _gathered(enemy: Fighter, mates: Sequence[Fighter], leaders: Mapping[Key, Sequence[Key]], rest: _Rest) -> Bout:
    """A bout against one enemy, of as many as are needed and may gather, and all who must not be left out."""
    bout = Bout((mates[0].key,), (enemy.key,))
    with_him = [enemy, *(rest.known[key] for key in leaders.get(enemy.key, ()))]
    strength = rest.value(mates[0], enemy)
    resistance = sum(rest.value(unit) for unit in with_him)
    for unit in mates[1:]:
        if strength >= _SURE * resistance:
            break
        larger = _with(bout, unit.key)
        if rest.can_join(unit, bout) and not rest.idle(larger, enemy.side):
            bout, strength = larger, strength + rest.value(unit, enemy)
    for side in Side:
        while joiner := _joiner(bout, side, side is not enemy.side, rest):
            bout = _with(bout, joiner.key)
    escorts = [leader for key in bout.keys for leader in leaders.get(key, ()) if leader not in bout.keys]
    return _with(bout, *escorts)


def _joiner(bout: Bout, side: Side, strongest: bool, rest: _Rest) -> Fighter | None:
    """The strongest or the weakest of those who must not be left out, if anybody of them may join."""
    idle = sorted(rest.idle(bout, side), key=lambda unit: (unit.ccv, unit.key), reverse=strongest)
    return next((unit for unit in idle if rest.can_join(unit, bout)), None)


def _with(bout: Bout, *keys: Key) -> Bout:
    side = bout.attackers[0][0]
    own, enemies = (tuple(key for key in keys if (key[0] is side) is mine) for mine in (True, False))
    return replace(bout, attackers=bout.attackers + own, defenders=bout.defenders + enemies)


def _rank(bout: Bout, battle: Battle) -> tuple[int, int, Key]:
    """How good a bout is for the side that picks: the odds, all sure wins alike, then how few units it takes."""
    inputs = attack_inputs(bout, battle, bout.attackers[0][0])
    strength, resistance = (combat_value(inputs[name], inputs["in_sector"]) for name in ("attack", "defense"))
    odds = min(odds_step(strength, resistance), HIGHEST + 1) if strength and resistance else HIGHEST + 1
    return odds if strength else -resistance - 1, -len(bout.attackers), bout.defenders[0]


def _leaders_with(rest: _Rest) -> dict[Key, list[Key]]:
    """The leaders that go with each unit: with infantry of their side as near as can be, one each where it ties."""
    found: dict[Key, list[Key]] = {}
    waiting = [rest.known[key] for key in rest.first]
    for leader in (rest.known[key] for key in sorted(rest.leaders)):
        place = _place(leader, rest.battle)
        mates = [unit for unit in waiting if unit.is_rank_and_file and _place(unit, rest.battle) == place]
        if mates:
            near = min(mates, key=lambda u: (_hexes(leader, u, rest.battle), len(found.get(u.key, ())), u.key))
            found.setdefault(near.key, []).append(leader.key)
    return found


def _hexes(one: Fighter, two: Fighter, battle: Battle) -> int:
    return battle.hex_map.distance(one.hex, two.hex) if one.hex and two.hex else 0


# The dice


class Fate(StrEnum):
    """What becomes of a unit in a round."""

    M_KILLED = "m_killed"
    REDUCED = "reduced"
    WOUNDED = "wounded"
    ELIMINATED = "eliminated"

    @property
    def word(self) -> str:
        """The fate in the players' words."""
        return {"m_killed": "M-KILLED", "reduced": "reduced to its half-squad"}.get(self.value, self.value)


@dataclass(frozen=True, slots=True)
class Effect:
    """What a bout does to one unit, once its round is over."""

    key: Key
    fate: Fate


@dataclass(frozen=True, slots=True)
class Fought:
    """A bout with the dice known so far: it is settled when it needs none.

    ``attack``: by those who picked it, ``defense``: the attack of the others in return. ``hits``: who is hit by
    them, in that order, where that was open. ``effects``: one for each unit that something happens to. ``needs``:
    the dice of the next step. ``provenance``: of every chart and of the stacking limit.
    """

    bout: Bout
    attack: Result
    defense: Result
    hits: tuple[Result, ...] = ()
    effects: tuple[Effect, ...] = ()
    needs: tuple[DieSpec, ...] = ()
    provenance: tuple[Source, ...] = ()


def attack_inputs(bout: Bout, battle: Battle, side: Side) -> dict[str, Any]:
    """What a side's attack in a bout gives ``close_combat``, besides the charts and the die (19.3.3, 19.3.5).

    One NCO or Officer lends his -5 instead of his CCV (A-20), if he is not alone. What counts against an AFV does
    so when no infantry but leaders defends with it; against several, M-KILLED counts if they all are.
    """
    units = battle.of(bout.keys)
    attack = [unit for unit in units if unit.side is side]
    defense = [unit for unit in units if unit.side is not side]
    at_afv = any(unit.is_vehicle for unit in defense) and not any(unit.is_rank_and_file for unit in defense)
    lender = None if side in bout.by_value else _lender(attack)
    return {
        "attack": [_as_unit(unit, at_afv) for unit in attack if unit is not lender],
        "defense": [_as_unit(unit) for unit in defense],
        "target": Target.AFV if at_afv else Target.INFANTRY,
        "hand_to_hand": bout.hand_to_hand,
        "leader": lender is not None,
        "demo_charge": at_afv and any(unit.weapon == Weapon.DEMO_CHARGE for unit in attack),
        "flamethrower": any(unit.weapon == Weapon.FLAMETHROWER for unit in attack),
        "m_killed": at_afv and all(unit.m_killed for unit in defense if unit.is_vehicle),
        "from_cover": at_afv and side in bout.from_cover,
        "afv_in_open": at_afv and _other(side) in bout.in_open and not all(unit.is_vehicle for unit in attack),
        "in_sector": not battle.existing,
    }


def _lender(attack: Sequence[Fighter]) -> Fighter | None:
    if all(unit.is_leader for unit in attack):
        return None
    return min((unit for unit in attack if unit.can_lend), key=lambda unit: (unit.ccv, unit.key), default=None)


def _as_unit(unit: Fighter, against_afv: bool = False) -> Unit:
    ccv = DEMO_CHARGE_VALUE if against_afv and unit.weapon == Weapon.DEMO_CHARGE else unit.ccv
    state = State.DISRUPTED if unit.disrupted else State.GOOD_ORDER
    return Unit(unit.kind, unit.name, state=state, ccv=ccv, rider=unit.rider)


def resolve(bout: Bout, battle: Battle, charts: Book, dice: Mapping[str, int]) -> Fought:
    """Fight a bout with the dice that are there (19.2.1, 19.3, 20.6.4 step 3); see ``objections`` for its legality.

    dice: ``attack`` and ``defense``, natural d100, where the odds ask for a roll; then ``attack_hit_1`` and so on,
    a d10 for each defender, top to bottom, and ``defense_hit_1`` and so on for each attacker, where a C or E has
    several to choose from (18.1.3). Dice that are not asked for are ignored. Raises BadDie.
    """
    attackers, defenders = battle.of(bout.attackers), battle.of(bout.defenders)
    ways = (("attack", attackers, defenders), ("defense", defenders, attackers))
    rolls = [_roll(name, attack_inputs(bout, battle, strikers[0].side), charts, dice) for name, strikers, _ in ways]
    hits, effects, specs = [], [], []
    for (name, strikers, struck), roll in zip(ways, rolls, strict=True):
        if roll.needs:
            label = f"Attack by {_listed(unit.name for unit in strikers)}"
            return Fought(bout, *rolls, needs=(DieSpec(name, 100, label),))
        specs += _hit_specs(name, struck, roll)
    missing = tuple(spec for spec in specs if dice.get(spec.name) is None)
    if missing:
        return Fought(bout, *rolls, needs=missing)
    for (name, strikers, struck), roll in zip(ways, rolls, strict=True):
        hit = _who_is_hit(name, struck, roll, charts, dice)
        hits += [hit] if hit and hit.dice else []
        effects += _effects(strikers, struck, roll, hit)
    combined_effects = tuple(Effect(key, fate) for key, fate in combined(effects).items())
    used = [source for result in (*rolls, *hits) for source in result.provenance]
    limit = () if battle.existing else (battle.stacking.source,)
    return Fought(bout, *rolls, tuple(hits), combined_effects, provenance=tuple(dict.fromkeys((*used, *limit))))


def _roll(name: str, inputs: Mapping[str, Any], charts: Book, dice: Mapping[str, int]) -> Result:
    try:
        return close_combat(charts=charts, die=dice.get(name), **inputs)
    except BadDie as error:
        raise BadDie(str(error), name) from error


def _result_on_one(roll: Result) -> FireOutcome | None:
    """The C or E that one of the struck takes, None for any other outcome."""
    is_on_one = roll.outcome in (CloseCombatOutcome.C, CloseCombatOutcome.E)
    return FireOutcome(roll.outcome.value) if is_on_one else None


def _hit_specs(name: str, struck: Sequence[Fighter], roll: Result) -> list[DieSpec]:
    result = _result_on_one(roll)
    dice = hit_dice([_as_unit(unit) for unit in struck], result) if result else ()
    return [replace(spec, name=f"{name}_hit_{place}") for place, spec in enumerate(dice, 1)]


def _who_is_hit(
    name: str, struck: Sequence[Fighter], roll: Result, charts: Book, dice: Mapping[str, int]
) -> Result | None:
    result = _result_on_one(roll)
    if result is None:
        return None
    specs = _hit_specs(name, struck, roll)
    faces = {f"die_{n}": check_face(dice[spec.name], spec.sides, spec.name) for n, spec in enumerate(specs, 1)}
    return who_is_hit(charts=charts, result=result, units=[_as_unit(unit) for unit in struck], **faces)


def _effects(
    strikers: Sequence[Fighter], struck: Sequence[Fighter], roll: Result, hit: Result | None
) -> Iterable[Effect]:
    match roll.outcome:
        case CloseCombatOutcome.ATTACKERS_ELIMINATED:
            return [Effect(unit.key, Fate.ELIMINATED) for unit in strikers]
        case CloseCombatOutcome.DEFENDERS_ELIMINATED:
            return [Effect(unit.key, Fate.ELIMINATED) for unit in struck]
    if hit is None:
        return []
    names = [name for name, _ in named([_as_unit(unit) for unit in struck])]
    hurt = [unit for name, unit in zip(names, struck, strict=True) if name in hit.details["hit"]]
    is_fatal = roll.outcome is CloseCombatOutcome.E
    return [Effect(unit.key, Fate.ELIMINATED if is_fatal else _casualty(unit)) for unit in hurt]


def _casualty(unit: Fighter) -> Fate:
    """What a C does: it M-KILLs an AFV, reduces a squad, wounds a leader and kills the rest (19.3.3, A-38)."""
    if unit.is_vehicle:
        return Fate.M_KILLED
    after = after_casualties(_as_unit(unit), Cause.FFT)
    if after is None:
        return Fate.ELIMINATED
    return Fate.REDUCED if after.kind is Kind.HALF_SQUAD else Fate.WOUNDED


# The end of a round


def combined(effects: Iterable[Effect]) -> dict[Key, Fate]:
    """What all effects on a unit come to, in whatever order: Casualties twice are its end, an M-KILL is not."""
    found: dict[Key, Fate] = {}
    for effect in effects:
        before = found.get(effect.key)
        if before is None:
            found[effect.key] = effect.fate
        elif before != effect.fate or effect.fate is not Fate.M_KILLED:
            found[effect.key] = Fate.ELIMINATED
    return found


def apply(fighters: Iterable[Fighter], effects: Iterable[Effect]) -> tuple[Fighter, ...]:
    """The fighters after a round, the dead left out (19.2.1 step 3). Who is flipped sheds his markers (18.1.4)."""
    fates = combined(effects)
    after = (_after(fighter, fates.get(fighter.key)) for fighter in fighters)
    return tuple(fighter for fighter in after if fighter)


def end_round(battle: Battle, effects: Iterable[Effect]) -> Battle:
    """The battle before its next round: what all bouts did takes effect at once."""
    return replace(battle, fighters=apply(battle.fighters, effects), fought=frozenset())


def _after(fighter: Fighter, fate: Fate | None) -> Fighter | None:
    match fate:
        case None:
            return fighter
        case Fate.M_KILLED:
            return replace(fighter, m_killed=True)
        case Fate.REDUCED if fighter.kind is Kind.SQUAD:
            return replace(fighter, kind=Kind.HALF_SQUAD, ccv=fighter.half_ccv, half_ccv=None, disrupted=False)
        case Fate.WOUNDED if fighter.kind is Kind.LEADER:
            return replace(fighter, kind=Kind.WOUNDED_LEADER, disrupted=False)
        case _:
            return None
