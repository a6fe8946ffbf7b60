"""Taking acts back: which ones, by what name, and putting everything as it was before them."""

from collections.abc import Callable, Sequence

from django.db.models import Min, Subquery
from django.db.models.functions import Coalesce

from firefight.columns import MatchState
from firefight.engine.text import split_runs
from firefight.models import Act, LogEntry, Match, Snapshot
from firefight.table.act import snapshots, writing
from firefight.table.act.differences import BadDifference, apply_difference
from firefight.table.act.performing import drop_undo
from firefight.table.act.refusals import Refused
from firefight.table.act.undo import find_touched_rows, is_shared, put_rows_back
from firefight.table.board import counters

Kind = LogEntry.Kind

# How lines mark others: a correction, and what goes with it, marks those that it strikes, a reveal the one it opens.
MARKS: dict[str, Callable[[LogEntry], bool]] = {
    "voided_by": lambda line: bool(line.voids or line.about),  # version 0.1.0 did not note what it struck
    "revealed_by": lambda line: line.kind == Kind.REVEAL,
}


def find_last_side(match: Match) -> str:
    """The side that did the last act that stands; "" where there is none."""
    sides = match.acts.filter(taken_back=False).order_by("-number").values_list("side", flat=True)
    return next(iter(sides[:1]), "")


def acts_to_take_back(match: Match, side: str) -> list[Act]:
    """What goes when a side takes back: its own last act, alone if it stands apart, or with all since, newest first.

    A side that has done nothing yet, or has taken all of it back, can only ask for the last act. One query, three
    when the other side has acted since.
    """
    standing = match.acts.filter(taken_back=False).order_by("-number")
    first_number = Coalesce(*(Subquery(acts.values("number")[:1]) for acts in (standing.filter(side=side), standing)))
    last_acts = list(standing.filter(number__gte=first_number))
    if not last_acts:
        return []
    *later_acts, own_act = last_acts
    return [own_act] if later_acts and _stands_apart(own_act, later_acts) else [*later_acts, own_act]


def _stands_apart(act: Act, later_acts: Sequence[Act]) -> bool:
    """Whether nothing was built on an act: it and what came later have no row in common, and are of one phase.

    The match's state and rows that both sides share, such as the head of a ledger, say how play goes on: an act that
    changed one of these never stands apart. One that has rows does so only within its chapter, turn and phase: whoever
    has seen how these ended does not undo alone what was done in them.
    """
    rows_touched = find_touched_rows(act.undo)
    if act.state_before is not None or act.state_undo or any(is_shared(row) for row in rows_touched):
        return False
    if not rows_touched.isdisjoint(row for later_act in later_acts for row in find_touched_rows(later_act.undo)):
        return False
    if rows_touched and any(_goes_on(later_act) for later_act in later_acts):
        return False
    begun = act.entries.aggregate(Min("number"))["number__min"]
    return not Snapshot.objects.filter(match=act.match_id, number__gte=begun).exists()


def _goes_on(act: Act) -> bool:
    """Whether an act has led to another turn or phase, or could have: what version 0.1.0 stored does not tell."""
    changed = (act.state_undo or {}).get("fields", {})
    return act.state_before is not None or "turn" in changed or "phase" in changed


def undo(
    match: Match, by: Act, undone: Sequence[Act], lines: Sequence[LogEntry], template: str = "Taken back: {}."
) -> LogEntry:
    """Put back what stood before some acts, newest first, and void their lines.

    ``by``: the act that does it; ``template``: what it says, with {} for the lines.
    """
    numbers = [line.number for line in lines]
    of_match = match.log.all()
    for mark, is_marking in MARKS.items():
        marking = [line.number for line in lines if is_marking(line)]
        if marking:
            of_match.filter(**{f"{mark}__in": marking}).update(**{mark: None})
    sentence = template.format(name_lines(numbers))
    entry = writing.record(match, by, Kind.TAKE_BACK, by.side, sentence, voids=sorted(numbers))
    snapshots.forget_snapshots(match, numbers)
    _restore(match, undone)
    counters.forget_store(match)
    if any(line.kind == Kind.BOOK for line in lines):
        match.refresh_from_db(fields=["book"])
    rows = Act.objects.filter(pk__in=[act.pk for act in undone])
    rows.update(taken_back=True)
    drop_undo(rows)
    return entry


def _restore(match: Match, undone: Sequence[Act]) -> None:
    """Put back state and rows as they were before some acts, newest first. The state is read and written once."""
    plain = match.state.to_json()
    try:
        for act in undone:
            if act.state_before is not None:  # version 0.1.0 stored the whole state with each act
                plain = act.state_before.to_json()
            elif act.state_undo is not None:
                plain = apply_difference(plain, act.state_undo)
            else:
                raise Refused("How things stood before that is not known any more, so it cannot be taken back.")
            put_rows_back(act.undo)
    except BadDifference:
        raise Refused("Something else has changed since, so it cannot be taken back.") from None
    match.state = MatchState.from_json(plain)


def lines_of(acts: Sequence[Act]) -> list[LogEntry]:
    """The lines that some acts wrote, oldest first. One query."""
    return list(LogEntry.objects.filter(act__in=acts).order_by("number"))


def name_lines(numbers: Sequence[int]) -> str:
    """Numbers of lines, in stretches: "№ 4, № 7 to 9"."""
    return ", ".join(f"№ {run[0]}" if len(run) == 1 else f"№ {run[0]} to {run[-1]}" for run in split_runs(numbers))
