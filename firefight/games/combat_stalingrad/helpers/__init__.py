"""What the assistant offers for Combat! Stalingrad: one module for each chapter of its rules."""

from . import air, artillery, close_combat, fire, free, observers

HELPERS = (*artillery.HELPERS, *fire.HELPERS, *close_combat.HELPERS, *air.HELPERS, *observers.HELPERS, *free.HELPERS)
