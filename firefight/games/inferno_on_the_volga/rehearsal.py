"""How Inferno on the Volga is played without a table: by which policies, and what must hold after every step."""

from firefight.engine.course.conducting import Standing
from firefight.engine.course.keeping import TableState
from firefight.kit import ConductedRehearsal, Policy, PolicyAsk, choose_any

from .game import HOUSE
from .solo.play import Play
from .solo.policies import POLICIES, Decider
from .solo.soundness import list_breaches


def _open(standing: Standing) -> Play:
    """The game in this state, for reading only."""
    return Play({**standing}, HOUSE)


def _as_policy(decide: Decider) -> Policy:
    def choose(question: PolicyAsk) -> str:
        return decide(question.ask, _open(question.standing))

    return choose


def find_winner(standing: Standing | None, situation: TableState) -> str:
    """Who has won; "" while nobody has."""
    return str(standing["over"]) if standing else ""


def find_breach(standing: Standing | None, situation: TableState) -> str:
    """What is wrong with the state; "" for nothing."""
    return " ".join(list_breaches({**standing}, HOUSE)) if standing else ""


def _count_held_spawns(standing: Standing | None, situation: TableState) -> int:
    return _open(standing).find_standings().soviet_spawn_german if standing else 0


REHEARSAL = ConductedRehearsal(
    policies={name: _as_policy(decide) for name, decide in POLICIES.items()} | {"any": choose_any},
    find_outcome=find_winner,
    agreed={"mode": "solo", "board": "app"},
    invariants={"sound": find_breach},
    measures={
        "turns": lambda standing, situation: int(standing["turn"]) if standing else 0,
        "Spawn Hexes held": _count_held_spawns,
    },
)
