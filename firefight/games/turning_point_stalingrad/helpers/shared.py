"""What several groups ask: fields under the names of the JSON contract, and the dice."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from firefight.assistant.fields import DateField, HelperForm, NumberField, Pick, TokensField
from firefight.assistant.registry import Dice, Helper, Inputs, OddsOf, Offer
from firefight.engine.charts.book import Book
from firefight.engine.rolls.dice import DieSpec
from firefight.engine.rolls.result import Outcome, Result

from ..rules.areas import NAMES
from ..rules.dates import FIRST, LAST
from ..rules.record import Track
from ..rules.sides import SLUG, Side, Time

DIE = DieSpec("die", 6, "d6")
DR = DieSpec("dr", 6, "2d6", number=2)
ALWAYS = (Time.DAY.value, Time.NIGHT.value)


def side(label: str = "Side", initial: Side = Side.GERMAN) -> Pick:
    """One of the sides."""
    return Pick.among(label, Side, initial=initial.value)


def date() -> DateField:
    """A date of the campaign; a match fills it from its place."""
    return DateField("Date", FIRST, LAST, FIRST)


def any_date() -> DateField:
    """A date of the campaign, or none."""
    return DateField("Date", FIRST, LAST)


def time(initial: Time = Time.DAY) -> Pick:
    """Day or night; a match fills it from its place."""
    return Pick.among("Day or night", Time, initial=initial.value)


def box() -> NumberField:
    """The box of the track; a match fills it from its place."""
    return NumberField("Box", 1, 12, initial=1)


def track() -> Pick:
    """What the impulse roll of this impulse has said: filled by a match, so that only its first attack counts."""
    return Pick.among("Impulse roll of this impulse", Track)


def reading(**choices: str) -> Pick:
    """One of two readings of the text; a match fills it with what was agreed as it began."""
    return Pick("Reading", choices)


def areas(label: str) -> TokensField:
    """Areas and Zones by number and letter."""
    return TokensField(label, {name: name for name in NAMES}, most=82)


def game_helper(
    slug: str,
    title: str,
    group: str,
    purpose: str,
    rules: tuple[str, ...],
    form: type[HelperForm],
    rule: Callable[..., Result],
    outcomes: Iterable[Outcome],
    dice: Dice = (),
    odds: OddsOf | None = None,
    is_read: bool = False,
    dice_words: str = "",
    steps: tuple[str, ...] = ALWAYS,
    meanings: Mapping[str, str] | None = None,
    together: bool = False,
    offers: Callable[[Book, Inputs], Sequence[Offer]] | None = None,
    spare_dice: tuple[str, ...] = (),
) -> Helper:
    """A helper of this game. ``steps``: by day, at night or both, in which it is offered first.

    ``is_read``: whether a face may need a cell that can be blank.
    """
    words = tuple(outcome.value for outcome in outcomes)
    declared = (SLUG, slug, title, group, purpose, rules, form, rule, words, dice, odds, is_read, dice_words)
    return Helper(
        *declared, steps=steps, meanings=meanings or {}, together=together, offers=offers, spare_dice=spare_dice
    )
