"""Works the results of an exported log out again: from its inputs, its dice and the charts that were pinned."""

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

# What one check works out again at most, so that it takes no worker a second besides the log itself: results, and
# the letters of their inputs and results, since a roll of many units takes ten times as long as one of a few.
MOST_RESULTS, MOST_LETTERS = 300, 300_000


class Differs(Exception):
    """What a line says is not what its inputs and dice come to; the message names what differs."""


class Unknown(Exception):
    """A result that this app cannot work out again; the message says why."""


class Noted(Enum):
    """What a check says of what a roll has noted in the record."""

    NOTHING, SAME, TAKEN = range(3)


@dataclass(frozen=True, slots=True)
class WorkedOut:
    """What came of it: how many results are the same, what differs, and what could not be worked out, by reason.

    ``onwards``: the line from which results are still to be worked out, None where nothing is left. ``noted``: how many
    of the results that are the same have noted something in the record, and rightly.
    """

    same: int
    problems: tuple[str, ...]
    notes: tuple[str, ...]
    onwards: int | None = None
    noted: int = 0


def examine_log(exported: Any, noted: str = "", first: int = 1) -> dict[str, object]:
    """All that the app can check of an exported log, as a page shows it.

    ``noted``: a digest or commitment that somebody wrote down; ``first``: the line from which results are worked out.
    """
    report = fairness.check_log(exported, noted)
    again = work_out_results(exported, first) if report.lines else WorkedOut(0, (), ())
    problems = cut_off([*report.problems, *again.problems], fairness.MOST_PROBLEMS)
    return {"report": report, "again": again, "problems": problems}


def work_out_results(exported: Mapping[str, object], first: int = 1) -> WorkedOut:
    """Work out again every result of a log whose shape was found sound, from line ``first`` on.

    As many as one check may; ``onwards`` and a note say where to go on. Never raises on odd files.
    """
    try:
        return _work_out(exported, first)
    except RecursionError:  # nested deeper than any log
        return WorkedOut(0, (fairness.NO_LOG,), ())


def _work_out(exported: Values, first: int) -> WorkedOut:
    """Work the results from line ``first`` on out again, as many as one request has time for."""
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
    left = [f"Results from line {onwards} on are still to be worked out: check on from there."] if onwards else []
    told = (*_tell_notes(notes), *_tell_unknown(unknown), *left)
    return WorkedOut(same, tuple(problems), told, onwards, notes[Noted.SAME])


def _count_letters(line: Mapping[str, object]) -> int:
    return len(json.dumps([line.get("inputs"), line["result"]]))


def _tell_notes(notes: Mapping[Noted, int]) -> Iterator[str]:
    taken = notes[Noted.TAKEN]
    if taken:
        rolls = (
            "1 roll notes in the record, or its title"
            if taken == 1
            else f"{taken} rolls note in the record, or their titles"
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
    """What the lines so far tell of those that follow.

    ``asks``: what each line asked for; ``steps``: the same by roll and title; ``declared``: the titles of what lines
    that are no rolls asked for; ``lost``: the counters that went out of play.
    """

    asks: dict[int, list[FollowUp]] = field(default_factory=dict)
    steps: dict[tuple[str, str], list[FollowUp]] = field(default_factory=dict)
    declared: set[tuple[str, str]] = field(default_factory=set)
    lost: set[str] = field(default_factory=set)

    def go_on(self, line: Values) -> None:
        """Take note of a line."""
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
        """Whether a roll was asked for under a title, about the same counter where it is about one."""
        about = inputs.get("id")
        return any(step.inputs.get("id") in (None, "", about) for step in self.steps.get((slug, title), ()))


# Which charts counted


def _pair_with_books(exported: Values) -> Iterator[tuple[Values, str]]:
    """Each line with the digest of the book that was pinned when it was written, "" where nothing tells."""
    lines = exported["entries"]
    # A log from before lines named their book tells of the one that it ends with, if it never changed.
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
    """The chart books of a log: from the log itself, if they are what their digests say, or from the store."""

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
    """Work one result out again; says what is known of its notes in the record. Raises Differs, Unknown."""
    if helper is None or trace is None:
        raise Unknown("this app does not know that roll")
    if "secret_digest" in line and "salt" not in line:
        raise Unknown("their inputs are sealed")
    # What is blank is left out of a log; the version stands there since inputs do.
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
    """Hold a line against its own inputs, dice and charts, against what was asked for and how the match stood.

    Raises Differs.
    """
    inputs = line.get("inputs", {})
    form = helper.form.from_plain(inputs, book=book, chained=True)
    if not form.is_valid():
        raise Differs(f"{helper.title} takes no such inputs.")
    named = {name: inputs[name] for name in OF_ONE_ROLL if name in inputs and name not in form.fields}
    if _as_read({**form.carry(), **form.plain_inputs(), **named}) != inputs:
        raise Differs("its inputs are not as the form gives them.")
    try:
        result, rolled = playing.play_helper(helper, book, form.inputs(), _throw_again(line["rolls"]))
    except RuleError as error:
        raise Differs(f"worked out again there is no result: {error}") from None
    if result.needs or len(rolled) != len(line["rolls"]):
        raise Differs("its dice are not those that its rule asks for.")
    try:
        result = Account.from_json(named.get(ACCOUNT, {})).add_to(result)
    except (AttributeError, TypeError, ValueError):
        raise Differs("nobody fills a form like that from counters.") from None
    situation = trace.situation(book)
    result = helper.lead_on({**form.carry(), **form.plain_inputs()}, result)
    noted = _check_notes(line, helper, result, form.carry(), situation, trace)
    claim = _read_asked(named.get(ASKED, {}))
    words = _compare_asked(claim, helper, book, form, story)
    title = _find_title(line, helper, f"{result.headline}{words}")
    if title is None:
        raise Differs(f"its sentence is not that of its result, “{result.headline}{words}”.")
    if (helper.slug, title) in story.declared and claim.asking[0] not in story.asks:
        raise Differs("it does not say which declared roll it is.")
    # What the course asks for is called after the record as it stood then; what it notes as it asks comes a line later.
    moments = (trace.situation(book, claim.asking[0]), situation) if trace.is_certain else (None,)
    fits = _fits_title(title, inputs, helper, claim, story, moments)
    if fits is False or (fits is None and trace.is_certain and not trace.is_withheld):
        raise Differs(f"it cannot be called “{title}”.")
    return Noted.TAKEN if fits is None else noted


def _read_asked(plain: Any) -> Asked:
    """Which due roll a line says that it is. Raises Differs."""
    try:
        return Asked.from_json(plain)
    except ValueError:
        raise Differs("it does not say what was asked for.") from None


def _compare_asked(claim: Asked, helper: Helper, book: Book, form: HelperForm, story: _Story) -> str:
    """What the line of a due roll says besides its result: what was entered otherwise. Raises Differs.

    What no line says that it asked for cannot be compared.
    """
    number, place = claim.asking
    steps = story.asks.get(number, [])
    step = pick_step(place, steps)
    if step is None and not (steps and place.isdigit()):  # a step of the course, or a sealed line's
        return claim.words
    if step is None or step.helper != helper.slug:
        raise Differs("nobody has asked for it.")
    gone = story.lost & set(list_ids(step.inputs)) - set(list_ids(form.plain_inputs()))
    left = {**(drop_rows(step.inputs, gone) or {}), **claim.now}
    try:
        typed = find_typed(helper, book, left, form)
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
    """Hold a line's result against one that was worked out again, with what it notes in the record. Raises Differs."""
    said = line["result"]
    plain = _as_read(LoggedResult.of(helper.slug, result, carry).to_json())
    bare = _without_notes(said, plain, helper)
    if bare != plain:
        parts = sorted(name for name in plain.keys() | bare.keys() if plain.get(name) != bare.get(name))
        raise Differs(f"worked out again the result is “{result.headline}”; what differs: {', '.join(parts)[:200]}.")
    rules = registry.games()[helper.game].keeping
    if rules is None or helper.slug not in rules.writers:
        return Noted.NOTHING
    try:
        noted = rules.note(helper.slug, line.get("inputs", {}), result, situation)
        whole = replace(result, changes=(*result.changes, *noted))
        wanted = _as_read(LoggedResult.of(helper.slug, whole, carry).to_json())
    except (RuleError, *ODD):
        return Noted.TAKEN
    if len(situation.pieces) < len(situation.counters):
        # The log does not tell of what kind owners' counters are: what was noted of others is taken.
        own = _changes_in(plain)
        wanted, said = (_with_changes(each, _without_noted_counters(_changes_in(each), own)) for each in (wanted, said))
    if wanted == said:
        return Noted.SAME if noted else Noted.NOTHING
    if all(map(trace.knows, map(_changes_in, (wanted, said)))):
        words = " ".join(sentence for change in noted for sentence in change.sentences) or "nothing"
        raise Differs(f"as the record stood, it notes {words[:200]}")
    return Noted.TAKEN


def _find_title(line: Values, helper: Helper, told: str) -> str | None:
    """What a line calls its roll before it says what came of it; None where it says something else."""
    sentence: str = line.get("secret") or line["sentence"]
    if told.startswith(helper.title):
        return helper.title if sentence == told else None
    return sentence.removesuffix(f". {told}") if sentence.endswith(f". {told}") else None


def _fits_title(
    title: str,
    inputs: Values,
    helper: Helper,
    claim: Asked,
    story: _Story,
    moments: Iterable[TableState | None],
) -> bool | None:
    """Whether a roll with these inputs may have a title: its own, that of the step that it answers, or what the course
    calls it. None where nobody knows. ``moments``: how the match stood when it may have been called so, None where the
    log does not tell."""
    number, place = claim.asking
    step = pick_step(place, story.asks.get(number, []))
    if title == helper.title or (step and title == step.title):
        return True
    if step:
        return False
    said = [_calls_so(helper, title, inputs, moment) for moment in moments]
    fits = True if True in said else None if None in said else False
    return True if fits is False and story.has(helper.slug, title, inputs) else fits


def _calls_so(helper: Helper, title: str, inputs: Mapping[str, object], moment: TableState | None) -> bool | None:
    """Whether the course calls a roll so at a moment; None where nobody knows."""
    rule = registry.games()[helper.game].titles.get(helper.slug)
    try:
        return rule(title, inputs, moment) if rule else False
    except ODD:
        return False


def _without_notes(said: Values, again: Values, helper: Helper) -> Mapping[str, object]:
    """A result without what its game's record rules have added (RecordRules.note).

    A note stands after what the rule itself says and changes, and is about the record or the place alone; of a roll
    whose game asks of what kind all counters are, about counters that the rule does not change, too.
    """
    game = registry.games()[helper.game]
    if game.keeping is None or helper.slug not in game.keeping.writers:
        return said
    told, ours = said.get("effects"), again.get("effects", [])
    details, own = said.get("details"), again.get("details", {})
    if not isinstance(told, list) or not isinstance(details, dict) or told[: len(ours)] != ours:
        return said
    changes, kept = details.get(CHANGES), own.get(CHANGES, {})
    if not isinstance(changes, dict):
        return said
    bare = _without_noted_counters(changes, kept) if helper.slug in game.keeping.surveyed else changes
    noted = bare.keys() - kept.keys()
    of_record = {*(each.name for each in game.record.fields), *game.course.allowed()}
    if (bare == changes and not noted) or not noted <= of_record:
        return said
    left = {name: change for name, change in bare.items() if name not in noted}
    return {**_with_changes(said, left), "effects": ours}


def _without_noted_counters(changes: Values, own: Values) -> Values:
    """Changes without those of counters that are not among a rule's own."""
    told, mine = changes.get(CHANGED_COUNTERS), own.get(CHANGED_COUNTERS, {})
    if not isinstance(told, dict):
        return changes
    left = {each: word for each, word in told.items() if each in mine}
    others = {name: change for name, change in changes.items() if name != CHANGED_COUNTERS}
    return {**others, CHANGED_COUNTERS: left} if left else others


def _changes_in(said: Values) -> Values:
    found: Values = said.get("details", {}).get(CHANGES, {})
    return found


def _with_changes(said: Values, changes: Values) -> Values:
    plain = {name: value for name, value in said["details"].items() if name != CHANGES}
    return {**said, "details": plain | ({CHANGES: changes} if changes else {})}


def _as_read(value: object) -> Any:
    return json.loads(json.dumps(value))


def _throw_again(rolls: list[Values]) -> Thrower:
    """The dice of a line in their order; None where they are not the throw that is asked for."""
    left = deque(rolls)

    def throw(spec: DieSpec) -> tuple[Rolled, ...] | None:
        fell: list[Rolled] = []
        while left and _is_of(left[0], spec) and _count(fell) < spec.highest:
            fell.append(Rolled.from_json(left.popleft()))
        return tuple(fell) if spec.fewest <= _count(fell) <= spec.highest else None

    return throw


def _is_of(roll: Mapping[str, object], spec: DieSpec) -> bool:
    """Whether a die belongs to a throw."""
    is_same = (roll["die"], roll["label"], roll["sides"]) == (spec.name, spec.label, spec.sides)
    return is_same and roll.get("card", False) == bool(spec.names) and not (spec.is_pool and "dice" in roll)


def _count(fell: Iterable[Rolled]) -> int:
    return sum(die.dice for die in fell)
