"""Rolls: what a player asks for is resolved, logged, and followed by what it asks for."""

from collections.abc import Sequence

from firefight.columns import DueRoll
from firefight.engine.course.keeping import Forestalled
from firefight.engine.text import join_words
from firefight.games.chartbooks import of_match
from firefight.models import LogEntry
from firefight.table.act.act import MatchAct
from firefight.table.act.line_keys import CHANGES
from firefight.table.act.performing import match_act
from firefight.table.act.refusals import Refused
from firefight.table.board import due, record_rules

from .correcting import roll_anew, roll_corrected
from .one_roll import keep_told_values, roll_once
from .orders import RollOrder
from .settling import change_together, settle_steps
from .steps import find_due, order_throws

Kind = LogEntry.Kind


@match_act()
def roll(act: MatchAct, order: RollOrder) -> None:
    """Resolve a helper and log it, with what follows from it without dice.

    A correction strikes everything that followed from the old roll. Raises Refused, Stale, Incomplete, or the rule's
    RuleError.
    """
    if order.corrects is not None:
        roll_corrected(act, order)
    elif (step := find_due(act.match, act.table, order.step)) and step.anew is not None:
        roll_anew(act, order, step.anew)
    elif forestalled := _find_forestalled(act, order):
        _announce(act, order, forestalled)
    else:
        settle_steps(act, [roll_once(act, order).number])
    change_together(act)


def _find_forestalled(act: MatchAct, order: RollOrder) -> Forestalled | None:
    """What others may do before a roll that nobody has announced yet."""
    if order.step:
        return None
    record_rules.check_roll(act.table, act.match, order.helper.slug, order.form)
    return record_rules.find_forestalled(act.match, order.helper.slug, order.form)


def _announce(act: MatchAct, order: RollOrder, forestalled: Forestalled) -> None:
    """Announce a roll, and offer others what they may do first; none of its dice counts before that."""
    order.helper.open(of_match(act.match), order.form.inputs())
    titles = join_words(offer.roll.title for offer in forestalled.offers)
    entry = act.tell(Kind.RECORD, f"{forestalled.title}. First: {titles}.", inputs={CHANGES: {}})
    if order.values:
        keep_told_values(act, order)
    inputs = record_rules.inputs_of(order.form, order.form.carry())
    roll = DueRoll(f"{entry.number}-0", order.helper.slug, forestalled.title, inputs, read_by=act.side)
    due.queue_behind_offers(act.match, entry.number, forestalled, roll)


@match_act()
def roll_due(act: MatchAct, orders: Sequence[RollOrder]) -> None:
    """Resolve several due rolls: all of them, or none. Raises what ``roll`` raises."""
    for order in orders:
        place = next((at for at, step in enumerate(act.match.state.queue) if step.id == order.step), 0)
        settle_steps(act, [roll_once(act, order, at=place).number])
    change_together(act)


@match_act()
def roll_all(act: MatchAct) -> None:
    """Let the app throw for all that the step of the course asks for and that lacks only dice.

    Each is filled from the record as the one before left it: the Stukas' form knows the weather just rolled. The rest
    stays due. Raises Refused where there is nothing to throw for.
    """
    tried: set[str] = set()
    while order := next((candidate for candidate in order_throws(act.table_now) if candidate.step not in tried), None):
        tried.add(order.step)
        place = next(at for at, step in enumerate(act.match.state.queue) if step.id == order.step)
        settle_steps(act, [roll_once(act, order, at=place).number])
    if not tried:
        raise Refused("Nothing that is due lacks dice alone. Nothing was rolled.")
    change_together(act)
