"""Inputs that make a roll, by helper, where those that a form begins with do not: a module for each game."""

import importlib.util


def of_game(slug):
    """The samples of a game; none where its forms begin with good inputs."""
    return _read(slug, "SAMPLES")


def places_of_game(slug):
    """By helper the place in which a match has to be for such a roll, field by field; none where any will do."""
    return _read(slug, "PLACES")


def _read(slug, what):
    name = f"{__name__}.{slug.replace('-', '_')}"
    return getattr(importlib.import_module(name), what, {}) if importlib.util.find_spec(name) else {}
