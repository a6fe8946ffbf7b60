"""Which rolls followed from which: the tree below a roll."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from django.db.models import Q

from firefight.columns import Rolls
from firefight.models import LogEntry, Match
from firefight.table.act.episodes import is_made_anew, parent_of

# What rolls did to counters, which may ask for rolls, too.
CHANGES_OF_ROLLS = Q(kind=LogEntry.Kind.COUNTER, about__isnull=False)
READ_AT_ONCE = 20  # lines: mostly a line goes on from one just before
MOST_OFFERED = 6  # rolls of which one may be made once more


def find_repeatable(match: Match, number: int, helper: str) -> LogEntry | None:
    """The roll of a line that a rule may have made once more: it stands, all know it, and dice decided it."""
    of_line = match.log.filter(number=number, kind=LogEntry.Kind.ROLL, helper=helper)
    entry = of_line.filter(voided_by=None, secret="").first()
    return entry if entry and entry.rolls else None


def list_repeatable(match: Match) -> list[LogEntry]:
    """The last rolls that a rule may have made once more, newest first. One query."""
    rolls = match.log.filter(kind=LogEntry.Kind.ROLL, voided_by=None, secret="")
    return [entry for entry in rolls.order_by("-number")[: 2 * MOST_OFFERED] if entry.rolls][:MOST_OFFERED]


def find_followers(entry: LogEntry) -> list[LogEntry]:
    """All rolls that stand and were asked for by an entry, or by one of these, or by what these did to a counter,
    oldest first. One query."""
    later_lines = LogEntry.objects.filter(match=entry.match_id, number__gt=entry.number)
    reached, followers = {entry.number}, []
    for line in later_lines.filter(Q(voided_by=None) & ~Q(due="") | CHANGES_OF_ROLLS).order_by("number"):
        if line.kind == LogEntry.Kind.COUNTER:
            reached |= {line.number} if line.about in reached else set()
        elif parent_of(line.due) in reached:
            reached.add(line.number)
            followers.append(line)
    return followers


class Above(NamedTuple):
    """What a line says about the earlier ones that it depends on."""

    act: Any
    kind: str
    about: int | None
    due: str
    rolls: Rolls

    @property
    def asked_by(self) -> int:
        """The number of the line whose roll this one takes the place of, or that asked for it; 0 for none."""
        return self.about or parent_of(self.due)

    @property
    def replaces(self) -> int:
        """The number of the line whose roll this one takes the place of, or whose dice stand in it; 0 for none."""
        return self.about or next((die.of for die in self.rolls if die.of), None) or 0


class Climb:
    """The way up from a line to those that it depends on: reads these, and what stands just before them, no more."""

    def __init__(self, match_id: str):
        self.log = LogEntry.objects.filter(match=match_id)
        self.read: dict[int, Above] = {}

    def find(self, number: int) -> Above | None:
        """A line by its number. One query, or none where it stands just before one that was read."""
        if number not in self.read and number > 0:
            lines = self.log.filter(number__gt=number - READ_AT_ONCE, number__lte=number)
            rows = lines.values_list("number", "act_id", "kind", "about", "due", "rolls")
            self.read |= {
                line_number: Above(act, kind, about, due, rolls) for line_number, act, kind, about, due, rolls in rows
            }
        return self.read.get(number)

    def find_root(self, number: int) -> int:
        """Where a roll stood first, before it was corrected or rolled again."""
        while (line := self.find(number)) and 0 < line.replaces < number and self.find(line.replaces):
            number = line.replaces
        return number

    def find_eldest(self, number: int) -> int:
        """The first of the rolls that a roll is connected with, by being asked for or by correcting."""
        while (line := self.find(number)) and 0 < (upper := line.asked_by) < number and self._is_roll(upper):
            number = upper
        return number

    def find_place(self, number: int) -> int:
        """Where a line counts: a correction, with all that comes with it, where the corrected roll stood."""
        while line := self.find(number):
            about = line.about if line.kind == LogEntry.Kind.ROLL else None
            about = about or self._find_corrected(line.act, number)
            if not about or about >= number:
                break
            number = about
        return number

    def _is_roll(self, number: int) -> bool:
        line = self.find(number)
        return line is not None and line.kind == LogEntry.Kind.ROLL

    def _find_corrected(self, act: Any, number: int) -> int | None:
        """What an act had last corrected when it came to a line. One query, of that act alone."""
        rolls = LogEntry.objects.filter(act=act, number__lt=number, kind=LogEntry.Kind.ROLL, about__isnull=False)
        return rolls.order_by("-number").values_list("about", flat=True).first() if act else None


def find_family(entry: LogEntry) -> list[LogEntry]:
    """All rolls that are connected with an entry, by being asked for or by correcting, oldest first. Nothing before the
    first of them is read but what it depends on."""
    root = Climb(entry.match_id).find_eldest(entry.number)
    rolls = LogEntry.objects.filter(match=entry.match_id, kind=LogEntry.Kind.ROLL).order_by("number")
    reached = {root}
    for number, about, due in rolls.filter(number__gt=root).values_list("number", "about", "due"):
        if (about or parent_of(due)) in reached:
            reached.add(number)
    return list(rolls.filter(number__in=reached))


def find_set_aside(family: Sequence[LogEntry], struck: Collection[int]) -> list[LogEntry]:
    """What earlier corrections struck in a family though nobody had mistyped it, and what stands nowhere now.

    ``struck``: numbers that go now. What went last comes first, so that nothing comes twice. What went with a roll that
    a rule had made once more is gone for good.
    """
    numbers = {entry.number for entry in family if not is_made_anew(entry.about, entry.due)}
    corrected = {entry.about for entry in family}
    standing = [entry for entry in family if entry.voided_by is None or entry.number in struck]
    origins_used = {of for entry in standing for of in _origins(entry)}
    struck_before = [
        entry for entry in family if entry.voided_by in numbers and entry.number not in {*corrected, *struck}
    ]
    aside = []
    for entry in sorted(struck_before, key=lambda entry: (-(entry.voided_by or 0), entry.number)):
        if origins_used.isdisjoint(_origins(entry)):
            origins_used |= _origins(entry)
            aside.append(entry)
    return aside


def _origins(entry: LogEntry) -> set[int]:
    """The lines in which the dice of an entry were thrown."""
    return {die.of or entry.number for die in entry.rolls}
