"""The fifteen phases of a turn, and what is done in each (4.3; 9.114, 9.115, 10.9, 14.03, 14.84)."""

from dataclasses import dataclass
from functools import cache

from firefight.engine.charts.book import Book
from firefight.engine.labels import Labelled
from firefight.engine.rolls.answers import Allowed, IsShown
from firefight.engine.rolls.result import Outcome, Result
from firefight.engine.text import join_numbers, join_words
from firefight.engine.values import Values

from .data import from_text, read_lists
from .terms import Side

BOTH = "both"


class PhaseKind(Labelled):
    """What is done in a phase."""

    ADMIN = "admin"
    BOMBARD = "bombard"
    MOVEMENT = "movement"
    RESERVES = "reserves"
    ATTACK = "attack"
    EXPLOIT_MOVEMENT = "exploit_movement"
    EXPLOIT_ATTACK = "exploit_attack"

    @property
    def moves(self) -> bool:
        """Whether it is one of a side's three movement phases."""
        return self in (PhaseKind.MOVEMENT, PhaseKind.RESERVES, PhaseKind.EXPLOIT_MOVEMENT)

    @property
    def attacks(self) -> bool:
        """Whether hexes with attack markers are attacked in it."""
        return self in (PhaseKind.ATTACK, PhaseKind.EXPLOIT_ATTACK)


class Action(Labelled):
    """What a player may want to do."""

    NONE = "", "just show the phase"
    NORMAL_MOVEMENT = "normal_movement"
    DEPLOYMENT_MOVEMENT = "deployment_movement"
    RESERVES_MOVEMENT = "reserves_movement"
    EXPLOIT_MOVEMENT = "exploit_movement"
    BREAKTHROUGH_ATTACK = "breakthrough_attack"
    ATTACK = "attack"
    RETREAT_BEFORE_COMBAT = "retreat_before_combat"
    OPPORTUNITY_FIRE = "opportunity_fire"
    OPPORTUNITY_FIRE_AT_RETREAT = "opportunity_fire_at_retreat"
    INSTANT_COUNTER_ATTACK = "instant_counter_attack"
    SIMULTANEOUS_BOMBARDMENT = "simultaneous_bombardment"
    BOMBARD = "bombard", "Bombard, with IF alone"
    STUKA = "stuka", "Use Stukas"
    OFF_MAP_BOX_MOVE = "off_map_box_move"
    EAST_BANK_BOX_TO_BOX = "east_bank_box_to_box"
    VOLGA_CROSSING = "volga_crossing"
    RIVER_FLOTILLA = "river_flotilla"
    RIVER_FLOTILLA_FIRE = "river_flotilla_fire"
    MINE_DOG = "mine_dog"
    TRANSPORT = "transport"
    INFILTRATION = "infiltration"
    ARMORED_TRAIN_MOVE = "armored_train_move"
    TANK_REPAIR = "tank_repair"
    LEADER_OR_OP_MOVE = "leader_or_op_move", "Leader or observer moves"
    REINFORCEMENTS = "reinforcements"


class PhaseOutcome(Outcome):
    """A phase is shown, or an action in it allowed or refused."""

    SHOWN = "shown"
    ALLOWED = "allowed"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class PhaseFacts:
    """A phase of 4.3. ``side``: whose it is, or both."""

    number: int
    name: str
    side: str
    kind: PhaseKind
    first_placer: str | None
    removed_at_start: tuple[str, ...]
    removed_at_end: tuple[str, ...]
    turns_at_end: tuple[tuple[str, str], ...]
    off_map_at_end: tuple[str, ...]


@cache
def list_phases() -> tuple[PhaseFacts, ...]:
    """All fifteen, in their order (4.3)."""
    read = read_lists("phases")
    return tuple(_read_phase(number, row, read["ends"]) for number, row in enumerate(read["phase"], 1))


def _read_phase(number: int, read: Values, ends: Values) -> PhaseFacts:
    at_end = ends.get(read["kind"], {})
    return PhaseFacts(
        number,
        read["name"],
        read["side"],
        PhaseKind(read["kind"]),
        read.get("first_placer"),
        tuple(read.get("removed_at_start", ())),
        tuple(at_end.get("removed", ())),
        tuple(at_end.get("turns", {}).items()),
        tuple(at_end.get("off_map", ())),
    )


def find_phase(number: int) -> PhaseFacts:
    """A phase by its number, 1 to 15."""
    return list_phases()[number - 1]


def list_movement_phases(side: Side) -> tuple[int, ...]:
    """The numbers of a side's three movement phases: 3, 7, 11 or 4, 10, 14."""
    return tuple(phase.number for phase in list_phases() if phase.kind.moves and phase.side == side.value)


def phases_of(action: Action, side: Side) -> tuple[int, ...]:
    """The phases in which a side may do that."""
    return tuple(read_lists("phases")["action"][action.value][side.value])


def may_in(action: Action, side: Side, number: int) -> bool:
    """Whether a side may do that in a phase."""
    return number in phases_of(action, side)


def phase(*, charts: Book, phase: int, side: Side, action: Action = Action.NONE) -> Result:
    """A phase, and whether a side may do something in it (4.3, 14.48; A15, A34)."""
    facts = find_phase(phase)
    details = {
        "name": facts.name,
        "side": facts.side,
        "kind": facts.kind.value,
        "removed_at_start": list(facts.removed_at_start),
        "removed_at_end": list(facts.removed_at_end),
        "first_placer": facts.first_placer,
        "allowed": None,
        "turns_at_end": dict(facts.turns_at_end),
        "off_map_at_end": list(facts.off_map_at_end),
    }
    if action is Action.NONE:
        return Result(
            f"Phase {phase}: {facts.name}.",
            PhaseOutcome(IsShown.SHOWN.value),
            details=details,
            effects=tuple(tell_markers(facts)),
            rules=("4.3", "9.114", "9.115", "10.9", "14.03", "14.48"),
            provenance=from_text("phases"),
        )
    row = read_lists("phases")["action"][action.value]
    allowed = may_in(action, side, phase)
    outcome = PhaseOutcome((Allowed.ALLOWED if allowed else Allowed.REFUSED).value)
    return Result(
        f"{action.word} in phase {phase}, {side.word}: {outcome.word.lower()}.",
        outcome,
        details={**details, "allowed": allowed},
        effects=tuple(_tell_action(row, side, phase, allowed)),
        rules=("4.3", *(rule.strip() for rule in row["rule"].split(","))),
        provenance=from_text("phases"),
    )


def _tell_action(row: Values, side: Side, number: int, allowed: bool) -> list[str]:
    """The condition under which it is allowed, or when it is allowed instead."""
    if allowed:
        condition = row.get("only_if", {}).get(side.value, {}).get(str(number))
        return [f"{row['rule']}: only {condition}."] if condition else []
    phases = row[side.value]
    when = f"in phase{'s' if len(phases) > 1 else ''} {join_numbers(phases)}" if phases else "never by this side"
    return [f"{row['rule']}: {when}."]


def tell_markers(facts: PhaseFacts) -> list[str]:
    """Which markers go in a phase, and who places first (9.114, 9.115, 10.9, 14.03, 14.48, 14.84)."""
    sentences = []
    if facts.removed_at_start:
        sentences.append("At its start pinned markers go, but not those under an attack marker (9.114).")
    if facts.first_placer:
        sentences.append(f"The {Side(facts.first_placer).word} side places first (14.48).")
    if facts.removed_at_end:
        sentences.append(f"At its end all {join_words(facts.removed_at_end)} markers of both sides go (9.115; S54).")
    if facts.turns_at_end:
        sentences.append("At its end breakthru markers become spent markers (10.9).")
    if "interdiction" in facts.off_map_at_end:
        sentences.append("At its end explosion markers go, those that interdict too (14.03, 14.84).")
    elif facts.off_map_at_end:
        sentences.append("At its end explosion markers go, but not those that interdict (14.03).")
    return sentences
