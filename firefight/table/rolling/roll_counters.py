"""The counters of a roll: who fires at whom, which of them cannot take part, and how they fill the form of a due roll.

A counter that the asking seat does not know of is treated as if it did not exist.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from firefight.columns import DueRoll, MatchState
from firefight.engine.board.counters import COUNTER_ID, CounterInPlay, ids_named
from firefight.engine.errors import BadInput, RuleError
from firefight.engine.text import join_words
from firefight.engine.values import Json, Values
from firefight.games import registry
from firefight.games.chartbooks import of_match
from firefight.kit.counters import befall
from firefight.kit.fields.counters import NAMED, CountersField, fields_by_role, ids_by_role, renew_roles
from firefight.kit.fields.forms import HelperForm
from firefight.kit.fields.rows import RowsField
from firefight.kit.helper import Helper
from firefight.models import LogEntry, Match
from firefight.table.act import bounds
from firefight.table.act.lines import changed_by
from firefight.table.act.ports import ledger_of
from firefight.table.act.table import Table
from firefight.table.board import counters, due, record, record_rules, stores
from firefight.table.log import asked, descent
from firefight.table.log.asked import NOT_ASKED, Asked, read_asked

from .rewinding import find_earlier

MOST_IN_SCENE = 3  # counters that a scene names; the rest are only counted
UNKNOWN = "There is no such counter in play: {}."


@dataclass(frozen=True, slots=True)
class Participants:
    """The counters that a roll names, by id. Without any, the roll is about none that the app knows."""

    firers: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.firers or self.targets)

    @property
    def plain(self) -> dict[str, list[str]]:
        """As the inputs of a line hold them."""
        roles = {"firers": self.firers, "targets": self.targets}
        return {role: list(ids) for role, ids in roles.items() if ids}


NOBODY = Participants()


def gather_participants(firers: Iterable[str], targets: Iterable[str]) -> Participants:
    """The ids that were sent, without repeats. Raises BadInput for more than any roll has."""
    participants = Participants(tuple(dict.fromkeys(filter(None, firers))), tuple(dict.fromkeys(filter(None, targets))))
    if max(len(participants.firers), len(participants.targets)) > bounds.MOST_NAMED:
        raise BadInput(
            {"firers": f"At most {bounds.MOST_NAMED} counters fire at once, at no more than {bounds.MOST_NAMED}."}
        )
    return participants


def participants_in(inputs: Values, helper: Helper) -> Participants:
    """The counters that a line of the log names, without those that its form asks for in a field of that name."""
    roles = (() if role in helper.form.base_fields else ids_named(inputs, role) for role in NAMED)
    return Participants(*roles)


def check_participants(table: Table, helper: Helper, participants: Participants) -> None:
    """Raise BadInput with every reason why this seat cannot name these counters in these roles."""
    reachable = counters.list_reachable(table.match, table.sees) if participants else {}
    reached, side = list_hit_by_place(table, helper, participants), _find_doer(table, helper, participants)
    problems: dict[str, str] = {}
    for role, ids in participants.plain.items():
        reasons = [
            _why_not(table, reachable.get(counter_id), counter_id, role, participants, reached, side)
            for counter_id in ids
        ]
        if any(reasons):
            problems[role] = " ".join(filter(None, reasons))
    if problems:
        raise BadInput(problems)


def check_fields(table: Table, helper: Helper, participants: Participants, form: HelperForm) -> None:
    """Raise BadInput where a form's own fields are about counters that this seat cannot name there."""
    if fields_by_role(helper.form):
        rows = ids_by_role(helper.form, form.plain_inputs())
        check_participants(
            table,
            helper,
            gather_participants(*((*participants.plain.get(role, ()), *rows.get(role, ())) for role in NAMED)),
        )


def add_reached(table: Table, helper: Helper, participants: Participants) -> Participants:
    """The counters that a roll names, with all that it reaches because of where they stand."""
    return replace(
        participants,
        targets=tuple(dict.fromkeys([*participants.targets, *list_hit_by_place(table, helper, participants)])),
    )


def describe_scene(table: Table, participants: Participants) -> dict[str, str]:
    """Where the counters of a roll stand, in words, by role: "K7", "K7 and K8"; where they stand nowhere the names of
    those who fire, and of those whom they fire at.

    Kept with the roll, so that its sentence never changes later, nor tells anybody more.
    """
    store = counters.store_of(table.match)
    scene: dict[str, str] = {}
    for role, ids in participants.plain.items():
        members = [counter for counter_id in ids if (counter := store.find(counter_id))]
        places = dict.fromkeys(
            member.place or (f"{table.game.words.area} {member.area}" if member.area else "") for member in members
        )
        names = [member.name for member in members]
        few = (
            [*names[:MOST_IN_SCENE], f"{len(names) - MOST_IN_SCENE} more"] if len(names) > MOST_IN_SCENE + 1 else names
        )
        is_named = bool(participants.firers)  # whom a roll is about stands in its words
        scene[role] = join_words(places) if all(places) else join_words(few) if is_named else ""
    return {role: words for role, words in scene.items() if words}


def list_hit_by_place(table: Table, helper: Helper, participants: Participants) -> Sequence[str]:
    """The counters that a roll reaches because of where they stand, of both sides, as far as this seat knows them."""
    if not participants.targets:
        return ()
    store, reachable = counters.store_of(table.match), counters.list_reachable(table.match, table.sees)
    firers, targets = (
        [stores.piece_of(store, reachable[counter_id]) for counter_id in ids if counter_id in reachable]
        for ids in (participants.firers, participants.targets)
    )
    everybody = [
        stores.piece_of(store, counter) for counter_id, counter in reachable.items() if counter_id == counter.id
    ]
    return table.game.counters.widen(helper.slug, firers, targets, everybody)


def find_decided_here(table: Table, helper: Helper, side: str) -> DueRoll | None:
    """The first due roll of this kind that is that side's to make, if it may be made here now."""
    due_now = table.match.state.queue_for(table.sees)
    own_steps = (step for step in due_now if step.helper == helper.slug and helper.find_decider(step.inputs) == side)
    step = next(own_steps, None)
    return step if step and table.may_decide(side) and may_read(table, step) else None


def _find_doer(table: Table, helper: Helper, participants: Participants) -> str:
    """Whose counters act: one's own, or those of the other side where its roll is due and this device makes it too."""
    sides = {firer.rpartition("-")[0] for firer in participants.firers}
    side = next(iter(sides)) if len(sides) == 1 else ""
    return side if side != table.side and side and find_decided_here(table, helper, side) else table.side


def _why_not(
    table: Table,
    counter: CounterInPlay | None,
    counter_id: str,
    role: str,
    participants: Participants,
    reached: Collection[str],
    side: str,
) -> str:
    """Why a side's roll cannot name a counter in a role; "" where it can."""
    if counter is None:
        return UNKNOWN.format(counter_id if COUNTER_ID.fullmatch(counter_id) else "that is not a counter's id")
    if not counter.in_play:
        return f"{counter.name} is out of play: {counters.rules_of(table.match).describe(counter)}."
    if counters.is_kept_as_row(table.match, stores.piece_of(counters.store_of(table.match), counter).kind):
        return f"{counter.name} has a card of its own: roll from there."
    if role == "firers" and counter.side != side:
        game = table.game
        return f"{counter.name} is {game.name_of(counter.side)}: choose your own counters to {game.words.attack}."
    if role == "targets" and counter.side == side and participants.firers and counter_id not in reached:
        return f"{counter.name} is your own: choose counters of {table.another_side} as targets."
    return ""


def fill_due_form(table: Table, helper: Helper, step: DueRoll) -> Json:
    """What fills the form of a due roll: what the match knows, what asked for it, and how its counter is now.

    Both the act, to see whether a die is needed, and the page after it need this, so it is cached for the request, by
    seat. Not in a campaign, whose counters change outside the match's state.
    """
    match, key = table.match, (step.id, table.sees)
    cache: dict[tuple[str, tuple[str, ...]], tuple[MatchState, DueRoll, Json]]
    cache = vars(match).setdefault("filled_due", {})
    if key in cache and cache[key][0] is match.state and cache[key][1] == step and not ledger_of(match).leads:
        return cache[key][2]
    values = record.present_values(table, helper)
    values |= {**record_rules.fill_step(table, step), **_read_counter_now(table, helper, step)}
    cache[key] = (match.state, step, values)
    return values


def read_step(match: Match, helper: Helper, step: DueRoll, values: Values) -> HelperForm:
    """The form of a due roll, filled with these values, and cached for the request as they are."""
    cache = vars(match).setdefault("read_steps", {})
    basis = (of_match(match), values)
    if step.id not in cache or cache[step.id][0] != basis:
        cache[step.id] = (basis, helper.form.from_plain(values, book=of_match(match), chained=True))
    form: HelperForm = cache[step.id][1]
    return form


def _read_counter_now(table: Table, helper: Helper, step: DueRoll) -> Json:
    """The state of a step's counter, where another roll has changed it since: a unit may be pinned already.

    A change that is only proposed counts until it is turned down, except for a loss: a lost counter checks no more.
    """
    match, counter_id = table.match, step.inputs.get("id")
    if not (counter_id or fields_by_role(helper.form)):
        return {}
    reachable = counters.list_reachable(match, table.sees)
    rows = renew_roles(helper.form, step.inputs, reachable.get)
    counter = reachable.get(counter_id) if counter_id else None
    if counter is None:  # what was due for a lost counter is due no more
        return rows
    kind = stores.piece_of(counters.store_of(match), counter).kind
    try:
        for proposal in match.state.proposed_for(table.sees):
            if proposal.id == counter_id:
                counter = befall(table.game.counters, counter, kind, proposal.becomes)
    except BadInput:  # a hand has changed it since
        return rows
    return {**rows, **fill_check(match, helper.slug, counter, step.inputs)} if counter.in_play else rows


def fill_check(match: Match, slug: str, counter: CounterInPlay, inputs: Mapping[str, object]) -> dict[str, object]:
    """What one counter's state fills of the inputs that its roll already has, except for its name."""
    store, rules = counters.store_of(match), counters.rules_of(match)
    try:
        filled, _ = rules.explain(of_match(match), slug, [], [stores.piece_of(store, counter)], {})
    except RuleError:
        return {}
    return {name: value for name, value in filled.items() if name in inputs and name not in ("name", "id")}


def fill_from_rows(match: Match, slug: str, form: HelperForm, corrects: int | None) -> Mapping[str, object]:
    """What the counters of a form's rows and fields would fill it with; nothing where they fill nothing.

    ``corrects``: the roll that the form corrects; its counters count as they stood then.
    """
    ids = asked.list_ids(form.plain_inputs())
    store = counters.store_of(match) if ids else None
    if store is None:
        return {}
    first = 0 if corrects is None else descent.Climb(match.pk).find_root(corrects)
    earlier = find_earlier(match, first, ids) if first else {}
    members = [counter for counter_id in ids if (counter := earlier.get(counter_id) or store.find(counter_id))]
    if not members:
        return {}
    by_id = {member.id: member for member in members}
    rows = renew_roles(type(form), form.plain_inputs(), by_id.get)
    try:
        pieces = [stores.piece_of(store, member) for member in members]
        return {**rows, **counters.rules_of(match).explain(of_match(match), slug, [], pieces, {})[0]}
    except RuleError:
        return rows


def fill_again(
    match: Match, slug: str, participants: Participants, inputs: Values, earlier: Mapping[str, CounterInPlay]
) -> Mapping[str, object]:
    """What counters fill a roll with that was made with these inputs; ``earlier``: those that were different then.

    Raises RuleError.
    """
    store = counters.store_of(match)
    roles = [
        [earlier.get(counter_id) or store.find(counter_id) for counter_id in ids]
        for ids in (participants.firers, participants.targets)
    ]
    firers, targets = ([stores.piece_of(store, counter) for counter in role if counter] for role in roles)
    return counters.explain_form(match, registry.helpers(match.game)[slug], firers, targets, inputs)[0]


def answer_step(
    table: Table, helper: Helper, step: DueRoll, form: HelperForm, filled: Values = MappingProxyType({})
) -> Asked:
    """Where a form that answers a due roll about counters differs from what was asked for; see ``find_typed``.

    ``filled``: what those who make it fill in, where a player has named them: nobody has entered that by hand.
    """
    if not asked.list_ids(step.inputs):
        return NOT_ASKED
    values = fill_due_form(table, helper, step)
    changed = {name: values[name] for name, asked_value in step.inputs.items() if values[name] != asked_value}
    changed |= {
        name: value
        for name, value in filled.items()
        if name in form.fields and name not in step.inputs and isinstance(value, int | str) and value not in asked.BLANK
    }
    # Nor has anybody entered what the record fills in besides: the Areas next to the one that a Group leaves, a tick.
    # A tick that was taken out again may be there for a hidden counter, so that nothing is said about it.
    for name in form.fields.keys() & values.keys() - step.inputs.keys():
        form_field, value = form.fields[name], values[name]
        is_kept = isinstance(value, int) and value == form.plain_value(name) != form_field.initial
        if is_kept or (isinstance(form_field, RowsField) and not isinstance(form_field, CountersField)):
            changed[name] = value
    typed = asked.find_typed(helper, of_match(table.match), {**step.inputs, **changed}, form)
    return Asked(step.id, changed, typed)


def answer_anew(match: Match, helper: Helper, old: LogEntry, form: HelperForm, is_read_again: bool = False) -> Asked:
    """The same for the form that replaces a roll that was due; ``is_read_again``: with its counter as it is now, else
    as it was then."""
    old_answer = read_asked(old.inputs)
    number, place = old_answer.asking
    line = match.log.filter(number=number).first() if number else None
    step = asked.pick_step(place, asked.steps_of(line)) if line else None
    if step is None:
        return NOT_ASKED
    dropped_ids = set(asked.list_ids(step.inputs)) - set(asked.list_ids(old.inputs))
    changed = dict(old_answer.now)
    counter = counters.store_of(match).find(str(step.inputs.get("id") or "")) if is_read_again else None
    if counter:
        filled = fill_check(match, helper.slug, counter, step.inputs)
        changed = {name: value for name, value in {**changed, **filled}.items() if value != step.inputs.get(name)}
    expected = {**(asked.drop_rows(step.inputs, dropped_ids) or step.inputs), **changed}
    return Asked(old_answer.step, changed, asked.find_typed(helper, of_match(match), expected, form))


def may_read(table: Table, step: DueRoll) -> bool:
    """Whether a due roll is read here now: its side sits here, or nobody sits elsewhere to read it, and nothing that
    others may do comes first."""
    is_ours = not step.read_by or table.may_decide(step.read_by)
    return is_ours and due.find_prior(table.match, step) is None


def find_hidden(table: Table, match: Match, ids: Iterable[str]) -> list[CounterInPlay]:
    """The counters among these that are hidden, or closed to others.

    Raises BadInput for those that this seat does not know of, or that are out of play.
    """
    reachable, hidden = counters.list_reachable(match, table.sees), []
    for counter_id in dict.fromkeys(ids):
        counter = reachable.get(counter_id)
        if counter is None:
            raise BadInput({"id": UNKNOWN.format(counter_id)})
        if not counter.in_play:
            raise BadInput({"id": f"{counter.name} is out of play: {counters.rules_of(match).describe(counter)}."})
        is_own = bool(counter.counter)  # a counter that is closed to this seat shows nothing here
        hidden += [counter] if counter.hidden or (counter.closed and is_own) else []
    return list({counter.id: counter for counter in hidden}.values())


def say_hidden(hidden: Iterable[CounterInPlay]) -> str:
    """The notice before a roll that shows counters."""
    counters_shown = list(hidden)
    are, them = ("is", "it") if len(counters_shown) == 1 else ("are", "them")
    how = "hidden" if any(counter.hidden for counter in counters_shown) else "closed"
    return f"{join_words(counter.name for counter in counters_shown)} {are} {how}: this roll shows {them}."


def spare_the_lost(match: Match, entries: Iterable[LogEntry]) -> list[DueRoll]:
    """Take off the list what is due for counters that these lines have taken out of play; returns those steps.

    A stack that is due goes on with the rest. Rolls that count together are made all the same. What a correction asks
    for may be about counters that a later roll has removed.
    """
    lost = {counter_id for entry in entries for counter_id, fields in changed_by(entry).items() if _is_lost(fields)}
    if any(entry.kind == LogEntry.Kind.ROLL and entry.about for entry in entries):
        lost |= {gone_id for step in match.state.queue if (gone_id := _find_gone(match, step))}
    if not lost:
        return []
    all_helpers = registry.helpers(match.game)
    remaining = [
        step if all_helpers[step.helper].simultaneous else due.leave_out(step, lost) for step in match.state.queue
    ]
    dropped = [step for step, still_due in zip(match.state.queue, remaining, strict=True) if still_due is None]
    match.state = replace(match.state, queue=tuple(filter(None, remaining)))
    return dropped


def _is_lost(fields: Mapping[str, Sequence[object]]) -> bool:
    old_fate, new_fate = fields.get("fate", ("", ""))
    return bool(new_fate and not old_fate)


def _find_gone(match: Match, step: DueRoll) -> str:
    """The counter that a step is about, where that is out of play; else ""."""
    counter_id = str(step.inputs.get("id") or "")
    counter = counters.store_of(match).find(counter_id) if counter_id else None
    return "" if counter is None or counter.in_play else counter_id
