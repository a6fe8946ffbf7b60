"""A lesson at a table: its example set out as a match begins, and the hint that its players have reached.

What was done is in the log. Besides that a match keeps only what no log tells: which lesson it is, what was opened on
a page, and that its players want no more hints. So undo, a second device and a reloaded page find the same hint, and a
match without a lesson is not affected.
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
from firefight.table.consent import adding, counter_acts
from firefight.table.consent.hand_set import HandSet
from firefight.table.rolling import advancing

Kind = LogEntry.Kind


@dataclass(frozen=True, slots=True)
class ShownLesson:
    """What a page shows of a lesson: the open hints in their order, or its ending with the next lesson."""

    steps: Sequence[LessonStep] = ()
    ending: str = ""
    following: Lesson | None = None


def set_lesson_out(table: Table, lesson: Lesson) -> None:
    """Set out the example of a lesson on the table of a new match, and show its first hint.

    Its players did not do this, so taking back passes over it.
    """
    with transaction.atomic():
        for group in lesson.counters:
            table = _set_counters_out(table, group)
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


def _set_counters_out(table: Table, group: SetOut) -> Table:
    """Bring in a side's counters, and put them where the example has them."""
    before, owner = table.match.state.counters, replace(table, side=group.side)
    new_counters = adding.read_pasted(table.match, group.list, group.side)
    owner = _go_on(owner, adding.add_counters(owner, _fresh_id(), None, new_counters))
    fresh = sorted(counter_id for counter_id in owner.match.state.counters if counter_id not in before)
    placing = HandSet(place=group.place)
    return _go_on(table, counter_acts.set_counters(owner, _fresh_id(), owner.match.version, fresh, placing))


def _keep_lesson(match: Match, lesson: LessonState) -> None:
    match.lesson = lesson
    match.save(update_fields=["lesson"])


def find_lesson(match: Match) -> Lesson | None:
    """The lesson that a match is, if its players still want its hints."""
    state = match.lesson
    return None if state is None or state.is_over or match.ended else list_lessons(match.game).get(state.slug)


def show_lesson(table: Table) -> ShownLesson | None:
    """The hints that are open for this seat; None where there are none. One query in a lesson."""
    lesson = find_lesson(table.match)
    if lesson is None or table.match.lesson is None or not table.plays:
        return None
    open_ones = find_open_steps(lesson, table.match.lesson.opened, table.match)
    if not open_ones:
        return ShownLesson((), lesson.ending, find_next_lesson(table.match.game, lesson.slug))
    own_steps = [step for step in open_ones if not step.by or table.may_decide(step.by)]
    return ShownLesson(own_steps) if own_steps else None


def find_open_steps(lesson: Lesson, opened: Collection[str], match: Match) -> list[LessonStep]:
    """The hints up to the next one that the match itself can call done; none once all are done.

    ``opened``: those that a page has reported as done.
    """
    lines = list(match.log.values_list("kind", "helper", "voided_by"))
    rolled = {helper for kind, helper, voided in lines if kind == Kind.ROLL and voided is None}
    kinds = {kind for kind, _, _ in lines}
    rolls_so_far: set[str] = set()  # the rolls of this hint and those before it
    done = []
    for place, step in enumerate(lesson.steps):
        rolls_so_far |= set(step.rolled)
        is_settled = step.settled and not match.state.queue and not rolled.isdisjoint(rolls_so_far)
        if step.slug in opened or not rolled.isdisjoint(step.rolled) or step.told in kinds or is_settled:
            done.append(place)
    steps_left = [
        step for place, step in enumerate(lesson.steps) if place not in done and not _is_behind(lesson, place, done)
    ]
    last_place = next((place for place, step in enumerate(steps_left) if step.is_logged), len(steps_left))
    return steps_left[: last_place + 1]


def _is_behind(lesson: Lesson, place: int, done: Collection[int]) -> bool:
    """Whether something later was done that play reaches only through this hint.

    Opening something on a sheet does not settle the hint that leads to that sheet, which may be closed again; and
    taking back, or the end of a turn, may come at any time.
    """
    later = (later_place for later_place in done if later_place > place and not lesson.steps[later_place].told)
    return not lesson.steps[place].told and any(
        step.is_logged for later_place in later for step in lesson.steps[place : later_place + 1]
    )


def note_opened(match: Match, slug: str) -> None:
    """Remember that a page has opened what a hint talks about."""
    lesson = find_lesson(match)
    if lesson and match.lesson and any(step.slug == slug and step.once for step in lesson.steps):
        _keep_lesson(match, replace(match.lesson, opened=(*dict.fromkeys((*match.lesson.opened, slug)),)))


def end_hints(match: Match) -> None:
    if match.lesson:
        _keep_lesson(match, replace(match.lesson, is_over=True))
