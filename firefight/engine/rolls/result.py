"""The frozen answer of a rule: everything that a page prints and a log keeps."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from firefight.engine.charts.kinds import Chart
from firefight.engine.labels import Labelled
from firefight.engine.values import Values

from .changes import Change, merge_changes
from .dice import Face
from .modifiers import Modifier


class Outcome(Labelled):
    """What a roll came to. The value is the word in JSON, ``word`` the one on the page."""


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A roll that this result calls for, with the inputs that are already known.

    ``anew``: the number of the line whose roll a rule has made again, with its inputs and in its place; mostly None.
    """

    helper: str
    title: str
    inputs: Values
    anew: int | None = None

    def as_json(self) -> dict[str, object]:
        """Plain values; what is blank is left out."""
        values = {"helper": self.helper, "title": self.title, "inputs": dict(self.inputs)}
        return values | ({} if self.anew is None else {"anew": self.anew})


@dataclass(frozen=True, slots=True)
class Source:
    """Where a chart's values come from: ``text``, ``house`` or ``owner``."""

    chart: str
    title: str
    provenance: str


@dataclass(frozen=True, slots=True)
class Result:
    """One resolved roll.

    ``outcome`` is None while the dice given do not settle it; ``needs`` then names the dice to
    roll next. ``needs`` may also name a die of a settled outcome (the direction of a stray).
    ``label`` tells outcomes of one kind apart in the odds ("strays 2 hexes"). ``changes``: what becomes of what a match
    keeps; without a match they are only told. ``waits``: what becomes of counters is written down only when the players
    say so, since another roll comes first. ``ends``: the game is over by its rules, so that a page offers to end the
    match. ``calls_off``: it came before another roll, which is no longer made.
    """

    headline: str
    outcome: Outcome | None = None
    label: str = ""
    dice: Mapping[str, Face] = field(default_factory=dict)
    modified: int | None = None
    modifiers: tuple[Modifier, ...] = ()
    details: Values = field(default_factory=dict)
    effects: tuple[str, ...] = ()
    follow_ups: tuple[FollowUp, ...] = ()
    rules: tuple[str, ...] = ()
    provenance: tuple[Source, ...] = ()
    needs: tuple[str, ...] = ()
    changes: tuple[Change, ...] = ()
    waits: bool = False
    ends: bool = False
    calls_off: bool = False

    @property
    def known_to(self) -> str:
        """The side that alone may know of the roll, "" for all."""
        return next((change.known_to for change in self.changes if change.known_to), "")

    @property
    def all_details(self) -> dict[str, object]:
        """The details, with the plain values of the changes."""
        return {**self.details, **({"changes": merge_changes(self.changes)} if self.changes else {})}

    @property
    def all_effects(self) -> tuple[str, ...]:
        """The effects on the board, and what the changes say about themselves."""
        return (*self.effects, *(sentence for change in self.changes for sentence in change.sentences))

    @property
    def word(self) -> str:
        """The outcome as the odds name it."""
        return self.label or (self.outcome.word if self.outcome else "")


def sources(charts: Iterable[Chart]) -> tuple[Source, ...]:
    """Name where each chart's values come from, for a result that used them."""
    return tuple(Source(chart.name, chart.title, chart.provenance) for chart in charts)


def waiting(
    message: str,
    *needs: str,
    outcome: Outcome | None = None,
    label: str = "",
    dice: Mapping[str, Face] | None = None,
    modified: int | None = None,
    modifiers: tuple[Modifier, ...] = (),
    details: Values | None = None,
    rules: tuple[str, ...] = (),
) -> Result:
    """A result that waits for dice: ``message`` says what to roll, ``needs`` which dice; the rest is known already."""
    return Result(
        headline=message,
        outcome=outcome,
        label=label,
        dice=dice or {},
        modified=modified,
        modifiers=modifiers,
        details=details or {},
        rules=rules,
        needs=needs,
    )
