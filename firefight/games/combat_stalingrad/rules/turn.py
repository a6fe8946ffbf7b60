"""The course of a turn: its phases in order (NM-04) and whose impulse it is."""

from firefight.engine.course import phases
from firefight.engine.labels import Labelled

from .sides import Side

SIDES = {side.value: side.word for side in Side}


class TurnPhase(Labelled):
    """Phases of a turn, in order."""

    COMMAND = "command", "Command Phase"
    FIRE_AND_MOVEMENT = "fire_and_movement", "Fire and Movement Phase"
    MELEE = "melee", "Melee Phase"
    CONCLUSION = "conclusion", "Conclusion of Turn Phase"


LAST_TURN = 7
COURSE = phases.Phases(
    sides=SIDES,
    phases=tuple(
        phases.Phase(phase.value, phase.word, has_impulses=phase is TurnPhase.FIRE_AND_MOVEMENT) for phase in TurnPhase
    ),
    last_turn=LAST_TURN,
)
