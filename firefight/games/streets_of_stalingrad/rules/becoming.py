"""What happens to counters in play, and what phases take off them (9.11, 9.114, 9.115, 16.3, 18.14, 18.42).

Where counters are in the match, their markers lie on them. The record keeps markers by hex for hexes whose counters
nobody has put into it, and those that belong to a hex whoever stands there: attack, breakthru, interdiction (S-65).
"""

from collections.abc import Iterator
from dataclasses import replace

from firefight.engine.board.counters import CounterChange, CounterFate, CounterInPlay
from firefight.engine.course.course import Position
from firefight.engine.course.keeping import TableState
from firefight.engine.errors import BadInput
from firefight.engine.rolls.result import Result
from firefight.engine.values import Values

from .defensive_fire import FireKind
from .housekeeping import IMMOBILIZED, list_steps
from .phases import find_phase
from .units import DISMOUNTED, FOOT_MP, Arm, Unit

PINNED, SPENT = "pinned", "spent"
STATES = {PINNED: "Pinned", SPENT: "Spent", IMMOBILIZED: "Immobilized", DISMOUNTED: "Dismounted"}
WOUNDED, GOOD_ORDER, COMES_OFF = "wounded", "good_order", "no_"
ELIMINATED = CounterFate.ELIMINATED.value
MARKERS = (PINNED, SPENT)
FATES = {CounterFate.ELIMINATED.value: "Eliminated", WOUNDED: "Wounded", CounterFate.RETURNED.value: "Given back"}
WORDS = {
    **STATES,
    **{f"{COMES_OFF}{marker}": f"No longer {STATES[marker]}" for marker in (*MARKERS, DISMOUNTED)},
    GOOD_ORDER: "No marker",
    **FATES,
    "shown": "In sight",
    "hidden": "Hidden",
}
TANKS = (Arm.TANK, Arm.STUG)


def may_carry(kind: Unit) -> frozenset[str]:
    """The words that the state of such a counter may hold: leaders are never pinned or spent (9.113, 18.14)."""
    if kind.arm.is_piece or kind.arm is Arm.STUKA:
        return frozenset()
    carried = () if kind.arm.is_leader else MARKERS
    lasting = {IMMOBILIZED: kind.arm in TANKS, DISMOUNTED: kind.may_dismount}
    return frozenset({*carried, *(word for word, may in lasting.items() if may)})


def become(counter: CounterInPlay, kind: Unit, word: str) -> CounterInPlay:
    """The counter after something has happened to it. Raises BadInput for what cannot happen to it."""
    match word:
        case CounterFate.ELIMINATED | CounterFate.RETURNED:
            return replace(counter, fate=word, state=())
        case "wounded" if kind.arm.is_leader:
            return replace(counter, fate=CounterFate.LEFT.value, state=())
        case "good_order":
            return replace(counter, state=tuple(marker for marker in counter.state if marker not in MARKERS))
        case "shown" | "hidden":
            return replace(counter, hidden=word == "hidden")
    if word.startswith(COMES_OFF):
        marker = word.removeprefix(COMES_OFF)
        return replace(counter, state=tuple(carried for carried in counter.state if carried != marker))
    if word in (PINNED, SPENT) and (kind.arm.is_leader or kind.arm.is_piece):
        return counter  # neither ever is (9.113, 18.14)
    if word in (PINNED, SPENT) and arm_of(counter, kind) is Arm.IMMOBILIZED:
        return replace(counter, fate=CounterFate.ELIMINATED.value, state=())  # under any P (9.882, 16.37)
    if word not in may_carry(kind):
        raise BadInput({"becomes": f"{counter.name} cannot be {STATES.get(word, WORDS.get(word, word[:20]))}."})
    carried = {*counter.state, word}
    return replace(counter, state=tuple(state for state in STATES if state in carried))


def describe_marked(counter: CounterInPlay) -> str:
    """The state of a counter, in words."""
    if counter.fate:
        return "wounded" if counter.fate == CounterFate.LEFT else counter.fate
    return ", ".join(STATES[word] for word in counter.state) or "Good Order"


def arm_of(counter: CounterInPlay, kind: Unit) -> Arm:
    """What a counter now is: an immobilized tank is no longer a tank (16.32), armour on foot is infantry (9.96)."""
    if IMMOBILIZED in counter.state:
        return Arm.IMMOBILIZED
    return Arm.INFANTRY if DISMOUNTED in counter.state and kind.arm is Arm.ARMORED else kind.arm


def mp_of(counter: CounterInPlay, kind: Unit) -> int | None:
    """Its MP now: 8 on foot (8.71); None where nobody knows them."""
    return FOOT_MP if DISMOUNTED in counter.state else kind.mp


def pin_bystanders(inputs: Values, result: Result, situation: TableState) -> tuple[CounterChange, ...]:
    """Those pinned together with movers that opportunity fire pins: all others in their hex, except leaders (11.11).
    Nobody is where no mover is left, and hidden counters are left to their owner (ruling S-82)."""
    movers = {row["id"] for row in inputs.get("at") or () if row.get("id")}
    is_pinned = inputs.get("kind") == FireKind.OPPORTUNITY and result.details.get("marker") == PINNED
    if not (is_pinned and movers) or _are_all_lost(inputs, result):
        return ()
    struck = [piece.counter for piece in situation.pieces if piece.counter.id in movers]
    passed = str(inputs.get("hex") or "")  # where they were fired at, wherever their counters lie by then
    hexes = {(counter.side, passed or counter.place) for counter in struck if passed or counter.place}
    return tuple(
        CounterChange(piece.counter.id, PINNED)
        for piece in situation.pieces
        if (piece.counter.side, piece.counter.place) in hexes
        and piece.counter.in_play
        and not piece.counter.hidden
        and piece.counter.id not in movers
        and PINNED not in piece.counter.state
        and PINNED in may_carry(piece.kind)
        and arm_of(piece.counter, piece.kind) is not Arm.IMMOBILIZED
    )


def _are_all_lost(inputs: Values, result: Result) -> bool:
    """Whether the fire leaves none of the combat units that were counted in the target."""
    lost, target_units = result.details["lost"], int(inputs.get("combat_units") or 0)
    return lost == "all" or bool(target_units and int(lost) >= target_units)


def arrive(counter: CounterInPlay, kind: Unit, situation: TableState) -> CounterInPlay:
    """Whoever comes into a hex under a pinned marker is pinned (9.111), except leaders (18.14). A marker lies there
    where a friend in sight is pinned; a hidden counter is its owner's to mark (ruling S-82)."""
    friends = (friend for friend in situation.counters if friend.side == counter.side and friend.place == counter.place)
    is_pinned = any(PINNED in friend.state for friend in friends) or any(
        row["hex"] == counter.place and row["marker"] == PINNED for row in situation.record["markers"]
    )
    if counter.hidden or not is_pinned or PINNED not in may_carry(kind):
        return counter
    return become(counter, kind, PINNED)


def tidy(before: Position, situation: TableState) -> tuple[CounterChange, ...]:
    """What the phases between two positions take off counters (9.114, 9.115)."""
    changed = (
        (piece.counter, _go_through(piece.counter, before, situation) & may_carry(piece.kind))
        for piece in situation.pieces
    )
    return tuple(change for counter, markers in changed for change in _list_changes(counter, markers))


def clears(before: Position, after: Position) -> bool:
    """Whether markers come off counters between two positions (9.114, 9.115)."""
    return any(at_end or at_start for at_end, at_start in _list_removed(before, after))


def _list_removed(before: Position, after: Position) -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The markers that come off at each phase's end, and as the next one begins."""
    leaves = int(before.phase)
    for _, phase in list_steps(before, after):
        yield find_phase(leaves).removed_at_end, find_phase(phase).removed_at_start
        leaves = phase


def _go_through(counter: CounterInPlay, before: Position, situation: TableState) -> set[str]:
    """The markers that are left on a counter."""
    carried = set(counter.state)
    for at_end, at_start in _list_removed(before, situation.position) if carried else ():
        carried -= {*at_end}
        if not lies_under_attack(counter.place, situation.record):
            carried -= {*at_start}
    return carried


def lies_under_attack(place: str, record: Values) -> bool:
    """Whether an attack marker lies on a hex: whoever is pinned below it stays so (9.114)."""
    markers = [row for row in record["markers"] if row["hex"] == place]
    return bool(place) and any(row["marker"] == "attack" or row["under_attack"] for row in markers)


def _list_changes(counter: CounterInPlay, markers: set[str]) -> Iterator[CounterChange]:
    for marker in counter.state:
        if marker not in markers:
            yield CounterChange(counter.id, f"{COMES_OFF}{marker}")
    for marker in STATES:
        if marker in markers and marker not in counter.state:
            yield CounterChange(counter.id, marker)
