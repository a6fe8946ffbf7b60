"""What each matter comes to that needs both sides: how it is asked for, what it changes, how the log tells it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from django.utils import timezone

from firefight.columns import Matter, Proposal
from firefight.engine.board.counters import CounterInPlay, know_in_sight
from firefight.engine.errors import BadInput
from firefight.engine.values import Values
from firefight.games.chartbooks import of_match
from firefight.kit.counters import CounterRules
from firefight.models import ChartBook, LogEntry, Match
from firefight.table.act.act import MatchAct
from firefight.table.act.line_keys import SHEET
from firefight.table.act.ports import CounterStore, the_ledger
from firefight.table.act.refusals import Refused
from firefight.table.act.snapshots import take_snapshot
from firefight.table.act.table import Table
from firefight.table.board import blank_cells, changing, content, counters, due, record_rules, sheets, stores, values
from firefight.table.rolling.steps import call_steps, drop_due
from firefight.table.seats import turns

from . import takeback

Kind = LogEntry.Kind


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


def make_plan(match: Match, table: Table, proposal: Proposal) -> Plan:
    """What a proposal comes to now. Raises Refused where play has gone on since it was made."""
    return _PLANS[proposal.matter](match, table, proposal)


def _plan_take_back(match: Match, table: Table, proposal: Proposal) -> Plan:
    # A device that both share follows the course: what was done there last is theirs, whichever side it acts for now.
    follows = table.all_sit_here and not turns.may_have_secrets(match)
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
