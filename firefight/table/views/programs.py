"""What a match answers to programs that ask for JSON: how it stands, the outcome of an act, why it was refused.

The views of the pages do the acts; this module answers instead of a page (docs/json.md).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from django.http import JsonResponse

from firefight.assistant.desk import Submission
from firefight.columns import DueRoll
from firefight.engine.board.counters import AskedValue
from firefight.engine.errors import RuleError
from firefight.engine.values import Json
from firefight.games import chartbooks, registry
from firefight.models import Act
from firefight.table.act.act import Done
from firefight.table.act.lines import LogLine
from firefight.table.act.table import Table
from firefight.table.board import changing, record
from firefight.table.consent import matters
from firefight.table.log import reading
from firefight.table.rolling import roll_counters

LINES = 60  # the most that an answer holds, the newest ones


def describe_match(table: Table) -> dict[str, object]:
    """How a match stands for this seat: its version, where it is in its course, what is due or to be answered."""
    match = table.match
    return {
        "match": match.pk,
        "game": match.game,
        "version": match.version,
        "last_number": match.last_number,
        "side": table.side,
        "ended": match.ended is not None,
        "place": record.known_place(match),
        "due": [describe_step(table, step) for step in match.state.queue_for(table.sees)],
        "proposed": [
            {"key": change.key, "name": change.name, "words": change.words, "number": change.number}
            for change in changing.list_proposed(table)
        ],
        "pending": describe_pending(table),
        "over": {"by": match.state.over, "line": match.state.over_line} if match.state.over else None,
    }


def describe_pending(table: Table) -> dict[str, object] | None:
    """What one side has proposed and another has to answer."""
    pending = matters.describe_pending(table)
    return {"sentence": pending.sentence, "mine": pending.mine, "lines": pending.lines} if pending else None


def describe_step(table: Table, step: DueRoll) -> dict[str, object]:
    """A due roll: the step that answers it, what fills its form, and which dice it asks for first."""
    helper = registry.helpers(table.match.game)[step.helper]
    described: Json = {"step": step.id, "helper": step.helper, "title": step.title}
    described["by"] = helper.find_decider(step.inputs) or step.read_by
    if record.fill_form(table, helper.form).sealed:  # the app fills in what nobody here may see
        return {**described, "inputs": {}, "dice": []}
    form = roll_counters.read_step(table.match, helper, step, roll_counters.fill_due_form(table, helper, step))
    if not form.is_valid():
        return {**described, "inputs": step.inputs, "errors": read_errors(form.errors)}
    inputs = form.inputs()
    described["inputs"] = form.plain_inputs()
    try:
        needs = helper.open(chartbooks.of_match(table.match), inputs).needs
    except RuleError as error:
        return {**described, "errors": error.by_field}
    return {**described, "dice": [spec.as_json() for spec in helper.specs(inputs) if needs]}


def describe_lines(lines: Iterable[LogLine]) -> list[Json]:
    """Lines of the log, the oldest first, each with the number of its act."""
    newest = list(lines)[:LINES][::-1]
    numbers = dict(Act.objects.filter(pk__in={line.act for line in newest}).values_list("pk", "number"))
    return [
        {
            **reading.export_line(line),
            "act": numbers.get(line.act),
            **({"step": line.due} if line.due else {}),
        }
        for line in newest
    ]


def read_errors(errors: Mapping[str, Iterable[object]]) -> dict[str, list[str]]:
    """What is wrong with a form, by field; what concerns no single field stands under the empty name."""
    return {"" if name == "__all__" else name: [str(error) for error in messages] for name, messages in errors.items()}


def tell_done(table: Table, done: Done) -> JsonResponse:
    """The outcome of an act: its number, its lines, and how the match stands after it."""
    since = replace(table, match=done.match)
    lines = describe_lines(reversed(reading.visible(done.entries, table.sees)))
    return JsonResponse({"act": done.act.number, "lines": lines, **describe_match(since)})


def tell_refusal(
    table: Table,
    sentence: str,
    status: int,
    errors: Mapping[str, Iterable[str]] | None = None,
    needs: Iterable[str] = (),
    questions: Sequence[AskedValue] = (),
) -> JsonResponse:
    """Why nothing was done, in a sentence and by field; the dice that are still needed, the values that are asked for.

    With how the match stands, since many refusals come from an older version.
    """
    answer: Json = {"error": sentence, "errors": {name: list(messages) for name, messages in (errors or {}).items()}}
    answer["needs"] = list(needs)
    answer["asked"] = [_tell_question(question) for question in questions]
    return JsonResponse({**answer, **describe_match(table)}, status=status)


def _tell_question(question: AskedValue) -> Json:
    """A question, with the bounds of its answer, or all possible answers."""
    choices = {"choices": {str(number): word for number, word in question.choices}} if question.choices else {}
    return {"field": question.field, "label": question.label, "low": question.low, "high": question.high, **choices}


def tell_form(
    table: Table,
    submission: Submission,
    sentence: str,
    status: int,
    needs: Iterable[str],
    questions: Sequence[AskedValue],
    hides: str,
) -> JsonResponse:
    """Why a roll was not made, with everything that is wrong with its form and its dice.

    ``hides``: the counters that it would show, to which its player has not agreed.
    """
    errors = read_errors(submission.form.errors) | {name: [message] for name, message in submission.die_errors.items()}
    errors |= {"shows": [hides]} if hides else {}
    errors |= {question.field: [f"{question.label}?"] for question in questions}
    reason = sentence or next(
        (message for messages in errors.values() for message in messages), "This is not enough yet."
    )
    return tell_refusal(table, reason, status if status >= 400 else 422, errors, needs, questions)
