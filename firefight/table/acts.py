"""What a seat can do in a match. One act is one POST, one transaction, one batch in the log.

Every act carries an id that is used once and, where it matters, the version of the match it was
drawn from. A repeated id answers with what the first one did; a stale version changes nothing.
"""

import uuid
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from functools import cached_property, wraps
from typing import Any, Concatenate, ParamSpec

from django.db import DatabaseError, IntegrityError, transaction
from django.db.models import QuerySet

from firefight.assistant.chartbooks import of_match, shipped_row
from firefight.assistant.fields import ACCOUNT, ASKED, SCENE, TOLD, HelperForm
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
    settle_helper,
)
from firefight.columns import DueRoll, LoggedResult, MatchState, Matter, Rolled, Rolls
from firefight.engine.board.counters import NO_ACCOUNT, Account, CounterInPlay
from firefight.engine.course.course import BadMove, Button, Position
from firefight.engine.course.keeping import Forestalled
from firefight.engine.errors import BadInput, RuleError
from firefight.engine.record import BadValue, KeptRows
from firefight.engine.rolls.dice import DieSpec, Face, rolled_face
from firefight.engine.rolls.result import Result
from firefight.engine.text import join_words
from firefight.models import Act, ChartBook, LogEntry, Match

from . import bounds, correction, counters, due, keeping, log, naming, record, seats, snapshots, turns
from .asked import NOT_ASKED, Asked, find_reader
from .blanks import Blank, fill_cells
from .differences import find_difference
from .naming import NOBODY, Named
from .rewinding import Replay, Rewinding
from .seats import Table
from .values import check_values, keep_values, refuse_changed

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


class Hides(Refused):
    """A roll is about hidden counters, and would show them: nobody has agreed to that yet."""

    status = 422


class LeavesOpen(Refused):
    """Going on would leave open what sides do together, which nobody has confirmed: the same may be sent again."""

    status = 422

    def __init__(self, left_open: str):
        super().__init__(f"{left_open} Declare and roll it first, or go on all the same.")


class Incomplete(Exception):
    """Dice that the rule asks for are still missing; nothing has changed. ``step``: the due roll that lacks them."""

    def __init__(self, result: Result, step: str = ""):
        super().__init__(result.headline)
        self.result, self.step = result, step


@dataclass(frozen=True, slots=True)
class Done:
    """An act as it stands in the log, new or repeated."""

    match: Match
    act: Act
    entries: list[LogEntry]


Doing = Callable[[Match, Act], list[LogEntry]]
P = ParamSpec("P")


@dataclass
class MatchAct:
    """What one act works with. ``table``: who does it, as its request read the match; ``match``: as it is held now.

    ``row``: the act as it is stored; ``entries``: its lines of the log so far. ``rewinding``: the counters on their way
    back to the present, while a roll is corrected. ``drawn``: the version of the match at which its form was drawn.
    """

    table: Table
    match: Match
    row: Act
    entries: list[LogEntry] = field(default_factory=list)
    rewinding: Rewinding | None = None
    drawn: int | None = None

    @property
    def side(self) -> str:
        """Who acts."""
        return self.table.side

    @cached_property
    def table_now(self) -> Table:
        """The table with the match as this act has changed it so far."""
        return replace(self.table, match=self.match)

    def tell(self, kind: Kind, sentence: str, side: str | None = None, **more: Any) -> LogEntry:
        """Add a line to the log, the acting side's unless ``side`` says whose it is."""
        entry = log.record(self.match, self.row, kind, self.side if side is None else side, sentence, **more)
        self.entries.append(entry)
        return entry


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
        def act_of_seat(table: Table, act_id: str, version: int | None, *args: P.args, **kwargs: P.kwargs) -> Done:
            def do(match: Match, row: Act) -> list[LogEntry]:
                act, before = MatchAct(table, match, row, drawn=version), match.state.record
                body(act, *args, **kwargs)
                if match.state.ledger and match.state.record != before:
                    keeping.ledger_missions().save(match, row)
                if "counter_store" in vars(match):
                    counters.store_of(match).save(act)
                return act.entries

            return perform(table, act_id, None if any_version else version, do)

        return act_of_seat

    return declare


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
        tokens = seats.create_seats(match, game.find_seats(agreed))
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
    check_plays(table)
    try:
        act_uuid = uuid.UUID(act_id)
    except ValueError:
        raise Refused("This form has lost its act id. Reload the page and try again.") from None
    # A ledger's rows are written before the match's: without holding that first, two acts could wait for each other.
    if version == table.match.version and not table.match.state.ledger:
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
            earlier = Act.objects.filter(pk=act_uuid).first()
            return _repeated(table, match, earlier) if earlier else _do_act(table, match, act_uuid, version, do)
    except IntegrityError:
        raise Refused("This form was used already, in another place.") from None


def check_plays(table: Table) -> None:
    """Raise Refused for observers."""
    if not table.plays:
        raise Refused("Observers watch; only the two sides act.")


class _Overtaken(Exception):
    """The match was changed between reading and saving it."""


def _do_act(table: Table, match: Match, act_uuid: uuid.UUID, version: int | None, do: Doing) -> Done:
    _check_open(match, version)
    known = match.version
    act = Act(id=act_uuid, match=match, number=known + 1, side=table.side)
    before, held = match.state, [getattr(match, name) for name in _MAY_CHANGE]
    if match.proposal and match.proposal.matter is Matter.TAKE_BACK:
        match.proposal = None  # who plays on does not ask for the last act back
    if match.state.over and match.state.over != table.side:
        match.state = replace(match.state, over="", over_line="")  # whoever was asked has acted
    match.drawn = []
    counters.begin_with_store(match)
    try:
        entries = do(match, act)
    except Exception as error:
        if match.drawn and not isinstance(error, DatabaseError):
            raise _Drawn(match.drawn, error) from error
        raise
    match.version = known + 1
    keeping.follow_counters(match, entries)
    if moot := [step for step in naming.spare_the_lost(match, entries) if not step.known_to]:
        told = {"inputs": {due.MOOT: [step.id for step in moot]}}
        entries = [*entries, log.record(match, act, Kind.DROP, act.side, f"Due no more: {call_steps(moot)}.", **told)]
    _weigh(match, entries)
    if match.ended:
        drop_undo(match.acts.all())
        act.undo = None
    elif not act.taken_back:
        is_same = match.state is before
        act.state_undo = {} if is_same else find_difference(before.to_json(), match.state.to_json())
    act.save(force_insert=True)
    changed = (name for name, was in zip(_MAY_CHANGE, held, strict=True) if getattr(match, name) is not was)
    values = {name: getattr(match, name) for name in (*_CHANGED, *changed)}
    if not Match.objects.filter(pk=match.pk, version=known).update(**values):
        raise _Overtaken
    return Done(match, act, entries)


_CHANGED = ("version", *log.GROWS, "next_roll", "weight")  # by most acts
_MAY_CHANGE = ("state", "proposal", "ended")  # long to write, and never changed in place


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


def find_first_answer(table: Table, act_id: str) -> Done | None:
    """What the form with this act id was answered with, if it was. Raises Refused when another seat has used it."""
    try:
        earlier = Act.objects.filter(pk=uuid.UUID(act_id)).first()
    except ValueError:
        return None
    return _repeated(table, table.match, earlier) if earlier else None


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
    if match.locked:
        raise Refused("The host has locked this match: it can be read, but nobody can act in it. Ask the host why.")
    if version is not None and version != match.version:
        raise Stale("The match has moved on since this form was drawn. Nothing was done: look at the log, then go on.")


# Rolls


@dataclass(frozen=True, slots=True)
class RollOrder:
    """A roll as a player asks for it: the filled form, where the dice come from, and what it belongs to.

    ``owner``: the side whose secrets the form was filled from, "" for nobody's. ``named``: the counters that it names;
    ``shows``: those of them that are hidden are shown by it. ``values``: what its owner told of kinds of counters with
    it; ``account``: how the form was filled from counters, ``told``: what they were told for it, ``entered``: what it
    says otherwise than they do. ``cells``: what its owner has told of blank cells of charts.
    """

    helper: Helper
    form: HelperForm
    source: str
    faces: Mapping[str, Face]
    step: str = ""
    corrects: int | None = None
    owner: str = ""
    named: Named = NOBODY
    shows: bool = False
    values: Mapping[str, int] = field(default_factory=dict)
    account: Account = NO_ACCOUNT
    told: Mapping[str, str] = field(default_factory=dict)
    entered: Asked = NOT_ASKED
    cells: Mapping[Blank, str] = field(default_factory=dict)


@match_act()
def roll(act: MatchAct, order: RollOrder) -> None:
    """Resolve a helper and log it, with what follows from it without dice.

    A correction strikes everything that followed from the old roll. Raises Refused, Stale, Incomplete, or the rule's
    RuleError.
    """
    if order.corrects is not None:
        _roll_corrected(act, order)
    elif (step := find_due(act.match, act.table, order.step)) and step.anew is not None:
        _roll_anew(act, order, step.anew)
    elif forestalled := _find_forestalled(act, order):
        _announce(act, order, forestalled)
    else:
        _settle_steps(act, [_roll_once(act, order).number])
    _change_together(act)


def _find_forestalled(act: MatchAct, order: RollOrder) -> Forestalled | None:
    """What others may do before a roll is made that nobody has announced yet."""
    if order.step:
        return None
    keeping.check_roll(act.table, act.match, order.helper.slug, order.form)
    return keeping.find_forestalled(act.match, order.helper.slug, order.form)


def _announce(act: MatchAct, order: RollOrder, forestalled: Forestalled) -> None:
    """Say that a roll is to be made, and offer to others what comes first; no die of it counts before that."""
    order.helper.open(of_match(act.match), order.form.inputs())
    first = join_words(each.roll.title for each in forestalled.offers)
    entry = act.tell(Kind.RECORD, f"{forestalled.title}. First: {first}.", inputs={record.CHANGES: {}})
    inputs = keeping.inputs_of(order.form, order.form.carry())
    roll = DueRoll(f"{entry.number}-0", order.helper.slug, forestalled.title, inputs, read_by=act.side)
    due.hold_up(act.match, entry.number, forestalled, roll)


def _call_off(act: MatchAct, roll: LogEntry) -> None:
    """Take off the list what was to come after a roll that has called it off, and what else could have come before."""
    number = correction.parent_of(roll.due)
    gone = [each for each in act.match.state.queue if correction.parent_of(each.id) == number]
    if gone:
        due.put_queue(act.match, [each for each in act.match.state.queue if each not in gone])
        inputs = {due.CALLED_OFF: [step.to_json() for step in gone]}
        act.tell(Kind.DROP, f"Due no more: {call_steps(gone)}.", about=roll.number, inputs=inputs)


@match_act()
def roll_due(act: MatchAct, orders: Sequence[RollOrder]) -> None:
    """Resolve several rolls that are due: all of them, or none. Raises what ``roll`` raises."""
    for order in orders:
        place = next((at for at, step in enumerate(act.match.state.queue) if step.id == order.step), 0)
        _settle_steps(act, [_roll_once(act, order, at=place).number])
    _change_together(act)


def _change_together(act: MatchAct) -> None:
    """Make what simultaneous rolls, and what followed from them, make of counters, as soon as all are made that one
    line asked for."""
    if not act.match.state.proposed or counters.is_asked_first(act.match):
        return
    rolls = LogEntry.objects.filter(match=act.match, kind=Kind.ROLL)
    asked = {number: (helper, due) for number, helper, due in rolls.values_list("number", "helper", "due")}
    of_game = helpers(act.match.game)

    def find_asking(helper: str, due: str) -> int:
        """The line that has asked for the simultaneous roll that something belongs to; 0 where it is of none."""
        while due and not of_game[helper].simultaneous:
            helper, due = asked.get(correction.parent_of(due), (helper, ""))
        return correction.parent_of(due)

    still_due = {find_asking(step.helper, step.id) for step in act.match.state.queue}
    waiting = {each.number for each in act.match.state.proposed} & asked.keys()
    asking = {number: find_asking(*asked[number]) for number in waiting}
    settled = [number for number in waiting if asking[number] and asking[number] not in still_due]
    counters.apply_proposed(act, rolls.filter(number__in=settled).order_by("number"))


def _roll_once(act: MatchAct, order: RollOrder, **more: Any) -> LogEntry:
    """Make one roll, and write it."""
    step = find_due(act.match, act.table, order.step, order.helper.slug)
    if step is not None:
        check_decides(act.table, step)
        more["asked"] = naming.answer_step(act.table_now, order.helper, step, order.form)
        act.match.state = act.match.state.without(step)
    if more.get("asked", NOT_ASKED) == NOT_ASKED:
        more["asked"] = order.entered
    keeping.check_roll(act.table, act.match, order.helper.slug, order.form)
    if step is None and order.corrects is None:
        keeping.answer_house(act.match, order.helper.slug, {**order.form.carried, **order.form.inputs()})
    shown = _find_shown(act, order)
    if step is None and order.corrects is None:
        _check_reader(act.table, order)
    if order.cells:
        fill_cells(act, order.cells)
    charts, inputs = of_match(act.match), order.form.inputs()
    # What is decided unseen cannot be rolled on the table either.
    is_ours = order.source == "app" or order.form.sealed
    if is_ours:
        check_reach(order.helper, charts, inputs)
    thrower = from_match(act.match) if is_ours else from_table(order.faces)
    result, rolled = play_helper(order.helper, charts, inputs, thrower)
    if result.needs:
        raise Incomplete(result, order.step)
    _check_repeated(act.match, result)
    if order.values:
        kinds = counters.store_of(act.match).kinds
        check_values(act.match, order.values, kinds)
        if not act.table.asks_nobody:
            refuse_changed(act.match, order.values, kinds)
        keep_values(act, order.values, kinds)
    result = order.account.add_to(result)
    is_free = not shown and all(die.source == "table" for die in rolled)
    act.row.free_to_take_back = act.row.free_to_take_back and is_free
    for counter in shown:
        counters.tell_change(act, counter, replace(counter, hidden=False))
    owner = _check_owner(act.table, result.known_to or order.owner)
    # What one side alone was told is due may be rolled openly, and then the title is still its own.
    is_telling = step is not None and (owner or not step.known_to)
    written: dict[str, Any] = {
        "title": step.title if step and is_telling else "",
        "due": order.step,
        "named": order.named,
        "account": order.account,
        "told": order.told,
    } | more
    entry = _write_roll(act, act.side, order.helper, order.form, result, tuple(rolled), owner=owner, **written)
    if result.calls_off and entry.due:  # so does one that is corrected: it stands where the step was answered
        _call_off(act, entry)
    return entry


def _find_shown(act: MatchAct, order: RollOrder) -> list[CounterInPlay]:
    """The hidden counters that a roll is about, which it shows. Raises Hides where nobody has agreed to that."""
    if act.table.game.counters is None:
        return []
    ids = [*order.named.firers, *order.named.targets, *naming.ids_in(order.form.inputs())]
    if order.helper.simultaneous and (order.step or order.corrects is not None):
        ids = [each for each in ids if (counter := counters.store_of(act.match).find(each)) is None or counter.in_play]
    hidden = naming.find_hidden(act.table, act.match, ids) if ids else []
    if hidden and not order.shows:
        raise Hides(naming.say_hidden(hidden))
    return hidden


def _roll_corrected(act: MatchAct, order: RollOrder) -> None:
    """Make a roll anew in place of an old one; the dice of what followed stand where the same is asked for again."""
    old = _find_correctable(act.match, act.table, order)
    asked = naming.answer_anew(act.match, order.helper, old, order.form)
    _roll_in_place(act, order, old, does_follow=True, due=old.due, asked=asked)


def _roll_anew(act: MatchAct, order: RollOrder, number: int) -> None:
    """Make a roll once more since a rule says so: with dice of its own, and nothing stands of what followed before."""
    old = correction.find_repeatable(act.match, number, order.helper.slug)
    if old is None:
        raise Refused("What was to be rolled again does not stand any more: drop this. Nothing was rolled.")
    _roll_in_place(act, order, old, does_follow=False)


def _roll_in_place(act: MatchAct, order: RollOrder, old: LogEntry, does_follow: bool, **more: Any) -> None:
    """Strike a roll with all that followed from it, and let another one stand where it stood.

    ``does_follow``: the dice of what followed stand where the same is asked for again.
    """
    gone = correction.find_followers(old)
    struck = [old, *gone]
    later = record.rewind(act.match, old, struck)
    correction.strike_due(act.match, struck)
    course = act.rewinding = Rewinding(act, old, struck)
    taken_up, told_off = due.take_up(act.match, [each.number for each in struck])
    voids = [*(each.number for each in struck), *course.voids, *told_off]
    entry = _roll_once(act, order, about=old.number, voids=voids, **more)
    family = correction.find_family(old) if does_follow else []
    course.begin(entry, family, correction.find_set_aside(family, entry.voids))
    again, settled = [], _settle_anew(act, course, [entry])
    for replay in course.go_on():
        again += [_write_again(act, replay)] if replay else []
        settled += _settle_anew(act, course, again[-1:] if replay else [])
    written = [entry, *again, *settled]
    course.check_frozen(written)
    record.go_on(act.match, later)
    sentences = [correction.describe(old.number, gone, again)] if gone or again else []
    sentences += [*course.told, *record.say_overruled(act.match, struck, written, later)]
    back = [step for step in taken_up if step in act.match.state.queue]
    if back := [*back, *due.bring_back(act.match, old.number)]:
        sentences.append(f"Due again: {call_steps(back)}.")
    if sentences:
        act.tell(Kind.DROP, " ".join(sentences))


def _settle_anew(act: MatchAct, course: Rewinding, entries: Sequence[LogEntry]) -> list[LogEntry]:
    """Play what needs no dice of what new rolls of a correction ask for, but for that whose old dice are still to come.

    It is done where the correction has come to, before what came later is told again.
    """
    course.fresh |= {entry.number for entry in entries}
    settled = _settle_steps(act, course.fresh, course.pending())
    course.fresh |= {entry.number for entry in settled}
    _change_together(act)
    return settled


def _write_again(act: MatchAct, replay: Replay) -> LogEntry:
    """Log a roll that is made again with its old dice."""
    old, helper = replay.old, helpers(act.match.game)[replay.old.helper]
    owner, named = old.side if old.secret else "", naming.named_in(old.inputs, helper)
    account = Account.from_json(old.inputs.get(ACCOUNT, {}))
    result = account.add_to(replay.result)
    told: dict[str, Any] = {"owner": owner, "named": named, "account": account}
    if replay.step:
        return _write_step(act, old.side, replay.step, replay.form, result, replay.rolls, **told)
    told |= {"title": replay.title, "due": old.due, "about": old.number, "voids": list(replay.voids)}
    told["asked"] = naming.answer_anew(act.match, helper, old, replay.form, is_read_again=True)
    return _write_roll(act, old.side, helper, replay.form, result, replay.rolls, **told)


def _settle_steps(act: MatchAct, numbers: Iterable[int], spared: Collection[tuple[str, str]] = ()) -> list[LogEntry]:
    """Play what these lines ask for where no die decides it, and what that asks for in turn: each is a line.

    What cannot be played as it stands, since a player must add something, stays due. ``spared``: helpers and titles of
    what is left alone.
    """
    charts, fresh = of_match(act.match), {*numbers}
    tried: set[str] = set()
    written: list[LogEntry] = []
    while len(written) < bounds.MOST_STEPS and (step := _find_untried(act, fresh, tried)):
        tried.add(step.id)
        if (step.helper, step.title) in spared:
            continue
        helper = helpers(act.match.game)[step.helper]
        values = naming.due_values(act.table_now, helper, step)
        is_sealed = bool(record.fill_form(act.table_now, helper.form).sealed)
        form = naming.read_step(act.match, helper, step, values)
        result = None if is_sealed else settle_helper(helper, charts, form)
        if result is None:
            continue
        written.append(_write_step(act, act.side, step, form, result, (), owner=step.known_to))
        fresh.add(written[-1].number)
    return written


def _write_step(
    act: MatchAct, side: str, step: DueRoll, form: HelperForm, result: Result, rolls: Rolls, **more: Any
) -> LogEntry:
    """Log what a step that is due has come to, in whose place on the list stands what it asks for."""
    place, helper = act.match.state.queue.index(step), helpers(act.match.game)[step.helper]
    asked = naming.answer_step(act.table_now, helper, step, form)
    act.match.state = act.match.state.without(step)
    more |= {"title": step.title, "due": step.id, "at": place, "asked": asked}
    return _write_roll(act, side, helper, form, result, rolls, **more)


def _find_untried(act: MatchAct, fresh: Collection[int], tried: Collection[str]) -> DueRoll | None:
    """The next step that these lines ask for and that a throw may not be needed for."""
    known = helpers(act.match.game)
    for step in act.match.state.queue_for(act.table.sees):
        if correction.parent_of(step.id) in fresh and step.id not in tried and not known[step.helper].together:
            return step
    return None


def _write_roll(
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
    given = keeping.inputs_of(form, carry)
    result = keeping.add_notes(act.table, act.match, helper.slug, {**given, **named.plain}, result)
    logged = LoggedResult.of(helper.slug, result, carry)
    head = "" if result.headline.startswith(helper.title) else f"{title or helper.title}. "
    named_here: dict[str, Any] = {name: ids for name, ids in named.plain.items() if name not in form.fields}
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
    more["touches"] = counters.mention_in_roll(inputs, logged)
    entry = act.tell(Kind.ROLL, sentence, side=side, **more)
    record.change(act.match, record.changes_of(entry))
    counters.change_or_propose(act, entry, result.waits, owner)
    if not helper.suggests:
        idle = keeping.find_idle(act.match, entry)
        due.enqueue(act.match, entry.number, logged.follow_ups, owner, at, asker=owner or side, idle=idle)
        keeping.ask_owners(act.match, entry, result)
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


def _check_repeated(match: Match, result: Result) -> None:
    """Raise Refused for a roll that is to be made once more, and does not stand any more."""
    for step in result.follow_ups:
        if step.anew is not None and correction.find_repeatable(match, step.anew, step.helper) is None:
            raise Refused(f"№ {step.anew} is no roll that stands: choose another one. Nothing was done.")


def find_other_reader(table: Table, helper: Helper, form: HelperForm) -> str:
    """The side that reads a check of its counters itself, since somebody plays it elsewhere; "" for none."""
    reader = find_reader(helper, form.plain_inputs(), "") if helper.read_by and form.is_valid() else ""
    return "" if not reader or table.may_decide(reader) else reader


def _check_reader(table: Table, order: RollOrder) -> None:
    """Raise Refused for a check of another side's counters that nothing has asked for, where somebody plays that."""
    if reader := find_other_reader(table, order.helper, order.form):
        name = table.game.name_of(reader)
        raise Refused(f"The {name} rolls that: it is about the {name}'s own counters. Nothing was rolled.")


def find_due(match: Match, table: Table, step_id: str, helper: str = "") -> DueRoll | None:
    """A due roll by its id, None without one. ``helper``: the roll that it should be. Raises Refused."""
    if not step_id:
        return None
    step = next((step for step in match.state.queue_for(table.sees) if step.id == step_id), None)
    if step is None:
        raise Refused("This roll is no longer due: it was made, dropped or taken back. Nothing was rolled.")
    if helper and helper != step.helper:
        raise Refused("What is due is another roll. Nothing was rolled.")
    return step


def check_decides(table: Table, step: DueRoll) -> None:
    """Raise Refused where what is due is another side's to decide or to read, and somebody sits there to do it."""
    decider = helpers(table.match.game)[step.helper].find_decider(step.inputs)
    if decider and not table.may_decide(decider):
        raise Refused(f"{step.title}: the {table.game.name_of(decider)} decides that. Nothing was done.")
    if prior := due.find_prior(table.match, step):
        raise Refused(f"{step.title}: first {prior.title} is rolled or dropped. Nothing was done.")
    if not naming.may_read(table, step):
        raise Refused(f"{step.title}: the {table.game.name_of(step.read_by)} rolls that. Nothing was done.")


def _find_correctable(match: Match, table: Table, order: RollOrder) -> LogEntry:
    if order.source == "app":
        raise Refused("A correction takes the dice as they lay on the table: type them. Nothing was changed.")
    entry = LogEntry.objects.filter(match=match, number=order.corrects or 0, helper=order.helper.slug).first()
    if entry is None or not log.visible([entry], table.sees)[0].correctable:
        raise Refused(
            "Only your own roll with dice from the table can be corrected, and only once. Nothing was changed."
        )
    return entry


def drop_due(act: MatchAct, dropped: Sequence[DueRoll]) -> None:
    """Strike rolls off the list of what is due: the players do without.

    That something under seal was due is told to nobody else: the others see a sealed note like any other.
    """
    left = tuple(each for each in act.match.state.queue if each not in dropped)
    act.match.state = replace(act.match.state, queue=left)
    told = f"Not rolled: {call_steps(dropped)}."
    if dropped[0].known_to:
        _seal_note(act, told)
    else:
        act.tell(Kind.DROP, told)


def call_steps(steps: Iterable[DueRoll]) -> str:
    """Due rolls by their titles."""
    return ", ".join(step.title for step in steps)


# The course, notes


@match_act()
def advance(act: MatchAct, button: str = "", leaves: bool = False) -> None:
    """Go on in the course of the game, by a button or by its main way; what is due there is put on the list.

    ``leaves``: also if sides have still to do something together. Raises Refused where the course has no such way,
    LeavesOpen, Stale.
    """
    course, before, kept = act.table.course, act.match.state.position, act.match.state.record
    pressed = button or course.find_main_way(before, kept)
    _check_own(act.table, course.buttons(before, kept), pressed)
    try:
        move = course.press(before, pressed, kept)
    except BadMove as error:
        raise Refused(str(error)) from None
    is_new_turn = move.position.turn != before.turn
    if is_new_turn and act.match.state.ledger:
        raise Refused("The campaign keeps the turns: end this one on its firefight page.")
    left_open = leave_open(act.match, before, move.position, leaves)
    act.match.state = act.match.state.at(move.position)
    entry = act.tell(Kind.TURN, f"{move.sentence} {left_open}".strip())
    _begin_step(act, before, entry.number, pressed)
    if is_new_turn:
        snapshots.take_snapshot(act.match, act.row.number, course.turn_title(move.position.turn))


def leave_open(match: Match, before: Position, after: Position | None, leaves: bool) -> str:
    """What a match that goes from one position to another leaves open, as a sentence for the log; "" for nothing.

    Whoever leaves a step, in whatever way, comes by here. ``after``: None where nothing comes after. Raises LeavesOpen
    where nobody has confirmed it (``leaves``).
    """
    left_open = keeping.say_left_open(match, before, after)
    if left_open and not leaves:
        raise LeavesOpen(left_open)
    return left_open


def _begin_step(act: MatchAct, before: Position, number: int, pressed: str = "") -> None:
    """What comes of a match's having come from one position to another. ``number``: of the line that says so."""
    position, kept = act.match.state.position, act.match.state.record
    due.enqueue(act.match, number, act.table.course.due(position, kept))
    _keep_house(act, before, number, pressed)


def _check_own(table: Table, buttons: Iterable[Button], slug: str) -> None:
    """Raise Refused for a button that is another side's to press, if somebody sits there."""
    button = next((each for each in buttons if each.slug == slug), None)
    if button and button.side and not table.may_decide(button.side):
        raise Refused(f"“{button.title}” is the {table.game.name_of(button.side)}'s to say. Nothing was done.")


def _keep_house(act: MatchAct, before: Position, number: int, pressed: str) -> None:
    """What the rules take off and ask for as a step begins, with a line for the record and one for each counter."""

    def tell(sentence: str, inputs: Mapping[str, Any]) -> LogEntry:
        return act.tell(Kind.RECORD, sentence, inputs=inputs)

    keeping.keep_house(act.match, before, number, tell, pressed)
    rules, step = act.table.game.counters, act.table.course.step(act.match.state.position)
    if rules is None or step == act.table.course.step(before):
        return
    store = counters.store_of(act.match)
    pieces = [counters.piece_of(store, each) for each in store.all() if each.in_play]
    for change in rules.tidy(step, pieces):
        was = store.find(change.id)
        if was:
            counters.tell_change(act, was, rules.become(was, counters.piece_of(store, was).kind, change.becomes))


@match_act(any_version=True)
def hand_over(act: MatchAct, text: str = "") -> None:
    """Over to you: the match waits for the others until one of them acts. Raises Refused where it does so already.

    ``text``: a line for them, which all may read.
    """
    standing = turns.find_standings({act.match: act.table.sees})[act.match.pk]
    if reason := turns.say_why_not_over(act.match, act.side, standing):
        raise Refused(f"{reason} Nothing was changed.")
    act.match.state = replace(act.match.state, over=act.side, over_line=text)
    act.tell(Kind.NOTE, f"Over to you: {text}" if text else "Over to you.")


@match_act(any_version=True)
def note(act: MatchAct, text: str, sealed: bool = False, about: int | None = None) -> None:
    """Write a note into the log, for all, or sealed for the own side until it is revealed. Raises Refused."""
    if about is not None and not 1 <= about <= act.match.last_number:
        raise BadField(f"There is no entry № {about} to annotate.")
    if sealed:
        _seal_note(act, text)
    else:
        act.tell(Kind.NOTE, text, about=about)


def _seal_note(act: MatchAct, text: str) -> None:
    act.tell(Kind.SEALED, f"{act.table.name} seals a note.", secret=text)


@match_act()
def set_value(act: MatchAct, path: str, typed: Any, keeps_house: bool = False, leaves: bool = False) -> None:
    """Set one value of the record by hand. Raises Refused, LeavesOpen, Stale, BadField for what it cannot be.

    ``keeps_house``: of where the match stands, with what the rules do between there and where it stood. ``leaves``:
    also if sides have still to do something together there.
    """
    before = act.match.state.position
    kept, values = record.declare_all(act.match), record.values_of(act.match)
    setting = record.find_setting(act.match, path, typed)
    found, owners = setting.found, setting.owners
    if found is None or not (owners | setting.writers).issubset(act.table.sees):
        raise BadField("There is no such value in your record.")
    if len(owners) > 1:
        raise BadField("Set what each side hides for itself.")
    if not found.by_hand:
        raise Refused(f"{found.title} is kept by the app alone.")
    if act.match.state.ledger and path.partition(".")[0] in record.known_place(act.match):
        raise Refused("The campaign keeps the turns: end this one on its firefight page.")
    try:
        was = kept.value(values, path)
        change = kept.setting(path, typed)
        record.change(act.match, change)
        if isinstance(top := kept.find(path.partition(".")[0]), KeptRows):
            keeping.check_rows(act.match, top.name, values[top.name])
    except (BadValue, BadInput) as error:
        raise BadField(str(error)) from None
    now = kept.value(record.values_of(act.match), path)
    if now == was:
        raise Refused(f"{found.title or 'It'} is that already. Nothing was changed.")
    change = kept.setting(path, found.settle_change(typed, now) if isinstance(found, KeptRows) else now)
    said = record.describe_setting(act.match, path, change, was, now)
    inputs = {record.CHANGES: change, **({} if isinstance(found, KeptRows) else {"was": was})}
    owner = next(iter(owners), "")
    if owner:
        openly = f"{act.table.game.sides[owner]} sets something in its hidden record by hand."
        act.tell(Kind.RECORD, openly, side=owner, secret=said, inputs=inputs)
        return
    left_open = leave_open(act.match, before, act.match.state.position, leaves)
    entry = act.tell(Kind.RECORD, f"{said} {left_open}".strip(), inputs=inputs)
    if keeps_house and act.match.state.position != before:
        _begin_step(act, before, entry.number)


@match_act(any_version=True)
def reveal(act: MatchAct, number: int) -> None:
    """Open a sealed note or photo of the own side for everybody. Raises Refused."""
    sealed = LogEntry.objects.filter(
        match=act.match,
        number=number,
        kind__in=(Kind.SEALED, Kind.PHOTO),
        side=act.side,
        revealed_by=None,
        voided_by=None,
    )
    entry = sealed.exclude(secret="").first()
    if entry is None:
        raise Refused("There is no sealed note of your side under that number.")
    act.row.free_to_take_back = False
    entry.revealed_by = act.tell(Kind.REVEAL, f"{act.table.name} reveals № {number}.", about=number).number
    entry.save(update_fields=["revealed_by"])
