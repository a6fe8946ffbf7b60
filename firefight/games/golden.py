"""Golden games: a whole game as text that people read, and that is played again from its own answers and dice.

The first sign of a line says what it is: ``=`` where the match stands, ``?`` a question with its choices below, ``>``
what was chosen, ``*`` dice, ``|`` what was told, ``~`` the state as the game sketches it, ``!`` the end.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import unified_diff

from firefight.engine.course.conducting import Ask, Standing, Throw, Told
from firefight.engine.course.keeping import TableState
from firefight.engine.rolls.dice import DieSpec, Face
from firefight.engine.values import Values
from firefight.kit.game import Game
from firefight.kit.rehearsal import BrokenRehearsal, Played, Terms
from firefight.kit.rehearsing import ConductedRehearsal, Playing

from . import chartbooks, registry

MOST_TOLD = 40  # lines of a difference


class BadGolden(ValueError):
    """Not a golden game of the app."""


@dataclass
class _Scribe:
    """Writes down all that happens."""

    game: Game
    lines: list[str]

    def stand(self, facts: Values) -> None:
        self.lines.append("= " + ", ".join(f"{name} {value}" for name, value in facts.items()))

    def ask(self, question: Ask, choice: str, sketch: str) -> None:
        if sketch:
            self.lines.append(f"~ {sketch}")
        side = f"{self.game.name_of(question.side)}: " if question.side else ""
        self.lines.append(f"? {side}{question.question}{_cite(question.rule)}")
        for option in question.choices:
            self.lines.append("  " + " · ".join(filter(None, [option.slug, option.title, option.words])))
        self.lines.append(f"> {choice}")

    def fall(self, throw: Throw, face: Face) -> None:
        spec = throw.spec
        drawn = f": {spec.names[face - 1]}" if spec.names and isinstance(face, int) else ""
        self.lines.append(f"* {_write_face(face)}  {spec.label}, {spec.words}{_cite(throw.rule)}{drawn}")

    def tell(self, event: Told) -> None:
        owner = next((side for side in (event.known_to, *(change.known_to for change in event.changes)) if side), "")
        alone = f"[{self.game.name_of(owner)} alone] " if owner else ""
        words = " ".join([event.sentence, *(sentence for change in event.changes for sentence in change.sentences)])
        self.lines.append(f"| {alone}{words}")


def _cite(rule: str) -> str:
    return f" ({rule})" if rule else ""


def _write_face(face: Face) -> str:
    return ",".join(map(str, face)) if isinstance(face, tuple) else str(face)


# Writing


def write_golden(
    game: Game, rehearsal: ConductedRehearsal, policy: str, seed: int, options: Mapping[str, str]
) -> tuple[str, Played]:
    """A game of a policy as text, and what it came to. Raises BrokenRehearsal."""
    head = [f"game {game.slug}", f"policy {policy}", f"seed {seed}"]
    head += [f"agreed {name} {value}" for name, value in sorted(options.items())]
    scribe = _Scribe(game, [*head, ""])
    played = rehearsal.play(policy, seed, Terms(game, chartbooks.shipped(game.slug), options), scribe)
    scribe.lines.append(_end(played.outcome, played.steps))
    return "\n".join(scribe.lines) + "\n", played


def _end(outcome: str, steps: int) -> str:
    return f"! {outcome}, after {steps} steps"


# Reading


class _Recorded:
    """Decides and throws as the file says."""

    def __init__(self, lines: Sequence[str]):
        self._answers = iter([line for line in lines if line[:1] in (">", "*")])

    def choose(self, question: Ask, standing: Standing, situation: TableState) -> str:
        return self._next(">", question.question)

    def throw(self, spec: DieSpec) -> Face:
        faces = tuple(int(face) for face in self._next("*", spec.label).split("  ")[0].split(",") if face.isdigit())
        return faces if spec.is_pool else sum(faces)

    def _next(self, sign: str, question: str) -> str:
        line = next(self._answers, "")
        if line[:1] != sign:
            raise BrokenRehearsal(f"“{question}” is asked where the file goes on with: {line or 'its end'}")
        return line[2:]


def replay_golden(text: str) -> list[str]:
    """The lines of a golden game, played again from its own answers and dice: as far as they fit. Raises BadGolden."""
    lines = text.splitlines()
    if "" not in lines:
        raise BadGolden("A golden game has a blank line below its head.")
    head = lines[: lines.index("")]
    fields = {line.partition(" ")[0]: line.partition(" ")[2] for line in head}
    options = dict(line.split(" ")[1:3] for line in head if line.startswith("agreed "))
    game = registry.games().get(fields.get("game", ""))
    rehearsal = registry.find_rehearsal(game.slug) if game else None
    if game is None or not isinstance(rehearsal, ConductedRehearsal):
        raise BadGolden(f"No game that the app leads is called “{fields.get('game', '')}”.")
    scribe = _Scribe(game, [*head, ""])
    stage = Playing(rehearsal, Terms(game, chartbooks.shipped(game.slug), options), scribe)
    try:
        scribe.lines.append(_end(stage.play(_Recorded(lines)), stage.steps))
    except BrokenRehearsal as error:
        scribe.lines.append(f"! {error.__cause__ or error}")
    return scribe.lines


def find_differences(text: str) -> list[str]:
    """Where a golden game now goes differently from its text, as the lines of a diff; none if it has not changed."""
    recorded, replayed = text.splitlines(), replay_golden(text)
    return list(_cut(unified_diff(recorded, replayed, "as it was", "as it is now", n=4, lineterm="")))


def _cut(lines: Iterator[str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        if number == MOST_TOLD:
            yield "…"
            return
        yield line
