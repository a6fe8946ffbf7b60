"""Which lines of a log belong together: an act, and all that followed from it, is one episode.

A roll goes on with the episode that asked for it, whoever makes it and whenever; what an act writes besides belongs to
what it wrote first. A step of the course asks for rolls that have nothing to do with each other, so each of them
begins an episode. Counters that one side sets by hand one after the other are one placing.

Only what everybody may know of a line decides, so that nobody learns a secret from what stands together.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from firefight.engine.values import Values
from firefight.models import LogEntry, Match


def parent_of(due: str) -> int:
    """The number of the line that asked for a step, by the step's id; 0 where a file has another kind of id."""
    head = due.partition("-")[0]
    return int(head) if head.isascii() and head.isdigit() else 0


def is_made_anew(about: int | None, due: str) -> bool:
    """Whether a rule put a roll in the place of another, asking for it after that one; else it corrects that one.

    >>> is_made_anew(5, "7-0"), is_made_anew(5, "3-0"), is_made_anew(None, "7-0")
    (True, False, False)
    """
    return about is not None and parent_of(due) > about


Kind = LogEntry.Kind


MOST_PLACED = 40  # lines of one placing

OF_COURSE = "h"  # how the place of a due roll begins that a step of the course asks for: due.HOUSE


class Joined(NamedTuple):
    """What the next line needs of an earlier one: its kind, the act that wrote it, and where its episode begins."""

    kind: str
    act: Any
    begin: int


def find_asking(kind: str, about: int | None, due: str, voids: Sequence[int]) -> int:
    """The number of the line that another one goes on from: the one that asked for it, whose roll it replaces, or
    whose roll changed the counter; 0 for none.

    >>> find_asking("roll", None, "35-0", []), find_asking("counter", 36, "", []), find_asking("note", 36, "", [])
    (35, 36, 0)
    """
    if kind == Kind.ROLL:
        return about or (0 if due.partition("-")[2].startswith(OF_COURSE) else parent_of(due))
    return about or 0 if kind == Kind.COUNTER and not voids else 0


def join_episode(match: Match, entry: LogEntry) -> None:
    """Let a new line say to which episode it belongs. One query at most: none where the line that asked is new too."""
    fresh: dict[int, Joined] = vars(match).setdefault("fresh_lines", {})
    parent, before, begin = find_asking(entry.kind, entry.about, entry.due, entry.voids), None, entry.number
    if parent:
        parent_line = fresh.get(parent) or _read_line(match, parent)
        begin = begin if parent_line is None or parent_line.kind == Kind.TURN else parent_line.begin
    elif (before := fresh.get(entry.number - 1)) and before.act is not None and before.act == entry.act_id:
        begin = before.begin
    elif _is_placing(entry):
        begin = _find_placing(match, entry)
    entry.episode = None if begin == entry.number else begin
    fresh[entry.number] = Joined(entry.kind, entry.act_id, begin)


def _read_line(match: Match, number: int) -> Joined | None:
    line = match.log.filter(number=number).values_list("kind", "act_id", "episode").first()
    return Joined(line[0], line[1], line[2] or number) if line else None


def _is_placing(entry: LogEntry) -> bool:
    """Whether a line is about counters that a hand has set, as far as everybody may know."""
    return entry.kind == Kind.COUNTER and entry.about is None and not entry.voids


def _find_placing(match: Match, entry: LogEntry) -> int:
    """Where the placing begins that a side goes on with; the line's own number where it begins one."""
    line_before = match.log.filter(number=entry.number - 1, side=entry.side, voided_by=None).first()
    if line_before is None or not _is_placing(line_before) or _tell_kind(line_before) != _tell_kind(entry):
        return entry.number
    begin = line_before.episode or line_before.number
    return begin if entry.number - begin < MOST_PLACED else entry.number


def _tell_kind(entry: LogEntry) -> str:
    """How a line about counters begins, for all to read: by hand, into play, under seal."""
    return entry.sentence.partition(",")[0] if entry.sentence.startswith("By hand,") else entry.sentence[:9]


def find_episodes(lines: Sequence[Values]) -> dict[int, int]:
    """Where the episode of each line begins that goes on with one, by their numbers: for a file from before lines said
    so, which does not name acts either. ``lines``: as an archive holds them, oldest first."""
    begins: dict[int, int] = {}
    kinds = {line["number"]: line["kind"] for line in lines}
    for line in lines:
        number = line["number"]
        parent = find_asking(line["kind"], line.get("about"), line.get("due", ""), line.get("voids", ()))
        if 0 < parent < number and kinds.get(parent) != Kind.TURN:
            begins[number] = begins.get(parent, parent)
    return begins
