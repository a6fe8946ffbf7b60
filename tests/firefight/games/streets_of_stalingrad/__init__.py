"""Streets of Stalingrad, asked as JSON asks it."""

from firefight.engine.rolls.dice import read_throw
from firefight.games import chartbooks, registry

SLUG = "streets-of-stalingrad"
BOOK = chartbooks.shipped(SLUG)


def find_helper(slug):
    """A helper."""
    return registry.helpers(SLUG)[slug]


def inputs(slug, **fields):
    """The cleaned inputs of a form; ``fields`` as a query string gives them."""
    form = find_helper(slug).form.from_plain(fields, book=BOOK)
    assert form.is_valid(), form.errors
    return form.inputs()


def problems(slug, **fields):
    """What a form finds wrong, by field."""
    return dict(find_helper(slug).form.from_plain(fields, book=BOOK).errors)


def ask(slug, book=BOOK, **fields):
    """The result of a helper; dice stand among the inputs, by their names."""
    helper = find_helper(slug)
    cleaned = inputs(slug, **{name: value for name, value in fields.items() if name in helper.form.base_fields})
    specs = {spec.name: spec for spec in helper.specs(cleaned)}
    unknown = set(fields) - set(helper.form.base_fields) - set(specs)
    assert not unknown, unknown
    faces = {name: read_throw(str(fields[name]), specs[name]) for name in specs if name in fields}
    return helper.resolve(book, cleaned, faces)


def faces(slug, **fields):
    """The outcome of each face of a d10, 1 to 10; the same ten times where none is asked for."""
    asks = any(spec.name == "die" for spec in find_helper(slug).specs(inputs(slug, **fields)))
    return [ask(slug, **fields, **({"die": face} if asks else {})).outcome.value for face in range(1, 11)]
