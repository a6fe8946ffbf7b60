"""What a seat can do in a match. One act is one POST, one transaction, one batch in the log.

Every act carries an id that is used once and, where it matters, the version of the match it was drawn from. A
repeated id answers with what the first one did; a stale version changes nothing.
"""

import uuid
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from functools import wraps
from typing import Concatenate, ParamSpec

from django.db import DatabaseError, IntegrityError, transaction
from django.db.models import QuerySet

from firefight.columns import Matter, Rolled
from firefight.engine.errors import RuleError
from firefight.engine.rolls.dice import DieSpec
from firefight.games import registry
from firefight.models import Act, LogEntry, Match
from firefight.table.act.ports import ledger_of

from . import bounds, following, writing
from .act import Doing, Done, MatchAct
from .differences import find_difference
from .own_dice import dice_of_match
from .refusals import Incomplete, Refused, Spent, Stale
from .table import Table
from .writing import GROWS

Kind = LogEntry.Kind

P = ParamSpec("P")


def match_act(
    *, any_version: bool = False
) -> Callable[[Callable[Concatenate[MatchAct, P], None]], Callable[Concatenate[Table, str, int | None, P], Done]]:
    """Make an act of a seat out of its body. ``any_version``: whatever has happened since its form was drawn.

    The act takes the table, the act id and the version of its form, then what its body takes besides the MatchAct.
    Whatever the body raises, nothing has changed then.
    """

    def declare(
        body: Callable[Concatenate[MatchAct, P], None],
    ) -> Callable[Concatenate[Table, str, int | None, P], Done]:
        @wraps(body)
        def act_of_seat(table: Table, act_id: str, version: int | None, /, *args: P.args, **kwargs: P.kwargs) -> Done:
            def do(match: Match, row: Act) -> list[LogEntry]:
                act = MatchAct(table, match, row, before=match.state, drawn=version)
                body(act, *args, **kwargs)
                following.write_act(act)
                return act.entries

            return perform(table, act_id, None if any_version else version, do)

        return act_of_seat

    return declare


def perform(table: Table, act_id: str, version: int | None, do: Doing) -> Done:
    """Do one act in one transaction. Raises Refused or Stale; ``do`` may raise too, and nothing is kept.

    A form of the version that this request has read, the common case, is done on that reading, and
    kept only if the match still stands at that version when it is saved. Otherwise, and when somebody
    was quicker, the match's row is locked first, and what it then says decides.

    Numbers that the app had drawn when ``do`` raised are used up all the same (Spent): else a refusal that mentions
    them would let a player foresee the next roll.
    """
    try:
        return _perform(table, act_id, version, do)
    except _Drawn as drawn:
        sentence = _spend(table, uuid.UUID(act_id), drawn.dice)
        if not isinstance(drawn.error, (Refused, Incomplete, RuleError)):
            raise drawn.error from None
        raise Spent(f"{drawn.error} {sentence}") from drawn.error


class _Drawn(Exception):
    """An act failed after the app had drawn these dice."""

    def __init__(self, dice: list[Rolled], error: Exception):
        self.dice, self.error = dice, error


def _spend(table: Table, act_uuid: uuid.UUID, dice: list[Rolled]) -> str:
    """Log dice that came to nothing, except those whose numbers are used up meanwhile; returns the sentence.

    The log does not say what they were rolled for: that may be hidden from the other side.
    """
    with transaction.atomic():
        match = Match.objects.select_for_update().get(pk=table.match.pk)
        throw = dice_of_match(match)
        unused = [die for die in dice if (die.number or 0) >= match.next_roll]
        rolls = [rolled for die in unused for rolled in throw(DieSpec("die", die.sides, f"d{die.sides}")) or ()]
        sentence = "Nothing came of what the app rolled. Its numbers are used up."
        if rolls:
            # Taking back passes it over: there is nothing to take back.
            flags = {"free_to_take_back": False, "taken_back": True}
            # An id that was used before does not keep a roll from being used up.
            own_id = uuid.uuid4() if Act.objects.filter(pk=act_uuid).exists() else act_uuid
            act = Act(pk=own_id, match=match, number=match.version + 1, side=table.side, **flags)
            entry = writing.record(match, act, Kind.SPENT, table.side, sentence, rolls=rolls)
            match.weight += writing.weigh_entry(entry)
            match.version += 1
            act.save(force_insert=True)
            match.save(update_fields=["version", "next_roll", "weight", *GROWS])
        return sentence


def _perform(table: Table, act_id: str, version: int | None, do: Doing) -> Done:
    check_plays(table)
    try:
        act_uuid = uuid.UUID(act_id)
    except ValueError:
        raise Refused("This form has lost its act id. Reload the page and try again.") from None
    # A ledger's rows are written before the match's: without locking that first, two acts could wait for each other.
    if version == table.match.version and not ledger_of(table.match).leads:
        try:
            with transaction.atomic():
                return _do_act(table, copy(table.match), act_uuid, version, do)
        except (IntegrityError, _Overtaken):
            pass
        except Exception:  # a form that was brought up to this version by news may be a repeated one all the same
            if not Act.objects.filter(pk=act_uuid).exists():
                raise
    try:
        with transaction.atomic():
            match = Match.objects.select_for_update().get(pk=table.match.pk)
            earlier_act = Act.objects.filter(pk=act_uuid).first()
            return _repeated(table, match, earlier_act) if earlier_act else _do_act(table, match, act_uuid, version, do)
    except IntegrityError:
        raise Refused("This form was used already, in another place.") from None


def check_plays(table: Table) -> None:
    """Raise Refused for observers."""
    if not table.plays:
        raise Refused("Observers watch; only players act.")


class _Overtaken(Exception):
    """The match was changed between reading and saving it."""


def _do_act(table: Table, match: Match, act_uuid: uuid.UUID, version: int | None, do: Doing) -> Done:
    _check_open(match, version)
    old_version = match.version
    act = Act(id=act_uuid, match=match, number=old_version + 1, side=table.side)
    before, old_values = match.state, [getattr(match, name) for name in _MAY_CHANGE]
    if match.proposal and match.proposal.matter is Matter.TAKE_BACK:
        match.proposal = None  # whoever plays on does not ask for the last act back
    if match.state.over and match.state.over != table.side:
        match.state = replace(match.state, over="", over_line="")  # whoever was asked has acted
    entries = _do_all(match, act, do)
    if match.ended:
        drop_undo(match.acts.all())
        act.undo = None
    elif not act.taken_back:
        is_same = match.state is before
        act.state_undo = {} if is_same else find_difference(before.to_json(), match.state.to_json())
    act.save(force_insert=True)
    changed = (name for name, old in zip(_MAY_CHANGE, old_values, strict=True) if getattr(match, name) is not old)
    values = {name: getattr(match, name) for name in (*_CHANGED, *changed)}
    if not Match.objects.filter(pk=match.pk, version=old_version).update(**values):
        raise _Overtaken
    return Done(match, act, entries)


def _do_all(match: Match, act: Act, do: Doing) -> list[LogEntry]:
    """Do what an act does, with all that follows from it; returns its lines. Raises _Drawn for dice that were drawn in
    vain, unless the log was full before: then nobody rolls any more, and whoever tries does not lengthen it."""
    match.drawn, was_full = [], _is_full(match)
    following.begin_act(match)
    try:
        entries = do(match, act)
        match.version += 1
        entries = following.follow_act(match, act, entries)
        _weigh(match, entries)
    except Exception as error:
        if match.drawn and not was_full and not isinstance(error, DatabaseError):
            raise _Drawn(match.drawn, error) from error
        raise
    return entries


_CHANGED = ("version", *GROWS, "next_roll", "weight")  # by most acts
_MAY_CHANGE = ("state", "proposal", "ended")  # long to write, and never changed in place


_SETTLING = (Kind.PROPOSAL, Kind.TAKE_BACK, Kind.END)  # what sides ask of each other, and answer


def _weigh(match: Match, entries: list[LogEntry]) -> None:
    """Count what an act adds to the log. Raises Refused where that would be more than any real match comes to."""
    match.weight += sum(writing.weigh_entry(entry) for entry in entries)
    spare = bounds.SPARE_LINES if all(entry.kind in _SETTLING for entry in entries) else 0
    if _is_full(match, spare) and not match.ended:
        longest = registry.games()[match.game].longest
        most = f"{longest.lines:,} lines or {longest.weight // 1_000_000} MB"
        raise Refused(f"This log is full: it holds at most {most}. End the match and begin a new one.")


def _is_full(match: Match, spare: int = 0) -> bool:
    """Whether a log is longer or heavier than any real match's, with room for so many ``spare`` lines."""
    longest = registry.games()[match.game].longest
    return match.last_number > longest.lines + spare or match.weight > longest.weight + spare * bounds.NOTE_LENGTH


def drop_undo(acts: QuerySet[Act]) -> None:
    """Forget how to undo acts that nobody can take back any more."""
    acts.update(state_before=None, state_undo=None, undo=None)


def find_first_answer(table: Table, act_id: str) -> Done | None:
    """What the form with this act id was answered with, if it was. Raises Refused when another seat has used it."""
    try:
        earlier_act = Act.objects.filter(pk=uuid.UUID(act_id)).first()
    except ValueError:
        return None
    return _repeated(table, table.match, earlier_act) if earlier_act else None


def _repeated(table: Table, match: Match, earlier_act: Act) -> Done:
    if (earlier_act.match_id, earlier_act.side) != (match.pk, table.side):
        raise Refused("This form belongs to another match or another side. Nothing was done.")
    entries = list(earlier_act.entries.order_by("number"))
    if entries and entries[0].kind == Kind.SPENT:
        raise Spent(entries[0].sentence)
    return Done(match, earlier_act, entries)


def _is_stale(match: Match, version: int) -> bool:
    """Whether somebody has acted since a version, or it never was. Who sits down or asks for a link has done nothing
    that a form depends on."""
    return version > match.version or (version < match.version and match.acts.filter(number__gt=version).exists())


def _check_open(match: Match, version: int | None) -> None:
    if match.ended:
        raise Refused("This match has ended; its log can be read and checked, but not added to.")
    if match.locked:
        raise Refused("The host has locked this match: it can be read, but nobody can act in it. Ask the host why.")
    if version is not None and _is_stale(match, version):
        raise Stale("The match has moved on since this form was drawn. Nothing was done: look at the log, then go on.")
