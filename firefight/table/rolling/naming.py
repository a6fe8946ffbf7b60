"""Which counters a roll names: who fires, and at whom; who cannot be named, and how the form of what is due is filled.

A counter that the asking seat does not know of is told like one that there is not.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from firefight.columns import DueRoll, MatchState
from firefight.engine.board.counters import COUNTER_ID, CounterInPlay
from firefight.engine.errors import BadInput, RuleError
from firefight.engine.text import join_words
from firefight.engine.values import Json, Values
from firefight.games import registry
from firefight.games.chartbooks import of_match
from firefight.kit.counters import befall
from firefight.kit.fields.counters import ASKED, NAMED, fields_by_role, ids_by_role, renew_roles
from firefight.kit.fields.forms import HelperForm
from firefight.kit.helper import Helper
from firefight.models import LogEntry, Match
from firefight.table.act import bounds
from firefight.table.act.lines import changed_by
from firefight.table.act.ports import ledger_of
from firefight.table.act.table import Table
from firefight.table.board import counters, due, record, record_rules, stores
from firefight.table.log import asked
from firefight.table.log.asked import NOT_ASKED, Asked

MOST_IN_SCENE = 3  # counters that a scene names; the others are counted
UNKNOWN = "There is no such counter in play: {}."


@dataclass(frozen=True, slots=True)
class Named:
    """The counters that a roll names, by id. Without any it is about none that the app knows."""

    firers: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.firers or self.targets)

    @property
    def plain(self) -> dict[str, list[str]]:
        """As a line's inputs keep them."""
        roles = {"firers": self.firers, "targets": self.targets}
        return {role: list(ids) for role, ids in roles.items() if ids}


NOBODY = Named()


def read_named(firers: Iterable[str], targets: Iterable[str]) -> Named:
    """The ids that were sent, each once. Raises BadInput for more than any roll has."""
    named = Named(tuple(dict.fromkeys(filter(None, firers))), tuple(dict.fromkeys(filter(None, targets))))
    if max(len(named.firers), len(named.targets)) > bounds.MOST_NAMED:
        raise BadInput(
            {"firers": f"At most {bounds.MOST_NAMED} counters fire at once, at no more than {bounds.MOST_NAMED}."}
        )
    return named


def named_in(inputs: Values, helper: Helper) -> Named:
    """The counters that a line of the log names, besides what its form asks for under such a name."""
    roles = (() if role in helper.form.base_fields else tuple(inputs.get(role) or ()) for role in NAMED)
    return Named(*roles)


def check_named(table: Table, helper: Helper, named: Named) -> None:
    """Raise BadInput with every reason why this seat cannot name these counters so."""
    known = counters.list_reachable(table.match, table.sees) if named else {}
    reached, side = list_hit_by_place(table, helper, named), _find_doer(table, helper, named)
    problems: dict[str, str] = {}
    for role, ids in named.plain.items():
        reasons = [_why_not(table, known.get(each), each, role, named, reached, side) for each in ids]
        if any(reasons):
            problems[role] = " ".join(filter(None, reasons))
    if problems:
        raise BadInput(problems)


def check_fields(table: Table, helper: Helper, named: Named, form: HelperForm) -> None:
    """Raise BadInput where a form is about counters, in fields of its own, that this seat cannot name so."""
    if fields_by_role(helper.form):
        rows = ids_by_role(helper.form, form.plain_inputs())
        check_named(table, helper, read_named(*((*named.plain.get(role, ()), *rows.get(role, ())) for role in NAMED)))


def add_reached(table: Table, helper: Helper, named: Named) -> Named:
    """The counters that a roll names, with all whom it reaches by where they stand."""
    return replace(named, targets=tuple(dict.fromkeys([*named.targets, *list_hit_by_place(table, helper, named)])))


def describe_scene(table: Table, named: Named) -> dict[str, str]:
    """Where those stand whom a roll names, in words, by role: "K7", "K7 and K8"; their names where they stand nowhere.

    Kept with the roll, so that its sentence says later what it says now, and no more to anybody.
    """
    store = counters.store_of(table.match) if named and table.game.counters else None
    scene: dict[str, str] = {}
    for role, ids in named.plain.items() if store else ():
        found = [counter for each in ids if store and (counter := store.find(each))]
        places = dict.fromkeys(
            each.place or (f"{table.game.words.area} {each.area}" if each.area else "") for each in found
        )
        names = [each.name for each in found]
        few = (
            [*names[:MOST_IN_SCENE], f"{len(names) - MOST_IN_SCENE} more"] if len(names) > MOST_IN_SCENE + 1 else names
        )
        scene[role] = join_words(places if all(places) else few)
    return {role: words for role, words in scene.items() if words}


def list_hit_by_place(table: Table, helper: Helper, named: Named) -> Sequence[str]:
    """The counters that a roll is about by where they stand, of both sides, as far as this seat knows of them."""
    if not named.targets or table.game.counters is None:
        return ()
    store, known = counters.store_of(table.match), counters.list_reachable(table.match, table.sees)
    firers, targets = (
        [stores.piece_of(store, known[each]) for each in ids if each in known] for ids in (named.firers, named.targets)
    )
    everybody = [stores.piece_of(store, counter) for each, counter in known.items() if each == counter.id]
    return table.game.counters.widen(helper.slug, firers, targets, everybody)


def find_decided_here(table: Table, helper: Helper, side: str) -> DueRoll | None:
    """The first due roll of this kind that is that side's to make, and may be made here now."""
    due_now = table.match.state.queue_for(table.sees)
    theirs = (step for step in due_now if step.helper == helper.slug and helper.find_decider(step.inputs) == side)
    step = next(theirs, None)
    return step if step and table.may_decide(side) and may_read(table, step) else None


def _find_doer(table: Table, helper: Helper, named: Named) -> str:
    """Whose counters do it: one's own, or of the side whose roll is due that one device makes for both."""
    sides = {each.rpartition("-")[0] for each in named.firers}
    other = next(iter(sides)) if len(sides) == 1 else ""
    return other if other != table.side and other and find_decided_here(table, helper, other) else table.side


def _why_not(
    table: Table,
    counter: CounterInPlay | None,
    counter_id: str,
    role: str,
    named: Named,
    reached: Collection[str],
    side: str,
) -> str:
    """Why a counter cannot be named in a role by a roll of a side; "" where it can."""
    if counter is None:
        return UNKNOWN.format(counter_id if COUNTER_ID.fullmatch(counter_id) else "that is no counter's id")
    if not counter.in_play:
        return f"{counter.name} is out of play: {counters.rules_of(table.match).describe(counter)}."
    if counters.is_kept_as_row(table.match, stores.piece_of(counters.store_of(table.match), counter).kind):
        return f"{counter.name} has a card of its own: roll from there."
    if role == "firers" and counter.side != side:
        return f"{counter.name} is {table.game.name_of(counter.side)}: choose your own counters to fire."
    if role == "targets" and counter.side == side and named.firers and counter_id not in reached:
        return f"{counter.name} is your own: choose counters of the other side to fire at."
    return ""


def fill_due_form(table: Table, helper: Helper, step: DueRoll) -> Json:
    """What fills the form of a roll that is due: what the match knows, what asked for it, how its counter now is.

    An act asks to see whether a die is needed, and the page after it to show the form: it is kept for the request, by
    who asks. Not in a campaign, whose counters change beside the match's state.
    """
    match, asked = table.match, (step.id, table.sees)
    kept: dict[tuple[str, tuple[str, ...]], tuple[MatchState, DueRoll, Json]]
    kept = vars(match).setdefault("filled_due", {})
    if asked in kept and kept[asked][0] is match.state and kept[asked][1] == step and not ledger_of(match).leads:
        return kept[asked][2]
    values = record.present_values(table, helper)
    values |= {**record_rules.fill_step(table, step), **_read_counter_now(table, helper, step)}
    kept[asked] = (match.state, step, values)
    return values


def read_step(match: Match, helper: Helper, step: DueRoll, values: Values) -> HelperForm:
    """The form of a roll that is due, filled with these values, and kept for the request like them."""
    kept = vars(match).setdefault("read_steps", {})
    asked = (of_match(match), values)
    if step.id not in kept or kept[step.id][0] != asked:
        kept[step.id] = (asked, helper.form.from_plain(values, book=of_match(match), chained=True))
    form: HelperForm = kept[step.id][1]
    return form


def _read_counter_now(table: Table, helper: Helper, step: DueRoll) -> Json:
    """The state of a step's counter, where another roll has changed it since: who is pinned twice is so already.

    What waits to be written down counts as long as nobody leaves it, but for a loss: who is gone checks no more.
    """
    match, counter_id = table.match, step.inputs.get("id")
    if table.game.counters is None or not (counter_id or fields_by_role(helper.form)):
        return {}
    known = counters.list_reachable(match, table.sees)
    rows = renew_roles(helper.form, step.inputs, known.get)
    counter = known.get(counter_id) if counter_id else None
    if counter is None:  # what is due of who is lost is due no more
        return rows
    kind = stores.piece_of(counters.store_of(match), counter).kind
    try:
        for each in match.state.proposed_for(table.sees):
            if each.id == counter_id:
                counter = befall(table.game.counters, counter, kind, each.becomes)
    except BadInput:  # a hand has changed it since
        return rows
    return {**rows, **fill_check(match, helper.slug, counter, step.inputs)} if counter.in_play else rows


def fill_check(match: Match, slug: str, counter: CounterInPlay, inputs: Mapping[str, object]) -> dict[str, object]:
    """What a roll that is about one counter is filled with from how that is, among what it has; but for its name."""
    store, rules = counters.store_of(match), counters.rules_of(match)
    try:
        filled, _ = rules.explain(of_match(match), slug, [], [stores.piece_of(store, counter)], {})
    except RuleError:
        return {}
    return {name: value for name, value in filled.items() if name in inputs and name not in ("name", "id")}


def fill_from_rows(match: Match, slug: str, form: HelperForm) -> Mapping[str, object]:
    """What the counters that a form's rows and fields are about would fill it with; nothing where they fill none."""
    ids = asked.list_ids(form.plain_inputs())
    store = counters.store_of(match) if ids else None
    there = [counter for each in ids if store and (counter := store.find(each))]
    if store is None or not there:
        return {}
    rows = renew_roles(type(form), form.plain_inputs(), store.find)
    try:
        pieces = [stores.piece_of(store, each) for each in there]
        return {**rows, **counters.rules_of(match).explain(of_match(match), slug, [], pieces, {})[0]}
    except RuleError:
        return rows


def fill_again(
    match: Match, slug: str, named: Named, inputs: Values, then: Mapping[str, CounterInPlay]
) -> Mapping[str, object]:
    """What counters fill a roll with that was made with these inputs; ``then``: those of them that were otherwise.

    Raises RuleError.
    """
    store = counters.store_of(match)
    roles = [[then.get(each) or store.find(each) for each in ids] for ids in (named.firers, named.targets)]
    firers, targets = ([stores.piece_of(store, each) for each in role if each] for role in roles)
    return counters.explain_form(match, registry.helpers(match.game)[slug], firers, targets, inputs)[0]


def ids_in(inputs: Values) -> list[str]:
    """The counters that a form's rows and fields are about, by its cleaned values."""
    ids: list[str] = []
    for value in inputs.values():
        if isinstance(value, tuple):
            ids += [row.id for row in value if getattr(row, "id", "")]
    own = inputs.get("id")
    return list(dict.fromkeys([*ids, *([own] if isinstance(own, str) and own else [])]))


def answer_step(table: Table, helper: Helper, step: DueRoll, form: HelperForm) -> Asked:
    """What a form that answers a due roll about counters says otherwise than was asked for; see ``find_typed``."""
    if not asked.list_ids(step.inputs):
        return NOT_ASKED
    values = fill_due_form(table, helper, step)
    now = {name: values[name] for name, was in step.inputs.items() if values[name] != was}
    typed = asked.find_typed(helper, of_match(table.match), {**step.inputs, **now}, form)
    return Asked(step.id, now, typed)


def answer_anew(match: Match, helper: Helper, old: LogEntry, form: HelperForm, is_read_again: bool = False) -> Asked:
    """The same for the form that takes the place of a roll that was due; ``is_read_again``: with its counter as that
    now is, else as it was then."""
    was = Asked.from_json(old.inputs.get(ASKED, {}))
    number, place = was.asking
    line = match.log.filter(number=number).first() if number else None
    step = asked.pick_step(place, asked.steps_of(line)) if line else None
    if step is None:
        return NOT_ASKED
    gone = set(asked.list_ids(step.inputs)) - set(asked.list_ids(old.inputs))
    now = dict(was.now)
    counter = counters.store_of(match).find(str(step.inputs.get("id") or "")) if is_read_again else None
    if counter:
        filled = fill_check(match, helper.slug, counter, step.inputs)
        now = {name: value for name, value in {**now, **filled}.items() if value != step.inputs.get(name)}
    left = {**(asked.drop_rows(step.inputs, gone) or {}), **now}
    return Asked(was.step, now, asked.find_typed(helper, of_match(match), left, form))


def may_read(table: Table, step: DueRoll) -> bool:
    """Whether a due roll is read here now: its side sits here, or nobody else sits there to read it, and nothing that
    others may do comes first."""
    is_ours = not step.read_by or table.may_decide(step.read_by)
    return is_ours and due.find_prior(table.match, step) is None


def find_hidden(table: Table, match: Match, ids: Iterable[str]) -> list[CounterInPlay]:
    """Those of the counters that are hidden, or closed to others.

    Raises BadInput for those that this seat does not know of, or are gone.
    """
    known, hidden = counters.list_reachable(match, table.sees), []
    for each in dict.fromkeys(ids):
        counter = known.get(each)
        if counter is None:
            raise BadInput({"id": UNKNOWN.format(each)})
        if not counter.in_play:
            raise BadInput({"id": f"{counter.name} is out of play: {counters.rules_of(match).describe(counter)}."})
        is_own = bool(counter.counter)  # of those that are closed to this seat it shows nothing
        hidden += [counter] if counter.hidden or (counter.closed and is_own) else []
    return list({each.id: each for each in hidden}.values())


def say_hidden(hidden: Iterable[CounterInPlay]) -> str:
    """What is asked before a roll shows counters."""
    shown = list(hidden)
    are, them = ("is", "it") if len(shown) == 1 else ("are", "them")
    how = "hidden" if any(counter.hidden for counter in shown) else "closed"
    return f"{join_words(counter.name for counter in shown)} {are} {how}: this roll shows {them}."


def spare_the_lost(match: Match, entries: Iterable[LogEntry]) -> list[DueRoll]:
    """Take off the list what is due of counters that these lines have taken out of play; returns those steps.

    A stack that is due goes on with those who are left. Rolls that count together are made all the same. What a
    correction asks for may be about counters that are gone by a later roll.
    """
    lost = {each for entry in entries for each, fields in changed_by(entry).items() if _is_lost(fields)}
    if any(entry.kind == LogEntry.Kind.ROLL and entry.about for entry in entries):
        lost |= {each for step in match.state.queue if (each := _find_gone(match, step))}
    if not lost:
        return []
    known = registry.helpers(match.game)
    left = [step if known[step.helper].simultaneous else due.leave_out(step, lost) for step in match.state.queue]
    dropped = [step for step, kept in zip(match.state.queue, left, strict=True) if kept is None]
    match.state = replace(match.state, queue=tuple(filter(None, left)))
    return dropped


def _is_lost(fields: Mapping[str, Sequence[object]]) -> bool:
    was, now = fields.get("fate", ("", ""))
    return bool(now and not was)


def _find_gone(match: Match, step: DueRoll) -> str:
    """The counter that a step is about, where that is out of play; else ""."""
    counter_id = str(step.inputs.get("id") or "")
    counter = counters.store_of(match).find(counter_id) if counter_id else None
    return "" if counter is None or counter.in_play else counter_id
