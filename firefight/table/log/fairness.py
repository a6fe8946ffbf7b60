"""Checks an exported log: that its lines are as they were written, and that the app's dice follow from the seeds.

scripts/check_dice.py does the same on its own, with the same words; rolling/replay.py works the results out again.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from firefight.engine import chain
from firefight.engine.rolls.dice import commitment, rolled_face
from firefight.engine.text import count_of, cut_off
from firefight.engine.values import Json, Values
from firefight.games import chartbooks
from firefight.models import Match
from firefight.web.schema import list_of, maybe, one_of, only_true, table, text, whole_number

MOST_SIDES, MOST_ADDED = 1000, 100
MOST_PROBLEMS = 20  # told one by one
FORMAT, SCHEMA = "volga-ledger log", 2
OLDEST_SCHEMA = 1  # its lines have no digests
SHORTEST_NOTE = 16  # characters of a digest that somebody noted
NO_LOG = "This is no log as the app exports it."
# A line of nobody's that begins a match, and says how its dice are sealed.
_BEGINS = re.compile(
    r"(?:The match begins\.|This match) (?:.* )?Its dice are sealed (?:anew, )?as ([0-9a-f]{64})\.", re.S
)


@dataclass(frozen=True, slots=True)
class RollSpan:
    """The rolls of one match, ``first`` to ``last``, what they are sealed as, and the seed once that is open."""

    first: int
    last: int
    commitment: str
    seed: str = ""

    @property
    def number(self) -> int:
        """How many rolls these are."""
        return self.last - self.first + 1


@dataclass(frozen=True, slots=True)
class Report:
    """What a check found.

    ``checked``: rolls that were compared with their seeds; ``sealed``: those whose seed is not open, so that nobody
    can compare them yet. ``problems``: everything that does not fit. ``notes``: what was not checked, and why.
    ``lines``: how many there are, chained by digests up to ``digest``.
    """

    checked: int = 0
    problems: tuple[str, ...] = ()
    sealed: int = 0
    notes: tuple[str, ...] = ()
    spans: tuple[RollSpan, ...] = ()
    lines: int = 0
    digest: str = ""

    @property
    def is_complete(self) -> bool:
        """Whether nothing speaks against the log and all that can be checked of any log was checked."""
        return bool(self.checked and self.digest and not self.sealed and not self.problems)


def earlier_dice(match: Match) -> list[Json]:
    """The seals of the rolls before a match's own, with the seeds of those matches here that have ended. One query."""
    unknown = [seal.match for seal in match.earlier_dice if not seal.seed]
    ended = Match.objects.filter(pk__in=unknown, ended__isnull=False) if unknown else ()
    open_seeds = {match.commitment: match.seed for match in ended}
    return [{**seal.to_json(), "seed": seal.seed or open_seeds.get(seal.commitment)} for seal in match.earlier_dice]


def check_log(exported: Any, noted: str = "") -> Report:
    """Check all that can be checked without the rules. Never raises on odd files.

    ``noted``: a digest or a commitment that somebody wrote down before, or its beginning.
    """
    try:
        return _check(exported, noted) if is_log(exported) else Report(problems=(NO_LOG,))
    except RecursionError:  # nested deeper than any log
        return Report(problems=(NO_LOG,))


def _check(exported: Values, noted: str) -> Report:
    """Check a log whose shape is sound."""
    lines = exported["entries"]
    rolls = [roll for line in lines for roll in line["rolls"] if is_drawn(roll)]
    begun = find_beginnings(lines)
    spans = [span for span in read_spans(exported, lines, begun) if span.number]
    problems = [
        *_number_flaws(exported, lines, rolls),
        *_again_flaws(lines),
        *_chain_flaws(exported, lines),
        *_head_flaws(exported, lines, begun),
        *_seal_flaws(exported, begun, spans),
    ]
    seeds = {n: bytes.fromhex(span.seed) for span in spans if span.seed for n in range(span.first, span.last + 1)}
    compared = [roll for roll in rolls if roll["number"] in seeds and roll["face"] != chain.HIDDEN_FACE]
    hidden = sum(roll["face"] == chain.HIDDEN_FACE for roll in rolls)
    problems += filter(None, (_flaw(seeds[roll["number"]], roll) for roll in compared))
    notes, mismatches = _compare_note(lines, begun, noted)
    problems += mismatches
    is_chained = exported["schema"] >= SCHEMA
    return Report(
        checked=len(compared),
        problems=tuple(cut_off(problems, MOST_PROBLEMS)),
        sealed=len(rolls) - len(compared) - hidden,
        notes=(*notes, *_notes(exported, lines, len(rolls), len(rolls) - len(compared) - hidden)),
        spans=tuple(spans),
        lines=len(lines),
        digest=exported["digest"] if is_chained else "",
    )


# What a log looks like


def is_log(exported: Any) -> bool:
    """Whether values from outside are a log: every field there, of the kind that it should be, and no other."""
    schema = exported.get("schema") if type(exported) is dict else None
    if type(schema) is not int or not OLDEST_SCHEMA <= schema <= SCHEMA:
        return False
    shape = _UNCHAINED if schema < SCHEMA else _CHAINED
    return not any(shape(exported, ""))


def is_drawn(roll: Values) -> bool:
    """Whether the app drew a number for a die in the very line where it stands."""
    return roll["source"] == "app" and "of" not in roll


def _is_numbered(roll: Values) -> bool:
    """Whether a die has a number if it is the app's, and only then; those of the app are never added up."""
    is_own = roll["source"] == "app"
    return ("number" in roll) == is_own and not ("dice" in roll and (is_own or "card" in roll))


def is_possible(roll: Values) -> bool:
    """Whether dice can show what a log says about them, and say rightly whose they are."""
    dice, lowest = roll.get("dice", 1), 1 if "card" in roll else 2
    return lowest <= roll["sides"] and dice <= roll["face"] <= dice * roll["sides"] and _is_numbered(roll)


MOST = 10**9  # of anything: how much may be sent is for whoever takes it in to say
_TEXT, _WHOLE, _HEX = text(MOST), whole_number(0, MOST - 1), text(64, 64, "[0-9a-f]{64}")


def _table_of_anything(value: object, place: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{place}: should be a table."


# ``of``: the line in which a die was thrown that stands here again, since a correction struck that line. ``dice``: how
# many dice players added up; those of the app stand one by one. ``card``: the die draws one of that many cards.
_DIE = table(
    {"die": _TEXT, "label": _TEXT, "sides": _WHOLE, "face": _WHOLE, "source": one_of(("app", "table"))},
    {
        "number": _WHOLE,
        "side": _TEXT,
        "of": _WHOLE,
        "dice": whole_number(2, MOST_ADDED),
        "card": only_true,
        "unseen": only_true,
    },
)


def _check_die(value: object, place: str) -> Iterator[str]:
    yield from _DIE(value, place)
    if isinstance(value, dict) and "source" in value and not _is_numbered(value):
        yield f"{place}: has a number if it is the app's, and only then."


_SEAL = table({"match": _TEXT, "to": _WHOLE, "commitment": _HEX, "seed": maybe(_HEX)})
_HEAD = {
    "format": one_of((FORMAT,)),
    "schema": _WHOLE,
    "match": _TEXT,
    "game": _TEXT,
    "name": _TEXT,
    "chart_book": _TEXT,
    "commitment": _HEX,
    "seed": maybe(_HEX),
    "rolls_made": _WHOLE,
    "earlier_dice": list_of(_SEAL, MOST),
}
_LINE = {
    "number": _WHOLE,
    "kind": _TEXT,
    "side": _TEXT,
    "at": _TEXT,
    "sentence": _TEXT,
    "rolls": list_of(_check_die, MOST),
    **dict.fromkeys(("about", "voided_by", "revealed_by"), maybe(_WHOLE)),
}
_MORE = {
    "secret": _TEXT,
    "salt": _TEXT,
    "secret_digest": _HEX,
    "helper": _TEXT,
    "inputs": _table_of_anything,
    "result": maybe(_table_of_anything),
    "voids": list_of(_WHOLE, MOST),
    "app": _TEXT,
}
_UNCHAINED = table({**_HEAD, "entries": list_of(table(_LINE, _MORE), MOST)})
_CHAINED = table(
    {
        **_HEAD,
        "app": _TEXT,
        "digest": _HEX,
        "books": _table_of_anything,
        "entries": list_of(table({**_LINE, "digest": _HEX}, _MORE), MOST),
    }
)


# What does not fit


def _number_flaws(exported: Values, lines: list[Values], rolls: list[Mapping[str, object]]) -> Iterator[str]:
    if [line["number"] for line in lines] != list(range(1, len(lines) + 1)):
        yield f"The numbers of the lines are not 1 to {len(lines)}, each once and in this order."
    rolls_made = exported["rolls_made"]
    if len(rolls) != rolls_made or [roll["number"] for roll in rolls] != list(range(1, rolls_made + 1)):
        yield f"The numbers of the rolls are not 1 to {rolls_made}, each once and in this order along the lines."
    for line in lines:
        for roll in line["rolls"]:
            sides, dice = roll["sides"], roll.get("dice", 1)
            is_hidden = chain.is_hidden_roll(line) and roll["face"] == chain.HIDDEN_FACE
            if not (1 if "card" in roll else 2) <= sides <= MOST_SIDES:
                yield f"Line {line['number']}: there is no die with {sides} sides."
            elif not (is_hidden or dice <= roll["face"] <= dice * sides):
                thrown = f"{dice} dice with {sides} sides do" if dice > 1 else f"a die with {sides} sides does"
                yield f"Line {line['number']}: {thrown} not show {roll['face']}."


def _again_flaws(lines: list[Values]) -> Iterator[str]:
    """Dice that stand again for a check, and did not fall like that in a struck line, or count in two lines."""
    by_number = {line["number"]: line for line in lines}
    counts = {
        (line["number"], roll["die"]): line["number"]
        for line in lines
        for roll in line["rolls"]
        if "of" not in roll and line["voided_by"] is None
    }
    for line in lines:
        for of, die in dict.fromkeys((roll["of"], roll["die"]) for roll in line["rolls"] if "of" in roll):
            origin = by_number.get(of) if of < line["number"] else None
            thrown = _throw(line["rolls"], die, of)
            # All dice of a throw stand again, or the last ones of a throw that was made twice in its line.
            if thrown != _throw(origin["rolls"] if origin else (), die)[-len(thrown) :]:
                yield f"Line {line['number']}: the die that stands again did not fall so in line {of}."
            if line["voided_by"] is None and (counts.setdefault((of, die), line["number"]) != line["number"]):
                yield f"Line {line['number']}: the die that stands again still counts in line {counts[of, die]}."


def _throw(rolls: Iterable[Values], die: str, of: int | None = None) -> list[dict[str, object]]:
    """The dice of one name in a line, or of those that stand again from line ``of`` if given, as they fell."""
    dice = [roll for roll in rolls if roll["die"] == die and of in (None, roll.get("of"))]
    return [{name: value for name, value in roll.items() if name not in _OF_THE_LINE} for roll in dice]


_OF_THE_LINE = ("of", "label")


def _chain_flaws(exported: Values, lines: list[Mapping[str, object]]) -> Iterator[str]:
    if exported["schema"] >= SCHEMA:
        yield from chain.chain_flaws(lines, exported["digest"])
        yield from chain.standing_flaws(lines)


@dataclass(frozen=True, slots=True)
class Beginning:
    """A line that begins a match, and how its dice are sealed."""

    line: int
    commitment: str
    head: Values


def find_beginnings(lines: Iterable[Values]) -> list[Beginning]:
    """The lines that begin a match: the first one, and one wherever it goes on from a file or as a branch."""
    beginnings = []
    for line in lines:
        match = line["kind"] == "seat" and line["side"] == "" and _BEGINS.fullmatch(line["sentence"])
        if match:
            beginnings.append(Beginning(line["number"], match[1], line.get("inputs", {})))
    return beginnings


def read_spans(exported: Values, lines: list[Values], begun: list[Beginning]) -> list[RollSpan]:
    """Which rolls belong to which match, as the lines tell it: one span for each beginning, none left out."""
    open_seeds = {seal["commitment"]: seal["seed"] or "" for seal in (*exported["earlier_dice"], exported)}
    starts = {beginning.line: beginning for beginning in begun}
    spans, seal, rolled, first_roll = [], None, 0, 1
    for line in lines:
        if line["number"] in starts:
            if seal:
                spans.append(RollSpan(first_roll, rolled, seal.commitment, open_seeds.get(seal.commitment, "")))
            seal, first_roll = starts[line["number"]], rolled + 1
        rolled += sum(map(is_drawn, line["rolls"]))
    return [*spans, RollSpan(first_roll, rolled, seal.commitment, open_seeds.get(seal.commitment, ""))] if seal else []


def _head_flaws(exported: Values, lines: list[Values], begun: list[Beginning]) -> Iterator[str]:
    if not begun or begun[0].line != 1 or begun[-1].commitment != exported["commitment"]:
        yield "The log's lines tell of another beginning of the match than its head: another commitment, or none."
    head = begun[-1].head if begun else {}
    for name in ("match", "game", "name"):
        if name in head and head[name] != exported[name]:
            yield f"The log's lines tell of another {name} than its head."
    if _pinned_last(lines) not in ("", exported["chart_book"]):
        yield "The log's lines tell of other charts than its head."
    for name, data in exported.get("books", {}).items():
        if chartbooks.digest(data) != name:
            yield "The charts in the file are not those that it names."
    start = begun[-1].line if begun else 0
    has_ended = any(line["kind"] == "end" and line["voided_by"] is None and line["number"] > start for line in lines)
    if has_ended and not exported["seed"]:
        yield "The log says that the match has ended, but its seed is missing."


def books_named(lines: Iterable[Mapping[str, object]]) -> set[str]:
    """The chart books that the lines of an exported log say were pinned, by digest."""
    return {book for line in lines if (book := find_book(line))}


def find_book(line: Values) -> str:
    """The chart book that a line says was pinned, "" where it says none."""
    book = line.get("inputs", {}).get("book") if line["kind"] in ("seat", "book") else None
    return book if isinstance(book, str) else ""


def _pinned_last(lines: Iterable[Values]) -> str:
    """The charts that were pinned last, "" where no line says so."""
    pinned = ""
    for line in lines:
        if line["kind"] == "book" and line["voided_by"] is None or line["kind"] == "seat" and line.get("inputs"):
            pinned = line.get("inputs", {}).get("book", "")
    return pinned


def _seal_flaws(exported: Values, begun: list[Beginning], spans: list[RollSpan]) -> Iterator[str]:
    for seal in (*exported["earlier_dice"], exported):
        if seal["seed"] and commitment(bytes.fromhex(seal["seed"])) != seal["commitment"]:
            yield f"A seed does not fit the commitment that was published at the start, {seal['commitment']}."
    earlier_spans = [span for span in spans if span.commitment != exported["commitment"]]
    expected = [(span.last, span.commitment) for span in earlier_spans]
    if [(seal["to"], seal["commitment"]) for seal in exported["earlier_dice"]] != expected:
        yield "The seals of earlier matches do not agree with what the log's lines say of their beginnings."
    names = {beginning.commitment: beginning.head.get("match") for beginning in begun}
    for seal in exported["earlier_dice"]:
        if names.get(seal["commitment"]) not in (None, seal["match"]):
            yield f"The seal of match {seal['match']} is that of another match."


def _flaw(seed: bytes, roll: Values) -> str:
    number, sides, face = roll["number"], roll["sides"], roll["face"]
    if not 1 <= sides <= MOST_SIDES:
        return ""  # told already
    derived = rolled_face(seed, number, sides)
    return "" if derived == face else f"Roll {number}: the log says {face}, the seed gives {derived}."


# What cannot be said


def _notes(exported: Values, lines: list[Mapping[str, object]], rolls_made: int, sealed: int) -> Iterator[str]:
    if not rolls_made:
        yield "The app has rolled no dice in this log, so there are none to check."
    if sealed:
        yield f"{count_of(sealed, 'roll')} cannot be checked yet: the seed is still sealed."
    if exported["schema"] < SCHEMA:
        yield "The lines have no digests, since an older version wrote this log: a changed line would not show."
    hidden = sum(len(line["rolls"]) for line in exported["entries"] if chain.is_hidden_roll(line))
    if hidden:
        yield f"What came of {count_of(hidden, 'roll')} is a side's secret: only its own log can show it."
    withheld = sum("secret_digest" in line and "salt" not in line for line in lines)
    if withheld:
        yield f"Sealed words that cannot be read here may stand in {count_of(withheld, 'line')}; they have not changed."


def _compare_note(lines: list[Values], begun: list[Beginning], noted: str) -> tuple[list[str], list[str]]:
    """What a digest or a commitment that somebody noted says about the log: a note, or a problem."""
    note = "".join(noted.split()).lower()
    if not note:
        return [], []
    if not re.fullmatch(f"[0-9a-f]{{{SHORTEST_NOTE},64}}", note):
        return [], [f"What you noted is no digest: give at least its first {SHORTEST_NOTE} letters and digits."]
    for line in lines:
        if line.get("digest", "").startswith(note):
            return [f"You noted the digest of line {line['number']}: up to there nothing has changed since."], []
    if any(beginning.commitment.startswith(note) for beginning in begun):
        return ["You noted a commitment that this log begins with."], []
    return [], ["No line of this log has the digest that you noted, and no match in it that commitment."]
