"""A lesson at a table: its example set out as a match begins, and which hint its players are at.

What was done stands in the log. A match keeps beside that only what no log tells: which lesson it is, what was opened
on a page, and that its players want no more hints. So undo, a second device and a page that is loaded anew find the
same hint, and whoever has not asked for a lesson has nothing of it.
"""

import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from django.db import transaction

from firefight.assistant.lessons import Lesson, LessonStep, SetOut, find_next_lesson, list_lessons
from firefight.columns import LessonState
from firefight.models import Act, LogEntry, Match
from firefight.table.act import performing
from firefight.table.act.act import Done
from firefight.table.act.table import Table
from firefight.table.consent import counter_acts
from firefight.table.consent.counter_acts import HandSet
from firefight.table.rolling import advancing

Kind = LogEntry.Kind


@dataclass(frozen=True, slots=True)
class ShownLesson:
    """What a page shows of a lesson: the hints that are open, in their order, or its ending with what comes next."""

    steps: Sequence[LessonStep] = ()
    ending: str = ""
    following: Lesson | None = None


def set_lesson_out(table: Table, lesson: Lesson) -> None:
    """Have the example of a lesson stand on the table of a new match, and its first hint be shown.

    It was not done by its players, so that taking back passes over it.
    """
    with transaction.atomic():
        for some in lesson.counters:
            table = _set_counters_out(table, some)
        for path, value in lesson.values:
            table = _go_on(table, advancing.set_value(table, _fresh_id(), table.match.version, path, value))
        done = Act.objects.filter(match=table.match)
        done.update(taken_back=True)
        performing.drop_undo(done)
        _keep_lesson(table.match, LessonState(lesson.slug))


def _fresh_id() -> str:
    return str(uuid.uuid4())


def _go_on(table: Table, done: Done) -> Table:
    return replace(table, match=done.match)


def _set_counters_out(table: Table, some: SetOut) -> Table:
    """Bring a side's counters in, and let them stand where the example has them."""
    before, owner = table.match.state.counters, replace(table, side=some.side)
    wanted = counter_acts.read_pasted(table.match, some.list, some.side)
    owner = _go_on(owner, counter_acts.add_counters(owner, _fresh_id(), None, wanted))
    fresh = sorted(each for each in owner.match.state.counters if each not in before)
    placing = HandSet(place=some.place)
    return _go_on(table, counter_acts.set_counters(owner, _fresh_id(), owner.match.version, fresh, placing))


def _keep_lesson(match: Match, lesson: LessonState) -> None:
    match.lesson = lesson
    match.save(update_fields=["lesson"])


def find_lesson(match: Match) -> Lesson | None:
    """The lesson that a match is, if its players still want its hints."""
    kept = match.lesson
    return None if kept is None or kept.is_over or match.ended else list_lessons(match.game).get(kept.slug)


def show_lesson(table: Table) -> ShownLesson | None:
    """The hints that are open for who looks at a table; None where there are none for them. One query in a lesson."""
    lesson = find_lesson(table.match)
    if lesson is None or table.match.lesson is None or not table.plays:
        return None
    open_ones = find_open_steps(lesson, table.match.lesson.opened, table.match)
    if not open_ones:
        return ShownLesson((), lesson.ending, find_next_lesson(table.match.game, lesson.slug))
    own = [step for step in open_ones if not step.by or table.may_decide(step.by)]
    return ShownLesson(own) if own else None


def find_open_steps(lesson: Lesson, opened: Collection[str], match: Match) -> list[LessonStep]:
    """The hints up to the next that the match itself calls done; none once all are.

    ``opened``: those that a page has said to be done.
    """
    lines = list(match.log.values_list("kind", "helper", "voided_by"))
    rolled = {helper for kind, helper, voided in lines if kind == Kind.ROLL and voided is None}
    kinds = {kind for kind, _, _ in lines}
    asked: set[str] = set()  # of the rolls of this hint and those before it
    done = []
    for place, step in enumerate(lesson.steps):
        asked |= set(step.rolled)
        is_settled = step.settled and not match.state.queue and not rolled.isdisjoint(asked)
        if step.slug in opened or not rolled.isdisjoint(step.rolled) or step.told in kinds or is_settled:
            done.append(place)
    left = [
        step for place, step in enumerate(lesson.steps) if place not in done and not _is_behind(lesson, place, done)
    ]
    last = next((place for place, step in enumerate(left) if step.is_logged), len(left))
    return left[: last + 1]


def _is_behind(lesson: Lesson, place: int, done: Collection[int]) -> bool:
    """Whether something later was done that play comes to only by this hint.

    What is opened on a sheet leaves the way to that sheet open, which may be closed again; and taking back, or the end
    of a turn, may come at any time.
    """
    later = (each for each in done if each > place and not lesson.steps[each].told)
    return not lesson.steps[place].told and any(
        step.is_logged for each in later for step in lesson.steps[place : each + 1]
    )


def note_opened(match: Match, slug: str) -> None:
    """Remember that a page has opened what a hint speaks of."""
    lesson = find_lesson(match)
    if lesson and match.lesson and any(step.slug == slug and step.once for step in lesson.steps):
        _keep_lesson(match, replace(match.lesson, opened=(*dict.fromkeys((*match.lesson.opened, slug)),)))


def end_hints(match: Match) -> None:
    """No more hints in this match."""
    if match.lesson:
        _keep_lesson(match, replace(match.lesson, is_over=True))
