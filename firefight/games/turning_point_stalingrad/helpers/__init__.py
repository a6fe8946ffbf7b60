"""What the assistant offers for Turning Point: Stalingrad: one module for each group of helpers."""

from . import track

HELPERS = (*track.HELPERS,)
