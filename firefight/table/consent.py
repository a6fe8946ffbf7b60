"""What needs both sides: taking back what is not one's own affair, another chart book, the end of a match.

One side proposes and every other one agrees, or one declines; at a device that holds every side all confirm. Where no
other side has a seat there is nobody to ask: the proposal counts at once, and the log says so. Whoever proposed may
withdraw. What a matter changes, and how the log tells of it, stands in its plan.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from django.utils import timezone

from firefight.assistant.chartbooks import of_match
from firefight.columns import Matter, Proposal, RowKey, Undo
from firefight.models import Act, ChartBook, LogEntry, Match

from . import log, takeback
from .acts import Doing, Done, Kind, Refused, perform
from .seats import OBSERVER, Table

MOST_TOLD = 12  # lines of what would be taken back


@dataclass(frozen=True, slots=True)
class Plan:
    """What a proposal comes to: "German asks ``wish``"; done by ``carry_out``; "Russian ``declines``".

    ``is_free``: the side that proposes may do it alone. ``waits_for_nobody``: and also while no other seat is taken.
    ``lines``: what would be taken back, oldest first.
    """

    wish: str
    declines: str
    carry_out: Callable[[Match, Act], list[LogEntry]]
    is_free: bool = False
    waits_for_nobody: bool = False
    lines: tuple[LogEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class Pending:
    """A proposal as one browser is told of it. ``book``: the chart book that is proposed, by its digest.

    ``mine``: this browser's side has proposed it; ``agreed``: it has agreed, and others have not answered yet.
    ``confirms``: all players sit here and can settle it at once.
    ``lines``: what would be taken back, each with its number, side and sentence.
    """

    sentence: str
    mine: bool
    agreed: bool
    confirms: bool
    lines: list[str]
    book: str = ""


# Proposing and answering


def propose_take_back(table: Table, act_id: str, version: int | None) -> Done:
    """Take back the own last act with all that was done since, or ask the other side to agree. Raises Refused, Stale.

    Free while nothing has happened since, and neither a die that the app or a purchase has used up nor a reveal is
    in it.
    """
    return _propose(table, act_id, version, Proposal(Matter.TAKE_BACK, table.side), _outside_of_history)


def propose_end(table: Table, act_id: str, version: int | None) -> Done:
    """Propose to end the match for good. Raises Refused, Stale."""
    return _propose(table, act_id, version, Proposal(Matter.END, table.side))


def propose_book(table: Table, act_id: str, version: int | None, book: ChartBook, label: str) -> Done:
    """Propose to go on with another chart book; ``label``: what the log calls it. Raises Refused, Stale."""
    return _propose(table, act_id, version, Proposal(Matter.BOOK, table.side, book.pk, label))


def answer(table: Table, act_id: str, version: int | None, agrees: bool) -> Done:
    """Agree to what the other side proposes, or decline; withdraw what the own side does. Raises Refused, Stale."""
    pending = table.match.proposal

    def do(match: Match, act: Act) -> list[LogEntry]:
        if pending is None:
            raise Refused("Nothing is proposed now.")
        if match.version != table.match.version and match.proposal != table.match.proposal:
            raise Refused("Something else is proposed now. Nothing was done: look again, then answer.")
        is_own = pending.by == table.side
        if is_own and agrees and not _both_sit_here(table):
            raise Refused("You cannot agree to your own proposal: the other side answers.")
        plan = _plan(match, table, pending)
        if agrees and (left := _still_to_ask(table, pending)):
            return [_agree(match, act, table, replace(pending, agreed=(*pending.agreed, table.side)), left)]
        match.proposal = None
        if agrees:
            return plan.carry_out(match, act)
        sentence = f"withdraws the wish {plan.wish}" if is_own else plan.declines
        return [_say(match, act, table, pending, f"{table.name} {sentence}.")]

    # Taking back is not part of what can be taken back; agreeing to another book is.
    changes_play = pending and pending.matter is Matter.BOOK and agrees
    return perform(table, act_id, version, do if changes_play else _outside_of_history(do))


def _still_to_ask(table: Table, proposal: Proposal) -> list[str]:
    """The sides besides this one whose players have not agreed yet. Raises Refused where this one has."""
    if table.side in proposal.agreed:
        raise Refused("Your side has agreed already; the others have not answered yet.")
    if _both_sit_here(table):
        return []
    answered = {proposal.by, table.side, *proposal.agreed}
    return [seat.side for seat in table.seats if seat.claimed and seat.side in table.sides.keys() - answered]


def _agree(match: Match, act: Act, table: Table, proposal: Proposal, left: list[str]) -> LogEntry:
    """Note that one of several sides agrees."""
    act.taken_back = True
    match.proposal = proposal
    asked = " and ".join(table.sides[side] for side in left)
    return _say(match, act, table, proposal, f"{table.name} agrees; still to answer: {asked}.")


def describe_pending(table: Table) -> Pending | None:
    """What is proposed, for the page of one browser; None when nothing is. At most three queries, none mostly."""
    proposal = table.match.proposal
    if proposal is None or table.match.ended:
        return None
    try:
        plan = _plan(table.match, table, proposal)
    except Refused:  # the other side has answered since this page read the match; its next poll brings that
        return None
    return Pending(
        sentence=f"{table.game.sides[proposal.by]} asks {plan.wish}.",
        mine=proposal.by == table.side,
        agreed=table.side in proposal.agreed,
        confirms=_both_sit_here(table),
        lines=_tell_lines(table, plan.lines),
        book=proposal.book,
    )


def _tell_lines(table: Table, lines: tuple[LogEntry, ...]) -> list[str]:
    sides = table.game.sides
    shown = [f"№ {line.number}, {sides.get(line.side, line.side)}: {line.sentence}" for line in lines[:MOST_TOLD]]
    return shown + ([f"and {len(lines) - MOST_TOLD} more"] if len(lines) > MOST_TOLD else [])


def _propose(
    table: Table,
    act_id: str,
    version: int | None,
    proposal: Proposal,
    wrap: Callable[[Doing], Doing] | None = None,
) -> Done:
    def do(match: Match, act: Act) -> list[LogEntry]:
        plan = _plan(match, table, proposal)
        if plan.is_free:
            return plan.carry_out(match, act)
        wish = f"{table.name} asks {plan.wish}."
        if table.is_alone or (plan.waits_for_nobody and _is_alone(table)):
            match.proposal = None  # nobody is left who could answer what was asked before
            said = [_say(match, act, table, proposal, f"{wish} There is nobody to ask.")] if table.is_alone else []
            return [*said, *plan.carry_out(match, act)]
        if match.proposal:
            raise Refused("Another proposal is waiting for its answer. Settle that first.")
        act.taken_back = True
        match.proposal = replace(proposal, lines=tuple(line.number for line in plan.lines))
        return [_say(match, act, table, proposal, wish)]

    return perform(table, act_id, version, wrap(do) if wrap else do)


def _say(match: Match, act: Act, table: Table, proposal: Proposal, sentence: str) -> LogEntry:
    """Log a question, or what was answered to it."""
    return log.record(match, act, _KINDS[proposal.matter], table.side, sentence)


def _outside_of_history(do: Doing) -> Doing:
    """An act about other acts: it counts as taken back itself, so that the one before it is next."""

    def done(match: Match, act: Act) -> list[LogEntry]:
        act.taken_back = True
        return do(match, act)

    return done


def _both_sit_here(table: Table) -> bool:
    return table.match.hot_seat and table.plays_all


def _is_alone(table: Table) -> bool:
    """Whether nobody has taken any other side's seat yet, so that there is nobody to ask."""
    return not any(seat.claimed for seat in table.seats if seat.side not in (table.side, OBSERVER))


# What each matter comes to


def _plan(match: Match, table: Table, proposal: Proposal) -> Plan:
    return _PLANS[proposal.matter](match, table, proposal)


def _plan_take_back(match: Match, table: Table, proposal: Proposal) -> Plan:
    acts = takeback.acts_to_take_back(match, proposal.by)
    if not acts:
        raise Refused("There is nothing to take back.")
    lines = takeback.lines_of(acts)
    numbers = [line.number for line in lines]
    if proposal.lines not in (None, tuple(numbers)):
        raise Refused("Play has gone on since that was asked.")
    named = takeback.name_lines(numbers)
    is_own = len(acts) == 1 and acts[0].side == proposal.by
    return Plan(
        f"to take back {named}",
        f"lets {named} stand",
        lambda match, act: [takeback.undo(match, act, acts, lines)],
        is_free=is_own and acts[0].free_to_take_back,
        waits_for_nobody=is_own and all(line.kind in (Kind.BOOK, Kind.PROPOSAL) for line in lines),
        lines=tuple(lines),
    )


def _plan_end(match: Match, table: Table, proposal: Proposal) -> Plan:
    def end(match: Match, act: Act) -> list[LogEntry]:
        match.ended = timezone.now()
        return [log.record(match, act, Kind.END, table.side, "The match ends; the dice can be checked.")]

    return Plan("to end the match", "plays on", end, waits_for_nobody=True)


def _plan_book(match: Match, table: Table, proposal: Proposal) -> Plan:
    book, label = ChartBook.objects.get(pk=proposal.book), proposal.label
    if book.pk == match.book_id:
        raise Refused("The match uses this very book already.")
    if book.game != match.game:
        raise Refused("This book belongs to another game.")

    def take_book(match: Match, act: Act) -> list[LogEntry]:
        act.undo = Undo(was={RowKey(Match._meta.label, match.pk): {"book_id": match.book_id}})
        act.free_to_take_back = False  # or whoever agreed could go back to the old charts alone
        sentence = f"Charts from now on: {label}; until now “{of_match(match).name}”. What was rolled stands."
        match.book = book
        Match.objects.filter(pk=match.pk).update(book=book)
        return [log.record(match, act, Kind.BOOK, table.side, sentence, inputs={"book": book.pk})]

    wish = f"to go on with the charts {label}"
    return Plan(wish, "keeps the charts as they are", take_book, waits_for_nobody=True)


_PLANS = {Matter.TAKE_BACK: _plan_take_back, Matter.END: _plan_end, Matter.BOOK: _plan_book}
# The kind of line that tells of a question and its answer.
_KINDS = {Matter.TAKE_BACK: Kind.TAKE_BACK, Matter.END: Kind.PROPOSAL, Matter.BOOK: Kind.PROPOSAL}
