"""Works out the results of an exported log again, from its inputs, its dice and the charts that were pinned."""

import json
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from django.conf import settings

from firefight.assistant.throwing import Thrower
from firefight.columns import LoggedResult, Rolled
from firefight.engine import chain
from firefight.engine.board.counters import Account
from firefight.engine.charts.book import Book, read_book
from firefight.engine.course.keeping import TableState
from firefight.engine.errors import BadInput, RuleError
from firefight.engine.rolls.dice import DieSpec
from firefight.engine.rolls.result import FollowUp, Result
from firefight.engine.text import count_of, cut_off
from firefight.engine.values import Values
from firefight.games import chartbooks, registry
from firefight.kit import playing
from firefight.kit.fields.counters import ACCOUNT, ASKED, OF_ONE_ROLL
from firefight.kit.fields.forms import HelperForm
from firefight.kit.helper import Helper
from firefight.table.act.line_keys import CHANGED_COUNTERS, CHANGES
from firefight.table.log import fairness
from firefight.table.log.asked import ASKS, Asked, drop_rows, find_typed, list_ids, pick_step, read_asks

from .retracing import ODD, Retracing

# The most that one check works out again, so that it keeps no worker busy for a second besides reading the log:
# results, and letters of their inputs and results, since a roll of many units takes ten times as long as one of few.
MOST_RESULTS, MOST_LETTERS = 300, 300_000


class Differs(Exception):
    """A line does not say what its inputs and dice come to; the message names what differs."""


class Unknown(Exception):
    """A result that this app cannot work out again; the message says why."""


class Noted(Enum):
    """What a check says about what a roll has noted in the record."""

    NOTHING, SAME, TAKEN = range(3)


@dataclass(frozen=True, slots=True)
class WorkedOut:
    """The outcome of a check: how many results agree, what differs, and what could not be worked out, by reason.

    ``onwards``: the line from which results are still to be worked out, None where nothing is left. ``noted``: how many
    of the results that agree have rightly noted something in the record.
    """

    same: int
    problems: tuple[str, ...]
    notes: tuple[str, ...]
    onwards: int | None = None
    noted: int = 0


def examine_log(exported: Any, noted: str = "", first: int = 1) -> dict[str, object]:
    """All that the app can check in an exported log, as a page shows it.

    ``noted``: a digest or commitment that somebody wrote down; ``first``: the line from which results are worked out.
    """
    report = fairness.check_log(exported, noted)
    worked_out = work_out_results(exported, first) if report.lines else WorkedOut(0, (), ())
    problems = cut_off([*report.problems, *worked_out.problems], fairness.MOST_PROBLEMS)
    return {"report": report, "again": worked_out, "problems": problems}


def work_out_results(exported: Mapping[str, object], first: int = 1) -> WorkedOut:
    """Work out again every result of a log whose shape is sound, from line ``first`` on.

    It stops at the most that one check may do; ``onwards`` and a note say where to go on. Never raises on odd files.
    """
    try:
        return _work_out(exported, first)
    except RecursionError:  # nested deeper than any log
        return WorkedOut(0, (fairness.NO_LOG,), ())


def _work_out(exported: Values, first: int) -> WorkedOut:
    """Work out again the results from line ``first`` on, as many as one request has time for."""
    helpers = registry.helpers(exported["game"]) if exported["game"] in registry.games() else {}
    books = _Books(exported)
    story, trace = _Story(), Retracing(exported) if helpers else None
    same, done, letters, onwards = 0, 0, 0, None
    problems: list[str] = []
    unknown: Counter[str] = Counter()
    notes: Counter[Noted] = Counter()
    for line, digest in _pair_with_books(exported):
        if trace:
            trace.reach(line)
        if line.get("result") is None:
            unknown.update(_unread(line) if line["number"] >= first else ())
        elif line["number"] >= first:
            done, letters = done + 1, letters + _count_letters(line)
            if done > 1 and (done > MOST_RESULTS or letters > MOST_LETTERS):
                onwards = line["number"]
                break
            try:
                notes[_compare(line, helpers.get(line.get("helper", "")), books.read(digest), story, trace)] += 1
                same += 1
            except Differs as error:
                problems.append(f"Line {line['number']}: {error}")
            except Unknown as error:
                unknown[str(error)] += 1
        story.go_on(line)
        if trace:
            trace.take(line)
    remainder = [f"Results from line {onwards} on are still to be worked out: check on from there."] if onwards else []
    report = (*_tell_notes(notes), *_tell_unknown(unknown), *remainder)
    return WorkedOut(same, tuple(problems), report, onwards, notes[Noted.SAME])


def _count_letters(line: Mapping[str, object]) -> int:
    return len(json.dumps([line.get("inputs"), line["result"]]))


def _tell_notes(notes: Mapping[Noted, int]) -> Iterator[str]:
    rolls_taken = notes[Noted.TAKEN]
    if rolls_taken:
        rolls = (
            "1 roll notes in the record, or its title"
            if rolls_taken == 1
            else f"{rolls_taken} rolls note in the record, or their titles"
        )
        yield f"Taken as it stands, what {rolls}: how the record stood then is not in the log."


def _tell_unknown(unknown: Counter[str]) -> Iterator[str]:
    for reason, number in unknown.items():
        yield f"Not worked out again, {count_of(number, 'result')}: {reason}."


def _unread(line: Values) -> Iterator[str]:
    if chain.is_hidden_roll(line):
        yield "that is a side's secret"
    elif line["rolls"] and line["kind"] != "spent":
        yield "of the campaign's ledger, whose rows are not in a log"


@dataclass(slots=True)
class _Story:
    """What the lines so far say about those that follow.

    ``asks``: what each line asked for; ``steps``: the same by roll and title; ``declared``: what lines other than rolls
    asked for, by roll and title; ``lost``: the counters that went out of play.
    """

    asks: dict[int, list[FollowUp]] = field(default_factory=dict)
    steps: dict[tuple[str, str], list[FollowUp]] = field(default_factory=dict)
    declared: set[tuple[str, str]] = field(default_factory=set)
    lost: set[str] = field(default_factory=set)

    def go_on(self, line: Values) -> None:
        result, inputs = line.get("result"), line.get("inputs", {})
        steps = read_asks(result.get("follow_ups") if isinstance(result, dict) else inputs.get(ASKS))
        if steps:
            self.asks[line["number"]] = steps
        for step in steps:
            self.steps.setdefault((step.helper, step.title), []).append(step)
            self.declared |= set() if result else {(step.helper, step.title)}
        changed = inputs.get("counters")
        for id, fields in changed.items() if isinstance(changed, dict) else ():
            fate = fields.get("fate") if isinstance(fields, dict) else None
            self.lost |= {id} if isinstance(fate, list) and fate[-1:] not in ([], [""]) else set()

    def has(self, slug: str, title: str, inputs: Values) -> bool:
        """Whether a roll was asked for under a title, and about the same counter where it is about one."""
        about = inputs.get("id")
        return any(step.inputs.get("id") in (None, "", about) for step in self.steps.get((slug, title), ()))


# Which charts counted


def _pair_with_books(exported: Values) -> Iterator[tuple[Values, str]]:
    """Each line with the digest of the book that was pinned when it was written, "" where that is not known."""
    lines = exported["entries"]
    # A log from before lines named their book names the one that it ends with, which counts if it never changed.
    start = "" if any(line["kind"] == "book" for line in lines) else exported["chart_book"]
    pinned = [(0, start, None)]
    for line in lines:
        number = line["number"]
        while len(pinned) > 1 and pinned[-1][2] is not None and pinned[-1][2] <= number:
            pinned.pop()
        if line["kind"] == "book" or fairness.find_book(line):
            pinned.append((number, fairness.find_book(line), line["voided_by"]))
        yield line, pinned[-1][1]


class _Books:
    """The chart books of a log: from the log itself where their digests fit, or else from the store."""

    def __init__(self, exported: Values):
        self.game, self.sent = exported["game"], exported.get("books", {})
        self.known: dict[str, Book] = {}

    def read(self, digest: str) -> Book:
        """A book by its digest. Raises Unknown."""
        if digest not in self.known:
            self.known[digest] = self._find(digest)
        return self.known[digest]

    def _find(self, digest: str) -> Book:
        if not digest:
            raise Unknown("the log does not say which charts they went by")
        data = self.sent.get(digest)
        if not isinstance(data, dict) or chartbooks.digest(data) != digest:
            data = chartbooks.data_of([digest]).get(digest)
        if data is None or data.get("game") != self.game:
            raise Unknown("their charts are neither in the file nor stored here")
        book, problems = read_book(data, registry.games()[self.game].chart_specs)
        if problems:
            raise Unknown("this app cannot read the charts in the file")
        return book


# One result


def _compare(line: Values, helper: Helper | None, book: Book, story: _Story, trace: Retracing | None) -> Noted:
    """Work out one result again; returns what is known of its notes in the record. Raises Differs, Unknown."""
    if helper is None or trace is None:
        raise Unknown("this app does not know that roll")
    if "secret_digest" in line and "salt" not in line:
        raise Unknown("their inputs are sealed")
    # A log leaves out what is blank; it has had the version for as long as it has had inputs.
    if "inputs" not in line and "app" not in line:
        raise Unknown("an older version wrote them, without their inputs")
    try:
        return _check_same(line, helper, book, story, trace)
    except Differs:
        if line.get("app") != settings.VERSION:
            version = line.get("app") or "an older version"
            raise Unknown(f"they differ, but were worked out by {version}, and this is {settings.VERSION}") from None
        raise


def _check_same(line: Values, helper: Helper, book: Book, story: _Story, trace: Retracing) -> Noted:
    """Check a line against its own inputs, dice and charts, against what was asked for and how the match stood.

    Raises Differs.
    """
    inputs = line.get("inputs", {})
    form = helper.form.from_plain(inputs, book=book, chained=True)
    if not form.is_valid():
        raise Differs(f"{helper.title} takes no such inputs.")
    outside_form = {name: inputs[name] for name in OF_ONE_ROLL if name in inputs and name not in form.fields}
    if _as_read({**form.carry(), **form.plain_inputs(), **outside_form}) != inputs:
        raise Differs("its inputs are not as the form gives them.")
    try:
        result, rolled = playing.play_helper(helper, book, form.inputs(), _throw_again(line["rolls"]))
    except RuleError as error:
        raise Differs(f"worked out again there is no result: {error}") from None
    if result.needs or len(rolled) != len(line["rolls"]):
        raise Differs("its dice are not those that its rule asks for.")
    try:
        result = Account.from_json(outside_form.get(ACCOUNT, {})).add_to(result)
    except (AttributeError, TypeError, ValueError):
        raise Differs("nobody fills a form like that from counters.") from None
    situation = trace.situation(book)
    result = helper.lead_on({**form.carry(), **form.plain_inputs()}, result)
    noted = _check_notes(line, helper, result, form.carry(), situation, trace)
    claim = _read_claim(outside_form.get(ASKED, {}))
    words = _compare_asked(claim, helper, book, form, story)
    title = _find_title(line, helper, f"{result.headline}{words}")
    if title is None:
        raise Differs(f"its sentence is not that of its result, “{result.headline}{words}”.")
    if (helper.slug, title) in story.declared and claim.asking[0] not in story.asks:
        raise Differs("it does not say which declared roll it is.")
    # The course names what it asks for after the record as it stood then; what it notes as it asks comes a line later.
    moments = (trace.situation(book, claim.asking[0]), situation) if trace.is_certain else (None,)
    fits = _fits_title(title, inputs, helper, claim, story, moments)
    if fits is False or (fits is None and trace.is_certain and not trace.is_withheld):
        raise Differs(f"it cannot be called “{title}”.")
    return Noted.TAKEN if fits is None else noted


def _read_claim(plain: Any) -> Asked:
    """Which due roll a line claims to be. Raises Differs."""
    try:
        return Asked.from_json(plain)
    except ValueError:
        raise Differs("it does not say what was asked for.") from None


def _compare_asked(claim: Asked, helper: Helper, book: Book, form: HelperForm, story: _Story) -> str:
    """What the line of a due roll says besides its result: what was entered differently. Raises Differs.

    Where no line says that it asked for the roll, nothing can be compared.
    """
    number, place = claim.asking
    steps = story.asks.get(number, [])
    step = pick_step(place, steps)
    if step is None and not (steps and place.isdigit()):  # a step of the course, or a sealed line's
        return claim.words
    if step is None or step.helper != helper.slug:
        raise Differs("nobody has asked for it.")
    dropped_ids = story.lost & set(list_ids(step.inputs)) - set(list_ids(form.plain_inputs()))
    expected = {**(drop_rows(step.inputs, dropped_ids) or step.inputs), **claim.now}
    try:
        typed = find_typed(helper, book, expected, form)
    except BadInput as error:
        raise Differs(f"it is not what was asked for. {error}") from None
    if typed != claim.typed:
        raise Differs(f"it is not what was asked for: {'; '.join(typed) or 'it says that more was entered'}.")
    return claim.words


def _check_notes(
    line: Values,
    helper: Helper,
    result: Result,
    carry: Values,
    situation: TableState,
    trace: Retracing,
) -> Noted:
    """Check a line's result against one worked out again, with what it notes in the record. Raises Differs."""
    logged = line["result"]
    plain = _as_read(LoggedResult.of(helper.slug, result, carry).to_json())
    bare = _without_notes(logged, plain, helper)
    if bare != plain:
        parts = sorted(name for name in plain.keys() | bare.keys() if plain.get(name) != bare.get(name))
        raise Differs(f"worked out again the result is “{result.headline}”; what differs: {', '.join(parts)[:200]}.")
    rules = registry.games()[helper.game].keeping
    if helper.slug not in rules.writers:
        return Noted.NOTHING
    try:
        noted = rules.note(helper.slug, line.get("inputs", {}), result, situation)
        with_notes = replace(result, changes=(*result.changes, *noted))
        expected = _as_read(LoggedResult.of(helper.slug, with_notes, carry).to_json())
    except (RuleError, *ODD):
        return Noted.TAKEN
    if len(situation.pieces) < len(situation.counters):
        # The log does not give the kinds of owners' own counters: notes about these are accepted as they stand.
        rule_changes = _changes_in(plain)
        expected, logged = (
            _with_changes(result_values, _without_noted_counters(_changes_in(result_values), rule_changes))
            for result_values in (expected, logged)
        )
    if expected == logged:
        return Noted.SAME if noted else Noted.NOTHING
    if all(map(trace.knows, map(_changes_in, (expected, logged)))):
        words = " ".join(sentence for change in noted for sentence in change.sentences) or "nothing"
        raise Differs(f"as the record stood, it notes {words[:200]}")
    return Noted.TAKEN


def _find_title(line: Values, helper: Helper, outcome: str) -> str | None:
    """What a line calls its roll before it gives the outcome; None where it gives another one."""
    sentence: str = line.get("secret") or line["sentence"]
    if outcome.startswith(helper.title):
        return helper.title if sentence == outcome else None
    return sentence.removesuffix(f". {outcome}") if sentence.endswith(f". {outcome}") else None


def _fits_title(
    title: str,
    inputs: Values,
    helper: Helper,
    claim: Asked,
    story: _Story,
    moments: Iterable[TableState | None],
) -> bool | None:
    """Whether a roll with these inputs may have a title: its own, that of the step that it answers, or what the course
    calls it. None where nobody knows. ``moments``: how the match stood when it may have got that title, None where the
    log does not tell."""
    number, place = claim.asking
    step = pick_step(place, story.asks.get(number, []))
    if title == helper.title or (step and title == step.title):
        return True
    if step:
        return False
    verdicts = [_calls_so(helper, title, inputs, moment) for moment in moments]
    fits = True if True in verdicts else None if None in verdicts else False
    return True if fits is False and story.has(helper.slug, title, inputs) else fits


def _calls_so(helper: Helper, title: str, inputs: Mapping[str, object], moment: TableState | None) -> bool | None:
    """Whether the course gives a roll this title at a moment; None where nobody knows."""
    rule = registry.games()[helper.game].titles.get(helper.slug)
    try:
        return rule(title, inputs, moment) if rule else False
    except ODD:
        return False


def _without_notes(logged: Values, worked_out: Values, helper: Helper) -> Mapping[str, object]:
    """A result without what its game's record rules have added (RecordRules.note).

    A note stands after what the rule itself says and changes, and is about the record or the place alone; where the
    game surveys all counters for a roll, it may also be about counters that the rule does not change.
    """
    game = registry.games()[helper.game]
    if helper.slug not in game.keeping.writers:
        return logged
    logged_effects, own_effects = logged.get("effects"), worked_out.get("effects", [])
    details, own_details = logged.get("details"), worked_out.get("details", {})
    if (
        not isinstance(logged_effects, list)
        or not isinstance(details, dict)
        or logged_effects[: len(own_effects)] != own_effects
    ):
        return logged
    changes, own_changes = details.get(CHANGES), own_details.get(CHANGES, {})
    if not isinstance(changes, dict):
        return logged
    bare = _without_noted_counters(changes, own_changes) if helper.slug in game.keeping.surveyed else changes
    noted = bare.keys() - own_changes.keys()
    of_record = {*(kept_field.name for kept_field in game.record.fields), *game.course.allowed()}
    if (bare == changes and not noted) or not noted <= of_record:
        return logged
    without_noted = {name: change for name, change in bare.items() if name not in noted}
    return {**_with_changes(logged, without_noted), "effects": own_effects}


def _without_noted_counters(changes: Values, rule_changes: Values) -> Values:
    """Changes without those of counters that the rule itself does not change."""
    counter_changes, own_words = changes.get(CHANGED_COUNTERS), rule_changes.get(CHANGED_COUNTERS, {})
    if not isinstance(counter_changes, dict):
        return changes
    rest = {counter_id: word for counter_id, word in counter_changes.items() if counter_id in own_words}
    of_record = {name: change for name, change in changes.items() if name != CHANGED_COUNTERS}
    return {**of_record, CHANGED_COUNTERS: rest} if rest else of_record


def _changes_in(logged: Values) -> Values:
    changes: Values = logged.get("details", {}).get(CHANGES, {})
    return changes


def _with_changes(logged: Values, changes: Values) -> Values:
    plain = {name: value for name, value in logged["details"].items() if name != CHANGES}
    return {**logged, "details": plain | ({CHANGES: changes} if changes else {})}


def _as_read(value: object) -> Any:
    return json.loads(json.dumps(value))


def _throw_again(rolls: list[Values]) -> Thrower:
    """The dice of a line in their order; None where they are not the throw asked for."""
    dice_left = deque(rolls)

    def throw(spec: DieSpec) -> tuple[Rolled, ...] | None:
        dice: list[Rolled] = []
        while dice_left and _is_of(dice_left[0], spec) and _count(dice) < spec.highest:
            dice.append(Rolled.from_json(dice_left.popleft()))
        return tuple(dice) if spec.fewest <= _count(dice) <= spec.highest else None

    return throw


def _is_of(roll: Mapping[str, object], spec: DieSpec) -> bool:
    is_same = (roll["die"], roll["label"], roll["sides"]) == (spec.name, spec.label, spec.sides)
    return is_same and roll.get("card", False) == bool(spec.names) and not (spec.is_pool and "dice" in roll)


def _count(dice: Iterable[Rolled]) -> int:
    return sum(die.dice for die in dice)
