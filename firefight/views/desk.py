"""The desk: one helper's form with its odds before and its result after, alone or in a match.

Both kinds of page read a submission and draw a desk with the same functions; they differ in
where the dice come from and where the next step waits.
"""

import json
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from django.forms import BoundField
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from firefight import assist, reference
from firefight.engine.charts import Book
from firefight.engine.dice import read_face
from firefight.engine.errors import BadDie, RuleError
from firefight.engine.odds import Odds
from firefight.engine.results import Result
from firefight.forms import HelperForm, ModifiersField, RowForm, RowsField, Tick

SIMPLEST = 10  # the largest denominator of odds in words


@dataclass(slots=True)
class DieRow:
    """A die as the form shows it."""

    name: str
    label: str
    sides: int
    value: str = ""
    error: str = ""
    first: bool = True


@dataclass(slots=True)
class Desk:
    """Everything that _desk.html prints."""

    helper: assist.Helper
    form: HelperForm
    post_url: str
    odds_url: str
    book_name: str
    notice: str = ""
    trouble: str = ""
    dice: list[DieRow] = field(default_factory=list)
    opening: Result | None = None
    odds: list[dict[str, Any]] = field(default_factory=list)
    hidden: dict[str, str] = field(default_factory=dict)
    result: Mapping[str, Any] | None = None
    rolls: list[Mapping[str, Any]] = field(default_factory=list)
    entry: int | None = None
    steps: list[Mapping[str, Any]] = field(default_factory=list)
    step_title: str = ""
    match: Any = None

    @property
    def title(self) -> str:
        """The due roll's title, or the helper's."""
        return self.step_title or self.helper.title

    @property
    def fields(self) -> dict[str, list["FieldRow"]]:
        """The form's fields as they are laid out."""
        return layout(self.form)

    @property
    def reminders(self) -> tuple[dict[str, Any], ...]:
        """What to remember beside this helper."""
        return reference.for_helper(self.helper.game, self.helper.slug)


@dataclass(slots=True)
class Submission:
    """A posted form: its cleaned inputs, the dice typed into it, and what the player pressed."""

    form: HelperForm
    faces: dict[str, int]
    typed: dict[str, str]
    die_errors: dict[str, str]
    source: str
    more: str

    @property
    def good(self) -> bool:
        """Complete and without a slip, as far as the form can tell."""
        return self.form.is_valid() and not self.die_errors


def find_helper(game: str, slug: str) -> assist.Helper:
    """The helper at an address, or 404."""
    if game not in assist.games() or slug not in assist.helpers(game):
        raise Http404("There is no such helper.")
    return assist.helpers(game)[slug]


def read_submission(request: HttpRequest, helper: assist.Helper, book: Book) -> Submission:
    """Read a posted desk. The form collects its own errors; slips in the dice stand beside them."""
    form = helper.form(request.POST, book=book, chained=bool(request.POST.get("chained")))
    form.read_carry(request.POST.get("carry", ""))
    more = request.POST.get("more", "")
    form.quiet = bool(more)
    typed, faces, errors = {}, {}, {}
    source = "app" if request.POST.get("source") == "app" else "table"
    if form.is_valid() and not more:
        for spec in helper.specs(form.inputs()):
            typed[spec.name] = text = request.POST.get(spec.name, "")[:8]
            if not text or source == "app":
                continue
            try:
                faces[spec.name] = read_face(text, spec.sides, spec.name)
            except BadDie as error:
                errors[spec.name] = str(error)
    return Submission(form, faces, typed, errors, source, more)


def prepare(desk: Desk, book: Book, submission: Submission | None = None, needs: tuple[str, ...] = ()) -> Desk:
    """Fill in what the form's inputs imply: the dice to roll, the modifiers so far, the exact odds."""
    desk.hidden.setdefault("act", str(uuid.uuid4()))
    if not desk.form.is_valid():
        desk.dice = [] if callable(desk.helper.dice) else _die_rows(desk.helper.dice, None, submission, needs)
        if desk.form.quiet:
            desk.form.hush()
        return desk
    inputs = desk.form.inputs()
    try:
        desk.opening = desk.helper.resolve(book, inputs, {})
        desk.odds = [shown(odds) for odds in desk.helper.all_odds(book, inputs)] if desk.opening.needs else []
    except RuleError as error:
        # A fresh form is not told off for what has not been filled in yet.
        if not desk.form.quiet or not getattr(error, "problems", None):
            desk.trouble = desk.trouble or str(error)
        return desk
    finally:
        if desk.opening is None or desk.opening.needs:
            first = desk.opening.needs if desk.opening else None
            desk.dice = _die_rows(desk.helper.specs(inputs), first, submission, needs)
    return desk


def _die_rows(specs, first, submission: Submission | None, needs: tuple[str, ...]) -> list[DieRow]:
    rows = []
    for spec in specs:
        row = DieRow(spec.name, spec.label, spec.sides, first=first is None or spec.name in first or spec.name in needs)
        if submission:
            row.error = submission.die_errors.get(spec.name, "")
            row.value = "" if spec.name in needs else submission.typed.get(spec.name, "")
        if spec.name in needs:
            row.error = "" if not submission or not submission.typed.get(spec.name) else "Roll it again."
        rows.append(row)
    return rows


def shown(odds: Odds) -> dict[str, Any]:
    """A distribution as bars, percentages and words."""
    rows = [
        {"label": row.label, "share": 100 * row.weight / odds.total, "words": in_words(row.weight, odds.total)}
        for row in odds.rows
    ]
    return {"subject": odds.subject, "rows": rows, "total": odds.total}


def in_words(weight: int, total: int) -> str:
    """Odds as people say them: "1 in 4", "about 2 in 3", "certain".

    >>> in_words(25, 100), in_words(65, 100), in_words(100, 100), in_words(1, 100)
    ('1 in 4', 'about 2 in 3', 'certain', '1 in 100')
    """
    exact = Fraction(weight, total)
    if exact == 1:
        return "certain"
    simple = exact.limit_denominator(SIMPLEST)
    if simple in (0, 1):
        simple = Fraction(1, round(1 / exact)) if simple == 0 else 1 - Fraction(1, round(1 / (1 - exact)))
    return f"{'' if simple == exact else 'about '}{simple.numerator} in {simple.denominator}"


@dataclass(slots=True)
class FieldRow:
    """A field as the form shows it: its shape, the bound field, and the rows of a RowsField."""

    shape: str
    bound: BoundField
    rows: list[RowForm] = field(default_factory=list)


def layout(form: HelperForm) -> dict[str, list[FieldRow]]:
    """The fields of this roll and those of the rolls ahead; ticks come after what is typed or chosen."""
    shapes = ((RowsField, "rows"), (ModifiersField, "checks"), (Tick, "tick"))
    groups: dict[str, list[FieldRow]] = {"own": [], "ahead": []}
    for bound in form:
        shape = next((shape for kind, shape in shapes if isinstance(bound.field, kind)), "plain")
        rows = bound.field.rows(bound.name, bound.value(), form.spare_rows) if shape == "rows" else []
        groups["ahead" if bound.name in form.ahead else "own"].append(FieldRow(shape, bound, rows))
    order = ("plain", "tick", "checks", "rows")
    return {name: sorted(rows, key=lambda row: order.index(row.shape)) for name, rows in groups.items()}


def read_queue(text: str) -> list[dict[str, Any]]:
    """The steps still due on a page without a match; anything odd is dropped."""
    try:
        steps = json.loads(text or "[]") if len(text) <= 20_000 else []
    except ValueError:
        return []
    good = {"helper": str, "title": str, "inputs": dict}
    return [
        {key: step[key] for key in good}
        for step in (steps if isinstance(steps, list) else [])[:60]
        if isinstance(step, dict) and all(isinstance(step.get(key), kind) for key, kind in good.items())
    ]


def draw(request: HttpRequest, page: str, fragment: str, ctx: dict[str, Any], status: int = 200) -> HttpResponse:
    """The fragment for htmx, the whole page for everybody else."""
    wants_fragment = request.htmx and not request.htmx.boosted and not request.htmx.history_restore_request
    return render(request, fragment if wants_fragment else page, ctx, status=status)
