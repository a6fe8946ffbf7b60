"""The two sides of a campaign are those of the game."""

from firefight.games.combat_stalingrad.rules.sides import Side

__all__ = ["Side"]
