"""Dice and what is read from them: throws, odds, modifiers, results."""
