"""A ledger as plain values and back: what snapshots keep and files hold. Default values are left out.

Rows are known by their place in their side's list, counted from 1: an act adds them at the end, and removes them from
there when it is taken back. So what one side must not know leaves no gap.
"""

import re
from collections.abc import Mapping
from functools import cache

from django.db.models import Field, ForeignKey

from campaign.models import Campaign, Row
from campaign.rules.content import Content
from campaign.rules.stages import Stage
from firefight.columns import TypedColumn
from firefight.engine.values import Json, Values
from firefight.games.combat_stalingrad.rules.sides import Side
from firefight.models import Match
from firefight.table.act.undo import Kept

from .ledger import KINDS, Ledger

_OF_WHOM = ("match", "content", "campaign", "side", "number")


def fields_of(model: type[Kept]) -> "list[Field[object, object]]":
    """The columns of a table that are written: all but its key and whose row it is."""
    return [field for field in model._meta.concrete_fields if not field.primary_key and field.name not in _OF_WHOM]


def write_ledger(ledger: Ledger) -> dict[str, object]:
    """All of a ledger's rows as plain values, without the content that it is played with."""
    rows = {
        side.value: {kind: [_row(row, ledger) for row in getattr(ledger, kind)[side].values()] for kind in KINDS}
        for side in Side
    }
    return {**_row(ledger.campaign, ledger), "rows": rows}


def write_snapshot(ledger: Ledger) -> dict[str, object]:
    """The same with the version of the content that it was played with: a campaign may move on to a newer one."""
    return {"content": ledger.campaign.content_id, **write_ledger(ledger)}


def _row(row: Kept, ledger: Ledger) -> Json:
    values = {}
    for name, default, is_pointing, typed in _columns_of(type(row)):
        value = getattr(row, name)
        if is_pointing and value is not None:
            value = _place(value, ledger)
        if value != default:
            values[name] = typed.to_json(value) if typed else value
    return values


@cache
def _columns_of(model: type[Kept]) -> list[tuple[str, object, bool, TypedColumn | None]]:
    """For each column that is written: its name, default, whether it points to a row, and its type."""
    return [
        (
            field.name,
            field.get_default(),
            isinstance(field, ForeignKey),
            field if isinstance(field, TypedColumn) else None,
        )
        for field in fields_of(model)
    ]


def _place(row: Row, ledger: Ledger) -> int | None:
    """The place in its list of a row that another points to; None if it is not in the ledger as it is known."""
    kind = next(kind for kind, model in KINDS.items() if isinstance(row, model))
    rows = getattr(ledger, kind)[Side(row.side)]
    # In the whole ledger a row's number is its place.
    if len(rows) == max(rows, default=0):
        return row.number if row.number in rows else None
    return next((place for place, number in enumerate(rows, 1) if number == row.number), None)


def build_ledger(match: Match, plain: Values, content: Content, digest: str | None = None) -> Ledger:
    """A ledger of rows that are not stored, from plain values that were found sound."""
    values = {name: _read_value(Campaign, name, value) for name, value in plain.items() if name in _CAMPAIGN}
    campaign = Campaign(match=match, **values, **({"content_id": digest} if digest else {}))
    ledger = Ledger(match, campaign, content)
    for kind, model in KINDS.items():
        rows: dict[Side, dict[int, Row]] = {}
        for side in Side:
            listed = enumerate(plain["rows"][side.value][kind], 1)
            rows[side] = {number: _build_row(model, ledger, side, number, values) for number, values in listed}
        setattr(ledger, kind, rows)
    return ledger


def _read_value(model: type[Kept], name: str, plain: object) -> object:
    column = model._meta.get_field(name)
    return column.to_python(plain) if isinstance(column, TypedColumn) else plain


_CAMPAIGN = {field.name for field in fields_of(Campaign)}
_POINTING = {"group": "groups", "unit": "units", "seal": "seals"}


def _build_row(model: type[Row], ledger: Ledger, side: Side, number: int, plain: Mapping[str, object]) -> Row:
    values = {name: _read_value(model, name, value) for name, value in plain.items()}
    for field in fields_of(model):
        if isinstance(field, ForeignKey) and values.get(field.name) is not None:
            values[field.name] = getattr(ledger, _POINTING[field.name])[side][values[field.name]]
    return model(campaign=ledger.campaign, side=side, number=number, **values)


def name_chapter(ledger: Ledger) -> str:
    """What the present chapter of a campaign is called; a new one gets a snapshot."""
    number = ledger.campaign.firefight
    if ledger.stage is Stage.OVER:
        return "The end"
    if ledger.stage is Stage.FIREFIGHT:
        turn = ledger.match.state.turn
        return f"Firefight {number}, turn {turn}" if turn > 1 else f"Firefight {number}"
    if ledger.stage is not Stage.REORGANIZATION:
        return f"Firefight {number}, {ledger.stage.word}"
    phase = ledger.phase
    place = "" if phase.shown_sector is None else f", sector {phase.shown_sector}"
    return f"After firefight {number}: {phase.step.word}{place}"


def read_firefight(label: str) -> int | None:
    """Which firefight a chapter belongs to; None for one that does not say.

    >>> read_firefight("After firefight 2: Upkeep")
    2
    """
    match = re.search(r"\b[Ff]irefight ([1-9])\b", label)
    return int(match[1]) if match else None
