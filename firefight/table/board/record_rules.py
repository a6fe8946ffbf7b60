"""The record at the table: what rolls about its rows are filled with and write down, and what steps ask for.

What a row means is the game's business (``RecordRules``); this module says whose situation it
is asked about. A page gets what its browser may know; what a roll writes down is worked out from all.
"""

from collections import Counter as Tally
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from firefight.columns import DueRoll
from firefight.engine.course.course import Position
from firefight.engine.course.keeping import (
    BoardItem,
    CardRoll,
    Chance,
    DueAtStep,
    Forestalled,
    RecordRules,
    RowCard,
    TableState,
)
from firefight.engine.errors import BadInput
from firefight.engine.record import KeptTimetable
from firefight.engine.rolls.changes import merge_changes
from firefight.engine.rolls.result import FollowUp, Result
from firefight.engine.values import Values
from firefight.games import chartbooks, registry
from firefight.kit.fields.forms import HelperForm
from firefight.kit.game import Game
from firefight.models import Act, LogEntry, Match
from firefight.table.act.act import MatchAct
from firefight.table.act.line_keys import CHANGES
from firefight.table.act.lines import changed_by
from firefight.table.act.ports import ledger_of
from firefight.table.act.table import Table

from . import changing, counters, due, record, stores
from .content import content_of

BLANK: tuple[object, ...] = (None, "", [], ())
LONGEST = 60  # characters of what a roll says it is about


def situation_of(
    match: Match, sees: Sequence[str] | None = None, with_counters: bool = True, with_kinds: bool = False
) -> TableState:
    """A match as its game's rules see it; ``sees``: as somebody who may see these sides' secrets knows it.

    ``with_kinds``: with what the gallery says about each counter.
    """
    game, state = registry.games()[match.game], match.state
    store = counters.store_of(match) if with_counters else None
    known_counters = () if store is None else tuple(store.all() if sees is None else store.known(sees))
    return TableState(
        position=state.position,
        record=game.record.complete(state.record) if sees is None else _known_record(match, tuple(sees)),
        book=chartbooks.of_match(match),
        counters=known_counters,
        has_ledger=ledger_of(match).leads,
        pieces=tuple(stores.piece_of(store, counter) for counter in known_counters) if store and with_kinds else (),
        options=state.options,
        content=content_of(game, state),
    )


def _known_record(match: Match, sees: tuple[str, ...]) -> Mapping[str, object]:
    """The record as these sides know it: the same for all forms that an act and the page after it fill."""
    cache, values = vars(match).setdefault("known_records", {}), match.state.record
    if sees not in cache or cache[sees][0] is not values:  # a record is never changed in place
        cache[sees] = (values, registry.games()[match.game].record.hide(values, sees))
    known_values: Values = cache[sees][1]
    return known_values


# Rolls


def read_about(table: Table, slug: str, sent: Mapping[str, str]) -> dict[str, str]:
    """What somebody who asks for a form says it is about, and enters in it."""
    about = table.game.keeping.about
    if not any(sent.get(name) for name in about):
        return {}
    names = (*about, *registry.helpers(table.match.game)[slug].form.base_fields)
    return {name: value for name in names if (value := sent.get(name, "").strip()) and len(value) <= LONGEST}


def carry_on(table: Table, inputs: Mapping[str, object]) -> dict[str, object]:
    """What a roll is about, which a program need not send back."""
    return {name: inputs[name] for name in table.game.keeping.about if name in inputs}


def is_presumed(table: Table, slug: str) -> bool:
    """Whether a roll is about a row of the record even if nothing says so."""
    return slug in table.game.keeping.presumed


def fill_about(table: Table, slug: str, about: Mapping[str, object]) -> dict[str, object]:
    """What a form is filled with from the rows that it is about, as far as this browser may know them."""
    rules = table.game.keeping
    if slug not in rules.filled:
        return {}
    with_kinds = slug in rules.struck | rules.surveyed
    return dict(rules.fill(slug, about, situation_of(table.match, table.sees, with_kinds=with_kinds)))


def find_unseen(table: Table, slug: str, about: Values, roll_ids: Collection[str]) -> dict[str, object]:
    """What a form is filled with because of hidden counters of this browser's that are not its own (``roll_ids``):
    whoever reads the roll reads that, too."""
    rules = table.game.keeping
    if slug not in rules.filled or slug not in rules.struck | rules.surveyed:
        return {}
    situation = situation_of(table.match, table.sees, with_kinds=True)
    in_sight = [piece for piece in situation.pieces if not piece.counter.hidden or piece.counter.id in roll_ids]
    if len(in_sight) == len(situation.pieces):
        return {}
    counters_in_sight = tuple(piece.counter for piece in in_sight)
    openly = rules.fill(slug, about, replace(situation, counters=counters_in_sight, pieces=tuple(in_sight)))
    filled = rules.fill(slug, about, situation)
    return {name: value for name, value in filled.items() if (value or None) != (openly.get(name) or None)}


def narrow_form(table: Table, slug: str, form: HelperForm, corrects: str) -> dict[str, Mapping[str, str]]:
    """The fields of a form for which the record leaves a few values, as far as this browser may know them.

    ``corrects``: the number of a roll that is corrected, which chooses among what stood before it.
    """
    rules = table.game.keeping
    if not any(form.carried.get(name) for name in rules.about):
        return {}
    inputs = {**form.carried, **{name: form.value_of(name) for name in form.fields}}
    match = record.find_before(table.match, int(corrects)) if corrects and form.if_offered else table.match
    return dict(rules.narrow(slug, inputs, situation_of(match, table.sees, with_counters=False)))


def fill_step(table: Table, step: DueRoll) -> dict[str, object]:
    """The inputs of a roll that is due, with what the record knows for those that it leaves blank, or decides."""
    filled = fill_about(table, step.helper, step.inputs)
    decided = [name for name in table.game.keeping.decided.get(step.helper, ()) if name in filled]
    set_inputs = {name: value for name, value in step.inputs.items() if value not in BLANK and name not in decided}
    return {**step.inputs, **filled, **set_inputs}


def fill_zeroes(table: Table, slug: str, sent: Mapping[str, str]) -> dict[str, str]:
    """What depends on a form's hinge and was sent as nothing or 0, where the record knows it, as it would be sent."""
    hinge, hanging = table.game.keeping.hinges.get(slug, ("", ()))
    blanks = [name for name in hanging if sent.get(name) in ("", "0")]
    if not blanks or not sent.get(hinge):
        return {}
    filled = fill_about(table, slug, read_about(table, slug, sent))
    return {name: str(filled[name]) for name in blanks if type(filled.get(name)) is int}


def sides_of_rows(game: Game, inputs: Mapping[str, object], sides: Collection[str]) -> list[str]:
    """The sides whose rows of the record a roll is about: their batteries, their aircraft."""
    about = [inputs.get(name) for name in game.keeping.about]
    return [
        side for side in sides if any(isinstance(row_id, str) and row_id.startswith(f"{side}-") for row_id in about)
    ]


FILLED_FOR = "filled"  # what a form sends back, to say for which value of its hinge it was filled
NO_VALUE = "-"  # where it was filled for none


def say_filled_for(table: Table, slug: str, values: Mapping[str, object]) -> dict[str, str]:
    """What a form is to send back about its hinge; nothing where it has none."""
    hinge = find_hinge(table, slug, values)
    return {FILLED_FOR: str(values.get(hinge) or NO_VALUE)} if hinge else {}


def point_step(table: Table, step: DueRoll, sent: Mapping[str, str]) -> DueRoll:
    """A due roll with what somebody enters for its hinge, where that is still open: other fields depend on it."""
    hinge = find_hinge(table, step.helper, step.inputs)
    answer = sent.get(hinge, "").strip()[:LONGEST] if hinge else ""
    return replace(step, inputs={**step.inputs, hinge: answer}) if answer and step.inputs.get(hinge) in BLANK else step


def fill_standing(table: Table, slug: str, inputs: Mapping[str, object]) -> dict[str, object]:
    """The counters that stand by now where a roll falls that is made once more."""
    if slug not in table.game.keeping.struck:
        return {}
    filled = fill_about(table, slug, inputs)
    return {name: filled[name] for name in list_decided(table, slug) if name in filled}


def list_decided(table: Table, slug: str) -> tuple[str, ...]:
    """The inputs of a roll that the record decides, whatever counters say: where it falls, by who stands there."""
    rules = table.game.keeping
    hanging = rules.hinges.get(slug, ("", ()))[1] if slug in rules.struck else ()
    return tuple(dict.fromkeys((*rules.decided.get(slug, ()), *hanging)))


def find_hinge(table: Table, slug: str, inputs: Mapping[str, object]) -> str:
    """The field on which others depend that the record fills; "" where a roll has none, or is not about a row."""
    rules = table.game.keeping
    is_about = any(inputs.get(name) for name in rules.about)
    return rules.hinges.get(slug, ("", ()))[0] if is_about else ""


def fill_anew(table: Table, slug: str, form: HelperForm) -> dict[str, object]:
    """What depends on a form's hinge and differs in the form, as the record has it for what was sent."""
    inputs = inputs_of(form, form.carry())
    filled = fill_about(table, slug, inputs)
    # A tick that is not set, and no hexes at all, may be left out of what was sent.
    return {
        name: filled[name]
        for name in table.game.keeping.hinges[slug][1]
        if name in filled and (filled[name] or None) != (inputs.get(name) or None)
    }


def inputs_of(form: HelperForm, carry: Mapping[str, object]) -> dict[str, object]:
    """All that a roll is made with, as its line in the log keeps it. ``carry``: what the form hands on."""
    return {**carry, **form.plain_inputs()}


def check_roll(table: Table, match: Match, slug: str, form: HelperForm) -> None:
    """Raise BadInput with what speaks against a roll now, as far as this browser may know."""
    rules, inputs = table.game.keeping, {**form.carried, **form.inputs()}
    if slug in rules.checked or any(inputs.get(name) for name in rules.about):
        situation = situation_of(match, table.sees, with_kinds=slug in rules.surveyed)
        rules.check(slug, inputs_of(form, form.carry()), situation)


def find_forestalled(match: Match, slug: str, form: HelperForm) -> Forestalled | None:
    """What others may do before a roll is made."""
    rules, inputs = registry.games()[match.game].keeping, inputs_of(form, form.carry())
    if slug not in rules.checked and not any(inputs.get(name) for name in rules.about):
        return None
    return rules.forestall(slug, inputs, situation_of(match, with_kinds=True))


def add_notes(table: Table, match: Match, slug: str, inputs: Mapping[str, object], result: Result) -> Result:
    """A result with what the roll writes into the record."""
    rules = table.game.keeping
    if slug not in rules.writers:
        return result
    with_kinds = slug in rules.struck or slug in rules.surveyed
    noted = rules.note(slug, inputs, result, situation_of(match, with_kinds=with_kinds))
    return replace(result, changes=(*result.changes, *noted)) if noted else result


# What else is due


def about_of(match: Match, inputs: Mapping[str, object]) -> dict[str, object]:
    """What in the record a roll is about."""
    return {name: inputs[name] for name in registry.games()[match.game].keeping.about if inputs.get(name)}


def answer_house(match: Match, slug: str, inputs: Mapping[str, object]) -> None:
    """Take off the list what a step of the course asks for, because somebody has rolled it from its card."""
    if about := about_of(match, inputs):
        names = registry.games()[match.game].keeping.about
        due.put_queue(match, due.leave_out_asked(match.state.queue, [(slug, about)], names))


def ask_owners(match: Match, entry: LogEntry, result: Result) -> None:
    """Put on the list what a roll asks about counters that only their owners know of."""
    rules = registry.games()[match.game].keeping
    if entry.helper not in rules.struck or not result.outcome:
        return
    situation = situation_of(match, with_kinds=True)
    helpers = registry.helpers(match.game)
    steps = [
        step for step in rules.ask_owners(entry.helper, entry.inputs, result, situation) if step.roll.helper in helpers
    ]
    due.put_queue(match, [*match.state.queue, *due.name_steps(entry.number, due.OWNERS, steps)])


def find_idle(match: Match, entry: LogEntry) -> Collection[int]:
    """The places of those rolls that a roll asks for and that would be about nobody: about a counter out of play, or
    about whoever stands where it falls, since all who stand there are known."""
    rules = registry.games()[match.game].keeping
    if not rules.struck or entry.result is None or not entry.result.follow_ups:
        return ()
    if entry.helper not in rules.struck:
        return [at for at, step in enumerate(entry.result.follow_ups) if _is_about_lost(match, step)]
    return rules.find_idle(entry.helper, entry.inputs, entry.result.follow_ups, situation_of(match, with_kinds=True))


def _is_about_lost(match: Match, step: FollowUp) -> bool:
    """Whether a roll is about a counter out of play: rolls that count together also hit whoever has fallen since."""
    counter_id = step.inputs.get("id")
    counter = counters.store_of(match).find(str(counter_id)) if counter_id else None
    return counter is not None and not counter.in_play


def follow_counters(match: Match, _: Act, entries: Iterable[LogEntry]) -> list[LogEntry]:
    """Put on the list what a change of counters makes due, and open what was due for a hidden one now in sight."""
    rules, lines = registry.games()[match.game].keeping, list(entries)
    changed = changing.gather_changes(match, lines)
    if not changed:
        return []
    lines_of = {counter_id: entry.number for entry in reversed(lines) for counter_id in changed_by(entry)}
    situation = situation_of(match, with_kinds=True)
    by_line: dict[int, list[DueAtStep]] = {}
    for step in rules.follow(changed, situation):
        by_line.setdefault(lines_of.get(step.cause) or min(lines_of.values()), []).append(step)
    fresh = [roll for number, steps in by_line.items() for roll in due.name_steps(number, due.FOLLOWED, steps)]
    steps = [*match.state.queue, *fresh]
    in_sight = {counter.id: counter.place for counter in situation.counters if counter.place and not counter.hidden}
    due.put_queue(match, [due.open_if_seen(step, in_sight) for step in steps])
    return []


def check_rows(match: Match, name: str, before: Values) -> None:
    """Raise BadInput where rows of a field cannot be as they were set by hand. ``before``: as they were, by id."""
    rules, rows = registry.games()[match.game].keeping, record.values_of(match)[name]
    fresh = [row for id, row in rows.items() if before.get(id) != row]
    if not fresh:
        return
    situation = situation_of(match, with_counters=False)
    if flaws := [flaw for row in fresh for flaw in rules.find_flaws(name, row, situation)]:
        raise BadInput({name: " ".join(dict.fromkeys(flaws))})


# Steps of the course

# Adds a line to the log: its sentence, and what it changes.
Tell = Callable[[str, Values], LogEntry]


def keep_house(match: Match, before: Position, number: int, tell: Tell, pressed: str = "") -> None:
    """Do what the rules do as a match comes from one position to another, and put on the list what is due there.

    ``number``: of the line that says that it has come there; ``pressed``: the button that has led there.
    """
    game = registry.games()[match.game]
    timetabled = _keep_timetables(match, tell)
    store = counters.store_of(match)
    kinds = tuple(kind for side in game.sides for kind in store.kinds(side).values()) if store else ()
    situation = replace(situation_of(match, with_kinds=True), pressed=pressed, kinds=kinds)
    house = game.keeping.keep_house(before, situation)
    values = merge_changes(house.changes)
    sentences = [sentence for change in house.changes for sentence in change.sentences]
    record.change(match, values)
    if values or house.notes:
        tell(" ".join([*sentences, *house.notes]), {CHANGES: values} if values else {})
    helpers = registry.helpers(match.game)
    asked_steps = [step for step in (*timetabled, *house.due) if step.roll.helper in helpers]
    fresh = due.name_steps(number, due.HOUSE, asked_steps)
    rolls_asked = [(step.roll.helper, about_of(match, step.roll.inputs)) for step in house.due]
    due.put_queue(match, [*fresh, *due.leave_out_asked(match.state.queue, rolls_asked, game.keeping.about)])


def _keep_timetables(match: Match, tell: Tell) -> list[DueAtStep]:
    """Take off timetables what has come up by now, with a line that says so; what it asks for is returned."""
    facts, steps = record.known_place(match), list[DueAtStep]()
    for table in registry.games()[match.game].record.fields:
        if not isinstance(table, KeptTimetable):
            continue
        arrived = table.find_arrived(record.values_of(match)[table.name], facts)
        if not arrived:
            continue
        change = table.arrive(arrived)
        record.change(match, change)
        tell(" ".join(map(table.say, arrived)), {CHANGES: change})
        rolls = [(row, table.asks(row)) for row in arrived] if table.asks else []
        steps += [DueAtStep(FollowUp(roll[0], table.say(row), roll[1])) for row, roll in rolls if roll]
    return steps


def tell_ledger(act: MatchAct) -> None:
    """Let the ledger of a match know what an act has made of the record."""
    if act.match.state.record != act.before.record:
        ledger_of(act.match).follow_record(act.match, act.row)


def say_left_open(match: Match, before: Position, after: Position | None) -> str:
    """What sides have still to do together as a match goes from one position to another, as a sentence; "" for nothing.

    ``after``: None where nothing comes after.
    """
    game, helpers = registry.games()[match.game], registry.helpers(match.game)
    if game.joint is None or not game.joint.passes(before, after):
        return ""
    situation = replace(situation_of(match, (), with_counters=False), position=before)
    places = game.joint.find(situation, counters.list_in_sight(match))
    due_yet = [step.title for step in match.state.queue_for(()) if helpers[step.helper].simultaneous]
    titles = [*(place.title for place in places), *due_yet]
    return f"Still open: {'; '.join(titles)}." if titles else ""


# What counters may do


def list_chances(table: Table) -> dict[str, list[Chance]]:
    """What the counters for which this browser decides may try now, by its title."""
    rules, match = table.game.keeping, table.match
    step = table.course.step(match.state.position)
    if step not in rules.chance_steps or not table.plays or match.ended:
        return {}
    chances: dict[str, list[Chance]] = {}
    for chance in rules.list_chances(situation_of(match, table.sees, with_kinds=True)):
        if all(table.may_decide(counter_id.rpartition("-")[0]) for counter_id in chance.ids):
            chances.setdefault(chance.title, []).append(chance)
    return chances


# Pips


def count_pips(match: Match) -> Tally[str]:
    """How many pips counters carry for what they have done, by id."""
    rules = registry.games()[match.game].keeping
    return Tally(match.state.record.get(rules.pips, ()))


def call_pips(match: Match, number: int) -> str:
    """What that many pips of a counter are called, "" for none."""
    words = registry.games()[match.game].keeping.pip_words
    return words[min(number, len(words)) - 1] if number and words else ""


# Pages


def present_rows(table: Table) -> tuple[list[RowCard], list[RowCard]]:
    """The rows that stand as cards, and those that are a line each, as far as this browser may know of them."""
    rules = table.game.keeping
    if not (rules.cards or rules.lines):
        return [], []
    situation = situation_of(table.match, table.sees, with_counters=bool(rules.cards))
    cards = [_leave_to_its_side(table, card) for card in _present_fields(rules, rules.cards, situation)]
    return cards, _present_fields(rules, rules.lines, situation)


def is_about_card(table: Table, form: HelperForm) -> bool:
    """Whether a form is about a row that stands as a card, which has filled it."""
    return any(form.carried.get(name) for name in table.game.keeping.carded)


def list_card_rolls(table: Table, slug: str) -> list[tuple[RowCard, CardRoll]]:
    """The rolls of a kind that cards offer to whoever looks, each with its card."""
    if slug not in table.game.keeping.filled or not table.plays:
        return []
    return [(card, roll) for card in present_rows(table)[0] for roll in card.rolls if roll.helper == slug]


def _leave_to_its_side(table: Table, card: RowCard) -> RowCard:
    """A card without what only another side does with it."""
    is_ours = not card.side or table.may_decide(card.side)
    is_against = any(table.may_decide(side) for side in table.sides if side != card.side)
    rolls = tuple(roll for roll in card.rolls if (is_against if roll.is_enemys and card.side else is_ours))
    return replace(card, rolls=rolls, settings=card.settings if is_ours else (), is_ours=is_ours)


def present_strip(table: Table, sees: tuple[str, ...]) -> Sequence[BoardItem]:
    """What stands in the strip beside the board, as somebody who may see these sides' secrets knows it."""
    show = table.game.strip
    return show(situation_of(table.match, sees)) if show else ()


def present_lines(table: Table) -> list[RowCard]:
    """Only the rows that are a line each."""
    rules = table.game.keeping
    situation = situation_of(table.match, table.sees, with_counters=False) if rules.lines else None
    return _present_fields(rules, rules.lines, situation) if situation else []


def _present_fields(rules: RecordRules, fields: Iterable[str], situation: TableState) -> list[RowCard]:
    return [card for field in fields for card in rules.present(field, situation)]
