"""What the counters of a roll fill of its form; what players tell besides, such as the range, fills more of it.

A page sends back what it was told when it was drawn. So a field that still says what counters had filled in follows
them, and one that a hand has changed stays.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from firefight.engine.board.counters import NO_ACCOUNT, VALUE, WAY, Account, AskedValue, Piece
from firefight.engine.errors import RuleError
from firefight.engine.values import Values
from firefight.games.chartbooks import of_match
from firefight.kit.fields.base import stands_at
from firefight.kit.fields.rows import read_rows
from firefight.kit.helper import Helper
from firefight.table.act.table import Table
from firefight.table.board import counters, record_rules, stores
from firefight.table.board.values import read_values, tell_kind

from .naming import Named, check_named

Plain = Values
Told = Mapping[str, str]
LONGEST = 16  # characters of what is told


@dataclass(frozen=True, slots=True)
class CounterFilling:
    """``values``: of the form's fields, from counters and record. ``told``: what they hang on, as players told it.

    ``asked``: what they are asked, with their answers. ``drawn``: the fields that counters fill or had filled, as the
    page showed them. ``error``: why nothing can be filled.
    """

    values: Plain = field(default_factory=dict)
    account: Account = NO_ACCOUNT
    told: Told = field(default_factory=dict)
    asked: tuple[AskedValue, ...] = ()
    drawn: Plain = field(default_factory=dict)
    error: RuleError | None = None

    @property
    def lacking(self) -> tuple[AskedValue, ...]:
        """What nobody has answered yet."""
        return tuple(each for each in self.asked if not each.told)


NOTHING = CounterFilling()


def fill(table: Table, helper: Helper, named: Named, sent: Plain, before: Told | None = None) -> CounterFilling:
    """What a form is filled with from the counters that a roll names.

    ``sent``: the fields that came with them; ``before``: what a page was told as it was drawn, None where no page sends
    them.
    """
    if not named:
        return NOTHING
    told = _read_told(table, sent)
    try:
        check_named(table, helper, named)
        if before is None:
            return _fill(table, helper, named, sent, told, {}, {})
        was = _explain_before(table, helper, named, sent, before)
        fields = helper.form.base_fields
        shown = {name: was.get(name, before.get(name, base.initial)) for name, base in fields.items()}
        stands = {name for name in told if name in shown and _stands(table, helper, sent, name, shown[name])}
        told = {name: text for name, text in told.items() if name in before or name not in stands}
        try:
            return _fill(table, helper, named, sent, told, was, shown)
        except RuleError:
            if not told.get(WAY) or told[WAY] != before.get(WAY):
                raise
        # A way that was open at another range.
        told.pop(WAY, "")
        return _fill(table, helper, named, sent, told, was, shown)
    except RuleError as error:
        return CounterFilling(told=told, asked=_list_answers(table, helper, named, told), error=error)


def _fill(
    table: Table, helper: Helper, named: Named, sent: Plain, told: Told, was: Plain, shown: Plain
) -> CounterFilling:
    """``was``: what counters had filled as the page was drawn; ``shown``: all that it showed."""
    own, account = _explain(table, helper, named, sent, told)
    # What they do not fill any more is blank again.
    own = {**{name: helper.form.base_fields[name].initial or "" for name in was}, **own}
    decided = record_rules.list_decided(table, helper.slug)
    given = {name: value for name, value in own.items() if value not in record_rules.BLANK and name not in decided}
    recorded = record_rules.fill_about(table, helper.slug, {**_with_rows(helper, sent), **named.plain, **own})
    asked = (*_list_answers(table, helper, named, told), *account.asked)
    drawn = {name: shown[name] for name in own if name in shown}
    return CounterFilling({**own, **recorded, **given}, account, told, asked, drawn)


def _with_rows(helper: Helper, sent: Plain) -> Plain:
    """What was sent, with the lists that a page sends as text as what they are."""
    return {name: read_rows(helper.form, name, value) for name, value in sent.items()}


def _read_told(table: Table, sent: Plain) -> dict[str, str]:
    """Of all that was sent what counters need to be told, as it was typed."""
    names = [*counters.rules_of(table.match).hinges, *(name for name in sent if name.startswith(f"{VALUE}:"))]
    return {name: text[:LONGEST] for name in names if (text := str(sent.get(name) or "").strip())}


def _stands(table: Table, helper: Helper, sent: Plain, name: str, value: object) -> bool:
    return stands_at(helper.form, of_match(table.match), name, sent, value)


def _explain_before(table: Table, helper: Helper, named: Named, sent: Plain, before: Told) -> Plain:
    """What counters had filled in as a page was drawn."""
    try:
        return _explain(table, helper, named, sent, before)[0]
    except RuleError:
        return {}


def _explain(table: Table, helper: Helper, named: Named, sent: Plain, told: Told) -> tuple[Plain, Account]:
    """What counters fill in once they are told something, and how that comes about."""
    rules, values = counters.rules_of(table.match), read_values(told)
    known = {**{name: value for name, value in sent.items() if name not in rules.hinges}, **told}
    firers, targets = (
        [piece._replace(kind=tell_kind(table.match, piece.counter.side, piece.kind, values)) for piece in pieces]
        for pieces in (_find_pieces(table, ids) for ids in (named.firers, named.targets))
    )
    return counters.explain_form(table.match, helper, firers, targets, known)


def _find_pieces(table: Table, ids: Iterable[str]) -> list[Piece]:
    """Counters of a roll, as this seat knows them."""
    store, known = counters.store_of(table.match), counters.list_reachable(table.match, table.sees)
    return [stores.piece_of(store, known[each]) for each in ids if each in known]


def _list_answers(table: Table, helper: Helper, named: Named, told: Told) -> tuple[AskedValue, ...]:
    """What was told beside the form's own fields, with its questions: of the roll, and of kinds of its counters."""
    rules, own = counters.rules_of(table.match), helper.form.base_fields
    questions = {name: question for name, question in rules.hinges.items() if question and name not in own}
    pieces = _find_pieces(table, (*named.firers, *named.targets))
    kinds = {(piece.counter.side, piece.kind.key): piece.kind for piece in pieces}
    for name in told:
        _, side, key, value = (*name.split(":"), "", "", "")[:4]
        if kind := kinds.get((side, key)):
            label, choices = f"{kind.name}: {rules.describe_value(value)}", tuple(rules.list_choices(value).items())
            questions[name] = AskedValue(name, label, 0, 999, side, key, value, choices=choices)
    return tuple(replace(questions[name], told=text) for name, text in told.items() if name in questions)
