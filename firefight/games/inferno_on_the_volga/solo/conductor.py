"""The solo game as the frame carries it on: where it stands is the whole game, which the Soviet side alone knows."""

from collections.abc import Iterator
from dataclasses import dataclass

from firefight.engine.course.conducting import Answer, Ask, Standing, StepTaken, Told, Wanted
from firefight.engine.course.keeping import TableState
from firefight.engine.record import RecordChange
from firefight.engine.values import Json, Values

from ..rules.content import Content, find_printed
from .play import Play
from .seen import view_for_record
from .setting_up import build_state
from .turn import explain_choice, find_next_want, take_step

VERDICTS = {"german": "German Decisive Victory", "soviet": "Soviet Decisive Victory", "both": "Both sides have won"}


def copy_plain(value: object) -> object:
    """Plain values once more, so that whoever holds the first keeps them as they were."""
    if isinstance(value, dict):
        return {name: copy_plain(each) for name, each in value.items()}
    return [copy_plain(each) for each in value] if isinstance(value, list | tuple) else value


@dataclass(frozen=True, slots=True)
class SoloGame:
    """A German player against the app. ``content``: what is printed, where no owner of a match says otherwise."""

    content: Content
    field: str = "solo"
    title: str = "The game against the app"

    def begin(self, situation: TableState) -> Standing | None:
        """At once, in a solo match that is led by the app."""
        options = situation.options
        if options.get("mode") != "solo" or options.get("board", "app") != "app":
            return None
        return build_state(find_printed(situation.content, self.content), "solo", options.get("level", "standard"))

    def find_side(self, standing: Standing) -> str:
        """The Germans decide all there is to decide."""
        return "" if standing["over"] else "german"

    def find_wanted(self, standing: Standing, situation: TableState) -> Wanted:
        """What the task on top waits for; a question without choices once the game is over."""
        if standing["over"]:
            return Ask(f"The game is over: {VERDICTS[standing['over']]}.", (), "german", "How to Win the Game")
        return find_next_want(self._open(standing, situation))

    def explain(self, standing: Standing, situation: TableState, choice: str) -> str:
        """Why something may not be chosen."""
        return explain_choice(self._open(standing, situation), choice)

    def go_on(self, standing: Standing, situation: TableState, answer: Answer) -> StepTaken:
        """One task of the pile."""
        play = self._open(standing, situation)
        take_step(play, answer)
        return StepTaken(play.state, tuple(self._note(play, situation)), rests=play.rests)

    def _open(self, standing: Standing, situation: TableState) -> Play:
        state: Json = {name: copy_plain(value) for name, value in standing.items()}
        return Play(state, find_printed(situation.content, self.content))

    def _note(self, play: Play, situation: TableState) -> Iterator[Told]:
        """What is told; the last open line carries what the match's record shows of it."""
        last = next((told for told in reversed(play.told) if not told.known_to), None)
        for told in play.told:
            changes = self._find_changes(play, situation) if told is last else ()
            yield Told(told.sentence, changes, told.side, told.known_to)

    def _find_changes(self, play: Play, situation: TableState) -> tuple[RecordChange, ...]:
        """Everything open that differs now, and whose turn it is."""
        kept = situation.record
        now = view_for_record(play.state, play.content)
        changed: Values = {name: now[name] for name in now.keys() & kept.keys() if not _is_same(kept[name], now[name])}
        place = {"turn": play.state["turn"], "side": play.state["side"]}
        here = {"turn": situation.position.turn, "side": situation.position.side}
        moved = {name: value for name, value in place.items() if here[name] != value}
        return (RecordChange({**changed, **moved}, ()),) if changed or moved else ()


def _is_same(kept: object, value: object) -> bool:
    """Whether a field of the record says so already; lists and tuples are one."""
    return copy_plain(kept) == copy_plain(value)
