"""Battle for Stalingrad, asked as pages and programs ask it: plain inputs through a helper's form to its rule."""

from firefight.games import chartbooks, registry

GAME = "battle-for-stalingrad"


def helper_of(slug):
    return registry.helpers(GAME)[slug]


def read(slug, fields, book=None):
    """The cleaned inputs of a helper."""
    book = book or chartbooks.shipped(GAME)
    form = helper_of(slug).form.from_plain(fields, book=book)
    assert form.is_valid(), form.errors
    return book, form.inputs()


def ask(slug, book=None, dice=None, **fields):
    """A helper's result."""
    book, inputs = read(slug, fields, book)
    return helper_of(slug).resolve(book, inputs, dice or {})


def details(slug, **fields):
    """A helper's details."""
    return ask(slug, **fields).details
