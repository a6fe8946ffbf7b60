"""A procedure as its page shows it: what it waits for, and what has just happened."""

from collections.abc import Sequence
from dataclasses import dataclass

from firefight.assistant.desk import DieRow, lay_out_dice
from firefight.engine.course.conducting import Ask, Choice, Throw
from firefight.engine.values import Json
from firefight.models import LogEntry
from firefight.table.act.line_keys import PLACE
from firefight.table.act.table import Table
from firefight.table.board.record_rules import situation_of
from firefight.table.log import reading
from firefight.table.rolling.conducting import Conducted, find_conducted

MOST_TOLD = 12  # lines of what has just happened
MOST_LISTED = 3  # choices on the map that are listed beside it, too; more of them fold up


@dataclass(frozen=True, slots=True)
class ToldStep:
    """A step that has been told, and where on the board it was; "" for nowhere."""

    sentence: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class ShownStep:
    """What a procedure waits for. ``told``: what has just happened, the newest last.

    ``decider``: the name of another side that decides; then there are no ``choices``. ``dice``: what players throw.
    ``has_begun``: whether anything of it has happened yet. ``idle``: what players do before it goes on, by themselves.
    """

    title: str
    told: Sequence[ToldStep]
    question: str = ""
    rule: str = ""
    decider: str = ""
    choices: Sequence[Choice] = ()
    dice: Sequence[DieRow] = ()
    has_begun: bool = True
    idle: str = ""

    @property
    def is_folded(self) -> bool:
        """Whether the choices of the board are too many to be listed beside it at once."""
        return sum(bool(choice.place) for choice in self.choices) > MOST_LISTED


def show_step(table: Table) -> ShownStep | None:
    """The procedure of a match as this browser may see it; None where there is none, or a roll is due first."""
    if table.match.state.queue:
        return None
    conducted = find_conducted(table)
    if conducted is None:
        return _show_idle(table)
    title, told = conducted.rules.title, _list_told(table)
    begun = bool(table.match.state.record.get(conducted.rules.field))
    match conducted.wanted:
        case Ask(question, choices, side, rule, _):
            if side and not table.may_decide(side):
                return ShownStep(title, told, decider=table.game.name_of(side))
            return ShownStep(title, told, question, rule, choices=choices)
        case Throw(spec, rule, by_app, side):
            if side and not by_app and not table.may_decide(side):
                return ShownStep(title, told, decider=table.game.name_of(side))
            return ShownStep(title, told, rule=rule, dice=() if by_app else lay_out_dice([spec], None), has_begun=begun)
    return ShownStep(title, told, has_begun=begun)


def _show_idle(table: Table) -> ShownStep | None:
    """What players do by themselves until a procedure begins, and what it told last; None where it says nothing."""
    rules = table.game.conductor
    idle = rules.tell_idle(situation_of(table.match)) if rules and not table.match.ended else ""
    if not rules or not idle:
        return None
    actor = table.course.actor(table.match.state.position)
    decider = "" if table.may_decide(actor) else table.game.name_of(actor)
    return ShownStep(rules.title, _list_told(table), decider=decider, idle=idle)


def _list_told(table: Table) -> list[ToldStep]:
    """What the last act has told; nothing of what this browser may not know. One query."""
    newest = LogEntry.objects.filter(match=table.match, number__gt=table.match.last_number - MOST_TOLD)
    entries = [*newest.filter(voided_by=None).order_by("number")]
    lines = reading.visible(entries, table.sees)
    kept = [
        line
        for entry, line in zip(entries, lines, strict=True)
        if line.kind == LogEntry.Kind.RECORD and line.act == lines[-1].act and bool(entry.secret) == bool(line.secret)
    ]
    return [ToldStep(line.secret or line.sentence, str(line.inputs.get(PLACE, ""))) for line in kept]


def export_step(table: Table, conducted: Conducted) -> Json:
    """The same for a program."""
    step: Json = {"title": conducted.rules.title, "side": "", "question": "", "rule": "", "options": [], "throw": None}
    match conducted.wanted:
        case Ask(question, choices, side, rule, _):
            step |= {"side": side, "question": question, "rule": rule}
            if not side or table.may_decide(side):
                step["options"] = [
                    {"choice": each.slug, "title": each.title, "words": each.words, "place": each.place}
                    for each in choices
                ]
            else:
                step["question"] = ""
        case Throw(spec, rule, by_app, side):
            step |= {"side": side, "rule": rule, "throw": None if by_app else spec.as_json()}
    return step
