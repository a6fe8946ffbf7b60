"""The dice of a campaign's act: the app's, or those of the table as they were typed."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from firefight.assistant.throwing import Thrower
from firefight.columns import Rolled
from firefight.engine.rolls.dice import DieSpec, check_face, read_face


@dataclass(frozen=True, slots=True)
class Dice:
    """Where the dice of an act come from: "app", or "table" with the faces by name, as numbers or as typed."""

    source: str = "table"
    faces: Mapping[str, int | str] = field(default_factory=dict)

    def without(self, used: Collection[str]) -> "Dice":
        """The same without dice that were used already."""
        return Dice(self.source, {name: face for name, face in self.faces.items() if name not in used})


def throw_typed(faces: Mapping[str, int | str]) -> Thrower:
    """Dice from the table, each used once. Throwing raises BadDie for a face that the die does not have."""
    unused = dict(faces)

    def throw(spec: DieSpec) -> tuple[Rolled, ...] | None:
        face = unused.pop(spec.name, None)
        if face is None:
            return None
        if isinstance(face, str):
            face = read_face(face, spec.sides, spec.name)
        return (Rolled.from_spec(spec, check_face(face, spec.sides, spec.name), "table"),)

    return throw
