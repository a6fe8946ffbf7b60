"""A posted roll read as a form, with what the match and its counters know of it."""

from collections.abc import Mapping

from django.http import HttpRequest

from firefight.assistant.desk import Submission, read_submission
from firefight.engine.board.counters import LackingValues
from firefight.games import chartbooks
from firefight.kit.helper import Helper
from firefight.table.act import performing
from firefight.table.act.act import Done
from firefight.table.act.refusals import Refused
from firefight.table.act.table import Table
from firefight.table.board import record, record_rules
from firefight.table.log import reading
from firefight.table.rolling import recall, steps
from firefight.table.rolling.roll_counters import fill_due_form
from firefight.web.requests import number_in, sent_by

from .sent_counters import SentCounters


def read_roll(request: HttpRequest, table: Table, helper: Helper, sent_counters: SentCounters) -> Submission:
    """A posted form, with what the match and the counters of the roll fill of it."""
    book, sent = chartbooks.of_match(table.match), sent_by(request)
    sealed, known_inputs = record.fill_form(table, helper.form).sealed, known_values(request, table, helper)
    about, filling = record_rules.read_about(table, helper.slug, sent), sent_counters.filling
    is_known = bool(sent_counters.participants or sent.get("step") or sent.get("corrects"))
    # A page sends back what it carries, and a tick that it does not send was removed by its player.
    is_program = bool(about or is_known) and "carry" not in sent
    recalled = recall.find_recalled(table, helper, sent.get("more", "")) | record_rules.fill_zeroes(
        table, helper.slug, sent
    )
    submission = read_submission(
        request,
        helper,
        book,
        sealed=sealed,
        known_values=known_inputs,
        is_program=is_program,
        filled=filling.values,
        recalled=recalled,
        drawn=filling.drawn,
    )
    if sent.get("step"):  # the record has what is carried to a due roll, whatever was sent
        submission.form.take_carry(known_inputs)
    else:
        # A program need not send back what a page carries from one roll of a chain to the next.
        carried = {} if "carry" in sent else record_rules.carry_on(table, {**known_inputs, **filling.values})
        unasked = {name: value for name, value in {**carried, **about}.items() if name not in helper.form.base_fields}
        submission.form.carried = {**submission.form.carried, **unasked}
    if sent_counters.error:
        submission.form.add_rule_error(sent_counters.error)
    elif sent_counters.filling.lacking:
        submission.form.add_rule_error(LackingValues(sent_counters.filling.lacking))
        submission.form.quiet = "carry" in sent  # a page says so beside its questions
    return submission


def find_odd_step(request: HttpRequest, table: Table, slug: str) -> Refused | None:
    """Why a request does not answer the due roll that it names. A form from an older page counts as stale instead."""
    sent = sent_by(request) if request.method == "POST" else request.GET.dict()
    if not table.plays or number_in(request, "version") not in (None, table.match.version):
        return None
    try:
        steps.find_due(table.match, table, sent.get("step", ""), slug)
    except Refused as error:
        return error
    return None


def find_first_answer(request: HttpRequest, table: Table) -> Done | None:
    """The first answer to a form that is sent again, if it is. Raises Refused where another seat has used it."""
    return performing.find_first_answer(table, sent_by(request).get("act", ""))


def known_values(request: HttpRequest, table: Table, helper: Helper) -> dict[str, object]:
    """What a posted form need not repeat: the inputs of the roll that it corrects or answers, or what is known."""
    corrects = number_in(request, "corrects")
    if corrects is not None:
        line = reading.read_line(table.match, table.sees, corrects, helper=helper.slug)
        return dict(line.inputs) if line else {}
    sent = sent_by(request)
    due = (step for step in table.match.state.queue_for(table.sees) if step.id == sent.get("step"))
    step = next(due, None)
    if step is None or step.helper != helper.slug:
        return ask_values(table, helper, sent)
    return fill_due_form(table, helper, record_rules.point_step(table, step, sent))


def ask_values(table: Table, helper: Helper, sent: Mapping[str, str]) -> dict[str, object]:
    """What is known for a fresh form, with what was sent to say which part of the record it is about."""
    about = record_rules.read_about(table, helper.slug, sent)
    filled = (
        record_rules.fill_about(table, helper.slug, about)
        if about or record_rules.is_presumed(table, helper.slug)
        else {}
    )
    return {**record.present_values(table, helper), **about, **filled}
