"""The attack of a mine hex on the units in it, before they stay or leave (20.6.4 step 2, 18.1, 18.2).

One attack on the Firepower Factors Table for all units of one location; the table's own routine says which are hit
and which check morale. What the text leaves open for vehicles is a ruling of ours (R-73).
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput
from firefight.engine.rolls.dice import DieSpec, check_face
from firefight.engine.rolls.result import Result
from firefight.games.combat_stalingrad.rules.counters import Counter
from firefight.games.combat_stalingrad.rules.fire import STRIKES, FireOutcome, fire, needs_hit_dice, struck_places
from firefight.games.combat_stalingrad.rules.marks import Mark, kind_in_combat
from firefight.games.combat_stalingrad.rules.morale import Cause, after_casualties, after_check, matrix_result
from firefight.games.combat_stalingrad.rules.objections import Objection
from firefight.games.combat_stalingrad.rules.units import Kind, State, Unit

MOST_FACTORS = 100
MOST_DRM = 100
DIE = DieSpec("mine", 100, "d100 of the mines")
_KILLS = (FireOutcome.E, FireOutcome.E_2)


@dataclass(frozen=True, slots=True)
class MineTarget:
    """One unit in a mine hex, by its number."""

    number: int
    unit: Unit


@dataclass(frozen=True, slots=True)
class Blast:
    """How far a mine attack has come. ``needs``: the dice that are still missing.

    ``ends``: each unit afterwards, by number; None is eliminated. ``immobilized``: vehicles that are M-KILLED (R-73).
    ``unchecked``: units that owe a Morale Check that cannot be read off, since their TQ is not known.
    """

    result: Result
    needs: tuple[DieSpec, ...] = ()
    ends: Mapping[int, Unit | None] | None = None
    immobilized: frozenset[int] = frozenset()
    unchecked: frozenset[int] = frozenset()


def known_factors(charts: Book) -> int | None:
    """The FFT column of mines, None if the chart book does not give it."""
    values = charts["fft_weapons"].values
    return next((values[key] for key in ("mine", "mines") if values.get(key)), None)


def attack_by_mines(
    *, charts: Book, factors: int, targets: Sequence[MineTarget], faces: Mapping[str, int], drm: int = 0
) -> Blast:
    """Attack all units of one location once (20.6.4 step 2, 18.1.1).

    factors: firepower factors, 1 to 100, the column of mines. drm: of the place, for all. faces: ``mine`` (d100),
    then ``hit_<number>`` and ``check_<number>`` (d10) as they are asked for. Raises BadInput, BadDie.
    """
    if not 1 <= factors <= MOST_FACTORS:
        raise BadInput({"factors": f"The factors of the mines are 1 to {MOST_FACTORS}."})
    if abs(drm) > MOST_DRM:
        raise BadInput({"drm": f"The DRM lies between -{MOST_DRM} and +{MOST_DRM}."})
    result = fire(charts=charts, ff=factors, other_drm=drm, die=faces.get(DIE.name))
    if result.outcome is None:
        return Blast(result, (DIE,))
    outcome = FireOutcome(result.outcome)
    hit_dice = _hit_dice(outcome, targets)
    missing = tuple(spec for spec in hit_dice if spec.name not in faces)
    if missing:
        return Blast(result, missing)
    struck = _struck(outcome, targets, [check_face(faces[spec.name], 10, spec.name) for spec in hit_dice])
    return _check_morale(charts, result, _strike(outcome, targets, struck), outcome, struck, faces)


def _hit_dice(outcome: FireOutcome, targets: Sequence[MineTarget]) -> tuple[DieSpec, ...]:
    """One d10 for each unit, where it is open which is hit (18.1.3)."""
    if outcome not in STRIKES or not needs_hit_dice(outcome, len(targets)):
        return ()
    return tuple(DieSpec(f"hit_{target.number}", 10, f"{target.unit.name}, hit") for target in targets)


def _struck(outcome: FireOutcome, targets: Sequence[MineTarget], dice: Sequence[int]) -> frozenset[int]:
    if outcome not in STRIKES:
        return frozenset()
    places = struck_places(dice, outcome) if dice else range(len(targets))
    return frozenset(targets[place].number for place in places)


def _strike(outcome: FireOutcome, targets: Sequence[MineTarget], struck: frozenset[int]) -> dict[int, Unit | None]:
    """Every unit after E, 2E or C (18.1.2); C leaves a vehicle as it is, see R-73."""
    ends: dict[int, Unit | None] = {target.number: target.unit for target in targets}
    for target in targets:
        if target.number in struck:
            ends[target.number] = None if outcome in _KILLS else after_casualties(target.unit, Cause.FFT)
    return ends


def _check_morale(
    charts: Book,
    result: Result,
    ends: dict[int, Unit | None],
    outcome: FireOutcome,
    struck: frozenset[int],
    faces: Mapping[str, int],
) -> Blast:
    """The survivors check morale where the result asks for it; vehicles do not (18.1.2, 18.2, A-49)."""
    check = result.details["check"]
    infantry = (
        {n: unit for n, unit in ends.items() if unit and unit.kind is not Kind.VEHICLE} if check is not None else {}
    )
    due = {number: unit.tq for number, unit in infantry.items() if unit.tq is not None}
    specs = {n: DieSpec(f"check_{n}", 10, f"{infantry[n].name}, Morale Check, TQ {tq}") for n, tq in due.items()}
    missing = tuple(spec for spec in specs.values() if spec.name not in faces)
    if missing:
        return Blast(result, missing)
    for number, tq in due.items():
        unit = infantry[number]
        total = check_face(faces[specs[number].name], 10, specs[number].name) + check
        ends[number] = after_check(unit, matrix_result(charts, tq, unit.state, total))
    vehicles = {number for number, unit in ends.items() if unit and unit.kind is Kind.VEHICLE}
    hurt = vehicles & struck if outcome not in _KILLS else set()
    return Blast(result, (), ends, frozenset(hurt), frozenset(infantry.keys() - due.keys()))


# Which units mines attack


def is_mined(place: str, mine_hexes: Collection[str]) -> bool | None:
    """Whether a unit stands in one of its sector's mine hexes; None if it may, but a hex is not noted ("")."""
    if place and place in mine_hexes:
        return True
    return None if "" in mine_hexes or (mine_hexes and not place) else False


def against_mine_attack(units: Iterable[tuple[str, str, bool]]) -> list[Objection]:
    """What speaks against one attack on units, each by name, hex and whether mines have yet to attack it."""
    units = tuple(units)
    objections = [
        Objection(f"{name} is in no mine hex, or was attacked already.", "20.6.4 step 2")
        for name, _, is_due in units
        if not is_due
    ]
    if len({place for _, place, _ in units if place}) > 1:
        objections.append(Objection("One hex at a time: these units stand in several.", "20.6.4 step 2"))
    return objections


_STATES = {Mark.WIA: State.WIA, Mark.DISRUPTED: State.DISRUPTED, Mark.PINNED: State.PINNED}


def target_of(name: str, counter: Counter, marks: Collection[str]) -> Unit:
    """A unit as the Firepower Factors Table sees it."""
    state = next((state for mark, state in _STATES.items() if mark in marks), State.GOOD_ORDER)
    return Unit(kind_in_combat(counter.kind, marks), name, counter.tq, state)


def marks_after_blast(marks: Collection[str], before: Unit, number: int, blast: Blast) -> tuple[list[str] | None, str]:
    """The marks of a unit after an attack, None if gone, and what happened to it, in words (18.1.2, 18.2, R-73)."""
    after = (blast.ends or {})[number]
    if after is None:
        return None, "eliminated"
    if number in blast.immobilized:
        return [*marks, *({Mark.M_KILLED.value} - set(marks))], f"{Mark.M_KILLED.word} (our ruling, R-73)"
    left_to_do = [_UNCHECKED] if number in blast.unchecked else []
    if after == before:
        return list(marks), "; ".join(left_to_do) or "unchanged"
    flip = {Kind.HALF_SQUAD: Mark.REDUCED, Kind.WOUNDED_LEADER: Mark.WOUNDED}.get(after.kind)
    state = None if after.state is State.GOOD_ORDER else Mark(after.state.value)
    lasting = [mark for mark in marks if mark not in (Mark.PINNED, Mark.DISRUPTED, Mark.WIA, flip)]
    fresh = [mark.word for mark in (flip if after.kind is not before.kind else None, state) if mark]
    words = "; ".join([", ".join(fresh), *left_to_do])
    return [*lasting, *(mark.value for mark in (flip, state) if mark)], words


_UNCHECKED = "checks morale on the board, since its TQ is not known here"
