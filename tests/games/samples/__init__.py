"""Inputs that make a roll, by helper, where those that a form begins with do not: a module for each game."""

import importlib.util


def of_game(slug):
    """The samples of a game; none where its forms begin with good inputs."""
    name = f"{__name__}.{slug.replace('-', '_')}"
    return importlib.import_module(name).SAMPLES if importlib.util.find_spec(name) else {}
