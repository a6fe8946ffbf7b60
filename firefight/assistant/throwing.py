"""Dice from the players' own table, as they are typed."""

from collections.abc import Callable, Mapping

from firefight.columns import Rolled
from firefight.engine.rolls.dice import DieSpec, Face

# All dice of a throw, in their order; None where there are none to give.
Thrower = Callable[[DieSpec], tuple[Rolled, ...] | None]


def from_table(faces: Mapping[str, Face]) -> Thrower:
    """Throws that were made on the table; each is used once."""
    unused = dict(faces)

    def throw(spec: DieSpec) -> tuple[Rolled, ...] | None:
        face = unused.pop(spec.name, () if spec.is_pool and not spec.number and not spec.is_optional else None)
        if isinstance(face, tuple):
            return tuple(Rolled.from_spec(spec, number, "table") for number in face)
        return None if face is None else (Rolled.from_spec(spec, face, "table", dice=spec.number),)

    return throw
