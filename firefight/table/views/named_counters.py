"""The counters that a request names for a roll, as its page sends them, and what they fill of its form."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from django.http import HttpRequest

from firefight.assistant.desk import Desk, ShownWay
from firefight.columns import DueRoll
from firefight.engine.board.counters import NO_ACCOUNT, WAY, Account
from firefight.engine.errors import RuleError
from firefight.engine.plain_json import read_json
from firefight.engine.values import Values
from firefight.kit.fields.counters import ACCOUNT, ASKED, NAMED, TOLD, ids_by_role
from firefight.kit.fields.forms import HelperForm
from firefight.kit.helper import Helper
from firefight.models import LogEntry
from firefight.table.act.table import Table
from firefight.table.board import record
from firefight.table.board.values import read_values
from firefight.table.log import reading
from firefight.table.log.asked import Asked, find_entered, list_ids
from firefight.table.rolling import filling, naming
from firefight.table.rolling.filling import NOTHING, CounterFilling
from firefight.table.rolling.naming import NOBODY, Named, add_reached, fill_from_rows, named_in, read_named
from firefight.web.requests import number_in

NOBODY_FIRES = "no counter is named that fires"
MAX_TOLD = 1_000  # characters of JSON
COUNTED = ("weapon", "ff", "caliber", "tq")  # what an account of counters tells of


@dataclass(frozen=True, slots=True)
class Naming:
    """The counters that a request names for a roll, and what they fill of its form.

    ``values``: what was told of kinds of counters. ``error``: why they cannot be named so. ``said``: of a roll that is
    corrected, what its counters said where a hand had entered something else.
    """

    named: Named = NOBODY
    filling: CounterFilling = NOTHING
    values: Mapping[str, int] = field(default_factory=dict)
    error: RuleError | None = None
    said: Values = field(default_factory=dict)

    def account_of(self, form: HelperForm) -> Account:
        """How a form was filled, if it still says what counters have filled in, and not what a hand has put there."""
        filled = self.filling.values
        is_kept = all((form.plain_value(name) or "") == filled[name] for name in COUNTED if filled.get(name))
        return self.filling.account if is_kept else NO_ACCOUNT

    def entered_in(self, table: Table, helper: Helper, form: HelperForm) -> Asked:
        """What a form says otherwise than its counters do: those that were named, and those in its rows."""
        filled = {**fill_from_rows(table.match, helper.slug, form), **self.filling.values, **self.said}
        entered = find_entered(form, filled, COUNTED)
        if self.named.firers or table.asks_nobody or not is_aimed(table, helper):
            return entered
        sides = {each.rpartition("-")[0] for each in list_ids(form.plain_inputs())}
        return replace(entered, typed=(*entered.typed, NOBODY_FIRES)) if sides - {table.side} else entered

    def told_in(self, form: HelperForm) -> dict[str, str]:
        """What was told beside the form and is no value of a kind: the line keeps it."""
        return {name: text for name, text in self.filling.told.items() if ":" not in name and name not in form.fields}

    def show_on(self, desk: Desk) -> None:
        """Put on a desk what its counters are asked, how they fill it, and in which other ways they could."""
        account = self.filling.account
        desk.account, desk.asked = account.words, self.filling.asked
        ways = account.ways if len(account.ways) > 1 else ()
        desk.ways = [ShownWay(way.value, way.label, way.value == account.way) for way in ways]
        if self.named:
            desk.hidden[TOLD] = json.dumps(dict(self.filling.told), separators=(",", ":"))


NO_NAMING = Naming()


def read_naming(request: HttpRequest, table: Table, helper: Helper) -> Naming:
    """The counters that a form was sent with, or an address asks for. A correction keeps those of the old roll."""
    data = request.POST if request.method == "POST" else request.GET
    # A field of the form's own is no name for counters: those are sent as chosen.
    taken = [role for role in NAMED if role not in helper.form.base_fields]
    roles = {role: data.getlist(role) for role in taken}
    for role, ids in share_out(table, helper, data.getlist("chosen")).items():
        roles[role] = [*roles.get(role, ()), *ids]
    old = find_corrected(request, table, helper.slug)
    try:
        named = read_named(roles.get("firers", ()), roles.get("targets", ()))
    except RuleError as error:
        return Naming(error=error)
    if old and named in (NOBODY, named_in(old.inputs, helper)):
        return recall_naming(old.inputs, helper)
    sent = {name: data.get(name, "") for name in data if name not in taken}
    before = read_before(sent.get(TOLD, "")) if TOLD in sent else None
    asked, _, way = sent.get("more", "").partition("-")
    sent = {**sent, WAY: way} if asked == WAY else {WAY: (before or {}).get(WAY, ""), **sent}
    return name_counters(table, helper, named, sent, before)


def name_counters(
    table: Table,
    helper: Helper,
    named: Named,
    sent: Values,
    before: Mapping[str, str] | None = None,
) -> Naming:
    """What these counters fill of a form, given what was sent with them. ``before``: as ``filling.fill`` has it."""
    named = add_reached(table, helper, named)
    filled = filling.fill(table, helper, named, {**record.present_values(table, helper), **sent}, before)
    try:
        return Naming(named, filled, read_values(filled.told), filled.error)
    except RuleError as error:
        return Naming(named, filled, error=error)


def find_taken_up(table: Table, helper: Helper, named: Named) -> tuple[DueRoll, Named] | None:
    """The due roll that selected counters make, and whom it then names: it is their side's to decide, and nobody has
    said yet who does it. None where they are selected for another roll, as for one at somebody else."""
    doing, struck = (named.firers, named.targets) if named.firers else (named.targets, ())
    sides = {each.rpartition("-")[0] for each in doing}
    step = naming.find_decided_here(table, helper, sides.pop()) if len(sides) == 1 else None
    told = ids_by_role(helper.form, step.inputs) if step else {}
    at = tuple(told.get("targets") or struck)
    is_open = step is not None and not told.get("firers") and {*struck} <= {*at}
    return (step, Named(tuple(doing), at)) if step and is_open else None


def recall_naming(inputs: Values, helper: Helper) -> Naming:
    """The counters of a roll that was made, and what they filled of it."""
    filled, then = {name: inputs[name] for name in COUNTED if name in inputs}, Asked.from_json(inputs.get(ASKED, {}))
    of_counters = CounterFilling(filled, Account.from_json(inputs.get(ACCOUNT, {})))
    return Naming(named_in(inputs, helper), of_counters, said={} if then.step else then.now)


def read_before(text: str) -> dict[str, str]:
    """What a page was told as it was drawn; nothing of what no page of ours says."""
    try:
        told = read_json(text) if len(text) <= MAX_TOLD else {}
    except ValueError:
        return {}
    items = told.items() if isinstance(told, dict) else ()
    return {name: value for name, value in items if isinstance(value, str)}


def share_out(table: Table, helper: Helper, units: list[str]) -> dict[str, list[str]]:
    """The counters that are selected on the table, as a roll takes them: one's own do it to the others.

    Where nobody else is selected, and the roll is none that counters do to others, one's own are what it is about.
    """
    own = [each for each in units if each.startswith(f"{table.side}-")]
    others = [each for each in units if each not in own]
    aims = is_aimed(table, helper)
    return {"firers": own, "targets": others} if others or aims else {"targets": own}


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
