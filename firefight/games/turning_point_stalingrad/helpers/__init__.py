"""What the assistant offers for Turning Point: Stalingrad: one module for each group of helpers."""

from . import attacks, dawn, guns, moves, track, volga

HELPERS = (
    *track.HELPERS,
    *attacks.HELPERS,
    *guns.HELPERS,
    *moves.HELPERS,
    *volga.HELPERS,
    *dawn.HELPERS,
)
