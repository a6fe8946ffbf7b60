"""A roll made again in place of an old one, with what followed from that."""

from collections.abc import Sequence

from firefight.engine.board.counters import Account
from firefight.engine.values import Json
from firefight.games.registry import helpers
from firefight.kit.fields.counters import ACCOUNT
from firefight.models import LogEntry, Match
from firefight.table.act.act import MatchAct
from firefight.table.act.refusals import Refused
from firefight.table.act.table import Table
from firefight.table.board import due, record
from firefight.table.log import descent, reading
from firefight.table.log.asked import NOT_ASKED, Asked

from . import roll_counters, striking
from .one_roll import roll_once
from .orders import RollOrder
from .retelling import RemadeRoll, Retelling
from .settling import change_together, settle_steps, write_roll, write_step
from .steps import call_steps

Kind = LogEntry.Kind


def roll_corrected(act: MatchAct, order: RollOrder) -> None:
    """Make a roll again in place of an old one; the dice of what followed stand where the same is asked for again."""
    old = _find_correctable(act.match, act.table, order)
    answer = roll_counters.answer_anew(act.match, order.helper, old, order.form)
    _roll_in_place(act, order, old, does_follow=True, due=old.due, answer=answer)


def roll_anew(act: MatchAct, order: RollOrder, number: int) -> None:
    """Make a roll again because a rule says so: with new dice, and nothing that followed before stands."""
    old = descent.find_repeatable(act.match, number, order.helper.slug)
    if old is None:
        raise Refused("What was to be rolled again does not stand any more: drop this. Nothing was rolled.")
    _roll_in_place(act, order, old, does_follow=False)


def _roll_in_place(
    act: MatchAct, order: RollOrder, old: LogEntry, does_follow: bool, answer: Asked = NOT_ASKED, **more: object
) -> None:
    """Strike a roll with all that followed from it, and put another one in its place.

    ``does_follow``: the dice of what followed stand where the same is asked for again.
    """
    followers = descent.find_followers(old)
    struck = [old, *followers]
    later = record.rewind_record(act.match, old, struck)
    striking.strike_due(act.match, struck)
    retelling = act.retelling = Retelling(act, old, struck)
    requeued, voided = due.restore_called_off(act.match, [roll.number for roll in struck])
    voids = [*(roll.number for roll in struck), *retelling.voids, *voided]
    entry = roll_once(act, order, answer, about=old.number, voids=voids, **more)
    family = descent.find_family(old) if does_follow else []
    retelling.begin(entry, family, descent.find_set_aside(family, entry.voids))
    remade, settled = [], _settle_anew(act, retelling, [entry])
    for remade_roll in retelling.go_on():
        remade += [_write_again(act, remade_roll)] if remade_roll else []
        settled += _settle_anew(act, retelling, remade[-1:] if remade_roll else [])
    written = [entry, *remade, *settled]
    retelling.check_frozen(written)
    record.make_changes_again(act.match, later)
    sentences = [striking.describe(old.number, followers, remade)] if followers or remade else []
    sentences += [*retelling.notes, *record.say_overruled(act.match, struck, written, later)]
    still_due = [step for step in requeued if step in act.match.state.queue]
    if due_again := [*still_due, *due.restore_moot(act.match, old.number)]:
        sentences.append(f"Due again: {call_steps(due_again)}.")
    if sentences:
        act.tell(Kind.DROP, " ".join(sentences))


def _settle_anew(act: MatchAct, retelling: Retelling, entries: Sequence[LogEntry]) -> list[LogEntry]:
    """Play what a correction's new rolls ask for where it needs no dice, except where its old dice are still to come.

    This happens at the point that the correction has reached, before what came later is told again.
    """
    retelling.fresh |= {entry.number for entry in entries}
    settled = settle_steps(act, retelling.fresh, retelling.pending())
    retelling.fresh |= {entry.number for entry in settled}
    change_together(act)
    return settled


def _write_again(act: MatchAct, remade_roll: RemadeRoll) -> LogEntry:
    """Log a roll that is made again with its old dice."""
    old, helper = remade_roll.old, helpers(act.match.game)[remade_roll.old.helper]
    owner, participants = old.side if old.secret else "", roll_counters.participants_in(old.inputs, helper)
    account = Account.from_json(old.inputs.get(ACCOUNT, {}))
    result = account.add_to(remade_roll.result)
    common: Json = {"owner": owner, "participants": participants, "account": account}
    if remade_roll.step:
        return write_step(act, old.side, remade_roll.step, remade_roll.form, result, remade_roll.rolls, **common)
    common |= {"title": remade_roll.title, "due": old.due, "about": old.number, "voids": list(remade_roll.voids)}
    common["answer"] = roll_counters.answer_anew(act.match, helper, old, remade_roll.form, is_read_again=True)
    return write_roll(act, old.side, helper, remade_roll.form, result, remade_roll.rolls, **common)


def _find_correctable(match: Match, table: Table, order: RollOrder) -> LogEntry:
    if order.source == "app":
        raise Refused("A correction takes the dice as they lay on the table: type them. Nothing was changed.")
    entry = match.log.filter(number=order.corrects or 0, helper=order.helper.slug).first()
    if entry is None or not reading.visible([entry], table.sees)[0].correctable:
        raise Refused(
            "Only your own roll with dice from the table can be corrected, and only once. Nothing was changed."
        )
    return entry
