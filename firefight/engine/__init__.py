"""The kit that every game's rules are built from: pure Python, no Django, no clock, no chance of its own.

Dice arrive as arguments, charts arrive as data, and a frozen ``Result`` leaves.
"""
