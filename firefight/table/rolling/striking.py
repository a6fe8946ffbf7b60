"""What goes with a roll that is corrected: everything that followed from it, whether rolled or due.

Where the corrected roll asks for the same check again, the dice that were thrown for it stand, even where an earlier
correction had struck them: nobody may throw twice, and nobody has to.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from firefight.assistant.throwing import Thrower
from firefight.columns import DueRoll, Rolled, Rolls
from firefight.engine.charts.book import Book
from firefight.engine.errors import RuleError
from firefight.engine.rolls.dice import DieSpec
from firefight.engine.rolls.result import FollowUp, Result
from firefight.engine.values import Values
from firefight.kit import playing
from firefight.kit.fields.forms import HelperForm
from firefight.kit.helper import Helper
from firefight.models import LogEntry, Match
from firefight.table.act.episodes import parent_of
from firefight.table.log import descent


def strike_due(match: Match, struck: Iterable[LogEntry]) -> None:
    """Take off the lists what these entries and what they did to counters had asked for, and the changes to counters
    that they proposed."""
    numbers = {entry.number for entry in struck}
    changes = match.log.filter(descent.CHANGES_OF_ROLLS, about__in=numbers, number__gt=min(numbers, default=0))
    askers = {*numbers, *changes.values_list("number", flat=True)}
    still_due = tuple(step for step in match.state.queue if parent_of(step.id) not in askers)
    proposed = tuple(proposal for proposal in match.state.proposed if proposal.number not in numbers)
    match.state = replace(match.state, queue=still_due, proposed=proposed)


def find_asked(family: Iterable[LogEntry]) -> dict[str, FollowUp]:
    """What these rolls asked for, by the ids of the steps."""
    results = [(entry.number, entry.result) for entry in family if entry.result]
    return {f"{number}-{place}": step for number, result in results for place, step in enumerate(result.follow_ups)}


def find_step(match: Match, fresh: Collection[int], old_step: FollowUp) -> DueRoll | None:
    """The step that asks for the same check as an old one, among those that the ``fresh`` entries ask for."""
    check = (old_step.helper, old_step.title)
    steps = (step for step in match.state.queue if parent_of(step.id) in fresh)
    return next((step for step in steps if (step.helper, step.title) == check), None)


def play_again(helper: Helper, book: Book, old: LogEntry, inputs: Values) -> tuple[HelperForm, Result, Rolls] | None:
    """A roll with its old dice and these inputs; None where they do not fit any more."""
    form = helper.form.from_plain(inputs, book=book, chained=True)
    if not form.is_valid():
        return None
    try:
        result, rolled = playing.play_helper(helper, book, form.inputs(), _dice_of(old))
    except RuleError:
        return None
    if result.needs:
        return None
    origins = {die.die: die.of or old.number for die in old.rolls}
    return form, result, tuple(replace(die, of=origins[die.die]) for die in rolled)


def find_own_entries(helper: Helper, book: Book, old: LogEntry, filled: Mapping[str, object]) -> dict[str, object]:
    """What players had entered on the old form besides what it was ``filled`` with; that may leave it incomplete."""
    untouched, fields = helper.form.from_plain(filled, book=book, chained=True), helper.form.base_fields
    is_complete = untouched.is_valid()
    plain = untouched.plain_inputs() if is_complete else {name: untouched.plain_value(name) for name in fields}
    return {name: value for name, value in old.inputs.items() if name in fields and plain.get(name) != value}


def _dice_of(old: LogEntry) -> Thrower:
    """The throws of an old roll; of dice that were thrown again because the rule said so, the last ones."""
    dice_left: dict[tuple[str, int], list[Rolled]] = {}
    for die in old.rolls:
        dice_left.setdefault((die.die, die.sides), []).append(replace(die, side="", of=None))

    def throw(spec: DieSpec) -> Rolls | None:
        thrown: list[Rolled] = []
        dice = dice_left.pop((spec.name, spec.sides), [])
        while dice and sum(die.dice for die in thrown) < spec.highest:
            thrown.insert(0, replace(dice.pop(), label=spec.label))
        return tuple(thrown) if spec.fewest <= sum(die.dice for die in thrown) <= spec.highest else None

    return throw


def describe(corrected: int, followers: Sequence[LogEntry], remade: Sequence[LogEntry]) -> str:
    """What the log says about everything that went with a corrected roll."""
    sentences = []
    if followers:
        number = len(followers)
        rolls = "1 roll that followed from it goes" if number == 1 else f"{number} rolls that followed from it go"
        sentences.append(f"With № {corrected}, {rolls}: {', '.join(f'№ {entry.number}' for entry in followers)}.")
    thrown = [f"№ {entry.number}" for entry in remade if entry.rolls]
    if thrown:
        sentences.append(f"The same dice stand for: {', '.join(thrown)}.")
    return " ".join(sentences)
