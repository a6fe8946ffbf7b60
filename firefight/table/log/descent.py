"""Which rolls followed from which: the tree below a roll."""

from collections.abc import Collection, Sequence

from firefight.models import LogEntry, Match
from firefight.table.act.episodes import is_made_anew, parent_of

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
    """All rolls that stand and were asked for by an entry, or by one of these, oldest first. One query."""
    later = LogEntry.objects.filter(match=entry.match_id, number__gt=entry.number, voided_by=None).exclude(due="")
    reached, followers = {entry.number}, []
    for each in later.order_by("number"):
        if parent_of(each.due) in reached:
            reached.add(each.number)
            followers.append(each)
    return followers


def find_family(entry: LogEntry) -> list[LogEntry]:
    """All rolls that hang together with an entry, by being asked for or by correcting, oldest first. Two queries."""
    rolls = LogEntry.objects.filter(match=entry.match_id, kind=LogEntry.Kind.ROLL).order_by("number")
    above = {number: about or parent_of(due) for number, about, due in rolls.values_list("number", "about", "due")}
    root = entry.number
    while (upper := above[root]) in above and upper < root:
        root = upper
    reached = {root}
    for number, upper in above.items():
        if number > root and upper in reached:
            reached.add(number)
    return list(rolls.filter(number__in=reached))


def find_set_aside(family: Sequence[LogEntry], struck: Collection[int]) -> list[LogEntry]:
    """What earlier corrections struck of a family though nobody had mistyped it, and what stands nowhere now.

    ``struck``: numbers that go now. What went last comes first, so that nothing comes twice. What went with a roll that
    a rule had made once more is gone for good.
    """
    numbers = {entry.number for entry in family if not is_made_anew(entry.about, entry.due)}
    corrected = {entry.about for entry in family}
    kept = [entry for entry in family if entry.voided_by is None or entry.number in struck]
    used = {of for entry in kept for of in _origins(entry)}
    struck_before = [
        entry for entry in family if entry.voided_by in numbers and entry.number not in {*corrected, *struck}
    ]
    aside = []
    for entry in sorted(struck_before, key=lambda entry: (-(entry.voided_by or 0), entry.number)):
        if used.isdisjoint(_origins(entry)):
            used |= _origins(entry)
            aside.append(entry)
    return aside


def _origins(entry: LogEntry) -> set[int]:
    """The lines in which the dice of an entry were thrown."""
    return {die.of or entry.number for die in entry.rolls}
