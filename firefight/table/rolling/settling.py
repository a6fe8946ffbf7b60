"""Rolls that are settled: their lines, what they change, and what follows from them without dice."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from firefight.columns import DueRoll, LoggedResult, Rolls
from firefight.engine.board.counters import NO_ACCOUNT, Account
from firefight.engine.rolls.result import Result
from firefight.games.chartbooks import of_match
from firefight.games.registry import helpers
from firefight.kit.fields.counters import ACCOUNT, ASKED, SCENE, TOLD
from firefight.kit.fields.forms import HelperForm
from firefight.kit.helper import Helper
from firefight.kit.playing import settle_helper
from firefight.models import LogEntry
from firefight.table.act import bounds, episodes
from firefight.table.act.act import MatchAct
from firefight.table.act.line_keys import UNDER_SEAL
from firefight.table.board import changing, due, record, record_rules
from firefight.table.log.asked import NOT_ASKED, Asked

from . import roll_counters
from .roll_counters import NOBODY, Participants

Kind = LogEntry.Kind


def change_together(act: MatchAct) -> None:
    """Make the changes to counters of simultaneous rolls, and of what followed from them, as soon as all that one line
    asked for have been rolled."""
    if not act.match.state.proposed or changing.is_asked_first(act.match):
        return
    settled = [number for number, is_waiting in changing.find_waiting(act.match).items() if not is_waiting]
    changing.apply_proposed(act, act.match.log.filter(number__in=settled).order_by("number"))


def settle_steps(act: MatchAct, numbers: Iterable[int], spared: Collection[tuple[str, str]] = ()) -> list[LogEntry]:
    """Play what these lines ask for where no die decides it, and what that asks for in turn, with a line for each.

    What a player must add something to stays due. ``spared``: helpers and titles of steps that are not played yet.
    """
    charts, fresh = of_match(act.match), {*numbers}
    tried: set[str] = set()
    written: list[LogEntry] = []
    while len(written) < bounds.MOST_STEPS and (step := _find_untried(act, fresh, tried)):
        tried.add(step.id)
        if (step.helper, step.title) in spared:
            continue
        helper = helpers(act.match.game)[step.helper]
        values = roll_counters.fill_due_form(act.table_now, helper, step)
        is_sealed = bool(record.fill_form(act.table_now, helper.form).sealed)
        form = roll_counters.read_step(act.match, helper, step, values)
        result = None if is_sealed else settle_helper(helper, charts, form)
        if result is None:
            continue
        written.append(write_step(act, act.side, step, form, result, (), owner=step.known_to))
        fresh.add(written[-1].number)
    return written


def write_step(
    act: MatchAct, side: str, step: DueRoll, form: HelperForm, result: Result, rolls: Rolls, **more: Any
) -> LogEntry:
    """Log the result of a due step; what that asks for takes its place on the list."""
    place, helper = act.match.state.queue.index(step), helpers(act.match.game)[step.helper]
    answer = roll_counters.answer_step(act.table_now, helper, step, form)
    act.match.state = act.match.state.without(step)
    more |= {"title": step.title, "due": step.id, "at": place, "answer": answer}
    return write_roll(act, side, helper, form, result, rolls, **more)


def _find_untried(act: MatchAct, fresh: Collection[int], tried: Collection[str]) -> DueRoll | None:
    """The next step that these lines ask for and that may need no throw."""
    all_helpers = helpers(act.match.game)
    for step in act.match.state.queue_for(act.table.sees):
        if episodes.parent_of(step.id) in fresh and step.id not in tried and not all_helpers[step.helper].together:
            return step
    return None


def write_roll(
    act: MatchAct, side: str, helper: Helper, form: HelperForm, result: Result, rolls: Rolls,
    title: str = "", owner: str = "", at: int = 0, participants: Participants = NOBODY, account: Account = NO_ACCOUNT,
    answers: Mapping[str, str] | None = None, answer: Asked = NOT_ASKED, **more: Any,
) -> LogEntry:  # fmt: skip
    """Log a settled roll, make its changes, and put what it asks for on the list.

    ``title``: of the step that it answers. ``owner``: the side whose secret the roll is. ``at``: where on the list.
    ``participants``: the counters that it names; ``account``: how they filled its form; ``answers``: what players
    answered for that. ``answer``: which step it answers, if that is about counters.
    """
    carry = form.carry()
    form_inputs = record_rules.inputs_of(form, carry)
    result = helper.lead_on(form_inputs, result)
    result = record_rules.add_notes(act.table, act.match, helper.slug, {**form_inputs, **participants.plain}, result)
    logged = LoggedResult.of(helper.slug, result, carry)
    head = "" if result.headline.startswith(helper.title) else f"{title or helper.title}. "
    named_here: dict[str, object] = {name: ids for name, ids in participants.plain.items() if name not in form.fields}
    named_here |= {ACCOUNT: plain} if (plain := account.to_json()) else {}
    named_here |= {TOLD: dict(answers)} if answers else {}
    named_here |= {ASKED: plain} if (plain := answer.to_json()) else {}
    named_here |= {SCENE: scene} if (scene := roll_counters.describe_scene(act.table_now, participants)) else {}
    inputs = {**form_inputs, **named_here}
    more |= {"helper": helper.slug, "inputs": inputs, "result": logged, "rolls": rolls}
    sentence = head + result.headline + answer.words
    if owner:
        # The line is its owner's, whoever rolled: for a side that nobody plays it stays hidden from the roller, too.
        name = act.table.game.sides[owner]
        side, sentence, more["secret"] = owner, f"{name}: {helper.title}{UNDER_SEAL}", sentence
    more["touches"] = changing.mention_in_roll(inputs, logged)
    entry = act.tell(Kind.ROLL, sentence, side=side, **more)
    record.change(act.match, record.changes_of(entry))
    changing.change_or_propose(act, entry, result.waits, owner)
    if not helper.suggests:
        idle = record_rules.find_idle(act.match, entry)
        due.enqueue(act.match, entry.number, logged.follow_ups, owner, at, asker=owner or side, idle=idle)
        record_rules.ask_owners(act.match, entry, result)
    return entry
