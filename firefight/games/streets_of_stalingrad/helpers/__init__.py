"""What the assistant offers for Streets of Stalingrad: one module for each group of helpers."""

from . import days, ground, losses, moving, works

HELPERS = (
    *losses.HELPERS,
    *ground.HELPERS,
    *moving.HELPERS,
    *days.HELPERS,
    *works.HELPERS,
)
