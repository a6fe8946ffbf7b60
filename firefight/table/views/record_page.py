"""The record of a match: every value with its bounds and a form to set it by hand; the same as JSON."""

import dataclasses
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.http import require_GET, require_http_methods

from firefight.engine.plain_json import read_json
from firefight.engine.record import (
    KeptChoice,
    KeptField,
    KeptFlag,
    KeptList,
    KeptNumber,
    KeptParts,
    KeptPlace,
    KeptRows,
    KeptText,
)
from firefight.engine.values import Values
from firefight.table.act.ports import ledger_of
from firefight.table.act.refusals import BadField
from firefight.table.act.table import Table
from firefight.table.board import record
from firefight.table.forms import read_head
from firefight.table.presenters import describe_table
from firefight.table.rolling import advancing
from firefight.web.addresses import address_of
from firefight.web.requests import wants_json

from . import programs
from .seated import seated

LONGEST = 20_000  # characters of a value
PART = "part-"  # before the name of a part in a form
OTHER = "-other"  # after the name of a box beside a choice, for what is not among it
NEW = "new"  # instead of an item's number in its list: it goes to the end


@dataclass(frozen=True, slots=True)
class ShownValue:
    """A value as the page shows it: its path, its title and its present state in words.

    ``known_to``: the side that alone sees it. ``choices``: those that it can be set to; without any, ``typed`` is what
    a player would type for its present state, in a box of ``size`` characters. ``is_set``: whether this browser may set
    it. ``begins_step``: it says where the match stands, so the rules may have something to do when it is set.
    ``list_items``: of a list whose items have parts, each item by its number there, with a form of its own;
    the last one is new. ``form_name``: what the form of such an item calls a part of it. ``url``: the page on which its
    parts are set. ``other``: what the box beside the choices is called, where something else may be typed.
    """

    path: str
    title: str
    rule: str
    words: str
    known_to: str
    is_set: bool
    typed: str
    choices: Mapping[str, str]
    size: int = 20
    is_number: bool = False
    list_items: Mapping[str, Sequence["ShownValue"]] = dataclasses.field(default_factory=dict)
    form_name: str = ""
    url: str = ""
    begins_step: bool = False
    other: str = ""


@require_http_methods(["GET", "POST"])
@seated
def page(request: HttpRequest, table: Table) -> HttpResponse:
    """Every value that this browser may know; posted, one value is set by hand."""
    if request.method == "GET":
        return draw(request, table)
    path = request.POST.get("field", "")[:200]
    typed, keeps_house = read_typed(request, table, path), "house" in request.POST
    done = advancing.set_value(table, *read_head(request.POST), path, typed, keeps_house, "leaves" in request.POST)
    if wants_json(request):
        return programs.tell_done(table, done)
    return redirect(f"{_find_page_of(table, path)}#{path}")


def _find_page_of(table: Table, path: str) -> str:
    """The page on which a value was set: that of its row, or the whole record."""
    field, _, of_row = path.partition(".")
    row = of_row.rpartition(".")[0]
    if row and isinstance(record.declare_all(table.match).find(field), KeptRows):
        return address_of("firefight:record-row", table.match.pk, field, row)
    return address_of("firefight:record", table.match.pk)


def read_typed(request: HttpRequest, table: Table, path: str) -> Any:
    """What a form sends for a value: all of it, or one item of a list, which is set, struck or added."""
    place = request.POST.get("thing", "")
    if not place:
        return read_value(read_chosen(request.POST, "value"))
    declared = record.declare_all(table.match)
    list_field, owner = declared.find(path), declared.owner(path)
    if not isinstance(list_field, KeptList) or (owner and owner not in table.sees):
        raise BadField("There is no such list in your record.")
    items = list(declared.value(record.values_of(table.match), path))
    sent_parts = _read_parts(request.POST)
    if place == NEW:
        return [*items, sent_parts]
    if not (place.isascii() and place.isdigit() and int(place[:5]) < len(items)):
        raise BadField("That does not stand in the list any more.")
    number = int(place[:5])
    after = items[number + 1 :] if request.POST.get("does") == "strike" else [sent_parts, *items[number + 1 :]]
    return [*items[:number], *after]


def read_chosen(sent: QueryDict, name: str) -> str:
    """What was typed beside the choices, or else what was chosen or typed in the one box."""
    return sent.get(name + OTHER, "").strip() or sent.get(name, "")


def offer_choices(row: ShownValue, offers: Mapping[str, str], name: str) -> ShownValue:
    """A value in words as a choice among these, its present state with them; something else may still be typed.

    ``name``: what its form calls it.
    """
    if not (row.is_set and offers):
        return row
    choices = {"": "nothing", **offers}
    return replace(row, choices={**choices, row.typed: choices.get(row.typed, row.typed)}, other=name + OTHER)


def _read_parts(sent: QueryDict) -> dict[str, Any]:
    """The parts of an item, and parts of these: "part-placed.turn". Raises BadField."""
    parts: dict[str, Any] = {}
    for name in (name for name in sent if name.startswith(PART)):
        outer, _, inner = name.removeprefix(PART).partition(".")
        holder = parts.setdefault(outer, {}) if inner else parts
        if not isinstance(holder, dict):
            raise BadField(f"“{outer[:20]}” is one value, or has parts.")
        holder[inner or outer] = sent[name][:LONGEST]
    return parts


def read_value(text: str) -> object:
    """What was sent for a value: JSON for lists and tables, or else words and numbers as they are typed."""
    if len(text) > LONGEST:
        raise BadField(f"A value has at most {LONGEST:,} characters.")
    if not text.startswith(("[", "{")):
        return text
    try:
        return read_json(text, whole=True)
    except ValueError:
        raise BadField("That is not a list or table in JSON.") from None


def draw(request: HttpRequest, table: Table) -> HttpResponse:
    """The page."""
    match, declared = table.match, record.declare_all(table.match)
    values = declared.hide(record.values_of(match), table.sees)
    place = record.known_place(match)
    ctx = {**describe_table(table), "place": [], "rows": []}
    for field in declared.fields:
        if field.name in table.game.keeping.beside:
            continue
        rows = list_rows(table, field, field.name, values[field.name])
        if field.name in place:
            ctx["place"] += [replace(row, begins_step=True) for row in rows]
        else:
            ctx["rows"] += rows
    return render(request, "firefight/record.html", ctx)


def list_rows(
    table: Table, field: KeptField, path: str, value: Any, head: str = "", owner: str = ""
) -> list[ShownValue]:
    """A field as rows: one, or for a table one for each of its parts."""
    title, owner = f"{head}{field.title}", owner or field.known_to
    if isinstance(field, KeptParts) and value is not None:
        rows = []
        for part in field.fields:
            rows += list_rows(table, part, f"{path}.{part.name}", value[part.name], f"{title}, ", owner)
        return rows
    if isinstance(field, KeptRows) and value:
        return [row for id in value for row in list_row(table, field, path, id, value[id])]
    is_known = not owner or owner in table.sees
    may_set = is_known and field.by_hand and table.plays and not table.match.ended and not ledger_of(table.match).leads
    words = field.describe_or_blank(value) if is_known else "hidden" if value is None else f"hidden: {value}"
    row = ShownValue(path, title, field.rule, words, owner, may_set, typed_as(field, value), choices_of(field))
    if isinstance(field, (KeptNumber, KeptPlace)):
        row = replace(row, size=4, is_number=isinstance(field, KeptNumber))
    if isinstance(field, KeptRows):  # without any rows; each would have a line of its own
        return [replace(row, is_set=False)]
    if may_set and isinstance(field, KeptList) and isinstance(field.item, KeptParts):
        return [replace(row, list_items=lay_out_items(table, field.item, path, value, field.most))]
    return [row]


def lay_out_items(
    table: Table, item: KeptParts, path: str, value: Sequence[Any], most: int
) -> dict[str, Sequence[ShownValue]]:
    """The items of a list by their numbers, and a new one if there is room: each as the parts that can be set."""
    items = {str(place): item_value for place, item_value in enumerate(value)}
    if len(items) < most:
        items[NEW] = item.default
    return {
        place: [
            replace(row, form_name=PART + row.path.removeprefix(f"{path}.{place}."))
            for part in item.fields
            for row in list_rows(table, part, f"{path}.{place}.{part.name}", item_value[part.name])
        ]
        for place, item_value in items.items()
    }


def list_row(table: Table, field: KeptRows, path: str, id: str, parts: Values) -> list[ShownValue]:
    """One of a field's rows: a line, with the address of its own page."""
    as_text = KeptText(title=field.call(id, parts), rule=field.rule, by_hand=False)
    words, owner = field.row.describe(parts), field.owner_of(parts)
    url = address_of("firefight:record-row", table.match.pk, path, id) if field.by_hand and table.plays else ""
    return [
        replace(row, url=url) for row in list_rows(table, as_text, f"{path}.{id}", words, f"{field.title}: ", owner)
    ]


def choices_of(field: KeptField) -> Mapping[str, str]:
    """The values to choose from, with their words; none where a value is typed."""
    if isinstance(field, KeptFlag):
        return {"no": "no", "yes": "yes"}
    return field.choices if isinstance(field, KeptChoice) else {}


def is_plain(word: str) -> bool:
    """Whether a word may stand in a list that is typed with commas."""
    return bool(word) and "," not in word and word == word.strip() and word[0] not in "[{"


def typed_as(field: KeptField, value: object) -> str:
    """What a player would type for a value."""
    if isinstance(field, KeptFlag):
        return field.describe(value)
    if isinstance(value, list) and all(type(word) is str and is_plain(word) for word in value):
        return ", ".join(value)
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False)
    return "" if value is None else str(value)


@require_GET
@seated
def as_json(request: HttpRequest, table: Table) -> JsonResponse:
    """Place and record as this browser may know them."""
    return JsonResponse({"place": record.known_place(table.match), "record": record.known_record(table)})
