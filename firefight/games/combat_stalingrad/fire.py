"""The Firepower Factors Table, who of a stack is hit, and how an attack ends for each unit (18.1)."""

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from math import comb

from firefight.engine.charts import Book, Choice, Grid
from firefight.engine.dice import DieSpec, check_face
from firefight.engine.errors import BadInput
from firefight.engine.modifiers import Modifier, listed, other, total
from firefight.engine.odds import Odds, distribution
from firefight.engine.results import FollowUp, Outcome, Result, Source, sources, waiting

from .morale import END_ORDER, Cause, after_casualties, check_ends, end_label
from .units import Kind, State, Unit, named, unit_inputs

D10 = 10


class Weapon(StrEnum):
    """What fires: firepower factors as counted, a gun by caliber, or an item with a column of its own."""

    FIREPOWER = "firepower"
    CALIBER = "caliber"
    FLAMETHROWER = "flamethrower"
    DEMO_CHARGE = "demo_charge"


class FireOutcome(Outcome):
    """FFT results of 18.1.2, in the table's own codes."""

    NONE = "none"
    M = "m"
    M_1 = "m+1"
    M_2 = "m+2"
    M_3 = "m+3"
    M_4 = "m+4"
    M_5 = "m+5"
    M_6 = "m+6"
    C = "c"
    C_M = "c/m"
    E = "e"
    E_2 = "2e"

    @property
    def word(self) -> str:
        """The code as the table prints it."""
        return "No effect" if self is FireOutcome.NONE else self.value.upper()

    @property
    def check(self) -> int | None:
        """The x of M+x, 0 for M, None when the result is no plain Morale Check."""
        return int(self.value[2:] or 0) if self.value.startswith("m") else None


_FIREPOWER_CHARTS = {
    Weapon.CALIBER: "artillery_ff",
    Weapon.FLAMETHROWER: "fft_weapons",
    Weapon.DEMO_CHARGE: "fft_weapons",
}

STRIKES = frozenset({FireOutcome.C, FireOutcome.C_M, FireOutcome.E, FireOutcome.E_2})


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
    artillery: smoke does not count, and woods or debris bring an airburst (17.4.4, 17.4.5).
    die: natural d100. A firepower between two columns uses the lower one. Raises BadInput when
    the firepower is not given, or the firer may not fire.
    """
    if weapon is Weapon.FIREPOWER and ff is None and caliber is not None:
        weapon = Weapon.CALIBER
    table: Grid = charts["fft"]
    full = _firepower(charts, ff, weapon, caliber, state)
    factors = full // 2 if state is State.PINNED else full
    chosen = _chosen(charts, modifiers, weapon, artillery)
    counted = listed(*(Modifier(c.name, c.value or 0, c.rule) for c in chosen), other(other_drm))
    known = {"modifiers": counted, "rules": ("18.1 Firepower Factors Table Results", "18.1.2 FFT Combat Results")}
    by_weapon = (charts[_FIREPOWER_CHARTS[weapon]],) if weapon in _FIREPOWER_CHARTS else ()
    used = sources((table, *by_weapon)) + tuple(Source("fft_modifiers", c.name, c.provenance) for c in chosen)
    if factors < 1:
        details = {"ff": factors, "column": None}
        return Result("No firepower left: no attack.", FireOutcome.NONE, details=details, **known)
    column = table.floor_column(factors)
    if die is None:
        details = {"ff": factors, "column": int(column)}
        return waiting(f"{factors} FF on column {column}: a low roll is good.", "die", details=details, **known)
    modified = check_face(die, table.sides) + total(counted)
    outcome = FireOutcome((table.look_up(modified, column) or "none").lower())
    check = check_called(table, column, outcome)
    effects, follow_ups = _first_steps(outcome, list(units), check)
    return Result(
        headline=f"{outcome.word}: {modified} on column {column}.",
        outcome=outcome,
        dice={"die": die},
        modified=modified,
        details={"ff": factors, "column": int(column), "check": check},
        effects=effects,
        follow_ups=follow_ups,
        provenance=used,
        **known,
    )


def _firepower(charts: Book, ff: int | None, weapon: Weapon, caliber: int | None, state: State) -> int:
    if state.disrupted:
        raise BadInput({"state": "A Disrupted or WIA unit does not fire (18.2.4)."})
    match weapon:
        case Weapon.FIREPOWER if ff is None:
            raise BadInput({"ff": "Give the firepower factors, or choose a gun, flamethrower or demo charge."})
        case Weapon.FIREPOWER:
            return ff
        case Weapon.CALIBER if caliber is None:
            raise BadInput({"caliber": "Give the gun's caliber in millimetres."})
        case Weapon.CALIBER:
            guns = charts[_FIREPOWER_CHARTS[weapon]]
            return guns.get(guns.floor_row(caliber))
        case _:
            return charts[_FIREPOWER_CHARTS[weapon]].get(weapon.value)


def _chosen(charts: Book, keys: Sequence[str], weapon: Weapon, artillery: bool) -> tuple[Choice, ...]:
    """The modifiers that count, in the book's order: the players' choice and what the rules add or bar."""
    wanted = set(keys)
    if artillery:
        wanted.discard("smoke")
        wanted |= {"airburst"} if wanted & {"woods", "debris"} else set()
    if weapon is Weapon.FLAMETHROWER:
        wanted.add("flamethrower")
    book = charts["fft_modifiers"]
    unknown = sorted(wanted - set(book.items))
    if unknown:
        raise BadInput({"modifiers": f"The chart book has no modifier named {', '.join(unknown)}."})
    return tuple(book.get(key) for key in book.items if key in wanted)


def check_called(table: Grid, column: str, outcome: FireOutcome) -> int | None:
    """The DRM of the Morale Check that the units left must take; None when there is none (18.1.2).

    After E and 2E it is the highest check of the column.
    """
    if outcome in (FireOutcome.E, FireOutcome.E_2):
        checks = [FireOutcome(row.lower()).check for row in table.reachable(column)]
        return max((check for check in checks if check is not None), default=None)
    return 0 if outcome is FireOutcome.C_M else outcome.check


def _first_steps(
    outcome: FireOutcome, units: list[Unit], check: int | None
) -> tuple[tuple[str, ...], tuple[FollowUp, ...]]:
    """What an FFT result asks for next, when the units in the hex are known."""
    if outcome is FireOutcome.NONE:
        return (), ()
    if outcome.check is not None:
        return (), tuple(_morale(name, unit, outcome.check) for name, unit in named(units))
    if needs_hit_dice(outcome, len(units)):
        inputs = {"result": outcome.value, "check": check, "units": [unit.plain() for unit in units]}
        return (), (FollowUp("who-is-hit", "Who is hit", inputs),)
    return aftermath(outcome, named(units), [], check)


def needs_hit_dice(outcome: FireOutcome, units: int) -> bool:
    """2E asks for dice only with more than two units, the others with more than one (18.1.3)."""
    return units > (2 if outcome is FireOutcome.E_2 else 1)


def _morale(name: str, unit: Unit, check: int) -> FollowUp:
    return FollowUp("morale", f"Morale Check: {name}", {**unit_inputs(name, unit), "modifier": check})


def aftermath(
    outcome: FireOutcome, hit: list[tuple[str, Unit]], spared: list[tuple[str, Unit]], check: int | None
) -> tuple[tuple[str, ...], tuple[FollowUp, ...]]:
    """Effects and rolls once it is known who is hit: the hit first, then the checks of those left."""
    if outcome in (FireOutcome.E, FireOutcome.E_2):
        effects = tuple(f"{name} is eliminated." for name, _ in hit)
        follow_ups: list[FollowUp] = []
    else:
        effects = ()
        after = {} if check is None else {"then_check": check}
        follow_ups = [
            FollowUp("casualties", f"Casualties: {name}", {**unit_inputs(name, unit), "source": "fft", **after})
            for name, unit in hit
        ]
    if check is not None:
        follow_ups += [_morale(name, unit, check) for name, unit in spared]
    return effects, tuple(follow_ups)


class HitOutcome(Outcome):
    """Result of 18.1.3."""

    HIT = "hit"


def hit_dice(units: Sequence[Unit], result: FireOutcome = FireOutcome.C) -> tuple[DieSpec, ...]:
    """One d10 for each unit of the stack, top to bottom, when dice are needed at all."""
    if not needs_hit_dice(result, len(units)):
        return ()
    return tuple(DieSpec(f"die_{n}", D10, name) for n, (name, _) in enumerate(named(units), 1))


def who_is_hit(
    *,
    charts: Book,
    result: FireOutcome,
    units: Sequence[Unit],
    check: int | None = None,
    **dice: int | None,
) -> Result:
    """Find which units of a stack an E, 2E, C or C/M hits (18.1.3).

    units: top to bottom. dice: die_1, die_2 … one d10 per unit. The highest is hit, ties
    included; 2E takes the next group too when the highest is one unit (A-15). check: the DRM
    of the Morale Check of those left, None for none. Dice are not needed for one unit, nor for
    two under 2E.
    """
    if not units:
        raise BadInput({"units": "Name at least one unit in the hex."})
    specs = hit_dice(units, result)
    missing = tuple(spec.name for spec in specs if dice.get(spec.name) is None)
    if missing:
        return waiting("One d10 for each unit, top to bottom; the highest is hit.", *missing)
    faces = [check_face(dice[spec.name], D10, spec.name) for spec in specs]
    struck = struck_places(faces, result) if faces else set(range(len(units)))
    hit = [pair for place, pair in enumerate(named(units)) if place in struck]
    spared = [pair for place, pair in enumerate(named(units)) if place not in struck]
    effects, follow_ups = aftermath(result, hit, spared, check)
    return Result(
        headline=f"{result.word} hits {_listed(name for name, _ in hit)}.",
        outcome=HitOutcome.HIT,
        label=hit_label(len(hit)),
        dice={spec.name: face for spec, face in zip(specs, faces, strict=True)},
        details={"hit": [name for name, _ in hit], "spared": [name for name, _ in spared]},
        effects=effects,
        follow_ups=follow_ups,
        rules=("18.1.3 (no heading)",),
    )


def struck_places(faces: Sequence[int], result: FireOutcome) -> set[int]:
    """The places (from 0) of the highest dice; for 2E also of the next group after a single highest."""
    ranks = sorted(set(faces), reverse=True)
    struck = {place for place, face in enumerate(faces) if face == ranks[0]}
    if result is FireOutcome.E_2 and len(struck) == 1 and len(ranks) > 1:
        struck |= {place for place, face in enumerate(faces) if face == ranks[1]}
    return struck


def hit_label(number: int) -> str:
    """How the odds name so many units hit."""
    return "1 unit" if number == 1 else f"{number} units"


def hit_weight(units: int, result: FireOutcome) -> tuple[int, int]:
    """In how many of 10^n rolls of n units a given one is hit, and 10^n itself (all units are alike)."""
    if not needs_hit_dice(result, units):
        return 1, 1
    others = units - 1
    weight = sum(face**others for face in range(1, D10 + 1))
    if result is FireOutcome.E_2:
        # Second place behind a single highest: one of the others is above, the rest are not.
        weight += sum(others * (D10 - face) * face ** (others - 1) for face in range(1, D10 + 1))
    return weight, D10**units


def hit_odds(*, charts: Book, result: FireOutcome, units: Sequence[Unit], **_: object) -> tuple[Odds, ...]:
    """Exact odds of how many units are hit, and of each unit; counted, since 10^n rolls are too many to sweep."""
    count = len(units)
    weight, all_rolls = hit_weight(count, result)
    each = distribution({("hit", "hit"): weight, ("spared", "spared"): all_rolls - weight}, "any one unit")
    if not needs_hit_dice(result, count):
        return (distribution({("hit", hit_label(count)): 1}), each)
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
    rows = {("hit", hit_label(number)): weights[number] for number in sorted(weights)}
    return (distribution(rows), each)


def fire_chain(*, table: Odds, charts: Book, column: str, units: Sequence[Unit]) -> tuple[Odds, ...]:
    """The chain to the end: for each unit, how an attack with these odds on the table leaves it.

    Counts every FFT result, who is hit, and the Morale Check that follows. Units without a TQ
    are left out, since their check cannot be counted, and so are vehicles: the text does not say
    what Casualties do to them (A-38).
    """
    results = [(FireOutcome(row.outcome), row.weight) for row in table.rows]
    calls = [(outcome, weight, check_called(charts["fft"], column, outcome)) for outcome, weight in results]
    return tuple(
        _unit_chain(calls, charts, len(units), name, unit)
        for name, unit in named(units)
        if unit.tq is not None and unit.kind is not Kind.VEHICLE
    )


def _unit_chain(
    calls: Sequence[tuple[FireOutcome, int, int | None]], charts: Book, count: int, name: str, unit: Unit
) -> Odds:
    ends: Counter[Unit | None] = Counter()
    spared: Counter[int | None] = Counter()  # by the check that is left to take
    for outcome, weight, check in calls:
        hit, rolls = hit_weight(count, outcome) if outcome in STRIKES else (0, 1)
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


def _listed(names) -> str:
    *head, last = names
    return f"{', '.join(head)} and {last}" if head else last
