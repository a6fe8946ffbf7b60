"""A procedure that goes on by itself, carried on in a match until a side must decide (firefight/kit/conductor.py).

Where it stands lies in the record: what one act has made of it is taken back, written to a file and seen by the other
device like anything else of the record.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from firefight.assistant.throwing import from_table
from firefight.columns import Rolled
from firefight.engine.course.conducting import Answer, Ask, Choice, Standing, Throw, Told, Wanted
from firefight.engine.rolls.changes import merge_changes
from firefight.engine.rolls.dice import Face
from firefight.engine.values import Json
from firefight.games import registry
from firefight.kit.conductor import Conductor
from firefight.kit.playing import add_up
from firefight.models import LogEntry, Match
from firefight.table.act import bounds
from firefight.table.act.act import MatchAct
from firefight.table.act.line_keys import CHANGES, PLACE
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
    wanted: Wanted


def find_conducted(table: Table) -> Conducted | None:
    """The procedure that is under way, or that may begin; None where there is none."""
    rules = table.game.conductor
    if rules is None or table.match.ended:
        return None
    here = record_rules.situation_of(table.match)
    standing = here.record[rules.field] or rules.begin(here)
    return Conducted(rules, standing, rules.find_wanted(standing, here)) if standing is not None else None


def find_ending(match: Match) -> str:
    """How a procedure says that its game has ended, by a question without choices; "" where it says nothing so."""
    rules = registry.games()[match.game].conductor
    standing = match.state.record.get(rules.field) if rules else None
    if rules is None or not standing:
        return ""
    wanted = rules.find_wanted(standing, record_rules.situation_of(match))
    return wanted.question if isinstance(wanted, Ask) and not wanted.choices else ""


@dataclass(frozen=True, slots=True)
class StepAnswer:
    """How a player lets a procedure go on: with the slug of a choice, with dice, or so.

    ``by_app``: the app throws the dice that players may throw, too; ``faces``: these as they were typed; with neither
    it stops there. ``all_the_way``: without a rest.
    """

    choice: str = ""
    by_app: bool = False
    faces: Mapping[str, Face] = field(default_factory=dict)
    all_the_way: bool = False


@match_act()
def proceed(act: MatchAct, given: StepAnswer) -> None:
    """Let a procedure go on until a side must decide, players throw, or there is something to look at.

    Raises Refused, BadField for a choice or a die that is none, Stale.
    """
    if act.match.state.queue:
        raise Refused("Something is due first: roll it, or drop it. Nothing was done.")
    conducted = find_conducted(act.table_now)
    if conducted is None:
        raise Refused(NOTHING)
    answer = _read_answer(act, conducted, given)
    wanted = conducted.wanted
    known_to = wanted.side if isinstance(wanted, Ask) and wanted.is_secret else ""
    _Passage(act, given, conducted.rules, conducted.standing).pass_through(answer, known_to)


def _read_answer(act: MatchAct, conducted: Conducted, given: StepAnswer) -> Choice | None:
    """What a player has chosen, where that is asked for. Raises Refused, BadField."""
    wanted = conducted.wanted
    if isinstance(wanted, Throw) and not wanted.by_app and wanted.side and not act.table.may_decide(wanted.side):
        raise Refused(f"{wanted.spec.label}: the {act.table.game.name_of(wanted.side)} rolls that. Nothing was done.")
    if not isinstance(wanted, Ask):
        return None
    if wanted.side and not act.table.may_decide(wanted.side):
        raise Refused(f"{wanted.question} The {act.table.game.name_of(wanted.side)} decides that. Nothing was done.")
    choice = wanted.find(given.choice)
    if choice is None:
        here = record_rules.situation_of(act.match)
        reason = conducted.rules.explain(conducted.standing, here, given.choice) if given.choice else ""
        raise BadField(reason or f"{wanted.question} Choose one of what is offered. Nothing was done.")
    return choice


class _Passage:
    """The way of a procedure through one act: step after step, then the lines that tell of it."""

    def __init__(self, act: MatchAct, given: StepAnswer, rules: Conductor, standing: Standing):
        self.act, self.given, self.rules = act, given, rules
        self.standing: Standing | None = standing
        self.typed = from_table(given.faces)
        self.rolled: list[Rolled] = []
        self.lines: list[tuple[Told, tuple[Rolled, ...]]] = []

    def pass_through(self, choice: Choice | None, known_to: str = "") -> None:
        """Go on as far as the procedure goes by itself. Raises BadField where it waits for dice that are not given.

        ``known_to``: the side that alone may know what was chosen, "" for all.
        """
        answer: Answer = choice.slug if choice else None
        if choice:
            self._note(Told(f"{self.act.table.name}: {choice.title}.", known_to=known_to))
        steps = 0
        while self.standing is not None and steps < bounds.MOST_CONDUCTED:
            here = record_rules.situation_of(self.act.match)
            if answer is None:
                wanted = self.rules.find_wanted(self.standing, here)
                answer = self._throw(wanted) if isinstance(wanted, Throw) else None
                if wanted is not None and answer is None:
                    break
            move = self.rules.go_on(self.standing, here, answer)
            self.standing, answer, steps = move.standing, None, steps + 1
            for told in move.told:
                self._note(told)
            if move.rests and not self.given.all_the_way:
                break
        if not steps:
            raise BadField("Type what the dice show, or let the app throw them. Nothing was done.")
        self._write()

    def _throw(self, wanted: Throw) -> Face | None:
        """The faces of a throw; None where players throw it, and have not typed it, or others do."""
        if not wanted.by_app and wanted.side and not self.act.table.may_decide(wanted.side):
            return None
        is_ours = wanted.by_app or self.given.by_app
        fell = (dice_of_match(self.act.match) if is_ours else self.typed)(wanted.spec)
        self.rolled += fell or ()
        self.act.row.free_to_take_back = self.act.row.free_to_take_back and not is_ours
        return add_up(wanted.spec, fell) if fell else None

    def _note(self, told: Told) -> None:
        """Something has happened: what it changes is so from now on."""
        record.change(self.act.match, merge_changes(told.changes))
        self.lines.append((told, tuple(self.rolled)))
        self.rolled = []

    def _write(self) -> None:
        """The lines of all that has happened. Where the procedure stands now is no line's, but the act's alone."""
        if self.rolled or not self.lines:
            self._note(Told(f"{self.rules.title} goes on."))
        record.change(self.act.match, {self.rules.field: self.standing})
        for told, rolled in self.lines:
            changes: Json = merge_changes(told.changes)
            self._tell(told, {"rolls": rolled, "inputs": {CHANGES: changes} if changes else {}})
        self._keep_turn()

    def _keep_turn(self) -> None:
        """Keep how a new turn begins, to go back to it and to branch off from it."""
        match, turn = self.act.match, self.act.match.state.position.turn
        if turn != self.act.before.position.turn:
            take_snapshot(match, self.act.row.number, self.act.table.course.turn_title(turn))

    def _tell(self, told: Told, more: Json) -> None:
        owner = next((each for each in (told.known_to, *(change.known_to for change in told.changes)) if each), "")
        sentences = " ".join([told.sentence, *(each for change in told.changes for each in change.sentences)])
        if not owner:
            where = {PLACE: told.place} if told.place else {}
            more["inputs"] = {**more["inputs"], **where}
            self.act.tell(LogEntry.Kind.RECORD, sentences, side=told.side or None, **more)
            return
        openly = f"{self.act.table.game.sides[owner]}: {self.rules.title}, under seal."
        self.act.tell(LogEntry.Kind.RECORD, openly, side=owner, secret=sentences, **more)
