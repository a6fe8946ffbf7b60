"""A procedure as its page shows it: what it waits for, and what has just happened."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from firefight.assistant.desk import DieRow, lay_out_dice
from firefight.engine.course.conducting import Ask, Choice, Throw
from firefight.engine.values import Json
from firefight.models import LogEntry
from firefight.table.act.line_keys import PLACE, UNDER_SEAL
from firefight.table.act.table import Table
from firefight.table.board.record_rules import situation_of
from firefight.table.log import reading
from firefight.table.rolling.conducting import Conducted, find_conducted

MOST_EVENTS = 12  # lines about what has just happened
MOST_LISTED = 3  # choices on the map that are also listed beside it; more of them are folded


@dataclass(frozen=True, slots=True)
class StepEvent:
    """Something that has happened, and where on the board; "" for nowhere."""

    sentence: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class ShownStep:
    """What a procedure waits for. ``events``: what has just happened, the newest last.

    ``decider``: the name of another side that decides; then there are no ``choices``. ``is_at_hand``: that side sits at
    this device, behind the cover. ``dice``: what players throw.
    ``has_begun``: whether any of it has happened yet. ``idle``: what players do by themselves before it goes on.
    """

    title: str
    events: Sequence[StepEvent]
    question: str = ""
    rule: str = ""
    decider: str = ""
    is_at_hand: bool = False
    choices: Sequence[Choice] = ()
    dice: Sequence[DieRow] = ()
    has_begun: bool = True
    idle: str = ""

    @property
    def is_folded(self) -> bool:
        """Whether there are too many choices on the board to list them all beside it."""
        return sum(bool(choice.place) for choice in self.choices) > MOST_LISTED


def show_step(table: Table, sent: Mapping[str, str] = MappingProxyType({})) -> ShownStep | None:
    """The procedure of a match as this browser may see it; None without one, or while a roll is due first.

    ``sent``: a form that was refused, whose dice stay typed.
    """
    if table.match.state.queue:
        return None
    conducted = find_conducted(table)
    if conducted is None:
        return _show_idle(table)
    title, events = conducted.rules.title, _list_events(table)
    has_begun = bool(table.match.state.record.get(conducted.rules.field))
    match conducted.pending:
        case Ask(side=side) if side and not table.may_answer(side):
            return ShownStep(title, events, decider=table.game.name_of(side), is_at_hand=side in table.held)
        case Throw(side=side, by_app=False) if side and not table.may_decide(side):
            return ShownStep(title, events, decider=table.game.name_of(side))
        case Ask(question, choices, _, rule, _):
            return ShownStep(title, events, question, rule, choices=choices)
        case Throw(spec, rule, by_app, _):
            dice = [] if by_app else lay_out_dice([spec], None)
            for row in dice:
                row.value = sent.get(row.name, "")[: row.length]
            return ShownStep(title, events, rule=rule, dice=dice, has_begun=has_begun)
    return ShownStep(title, events, has_begun=has_begun)


def _show_idle(table: Table) -> ShownStep | None:
    """What players do by themselves until a procedure begins, and its last events; None where it says nothing."""
    rules = table.game.conductor
    idle = rules.tell_idle(situation_of(table.match)) if rules and not table.match.ended else ""
    if not rules or not idle:
        return None
    actor = table.course.actor(table.match.state.position)
    decider = "" if table.may_decide(actor) else table.game.name_of(actor)
    return ShownStep(rules.title, _list_events(table), decider=decider, idle=idle)


def _list_events(table: Table) -> list[StepEvent]:
    """The events of the last act that stands, as far as this browser may know them. One query.

    What was taken back, noted or asked for since then does not hide them.
    """
    standing = LogEntry.objects.filter(match=table.match, kind=LogEntry.Kind.RECORD, voided_by=None)
    entries = [*standing.order_by("-number")[:MOST_EVENTS]][::-1]
    lines = reading.visible(entries, table.sees)
    event_lines = [
        line
        for entry, line in zip(entries, lines, strict=True)
        if line.act == lines[-1].act and not (line.is_withheld and line.sentence.endswith(UNDER_SEAL))
    ]
    return [StepEvent(line.secret or line.sentence, str(line.inputs.get(PLACE, ""))) for line in event_lines]


def export_step(table: Table, conducted: Conducted) -> Json:
    """The same for a program."""
    step: Json = {"title": conducted.rules.title, "side": "", "question": "", "rule": "", "options": [], "throw": None}
    match conducted.pending:
        case Ask(question, choices, side, rule, _):
            step |= {"side": side, "question": question, "rule": rule}
            if not side or table.may_answer(side):
                step["options"] = [
                    {"choice": choice.slug, "title": choice.title, "words": choice.words, "place": choice.place}
                    for choice in choices
                ]
            else:
                step["question"] = ""
        case Throw(spec, rule, by_app, side):
            step |= {"side": side, "rule": rule, "throw": None if by_app else spec.as_json()}
    return step
