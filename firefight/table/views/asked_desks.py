"""The desk that an address asks for: a roll that is due, one to make again or to correct, or a fresh form."""

from collections.abc import Sequence
from urllib.parse import urlencode

from django.http import Http404, HttpRequest

from firefight.assistant.desk import AboutCard, Desk, find_helper
from firefight.engine.course.keeping import CardRoll, RowCard
from firefight.engine.errors import RuleError
from firefight.engine.rolls.dice import face_text
from firefight.engine.text import join_words
from firefight.engine.values import Values
from firefight.kit.fields.counters import ACCOUNT, TOLD
from firefight.kit.helper import Helper
from firefight.table.act.table import Table
from firefight.table.board import counters, record_rules
from firefight.table.log import reading
from firefight.table.log.asked import COUNTED
from firefight.table.rolling import recall, steps
from firefight.table.rolling.roll_counters import Participants, participants_in
from firefight.web.requests import join_query, number_in

from .desks import desk_at, step_desk
from .roll_forms import ask_values
from .sent_counters import find_corrected, find_taken_up, is_aimed, name_counters, read_sent_counters, words_of_step


def find_asked_desk(request: HttpRequest, table: Table, slug: str) -> Desk:
    """The desk that an address asks for: a due step, a roll to repeat or to correct, or a fresh form."""
    due = table.match.state.queue_for(table.sees)
    step = next((step for step in due if step.id == request.GET.get("step")), None)
    if step and step.helper == slug:
        return step_desk(table, step)
    if repeats := number_in(request, "again"):
        line = reading.read_line(table.match, table.sees, repeats, helper=slug)
        return find_desk_again(table, slug, line.inputs if line else {})
    if number_in(request, "corrects") is None:
        return find_tapped_desk(request, table, find_helper(table.match.game, slug))
    entry = find_corrected(request, table, slug)
    if entry is None:
        raise Http404("There is no such roll of yours to correct.")
    participants = participants_in(entry.inputs, find_helper(table.match.game, slug))
    filled = record_rules.say_filled_for(table, slug, entry.inputs)
    hidden = {"corrects": str(entry.number), "chained": "1", **filled}
    desk = desk_at(table, slug, values=entry.inputs, participants=participants, hidden=hidden)
    desk.step_title = f"Correct № {entry.number}"
    desk.notice = f"The old dice showed {', '.join(face_text(die.face, die.sides) for die in entry.rolls)}."
    return desk


def find_desk_again(table: Table, slug: str, inputs: Values) -> Desk:
    """The form of a roll that was made, for another like it: its counters are as they are now, and what a player had
    entered instead stays."""
    helper = find_helper(table.match.game, slug)
    sent_counters = name_counters(table, helper, participants_in(inputs, helper), inputs.get(TOLD, {}))
    by_hand = {} if inputs.get(ACCOUNT) else {name: inputs[name] for name in COUNTED if name in inputs}
    values = {**inputs, **record_rules.fill_standing(table, slug, inputs), **sent_counters.filling.values, **by_hand}
    desk = desk_at(
        table,
        slug,
        values=values,
        participants=sent_counters.participants,
        hidden=record_rules.say_filled_for(table, slug, values),
    )
    sent_counters.show_on(desk)
    return desk


def find_tapped_desk(request: HttpRequest, table: Table, helper: Helper) -> Desk:
    """The desk for selected counters: that of a roll that is due for them, or a fresh form."""
    taken_up = find_taken_up(table, helper, read_sent_counters(request, table, helper).participants)
    if taken_up is None:
        return find_fresh_desk(request, table, helper)
    step, participants = taken_up
    sent_counters = name_counters(table, helper, participants, words_of_step(step))
    desk = step_desk(table, step, sent_counters.participants, sent_counters.filling.values)
    sent_counters.show_on(desk)
    return desk


def find_fresh_desk(request: HttpRequest, table: Table, helper: Helper) -> Desk:
    """A fresh form, filled with what the match knows, from the counters that the address names, and from itself.

    Where cards offer such a roll, it opens as from the first card without a warning, or else from the first.
    """
    offered = [] if "alone" in request.GET else record_rules.list_card_rolls(table, helper.slug)
    is_open = not record_rules.read_about(table, helper.slug, request.GET.dict())
    if is_open and offered:
        _, offer_taken = min(offered, key=lambda offer: bool(offer[0].warnings))
        request.GET = join_query(request.GET, offer_taken.about)  # type: ignore[assignment]
    sent_counters, fields = read_sent_counters(request, table, helper), helper.form.base_fields
    # A blank is not an answer: what the counters say stands.
    asked_for: dict[str, object] = {name: value for name, value in request.GET.items() if value and name in fields}
    asked_for |= {name: request.GET.getlist(name) for name in asked_for if hasattr(fields[name], "chart")}
    known = {**ask_values(table, helper, request.GET), **sent_counters.filling.values, **asked_for}
    values = {**recall.remember_last(table, helper, known), **known}
    filled = record_rules.say_filled_for(table, helper.slug, values)
    desk = desk_at(table, helper.slug, values=values, participants=sent_counters.participants, hidden=filled)
    sent_counters.show_on(desk)
    desk.notice = say_unnamed(table, helper, sent_counters.participants) or say_barred(table, desk)
    desk.cards = list_cards(request, table, helper.slug, offered)
    if desk.form and (reader := steps.find_other_reader(table, helper, desk.form)):
        desk.decider = table.game.name_of(reader)
    return desk


def say_unnamed(table: Table, helper: Helper, participants: Participants) -> str:
    """Who stands with the targets of a roll and is not among them, where it does not reach all of a hex by itself."""
    if not (participants.targets and is_aimed(table, helper)):
        return ""
    known = counters.known_to(table)
    struck = {counter_id: known[counter_id] for counter_id in participants.targets if counter_id in known}
    places = {(counter.side, counter.place) for counter in struck.values() if counter.place}
    beside = [
        counter.name
        for counter_id, counter in known.items()
        if counter_id == counter.id
        and counter.in_play
        and (counter.side, counter.place) in places
        and counter_id not in struck
    ]
    hexes = join_words(sorted(place for _, place in places))
    return f"Also in {hexes}, and not among the targets: {join_words(beside)}." if beside else ""


def say_barred(table: Table, desk: Desk) -> str:
    """What speaks against the roll of a form as it is filled, before anybody rolls for it."""
    if desk.form is None or not desk.form.is_valid():
        return ""
    try:
        record_rules.check_roll(table, table.match, desk.helper.slug, desk.form)
    except RuleError as error:
        return str(error)
    return ""


def list_cards(
    request: HttpRequest, table: Table, slug: str, offered: Sequence[tuple[RowCard, CardRoll]]
) -> list[AboutCard]:
    """The cards that a fresh form may be about, each with its address, and an address for none of them."""
    about = record_rules.read_about(table, slug, request.GET.dict())
    cards = [card for card, _ in offered]
    fitting = [roll.about for _, roll in offered if all(about.get(name) == value for name, value in roll.about.items())]
    likeliest = max(fitting, key=len, default=None)  # "Convert in K7" says more than "Correct"
    cards_shown = []
    for card, roll in offered:
        label = f"{card.title}: {roll.title}" if cards.count(card) > 1 else card.title
        query = join_query(request.GET, roll.about).urlencode()
        cards_shown.append(AboutCard(label, f"{request.path}?{query}", roll.about == likeliest))
    if not cards_shown:
        return []
    names = {name for _, roll in offered for name in roll.about}
    other_values = {name: values for name, values in request.GET.lists() if name not in names} | {"alone": ["1"]}
    return [*cards_shown, AboutCard("None of these", f"{request.path}?{urlencode(other_values, doseq=True)}")]
