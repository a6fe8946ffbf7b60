"""Rolls, from the order to the line, and their corrections."""
