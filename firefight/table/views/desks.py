"""The desk of a match: a helper's form with what the match fills of it, and the last result above it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from firefight.assistant.desk import Desk, ShownResult, find_helper
from firefight.assistant.shown_odds import count_outcomes
from firefight.columns import DueRoll, LoggedResult
from firefight.engine.errors import RuleError
from firefight.engine.text import capitalize, join_words
from firefight.engine.values import Values
from firefight.games import chartbooks
from firefight.kit.fields.counters import NAMED, SCENE, ids_by_role
from firefight.kit.fields.forms import HelperForm
from firefight.kit.helper import Helper
from firefight.models import LogEntry
from firefight.table.act.lines import LogLine
from firefight.table.act.table import Table
from firefight.table.board import record, record_rules
from firefight.table.board.counters import store_of
from firefight.table.log import reading
from firefight.table.log.asked import list_ids
from firefight.table.log.episodes import read_episode_of
from firefight.table.rolling import recall, roll_counters
from firefight.table.rolling.roll_counters import NOBODY, Participants
from firefight.web.addresses import address_of

from .checklist import name_decider
from .due_cards import find_card, show_counters

MOST_PICTURED = 40  # counters beside a result; identical ones share a picture


def find_desk(table: Table, lines: list[LogLine]) -> Desk | None:
    """The next due roll with the last result above it; None if there is neither.

    Once a result has said that the game is over, what is still due is opened from the list alone; a campaign goes on.
    """
    rolled = [line for line in lines if line.result and line.voided_by is None]  # lines of an act just done
    lines_of_result = reading.same_act(rolled) or reading.last_results(table.match, table.sees)
    queue = table.match.state.queue_for(table.sees)
    is_over = not table.match.state.ledger and any(line.result and line.result.ends for line in lines_of_result)
    if table.plays and not table.match.ended and queue and not is_over:
        card = find_card(table)
        readable = next((step for step in queue if roll_counters.may_read(table, step)), queue[0])
        desk = card.desk if card else step_desk(table, readable)
    elif lines_of_result:
        desk = find_offered(table, lines_of_result[0]) or Desk(
            find_helper(table.match.game, lines_of_result[0].helper), idle=True
        )
    else:
        return None
    return with_results(table, desk, lines_of_result)


def find_offered(table: Table, line: LogLine) -> Desk | None:
    """The desk for what a look-up suggests next; None where nothing is offered."""
    offers = line.result.follow_ups if line.result and find_helper(table.match.game, line.helper).suggests else ()
    if not offers or not table.plays or table.match.ended:
        return None
    desk = step_desk(table, DueRoll("", offers[0].helper, offers[0].title, offers[0].inputs))
    desk.is_offered = True
    return desk


def tell_result(table: Table, desk: Desk) -> str:
    """The sentence of the episode that the result on a desk belongs to; "" without a result."""
    if not desk.result:
        return ""
    episode = read_episode_of(table.match, table.sees, desk.entry) if desk.entry else None
    return episode.sentence if episode else desk.result.headline


def with_results(table: Table, desk: Desk, lines: Sequence[LogLine]) -> Desk:
    """Put the results of an act on top of a desk: the roll first, what followed from it below."""
    goes_on = table.plays and not table.match.ended
    results = [
        ShownResult(
            leave_waiting(table, line.result),
            line.rolls,
            line.number,
            line.touches.split()[:MOST_PICTURED],
            goes_on and line.correctable,
        )
        for line in lines
        if line.result
    ]
    if results:
        desk.result, desk.rolls, desk.entry = results[0].result, results[0].rolls, results[0].number
        desk.also = tuple(results[1:])
        kind = find_helper(table.match.game, results[0].result.helper)
        desk.counted = count_outcomes(kind, [result.result for result in results])
        desk.touched, desk.is_correctable = results[0].touched, results[0].is_correctable
        if kind.simultaneous and not desk.counted:
            desk.came_about = say_came_about(table, lines[0], {result.number for result in results})
        touched = {counter_id for result in results for counter_id in result.touched}
        desk.pieces = {counter.id: counter for counter in show_counters(table, touched)}
        if not any(counter.picture for counter in desk.pieces.values()):
            desk.scene = say_scene(next(line for line in lines if line.result))
    return desk


def say_scene(line: LogLine) -> str:
    """Where those stand who made a roll, and at whom, for a result without pictures: "From 1534 at 1434", "In 24".

    A hex that the roll itself names comes first: whoever moves is fired at there.
    """
    scene = line.inputs.get(SCENE)
    places = dict(scene) if isinstance(scene, Mapping) else {}
    if places.get("targets") and (place := line.inputs.get("hex")):
        places["targets"] = place
    if places.get("firers") == places.get("targets"):
        return f"In {places['targets']}" if places.get("targets") else ""
    words = [f"{word} {places[role]}" for role, word in zip(NAMED, ("from", "at"), strict=True) if places.get(role)]
    return capitalize(" ".join(words))


def leave_waiting(table: Table, result: LoggedResult) -> LoggedResult:
    """A result without the words that it counts only once all have rolled, since the match sees to that."""
    waiting = find_helper(table.match.game, result.helper).until_all
    if not waiting or not result.details.get("changes"):
        return result
    return replace(result, effects=tuple(effect for effect in result.effects if effect != waiting))


def say_came_about(table: Table, line: LogLine, numbers: Collection[int]) -> list[str]:
    """What earlier rolls did to counters in the act of a line, since all have rolled now: "Rifle squad #1: eliminated."
    ``numbers``: of the rolls whose own results are shown. One query.
    """
    changes = table.match.log.filter(kind=LogEntry.Kind.COUNTER, act=line.act, voided_by=None)
    counter_lines = (
        reading.visible(changes.exclude(about__in=numbers).order_by("number"), table.sees) if line.act else []
    )
    return [f"{line.sentence.partition(';')[0].removesuffix('.')}." for line in counter_lines]


def desk_at(
    table: Table,
    slug: str,
    form: HelperForm | None = None,
    values: Values | None = None,
    participants: Participants = NOBODY,
    hidden: Mapping[str, str] = MappingProxyType({}),
) -> Desk:
    """A desk in a match: a given form, or a fresh one filled with plain values.

    ``participants``: counters of the roll; ``hidden``: what its form sends back unseen.
    """
    helper = find_helper(table.match.game, slug)
    book = chartbooks.of_match(table.match)
    filled = record.fill_form(table, helper.form)
    chained = bool(hidden.get("chained"))
    form = form or helper.form.from_plain(values or {}, book=book, chained=chained, sealed=filled.sealed)
    form.narrowed = record_rules.narrow_form(table, slug, form, hidden.get("corrects", ""))
    if not chained:
        form.recalled = recall.list_recent_rows(table, helper, form)
        form.rolls = recall.offer_rolls(table, form)
        form.recent = recall.list_recent_choices(table, form)
    carry = "{}" if hidden.get("step") else form.carry_json()  # a due roll's is in the record
    return Desk(
        helper=helper,
        is_about=record_rules.is_about_card(table, form),
        form=form,
        post_url=address_of("firefight:roll", table.match.pk, slug),
        odds_url=address_of("firefight:match-odds", table.match.pk, slug),
        book_name=book.name,
        hidden={"carry": carry, **{name: value for name, value in hidden.items() if value}},
        match=table.match,
        named={role: show_counters(table, ids) for role, ids in participants.plain.items()},
        hides=say_hides(table, participants, form),
        tells=say_unseen(table, slug, participants, form),
    )


def say_unseen(table: Table, slug: str, participants: Participants, form: HelperForm) -> str:
    """Which fields of a form count hidden counters that the roll does not name, in words; "" for none."""
    form.is_valid()  # also of a form that lacks something, all that can be read counts
    values = {**form.carried, **{name: form.plain_value(name) for name in form.cleaned_data}}
    roll_ids = {*participants.firers, *participants.targets, *list_ids(values)}
    unseen = record_rules.find_unseen(table, slug, {**values, **participants.plain}, roll_ids)
    labels = [str(form.fields[name].label) for name, value in unseen.items() if value and values.get(name) == value]
    return f"This counts what you hide: {join_words(labels)}. Everybody can read that in the roll." if labels else ""


def say_hides(table: Table, participants: Participants, form: HelperForm) -> str:
    """Which of a roll's counters are hidden, in words; "" for none, or where one of them cannot be named anyhow."""
    ids = [
        *participants.firers,
        *participants.targets,
        *(list_ids(form.plain_inputs()) if form.is_valid() else ()),
    ]
    try:
        hidden = roll_counters.find_hidden(table, table.match, ids) if ids else []
    except RuleError:
        return ""
    return roll_counters.say_hidden(hidden) if hidden else ""


def step_desk(
    table: Table, step: DueRoll, participants: Participants = NOBODY, counter_values: Values = MappingProxyType({})
) -> Desk:
    """The desk of a due roll. ``participants``: counters selected for it; ``counter_values``: what these fill of it."""
    helper = find_helper(table.match.game, step.helper)
    known_values = roll_counters.fill_due_form(table, helper, step)
    values = {**known_values, **counter_values} if counter_values else known_values
    is_sealed = bool(record.fill_form(table, helper.form).sealed)
    form = None if is_sealed else roll_counters.read_step(table.match, helper, step, values)
    filled = record_rules.say_filled_for(table, step.helper, values)
    desk = desk_at(table, step.helper, form, values, participants, {"step": step.id, "chained": "1", **filled})
    desk.step_title, desk.decider = step.title, name_decider(table, step)
    if not (participants or desk.decider):
        desk.notice = desk.notice or say_how_to_name(table, helper, step)
    return desk


def say_how_to_name(table: Table, helper: Helper, step: DueRoll) -> str:
    """That a tap on the table fills a due roll, where those who make it are yet to be named; "" elsewhere."""
    item = next((item for item in table.game.bar if helper.slug in item.aims), None)
    side, ids_asked = helper.find_decider(step.inputs), ids_by_role(helper.form, step.inputs)
    is_open = bool(item and side and ids_asked.get("targets") and not ids_asked.get("firers"))
    if item is None or not is_open or not any(of == side for of in list_sides_in_play(table)):
        return ""
    return f"Tap those who fire on the table, then {item.title}, {helper.title}: this form fills itself."


def list_sides_in_play(table: Table) -> set[str]:
    """The sides whose counters lie on the table, as far as this browser knows."""
    return {counter.side for counter in store_of(table.match).known(table.sees) if counter.in_play}
