"""The rows of a match's record, added and set by hand, and given as JSON."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET, require_POST

from firefight.engine.errors import RuleError
from firefight.engine.plain_json import read_json
from firefight.engine.record import KeptParts, KeptRows
from firefight.engine.text import capitalize
from firefight.engine.values import Values
from firefight.table.act.refusals import BadField
from firefight.table.act.table import Table
from firefight.table.board import record
from firefight.table.board.record_rules import situation_of
from firefight.table.forms import read_head
from firefight.table.presenters import describe_table
from firefight.table.rolling import advancing

from .page import show_after_act
from .record_page import LONGEST, PART, list_rows, offer_choices, read_chosen
from .seated import seated


@require_POST
@seated
def change(request: HttpRequest, table: Table) -> HttpResponse:
    """Add a row from a form, or change rows as a card or a program asks."""
    path, typed = read_addition(request, table) if "field" in request.POST else read_change(request, table)
    return show_after_act(request, table, advancing.set_value(table, *read_head(request.POST), path, typed))


def read_addition(request: HttpRequest, table: Table) -> tuple[str, Any]:
    """A new row with the parts that were filled in; the game gives it its id. Raises BadField."""
    name = request.POST.get("field", "")
    field = find_rows(table, name)
    sent_parts = {part.name: read_chosen(request.POST, PART + part.name).strip()[:LONGEST] for part in field.parts}
    parts = {part: value for part, value in sent_parts.items() if value}
    if parts.get("known_to"):
        parts["known_to"] = table.side
    known_rows = record.known_record(table)[name]
    try:
        row = {part: value for part, value in field.row.read(parts).items() if part in parts}
        id, new_row = table.game.keeping.make_row(name, table.side, row, list(known_rows))
    except RuleError as error:
        raise BadField(str(error)) from None
    return name, {"change" if id in known_rows else "add": {id: new_row}}


def read_change(request: HttpRequest, table: Table) -> tuple[str, object]:
    """A change of one field's rows: {"missions": {"change": {"red-1": {"hex": "K7"}}}}. Raises BadField."""
    text = request.POST.get("change", "")
    try:
        change = read_json(text, whole=True) if len(text) <= LONGEST else None
    except ValueError:
        change = None
    if not isinstance(change, dict) or len(change) != 1:
        raise BadField("That is not a change of one field of the record.")
    ((name, typed),) = change.items()
    find_rows(table, name)
    return name, typed


def find_rows(table: Table, name: str) -> KeptRows:
    """A field of rows by its name. Raises BadField."""
    field = table.game.record.find(name)
    if not isinstance(field, KeptRows):
        raise BadField("This game keeps no such thing.")
    return field


@require_GET
@seated
def row_page(request: HttpRequest, table: Table, field: str, row: str) -> HttpResponse:
    """A row with all its parts, each to be set by hand."""
    match, kept_rows = table.match, table.game.record.find(field)
    rows: Values = record.known_record(table)[field] if isinstance(kept_rows, KeptRows) else {}
    if not isinstance(kept_rows, KeptRows) or row not in rows:
        raise Http404("There is no such row.")
    row_parts = KeptParts(
        title=kept_rows.call(row, rows[row]), fields=tuple(part for part in kept_rows.parts if part.by_hand)
    )
    may_strike = table.plays and not match.ended
    parts, head = kept_rows.complete(rows[row]), f"{row_parts.title}, "
    values = list_rows(table, row_parts, f"{field}.{row}", parts, owner=kept_rows.owner_of(rows[row]))
    offers = offer_parts(table, field, parts.get("side", ""))
    values = [offer_choices(value, offers.get(value.path.rpartition(".")[2], {}), "value") for value in values]
    ctx = {
        **describe_table(table),
        "title": row_parts.title,
        "rows": [replace(value, title=capitalize(value.title.removeprefix(head))) for value in values],
        "may_strike": may_strike,
        "strike": {field: {"strike": [row]}},
    }
    return render(request, "firefight/record_row.html", ctx)


def offer_parts(table: Table, field: str, side: str) -> Mapping[str, Mapping[str, str]]:
    """What may be chosen for parts of a side's row, as far as this browser may know it."""
    return table.game.keeping.offer_parts(field, side, situation_of(table.match, table.sees, with_kinds=True))


@require_GET
@seated
def rows_json(request: HttpRequest, table: Table, field: str) -> JsonResponse:
    """The rows of a field, as far as this browser may know them, each with all its parts (docs/json.md)."""
    kept_rows = table.game.record.find(field)
    if not isinstance(kept_rows, KeptRows):
        raise Http404("This game keeps no such thing.")
    rows: Values = record.known_record(table)[field]
    return JsonResponse([{"id": id, **kept_rows.complete(row)} for id, row in rows.items()], safe=False)


@require_GET
@seated
def add_page(request: HttpRequest, table: Table, field: str) -> HttpResponse:
    """The form for a new row of a field: the parts that players know from the start."""
    match, rules = table.match, table.game.keeping
    if field not in rules.additions:
        raise Http404("Nothing is added to that here.")
    (title, names), preset = rules.additions[field], rules.preset_row(field, table.side)
    parts = {part.name: part for part in find_rows(table, field).parts}
    offers = offer_parts(table, field, table.side)
    ctx = {
        **describe_table(table),
        "title": title,
        "field": field,
        "ready": rules.list_ready_rows(field, table.side) if table.plays and not match.ended else (),
        "parts": [
            offer_choices(replace(row, typed=preset.get(name, row.typed)), offers.get(name, {}), PART + name)
            for name in names
            for row in list_rows(table, parts[name], name, parts[name].default)
        ],
    }
    return render(request, "firefight/add_row.html", ctx)
