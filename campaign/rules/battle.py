"""Who may fight whom in a threatened sector, and what speaks against a bout (20.6.4 steps 1 and 3)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, product

from firefight.engine.hexes import Hex, HexMap
from firefight.games.combat_stalingrad.close_combat import combat_value

from .fighters import Battle, Bout, Fighter, Key, as_unit, listed
from .leaders import Side
from .purchases import Objection

_STEP_1, _STEP_3 = "20.6.4 step 1", "20.6.4 step 3"


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
        enemies = places[vehicle.side.other]
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
            enemies = ready[side.other]
            if fighter.key in bound:
                found[fighter.key] = frozenset()
            elif fighter.hex is None and not battle.existing:
                found[fighter.key] = everybody[side.other]
            elif battle.existing:
                found[fighter.key] = frozenset(enemy.key for enemy in enemies if enemy.hex == fighter.hex)
            else:
                found[fighter.key] = targets(fighter, enemies, battle.hex_map)
    return found


def picker(battle: Battle) -> Side:
    """Who picks the pairings: the Attacker of the firefight, in both steps (20.6.4 step 3).

    Where all he has left for this round may only fight back, it is for the enemy to attack, so the enemy picks.
    """
    return Rest.of(battle).picker


def round_is_over(battle: Battle) -> bool:
    """Whether nobody is left who could fight in this round; others have to wait for the next (20.6.4 step 3)."""
    return not any(openings(battle).values())


def is_over(battle: Battle) -> bool:
    """Whether the step is over: one side is left in the sector, or in step 1 in each hex; or neither is."""
    if battle.existing:
        return round_is_over(replace(battle, fought=frozenset()))
    return len({fighter.side for fighter in battle.fighters}) < 2


def _present(battle: Battle) -> Iterable[Fighter]:
    return (unit for unit in battle.fighters if unit.in_cc) if battle.existing else battle.fighters


def place_of(unit: Fighter, battle: Battle) -> tuple[Side, Hex | None]:
    """Where infantry must be to cover a leader: in his hex in step 1, anywhere in the sector in step 3."""
    return unit.side, unit.hex if battle.existing else None


def _on_their_own(battle: Battle) -> list[Fighter]:
    """Those that can be attacked by themselves: all but leaders with other infantry around (19.3.6)."""
    present = tuple(_present(battle))
    covered = {place_of(unit, battle) for unit in present if unit.is_rank_and_file}
    return [unit for unit in present if not (unit.is_leader and place_of(unit, battle) in covered)]


def _bound(battle: Battle) -> frozenset[Key]:
    """M-KILLED vehicles that attack nobody but those attacking them (20.6.4 step 3).

    If both sides have nothing else, they all may: the sector must end in one hand.
    """
    if battle.existing:
        return frozenset()
    bound = frozenset(unit.key for unit in battle.fighters if unit.m_killed and not unit.enemy_in_hex)
    return frozenset() if bound and all(unit.key in bound for unit in _on_their_own(battle)) else bound


@dataclass(frozen=True, slots=True)
class Rest:
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
    def of(cls, battle: Battle) -> "Rest":
        first, fought = openings(battle), battle.fought
        leaders = [u.key for u in _present(battle) if u.is_leader and u.key not in first and u.key not in fought]
        known = {fighter.key: fighter for fighter in battle.fighters}
        waiting = {side: [known[key] for key in first if key[0] is side] for side in Side}
        return cls(battle, known, first, leaders, waiting)

    @property
    def picker(self) -> Side:
        """See ``picker`` of a battle."""
        attacker = self.battle.attacker
        is_his_turn = any(enemies for key, enemies in self.first.items() if key[0] is attacker)
        return attacker if is_his_turn or not any(self.first.values()) else attacker.other

    def value(self, unit: Fighter, enemy: Fighter | None = None) -> int:
        """What a unit's CCV is worth, against an enemy of its bout or in defense."""
        case = unit.key, enemy is not None and enemy.is_vehicle
        if case not in self.values:
            self.values[case] = combat_value([as_unit(unit, case[1])], not self.battle.existing)
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
        enemies = self.waiting[side.other]
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
    rest = Rest.of(battle)
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
    if not (sides[0] <= {side} and sides[1] <= {side.other}):
        who = side.capitalize()
        yield Objection(f"The {who} picks the pairings: his units attack, and enemies defend.", _STEP_3)


def _against_round(units: Sequence[Fighter], battle: Battle) -> Iterable[Objection]:
    for unit in units:
        if unit.key in battle.fought:
            yield Objection(f"{unit.name} has fought in this round.", "19.2.1" if battle.existing else _STEP_3)
        if battle.existing and not unit.in_cc:
            yield Objection(f"{unit.name} has no Close Combat marker.", _STEP_1)


def _against_leaders(units: Sequence[Fighter], rest: Rest) -> Iterable[Objection]:
    on_their_own = {unit.key for unit in _on_their_own(rest.battle)}
    escorted = {unit.side for unit in units if unit.is_rank_and_file}
    for unit in units:
        if unit.is_leader and unit.key not in on_their_own and unit.side not in escorted:
            message = f"{unit.name} fights with infantry of his side that is no leader, while there is any."
            yield Objection(message, "19.3.6")


def _against_priority(bout: Bout, rest: Rest) -> Iterable[Objection]:
    """Everybody has one of his first enemies in the bout, and of each pair one is a first enemy of the other."""
    attackers, defenders = ([key for key in keys if key in rest.first] for keys in (bout.attackers, bout.defenders))
    unserved = set()
    for keys, enemies in ((attackers, defenders), (defenders, attackers)):
        for key in keys:
            if enemies and not rest.is_served(key, enemies):
                unserved.add(key)
                wanted = listed((rest.known[enemy].name for enemy in sorted(rest.first[key])), "or")
                yield Objection(f"{rest.known[key].name} first fights {wanted}.", _STEP_3)
    for one, two in product(attackers, defenders):
        if not rest.meets(one, two) and unserved.isdisjoint((one, two)):
            yield Objection(_why_apart(one, two, rest), _STEP_3)


def _why_apart(one: Key, two: Key, rest: Rest) -> str:
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
        yield Objection(f"Close combat under way is fought hex by hex: these are in {listed(hexes)}.", _STEP_1)


def _against_leaving_out(bout: Bout, rest: Rest) -> Iterable[Objection]:
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
