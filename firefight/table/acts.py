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
    games,
    helpers,
    one_by_one,
    play_helper,
)
from firefight.columns import DueRoll, LoggedResult, MatchState, Matter, Rolled, Rolls
from firefight.engine.course.course import BadMove
from firefight.engine.course.record import BadValue
from firefight.engine.errors import RuleError
from firefight.engine.rolls.dice import DieSpec, Face, rolled_face
from firefight.engine.rolls.result import FollowUp, Result
from firefight.models import Act, ChartBook, LogEntry, Match

from . import bounds, composed, correction, log, record, seats, snapshots
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
    game: Game,
    name: str,
    hot_seat: bool,
    book: ChartBook | None = None,
    has_ledger: bool = False,
    options: Mapping[str, str] | None = None,
    **more: Any,
) -> tuple[Match, dict[str, str]]:
    """Sit down to a game: the match with a book pinned, the shipped one unless told, and each seat's token.

    ``has_ledger``: whoever makes the ledger takes the first snapshot with it. ``options``: what was agreed, the usual
    where it says nothing. ``more``: an id or a seed of the caller's choice.
    """
    agreed = {option.slug: option.usual for option in game.all_options} | dict(options or {})
    with transaction.atomic():
        match = Match(
            game=game.slug,
            name=name,
            hot_seat=hot_seat,
            book=book or shipped_row(game.slug),
            state=MatchState(options=agreed, record=game.record.defaults).at(game.find_course(agreed).begin()),
            **more,
        )
        match.save(force_insert=True)
        told = ["The match begins.", *(f"{line}." for line in game.describe_options(agreed))]
        told.append(f"Its dice are sealed as {match.commitment}.")
        log.record(match, None, Kind.SEAT, "", " ".join(told), inputs=log.head(match))
        match.save(update_fields=log.GROWS)
        if not has_ledger:
            snapshots.take_snapshot(match, match.version, snapshots.BEGINNING)
        tokens = seats.create(match, game.find_seats(agreed))
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
        left = [die for die in dice if (die.number or 0) >= match.next_roll]
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
    composed.insert_row(act)
    if not composed.update_row(match, _CHANGED_BY_ACTS, version=known):
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
    """A roll as a player asks for it: the filled form, where the dice come from, and what it belongs to.

    ``owner``: the side whose secrets the form was filled from, "" for nobody's.
    """

    helper: Helper
    form: HelperForm
    source: str
    faces: Mapping[str, Face]
    step: str = ""
    corrects: int | None = None
    owner: str = ""


def roll(table: Table, act_id: str, version: int | None, order: RollOrder) -> Done:
    """Resolve a helper and log it; a correction strikes everything that followed from the old roll.

    Raises Refused, Stale, Incomplete, or the rule's RuleError.
    """

    def do(match: Match, act: Act) -> list[LogEntry]:
        old = None if order.corrects is None else _correctable(match, table, order)
        gone = correction.find_followers(old) if old else []
        struck = [old, *gone] if old else []
        later = record.rewind(match, old, struck) if old else record.Later()
        step = _take_step(match, table, order.step, order.helper.slug)
        charts, inputs = of_match(match), order.form.inputs()
        # What is decided unseen cannot be rolled on the table either.
        is_ours = order.source == "app" or order.form.sealed
        if is_ours:
            check_reach(order.helper, charts, inputs)
        thrower = from_match(match) if is_ours else from_table(order.faces)
        result, rolled = play_helper(order.helper, charts, inputs, thrower)
        if result.needs:
            raise Incomplete(result)
        act.free_to_take_back = all(die.source == "table" for die in rolled)
        correction.strike_due(match, struck)
        entry = _write_roll(
            *(match, act, table.side, order.helper, order.form, result, tuple(rolled)),
            owner=_check_owner(table, result.known_to or order.owner),
            title=step.title if step else "",
            due=old.due if old else order.step,
            about=order.corrects,
            voids=[each.number for each in struck],
        )
        family = correction.find_family(old) if old else []
        aside = correction.find_set_aside(family, entry.voids)

        def write(before: LogEntry, step: DueRoll, form: HelperForm, result: Result, rolls: Rolls) -> LogEntry:
            helper, more = helpers(match.game)[before.helper], {"title": step.title, "due": step.id}
            more["owner"] = before.side if before.secret else ""
            return _write_roll(match, act, before.side, helper, form, result, rolls, **more)

        again = correction.roll_again(match, charts, family, entry, [*gone, *aside], write)
        record.go_on(match, later)
        told = [correction.describe(old.number, gone, again)] if old and (gone or again) else []
        told += record.say_overruled(match, [*struck, entry, *again], later)
        aside_of = [log.record(match, act, Kind.DROP, table.side, " ".join(told))] if told else []
        return [entry, *again, *aside_of]

    return perform(table, act_id, version, do)


def _write_roll(
    match: Match, act: Act, side: str, helper: Helper, form: HelperForm, result: Result, rolls: Rolls,
    title: str = "", owner: str = "", **more: Any,
) -> LogEntry:  # fmt: skip
    """Log a settled roll, make its changes, and put what it asks for on the list.

    ``title``: of the step that it answers. ``owner``: the side whose secret the roll is.
    """
    logged = LoggedResult.of(helper.slug, result, form.carry())
    head = "" if result.headline.startswith(helper.title) else f"{title or helper.title}. "
    inputs = {**form.carry(), **form.plain_inputs()}
    more |= {"helper": helper.slug, "inputs": inputs, "result": logged, "rolls": rolls}
    sentence = head + result.headline
    if owner:
        # The line is its owner's, whoever rolled: of a side that nobody plays it stays hidden from the roller, too.
        title_of = games()[match.game].sides[owner]
        side, sentence, more["secret"] = owner, f"{title_of}: {helper.title}, under seal.", sentence
    entry = log.record(match, act, Kind.ROLL, side, sentence, **more)
    record.change(match, logged.details.get(record.CHANGES, {}))
    _enqueue(match, entry.number, logged.follow_ups, owner)
    return entry


def _check_owner(table: Table, owner: str) -> str:
    """The side whose secret a roll is, if this seat may roll it: its own, or one that nobody plays. Raises Refused."""
    if owner and owner != table.side and record.is_played(table, owner):
        raise Refused(f"{table.game.sides[owner]} rolls that itself: it is about what it hides. Nothing was rolled.")
    return owner


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


def _take_step(match: Match, table: Table, step_id: str, helper: str = "") -> DueRoll | None:
    if not step_id:
        return None
    step = next((step for step in match.state.queue_for(table.sees) if step.id == step_id), None)
    if step is None:
        raise Refused("This roll is no longer due: it was made, dropped or taken back. Nothing was rolled.")
    if helper and helper != step.helper:
        raise Refused("What is due is another roll. Nothing was rolled.")
    match.state = match.state.without(step)
    return step


def _enqueue(match: Match, number: int, steps: Iterable[FollowUp], owner: str = "") -> None:
    asked = enumerate(steps)
    fresh = tuple(DueRoll(f"{number}-{place}", step.helper, step.title, step.inputs, owner) for place, step in asked)
    match.state = replace(match.state, queue=(fresh + match.state.queue)[: bounds.MOST_STEPS])


def _correctable(match: Match, table: Table, order: RollOrder) -> LogEntry:
    if order.source == "app":
        raise Refused("A correction takes the dice as they lay on the table: type them. Nothing was changed.")
    entry = LogEntry.objects.filter(match=match, number=order.corrects or 0, helper=order.helper.slug).first()
    if entry is None or not log.visible([entry], table.sees)[0].correctable:
        raise Refused(
            "Only your own roll with dice from the table can be corrected, and only once. Nothing was changed."
        )
    return entry


def drop(table: Table, act_id: str, version: int | None, step_id: str) -> Done:
    """Strike a due roll off the list, or all of them with "all": the players do without. Raises Refused, Stale."""

    def do(match: Match, act: Act) -> list[LogEntry]:
        if step_id == "all":
            dropped = match.state.queue_for(table.sees)
            match.state = replace(match.state, queue=tuple(each for each in match.state.queue if each not in dropped))
        else:
            step = _take_step(match, table, step_id)
            dropped = (step,) if step else ()
        titles = ["a roll under seal" if step.known_to else step.title for step in dropped]
        if not titles:
            raise Refused("There is no such roll to drop.")
        return [log.record(match, act, Kind.DROP, table.side, f"Not rolled: {', '.join(titles)}.")]

    return perform(table, act_id, version, do)


# The course, notes


def advance(table: Table, act_id: str, version: int | None, button: str = "") -> Done:
    """Go on in the course of the game, by a button or by its main way; what is due there is put on the list.

    Raises Refused where the course has no such way, Stale.
    """

    def do(match: Match, act: Act) -> list[LogEntry]:
        course, before = table.course, match.state.position
        try:
            move = course.press(before, button or course.find_main_way(before))
        except BadMove as error:
            raise Refused(str(error)) from None
        is_new_turn = move.position.turn != before.turn
        if is_new_turn and match.state.ledger:
            raise Refused("The campaign keeps the turns: end this one on its firefight page.")
        match.state = match.state.at(move.position)
        entry = log.record(match, act, Kind.TURN, table.side, move.sentence)
        _enqueue(match, entry.number, course.due(move.position, match.state.record))
        if is_new_turn:
            snapshots.take_snapshot(match, act.number, course.turn_title(move.position.turn))
        return [entry]

    return perform(table, act_id, version, do)


def note(table: Table, act_id: str, text: str, sealed: bool = False, about: int | None = None) -> Done:
    """Write a note into the log, for all, or sealed for the own side until it is revealed. Raises Refused."""

    def do(match: Match, act: Act) -> list[LogEntry]:
        if about is not None and not 1 <= about <= match.last_number:
            raise BadField(f"There is no entry № {about} to annotate.")
        if not sealed:
            return [log.record(match, act, Kind.NOTE, table.side, text, about=about)]
        sentence = f"{table.name} seals a note."
        return [log.record(match, act, Kind.SEALED, table.side, sentence, secret=text)]

    return perform(table, act_id, None, do)


def set_value(table: Table, act_id: str, version: int | None, path: str, typed: Any) -> Done:
    """Set one value of the record by hand. Raises Refused, Stale, BadField for what it cannot be."""

    def do(match: Match, act: Act) -> list[LogEntry]:
        kept = record.declare_all(match)
        found, owner = kept.find(path), kept.owner(path)
        if found is None or (owner and owner not in table.sees):
            raise BadField("There is no such value in your record.")
        if not found.by_hand:
            raise Refused(f"{found.title} is kept by the app alone.")
        if match.state.ledger:
            raise Refused("The campaign keeps the turns: end this one on its firefight page.")
        was = kept.value(record.values_of(match), path)
        try:
            record.change(match, kept.setting(path, typed))
        except BadValue as error:
            raise BadField(str(error)) from None
        now = kept.value(record.values_of(match), path)
        if now == was:
            raise Refused(f"{found.title} is that already. Nothing was changed.")
        said = f"By hand, {found.title}: {found.describe_or_blank(now)}; was {found.describe_or_blank(was)}."
        inputs = {record.CHANGES: kept.setting(path, now), "was": was}
        if not owner:
            return [log.record(match, act, Kind.RECORD, table.side, said, inputs=inputs)]
        openly = f"{table.game.sides[owner]} sets something in its hidden record by hand."
        return [log.record(match, act, Kind.RECORD, owner, openly, secret=said, inputs=inputs)]

    return perform(table, act_id, version, do)


def reveal(table: Table, act_id: str, number: int) -> Done:
    """Open a sealed note of the own side for everybody. Raises Refused."""

    def do(match: Match, act: Act) -> list[LogEntry]:
        entry = LogEntry.objects.filter(
            match=match, number=number, kind=Kind.SEALED, side=table.side, revealed_by=None, voided_by=None
        ).first()
        if entry is None:
            raise Refused("There is no sealed note of your side under that number.")
        act.free_to_take_back = False
        sentence = f"{table.name} reveals № {number}."
        told = log.record(match, act, Kind.REVEAL, table.side, sentence, about=number)
        entry.revealed_by = told.number
        entry.save(update_fields=["revealed_by"])
        return [told]

    return perform(table, act_id, None, do)
