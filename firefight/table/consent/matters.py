"""What needs both sides: taking back what is not one's own affair, other charts or content, the end of a match; and
what would make things worse for the other side, or better for one's own, beyond rules, charts and values.

One door for all of it: one side proposes and every other one agrees, or one declines; at a device that holds every
side all confirm. Where no other side has a seat there is nobody to ask: the proposal counts at once, and the log says
so. Whoever proposed may withdraw. What a matter changes, and how the log tells it, stands in its plan, see plans.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from firefight.columns import DueRoll, Matter, Proposal
from firefight.games import registry
from firefight.models import ChartBook, LogEntry
from firefight.table.act.act import MatchAct
from firefight.table.act.episodes import parent_of
from firefight.table.act.performing import match_act
from firefight.table.act.ports import the_ledger
from firefight.table.act.refusals import Refused
from firefight.table.act.table import OBSERVER, Table
from firefight.table.board import due, record_rules
from firefight.table.log.asked import list_ids
from firefight.table.log.telling import tell_plainly
from firefight.table.rolling.advancing import leave_open
from firefight.table.rolling.steps import drop_due

from . import plans

Kind = LogEntry.Kind


MOST_TOLD = 12  # lines of what would be taken back
NOT_DUE = "This roll is no longer due: it was made, dropped or taken back. Nothing was done."


@dataclass(frozen=True, slots=True)
class Pending:
    """A proposal as one browser is shown it.

    ``book``: the chart book that is proposed, ``content``: the content of a ledger, by their digests.

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
    content: str = ""


# Proposing and answering


@match_act()
def propose_take_back(act: MatchAct) -> None:
    """Take back this side's last act and all since, or ask the other side to agree. Raises Refused, Stale.

    Free while nothing has happened since, and the act has no reveal and no die that the app or a purchase used up.
    """
    _stand_outside_of_history(act)
    propose(act, Proposal(Matter.TAKE_BACK, act.side))


@match_act()
def propose_end(act: MatchAct, leaves: bool = False) -> None:
    """Propose to end the match for good. Raises Refused, LeavesOpen, Stale.

    ``leaves``: also if sides have still to do something together.
    """
    leave_open(act.match, act.match.state.position, None, leaves)
    propose(act, Proposal(Matter.END, act.side))


@match_act()
def propose_book(act: MatchAct, book: ChartBook, label: str) -> None:
    """Propose to go on with another chart book; ``label``: what the log calls it. Raises Refused, Stale."""
    propose(act, Proposal(Matter.BOOK, act.side, book.pk, label))


@match_act()
def propose_file(act: MatchAct, name: str, label: str) -> None:
    """Propose to go back to a file that the host keeps; ``label``: what the log calls it. Raises Refused, Stale."""
    propose(act, Proposal(Matter.FILE, act.side, name, label))


@match_act()
def propose_content(act: MatchAct, content: str, label: str) -> None:
    """Propose to go on with other content of the ledger, by its digest. Raises Refused, Stale."""
    the_ledger().refuse_content(act.match, content)
    propose(act, Proposal(Matter.CONTENT, act.side, content, label))


@match_act()
def drop(act: MatchAct, step_id: str) -> None:
    """Do without a roll that is due, or without all of them with "all". Raises Refused, Stale.

    A side does so alone where only it loses by that; else it asks. "all" are those that all know of, and what is under
    seal once nothing else is due.
    """
    steps_known = act.match.state.queue_for(act.table.sees)
    if step_id == "all":
        dropped = [step for step in steps_known if not step.known_to] or list(steps_known)
    else:
        dropped = [step for step in steps_known if step.id == step_id]
    if not dropped:
        raise Refused(NOT_DUE if step_id not in ("", "all") else "There is no such roll to drop.")
    losers = [side for step in dropped for side in _find_losers(act, step)]
    if sides_to_ask(act.table, losers):
        steps = [step.id for step in dropped]
        propose(act, Proposal(Matter.DROP, act.side, wanted={"steps": steps}))
    else:
        drop_due(act, dropped)


def _find_losers(act: MatchAct, step: DueRoll) -> list[str]:
    """The sides that may lose where a due roll is not made, besides the one that does without it.

    Those whose roll it is, or whose offer; and all others where whoever does without may gain, since the roll is about
    its own counters or is its decision to make.
    """
    if step.known_to:
        return []
    if due.is_offer(step):
        return [step.read_by] if step.read_by != act.side else []
    sides, game = act.table.sides, act.table.game
    about = {counter_id.rpartition("-")[0] for counter_id in list_ids(step.inputs)}
    decider = registry.helpers(game.slug)[step.helper].find_decider(step.inputs)
    if act.side in (*about, decider):
        return list(sides)
    asking_line = act.match.log.filter(number=parent_of(step.id), kind=Kind.ROLL).first()
    rows = record_rules.sides_of_rows(game, step.inputs, sides)
    return [side for side in (decider, *rows, asking_line.side if asking_line else "") if side]


def sides_to_ask(table: Table, sides: Iterable[str]) -> list[str]:
    """Those of these sides whose players must agree to what this browser does.

    Nobody at a device that holds all, and nobody while no other player sits anywhere.
    """
    if table.asks_nobody:
        return []
    return [side for side in dict.fromkeys(sides) if side != table.side and side in table.sides]


@match_act()
def answer(act: MatchAct, agrees: bool) -> None:
    """Agree to what the other side proposes, or decline; withdraw what one's own does. Raises Refused, Stale."""
    table, pending = act.table, act.table.match.proposal
    # Taking back is not part of what can be taken back; agreeing to another book, to content or about counters is.
    if not (pending and pending.matter not in _ABOUT_ACTS and agrees):
        _stand_outside_of_history(act)
    if pending is None:
        raise Refused("Nothing is proposed now.")
    if act.match.version != table.match.version and act.match.proposal != pending:
        raise Refused("Something else is proposed now. Nothing was done: look again, then answer.")
    is_own = pending.by == act.side
    if is_own and agrees and not table.all_sit_here:
        raise Refused(f"You cannot agree to your own proposal: {table.another_side} answers.")
    plan = plans.make_plan(act.match, table, pending)
    if agrees and (sides_left := _still_to_ask(table, pending)):
        _agree(act, replace(pending, agreed=(*pending.agreed, act.side)), sides_left)
        return
    act.match.proposal = None
    if agrees:
        _carry_out(act, plan)
    else:
        sentence = f"withdraws the wish {plan.wish}" if is_own else plan.declines
        act.tell(_kind_of(pending.matter), f"{table.name} {sentence}.")


def _still_to_ask(table: Table, proposal: Proposal) -> list[str]:
    """The sides besides this one whose players have not agreed yet. Raises Refused where this one has."""
    if table.side in proposal.agreed:
        raise Refused("Your side has agreed already; the others have not answered yet.")
    if table.all_sit_here:
        return []
    answered = {proposal.by, table.side, *proposal.agreed}
    return [seat.side for seat in table.seats if seat.claimed and seat.side in table.sides.keys() - answered]


def _agree(act: MatchAct, proposal: Proposal, sides_left: list[str]) -> None:
    """Note that one of several sides agrees."""
    _stand_outside_of_history(act)
    act.match.proposal = proposal
    names = " and ".join(act.table.sides[side] for side in sides_left)
    act.tell(_kind_of(proposal.matter), f"{act.table.name} agrees; still to answer: {names}.")


def describe_pending(table: Table) -> Pending | None:
    """What is proposed, for the page of one browser; None when nothing is. At most three queries, none mostly."""
    proposal = table.match.proposal
    if proposal is None or table.match.ended:
        return None
    try:
        plan = plans.make_plan(table.match, table, proposal)
    except Refused:  # the other side has answered since this page read the match; its next poll brings that
        return None
    return Pending(
        sentence=f"{table.game.sides[proposal.by]} asks {plan.wish}.",
        mine=proposal.by == table.side,
        agreed=table.side in proposal.agreed,
        confirms=table.all_sit_here,
        lines=_tell_lines(table, plan.lines),
        book=proposal.book if proposal.matter is Matter.BOOK else "",
        content=proposal.book if proposal.matter is Matter.CONTENT else "",
    )


def _tell_lines(table: Table, lines: tuple[LogEntry, ...]) -> list[str]:
    sides = table.game.sides
    sentences = [
        f"№ {line.number}, {sides.get(line.side, line.side)}: {tell_plainly(line.sentence)}"
        for line in lines[:MOST_TOLD]
    ]
    return sentences + ([f"and {len(lines) - MOST_TOLD} more"] if len(lines) > MOST_TOLD else [])


def propose(act: MatchAct, proposal: Proposal) -> None:
    """Ask the other sides for something, within another act. Raises Refused."""
    table, plan = act.table, plans.make_plan(act.match, act.table, proposal)
    if plan.is_free:
        _carry_out(act, plan)
        return
    wish = f"{table.name} asks {plan.wish}"
    if table.is_alone or (plan.waits_for_nobody and _is_alone(table)):
        act.match.proposal = None  # nobody is left who could answer what was asked before
        if table.is_alone:
            act.tell(_kind_of(proposal.matter), f"{wish}. There is nobody to ask.")
        _carry_out(act, plan)
        return
    if act.match.proposal and not _is_past(act, act.match.proposal):
        raise Refused("Another proposal is waiting for its answer. Settle that first.")
    _stand_outside_of_history(act)
    act.match.proposal = replace(proposal, lines=tuple(line.number for line in plan.lines))
    act.tell(_kind_of(proposal.matter), f"{wish}.")


def _carry_out(act: MatchAct, plan: plans.Plan) -> None:
    act.row.free_to_take_back = False  # or whoever agreed could go back alone
    plan.carry_out(act)


def _is_past(act: MatchAct, proposal: Proposal) -> bool:
    """Whether play has gone on since something was proposed, so that nobody can be asked for it any more."""
    try:
        plans.make_plan(act.match, act.table, proposal)
    except Refused:
        return True
    return False


def _stand_outside_of_history(act: MatchAct) -> None:
    """An act about other acts counts as taken back itself, so that the one before it is next."""
    act.row.taken_back = True


def _is_alone(table: Table) -> bool:
    """Whether nobody has taken any other side's seat yet, so that there is nobody to ask."""
    return not any(seat.claimed for seat in table.seats if seat.side not in (table.side, OBSERVER))


_ABOUT_ACTS = (Matter.TAKE_BACK, Matter.END, Matter.FILE)  # which nobody takes back in turn


def _kind_of(matter: Matter) -> Kind:
    """The kind of line that a question and its answer are."""
    return Kind.TAKE_BACK if matter is Matter.TAKE_BACK else Kind.PROPOSAL
