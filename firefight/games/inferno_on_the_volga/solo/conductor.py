"""The solo game as the frame carries it on: its standing is the whole game, which only the Soviet side knows."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from firefight.engine.course.conducting import Answer, Ask, Standing, StepTaken, Told, Wanted
from firefight.engine.course.keeping import TableState
from firefight.engine.record import RecordChange
from firefight.engine.values import Json, Values

from ..rules.content import Content, find_printed
from ..rules.course import SOLO_MODE
from ..rules.tables import Side
from .own_table import MARK, begin_turn, find_table_want, go_on_at_table, tell_before
from .play import Play
from .players import MODES_CONDUCTED
from .seen import list_hands, view_for_record
from .setting_up import build_state
from .turn import explain_choice, find_next_want, take_step

VERDICTS = {"german": "German Decisive Victory", "soviet": "Soviet Decisive Victory", "both": "Both sides have won"}


def is_led(options: Mapping[str, str]) -> bool:
    """Whether the app leads a match; one that does not name its board only in solo."""
    mode = options.get("mode", "")
    return mode in MODES_CONDUCTED and options.get("board", "app" if mode == SOLO_MODE else "table") == "app"


def copy_plain(standing: Standing) -> Json:
    """A copy of a standing, as JSON has it, so that whoever holds the original keeps it unchanged.

    The blocks are most of it and alike; copying them one by one takes a third of the time.
    """
    copied: Json = json.loads(json.dumps({**standing, "blocks": {}}))
    copied["blocks"] = {key: [*place_and_dots] for key, place_and_dots in standing["blocks"].items()}
    return copied


@dataclass(frozen=True, slots=True)
class SoloGame:
    """A game that the app leads, in any mode. ``content``: what is printed where no owner says otherwise."""

    content: Content
    field: str = "solo"
    title: str = "The game"

    def begin(self, situation: TableState) -> Standing | None:
        """At once, in a match that the app leads; on the players' own table when a Soviet turn comes."""
        options = situation.options
        if not is_led(options):
            return begin_turn(situation)
        if situation.record["stacks"]:
            return None  # set up once, and gone: a file of one of two opponents, which holds no game
        printed = find_printed(situation.content, self.content)
        return build_state(printed, options["mode"], options.get("level", "standard"))

    def tell_idle(self, situation: TableState) -> str:
        """What the Germans do on their own table, until the app leads the Soviet turn."""
        return "" if is_led(situation.options) else tell_before(situation)

    def find_side(self, standing: Standing) -> str:
        """Who decides, or throws; where the game goes on by itself, the German whose turn it is or was last."""
        return "" if MARK in standing or standing["over"] else str(standing["asks"])

    def find_wanted(self, standing: Standing, situation: TableState) -> Wanted:
        """What the task on top waits for; a question without choices once the game is over."""
        if MARK in standing:
            return find_table_want(standing, situation)
        play = self._open(standing, situation)
        if standing["over"]:
            verdict = f"The game is over: {VERDICTS[standing['over']]}. {play.compare_germans()}"
            return Ask(verdict.rstrip(), (), "", "How to Win the Game")
        return find_next_want(play)

    def explain(self, standing: Standing, situation: TableState, choice: str) -> str:
        """Why something may not be chosen."""
        if MARK in standing:
            return ""
        return explain_choice(self._open(standing, situation), choice)

    def go_on(self, standing: Standing, situation: TableState, answer: Answer) -> StepTaken:
        """One task of the pile."""
        if MARK in standing:
            return go_on_at_table(standing, situation, answer)
        play = self._open(copy_plain(standing), situation)
        take_step(play, answer)
        want = None if play.players.is_solo else find_next_want(play)
        play.state["asks"] = (want.side if want else "") or play.active
        return StepTaken(play.state, tuple(self._note(play, situation)), rests=play.rests)

    def _open(self, standing: Standing, situation: TableState) -> Play:
        """The game of this standing: a caller that takes a step passes a copy, one that only reads need not."""
        recounts = situation.options.get("recount") != "once"
        return Play({**standing}, find_printed(situation.content, self.content), recounts)

    def _note(self, play: Play, situation: TableState) -> Iterator[Told]:
        """The lines of the log; the last that tells all something carries the changes of the record.

        A hand that has changed is told where its player is told something else, or in a line of its own.
        """
        last_open = next((line for line in reversed(play.told) if line.openly or not line.known_to), None)
        hands = {} if play.players.is_solo else self._find_hands(play, situation)
        for line in play.told:
            changes = self._find_changes(play, situation) if line is last_open else ()
            yield replace(line, changes=(*changes, *hands.pop(line.known_to, ())))
        for side, changes in hands.items():
            yield Told("", changes, side, side)

    def _find_hands(self, play: Play, situation: TableState) -> dict[str, tuple[RecordChange, ...]]:
        """The hands of Germans that differ now, by their players."""
        record = situation.record
        hands = {
            name: cards
            for name, cards in list_hands(play.state).items()
            if name in record and not _is_same(record[name], cards)
        }
        words = {
            name: ", ".join(play.card_name(Side.GERMAN, card) for card in cards) or "no card"
            for name, cards in hands.items()
        }
        return {
            name.removesuffix("_hand"): (RecordChange({name: cards}, (f"Hand: {words[name]}.",)),)
            for name, cards in hands.items()
        }

    def _find_changes(self, play: Play, situation: TableState) -> tuple[RecordChange, ...]:
        """Every open field that differs now, and whose turn it is."""
        record = situation.record
        view = view_for_record(play) | (list_hands(play.state) if play.players.is_solo else {})
        changed: Values = {
            name: view[name] for name in view.keys() & record.keys() if not _is_same(record[name], view[name])
        }
        place = {"turn": play.state["turn"], "side": play.state["side"]}
        old_place = {"turn": situation.position.turn, "side": situation.position.side}
        moved = {name: value for name, value in place.items() if old_place[name] != value}
        return (RecordChange({**changed, **moved}, ()),) if changed or moved else ()


def _is_same(recorded: object, value: object) -> bool:
    """Whether a field of the record says so already; lists and tuples are the same."""
    return recorded == value or json.dumps(recorded, sort_keys=True) == json.dumps(value, sort_keys=True)
