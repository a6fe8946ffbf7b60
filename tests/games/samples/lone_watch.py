"""Lone Watch."""

SAMPLES = {"night": {"left": "owl,wolf"}}
