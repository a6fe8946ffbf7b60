"""A roll of a game: a form, a pure rule function, and the dice that it may ask for."""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import lru_cache, wraps
from typing import Any, TypeVar

from firefight.engine.charts.book import Book
from firefight.engine.rolls.dice import DieSpec, Face
from firefight.engine.rolls.odds import Odds, sweep
from firefight.engine.rolls.result import FollowUp, Outcome, Result
from firefight.engine.values import Values
from firefight.kit.fields.forms import HelperForm

Inputs = Values
Dice = tuple[DieSpec, ...] | Callable[[Inputs], tuple[DieSpec, ...]]
OddsOf = Callable[[Book, Inputs], Iterable[Odds]]
T = TypeVar("T")


def gather_inputs(build: Callable[..., T], rule: Callable[[Book, T], Result]) -> Callable[..., Result]:
    """The rule of a helper whose inputs a game holds in one value, which ``build`` makes of them by their names."""

    @wraps(rule)
    def run(*, charts: Book, **inputs: Any) -> Result:
        return rule(charts, build(**inputs))

    return run


@dataclass(frozen=True, slots=True)
class ReadyAnswer:
    """A way to fill a form: in words, and as plain values of some of its fields."""

    words: str
    values: Mapping[str, str]

    @property
    def sent(self) -> str:
        """The values as a page sends them."""
        return json.dumps(self.values, separators=(",", ":"))


@dataclass(frozen=True, slots=True, eq=False)
class Helper:
    """A resolvable roll of a game, which equals only itself. All but game and slug is passed by name.

    ``title``, ``group``: what lists call it, and their heading for it. ``purpose``: what it is for, in a sentence.
    ``rules``: those that it cites, number and heading. ``form``: its inputs; ``rule``: the pure function that takes
    them by name, with ``charts`` and the faces of ``dice``; ``outcomes``: an Outcome with all of its members, or their
    words.

    ``odds`` replaces the sweep where a rule has a better count. ``is_read``: its dice are read off charts, so that a
    face may need a blank cell. ``dice_words``: which dice it asks for, where that depends on the inputs. ``beyond``:
    lists that matter only to what follows the roll itself.
    ``steps``: of the course, in which it is offered first. ``together``: several that are due stand on one card, with
    one throw each. ``meanings``: its outcomes that are codes, in words. ``brief``: outcomes, or their labels, in the
    word or two that fit a line of odds, the gravest first; those with the same words are added up.
    ``simultaneous``: those that are due are about the state when all were asked for, and also about counters that are
    gone by now; ``until_all``: what its result says until all are made, where a match sees to that by itself.
    ``offers``: ways to fill what is left blank, each with one press; it is called with the
    inputs as they stand. ``spare_dice``: those that may be given although the inputs do not ask for them. ``settles``:
    whether it settles itself where no die decides, since players have nothing to say first.
    ``decided_by``: the input that says whose decision it is, if it is one: when it is due, that side alone makes it.
    ``read_by``: the input with the counters whose side reads it when it is due. ``verb``: what its button says.
    ``suggests``: it is looked up, so that what may follow is offered at once and never due. ``leads``: what is due
    after a roll that may be part of a procedure, in place of what its result asks for: by its result and by all that
    it was made with, including what the roll before has handed on.
    """

    game: str
    slug: str
    _: KW_ONLY
    title: str
    group: str
    purpose: str
    rules: tuple[str, ...]
    form: type[HelperForm]
    rule: Callable[..., Result]
    outcomes: Collection[str] | type[Outcome]
    dice: Dice = ()
    odds: OddsOf | None = None
    is_read: bool = True
    dice_words: str = ""
    beyond: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    together: bool = False
    simultaneous: bool = False
    until_all: str = ""
    meanings: Mapping[str, str] = field(default_factory=dict)
    brief: Mapping[str, str] = field(default_factory=dict)
    offers: Callable[[Book, Inputs], Sequence[ReadyAnswer]] | None = None
    spare_dice: tuple[str, ...] = ()
    settles: bool = True
    decided_by: str = ""
    read_by: str = ""
    verb: str = "Resolve"
    suggests: bool = False
    leads: Callable[[Values, Result], Sequence[FollowUp]] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "outcomes", tuple(map(str, self.outcomes)))

    def find_decider(self, inputs: Inputs) -> str:
        """The side that decides a due roll with these inputs; "" where anybody may make it."""
        return str(inputs.get(self.decided_by, "")) if self.decided_by else ""

    def specs(self, inputs: Inputs) -> tuple[DieSpec, ...]:
        """The dice that a roll with these inputs may ask for."""
        return self.dice(inputs) if callable(self.dice) else self.dice

    def resolve(self, book: Book, inputs: Inputs, dice: Mapping[str, Face]) -> Result:
        """Run the rule. The result is settled when it needs no further die."""
        return self.rule(charts=book, **inputs, **dice)

    def lead_on(self, plain_inputs: Values, result: Result) -> Result:
        """A result with what comes next where the roll is part of a procedure. ``plain_inputs``: with the carry."""
        return replace(result, follow_ups=tuple(self.leads(plain_inputs, result))) if self.leads else result

    def open(self, book: Book, inputs: Inputs) -> Result:
        """What a roll comes to before any die has fallen: mostly which dice it asks for.

        Remembered, since a form's page, its live odds and the roll itself all ask the same.
        """
        return _opened(self, book, frozenset(inputs.items()))

    def all_odds(self, book: Book, inputs: Inputs) -> tuple[Odds, ...]:
        """The exact distribution of the roll, and of what may follow where the helper counts it.

        Remembered, since the same question comes back with every page that shows the form.
        """
        return _counted(self, book, frozenset(inputs.items()))

    def table_odds(self, book: Book, inputs: Inputs) -> Odds:
        """The exact distribution of the roll alone, not remembered: for a book that is still being typed."""
        alone = {**inputs, **dict.fromkeys(self.beyond, ())}
        counted = next(iter(self.odds(book, alone)), None) if self.odds else None
        return counted or sweep(lambda dice: self.resolve(book, alone, dice), self.specs(alone))


@lru_cache(maxsize=1000)
def _opened(helper: Helper, book: Book, cleaned: frozenset[tuple[str, object]]) -> Result:
    return helper.resolve(book, dict(cleaned), {})


@lru_cache(maxsize=1000)
def _counted(helper: Helper, book: Book, cleaned: frozenset[tuple[str, object]]) -> tuple[Odds, ...]:
    inputs = dict(cleaned)
    if helper.odds:
        return tuple(helper.odds(book, inputs))
    return (sweep(lambda dice: helper.resolve(book, inputs, dice), helper.specs(inputs)),)
