"""What the assistant offers for Streets of Stalingrad: one module for each group of helpers."""

from . import battle, combat, days, ground, guns, losses, moving, special, works

HELPERS = (
    *battle.HELPERS,
    *combat.HELPERS,
    *losses.HELPERS,
    *guns.HELPERS,
    *special.HELPERS,
    *ground.HELPERS,
    *moving.HELPERS,
    *days.HELPERS,
    *works.HELPERS,
)
