"""The one pipeline that every helper runs through: reach checked, dice asked for, result settled."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, Protocol, TypeVar

from firefight.engine.charts.book import Book
from firefight.engine.errors import BlankCells, RuleError
from firefight.engine.rolls.dice import DieSpec, Face
from firefight.engine.rolls.odds import weigh
from firefight.engine.rolls.result import Result

from .fields.forms import HelperForm
from .helper import Helper, Inputs


class Fallen(Protocol):
    """A die as it fell."""

    @property
    def face(self) -> int:
        """What it shows."""


Die = TypeVar("Die", bound=Fallen)


def check_reach(helper: Helper, book: Book, inputs: Inputs) -> None:
    """Raise BlankCells if some face of some die would end without a result, whatever the others show.

    To be called before the app draws a number: a refusal afterwards would give the number away. Also raises what the
    rule has against the inputs alone.
    """
    helper.open(book, inputs)
    reasons = dict(_ends(helper, book, frozenset(inputs.items()))) if helper.is_read else {}
    if reasons:
        raise BlankCells(reasons, dict.fromkeys(blank for blanks in reasons.values() for blank in blanks))


@lru_cache(maxsize=1000)
def _ends(
    helper: Helper, book: Book, cleaned: frozenset[tuple[str, Any]]
) -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """Why rolls with these inputs may end without a result, each reason with its blank cells, by running the rule over
    every face. Remembered."""
    inputs = dict(cleaned)
    specs = {spec.name: spec for spec in helper.specs(inputs)}
    reasons: dict[str, tuple[tuple[str, str], ...]] = {}
    swept = set()

    def run(dice: dict[str, Face]) -> None:
        try:
            result = helper.resolve(book, inputs, dice)
        except RuleError as error:
            reasons[str(error)] = getattr(error, "blanks", ())
            return
        # A die that is asked for a second time has shown a face that is rolled again.
        if not result.needs or result.needs[0] in swept or result.needs[0] in dice:
            return
        spec = specs[result.needs[0]]
        if spec.apart:
            swept.add(spec.name)
        for face, _ in weigh(spec):
            run({**dice, spec.name: face})

    run({})
    return tuple(reasons.items())


def play_helper(
    helper: Helper, book: Book, inputs: Inputs, throw: Callable[[DieSpec], tuple[Die, ...] | None]
) -> tuple[Result, list[Die]]:
    """Run a helper, asking ``throw`` for each throw as the rule calls for it, and first for those that it may use.

    ``throw`` gives all dice of a throw in their order, or None where there are none to give: then the unsettled result
    comes back and says what is missing.
    """
    specs = {spec.name: spec for spec in helper.specs(inputs)}
    dice: dict[str, Face] = {}
    rolled: list[Die] = []

    def ask(spec: DieSpec) -> bool:
        fell = throw(spec)
        if fell is not None:
            dice[spec.name] = add_up(spec, fell)
            rolled.extend(fell)
        return fell is not None

    for spec in specs.values():
        if spec.is_optional:
            ask(spec)
    result = helper.resolve(book, inputs, dice) if dice else helper.open(book, inputs)
    while result.needs:
        for name in result.needs:
            if not ask(specs[name]):
                return result, rolled
        result = helper.resolve(book, inputs, dice)
    return result, rolled


def settle_helper(helper: Helper, book: Book, form: HelperForm) -> Result | None:
    """What a filled form comes to where no die decides it; None where one does, or where something is still missing."""
    if not (helper.settles and form.is_valid()) or any(spec.is_optional for spec in helper.specs(form.inputs())):
        return None
    try:
        result = helper.open(book, form.inputs())
    except RuleError:
        return None
    return None if result.needs else result


def add_up(spec: DieSpec, fell: Iterable[Fallen]) -> Face:
    """What the dice of a throw come to for the rule."""
    faces = tuple(die.face for die in fell)
    return faces if spec.is_pool else sum(faces)


def one_by_one(draw: Callable[[DieSpec], Die]) -> Callable[[DieSpec], tuple[Die, ...]]:
    """Throws of the app, die by die."""
    return lambda spec: tuple(draw(spec) for _ in range(spec.number))
