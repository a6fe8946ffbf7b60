"""Casualties and Morale Checks: what becomes of a counter (18.1.2, 18.1.4, 18.2)."""

from collections import Counter
from dataclasses import replace

from firefight.engine.charts.book import Book
from firefight.engine.charts.kinds import Matrix
from firefight.engine.errors import BadInput
from firefight.engine.labels import Labelled
from firefight.engine.rolls.dice import check_face
from firefight.engine.rolls.modifiers import Modifier, other, total, without_zeroes
from firefight.engine.rolls.result import FollowUp, Outcome, Result, Source, sources, waiting
from firefight.engine.text import capitalize

from .units import Becomes, Kind, State, Unit, find_fate, mark_counter, unit_inputs

D10 = 10
BADLY_FAILED = 3  # a check missed by this much or more reads the lower row (18.2)


class Cause(Labelled):
    """Where a Casualties result comes from: WIA markers (A-16) and vehicles (19.3.3) are treated differently."""

    FFT = "fft", "FFT"
    MORALE = "morale", "Morale Check"
    CLOSE_COMBAT = "close_combat", "Close Combat"


class CasualtiesOutcome(Outcome):
    """What Casualties do to a counter."""

    HALF_SQUAD = "half_squad"
    WOUNDED_LEADER = "wounded_leader"
    ELIMINATED = "eliminated"
    M_KILLED = "m_killed"
    NOT_COVERED = "not_covered"


def after_casualties(unit: Unit, cause: Cause) -> Unit | None:
    """The unit after a Casualties result; None when it is eliminated (18.1.2, 18.2.2, 18.2.5).

    A squad and a leader flip and shed their markers (18.1.4), but a WIA squad that suffers
    Casualties from a Morale Check stays WIA, and a WIA leader dies of them (A-16, A-18). SW teams
    and crews are eliminated (A-38). A vehicle is returned unchanged: the text gives it no result.
    """
    from_check = cause is Cause.MORALE
    wia = unit.state is State.WIA
    match unit.kind:
        case Kind.SQUAD:
            state = State.WIA if wia and from_check else State.GOOD_ORDER
            return replace(unit, kind=Kind.HALF_SQUAD, state=state, name=_reduced_name(unit))
        case Kind.LEADER if not (wia and from_check):
            return replace(unit, kind=Kind.WOUNDED_LEADER, state=State.GOOD_ORDER)
        case Kind.VEHICLE:
            return unit
        case _:
            return None


def _reduced_name(unit: Unit) -> str:
    if not unit.name or unit.name.endswith("(half)"):
        return unit.name
    return f"{unit.name} (half)"


def casualties(
    *,
    charts: Book,
    unit: Kind,
    state: State = State.GOOD_ORDER,
    source: Cause = Cause.FFT,
    name: str = "",
    tq: int | None = None,
    then_check: int | None = None,
    id: str = "",
) -> Result:
    """Flip, wound or eliminate a unit (18.1.2 C, 18.1.4, 18.2.2 Leaders, 18.2.5 WIA Units).

    source: "fft" for a C or C/M, "morale" for Casualties out of a Morale Check, "close_combat" for a C of the Close
    Combat Table, which is an M-KILL on a vehicle (19.3.3). then_check: the
    DRM of the check that follows a C/M, None for none. id: which counter in play it is, "" for none. Raises BadInput
    when a Morale Check cannot have caused Casualties in that state (R-08).
    """
    if source is Cause.MORALE and not state.disrupted:
        raise BadInput({"state": "A Morale Check causes Casualties only in a Disrupted or WIA unit (18.2)."})
    before = Unit(unit, name, tq, state, id=id)
    after = after_casualties(before, source)
    outcome = _casualties_outcome(before, after, source)
    follow_ups: tuple[FollowUp, ...] = ()
    if after is not None and then_check is not None:
        inputs = {**unit_inputs(after.name, after), "modifier": then_check}
        follow_ups = (FollowUp("morale", f"Morale Check: {after.name_or_kind()}", inputs),)
    return Result(
        headline=f"{capitalize(before.name_or_kind())}: {_becomes(outcome, after)}.",
        outcome=outcome,
        details={"unit": after and after.kind.value, "state": after and after.state.value},
        effects=_casualties_effects(before, after, outcome),
        follow_ups=follow_ups,
        rules=("18.1.2 FFT Combat Results", "18.1.4 (no heading)", "18.2.2 Leaders", "18.2.5 WIA Units")
        + (("19.3.3 (no heading)",) if outcome is CasualtiesOutcome.M_KILLED else ()),
        provenance=_ruled_casualties(before, source),
        changes=mark_counter(
            before, Becomes.M_KILLED if outcome is CasualtiesOutcome.M_KILLED else find_fate(before, after)
        ),
        waits=source is Cause.CLOSE_COMBAT,
    )


def _ruled_casualties(before: Unit, source: Cause) -> tuple[Source, ...]:
    """That a ruling of ours decided, where the text names no Casualties of such a counter (A-38)."""
    by_text = source is Cause.MORALE and before.state is State.WIA  # 18.2.5 eliminates all but squads
    return () if by_text or before.kind not in (Kind.SW_TEAM, Kind.CREW) else (_NO_SMALLER_SIDE,)


_NO_SMALLER_SIDE = Source("ruling", "Ruling A-38: Casualties without a smaller side", "house")
_VEHICLE_CHECK = Source("ruling", "Ruling A-49: Morale Checks of vehicles", "house")


def _casualties_outcome(before: Unit, after: Unit | None, source: Cause) -> CasualtiesOutcome:
    if before.kind is Kind.VEHICLE:
        return CasualtiesOutcome.M_KILLED if source is Cause.CLOSE_COMBAT else CasualtiesOutcome.NOT_COVERED
    return CasualtiesOutcome.ELIMINATED if after is None else CasualtiesOutcome(after.kind.value)


def _becomes(outcome: CasualtiesOutcome, after: Unit | None) -> str:
    match outcome:
        case CasualtiesOutcome.M_KILLED:
            return "M-KILLED"
        case CasualtiesOutcome.NOT_COVERED:
            return "the text gives Casualties no effect on a vehicle"
    return "eliminated" if after is None else f"now a {after.kind.word}, {after.state.word}"


def _casualties_effects(before: Unit, after: Unit | None, outcome: CasualtiesOutcome) -> tuple[str, ...]:
    match outcome:
        case CasualtiesOutcome.M_KILLED:
            return ("Mark it M-KILLED.",)
        case CasualtiesOutcome.NOT_COVERED:
            return ("Look at the vehicle's own result on your play aid; nothing is changed here (A-38).",)
    if after is None:
        return ("Remove the counter; it had no smaller side to flip to.",)
    keeps = " It keeps its WIA marker." if after.state is State.WIA else ""
    sheds = " Take its markers off." if before.state is not State.GOOD_ORDER and not keeps else ""
    return (f"Flip it to its {after.kind.word} side.{sheds}{keeps}",)


class MoraleOutcome(Outcome):
    """Cells of the Morale Check Results (18.2)."""

    NO_EFFECT = "no_effect"
    PINNED = "pinned", "Pinned Down"
    DISRUPTED = "disrupted"
    WIA = "wia", "WIA"
    CASUALTIES = "casualties"
    ELIMINATED = "eliminated"
    SUPPRESSED = "suppressed"  # vehicles only, by ruling A-49


def matrix_result(charts: Book, tq: int, state: State, modified: int) -> MoraleOutcome:
    """Read the matrix of 18.2: no effect up to TQ, then by how far the total exceeds it."""
    over = modified - tq
    if over <= 0:
        return MoraleOutcome.NO_EFFECT
    table: Matrix = charts["morale"]
    return MoraleOutcome(table.cell("3+" if over >= BADLY_FAILED else "1-2", state.value))


def check_result(charts: Book, unit: Unit, modified: int) -> MoraleOutcome:
    """What a check does to a counter with a TQ: the matrix of 18.2, but a vehicle that fails is Suppressed (A-49)."""
    assert unit.tq is not None  # whoever takes a check has a TQ: ``morale`` asks for it
    if unit.kind is not Kind.VEHICLE:
        return matrix_result(charts, unit.tq, unit.state, modified)
    return MoraleOutcome.SUPPRESSED if modified > unit.tq else MoraleOutcome.NO_EFFECT


def after_check(unit: Unit, outcome: MoraleOutcome) -> Unit | None:
    """The unit after a cell of the matrix; None when it is eliminated (18.2.2, 18.2.5, A-18)."""
    match outcome:
        case MoraleOutcome.NO_EFFECT | MoraleOutcome.SUPPRESSED:
            return unit
        case MoraleOutcome.ELIMINATED:
            return None
        case MoraleOutcome.CASUALTIES:
            return after_casualties(unit, Cause.MORALE)
        case MoraleOutcome.WIA if unit.kind is Kind.WOUNDED_LEADER:
            return None
        case _:
            return replace(unit, state=State(outcome.value))


def _say_needed(tq: int, face: int) -> str:
    if face < 1:
        return f"No die is low enough against TQ {tq}: roll how far it fails."
    if face >= D10:
        return f"Every die passes against TQ {tq}."
    return f"Needs {face} or less on the die, TQ {tq}."


def morale(
    *,
    charts: Book,
    tq: int,
    state: State = State.GOOD_ORDER,
    unit: Kind = Kind.SQUAD,
    modifier: int = 0,
    other_drm: int = 0,
    name: str = "",
    id: str = "",
    die: int | None = None,
) -> Result:
    """Take a Morale Check (18.2.1, matrix of 18.2, 18.2.2 Leaders, 18.2.5 WIA Units).

    tq: Troop Quality, 1 to 10. modifier: the x of M+x. id: which counter in play it is, "" for none. die: natural
    d10, 0 as 10. The result also says what becomes of the counter. A vehicle that fails is Suppressed, a house
    ruling (A-49). Raises BadInput for a vehicle in a state that vehicles are never in.
    """
    vehicle = unit is Kind.VEHICLE
    if vehicle and state is not State.GOOD_ORDER:
        raise BadInput({"state": "A vehicle is never Pinned Down, Disrupted or WIA: choose Good Order (A-49)."})
    modifiers = without_zeroes(Modifier(f"M+{modifier}", modifier, "18.1.2 FFT Combat Results"), other(other_drm))
    if die is None:
        return waiting(_say_needed(tq, tq - total(modifiers)), "die", modifiers=modifiers)
    modified = check_face(die, D10) + total(modifiers)
    before = Unit(unit, name, tq, state, id=id)
    outcome = check_result(charts, before, modified)
    after = after_check(before, outcome)
    label, subject = _check_label(before, after, outcome), capitalize(before.name_or_kind())
    ruled = _ruled_casualties(before, Cause.MORALE) if outcome is MoraleOutcome.CASUALTIES else ()
    return Result(
        headline=f"{subject}: {'passed' if label == 'Passed' else label}, {modified} against TQ {tq}.",
        outcome=outcome,
        label=label,
        dice={"die": die},
        modified=modified,
        modifiers=modifiers,
        details={
            "margin": max(0, modified - tq),
            "unit": after and after.kind.value,
            "state": outcome.value if outcome is MoraleOutcome.SUPPRESSED else after and after.state.value,
        },
        effects=_morale_effects(before, after, outcome),
        rules=("18.2 Morale Check Results", "18.2.1 (no heading)"),
        provenance=(_VEHICLE_CHECK,) if vehicle else (*sources((charts["morale"],)), *ruled),
        changes=mark_counter(
            before, Becomes.SUPPRESSED if outcome is MoraleOutcome.SUPPRESSED else find_fate(before, after)
        ),
    )


def _check_label(before: Unit, after: Unit | None, outcome: MoraleOutcome) -> str:
    match outcome:
        case MoraleOutcome.NO_EFFECT:
            return "Passed"
        case MoraleOutcome.SUPPRESSED:
            return outcome.word
    return end_label(before, after)[1]


def _morale_effects(before: Unit, after: Unit | None, outcome: MoraleOutcome) -> tuple[str, ...]:
    if outcome is MoraleOutcome.NO_EFFECT:
        return ()
    if outcome is MoraleOutcome.SUPPRESSED:
        return ("Mark it Suppressed: the text gives a vehicle's failed check no result, so this is a house ruling.",)
    if outcome is MoraleOutcome.CASUALTIES:
        return _casualties_effects(before, after, _casualties_outcome(before, after, Cause.MORALE))
    if after is None:
        return ("Remove the counter.",)
    limits = {
        "pinned": "It does not move and fires at half its FF, fractions down.",
        "disrupted": "It neither moves nor fires; its CCV is halved, fractions down.",
        "wia": "It counts as Disrupted; rallying makes it Disrupted first.",
    }
    return (f"Mark it {after.state.word}. {limits[after.state.value]}",)


def check_ends(charts: Book, unit: Unit, check: int | None) -> Counter[Unit | None]:
    """How a unit may stand after a Morale Check at that DRM, in tenths. ``check``: None for no check."""
    if check is None:
        return Counter({unit: D10})
    results = Counter(check_result(charts, unit, face + check) for face in range(1, D10 + 1))
    ends: Counter[Unit | None] = Counter()
    for outcome, tenths in results.items():
        ends[after_check(unit, outcome)] += tenths
    return ends


END_ORDER = ("eliminated", "reduced", "wia", "disrupted", "pinned", "good_order", "untouched")


def end_label(before: Unit, after: Unit | None) -> tuple[str, str]:
    """How to name the way from one state of a unit to another: a category of END_ORDER and a word."""
    if after is None:
        return "eliminated", "Eliminated"
    if after.kind is not before.kind:
        return "reduced", f"{after.kind.word.capitalize()}, {after.state.word}"
    if after.state is before.state:
        return "untouched", "Untouched"
    return after.state.value, after.state.word
