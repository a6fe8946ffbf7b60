"""A procedure that goes on by itself, carried on in a match until a side must decide (firefight/kit/conductor.py).

Its standing is part of the record: it is taken back, written to a file and seen by the other device like anything else
in the record.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from firefight.assistant.throwing import from_table
from firefight.columns import Rolled
from firefight.engine.course.conducting import Answer, Ask, Choice, Standing, Throw, Told, Wanted
from firefight.engine.rolls.changes import merge_changes
from firefight.engine.rolls.dice import Face
from firefight.engine.text import capitalize
from firefight.engine.values import Json
from firefight.games import registry
from firefight.kit.conductor import Conductor
from firefight.kit.playing import add_up
from firefight.models import LogEntry, Match
from firefight.table.act import bounds
from firefight.table.act.act import MatchAct
from firefight.table.act.line_keys import CHANGES, PLACE, UNDER_SEAL
from firefight.table.act.own_dice import dice_of_match
from firefight.table.act.performing import match_act
from firefight.table.act.refusals import BadField, Refused
from firefight.table.act.snapshots import take_snapshot
from firefight.table.act.table import Table
from firefight.table.board import record, record_rules

NOTHING = "Nothing goes on by itself here. Nothing was done."


class Conducted(NamedTuple):
    """A procedure as it stands in a match: by which rules, where, and what it waits for."""

    rules: Conductor
    standing: Standing
    pending: Wanted


def find_conducted(table: Table) -> Conducted | None:
    """The procedure that is under way, or that may begin, if any."""
    rules = table.game.conductor
    if rules is None or table.match.ended:
        return None
    situation = record_rules.situation_of(table.match)
    standing = situation.record[rules.field] or rules.begin(situation)
    return Conducted(rules, standing, rules.find_wanted(standing, situation)) if standing is not None else None


def find_ending(match: Match) -> str:
    """How a procedure says that its game has ended, by a question without choices; "" while it does not."""
    rules = registry.games()[match.game].conductor
    standing = match.state.record.get(rules.field) if rules else None
    if rules is None or not standing:
        return ""
    pending = rules.find_wanted(standing, record_rules.situation_of(match))
    return pending.question if isinstance(pending, Ask) and not pending.choices else ""


@dataclass(frozen=True, slots=True)
class StepAnswer:
    """How a player lets a procedure go on: with the slug of a choice, with dice, or with neither.

    ``by_app``: the app throws this player's dice, too; ``faces``: the dice as they were typed; without either the
    procedure stops there. ``all_the_way``: without a rest.
    """

    choice: str = ""
    by_app: bool = False
    faces: Mapping[str, Face] = field(default_factory=dict)
    all_the_way: bool = False


@match_act()
def proceed(act: MatchAct, step_answer: StepAnswer) -> None:
    """Let a procedure go on until a side must decide, players throw, or there is something to look at.

    Raises Refused, BadField for a bad choice or die, Stale.
    """
    if act.match.state.queue:
        raise Refused("Something is due first: roll it, or drop it. Nothing was done.")
    conducted = find_conducted(act.table_now)
    if conducted is None:
        raise Refused(NOTHING)
    choice = _read_answer(act, conducted, step_answer)
    passage = _Passage(act, step_answer, conducted.rules, conducted.standing)
    if choice and isinstance(ask := conducted.pending, Ask):
        passage.note_choice(ask, choice)
    passage.pass_through(choice.slug if choice else None)


def _read_answer(act: MatchAct, conducted: Conducted, step_answer: StepAnswer) -> Choice | None:
    """What a player has chosen, where that is asked for. Raises Refused, BadField."""
    pending = conducted.pending
    if isinstance(pending, Throw) and not pending.by_app and pending.side and not act.table.may_decide(pending.side):
        raise Refused(f"{pending.spec.label}: {act.table.game.call_side(pending.side)} rolls that. Nothing was done.")
    if not isinstance(pending, Ask):
        return None
    if pending.side and not act.table.may_answer(pending.side):
        decider = capitalize(act.table.game.call_side(pending.side))
        question = "" if pending.is_secret else f"{pending.question} "
        raise Refused(f"{question}{decider} decides that. Nothing was done.")
    choice = pending.find(step_answer.choice)
    if choice is None:
        situation = record_rules.situation_of(act.match)
        reason = (
            conducted.rules.explain(conducted.standing, situation, step_answer.choice) if step_answer.choice else ""
        )
        raise BadField(reason or f"{pending.question} Choose one of what is offered. Nothing was done.")
    return choice


class _Passage:
    """The way of a procedure through one act: step after step, then the lines that report it."""

    def __init__(self, act: MatchAct, step_answer: StepAnswer, rules: Conductor, standing: Standing):
        self.act, self.step_answer, self.rules = act, step_answer, rules
        self.standing: Standing | None = standing
        self.typed = from_table(step_answer.faces)
        self.thrower = ""  # the side whose dice this act throws, once it has thrown any
        self.rolled: list[Rolled] = []
        self.lines: list[tuple[Told, tuple[Rolled, ...]]] = []

    def note_choice(self, ask: Ask, choice: Choice) -> None:
        """Note what was asked and what was chosen: to its side alone where it is a secret."""
        known_to = ask.side if ask.is_secret else ""
        self._note(Told(f"{ask.question} {self.act.table.name}: {choice.title}.", known_to=known_to))

    def pass_through(self, answer: Answer) -> None:
        """Go on as far as the procedure goes by itself. Raises BadField where it waits for dice that are not given."""
        steps = 0
        while self.standing is not None and steps < bounds.MOST_CONDUCTED:
            situation = record_rules.situation_of(self.act.match)
            if answer is None:
                pending = self.rules.find_wanted(self.standing, situation)
                answer = self._throw(pending) if isinstance(pending, Throw) else None
                if pending is not None and answer is None:
                    break
            move = self.rules.go_on(self.standing, situation, answer)
            self.standing, answer, steps = move.standing, None, steps + 1
            for report in move.told:
                self._note(report)
            if move.rests and not self.step_answer.all_the_way:
                break
        if not steps:
            raise BadField("Type what the dice show, or let the app throw them. Nothing was done.")
        self._write()

    def _throw(self, throw: Throw) -> Face | None:
        """The face of a throw; None where players throw it and have not typed it, or where others throw it.

        At one device, too, each side throws its own: what one has pressed does not throw for the next.
        """
        if not throw.by_app and throw.side:
            self.thrower = self.thrower or throw.side
            if throw.side != self.thrower or not self.act.table.may_decide(throw.side):
                return None
        is_ours = throw.by_app or self.step_answer.by_app
        dice = (dice_of_match(self.act.match) if is_ours else self.typed)(throw.spec)
        self.rolled += dice or ()
        self.act.row.free_to_take_back = self.act.row.free_to_take_back and not is_ours
        return add_up(throw.spec, dice) if dice else None

    def _note(self, report: Told) -> None:
        """Note what has happened: its changes hold from now on."""
        record.change(self.act.match, merge_changes(report.changes))
        self.lines.append((report, tuple(self.rolled)))
        self.rolled = []

    def _write(self) -> None:
        """Write the lines of all that has happened. The procedure's new standing belongs to the act, not to a line."""
        if self.rolled or not self.lines:
            self._note(Told(f"{self.rules.title} goes on."))
        record.change(self.act.match, {self.rules.field: self.standing})
        for report, rolled in self.lines:
            changes: Json = merge_changes(report.changes)
            self._tell(report, {"rolls": rolled, "inputs": {CHANGES: changes} if changes else {}})
        self._keep_turn()

    def _keep_turn(self) -> None:
        """Keep how a new turn begins, to go back to it and to branch off from it."""
        match, turn = self.act.match, self.act.match.state.position.turn
        if turn != self.act.before.position.turn:
            take_snapshot(match, self.act.row.number, self.act.table.course.turn_title(turn))

    def _tell(self, report: Told, more: Json) -> None:
        owner = next((side for side in (report.known_to, *(change.known_to for change in report.changes)) if side), "")
        of_changes = (sentence for change in report.changes for sentence in change.sentences)
        sentences = " ".join(filter(None, (report.sentence, *of_changes)))
        if not owner:
            place = {PLACE: report.place} if report.place else {}
            more["inputs"] = {**more["inputs"], **place}
            self.act.tell(LogEntry.Kind.RECORD, sentences, side=report.side or None, **more)
            return
        openly = report.openly or f"{self.act.table.game.sides[owner]}: {self.rules.title}{UNDER_SEAL}"
        more["rolls"] = tuple(replace(die, is_unseen=True) for die in more["rolls"])
        self.act.tell(LogEntry.Kind.RECORD, openly, side=owner, secret=sentences, **more)
