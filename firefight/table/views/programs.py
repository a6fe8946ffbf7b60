"""What a match answers to other programs, which ask for JSON: how it stands, what an act came to, why it was refused.

A page's view does the act; here stands what is said of it instead of a page (docs/json.md).
"""

from collections.abc import Iterable, Mapping, Sequence

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
from firefight.table.rolling import naming

LINES = 60  # that an answer tells of at most, the newest


def describe_match(table: Table) -> dict[str, object]:
    """How a match stands for whoever asks: its version, where it is in its course, what is due or to be answered."""
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
            {"key": each.key, "name": each.name, "words": each.words, "number": each.number}
            for each in changing.list_proposed(table)
        ],
        "pending": describe_pending(table),
        "over": {"by": match.state.over, "line": match.state.over_line} if match.state.over else None,
    }


def describe_pending(table: Table) -> dict[str, object] | None:
    """What one side has proposed and another has to answer."""
    pending = matters.describe_pending(table)
    return {"sentence": pending.sentence, "mine": pending.mine, "lines": pending.lines} if pending else None


def describe_step(table: Table, step: DueRoll) -> dict[str, object]:
    """A roll that is due: the step by which it is answered, what fills its form, and which dice it asks for first."""
    helper = registry.helpers(table.match.game)[step.helper]
    described: Json = {"step": step.id, "helper": step.helper, "title": step.title}
    described["by"] = helper.find_decider(step.inputs) or step.read_by
    if record.fill_form(table, helper.form).sealed:  # the app fills in what nobody here may see
        return {**described, "inputs": {}, "dice": []}
    form = naming.read_step(table.match, helper, step, naming.fill_due_form(table, helper, step))
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
    shown = list(lines)[:LINES][::-1]
    numbers = dict(Act.objects.filter(pk__in={line.act for line in shown}).values_list("pk", "number"))
    return [
        {
            **reading.export_line(line),
            "act": numbers.get(line.act),
            **({"step": line.due} if line.due else {}),
        }
        for line in shown
    ]


def read_errors(errors: Mapping[str, Iterable[object]]) -> dict[str, list[str]]:
    """What is wrong with a form, by field; what is about no single one stands under the empty name."""
    return {"" if name == "__all__" else name: [str(each) for each in said] for name, said in errors.items()}


def tell_done(table: Table, done: Done) -> JsonResponse:
    """What an act came to: its number, its lines, and how the match stands since."""
    since = Table(done.match, table.side, table.held, table.seats)
    lines = describe_lines(reversed(reading.visible(done.entries, table.sees)))
    return JsonResponse({"act": done.act.number, "lines": lines, **describe_match(since)})


def tell_refusal(
    table: Table,
    sentence: str,
    status: int,
    errors: Mapping[str, Iterable[str]] | None = None,
    needs: Iterable[str] = (),
    asked: Sequence[AskedValue] = (),
) -> JsonResponse:
    """Why nothing was done: in a sentence, and by field; the dice that are still needed, the values that are asked for.

    With how the match stands, since many a refusal comes of an older version.
    """
    told: Json = {"error": sentence, "errors": {name: list(said) for name, said in (errors or {}).items()}}
    told["needs"] = list(needs)
    told["asked"] = [_tell_asked(each) for each in asked]
    return JsonResponse({**told, **describe_match(table)}, status=status)


def _tell_asked(each: AskedValue) -> Json:
    """What is asked, with the bounds of its answer, or all the answers that there are."""
    choices = {"choices": {str(number): word for number, word in each.choices}} if each.choices else {}
    return {"field": each.field, "label": each.label, "low": each.low, "high": each.high, **choices}


def tell_form(
    table: Table,
    submission: Submission,
    sentence: str,
    status: int,
    needs: Iterable[str] = (),
    asked: Sequence[AskedValue] = (),
    hides: str = "",
) -> JsonResponse:
    """Why a roll was not made, with everything that is wrong with its form and its dice.

    ``hides``: whom it would show, which its player has not agreed to.
    """
    errors = read_errors(submission.form.errors) | {name: [said] for name, said in submission.die_errors.items()}
    errors |= {"shows": [hides]} if hides else {}
    errors |= {each.field: [f"{each.label}?"] for each in asked}
    said = sentence or next((each for messages in errors.values() for each in messages), "This is not enough yet.")
    return tell_refusal(table, said, status if status >= 400 else 422, errors, needs, asked)
