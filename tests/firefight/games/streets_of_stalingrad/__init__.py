"""Streets of Stalingrad, asked as JSON asks it."""

from firefight.engine.rolls.dice import read_throw
from firefight.games import chartbooks, registry

SLUG = "streets-of-stalingrad"
BOOK = chartbooks.shipped(SLUG)


def find_helper(slug):
    """A helper."""
    return registry.helpers(SLUG)[slug]


def inputs(slug, **given):
    """The cleaned inputs of a form; ``given`` as a query string gives them."""
    form = find_helper(slug).form.from_plain(given, book=BOOK)
    assert form.is_valid(), form.errors
    return form.inputs()


def problems(slug, **given):
    """What a form finds wrong, by field."""
    return dict(find_helper(slug).form.from_plain(given, book=BOOK).errors)


def ask(slug, book=BOOK, **given):
    """The result of a helper; dice stand among the inputs, by their names."""
    helper = find_helper(slug)
    cleaned = inputs(slug, **{name: value for name, value in given.items() if name in helper.form.base_fields})
    specs = {spec.name: spec for spec in helper.specs(cleaned)}
    unknown = set(given) - set(helper.form.base_fields) - set(specs)
    assert not unknown, unknown
    faces = {name: read_throw(str(given[name]), specs[name]) for name in specs if name in given}
    return helper.resolve(book, cleaned, faces)


def faces(slug, **given):
    """The outcome of each face of a d10, 1 to 10; the same ten times where none is asked for."""
    asks = any(spec.name == "die" for spec in find_helper(slug).specs(inputs(slug, **given)))
    return [ask(slug, **given, **({"die": face} if asks else {})).outcome.value for face in range(1, 11)]
