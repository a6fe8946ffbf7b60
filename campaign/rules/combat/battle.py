"""Who may fight whom in a threatened sector, and what speaks against a bout (20.6.4 steps 1 and 3)."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, product

from campaign.rules.units import LEVELS
from firefight.engine.board.hexes import Hex, HexMap
from firefight.engine.text import join_words
from firefight.games.combat_stalingrad.rules.melee.attacks import Bout, Key
from firefight.games.combat_stalingrad.rules.melee.declarations import object_to_division
from firefight.games.combat_stalingrad.rules.melee.fighters import Battle, Fighter
from firefight.games.combat_stalingrad.rules.melee.taking_part import list_bound, list_present, on_their_own
from firefight.games.combat_stalingrad.rules.objections import Objection
from firefight.games.combat_stalingrad.rules.sides import Side

_STEP_1, _STEP_3 = "20.6.4 step 1", "20.6.4 step 3"


def find_targets(fighter: Fighter, enemies: Iterable[Fighter], hex_map: HexMap) -> frozenset[Key]:
    """Which enemies a unit fights first: those in its hex, else adjacent ones, else the nearest (20.6.4 step 3).

    Ties are all listed. Where a hex was not noted on either side, nobody can say which is nearer: all are tied.
    """
    if fighter.hex is None:
        return frozenset(enemy.key for enemy in enemies)
    unknown: list[Key] = []
    near: list[Key] = []
    nearest: int | None = None
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
    """The vehicles in whose hex an enemy ended the firefight: even M-KILLED, they attack (20.6.4 step 3).

    To be asked once, when the firefight has ended. Where a hex was not noted, it may be the same one.
    """
    fighters = tuple(fighters)
    places: dict[Side, set[Hex | None]] = {side: {unit.hex for unit in fighters if unit.side is side} for side in Side}

    def is_met(vehicle: Fighter) -> bool:
        enemies = places[vehicle.side.other]
        return bool(enemies) and (vehicle.hex is None or None in enemies or vehicle.hex in enemies)

    return frozenset(unit.key for unit in fighters if unit.is_vehicle and is_met(unit))


def find_openings(battle: Battle) -> dict[Key, frozenset[Key]]:
    """Every unit that can still fight on its own in this round, with the enemies that it fights first.

    An M-KILLED vehicle that may only fight back has none (20.6.4 step 3), nor has a unit without an enemy left.
    Leaders whose side has other infantry there are not listed: they go with it (19.3.6). In step 1 the units of a
    location fight each other (A-46); marked units whose hex nobody noted count as one location.
    """
    ready: dict[Side, list[Fighter]] = {side: [] for side in Side}
    for fighter in on_their_own(battle):
        if fighter.key not in battle.fought:
            ready[fighter.side].append(fighter)
    stuck = list_bound(battle)
    everybody = {side: frozenset(fighter.key for fighter in units) for side, units in ready.items()}
    openings: dict[Key, frozenset[Key]] = {}
    for side in Side:
        for fighter in ready[side]:
            enemies = ready[side.other]
            if fighter.key in stuck:
                openings[fighter.key] = frozenset()
            elif fighter.hex is None and not battle.existing:
                openings[fighter.key] = everybody[side.other]
            elif battle.existing:
                openings[fighter.key] = frozenset(enemy.key for enemy in enemies if enemy.location == fighter.location)
            else:
                openings[fighter.key] = find_targets(fighter, enemies, battle.hex_map)
    return openings


def find_picker(battle: Battle) -> Side:
    """Who picks the pairings: the Attacker of the firefight, in both steps (20.6.4 step 3).

    Where all their remaining units may only fight back in this round, the enemy has to attack, so the enemy picks.
    """
    return RestOfRound.of(battle).picker


def round_is_over(battle: Battle) -> bool:
    """Whether nobody is left who could fight in this round; others have to wait for the next (20.6.4 step 3)."""
    return not any(find_openings(battle).values())


def is_over(battle: Battle) -> bool:
    """Whether the step is over: one side is left in the sector, or in step 1 in each hex; or neither is."""
    if battle.existing:
        return round_is_over(replace(battle, fought=frozenset()))
    return len({fighter.side for fighter in battle.fighters}) < 2


def find_declarers(battle: Battle) -> tuple[Side, ...]:
    """Who may declare attacks now: the side that picks; in step 1 either, as the Initiative has it (A-46)."""
    if is_over(battle):
        return ()
    return tuple(Side) if battle.existing else (find_picker(battle),)


def find_drawn_in(battle: Battle) -> list[Fighter]:
    """Units without a marker in a location where Close Combat with an enemy is under way: they are in it, too.

    All units of the location take part, marked or not (19.1.6, A-46).
    """
    present = list_present(battle)
    sides = {
        place: {unit.side for unit in present if unit.location == place} for place in {u.location for u in present}
    }
    return [unit for unit in present if not unit.in_cc and len(sides[unit.location]) > 1]


@dataclass(frozen=True, slots=True)
class RestOfRound:
    """The rest of a round: the openings of those that wait, leaders that wait with infantry, all by key.

    ``waiting``: those of ``openings``, by side.
    """

    battle: Battle
    openings: Mapping[Key, frozenset[Key]]
    leaders: Collection[Key]
    waiting: Mapping[Side, Sequence[Fighter]]

    @classmethod
    def of(cls, battle: Battle) -> "RestOfRound":
        openings, fought = find_openings(battle), battle.fought
        leaders = [u.key for u in list_present(battle) if u.is_leader and u.key not in openings and u.key not in fought]
        waiting = {side: [battle.known[key] for key in openings if key[0] is side] for side in Side}
        return cls(battle, openings, leaders, waiting)

    @property
    def picker(self) -> Side:
        """See ``find_picker``."""
        attacker = self.battle.attacker
        is_attackers_turn = any(enemies for key, enemies in self.openings.items() if key[0] is attacker)
        return attacker if is_attackers_turn or not any(self.openings.values()) else attacker.other

    def value(self, unit: Fighter, enemy: Fighter | None = None) -> int:
        """What a unit's CCV is worth, against an enemy of its bout or in defense."""
        return self.battle.value((unit,), enemy is not None and enemy.is_vehicle)

    def meets(self, unit: Key, enemy: Key) -> bool:
        """Whether two enemies may meet: one of them is among the first that the other fights."""
        return enemy in self.openings[unit] or unit in self.openings[enemy]

    def is_served(self, key: Key, enemies: Collection[Key]) -> bool:
        """Whether one of its first enemies is among these; an M-KILLED vehicle that fights back needs none."""
        return not self.openings[key] or not self.openings[key].isdisjoint(enemies)

    def may_oppose(self, unit: Key, enemy: Key) -> bool:
        """Whether a unit and an enemy may meet, and the unit is served by that."""
        openings = self.openings[unit]
        return enemy in openings if openings else unit in self.openings[enemy]

    def due(self) -> frozenset[Key]:
        """Those that waited through the last round and could fight an enemy by themselves now: they go first (A-45)."""
        sides = self.waiting
        waiters = [unit for side in Side for unit in sides[side] if unit.key in self.battle.waited]
        return frozenset(unit.key for unit in waiters if any(self.is_pair(unit, e) for e in sides[unit.side.other]))

    def is_pair(self, unit: Fighter, enemy: Fighter) -> bool:
        """Whether two enemies may meet alone."""
        keys = unit.key, enemy.key
        return self.meets(*keys) and self.is_served(keys[0], keys[1:]) and self.is_served(keys[1], keys[:1])


# What speaks against a bout


def object_to_bout(bout: Bout, battle: Battle) -> tuple[Objection, ...]:
    """Everything that forbids a bout as the round stands, each with its rule; with nothing it may be fought.

    If it names the wrong units nothing else is looked at, and how it is divided is looked at last.
    """
    objections = tuple(_against_names(bout, battle))
    if objections:
        return objections
    rest = RestOfRound.of(battle)
    units = battle.of(bout.keys)
    against = [_against_round(units, battle), _against_leaders(units, rest)]
    if battle.existing:
        against += [_against_location(units, battle)]
    else:
        against += [_against_priority(bout, rest), _against_stacking(units, battle), _against_sector(bout)]
        against += [_against_waiting(bout, rest)]
    return tuple(dict.fromkeys(chain(*against))) or tuple(object_to_division(bout, battle))


def _against_names(bout: Bout, battle: Battle) -> Iterable[Objection]:
    present = {fighter.key for fighter in battle.fighters}
    if not bout.attackers or not bout.defenders:
        yield Objection("A bout needs units of both sides.", "19.2.1")
    for side, number in dict.fromkeys(bout.keys):
        if (side, number) not in present:
            yield Objection(f"{side.word} unit {number} is not in this sector.", "20.6.4")
    if len(set(bout.keys)) < len(bout.keys):
        yield Objection("A unit attacks once, and is attacked once: one is named twice.", "19.2.1")
    side = find_picker(battle)
    sides = {key[0] for key in bout.attackers}, {key[0] for key in bout.defenders}
    if not (sides[0] <= {side} and sides[1] <= {side.other}):
        picker = side.word
        yield Objection(f"The {picker} picks the pairings: their units attack, and enemies defend.", _STEP_3)


def _against_round(units: Sequence[Fighter], battle: Battle) -> Iterable[Objection]:
    for unit in units:
        if unit.key in battle.fought:
            yield Objection(f"{unit.name} has fought in this round.", "19.2.1" if battle.existing else _STEP_3)
        if battle.existing and unit not in list_present(battle):
            yield Objection(f"{unit.name} is in no location with a Close Combat marker.", _STEP_1)


def _against_leaders(units: Sequence[Fighter], rest: RestOfRound) -> Iterable[Objection]:
    apart = {unit.key for unit in on_their_own(rest.battle)}
    escorted = {unit.side for unit in units if unit.is_rank_and_file}
    for unit in units:
        if unit.is_leader and unit.key not in apart and unit.side not in escorted:
            message = f"{unit.name} fights with infantry of its side that is not a leader, while there is any."
            yield Objection(message, "19.3.6")


def _against_priority(bout: Bout, rest: RestOfRound) -> Iterable[Objection]:
    """Each unit has one of its first enemies in the bout, and of each pair one is a first enemy of the other."""
    attackers, defenders = ([key for key in keys if key in rest.openings] for keys in (bout.attackers, bout.defenders))
    unserved = set()
    for keys, enemies in ((attackers, defenders), (defenders, attackers)):
        for key in keys:
            if enemies and not rest.is_served(key, enemies):
                unserved.add(key)
                enemies_first = join_words(
                    (rest.battle.known[enemy].name for enemy in sorted(rest.openings[key])), "or"
                )
                yield Objection(f"{rest.battle.known[key].name} first fights {enemies_first}.", _STEP_3)
    for attacker, defender in product(attackers, defenders):
        if not rest.meets(attacker, defender) and unserved.isdisjoint((attacker, defender)):
            yield Objection(_why_apart(attacker, defender, rest), _STEP_3)


def _why_apart(attacker: Key, defender: Key, rest: RestOfRound) -> str:
    names = rest.battle.known[attacker].name, rest.battle.known[defender].name
    for key, (name, enemy) in ((attacker, names), (defender, names[::-1])):
        if not rest.openings[key]:
            return f"{name} is M-KILLED and only fights back: {enemy} has others to attack first."
    return f"{names[0]} and {names[1]} both have nearer enemies."


def _against_stacking(units: Sequence[Fighter], battle: Battle) -> Iterable[Objection]:
    for side in Side:
        for excess in battle.stacking.excess(unit.kind for unit in units if unit.side is side):
            yield Objection(f"{side.word}: {excess}", _STEP_3)


def _against_sector(bout: Bout) -> Iterable[Objection]:
    if bout.in_open:
        yield Objection("Sector combat uses no DRM for AFV in the open.", _STEP_3)
    if bout.riders:
        yield Objection("In sector combat all riders fight on foot.", _STEP_3)


def _against_waiting(bout: Bout, rest: RestOfRound) -> Iterable[Objection]:
    """Those that had no enemy in the round before are matched before anybody fights again (A-45)."""
    due = rest.due()
    if due and due.isdisjoint(bout.keys):
        names = join_words((rest.battle.known[key].name for key in sorted(due)), "or")
        yield Objection(f"Some had no enemy in the last round and go first: match {names}.", _STEP_3)


def _against_location(units: Sequence[Fighter], battle: Battle) -> Iterable[Objection]:
    """Close combat under way is fought location by location, by all units there (19.1.6, A-46)."""
    places = list(dict.fromkeys(unit.location for unit in units))
    if len(places) > 1:
        names = join_words(name_ground(place) for place in places)
        yield Objection(f"Close Combat under way is fought place by place: these are in {names}.", _STEP_1)
        return
    for unit in list_present(battle):
        if unit.location == places[0] and unit not in units and unit.key not in battle.fought:
            yield Objection(f"{unit.name} is in the same place and takes part.", "19.1.6")


def name_ground(place: tuple[Hex | None, int]) -> str:
    """A location in words."""
    hex_name, height = place
    level = next((word for word, number in LEVELS.items() if number == height), "")
    words = f" level {level}" if level.isdigit() else f" {level}" if level else ""
    return f"{hex_name or 'a hex not noted'}{words}"
