"""Going back past more than one act, where nobody else could be asked: to where a turn began, or before any act.

All of it is one act, and marked: the log and the report tell how many were taken back. The numbers of the app's dice
that were used stay used, so nobody rolls the same again by going back.
"""

from dataclasses import dataclass

from django.db.models import Min

from firefight.models import Act, LogEntry, Match
from firefight.table.act.act import MatchAct
from firefight.table.act.line_keys import BACK_TO
from firefight.table.act.performing import match_act
from firefight.table.act.ports import ledger_of
from firefight.table.act.refusals import Refused
from firefight.table.act.snapshots import BEGINNING
from firefight.table.act.table import Table

from . import takeback

MOST_SINGLE = 20  # acts that the page lists one by one
WITH_OTHERS = "Others play here, who would have to agree: take back act by act, or branch off. Nothing was done."
IN_CAMPAIGN = "A campaign goes back act by act, or by a branch. Nothing was done."
NOTHING_SINCE = "Nothing was done since then that could be taken back."
OF_FILE = "What came with a file cannot be taken back: branch off where it was saved. Nothing was done."


@dataclass(frozen=True, slots=True)
class BackMoment:
    """Where one can go back to: after the line with this number. ``words``: what the page calls it."""

    number: int
    words: str


def say_why_not_back(table: Table) -> str:
    """Why nobody can go back here past one act, "" where they can."""
    if not table.asks_nobody:
        return WITH_OTHERS
    return IN_CAMPAIGN if ledger_of(table.match).leads else ""


def list_acts(match: Match) -> list[BackMoment]:
    """The last acts that stand, newest first, each with the moment before it and what it has said. Two queries."""
    acts = match.acts.filter(taken_back=False).order_by("-number").annotate(first=Min("entries__number"))[:MOST_SINGLE]
    firsts = [act.first for act in acts if act.first]
    sentences = dict(match.log.filter(number__in=firsts).values_list("number", "sentence"))
    return [BackMoment(number - 1, f"№ {number}: {sentences[number]}") for number in firsts]


@match_act()
def go_back(act: MatchAct, number: int) -> None:
    """Take back all that was done after the line with this number. Raises Refused, Stale."""
    if reason := say_why_not_back(act.table):
        raise Refused(reason)
    act.row.taken_back = True  # an act about other acts cannot be taken back in turn
    match = act.match
    since = list(match.acts.filter(taken_back=False, entries__number__gt=number).distinct().order_by("-number"))
    if not since:
        raise Refused(NOTHING_SINCE)
    _check(match, number, since)
    match.proposal = None
    lines = list(LogEntry.objects.filter(act__in=since).only("number", "kind", "voids", "about").order_by("number"))
    acts = "1 act" if len(since) == 1 else f"{len(since)} acts"
    sentence = f"{BACK_TO} {_call_moment(match, number)}: {acts} taken back, {{}}."
    act.entries.append(takeback.undo(match, act.row, since, lines, sentence))


def _check(match: Match, number: int, since: list[Act]) -> None:
    """Raise Refused where the moment lies in the middle of an act, or before what can be taken back."""
    first_number = LogEntry.objects.filter(act__in=since).aggregate(first=Min("number"))["first"]
    if first_number <= number:
        raise Refused(f"№ {number} lies in the middle of an act: go back to № {first_number - 1}. Nothing was done.")
    from_file = match.log.filter(number__gt=number, act=None).exclude(kind=LogEntry.Kind.SEAT)
    if from_file.exists():
        raise Refused(OF_FILE)


def _call_moment(match: Match, number: int) -> str:
    label = match.snapshots.filter(number=number).values_list("label", flat=True).first()
    if label is None:
        return f"№ {number}"
    return f"{label[:1].lower()}{label[1:]}" if label == BEGINNING else f"the beginning of {label}"
