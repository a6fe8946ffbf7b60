"""The record of a match: every value with its bounds, and a form to set each by hand; the same as JSON."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from firefight.assistant.fields import read_json
from firefight.engine.record import KeptChoice, KeptField, KeptFlag, KeptParts, KeptRows, KeptText
from firefight.table import acts
from firefight.table import record as kept
from firefight.table.acts import BadField, Refused
from firefight.table.seats import Table
from firefight.web.requests import number_in

from .page import seated, show_refusal

LONGEST = 20_000  # characters of a value


@dataclass(frozen=True, slots=True)
class Row:
    """A value as the page shows it: its path, what it is called and how it stands.

    ``known_to``: the side that alone sees it. ``choices``: where one of these is to be chosen; else ``typed`` is what a
    player would type for it as it stands. ``is_set``: whether this browser may set it.
    """

    path: str
    title: str
    rule: str
    words: str
    known_to: str
    is_set: bool
    typed: str
    choices: Mapping[str, str]


@require_http_methods(["GET", "POST"])
@seated
def page(request: HttpRequest, table: Table) -> HttpResponse:
    """Every value that this browser may know; posted, one value is set by hand."""
    if request.method == "GET":
        return draw(request, table)
    act, version = request.POST.get("act", ""), number_in(request, "version") or 0
    path = request.POST.get("field", "")[:200]
    try:
        acts.set_value(table, act, version, path, read_value(request.POST.get("value", "")))
    except Refused as error:
        return show_refusal(request, table, error)
    return redirect(reverse("firefight:record", args=[table.match.pk]) + f"#{path}")


def read_value(text: str) -> Any:
    """What was sent for a value: JSON for lists and tables, or words and numbers as they are typed."""
    if len(text) > LONGEST:
        raise BadField(f"A value has at most {LONGEST:,} characters.")
    if not text.startswith(("[", "{")):
        return text
    try:
        return read_json(text, whole=True)
    except ValueError:
        raise BadField("That is no list or table as JSON has it.") from None


def draw(request: HttpRequest, table: Table) -> HttpResponse:
    """The page."""
    match, declared = table.match, kept.declare_all(table.match)
    values = declared.hide(kept.values_of(match), table.sees)
    place = kept.known_place(match)
    ctx: dict[str, Any] = {"table": table, "match": match, "game": table.game, "version": match.version}
    ctx |= {"last_number": match.last_number, "place": [], "rows": []}
    for field in declared.fields:
        rows = list_rows(table, field, field.name, values[field.name])
        ctx["place" if field.name in place else "rows"] += rows
    return render(request, "firefight/record.html", ctx)


def list_rows(table: Table, field: KeptField, path: str, value: Any, head: str = "", owner: str = "") -> list[Row]:
    """A field as rows: one, or of a table one for each of its parts."""
    title, owner = f"{head}{field.title}", owner or field.known_to
    if isinstance(field, KeptParts) and value is not None:
        rows = []
        for part in field.fields:
            rows += list_rows(table, part, f"{path}.{part.name}", value[part.name], f"{title}, ", owner)
        return rows
    if isinstance(field, KeptRows) and value:
        return [row for id in value for row in list_rows(table, *_row_of(field, path, id, value[id]))]
    is_known = not owner or owner in table.sees
    may_set = is_known and field.by_hand and table.plays and not table.match.ended and not table.match.state.ledger
    words = field.describe_or_blank(value) if is_known else "hidden" if value is None else f"hidden: {value}"
    return [Row(path, title, field.rule, words, owner, may_set, typed_as(field, value), choices_of(field))]


def _row_of(field: KeptRows, path: str, id: str, row: Mapping[str, Any]) -> tuple[KeptField, str, Any, str, str]:
    """One of its rows as ``list_rows`` takes it: field, path, value, the head of its title, who alone sees it."""
    as_text = KeptText(title=field.call(id, row), rule=field.rule, by_hand=False)
    return as_text, f"{path}.{id}", field.row.describe(row), f"{field.title}: ", field.owner_of(row)


def choices_of(field: KeptField) -> Mapping[str, str]:
    """The values that one may choose from, with their words; none where a value is typed."""
    if isinstance(field, KeptFlag):
        return {"no": "no", "yes": "yes"}
    return field.choices if isinstance(field, KeptChoice) else {}


def is_plain(word: str) -> bool:
    """Whether a word may stand in a list that is typed with commas."""
    return bool(word) and "," not in word and word == word.strip() and word[0] not in "[{"


def typed_as(field: KeptField, value: Any) -> str:
    """What a player would type for a value."""
    if isinstance(field, KeptFlag):
        return field.describe(value)
    if isinstance(value, list) and all(type(each) is str and is_plain(each) for each in value):
        return ", ".join(value)
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False)
    return "" if value is None else str(value)


@require_GET
@seated
def as_json(request: HttpRequest, table: Table) -> JsonResponse:
    """Place and record as this browser may know them."""
    return JsonResponse({"place": kept.known_place(table.match), "record": kept.known_record(table)})
