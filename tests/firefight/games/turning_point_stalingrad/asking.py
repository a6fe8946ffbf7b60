"""Asks helpers of Turning Point: Stalingrad as JSON does, without an address: inputs by name, dice by name."""

from firefight.engine.rolls.dice import read_throw
from firefight.games import chartbooks, registry

SLUG = "turning-point-stalingrad"
BOOK = chartbooks.shipped(SLUG)


def helper(slug):
    """A helper."""
    return registry.helpers(SLUG)[slug]


def inputs(slug, **fields):
    """The cleaned inputs of a form; ``fields`` as a query string gives them."""
    form = helper(slug).form.from_plain(fields, book=BOOK)
    assert form.is_valid(), form.errors
    return form.inputs()


def problems(slug, **fields):
    """What a form finds wrong, by field."""
    return dict(helper(slug).form.from_plain(fields, book=BOOK).errors)


def ask(slug, dice=None, **fields):
    """The result of a helper."""
    cleaned = inputs(slug, **fields)
    specs = {spec.name: spec for spec in helper(slug).specs(cleaned)}
    faces = {name: read_throw(str(face), specs[name]) for name, face in (dice or {}).items()}
    return helper(slug).resolve(BOOK, cleaned, faces)


def facts(result, *names):
    """The outcome, and some details."""
    return (result.outcome.value, *(result.details[name] for name in names))
