"""What the assistant offers for Turning Point: Stalingrad: one module for each group of helpers."""

from . import attacks, guns, moves, track

HELPERS = (*track.HELPERS, *attacks.HELPERS, *guns.HELPERS, *moves.HELPERS)
