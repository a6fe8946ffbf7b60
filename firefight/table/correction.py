"""What goes with a roll that is corrected: everything that followed from it, whether rolled or due.

Where the corrected roll asks for the same check again, the dice that were thrown for it stand, also where an earlier
correction had struck them: nobody throws twice, neither because it suits them nor because they must.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from firefight.assistant import registry
from firefight.assistant.fields import HelperForm
from firefight.assistant.registry import Helper, Thrower
from firefight.columns import DueRoll, Rolled, Rolls
from firefight.engine.charts.book import Book
from firefight.engine.errors import RuleError
from firefight.engine.rolls.dice import DieSpec
from firefight.engine.rolls.result import FollowUp, Result
from firefight.models import LogEntry, Match

MOST_OFFERED = 6  # rolls of which one may be made once more


def parent_of(due: str) -> int:
    """The number of the line that asked for a step, by the step's id; 0 where a file has another kind of id."""
    head = due.partition("-")[0]
    return int(head) if head.isascii() and head.isdigit() else 0


def find_repeatable(match: Match, number: int, helper: str) -> LogEntry | None:
    """The roll of a line that a rule may have made once more: it stands, all know it, and dice decided it."""
    of_line = LogEntry.objects.filter(match=match, number=number, kind=LogEntry.Kind.ROLL, helper=helper)
    entry = of_line.filter(voided_by=None, secret="").first()
    return entry if entry and entry.rolls else None


def list_repeatable(match: Match) -> list[LogEntry]:
    """The last rolls that a rule may have made once more, newest first. One query."""
    rolls = LogEntry.objects.filter(match=match, kind=LogEntry.Kind.ROLL, voided_by=None, secret="")
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
    found = [entry for entry in family if entry.voided_by in numbers and entry.number not in {*corrected, *struck}]
    aside = []
    for entry in sorted(found, key=lambda entry: (-(entry.voided_by or 0), entry.number)):
        if used.isdisjoint(_origins(entry)):
            used |= _origins(entry)
            aside.append(entry)
    return aside


def is_made_anew(about: int | None, due: str) -> bool:
    """Whether a roll stands in the place of another by a rule, which asked for it after that one; else it corrects it.

    >>> is_made_anew(5, "7-0"), is_made_anew(5, "3-0"), is_made_anew(None, "7-0")
    (True, False, False)
    """
    return about is not None and parent_of(due) > about


def _origins(entry: LogEntry) -> set[int]:
    """The lines in which the dice of an entry were thrown."""
    return {die.of or entry.number for die in entry.rolls}


def strike_due(match: Match, gone: Iterable[LogEntry]) -> None:
    """Take off the lists what these entries had asked for, and what they would make of counters."""
    numbers = {entry.number for entry in gone}
    left = tuple(step for step in match.state.queue if parent_of(step.id) not in numbers)
    proposed = tuple(each for each in match.state.proposed if each.number not in numbers)
    match.state = replace(match.state, queue=left, proposed=proposed)


def find_asked(family: Iterable[LogEntry]) -> dict[str, FollowUp]:
    """What these rolls have asked for, by the ids of the steps."""
    results = [(entry.number, entry.result) for entry in family if entry.result]
    return {f"{number}-{place}": step for number, came in results for place, step in enumerate(came.follow_ups)}


def find_step(match: Match, fresh: Collection[int], was: FollowUp) -> DueRoll | None:
    """The step that asks for the same check as an old one did, among those that the ``fresh`` entries ask for."""
    wanted = (was.helper, was.title)
    steps = (step for step in match.state.queue if parent_of(step.id) in fresh)
    return next((step for step in steps if (step.helper, step.title) == wanted), None)


def play_again(
    helper: Helper, book: Book, old: LogEntry, inputs: Mapping[str, Any]
) -> tuple[HelperForm, Result, Rolls] | None:
    """A roll with its old dice and these inputs; None where they do not fit any more."""
    form = helper.form.from_plain(inputs, book=book, chained=True)
    if not form.is_valid():
        return None
    try:
        result, rolled = registry.play_helper(helper, book, form.inputs(), _dice_of(old))
    except RuleError:
        return None
    if result.needs:
        return None
    origins = {die.die: die.of or old.number for die in old.rolls}
    return form, result, tuple(replace(die, of=origins[die.die]) for die in rolled)


def find_own_entries(helper: Helper, book: Book, old: LogEntry, filled: Mapping[str, Any]) -> dict[str, Any]:
    """What players had entered on the old form besides what it was ``filled`` with."""
    untouched = helper.form.from_plain(filled, book=book, chained=True)
    plain = untouched.plain_inputs() if untouched.is_valid() else {}
    fields = helper.form.base_fields
    return {name: value for name, value in old.inputs.items() if name in fields and plain.get(name) != value}


def _dice_of(old: LogEntry) -> Thrower:
    """The throws of an old roll; of one that was made again because the rule said so, the last."""
    left: dict[tuple[str, int], list[Rolled]] = {}
    for die in old.rolls:
        left.setdefault((die.die, die.sides), []).append(replace(die, side="", of=None))

    def throw(spec: DieSpec) -> Rolls | None:
        fell: list[Rolled] = []
        dice = left.pop((spec.name, spec.sides), [])
        while dice and sum(die.dice for die in fell) < spec.highest:
            fell.insert(0, replace(dice.pop(), label=spec.label))
        return tuple(fell) if spec.fewest <= sum(die.dice for die in fell) <= spec.highest else None

    return throw


def describe(corrected: int, gone: Sequence[LogEntry], again: Sequence[LogEntry]) -> str:
    """What the log says of everything that went with a corrected roll."""
    told = []
    if gone:
        number = len(gone)
        rolls = "1 roll that followed from it goes" if number == 1 else f"{number} rolls that followed from it go"
        told.append(f"With № {corrected}, {rolls}: {', '.join(f'№ {entry.number}' for entry in gone)}.")
    thrown = [f"№ {entry.number}" for entry in again if entry.rolls]
    if thrown:
        told.append(f"The same dice stand for: {', '.join(thrown)}.")
    return " ".join(told)
