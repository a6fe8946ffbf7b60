"""Throws as players type them."""

from firefight.engine.rolls.dice import face_text


def throw_text(face, spec):
    """A throw as players type it: the reverse of ``read_throw``."""
    if isinstance(face, tuple):
        return " ".join(face_text(die_face, spec.sides) for die_face in face)
    return spec.names[face - 1] if spec.names else face_text(face, spec.sides)
