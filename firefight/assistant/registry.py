"""The helper registry, and the one pipeline that every helper runs through.

A helper is a form, a pure rule function and the dice it may ask for. Its rule takes the form's
cleaned values and the faces of the dice by name, so that nothing stands between them.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from django.conf import settings
from django.utils.module_loading import import_string

from firefight.columns import Rolled
from firefight.engine.charts.book import Book, ChartSpec
from firefight.engine.errors import BlankCells, RuleError
from firefight.engine.rolls.dice import DieSpec
from firefight.engine.rolls.odds import Odds, sweep
from firefight.engine.rolls.result import Result

from .fields import HelperForm

Inputs = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Typical:
    """A common roll that shows what a chart does: a helper's slug, what it is in words, and its plain inputs.

    ``at`` gives the inputs that lead to a column of a grid, ``column`` the usual one; the words then say {} for it.
    """

    helper: str
    words: str
    inputs: Mapping[str, Any]
    at: Callable[[str], Mapping[str, Any]] | None = None
    column: str = ""


@dataclass(frozen=True, slots=True)
class Game:
    """A game that the assistant knows: its sides, the course of its turn, its charts and its reminders.

    ``typical``: by chart, the roll whose odds are shown beside it while somebody types it in.
    """

    slug: str
    title: str
    sides: Mapping[str, str]
    phases: Mapping[str, str]
    impulse_phase: str
    last_turn: int
    chart_specs: tuple[ChartSpec, ...]
    house_book: str
    reference: str
    typical: Mapping[str, Typical]


@dataclass(frozen=True, slots=True)
class Helper:
    """One resolvable roll of a game. ``odds`` replaces the sweep where a rule has a better count.

    ``is_read``: its dice are read off charts, so that a face may need a blank cell.
    """

    game: str
    slug: str
    title: str
    group: str
    purpose: str
    rules: tuple[str, ...]
    form: type[HelperForm]
    rule: Callable[..., Result]
    outcomes: tuple[str, ...]
    dice: tuple[DieSpec, ...] | Callable[[Inputs], tuple[DieSpec, ...]] = ()
    odds: Callable[[Book, Inputs], Iterable[Odds]] | None = None
    is_read: bool = True

    def specs(self, inputs: Inputs) -> tuple[DieSpec, ...]:
        """The dice that a roll with these inputs may ask for."""
        return self.dice(inputs) if callable(self.dice) else self.dice

    def resolve(self, book: Book, inputs: Inputs, dice: Mapping[str, int]) -> Result:
        """Run the rule. The result is settled when it needs no further die."""
        return self.rule(charts=book, **inputs, **dice)

    def all_odds(self, book: Book, inputs: Inputs) -> tuple[Odds, ...]:
        """The exact distribution of the roll, and of what may follow where the helper counts it.

        Remembered, since the same question comes back with every page that shows the form.
        """
        return _counted(self, book, frozenset(inputs.items()))

    def table_odds(self, book: Book, inputs: Inputs) -> Odds:
        """The exact distribution of the roll alone, not remembered: for a book that is still being typed."""
        alone = {**inputs, **({"units": ()} if "units" in inputs else {})}
        return sweep(lambda dice: self.resolve(book, alone, dice), self.specs(alone))


@lru_cache(maxsize=1000)
def _counted(helper: Helper, book: Book, cleaned: frozenset[tuple[str, Any]]) -> tuple[Odds, ...]:
    inputs = dict(cleaned)
    if helper.odds:
        return tuple(helper.odds(book, inputs))
    return (sweep(lambda dice: helper.resolve(book, inputs, dice), helper.specs(inputs)),)


def check_reach(helper: Helper, book: Book, inputs: Inputs) -> None:
    """Raise BlankCells if some face of some die would end without a result, whatever the others show.

    To be asked before the app draws a number: a refusal afterwards would tell what the number was. Raises, too, what
    the rule has against the inputs alone.
    """
    helper.resolve(book, inputs, {})
    reasons = _ends(helper, book, frozenset(inputs.items())) if helper.is_read else ()
    if reasons:
        raise BlankCells(reasons)


@lru_cache(maxsize=1000)
def _ends(helper: Helper, book: Book, cleaned: frozenset[tuple[str, Any]]) -> tuple[str, ...]:
    """Why rolls with these inputs may end without a result, by running the rule over every face. Remembered."""
    inputs = dict(cleaned)
    specs = {spec.name: spec for spec in helper.specs(inputs)}
    reasons: dict[str, None] = {}
    swept = set()

    def run(dice: dict[str, int]) -> None:
        try:
            result = helper.resolve(book, inputs, dice)
        except RuleError as error:
            reasons[str(error)] = None
            return
        # A die that is asked for a second time has shown a face that is rolled again.
        if not result.needs or result.needs[0] in swept or result.needs[0] in dice:
            return
        die = specs[result.needs[0]]
        if die.apart:
            swept.add(die.name)
        for face in range(1, die.sides + 1):
            run({**dice, die.name: face})

    run({})
    return tuple(reasons)


Thrower = Callable[[DieSpec], Rolled | None]


def play_helper(helper: Helper, book: Book, inputs: Inputs, throw: Thrower) -> tuple[Result, list[Rolled]]:
    """Run a helper, asking ``throw`` for each die as the rule calls for it.

    When ``throw`` has no die to give, the unsettled result comes back and says what is missing.
    """
    specs = {spec.name: spec for spec in helper.specs(inputs)}
    dice: dict[str, int] = {}
    rolled: list[Rolled] = []
    result = helper.resolve(book, inputs, dice)
    while result.needs:
        for name in result.needs:
            die = throw(specs[name])
            if die is None:
                return result, rolled
            dice[name] = die.face
            rolled.append(die)
        result = helper.resolve(book, inputs, dice)
    return result, rolled


def from_table(faces: Mapping[str, int]) -> Thrower:
    """Dice that were rolled on the table; each is used once."""
    left = dict(faces)

    def throw(spec: DieSpec) -> Rolled | None:
        face = left.pop(spec.name, None)
        return face and Rolled(spec.name, spec.label, spec.sides, face, "table")

    return throw


@cache
def games() -> dict[str, Game]:
    """All games by slug, in the order of the settings."""
    found = (import_string(path) for path in settings.ASSIST_GAMES)
    return {game.slug: game for game in found}


@cache
def helpers(game: str) -> dict[str, Helper]:
    """A game's helpers by slug; several rooms may contribute to one game."""
    offered = (helper for path in settings.ASSIST_HELPERS for helper in import_string(path))
    return {helper.slug: helper for helper in offered if helper.game == game}
