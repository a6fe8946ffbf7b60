"""What a seat can do in a match. One act is one POST, one transaction, one batch in the log.

Every act carries an id that is used once and, where it matters, the version of the match it was
drawn from. A repeated id answers with what the first one did; a stale version changes nothing.
"""

import uuid
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

from django.db import DatabaseError, IntegrityError, transaction
from django.db.models import QuerySet

from firefight.assistant.chartbooks import of_match, shipped_row
from firefight.assistant.fields import HelperForm
from firefight.assistant.registry import (
    Game,
    Helper,
    Thrower,
    as_rolled,
    check_reach,
    from_table,
    helpers,
    one_by_one,
    play_helper,
)
from firefight.columns import DueRoll, LoggedResult, MatchState, Matter, Rolled, Rolls
from firefight.engine.errors import RuleError
from firefight.engine.rolls.dice import DieSpec, Face, rolled_face
from firefight.engine.rolls.result import FollowUp, Result
from firefight.models import Act, ChartBook, LogEntry, Match

from . import bounds, correction, log, seats, snapshots
from .differences import find_difference
from .seats import Table

Kind = LogEntry.Kind


class Refused(Exception):
    """The act is not done and nothing has changed; the message says why, in the players' words."""

    status = 403


class Stale(Refused):
    """The match has moved on since the form was drawn."""

    status = 409


class BadField(Refused):
    """A field of the form cannot be read."""

    status = 422


class Spent(Refused):
    """Nothing was done, but the app had rolled for it: those numbers are logged and used up."""

    status = 422


class Incomplete(Exception):
    """Dice that the rule asks for are still missing; nothing has changed."""

    def __init__(self, result: Result):
        super().__init__(result.headline)
        self.result = result


@dataclass(frozen=True, slots=True)
class Done:
    """An act as it stands in the log, new or repeated."""

    match: Match
    act: Act
    entries: list[LogEntry]


Doing = Callable[[Match, Act], list[LogEntry]]


def new_match(
    game: Game, name: str, hot_seat: bool, book: ChartBook | None = None, has_ledger: bool = False, **more: Any
) -> tuple[Match, dict[str, str]]:
    """Sit down to a game: the match with a book pinned, the shipped one unless told, and each seat's token.

    ``has_ledger``: whoever makes the ledger takes the first snapshot with it. ``more``: an id or a seed of the
    caller's choice.
    """
    with transaction.atomic():
        first = next(iter(game.sides))
        match = Match(
            game=game.slug,
            name=name,
            hot_seat=hot_seat,
            book=book or shipped_row(game.slug),
            state=MatchState(phase=next(iter(game.phases)), impulse=first),
            **more,
        )
        match.save(force_insert=True)
        sentence = f"The match begins. Its dice are sealed as {match.commitment}."
        log.record(match, None, Kind.SEAT, "", sentence, inputs=log.head(match))
        match.save(update_fields=log.GROWS)
        if not has_ledger:
            snapshots.take(match, match.version, snapshots.BEGINNING)
        tokens = seats.create(match, game.sides)
    return match, tokens


def perform(table: Table, act_id: str, version: int | None, do: Doing) -> Done:
    """Do one act in one transaction. Raises Refused or Stale; ``do`` may raise too, and nothing is kept.

    A form of the version that this request has read, the common case, is done on that reading, and
    kept only if the match still stands at that version when it is saved. Otherwise, and when somebody
    was quicker, the match's row is held first, and what it then says decides.

    Numbers that the app had drawn when ``do`` raised are used up all the same (Spent): else a refusal that tells of
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
    """Log dice that came to nothing, but for those whose numbers are used up meanwhile; returns the sentence.

    The log does not say what they were rolled for: that may be hidden from the other side.
    """
    with transaction.atomic():
        match = Match.objects.select_for_update().get(pk=table.match.pk)
        throw = from_match(match)
        left = [die for die in dice if die.number >= match.next_roll]
        rolls = [each for die in left for each in throw(DieSpec("die", die.sides, f"d{die.sides}")) or ()]
        sentence = "Nothing came of what the app rolled. Its numbers are used up."
        if rolls:
            # Taking back passes it over: there is nothing to take back.
            nothing = {"free_to_take_back": False, "taken_back": True}
            # An id that was used before shields no roll from being used up.
            own_id = uuid.uuid4() if Act.objects.filter(pk=act_uuid).exists() else act_uuid
            act = Act(pk=own_id, match=match, number=match.version + 1, side=table.side, **nothing)
            log.record(match, act, Kind.SPENT, table.side, sentence, rolls=rolls)
            match.version += 1
            act.save(force_insert=True)
            match.save(update_fields=["version", "next_roll", *log.GROWS])
        return sentence


def _perform(table: Table, act_id: str, version: int | None, do: Doing) -> Done:
    if not table.plays:
        raise Refused("Observers watch; only the two sides act.")
    try:
        act_uuid = uuid.UUID(act_id)
    except ValueError:
        raise Refused("This form has lost its act id. Reload the page and try again.") from None
    # A ledger's rows are written before the match's: without holding that first, two acts could wait for each other.
    if version == table.match.version and not table.match.state.ledger:
        try:
            with transaction.atomic():
                return _do(table, copy(table.match), act_uuid, version, do)
        except (IntegrityError, _Overtaken):
            pass
        except Exception:  # a form that was brought up to this version by news may be a repeated one all the same
            if not Act.objects.filter(pk=act_uuid).exists():
                raise
    try:
        with transaction.atomic():
            match = Match.objects.select_for_update().get(pk=table.match.pk)
            earlier = Act.objects.filter(pk=act_uuid).first()
            return _repeated(table, match, earlier) if earlier else _do(table, match, act_uuid, version, do)
    except IntegrityError:
        raise Refused("This form was used already, in another place.") from None


class _Overtaken(Exception):
    """The match was changed between reading and saving it."""


def _do(table: Table, match: Match, act_uuid: uuid.UUID, version: int | None, do: Doing) -> Done:
    _check_open(match, version)
    known = match.version
    act = Act(pk=act_uuid, match=match, number=known + 1, side=table.side)
    before = match.state
    if match.proposal and match.proposal.matter is Matter.TAKE_BACK:
        match.proposal = None  # who plays on does not ask for the last act back
    match.drawn = []
    try:
        entries = do(match, act)
    except Exception as error:
        if match.drawn and not isinstance(error, DatabaseError):
            raise _Drawn(match.drawn, error) from error
        raise
    match.version = known + 1
    _weigh(match, entries)
    if match.ended:
        drop_undo(match.acts.all())
        act.undo = None
    elif not act.taken_back:
        act.state_undo = find_difference(before.to_json(), match.state.to_json())
    act.save(force_insert=True)
    saved = {name: getattr(match, name) for name in _CHANGED_BY_ACTS}
    if not Match.objects.filter(pk=match.pk, version=known).update(**saved):
        raise _Overtaken
    return Done(match, act, entries)


_CHANGED_BY_ACTS = ("state", "proposal", "version", *log.GROWS, "next_roll", "weight", "ended")


def _weigh(match: Match, entries: list[LogEntry]) -> None:
    """Count what an act adds to the log. Raises Refused where that would be more than any real match comes to."""
    match.weight += sum(log.weight(entry) for entry in entries)
    is_full = match.last_number > bounds.MOST_LINES or match.weight > bounds.MOST_WEIGHT
    if is_full and not match.ended:
        most = f"{bounds.MOST_LINES:,} lines or {bounds.MOST_WEIGHT // 1_000_000} MB"
        raise Refused(f"This log is full: it holds at most {most}. End the match and begin a new one.")


def drop_undo(of: QuerySet[Act]) -> None:
    """Forget how to undo acts that nobody can take back any more."""
    of.update(state_before=None, state_undo=None, undo=None)


def _repeated(table: Table, match: Match, earlier: Act) -> Done:
    if (earlier.match_id, earlier.side) != (match.pk, table.side):
        raise Refused("This form belongs to another match or another side. Nothing was done.")
    entries = list(earlier.entries.order_by("number"))
    if entries and entries[0].kind == Kind.SPENT:
        raise Spent(entries[0].sentence)
    return Done(match, earlier, entries)


def _check_open(match: Match, version: int | None) -> None:
    if match.ended:
        raise Refused("This match has ended; its log can be read and checked, but not added to.")
    if version is not None and version != match.version:
        raise Stale("The match has moved on since this form was drawn. Nothing was done: look at the log, then go on.")


# Rolls


@dataclass(frozen=True, slots=True)
class RollOrder:
    """A roll as a player asks for it: the filled form, where the dice come from, and what it belongs to."""

    helper: Helper
    form: HelperForm
    source: str
    faces: Mapping[str, Face]
    step: str = ""
    corrects: int | None = None


def roll(table: Table, act_id: str, version: int | None, order: RollOrder) -> Done:
    """Resolve a helper and log it; a correction strikes everything that followed from the old roll.

    Raises Refused, Stale, Incomplete, or the rule's RuleError.
    """

    def do(match: Match, act: Act) -> list[LogEntry]:
        step = _take_step(match, order.step, order.helper.slug)
        old = None if order.corrects is None else _correctable(match, table, order)
        gone = correction.find_followers(old) if old else []
        charts, inputs = of_match(match), order.form.inputs()
        if order.source == "app":
            check_reach(order.helper, charts, inputs)
        thrower = from_match(match) if order.source == "app" else from_table(order.faces)
        result, rolled = play_helper(order.helper, charts, inputs, thrower)
        if result.needs:
            raise Incomplete(result)
        act.free_to_take_back = all(die.source == "table" for die in rolled)
        struck = [old, *gone] if old else []
        correction.strike_due(match, struck)
        entry = _write_roll(
            *(match, act, table.side, order.helper, order.form, result, tuple(rolled)),
            title=step.title if step else "",
            due=old.due if old else order.step,
            about=order.corrects,
            voids=[each.number for each in struck],
        )
        family = correction.find_family(old) if old else []
        aside = correction.find_set_aside(family, entry.voids)
        if not gone and not aside:
            return [entry]

        def write(before: LogEntry, step: DueRoll, form: HelperForm, result: Result, rolls: Rolls) -> LogEntry:
            helper, more = helpers(match.game)[before.helper], {"title": step.title, "due": step.id}
            return _write_roll(match, act, before.side, helper, form, result, rolls, **more)

        again = correction.roll_again(match, charts, family, entry, [*gone, *aside], write)
        if not gone and not again:
            return [entry]
        told = correction.describe(old.number, gone, again)
        return [entry, *again, log.record(match, act, Kind.DROP, table.side, told)]

    return perform(table, act_id, version, do)


def _write_roll(
    match: Match, act: Act, side: str, helper: Helper, form: HelperForm, result: Result, rolls: Rolls,
    title: str = "", **more: Any,
) -> LogEntry:  # fmt: skip
    """Log a settled roll, and put what it asks for on the list. ``title``: of the step that it answers."""
    logged = LoggedResult.of(helper.slug, result, form.carry())
    head = "" if result.headline.startswith(helper.title) else f"{title or helper.title}. "
    inputs = {**form.carry(), **form.plain_inputs()}
    more |= {"helper": helper.slug, "inputs": inputs, "result": logged, "rolls": rolls}
    entry = log.record(match, act, Kind.ROLL, side, head + result.headline, **more)
    _enqueue(match, entry.number, logged.follow_ups)
    return entry


def from_match(match: Match) -> Thrower:
    """Dice that the app rolls: derived from the match's seed, numbered without gaps.

    ``match.drawn`` notes them, so that they are used up whatever becomes of the act.
    """
    seed, drawn = bytes.fromhex(match.seed), match.__dict__.setdefault("drawn", [])

    def draw(spec: DieSpec) -> Rolled:
        number = match.next_roll
        match.next_roll += 1
        die = as_rolled(spec, rolled_face(seed, number, spec.sides), "app", number)
        drawn.append(die)
        return die

    return one_by_one(draw)


def _take_step(match: Match, step_id: str, helper: str = "") -> DueRoll | None:
    if not step_id:
        return None
    step = next((step for step in match.state.queue if step.id == step_id), None)
    if step is None:
        raise Refused("This roll is no longer due: it was made, dropped or taken back. Nothing was rolled.")
    if helper and helper != step.helper:
        raise Refused("What is due is another roll. Nothing was rolled.")
    match.state = match.state.without(step)
    return step


def _enqueue(match: Match, number: int, steps: Iterable[FollowUp]) -> None:
    asked = enumerate(steps)
    fresh = tuple(DueRoll(f"{number}-{place}", step.helper, step.title, step.inputs) for place, step in asked)
    match.state = replace(match.state, queue=(fresh + match.state.queue)[: bounds.MOST_STEPS])


def _correctable(match: Match, table: Table, order: RollOrder) -> LogEntry:
    if order.source == "app":
        raise Refused("A correction takes the dice as they lay on the table: type them. Nothing was changed.")
    entry = LogEntry.objects.filter(match=match, number=order.corrects, helper=order.helper.slug).first()
    lines = log.visible([entry], table.sees) if entry else []
    if not lines or not lines[0].correctable:
        raise Refused(
            "Only your own roll with dice from the table can be corrected, and only once. Nothing was changed."
        )
    return entry


def drop(table: Table, act_id: str, version: int | None, step_id: str) -> Done:
    """Strike a due roll off the list, or all of them with "all": the players do without. Raises Refused, Stale."""

    def do(match: Match, act: Act) -> list[LogEntry]:
        if step_id == "all":
            titles = [step.title for step in match.state.queue]
            match.state = replace(match.state, queue=())
        else:
            step = _take_step(match, step_id)
            titles = [step.title] if step else []
        if not titles:
            raise Refused("There is no such roll to drop.")
        return [log.record(match, act, Kind.DROP, table.side, f"Not rolled: {', '.join(titles)}.")]

    return perform(table, act_id, version, do)


# Turn, notes


def advance(table: Table, act_id: str, version: int | None) -> Done:
    """Go on to the next phase, or to the next turn's first. Raises Refused, Stale."""

    def do(match: Match, act: Act) -> list[LogEntry]:
        phases = list(table.game.phases)
        place = phases.index(match.state.phase) + 1
        if place == len(phases):
            if match.state.ledger:
                raise Refused("The campaign keeps the turns: end this one on its firefight page.")
            if match.state.turn >= table.game.last_turn:
                raise Refused(f"Turn {table.game.last_turn} is the last: end the match when you are done.")
            place = 0
        turn = match.state.turn + (place == 0)
        match.state = replace(match.state, turn=turn, phase=phases[place])
        name = table.game.phases[phases[place]]
        entry = log.record(match, act, Kind.TURN, table.side, f"Turn {turn}, {name}.")
        if place == 0:
            snapshots.take(match, act.number, f"Turn {turn}")
        return [entry]

    return perform(table, act_id, version, do)


def pass_impulse(table: Table, act_id: str, version: int | None) -> Done:
    """Hand the impulse to the other side. Raises Refused outside the phase that has impulses, Stale."""

    def do(match: Match, act: Act) -> list[LogEntry]:
        if match.state.phase != table.game.impulse_phase:
            raise Refused(f"Impulses belong to the {table.game.phases[table.game.impulse_phase]}.")
        (other,) = (side for side in table.game.sides if side != match.state.impulse)
        match.state = replace(match.state, impulse=other)
        return [log.record(match, act, Kind.TURN, table.side, f"Impulse: {table.game.sides[other]}.")]

    return perform(table, act_id, version, do)


def note(table: Table, act_id: str, text: str, sealed: bool = False, about: int | None = None) -> Done:
    """Write a note into the log, for all, or sealed for the own side until it is revealed. Raises Refused."""

    def do(match: Match, act: Act) -> list[LogEntry]:
        if about is not None and not 1 <= about <= match.last_number:
            raise BadField(f"There is no entry № {about} to annotate.")
        if not sealed:
            return [log.record(match, act, Kind.NOTE, table.side, text, about=about)]
        sentence = f"{table.game.sides[table.side]} seals a note."
        return [log.record(match, act, Kind.SEALED, table.side, sentence, secret=text)]

    return perform(table, act_id, None, do)


def reveal(table: Table, act_id: str, number: int) -> Done:
    """Open a sealed note of the own side for everybody. Raises Refused."""

    def do(match: Match, act: Act) -> list[LogEntry]:
        entry = LogEntry.objects.filter(
            match=match, number=number, kind=Kind.SEALED, side=table.side, revealed_by=None, voided_by=None
        ).first()
        if entry is None:
            raise Refused("There is no sealed note of your side under that number.")
        act.free_to_take_back = False
        told = log.record(
            match, act, Kind.REVEAL, table.side, f"{table.game.sides[table.side]} reveals № {number}.", about=number
        )
        entry.revealed_by = told.number
        entry.save(update_fields=["revealed_by"])
        return [told]

    return perform(table, act_id, None, do)
