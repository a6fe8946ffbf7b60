"""Battle for Stalingrad, asked as pages and programs ask it: plain inputs through a helper's form to its rule."""

from firefight.games import chartbooks, registry

GAME = "battle-for-stalingrad"


def helper_of(slug):
    return registry.helpers(GAME)[slug]


def read(slug, given, book=None):
    """The cleaned inputs of a helper."""
    book = book or chartbooks.shipped(GAME)
    form = helper_of(slug).form.from_plain(given, book=book)
    assert form.is_valid(), form.errors
    return book, form.inputs()


def ask(slug, book=None, dice=None, **given):
    """A helper's result."""
    found, inputs = read(slug, given, book)
    return helper_of(slug).resolve(found, inputs, dice or {})


def details(slug, **given):
    """A helper's details."""
    return ask(slug, **given).details
