"""The Firepower Factors Table, who of a stack is hit, and how an attack ends for each unit (18.1)."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import comb

from firefight.engine.board.counters import CounterChange
from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Choices, Grid, NamedModifier, Numbers
from firefight.engine.errors import BadInput
from firefight.engine.labels import Labelled
from firefight.engine.rolls.dice import DieSpec, check_face
from firefight.engine.rolls.modifiers import Modifier, other, total, without_zeroes
from firefight.engine.rolls.odds import Odds, distribution
from firefight.engine.rolls.result import FollowUp, Outcome, Result, Source, sources, waiting
from firefight.engine.text import count_of, join_words
from firefight.engine.values import Values

from .morale import END_ORDER, Cause, after_casualties, check_ends, end_label
from .units import Becomes, Kind, State, Unit, mark_counter, name_units, unit_inputs

D10 = 10


class Weapon(Labelled):
    """What fires: firepower factors as counted, a gun by caliber, or an item with a column of its own.

    FIREPOWER is that of small arms; AIR, of aircraft, is counted in factors, too (17.6.1).
    """

    FIREPOWER = "firepower", "factors (FF)"
    CALIBER = "caliber", "gun, by caliber"
    AIR = "air", "aircraft"
    FLAMETHROWER = "flamethrower"
    DEMO_CHARGE = "demo_charge"
    MINES = "mines"
    MOLOTOV = "molotov", "Molotov cocktail"


class FireOutcome(Outcome):
    """FFT results of 18.1.2, in the table's own codes."""

    NONE = "none", "No effect"
    M = "m"
    M_1 = "m+1"
    M_2 = "m+2"
    M_3 = "m+3"
    M_4 = "m+4"
    M_5 = "m+5"
    M_6 = "m+6"
    C = "c"
    C_M = "c/m", "C/M"
    E = "e"
    E_2 = "2e", "2E"

    @property
    def check(self) -> int | None:
        """The x of M+x, 0 for M, None when the result is not a plain Morale Check."""
        return int(self.value[2:] or 0) if self.value.startswith("m") else None


_FIREPOWER_CHARTS = {
    Weapon.CALIBER: "artillery_ff",
    Weapon.FLAMETHROWER: "fft_weapons",
    Weapon.DEMO_CHARGE: "fft_weapons",
    Weapon.MINES: "fft_weapons",
    Weapon.MOLOTOV: "fft_weapons",
}

_IN_FACTORS = (Weapon.FIREPOWER, Weapon.AIR)
_FIRE_RULES = ("18.1 Firepower Factors Table Results", "18.1.2 FFT Combat Results")
STRIKES = frozenset({FireOutcome.C, FireOutcome.C_M, FireOutcome.E, FireOutcome.E_2})


@dataclass(frozen=True, slots=True)
class Steps:
    """What follows from a result: what to do on the board, what to roll, and what becomes of counters at once."""

    effects: tuple[str, ...] = ()
    follow_ups: tuple[FollowUp, ...] = ()
    changes: tuple[CounterChange, ...] = ()

    def __add__(self, more: "Steps") -> "Steps":
        return Steps(self.effects + more.effects, self.follow_ups + more.follow_ups, self.changes + more.changes)


@dataclass(frozen=True, slots=True)
class AttackReading:
    """Units that read an attack with the same DRM: ``choices`` of the book's list, ``modifiers`` all that count."""

    units: tuple[tuple[str, Unit], ...]
    choices: tuple[NamedModifier, ...]
    modifiers: tuple[Modifier, ...]

    @property
    def names(self) -> str:
        """Whose reading it is, in words."""
        return join_words(name for name, _ in self.units)

    def outcome(self, table: Grid, column: str, die: int) -> FireOutcome:
        """What a natural roll comes to."""
        return FireOutcome((table.look_up(die + total(self.modifiers), column) or "none").lower())

    def plain(self, table: Grid, column: str, die: int) -> dict[str, object]:
        """Plain values for JSON and log."""
        outcome = self.outcome(table, column, die)
        return {
            "units": [name for name, _ in self.units],
            "modifiers": [{"name": m.name, "value": m.value, "rule": m.rule} for m in self.modifiers],
            "modified": die + total(self.modifiers),
            "outcome": outcome.value,
            "check": check_called(table, column, outcome),
        }


def read_attack(
    *,
    charts: Book,
    modifiers: Sequence[str] = (),
    weapon: Weapon = Weapon.FIREPOWER,
    artillery: bool = False,
    other_drm: int = 0,
    units: Sequence[Unit] = (),
) -> tuple[AttackReading, ...]:
    """Who reads an attack with which DRM, those it is worst for first (17.4.5 Attack Resolution, A-50).

    The attack's modifiers count for everybody, a unit's own for it alone. There is at least one reading.
    """
    return _remember_readings(charts, tuple(modifiers), weapon, artillery, other_drm, tuple(units))


@lru_cache(maxsize=500)
def _remember_readings(
    charts: Book,
    modifiers: tuple[str, ...],
    weapon: Weapon,
    artillery: bool,
    other_drm: int,
    units: tuple[Unit, ...],
) -> tuple[AttackReading, ...]:
    """The readings of an attack, which every face of the die asks for again, and the roll after its odds."""
    groups: dict[tuple[NamedModifier, ...], list[tuple[str, Unit]]] = {}
    for name, unit in name_units(units):
        chosen = _choose_modifiers(charts, (*modifiers, *unit.modifiers), weapon, artillery)
        groups.setdefault(chosen, []).append((name, unit))
    if not groups:
        groups[_choose_modifiers(charts, modifiers, weapon, artillery)] = []
    readings = (
        AttackReading(
            tuple(pairs),
            chosen,
            without_zeroes(*(Modifier(c.name, c.value or 0, c.rule) for c in chosen), other(other_drm)),
        )
        for chosen, pairs in groups.items()
    )
    return tuple(sorted(readings, key=lambda reading: total(reading.modifiers)))


def fire(
    *,
    charts: Book,
    ff: int | None = None,
    weapon: Weapon = Weapon.FIREPOWER,
    caliber: int | None = None,
    state: State = State.GOOD_ORDER,
    artillery: bool = False,
    modifiers: Sequence[str] = (),
    other_drm: int = 0,
    units: Sequence[Unit] = (),
    die: int | None = None,
) -> Result:
    """Attack on the FFT (18.1, 18.1.2 FFT Combat Results).

    ff: firepower factors, for weapon "firepower"; caliber: millimetres, for a gun, which is also
    what fires when only the caliber is given. state: of the
    firer; Pinned Down halves FF, fractions down (18.2.3). modifiers: keys of the book's list.
    artillery: smoke does not count, and woods or debris bring an airburst (17.4.4, 17.4.5). Of the units, vehicles are
    left out of small arms' fire, and it cannot be made at them alone (18.1.1, A-56).
    units: those with modifiers of their own read the same die with their own sum (A-50); outcome and modified are
    then those of the worst reading, and details hold all. die: natural d100. A firepower between two columns uses
    the lower one. Raises BadInput when the firepower is not given, or the firer may not fire.
    """
    weapon = find_weapon(weapon, ff, caliber)
    units, left_out = find_attacked(units, weapon, artillery)
    table: Grid = charts["fft"]
    full = _firepower(charts, ff, weapon, caliber, state)
    factors = full // 2 if state is State.PINNED else full
    readings = read_attack(
        charts=charts, modifiers=modifiers, weapon=weapon, artillery=artillery, other_drm=other_drm, units=units
    )
    shared = tuple(
        modifier for modifier in readings[0].modifiers if all(modifier in reading.modifiers for reading in readings)
    )
    details: dict[str, object] = {"ff": factors, "column": None, **({"left_out": left_out} if left_out else {})}
    spared = (say_left_out(left_out),) if left_out else ()
    if factors < 1:
        words = "No firepower left: no attack."
        return Result(words, FireOutcome.NONE, modifiers=shared, details=details, effects=spared, rules=_FIRE_RULES)
    column = table.floor_column(factors)
    details["column"] = int(column)
    if die is None:
        words = f"{factors} FF on column {column}: a low roll is good."
        own_modifiers = "; ".join(_say_own(reading, shared) for reading in readings)
        hint = (f"{own_modifiers}.",) if len(readings) > 1 else ()
        words = " ".join((words, *hint, *spared))
        return waiting(words, "die", modifiers=shared, details=details, rules=_FIRE_RULES)
    check_face(die, table.sides)
    return _read_die(charts, weapon, readings, units, column, die, details, spared)


def _read_die(
    charts: Book,
    weapon: Weapon,
    readings: Sequence[AttackReading],
    units: Sequence[Unit],
    column: str,
    die: int,
    details: Values,
    spared: tuple[str, ...],
) -> Result:
    """What a natural roll comes to: for each unit with a sum of its own, and for the worst of them (A-50)."""
    table: Grid = charts["fft"]
    worst = readings[0]
    outcome = worst.outcome(table, column, die)
    steps = _next_steps(readings, units, table, column, die)
    separate = {"readings": [reading.plain(table, column, die) for reading in readings]} if len(readings) > 1 else {}
    return Result(
        headline=_headline(readings, table, column, die),
        outcome=outcome,
        dice={"die": die},
        modified=die + total(worst.modifiers),
        modifiers=worst.modifiers,
        details={**details, **separate, "check": check_called(table, column, outcome)},
        effects=(*spared, *steps.effects),
        follow_ups=steps.follow_ups,
        rules=_FIRE_RULES,
        provenance=_fire_sources(charts, table, weapon, readings),
        changes=steps.changes,
    )


def find_weapon(weapon: Weapon, ff: int | None, caliber: int | None) -> Weapon:
    """What fires: a gun, where only its caliber is given."""
    is_gun = weapon is Weapon.FIREPOWER and ff is None and caliber is not None
    return Weapon.CALIBER if is_gun else weapon


def harms_vehicles(weapon: Weapon, artillery: bool = False) -> bool:
    """Whether an attack is made on vehicles, too: all but the fire of small arms (18.1.1, A-56)."""
    return artillery or weapon is not Weapon.FIREPOWER


def find_attacked(units: Sequence[Unit], weapon: Weapon, artillery: bool = False) -> tuple[tuple[Unit, ...], list[str]]:
    """The units that an attack is made on, and the names of the vehicles that it leaves out (A-56).

    Raises BadInput where it would leave out all of them.
    """
    if harms_vehicles(weapon, artillery):
        return tuple(units), []
    attacked = tuple(unit for unit in units if unit.kind is not Kind.VEHICLE)
    left_out = [name for name, unit in name_units(units) if unit.kind is Kind.VEHICLE]
    if left_out and not attacked:
        raise BadInput({"units": f"{join_words(left_out)}: {_INFANTRY_ONLY} {_AGAINST_VEHICLES}"})
    return attacked, left_out


def say_left_out(names: Iterable[str]) -> str:
    """Which vehicles an attack leaves out, as a sentence."""
    listed = list(names)
    return f"{join_words(listed)} {'is' if len(listed) == 1 else 'are'} left out: {_INFANTRY_ONLY}"


_INFANTRY_ONLY = "small arms attack infantry only (18.1.1)."
_AGAINST_VEHICLES = "Guns, bombs, flamethrowers, demo charges, Molotov cocktails and mines attack vehicles."


def _fire_sources(charts: Book, table: Grid, weapon: Weapon, readings: Sequence[AttackReading]) -> tuple[Source, ...]:
    by_weapon = (charts[_FIREPOWER_CHARTS[weapon]],) if weapon in _FIREPOWER_CHARTS else ()
    chosen = dict.fromkeys(choice for reading in readings for choice in reading.choices)
    return sources((table, *by_weapon)) + tuple(Source("fft_modifiers", c.name, c.provenance) for c in chosen)


def _headline(readings: Sequence[AttackReading], table: Grid, column: str, die: int) -> str:
    worst = readings[0]
    if len(readings) == 1:
        return f"{worst.outcome(table, column, die).word}: {die + total(worst.modifiers)} on column {column}."
    clauses = (
        f"{reading.names} {reading.outcome(table, column, die).word} ({die + total(reading.modifiers)})"
        for reading in readings
    )
    return f"{die} on column {column}: {', '.join(clauses)}."


def _next_steps(readings: Sequence[AttackReading], units: Sequence[Unit], table: Grid, column: str, die: int) -> Steps:
    """What the roll asks for next, the worst result first. Units with the same result share it as one stack (R-50)."""
    outcomes = [reading.outcome(table, column, die) for reading in readings]
    stacks: dict[FireOutcome, list[Unit]] = {outcome: [] for outcome in outcomes}
    read_by = {name: outcome for outcome, reading in zip(outcomes, readings, strict=True) for name, _ in reading.units}
    is_mixed = len(readings) > 1
    for name, unit in name_units(units):  # top to bottom, as 18.1.3 wants its dice
        stacks[read_by[name]].append(replace(unit, name=name) if is_mixed and not unit.name else unit)
    steps = Steps(tuple(_own_sum(reading, die) for reading in readings) if is_mixed else ())
    for outcome, stack in stacks.items():
        steps += _first_steps(outcome, stack, check_called(table, column, outcome))
    return steps


def _own_sum(reading: AttackReading, die: int) -> str:
    return f"{reading.names}: {die}{_add_up(reading.modifiers)} is {die + total(reading.modifiers)}."


def _say_own(reading: AttackReading, shared: Sequence[Modifier]) -> str:
    own_modifiers = [modifier for modifier in reading.modifiers if modifier not in shared]
    return f"{reading.names}:{_add_up(own_modifiers) or ' none'}"


def _add_up(modifiers: Iterable[Modifier]) -> str:
    return "".join(f" {modifier.value:+d} {modifier.name}" for modifier in modifiers)


def _firepower(charts: Book, ff: int | None, weapon: Weapon, caliber: int | None, state: State) -> int:
    if state.disrupted:
        raise BadInput({"state": "A Disrupted or WIA unit does not fire (18.2.4)."})
    if weapon is Weapon.MINES and state is not State.GOOD_ORDER:
        raise BadInput({"state": "Nobody fires mines: choose Good Order."})
    if weapon in _IN_FACTORS:
        if ff is None:
            raise BadInput({"ff": "Give the firepower factors, or choose another weapon."})
        return ff
    if weapon is not Weapon.CALIBER:
        items: Numbers = charts[_FIREPOWER_CHARTS[weapon]]
        return items.get(weapon.value)
    if caliber is None:
        raise BadInput({"caliber": "Give the gun's caliber in millimetres."})
    guns: Numbers = charts[_FIREPOWER_CHARTS[weapon]]
    return guns.get(guns.floor_row(caliber))


def _choose_modifiers(charts: Book, keys: Sequence[str], weapon: Weapon, artillery: bool) -> tuple[NamedModifier, ...]:
    """The modifiers that count, in the book's order: the players' choice and what the rules add or bar."""
    chosen = set(keys)
    if artillery:
        chosen.discard("smoke")
        chosen |= {"airburst"} if chosen & {"woods", "debris"} else set()
    if weapon is Weapon.FLAMETHROWER:
        chosen.add("flamethrower")
    book: Choices = charts["fft_modifiers"]
    unknown = sorted(chosen - set(book.items))
    if unknown:
        raise BadInput({"modifiers": f"The chart book has no modifier named {', '.join(unknown)}."})
    return tuple(book.get(key) for key in book.items if key in chosen)


def check_called(table: Grid, column: str, outcome: FireOutcome) -> int | None:
    """The DRM of the Morale Check that the units left must take; None when there is none (18.1.2).

    After E and 2E it is the highest check of the column.
    """
    if outcome in (FireOutcome.E, FireOutcome.E_2):
        checks = [FireOutcome(row.lower()).check for row in table.reachable(column)]
        return max((check for check in checks if check is not None), default=None)
    return 0 if outcome is FireOutcome.C_M else outcome.check


def _first_steps(outcome: FireOutcome, units: list[Unit], check: int | None) -> Steps:
    """What an FFT result asks for next, when the units in the hex are known."""
    if outcome is FireOutcome.NONE:
        return Steps()
    if outcome.check is not None:
        return Steps(follow_ups=tuple(_morale(name, unit, outcome.check) for name, unit in name_units(units)))
    if needs_hit_dice(outcome, len(units)):
        inputs = {"result": outcome.value, "check": check, "units": [unit.plain() for unit in units]}
        return Steps(follow_ups=(FollowUp("who-is-hit", "Who is hit", inputs),))
    return aftermath(outcome, name_units(units), [], check)


def needs_hit_dice(outcome: FireOutcome, units: int) -> bool:
    """2E asks for dice only with more than two units, the others with more than one (18.1.3)."""
    return units > (2 if outcome is FireOutcome.E_2 else 1)


def _morale(name: str, unit: Unit, check: int) -> FollowUp:
    return FollowUp("morale", f"Morale Check: {name}", {**unit_inputs(name, unit), "modifier": check})


def aftermath(
    outcome: FireOutcome,
    hit: list[tuple[str, Unit]],
    spared: list[tuple[str, Unit]],
    check: int | None,
    source: Cause = Cause.FFT,
) -> Steps:
    """What follows once it is known who is hit: the hit first, then the checks of those left.

    A C of the Close Combat Table on a vehicle is an M-KILL (19.3.3).
    """
    if outcome in (FireOutcome.E, FireOutcome.E_2):
        fallen, word = hit, Becomes.ELIMINATED
        follow_ups: list[FollowUp] = []
    else:
        fallen = [(name, unit) for name, unit in hit if source is Cause.CLOSE_COMBAT and unit.kind is Kind.VEHICLE]
        killed, word = [name for name, _ in fallen], Becomes.M_KILLED
        after = {} if check is None else {"then_check": check}
        # Counters wait until both sides of a Close Combat have rolled; to the rule of Casualties both causes are alike.
        cause = source.value if any(unit.id for _, unit in hit) else Cause.FFT.value
        follow_ups = [
            FollowUp("casualties", f"Casualties: {name}", {**unit_inputs(name, unit), "source": cause, **after})
            for name, unit in hit
            if name not in killed
        ]
    if check is not None:
        follow_ups += [_morale(name, unit, check) for name, unit in spared]
    effects = tuple(f"{name} is {word.word}." for name, _ in fallen)
    changes = tuple(change for _, unit in fallen for change in mark_counter(unit, word))
    return Steps(effects, tuple(follow_ups), changes)


class HitOutcome(Outcome):
    """Result of 18.1.3."""

    HIT = "hit"


def hit_dice(units: Sequence[Unit], result: FireOutcome = FireOutcome.C) -> tuple[DieSpec, ...]:
    """One d10 for each unit of the stack, top to bottom, when dice are needed at all."""
    return _dice_of(tuple(units)) if needs_hit_dice(result, len(units)) else ()


@lru_cache(maxsize=200)
def _dice_of(units: tuple[Unit, ...]) -> tuple[DieSpec, ...]:
    alike = Counter(unit.name for unit in units)
    return tuple(
        DieSpec(f"die_{n}", D10, name, about=_tell_apart(unit) if alike[unit.name] > 1 else "")
        for n, (name, unit) in enumerate(name_units(units), 1)
    )


def _tell_apart(unit: Unit) -> str:
    """Which of several units with one name it is: its state, and where it stands."""
    state = "" if unit.state is State.GOOD_ORDER else unit.state.word
    return ", ".join(filter(None, (state, " ".join(filter(None, (unit.hex, unit.where))))))


def who_is_hit(
    *,
    charts: Book,
    result: FireOutcome,
    units: Sequence[Unit],
    check: int | None = None,
    source: Cause = Cause.FFT,
    **dice: int | None,
) -> Result:
    """Find which units of a stack an E, 2E, C or C/M hits (18.1.3).

    units: top to bottom. dice: die_1, die_2 … one d10 per unit. The highest is hit, ties
    included; 2E takes the next group too when the highest is one unit (A-15). check: the DRM
    of the Morale Check of those left, None for none. source: the table that the result comes from, see
    ``aftermath``. Dice are not needed for one unit, nor for two under 2E.
    """
    if not units:
        raise BadInput({"units": "Name at least one unit in the hex."})
    specs = hit_dice(units, result)
    missing = tuple(spec.name for spec in specs if dice.get(spec.name) is None)
    if missing:
        return waiting("One d10 for each unit, top to bottom; the highest is hit.", *missing)
    faces = [check_face(face, D10, spec.name) for spec in specs if (face := dice[spec.name]) is not None]
    struck = struck_places(faces, result) if faces else set(range(len(units)))
    hit = [pair for place, pair in enumerate(name_units(units)) if place in struck]
    spared = [pair for place, pair in enumerate(name_units(units)) if place not in struck]
    steps = aftermath(result, hit, spared, check, source)
    return Result(
        headline=f"{result.word} hits {join_words(name for name, _ in hit)}.",
        outcome=HitOutcome.HIT,
        label=count_of(len(hit), "unit"),
        dice={spec.name: face for spec, face in zip(specs, faces, strict=True)},
        details={"hit": [name for name, _ in hit], "spared": [name for name, _ in spared]},
        effects=steps.effects,
        follow_ups=steps.follow_ups,
        rules=("18.1.3 (no heading)",),
        changes=steps.changes,
        waits=source is Cause.CLOSE_COMBAT,
    )


def struck_places(faces: Sequence[int], result: FireOutcome) -> set[int]:
    """The places (from 0) of the highest dice; for 2E also of the next group after a single highest."""
    ranks = sorted(set(faces), reverse=True)
    struck = {place for place, face in enumerate(faces) if face == ranks[0]}
    if result is FireOutcome.E_2 and len(struck) == 1:  # of three or more
        struck |= {place for place, face in enumerate(faces) if face == ranks[1]}
    return struck


def hit_weight(units: int, result: FireOutcome) -> tuple[int, int]:
    """In how many of 10^n rolls of n units a given one is hit, and 10^n itself (all units are alike)."""
    if not needs_hit_dice(result, units):
        return 1, 1
    other_units = units - 1
    weight = sum(face**other_units for face in range(1, D10 + 1))
    if result is FireOutcome.E_2:
        # Second place behind a single highest: one of the others is above, the rest are not.
        weight += sum(other_units * (D10 - face) * face ** (other_units - 1) for face in range(1, D10 + 1))
    return weight, D10**units


def hit_odds(*, charts: Book, result: FireOutcome, units: Sequence[Unit], **_: object) -> tuple[Odds, ...]:
    """Exact odds of how many units are hit, and of each unit; counted, since 10^n rolls are too many to sweep."""
    count = len(units)
    weight, all_rolls = hit_weight(count, result)
    unit_odds = distribution({("hit", "hit"): weight, ("spared", "spared"): all_rolls - weight}, "any one unit")
    if not needs_hit_dice(result, count):
        return (distribution({("hit", count_of(count, "unit")): 1}), unit_odds)
    weights: Counter[int] = Counter()
    for face in range(1, D10 + 1):
        for tied in range(1, count + 1):
            ways = comb(count, tied) * (face - 1) ** (count - tied)
            if result is FireOutcome.E_2 and tied == 1:
                continue
            weights[tied] += ways
        if result is FireOutcome.E_2:  # one unit above this face, then the group on it
            for tied in range(1, count):
                ways = comb(count - 1, tied) * (face - 1) ** (count - 1 - tied)
                weights[tied + 1] += count * (D10 - face) * ways
    rows = {("hit", count_of(number, "unit")): weights[number] for number in sorted(weights)}
    return (distribution(rows), unit_odds)


def fire_chain(
    *, table: Odds, charts: Book, column: str, units: Sequence[Unit], readings: Sequence[AttackReading] = ()
) -> tuple[Odds, ...]:
    """The chain to the end: for each unit, how an attack with these odds on the table leaves it.

    Counts every FFT result, who is hit, and the Morale Check that follows. ``readings``: of ``read_attack``, where
    the units differ in their DRM (A-50). Units without a TQ are left out, since their check cannot be counted, and
    so are vehicles: the text does not say what Casualties do to them (A-38).
    """
    fft: Grid = charts["fft"]
    if len(readings) > 1:
        calls = _calls_by_unit(readings, fft, column)
    else:
        rolled = {(FireOutcome(row.outcome), len(units)): row.weight for row in table.rows}
        calls = {name: rolled for name, _ in name_units(units)}
    return tuple(
        _unit_chain(calls[name], charts, fft, column, len(units), name, unit)
        for name, unit in name_units(units)
        if unit.tq is not None and unit.kind is not Kind.VEHICLE
    )


Calls = Mapping[tuple[FireOutcome, int], int]


def _calls_by_unit(readings: Sequence[AttackReading], fft: Grid, column: str) -> Mapping[str, Calls]:
    """For each unit: with how many units it shares which result, itself included, in how many rolls."""
    calls: dict[str, Counter[tuple[FireOutcome, int]]] = {}
    for die in range(1, fft.sides + 1):
        outcomes = [reading.outcome(fft, column, die) for reading in readings]
        sharing: Counter[FireOutcome] = Counter()
        for outcome, reading in zip(outcomes, readings, strict=True):
            sharing[outcome] += len(reading.units)
        for outcome, reading in zip(outcomes, readings, strict=True):
            for name, _ in reading.units:
                calls.setdefault(name, Counter())[outcome, sharing[outcome]] += 1
    return calls


def _unit_chain(calls: Calls, charts: Book, fft: Grid, column: str, count: int, name: str, unit: Unit) -> Odds:
    ends: Counter[Unit | None] = Counter()
    spared: Counter[int | None] = Counter()  # by the check that is left to take
    for (outcome, sharing), weight in calls.items():
        check = check_called(fft, column, outcome)
        hit, rolls = hit_weight(sharing, outcome) if outcome in STRIKES else (0, 1)
        scale = weight * D10**count // rolls
        spared[check] += (rolls - hit) * scale
        if hit:
            _add(ends, _when_hit(charts, unit, outcome, check), hit * scale)
    for check, share in spared.items():
        _add(ends, check_ends(charts, unit, check), share)
    weights: Counter[tuple[str, str]] = Counter()
    for end, weight in ends.items():
        weights[end_label(unit, end)] += weight
    ranked = sorted(weights.items(), key=lambda item: (END_ORDER.index(item[0][0]), item[0][1]))
    return distribution(dict(ranked), name)


def _add(ends: Counter[Unit | None], more: Counter[Unit | None], share: int) -> None:
    for end, tenths in more.items():
        ends[end] += tenths * share


def _when_hit(charts: Book, unit: Unit, outcome: FireOutcome, check: int | None) -> Counter[Unit | None]:
    """How a unit that is hit may end, in tenths; None is eliminated."""
    flipped = None if outcome in (FireOutcome.E, FireOutcome.E_2) else after_casualties(unit, Cause.FFT)
    return Counter({None: D10}) if flipped is None else check_ends(charts, flipped, check)
