"""The desk: one helper's form with its odds before and its result after, alone or in a match.

Both kinds of page read a submission and draw a desk with the same functions; they differ in
where the dice come from and where the next step waits.
"""

import json
import uuid
from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.datastructures import MultiValueDict

from firefight.assistant import reminders as reference
from firefight.assistant.layout import ShownField, ShownForm, lay_out, part_by_headings, say_changed
from firefight.assistant.shown_odds import OddsPart, ShownOdds, show_odds, sum_up_odds
from firefight.columns import LoggedResult, Rolls
from firefight.engine.board.counters import AskedValue
from firefight.engine.charts.book import MOST_ASKED, Book, cell_field
from firefight.engine.errors import BadDie, OpenQuestion, RuleError
from firefight.engine.plain_json import read_json
from firefight.engine.rolls.dice import DieSpec, Face, read_throw
from firefight.engine.rolls.result import Result
from firefight.engine.values import Json, Values
from firefight.games import registry
from firefight.kit.fields.base import stands_at
from firefight.kit.fields.forms import HelperForm
from firefight.kit.helper import Helper, Inputs, ReadyAnswer
from firefight.web.requests import is_by_htmx, join_query, sent_by, wants_part

MISSING, MISSING_DICE, MISSING_CARD = "Type this die.", "Type these dice.", "Type this card."
REQUIRED = str(forms.Field.default_error_messages["required"])
MOST_BESIDE = 3  # dice that have room beside the button
MAX_QUEUE = 20_000  # characters of JSON
LONGEST_THROW = 400  # characters of what is typed for one


@dataclass(slots=True)
class DieRow:
    """A throw as the form shows it, in one box: how many characters it takes, and of which keys.

    ``whose``: who it is for, where no label of its own says so.
    """

    name: str
    label: str
    sides: int
    value: str = ""
    error: str = ""
    first: bool = True
    length: int = 3
    mode: str = "numeric"
    whose: str = ""

    @property
    def is_long(self) -> bool:
        """Whether the box is wider than for one die."""
        return self.length > 3


@dataclass(frozen=True, slots=True)
class ShownResult:
    """A logged result with its dice, the number of its line, 0 for none, and the counters that it is about, by id.

    ``is_correctable``: this browser may type its dice again.
    """

    result: LoggedResult
    rolls: Rolls = ()
    number: int = 0
    touched: Sequence[str] = ()
    is_correctable: bool = False


@dataclass(frozen=True, slots=True)
class NamedCounter:
    """A counter that a roll names: its id and name, its picture's address and how it is."""

    id: str
    name: str
    picture: str = ""
    state: str = ""


@dataclass(frozen=True, slots=True)
class ShownWay:
    """A way to make a roll that its counters leave open."""

    value: str
    label: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class AboutCard:
    """A card of the record that a roll may be about, or none of them, with the address of its form then."""

    label: str
    href: str
    chosen: bool = False


@dataclass(slots=True)
class Desk:
    """Everything that _desk.html prints. An idle desk shows its result and no form.

    ``touched``: the counters of its result by id, ``pieces``: how these look. ``halfway``: what the dice typed so far
    ask for, once one is missing. ``sent``: the form holds what a player has sent with it. ``also``: what came of the
    same act besides the result; ``counted``: how often each outcome came, of several rolls of a kind. ``due``: the
    rolls that are due on one card, in place of a form. ``named``: the counters that the roll names, as firers and as
    targets; ``account``: how the values that they fill come about; ``ways``: what else they could do; ``asked``:
    numbers of theirs that nobody knows; ``hides``: which of them are hidden, as a sentence, for players to agree that
    the roll shows them; ``tells``: what in the form gives away hidden counters, in a sentence; ``lacks``: the inputs
    are not enough for the roll yet, and ``first_lack`` what to fill in first. ``line``: the odds in a line. ``offers``:
    ways to fill what is left blank. ``decider``: the name of another side that alone decides it. ``cards``: the cards
    of the record that such a roll may be about, each with the address of its form; ``is_about``: one of them has filled
    it. ``is_offered``: what was looked up last has filled the form, and nobody has asked for it. ``came_about``: what
    other lines of the act say about counters, where its rolls count together. ``scene``: where those of the result
    stand, where no pictures show them.
    """

    helper: Helper
    form: HelperForm | None = None
    post_url: str = ""
    odds_url: str = ""
    book_name: str = ""
    notice: str = ""
    halfway: str = ""
    trouble: str = ""
    dice: list[DieRow] = field(default_factory=list)
    opening: Result | None = None
    odds: tuple[ShownOdds, ...] = ()
    line: tuple[OddsPart, ...] = ()
    first_lack: "Lacking | None" = None
    hidden: dict[str, str] = field(default_factory=dict)
    result: LoggedResult | None = None
    counted: str = ""
    rolls: Rolls = ()
    entry: int | None = None
    also: tuple[ShownResult, ...] = ()
    touched: Sequence[str] = ()
    is_correctable: bool = False
    came_about: Sequence[str] = ()
    scene: str = ""
    pieces: Mapping[str, NamedCounter] = field(default_factory=dict)
    due: Any = None
    offers: Sequence[ReadyAnswer] = ()
    named: Mapping[str, Sequence[NamedCounter]] = field(default_factory=dict)
    account: str = ""
    ways: Sequence[ShownWay] = ()
    cards: Sequence[AboutCard] = ()
    is_about: bool = False
    asked: Sequence[AskedValue] = ()
    hides: str = ""
    tells: str = ""
    lacks: bool = False
    decider: str = ""
    is_offered: bool = False
    steps: list[Values] = field(default_factory=list)
    step_title: str = ""
    match: Any = None
    unfolded: bool = False
    sent: bool = False
    idle: bool = False

    @property
    def title(self) -> str:
        """The due roll's title, or the helper's."""
        return self.step_title or self.helper.title

    @property
    def meaning(self) -> str:
        """What the result is in words, where its headline says a code."""
        if self.result is None or not self.result.outcome:
            return ""
        return registry.helpers(self.helper.game)[self.result.helper].meanings.get(self.result.outcome, "")

    @property
    def shown_results(self) -> tuple[ShownResult, ...]:
        """What stands below the headline: the others, or all of them where the headline counts."""
        if not self.result or not self.counted:
            return self.also
        first = ShownResult(self.result, self.rolls, self.entry or 0, self.touched, self.is_correctable)
        return (first, *self.also)

    @property
    def are_typed(self) -> bool:
        """Whether all dice of the result were rolled on the table."""
        return all(die.source != "app" for die in self.rolls)

    @property
    def is_filled(self) -> bool:
        """Whether counters or an earlier roll have filled the form, so that players rarely change its values."""
        is_good = self.match and self.form and not self.form.errors and "corrects" not in self.hidden
        is_good = is_good and (self.waits or not self.lacks)
        is_known = self.helper.settles or self.offers
        return bool(is_good and (self.named or self.is_about or (self.chained and is_known)))

    @property
    def waits(self) -> bool:
        """Whether its counters fill more of it once somebody has answered."""
        return bool(self.named and any(not question.told for question in self.asked))

    @property
    def asks(self) -> str:
        """What is asked of the dice, above them, or what there is to choose from; what is looked up is read here."""
        suggestion = self.opening if self.helper.suggests and not self.helper.dice else None
        if suggestion and suggestion.outcome and not self.halfway:
            return " ".join((suggestion.headline, *suggestion.effects))
        return self.halfway or (self.opening.headline if self.opening and (self.opening.needs or self.offers) else "")

    @property
    def fields(self) -> ShownForm:
        """The form's fields as they are laid out."""
        is_folded = self.chained and self.helper.settles and not (self.unfolded or self.lacks)
        return lay_out(self.form, folded=is_folded) if self.form else ShownForm()

    def part(self, fields: Sequence[ShownField]) -> list[tuple[str, list[ShownField]]]:
        return part_by_headings(type(self.form), fields) if self.form else []

    @property
    def changed_seldom(self) -> str:
        return say_changed(self.fields.changed)

    @property
    def is_unseen(self) -> bool:
        """Whether the app fills in and rolls what nobody here may see, so that neither dice nor odds are shown."""
        return bool(self.form and self.form.sealed)

    @property
    def chained(self) -> bool:
        """Whether an earlier roll has filled the form."""
        return "chained" in self.hidden

    @property
    def is_chosen(self) -> bool:
        """Whether a player has opened it in a match, rather than it being due: it lies over the table then."""
        return bool(self.match and self.form and "step" not in self.hidden and not self.is_offered)

    @property
    def has_many_dice(self) -> bool:
        """Whether its dice are rows of their own rather than boxes beside the button."""
        return len(self.dice) > MOST_BESIDE

    @property
    def is_refused(self) -> bool:
        """Whether somebody has sent it, and it is sent back with what is wrong."""
        return bool(self.sent and self.form and not self.form.quiet)

    @property
    def lacking(self) -> "Lacking | None":
        """What to fill in first: what its counters are asked, or else what the form lacks."""
        question = next((value for value in self.asked if not value.told), None)
        if question is None:
            return self.first_lack
        why = (
            self.first_lack.words
            if self.first_lack and not self.first_lack.field
            else f"{question.label}: fill this in first."
        )
        return Lacking(why, f"f-{question.field}")

    @property
    def reminders(self) -> tuple[reference.Reminder, ...]:
        """What to remember beside this helper."""
        return reference.for_helper(self.helper.game, self.helper.slug)


@dataclass(slots=True)
class Submission:
    """A posted form: its cleaned inputs, the dice typed into it, and what the player pressed.

    ``renewed``: the fields that now say something other than was sent, as counters fill them. ``specs``: the dice.
    """

    form: HelperForm
    faces: dict[str, Face]
    typed: dict[str, str]
    die_errors: dict[str, str]
    source: str
    more: str
    renewed: Collection[str] = ()
    specs: tuple[DieSpec, ...] = ()

    @property
    def good(self) -> bool:
        """Complete and without a slip, as far as the form can tell."""
        return self.form.is_valid() and not self.die_errors


NOTHING: Mapping[str, str] = MappingProxyType({})


def find_helper(game: str, slug: str) -> Helper:
    """The helper at an address, or 404."""
    if game not in registry.games() or slug not in registry.helpers(game):
        raise Http404("There is no such helper.")
    return registry.helpers(game)[slug]


def read_submission(
    request: HttpRequest,
    helper: Helper,
    book: Book,
    *,
    sealed: Values | None = None,
    known_values: Values = NOTHING,
    is_program: bool = False,
    filled: Values = NOTHING,
    recalled: Mapping[str, str] = NOTHING,
    drawn: Values = NOTHING,
) -> Submission:
    """Read a posted desk. The form collects its own errors; slips in the dice stand beside them.

    ``sealed``: inputs that the app fills in unseen. ``known_values``: what fills fields that were not sent at all;
    ``filled``: what fills those that were sent blank, too. ``drawn``: what the page showed in some of these; nobody has
    changed what still stands as shown, and it is filled again. ``recalled``: lists that replace those that were sent.
    ``is_program``: it is not a page's form, so that a tick that was not sent is left out as unknown, too.
    """
    posted = sent_by(request)
    more = posted.get("more", "")
    chained = bool(posted.get("chained") or posted.get("step"))
    sent = with_offer(without_row(request.POST, more), helper, recalled)
    unchanged = {name for name, value in drawn.items() if stands_at(helper.form, book, name, sent, value)}
    renewed = [name for name in unchanged if not stands_at(helper.form, book, name, sent, filled[name])]
    data = with_known(sent, helper, {**known_values, **filled}, is_program, filled, unchanged)
    form = helper.form(data, book=book, chained=chained, sealed=sealed)
    form.read_carry(posted.get("carry", ""))
    form.quiet = bool(more)
    typed, faces, errors = {}, {}, {}
    source = "app" if posted.get("dice") == "app" else "table"
    # After a slip what was typed stays, as far as the dice are known.
    specs = () if callable(helper.dice) else helper.dice
    if form.is_valid():
        specs = helper.specs(form.inputs())
    for spec in specs:
        typed[spec.name] = text = posted.get(spec.name, "")[:LONGEST_THROW]
        if not text or source == "app" or more:
            continue
        try:
            faces[spec.name] = read_throw(text, spec)
        except BadDie as error:
            errors[spec.name] = str(error)
    return Submission(form, faces, typed, errors, source, more, renewed, specs)


def with_known(
    data: QueryDict,
    helper: Helper,
    known_values: Values,
    is_program: bool,
    firm: Container[str],
    unchanged: Collection[str] = (),
) -> "MultiValueDict[str, Any]":
    """The posted values, with what is known for fields that were left out, or left blank if they are among the firm.

    ``unchanged``: those that stand as the page showed them, and say what is known now. Elsewhere on a page's form a
    tick that was not sent means no.
    """
    fields = helper.form.base_fields
    kinds = () if is_program else (forms.BooleanField, forms.MultipleChoiceField)
    missing = {
        name: value
        for name, value in known_values.items()
        if name in fields
        and (name in unchanged or name not in data or (name in firm and not data[name]))
        and value is not None
        and (name in unchanged or not isinstance(fields[name], kinds))
    }
    if not missing:
        return data
    lists = {
        name: list(value) if isinstance(fields[name], forms.MultipleChoiceField) else [value]
        for name, value in missing.items()
    }
    return MultiValueDict({**dict(data.lists()), **lists})


def with_offer(data: QueryDict, helper: Helper, recalled: Mapping[str, str]) -> QueryDict:
    """The posted values with those of an offer that was taken, and with lists that were recalled."""
    try:
        offered = read_json(data.get("offer", "") or "{}") if helper.offers else {}
    except ValueError:
        offered = {}
    offer = offered if isinstance(offered, dict) else {}
    replaced = {name: str(value) for name, value in offer.items() if name in helper.form.base_fields} | dict(recalled)
    return join_query(data, replaced) if replaced else data


def without_row(data: QueryDict, more: str) -> QueryDict:
    """The posted values after "units-remove-2" has struck the third of the listed units."""
    name, remove, place = more.partition("-remove-")
    if not remove or not place.isdigit():
        return data
    changed = data.copy()
    try:
        rows = read_json(data.get(name, ""))
        changed[name] = json.dumps([row for number, row in enumerate(rows) if number != int(place)])
    except (ValueError, TypeError):
        return data
    return changed


def prepare_desk(desk: Desk, book: Book, submission: Submission | None = None, needs: tuple[str, ...] = ()) -> Desk:
    """Fill in what the form's inputs imply: the dice to roll, the modifiers so far, the exact odds."""
    desk.hidden.setdefault("act", str(uuid.uuid4()))
    desk.sent = submission is not None
    form = desk.form
    if form is None:
        return desk
    has_ahead = any(form.data.get(name) not in (None, "", form.base_fields[name].initial) for name in form.ahead)
    desk.unfolded = bool(has_ahead or submission and (submission.more or not submission.good))
    if not form.is_valid():
        desk.first_lack = find_lacking(form)
        earlier_specs = submission.specs if submission else ()  # those from before the rule objected
        specs = earlier_specs if callable(desk.helper.dice) else desk.helper.dice
        desk.dice = _die_rows(specs, None, submission, needs)
        if form.quiet:
            form.hush()
    elif not desk.is_unseen:
        inputs = form.inputs()
        try:
            _ask_rule(desk, book, inputs)
        except RuleError as error:
            _show_objection(desk, book, form, error)
        specs, first = desk.helper.specs(inputs), desk.opening.needs if desk.opening else None
        if first != () or any(spec.is_optional for spec in specs):
            desk.dice = _die_rows(specs, first, submission, needs)
    return desk


def _ask_rule(desk: Desk, book: Book, inputs: Inputs) -> None:
    """What the rule says before any die has fallen. Raises RuleError."""
    desk.opening = desk.helper.open(book, inputs)
    if desk.opening.needs:
        distributions = desk.helper.all_odds(book, inputs)
        desk.odds, desk.line = show_odds(distributions), sum_up_odds(desk.helper, distributions)
    desk.offers = desk.helper.offers(book, inputs) if desk.helper.offers else ()


def _show_objection(desk: Desk, book: Book, form: HelperForm, error: RuleError) -> None:
    """Why the rule does not answer yet, and what would let it."""
    desk.lacks = True
    is_open = isinstance(error, OpenQuestion)
    if is_open and desk.helper.offers:
        desk.offers = desk.helper.offers(book, form.inputs())
    if is_open and form.quiet:
        desk.halfway = desk.halfway or str(error)
    else:
        desk.first_lack = find_lacking(form, error)
    if desk.match and not desk.asked and (cells := ask_cells(book, error)):
        desk.asked, desk.first_lack = cells, Lacking(LOOK_UP)


def ask_cells(book: Book, error: RuleError, told_cells: Iterable[tuple[str, str]] = ()) -> tuple[AskedValue, ...]:
    """What to ask an owner whose charts are blank where a roll needs them, or who has given what does not fit.

    ``told_cells``: the cells that were answered. Nothing for any other error.
    """
    blanks = (getattr(error, "blanks", ()) or tuple(told_cells))[:MOST_ASKED]
    return tuple(
        AskedValue(cell_field(name, cell), f"{chart.title}, {chart.names.get(cell, cell)}")
        for name, cell in blanks
        if (chart := book.charts.get(name)) and chart.is_blank(cell)
    )


def _die_rows(
    specs: Iterable[DieSpec], first: tuple[str, ...] | None, submission: Submission | None, needs: tuple[str, ...]
) -> list[DieRow]:
    specs = list(specs)
    rows = lay_out_dice(specs, None if first is None else (*first, *needs))
    for spec, row in zip(specs, rows, strict=True):
        if submission:
            row.error = submission.die_errors.get(spec.name, "")
            row.value = "" if spec.name in needs else submission.typed.get(spec.name, "")
        if spec.name in needs:
            row.error = "Roll it again." if submission and submission.typed.get(spec.name) else _missing(spec)
    return rows


def lay_out_dice(
    specs: Iterable[DieSpec], first: Collection[str] | None, prefix: str = "", whose: str = ""
) -> list[DieRow]:
    """The boxes of throws. ``first``: those that are rolled first, None for all; ``prefix``: before their names."""
    return [
        DieRow(
            prefix + spec.name,
            ", ".join(filter(None, (spec.label, spec.about))),
            spec.sides,
            first=first is None or spec.name in first,
            length=_typed_length(spec),
            mode=_keys(spec),
            whose=whose,
        )
        for spec in specs
    ]


def _missing(spec: DieSpec) -> str:
    """What a box says that was left blank."""
    if spec.names:
        return MISSING_CARD
    return MISSING_DICE if spec.is_pool or spec.number > 1 else MISSING


def _typed_length(spec: DieSpec) -> int:
    """How many characters a throw takes when it is typed: at least those of 100."""
    if spec.names:
        return max(map(len, spec.names)) + 8
    return max(3, spec.highest * (len(str(spec.sides)) + 1) if spec.is_pool else 0)


def _keys(spec: DieSpec) -> str:
    """The keys of a phone: digits, unless there are names, or blanks between the dice of a pool."""
    return "text" if spec.names or (spec.is_pool and spec.sides > 9) else "numeric"


LOOK_UP = "Look that up in your copy of the game: a match asks once."


@dataclass(frozen=True, slots=True)
class Lacking:
    """What a form lacks first, as a sentence, and the id of where it is filled in; "" for no field of its own."""

    words: str
    field: str = ""


def find_lacking(form: HelperForm, error: RuleError | None = None) -> Lacking | None:
    """What to fill in first: of the fields that are not good, or of those that a rule objects to."""
    problems = getattr(error, "problems", {}) if error else {name: texts[0] for name, texts in form.errors.items()}
    places = {name: place for place, name in enumerate(form.fields)}
    for name in sorted(problems, key=lambda field: places.get(field, len(places))):
        if name in form.fields:
            label = str(form.fields[name].label)
            words = f"{label}: fill this in." if problems[name] == REQUIRED else str(problems[name])
            return Lacking(words, f"f-{name}")
    return Lacking(str(error)) if error else None


def read_queue(text: str) -> list[dict[str, object]]:
    """The steps still due on a page without a match; anything odd is dropped."""
    try:
        steps = read_json(text or "[]") if len(text) <= MAX_QUEUE else []
    except ValueError:
        return []
    types = {"helper": str, "title": str, "inputs": dict}
    return [
        {key: step[key] for key in types}
        for step in (steps if isinstance(steps, list) else [])[:60]
        if isinstance(step, dict) and all(isinstance(step.get(key), kind) for key, kind in types.items())
    ]


def keep_result(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Have htmx swap the desk's form alone, for a form that was not resolved: the last result above it stays."""
    if is_by_htmx(request):
        response["HX-Retarget"] = response["HX-Reselect"] = "#desk-form"
    return response


def render_part(request: HttpRequest, page: str, fragment: str, ctx: Json, status: int = 200) -> HttpResponse:
    """The fragment for htmx, the whole page for everybody else."""
    return render(request, fragment if wants_part(request) else page, ctx, status=status)
