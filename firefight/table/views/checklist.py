"""The checklist of a step: what is due, what the step asks for, what counters may try, each with its form."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import quote, urlencode

from firefight.assistant.desk import find_helper
from firefight.columns import DueRoll
from firefight.engine.course.keeping import Chance
from firefight.games import registry
from firefight.table.act.table import Table
from firefight.table.board import due, record_rules
from firefight.table.rolling import joint, steps
from firefight.web.addresses import address_of


def present_due(table: Table) -> dict[str, object]:
    """What is due, and the checklist of the step with what the step itself asks for."""
    queue = table.match.state.queue_for(table.sees)
    of_course, not_of_course = ([], queue) if table.match.ended else due.split_course(queue)
    items = [find_item(table, step) for step in not_of_course]
    return {
        "due": queue,
        "due_besides": not_of_course,
        "due_items": items,
        "checks": list_checks(table, of_course),
        "throws": count_throws(table, of_course),
    }


def count_throws(table: Table, of_course: Sequence[DueRoll]) -> int:
    """For how many rolls the app may throw at once; 0 where they are all of one kind, since a card takes those."""
    kinds = {step.helper for step in of_course}
    return sum(1 for _ in steps.order_throws(table)) if table.plays and len(kinds) > 1 else 0


class CheckItem(NamedTuple):
    """Something to do: what is due, or what a step of the course asks for or allows.

    ``words``: how and where; ``url``: the form for it, "" for an observer.
    """

    name: str
    words: str
    url: str


def list_checks(table: Table, due_here: Sequence[DueRoll]) -> dict[str, list[CheckItem]]:
    """The checklist of a step of the course: what is declared, what it asks for, what counters may try, by its title.

    A roll that it asks for only once stands under "". ``due_here``: what it asks for that is still due.
    """
    all_helpers, checks = registry.helpers(table.match.game), {}
    checks[""] = [
        CheckItem(place.title, place.words, f"{address_of('firefight:melee', table.match.pk)}?place={quote(place.id)}")
        for place in joint.list_places(table)
    ]
    kinds = Counter(step.helper for step in due_here)
    for step in due_here:
        title = all_helpers[step.helper].title if kinds[step.helper] > 1 else ""
        checks.setdefault(title, []).append(find_item(table, step))
    for title, chances in record_rules.list_chances(table).items():
        checks[title] = [CheckItem(chance.name, chance.words, find_chance_address(table, chance)) for chance in chances]
    return {title: items for title, items in checks.items() if items}


def find_item(table: Table, step: DueRoll) -> CheckItem:
    """A roll that is due, with its form."""
    url = f"{address_of('firefight:roll', table.match.pk, step.helper)}?step={step.id}" if table.plays else ""
    return CheckItem(step.title, "", url)


def find_chance_address(table: Table, chance: Chance) -> str:
    """Where a chance is taken."""
    if chance.roll:
        roles = {"firers": chance.ids, "targets": chance.at} if chance.fires else {"targets": chance.ids}
        query = urlencode({**roles, **chance.known}, doseq=True)
        return f"{address_of('firefight:roll', table.match.pk, chance.roll)}?{query}"
    query = urlencode({"chosen": chance.ids, **({"move": 1} if chance.moves else {})}, doseq=True)
    return f"{address_of('firefight:hand', table.match.pk)}?{query}"


def name_decider(table: Table, step: DueRoll) -> str:
    """The name of the side that alone decides or reads a due roll; "" where that may be done here."""
    step = due.find_prior(table.match, step) or step
    decider = find_helper(table.match.game, step.helper).find_decider(step.inputs) or step.read_by
    return "" if not decider or table.may_decide(decider) else table.game.name_of(decider)
