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
from firefight.table.board import changing, due, record, record_rules
from firefight.table.log.asked import NOT_ASKED, Asked

from . import naming
from .naming import NOBODY, Named

Kind = LogEntry.Kind


def change_together(act: MatchAct) -> None:
    """Make what simultaneous rolls, and what followed from them, make of counters, as soon as all are made that one
    line asked for."""
    if not act.match.state.proposed or changing.is_asked_first(act.match):
        return
    rolls = act.match.log.filter(kind=Kind.ROLL)
    asked = {number: (helper, due) for number, helper, due in rolls.values_list("number", "helper", "due")}
    of_game = helpers(act.match.game)

    def find_asking(helper: str, due: str) -> int:
        """The line that has asked for the simultaneous roll that something belongs to; 0 where it is of none."""
        while due and not of_game[helper].simultaneous:
            helper, due = asked.get(episodes.parent_of(due), (helper, ""))
        return episodes.parent_of(due)

    still_due = {find_asking(step.helper, step.id) for step in act.match.state.queue}
    waiting = {each.number for each in act.match.state.proposed} & asked.keys()
    asking = {number: find_asking(*asked[number]) for number in waiting}
    settled = [number for number in waiting if asking[number] and asking[number] not in still_due]
    changing.apply_proposed(act, rolls.filter(number__in=settled).order_by("number"))


def settle_steps(act: MatchAct, numbers: Iterable[int], spared: Collection[tuple[str, str]] = ()) -> list[LogEntry]:
    """Play what these lines ask for where no die decides it, and what that asks for in turn: each is a line.

    What cannot be played as it stands, since a player must add something, stays due. ``spared``: helpers and titles of
    steps that are not played yet.
    """
    charts, fresh = of_match(act.match), {*numbers}
    tried: set[str] = set()
    written: list[LogEntry] = []
    while len(written) < bounds.MOST_STEPS and (step := _find_untried(act, fresh, tried)):
        tried.add(step.id)
        if (step.helper, step.title) in spared:
            continue
        helper = helpers(act.match.game)[step.helper]
        values = naming.fill_due_form(act.table_now, helper, step)
        is_sealed = bool(record.fill_form(act.table_now, helper.form).sealed)
        form = naming.read_step(act.match, helper, step, values)
        result = None if is_sealed else settle_helper(helper, charts, form)
        if result is None:
            continue
        written.append(write_step(act, act.side, step, form, result, (), owner=step.known_to))
        fresh.add(written[-1].number)
    return written


def write_step(
    act: MatchAct, side: str, step: DueRoll, form: HelperForm, result: Result, rolls: Rolls, **more: Any
) -> LogEntry:
    """Log what a step that is due has come to, in whose place on the list stands what it asks for."""
    place, helper = act.match.state.queue.index(step), helpers(act.match.game)[step.helper]
    asked = naming.answer_step(act.table_now, helper, step, form)
    act.match.state = act.match.state.without(step)
    more |= {"title": step.title, "due": step.id, "at": place, "asked": asked}
    return write_roll(act, side, helper, form, result, rolls, **more)


def _find_untried(act: MatchAct, fresh: Collection[int], tried: Collection[str]) -> DueRoll | None:
    """The next step that these lines ask for and that a throw may not be needed for."""
    known = helpers(act.match.game)
    for step in act.match.state.queue_for(act.table.sees):
        if episodes.parent_of(step.id) in fresh and step.id not in tried and not known[step.helper].together:
            return step
    return None


def write_roll(
    act: MatchAct, side: str, helper: Helper, form: HelperForm, result: Result, rolls: Rolls,
    title: str = "", owner: str = "", at: int = 0, named: Named = NOBODY, account: Account = NO_ACCOUNT,
    told: Mapping[str, str] | None = None, asked: Asked = NOT_ASKED, **more: Any,
) -> LogEntry:  # fmt: skip
    """Log a settled roll, make its changes, and put what it asks for on the list.

    ``title``: of the step that it answers. ``owner``: the side whose secret the roll is. ``at``: where on the list.
    ``named``: the counters that it names; ``account``: how they filled its form; ``told``: what they were told for it.
    ``asked``: which step it answers, if that is about counters.
    """
    carry = form.carry()
    given = record_rules.inputs_of(form, carry)
    result = helper.lead_on(given, result)
    result = record_rules.add_notes(act.table, act.match, helper.slug, {**given, **named.plain}, result)
    logged = LoggedResult.of(helper.slug, result, carry)
    head = "" if result.headline.startswith(helper.title) else f"{title or helper.title}. "
    named_here: dict[str, object] = {name: ids for name, ids in named.plain.items() if name not in form.fields}
    named_here |= {ACCOUNT: plain} if (plain := account.to_json()) else {}
    named_here |= {TOLD: dict(told)} if told else {}
    named_here |= {ASKED: plain} if (plain := asked.to_json()) else {}
    named_here |= {SCENE: scene} if (scene := naming.describe_scene(act.table_now, named)) else {}
    inputs = {**given, **named_here}
    more |= {"helper": helper.slug, "inputs": inputs, "result": logged, "rolls": rolls}
    sentence = head + result.headline + asked.words
    if owner:
        # The line is its owner's, whoever rolled: of a side that nobody plays it stays hidden from the roller, too.
        name = act.table.game.sides[owner]
        side, sentence, more["secret"] = owner, f"{name}: {helper.title}, under seal.", sentence
    more["touches"] = changing.mention_in_roll(inputs, logged)
    entry = act.tell(Kind.ROLL, sentence, side=side, **more)
    record.change(act.match, record.changes_of(entry))
    changing.change_or_propose(act, entry, result.waits, owner)
    if not helper.suggests:
        idle = record_rules.find_idle(act.match, entry)
        due.enqueue(act.match, entry.number, logged.follow_ups, owner, at, asker=owner or side, idle=idle)
        record_rules.ask_owners(act.match, entry, result)
    return entry
