"""Stukas: what Soviet guns do to them, and what they may be sent against (15.1 to 15.4, 9.104)."""

from collections.abc import Iterable

from firefight.engine.charts.book import Book
from firefight.engine.labels import Labelled
from firefight.engine.rolls.answers import allow_or_refuse
from firefight.engine.rolls.dice import check_face
from firefight.engine.rolls.result import FollowUp, Outcome, Result, sources, waiting
from firefight.engine.text import join_numbers, without_capital
from firefight.engine.values import Json

from .crt import Lost, count_eliminated, find_column, find_table, read_result
from .limits import CLOSE_BY, list_odd_neighbours
from .terms import NO_EFFECT, Terrain

BOX_POINTS = 10  # of every East Bank box (15.43)
AA_RULES = ("15.4 Soviet Anti-Aircraft (AA) Fire", "15.45")


class AntiAircraft(Outcome):
    """What anti-aircraft fire does."""

    NO_EFFECT = "no_effect", "no effect"
    ABORTS = "aborts"


def count_aa(points: int, east_bank_box: bool) -> int:
    """All points that fire at Stukas (15.43)."""
    return points + (BOX_POINTS if east_bank_box else 0)


def anti_aircraft(
    *,
    charts: Book,
    points: int,
    east_bank_box: bool,
    flying: int | None = None,
    stuka_af: int | None = None,
    if_points: int = 0,
    die: int | None = None,
) -> Result:
    """Anti-aircraft fire before Stukas act: no modifiers, a D sends that many home, a P does nothing (15.42, 15.45).

    flying, stuka_af, if_points: how many Stukas come, the AF of each, and what guns add; the bombardment gets the rest.
    """
    all_points = count_aa(points, east_bank_box)
    if not all_points:
        details: Json = {"points": 0, "result": NO_EFFECT, "aborted": 0}
        return Result("No anti-aircraft fire.", AntiAircraft.NO_EFFECT, details=details, rules=AA_RULES)
    table = find_table(charts, "crt")
    column = find_column(table, all_points)
    if die is None:
        words = f"Anti-aircraft fire, {all_points} points: column {column}. Roll a d10."
        return waiting(words, "die", details={"points": all_points}, rules=AA_RULES)
    result = read_result(table, check_face(die, 10), column)
    aborted = count_eliminated(result)
    outcome = AntiAircraft.ABORTS if aborted else AntiAircraft.NO_EFFECT
    effect = f"{aborted if aborted != 'all' else 'all'} sent home" if aborted else "no effect"
    return Result(
        f"Anti-aircraft fire, {all_points} points: {effect}.",
        outcome,
        effect,
        dice={"die": die},
        modified=die,
        details={"points": all_points, "result": result, "aborted": aborted},
        effects=("They go to the box of unavailable Stukas (15.45).",) if aborted else (),
        follow_ups=tuple(_follow_aa(aborted, east_bank_box, flying, stuka_af, if_points)),
        rules=AA_RULES,
        provenance=sources([table]),
    )


def _follow_aa(
    aborted: Lost, east_bank_box: bool, flying: int | None, stuka_af: int | None, if_points: int
) -> Iterable[FollowUp]:
    if flying is None or stuka_af is None:
        return
    stukas_left = 0 if aborted == "all" else max(0, flying - int(aborted))
    # Guns and Stukas fire at boxes apart (15.32).
    points = stukas_left * stuka_af + (0 if east_bank_box else if_points)
    if points:
        table = "ebbt" if east_bank_box else "wbbt"
        yield FollowUp("bombardment", "Bombardment of the Stukas that are left", {"points": points, "table": table})


class Use(Labelled):
    """What Stukas are sent to do."""

    BOMBARD = "bombard", "Bombard a West Bank hex"
    ATTACK = "attack", "Support an attack"
    BREAKTHROUGH = "breakthrough", "Support a breakthrough attack"
    INTERDICT = "interdict"
    EAST_BANK = "east_bank", "Bombard an East Bank box"


PHASES = {
    Use.BOMBARD: (2, 5, 6, 8),
    Use.ATTACK: (5, 8),
    Use.BREAKTHROUGH: (3, 7),
    Use.INTERDICT: (2, 6),
    Use.EAST_BANK: (2, 6),
}
NEED_OBSERVER = (Use.ATTACK, Use.BREAKTHROUGH)


def stuka_target(
    *, charts: Book, phase: int, use: Use, terrain: Terrain, adjacent_kinds: tuple[str, ...], lw_op_sees: bool
) -> Result:
    """Whether Stukas may be sent there, and what the Luftwaffe's observer adds (9.104, 15.11 to 15.17, 15.31).

    adjacent_kinds: which Germans stand next to the target. lw_op_sees: the Luftwaffe's observer sees the hex;
    for an East Bank box he is on 1039.
    """
    reasons = []
    if phase not in PHASES[use]:
        reasons.append(f"Not in phase {phase}: in {join_numbers(PHASES[use])} (15.11, 14.42).")
    if use in NEED_OBSERVER and not lw_op_sees:
        reasons.append("The Luftwaffe's observer has to see the hex (15.14).")
    barred_neighbours = list_odd_neighbours(adjacent_kinds)
    if use is not Use.EAST_BANK and terrain.is_built_up and barred_neighbours:
        reasons.append(f"A built-up hex next to Germans other than {CLOSE_BY} (9.104, 15.16).")
    drm = -1 if lw_op_sees and use is not Use.INTERDICT else 0
    return allow_or_refuse(
        f"Stukas, {without_capital(use.word)}",
        reasons,
        ("9.104", "15.11", "15.14", "15.17", "15.31"),
        {"drm": drm},
        follow_ups=() if reasons else tuple(_follow_stukas(use, drm, terrain)),
    )


def _follow_stukas(use: Use, drm: int, terrain: Terrain) -> Iterable[FollowUp]:
    yield FollowUp("anti-aircraft", "Anti-aircraft fire first", {"east_bank_box": use is Use.EAST_BANK})
    inputs = {"spotting": drm, "terrain": terrain.value}
    if use in NEED_OBSERVER:
        yield FollowUp("attack", "Attack", inputs)
    elif use is Use.EAST_BANK:
        yield FollowUp("bombardment", "Bombardment", {"table": "ebbt", "op_on_1039": bool(drm)})
    elif use is Use.BOMBARD:
        yield FollowUp("bombardment", "Bombardment", inputs)
