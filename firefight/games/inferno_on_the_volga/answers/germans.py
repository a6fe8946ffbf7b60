"""The German turn: the Call and where Units go, which moves and attacks are allowed."""

from collections.abc import Iterator

from firefight.engine.charts.book import Book
from firefight.engine.errors import BadInput
from firefight.engine.labels import Labelled
from firefight.engine.rolls.answers import IsShown, allow_or_refuse
from firefight.engine.rolls.odds import Odds, distribution
from firefight.engine.rolls.result import FollowUp, Outcome, Result, waiting
from firefight.engine.text import count_of, join_words
from firefight.engine.values import Json, Values

from ..rules.ending import count_call_cards
from ..rules.moves import (
    PathHex,
    PlannedAttack,
    ShortMove,
    list_deliberate_objections,
    list_hasty_objections,
    list_long_move_objections,
    list_short_move_objections,
)
from ..rules.reinforcements import (
    RAUS_UNITS,
    Call,
    adjust_strength,
    count_free_boxes,
    count_spins,
    list_deploy_hexes,
    pick_up,
    put_back,
)
from ..rules.tables import BOXES, ROWS, Colour, Terrain
from .pools import weigh_pool

CALL = "Call for Reinforcements"
FULL_ROWS = (BOXES,) * ROWS


class CallOutcome(Outcome):
    """The dice lie."""

    CALLED = "called"


class ReturnOutcome(Outcome):
    """Units are back on the Track."""

    RETURNED = "returned"


class Recount(Labelled):
    """How several Units go back to the Track (B20)."""

    RECOUNT = "recount", "rows are compared again after each"
    ONCE = "once", "rows are compared once"


class AttackKind(Labelled):
    """The two attacks of a German turn."""

    HASTY = "hasty", "Hasty Attack"
    DELIBERATE = "deliberate", "Deliberate Attack"


def check_track(rows: tuple[int, ...]) -> tuple[int, ...]:
    """Six rows of the Track. Raises BadInput for another number of them."""
    if len(rows) != ROWS:
        raise BadInput({"rows": f"Give the Units left in each of the {ROWS} rows: 5,5,4,5,5,5."})
    return rows


def answer_call(
    *,
    charts: Book,
    rows: tuple[int, ...] = FULL_ROWS,
    removed: tuple[int, ...] = (),
    paulus: bool = False,
    sixth_panzer: bool = False,
    raus_out: bool = False,
    faces: tuple[int, ...] | None = None,
) -> Result:
    """Six dice on the Reinforcement Track (Call for Reinforcements, Paulus, 6th Panzer Division; B18, B44 to B46)."""
    check_track(rows)
    cards = count_call_cards(paulus)
    if faces is None:
        return waiting(f"Draw {count_of(cards, 'card')}, then roll six dice.", "faces", details={"cards": cards})
    call = pick_up(rows, faces, removed, sixth_panzer and not raus_out)
    picked = sum(call.picked)
    effects = [
        f"Row {row}: {count_of(units, 'Unit')}, the leftmost." for row, units in enumerate(call.picked, 1) if units
    ]
    if call.remove:
        listed = join_words(map(str, call.remove))
        effects.append(
            f"Row {listed}: Remove the Unit named at its end, even if just picked up; nothing if it is not on the map."
        )
    if call.raus:
        effects.append("Raus is placed in the box of row 6; three White Units of the 6th Panzer join the Track.")
    raus = {"rows": list(call.rows_left), "number": RAUS_UNITS}
    follow = (FollowUp("return-units", "The 6th Panzer joins the Track", raus),) if call.raus else ()
    arrival = (FollowUp("deploy", "Where they arrive", {}),) if picked else ()
    return Result(
        f"Call: {count_of(picked, 'Unit')} picked up, {count_of(cards, 'card')}.",
        CallOutcome.CALLED,
        label=_say_call(call),
        dice={"faces": tuple(faces)},
        details={
            "picked": list(call.picked),
            "left": list(call.rows_left),
            "remove": list(call.remove),
            "cards": cards,
            "raus": call.raus,
        },
        effects=tuple(effects),
        follow_ups=(*follow, *arrival),
        rules=(CALL, *(("Paulus",) if paulus else ()), *(("6th Panzer Division",) if sixth_panzer else ())),
    )


def count_call_odds(charts: Book, inputs: Values) -> Iterator[Odds]:
    """How many Units six dice pick up, counted without a Result for each throw (Call for Reinforcements)."""
    rows, removed = check_track(inputs["rows"]), inputs["removed"]
    weights: dict[tuple[str, str], int] = {}
    for faces, weight in weigh_pool(ROWS):
        key = (CallOutcome.CALLED.value, _say_call(pick_up(rows, faces, removed)))
        weights[key] = weights.get(key, 0) + weight
    yield distribution(weights)


def _say_call(call: Call) -> str:
    removed = f", {len(call.remove)} Removed" if call.remove else ""
    return f"{count_of(sum(call.picked), 'Unit')}{removed}"


def answer_return(
    *, charts: Book, rows: tuple[int, ...] = FULL_ROWS, number: int = 1, reading: Recount = Recount.RECOUNT
) -> Result:
    """Units that cannot be placed go back to the emptiest row (Call for Reinforcements; B20)."""
    free = count_free_boxes(check_track(rows))
    if number > free:
        raise BadInput({"number": f"The Track has {count_of(free, 'free box', 'free boxes')}, not {number}."})
    rows_left = list(put_back(rows, number, reading is Recount.RECOUNT))
    gained = [
        f"row {row}: {after - before}"
        for row, (before, after) in enumerate(zip(rows, rows_left, strict=True), 1)
        if after > before
    ]
    return Result(
        f"Back to the Track: {join_words(gained) or 'nobody'}.",
        ReturnOutcome.RETURNED,
        details={"left": rows_left},
        rules=(CALL,),
    )


def answer_deploy(
    *,
    charts: Book,
    colour: Colour = Colour.YELLOW,
    shown_strength: int = 4,
    maximum: int = 4,
    caller: Colour | None = None,
    own_full: bool = False,
) -> Result:
    """Where a German Unit arrives, and what a spun Soviet block shows (Call, Random Deployment, Co-Op 9)."""
    if shown_strength > maximum:
        raise BadInput({"shown_strength": f"A block of {maximum} shows at most {maximum}."})
    hexes = list(list_deploy_hexes(colour, caller, own_full))
    strength, spin = adjust_strength(shown_strength), count_spins(maximum)
    chances = join_words(f"{dots} in {ways} of 4" for dots, ways in spin.items())
    return Result(
        f"{colour.word}: hex {join_words(hexes, 'or')}.",
        IsShown.SHOWN,
        details={
            "hexes": hexes,
            "strength": strength,
            "spin": {str(dots): ways for dots, ways in spin.items()},
        },
        effects=(
            "Germans arrive at full strength, four to a hex; a hex in Soviet hands takes nobody.",
            f"A Soviet block of {maximum}, spun: {chances}.",
            *(("No dots count as one.",) if shown_strength == 0 else ()),
        ),
        rules=(CALL, "Random Deployment", "Adjusting Soviet Strength", *(("Co-Op 9",) if caller else ())),
    )


# Moves and attacks


def answer_long_move(
    *,
    charts: Book,
    start_terrain: Terrain = Terrain.CLEAR,
    start_next_to_soviet: bool = False,
    part_of_stack: bool = False,
    path: tuple[PathHex, ...] = (),
) -> Result:
    """Whether a Long Move is legal (German Actions 2)."""
    if not path:
        raise BadInput({"path": "Give the hexes that the Stack enters, one or two, in their order."})
    reasons = list_long_move_objections(start_terrain, start_next_to_soviet, part_of_stack, path)
    return allow_or_refuse("Long Move", reasons, ("One Long Move",))


def answer_short_moves(*, charts: Book, moves: tuple[ShortMove, ...] = ()) -> Result:
    """Whether Short Moves are legal; none at all is a pass (German Actions 3)."""
    subject = count_of(len(moves), "Short Move") if moves else "No move, which is a pass"
    return allow_or_refuse(subject, list_short_move_objections(moves), ("Up to two Short Moves",))


def answer_attack_allowed(*, charts: Book, kind: AttackKind = AttackKind.HASTY, **planned: object) -> Result:
    """Whether an attack is legal (German Actions 4 and 5; B21). ``planned``: the fields of a PlannedAttack."""
    list_objections = list_hasty_objections if kind is AttackKind.HASTY else list_deliberate_objections
    reasons = list_objections(PlannedAttack(**Json(planned)))
    return allow_or_refuse(kind.word, reasons, (f"One {kind.word}",))
