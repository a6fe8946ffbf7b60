"""A guide as a page shows it: whether this device's player is being guided, and the step at hand."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.http import HttpRequest

from firefight.assistant.desk import find_helper
from firefight.engine.course.conducting import Choice
from firefight.table.act.table import Table
from firefight.table.board import record_rules
from firefight.table.rolling import roll_counters

from .checklist import CheckItem, find_chance_address, name_decider

LED = "led"  # in a device's session: where its player is guided in a match, and what was chosen there
MOST_LED = 8  # matches


@dataclass(frozen=True, slots=True)
class ShownGuide:
    """A guide. ``is_led``: its player has asked for it here; otherwise only its ``title`` is shown, to be pressed.

    ``decider``: the name of another side that the step at hand waits for. ``parts``: what may be done, by headings.
    """

    title: str
    is_led: bool = False
    sentence: str = ""
    rule: str = ""
    decider: str = ""
    choices: Sequence[Choice] = ()
    parts: Mapping[str, Sequence[CheckItem]] = field(default_factory=dict)


def show_guide(request: HttpRequest, table: Table) -> ShownGuide | None:
    """The guide of a match for this browser; None where there is none, or the turn is another side's."""
    rules, match = table.game.guide, table.match
    if rules is None or not table.plays or match.ended or not _may_act(table):
        return None
    chosen = _read_chosen(request, table)
    if chosen is None:
        return ShownGuide(rules.title)
    if queue := match.state.queue_for(table.sees):
        step = next((due_step for due_step in queue if roll_counters.may_read(table, due_step)), queue[0])
        cited = find_helper(match.game, step.helper).rules
        return ShownGuide(rules.title, True, f"Due first: {step.title}.", cited[0], name_decider(table, step))
    if match.state.proposed_for(table.sees):
        return ShownGuide(rules.title, True, "First say above what becomes of the counters.")
    at_hand = rules.find_step(record_rules.situation_of(match, table.sees, with_kinds=True), chosen)
    offered: dict[str, list[CheckItem]] = {}
    for chance in at_hand.chances:
        item = CheckItem(chance.name, chance.words, find_chance_address(table, chance))
        offered.setdefault(chance.title, []).append(item)
    return ShownGuide(rules.title, True, at_hand.sentence, at_hand.rule, choices=at_hand.choices, parts=offered)


def _may_act(table: Table) -> bool:
    """Whether a side that this device plays acts now."""
    side = table.course.actor(table.match.state.position)
    return not side or table.may_decide(side)


# Where a player is being guided: none of it is in the match


def _name_stretch(table: Table) -> str:
    """The part of a turn through which a side is guided; a player asks for the next part again."""
    position = table.match.state.position
    return f"{position.turn} {table.course.step(position)} {position.side} {position.impulse}"


def _read_chosen(request: HttpRequest, table: Table) -> str | None:
    """What was chosen on the way, "" for nothing yet; None where nobody is being guided here."""
    stretch, chosen = request.session.get(LED, {}).get(table.match.pk, ("", ""))
    return str(chosen) if stretch == _name_stretch(table) else None


def lead_on(request: HttpRequest, table: Table, chosen: str | None) -> None:
    """Guide this device's player through what is at hand, with what was chosen on the way; None ends it."""
    led = {pk: stretch for pk, stretch in request.session.get(LED, {}).items() if pk != table.match.pk}
    fresh = {} if chosen is None else {table.match.pk: (_name_stretch(table), chosen)}
    request.session[LED] = {**dict([*led.items()][1 - MOST_LED :]), **fresh}
