"""What the counters of a roll fill of its form; what players answer besides, such as the range, fills more of it.

A page sends back the answers that it was drawn with. So a field that still says what counters had filled in follows
them, and one that a player has changed stays.
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

from .recall import remember_last
from .roll_counters import Participants, check_participants

Plain = Values
Answers = Mapping[str, str]
LONGEST = 16  # characters of an answer


@dataclass(frozen=True, slots=True)
class CounterFilling:
    """``values``: of the form's fields, from counters and record. ``answers``: those of players that they depend on.

    ``questions``: what players are asked, with their answers. ``drawn``: the fields that counters fill or had filled,
    as the page showed them. ``error``: why nothing can be filled.
    """

    values: Plain = field(default_factory=dict)
    account: Account = NO_ACCOUNT
    answers: Answers = field(default_factory=dict)
    questions: tuple[AskedValue, ...] = ()
    drawn: Plain = field(default_factory=dict)
    error: RuleError | None = None

    @property
    def lacking(self) -> tuple[AskedValue, ...]:
        """What nobody has answered yet."""
        return tuple(question for question in self.questions if not question.told)


NOTHING = CounterFilling()


def fill(
    table: Table, helper: Helper, participants: Participants, sent: Plain, before: Answers | None = None
) -> CounterFilling:
    """What a form is filled with from the counters that a roll names.

    ``sent``: the fields that came with them; ``before``: the answers that a page was drawn with, None where no page
    sends them.
    """
    if not participants:
        return NOTHING
    try:
        counters.rules_of(table.match)
    except RuleError as error:  # a game without counters
        return CounterFilling(error=error)
    answers = _read_told(table, sent)
    try:
        check_participants(table, helper, participants)
        if before is None:
            return _fill(table, helper, participants, sent, answers, {}, {})
        old_fill = _explain_before(table, helper, participants, sent, before)
        fields = helper.form.base_fields
        known_before = {**before, **old_fill}
        drawn_before = {**remember_last(table, helper, known_before), **known_before}
        drawn_values = {name: drawn_before.get(name, base.initial) for name, base in fields.items()}
        stands = {
            name for name in answers if name in drawn_values and _stands(table, helper, sent, name, drawn_values[name])
        }
        answers = {name: text for name, text in answers.items() if name in before or name not in stands}
        try:
            return _fill(table, helper, participants, sent, answers, old_fill, drawn_values)
        except RuleError:
            if not answers.get(WAY) or answers[WAY] != before.get(WAY):
                raise
        # A way that was open at another range.
        answers.pop(WAY, "")
        return _fill(table, helper, participants, sent, answers, old_fill, drawn_values)
    except RuleError as error:
        return CounterFilling(
            answers=answers, questions=_list_answers(table, helper, participants, answers), error=error
        )


def _fill(
    table: Table,
    helper: Helper,
    participants: Participants,
    sent: Plain,
    answers: Answers,
    old_fill: Plain,
    drawn_values: Plain,
) -> CounterFilling:
    """``old_fill``: what counters had filled as the page was drawn; ``drawn_values``: all that it showed."""
    counter_values, account = _explain(table, helper, participants, sent, answers)
    # What they no longer fill is blank again.
    counter_values = {**{name: helper.form.base_fields[name].initial or "" for name in old_fill}, **counter_values}
    decided = record_rules.list_decided(table, helper.slug)
    filled = {
        name: value for name, value in counter_values.items() if value not in record_rules.BLANK and name not in decided
    }
    recorded = record_rules.fill_about(
        table, helper.slug, {**_with_rows(helper, sent), **participants.plain, **counter_values}
    )
    questions = (*_list_answers(table, helper, participants, answers), *account.asked)
    drawn = {name: drawn_values[name] for name in counter_values if name in drawn_values}
    return CounterFilling({**counter_values, **recorded, **filled}, account, answers, questions, drawn)


def _with_rows(helper: Helper, sent: Plain) -> Plain:
    """What was sent, with the lists that a page sends as text turned back into lists."""
    return {name: read_rows(helper.form, name, value) for name, value in sent.items()}


def _read_told(table: Table, sent: Plain) -> dict[str, str]:
    """The answers that counters need, out of all that was sent, as they were typed."""
    names = [*counters.rules_of(table.match).hinges, *(name for name in sent if name.startswith(f"{VALUE}:"))]
    return {name: text[:LONGEST] for name in names if (text := str(sent.get(name) or "").strip())}


def _stands(table: Table, helper: Helper, sent: Plain, name: str, value: object) -> bool:
    return stands_at(helper.form, of_match(table.match), name, sent, value)


def _explain_before(table: Table, helper: Helper, participants: Participants, sent: Plain, before: Answers) -> Plain:
    """What counters had filled in as a page was drawn."""
    try:
        return _explain(table, helper, participants, sent, before)[0]
    except RuleError:
        return {}


def _explain(
    table: Table, helper: Helper, participants: Participants, sent: Plain, answers: Answers
) -> tuple[Plain, Account]:
    """What counters fill in given these answers, and how that comes about."""
    rules, values = counters.rules_of(table.match), read_values(answers)
    inputs = {**{name: value for name, value in sent.items() if name not in rules.hinges}, **answers}
    firers, targets = (
        [piece._replace(kind=tell_kind(table.match, piece.counter.side, piece.kind, values)) for piece in pieces]
        for pieces in (_find_pieces(table, ids) for ids in (participants.firers, participants.targets))
    )
    return counters.explain_form(table.match, helper, firers, targets, inputs)


def _find_pieces(table: Table, ids: Iterable[str]) -> list[Piece]:
    """Counters of a roll, as this seat knows them."""
    store, reachable = counters.store_of(table.match), counters.list_reachable(table.match, table.sees)
    return [stores.piece_of(store, reachable[counter_id]) for counter_id in ids if counter_id in reachable]


def _list_answers(table: Table, helper: Helper, participants: Participants, answers: Answers) -> tuple[AskedValue, ...]:
    """The answers beside the form's own fields, with their questions, about the roll and about kinds of counters."""
    rules, form_fields = counters.rules_of(table.match), helper.form.base_fields
    questions = {name: question for name, question in rules.hinges.items() if question and name not in form_fields}
    pieces = _find_pieces(table, (*participants.firers, *participants.targets))
    kinds = {(piece.counter.side, piece.kind.key): piece.kind for piece in pieces}
    for name in answers:
        _, side, key, value = (*name.split(":"), "", "", "")[:4]
        if kind := kinds.get((side, key)):
            label, choices = f"{kind.name}: {rules.describe_value(value)}", tuple(rules.list_choices(value).items())
            questions[name] = AskedValue(name, label, 0, 999, side, key, value, choices=choices)
    return tuple(replace(questions[name], told=text) for name, text in answers.items() if name in questions)
