"""What the assistant offers for Turning Point: Stalingrad: one module for each group of helpers."""

from . import dawn, track, volga

HELPERS = (*track.HELPERS, *volga.HELPERS, *dawn.HELPERS)
