"""Lists that were used before in a match, so that nobody types the same units twice.

A form with a list of rows offers the lists that rolls of this match were made with: of the same helper, and of others
whose list has the same name and the same kind of rows. Only what this browser may read is offered.
"""

import json
from collections.abc import Iterable
from functools import cache
from textwrap import shorten

from firefight.engine.values import Values
from firefight.games import registry
from firefight.kit.fields.counters import RollField
from firefight.kit.fields.forms import HelperForm
from firefight.kit.fields.rows import RowsField
from firefight.kit.helper import Helper
from firefight.models import LogEntry
from firefight.table.act.lines import LogLine
from firefight.table.act.table import Table
from firefight.table.log import descent, reading

MOST = 4  # lists offered for a field
LOOKED_AT = 40  # rolls searched, the newest first
LONGEST = 70  # characters of an offered roll


@cache
def find_sources(game: str, slug: str) -> dict[str, tuple[str, ...]]:
    """Each list of a helper's form, with the helpers that have the same one."""
    helpers = registry.helpers(game)
    lists = {name: field for name, field in helpers[slug].form.base_fields.items() if isinstance(field, RowsField)}

    def has(form: type[HelperForm], name: str) -> bool:
        same_name = form.base_fields.get(name)
        return isinstance(same_name, RowsField) and same_name.row_form is lists[name].row_form

    return {
        name: tuple(other_helper.slug for other_helper in helpers.values() if has(other_helper.form, name))
        for name in lists
    }


def _read_last(table: Table, slugs: Iterable[str], most: int = LOOKED_AT, side: str = "") -> list[LogLine]:
    """The last rolls of these helpers that stand, the newest first, as far as this browser may read them; of any side,
    or of one."""
    rolls = table.match.log.filter(kind=LogEntry.Kind.ROLL, voided_by=None, helper__in=slugs)
    rolls = rolls.filter(side=side) if side else rolls
    return reading.visible(rolls.order_by("-number").defer("result")[:most], table.sees)


def list_recent_rows(table: Table, helper: Helper, form: HelperForm) -> dict[str, list[tuple[int, str]]]:
    """For each list of a form, the newest distinct ones of this match: the number of a line, and the list in words."""
    sources = find_sources(table.match.game, helper.slug)
    if not sources:
        return {}
    slugs = {slug for helper_slugs in sources.values() for slug in helper_slugs}
    lines = _read_last(table, slugs)
    offered: dict[str, list[tuple[int, str]]] = {}
    for name, helpers in sources.items():
        field = form.fields[name]
        assert isinstance(field, RowsField)
        newest_by_words: dict[str, int] = {}
        for line in lines:
            rows = line.inputs.get(name) if line.helper in helpers else None
            words = " · ".join(field.present(rows)[0]) if isinstance(rows, list) and len(newest_by_words) < MOST else ""
            if words:
                newest_by_words.setdefault(words, line.number)
        offered[name] = [(number, words) for words, number in newest_by_words.items()]
    return offered


def remember_last(table: Table, helper: Helper, known: Values) -> dict[str, object]:
    """What the form takes over from the last such roll of this side: what another's guns saw is no help to its own.

    ``known``: what it is filled with besides. What depends on its hinge, such as the terrain of its hex, is taken over
    only where neither the form nor that roll names one. One query; few helpers need it.
    """
    names = helper.form.remembered
    lines = _read_last(table, [helper.slug], most=1, side=table.side) if names else []
    hinge, hanging = table.game.keeping.hinges.get(helper.slug, ("", ()))
    if any(inputs.get(hinge) for inputs in (known, *(line.inputs for line in lines))):
        names = tuple(name for name in names if name not in hanging)
    return {name: line.inputs[name] for line in lines for name in names if name in line.inputs}


def list_recent_choices(table: Table, form: HelperForm) -> dict[str, list[str]]:
    """The recent choices for each field of a form whose choices are buttons, the newest first, by any roll of this
    match that asks for the same. One query; few helpers need it."""
    if not form.buttons:
        return {}
    helpers = registry.helpers(table.match.game).values()
    slugs = {helper.slug for helper in helpers if {*helper.form.buttons} & {*form.buttons}}
    lines = _read_last(table, slugs)
    return {
        name: list(dict.fromkeys(str(line.inputs[name]) for line in lines if line.inputs.get(name)))
        for name in form.buttons
    }


def offer_rolls(table: Table, form: HelperForm) -> list[tuple[str, str]]:
    """The last rolls that a form may refer to, as it names them and in words; none for most forms."""
    if not any(isinstance(field, RollField) for field in form.fields.values()):
        return []
    recent = descent.list_repeatable(table.match)
    return [
        (f"{entry.number}-{entry.helper}", f"№ {entry.number} {shorten(entry.sentence, LONGEST)}") for entry in recent
    ]


def find_recalled(table: Table, helper: Helper, pressed: str) -> dict[str, str]:
    """The list that a press recalls ("attackers-recall-12"), as JSON by its field; nothing for any other press."""
    name, recalls, number = pressed.partition("-recall-")
    sources = find_sources(table.match.game, helper.slug).get(name, ()) if recalls else ()
    if not sources or not (number.isascii() and number.isdigit() and len(number) < 9):
        return {}
    line = reading.read_line(table.match, table.sees, int(number), helper__in=sources)
    rows = line.inputs.get(name) if line else None
    return {name: json.dumps(rows)} if isinstance(rows, list) else {}
