"""Rolls of one kind that are due together: one card with a box for each, resolved in one act or not at all."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.http import HttpRequest

from firefight.assistant.desk import LONGEST_THROW, Desk, DieRow, NamedCounter, lay_out_dice
from firefight.columns import DueRoll
from firefight.engine.board.counters import AskedValue, CounterInPlay
from firefight.engine.errors import BadDie, RuleError
from firefight.engine.rolls.dice import DieSpec, Face, read_throw
from firefight.games import chartbooks, registry
from firefight.games.gallery import find_picture
from firefight.kit.counters import GOOD_ORDER, UNMARKED, CounterRules
from firefight.kit.fields.forms import HelperForm
from firefight.kit.helper import Helper
from firefight.table.act.table import Table
from firefight.table.board import counters, record, stores
from firefight.table.board.blank_cells import Blank, read_blanks
from firefight.table.log.asked import list_ids
from firefight.table.rolling import roll_counters
from firefight.table.rolling.orders import RollOrder
from firefight.web.addresses import address_of

MOST_ROWS = 12


@dataclass(slots=True)
class DueRow:
    """One of the rolls on a card. ``subject``: what it is about; ``asks``: what the dice decide.

    ``picture``: the address of its counter's, "" for none; ``state``: how that counter is.
    """

    step: DueRoll
    subject: str
    asks: str
    form: HelperForm
    specs: tuple[DieSpec, ...]
    dice: list[DieRow]
    url: str
    picture: str = ""
    state: str = ""
    faces: dict[str, Face] = field(default_factory=dict)

    @property
    def blanks(self) -> list[DieRow]:
        """The boxes that must be filled first and are not."""
        return [die for die in self.dice if die.first and not die.value]


@dataclass(slots=True)
class DueCard:
    """Several rolls of one helper. ``questions``: blank cells that they need; ``cells``: what was entered for those."""

    table: Table
    helper: Helper
    rows: list[DueRow]
    trouble: str = ""
    questions: Sequence[AskedValue] = ()
    cells: Mapping[Blank, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """What is due, and how many times."""
        return f"{self.helper.title}: {len(self.rows)} due"

    @property
    def url(self) -> str:
        return address_of("firefight:due", self.table.match.pk)

    @property
    def desk(self) -> Desk:
        return Desk(self.helper, post_url=self.url, match=self.table.match, due=self)

    @property
    def blanks(self) -> list[str]:
        """The subjects of the rolls without a die yet."""
        return [row.subject for row in self.rows if row.blanks]

    def subject_of(self, step_id: str) -> str:
        return next((row.subject for row in self.rows if row.step.id == step_id), self.helper.title)

    @property
    def has_slips(self) -> bool:
        """Whether something was typed that is not a die."""
        return any(die.error for row in self.rows for die in row.dice)

    def orders(self, source: str) -> list[RollOrder]:
        """What is to be rolled. What was entered for the charts holds for all, so it goes with the first."""
        owner = record.fill_form(self.table, self.helper.form).owner
        orders = [RollOrder(self.helper, row.form, source, row.faces, row.step.id, owner=owner) for row in self.rows]
        return [replace(orders[0], cells=self.cells), *orders[1:]]


def find_card(table: Table, step_ids: Iterable[str] = ()) -> DueCard | None:
    """The card of what is due first, with all of its kind; None where it is the only one.

    ``step_ids``: the rolls that are to be on it, if not all. Those that lack something are not on it.
    """
    queue = [step for step in table.match.state.queue_for(table.sees) if _may_make(table, step)]
    ids = list(step_ids)
    steps = [step for step in queue if step.id in ids] if ids else queue
    if not steps or not (helper := registry.helpers(table.match.game)[steps[0].helper]).together:
        return None
    if record.fill_form(table, helper.form).sealed:
        return None  # a player may not see what decides it
    rows: dict[str, DueRow] = {}
    for step in steps:
        subject = step.inputs.get("id") or step.title
        # A unit that is to roll twice rolls again only after the first roll has changed it.
        if step.helper != helper.slug or subject in rows or len(rows) == MOST_ROWS:
            continue
        if row := _row(table, helper, step):
            rows[subject] = row
    return DueCard(table, helper, list(rows.values())) if len(rows) > (0 if ids else 1) else None


def _may_make(table: Table, step: DueRoll) -> bool:
    """Whether a due roll is read here now, and no other side decides it."""
    decider = registry.helpers(table.match.game)[step.helper].find_decider(step.inputs)
    return roll_counters.may_read(table, step) and (not decider or table.may_decide(decider))


def _row(table: Table, helper: Helper, step: DueRoll) -> DueRow | None:
    """A roll as a card shows it; None where a player must add something to it."""
    book = chartbooks.of_match(table.match)
    form = roll_counters.read_step(table.match, helper, step, roll_counters.fill_due_form(table, helper, step))
    if not form.is_valid():
        return None
    inputs = form.inputs()
    try:
        ids = list_ids(form.plain_inputs())
        if ids and roll_counters.find_hidden(table, table.match, ids):
            return None  # it asks first whether it shows its counter
        opening = helper.open(book, inputs)
    except RuleError:
        return None
    specs = helper.specs(inputs) if opening.needs else ()
    subject = step.title.removeprefix(f"{helper.title}: ")
    dice = lay_out_dice(specs, opening.needs, f"due-{step.id}-", whose=subject)
    url = f"{address_of('firefight:roll', table.match.pk, step.helper)}?step={step.id}"
    row = DueRow(step, subject, opening.headline, form, specs, dice, url)
    if (counter_id := step.inputs.get("id")) and (shown_counters := show_counters(table, [counter_id])):
        row.picture, row.state = shown_counters[0].picture, shown_counters[0].state
    return row


def show_counters(table: Table, ids: Iterable[str]) -> list[NamedCounter]:
    """Counters as a desk shows them, as far as this browser knows them."""
    counter_ids = list(ids)
    if not counter_ids:
        return []
    store, reachable = counters.store_of(table.match), counters.list_reachable(table.match, table.sees)
    pieces = [stores.piece_of(store, reachable[counter_id]) for counter_id in counter_ids if counter_id in reachable]
    return [
        NamedCounter(
            piece.counter.id,
            piece.counter.name,
            find_picture(table.game, piece.counter.side, piece.kind, piece.counter.state, piece.book),
            _describe_carried(table.game.counters, piece.counter),
        )
        for piece in pieces
    ]


def _describe_carried(rules: CounterRules, counter: CounterInPlay) -> str:
    """The state of a counter; "" where it carries nothing and its game has no name for that."""
    words = rules.describe(counter)
    is_nameless = words in UNMARKED and words != rules.words.get(GOOD_ORDER)
    return "" if is_nameless and not counter.state else words


def read_card(request: HttpRequest, table: Table) -> DueCard | None:
    """The card that was posted, with the dice that were typed; None where one of its rolls is not due any more."""
    ids = request.POST.getlist("step")[: MOST_ROWS + 1]
    card = find_card(table, ids) if ids else None
    if card is None or {row.step.id for row in card.rows} != set(ids):
        return None
    card.cells = read_blanks(request.POST)
    for row in card.rows:
        for spec, die in zip(row.specs, row.dice, strict=True):
            die.value = request.POST.get(die.name, "")[:LONGEST_THROW]
            if die.value:
                try:
                    row.faces[spec.name] = read_throw(die.value, spec)
                except BadDie as error:
                    die.error = str(error)
    return card
