"""The counters that a request names for a roll, as its page sends them, and what they fill of the form."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from django.http import HttpRequest

from firefight.assistant.desk import Desk, ShownWay, Submission
from firefight.columns import DueRoll
from firefight.engine.board.counters import NO_ACCOUNT, WAY, Account
from firefight.engine.errors import RuleError
from firefight.engine.plain_json import read_json
from firefight.engine.values import Values
from firefight.kit.fields.counters import ACCOUNT, NAMED, TOLD, ids_by_role
from firefight.kit.fields.forms import HelperForm
from firefight.kit.helper import Helper
from firefight.models import LogEntry
from firefight.table.act.table import Table
from firefight.table.board import record
from firefight.table.board.values import read_values
from firefight.table.log import reading
from firefight.table.log.asked import COUNTED, Asked, find_entered, list_ids, read_asked
from firefight.table.rolling import filling, roll_counters
from firefight.table.rolling.filling import NOTHING, CounterFilling
from firefight.table.rolling.roll_counters import (
    NOBODY,
    Participants,
    add_reached,
    fill_from_rows,
    gather_participants,
    participants_in,
)
from firefight.web.requests import number_in

NOBODY_ACTS = "no counter is named that {}s"
MAX_TOLD = 1_000  # characters of JSON


@dataclass(frozen=True, slots=True)
class SentCounters:
    """The counters that a request names for a roll, and what they fill of its form.

    ``values``: of kinds of counters, as they were entered. ``error``: why the counters cannot be named in these roles.
    ``overridden``: for a corrected roll, what its counters said where a player had entered something else.
    """

    participants: Participants = NOBODY
    filling: CounterFilling = NOTHING
    values: Mapping[str, int] = field(default_factory=dict)
    error: RuleError | None = None
    overridden: Values = field(default_factory=dict)

    def account_of(self, form: HelperForm) -> Account:
        """How a form was filled, if it still says what counters have filled in, and not what a player has entered."""
        filled = self.filling.values
        is_kept = all((form.plain_value(name) or "") == filled[name] for name in COUNTED if filled.get(name))
        return self.filling.account if is_kept else NO_ACCOUNT

    def entered_in(self, table: Table, helper: Helper, form: HelperForm, corrects: int | None) -> Asked:
        """Where a form differs from its counters: those that were named, and those in its rows.

        ``corrects``: the roll that it corrects. One that keeps in rows of its own who acts names nobody besides.
        """
        rows_filled = fill_from_rows(table.match, helper.slug, form, corrects)
        filled = {**rows_filled, **self.filling.values, **self.overridden}
        entered = find_entered(form, filled)
        is_in_rows = corrects is not None and "firers" in helper.form.own_names
        if self.participants.firers or table.asks_nobody or is_in_rows or not is_aimed(table, helper):
            return entered
        sides = {counter_id.rpartition("-")[0] for counter_id in list_ids(form.plain_inputs())}
        nobody_acts = NOBODY_ACTS.format(table.game.words.attack)
        return replace(entered, typed=(*entered.typed, nobody_acts)) if sides - {table.side} else entered

    def answers_in(self, form: HelperForm) -> dict[str, str]:
        """The answers beside the form that are not values of a kind: the line keeps them."""
        return {
            name: text for name, text in self.filling.answers.items() if ":" not in name and name not in form.fields
        }

    def show_on(self, desk: Desk) -> None:
        """Put on a desk the questions about its counters, how they fill it, in which other ways they could, and what
        is wrong with them."""
        account, desk.trouble = self.filling.account, str(self.error or "")
        desk.account, desk.asked = account.words, self.filling.questions
        ways = account.ways if len(account.ways) > 1 else ()
        desk.ways = [ShownWay(way.value, way.label, way.value == account.way) for way in ways]
        if self.participants:
            desk.hidden[TOLD] = json.dumps(dict(self.filling.answers), separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class PostedRoll:
    """A roll as its form was posted: what was typed, and the counters that it names."""

    submission: Submission
    helper: Helper
    counters: SentCounters

    @property
    def form(self) -> HelperForm:
        return self.submission.form


def read_sent_counters(request: HttpRequest, table: Table, helper: Helper) -> SentCounters:
    """The counters that a form was sent with or an address names. A correction keeps those of the old roll."""
    data = request.POST if request.method == "POST" else request.GET
    # Where the form has a field named like a role, that name is taken: counters are then sent as chosen.
    roles_free = [role for role in NAMED if role not in helper.form.base_fields]
    roles = {role: data.getlist(role) for role in roles_free}
    for role, ids in share_out(table, helper, data.getlist("chosen")).items():
        roles[role] = [*roles.get(role, ()), *ids]
    old = find_corrected(request, table, helper.slug)
    try:
        participants = gather_participants(roles.get("firers", ()), roles.get("targets", ()))
    except RuleError as error:
        return SentCounters(error=error)
    if old and participants in (NOBODY, participants_in(old.inputs, helper)):
        return recall_counters(old.inputs, helper)
    sent = {name: data.get(name, "") for name in data if name not in roles_free}
    before = read_before(sent.get(TOLD, "")) if TOLD in sent else None
    step = next((step for step in table.match.state.queue_for(table.sees) if step.id == sent.get("step")), None)
    sent = {**(words_of_step(step) if step else {}), **sent}
    pressed, _, way = sent.get("more", "").partition("-")
    sent = {**sent, WAY: way} if pressed == WAY else {WAY: (before or {}).get(WAY, ""), **sent}
    return name_counters(table, helper, participants, sent, before)


def words_of_step(step: DueRoll) -> dict[str, str]:
    """What a due roll knows that its form need not show, such as the hex: counters fill the rest in its light."""
    return {name: value for name, value in step.inputs.items() if isinstance(value, str)}


def name_counters(
    table: Table,
    helper: Helper,
    participants: Participants,
    sent: Values,
    before: Mapping[str, str] | None = None,
) -> SentCounters:
    """What these counters fill of a form, given what was sent with them. ``before``: as ``filling.fill`` has it."""
    participants = add_reached(table, helper, participants)
    filled = filling.fill(table, helper, participants, {**record.present_values(table, helper), **sent}, before)
    try:
        return SentCounters(participants, filled, read_values(filled.answers), filled.error)
    except RuleError as error:
        return SentCounters(participants, filled, error=error)


def find_taken_up(table: Table, helper: Helper, participants: Participants) -> tuple[DueRoll, Participants] | None:
    """The due roll that selected counters would make, with its participants: it is their side's to decide, and does not
    say yet who does it. None where they are selected for another roll, such as one at other targets."""
    doing, struck = (participants.firers, participants.targets) if participants.firers else (participants.targets, ())
    sides = {counter_id.rpartition("-")[0] for counter_id in doing}
    step = roll_counters.find_decided_here(table, helper, sides.pop()) if len(sides) == 1 else None
    ids_asked = ids_by_role(helper.form, step.inputs) if step else {}
    at = tuple(ids_asked.get("targets") or struck)
    is_open = step is not None and not ids_asked.get("firers") and {*struck} <= {*at}
    return (step, Participants(tuple(doing), at)) if step and is_open else None


def recall_counters(inputs: Values, helper: Helper) -> SentCounters:
    """The counters of a roll that was made, and what they filled of it."""
    filled, answered = (
        {name: inputs[name] for name in COUNTED if name in inputs},
        read_asked(inputs),
    )
    of_counters = CounterFilling(filled, Account.from_json(inputs.get(ACCOUNT, {})))
    return SentCounters(participants_in(inputs, helper), of_counters, overridden={} if answered.step else answered.now)


def read_before(text: str) -> dict[str, str]:
    """The answers that a page was drawn with; nothing from text that no page of ours sends."""
    try:
        answers = read_json(text) if len(text) <= MAX_TOLD else {}
    except ValueError:
        return {}
    items = answers.items() if isinstance(answers, dict) else ()
    return {name: value for name, value in items if isinstance(value, str)}


def share_out(table: Table, helper: Helper, units: list[str]) -> dict[str, list[str]]:
    """The roles of the counters that are selected on the table: one's own do it to the others.

    Where no others are selected, and the roll is not one that counters do to others, it is about one's own.
    """
    own_ids = [counter_id for counter_id in units if counter_id.startswith(f"{table.side}-")]
    enemies = [counter_id for counter_id in units if counter_id not in own_ids]
    aims = is_aimed(table, helper)
    return {"firers": own_ids, "targets": enemies} if enemies or aims else {"targets": own_ids}


def is_aimed(table: Table, helper: Helper) -> bool:
    """Whether a roll is one that counters do to others."""
    return any(helper.slug in item.aims for item in table.game.bar)


def find_corrected(request: HttpRequest, table: Table, slug: str) -> LogEntry | None:
    """The roll that a request corrects, if this seat may."""
    corrects = number_in(request, "corrects")
    if corrects is None:
        return None
    entry = table.match.log.filter(number=corrects, helper=slug).first()
    return entry if entry and reading.visible([entry], table.sees)[0].correctable else None
