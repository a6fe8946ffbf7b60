"""What needs both sides: taking back what is not one's own affair, other charts or content, the end of a match; and
what would make things worse for the other side, or better for one's own, beyond rules, charts and values.

One door for all of it: one side proposes and every other one agrees, or one declines; at a device that holds every
side all confirm. Where no other side has a seat there is nobody to ask: the proposal counts at once, and the log says
so. Whoever proposed may withdraw. What a matter changes, and how the log tells it, stands in its plan.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from django.utils import timezone

from firefight.columns import DueRoll, Matter, Proposal
from firefight.engine.board.counters import CounterInPlay, know_in_sight
from firefight.engine.errors import BadInput
from firefight.engine.values import Values
from firefight.games import registry
from firefight.games.chartbooks import of_match
from firefight.kit.counters import CounterRules
from firefight.models import ChartBook, LogEntry, Match
from firefight.table.act.act import MatchAct
from firefight.table.act.episodes import parent_of
from firefight.table.act.line_keys import SHEET
from firefight.table.act.performing import match_act
from firefight.table.act.ports import CounterStore, the_ledger
from firefight.table.act.refusals import Refused
from firefight.table.act.snapshots import take_snapshot
from firefight.table.act.table import OBSERVER, Table
from firefight.table.board import blank_cells, changing, content, counters, due, record_rules, sheets, stores, values
from firefight.table.log.asked import list_ids
from firefight.table.log.telling import tell_plainly
from firefight.table.rolling.advancing import leave_open
from firefight.table.rolling.steps import call_steps, drop_due
from firefight.table.seats import turns

from . import takeback

Kind = LogEntry.Kind


MOST_TOLD = 12  # lines of what would be taken back
NOT_DUE = "This roll is no longer due: it was made, dropped or taken back. Nothing was done."


@dataclass(frozen=True, slots=True)
class Plan:
    """What a proposal comes to: "German asks ``wish``"; done by ``carry_out``; "Russian ``declines``".

    ``is_free``: the side that proposes may do it alone. ``waits_for_nobody``: and also while no other seat is taken.
    ``lines``: what would be taken back, oldest first.
    """

    wish: str
    declines: str
    carry_out: Callable[[MatchAct], object]
    is_free: bool = False
    waits_for_nobody: bool = False
    lines: tuple[LogEntry, ...] = ()


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
    if is_own and agrees and not _both_sit_here(table):
        raise Refused(f"You cannot agree to your own proposal: {table.another_side} answers.")
    plan = _plan(act.match, table, pending)
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
    if _both_sit_here(table):
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
        plan = _plan(table.match, table, proposal)
    except Refused:  # the other side has answered since this page read the match; its next poll brings that
        return None
    return Pending(
        sentence=f"{table.game.sides[proposal.by]} asks {plan.wish}.",
        mine=proposal.by == table.side,
        agreed=table.side in proposal.agreed,
        confirms=_both_sit_here(table),
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
    table, plan = act.table, _plan(act.match, act.table, proposal)
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


def _carry_out(act: MatchAct, plan: Plan) -> None:
    act.row.free_to_take_back = False  # or whoever agreed could go back alone
    plan.carry_out(act)


def _is_past(act: MatchAct, proposal: Proposal) -> bool:
    """Whether play has gone on since something was proposed, so that nobody can be asked for it any more."""
    try:
        _plan(act.match, act.table, proposal)
    except Refused:
        return True
    return False


def _stand_outside_of_history(act: MatchAct) -> None:
    """An act about other acts counts as taken back itself, so that the one before it is next."""
    act.row.taken_back = True


def _both_sit_here(table: Table) -> bool:
    return table.match.hot_seat and table.plays_all


def _is_alone(table: Table) -> bool:
    """Whether nobody has taken any other side's seat yet, so that there is nobody to ask."""
    return not any(seat.claimed for seat in table.seats if seat.side not in (table.side, OBSERVER))


# What each matter comes to


def _plan(match: Match, table: Table, proposal: Proposal) -> Plan:
    return _PLANS[proposal.matter](match, table, proposal)


def _plan_take_back(match: Match, table: Table, proposal: Proposal) -> Plan:
    # A device that both share follows the course: what was done there last is theirs, whichever side it acts for now.
    follows = _both_sit_here(table) and not turns.has_secrets(match)
    acts = takeback.acts_to_take_back(match, (takeback.find_last_side(match) if follows else "") or proposal.by)
    if not acts:
        raise Refused("There is nothing to take back.")
    lines = takeback.lines_of(acts)
    numbers = [line.number for line in lines]
    if proposal.lines not in (None, tuple(numbers)):
        raise Refused("Play has gone on since that was asked.")
    line_names = takeback.name_lines(numbers)
    is_own = len(acts) == 1 and (follows or acts[0].side == proposal.by)
    # The dice of a lesson are for learning: whoever is alone with it tries again without asking anybody.
    is_harmless = match.lesson is not None or all(line.kind in (Kind.BOOK, Kind.PROPOSAL) for line in lines)
    return Plan(
        f"to take back {line_names}",
        f"lets {line_names} stand",
        lambda act: act.entries.append(takeback.undo(act.match, act.row, acts, lines)),
        is_free=is_own and acts[0].free_to_take_back,
        waits_for_nobody=is_own and is_harmless,
        lines=tuple(lines),
    )


def _plan_end(match: Match, table: Table, proposal: Proposal) -> Plan:
    def end(act: MatchAct) -> None:
        left_open = record_rules.say_left_open(act.match, act.match.state.position, None)
        act.match.ended = timezone.now()
        act.tell(Kind.END, f"The match ends; the dice can be checked. {left_open}".strip())

    return Plan("to end the match", "plays on", end, waits_for_nobody=True)


def _plan_book(match: Match, table: Table, proposal: Proposal) -> Plan:
    book, label = ChartBook.objects.get(pk=proposal.book), proposal.label
    if book.pk == match.book_id:
        raise Refused("The match uses this very book already.")
    if book.game != match.game:
        raise Refused("This book belongs to another game.")

    def take_book(act: MatchAct) -> None:
        sentence = f"Charts from now on: {label}; until now “{of_match(act.match).name}”. What was rolled stands."
        blank_cells.take_book(act, book)
        act.tell(Kind.BOOK, sentence, inputs={"book": book.pk})

    wish = f"to go on with the charts {label}"
    return Plan(wish, "keeps the charts as they are", take_book, waits_for_nobody=True)


def _plan_content(match: Match, table: Table, proposal: Proposal) -> Plan:
    def take_content(act: MatchAct) -> None:
        sentence = the_ledger().take_content(act, proposal.book, proposal.label)
        act.tell(Kind.BOOK, sentence, inputs={"content": proposal.book})

    wish = f"to go on with the content {proposal.label}"
    return Plan(wish, "keeps the content as it is", take_content, waits_for_nobody=True)


def _plan_counters(match: Match, table: Table, proposal: Proposal) -> Plan:
    if proposal.undoes is not None:
        return _plan_undo(match, proposal.undoes)
    store, rules = counters.store_of(match), counters.rules_of(match)
    in_sight = {
        counter_id: counter
        for counter_id in proposal.counters
        if (counter := store.find(counter_id)) and not counter.hidden
    }
    if not in_sight:
        raise Refused("Those counters are no longer in sight.")

    def put_right(act: MatchAct) -> None:
        for counter_id, counter in in_sight.items():
            actual = store.find_behind(counter_id) or counter
            after = stores.set_fields(actual, proposal.counters[counter_id])
            changing.tell_changes(act, [(actual, after)], f"Agreed with {table.game.call_side(proposal.by)}, ")

    differences = "; ".join(_list_differences(store, rules, in_sight, proposal.counters))
    return Plan(f"to put right {differences}", "leaves these counters as they are", put_right, waits_for_nobody=True)


def _list_differences(
    store: CounterStore, rules: CounterRules, in_sight: Mapping[str, CounterInPlay], changes: Mapping[str, Values]
) -> Iterator[str]:
    """What changes would make of counters, as all know them: nobody is told which hidden one somebody rides on."""
    unseen = {counter.id for counter in store.all() if counter.hidden or counter.closed}
    for counter_id, counter in in_sight.items():
        before = know_in_sight(counter, (), unseen)
        after = know_in_sight(stores.set_fields(before, changes[counter_id]), (), unseen)
        if after != before:
            yield f"{after.name}: {changing.describe_difference(rules, store, before, after)}"


def _plan_undo(match: Match, number: int) -> Plan:
    entry = match.log.filter(number=number, kind=Kind.COUNTER, voided_by=None).first()
    later = (changing.find_later_changes, changing.find_hidden_since, due.find_answers)
    if entry is None or any(find(match, entry) for find in later):
        raise Refused("Play has gone on since that was asked.")
    return Plan(
        f"to undo № {number}, {entry.sentence.removesuffix('.')}",
        f"lets № {number} stand",
        lambda act: undo_line(act, entry),
        waits_for_nobody=True,
    )


def undo_line(act: MatchAct, entry: LogEntry) -> None:
    """Undo what a line did to counters, with what they came into by it."""
    changing.tell_undone(act, entry)
    due.take_off_moves(act.match, entry)


def _plan_value(match: Match, table: Table, proposal: Proposal) -> Plan:
    new_values: Mapping[str, int] = proposal.wanted["values"]
    description = values.describe_values(match, new_values, counters.store_of(match).kinds)

    return Plan(
        f"to set {description}",
        "leaves the values of counters as they are",
        lambda act: values.keep_values(act, new_values, counters.store_of(act.match).kinds),
        waits_for_nobody=True,
    )


def _plan_sheet(match: Match, table: Table, proposal: Proposal) -> Plan:
    plain = proposal.wanted
    if "content" in plain:
        return Plan(
            f"to play on {content.describe_content(table.game, plain['content'])}",
            "plays on the sheets that there are",
            lambda act: keep_content(act, plain["content"], proposal.by),
            waits_for_nobody=True,
        )
    texts: Mapping[str, str] = plain["sheets"]
    descriptions = "; ".join(_tell_sheet(match, title, text, proposal.by) for title, text in texts.items())
    return Plan(
        f"for the units {descriptions}",
        "leaves the units as they are",
        lambda act: keep_sheets(act, texts, proposal.by),
        waits_for_nobody=True,
    )


def keep_sheets(act: MatchAct, texts: Mapping[str, str], by: str) -> None:
    """Keep these sheets of units, within another act; ``by``: the side that wants them. Raises Refused."""
    for title, text in texts.items():
        keep_sheet(act, title, text, by)


def keep_sheet(act: MatchAct, title: str, text: str, by: str | None) -> None:
    """Keep a sheet of units, within another act; ``by``: the side that wants it, None for all. Raises Refused."""
    description = _tell_sheet(act.match, title, text, by)
    sheets.keep_sheet_in(act.match, title, text)
    act.tell(Kind.NOTE, f"Units, {description}.", side=by, inputs={SHEET: title})


def keep_content(act: MatchAct, texts: Mapping[str, str], by: str | None) -> None:
    """Let a match be played on these sheets, within another act. Raises Refused once it has begun."""
    if content.is_under_way(act.match):
        raise Refused(content.BEGUN)
    content.keep_content_in(act.match, texts)
    act.tell(Kind.NOTE, f"{content.describe_content(act.table.game, texts)}.", side=by)
    # Whoever branches off from how a match began wants what it is played on too.
    take_snapshot(act.match, act.row.number, content.ON_OWNERS if texts else content.ON_HOUSE)


def _tell_sheet(match: Match, title: str, text: str, by: str | None) -> str:
    """What a sheet would be in words. Raises Refused where it cannot be."""
    try:
        sheets.check_rows_gone(match, title, text, by)
    except BadInput as error:
        raise Refused(" ".join(error.problems.values())) from None
    return sheets.describe_change(match, title, text)


def _plan_drop(match: Match, table: Table, proposal: Proposal) -> Plan:
    steps = [step for step in match.state.queue_for(()) if step.id in proposal.wanted["steps"]]
    if not steps:
        raise Refused("What was asked about is not due any more.")

    rolls = call_steps(steps)
    return Plan(
        f"to do without: {rolls}",
        f"wants this rolled: {rolls}",
        lambda act: drop_due(act, steps),
        waits_for_nobody=True,
    )


def _plan_points(match: Match, table: Table, proposal: Proposal) -> Plan:
    side, amount = proposal.by, proposal.wanted["points"]
    reason, ledger = proposal.wanted["reason"], the_ledger()

    return Plan(
        f"for {amount:+d} {ledger.points} by hand, to put right: {reason}",
        f"leaves the {ledger.points} as they are",
        lambda act: ledger.put_right_points(act, side, amount, reason),
        waits_for_nobody=True,
    )


def _plan_file(match: Match, table: Table, proposal: Proposal) -> Plan:
    from firefight.table.files import kept_files, shape  # which reads files, and so counters, whose acts ask here

    file = kept_files.find_file(match.pk, proposal.book)
    if file is None:
        raise Refused("That file is not there any more.")

    def go_back(act: MatchAct) -> None:
        try:
            new_match = kept_files.restore_for_players(file, act.match)
        except (shape.BadArchive, OSError) as error:
            raise Refused(f"The file cannot be opened: {error}") from error
        act.tell(
            Kind.PROPOSAL, f"Back to {proposal.label}: play goes on in match {new_match.pk}, which all of you hold."
        )

    wish = f"to go back to {proposal.label}, in a new match beside this one"
    return Plan(wish, f"does not go back to {proposal.label}", go_back)


_PLANS = {
    Matter.TAKE_BACK: _plan_take_back,
    Matter.END: _plan_end,
    Matter.BOOK: _plan_book,
    Matter.CONTENT: _plan_content,
    Matter.COUNTERS: _plan_counters,
    Matter.FILE: _plan_file,
    Matter.VALUE: _plan_value,
    Matter.SHEET: _plan_sheet,
    Matter.DROP: _plan_drop,
    Matter.POINTS: _plan_points,
}
_ABOUT_ACTS = (Matter.TAKE_BACK, Matter.END, Matter.FILE)  # which nobody takes back in turn


def _kind_of(matter: Matter) -> Kind:
    """The kind of line that a question and its answer are."""
    return Kind.TAKE_BACK if matter is Matter.TAKE_BACK else Kind.PROPOSAL
