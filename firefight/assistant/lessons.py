"""Lessons of a game: a small example that is set out on a table, and hints that are gone once they are done.

A game's file (``data/lessons.toml``) says what stands where, and for each hint what it stands beside, its one sentence
and when it is done. What plays on a table knows nothing of lessons; docs/lessons.md has the fields of the file.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from firefight.engine.values import Values
from firefight.games import registry

LONGEST_HINT = 160  # characters of a sentence that stands beside something on a phone
PLACES = ("before", "after", "inside")


@dataclass(frozen=True, slots=True)
class LessonStep:
    """A hint. ``says``: its sentence. ``by``: the side that does it; "" for whoever plays.

    ``beside``: a selector for what it is about. ``at``: a selector for what around that the hint stands ``before``,
    ``after`` or ``inside`` (``stands``); "" for the thing itself.

    It is done by what the log says: a roll of one of the ``rolled`` helpers that stands; or a line of the kind
    ``told``. Or by what is due: ``settled``, once nothing is, after a roll. Or by what is opened on the page: a
    selector ``once``, remembered for good. Or by what may still come to nothing, so that the hint comes back: while
    the page has something of a selector ``until``, or somebody has filled in a box ``filled``.
    """

    slug: str
    says: str
    beside: str
    at: str = ""
    stands: str = "before"
    by: str = ""
    rolled: tuple[str, ...] = ()
    told: str = ""
    settled: bool = False
    once: str = ""
    until: str = ""
    filled: str = ""

    @property
    def is_logged(self) -> bool:
        """Whether the match itself says when it is done."""
        return bool(self.rolled or self.told or self.settled)


@dataclass(frozen=True, slots=True)
class SetOut:
    """Counters as the example begins: a side, a list as players write it, and the place where all of them stand."""

    side: str
    list: str
    place: str


@dataclass(frozen=True, slots=True)
class Lesson:
    """An example with its hints. ``gist``: what it is, in a line. ``side``: whose seat the learner takes.

    ``counters``: what stands where. ``values``: of the record by path, in their order, rows as changes of their field.
    ``agreed``: the options that its match begins with. ``ending``: what is said once all of it is done.
    """

    slug: str
    title: str
    gist: str
    side: str
    ending: str
    steps: tuple[LessonStep, ...]
    counters: tuple[SetOut, ...] = ()
    values: tuple[tuple[str, Any], ...] = ()
    agreed: Mapping[str, str] = field(default_factory=dict)


class BadLesson(ValueError):
    """A file of lessons that must not be used; the message lists everything that is wrong with it."""


@cache
def list_lessons(game: str) -> Mapping[str, Lesson]:
    """A game's lessons by slug, in their order; none where it has no file. Raises BadLesson."""
    plain = registry.data_of_game(game, "lessons")
    return read_lessons(game, plain) if plain else {}


def read_lessons(game: str, plain: Values) -> Mapping[str, Lesson]:
    """A game's lessons out of plain values. Raises BadLesson."""
    lessons = {row["slug"]: _read_lesson(row) for row in plain["lesson"]}
    if flaws := [flaw for lesson in lessons.values() for flaw in _find_lesson_flaws(game, lesson)]:
        raise BadLesson(" ".join(flaws))
    return lessons


def find_next_lesson(game: str, slug: str) -> Lesson | None:
    """The lesson that comes after one; None after the last."""
    lessons = list(list_lessons(game).values())
    return next((after for lesson, after in zip(lessons, lessons[1:], strict=False) if lesson.slug == slug), None)


def _read_lesson(row: Values) -> Lesson:
    return Lesson(
        row["slug"],
        row["title"],
        row["gist"],
        row["side"],
        row["ending"],
        steps=tuple(LessonStep(**{**step, "rolled": tuple(step.get("rolled", ()))}) for step in row["step"]),
        counters=tuple(SetOut(**counter) for counter in row.get("counters", ())),
        values=tuple((entry["path"], entry["value"]) for entry in row.get("value", ())),
        agreed=row.get("agreed", {}),
    )


def _find_lesson_flaws(game: str, lesson: Lesson) -> Iterator[str]:
    """Everything that is wrong with a lesson, in words."""
    sides, helpers = registry.games()[game].sides, registry.helpers(game)
    if lesson.side not in sides:
        yield f"{lesson.slug}: there is no side {lesson.side}."
    choices = {option.slug: option.choices for option in registry.games()[game].all_options}
    for slug, choice in lesson.agreed.items():
        if choice not in choices.get(slug, ()):
            yield f"{lesson.slug}: {slug} = {choice} cannot be agreed."
    for step in lesson.steps:
        label = f"{lesson.slug}, {step.slug}:"
        if step.by and step.by not in sides:
            yield f"{label} there is no side {step.by}."
        yield from (f"{label} there is no roll {slug}." for slug in step.rolled if slug not in helpers)
        if len(step.says) > LONGEST_HINT or not step.says.endswith("."):
            yield f"{label} a hint is one sentence of at most {LONGEST_HINT} characters."
        if step.stands not in PLACES:
            yield f"{label} it stands {', '.join(PLACES)}."
        if not (step.is_logged or step.once or step.until or step.filled):
            yield f"{label} nothing says when it is done."
    if not lesson.steps or not lesson.steps[-1].is_logged and not lesson.steps[-1].once:
        yield f"{lesson.slug}: nothing says when the last hint is done."
