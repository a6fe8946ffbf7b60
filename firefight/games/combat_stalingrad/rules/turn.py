"""The course of a turn: its phases in order (NM-04) and whose impulse it is."""

from enum import StrEnum

from firefight.engine.course import phases

from .sides import Side

SIDES = {side.value: side.label for side in Side}


class TurnPhase(StrEnum):
    """Phases of a turn, in order."""

    COMMAND = "command"
    FIRE_AND_MOVEMENT = "fire_and_movement"
    MELEE = "melee"
    CONCLUSION = "conclusion"


PHASES = {
    TurnPhase.COMMAND: "Command Phase",
    TurnPhase.FIRE_AND_MOVEMENT: "Fire and Movement Phase",
    TurnPhase.MELEE: "Melee Phase",
    TurnPhase.CONCLUSION: "Conclusion of Turn Phase",
}
LAST_TURN = 7
COURSE = phases.Phases(
    sides=SIDES,
    phases=tuple(
        phases.Phase(phase.value, title, has_impulses=phase is TurnPhase.FIRE_AND_MOVEMENT)
        for phase, title in PHASES.items()
    ),
    last_turn=LAST_TURN,
)
